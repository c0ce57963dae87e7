"""Many positions at once: the same answers as one by one, for any number of threads."""

from __future__ import annotations

import gc
import itertools
import pickle
import random
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from basra import (
    ArgumentError,
    Engine,
    GameOverError,
    Limits,
    Position,
    Solutions,
    Solved,
    TooLargeError,
    solve,
    solve_many,
    solve_stream,
)
from basra.bulk import _CAPACITY
from basra.results import STOPS
from helpers import TABLES, both, positions_of


def mixed(count: int, seed: int = 0) -> list[Position]:
    """Ends of rounds of all presets and tables, in any order."""
    dice = random.Random(seed)
    found: list[Position] = []
    for number in itertools.count():
        if len(found) >= count:
            break
        table = TABLES[number % len(TABLES)]
        rules = both(table.preset).ours
        ends = list(positions_of(rules, table.players, table.partners, number))
        found += ends[-9:-1] if table.players == 2 else ends[-7:-1]
    dice.shuffle(found)
    return found[:count]


MIXED = mixed(300)


def over() -> Position:
    """A round with nothing left to play."""
    return Position.setup("5S/KH", "5H 2C").play("5Sx5H").play("KH")


def one_by_one(positions: list[Position], limits: Limits | None = None) -> list[Solved]:
    """As a fresh engine answers each."""
    found = []
    for position in positions:
        s = solve(position, limits=limits)
        found.append(Solved(s.value, s.exact, s.stop, s.nodes, s.points))
    return found


def bits(found: Solutions) -> list[bytes]:
    """All columns."""
    columns = (found.numbers, found.divisors, found.points, found.nodes, found.stops, found.known)
    return [column.tobytes() for column in columns]


# -- the same answers ----------------------------------------------------------------------------


def test_as_one_by_one() -> None:
    """Values, points and nodes: what an engine solved before does not show."""
    assert list(solve_many(MIXED)) == one_by_one(MIXED)


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_threads_change_nothing(threads: int) -> None:
    """The same bits, in batches of any size."""
    positions = MIXED * 9
    assert len(positions) > 2 * _CAPACITY
    assert bits(solve_many(positions, threads=threads)) == bits(solve_many(positions))
    assert bits(solve_many(iter(positions), threads=threads)) == bits(solve_many(positions))


def test_order_changes_nothing() -> None:
    """Node counts of a position do not depend on those before it."""
    there = list(solve_many(MIXED))
    back = list(solve_many(MIXED[::-1]))
    assert back[::-1] == there
    with Engine() as engine:
        assert [engine.solve(position).nodes for position in MIXED] == [s.nodes for s in there]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("limits", [Limits(nodes=20), Limits(nodes=100), Limits(time=10.0)])
def test_limits_are_for_each(limits: Limits, threads: int) -> None:
    """As in `solve`."""
    found = solve_many(MIXED, limits=limits, threads=threads)
    assert list(found) == one_by_one(MIXED, limits)
    if limits.nodes == 20:
        assert {s.stop for s in found} == {"complete", "nodes"}
        assert all((s.value is None) == (s.stop == "nodes") for s in found)


def test_time_limit() -> None:
    """For each position on its own: the short ones are still solved."""
    long = Position.deal("palestine-52", 1, players=3)
    found = solve_many([MIXED[0], long, MIXED[1]], limits=Limits(time=0.2))
    assert [s.stop for s in found] == ["complete", "time", "complete"]
    assert found[1].value is None


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("count", [0, 1, 2, 7, 8, 9])
def test_few(count: int, threads: int) -> None:
    """Nothing at all included."""
    found = solve_many(MIXED[:count], threads=threads)
    assert list(found) == one_by_one(MIXED[:count])
    assert len(found) == count
    assert len(found.points) == 4 * count


def test_whole_rounds() -> None:
    """Much work in few positions."""
    rounds = [Position.deal("classic", seed) for seed in range(6)]
    assert bits(solve_many(rounds, threads=2)) == bits(solve_many(rounds))
    assert [s.value for s in solve_many(rounds)] == [solve(start).value for start in rounds]


def test_positions_are_not_changed() -> None:
    """And may be changed afterwards."""
    start = Position.setup("5S 9D/KH QC", "5H 2C")
    before = start.notation
    found = solve_many([start])
    assert start.notation == before
    start.play("9D")
    assert found[0].value == 32


def test_other_rule_sets_and_tables_in_between() -> None:
    """House rules are kept as long as a batch needs them."""
    starts = (
        Position.setup("5S 9D/KH QC", "5H 2C", rules=both("classic", basra_points=n).ours)
        for n in range(1, 200)
    )
    found = [solved.value for solved in solve_stream(starts, threads=2)]
    gc.collect()
    assert found == [32] * 199


# -- results -------------------------------------------------------------------------------------


def test_columns() -> None:
    """Buffers of fixed types; a value is a number by a divisor."""
    found = solve_many(MIXED)
    formats = [
        (found.numbers, "i", 4), (found.divisors, "B", 1), (found.points, "i", 4),
        (found.nodes, "Q", 8), (found.stops, "B", 1), (found.known, "B", 1),
    ]  # fmt: skip
    for column, code, size in formats:
        assert isinstance(column, memoryview)
        assert (column.format, column.itemsize, column.readonly) == (code, size, True)
        assert column.c_contiguous
    assert {1, 2, 3} == set(found.divisors)
    for i, (position, solved) in enumerate(zip(MIXED, found, strict=True)):
        singles = position.players > 2 and not position.partners
        assert found.divisors[i] == (position.players - 1 if singles else 1)
        assert solved.value == found.numbers[i] / found.divisors[i]
        assert found.nodes[i] == solved.nodes
        assert STOPS[found.stops[i]] == solved.stop
        vector = list(found.points[4 * i : 4 * i + 4])
        if singles:
            assert solved.points is not None
            assert vector == [*solved.points, *[0] * (4 - position.players)]
            mine, *others = solved.points
            assert found.numbers[i] == mine * len(others) - sum(others)
        else:
            assert vector == [0] * 4
            assert isinstance(solved.value, int)


def test_numpy_wraps_the_columns() -> None:
    """Without copying, if it is there."""
    numpy = pytest.importorskip("numpy")
    found = solve_many(MIXED)
    for column in (found.numbers, found.nodes, found.points):
        wrapped = numpy.asarray(column)
        assert wrapped.tolist() == column.tolist()
        assert numpy.shares_memory(wrapped, numpy.asarray(column))


def test_a_sequence() -> None:
    """Indices from both ends, slices, and what is outside."""
    found = solve_many(MIXED[:10])
    listed = list(found)
    assert found[0] == listed[0]
    assert found[-1] == listed[-1]
    assert found[2:8:3] == listed[2:8:3]
    assert found[::-1] == listed[::-1]
    for index in (10, -11):
        with pytest.raises(IndexError):
            _ = found[index]
    assert repr(found) == "<Solutions of 10 positions>"


def test_a_value() -> None:
    """Immutable, compared, hashed, pickled."""
    found, same, other = solve_many(MIXED), solve_many(MIXED), solve_many(MIXED[1:])
    assert found == same
    assert hash(found) == hash(same)
    assert found != other
    assert found != "solutions"
    again = pickle.loads(pickle.dumps(found))
    assert bits(again) == bits(found)
    with pytest.raises(AttributeError):
        found.numbers = other.numbers
    with pytest.raises(TypeError):
        found.numbers[0] = 1


# -- errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("index", [0, 5, _CAPACITY, _CAPACITY + 1, 2499])
def test_errors_name_the_index(index: int, threads: int) -> None:
    """Of the first position that is over, or is none."""
    positions = [MIXED[i % 40] for i in range(2500)]
    positions[index] = over()
    with pytest.raises(GameOverError) as caught:
        solve_many(positions, threads=threads)
    assert caught.value.field == f"positions[{index}]"
    assert str(caught.value).startswith(f"positions[{index}]: ")
    positions[index] = "KH"  # type: ignore[call-overload]
    with pytest.raises(ArgumentError) as wrong:
        solve_many(iter(positions), threads=threads)
    assert (wrong.value.field, wrong.value.value) == (f"positions[{index}]", "str")


@pytest.mark.parametrize("threads", [1, 2])
def test_the_first_error_is_told(threads: int) -> None:
    """Whichever thread came upon another one sooner."""
    positions = MIXED * 10
    positions[2200] = over()
    positions[1500] = over()
    with pytest.raises(GameOverError) as caught:
        solve_many(positions, threads=threads)
    assert caught.value.field == "positions[1500]"


def test_too_large() -> None:
    """More captures than are listed."""
    floor = " ".join(r + s for r in "A23456789" for s in "CDHS")
    huge = Position.setup("TC/TD", floor, rules=both("palestine").ours)
    with pytest.raises(TooLargeError) as caught:
        solve_many([MIXED[0], huge])
    assert caught.value.field == "positions[1]"
    assert caught.value.value == "TC"


@pytest.mark.parametrize("threads", [0, -1, 257, 1.5, "2", True])
def test_bad_threads(threads: object) -> None:
    """Named."""
    with pytest.raises(ArgumentError) as caught:
        solve_many(MIXED[:1], threads=threads)  # type: ignore[arg-type]
    assert caught.value.field == "threads"
    with pytest.raises(ArgumentError):
        next(solve_stream(MIXED[:1], table_bytes=-1))


@pytest.mark.parametrize("threads", [1, 2])
def test_what_was_solved_before_an_error(threads: int) -> None:
    """Is given by a stream, to the last one."""
    got: list[Solved] = []
    positions = [*MIXED, over(), *MIXED]
    with pytest.raises(GameOverError):
        got.extend(solve_stream(iter(positions), threads=threads))
    assert got == one_by_one(MIXED)


@pytest.mark.parametrize("threads", [1, 2])
def test_errors_of_the_source(threads: int) -> None:
    """Go up as they are, after the answers to what came before."""

    def source() -> Iterator[Position]:
        yield from MIXED[:50]
        raise LookupError("no more")

    got: list[Solved] = []
    with pytest.raises(LookupError, match="no more"):
        got.extend(solve_stream(source(), threads=threads))
    assert len(got) == 50


# -- streams -------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_stream_stays_close_to_its_source(threads: int) -> None:
    """It takes no more ahead than it says, however long the source is."""
    taken, most, given = 0, 0, 0

    def source() -> Iterator[Position]:
        nonlocal taken
        for position in itertools.cycle(MIXED[:50]):
            taken += 1
            yield position

    for _ in itertools.islice(solve_stream(source(), threads=threads), 20_000):
        given += 1
        most = max(most, taken - given)
    assert given == 20_000
    assert most <= 2 * threads * _CAPACITY + _CAPACITY


@pytest.mark.parametrize("threads", [1, 2])
def test_leaving_a_stream_early(threads: int) -> None:
    """Nothing runs on afterwards."""
    before = threading.active_count()
    stream = solve_stream(itertools.cycle(MIXED[:50]), threads=threads)
    assert next(stream).exact
    stream.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before


def test_the_interpreter_is_free() -> None:
    """Other threads run while positions are solved."""
    seen: list[int] = []
    done = threading.Event()

    def count() -> None:
        while not done.is_set():
            seen.append(1)
            done.wait(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    solve_many([Position.deal("classic", seed) for seed in range(20)])
    done.set()
    thread.join()
    assert len(seen) > 5


INTERRUPTED = """
import _thread, itertools, os, signal, sys, threading, time
from basra import Position, solve_many, solve_stream
from basra.bench import positions

threads, what = int(sys.argv[1]), sys.argv[2]
if what == "long":
    given = [Position.deal("palestine-52", 1, players=3)] * 3
else:
    short = list(positions(1, 50))
    given = itertools.cycle(short)
sent = 0.0

def interrupt():
    global sent
    time.sleep(0.5)
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt).start()
try:
    if what == "stream":
        for solved in solve_stream(given, threads=threads):
            pass
    else:
        solve_many(given, threads=threads)
except KeyboardInterrupt:
    print(time.monotonic() - sent, threading.active_count())
assert list(solve_many([Position.setup("5S/KH", "5H 2C")], threads=threads).numbers) == [32]
"""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("what", ["long", "short", "stream"])
def test_interrupted(threads: int, what: str) -> None:
    """Ctrl-C ends it at once, and leaves no thread behind."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(threads), what],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    seconds, left = done.stdout.split()
    # 100 ms is the limit that people feel; a busy machine must not fail a test.
    assert float(seconds) < 1.0
    assert int(left) == 1
