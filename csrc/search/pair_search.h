/* The one question of the search for two sides: is a place worth at least beta?
 *
 * Entering a place looks into the table; if that does not answer, the place is expanded, move by move, in one
 * of two ways.  Both enter the places behind their moves.
 */
#ifndef BASRA_SEARCH_PAIR_SEARCH_H
#define BASRA_SEARCH_PAIR_SEARCH_H

#include "pair_table.h"

/* With lists of moves, the most promising first: any place.  `known` is what the table has of it, or NULL;
 * lists of the places on the way here end at memory->moves[at].  In alphabeta.c. */
proof general_expand(basra_engine *engine, const visit *v, const pair_entry *known, int32_t beta,
                     size_t at);

/* Without: in the round's last deal, and for the last two cards of others.  What it cannot do, it hands on:
 * more captures than are kept, or hands that are not even.  In ending.c. */
proof ending_expand(basra_engine *engine, const visit *v, const pair_entry *known, int32_t beta,
                    size_t at);

static inline bool ending_near(const search_place *place)
{
    return place->left <= place->deal->ending;
}

/* Counts the place as a node.  Void if engine_halted afterwards. */
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
                                  : general_expand(engine, v, e, beta, at);
}

#endif
