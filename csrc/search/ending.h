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

/* Is the place worth at least beta?  Looks into the table first. */
static inline proof enter(basra_engine *engine, const visit *v, int32_t beta, size_t at)
{
    if (engine_tick(engine)) return (proof){0, 0};
    const pair_entry *e = pair_find(v->bucket, v->place.floor, PAIR_HELD(v->place.held, v->at));
    if (e) {
        if (e->low >= beta && proof_reaches(engine, v->at, e->low_at))
            return (proof){e->low, e->low_at};
        if (e->high < beta && proof_reaches(engine, e->high_at, v->at))
            return (proof){e->high, e->high_at};
    }
    return ending_near(&v->place) ? ending_expand(engine, v, e, beta, at)
                                  : alphabeta_expand(engine, v, e, beta, at);
}

/* The same, the table first. */
proof alphabeta_enter(basra_engine *engine, const visit *v, int32_t beta, size_t at);

#endif
