/* Root moves: legal moves with card identity matched with the moves of card types that search makes. */
#ifndef BASRA_SEARCH_ROOT_H
#define BASRA_SEARCH_ROOT_H

#include "../game/moves.h"
#include "problem.h"

/* Lists the legal moves of a hand into scored[], each with the index of the search move that it is:
 * `found` holds the node's `groups` search moves, canonical; `cards` are the types of identity.
 * BASRA_E_BOUNDS with *count. */
basra_status root_moves(const search_problem *problem, const card_types *cards,
                        const search_move *found, size_t groups, uint64_t hand, uint64_t floor,
                        bool last_of_round, capture_work *work, basra_scored *scored,
                        size_t capacity, size_t *count);

#endif
