/* Makes the bytes of a model with a policy. */
#include "test_policy.h"

#include "model/policy_features.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 32, PART = 12, HIDDEN = 8, TEMPERATURE = 130, FLOOR = 30, SPREAD = 301 };

static uint8_t *put(uint8_t *at, uint64_t number, int count)
{
    for (int i = 0; i < count; i++) *at++ = (uint8_t)(number >> (8 * i));
    return at;
}

static uint32_t sum_of(const uint8_t *bytes, size_t size)
{
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum & 1 ? sum >> 1 ^ UINT32_C(0xedb88320) : sum >> 1;
    }
    return ~sum;
}

basra_model *policy_of_odd_weights(const basra_rules *rules)
{
    policy_shape shape;
    basra_model *model;
    basra_fault fault;
    policy_shape_init(rules, &shape);
    size_t numbers = ((size_t)shape.count + 2) * HIDDEN, size = HEAD + PART + 16 + 2 * numbers;
    uint8_t *bytes = calloc(size, 1), *at = bytes;
    if (!bytes) abort();
    memcpy(at, "BASRAMDL", 8);
    at = put(put(put(at + 8, 1, 4), 1, 4), basra_rules_number(rules), 8);
    at = put(put(at, size, 4), 0, 4);
    at = put(put(put(put(at, 2, 2), 0, 2), HEAD + PART, 4), size - HEAD - PART, 4);
    at = put(put(put(at, 1, 4), shape.count, 4), HIDDEN, 2);
    at = put(put(put(at, TEMPERATURE, 2), FLOOR, 2), 0, 2);
    uint32_t odd = 1;
    for (size_t i = 0; i < numbers; i++) {
        odd = odd * UINT32_C(1664525) + UINT32_C(1013904223);
        at = put(at, (uint64_t)((int64_t)(odd >> 8) % SPREAD - SPREAD / 2), 2);
    }
    put(bytes + HEAD - 4, sum_of(bytes, size), 4);
    if (basra_model_read(rules, bytes, size, &model, &fault)) abort();
    free(bytes);
    return model;
}
