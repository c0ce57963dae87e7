/* Two sides: alpha-beta with a transposition table. */
#ifndef BASRA_SEARCH_ALPHABETA_H
#define BASRA_SEARCH_ALPHABETA_H

#include "engine.h"

enum { VALUE_INFINITE = 1 << 30 };

/* Value of a node for the side to move, in 1/BASRA_UNIT points: exact inside alpha..beta, else a bound
 * on that side of it.  Moves stand on the stack from `at` on.  Void if engine_halted afterwards. */
int32_t alphabeta(basra_engine *engine, const search_node *node, int32_t alpha, int32_t beta,
                  size_t at);

/* Value of a move, with the same meaning. */
int32_t alphabeta_move(basra_engine *engine, const search_node *node, const search_move *move,
                       int32_t alpha, int32_t beta, size_t at);

/* Exact value of a node by zero-window searches from `guess` on. */
int32_t alphabeta_value(basra_engine *engine, const search_node *node, int32_t guess, size_t at);

/* Exact value of a move by zero-window searches from `guess` on. */
int32_t alphabeta_exact(basra_engine *engine, const search_node *node, const search_move *move,
                        int32_t guess, size_t at);

#endif
