#include "leaf.h"

#include "evaluate.h"

/* Where more deals are to come: most cards at their expectation, which every card of the lead changes. */
static proof boundary(const search_problem *problem, const visit *v, int32_t beta)
{
    int lead = standing_lead(v->at);
    int cards[2] = {lead > 0 ? lead : 0, lead > 0 ? 0 : -lead};
    int32_t share[2];
    expect_majority(2, cards, problem_uncaptured(problem, &v->place), problem->bonus * BASRA_UNIT,
                    share);
    int32_t value = share[0] - share[1];
    int range = value >= beta ? -LEAD_MOST : LEAD_MOST;
    return (proof){value, standing_of(problem->bonus ? lead : range, value >= beta ? -1 : 1)};
}

proof leaf_proof(const search_problem *problem, const visit *v, int32_t beta)
{
    if (!problem->to_round_end) return boundary(problem, v, beta);
    int lead = standing_lead(v->at), last = standing_last(v->at);
    int cards = bag_cards(problem->types, place_floor(&v->place));
    int32_t points = bag_points(problem->types, place_floor(&v->place));
    return leaf_round(problem, lead, last, cards, lead + last * cards, last * points, beta);
}
