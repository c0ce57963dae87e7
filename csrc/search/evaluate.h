/* What the most-cards points are worth before the last card is played. */
#ifndef BASRA_SEARCH_EVALUATE_H
#define BASRA_SEARCH_EVALUATE_H

#include <stdint.h>

enum { NORMAL_CERTAIN = 1 << 16 };

/* Chance in 1/65536 that something normal with mean `distance` and a deviation above 0, in one unit, is
 * above 0. */
int32_t normal_chance(int32_t distance, int32_t deviation);

/* Chance in 1/65536 that one side ends with more cards than another that it leads by `lead`, with
 * `left` cards not captured yet, shared evenly in expectation.  Exactly 0, half or 1 where it is
 * decided.  Integers only: the same everywhere. */
int32_t chance_of_more(int lead, int left);

/* Each side's expected share of a bonus for strictly most cards, in the bonus's unit. */
void expect_majority(int sides, const int *cards, int left, int32_t bonus, int32_t *share);

/* How a card more of side j changes the share of side i, around these counts: slope[i * sides + j]. */
void expect_slopes(int sides, const int *cards, int left, int32_t bonus, int32_t *slope);

/* The integer root: the largest whose square is at most n, n < 2^62. */
uint64_t root_of(uint64_t n);

#endif
