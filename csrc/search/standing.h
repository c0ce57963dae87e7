/* Who stands how, for the side to move: its lead in captured cards, and who captured last.
 *
 * Both are one word, so that both can be compared at once: from the lowest bit the last capturer (0 the
 * other side, 1 nobody, 2 the side to move) with a guard bit above, then the lead plus 128 with a guard
 * bit above.  A standing that is at least as good in both is never worth less: more captured cards do
 * not hurt, and neither does having captured last, as long as no card has negative points.
 */
#ifndef BASRA_SEARCH_STANDING_H
#define BASRA_SEARCH_STANDING_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t standing;

enum {
    LEAD_SHIFT = 3,
    LEAD_ZERO = 128,
    LEAD_MOST = 64, /* more than anyone can have: "whatever the lead" */
    STANDING_GUARDS = 1 << 2 | 1 << 12,
    STANDING_LAST = 3,
    STANDING_TOP = 255 << LEAD_SHIFT | 2, /* at least as good as any */
    STANDING_LOWEST = (LEAD_ZERO - LEAD_MOST) << LEAD_SHIFT,
    STANDING_HIGHEST = (LEAD_ZERO + LEAD_MOST) << LEAD_SHIFT | 2
};

/* `last` is -1, 0 or 1. */
static inline standing standing_of(int lead, int last)
{
    return (standing)((lead + LEAD_ZERO) << LEAD_SHIFT | (last + 1));
}

static inline int standing_lead(standing at) { return (int)(at >> LEAD_SHIFT) - LEAD_ZERO; }
static inline int standing_last(standing at) { return (int)(at & STANDING_LAST) - 1; }

static inline bool standing_at_least(standing a, standing b)
{
    return (((a | STANDING_GUARDS) - b) & STANDING_GUARDS) == STANDING_GUARDS;
}

/* The same standing, seen by the other side. */
static inline standing standing_turned(standing at)
{
    return (2 * LEAD_ZERO << LEAD_SHIFT | 2) - at;
}

/* What the other side finds when `cards` were captured, or 0 for a trail. */
static inline standing standing_after(standing at, int cards)
{
    standing turned = standing_turned(at);
    return cards ? (turned - ((standing)cards << LEAD_SHIFT)) & ~(standing)STANDING_LAST : turned;
}

/* The lead of one, the last capturer of another. */
static inline standing standing_with_last(standing lead, standing last)
{
    return (lead & ~(standing)STANDING_LAST) | (last & STANDING_LAST);
}

/* The lower of two standings in each part. */
static inline standing standing_lower(standing a, standing b)
{
    standing last_a = a & STANDING_LAST, last_b = b & STANDING_LAST;
    return ((a < b ? a : b) & ~(standing)STANDING_LAST) | (last_a < last_b ? last_a : last_b);
}

#endif
