#include "boundary.h"

#include "../game/memory.h"

basra_status boundary_read(const basra_rules *rules, const uint8_t *bytes, size_t size,
                           boundary_net **made)
{
    (void)rules;
    (void)bytes;
    (void)size;
    *made = NULL;
    return BASRA_E_MODEL;
}

void boundary_free(boundary_net *made) { basra_free(made); }
