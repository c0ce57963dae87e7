/* The last cards of a deal, played without lists of moves, without order and without the table: for the
 * positions that a search meets most often this is several times cheaper. */
#ifndef BASRA_SEARCH_ENDING_H
#define BASRA_SEARCH_ENDING_H

#include "pair_table.h"

_Static_assert(ENDING_OF_DEAL <= 2, "of an ending, only its last two cards lead to the next deal");

static inline bool ending_near(const search_place *place)
{
    return place->left <= place->deal->ending;
}

/* Is the place, which is near the end, worth at least beta?  Counts the places behind it as nodes; the
 * best move goes to *best, or NO_SLOT if none was chosen.  False if the place is not one for this: more
 * captures than the cache keeps, or hands that are not even. */
bool ending_solve(basra_engine *engine, const visit *v, int32_t beta, size_t at, proof *found,
                  best_move *best);

/* The search proper, for the cards of the next deal: is the place worth at least beta?  In alphabeta.c. */
proof alphabeta_enter(basra_engine *engine, const visit *v, int32_t beta, size_t at);

#endif
