/* TODO policy */
#ifndef BASRA_MODEL_POLICY_H
#define BASRA_MODEL_POLICY_H

#include "../game/types.h"

typedef struct policy_net {
    int stub;
} policy_net;

basra_status policy_read(const basra_rules *rules, const uint8_t *bytes, size_t size,
                         policy_net **made);
void policy_free(policy_net *made);

#endif
