#include "leaf.h"

#include "evaluate.h"

/* What a net says of a boundary, for the side to move: that is the side that leads the next deal. */
static int32_t fitted(const search_problem *problem, const visit *v, int left)
{
    const boundary_net *net = problem->net;
    int32_t told[BASRA_MAX_PLAYERS];
    bag floor = place_floor(&v->place);
    int cards = bag_cards(problem->types, floor), lead = standing_lead(v->at);
    int last = standing_last(v->at) * cards;
    boundary_value(net, &problem->base, problem->types, floor, told);
    int32_t final = lead * BASRA_UNIT + told[1] + last * net->last_cards;
    if (lead > left) final = INT32_MAX;
    if (lead < -left) final = -INT32_MAX;
    int64_t chance = normal_chance(final, net->spread + cards * net->spread_card);
    int64_t bonus = (int64_t)problem->bonus * BASRA_UNIT;
    return told[0] + last * net->last_points +
           (int32_t)(bonus * (2 * chance - NORMAL_CERTAIN) / NORMAL_CERTAIN);
}

/* Most cards at their expectation. */
static int32_t expected(const search_problem *problem, int lead, int left)
{
    int cards[2] = {lead > 0 ? lead : 0, lead > 0 ? 0 : -lead};
    int32_t share[2];
    expect_majority(2, cards, left, problem->bonus * BASRA_UNIT, share);
    return share[0] - share[1];
}

/* Where more deals are to come.  More cards, and having captured last, never hurt. */
static proof boundary(const search_problem *problem, const visit *v, int32_t beta)
{
    int lead = standing_lead(v->at), left = problem_uncaptured(problem, &v->place);
    int32_t value = problem->net ? fitted(problem, v, left) : expected(problem, lead, left);
    int last = value >= beta ? -1 : 1;
    if (problem->net) last = standing_last(v->at);
    if (!problem->bonus) lead = value >= beta ? -LEAD_MOST : LEAD_MOST;
    return (proof){value, standing_of(lead, last)};
}

proof leaf_proof(const search_problem *problem, const visit *v, int32_t beta)
{
    if (!problem->to_round_end) return boundary(problem, v, beta);
    int lead = standing_lead(v->at), last = standing_last(v->at);
    int cards = bag_cards(problem->types, place_floor(&v->place));
    int32_t points = bag_points(problem->types, place_floor(&v->place));
    return leaf_round(problem, lead, last, cards, lead + last * cards, last * points, beta);
}
