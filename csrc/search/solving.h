/* Work shared by solve, value and review: a position as a search problem, and the exact values of the
 * moves of one of its nodes. */
#ifndef BASRA_SEARCH_SOLVING_H
#define BASRA_SEARCH_SOLVING_H

#include "engine.h"

typedef struct solving {
    basra_engine *engine;
    const basra_rules *rules;
    search_node root;
    bool many; /* single players: max^n */
    int32_t guess; /* of the node's value, in points */
    bool valued; /* the guess is the value */
} solving;

/* Makes the position the engine's problem, and its root the node in hand. */
void solving_start(basra_engine *engine, const basra_rules *rules, const basra_position *position,
                   solving *s);

/* Lists the legal moves of the node in hand, which stands for `position`, with their exact values as
 * far as the search got; afterwards the search's own moves stand at the bottom of the stack.
 * BASRA_E_BOUNDS with *count; BASRA_E_STOPPED if not even the list was finished. */
basra_status solving_moves(solving *s, const basra_position *position, basra_scored *moves,
                           size_t capacity, size_t *count);

/* Exact value of the node in hand, written as in basra_solution. */
void solving_value(solving *s, basra_solution *solution);

/* Index of the best move that is known, or -1. */
int solving_best(const basra_scored *moves, size_t count);

#endif
