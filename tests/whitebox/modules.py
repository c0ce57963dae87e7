"""The modules on C internals that the tests use, and what they share."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from whitebox.build import Module, module

TYPES_CDEF = """
typedef uint64_t bag;
typedef struct card_types {
    int count;
    uint8_t type_of[52];
    uint8_t rank[52];
    bag unit[52];
    bag field[52];
    uint64_t members[52];
    int32_t points[52];
    bag wild;
    int sweeper;
    uint8_t nibble_of[13][16];
    uint8_t cards_in[13][16];
    int32_t points_in[13][16];
    uint16_t parts_of[13][16];
    ...;
} card_types;
void types_init(const basra_rules *rules, bool identity, card_types *types);
bag types_bag(const card_types *types, uint64_t set);
uint64_t types_pick(const card_types *types, uint64_t from, bag want);
int bag_compare(const card_types *types, bag a, bag b);
int bag_cards(const card_types *types, bag b);
int32_t bag_points(const card_types *types, bag b);
int bag_count(const card_types *types, bag b, int type);
"""

GAME_CDEF = (
    TYPES_CDEF
    + """
int set_compare(uint64_t a, uint64_t b);
int set_count(uint64_t set);

typedef struct capture_work { uint8_t *cells; bag *taken; ...; } capture_work;
typedef struct box {
    int value, axes;
    int rank[10];
    int worth[10];
    int most[10];
    size_t cells;
    bag wild;
    int wild_axis;
    ...;
} box;
typedef struct cursor { size_t cell; int digit[10]; int total; } cursor;
box box_of(const card_types *types, bag floor, int type);
bool cursor_up(const box *b, cursor *c);
bool cursor_down(const box *b, cursor *c);
basra_status need_cells(capture_work *work, size_t size);
basra_status mark_laid(const box *b, capture_work *work);
void sort_bags(const card_types *types, bag *list, size_t count);
void captures_free(capture_work *work);
basra_status captures_list(const card_types *types, bag floor, int type, size_t at,
                           capture_work *work, size_t *count);
bool captures_any(const card_types *types, bag floor, int type);
bool captures_whole(const card_types *types, bag floor, int type);
bool split_from(int *counts, int value, int left, int room, int next);
bool equal_groups(const card_types *types, bag floor);

int32_t chance_of_more(int lead, int left);
void expect_majority(int sides, const int *cards, int left, int32_t bonus, int32_t *share);
uint64_t root_of(uint64_t n);

typedef struct random_stream { uint64_t s[4]; } random_stream;
random_stream random_open(uint64_t seed, uint64_t purpose, uint64_t index);
uint64_t random_next(random_stream *stream);
uint32_t random_below(random_stream *stream, uint32_t bound);
void random_shuffle(random_stream *stream, uint8_t *cards, uint32_t count);
"""
)

GAME_SOURCE = """
#include <stdbool.h>
#include "game/types.c"
#include "game/capture.c"
#include "game/random.c"
#include "search/evaluate.c"
"""

# The switch lets the very same search run with every card a type of its own.
SEARCH_SOURCE = """
#include <stdbool.h>
#include "game/types.h"
static bool all_distinct;
static void types_init_switched(const basra_rules *rules, bool identity, card_types *types)
{
    types_init(rules, identity || all_distinct, types);
}
#define types_init types_init_switched
#include "search/problem.c"
#undef types_init
#include "search/engine.c"
static void set_all_distinct(bool on) { all_distinct = on; }
"""

SEARCH_CDEF = (
    TYPES_CDEF
    + """
void set_all_distinct(bool on);
typedef struct search_problem {
    card_types types;
    int deals, players, sides;
    bool monotone, to_round_end;
    int32_t bonus;
    ...;
} search_problem;
typedef struct search_node {
    bag floor;
    uint64_t held;
    uint8_t cards[4];
    uint8_t deal, turn;
    int8_t last;
} search_node;
typedef struct search_move { bag taken; int32_t gain; uint8_t slot, cards, type; } search_move;
typedef struct move_stack { search_move *moves; size_t size; } move_stack;
typedef struct problem_setup {
    uint64_t hand[4];
    uint64_t floor;
    const uint8_t *stock;
    int stock_size, unsearched;
    int32_t carry;
    uint8_t cards[4];
    uint8_t players, partners, leader, turn;
    int8_t last;
} problem_setup;
void problem_init(const basra_rules *rules, const problem_setup *setup, search_problem *problem,
                  search_node *root);
void problem_play(const search_problem *problem, const search_node *node, const search_move *move,
                  search_node *next);
int problem_uncaptured(const search_problem *problem, const search_node *node);
struct basra_engine {
    size_t pair_mask, many_mask, mask;
    uint16_t owner;
    move_stack stack;
    search_problem problem;
    ...;
};
size_t engine_moves(basra_engine *engine, const search_node *node, size_t at);
void engine_own(basra_engine *engine, bool many);
basra_status engine_enter(basra_engine *engine, const basra_limits *limits);
void engine_leave(basra_engine *engine);
size_t mask_for(size_t bytes, size_t bucket);
"""
)

PAIR_CDEF = """
typedef struct standing { int8_t lead, last; } standing;
typedef struct pair_entry {
    uint64_t key[2];
    int32_t low, high;
    standing low_at, high_at;
    uint8_t best, depth;
    ...;
} pair_entry;
void make_key(const search_node *node, uint64_t *key);
standing standing_of(const search_problem *problem, const search_node *node);
bool as_good(const search_problem *problem, standing a, standing b);
pair_entry *find(const basra_engine *engine, const uint64_t *key);
void store(const basra_engine *engine, const uint64_t *key, uint8_t depth, standing at,
           int32_t value, int32_t alpha, int32_t beta, size_t best);
int32_t alphabeta(basra_engine *engine, const search_node *node, int32_t alpha, int32_t beta,
                  size_t at);
"""

MANY_CDEF = """
typedef struct many_entry {
    uint64_t key[3];
    int32_t points[4];
    uint8_t depth;
    ...;
} many_entry;
void make_key(const search_problem *problem, const search_node *node, uint64_t *key);
many_entry *find(const basra_engine *engine, const uint64_t *key);
void store(const basra_engine *engine, const uint64_t *key, uint8_t depth, const int32_t *points);
"""


@cache
def game() -> Module:
    """Types, captures, random streams and evaluation."""
    return module("game", GAME_SOURCE, GAME_CDEF)


@cache
def pair() -> Module:
    """Search for two sides."""
    source = SEARCH_SOURCE + '#include "search/alphabeta.c"\n'
    return module("pair", source, SEARCH_CDEF + PAIR_CDEF)


@cache
def many() -> Module:
    """Search for several single players."""
    source = SEARCH_SOURCE + '#include "search/maxn.c"\n'
    return module("many", source, SEARCH_CDEF + MANY_CDEF)


REFERENCE_SOURCE = """
#include "tools/reference.c"
#include "tools/rules_text.c"
#include "tools/sample.c"
"""

REFERENCE_CDEF = """
typedef struct reference reference;
reference *reference_new(size_t table_bytes);
void reference_free(reference *r);
basra_status reference_value(reference *r, const basra_rules *rules, const basra_position *p,
                             int32_t *value, uint64_t *visits);
basra_status reference_moves(reference *r, const basra_rules *rules, const basra_position *p,
                             int32_t *values, size_t capacity, size_t *count);
int rules_text_read(const char *text, basra_rules *rules);
typedef struct sample_table {
    const char *name;
    basra_rules rules;
    int players, partners;
} sample_table;
int sample_table_read(const char *rules, int players, int partners, sample_table *table);
int sample_cards_left(const sample_table *table, int deals);
void sample_deals(const sample_table *table, uint64_t *dice, int deals, int plies,
                  basra_position *p);
void sample_made_up(const sample_table *table, uint64_t *dice, int deals, int plies,
                    basra_position *p);
"""


@cache
def reference() -> Module:
    """The plain solver of the tools, and where they take positions from."""
    return module("reference", REFERENCE_SOURCE, REFERENCE_CDEF)


def cards_of(mask: int) -> list[int]:
    """The members of a set, ascending."""
    return [card for card in range(52) if mask >> card & 1]


def mask_of(cards: Iterable[int]) -> int:
    """The set of these cards."""
    return sum(1 << card for card in set(cards))


def rule_sets(m: Module) -> Iterator[Any]:
    """The presets, then rules that split ranks and change duties in every way."""
    for index in range(m.lib.basra_preset_count()):
        yield m.ffi.new("basra_rules *", m.lib.basra_preset_rules(index)[0])
    dice = random.Random(5)
    for index in range(12):
        rules = m.ffi.new("basra_rules *", m.lib.basra_preset_rules(index % 5)[0])
        rules.choice = index & 1
        rules.must_capture = index % 3
        rules.seven_diamonds = index // 2 % 3
        rules.seven_basra = 0 if not rules.seven_diamonds else 1 + index % 3
        rules.tables = 15
        for _ in range(index * 2):
            rules.card_points[dice.randrange(rules.deck)] = dice.randint(-2, 4)
        fault = m.ffi.new("basra_fault *")
        assert m.lib.basra_rules_check(rules, fault) == 0, fault[0]
        yield rules


def random_position(m: Module, rules: Any, players: int, dice: random.Random, deals: int) -> Any:
    """A round played at random to the start of its last deals, then a little further."""
    p = m.ffi.new("basra_position *")
    partners = players == 4
    lib = m.lib
    assert lib.basra_position_deal(rules, players, partners, 0, dice.getrandbits(60), p) == 0
    left = (deals - 1) * players * rules.hand_size
    moves = m.ffi.new("basra_move[2048]")
    count = m.ffi.new("size_t *")
    plies = dice.randrange(players * 2)
    while p.stock_size - p.stock_next > left or plies > 0:
        if p.stock_size - p.stock_next <= left:
            plies -= 1
        assert lib.basra_position_moves(rules, p, moves, 2048, count) == 0
        move = moves[dice.randrange(count[0])]
        assert lib.basra_position_play(rules, move.card, move.taken, p) == 0
    return p
