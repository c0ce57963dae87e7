/* Alpha-beta over the last deal with what final scores are worth in the match at its leaves.
 *
 * A place is worth different things at different scores, so nothing is looked up: the tree is small. */
#include "match_ending.h"

typedef struct match_node {
    search_node node;
    int32_t score[2];
} match_node;

/* Chance of side 0, which led this round: side 1 leads the next. */
static int32_t end_of_round(const search_problem *problem, const match_stakes *stakes,
                            const match_node *m)
{
    const card_types *types = problem->types;
    bag floor = place_floor(&m->node.place);
    int cards[2] = {m->node.cards[0], m->node.cards[1]};
    int32_t score[2] = {m->score[0], m->score[1]}, won[2], carry;
    if (m->node.last >= 0) {
        cards[m->node.last] += bag_cards(types, floor);
        score[m->node.last] += bag_points(types, floor);
    }
    basra_majority(&types->rules, 2, cards, problem->bonus - types->rules.most_cards, won, &carry);
    for (int side = 0; side < 2; side++) score[side] += won[side];
    return equity_chance(stakes->table, score, carry, 1);
}

/* Chance of the side to move if it is within (alpha, beta), else a bound on it. */
static int32_t best_chance(basra_engine *engine, const match_stakes *stakes, const match_node *m,
                           int32_t alpha, int32_t beta, size_t at);

/* The same of the side that makes a move. */
static int32_t chance_after(basra_engine *engine, const match_stakes *stakes, const match_node *m,
                            const search_move *move, int32_t alpha, int32_t beta, size_t at)
{
    const search_problem *problem = &engine->problem;
    int side = problem_side(problem, m->node.place.turn);
    match_node next = *m;
    problem_play(problem, &m->node, move, &next.node);
    next.score[side] += move->gain;
    if (!next.node.place.left) {
        int32_t chance = end_of_round(problem, stakes, &next);
        return side ? EQUITY_SURE - chance : chance;
    }
    return EQUITY_SURE -
           best_chance(engine, stakes, &next, EQUITY_SURE - beta, EQUITY_SURE - alpha, at);
}

static int32_t best_chance(basra_engine *engine, const match_stakes *stakes, const match_node *m,
                           int32_t alpha, int32_t beta, size_t at)
{
    int32_t best = 0;
    if (engine_tick(engine)) return best;
    size_t count = engine_moves(engine, &m->node.place, at);
    for (size_t i = 0; i < count && best < beta; i++) {
        search_move move = engine->memory.moves[at + i];
        int32_t from = best > alpha ? best : alpha;
        int32_t chance = chance_after(engine, stakes, m, &move, from, beta, at + count);
        if (engine_halted(engine)) return best;
        if (chance > best) best = chance;
    }
    return best;
}

int32_t match_ending(basra_engine *engine, const match_stakes *stakes, const search_node *node,
                     const search_move *move, size_t at)
{
    match_node m = {.node = *node, .score = {stakes->score[0], stakes->score[1]}};
    return chance_after(engine, stakes, &m, move, 0, EQUITY_SURE, at);
}
