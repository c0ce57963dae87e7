/* TODO equity */
#ifndef BASRA_MODEL_EQUITY_H
#define BASRA_MODEL_EQUITY_H

#include "../game/types.h"

typedef struct equity_table {
    int stub;
} equity_table;

basra_status equity_read(const basra_rules *rules, const uint8_t *bytes, size_t size,
                         equity_table **made);
void equity_free(equity_table *made);

#endif
