/* What a search knows of the rules in hand, by card type. */
#ifndef BASRA_SEARCH_LORE_H
#define BASRA_SEARCH_LORE_H

#include "order.h"
#include "singles.h"
#include "tally.h"

/* A move of the search.  Equal cards, and equal captures of unequal cards, are different moves only
 * where their types differ. */
typedef struct search_move {
    bag change; /* of the floor, modulo 2^64: the card added, or the captured ones taken off */
    uint64_t others; /* every slot but the card's */
    int32_t gain; /* points for the side that plays */
    int32_t promise; /* what to try first; see order.h */
    uint8_t slot; /* the card */
    uint8_t type; /* its type */
    uint8_t cards; /* captured, the played one included; 0: a trail */
    uint8_t index; /* among the moves of its card, 0 for a trail */
    /* Ranks that a capture takes off a floor which looks single; of a trail see singles_row.laid. */
    floor_looks ranks;
} search_move;

enum { BASRA_DEPENDS = INT16_MIN };

/* A card dealt. */
typedef struct search_slot {
    search_move trail; /* the move of leaving it on the floor */
    bag relevant; /* bits of a floor that decide what it can take */
    uint64_t rivals; /* slots of the other side that hold its rank */
    singles_row row; /* where its captures stand; see singles.h */
    int16_t points; /* of the card */
    int16_t promise; /* of a capture with it, before what that brings; see order.h */
    int16_t basra; /* points of taking the floor's last cards; BASRA_DEPENDS: on what they are */
} search_slot;

typedef struct search_lore {
    const card_types *types; /* borrowed */
    move_order order;
    tally worth;
    singles singles; /* grows as it is asked */
    search_slot slot[BASRA_CARDS]; /* by type: a card that is nowhere yet */
    uint8_t place[BASRA_CARDS]; /* by type: where it stands among the most promising to trail */
} search_lore;

void lore_init(const card_types *types, search_lore *lore);

#endif
