/* solve: exact values of a position with all cards known. */
#include "../game/memory.h"
#include "../game/position.h"
#include "alphabeta.h"
#include "maxn.h"
#include "root.h"

#include <string.h>

typedef struct solving {
    basra_engine *engine;
    const basra_rules *rules;
    const basra_position *position;
    search_node root;
    size_t groups;
    basra_scored *group; /* value of each group */
    bool many;
} solving;

static void set_up(solving *s)
{
    const basra_position *p = s->position;
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
    problem_init(s->rules, &setup, &s->engine->problem, &s->root);
    s->many = s->engine->problem.sides > 2;
    engine_own(s->engine, s->many);
}

/* Value of one group of root moves. */
static void solve_group(solving *s, size_t i)
{
    basra_engine *e = s->engine;
    int players = e->problem.players;
    search_move move = e->stack.moves[i];
    basra_scored *g = &s->group[i];
    int32_t points[BASRA_MAX_PLAYERS] = {0};
    if (s->many) {
        maxn_move(e, &s->root, &move, s->groups, points);
        for (int n = 0; n < players; n++)
            g->points[n] = points[(s->root.turn + n) % players] / BASRA_UNIT;
        g->value = (int32_t)(maxn_interest(players, points, s->root.turn) / BASRA_UNIT);
    } else {
        int32_t guess = i ? s->group[i - 1].value * BASRA_UNIT : 0;
        int32_t value = alphabeta_exact(e, &s->root, &move, guess, s->groups);
        g->value = value / BASRA_UNIT;
    }
    g->known = !engine_halted(e);
}

/* Finds the root moves; afterwards they stand at the bottom of the stack. */
static basra_status list_root(solving *s, basra_scored *moves, size_t capacity, size_t *count)
{
    const basra_position *p = s->position;
    s->groups = engine_moves(s->engine, &s->root, 0);
    if (engine_halted(s->engine)) return s->engine->failed ? s->engine->failed : BASRA_E_STOPPED;
    return root_moves(&s->engine->problem, s->engine->stack.moves, s->groups, p->hand[p->turn],
                      p->floor, position_last_card(p), &s->engine->work, moves, capacity, count);
}

static basra_status solve_groups(solving *s)
{
    s->group = basra_calloc(s->groups, sizeof *s->group);
    if (!s->group) return BASRA_E_NOMEM;
    for (size_t i = 0; i < s->groups && !engine_halted(s->engine); i++) solve_group(s, i);
    return s->engine->failed;
}

/* First move of a node, canonical, that reaches the node's value; its index. */
static size_t best_pair(basra_engine *e, const search_node *node, size_t count)
{
    int32_t value = alphabeta(e, node, -VALUE_INFINITE, VALUE_INFINITE, count);
    for (size_t i = 0; i < count && !engine_halted(e); i++) {
        search_move move = e->stack.moves[i];
        if (alphabeta_move(e, node, &move, value - 1, value, count) >= value) return i;
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
        search_move move = e->stack.moves[i];
        maxn_move(e, node, &move, count, points);
        int64_t interest = maxn_interest(players, points, node->turn);
        if (interest > most) most = interest, best = i;
    }
    return best;
}

/* A move of card types as a play of the lowest cards that it can mean. */
static basra_status play_lowest(const solving *s, const search_move *move, basra_position *p,
                                basra_move *line)
{
    const card_types *types = &s->engine->problem.types;
    card_types cards;
    types_init(s->rules, true, &cards);
    int card = set_first(p->hand[p->turn] & types->members[move->type]);
    uint64_t taken = types_pick(types, p->floor, move->taken);
    *line = move_of(&cards, p->floor, card, taken, position_last_card(p));
    return basra_position_play(s->rules, card, taken, p);
}

/* Best play to the end of the round, starting with the best root move. */
static basra_status follow_line(solving *s, size_t first, basra_position *p, basra_move *line,
                                size_t *length)
{
    search_node node = s->root;
    for (*length = 0; node.held;) {
        size_t count = engine_moves(s->engine, &node, 0);
        size_t best = *length ? count : first;
        if (!engine_halted(s->engine) && best == count)
            best =
                s->many ? best_many(s->engine, &node, count) : best_pair(s->engine, &node, count);
        if (engine_halted(s->engine) || best == count) return s->engine->failed;
        search_move move = s->engine->stack.moves[best];
        basra_status status = play_lowest(s, &move, p, &line[*length]);
        if (status) return status;
        ++*length;
        search_node next;
        problem_play(&s->engine->problem, &node, &move, &next);
        node = next;
    }
    return BASRA_OK;
}

/* Gives every move the value of its group. */
static void hand_out(const solving *s, basra_scored *moves, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const basra_scored *g = &s->group[moves[i].group];
        moves[i].value = g->value;
        moves[i].known = g->known;
        memcpy(moves[i].points, g->points, sizeof moves[i].points);
    }
}

static int best_root(const basra_scored *moves, size_t count)
{
    int best = -1;
    for (size_t i = 0; i < count; i++)
        if (moves[i].known && (best < 0 || moves[i].value > moves[best].value)) best = (int)i;
    return best;
}

static basra_status line_from(solving *s, size_t first, basra_move *line, size_t *length)
{
    basra_position *copy = basra_malloc(sizeof *copy);
    if (!copy) return BASRA_E_NOMEM;
    *copy = *s->position;
    basra_status status = follow_line(s, first, copy, line, length);
    basra_free(copy);
    return status;
}

static basra_status run(solving *s, int line_wanted, basra_scored *moves, size_t capacity,
                        basra_move *line, basra_solution *solution)
{
    basra_status status = list_root(s, moves, capacity, &solution->moves);
    if (!status) status = solve_groups(s);
    if (status) return status;
    hand_out(s, moves, solution->moves);
    solution->best = best_root(moves, solution->moves);
    if (!line_wanted || engine_halted(s->engine)) return BASRA_OK;
    return line_from(s, moves[solution->best].group, line, &solution->line);
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
    solving s = {.engine = engine, .rules = rules, .position = position};
    set_up(&s);
    status = run(&s, line_wanted, moves, capacity, line, solution);
    basra_free(s.group);
    solution->nodes = engine->nodes;
    solution->stop = engine->stopped;
    engine_leave(engine);
    return status;
}
