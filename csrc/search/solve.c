/* solve: exact values of a position with all cards known, and the best line. */
#include "../game/memory.h"
#include "../game/moves.h"
#include "../game/position.h"
#include "alphabeta.h"
#include "maxn.h"
#include "solving.h"

#include <string.h>

/* First move of a node, canonical, that reaches the node's value; its index. */
static size_t best_pair(basra_engine *e, const search_node *node, size_t count)
{
    int32_t value = alphabeta_value(e, node, 0, count);
    for (size_t i = 0; i < count && !engine_halted(e); i++) {
        search_move move = e->memory.moves[i];
        if (alphabeta_reaches(e, node, &move, value, count)) return i;
    }
    return count;
}

static size_t best_many(basra_engine *e, const search_node *node, size_t count)
{
    int players = e->problem.players;
    int64_t most = INT64_MIN;
    size_t best = count;
    for (size_t i = 0; i < count && !engine_halted(e); i++) {
        int32_t points[BASRA_MAX_PLAYERS] = {0};
        search_move move = e->memory.moves[i];
        maxn_move(e, node, &move, count, points);
        int64_t interest = maxn_interest(players, points, node->place.turn);
        if (interest > most) most = interest, best = i;
    }
    return best;
}

/* A move of card types as a play of the lowest cards that it can mean. */
static basra_status play_lowest(const solving *s, const search_move *move, basra_position *p,
                                basra_move *line)
{
    const card_types *types = s->engine->problem.types;
    card_types cards;
    types_init(s->rules, true, &cards);
    int card = set_first(p->hand[p->turn] & types->members[move->type]);
    uint64_t taken = types_pick(types, p->floor, search_taken(move));
    *line = move_of(&cards, p->floor, card, taken, position_last_card(p));
    return basra_position_play(s->rules, card, taken, p);
}

/* Best play to the end of the round, starting with the best root move. */
static basra_status follow_line(solving *s, size_t first, basra_position *p, basra_move *line,
                                size_t *length)
{
    search_node node = s->root;
    for (*length = 0; node.place.left;) {
        size_t count = engine_moves(s->engine, &node.place, 0);
        size_t best = *length ? count : first;
        if (!engine_halted(s->engine) && best == count)
            best =
                s->many ? best_many(s->engine, &node, count) : best_pair(s->engine, &node, count);
        if (engine_halted(s->engine) || best == count) return s->engine->failed;
        search_move move = s->engine->memory.moves[best];
        basra_status status = play_lowest(s, &move, p, &line[*length]);
        if (status) return status;
        ++*length;
        search_node next;
        problem_play(&s->engine->problem, &node, &move, &next);
        node = next;
    }
    return BASRA_OK;
}

static basra_status line_from(solving *s, const basra_position *position, size_t first,
                              basra_move *line, size_t *length)
{
    basra_position *copy = basra_malloc(sizeof *copy);
    if (!copy) return BASRA_E_NOMEM;
    *copy = *position;
    basra_status status = follow_line(s, first, copy, line, length);
    basra_free(copy);
    return status;
}

static basra_status run(solving *s, const basra_position *position, int line_wanted,
                        basra_scored *moves, size_t capacity, basra_move *line,
                        basra_solution *solution)
{
    basra_status status = solving_moves(s, position, moves, capacity, &solution->moves);
    if (status) return status;
    solution->best = solving_best(moves, solution->moves);
    solution->known = s->valued || !engine_halted(s->engine);
    if (s->valued) solution->value = s->guess;
    if (solution->best < 0) return BASRA_OK;
    const basra_scored *best = &moves[solution->best];
    if (!s->valued) solution->value = best->value;
    memcpy(solution->points, best->points, sizeof solution->points);
    if (!line_wanted || engine_halted(s->engine)) return BASRA_OK;
    return line_from(s, position, best->group, line, &solution->line);
}

/* Every call's end: what it took, and the engine given back. */
static basra_status finish(basra_engine *engine, basra_status status, basra_solution *solution)
{
    solution->nodes = engine->nodes;
    solution->stop = engine->stopped;
    engine_leave(engine);
    return status;
}

basra_status basra_solve(basra_engine *engine, const basra_rules *rules,
                         const basra_position *position, const basra_limits *limits,
                         int line_wanted, basra_scored *moves, size_t capacity, basra_move *line,
                         basra_solution *solution)
{
    *solution = (basra_solution){.best = -1};
    if (position->over) return BASRA_E_OVER;
    basra_status status = engine_enter(engine, limits);
    if (status) return status;
    solving s;
    solving_start(engine, rules, position, &s);
    status = run(&s, position, line_wanted, moves, capacity, line, solution);
    return finish(engine, status, solution);
}

basra_status basra_value(basra_engine *engine, const basra_rules *rules,
                         const basra_position *position, const basra_limits *limits,
                         basra_solution *solution)
{
    *solution = (basra_solution){.best = -1};
    if (position->over) return BASRA_E_OVER;
    basra_status status = engine_enter(engine, limits);
    if (status) return status;
    solving s;
    solving_start(engine, rules, position, &s);
    solving_value(&s, solution);
    return finish(engine, engine->failed, solution);
}
