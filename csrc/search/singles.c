#include "singles.h"

#include <string.h>

static singles_row row_of(const card_types *types, int type)
{
    int rank = types->rank[type];
    singles_row row = {.laid = 1u << rank};
    /* A wild card on the floor is nothing single. */
    if (types->unit[type] == types->wild) row.laid |= LOOKS_SEVERAL;
    if (types->relevant[type] == SET_ALL) {
        row.first = SINGLES_ALL;
    } else if (rank < NUMERAL_RANKS) {
        row.first = (uint16_t)(2 << rank);
        row.mask = (uint16_t)((2 << rank) - 1);
    } else {
        row.first = (uint16_t)(SINGLES_PICTURES + rank - NUMERAL_RANKS);
    }
    return row;
}

void singles_for(const card_types *types, singles *s)
{
    memset(s, 0, sizeof *s);
    s->plural = types->wild;
    for (int type = 0; type < types->count; type++) {
        s->plural |= types->field[type] - types->unit[type];
        s->points[set_first(types->unit[type])] = (int16_t)types->points[type];
        if (types->points[type]) s->pointed |= types->unit[type];
        s->row[type] = row_of(types, type);
    }
}

/* A card that takes all takes every rank. */
static single_capture capture_of_ranks(const card_types *types, bag taken, bool all)
{
    single_capture c = {.cards = (uint8_t)(all ? 0 : bag_cards(types, taken) + 1)};
    for (int rank = 0; rank < BASRA_RANKS; rank++) {
        if (!all && !(taken & SET_RANK(rank))) continue;
        c.bits |= SET_RANK(rank);
        c.ranks = (uint16_t)(c.ranks | 1u << rank);
    }
    return c;
}

basra_status singles_fill(const card_types *types, bag part, singles_row row, floor_looks looks,
                          int type, capture_work *work, singles *s)
{
    single_capture *c = &s->capture[row.first + (looks & row.mask)];
    const bool all = row.first == SINGLES_ALL;
    size_t count;
    if (c->state != SINGLE_UNKNOWN) return BASRA_OK;
    basra_status status = captures_list(types, part, type, 0, work, &count);
    if (status) return status;
    if (count > SINGLES_MOST || s->used + count > SINGLES_MORE) {
        c->state = SINGLE_MANY;
        return BASRA_OK;
    }
    if (count == 1) *c = capture_of_ranks(types, work->taken[0], all);
    if (count > 1) c->more = s->used;
    for (size_t i = 0; count > 1 && i < count; i++)
        s->more[s->used++] = capture_of_ranks(types, work->taken[i], all);
    c->state = (uint8_t)(SINGLE_NONE + count);
    return BASRA_OK;
}
