"""Searching: hint for a view, solve for a position, limits, and engines to reuse and stop.

hint (`worlds/1`): each legal move is played in many worlds, hidden hands that fit the view, and the
current deal is searched to its end with open hands; at its end the most-cards points are taken at
their expectation.  All moves meet the same worlds.  In the last deal the round's end is scored.

solve (`solve/1`): alpha-beta for two sides, max^n for three or four single players.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from basra import _core
from basra.errors import ArgumentError, BasraError, EngineBusyError, core_error
from basra.moves import Move, move_of
from basra.position import Position, checked_seed, sides_of
from basra.reasons import reasons_for
from basra.results import STOPS, Hint, HintMove, Solution, SolvedMove
from basra.view import View

METHODS = ("worlds",)
"""Search methods that `hint` knows; results name them with a version, such as worlds/1."""

DEFAULT_WORLDS = 160
DEFAULT_SECONDS = 10.0
MAX_WORLDS = 1_000_000
MAX_THREADS = 256
MAX_SECONDS = 10_000_000.0
SINGLES_NODES = 2_000_000
"""Default node limit of a hint at tables of single players, where one world is far more work."""

_CHUNK = 16
_VALUES_LIMIT = 1 << 25  # numbers kept for the statistics: 256 MB at worst


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop; None leaves a limit out.  With no limit at all: 160 worlds, at most 10 s.

    seconds
        Time from the call, set-up included; results then depend on the machine.
    worlds
        Worlds of a hint, at most 1,000,000; ignored by solve.
    nodes
        Positions entered.  A hint finishes the world in which it is reached, if it is the first.
    """

    seconds: float | None = None
    worlds: int | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        _check_number("time", self.seconds, 1e-9, MAX_SECONDS, (int, float), "seconds")
        _check_number("worlds", self.worlds, 1, MAX_WORLDS, (int,), "worlds")
        _check_number("nodes", self.nodes, 1, 10**18, (int,), "nodes")


def _check_number(
    name: str, value: object, low: float, high: float, kinds: tuple[type, ...], noun: str
) -> None:
    if value is None:
        return
    good = isinstance(value, kinds) and not isinstance(value, bool)
    if not good or not low <= value <= high:  # type: ignore[operator]
        least = "more than 0" if low < 1 else f"{low:,.0f}"
        raise ArgumentError(
            f"is not a number of {noun}",
            field=name,
            value=value,
            fix=f"use {least}, up to {high:,.0f}",
        )


def _time_ns(limits: Limits, started: int) -> int:
    """What is left of the time limit for one core call, at least 1; 0 for none."""
    if limits.seconds is None:
        return 0
    return max(1, started + int(limits.seconds * 1e9) - time.monotonic_ns())


@dataclass(slots=True)
class _Group:
    """Legal moves that differ only in equal cards, canonical order."""

    index: int
    moves: list[Move] = field(default_factory=list)


def _groups(view: View) -> list[_Group]:
    try:
        listed, count = view.data.moves()
    except _core.CoreError as error:
        raise core_error(error, "hand", view.hand) from None
    groups = [_Group(i) for i in range(count)]
    for found, group in listed:
        groups[group].moves.append(move_of(found))
    return [group for group in groups if group.moves]


class _Task:
    """One hint in progress: its worlds in fixed chunks, values gathered in order."""

    def __init__(self, view: View, limits: Limits, seed: int) -> None:
        self.view = view
        self.seed = seed
        self.started = time.monotonic_ns()
        self.limits = _with_defaults(limits, view)
        self.groups = _groups(view)
        sides = sides_of(view.players, view.partners)
        self.width = 1 if sides == 2 else view.players
        self.per_world = len(self.groups) * self.width
        wanted = self.limits.worlds or MAX_WORLDS
        self.target = min(wanted, max(1, _VALUES_LIMIT // self.per_world))
        self.all = view.data.all_worlds(min(self.target, 1 << 17))
        self.count = len(self.all) if self.all is not None else self.target
        self.values: list[int] = []
        self.worlds = 0
        self.nodes = 0
        self.stop = ""

    @property
    def chunks(self) -> int:
        return -(-self.count // _CHUNK)

    def worlds_of(self, chunk: int) -> _core.Worlds:
        """The worlds of a chunk; they depend on nothing but seed and number."""
        first = chunk * _CHUNK
        count = min(_CHUNK, self.count - first)
        if self.all is not None:
            return self.all.slice(first, count)
        return self.view.data.sample_worlds(self.seed, first, count)

    def run(
        self, engine: _core.EngineData, chunk: int, interrupts: list[BaseException]
    ) -> tuple[list[int], list[int], int]:
        left = _time_ns(self.limits, self.started)
        return engine.world_values(
            self.view.data, self.worlds_of(chunk), len(self.groups), 0, left, interrupts
        )

    def take(self, found: tuple[list[int], list[int], int]) -> bool:
        """Adds a chunk's worlds in order; True when the search is over."""
        values, nodes, stop = found
        for i, visited in enumerate(nodes):
            limit = self.limits.nodes
            if limit is not None and self.worlds and self.nodes + visited > limit:
                self.stop = "nodes"
                return True
            self.values += values[i * self.per_world : (i + 1) * self.per_world]
            self.nodes += visited
            self.worlds += 1
        if stop:
            self.stop = STOPS[stop]
        elif self.worlds == self.count:
            short = self.limits.worlds is None or self.count < self.limits.worlds
            self.stop = "complete" if self.all is not None else "memory" if short else "worlds"
        return bool(self.stop)

    def result(self, stop: str | None = None) -> Hint:
        complete = self.all is not None and self.worlds == self.count
        exact = complete and self.count == 1 and self.view.is_last_deal
        return Hint(
            position=self.view.notation,
            rules_name=self.view.rules.name,
            rules_hash=self.view.rules.hash,
            assumed=tuple(self.view.assumed.items()),
            method="solve/1" if exact else "worlds/1",
            exact=exact,
            worlds_complete=complete,
            stop=stop or self.stop or "interrupted",
            worlds=self.worlds,
            nodes=self.nodes,
            seconds=(time.monotonic_ns() - self.started) / 1e9,
            seed=self.seed,
            moves=_ranked(self, complete),
        )


def _with_defaults(limits: Limits, view: View) -> Limits:
    given = (limits.seconds, limits.worlds, limits.nodes) != (None, None, None)
    singles = sides_of(view.players, view.partners) > 2
    nodes = SINGLES_NODES if singles and not given else limits.nodes
    worlds = limits.worlds
    if worlds is None and limits.nodes is None and limits.seconds is None:
        worlds = DEFAULT_WORLDS
    seconds = limits.seconds
    if seconds is None and limits.nodes is None and limits.worlds is None:
        seconds = DEFAULT_SECONDS
    return Limits(seconds, worlds, nodes)


# -- statistics ----------------------------------------------------------------------------------


def _mean(values: Sequence[int], weights: Sequence[int]) -> float:
    total = sum(v * w for v, w in zip(values, weights, strict=True))
    return total / (sum(weights) * _core.UNIT)


def _error(values: Sequence[int]) -> float | None:
    """Standard error of the mean of equally weighted draws, in points; None for a single draw."""
    n = len(values)
    if n < 2:
        return None
    total, squares = sum(values), sum(v * v for v in values)
    # Integers up to here: the same bits in whatever order worlds were searched.
    spread = n * squares - total * total
    return math.sqrt(spread / (n * n * (n - 1))) / _core.UNIT


def _interest(task: _Task, column: int, world: int) -> int:
    """A world's value of a group for my side; single players: times players - 1."""
    at = world * task.per_world + column * task.width
    if task.width == 1:
        return task.values[at]
    points = task.values[at : at + task.width]
    return task.width * points[0] - sum(points)


def _ranked(task: _Task, complete: bool) -> tuple[HintMove, ...]:
    weights = [task.all[i][1] if task.all is not None else 1 for i in range(task.worlds)]
    scale = 1 if task.width == 1 else task.width - 1
    columns = {
        group.index: [_interest(task, column, w) for w in range(task.worlds)]
        for column, group in enumerate(task.groups)
    }
    totals = {
        index: sum(v * w for v, w in zip(values, weights, strict=True))
        for index, values in columns.items()
    }

    def promise(group: _Group) -> tuple[float, ...]:
        move = group.moves[0]
        at_once = (-move.basra - move.points, -len(move.captures), group.index)
        return (-totals[group.index], 0, 0, group.index) if task.worlds else (0, *at_once)

    ranked = sorted(task.groups, key=promise)
    best = columns[ranked[0].index]
    found = []
    for group in ranked:
        values = columns[group.index]
        value = stderr = delta = delta_stderr = None
        if task.worlds:
            gaps = [a - b for a, b in zip(best, values, strict=True)]
            value, delta = _mean(values, weights) / scale, _mean(gaps, weights) / scale
            stderr, delta_stderr = 0.0, 0.0
            if not complete:
                stderr, delta_stderr = _scaled(_error(values), scale), _scaled(_error(gaps), scale)
        found.append(
            HintMove(
                move=group.moves[0],
                value=value,
                stderr=stderr,
                delta=delta,
                delta_stderr=delta_stderr,
                equal=tuple(group.moves[1:]),
                reasons=reasons_for(task.view, group.moves[0]),
                points=_seat_points(task, group, weights),
            )
        )
    return tuple(found)


def _scaled(error: float | None, scale: int) -> float | None:
    return None if error is None else error / scale


def _seat_points(task: _Task, group: _Group, weights: list[int]) -> tuple[float, ...] | None:
    if task.width == 1 or not task.worlds:
        return None
    column = task.groups.index(group)
    at = [w * task.per_world + column * task.width for w in range(task.worlds)]
    return tuple(_mean([task.values[a + seat] for a in at], weights) for seat in range(task.width))


# -- engines -------------------------------------------------------------------------------------


class Engine:
    """Search engines to reuse: one call at a time, `stop` from any thread.

    threads
        Cores to use for a hint.  The same seed and world or node limit give the same bits for any
        number.
    table_bytes
        Memory of each thread's table; 0 is the default, 4 MB.

    After Ctrl-C a call raises KeyboardInterrupt; the best so far is in `last_result`.

    >>> with Engine() as engine:
    ...     engine.solve(Position.setup("5S/KH", "5H 2C")).value
    32
    """

    def __init__(self, threads: int = 1, table_bytes: int = 0) -> None:
        _check_number("threads", threads, 1, MAX_THREADS, (int,), "threads")
        _check_number("table_bytes", table_bytes, 0, 1 << 36, (int,), "bytes")
        self._engines = [_core.EngineData(table_bytes) for _ in range(threads)]
        self._busy = threading.Lock()
        self._stopped = False
        self._closed = False
        self.last_result: Hint | Solution | None = None
        """The latest result, partial ones of interrupted calls included."""

    def close(self) -> None:
        """Gives the memory back; calls after that raise ValueError."""
        self._closed = True
        self._engines = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def stop(self) -> None:
        """Asks the running call to end soon with what it has; dropped when none runs."""
        self._stopped = True
        for engine in self._engines:
            engine.stop()

    def _enter(self) -> None:
        if self._closed:
            raise ArgumentError("is closed", field="engine", fix="make a new Engine")
        if not self._busy.acquire(blocking=False):
            raise EngineBusyError("is in a call already", field="engine", fix="use one per thread")
        self._stopped = False

    def hint(self, view: View, limits: Limits | None = None, *, seed: int = 0) -> Hint:
        """The value of every legal move of a view, best first; see `hint`."""
        found: Hint | None = None
        for found in self.stream(view, limits, seed=seed, every=None):
            pass
        assert found is not None
        return found

    def stream(
        self,
        view: View,
        limits: Limits | None = None,
        *,
        seed: int = 0,
        every: float | None = 0.25,
    ) -> Iterator[Hint]:
        """Partial hints about every `every` seconds (None: none), then the final one.

        Partial hints have the stop `requested`, as if the search had been stopped there.
        """
        checked_seed(seed)
        self._enter()
        try:
            task = _Task(view, limits or Limits(), seed)
            shown = time.monotonic()
            for _ in self._gather(task):
                if every is not None and time.monotonic() - shown >= every:
                    self.last_result = task.result("requested")
                    shown = time.monotonic()
                    yield self.last_result
            self.last_result = task.result()
            yield self.last_result
        finally:
            self._busy.release()

    def _gather(self, task: _Task) -> Iterator[None]:
        """Searches chunk after chunk; a Ctrl-C leaves its partial result and goes on up."""
        run = self._alone if len(self._engines) == 1 else self._together
        try:
            yield from run(task)
        except KeyboardInterrupt:
            self.last_result = task.result("interrupted")
            raise
        if not task.stop:
            task.stop = "requested"

    def _alone(self, task: _Task) -> Iterator[None]:
        for chunk in range(task.chunks):
            interrupts: list[BaseException] = []
            over = task.take(_checked(task.run, self._engines[0], chunk, interrupts))
            if interrupts:
                raise interrupts[0]
            if over or self._stopped:
                return
            yield

    def _together(self, task: _Task) -> Iterator[None]:
        """Chunks in parallel, each engine one at a time, taken in order."""
        idle = list(self._engines)
        waiting: dict[Future[Any], _core.EngineData] = {}
        done: dict[int, tuple[list[int], list[int], int]] = {}
        number: dict[Future[Any], int] = {}
        submitted = taken = 0
        with ThreadPoolExecutor(len(self._engines)) as pool:
            try:
                while taken < task.chunks and not self._stopped:
                    while idle and submitted < task.chunks:
                        engine = idle.pop()
                        future = pool.submit(_checked, task.run, engine, submitted, [])
                        waiting[future], number[future] = engine, submitted
                        submitted += 1
                    for future in wait_for(waiting, return_when="FIRST_COMPLETED").done:
                        idle.append(waiting.pop(future))
                        done[number.pop(future)] = future.result()
                    while taken in done:
                        taken += 1
                        if task.take(done.pop(taken - 1)):
                            return
                    yield
            finally:
                # Also on the way out of an exception: nothing may run on after this.  A call that
                # has not begun drops a stop, so ask until all have ended.
                while waiting and wait_for(waiting, timeout=0.005).not_done:
                    for engine in self._engines:
                        engine.stop()

    def solve(
        self, position: Position, limits: Limits | None = None, *, line: bool = True
    ) -> Solution:
        """Exact values of a position with all cards known; see `solve`."""
        self._enter()
        try:
            return self._solve(position, limits or Limits(), line)
        finally:
            self._busy.release()

    def _solve(self, position: Position, limits: Limits, line: bool) -> Solution:
        started = time.monotonic_ns()
        interrupts: list[BaseException] = []
        found = _checked(
            self._engines[0].solve,
            position.data,
            limits.nodes or 0,
            _time_ns(limits, started),
            line,
            interrupts,
        )
        self.last_result = _solution(position, found, (time.monotonic_ns() - started) / 1e9)
        if interrupts:
            raise interrupts[0]
        return self.last_result


def _checked(call: Callable[..., Any], *args: Any) -> Any:
    try:
        return call(*args)
    except _core.CoreError as error:
        raise _refusal(error) from None


def _refusal(error: _core.CoreError) -> BasraError:
    found = core_error(error)
    if found.code == "over":
        found.message, found.fix = "the round is over", "nothing is left to search"
    return found


def _solution(position: Position, found: tuple[Any, ...], seconds: float) -> Solution:
    scored, line, nodes, stop, best = found
    players = position.players
    singles = sides_of(players, position.partners) > 2
    groups: dict[int, list[tuple[Move, Any]]] = {}
    for entry in scored:
        groups.setdefault(entry[3], []).append((move_of(entry[0]), entry))
    moves = []
    for members in groups.values():
        move, (_, value, points, _, known) = members[0]
        moves.append(
            SolvedMove(
                move=move,
                value=_singles_value(value, players, singles) if known else None,
                equal=tuple(other for other, _ in members[1:]),
                points=points if singles and known else None,
            )
        )
    # Best first; the sort is stable, so equal values stay in canonical order.
    moves.sort(key=lambda m: (m.value is None, -(m.value or 0)))
    return Solution(
        value=moves[0].value,
        exact=stop == 0 and best >= 0,
        stop=STOPS[stop],
        moves=tuple(moves),
        line=tuple(move_of(entry) for entry in line),
        nodes=nodes,
        seconds=seconds,
        points=moves[0].points,
    )


def _singles_value(value: int, players: int, singles: bool) -> int | float:
    """Own points minus the mean of the others'; the core gives players * own - all."""
    if not singles:
        return value
    return value // (players - 1) if value % (players - 1) == 0 else value / (players - 1)


# -- functions -----------------------------------------------------------------------------------


def hint(
    view: View | None = None,
    *,
    limits: Limits | None = None,
    seed: int = 0,
    threads: int = 1,
    method: str = "worlds",
    **options: Any,
) -> Hint:
    """The expected value of every legal move for the seat to move, best first.

    Give a `View`, or its arguments by name: `hint(hand="7D 5C KH 2S", floor="3C 2H 5S")`.  Values are
    round points, my side minus the other (single players: minus the mean of the others), what the
    move brings at once included.  Exact only if one world fits the view and the round ends with this
    deal; else the mean over worlds with its standard error.  The default limit is 160 worlds, at
    most 10 s; with the same seed and limit in worlds or nodes the answer is the same to the last bit.

    Raises the errors of `View`; ArgumentError for limits, seed, threads or method out of range.

    >>> answer = hint(hand="7D 5C KH 2S", floor="3C 2H 5S")
    >>> str(answer.best.move.card) in "7D 5C KH 2S", answer.worlds
    (True, 160)
    """
    if method not in METHODS:
        raise ArgumentError(
            "is not a method", field="method", value=method, fix=f"use {', '.join(METHODS)}"
        )
    if view is None:
        if "hand" not in options:
            raise ArgumentError("is missing", field="hand", fix='give hand="7D 5C", say')
        view = View(**options)
    elif options:
        name = next(iter(options))
        raise ArgumentError(
            "cannot go with a view", field=name, value=options[name], fix="put it into the view"
        )
    with Engine(threads) as engine:
        return engine.hint(view, limits, seed=seed)


def solve(
    position: Position,
    *,
    limits: Limits | None = None,
    table_bytes: int = 0,
    line: bool = True,
) -> Solution:
    """Exact value, value of every move, and best line of a position with all cards known.

    Values are future round points for the side to move minus the other's: captures, basras,
    leftovers and most-cards points from here on, points banked so far not included.  Three or four
    single players: max^n, each playing for its own points minus the mean of the others', of equal
    moves the first in canonical order, equal cards ranking as the first card of their kind.

    Raises GameOverError for a finished round, TooLargeError beyond 65,536 captures of a card.

    >>> solve(Position.setup("5S/KH", "5H 2C")).value
    32
    """
    with Engine(1, table_bytes) as engine:
        return engine.solve(position, limits, line=line)
