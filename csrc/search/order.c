#include "order.h"

#include "ablation.h"

/* By rank, found by hill climbing on the nodes of whole rounds and last deals of the classic rules. */
static const int16_t CAPTURE[BASRA_RANKS] = {100, 110, 210, 55,  50, 36, -6,
                                             34,  -4,  -2,  -31, -2, 111};
static const int16_t TRAIL[BASRA_RANKS] = {40, -32, 18,  16,   -12, -106, -34,
                                           51, -40, -11, -145, 89,  -7};
enum { POINT = 640, CARD = 6, GIVEN = -300, GIVEN_ALONE = -383, SWEEP = -60, TRAIL_SWEEPER = -258 };

void move_order_init(const card_types *types, move_order *order)
{
    if (WITHOUT(ORDER)) {
        *order = (move_order){0};
        return;
    }
    *order = (move_order){.point = POINT, .card = CARD, .given = GIVEN, .given_alone = GIVEN_ALONE};
    for (int type = 0; type < types->count; type++) {
        bool sweeper = type == types->sweeper;
        order->capture[type] = sweeper ? SWEEP : CAPTURE[types->rank[type]];
        order->trail[type] = sweeper ? TRAIL_SWEEPER : TRAIL[types->rank[type]];
    }
}
