/* What the ends of an expectimax tree are worth. */
#include "../game/memory.h"
#include "../search/alphabeta.h"
#include "../search/leaf.h"
#include "../search/maxn.h"
#include "../search/worlds_search.h"
#include "expectimax.h"

#include <string.h>

/* Last deals that a decision may solve to average over their hands, before any are found equal; and how many
 * such averages are remembered. */
enum { DEALT_MOST = 1 << 14, DEALT_ROOM = 1 << 12 };

/* ---- set-up ----------------------------------------------------------------------------------- */

static const card_types *types_of(const expectimax *s) { return &s->net->shape.types; }

static uint64_t ways_to_choose(int n, int k)
{
    uint64_t ways = 1;
    for (int i = 1; i <= k && ways <= DEALT_MOST; i++)
        ways = ways * (uint64_t)(n - k + i) / (uint64_t)i;
    return ways;
}

/* Can the last deal be averaged over the hands it may bring?  Only if it is the next one, if every card that is
 * not seen then is dealt in it, each order of them as likely as any other, and if it is not too much work. */
static bool can_deal_out(const expectimax *s, uint64_t ways)
{
    const decision *d = s->d;
    int stock = d->facts.stock;
    if (d->view->players != 2 || d->facts.deals - d->view->deal != 1) return false;
    if (d->facts.stocked || set_count(s->unseen[0]) != stock) return false;
    uint64_t hands = ways_to_choose(stock, stock / 2);
    return hands <= DEALT_MOST && ways * s->worlds <= DEALT_MOST / hands;
}

static basra_status open_boundary(expectimax *s, const boundary_net *net)
{
    s->base = basra_malloc(s->worlds * sizeof *s->base);
    if (!s->base) return BASRA_E_NOMEM;
    for (size_t w = 0; w < s->worlds; w++)
        boundary_prepare(net, types_of(s), s->unseen[w], &s->base[w]);
    return BASRA_OK;
}

basra_status expected_leaves_open(expectimax *s, uint64_t ways)
{
    const decision *d = s->d;
    problem_setup setup;
    search_node root;
    engine_types(d->engine, d->rules);
    s->end = basra_malloc(sizeof *s->end);
    s->unseen = basra_malloc(s->worlds * sizeof *s->unseen);
    if (!s->end || !s->unseen) return BASRA_E_NOMEM;
    for (size_t w = s->worlds; w-- > 0;) {
        worlds_setup(d->view, &d->facts, d->player->model, &s->world[w], &setup);
        s->unseen[w] = setup.unseen;
    }
    problem_init(&d->engine->memory.lore, &setup, s->end, &root);
    s->deals_out = can_deal_out(s, ways);
    if (s->deals_out) {
        s->dealt = basra_calloc(DEALT_ROOM, sizeof *s->dealt);
        return s->dealt ? BASRA_OK : BASRA_E_NOMEM;
    }
    return s->end->net ? open_boundary(s, s->end->net) : BASRA_OK;
}

void expected_leaves_close(expectimax *s)
{
    basra_free(s->end);
    basra_free(s->unseen);
    basra_free(s->base);
    basra_free(s->dealt);
}

/* ---- the next deal, averaged over its hands --------------------------------------------------- */

/* A deal whose hands are being gone through. */
typedef struct dealing {
    problem_setup setup;
    bag unseen;
    int64_t sum, ways;
} dealing;

/* Solves the deal with one hand of the leader, which comes up in so many ways. */
static basra_status solve_deal(expectimax *s, dealing *g, bag hand, int64_t ways)
{
    basra_engine *engine = s->d->engine;
    const card_types *types = types_of(s);
    const uint64_t pack = basra_pack(s->d->rules);
    search_node root;
    g->setup.hand[0] = types_pick(types, pack, hand);
    g->setup.hand[1] = types_pick(types, pack, g->unseen - hand);
    problem_init(&engine->memory.lore, &g->setup, &engine->problem, &root);
    engine_own(engine, false);
    int32_t guess = g->ways ? (int32_t)(g->sum / g->ways) : 0;
    g->sum += ways * alphabeta_value(engine, &root, guess, 0);
    g->ways += ways;
    if (!engine_halted(engine)) return BASRA_OK;
    return engine->failed ? engine->failed : BASRA_E_STOPPED;
}

/* Gives the leader `left` more cards, of types from `type` on. */
static basra_status deal_out(expectimax *s, dealing *g, int type, int left, bag hand, int64_t ways)
{
    const card_types *types = types_of(s);
    if (!left) return solve_deal(s, g, hand, ways);
    if (type == types->count) return BASRA_OK;
    int copies = bag_count(types, g->unseen, type);
    basra_status status = BASRA_OK;
    for (int n = 0; n <= copies && n <= left && !status; n++)
        status = deal_out(s, g, type + 1, left - n, hand + (bag)n * types->unit[type],
                          ways * (int64_t)ways_to_choose(copies, n));
    return status;
}

static dealt_value *remembered(const expectimax *s, const dealt_value *key)
{
    uint64_t h = key->floor * UINT64_C(0x9e3779b97f4a7c15) ^
                 key->unseen * UINT64_C(0xc2b2ae3d27d4eb4f) ^
                 (uint64_t)(key->lead + BASRA_CARDS) << 8 ^ key->last;
    h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return &s->dealt[h >> 32 & (DEALT_ROOM - 1)];
}

/* The mean value of the last deal for the side that leads it. */
static basra_status dealt_mean(expectimax *s, const expected_place *place, uint32_t world, int last,
                               int32_t *value)
{
    const card_types *types = types_of(s);
    dealt_value key = {.floor = place->floor,
                       .unseen = types_bag(types, s->unseen[world]),
                       .lead = (int8_t)(place->cards[0] - place->cards[1]),
                       .last = (uint8_t)(last + 1),
                       .used = 1};
    dealt_value *known = remembered(s, &key);
    if (known->used && known->floor == key.floor && known->unseen == key.unseen &&
        known->lead == key.lead && known->last == key.last) {
        *value = known->value;
        return BASRA_OK;
    }
    dealing g = {.unseen = key.unseen,
                 .setup = {.floor = types_pick(types, basra_pack(s->d->rules), place->floor),
                           .carry = s->d->view->carry,
                           .players = 2,
                           .last = (int8_t)last}};
    for (int side = 0; side < 2; side++) g.setup.cards[side] = (uint8_t)place->cards[side];
    basra_status status = deal_out(s, &g, 0, s->d->facts.stock / 2, 0, 1);
    if (status) return status;
    *value = key.value = (int32_t)(g.sum / g.ways);
    *known = key;
    return BASRA_OK;
}

/* ---- the end of the deal ---------------------------------------------------------------------- */

/* What is to come for side 0, which leads, less that of the other. */
static int32_t end_of_two(const expectimax *s, const expected_place *place, int last)
{
    int last_sign = last < 0 ? 0 : last ? -1 : 1;
    visit v = {.place = {.floor = place->floor, .deal = s->end->deal},
               .at = standing_of(place->cards[0] - place->cards[1], last_sign)};
    return leaf_proof(s->end, &v, 0).value;
}

/* Interest of mine in points of every side. */
static int64_t interest_in(const expectimax *s, const expected_place *place, int32_t *points)
{
    for (int side = 0; side < s->sides; side++) points[side] += place->gain[side] * BASRA_UNIT;
    return maxn_interest(s->sides, points, s->me);
}

/* Adds to points of every side what cards captured since the root changed of the expected ones for most cards,
 * where these are linear around the root's counts. */
static void add_slopes(const expectimax *s, const expected_place *place, int32_t *points)
{
    const search_problem *p = s->end;
    for (int by = 0; by < s->sides; by++)
        for (int side = 0; side < s->sides; side++)
            points[side] +=
                (place->cards[by] - s->d->view->cards[by]) * p->slope[side * s->sides + by];
}

static int64_t end_of_many(const expectimax *s, const expected_place *place, int last)
{
    int32_t points[BASRA_MAX_PLAYERS] = {0};
    search_node node = {.place = {.floor = place->floor, .deal = s->end->deal},
                        .last = (int8_t)last};
    for (int side = 0; side < s->sides; side++) node.cards[side] = (uint8_t)place->cards[side];
    problem_leaf(s->end, &node, points);
    if (s->end->linear) add_slopes(s, place, points);
    return interest_in(s, place, points);
}

static basra_status end_in_world(expectimax *s, const expected_place *place, uint32_t world,
                                 int last, int64_t *interest)
{
    int32_t points[BASRA_MAX_PLAYERS] = {0};
    basra_status status = BASRA_OK;
    if (s->base) s->end->base = s->base[world];
    if (s->sides > 2) {
        *interest = end_of_many(s, place, last);
        return BASRA_OK;
    }
    if (s->deals_out)
        status = dealt_mean(s, place, world, last, &points[0]);
    else
        points[0] = end_of_two(s, place, last);
    *interest = interest_in(s, place, points);
    return status;
}

basra_status expected_end(expectimax *s, const expected_place *place, size_t first, size_t count,
                          int64_t *value)
{
    const bool by_world = s->base || s->deals_out;
    int known = BASRA_UNKNOWN_SEAT;
    int64_t interest = 0;
    for (size_t i = first; i < first + count; i++) {
        const expected_world *e = &s->stack[i];
        int seat = s->world[e->world].last, last = place->last;
        if (last < 0 && seat >= 0) last = side_of(seat, s->d->view->partners);
        if (by_world || last != known) {
            basra_status status = end_in_world(s, place, e->world, last, &interest);
            if (status) return status;
        }
        known = last;
        value[e->world] += (int64_t)e->weight * interest;
    }
    return BASRA_OK;
}

/* ---- open hands from here on ------------------------------------------------------------------ */

static int64_t open_in_world(expectimax *s, const expected_place *place, const problem_setup *setup)
{
    basra_engine *engine = s->d->engine;
    int32_t points[BASRA_MAX_PLAYERS] = {0};
    search_node root;
    search_problem *problem = &engine->problem;
    problem_init(&engine->memory.lore, setup, problem, &root);
    if (problem->linear) {
        memcpy(problem->share, s->end->share, sizeof problem->share);
        memcpy(problem->slope, s->end->slope, sizeof problem->slope);
        add_slopes(s, place, problem->share);
    }
    engine_own(engine, s->sides > 2);
    if (s->sides > 2)
        maxn(engine, &root, 0, points);
    else
        points[side_of(place->turn, s->d->view->partners)] = alphabeta_value(engine, &root, 0, 0);
    return interest_in(s, place, points);
}

basra_status expected_open(expectimax *s, const expected_place *place, size_t first, size_t count,
                           int64_t *value)
{
    const decision *d = s->d;
    const card_types *types = types_of(s);
    const uint64_t floor = types_pick(types, basra_pack(d->rules), place->floor);
    for (size_t i = first; i < first + count; i++) {
        const expected_world *e = &s->stack[i];
        problem_setup setup;
        worlds_setup(d->view, &d->facts, d->player->model, &s->world[e->world], &setup);
        for (int seat = 0; seat < d->view->players; seat++)
            setup.hand[seat] =
                types_pick(types, setup.hand[seat], s->hand[e->world][seat] - place->played[seat]);
        for (int side = 0; side < s->sides; side++) setup.cards[side] = (uint8_t)place->cards[side];
        setup.floor = floor;
        setup.turn = (uint8_t)place->turn;
        if (place->last >= 0) setup.last = (int8_t)place->last;
        value[e->world] += (int64_t)e->weight * open_in_world(s, place, &setup);
        if (engine_halted(d->engine))
            return d->engine->failed ? d->engine->failed : BASRA_E_STOPPED;
    }
    return BASRA_OK;
}
