#include "singles.h"

#include <string.h>

void singles_for(const card_types *types, singles *s)
{
    s->plural = types->wild;
    for (int type = 0; type < types->count; type++)
        s->plural |= types->field[type] - types->unit[type];
    memset(s->taken, 0, sizeof s->taken);
}

basra_status singles_fill(const card_types *types, bag part, int type, capture_work *work,
                          uint16_t *entry)
{
    size_t count;
    singles none = {0};
    basra_status status = captures_list(types, part, type, 0, work, &count);
    if (status) return status;
    *entry = (uint16_t)(count == 0   ? 1
                        : count == 1 ? singles_ranks(&none, work->taken[0]) + 1
                                     : SINGLES_SEVERAL);
    return BASRA_OK;
}
