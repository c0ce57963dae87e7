/* Alpha-beta, fail-soft, for tables of two sides.
 *
 * Sides alternate at every ply, so values are negated from node to node.  The key of a node is exact:
 * two words hold floor, unplayed slots, deal, last capturer and the lead in cards, the lead reduced to
 * what can still matter.
 */
#include "alphabeta.h"

enum { LEAD_DECIDED = 63 };

/* The lead as far as it matters: not at all without a bonus, only its sign once it is decided. */
static int telling_lead(const search_problem *problem, const search_node *node)
{
    if (!problem->bonus) return 0;
    int lead = node->cards[0] - node->cards[1];
    int left = problem_uncaptured(problem, node);
    if (lead > left) return LEAD_DECIDED;
    if (lead < -left) return -LEAD_DECIDED;
    return lead;
}

static void make_key(const search_problem *problem, const search_node *node, uint64_t *key)
{
    uint64_t lead = (uint64_t)(telling_lead(problem, node) + 64);
    key[0] = node->floor | (uint64_t)node->deal << 52 | (uint64_t)(node->last + 1) << 57;
    key[1] = node->held | lead << 52;
}

static pair_entry *bucket_of(const basra_engine *engine, const uint64_t *key)
{
    uint64_t h = key[0] * UINT64_C(0x9e3779b97f4a7c15) ^ key[1] * UINT64_C(0xc2b2ae3d27d4eb4f);
    h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return (pair_entry *)engine->table + 2 * (size_t)(h >> 20 & engine->pair_mask);
}

static pair_entry *find(const basra_engine *engine, const uint64_t *key)
{
    pair_entry *e = bucket_of(engine, key);
    for (int i = 0; i < 2; i++, e++)
        if (e->owner == engine->owner && e->key[0] == key[0] && e->key[1] == key[1]) return e;
    return NULL;
}

/* The entry to write: its own, an empty one, or the one that saves less work. */
static pair_entry *claim(const basra_engine *engine, const uint64_t *key, uint8_t depth)
{
    pair_entry *e = find(engine, key);
    if (e) return e;
    e = bucket_of(engine, key);
    if (e->owner == engine->owner && e->depth > depth) e++;
    *e = (pair_entry){.key = {key[0], key[1]}, .low = -VALUE_INFINITE, .high = VALUE_INFINITE,
                      .owner = engine->owner, .best = NO_BEST, .depth = depth};
    return e;
}

static void store(const basra_engine *engine, const uint64_t *key, uint8_t depth, int32_t value,
                  int32_t alpha, int32_t beta, size_t best)
{
    pair_entry *e = claim(engine, key, depth);
    if (value > alpha && value > e->low) e->low = value;
    if (value < beta && value < e->high) e->high = value;
    if (value > alpha && best < NO_BEST) e->best = (uint8_t)best;
}

static int32_t leaf(const search_problem *problem, const search_node *node)
{
    int32_t points[BASRA_MAX_PLAYERS];
    problem_leaf(problem, node, points);
    int32_t value = points[0] - points[1];
    return node->turn & 1 ? -value : value;
}

/* What to try first: points, then cards. */
static int32_t promise(const search_move *move) { return move->gain * 64 + move->cards; }

/* Order of trial as indexes; the table's move first. */
static size_t pick_next(const search_move *moves, size_t count, uint64_t *tried, size_t first)
{
    size_t best = count;
    if (first < count && !(*tried >> first & 1)) {
        best = first;
    } else {
        for (size_t i = 0; i < count; i++)
            if (!(*tried >> i & 1) && (best == count || promise(&moves[i]) > promise(&moves[best])))
                best = i;
    }
    if (best < count) *tried |= UINT64_C(1) << best;
    return best;
}

int32_t alphabeta_move(basra_engine *engine, const search_node *node, const search_move *move,
                       int32_t alpha, int32_t beta, size_t at)
{
    search_node next;
    int32_t gain = move->gain * BASRA_UNIT;
    problem_play(&engine->problem, node, move, &next);
    return gain - alphabeta(engine, &next, gain - beta, gain - alpha, at);
}

/* Tries the moves; more than 64 are taken as they come. */
static int32_t try_moves(basra_engine *engine, const search_node *node, size_t at, size_t count,
                         int32_t alpha, int32_t beta, size_t *best)
{
    int32_t value = -VALUE_INFINITE;
    uint64_t tried = 0;
    size_t first = *best;
    *best = NO_BEST;
    for (size_t n = 0; n < count; n++) {
        size_t i = count <= 64 ? pick_next(engine->stack.moves + at, count, &tried, first) : n;
        search_move move = engine->stack.moves[at + i];
        int32_t v = alphabeta_move(engine, node, &move, alpha, beta, at + count);
        if (engine_halted(engine)) return 0;
        if (v <= value) continue;
        value = v;
        *best = i;
        if (v > alpha) alpha = v;
        if (alpha >= beta) break;
    }
    return value;
}

int32_t alphabeta(basra_engine *engine, const search_node *node, int32_t alpha, int32_t beta,
                  size_t at)
{
    if (!node->held) return leaf(&engine->problem, node);
    if (engine_tick(engine)) return 0;
    uint64_t key[2];
    make_key(&engine->problem, node, key);
    size_t best = NO_BEST;
    const pair_entry *e = find(engine, key);
    if (e) {
        if (e->low >= beta || e->low == e->high) return e->low;
        if (e->high <= alpha) return e->high;
        if (e->low > alpha) alpha = e->low;
        if (e->high < beta) beta = e->high;
        best = e->best;
    }
    size_t count = engine_moves(engine, node, at);
    if (!count) return 0;
    int32_t value = try_moves(engine, node, at, count, alpha, beta, &best);
    if (engine_halted(engine)) return 0;
    int cards = set_count(node->held) + engine->problem.deal[node->deal].undealt;
    store(engine, key, (uint8_t)cards, value, alpha, beta, best);
    return value;
}
