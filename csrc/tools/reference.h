/* A plain solver for two sides, the yardstick of the real one: for its values, and for how much work
 * and time it saves.
 *
 * Fail-soft alpha-beta with a full window, on sets of cards.  The table's key is exact: floor, cards
 * held, captured cards and last capturer.  Moves go by the points they gain.  That is all it does, and
 * it shares nothing with the real search but the rules of the game.
 *
 * A classic round of two players takes it 154,000 visits in the median, 255,000 in the mean, with a
 * table of 2 MB; a last deal 188 and 200 with 64 KB.  That is what others are measured by: leave it.
 */
#ifndef BASRA_TOOLS_REFERENCE_H
#define BASRA_TOOLS_REFERENCE_H

#include "basra.h"

typedef struct reference reference;

/* A new solver with a table of at most `table_bytes`; NULL when memory is short. */
reference *reference_new(size_t table_bytes);
void reference_free(reference *r);

/* Exact value of a position of two sides that is not over: points still to come for the side to move,
 * less the other's.  *visits counts the positions entered at which a card is played. */
basra_status reference_value(reference *r, const basra_rules *rules, const basra_position *p,
                             int32_t *value, uint64_t *visits);

/* Value of every legal move, in the order of basra_position_moves; values[] needs room for all. */
basra_status reference_moves(reference *r, const basra_rules *rules, const basra_position *p,
                             int32_t *values, size_t capacity, size_t *count);

#endif
