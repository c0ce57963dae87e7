"""A solution as a value whose moves are searched when they are asked for."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import random
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable

import pytest

from basra import (
    ArgumentError,
    Engine,
    EngineBusyError,
    Limits,
    Position,
    Solution,
    View,
    _core,
    solve,
)
from helpers import TABLE_IDS, TABLES, Table, both, positions_of


def near_end(table: Table, seed: int, plies: int = 6) -> Position:
    """A position some plies before the end of a round that was played at random."""
    rules = both(table.preset).ours
    return list(positions_of(rules, table.players, table.partners, seed))[-1 - plies]


@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
def test_later_is_the_same_as_at_once(table: Table) -> None:
    """Value, points, moves and line, in whatever order they are asked for."""
    for seed in range(4):
        position = near_end(table, seed)
        whole = solve(position, line=True)
        asked: list[Callable[[Solution], object]] = [
            lambda s: s.value,
            lambda s: s.points,
            lambda s: s.line,
            lambda s: s.moves,
            lambda s: s.best,
        ]
        for order in (asked, asked[::-1]):
            found = solve(position)
            assert [ask(found) for ask in order] == [ask(whole) for ask in order]
            assert found.exact
            assert found.stop == "complete"
            assert found.line is found.line
            assert found.moves is found.moves


def test_the_position_of_the_call() -> None:
    """What is asked for later is about the position as it was."""
    position = near_end(TABLES[0], 3)
    wanted = solve(position, line=True)
    found = solve(position)
    while not position.is_over:
        position.play(position.legal_moves()[0])
    assert (found.moves, found.line) == (wanted.moves, wanted.line)


def test_nodes_are_those_of_the_call() -> None:
    """Asking for more changes neither them nor the seconds."""
    found = solve(near_end(TABLES[0], 1))
    before = (found.nodes, found.seconds)
    _ = found.line
    assert (found.nodes, found.seconds) == before
    assert found.nodes > 0
    assert found.seconds > 0


def test_value_alone_is_less_work() -> None:
    """Over a few positions; for one it may be the other way round."""
    alone = sum(solve(near_end(TABLES[0], seed, 8)).nodes for seed in range(30))
    every = sum(solve(near_end(TABLES[0], seed, 8), moves=True).nodes for seed in range(30))
    assert alone < every


def test_immutable() -> None:
    """Nothing can be set, and nothing can be added."""
    found = solve(near_end(TABLES[0], 1))
    for name in ("value", "moves", "nodes", "seconds", "line", "other"):
        with pytest.raises(AttributeError):
            setattr(found, name, 1)


def test_equal() -> None:
    """By everything that was found, seconds included."""
    found = solve(near_end(TABLES[0], 1))
    again = pickle.loads(pickle.dumps(found))
    assert found == found
    assert found == again
    assert hash(found) == hash(again)
    assert found != solve(near_end(TABLES[0], 2))
    assert found != "a solution"
    assert len({found, again}) == 1


def test_moves_count_in_comparisons() -> None:
    """Two positions of the same value, alike in all that is known at once."""
    state = (32, (0, 0, 0, 0), 1, 0, 7, 0.5)
    starts = [Position.setup("5S/KH", "5H 2C"), Position.setup("5C/KH", "5H 2C")]
    made = [
        Solution.restore(
            Solution, (*state, start.data, start.rules, None, None, None), solve(start)._source
        )
        for start in starts
        for _ in range(2)
    ]
    assert made[0] == made[1]
    assert made[0] != made[2]
    assert made[2] == made[3]


def test_repr_searches_nothing() -> None:
    """A debugger may ask for it."""
    found = solve(near_end(TABLES[0], 1))
    assert repr(found).startswith(f"Solution(value={found.value}, exact=True, stop='complete', ")
    assert found._moves is None
    assert found._line is None


@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
@pytest.mark.parametrize("asked", [False, True])
def test_pickle_and_copy(table: Table, asked: bool) -> None:
    """With and without the moves, which can be asked for afterwards."""
    position = near_end(table, 5)
    found = solve(position)
    wanted = solve(position, line=True)
    if asked:
        assert found.line == wanted.line
    for again in (pickle.loads(pickle.dumps(found)), copy.copy(found), copy.deepcopy(found)):
        assert (again._moves is None) == (not asked)
        assert (again.value, again.points, again.nodes) == (found.value, found.points, found.nodes)
        assert (again.moves, again.line) == (wanted.moves, wanted.line)


def test_pickle_keeps_limits() -> None:
    """The moves are then searched under the same ones."""
    position = Position.deal("classic", 5)
    nodes = solve(position).nodes
    with Engine() as engine:
        found = engine.solve(position, Limits(nodes=nodes))
    again = pickle.loads(pickle.dumps(found))
    assert again.exact
    assert again.line == found.line


# -- limits --------------------------------------------------------------------------------------


def test_stopped_later() -> None:
    """A limit that is enough for the value and not for the moves takes nothing from the value."""
    position = Position.deal("classic", 5)
    whole = solve(position)
    found = solve(position, limits=Limits(nodes=whole.nodes))
    assert found.exact
    assert found.value == whole.value
    known = {move.move: move.value for move in whole.moves}
    assert any(move.value is None for move in found.moves)
    assert all(move.value in (None, known[move.move]) for move in found.moves)
    assert found.line == ()
    assert found.exact
    assert found.to_dict()["exact"] is True
    assert "stop" not in found.to_dict()


def test_stopped_at_once() -> None:
    """A value that was not found is not searched for again: the moves have no values."""
    position = Position.deal("classic", 5)
    found = solve(position, limits=Limits(nodes=10))
    assert (found.value, found.exact, found.stop) == (None, False, "nodes")
    assert {move.value for move in found.moves} == {None}
    listed = [move for entry in found.moves for move in (entry.move, *entry.equal)]
    assert sorted(listed) == sorted(position.legal_moves())
    assert found.line == ()
    assert found.to_dict()["stop"] == "nodes"


def test_parts_of_its_json() -> None:
    """What is left out is not searched for."""
    position = Position.deal("classic", 5)
    whole = solve(position).to_dict()
    found = solve(position)
    assert list(found.to_dict(moves=False, line=False)) == [
        "schema", "value", "exact", "nodes", "seconds",
    ]  # fmt: skip
    assert found._moves is None
    moves = found.to_dict(line=False)
    assert found._line is None
    line = found.to_dict(moves=False)
    assert {**line, "moves": moves["moves"], "seconds": 0} == {**whole, "seconds": 0}


def test_stopped_by_request_is_not_taken_up_again() -> None:
    """Three players, a whole round, no limit: to_dict would never come back."""
    position = Position.deal("palestine-52", 1, players=3)
    with Engine() as engine:
        timer = threading.Timer(0.1, engine.stop)
        timer.start()
        found = engine.solve(position)
        timer.join()
    assert found.to_dict()["value"] is None
    assert found.points is None


# -- engines -------------------------------------------------------------------------------------


def test_the_same_engine_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """If it is idle; no other is made."""
    position = near_end(TABLES[0], 1)
    with Engine(table_bytes=1 << 16) as engine:
        found = engine.solve(position)
        monkeypatch.setattr(_core, "EngineData", None)
        assert found.moves


@pytest.mark.parametrize("state", ["closed", "gone", "busy"])
def test_another_engine_is_asked(state: str) -> None:
    """If the first is closed, or gone, or in a call."""
    position = near_end(TABLES[0], 1)
    wanted = solve(position, line=True)
    engine = Engine(table_bytes=1 << 16)
    found = engine.solve(position)
    stream = engine.stream(View("7D 5C KH", "3C 2H 5S"), Limits(worlds=64), every=0.0)
    if state == "closed":
        engine.close()
    elif state == "busy":
        next(stream)
        with pytest.raises(EngineBusyError):
            engine.solve(position)
    else:
        del stream, engine
        gc.collect()
    assert (found.moves, found.line) == (wanted.moves, wanted.line)


def test_solve_in_many_threads() -> None:
    """The engines that `solve` keeps are never in two hands, whatever is asked when."""
    positions = [near_end(TABLES[0], seed) for seed in range(20)]
    wanted = [(s.value, s.moves, s.line) for s in map(solve, positions)]
    wrong: list[object] = []

    def work(seed: int) -> None:
        for number in random.Random(seed).choices(range(20), k=200):
            found = solve(positions[number])
            if (found.value, found.moves, found.line) != wanted[number]:
                wrong.append(found)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert not wrong


def test_solutions_do_not_keep_engines() -> None:
    """Nor the megabytes of their tables."""
    engine = Engine()
    found = engine.solve(near_end(TABLES[0], 1))
    seen = weakref.ref(engine)
    del engine
    gc.collect()
    assert seen() is None
    assert found.moves


def test_the_engine_is_idle_again() -> None:
    """After an answer, and after an error."""
    with Engine() as engine:
        found = engine.solve(near_end(TABLES[0], 1))
        _ = found.line
        assert engine.last_result is found
        assert engine.solve(near_end(TABLES[0], 2)).exact
    with pytest.raises(ArgumentError):
        engine.solve(near_end(TABLES[0], 2))


def test_threads_ask_at_once() -> None:
    """All get the same object."""
    for seed in range(5):
        with Engine() as engine:
            found = engine.solve(list(positions_of(both("classic").ours, 2, False, seed))[-17])
            barrier = threading.Barrier(4)
            got: list[object] = []

            def ask(
                found: Solution = found,
                barrier: threading.Barrier = barrier,
                got: list[object] = got,
            ) -> None:
                barrier.wait()
                got.append(found.line)
                got.append(found.moves)

            threads = [threading.Thread(target=ask) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert len(got) == 8
            assert len({id(part) for part in got}) == 2


INTERRUPTED = """
import _thread, threading, time
from basra import Engine, Limits, Position, solve

position = Position.deal("classic", 5)
for known in range(6):
    position.play(position.legal_moves()[0])
three = Position.deal("palestine-52", 1, players=3)
with Engine() as engine:
    # A value that is there, of a position whose moves take for ever.
    found = engine.solve(position)
    slow = type(found).restore(
        type(found), (2, (0, 0, 0, 0), 1, 0, 1, 0.1, three.data, three.rules, None, None, None),
        found._source,
    )
    for _ in range(2):
        timer = threading.Timer(0.3, _thread.interrupt_main)
        timer.start()
        try:
            slow.moves
            print("not interrupted")
        except KeyboardInterrupt:
            print("interrupted", slow.exact, slow.value, slow._moves)
        timer.join()
    assert engine.last_result is found
    assert found.moves == solve(position).moves
"""


def test_interrupted() -> None:
    """Ctrl-C goes up; nothing is broken, and the moves may be asked for again."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["interrupted True 1 None"] * 2


FORKED = """
import os, signal, threading, time
from basra import Position, solve

def child():
    # In a child of another thread than the main one, that thread is the main one.
    def interrupt():
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=interrupt).start()
    try:
        solve(Position.deal("palestine-52", 1, players=3))
    except KeyboardInterrupt:
        os._exit(7)
    os._exit(0)

def parent():
    pid = os.fork()
    if pid == 0:
        child()
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))

thread = threading.Thread(target=parent)
thread.start()
thread.join()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_interrupted_after_a_fork() -> None:
    """The thread that forked hears of signals."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKED],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.stdout, done.returncode) == ("7\n", 0), done.stderr
