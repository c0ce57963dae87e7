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

/* As alphabeta_expand, for a place near the end.  Counts the places behind it as nodes.  What it cannot
 * do, it hands on: more captures than the cache keeps, or hands that are not even. */
proof ending_expand(basra_engine *engine, const visit *v, const pair_entry *known, int32_t beta,
                    size_t at);

/* The search proper, in alphabeta.c: is the place worth at least beta?  `known` is what the table has of
 * it, or NULL; the moves of the places on the way here end at memory->moves[at]. */
proof alphabeta_expand(basra_engine *engine, const visit *v, const pair_entry *known, int32_t beta,
                       size_t at);

/* The same, the table first. */
proof alphabeta_enter(basra_engine *engine, const visit *v, int32_t beta, size_t at);

#endif
