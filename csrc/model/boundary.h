/* TODO boundary */
#ifndef BASRA_MODEL_BOUNDARY_H
#define BASRA_MODEL_BOUNDARY_H

#include "../game/types.h"

typedef struct boundary_net {
    int stub;
} boundary_net;

basra_status boundary_read(const basra_rules *rules, const uint8_t *bytes, size_t size,
                           boundary_net **made);
void boundary_free(boundary_net *made);

#endif
