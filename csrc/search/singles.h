/* What a numeral can take from a floor that has no two cards of a rank.
 *
 * Only ranks matter there, and there are few such floors: what has been worked out for one floor serves
 * all that look like it.  Filled as it is asked.
 */
#ifndef BASRA_SEARCH_SINGLES_H
#define BASRA_SEARCH_SINGLES_H

#include "../game/capture.h"

typedef struct singles {
    bag plural; /* bits of a bag that tell of several cards */
    /* By the ranks of the floor, up to that of the card: 0 if not known, SINGLES_SEVERAL, or one more
     * than the set of the ranks taken by the one capture. */
    uint16_t taken[2 << NUMERAL_RANKS];
} singles;

enum { SINGLES_SEVERAL = UINT16_MAX };

/* Empties the table, for other rules. */
void singles_for(const card_types *types, singles *s);

/* Fills an entry in; `part` is a floor that stands for it. */
basra_status singles_fill(const card_types *types, bag part, int type, capture_work *work,
                          uint16_t *entry);

/* The ranks of a bag of numerals, a bit each, as a set; 0 if two cards have the same. */
static inline unsigned singles_ranks(const singles *s, bag part)
{
    const bag ones = SET_ALL / 15;
    if (part & s->plural) return 0;
    bag m = (part & ones) + (part >> 1 & ones) + (part >> 2 & ones) + (part >> 3 & ones);
    if (m & ~ones) return 0;
    m = (m | m >> 3) & UINT64_C(0x0303030303030303);
    m = (m | m >> 6) & UINT64_C(0x000f000f000f000f);
    m = (m | m >> 12) & UINT64_C(0x000000ff000000ff);
    return (unsigned)(m | m >> 24) & 0x3ff;
}

/* All the bits of a bag's ranks; the inverse of singles_ranks. */
static inline bag singles_bits(unsigned ranks)
{
    bag m = ranks;
    m = (m | m << 24) & UINT64_C(0x000000ff000000ff);
    m = (m | m << 12) & UINT64_C(0x000f000f000f000f);
    m = (m | m << 6) & UINT64_C(0x0303030303030303);
    m = (m | m << 3) & SET_ALL / 15;
    return 15 * m;
}

/* Where the table keeps a numeral's capture from the ranks of a floor, which are up to its own. */
static inline uint16_t *singles_at(singles *s, int rank, unsigned ranks)
{
    return &s->taken[(2u << rank) | ranks];
}

#endif
