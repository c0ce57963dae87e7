/* What the end of a search is worth, and for which standings. */
#ifndef BASRA_SEARCH_LEAF_H
#define BASRA_SEARCH_LEAF_H

#include "pair_table.h"

/* The round's end for a side with a lead and a last capturer as in `standing`.  `final` is the lead with
 * the leftovers, `gain` the points it gets but for most cards, `leftovers` their number.
 *
 * The range says how far the lead may move before the most-cards points change: for a bound from below
 * down to a lead of one card, or a tie, or without end if they are lost anyway. */
static inline proof leaf_round(const search_problem *problem, int lead, int last, int leftovers,
                               int final, int32_t gain, int32_t beta)
{
    int32_t bonus = problem->bonus * BASRA_UNIT, value = gain * BASRA_UNIT;
    if (final) value += final > 0 ? bonus : -bonus;
    if (value >= beta) {
        if (final > 0) lead -= final - 1;
        if (final < 0 || !bonus) lead = -LEAD_MOST;
        if (!leftovers) last = -1;
    } else {
        if (final < 0) lead -= final + 1;
        if (final > 0 || !bonus) lead = LEAD_MOST;
        if (!leftovers) last = 1;
    }
    return (proof){value, standing_of(lead, last)};
}

/* The end of the cards searched, whichever it is. */
proof leaf_proof(const search_problem *problem, const visit *v, int32_t beta);

#endif
