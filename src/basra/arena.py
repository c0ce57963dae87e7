"""The arena: two players over mirrored deals, and what that says about them.

A set is one deal of the cards, played once with player A in each place: at a table of two sides A
leads in one game and B in the other; among single players A sits in each seat once, B in all
others.  Sets are numbered; set i of a seed is always the same cards.  They are played in chunks of
ten, which any executor may play in any order: the result is the same to the last bit.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from time import monotonic
from typing import Any

from basra import _core
from basra.arena_file import CHUNK, RunFile
from basra.duel import LUCK_OF, LUCK_PART, ArenaResult, Chunk, Duel
from basra.errors import ArgumentError, BasraError
from basra.interrupts import held_interrupts, late_interrupts
from basra.limits import check_number
from basra.players import Player, core_player, player_error
from basra.pools import begin_worker, dropped, finished, submitted
from basra.position import Position, checked_seed
from basra.rules import Rules
from basra.statistics import FIRST_LOOK, ConfidenceSequence, sums_of
from basra.workers import start_tracker

REDEALS = 20
"""Other hands that the luck of a deal is measured against"""
MAX_PAIRS = 10_000_000
_ALONE = 0.3  # seconds of play before it is worth starting other processes
_AHEAD = 3  # chunks out for each worker


# -- one chunk -----------------------------------------------------------------------------------


def set_seed(seed: int, number: int) -> int:
    """The seed of a set's cards and chances: far from those of the sets beside it.

    >>> Position.deal("classic", set_seed(0, 5)).seed == set_seed(0, 5)
    True
    """
    mixed = (seed + 0x9E3779B97F4A7C15 * (number + 1)) & (1 << 64) - 1
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ mixed >> shift) * factor & (1 << 64) - 1
    return (mixed ^ mixed >> 31) >> 1


def play_chunk(duel: Duel, number: int, first: int, count: int) -> Chunk:
    """Plays sets first .. first + count - 1; a function of plain values, for any executor."""
    both = [core_player(player, duel.rules) for player in (duel.a, duel.b)]
    engine = _core.EngineData(0)
    scores, wins = [], []
    work, decisions, rounds = [0, 0], [0, 0], 0
    seats = duel.rules.deck - duel.rules.floor_size
    for at in range(first, first + count):
        score = won = luck = 0
        for place in range(duel.games):
            if _stopping():
                raise KeyboardInterrupt
            data = _play_game(duel, engine, both, at, place, work)
            fields = data.fields()
            points = [a + b for a, b in zip(fields["points"], fields["score"], strict=True)]
            score += duel.games * points[place] - sum(points)
            won += duel.matches and duel.rules.data.winner(points) == place
            played = fields["round"] + 1
            rounds += played
            if duel.luck:
                luck += _luck_of_a(engine, data, place)
            decisions[0] += seats * played // duel.games
            decisions[1] += seats * played - seats * played // duel.games
        if duel.luck:
            score = LUCK_OF * _core.UNIT * score - LUCK_PART * luck
        scores.append(score)
        wins.append(won)
    return Chunk(
        number,
        tuple(scores),
        tuple(wins) if duel.matches else (),
        (work[0], work[1]),
        (decisions[0], decisions[1]),
        rounds,
    )


def _play_game(
    duel: Duel,
    engine: _core.EngineData,
    both: list[_core.PlayerData],
    at: int,
    place: int,
    work: list[int],
) -> _core.PositionData:
    """One game of a set, with A at `place`; all games of a set have the same cards and chances."""
    seed = set_seed(duel.seed, at)
    data = _core.PositionData.deal(duel.rules.data, duel.players, duel.partners, 0, seed)
    seated = [both[side != place] for side in range(duel.games)]
    budgets = [(duel.b if side != place else duel.a).budget for side in range(duel.games)]
    interrupts: list[BaseException] = []
    try:
        _, worked = _core.play_on(engine, data, seated, duel.matches, seed, interrupts, budgets)
    except _core.CoreError as error:
        raise player_error(error, duel.a if _lacks(duel.a, duel) else duel.b) from None
    if interrupts:
        raise interrupts[0]
    work[0] += worked[place]
    work[1] += sum(worked) - worked[place]
    return data


def _luck_of_a(engine: _core.EngineData, data: _core.PositionData, place: int) -> int:
    """A's luck with the hands of a round, in 1/UNIT points; its expectation is 0, whoever plays."""
    interrupts: list[BaseException] = []
    luck = sum(_core.round_luck(engine, data, REDEALS, data.fields()["seed"], interrupts))
    if interrupts:
        raise interrupts[0]
    return -luck if place else luck


def _lacks(player: Player, duel: Duel) -> bool:
    """Is this the player that cannot choose?"""
    table = Position.deal(duel.rules, 0, players=duel.players, partners=duel.partners)
    try:
        player.choose(table.view())
    except BasraError:
        return True
    return False


# -- running -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Stop:
    """When to stop: after so many sets, or earlier."""

    pairs: int
    until: float | None
    sequential: bool

    def reason(self, sums: tuple[int, int, int], unit: int) -> str | None:
        """Why it is time, after so much; None if it is not."""
        count, total, squares = sums
        if count >= self.pairs:
            return "pairs"
        if count < FIRST_LOOK or (self.until is None and not self.sequential):
            return None
        found = ConfidenceSequence(self.pairs).estimate_of(count, total, squares, unit)
        assert found.low is not None
        assert found.high is not None
        assert found.stderr is not None
        if self.sequential and (found.low > 0 or found.high < 0):
            return "decided"
        # Student's factor is within a fiftieth of two from here on.
        if self.until is not None and 1.96 * found.stderr <= self.until:
            return "until"
        return None


def run_arena(
    a: Player | str,
    b: Player | str,
    *,
    rules: str | Rules = "classic",
    players: int = 2,
    partners: bool = False,
    pairs: int = 200,
    seed: int = 0,
    matches: bool = False,
    luck: bool = False,
    until: float | None = None,
    sequential: bool = False,
    executor: Executor | None = None,
    workers: int = 1,
    resume: str | Path | None = None,
    progress: Callable[[ArenaResult], object] | None = None,
) -> ArenaResult:
    """Plays A against B over mirrored deals.

    pairs
        Sets to play, at most; a set is a pair of games at a table of two sides.
    matches
        Play each deal on to the end of a match, not of a round.
    luck
        Take most of the luck of the deals out of the points: what every deal's hands were worth,
        less what others would have been.  For rounds of two sides that search: fewer pairs tell as
        much.
    until
        Stop when the 95 % interval of the points reaches no further than this on each side.
    sequential
        Stop when one is known to be better: an interval that holds for all looks together.
    executor, workers
        Any `concurrent.futures` executor; else so many processes, 1 for none but this.  The result
        is the same to the last bit, if no player plays by a clock.
    resume
        A file that finished chunks are appended to, and taken from if it is there already.
    progress
        Told the result so far after every chunk that comes in order.

    A Ctrl-C goes on up as KeyboardInterrupt; what was told to `progress` last is the result so far.

    >>> result = run_arena("greedy", "random", pairs=50)
    >>> result.better, result.sets, result.games
    ('a', 50, 100)
    """
    duel = Duel(
        Player.parse(a), Player.parse(b), Rules.load(rules), players, partners,
        checked_seed(seed), matches, luck,
    )  # fmt: skip
    duel.rules.check_table(players, partners)
    if luck and (matches or duel.games != 2):
        raise ArgumentError(
            "is for rounds of two sides", field="luck", fix="leave it out, or leave --matches out"
        )
    check_number("pairs", pairs, 1, MAX_PAIRS, (int,), "pairs")
    check_number("workers", workers, 1, 256, (int,), "workers")
    check_number("until", until, 1e-6, 1000, (int, float), "points")
    run = _Run(duel, _Stop(pairs, until, sequential), progress)
    if resume is None:
        return run.go(executor, workers)
    with RunFile(Path(resume), duel) as file:
        run.file = file
        return run.go(executor, workers)


class _Run:
    """A run in progress: chunks come in any order and are taken in theirs."""

    def __init__(
        self, duel: Duel, stop: _Stop, progress: Callable[[ArenaResult], object] | None
    ) -> None:
        self.duel = duel
        self.stop = stop
        self.progress = progress
        self.file: RunFile | None = None
        self._back: dict[int, Chunk] = {}
        self._next = 0
        self._sums = (0, 0, 0)
        self._taken: list[Chunk] = []
        self._total = -(-stop.pairs // CHUNK)
        self._reason = "interrupted"

    def go(self, executor: Executor | None, workers: int) -> ArenaResult:
        if self.file is not None:
            for number in range(self._total):
                chunk = self.file.chunks.get((number, self._task(number)[3]))
                if chunk is not None:
                    self._back[number] = chunk
        if self._advance():
            return self._result()
        if executor is not None:
            return self._with(executor, _AHEAD * max(workers, os.cpu_count() or 1))
        # Short runs are over before another process has begun.
        began = monotonic()
        while workers == 1 or monotonic() - began < _ALONE:
            self._add(play_chunk(*self._task(self._next)))
            if self._advance():
                return self._result()
        with _own_workers(workers) as pool:
            return self._with(pool, _AHEAD * workers)

    def _with(self, executor: Executor, ahead: int) -> ArenaResult:
        """Chunks played elsewhere."""
        numbers = iter([n for n in range(self._next, self._total) if n not in self._back])
        out: set[Future[Chunk]] = set()
        try:
            while True:
                while len(out) < ahead and (number := next(numbers, None)) is not None:
                    out.add(submitted(executor, play_chunk, *self._task(number)))
                done, out = finished(out)
                for chunk in sorted(done, key=lambda chunk: chunk.number):
                    self._add(chunk)
                if self._advance():
                    return self._result()
        finally:
            # What is finished is kept, in order or not.
            for chunk in dropped(out):
                self._add(chunk)

    def _task(self, number: int) -> tuple[Duel, int, int, int]:
        first = number * CHUNK
        return self.duel, number, first, min(CHUNK, self.stop.pairs - first)

    def _add(self, chunk: Chunk) -> None:
        self._back[chunk.number] = chunk
        if self.file is not None:
            self.file.append(chunk)

    def _advance(self) -> str | None:
        """Takes what has come in order; the reason if that ends the run."""
        while (chunk := self._back.pop(self._next, None)) is not None:
            self._take(chunk)
            reason = self.stop.reason(self._sums, self.duel.unit)
            self._reason = reason or "interrupted"
            if self.progress is not None:
                self.progress(self._result())
            if reason:
                return reason
        return None

    def _take(self, chunk: Chunk) -> None:
        count, total, squares = sums_of(chunk.scores)
        self._sums = (self._sums[0] + count, self._sums[1] + total, self._sums[2] + squares)
        self._taken.append(chunk)
        self._next += 1

    def _result(self) -> ArenaResult:
        """All that was taken, as one."""
        taken, duel = self._taken, self.duel
        scores = tuple(score for chunk in taken for score in chunk.scores)
        return ArenaResult(
            duel=duel,
            spans=((duel.seed, 0, len(scores)),),
            scores=scores,
            wins=tuple(won for chunk in taken for won in chunk.wins),
            work=(sum(chunk.work[0] for chunk in taken), sum(chunk.work[1] for chunk in taken)),
            decisions=(
                sum(chunk.decisions[0] for chunk in taken),
                sum(chunk.decisions[1] for chunk in taken),
            ),
            rounds=sum(chunk.rounds for chunk in taken),
            stop=self._reason,
            planned=self.stop.pairs if self.stop.sequential else None,
        )


# -- workers of its own --------------------------------------------------------------------------

_stop_flag: Any = None
"""In a worker: set when what it plays is wanted no more"""


def _stopping() -> bool:
    return _stop_flag is not None and _stop_flag.is_set()


def _begin(flag: Any) -> None:
    """A worker's start."""
    global _stop_flag
    _stop_flag = flag
    begin_worker()


@contextmanager
def _own_workers(count: int) -> Iterator[Executor]:
    """Processes that end soon after they are not wanted any more: within a game."""
    context = get_context("spawn")
    start_tracker()
    with held_interrupts():
        flag = context.Event()
        pool = ProcessPoolExecutor(count, context, _begin, (flag,))
    try:
        yield pool
    finally:
        with late_interrupts(), held_interrupts():
            flag.set()
            pool.shutdown(wait=True, cancel_futures=True)
