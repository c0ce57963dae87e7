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
bool can_help(const card_types *types, bag floor, int rank, int value);
bool list_ordinary(const card_types *types, bag floor, int type, size_t at, capture_work *work,
                   size_t *count, basra_status *status);
basra_status list_any(const box *b, size_t at, capture_work *work, size_t *count);
basra_status list_maximal(const box *b, size_t at, capture_work *work, size_t *count);
bool captures_any(const card_types *types, bag floor, int type);
bool captures_whole(const card_types *types, bag floor, int type);
bool split_from(int *counts, int value, int left, int room, int next);
bool equal_groups(const card_types *types, bag floor);

int32_t chance_of_more(int lead, int left);
void expect_majority(int sides, const int *cards, int left, int32_t bonus, int32_t *share);
int32_t normal_chance(int32_t distance, int32_t deviation);
uint64_t root_of(uint64_t n);

typedef struct random_stream { uint64_t s[4]; } random_stream;
random_stream random_open(uint64_t seed, uint64_t purpose, uint64_t index);
uint64_t random_next(random_stream *stream);
uint32_t random_below(random_stream *stream, uint32_t bound);
uint32_t random_remainder(uint32_t draw, uint32_t bound);
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
#include "search/problem.c"
#define types_init types_init_switched
#include "search/engine.c"
#undef types_init
#include "search/generate.c"
static void set_all_distinct(bool on) { all_distinct = on; }
"""

SEARCH_CDEF = (
    TYPES_CDEF
    + """
void set_all_distinct(bool on);
enum { CACHED_CAPTURES, CACHED_LISTS, PLACE_OWNERS };
typedef struct search_move {
    bag change;
    uint64_t others;
    int32_t gain, promise;
    uint8_t slot, type, cards, index;
    uint32_t ranks;
} search_move;
bag search_taken(const search_move *move);
typedef struct singles_row { uint32_t laid; uint16_t first, mask; } singles_row;
typedef struct search_slot {
    search_move trail;
    bag relevant;
    uint64_t rivals;
    singles_row row;
    int16_t points, promise, basra;
    ...;
} search_slot;
typedef struct search_deal {
    uint64_t all, same_next;
    uint64_t seat[4];
    uint8_t undealt, later;
    search_slot slot[52];
    ...;
} search_deal;
typedef struct search_problem {
    const card_types *types;
    search_deal deal[27];
    int deals, players, sides;
    uint8_t leader;
    bool partners, monotone, plain_end, hand_must, free_trail, to_round_end;
    int32_t bonus;
    ...;
} search_problem;
typedef struct search_place {
    uint64_t floor, held;
    const search_deal *deal;
    uint32_t looks;
    uint8_t turn, left;
} search_place;
typedef struct search_node {
    search_place place;
    uint8_t cards[4];
    int8_t last;
} search_node;
bag place_floor(const search_place *place);
typedef struct problem_setup {
    uint64_t hand[4];
    uint64_t floor;
    const uint8_t *stock;
    int stock_size, unsearched;
    const struct boundary_net *net;
    uint64_t unseen;
    int32_t carry;
    uint8_t cards[4];
    uint8_t players, partners, leader, turn;
    int8_t last;
    ...;
} problem_setup;
typedef struct move_order { int32_t capture[52]; ...; } move_order;
typedef struct single_capture {
    bag bits;
    uint16_t ranks, more;
    uint8_t cards, state;
} single_capture;
enum { LOOKS_SEVERAL, SINGLES_MOST, SINGLES_MORE, SINGLES_SIZE, SINGLE_NONE, SINGLE_MANY };
typedef struct singles { single_capture capture[...]; uint16_t used; ...; } singles;
uint32_t looks_of(const singles *s, bag floor);
typedef struct tally { ...; } tally;
int32_t tally_up(const tally *t, bag b);
int32_t tally_cards(int32_t sum);
int32_t tally_points(int32_t sum);
typedef struct search_lore {
    const card_types *types;
    move_order order;
    tally worth;
    singles singles;
    search_slot slot[52];
    ...;
} search_lore;
typedef struct cached_list { uint64_t key; ...; } cached_list;
typedef struct move_cache { cached_list list[2048]; } move_cache;
typedef struct capture_work { bag *taken; ...; } capture_work;
basra_status singles_fill(const card_types *types, bag part, singles_row row, uint32_t looks,
                          int type, capture_work *work, singles *s);
void captures_free(capture_work *work);
basra_status captures_list(const card_types *types, bag floor, int type, size_t at,
                           capture_work *work, size_t *count);
bool captures_any(const card_types *types, bag floor, int type);
int32_t capture_basra(const card_types *types, bag floor, int type, bag taken);
uint64_t move_cache_key(bag part, int type, bool plain);
int move_cache_type(uint64_t key);
bool move_cache_plain(uint64_t key);
cached_list *move_cache_at(move_cache *cache, uint64_t key);
typedef struct move_memory {
    search_move *moves;
    size_t size;
    basra_status failed;
    capture_work work;
    search_lore lore;
    move_cache cache;
    ...;
} move_memory;
void generate_for(const card_types *types, move_memory *memory);
void problem_init(const search_lore *lore, const problem_setup *setup, search_problem *problem,
                  search_node *root);
void problem_play(const search_problem *problem, const search_node *node, const search_move *move,
                  search_node *next);
int problem_uncaptured(const search_problem *problem, const search_place *place);
struct basra_engine {
    void *table;
    size_t pair_mask, many_mask, mask;
    uint16_t owner;
    bool many;
    uint64_t nodes;
    search_problem problem;
    move_memory memory;
    ...;
};
const card_types *engine_types(basra_engine *engine, const basra_rules *rules);
size_t engine_moves(basra_engine *engine, const search_place *place, size_t at);
void engine_own(basra_engine *engine, bool many);
basra_status engine_enter(basra_engine *engine, const basra_limits *limits);
void engine_leave(basra_engine *engine);
size_t mask_for(size_t bytes, size_t bucket);
"""
)

PAIR_CDEF = """
typedef uint32_t standing;
enum { LEAD_MOST, STANDING_TOP, STANDING_LOWEST, STANDING_HIGHEST, NO_SLOT, VALUE_INFINITE };
standing standing_of(int lead, int last);
int standing_lead(standing at);
int standing_last(standing at);
bool standing_at_least(standing a, standing b);
standing standing_turned(standing at);
standing standing_after(standing at, int cards);
standing standing_with_last(standing lead, standing last);
standing standing_lower(standing a, standing b);
typedef struct proof { int32_t value; standing at; } proof;
typedef struct pair_entry {
    uint64_t floor, held;
    int32_t low, high;
    uint16_t low_at, high_at;
    uint8_t slot, index, depth;
    ...;
} pair_entry;
typedef struct visit { search_place place; standing at; pair_entry *bucket; } visit;
bool proof_reaches(const basra_engine *engine, standing at, standing from);
proof proof_before(const search_move *move, proof after, int32_t beta);
pair_entry *pair_bucket(const basra_engine *engine, uint64_t floor, uint64_t held);
pair_entry *pair_find(pair_entry *bucket, uint64_t floor, uint64_t held);
typedef struct best_move { uint8_t slot, index; } best_move;
void pair_store(const visit *v, proof found, bool low, best_move best);
visit visit_of(const basra_engine *engine, const search_node *node);
proof enter(basra_engine *engine, const visit *v, int32_t beta, size_t at);
proof leaf_round(const search_problem *problem, int lead, int last, int leftovers, int final,
                 int32_t gain, int32_t beta);
proof leaf_proof(const search_problem *problem, const visit *v, int32_t beta);
typedef struct bracket { int32_t low, high, beta; } bracket;
bracket bracket_from(int32_t guess);
void learn(const basra_engine *engine, int32_t value, bracket *b);
int32_t alphabeta_value(basra_engine *engine, const search_node *node, int32_t guess, size_t at);
int32_t alphabeta_move_value(basra_engine *engine, const search_node *node, const search_move *move,
                             int32_t guess, size_t at);
bool alphabeta_reaches(basra_engine *engine, const search_node *node, const search_move *move,
                       int32_t value, size_t at);
typedef struct solving { search_node root; int32_t guess; ...; } solving;
void solving_start(basra_engine *engine, const basra_rules *rules, const basra_position *position,
                   solving *s);
void solving_value(solving *s, basra_solution *solution);
"""

PAIR_SOURCE = """
#include "search/alphabeta.c"
#include "search/solving.c"
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
    return module("pair", SEARCH_SOURCE + PAIR_SOURCE, SEARCH_CDEF + PAIR_CDEF)


@cache
def pair_without_endings() -> Module:
    """The same, every place searched by the general path."""
    source = "#define BASRA_WITHOUT TECHNIQUE_ENDINGS\n" + SEARCH_SOURCE + PAIR_SOURCE
    return module("general", source, SEARCH_CDEF + PAIR_CDEF)


@cache
def pair_with_a_cache_of_one() -> Module:
    """The same again, but a list of captures is forgotten when another one is needed."""
    source = '#include "search/move_cache.h"\n#define move_cache_at(cache, key) ((cache)->list)\n'
    source += SEARCH_SOURCE
    source += '#include "search/ending.c"\n' + PAIR_SOURCE
    return module("forgetful", source, SEARCH_CDEF + PAIR_CDEF)


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


Solved = dict[tuple[int, int], tuple[int, tuple[int, ...]]]


def new_engine(m: Module, table_bytes: int = 0) -> Any:
    out = m.ffi.new("basra_engine **")
    assert m.lib.basra_engine_new(table_bytes, out) == 0
    return m.ffi.gc(out[0], m.lib.basra_engine_free)


def set_up(m: Module, engine: Any, rules: Any, p: Any, unsearched: int = 0) -> Any:
    """Makes a position the engine's problem; its root."""
    setup = m.ffi.new("problem_setup *")
    stock = m.ffi.new("uint8_t[52]", list(p.stock[p.stock_next : p.stock_size]))
    setup.stock, setup.stock_size = stock, p.stock_size - p.stock_next
    setup.unsearched = unsearched
    setup.hand, setup.floor, setup.cards = p.hand, p.floor, p.cards
    setup.players, setup.partners = p.players, p.partners
    setup.leader, setup.turn, setup.last = p.leader, p.turn, p.last
    root = m.ffi.new("search_node *")
    m.lib.engine_types(engine, rules)
    lore = m.ffi.addressof(engine.memory.lore)
    m.lib.problem_init(lore, setup, m.ffi.addressof(engine.problem), root)
    return root


def random_nodes(m: Module, engine: Any, root: Any, dice: random.Random, lines: int) -> list[Any]:
    """The nodes on some random lines of play."""
    nodes = []
    problem = m.ffi.addressof(engine.problem)
    for _ in range(lines):
        node = root
        while node.place.left:
            nodes.append(node)
            count = m.lib.engine_moves(engine, m.ffi.addressof(node.place), 0)
            assert count
            move = m.ffi.new("search_move *", engine.memory.moves[dice.randrange(count)])
            following = m.ffi.new("search_node *")
            m.lib.problem_play(problem, node, move, following)
            node = following
    return nodes


def place_of(m: Module, engine: Any, place: Any) -> tuple[int, ...]:
    """What a place is: the floor, the cards held, which deal it is and whose turn."""
    deal = place.deal - m.ffi.addressof(engine.problem.deal[0])
    return (m.lib.place_floor(m.ffi.addressof(place)), place.held, deal, place.turn)


def exact_value(m: Module, engine: Any, node: Any, guess: int = 0) -> int:
    """Value of a node by a search that shares nothing with others."""
    assert m.lib.engine_enter(engine, m.ffi.NULL) == 0
    m.lib.engine_own(engine, False)
    value = int(m.lib.alphabeta_value(engine, node, guess, 0))
    m.lib.engine_leave(engine)
    return value


def solve(m: Module, engine: Any, rules: Any, p: Any) -> tuple[Solved, int, list[tuple[int, int]]]:
    moves, line = m.ffi.new("basra_scored[2048]"), m.ffi.new("basra_move[52]")
    solution = m.ffi.new("basra_solution *")
    limits = m.ffi.NULL
    assert m.lib.basra_solve(engine, rules, p, limits, 1, moves, 2048, line, solution) == 0
    assert solution.stop == 0
    values = {
        (s.move.card, s.move.taken): (s.value, tuple(s.points)) for s in moves[0 : solution.moves]
    }
    played = [(x.card, x.taken) for x in line[0 : solution.line]]
    return values, max(v for v, _ in values.values()), played
