/* What a search knows of the rules in hand, by card type. */
#ifndef BASRA_SEARCH_LORE_H
#define BASRA_SEARCH_LORE_H

#include "order.h"
#include "singles.h"
#include "tally.h"

typedef struct search_lore {
    const card_types *types; /* borrowed */
    move_order order;
    tally worth;
    singles singles; /* grows as it is asked */
} search_lore;

static inline void lore_init(const card_types *types, search_lore *lore)
{
    lore->types = types;
    move_order_init(types, &lore->order);
    tally_init(types, &lore->worth);
    singles_for(types, &lore->singles);
}

#endif
