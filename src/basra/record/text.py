"""Writes the text form of records: one text for each record; see docs/record.md."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from basra import _core
from basra.cards import Card
from basra.moves import Move
from basra.notation import table_text
from basra.record.check import check_record
from basra.record.model import DealRecord, Estimate, Record, RoundRecord, Seat
from basra.rules import Rules, preset_names

HEAD = "basra record 1"
_BARE = re.compile(r'[A-Za-z][^\s";{}]*')


def record_text(record: Record) -> str:
    """The text of a record; RecordError, with the path of the field, if it cannot be written.

    >>> from basra import Rules
    >>> print(record_text(Record(Rules.preset("classic"), scores=(61, 84))), end="")
    basra record 1
    rules classic
    table 2
    scores 61:84
    """
    check_record(record)
    lines = [HEAD, *_remark(record.comment), *_rules(record.rules)]
    lines.append(f"table {table_text(record.players, record.partners)}")
    lines += [
        f"seat {number}{_seat(seat)}"
        for number, seat in enumerate(record.seats, 1)
        if seat != Seat()
    ]
    lines += [f"{key} {_quoted(value)}" for key, value in record.tags]
    if any(record.scores):
        lines.append(f"scores {_numbers(record.scores)}")
    if record.carry:
        lines.append(f"carry {record.carry}")
    if record.seed is not None:
        lines.append(f"seed {record.seed}")
    if record.first_round != 1 and not record.rounds:
        lines.append(f"first {record.first_round}")
    for number, now in enumerate(record.rounds, record.first_round):
        lines += ["", f"round {number}", *_round(record, now)]
    if record.resigned is not None:
        lines += ["", f"resigned {record.resigned + 1}"]
    return "\n".join(lines) + "\n"


# -- parts ---------------------------------------------------------------------------------------


def preset_of(rules: Rules) -> str | None:
    """The name of the preset that has these parameters, whatever the rules are called."""
    return next((name for name in preset_names() if Rules.preset(name) == rules), None)


def _rules(rules: Rules) -> list[str]:
    preset = preset_of(rules)
    if preset is not None:
        return [f"rules {preset}"]
    return ["rules", *(f"  {line}".rstrip() for line in rules.to_toml().splitlines())]


def _seat(seat: Seat) -> str:
    return f" {_quoted(seat.name)}" + (f" {_word(seat.player)}" if seat.player else "")


def _round(record: Record, now: RoundRecord) -> Iterator[str]:
    yield from _remark(now.comment)
    yield f"leader {now.leader + 1}"
    yield f"floor {_cards(tuple(now.floor))}"
    if now.buried:
        yield f"buried {_cards(now.buried)}"
    texts = move_texts(record, now)
    for number, deal in enumerate(now.deals, 1):
        yield f"deal {number}"
        yield from _deal(record.players, now.leader, deal, texts[number - 1])
    if now.stock is not None:
        yield f"stock {_cards(now.stock)}"
    if now.points is not None:
        yield f"points {_numbers(now.points)}"


def _deal(players: int, leader: int, deal: DealRecord, texts: Sequence[str]) -> Iterator[str]:
    for seat, hand in enumerate(deal.hands, 1):
        if hand:
            yield f"hand {seat} {hand}"
    for ply, (turn, text) in enumerate(zip(deal.turns, texts, strict=True)):
        line = f"{(leader + ply) % players + 1} {text}"
        if turn.estimate is not None:
            line += f" {_estimate(turn.estimate)}"
        first, *more = _remark(turn.comment) or [""]
        yield f"{line} {first}".rstrip()
        yield from (f"  {comment}" for comment in more)


def move_texts(record: Record, now: RoundRecord) -> list[list[str]]:
    """The moves of a round by deal, with `*` for a basra.

    That mark follows from floor, card and rules, whatever the moves here say of it; so equal
    records have equal texts.  A move that is not legal has none.
    """
    floor, left = now.floor.mask, record.players * sum(record.rules.deal_sizes(record.players))
    found: list[list[str]] = []
    for deal in now.deals:
        found.append([])
        for turn in deal.turns:
            left -= 1
            move = turn.move
            counts = left > 0 or record.rules.basra_on_last
            mark = counts and floor == move.captures.mask and _is_basra(record.rules, move)
            found[-1].append(move.text.rstrip("*") + ("*" if mark else ""))
            floor = floor & ~move.captures.mask if move.captures else floor | 1 << move.card.index
    return found


def _is_basra(rules: Rules, move: Move) -> bool:
    """Is taking all that lies there one?"""
    if not move.captures:
        return False
    try:
        legal, _ = rules.data.captures(move.captures.mask, move.card.index)
    except _core.CoreError:
        # More captures than can be listed, or the card lay on the floor.
        return False
    return any(taken == move.captures.mask and basra for _, taken, basra, _ in legal)


def _estimate(estimate: Estimate) -> str:
    parts = [_points(estimate.value, "+")]
    if estimate.stderr is not None:
        parts.append(f"±{_points(estimate.stderr, '')}")
    if estimate.method:
        parts.append(_word(estimate.method))
    return "{" + " ".join(parts) + "}"


def _points(value: float, sign: str) -> str:
    """The shortest number that is read as the same again."""
    text = f"{value:{sign}}"
    return text.removesuffix(".0")


def _numbers(values: tuple[int, ...]) -> str:
    return ":".join(map(str, values))


def _cards(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards)) or "-"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _word(text: str) -> str:
    """As it is if it is one plain word, else in quotes."""
    return text if _BARE.fullmatch(text) else _quoted(text)


def _remark(comment: str) -> list[str]:
    return [f"; {line}".rstrip() for line in comment.split("\n")] if comment else []
