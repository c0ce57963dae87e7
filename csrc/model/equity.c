#include "equity.h"

#include "../game/memory.h"

basra_status equity_read(const basra_rules *rules, const uint8_t *bytes, size_t size,
                         equity_table **made)
{
    (void)rules;
    (void)bytes;
    (void)size;
    *made = NULL;
    return BASRA_E_MODEL;
}

void equity_free(equity_table *made) { basra_free(made); }
