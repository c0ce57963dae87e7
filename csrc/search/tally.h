/* What the cards of a bag add up to, by table: two ranks at a time. */
#ifndef BASRA_SEARCH_TALLY_H
#define BASRA_SEARCH_TALLY_H

#include "../game/types.h"

enum { TALLY_BYTES = (BASRA_RANKS + 1) / 2, TALLY_POINT = 256 };

/* By the byte of a bag, then by its contents: cards, and TALLY_POINT times their points. */
typedef struct tally {
    int32_t of[TALLY_BYTES][256];
} tally;

void tally_init(const card_types *types, tally *t);

static inline int32_t tally_up(const tally *t, bag b)
{
    int32_t sum = 0;
    for (int byte = 0; byte < TALLY_BYTES; byte++) sum += t->of[byte][b >> (8 * byte) & 255];
    return sum;
}

/* Cards are never negative, and fewer than TALLY_POINT. */
static inline int32_t tally_cards(int32_t sum) { return sum & (TALLY_POINT - 1); }
static inline int32_t tally_points(int32_t sum) { return (sum - tally_cards(sum)) / TALLY_POINT; }

#endif
