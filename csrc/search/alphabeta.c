/* Alpha-beta, fail-soft, for tables of two sides.
 *
 * Sides alternate at every ply, so values are negated from node to node.  The key of a node is exact,
 * but leaves out who has how many cards and who captured last (the standing).  More captured cards,
 * or having captured last, never hurts, so a lower bound proven for one standing holds for every
 * better one, and an upper bound for every worse one.  Where a rule file has negative card points
 * that is not so, and a bound serves its own standing only.
 */
#include "alphabeta.h"

static void make_key(const search_node *node, uint64_t *key)
{
    key[0] = node->floor | (uint64_t)node->deal << 52;
    key[1] = node->held;
}

/* The standing of the side to move, reduced to what can still matter. */
static standing standing_of(const search_problem *problem, const search_node *node)
{
    int side = node->turn & 1;
    standing at = {0, 0};
    if (problem->bonus) at.lead = (int8_t)(node->cards[side] - node->cards[!side]);
    if (problem->to_round_end && node->last >= 0) at.last = node->last == side ? 1 : -1;
    return at;
}

/* Is `a` at least as good as `b`? */
static bool as_good(const search_problem *problem, standing a, standing b)
{
    if (!problem->monotone) return a.lead == b.lead && a.last == b.last;
    return a.lead >= b.lead && a.last >= b.last;
}

static pair_entry *bucket_of(const basra_engine *engine, const uint64_t *key)
{
    uint64_t h = key[0] * UINT64_C(0x9e3779b97f4a7c15) ^ key[1] * UINT64_C(0xc2b2ae3d27d4eb4f);
    h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return (pair_entry *)engine->table + 2 * (size_t)(h >> 20 & engine->mask);
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
    *e = (pair_entry){.key = {key[0], key[1]},
                      .low = -VALUE_INFINITE,
                      .high = VALUE_INFINITE,
                      .owner = engine->owner,
                      .best = NO_BEST,
                      .depth = depth};
    return e;
}

/* A new bound takes the place of the old one, unless that says more about this standing too. */
static void store(const basra_engine *engine, const uint64_t *key, uint8_t depth, standing at,
                  int32_t value, int32_t alpha, int32_t beta, size_t best)
{
    const search_problem *problem = &engine->problem;
    pair_entry *e = claim(engine, key, depth);
    if (value > alpha && (value > e->low || !as_good(problem, at, e->low_at))) {
        e->low = value;
        e->low_at = at;
    }
    if (value < beta && (value < e->high || !as_good(problem, e->high_at, at))) {
        e->high = value;
        e->high_at = at;
    }
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

/* Can a move's value be told to reach beta from the table alone?  Then that value, else a bound below
 * beta. */
static int32_t known_cutoff(const basra_engine *engine, const search_node *node,
                            const search_move *moves, size_t count, int32_t beta)
{
    const search_problem *problem = &engine->problem;
    for (size_t i = 0; i < count; i++) {
        search_node next;
        uint64_t key[2];
        problem_play(problem, node, &moves[i], &next);
        if (!next.held) continue;
        make_key(&next, key);
        const pair_entry *e = find(engine, key);
        if (!e || !as_good(problem, e->high_at, standing_of(problem, &next))) continue;
        int32_t value = moves[i].gain * BASRA_UNIT - e->high;
        if (value >= beta) return value;
    }
    return beta - 1;
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

/* Looks a node up: true if *value settles it, else alpha and beta are drawn together and *best is the
 * move to try first. */
static bool settled(const basra_engine *engine, const uint64_t *key, standing here, int32_t *alpha,
                    int32_t *beta, size_t *best, int32_t *value)
{
    const pair_entry *e = find(engine, key);
    if (!e) return false;
    int32_t low = as_good(&engine->problem, here, e->low_at) ? e->low : -VALUE_INFINITE;
    int32_t high = as_good(&engine->problem, e->high_at, here) ? e->high : VALUE_INFINITE;
    *value = low >= *beta ? low : high;
    if (low >= *beta || high <= *alpha || low == high) return true;
    if (low > *alpha) *alpha = low;
    if (high < *beta) *beta = high;
    *best = e->best;
    return false;
}

int32_t alphabeta(basra_engine *engine, const search_node *node, int32_t alpha, int32_t beta,
                  size_t at)
{
    const search_problem *problem = &engine->problem;
    if (!node->held) return leaf(problem, node);
    if (engine_tick(engine)) return 0;
    int undealt = problem->deal[node->deal].undealt;
    standing here = standing_of(problem, node);
    uint64_t key[2];
    size_t best = NO_BEST;
    int32_t value;
    make_key(node, key);
    if (settled(engine, key, here, &alpha, &beta, &best, &value)) return value;
    size_t count = engine_moves(engine, node, at);
    if (!count) return 0;
    if (undealt) {
        int32_t known = known_cutoff(engine, node, engine->stack.moves + at, count, beta);
        if (known >= beta) return known;
    }
    value = try_moves(engine, node, at, count, alpha, beta, &best);
    if (engine_halted(engine)) return 0;
    store(engine, key, (uint8_t)(set_count(node->held) + undealt), here, value, alpha, beta, best);
    return value;
}

int32_t alphabeta_exact(basra_engine *engine, const search_node *node, const search_move *move,
                        int32_t guess, size_t at)
{
    int32_t low = -VALUE_INFINITE, high = VALUE_INFINITE, value = guess;
    while (low < high && !engine_halted(engine)) {
        int32_t beta = value == low ? value + 1 : value;
        value = alphabeta_move(engine, node, move, beta - 1, beta, at);
        if (value < beta)
            high = value;
        else
            low = value;
    }
    return value;
}

int32_t alphabeta_value(basra_engine *engine, const search_node *node, int32_t guess, size_t at)
{
    int32_t low = -VALUE_INFINITE, high = VALUE_INFINITE, value = guess;
    while (low < high && !engine_halted(engine)) {
        int32_t beta = value == low ? value + 1 : value;
        value = alphabeta(engine, node, beta - 1, beta, at);
        if (value < beta)
            high = value;
        else
            low = value;
    }
    return value;
}
