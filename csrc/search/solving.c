#include "solving.h"

#include "../game/memory.h"
#include "../game/position.h"
#include "ablation.h"
#include "alphabeta.h"
#include "maxn.h"
#include "root.h"

#include <string.h>

/* A first guess at a node's value, in points: jacks and a 7D that sweeps count a stake each, and to lead
 * costs a fifth of one for each deal to come.  A bad guess costs time and nothing else. */
static int32_t first_guess(const search_problem *problem, const search_node *root)
{
    int32_t sweepers = 0, stake = problem_stake(problem);
    if (WITHOUT(GUESS)) return 0;
    for (int i = 0; i < problem->deals; i++) {
        const search_deal *deal = &problem->deal[i];
        for (uint64_t rest = deal->all; rest;) {
            int slot = set_pop(&rest);
            if (deal->slot[slot].relevant != SET_ALL) continue;
            sweepers += deal->side[root->place.turn & 1] & SET_OF(slot) ? 1 : -1;
        }
    }
    return (sweepers * stake - (problem->deals - 1) * (stake / 5)) / BASRA_UNIT;
}

void solving_start(basra_engine *engine, const basra_rules *rules, const basra_position *position,
                   solving *s)
{
    const basra_position *p = position;
    *s = (solving){.engine = engine, .rules = rules};
    problem_setup setup = {.floor = p->floor,
                           .stock = p->stock + p->stock_next,
                           .stock_size = position_undealt(p),
                           .carry = p->carry,
                           .players = p->players,
                           .partners = p->partners,
                           .leader = p->leader,
                           .turn = p->turn,
                           .last = p->last};
    memcpy(setup.hand, p->hand, sizeof setup.hand);
    memcpy(setup.cards, p->cards, sizeof setup.cards);
    engine_types(engine, rules);
    problem_init(&engine->memory.lore, &setup, &engine->problem, &s->root);
    s->many = engine->problem.sides > 2;
    if (!s->many) s->guess = first_guess(&engine->problem, &s->root);
    engine_own(engine, s->many);
}

/* Points of every seat by seat, as those from the seat to move, and what the seat plays for. */
static int32_t from_seat(const solving *s, const int32_t *by_seat, int32_t *points)
{
    int players = s->engine->problem.players;
    for (int n = 0; n < players; n++)
        points[n] = by_seat[(s->root.place.turn + n) % players] / BASRA_UNIT;
    return (int32_t)(maxn_interest(players, by_seat, s->root.place.turn) / BASRA_UNIT);
}

/* Value of one group of equal root moves. */
static void group_value(solving *s, size_t i, size_t groups, basra_scored *group)
{
    basra_engine *e = s->engine;
    search_move move = e->memory.moves[i];
    if (s->many) {
        int32_t points[BASRA_MAX_PLAYERS] = {0};
        maxn_move(e, &s->root, &move, groups, points);
        group[i].value = from_seat(s, points, group[i].points);
    } else {
        int32_t value = alphabeta_move_value(e, &s->root, &move, s->guess * BASRA_UNIT, groups);
        group[i].value = value / BASRA_UNIT;
    }
    group[i].known = !engine_halted(e);
}

/* Gives every move the value of its group. */
static void hand_out(const basra_scored *group, basra_scored *moves, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const basra_scored *g = &group[moves[i].group];
        moves[i].value = g->value;
        moves[i].known = g->known;
        memcpy(moves[i].points, g->points, sizeof moves[i].points);
    }
}

basra_status solving_moves(solving *s, const basra_position *position, basra_scored *moves,
                           size_t capacity, size_t *count)
{
    basra_engine *e = s->engine;
    const basra_position *p = position;
    size_t groups = engine_moves(e, &s->root.place, 0);
    if (engine_halted(e)) return e->failed ? e->failed : BASRA_E_STOPPED;
    basra_status status =
        root_moves(&e->problem, &e->cards, e->memory.moves, groups, p->hand[p->turn], p->floor,
                   position_last_card(p), &e->memory.work, moves, capacity, count);
    if (status) return status;
    /* The node's value first: it is the best guess at its moves' values. */
    s->valued = false;
    if (!s->many) {
        int32_t value = alphabeta_value(e, &s->root, s->guess * BASRA_UNIT, groups) / BASRA_UNIT;
        s->valued = !engine_halted(e);
        if (s->valued) s->guess = value;
    }
    basra_scored *group = basra_calloc(groups, sizeof *group);
    if (!group) return BASRA_E_NOMEM;
    for (size_t i = 0; i < groups && !engine_halted(e); i++) group_value(s, i, groups, group);
    hand_out(group, moves, *count);
    basra_free(group);
    return e->failed;
}

void solving_value(solving *s, basra_solution *solution)
{
    basra_engine *e = s->engine;
    if (s->many) {
        int32_t points[BASRA_MAX_PLAYERS] = {0};
        maxn(e, &s->root, 0, points);
        solution->value = from_seat(s, points, solution->points);
    } else {
        solution->value = alphabeta_value(e, &s->root, s->guess * BASRA_UNIT, 0) / BASRA_UNIT;
    }
    solution->known = !engine_halted(e);
}

int solving_best(const basra_scored *moves, size_t count)
{
    int best = -1;
    for (size_t i = 0; i < count; i++)
        if (moves[i].known && (best < 0 || moves[i].value > moves[best].value)) best = (int)i;
    return best;
}
