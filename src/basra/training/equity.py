"""Match equity: from rounds played to the chance of winning a match from every score."""

from __future__ import annotations

import struct
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from types import ModuleType

from basra import _core
from basra.errors import ArgumentError
from basra.models import TABLES
from basra.pools import mapped
from basra.rules import Rules
from basra.training.rounds import ROUND_FIELDS, Chunk, play_chunk

_CHUNK = 16  # rounds of one piece of work
_WORLDS = {"2": 40, "partners": 4}  # that players search: partnerships take longer
_EVERY = {"2": 1, "partners": 4}  # of so many decisions one is looked at
_CARRY_STATES = 3  # no tie, one, and two or more in a row
_TARGET_MOST = 250


def train_equity(
    rules: Rules,
    table: str,
    *,
    seed: int,
    rounds: int,
    model: bytes | None = None,
    progress: Callable[[int, int], None] | None = None,
    executor: Executor | None = None,
) -> bytes:
    """The equity part of a model file, for one table of two sides and the target of the rules.

    Plays `rounds` rounds between players that search 40 worlds at each move (4 in partnerships),
    with the model given if any, counts how they end, and works out the chance to win from all
    scores (`match_dp`).  The same seed and number of rounds give the same bytes, with any executor.
    `progress` is called with the rounds played and all of them.

    Raises ArgumentError for tables of single players, which play for points, for targets beyond
    250, and if NumPy is not installed.
    """
    _check(rules, table, rounds)
    _program()  # before hours of play
    outcomes: Counter[tuple[int, int, int]] = Counter()
    decisions = array("i")
    done = 0
    for chunk, (played, looked_at) in _played(rules, table, seed, rounds, model, executor):
        columns = [played[i::ROUND_FIELDS] for i in range(ROUND_FIELDS)]
        outcomes.update(zip(*columns, strict=True))
        decisions += looked_at
        done += chunk.rounds
        if progress is not None:
            progress(done, rounds)
    return equity_part(rules, table, smoothed(rules, outcomes), decisions)


def _check(rules: Rules, table: str, rounds: int) -> None:
    if table not in TABLES:
        raise ArgumentError("is no table", field="table", value=table, fix="use 2 or partners")
    if table not in _WORLDS:
        raise ArgumentError(
            "is a table of single players, where points are played for",
            field="table", value=table, fix="train match equity for 2 or partners",
        )  # fmt: skip
    if not 1 <= rounds <= 1 << 20:
        raise ArgumentError(
            "is out of range", field="rounds", value=rounds, fix="play 1 to 1,048,576 rounds"
        )
    if rules.target > _TARGET_MOST:
        raise ArgumentError(
            "is too far for a table of chances",
            field="target", value=rules.target, fix=f"use a target of at most {_TARGET_MOST}",
        )  # fmt: skip
    players, partners = _table_of(table)
    try:
        rules.data.check_table(players, partners)
    except _core.CoreError:
        raise ArgumentError(
            "is not allowed by the rules", field="table", value=table, fix="choose one of theirs"
        ) from None


def _program() -> tuple[ModuleType, ModuleType]:
    """The modules that need NumPy."""
    try:
        from basra.training import match_dp, outlook
    except ImportError:
        raise ArgumentError(
            "needs NumPy", field="train", fix="install it: pip install numpy"
        ) from None
    return match_dp, outlook


def _table_of(table: str) -> tuple[int, bool]:
    return (4, True) if table == "partners" else (2, False)


def _played(
    rules: Rules,
    table: str,
    seed: int,
    rounds: int,
    model: bytes | None,
    executor: Executor | None,
) -> Iterator[tuple[Chunk, tuple[array[int], array[int]]]]:
    """All chunks with what was played, in order."""
    players, partners = _table_of(table)
    chunks = [
        Chunk(
            rules, players, partners, model, _WORLDS[table], seed + first,
            min(_CHUNK, rounds - first), _EVERY[table],
        )
        for first in range(0, rounds, _CHUNK)
    ]  # fmt: skip
    played = mapped(executor, play_chunk, ((chunk,) for chunk in chunks))
    return zip(chunks, played, strict=True)


def smoothed(
    rules: Rules, outcomes: Mapping[tuple[int, int, int], int]
) -> dict[tuple[int, int, int], int]:
    """Outcomes with weights; where card points are scored, a point passes to either side at times.

    How single card points fall is nearly chance, and few rounds leave gaps between the points a
    side can have; the total, and thus the number of basras, stays as it was.
    """
    if not any(rules.data.fields()["card_points"]):
        return dict(outcomes)
    spread: Counter[tuple[int, int, int]] = Counter()
    for (own, other, won), count in outcomes.items():
        for passed, weight in ((-1, 1), (0, 2), (1, 1)):
            if min(own - passed, other + passed) >= min(own, other, 0):
                spread[own - passed, other + passed, won] += weight * count
            else:
                spread[own, other, won] += weight * count
    return dict(spread)


def equity_part(
    rules: Rules,
    table: str,
    outcomes: Mapping[tuple[int, int, int], int],
    decisions: Sequence[int],
) -> bytes:
    """The bytes of a file part; csrc/model/equity.c tells the format."""
    dp, outlook = _program()
    carries = rules.most_cards_tie == "carry" and rules.most_cards > 0
    states = _CARRY_STATES if carries else 1
    lowest = _lowest(rules, outcomes)
    match = dp.MatchRules(rules.target, rules.most_cards, carries, states)
    found = dp.solve_match(match, {dp.Outcome(*key): n for key, n in outcomes.items()}, lowest)
    grid = dp.to_sixteen_bits(found.open)
    players = _table_of(table)[0]
    plies, last_deal = rules.deck - rules.floor_size, rules.data.deal_sizes(players)[-1] * players
    data = struct.pack(
        "<iiHHHBBB", rules.target, lowest, rules.target - lowest, states,
        rules.most_cards or 1, plies, outlook.DIFFERENCES, outlook.TOTALS,
    )  # fmt: skip
    data += _words(dp.to_sixteen_bits(found.tied).tolist())
    for state in range(states):
        data += _words(dp.monotone(grid[state]).ravel().tolist())
    rows = outlook.outlook_rows(decisions, plies, last_deal, rules.most_cards)
    return data + b"".join(map(_words, rows))


def _lowest(rules: Rules, outcomes: Iterable[tuple[int, int, int]]) -> int:
    """The lowest score told apart: 0, or two bad rounds below where there are negative points."""
    worst = min([0, *(min(own, other) for own, other, _ in outcomes)])
    return max(2 * worst, -rules.target)


def _words(numbers: Iterable[int]) -> bytes:
    return b"".join((number & 0xFFFF).to_bytes(2, "little") for number in numbers)
