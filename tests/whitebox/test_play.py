"""What players reckon with: bounds of trees, expected answers, worlds drawn one by one."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from whitebox.build import Module, module

SOURCE = """
#include <stdbool.h>
#include "play/tree.c"
#include "play/careful.c"
#include "knowledge/worlds.h"
static random_stream stream_of(uint64_t seed) { return random_open(seed, 1, 1); }
"""

CDEF = """
typedef uint64_t bag;
typedef struct tree_node {
    uint64_t complete;
    int64_t total;
    int32_t mean, width, gain;
    uint32_t index, first, next, visits, met;
    uint8_t type, cards;
    ...;
} tree_node;
typedef struct forest { tree_node *node; uint32_t count, room, most; ...; } forest;
void forest_open(uint32_t most, int32_t explore, forest *f);
void forest_free(forest *f);
basra_status forest_need(forest *f, uint32_t more);
uint32_t forest_add(forest *f);
uint32_t forest_child(const forest *f, uint32_t node, int type, uint32_t index);
uint32_t forest_count(const forest *f, uint32_t node, int type);
uint32_t forest_select(forest *f, uint32_t node, uint64_t types);
void forest_record(forest *f, uint32_t node, int32_t value);
int64_t root_of_log(const forest *f, uint32_t n);
int32_t width_for(const forest *f, uint32_t n);
int64_t expected_most(const int64_t *list, int count, int draws, int64_t at_least);
typedef struct random_stream { uint64_t s[4]; } random_stream;
random_stream stream_of(uint64_t seed);
typedef struct worlds_sampler { uint32_t size; ...; } worlds_sampler;
void worlds_sampler_open(const basra_view *view, const basra_facts *facts, random_stream stream,
                         worlds_sampler *sampler);
void worlds_sampler_draw(worlds_sampler *sampler, basra_world *world);
"""

P: Module = module("play", SOURCE, CDEF)
LIB, FFI = P.lib, P.ffi
UNIT = 1024


def forest(most: int = 1 << 20, explore: int = 20 * UNIT) -> Any:
    made = FFI.new("forest *")
    LIB.forest_open(most, explore, made)
    return made


# -- bounds --------------------------------------------------------------------------------------

COUNTS = [*range(1, 300), 1000, 4095, 4096, 65_537, 1 << 20, 1 << 24]


@pytest.mark.parametrize("explore", [1, 20 * UNIT, 1000 * UNIT])
def test_widths(explore: int) -> None:
    """The exploration constant over the root of the visits, in 1/16, to one part in fifty."""
    f = forest(explore=explore)
    for n in COUNTS:
        wanted = 16 * explore / math.sqrt(n)
        assert abs(LIB.width_for(f, n) - wanted) <= max(1, wanted / 50), n


def test_roots_of_logarithms() -> None:
    f = forest()
    assert LIB.root_of_log(f, 1) == 0
    for n in COUNTS[1:]:
        wanted = 4096 * math.sqrt(math.log(n))
        assert abs(LIB.root_of_log(f, n) - wanted) <= wanted / 16, n
    found = [LIB.root_of_log(f, n) for n in COUNTS]
    assert found == sorted(found)


def test_selection() -> None:
    """The highest bound of the children that may be played; only those are counted as met."""
    dice = random.Random(3)
    for _ in range(200):
        f = forest()
        assert LIB.forest_need(f, 12) == 0
        top = LIB.forest_add(f)
        for index in range(10):
            child = LIB.forest_add(f)
            node = f.node[child]
            node.type, node.index = index % 4, index // 4
            node.next, f.node[top].first = f.node[top].first, child
            for _ in range(dice.randint(1, 30)):
                LIB.forest_record(f, child, dice.randint(-20 * UNIT, 20 * UNIT))
            node.met = node.visits + dice.randint(0, 100)
        types = dice.randrange(1, 16)
        children = [f.node[i] for i in range(2, 12)]
        open_ones = [n for n in children if types >> n.type & 1]
        before = [n.met for n in children]

        def bound(n: Any) -> float:
            return float(n.total / n.visits + 20 * UNIT * math.sqrt(math.log(n.met) / n.visits))

        chosen = f.node[LIB.forest_select(f, top, types)]
        assert types >> chosen.type & 1
        # Tables are coarse: a few hundredths of the width that exploration gives.
        assert bound(chosen) > max(map(bound, open_ones)) - 2.5 * UNIT
        assert [n.met for n in children] == [
            met + (types >> n.type & 1) for met, n in zip(before, children, strict=True)
        ]
        for n in children:
            assert n.mean == int(n.total / n.visits)
        assert LIB.forest_select(f, top, 1 << 5) == 0
        LIB.forest_free(f)


def test_children() -> None:
    f = forest(8)
    assert LIB.forest_need(f, 4) == 0
    top, one, two, three = (LIB.forest_add(f) for _ in range(4))
    for child, kind, index in ((one, 3, 0), (two, 3, 1), (three, 7, 0)):
        f.node[child].type, f.node[child].index = kind, index
        f.node[child].next, f.node[top].first = f.node[top].first, child
    assert [LIB.forest_child(f, top, *key) for key in ((3, 0), (3, 1), (7, 0), (7, 1))] == [
        one,
        two,
        three,
        0,
    ]
    assert [LIB.forest_count(f, top, kind) for kind in (3, 7, 8)] == [2, 1, 0]
    LIB.forest_free(f)


def test_rooms_never_exceed_the_bound() -> None:
    f = forest(3000)
    for number in range(1, 3001):
        assert LIB.forest_need(f, 1) == 0
        assert LIB.forest_add(f) == number
        assert f.count <= f.room <= 3001
    LIB.forest_free(f)
    small = forest(2)
    assert LIB.forest_need(small, 2) == 0
    assert small.room == 3
    LIB.forest_free(small)


# -- expected answers ----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_expected_most(seed: int) -> None:
    """Every hand counted, as a fraction; the lower bound is a card that is held in any case."""
    dice = random.Random(seed)
    count = dice.randint(1, 10)
    draws = dice.randint(0, min(5, count))
    costs = sorted((dice.randint(-20_000, 20_000) for _ in range(count)), reverse=True)
    least = dice.choice([-(2**31), dice.randint(-20_000, 20_000)])
    hands = list(combinations(costs, draws))
    wanted = Fraction(sum(max(*hand, least, -(2**40)) for hand in hands), len(hands))
    found = LIB.expected_most(FFI.new("int64_t[]", costs), count, draws, least)
    assert abs(found - wanted) <= 1


# -- worlds one after another --------------------------------------------------------------------


def test_sampler_is_even() -> None:
    """Draws from a pool that earlier draws have mixed: every hand about as often as any."""
    rules = FFI.new("basra_rules *", LIB.basra_preset_rules(0)[0])
    view = FFI.new("basra_view *", {"hand": 0b1111, "floor": 0b1111 << 4, "players": 2})
    unseen = [20, 21, 22, 30, 31, 40]
    gone = (1 << 52) - 1 & ~(0b11111111 | sum(1 << card for card in unseen))
    facts = FFI.new("basra_facts *", {"unseen": sum(1 << card for card in unseen)})
    facts.hand_size[1] = 2
    view.seen, view.last = gone, -1
    assert rules.deck == 52
    sampler, world = FFI.new("worlds_sampler *"), FFI.new("basra_world *")
    LIB.worlds_sampler_open(view, facts, LIB.stream_of(1), sampler)
    assert sampler.size == 6
    seen: Counter[int] = Counter()
    pairs: Counter[tuple[int, int]] = Counter()
    last = 0
    for _ in range(15_000):
        LIB.worlds_sampler_draw(sampler, world)
        assert world.hand[0] == view.hand
        seen[world.hand[1]] += 1
        pairs[last, world.hand[1]] += 1
        last = world.hand[1]
    hands = [1 << a | 1 << b for a, b in combinations(unseen, 2)]
    assert set(seen) == set(hands)
    # 15 hands, about 1,000 times each: chi squared of 14 and 224 degrees of freedom.
    assert sum((n - 1000) ** 2 / 1000 for n in seen.values()) < 36
    follow = [pairs[a, b] for a in hands for b in hands]
    assert sum((n - 1000 / 15) ** 2 / (1000 / 15) for n in follow) < 300
