/* What a card takes from a floor that has no two cards of a rank.
 *
 * There only the ranks matter, and few of them: what has been worked out for one floor serves all that
 * look like it.  Most floors are of this kind, and most cards have one capture or none.  Filled as it is
 * asked; what it says depends on the rules alone.
 */
#ifndef BASRA_SEARCH_SINGLES_H
#define BASRA_SEARCH_SINGLES_H

#include "../game/capture.h"

/* How a floor looks by ranks: bit r says that rank r lies there.  Bits from LOOKS_SEVERAL on say that some
 * rank may have several cards, or that a wild card lies there: "not single". */
typedef uint32_t floor_looks;

enum { LOOKS_SEVERAL = 1 << BASRA_RANKS };

/* What the table says of a type and a floor: the one capture there is, or how many there are. */
typedef struct single_capture {
    bag bits; /* of the ranks taken; 0 if the captures are not one */
    uint16_t ranks; /* the same as a set */
    uint16_t more; /* where several captures stand, in singles.more */
    uint8_t cards; /* captured, the played one included; 0: to be counted */
    uint8_t state; /* SINGLE_UNKNOWN, SINGLE_MANY, or SINGLE_NONE and the number of captures */
} single_capture;

enum { SINGLE_UNKNOWN, SINGLE_MANY, SINGLE_NONE };

/* How a type is looked up and laid down. */
typedef struct singles_row {
    floor_looks laid; /* what one more on the floor adds to its looks */
    uint16_t first; /* its entries: one for every set of the ranks that matter to it */
    uint16_t mask; /* of those ranks */
} singles_row;

enum {
    SINGLES_PICTURES = 2 << NUMERAL_RANKS, /* after the numerals' rows */
    SINGLES_ALL = SINGLES_PICTURES + BASRA_RANKS - NUMERAL_RANKS, /* cards that take all */
    SINGLES_SIZE = SINGLES_ALL + 1,
    SINGLES_MORE = 2048, /* 1,793 are the most that any rules fill */
    SINGLES_MOST = 4 /* captures of a card that are kept */
};

typedef struct singles {
    bag plural; /* bits of a bag that tell of several cards, or of a wild one */
    bag pointed; /* bits of single cards that have points */
    int16_t points[BASRA_CARDS]; /* by bit, theirs */
    singles_row row[BASRA_CARDS]; /* by type */
    single_capture capture[SINGLES_SIZE];
    single_capture more[SINGLES_MORE]; /* where there are several, the first `used` of them */
    uint16_t used;
} singles;

/* Empties the table, for other rules. */
void singles_for(const card_types *types, singles *s);

/* Fills an entry in if it is not known; `part` is what matters of a floor that stands for it. */
basra_status singles_fill(const card_types *types, bag part, singles_row row, floor_looks looks,
                          int type, capture_work *work, singles *s);

static inline bool looks_single(floor_looks looks) { return looks < LOOKS_SEVERAL; }

/* The looks of a floor with one card more; the same rank again makes it one with several. */
static inline floor_looks looks_with(floor_looks looks, floor_looks laid)
{
    return looks | laid | (looks & laid) << BASRA_RANKS;
}

static inline floor_looks looks_of(const singles *s, bag floor)
{
    const bag ones = SET_ALL / 15;
    if (floor & s->plural) return LOOKS_SEVERAL;
    bag m = (floor & ones) + (floor >> 1 & ones) + (floor >> 2 & ones) + (floor >> 3 & ones);
    if (m & ~ones) return LOOKS_SEVERAL;
    m = (m | m >> 3) & UINT64_C(0x0303030303030303);
    m = (m | m >> 6) & UINT64_C(0x000f000f000f000f);
    m = (m | m >> 12) & UINT64_C(0x000000ff000000ff);
    return (floor_looks)(m | m >> 24) & (LOOKS_SEVERAL - 1);
}

/* What the table says of a type and a floor that looks single, and matters to it. */
static inline const single_capture *singles_at(const singles *s, singles_row row, floor_looks looks)
{
    return &s->capture[row.first + (looks & row.mask)];
}

#endif
