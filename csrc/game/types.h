/* Card types and bags.
 *
 * Under given rules many cards are equal: same rank, same points, same power.  Such a class is a
 * card *type*, and search works on multisets of types ("bags").  A bag is one 64-bit word with four
 * bits a rank: the types of a rank share its nibble, each with just the bits its count needs (4
 * cards: 3 bits, 2 or 3: 2 bits, 1: 1 bit).  Every way to split four cards into types fits four bits
 * (4; 3+1; 2+2; 2+1+1; 1+1+1+1), so a bag holds any rule set, and adding and removing cards is plain
 * addition and subtraction.
 *
 * With every card a type of its own a bag *is* the card set: the same code then works with card
 * identity.  The surface uses it that way, search with merged types.
 */
#ifndef BASRA_GAME_TYPES_H
#define BASRA_GAME_TYPES_H

#include "rules.h"

typedef uint64_t bag;

typedef struct card_types {
    basra_rules rules;
    int count;                       /* types in use */
    uint8_t type_of[BASRA_CARDS];    /* by card */
    uint8_t rank[BASRA_CARDS];       /* by type, from here on */
    bag unit[BASRA_CARDS];           /* one card of the type */
    bag field[BASRA_CARDS];          /* all bits of its count */
    uint64_t members[BASRA_CARDS];   /* the cards of the type */
    int32_t points[BASRA_CARDS];
    bag relevant[BASRA_CARDS];   /* bits of a floor that decide what the type can take */
    bag wild;                        /* unit of a 7D that any card takes, else 0 */
    int sweeper;                     /* type of a 7D that sweeps, else -1 */
    uint8_t nibble_of[BASRA_RANKS][16];  /* suits of a rank -> nibble of a bag */
    uint8_t cards_in[BASRA_RANKS][16];   /* nibble -> number of cards */
    int32_t points_in[BASRA_RANKS][16];  /* nibble -> card points */
    uint16_t parts_of[BASRA_RANKS][16];  /* nibble -> bit set of the nibbles contained in it */
} card_types;

/* Types that the rules make, or with `identity` every card its own type.  Types are ordered by rank,
 * then by their lowest card. */
void types_init(const basra_rules *rules, bool identity, card_types *types);

bag types_bag(const card_types *types, uint64_t set);

static inline int bag_nibble(bag b, int rank) { return (int)(b >> (4 * rank)) & 15; }

static inline int bag_cards(const card_types *types, bag b)
{
    int n = 0;
    while (b) {
        int rank = set_first(b) / 4, nibble = bag_nibble(b, rank);
        n += types->cards_in[rank][nibble];
        b ^= (bag)nibble << (4 * rank);
    }
    return n;
}

static inline int32_t bag_points(const card_types *types, bag b)
{
    int32_t n = 0;
    while (b) {
        int rank = set_first(b) / 4, nibble = bag_nibble(b, rank);
        n += types->points_in[rank][nibble];
        b ^= (bag)nibble << (4 * rank);
    }
    return n;
}

/* Cards of one type in a bag. */
static inline int bag_count(const card_types *types, bag b, int type)
{
    return (int)((b & types->field[type]) / types->unit[type]);
}

/* The lowest cards of `from` that make up the bag `want`; `from` must contain it. */
uint64_t types_pick(const card_types *types, uint64_t from, bag want);

/* Order of two bags as ascending lists of types. */
int bag_compare(const card_types *types, bag a, bag b);

#endif
