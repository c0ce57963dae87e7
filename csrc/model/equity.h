/* Match equity: the chance to win a match from the scores before a round, and how the rest of a round may
 * go.  For two sides, and for one target; docs/algorithms.md tells what the numbers mean. */
#ifndef BASRA_MODEL_EQUITY_H
#define BASRA_MODEL_EQUITY_H

#include "../game/types.h"

/* Chances are in 1/EQUITY_SURE. */
enum { EQUITY_SURE = 1 << 16 };

/* Points of an outlook are in 1/OUTLOOK_UNIT, slopes in 1/OUTLOOK_SLOPE. */
enum { OUTLOOK_UNIT = 16, OUTLOOK_SLOPE = 4096, OUTLOOK_MOST = 64 };

typedef struct equity_table {
    int32_t target, lowest; /* scores from lowest to target - 1 are told apart */
    int32_t across; /* so many of them */
    int32_t carries, unit; /* waiting points 0, unit, 2 * unit .. are told apart, so many of them */
    /* How the rest of a round can differ from a value searched, by cards still to be played: */
    int32_t plies, classes, differences, totals;
    /* First the chances of the side that leads: carry by carry one where both have reached the target, then
     * carry by carry the grid, its own score by row.  Then for every number of cards to be played, from 1:
     * the slope; the `totals` extra points of both sides; the `differences` by class. */
    const uint16_t *tied, *grid, *outlook;
    uint16_t data[];
} equity_table;

/* The part for a table of two sides from a file.  BASRA_E_MODEL if it is damaged, or for other rules;
 * BASRA_E_NOMEM.  BASRA_OK and NULL if it is sound but made for another target: then there is none.  Free it
 * with equity_free, which takes NULL. */
basra_status equity_read(const basra_rules *rules, const uint8_t *bytes, size_t size,
                         equity_table **made);
void equity_free(equity_table *made);

/* Chance of side 0 to win the match, in 1/EQUITY_SURE, after a whole round that left these scores and
 * waiting points, if side `leader` leads the next one.  Exactly 0 or EQUITY_SURE when the match is won. */
int32_t equity_chance(const equity_table *table, const int32_t *scores, int32_t carry, int leader);

/* How the rest of a round may go, with so many cards to be played: a view into a table. */
typedef struct equity_outlook {
    int32_t slope; /* of the mean outcome on the value searched, in 1/OUTLOOK_SLOPE */
    int32_t totals; /* equally likely */
    const int16_t *total; /* points of both sides, card points and most cards left out */
    int32_t differences; /* equally likely */
    const int16_t
        *difference; /* of the side with more cards, beyond what the value searched says */
} equity_outlook;

/* `plies` cards to be played; a lead of so many cards over the other side, with so many not captured. */
equity_outlook equity_outlook_at(const equity_table *table, int plies, int lead, int uncaptured);

#endif
