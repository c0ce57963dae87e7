/* max^n: every seat maximises its own interest; positions that repeat are looked up. */
#include "maxn.h"

#include <string.h>

int64_t maxn_interest(int players, const int32_t *points, int seat)
{
    int64_t all = 0;
    for (int s = 0; s < players; s++) all += points[s];
    return (int64_t)players * points[seat] - all;
}

/* Only differences of counts matter, and none at all without a bonus. */
static uint64_t telling_counts(const search_problem *problem, const search_node *node)
{
    uint64_t counts = 0;
    int least = node->cards[0];
    if (!problem->bonus || problem->linear) return 0;
    for (int side = 1; side < problem->sides; side++)
        if (node->cards[side] < least) least = node->cards[side];
    for (int side = 0; side < problem->sides; side++)
        counts = counts << 6 | (uint64_t)(node->cards[side] - least);
    return counts;
}

static void make_key(const search_problem *problem, const search_node *node, uint64_t *key)
{
    int last = problem->to_round_end ? node->last + 1 : 0;
    key[0] = node->place.floor | (uint64_t)last << PLACE_OWNER_SHIFT;
    key[1] = node->place.held;
    key[2] = telling_counts(problem, node);
}

static many_entry *bucket_of(const basra_engine *engine, const uint64_t *key)
{
    uint64_t h = key[0] * UINT64_C(0x9e3779b97f4a7c15) ^ key[1] * UINT64_C(0xc2b2ae3d27d4eb4f);
    h ^= key[2] * UINT64_C(0x165667b19e3779f9);
    h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return (many_entry *)engine->table + 2 * (size_t)(h >> 20 & engine->mask);
}

static many_entry *find(const basra_engine *engine, const uint64_t *key)
{
    many_entry *e = bucket_of(engine, key);
    for (int i = 0; i < 2; i++, e++)
        if (e->owner == engine->owner && !memcmp(e->key, key, sizeof e->key)) return e;
    return NULL;
}

static void store(const basra_engine *engine, const uint64_t *key, uint8_t depth,
                  const int32_t *points)
{
    many_entry *e = bucket_of(engine, key);
    if (e->owner == engine->owner && e->depth > depth) e++;
    memcpy(e->key, key, sizeof e->key);
    memcpy(e->points, points, sizeof e->points);
    e->owner = engine->owner;
    e->depth = depth;
}

void maxn_move(basra_engine *engine, const search_node *node, const search_move *move, size_t at,
               int32_t *points)
{
    search_node next;
    problem_play(&engine->problem, node, move, &next);
    maxn(engine, &next, at, points);
    points[node->place.turn] += move->gain * BASRA_UNIT;
    const search_problem *problem = &engine->problem;
    for (int side = 0; problem->linear && side < problem->sides; side++)
        points[side] += move->cards * problem->slope[side * problem->sides + node->place.turn];
}

static void best_of_moves(basra_engine *engine, const search_node *node, size_t at, size_t count,
                          int32_t *points)
{
    int players = engine->problem.players;
    for (size_t i = 0; i < count; i++) {
        int32_t found[BASRA_MAX_PLAYERS] = {0};
        search_move move = engine->memory.moves[at + i];
        maxn_move(engine, node, &move, at + count, found);
        if (engine_halted(engine)) return;
        if (i && maxn_interest(players, found, node->place.turn) <=
                     maxn_interest(players, points, node->place.turn))
            continue;
        memcpy(points, found, sizeof found);
    }
}

void maxn(basra_engine *engine, const search_node *node, size_t at, int32_t *points)
{
    if (!node->place.left) {
        problem_leaf(&engine->problem, node, points);
        return;
    }
    if (engine_tick(engine)) return;
    uint64_t key[3];
    make_key(&engine->problem, node, key);
    const many_entry *e = find(engine, key);
    if (e) {
        memcpy(points, e->points, sizeof e->points);
        return;
    }
    size_t count = engine_moves(engine, &node->place, at);
    if (!count) return;
    best_of_moves(engine, node, at, count, points);
    if (engine_halted(engine)) return;
    store(engine, key, node->place.left, points);
}
