/* Cards and sets of cards: bit arithmetic that everything else is written in. */
#ifndef BASRA_GAME_CARDS_H
#define BASRA_GAME_CARDS_H

#include "../basra.h"

#include <stdbool.h>

enum {
    RANK_ACE = 0,
    RANK_SEVEN = 6,
    RANK_TEN = 9,
    RANK_JACK = 10,
    RANK_QUEEN = 11,
    RANK_KING = 12
};

/* Numerals are ranks with a value: ace 1 .. ten 10. */
enum { NUMERAL_RANKS = 10 };

enum { CARD_SEVEN_DIAMONDS = RANK_SEVEN * 4 + 1 };

#define SET_ALL ((UINT64_C(1) << BASRA_CARDS) - 1)
#define SET_OF(card) (UINT64_C(1) << (card))
#define SET_RANK(rank) (UINT64_C(15) << (4 * (rank)))
#define SET_NUMERALS (SET_RANK(RANK_JACK) / 15 - 1)

/* For what is called now and then by code that runs all the time: kept out of its way. */
#if defined(__GNUC__)
#define RARE __attribute__((noinline))
#else
#define RARE
#endif

static inline int card_rank(int card) { return card >> 2; }

static inline int set_count(uint64_t set)
{
#if defined(__GNUC__)
    return __builtin_popcountll(set);
#else
    int n = 0;
    for (; set; set &= set - 1) n++;
    return n;
#endif
}

/* Lowest member of a set that is not empty. */
static inline int set_first(uint64_t set)
{
#if defined(__GNUC__)
    return __builtin_ctzll(set);
#else
    int n = 0;
    while (!(set & 1)) set >>= 1, n++;
    return n;
#endif
}

/* Takes the lowest member out of a set that is not empty. */
static inline int set_pop(uint64_t *set)
{
    int card = set_first(*set);
    *set &= *set - 1;
    return card;
}

/* Order of two sets as ascending card lists: negative, 0 or positive. */
static inline int set_compare(uint64_t a, uint64_t b)
{
    uint64_t differ = a ^ b;
    if (!differ) return 0;
    uint64_t low = differ & (~differ + 1);
    /* Equal below `low`; the list that has it goes on with it, the other with a later card or not
     * at all, and a list that ends is the smaller one. */
    uint64_t above = ~(low | (low - 1));
    if (a & low) return (b & above) ? -1 : 1;
    return (a & above) ? 1 : -1;
}

#endif
