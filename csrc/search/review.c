/* review: exact values of every move at every ply of a line. */
#include "../game/memory.h"
#include "../game/position.h"
#include "alphabeta.h"
#include "solving.h"

#include <string.h>

typedef struct reviewing {
    solving s;
    basra_position position; /* goes back ply by ply */
    search_node node[BASRA_CARDS]; /* before each ply */
    basra_scored *moves;
    size_t capacity;
} reviewing;

/* The play as the search sees it: of equal cards the one in the highest slot goes first. */
static search_move move_of_types(const search_problem *problem, const search_node *node,
                                 const basra_play *play)
{
    const card_types *types = problem->types;
    const search_deal *deal = node->place.deal;
    search_move move = {.type = types->type_of[play->card]};
    for (uint64_t mine = node->place.held & deal->seat[node->place.turn]; mine;) {
        int slot = set_pop(&mine);
        if (deal->slot[slot].trail.type == move.type) move.slot = (uint8_t)slot;
    }
    move.others = ~SET_OF(move.slot);
    move.change = types->unit[move.type];
    move.ranks = problem->lore->singles.row[move.type].laid;
    if (!play->taken) return move;
    move.ranks = looks_of(&problem->lore->singles, types_bag(types, play->taken));
    move.change = ~types_bag(types, play->taken) + 1;
    move.cards = (uint8_t)(set_count(play->taken) + 1);
    return move;
}

/* The nodes along the line, from the root on. */
static void walk(reviewing *r, const basra_position *end)
{
    const search_problem *problem = &r->s.engine->problem;
    r->node[0] = r->s.root;
    for (int ply = 0; ply + 1 < end->played; ply++) {
        search_move move = move_of_types(problem, &r->node[ply], &end->play[ply]);
        problem_play(problem, &r->node[ply], &move, &r->node[ply + 1]);
    }
}

static int index_of(const basra_scored *moves, size_t count, const basra_play *play)
{
    for (size_t i = 0; i < count; i++)
        if (moves[i].move.card == play->card && moves[i].move.taken == play->taken) return (int)i;
    return -1;
}

/* Where the moves of each ply go, first ply first; *total of them.  Goes back to the line's start. */
static basra_status lay_out(reviewing *r, int length, basra_ply *plies, size_t *total)
{
    *total = 0;
    basra_status status = BASRA_OK;
    for (int ply = length - 1; ply >= 0 && !status; ply--) {
        status = basra_position_undo(r->s.rules, &r->position);
        if (status) return status;
        size_t count;
        status = basra_position_moves(r->s.rules, &r->position, NULL, 0, &count);
        if (status == BASRA_E_BOUNDS) status = BASRA_OK;
        plies[ply] = (basra_ply){.count = count, .best = -1, .played = -1};
        *total += count;
    }
    for (int ply = 1; ply < length; ply++)
        plies[ply].first = plies[ply - 1].first + plies[ply - 1].count;
    return status;
}

static basra_status review_ply(reviewing *r, int number, const basra_play *play, basra_ply *ply)
{
    basra_engine *e = r->s.engine;
    basra_scored *moves = r->moves + ply->first;
    size_t count;
    r->s.root = r->node[number];
    basra_status status = solving_moves(&r->s, &r->position, moves, ply->count, &count);
    if (status) return status;
    ply->best = solving_best(moves, count);
    ply->played = index_of(moves, count, play);
    ply->complete = !engine_halted(e);
    if (!ply->complete) return BASRA_OK;
    /* What the move before is worth by this one. */
    r->s.guess = -moves[ply->best].value;
    return BASRA_OK;
}

static basra_status review_all(reviewing *r, const basra_position *end, basra_ply *plies)
{
    basra_engine *e = r->s.engine;
    basra_status status = BASRA_OK;
    r->position = *end;
    for (int ply = end->played - 1; ply >= 0 && !status; ply--) {
        status = basra_position_undo(r->s.rules, &r->position);
        if (!status && engine_halted(e)) plies[ply].count = 0;
        if (!status && !engine_halted(e)) status = review_ply(r, ply, &end->play[ply], &plies[ply]);
        /* Stopped while the moves of a ply were listed: a stop like any other. */
        if (status != BASRA_E_STOPPED) continue;
        plies[ply].count = 0;
        status = BASRA_OK;
    }
    return status;
}

/* What the first ply says is what the whole line is about. */
static void sum_up(const reviewing *r, const basra_ply *first, basra_solution *solution)
{
    const basra_engine *e = r->s.engine;
    solution->nodes = e->nodes;
    solution->stop = e->stopped;
    solution->best = first->best;
    solution->known = first->complete;
    if (first->best < 0) return;
    const basra_scored *best = &r->moves[first->first + (size_t)first->best];
    solution->value = best->value;
    memcpy(solution->points, best->points, sizeof solution->points);
}

static basra_status run(reviewing *r, const basra_position *end, const basra_limits *limits,
                        basra_ply *plies, basra_solution *solution)
{
    r->position = *end;
    basra_status status = lay_out(r, end->played, plies, &solution->moves);
    if (status) return status;
    if (solution->moves > r->capacity) return BASRA_E_BOUNDS;
    basra_engine *engine = r->s.engine;
    status = engine_enter(engine, limits);
    if (status) return status;
    solving_start(engine, r->s.rules, &r->position, &r->s);
    walk(r, end);
    status = review_all(r, end, plies);
    sum_up(r, &plies[0], solution);
    engine_leave(engine);
    return status;
}

basra_status basra_review(basra_engine *engine, const basra_rules *rules,
                          const basra_position *position, const basra_limits *limits,
                          basra_scored *moves, size_t capacity, basra_ply *plies,
                          basra_solution *solution)
{
    *solution = (basra_solution){.best = -1};
    if (!position->played) return BASRA_OK;
    reviewing *r = basra_calloc(1, sizeof *r);
    if (!r) return BASRA_E_NOMEM;
    r->s.engine = engine;
    r->s.rules = rules;
    r->moves = moves;
    r->capacity = capacity;
    basra_status status = run(r, position, limits, plies, solution);
    basra_free(r);
    return status;
}
