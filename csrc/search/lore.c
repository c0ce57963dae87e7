#include "lore.h"

/* Cards that take all look at what they take; for others one floor stands for all. */
static int16_t basra_of(const card_types *types, int type)
{
    if (types->relevant[type] == SET_ALL) return BASRA_DEPENDS;
    return (int16_t)capture_basra(types, types->unit[type], type, types->unit[type]);
}

static search_slot slot_of(const search_lore *lore, int type)
{
    return (search_slot){.trail = {.change = lore->types->unit[type],
                                   .promise = lore->order.trail[type],
                                   .ranks = lore->singles.row[type].laid,
                                   .type = (uint8_t)type},
                         .relevant = lore->types->relevant[type],
                         .row = lore->singles.row[type],
                         .points = (int16_t)lore->types->points[type],
                         .promise = (int16_t)lore->order.capture[type],
                         .basra = basra_of(lore->types, type)};
}

/* Ranks the types by what trailing them promises, equals by their number. */
static void rank_trails(const card_types *types, search_lore *lore)
{
    const int32_t *trail = lore->order.trail;
    for (int type = 0; type < types->count; type++) {
        int place = 0;
        for (int other = 0; other < types->count; other++)
            place += trail[other] > trail[type] || (trail[other] == trail[type] && other < type);
        lore->place[type] = (uint8_t)place;
    }
}

void lore_init(const card_types *types, search_lore *lore)
{
    lore->types = types;
    move_order_init(types, &lore->order);
    tally_init(types, &lore->worth);
    singles_for(types, &lore->singles);
    for (int type = 0; type < types->count; type++) lore->slot[type] = slot_of(lore, type);
    rank_trails(types, lore);
}
