#include "policy.h"

#include "../game/memory.h"

basra_status policy_read(const basra_rules *rules, const uint8_t *bytes, size_t size,
                         policy_net **made)
{
    (void)rules;
    (void)bytes;
    (void)size;
    *made = NULL;
    return BASRA_E_MODEL;
}

void policy_free(policy_net *made) { basra_free(made); }
