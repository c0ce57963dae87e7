/* Two sides: exact values by zero-window alpha-beta with a transposition table. */
#ifndef BASRA_SEARCH_ALPHABETA_H
#define BASRA_SEARCH_ALPHABETA_H

#include "engine.h"

/* Values are for the side to move, in 1/BASRA_UNIT points, and void if engine_halted afterwards.
 * Moves stand on the stack from `at` on. */

/* Exact value of a node, by searches from `guess` on. */
int32_t alphabeta_value(basra_engine *engine, const search_node *node, int32_t guess, size_t at);

/* Exact value of a move of it. */
int32_t alphabeta_move_value(basra_engine *engine, const search_node *node, const search_move *move,
                             int32_t guess, size_t at);

/* Is a move worth at least `value`? */
bool alphabeta_reaches(basra_engine *engine, const search_node *node, const search_move *move,
                       int32_t value, size_t at);

#endif
