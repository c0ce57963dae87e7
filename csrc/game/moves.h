/* Legal moves with card identity.  Types handed in here must be identity types, where a bag is the
 * set of cards itself. */
#ifndef BASRA_GAME_MOVES_H
#define BASRA_GAME_MOVES_H

#include "capture.h"

typedef struct move_list {
    basra_move *moves;
    size_t capacity;
    size_t count; /* all there are, written or not */
} move_list;

/* A move with what it is worth at once. */
basra_move move_of(const card_types *types, uint64_t floor, int card, uint64_t taken,
                   bool last_of_round);

/* Cards of a hand that may be played: all, but those that capture where the hand must capture. */
uint64_t playable_cards(const card_types *types, uint64_t hand, uint64_t floor);

/* Appends every legal move of a hand, canonical; writes what fits the capacity. */
basra_status hand_moves(const card_types *types, uint64_t hand, uint64_t floor, bool last,
                        capture_work *work, move_list *out);

#endif
