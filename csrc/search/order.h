/* Which move to try first: what a search of many rounds has found to refute most often. */
#ifndef BASRA_SEARCH_ORDER_H
#define BASRA_SEARCH_ORDER_H

#include "../game/types.h"

/* Promises of moves, for a set of rules; the unit has no meaning. */
typedef struct move_order {
    int32_t capture[BASRA_CARDS]; /* by type: of capturing with it, before what it brings */
    int32_t trail[BASRA_CARDS]; /* by type: of leaving it on the floor */
    int32_t point, card; /* of each point and each card a capture brings */
    int32_t given; /* of a trail that the other side can match, besides */
    int32_t given_alone; /* the same on an empty floor, where that is a basra */
} move_order;

void move_order_init(const card_types *types, move_order *order);

#endif
