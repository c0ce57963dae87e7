"""Searching: hint for a view, solve for a position, and engines to reuse and stop.

hint (`worlds/1`): each legal move is played in many worlds, hidden hands that fit the view, and the
current deal is searched to its end with open hands; at its end the most-cards points are taken at
their expectation.  All moves meet the same worlds.  In the last deal the round's end is scored.
With a model (`worlds/2`) worlds are weighed by the plays of this deal, and what is fitted for a
deal's end takes the place of that expectation.

solve (`solve/1`): alpha-beta for two sides, max^n for three or four single players.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from contextlib import contextmanager, suppress
from dataclasses import replace
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, Literal, NoReturn, overload

from basra import _core
from basra.closing import Closing
from basra.errors import (
    ArgumentError,
    BasraError,
    EngineBusyError,
    GameOverError,
    core_error,
)
from basra.interrupts import late_interrupts
from basra.limits import Limits, check_number, limits_ns
from basra.models import DEFAULT_TRUST, MAX_TRUST, Model, default_model
from basra.moves import hand_error, move_of
from basra.open_review import OpenReview
from basra.position import Position, checked_seed, divisor_of
from basra.results import Hint, Solution, solved_moves
from basra.task import HintTask
from basra.view import View

if TYPE_CHECKING:
    from basra.game import Game
    from basra.match import Match
    from basra.record.model import Record
    from basra.reviews import Review, ReviewSettings

METHODS = (
    "worlds", "expectimax", "best", "ismcts", "mo-ismcts", "policy", "careful", "endgame", "greedy",
    "random",
)  # fmt: skip
"""Methods that `hint` knows, see `basra.players`; results name them with a version: worlds/1."""

MAX_THREADS = 256

_TURN = 0.02  # seconds of waiting for other threads at a time


def check_method(method: str) -> None:
    """ArgumentError unless `hint` knows the method."""
    if method not in METHODS:
        raise ArgumentError(
            "is not a method", field="method", value=method, fix=f"use {', '.join(METHODS)}"
        )


def is_worlds(method: str, view: View) -> bool:
    """Is the method the worlds search for this view?"""
    if method == "best" and any(view.match):
        return True
    return method == "worlds" or (method in ("best", "endgame") and view.is_last_deal)


class Engine(Closing):
    """Search engines to reuse: one call at a time, `stop` from any thread.

    threads
        Cores to use for a hint.  The same seed and world or node limit give the same bits for any
        number.
    table_bytes
        Memory of each thread's table; 0 is the default, 1 MB.

    After Ctrl-C a call raises KeyboardInterrupt; the best so far is in `last_result`.

    >>> with Engine() as engine:
    ...     engine.solve(Position.setup("5S/KH", "5H 2C")).value
    32
    """

    def __init__(self, threads: int = 1, table_bytes: int = 0) -> None:
        check_number("threads", threads, 1, MAX_THREADS, (int,), "threads")
        check_number("table_bytes", table_bytes, 0, 1 << 36, (int,), "bytes")
        self._table_bytes = table_bytes
        self._engines = [_core.EngineData(table_bytes) for _ in range(threads)]
        self._busy = threading.Lock()
        self._stopped = False
        self._closed = False
        self._source = _Source(table_bytes, self)
        self._stop_asked = False
        self.last_result: Hint | Solution | OpenReview | Review | None = None
        """The latest result, partial ones of interrupted calls included."""

    def close(self) -> None:
        """Gives the memory back; calls after that raise ValueError."""
        self._closed = True
        self._engines = []

    @property
    def memory(self) -> int:
        """Bytes of memory that the engine's solvers hold, tables included."""
        return sum(engine.memory for engine in self._engines)

    def stop(self) -> None:
        """Asks the running call to end soon with what it has; dropped when none runs."""
        self._stopped = self._stop_asked = True
        for engine in self._engines:
            engine.stop()

    @property
    def stopped(self) -> bool:
        """Has `stop` been called since the running call, or else the last one, began?"""
        return self._stopped

    @property
    def stop_asked(self) -> bool:
        """Not for users: has `stop` been called since the review of a game began?

        Such a review is many calls, each of which begins with `stopped` false.
        """
        return self._stop_asked

    @contextmanager
    def held(self) -> Iterator[_core.EngineData]:
        """Not for users: the core's own engine, for a call that is none of those here."""
        self._enter()
        try:
            yield self._engines[0]
        finally:
            self._busy.release()

    def _take(self) -> bool:
        """Enters if it is open and idle."""
        return not self._closed and self._busy.acquire(False)

    def _enter(self) -> None:
        if self._closed or not self._busy.acquire(False):
            self._refuse()
        self._stopped = False

    def _refuse(self) -> NoReturn:
        if self._closed:
            raise ArgumentError("is closed", field="engine", fix="make a new Engine")
        raise EngineBusyError("is in a call already", field="engine", fix="use one per thread")

    def hint(
        self,
        view: View,
        limits: Limits | None = None,
        *,
        seed: int = 0,
        model: Model | None = None,
        trust: int = 0,
        method: str = "worlds",
    ) -> Hint:
        """The value of every legal move of a view, best first; see `hint`.

        Unlike there, no model is used but the one given.
        """
        check_method(method)
        if not is_worlds(method, view):
            return self._method_hint(view, limits or Limits(), method, seed, model, trust)
        *_, found = self.stream(view, limits, seed=seed, model=model, trust=trust, every=None)
        return found

    def _method_hint(
        self, view: View, limits: Limits, method: str, seed: int, model: Model | None, trust: int
    ) -> Hint:
        """By another method than worlds."""
        from basra.method_hint import method_hint

        checked_seed(seed)
        check_number("trust", trust, 0, MAX_TRUST, (int,), "percent")
        self._enter()
        interrupts: list[BaseException] = []
        try:
            self.last_result = found = method_hint(
                self._engines[0], view, method, limits,
                seed=seed, model=model, trust=trust, interrupts=interrupts,
            )  # fmt: skip
        finally:
            self._busy.release()
        if interrupts:
            raise interrupts[0]
        return found

    def stream(
        self,
        view: View,
        limits: Limits | None = None,
        *,
        seed: int = 0,
        model: Model | None = None,
        trust: int = 0,
        every: float | None = 0.25,
    ) -> Iterator[Hint]:
        """Partial hints about every `every` seconds (None: none), then the final one.

        Partial hints have the stop `requested`, as if the search had been stopped there.
        """
        checked_seed(seed)
        check_number("trust", trust, 0, MAX_TRUST, (int,), "percent")
        self._enter()
        try:
            task = HintTask(view, limits or Limits(), seed, model, trust)
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
                    with late_interrupts() as look:
                        while idle and submitted < len(task.chunks):
                            engine = idle.pop()
                            waiting[pool.submit(task.run, engine, submitted, [])] = engine
                            submitted += 1
                        # Waiting in short turns, as an interrupt does not end a wait.
                        for future in wait_for(waiting, _TURN, FIRST_COMPLETED).done:
                            idle.append(waiting.pop(future))
                            future.result()
                        look()
                    if task.advance():
                        return
                    yield
            finally:
                # Also on the way out of an exception: nothing may run on after this.  A call that
                # has not begun drops a stop, so ask until all have ended.
                with late_interrupts():
                    while waiting and wait_for(waiting, 0.005).not_done:
                        for engine in self._engines:
                            engine.stop()

    def solve(
        self,
        position: Position,
        limits: Limits | None = None,
        *,
        moves: bool = False,
        line: bool = False,
    ) -> Solution:
        """Exact value of a position with all cards known; see `solve`."""
        if moves or line:
            return self._solve_moves(position, limits, line)
        # A last deal takes a few microseconds: what stands here is kept short.
        nodes = time_ns = 0
        if limits is not None:
            nodes, time_ns = limits.nodes or 0, limits_ns(limits)
        interrupts: list[BaseException] = []
        about = (position.rules, self._source, limits)
        if self._closed or not self._busy.acquire(False):
            self._refuse()
        self._stopped = False
        try:
            self.last_result = found = self._engines[0].value(
                Solution, position._data, nodes, time_ns, about, interrupts
            )
        except _core.CoreError as error:
            raise solve_error(error, position) from None
        finally:
            self._busy.release()
        if interrupts:
            raise interrupts[0]
        return found

    def _solve_moves(self, position: Position, limits: Limits | None, line: bool) -> Solution:
        """With the moves at once: a stopped search then has the values it got to."""
        self._enter()
        try:
            began = perf_counter()
            copy = position.copy()
            interrupts: list[BaseException] = []
            scored, played, nodes, stop, value = self._engines[0].solve(
                copy.data, (limits and limits.nodes) or 0, limits_ns(limits), line, interrupts
            )
            state = (*value, stop, nodes, perf_counter() - began)
            found = (
                solved_moves(scored, divisor_of(copy)),
                tuple(map(move_of, played)) if line or stop else None,
            )
            about = (copy.data, copy.rules, limits)
            self.last_result = Solution.restore(Solution, (*state, *about, *found), self._source)
        except _core.CoreError as error:
            raise solve_error(error, position) from None
        finally:
            self._busy.release()
        if interrupts:
            raise interrupts[0]
        return self.last_result

    @overload
    def review(self, played: Position, limits: Limits | None = None) -> OpenReview: ...

    @overload
    def review(
        self,
        played: Record | Match | Game,
        limits: Limits | None = None,
        *,
        seats: Sequence[int] | None = None,
        settings: ReviewSettings | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> Review: ...

    def review(
        self,
        played: Position | Record | Match | Game,
        limits: Limits | None = None,
        *,
        seats: Sequence[int] | None = None,
        settings: ReviewSettings | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> OpenReview | Review:
        """What every move cost, of a position's line or of a game that was played; see `review`.

        `limits` are those of each decision of a game, in place of those in the settings.
        """
        if isinstance(played, Position):
            return self._open_review(played, limits)
        from basra.reviews.run import review_game
        from basra.reviews.settings import ReviewSettings

        how = settings or ReviewSettings()
        if limits is not None:
            how = replace(how, limits=limits)
        self._stop_asked = False
        return review_game(self, played, how, seats, progress)

    def _open_review(self, position: Position, limits: Limits | None) -> OpenReview:
        self._enter()
        try:
            began = perf_counter()
            copy = position.copy()
            interrupts: list[BaseException] = []
            found = self._engines[0].review(
                copy.data, (limits and limits.nodes) or 0, limits_ns(limits), interrupts
            )
            self.last_result = result = OpenReview.of(copy, *found, perf_counter() - began)
        except _core.CoreError as error:
            raise core_error(error, "position") from None
        finally:
            self._busy.release()
        if interrupts:
            raise interrupts[0]
        return result


class _Source:
    """Where solutions ask for their moves: an engine if it is there and idle, else one like it."""

    def __init__(self, table_bytes: int, engine: Engine | None = None) -> None:
        self._table_bytes = table_bytes
        self._engine = None if engine is None else weakref.ref(engine)

    def __reduce__(self) -> tuple[object, ...]:
        return (_Source, (self._table_bytes,))

    def search(self, solution: Solution, *, line: bool) -> None:
        """Searches the moves, and the line if it is wanted, and has the solution keep them."""
        engine = None if self._engine is None else self._engine()
        if engine is not None and engine._take():
            try:
                self._search(engine._engines[0], solution, line)
            finally:
                engine._busy.release()
            return
        engine = spare_engine(self._table_bytes)
        try:
            self._search(engine._engines[0], solution, line)
        finally:
            keep_spare(engine)

    def _search(self, engine: _core.EngineData, solution: Solution, line: bool) -> None:
        limits: Limits = solution._limits or Limits()
        # One node is enough to list them.
        nodes = limits.nodes or 0 if solution.exact else 1
        position = Position(solution._rules, solution._position)
        interrupts: list[BaseException] = []
        try:
            scored, played, *_ = engine.solve(
                position.data, nodes, limits_ns(limits), line, interrupts
            )
        except _core.CoreError as error:
            raise solve_error(error, position) from None
        if interrupts:
            raise interrupts[0]
        found = tuple(map(move_of, played)) if line else None
        solution._keep(solved_moves(scored, divisor_of(position)), found)


def solve_error(error: _core.CoreError, position: Position) -> BasraError:
    """The exception for a position that the core did not solve."""
    if error.status == GameOverError.status:
        return GameOverError("the round is over", field="position", fix="nothing is left to search")
    hand = position.hands[position.turn]
    return hand_error(error, position.rules, hand, position.floor, "hands")


# Making an engine takes longer than most last deals: `solve` keeps a few of the default size.
_SPARE = 4
_spare: list[Engine] = []


def spare_engine(table_bytes: int) -> Engine:
    """Not for users: an engine that nobody else has, to be given back with `keep_spare`.

    Its solutions do not know it.
    """
    if table_bytes == 0 and _spare:
        with suppress(IndexError):  # another thread was faster
            return _spare.pop()
    engine = Engine(1, table_bytes)
    engine._source = _Source(table_bytes)
    return engine


def keep_spare(engine: Engine) -> None:
    """Not for users: what `spare_engine` gave is free again."""
    engine.last_result = None
    if engine._table_bytes == 0 and len(_spare) < _SPARE:
        _spare.append(engine)


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
    model: Model | Literal["default"] | None = "default",
    trust: int = DEFAULT_TRUST,
    **options: Any,
) -> Hint:
    """The expected value of every legal move for the seat to move, best first.

    Give a `View`, or its arguments by name: `hint(hand="7D 5C KH 2S", floor="3C 2H 5S")`; and
    `Limits`, or `time`, `worlds` and `nodes` on their own.

    Values are round points, my side minus the other (single players: minus the mean of the others),
    what the move brings at once included.  Exact only if one world fits the view and the round ends
    with this deal; else the mean over worlds with its standard error.  The default limit is 160
    worlds, or fewer once the best move is told from all others, at most 10 s; more seldom find a
    better move.  With the same seed, and a limit in worlds or nodes, the answer is the same to the
    last bit.

    The model that is shipped for the rules tells what a deal's end is worth, and how likely the
    other seats' plays of this deal were with each hidden hand; `trust` is how far that is believed,
    in percent: 0 for not at all.  `model=None` is for neither.

    Other methods than "worlds", see `METHODS`, rank the moves as they see them, without errors; in
    the last deal "best" and "endgame" are the worlds search, and so is "best" in a match.

    Raises the errors of `View`; ModelError for a method that needs a model where there is none;
    ArgumentError for limits, seed, threads or method out of range.

    >>> answer = hint(hand="7D 5C KH 2S", floor="3C 2H 5S")
    >>> str(answer.best.move.card) in "7D 5C KH 2S", answer.worlds <= 160
    (True, True)
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
    used = default_model(view.rules) if model == "default" else model
    with Engine(threads) as engine:
        return engine.hint(view, limits or given, seed=seed, model=used, trust=trust, method=method)


def solve(
    position: Position,
    *,
    limits: Limits | None = None,
    table_bytes: int = 0,
    moves: bool = False,
    line: bool = False,
) -> Solution:
    """Exact value of a position with all cards known; value of every move and best line on demand.

    Values are future round points for the side to move minus the other's: captures, basras,
    leftovers and most-cards points from here on, points banked so far not included.  Three or four
    single players: max^n, each playing for its own points minus the mean of the others', of equal
    moves the first in canonical order, equal cards ranking as the first card of their kind.

    The call searches for the value alone, the cheapest question; `moves`, `best` and `line` of the
    solution are searched when they are first asked for.  With `moves` or `line` they are searched
    at once instead, in one search under one limit: if it is stopped, the values it got to are
    known.

    Raises GameOverError for a finished round, TooLargeError beyond 65,536 captures of a card.

    >>> found = solve(Position.setup("5S/KH", "5H 2C"))
    >>> found.value, [move.text for move in found.line]
    (32, ['5Sx5H', 'KH'])
    """
    engine = spare_engine(table_bytes)
    try:
        return engine.solve(position, limits, moves=moves, line=line)
    finally:
        keep_spare(engine)
