"""Searching: hint for a view, solve for a position, and engines to reuse and stop.

hint (`worlds/1`): each legal move is played in many worlds, hidden hands that fit the view, and the
current deal is searched to its end with open hands; at its end the most-cards points are taken at
their expectation.  All moves meet the same worlds.  In the last deal the round's end is scored.

solve (`solve/1`): alpha-beta for two sides, max^n for three or four single players.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from time import monotonic, monotonic_ns
from types import TracebackType
from typing import Any, Self

from basra import _core
from basra.errors import ArgumentError, EngineBusyError, GameOverError
from basra.limits import Limits, check_number, time_left_ns
from basra.moves import Move, hand_error, move_of
from basra.position import Position, checked_seed, sides_of
from basra.results import STOPS, Hint, Solution, SolvedMove
from basra.task import HintTask
from basra.view import View

METHODS = ("worlds",)
"""Search methods that `hint` knows; results name them with a version, such as worlds/1."""

MAX_THREADS = 256

_TURN = 0.02  # seconds of waiting for other threads at a time


def check_method(method: str) -> None:
    """ArgumentError unless `hint` knows the method."""
    if method not in METHODS:
        raise ArgumentError(
            "is not a method", field="method", value=method, fix=f"use {', '.join(METHODS)}"
        )


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
        check_number("threads", threads, 1, MAX_THREADS, (int,), "threads")
        check_number("table_bytes", table_bytes, 0, 1 << 36, (int,), "bytes")
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
        *_, found = self.stream(view, limits, seed=seed, every=None)
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
            task = HintTask(view, limits or Limits(), seed)
            shown = monotonic()
            for _ in self._search(task):
                if every is not None and monotonic() - shown >= every:
                    self.last_result = task.result("requested")
                    shown = monotonic()
                    yield self.last_result
            self.last_result = task.result()
            yield self.last_result
        finally:
            self._busy.release()

    def _search(self, task: HintTask) -> Iterator[None]:
        """Searches chunk after chunk; a Ctrl-C leaves its partial result and goes on up."""
        run = self._alone if len(self._engines) == 1 else self._together
        try:
            yield from run(task)
        except KeyboardInterrupt:
            self.last_result = task.result("interrupted")
            raise

    def _alone(self, task: HintTask) -> Iterator[None]:
        for chunk in range(len(task.chunks)):
            interrupts: list[BaseException] = []
            task.run(self._engines[0], chunk, interrupts)
            if interrupts:
                raise interrupts[0]
            if task.advance() or self._stopped:
                return
            yield

    def _together(self, task: HintTask) -> Iterator[None]:
        """Chunks in parallel, each engine one at a time."""
        idle = list(self._engines)
        waiting: dict[Future[None], _core.EngineData] = {}
        submitted = 0
        with ThreadPoolExecutor(len(self._engines)) as pool:
            try:
                while not self._stopped:
                    while idle and submitted < len(task.chunks):
                        engine = idle.pop()
                        waiting[pool.submit(task.run, engine, submitted, [])] = engine
                        submitted += 1
                    # Waiting in short turns, as not every interrupt ends a wait.
                    for future in wait_for(waiting, _TURN, FIRST_COMPLETED).done:
                        idle.append(waiting.pop(future))
                        future.result()
                    if task.advance():
                        return
                    yield
            finally:
                # Also on the way out of an exception: nothing may run on after this.  A call that
                # has not begun drops a stop, so ask until all have ended.
                while waiting and wait_for(waiting, 0.005).not_done:
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
        started = monotonic_ns()
        interrupts: list[BaseException] = []
        if position.is_over:
            raise GameOverError(
                "the round is over", field="position", fix="nothing is left to search"
            )
        try:
            found = self._engines[0].solve(
                position.data, limits.nodes or 0, time_left_ns(limits, started), line, interrupts
            )
        except _core.CoreError as error:
            hand = position.hands[position.turn]
            raise hand_error(error, position.rules, hand, position.floor, "hands") from None
        self.last_result = _solution(position, found, (monotonic_ns() - started) / 1e9)
        if interrupts:
            raise interrupts[0]
        return self.last_result


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
    time: float | None = None,
    worlds: int | None = None,
    nodes: int | None = None,
    seed: int = 0,
    threads: int = 1,
    method: str = "worlds",
    **options: Any,
) -> Hint:
    """The expected value of every legal move for the seat to move, best first.

    Give a `View`, or its arguments by name: `hint(hand="7D 5C KH 2S", floor="3C 2H 5S")`; and
    `Limits`, or `time`, `worlds` and `nodes` on their own.

    Values are round points, my side minus the other (single players: minus the mean of the others),
    what the move brings at once included.  Exact only if one world fits the view and the round ends
    with this deal; else the mean over worlds with its standard error.  The default limit is 160
    worlds, at most 10 s.  With the same seed, and a limit in worlds or nodes, the answer is the
    same to the last bit.

    Raises the errors of `View`; ArgumentError for limits, seed, threads or method out of range.

    >>> answer = hint(hand="7D 5C KH 2S", floor="3C 2H 5S")
    >>> str(answer.best.move.card) in "7D 5C KH 2S", answer.worlds
    (True, 160)
    """
    check_method(method)
    if view is None:
        if "hand" not in options:
            raise ArgumentError("is missing", field="hand", fix='give hand="7D 5C", say')
        view = View(**options)
    elif options:
        name = next(iter(options))
        raise ArgumentError(
            "cannot go with a view", field=name, value=options[name], fix="put it into the view"
        )
    given = Limits(time, worlds, nodes)
    if limits is not None and given != Limits():
        raise ArgumentError(
            "cannot go with time, worlds or nodes",
            field="limits",
            value=limits,
            fix="put them into the limits",
        )
    with Engine(threads) as engine:
        return engine.hint(view, limits or given, seed=seed)


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
