/* The last cards of a round between two sides that play for the match, not for points. */
#ifndef BASRA_SEARCH_MATCH_ENDING_H
#define BASRA_SEARCH_MATCH_ENDING_H

#include "../model/equity.h"
#include "engine.h"

/* With more cards than this to be played the tree is too large to be searched without a table. */
enum { MATCH_ENDING_CARDS = 8 };

typedef struct match_stakes {
    const equity_table *table;
    int32_t score[2]; /* by side, this round's banked points included */
} match_stakes;

/* Chance, in 1/EQUITY_SURE, that the side to move at `node` wins the match with the move, both sides playing
 * their best for that.  `node` is of the engine's problem, which goes to the round's end, and `at` is free
 * on its stack of moves.  Void when the engine is halted. */
int32_t match_ending(basra_engine *engine, const match_stakes *stakes, const search_node *node,
                     const search_move *move, size_t at);

#endif
