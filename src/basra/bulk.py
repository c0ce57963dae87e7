"""Many positions at once: their values in columns, or one after the other as they are found.

Positions go in batches, copied, to engines that solve them without the interpreter; with several
threads each has an engine of its own.  No position's answer depends on another, on the number of
threads or on how the batches are cut.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Sequence, Sized
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from itertools import islice
from typing import NamedTuple, overload

from basra import _core
from basra.engine import MAX_THREADS, solve_error
from basra.errors import ArgumentError, BasraError
from basra.limits import Limits, check_number, limits_ns
from basra.position import Position
from basra.results import STOPS, quotient

_CAPACITY = 256  # positions of a batch, at most
_SHARES = 4  # batches for each thread, at least, when there are few positions
_WORK = _CAPACITY * 8**2  # of a batch, as `Batch.add` counts it: that of a last deal is 8**2
_AHEAD = 2  # batches in flight for each thread
_TURN = 0.02  # seconds of waiting for other threads at a time


class Solved(NamedTuple):
    """One position's answer, as in `Solution`."""

    value: int | float | None
    exact: bool
    stop: str
    nodes: int
    points: tuple[int, ...] | None


class Solutions(Sequence[Solved]):
    """Answers for many positions, in their order: a sequence of `Solved` over columns.

    The columns are read-only buffers; NumPy wraps them without copying: `numpy.asarray(column)`.
    An immutable value that can be compared and pickled.

    numbers
        int32, values in whole numbers: `numbers[i] / divisors[i]` is the value in points.  0 where
        it is not known.
    divisors
        uint8: 1 for two sides; for single players the number of the others, whose mean the value
        is against.
    points
        int32, four for each position, `points[4 * i : 4 * i + 4]`: of every seat from the seat to
        move at tables of single players, else zeros.
    nodes
        uint64, positions entered.
    stops
        uint8, why the search ended: an index into `basra.results.STOPS`, 0 for `complete`.
    known
        uint8, 1 where the value is known.
    """

    __slots__ = ("divisors", "known", "nodes", "numbers", "points", "stops")
    numbers: memoryview[int]
    divisors: memoryview[int]
    points: memoryview[int]
    nodes: memoryview[int]
    stops: memoryview[int]
    known: memoryview[int]

    def __init__(self, columns: Sequence[array[int]]) -> None:
        """Not for users: from the columns in the core's order."""
        for name, column in zip(_COLUMNS, columns, strict=True):
            object.__setattr__(self, name, memoryview(column).toreadonly())

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("solutions cannot be changed")

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, index: int) -> Solved: ...

    @overload
    def __getitem__(self, index: slice) -> list[Solved]: ...

    def __getitem__(self, index: int | slice) -> Solved | list[Solved]:
        if isinstance(index, slice):
            return [self._at(i) for i in range(*index.indices(len(self)))]
        return self._at(range(len(self))[index])

    def _at(self, i: int) -> Solved:
        known, stop, divisor = bool(self.known[i]), self.stops[i], self.divisors[i]
        return Solved(
            value=quotient(self.numbers[i], divisor) if known else None,
            exact=known and stop == 0,
            stop=STOPS[stop],
            nodes=self.nodes[i],
            points=tuple(self.points[4 * i : 4 * i + divisor + 1])
            if known and divisor > 1
            else None,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Solutions):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _COLUMNS)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name).tobytes() for name in _COLUMNS))

    def __repr__(self) -> str:
        return f"<Solutions of {len(self):,} positions>"

    def __reduce__(self) -> tuple[object, ...]:
        columns = [array(getattr(self, name).format, getattr(self, name)) for name in _COLUMNS]
        return (Solutions, (columns,))


_COLUMNS = ("numbers", "divisors", "points", "nodes", "stops", "known")


def solve_many(
    positions: Iterable[Position],
    *,
    threads: int = 1,
    limits: Limits | None = None,
    table_bytes: int = 0,
) -> Solutions:
    """Exact values of many positions, in columns; the same bits for any number of threads.

    Limits are for each position on its own.  Every thread has a table of `table_bytes`, 1 MB if 0.
    Positions are copied when their turn comes, and the interpreter is free for other threads while
    they are solved.  Ctrl-C ends it.  For more positions than memory has room for, see
    `solve_stream`.

    Raises ArgumentError for what is no position, GameOverError for one that is over, TooLargeError:
    the field of each names the index, such as positions[3].

    >>> found = solve_many([Position.setup("5S/KH", "5H 2C"), Position.setup("KH/5S", "5H 2C")])
    >>> list(found.numbers), found[1].value, found[1].exact
    ([32, -32], -32, True)
    """
    columns: list[array[int]] = [array(code) for code in "iBiQBB"]
    for batch in _solved(positions, threads, limits or Limits(), table_bytes):
        for column, part in zip(columns, batch.columns(), strict=True):
            column.extend(part)
    return Solutions(columns)


def solve_stream(
    positions: Iterable[Position],
    *,
    threads: int = 1,
    limits: Limits | None = None,
    table_bytes: int = 0,
) -> Iterator[Solved]:
    """As `solve_many`, for any number of positions: answers one after the other, in their order.

    Memory does not grow with their number: about 500 positions for each thread are taken from
    `positions` ahead of the answers.  What was solved before an error is still given.

    >>> position = Position.setup("5S/KH", "5H 2C")
    >>> [solved.value for solved in solve_stream(position for _ in range(3))]
    [32, 32, 32]
    """
    for batch in _solved(positions, threads, limits or Limits(), table_bytes):
        yield from Solutions(batch.columns())


# -- batches -------------------------------------------------------------------------------------


class _Cut:
    """A batch, the index of its first position, and the error that ended it, if one did."""

    def __init__(self, first: int, batch: _core.Batch) -> None:
        self.first = first
        self.positions: list[Position] = []
        self.batch = batch
        self.error: Exception | None = None


def _cuts(positions: Iterable[Position], threads: int, spare: list[_core.Batch]) -> Iterator[_Cut]:
    """Positions in batches of about equal work, spare ones first; an error ends the last one."""
    most = _CAPACITY
    if isinstance(positions, Sized):
        most = min(most, len(positions) // (_SHARES * threads) + 1)
    source, first, more = iter(positions), 0, True
    while more:
        cut = _Cut(first, spare.pop() if spare else _core.Batch(_CAPACITY))
        try:
            more = _fill(cut, source, most)
        except Exception as error:
            cut.error, more = error, False
        first += len(cut.positions)
        yield cut


def _fill(cut: _Cut, source: Iterator[Position], most: int) -> bool:
    """Takes positions until there are enough; may there be more?"""
    work, keep, add = 0, cut.positions.append, cut.batch.add
    for position in islice(source, most):
        if not isinstance(position, Position):
            raise ArgumentError(
                "is not a position",
                field=f"positions[{cut.first + len(cut.positions)}]",
                value=type(position).__name__,
                fix="give objects of basra.Position",
            )
        keep(position)
        work += add(position._data)
        if work >= _WORK:
            return True
    return len(cut.positions) == most


def _solved(
    positions: Iterable[Position], threads: int, limits: Limits, table_bytes: int
) -> Iterator[_core.Batch]:
    """Batches, solved, in order."""
    check_number("threads", threads, 1, MAX_THREADS, (int,), "threads")
    check_number("table_bytes", table_bytes, 0, 1 << 36, (int,), "bytes")
    run = _alone if threads == 1 else _together
    spare: list[_core.Batch] = []
    for cut in run(_cuts(positions, threads, spare), threads, limits, table_bytes):
        yield cut.batch
        if cut.batch.status:
            raise _failure(cut)
        if cut.error is not None:
            raise cut.error
        cut.batch.clear()
        spare.append(cut.batch)


def _failure(cut: _Cut) -> BasraError:
    at = cut.batch.done
    error = solve_error(_core.CoreError(cut.batch.status), cut.positions[at])
    return error.moved_to(f"positions[{cut.first + at}]")


def _solve(cut: _Cut, engine: _core.EngineData, limits: Limits) -> None:
    interrupts: list[BaseException] = []
    cut.batch.solve(engine, limits.nodes or 0, limits_ns(limits), interrupts)
    if interrupts:
        raise interrupts[0]


def _alone(cuts: Iterator[_Cut], threads: int, limits: Limits, table_bytes: int) -> Iterator[_Cut]:
    engine = _core.EngineData(table_bytes)
    for cut in cuts:
        _solve(cut, engine, limits)
        yield cut


def _together(
    cuts: Iterator[_Cut], threads: int, limits: Limits, table_bytes: int
) -> Iterator[_Cut]:
    """A few batches ahead for each thread; whoever has finished one takes the next.

    The caller's thread, which alone reads the positions, is one of them.
    """
    own, *idle = engines = [_core.EngineData(table_bytes) for _ in range(threads)]
    flying: deque[tuple[_Cut, Future[None]]] = deque()

    def work(cut: _Cut) -> None:
        engine = idle.pop()
        try:
            _solve(cut, engine, limits)
        finally:
            idle.append(engine)

    def landed() -> _Cut:
        cut, future = flying[0]
        while not future.done():
            mine = next((cut for cut, future in flying if _taken_back(future)), None)
            if mine is not None:
                _solve(mine, own, limits)
            else:
                # In short turns, as not every interrupt ends a wait.
                wait_for([future], _TURN)
        if not future.cancelled():
            future.result()
        flying.popleft()
        return cut

    with ThreadPoolExecutor(threads - 1) as pool:
        try:
            for cut in cuts:
                flying.append((cut, pool.submit(work, cut)))
                if len(flying) >= _AHEAD * threads:
                    yield landed()
            while flying:
                yield landed()
        finally:
            # Also on the way out of an exception: nothing may run on after this.  What has not
            # begun is taken back; what begins just now drops a stop, so ask until all have ended.
            running = [future for _, future in flying if not future.cancel()]
            while running and wait_for(running, 0.005).not_done:
                for engine in engines:
                    engine.stop()


def _taken_back(future: Future[None]) -> bool:
    """Is it now this thread's to do what no other has begun?"""
    return not future.cancelled() and future.cancel()
