"""The arena: two players over mirrored deals, and what that says about them.

A set is one deal of the cards, played once with player A in each place: at a table of two sides A
leads in one game and B in the other; among single players A sits in each seat once, B in all
others.  Sets are numbered; set i of a seed is always the same cards.  They are played in chunks of
ten, which any executor may play in any order: the result is the same to the last bit.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, Self
from zlib import crc32

from basra import _core
from basra.errors import ArgumentError, BasraError
from basra.interrupts import held_interrupts
from basra.limits import check_number
from basra.players import Player, core_player, model_of, player_error
from basra.position import Position, checked_seed, sides_of
from basra.rules import Rules
from basra.statistics import (
    FIRST_LOOK,
    ConfidenceSequence,
    Estimate,
    mean_estimate,
    share_estimate,
    sums_of,
)
from basra.workers import start_tracker

SCHEMA_ARENA = "basra.arena/1"
SCHEMA_RUN = "basra.arena.run/1"
CHUNK = 10
"""Sets of a chunk"""
MAX_PAIRS = 10_000_000
_ALONE = 0.3  # seconds of play before it is worth starting other processes
_AHEAD = 3  # chunks out for each worker


# -- one chunk -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Duel:
    """Who plays whom, at which table: all that decides what a set is."""

    a: Player
    b: Player
    rules: Rules
    players: int = 2
    partners: bool = False
    seed: int = 0
    matches: bool = False

    @property
    def games(self) -> int:
        """Games of a set: one with A in each place."""
        return sides_of(self.players, self.partners)

    @property
    def unit(self) -> int:
        """A set's score is so many times A's mean lead in points."""
        return self.games * (self.games - 1)


@dataclass(frozen=True, slots=True)
class Chunk:
    """What became of the sets of a chunk, or of some more of them."""

    number: int
    scores: tuple[int, ...]
    """By set: over its games, A's points times the number of the others, less all of theirs"""
    wins: tuple[int, ...]
    """By set: matches that A won; empty where rounds are played"""
    work: tuple[int, int]
    """Of A and of B: nodes, or plies simulated"""
    decisions: tuple[int, int]
    rounds: int


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
        score = won = 0
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
            decisions[0] += seats * played // duel.games
            decisions[1] += seats * played - seats * played // duel.games
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


def _lacks(player: Player, duel: Duel) -> bool:
    """Is this the player that cannot choose?"""
    table = Position.deal(duel.rules, 0, players=duel.players, partners=duel.partners)
    try:
        player.choose(table.view())
    except BasraError:
        return True
    return False


# -- results -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ArenaResult:
    """What became of a duel so far: sets in order, nothing rounded.

    `stop` is `pairs` when all sets asked for were played, `until` when the interval was narrow
    enough, `decided` when a sequential comparison came to its end, `interrupted` otherwise.
    """

    duel: Duel
    spans: tuple[tuple[int, int, int], ...]
    """Seed, first set and number of sets, for each stretch in order"""
    scores: tuple[int, ...]
    wins: tuple[int, ...]
    work: tuple[int, int]
    decisions: tuple[int, int]
    rounds: int
    stop: str = "pairs"
    planned: int | None = None
    """Of a sequential comparison: the number of sets its interval is shortest at"""

    @property
    def sets(self) -> int:
        """Sets played: pairs of games at a table of two sides."""
        return len(self.scores)

    @property
    def games(self) -> int:
        """Rounds or matches played."""
        return self.sets * self.duel.games

    @property
    def points(self) -> Estimate:
        """A's lead in points a round, or a match: over B, or over the mean of the others.

        The interval is Student's over sets; of a sequential comparison, the one that holds for all
        looks together, None before the first of them.
        """
        if self.planned is None:
            return mean_estimate(self.scores, self.duel.unit)
        return ConfidenceSequence(self.planned).estimate(self.scores, self.duel.unit)

    @property
    def share(self) -> Estimate | None:
        """The share of matches that A won, with Wilson's interval; None where rounds are played."""
        return share_estimate(self.wins, self.duel.games) if self.duel.matches else None

    @property
    def better(self) -> str | None:
        """ "a" or "b" if the interval says so, else None.

        That of points, or of the share of matches where they are played and nothing is sequential.
        """
        share = None if self.planned is not None else self.share
        found, even = (self.points, 0.0) if share is None else (share, 1 / self.duel.games)
        if found.low is None or found.high is None:
            return None
        return "a" if found.low > even else "b" if found.high < even else None

    @property
    def sentence(self) -> str:
        """What it means, in one sentence."""
        share = None if self.planned is not None else self.share
        found = self.points if share is None else share
        if found.mean is None:
            return "Nothing has been played."
        if found.low is None or found.high is None:
            return f"Too little has been played to compare them: {_counted(self.sets, 'set')}."
        sure = "95 % interval" if self.planned is None else "95 % interval for all looks together"
        if share is not None:
            who = {
                "a": "A is better: it",
                "b": "B is better: A",
                None: "No difference was found: A",
            }
            return (
                f"{who[self.better]} wins {found.mean:.1%} of the matches, "
                f"{sure} {found.low:.1%} to {found.high:.1%}."
            )
        ahead, unit = found.mean >= 0, "a match" if self.duel.matches else "a round"
        low, high = (found.low, found.high) if ahead else (-found.high, -found.low)
        by = f"by {abs(found.mean):.1f} points {unit}, {sure} {low:.1f} to {high:.1f}"
        if self.better is None:
            return f"No difference was found: A is {'ahead' if ahead else 'behind'} {by}."
        return f"{'A' if ahead else 'B'} is better {by}."

    def merge(self, other: ArenaResult) -> ArenaResult:
        """This and another result of the same duel, from other sets, as one.

        Seeds may differ.  Raises ArgumentError for another duel, or sets that both have.
        """
        if replace(self.duel, seed=0) != replace(other.duel, seed=0):
            raise ArgumentError(
                "is another duel", field="merge", fix="merge results of the same players and table"
            )
        for seed, first, count in self.spans:
            for seed_too, first_too, count_too in other.spans:
                if seed == seed_too and max(first, first_too) < min(
                    first + count, first_too + count_too
                ):
                    raise ArgumentError(
                        "has the same sets", field="merge", value=f"seed {seed}",
                        fix="merge results of other seeds, or of other sets",
                    )  # fmt: skip
        return replace(
            self,
            spans=_joined((*self.spans, *other.spans)),
            scores=self.scores + other.scores,
            wins=self.wins + other.wins,
            work=(self.work[0] + other.work[0], self.work[1] + other.work[1]),
            decisions=(
                self.decisions[0] + other.decisions[0],
                self.decisions[1] + other.decisions[1],
            ),
            rounds=self.rounds + other.rounds,
            planned=None,
        )

    def to_dict(self) -> dict[str, object]:
        """The JSON of `basra arena`."""
        duel, share = self.duel, self.share
        work = [
            work / decisions if decisions else None
            for work, decisions in zip(self.work, self.decisions, strict=True)
        ]
        return {
            "schema": SCHEMA_ARENA,
            "a": str(duel.a),
            "b": str(duel.b),
            "rules": {"name": duel.rules.name, "hash": duel.rules.hash},
            "players": duel.players,
            "partners": duel.partners,
            "matches": duel.matches,
            "seed": duel.seed,
            "sets": self.sets,
            "games": self.games,
            "rounds": self.rounds,
            "stop": self.stop,
            "sequential": self.planned is not None,
            "points": self.points.to_dict(),
            "share": None if share is None else share.to_dict(),
            "better": self.better,
            "work": {"a": work[0], "b": work[1]},
            "reproducible": not (duel.a.timed or duel.b.timed),
            "sentence": self.sentence,
        }


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _joined(spans: tuple[tuple[int, int, int], ...]) -> tuple[tuple[int, int, int], ...]:
    """Spans with neighbours put together."""
    found: list[tuple[int, int, int]] = []
    for seed, first, count in spans:
        if found and found[-1][0] == seed and found[-1][1] + found[-1][2] == first:
            found[-1] = (seed, found[-1][1], found[-1][2] + count)
        elif count:
            found.append((seed, first, count))
    return tuple(found)


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
        checked_seed(seed), matches,
    )  # fmt: skip
    duel.rules.check_table(players, partners)
    check_number("pairs", pairs, 1, MAX_PAIRS, (int,), "pairs")
    check_number("workers", workers, 1, 256, (int,), "workers")
    check_number("until", until, 1e-6, 1000, (int, float), "points")
    run = _Run(duel, _Stop(pairs, until, sequential), progress)
    if resume is None:
        return run.go(executor, workers)
    with _RunFile(Path(resume), duel) as file:
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
        self.file: _RunFile | None = None
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
                    # Processes that start now must not hear of a Ctrl-C.
                    with held_interrupts():
                        out.add(executor.submit(play_chunk, *self._task(number)))
                done, out = wait(out, timeout=0.1, return_when=FIRST_COMPLETED)
                for future in sorted(done, key=lambda future: future.result().number):
                    self._add(future.result())
                if self._advance():
                    return self._result()
        finally:
            for future in out:
                future.cancel()
            # What is finished is kept, in order or not.
            for future in out:
                if future.done() and not future.cancelled() and future.exception() is None:
                    self._add(future.result())

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
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _stop_flag = flag


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
        with held_interrupts():
            flag.set()
            pool.shutdown(wait=True, cancel_futures=True)


# -- files to go on from -------------------------------------------------------------------------


def _settings(duel: Duel) -> dict[str, Any]:
    """All that must be the same for chunks to be of the same run."""
    models = [model_of(player, duel.rules) for player in (duel.a, duel.b)]
    return {
        "version": _core.VERSION,
        "a": str(duel.a),
        "b": str(duel.b),
        "rules": duel.rules.to_dict(),
        "players": duel.players,
        "partners": duel.partners,
        "matches": duel.matches,
        "seed": duel.seed,
        "chunk": CHUNK,
        "models": [None if model is None else crc32(model.bytes) for model in models],
    }


def _line(content: dict[str, Any]) -> bytes:
    """A line with a check of what stands in it."""
    text = json.dumps(content, separators=(",", ":"))
    return f'{text[:-1]},"crc":{crc32(text.encode())}}}\n'.encode()


def _content(line: bytes) -> dict[str, Any] | None:
    """What a line says; None if it is not as it was written."""
    try:
        content = json.loads(line)
        del content["crc"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return content if isinstance(content, dict) and _line(content) == line else None


class _RunFile:
    """Chunks of a run that are finished, a line of JSON each after one of settings."""

    def __init__(self, path: Path, duel: Duel) -> None:
        self.path = path
        self.chunks: dict[tuple[int, int], Chunk] = {}
        """By number and number of sets"""
        try:
            self._file = open(path, "r+b" if path.exists() else "x+b", buffering=0)  # noqa: SIM115
        except OSError as error:
            raise self._error(
                f"cannot be written: {error.strerror}", "name a file in a folder of yours"
            ) from None
        try:
            self._read(_settings(duel))
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def append(self, chunk: Chunk) -> None:
        """Writes a chunk at the end."""
        key = chunk.number, len(chunk.scores)
        if key in self.chunks:
            return
        self.chunks[key] = chunk
        content = {
            "chunk": chunk.number, "scores": chunk.scores, "wins": chunk.wins,
            "work": chunk.work, "decisions": chunk.decisions, "rounds": chunk.rounds,
        }  # fmt: skip
        with held_interrupts():
            self._file.write(_line(content))

    def _read(self, settings: dict[str, Any]) -> None:
        lines = self._file.read().splitlines(keepends=True)
        if not lines:
            self._file.write(_line({"schema": SCHEMA_RUN, "settings": settings}))
            return
        head = _content(lines[0])
        if head is None or head.get("schema") != SCHEMA_RUN:
            raise self._error("was not begun by the arena", "name another file, or a new one")
        self._compare(head["settings"], settings)
        for number, line in enumerate(lines[1:], 2):
            if number == len(lines) and not line.endswith(b"\n"):
                # Cut off while it was written.
                self._file.truncate(sum(map(len, lines[:-1])))
                break
            self._take(line, number)
        self._file.seek(0, os.SEEK_END)

    def _compare(self, theirs: dict[str, Any], mine: dict[str, Any]) -> None:
        for name, value in mine.items():
            if theirs.get(name) != value:
                before = json.dumps(theirs.get(name))
                raise self._error(
                    f"was begun with other settings: {name} was {before[:80]}",
                    f"go on with the same {name}, or name a new file",
                )

    def _take(self, line: bytes, number: int) -> None:
        content = _content(line)
        if content is None:
            raise self._error(
                f"is damaged in line {number}", "delete that line: its sets are played again"
            )
        chunk = Chunk(
            content["chunk"], tuple(content["scores"]), tuple(content["wins"]),
            tuple(content["work"]), tuple(content["decisions"]), content["rounds"],
        )  # fmt: skip
        self.chunks[chunk.number, len(chunk.scores)] = chunk

    def _error(self, message: str, fix: str) -> ArgumentError:
        return ArgumentError(message, field="resume", value=str(self.path), fix=fix)
