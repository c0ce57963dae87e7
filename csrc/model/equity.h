/* Match equity: the chance to win a match from the scores before a round, and how the rest of a round may
 * go.  For two sides, and for one target; docs/algorithms.md tells what the numbers mean. */
#ifndef BASRA_MODEL_EQUITY_H
#define BASRA_MODEL_EQUITY_H

#include "../game/types.h"

/* Chances are in 1/EQUITY_SURE. */
enum { EQUITY_SURE = 1 << 16 };

/* Points of an outlook are in 1/OUTLOOK_UNIT, shares in 1/OUTLOOK_SHARE. */
enum { OUTLOOK_UNIT = 16, OUTLOOK_SHARE = 4096, OUTLOOK_MOST = 64 };

typedef struct equity_table {
    int32_t target, lowest; /* scores from lowest to target - 1 are told apart */
    int32_t across; /* so many of them */
    int32_t carries, unit; /* waiting points 0, unit, 2 * unit .. are told apart, so many of them */
    int32_t plies, differences, totals; /* of the outlook: cards to be played, and lengths below */
    /* First the chances of the side that leads: carry by carry one where both have reached the target, then
     * carry by carry the grid, its own score by row.  Then an outlook for every number of cards to be played,
     * from 1: the numbers of equity_outlook in their order. */
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

/* How the rest of a round may go where a value was searched for one side.  With *b* the points for most cards,
 * the side gets them with the chance (1 + q) / 2, the other else; what else comes is a difference r:
 *   q = most + most_now * e + most_value * value / b
 *   r = rest + rest_now * e + rest_value * value +- rest_most + one of the deviations,
 * where e is 2 * (chance to have most cards, from the counts alone) - 1, and the sign that of most cards.  In
 * the last deal the value says who gets most cards, and only the deviations are added to it. */
typedef struct equity_outlook {
    int32_t most, most_now, most_value; /* 1/OUTLOOK_SHARE */
    int32_t rest, rest_now, rest_most; /* 1/OUTLOOK_UNIT points */
    int32_t rest_value; /* 1/OUTLOOK_SHARE */
    int32_t totals;
    const int16_t
        *total; /* equally likely: points of both sides, card points and most cards left out */
    int32_t differences;
    const int16_t *difference; /* ascending; a deviation is as likely between any two that follow */
} equity_outlook;

/* With `plies` cards to be played. */
equity_outlook equity_outlook_at(const equity_table *table, int plies);

#endif
