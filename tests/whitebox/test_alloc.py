"""Every allocation of every call fails once: the call says so, leaks nothing, can be repeated."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from basra import Rules
from basra.models import POLICY, Part, model_bytes
from policy_helpers import part_bytes
from whitebox.build import Module, module
from whitebox.modules import random_position

OK, NOMEM = 0, 1
ROOM = 4096
WORLDS = 3

SOURCE = """
#include <stdbool.h>
#include <stdlib.h>
#include "basra.h"
#include "failing_allocator.h"
#include "knowledge/belief.h"
#include "play/player.h"
#include "play/policy_player.h"

static long live_blocks, requests, fail_at;
static bool fail_on;

static bool refused(void)
{
    requests++;
    return fail_at && (fail_on ? requests >= fail_at : requests == fail_at);
}

static void *counted(void *block)
{
    if (block) live_blocks++;
    return block;
}

void *failing_malloc(size_t size) { return refused() ? NULL : counted(malloc(size)); }

void *failing_calloc(size_t count, size_t size)
{
    return refused() ? NULL : counted(calloc(count, size));
}

void *failing_realloc(void *block, size_t size)
{
    if (refused()) return NULL;
    return block ? realloc(block, size) : counted(realloc(NULL, size));
}

void failing_free(void *block)
{
    if (block) live_blocks--;
    free(block);
}

/* Request number `at` fails, 0 = none; with `on` all the later ones as well. */
static void fail_request(long at, bool on)
{
    requests = 0;
    fail_at = at;
    fail_on = on;
}

static long count_live(void) { return live_blocks; }
static long count_requests(void) { return requests; }
"""

CDEF = """
void fail_request(long at, bool on);
long count_live(void);
long count_requests(void);

basra_status belief_chances(const basra_rules *rules, const basra_view *view,
                            const basra_model *model, int trust, uint64_t seed, int seat,
                            uint32_t *before, uint32_t *after);
typedef struct policy_list { size_t decision_count, feature_count; ...; } policy_list;
void policy_list_free(policy_list *list);
basra_status policy_record(basra_engine *engine, const basra_rules *rules,
                           const basra_player *player, uint32_t wander, uint64_t seed,
                           const basra_limits *limits, basra_position *position,
                           policy_list *list);
typedef struct marks_by_world {
    int32_t *value; uint64_t *weight; size_t worlds; bool complete;
} marks_by_world;
void marks_by_world_free(marks_by_world *marks);
basra_status player_marks(basra_engine *engine, const basra_rules *rules,
                          const basra_player *player, const basra_view *view, uint64_t seed,
                          const basra_limits *limits, size_t groups, int64_t *marks,
                          marks_by_world *by_world, basra_choice *choice);
"""

M: Module = module(
    "alloc",
    SOURCE,
    CDEF,
    '-DBASRA_ALLOCATOR_HEADER="failing_allocator.h"',
    f"-I{Path(__file__).parent}",
)
LIB, FFI = M.lib, M.ffi

Call = Callable[[], tuple[int, Any]]


def fail_each_request(call: Call, settle: Callable[[], None] = lambda: None) -> int:
    """Runs the call with its first request failing, its second, and so on until none is left.

    `call` gives the status and the answer; `settle` runs the call's clean-up, after which nothing
    that it allocated may be left. Returns the number of requests.
    """
    LIB.fail_request(0, False)
    before = LIB.count_live()
    status, answer = call()
    assert status == OK
    requests = int(LIB.count_requests())
    settle()
    assert LIB.count_live() == before
    for on in (False, True):
        for at in range(1, requests + 1):
            LIB.fail_request(at, on)
            status, _ = call()
            assert status == NOMEM, f"request {at} of {requests}"
            # What failed once works as if nothing had been.
            LIB.fail_request(0, False)
            assert call() == (OK, answer)
            settle()
            assert LIB.count_live() == before
    return requests


def preset(name: bytes) -> Any:
    for index in range(LIB.basra_preset_count()):
        if FFI.string(LIB.basra_preset_name(index)) == name:
            return FFI.new("basra_rules *", LIB.basra_preset_rules(index)[0])
    raise LookupError(name)


CLASSIC, PALESTINE = preset(b"classic"), preset(b"palestine-52")
# Wide enough that every growing list grows more than once.
CROWDED = sum(1 << card for card in range(0, 40, 3)) | 7 << 44
QUEEN_TEN_NINE = 1 << 47 | 1 << 37 | 1 << 35


def moves_text(moves: Any, count: int) -> list[tuple[int, int, int, int]]:
    return [(m.card, m.taken, m.basra, m.points) for m in moves[0:count]]


def test_engine_new() -> None:
    made: list[Any] = []

    def call() -> tuple[int, Any]:
        out = FFI.new("basra_engine **")
        status = LIB.basra_engine_new(0, out)
        assert (out[0] == FFI.NULL) == (status != OK)
        made.append(out[0])
        return status, None

    def settle() -> None:
        while made:
            LIB.basra_engine_free(made.pop())

    assert fail_each_request(call, settle) >= 2


def test_captures() -> None:
    moves, count, trail = FFI.new(f"basra_move[{ROOM}]"), FFI.new("size_t *"), FFI.new("int *")

    def call() -> tuple[int, Any]:
        status = LIB.basra_captures(PALESTINE, CROWDED, 37, moves, ROOM, count, trail)
        return status, moves_text(moves, count[0]) if status == OK else None

    assert fail_each_request(call) >= 3


def test_legal_moves() -> None:
    moves, count = FFI.new(f"basra_move[{ROOM}]"), FFI.new("size_t *")

    def call() -> tuple[int, Any]:
        status = LIB.basra_legal_moves(
            PALESTINE, QUEEN_TEN_NINE, CROWDED & ~QUEEN_TEN_NINE, 0, moves, ROOM, count
        )
        return status, moves_text(moves, count[0]) if status == OK else None

    assert fail_each_request(call) >= 3


def position(rules: Any, players: int, deals: int, seed: int = 1) -> Any:
    return random_position(M, rules, players, random.Random(seed), deals)


def test_position_moves_and_play() -> None:
    p = position(CLASSIC, 2, 2, seed=4)
    moves, count = FFI.new(f"basra_move[{ROOM}]"), FFI.new("size_t *")

    def list_moves() -> tuple[int, Any]:
        status = LIB.basra_position_moves(CLASSIC, p, moves, ROOM, count)
        return status, moves_text(moves, count[0]) if status == OK else None

    fail_each_request(list_moves)
    taking = next(m for m in moves[0 : count[0]] if m.taken)

    def play() -> tuple[int, Any]:
        copy = FFI.new("basra_position *", p[0])
        status = LIB.basra_position_play(CLASSIC, taking.card, taking.taken, copy)
        if status != OK:
            assert bytes(FFI.buffer(copy)) == bytes(FFI.buffer(p))
        return status, bytes(FFI.buffer(copy)) if status == OK else None

    fail_each_request(play)


def test_perft() -> None:
    p = position(PALESTINE, 2, 1)
    count = FFI.new("uint64_t *")

    def call() -> tuple[int, Any]:
        status = LIB.basra_perft(PALESTINE, p, 3, FFI.NULL, FFI.NULL, count)
        return status, count[0] if status == OK else None

    assert fail_each_request(call) >= 4


def fail_each_request_of_engine(run: Callable[[Any], tuple[int, Any]]) -> int:
    """As fail_each_request, for calls of an engine: it is new for every failure, and used after."""
    base = LIB.count_live()
    LIB.fail_request(0, False)

    def with_engine(at: int, on: bool) -> tuple[int, Any, int]:
        out = FFI.new("basra_engine **")
        LIB.fail_request(0, False)
        assert LIB.basra_engine_new(1, out) == OK
        LIB.fail_request(at, on)
        status, answer = run(out[0])
        requests = int(LIB.count_requests())
        LIB.fail_request(0, False)
        if at:
            assert status == NOMEM, f"request {at}"
            status, answer = run(out[0])
        assert status == OK
        LIB.basra_engine_free(out[0])
        assert LIB.count_live() == base
        return status, answer, requests

    _, expected, total = with_engine(0, False)
    for on in (False, True):
        for at in range(1, total + 1):
            assert with_engine(at, on)[1] == expected
    return total


@pytest.mark.parametrize("players", [2, 3])
def test_solve(players: int) -> None:
    rules = PALESTINE
    p = position(rules, players, 1, seed=players)
    moves, line = FFI.new(f"basra_scored[{ROOM}]"), FFI.new("basra_move[52]")
    solution = FFI.new("basra_solution *")

    def run(engine: Any) -> tuple[int, Any]:
        status = LIB.basra_solve(engine, rules, p, FFI.NULL, 1, moves, ROOM, line, solution)
        if status != OK:
            return status, None
        values = [(m.move.card, m.move.taken, m.value) for m in moves[0 : solution.moves]]
        return status, (values, moves_text(line, solution.line))

    assert fail_each_request_of_engine(run) >= 4


@pytest.mark.parametrize("players", [2, 3])
def test_value(players: int) -> None:
    p = position(PALESTINE, players, 2, seed=players)
    solution = FFI.new("basra_solution *")

    def run(engine: Any) -> tuple[int, Any]:
        status = LIB.basra_value(engine, PALESTINE, p, FFI.NULL, solution)
        assert status == OK or not solution.known
        return status, (solution.value, solution.nodes) if status == OK else None

    assert fail_each_request_of_engine(run) >= 2


@pytest.mark.parametrize("players", [2, 3])
def test_review(players: int) -> None:
    dealt = position(PALESTINE, players, 1, seed=players)
    p = FFI.new("basra_position *", {"players": players, "last": dealt.last})
    p.hand, p.floor, p.cards = dealt.hand, dealt.floor, dealt.cards
    p.turn, p.leader = dealt.turn, dealt.leader
    fault, detail = FFI.new("basra_fault *"), FFI.new("int *")
    assert LIB.basra_position_complete(PALESTINE, 0, p, fault, detail) == OK, fault[0]
    moves, count = FFI.new(f"basra_scored[{ROOM}]"), FFI.new("size_t *")
    plies, solution = FFI.new("basra_ply[52]"), FFI.new("basra_solution *")
    legal = FFI.new(f"basra_move[{ROOM}]")
    LIB.fail_request(0, False)
    for _ in range(4):
        assert LIB.basra_position_moves(PALESTINE, p, legal, ROOM, count) == OK
        assert LIB.basra_position_play(PALESTINE, legal[0].card, legal[0].taken, p) == OK

    def run(engine: Any) -> tuple[int, Any]:
        status = LIB.basra_review(engine, PALESTINE, p, FFI.NULL, moves, ROOM, plies, solution)
        if status != OK:
            return status, None
        values = [(m.move.card, m.move.taken, m.value) for m in moves[0 : solution.moves]]
        return status, (values, solution.value, [ply.best for ply in plies[0:4]])

    assert fail_each_request_of_engine(run) >= 4


def view_of(rules: Any, players: int) -> Any:
    """A view in the middle of a deal, with plays of this deal, one of them a capture."""
    for seed in range(100):
        p = position(rules, players, 2, seed)
        view = FFI.new("basra_view *")
        assert LIB.basra_view_of(rules, p, view) == OK
        if any(view.played[i].taken for i in range(view.played_size)):
            return view
    raise LookupError("no view with a capture in this deal")


VIEW_TABLES = [
    pytest.param(CLASSIC, 2, id="classic-2"),
    pytest.param(PALESTINE, 3, id="palestine-52-3"),
]


def complete(rules: Any, view: Any) -> int:
    facts, fault = FFI.new("basra_facts *"), FFI.new("basra_fault *")
    return int(LIB.basra_view_complete(rules, view, facts, fault, FFI.new("int *")))


def test_marks_by_world() -> None:
    LIB.fail_request(0, False)
    status, model = policy_model("classic")
    assert status == OK
    view = view_of(CLASSIC, 2)
    assert complete(CLASSIC, view) == OK
    player = FFI.new("basra_player *")
    player.model, player.method, player.effort = model, 6, 3
    player.trust, player.memory = 100, 100
    groups = FFI.new("size_t *")
    moves, count = FFI.new("basra_scored[]", ROOM), FFI.new("size_t *")
    assert LIB.basra_view_moves(CLASSIC, view, moves, ROOM, count, groups) == OK
    marks = FFI.new("int64_t[]", groups[0])
    found, choice = FFI.new("marks_by_world *"), FFI.new("basra_choice *")

    def run(engine: Any) -> tuple[int, Any]:
        status = LIB.player_marks(
            engine, CLASSIC, player, view, 1, FFI.NULL, groups[0], marks, found, choice
        )
        size = found.worlds * groups[0]
        told = [found.value[i] for i in range(size)] if status == OK else None
        LIB.marks_by_world_free(found)
        return status, told

    assert groups[0] > 1
    assert fail_each_request_of_engine(run) >= 6
    LIB.fail_request(0, False)
    LIB.basra_model_free(model)


@pytest.mark.parametrize(("rules", "players"), VIEW_TABLES)
def test_view_complete(rules: Any, players: int) -> None:
    view = view_of(rules, players)

    def call() -> tuple[int, Any]:
        copy = FFI.new("basra_view *", view[0])
        status = complete(rules, copy)
        return status, (copy.seen, copy.last, copy.deal) if status == OK else None

    assert fail_each_request(call) >= 1


@pytest.mark.parametrize(("rules", "players"), VIEW_TABLES)
def test_view_moves(rules: Any, players: int) -> None:
    view = view_of(rules, players)
    assert complete(rules, view) == OK
    moves = FFI.new(f"basra_scored[{ROOM}]")
    count, groups = FFI.new("size_t *"), FFI.new("size_t *")

    def call() -> tuple[int, Any]:
        status = LIB.basra_view_moves(rules, view, moves, ROOM, count, groups)
        listed = [(m.move.card, m.move.taken, m.group) for m in moves[0 : count[0]]]
        return status, listed if status == OK else None

    assert fail_each_request(call) >= 4


@pytest.mark.parametrize(("rules", "players"), VIEW_TABLES)
def test_worlds(rules: Any, players: int) -> None:
    view = view_of(rules, players)
    assert complete(rules, view) == OK
    worlds, count = FFI.new(f"basra_world[{ROOM}]"), FFI.new("size_t *")

    def sample() -> tuple[int, Any]:
        status = LIB.basra_worlds_sample(rules, view, 1, 0, WORLDS, worlds)
        return status, [list(w.hand) for w in worlds[0:WORLDS]] if status == OK else None

    def list_all() -> tuple[int, Any]:
        status = LIB.basra_worlds_all(rules, view, worlds, ROOM, count)
        return status, [list(w.hand) for w in worlds[0 : count[0]]] if status == OK else None

    fail_each_request(sample)
    fail_each_request(list_all)


@pytest.mark.parametrize(("rules", "players"), VIEW_TABLES)
def test_world_values(rules: Any, players: int) -> None:
    view = view_of(rules, players)
    assert complete(rules, view) == OK
    moves = FFI.new(f"basra_scored[{ROOM}]")
    count, groups, done = FFI.new("size_t *"), FFI.new("size_t *"), FFI.new("size_t *")
    worlds, nodes = FFI.new(f"basra_world[{WORLDS}]"), FFI.new(f"uint64_t[{WORLDS}]")
    stop = FFI.new("basra_stop *")
    LIB.fail_request(0, False)
    assert LIB.basra_view_moves(rules, view, moves, ROOM, count, groups) == OK
    assert LIB.basra_worlds_sample(rules, view, 1, 0, WORLDS, worlds) == OK
    size = WORLDS * groups[0] * (players if players > 2 else 1)
    values = FFI.new(f"int32_t[{size}]")

    def run(engine: Any) -> tuple[int, Any]:
        status = LIB.basra_world_values(
            engine,
            rules,
            view,
            FFI.NULL,
            worlds,
            WORLDS,
            FFI.NULL,
            groups[0],
            values,
            nodes,
            done,
            stop,
        )
        return status, (list(values), list(nodes), done[0]) if status == OK else None

    assert fail_each_request_of_engine(run) >= 2


@pytest.mark.parametrize(("rules", "players"), VIEW_TABLES)
def test_reply_cards(rules: Any, players: int) -> None:
    view = view_of(rules, players)
    assert complete(rules, view) == OK
    moves, reply = FFI.new(f"basra_scored[{ROOM}]"), FFI.new("basra_reply *")
    count, groups = FFI.new("size_t *"), FFI.new("size_t *")
    LIB.fail_request(0, False)
    assert LIB.basra_view_moves(rules, view, moves, ROOM, count, groups) == OK
    trail = FFI.new("basra_move *", moves[0].move)

    def call() -> tuple[int, Any]:
        status = LIB.basra_reply_cards(rules, view, trail, reply)
        return status, (reply.basra_cards, reply.sweep_cards) if status == OK else None

    fail_each_request(call)


# Careful, and both tree searches, with more nodes than the first room holds.  Captures of most
# floors need no memory, as the engine knows them from the ranks.
@pytest.mark.parametrize("method", [3, 7, 8])
@pytest.mark.parametrize(("rules", "players"), VIEW_TABLES)
def test_choose(rules: Any, players: int, method: int) -> None:
    view = view_of(rules, players)
    assert complete(rules, view) == OK
    player = FFI.new("basra_player *", {"method": method, "effort": 1500, "memory": 100})
    choice = FFI.new("basra_choice *")

    def run(engine: Any) -> tuple[int, Any]:
        status = LIB.basra_choose(engine, rules, player, view, 1, FFI.NULL, choice)
        found = (choice.move.card, choice.move.taken, choice.work)
        return status, found if status == OK else None

    assert fail_each_request_of_engine(run) >= (7 if method == 3 else 9)


# -- policy and belief ---------------------------------------------------------------------------


def policy_model(name: str) -> Any:
    """A model with a policy, and the call that reads it; freed by the caller."""
    rules = Rules.preset(name)
    data = model_bytes(rules, [Part(POLICY, 0, 0, part_bytes(rules, 1))])
    model, fault = FFI.new("basra_model **"), FFI.new("basra_fault *")
    status = LIB.basra_model_read(preset(name.encode()), data, len(data), model, fault)
    return int(status), model[0]


def test_read_a_policy() -> None:
    made: list[Any] = []

    def call() -> tuple[int, Any]:
        status, model = policy_model("classic")
        assert (model == FFI.NULL) == (status != OK)
        made.append(model)
        return status, None

    def settle() -> None:
        while made:
            LIB.basra_model_free(made.pop())

    assert fail_each_request(call, settle) >= 2


WITH_A_POLICY = [
    pytest.param(CLASSIC, 2, 4, 0, id="policy-2"),
    pytest.param(PALESTINE, 3, 4, 0, id="policy-3"),
    pytest.param(CLASSIC, 2, 5, 100, id="belief-2"),
    pytest.param(PALESTINE, 3, 5, 100, id="belief-3"),
    pytest.param(CLASSIC, 2, 6, 100, id="expectimax-2"),
]


@pytest.mark.parametrize(("rules", "players", "method", "trust"), WITH_A_POLICY)
def test_players_with_a_policy(rules: Any, players: int, method: int, trust: int) -> None:
    LIB.fail_request(0, False)
    status, model = policy_model("classic" if players == 2 else "palestine-52")
    assert status == OK
    view = view_of(rules, players)
    assert complete(rules, view) == OK
    player = FFI.new("basra_player *")
    player.model, player.method, player.effort = model, method, 3
    player.trust, player.memory = trust, 100
    choice = FFI.new("basra_choice *")

    def run(engine: Any) -> tuple[int, Any]:
        status = LIB.basra_choose(engine, rules, player, view, 1, FFI.NULL, choice)
        return status, (choice.move.card, choice.move.taken, choice.work) if status == OK else None

    assert fail_each_request_of_engine(run) >= 4
    LIB.fail_request(0, False)
    LIB.basra_model_free(model)


@pytest.mark.parametrize(("rules", "players"), VIEW_TABLES)
def test_chances_of_cards(rules: Any, players: int) -> None:
    LIB.fail_request(0, False)
    status, model = policy_model("classic" if players == 2 else "palestine-52")
    assert status == OK
    view = view_of(rules, players)
    assert complete(rules, view) == OK
    before, after = FFI.new("uint32_t[52]"), FFI.new("uint32_t[52]")
    seat = (view.seat + 1) % players

    def call() -> tuple[int, Any]:
        status = LIB.belief_chances(rules, view, model, 100, 1, seat, before, after)
        return status, (list(before), list(after)) if status == OK else None

    assert fail_each_request(call) >= 4
    LIB.fail_request(0, False)
    LIB.basra_model_free(model)


def test_recording() -> None:
    start = position(CLASSIC, 2, 1)
    player = FFI.new("basra_player *")
    player.method, player.memory = 1, 100

    def run(engine: Any) -> tuple[int, Any]:
        copy, made = FFI.new("basra_position *", start[0]), FFI.new("policy_list *")
        status = LIB.policy_record(engine, CLASSIC, player, 4, 1, FFI.NULL, copy, made)
        answer = (made.decision_count, made.feature_count)
        LIB.policy_list_free(made)
        return status, answer if status == OK else None

    assert fail_each_request_of_engine(run) >= 4
