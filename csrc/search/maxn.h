/* Three or four single players: max^n with a table. */
#ifndef BASRA_SEARCH_MAXN_H
#define BASRA_SEARCH_MAXN_H

#include "engine.h"

/* Points of every seat, in 1/BASRA_UNIT points, when each plays for its own points minus the mean of
 * the others', and of equal moves the first in canonical order.  Void if engine_halted afterwards. */
void maxn(basra_engine *engine, const search_node *node, size_t at, int32_t *points);

void maxn_move(basra_engine *engine, const search_node *node, const search_move *move, size_t at,
               int32_t *points);

/* What a seat plays for, times (players - 1): n * own - all. */
int64_t maxn_interest(int players, const int32_t *points, int seat);

#endif
