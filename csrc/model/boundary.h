/* The value of a deal's end, when all hands are empty and more deals are to come: a small network.
 *
 * What counts is public: the floor, the cards not seen yet, who captured last, and the lead in cards.  The
 * network adds up a column of weights for each feature that is there, cuts each sum to a range, and weighs
 * the results: all in integers.  For two sides it tells the points still to come but for most cards, and by
 * how many cards the lead will grow, which with its deviation gives the chance of most cards; so more of a
 * lead never hurts, and a carry is worth what it should be.  For single players it tells points alone.
 *
 * Features, each there or not: the n-th card of a type on the floor, or unseen; a floor of one card, by type;
 * an empty floor; the floor's total where it is at most ten and of numerals alone; how many unseen cards
 * would take the whole floor.
 */
#ifndef BASRA_MODEL_BOUNDARY_H
#define BASRA_MODEL_BOUNDARY_H

#include "../game/types.h"

enum {
    BOUNDARY_VERSION = 1,
    BOUNDARY_HIDDEN = 32,
    BOUNDARY_TOTALS = 12,  /* empty, 1..10, anything else */
    BOUNDARY_ANSWERS = 6,  /* 0..4, more */
    BOUNDARY_CLIP = 2047,  /* sums are cut to 0..this, in 1/256 */
    BOUNDARY_SHIFT = 4, /* from 1/16384 to 1/BASRA_UNIT */
    BOUNDARY_SPREAD_LEAST = BASRA_UNIT / 4
};

/* Columns for card types are kept added up, by rank and nibble of a bag. */
typedef int32_t boundary_columns[BASRA_RANKS][16][BOUNDARY_HIDDEN];

typedef struct boundary_net {
    /* 2: points and cards, those of the side that leads next less the other's; else points of each
     * player from the one that leads on, less the expected ones for most cards. */
    int32_t outputs;
    int32_t bias[BOUNDARY_HIDDEN];
    boundary_columns floor, unseen;
    int32_t lone[BASRA_CARDS][BOUNDARY_HIDDEN]; /* by type */
    int32_t total[BOUNDARY_TOTALS][BOUNDARY_HIDDEN];
    int32_t answers[BOUNDARY_ANSWERS][BOUNDARY_HIDDEN];
    int32_t out[BASRA_MAX_PLAYERS][BOUNDARY_HIDDEN]; /* in 1/64 points or cards */
    int32_t out_bias[BASRA_MAX_PLAYERS]; /* 1/BASRA_UNIT points or cards */
    /* For two sides, in the same units.  What having captured last adds to points and cards, for each card
     * on the floor: never negative.  And the deviation of the final lead: at all, and for each floor card. */
    int32_t last_points, last_cards, spread, spread_card;
} boundary_net;

/* What the same unseen cards give every floor. */
typedef struct boundary_base {
    int32_t sum[BOUNDARY_HIDDEN];
    uint8_t unseen[BASRA_RANKS]; /* cards by rank */
} boundary_base;

/* Reads a net made for these rules and for a table of so many outputs: one with others would be read for
 * what it does not tell.  BASRA_E_MODEL if the bytes are no such net, BASRA_E_NOMEM. */
basra_status boundary_read(const basra_rules *rules, int outputs, const uint8_t *bytes, size_t size,
                           boundary_net **made);
void boundary_free(boundary_net *net);

void boundary_prepare(const boundary_net *net, const card_types *types, uint64_t unseen,
                      boundary_base *base);

/* What the net tells of a floor, by output, in 1/BASRA_UNIT. */
void boundary_value(const boundary_net *net, const boundary_base *base, const card_types *types,
                    bag floor, int32_t *value);

/* The features of a floor and the cards unseen, as numbers below boundary_features(types), for fitting.
 * index[] has room for BOUNDARY_ACTIVE.  Returns how many there are. */
enum { BOUNDARY_ACTIVE = 2 * BASRA_CARDS + 4 };
int boundary_features(const card_types *types);
int boundary_active(const card_types *types, bag floor, uint64_t unseen, uint16_t *index);

#endif
