/* Model files with match equity, whole and damaged: for the sanitizers. */
#include "test_equity.h"

#include "basra.h"

#include <stdlib.h>
#include <string.h>

enum { TARGET = 3, PLIES = 48, DIFFERENCES = 2, TOTALS = 1, HEAD = 32, PART = 12 };
enum { WORDS = 1 + TARGET * TARGET + PLIES * (7 + TOTALS + DIFFERENCES) };
enum { SIZE = HEAD + PART + 17 + 2 * WORDS };

static uint8_t *put(uint8_t *at, uint64_t number, int count)
{
    for (int i = 0; i < count; i++) *at++ = (uint8_t)(number >> (8 * i));
    return at;
}

/* Makes the sum right, so that what was changed is looked at. */
static void seal(uint8_t *bytes, size_t size)
{
    uint32_t sum = UINT32_MAX;
    put(bytes + 24, size, 4);
    put(bytes + 28, 0, 4);
    for (size_t i = 0; i < size; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum & 1 ? sum >> 1 ^ UINT32_C(0xedb88320) : sum >> 1;
    }
    put(bytes + 28, ~sum, 4);
}

static void make_file(const basra_rules *rules, uint8_t *bytes)
{
    uint8_t *at = bytes;
    memcpy(at, "BASRAMDL", 8);
    at = put(at + 8, 1, 4);
    at = put(at, 1, 4);
    at = put(at, basra_rules_number(rules), 8) + 8;
    at = put(put(at, 3, 2), 0, 2);
    at = put(put(at, HEAD + PART, 4), SIZE - HEAD - PART, 4);
    at = put(put(at, TARGET, 4), 0, 4);
    at = put(put(put(at, TARGET, 2), 1, 2), (uint64_t)rules->most_cards, 2);
    at = put(put(put(at, PLIES, 1), DIFFERENCES, 1), TOTALS, 1);
    at = put(at, 32768, 2);
    for (int own = 0; own < TARGET; own++)
        for (int other = 0; other < TARGET; other++)
            at = put(at, (uint64_t)(32768 + 8000 * (own - other)), 2);
    for (int i = 0; i < PLIES; i++) {
        for (int n = 0; n < 7; n++) at = put(at, 512, 2);
        at = put(put(put(at, 160, 2), 65056, 2), 480, 2);
    }
}

/* Asks a model all it can be asked; false if an answer is impossible. */
static bool use(const basra_rules *rules, const basra_model *model)
{
    static const int32_t values[] = {INT32_MIN, -30000, 0, 1, 30000, INT32_MAX};
    enum { VALUES = sizeof values / sizeof *values };
    int32_t chance = 0, chances[VALUES] = {0};
    for (int32_t own = -1000000000; own <= 1000000000; own += 250000001) {
        int32_t scores[2] = {own, 1};
        basra_status status = basra_match_equity(model, 2, 0, scores, 77, own & 1, &chance);
        if (status == BASRA_E_MODEL) return true; /* no table for this target */
        if (status || chance < 0 || chance > BASRA_SURE) return false;
    }
    basra_position position;
    basra_view view;
    if (basra_position_deal(rules, 2, 0, 0, 1, &position)) return false;
    if (basra_view_of(rules, &position, &view)) return false;
    if (basra_match_chances(model, rules, &view, values, VALUES, chances)) return false;
    for (int i = 0; i < VALUES; i++)
        if (chances[i] < 0 || chances[i] > BASRA_SURE) return false;
    return true;
}

/* Reads `size` bytes from memory that ends where they do. */
static bool survives(const basra_rules *rules, const uint8_t *bytes, size_t size, bool *sound)
{
    basra_model *model;
    basra_fault fault;
    uint8_t *copy = malloc(size);
    if (!copy) abort();
    memcpy(copy, bytes, size);
    basra_status status = basra_model_read(rules, copy, size, &model, &fault);
    free(copy);
    *sound = !status;
    bool good = status ? status == BASRA_E_MODEL && fault && !model : use(rules, model);
    basra_model_free(model);
    return good;
}

bool equity_survives_damage(const basra_rules *preset)
{
    basra_rules rules = *preset;
    uint8_t whole[SIZE], bytes[SIZE];
    bool sound;
    rules.target = TARGET;
    make_file(&rules, whole);
    seal(whole, SIZE);
    if (!survives(&rules, whole, SIZE, &sound) || !sound) return false;
    for (size_t size = HEAD + PART; size < SIZE; size++) {
        memcpy(bytes, whole, size);
        put(bytes + HEAD + 8, size - HEAD - PART, 4);
        seal(bytes, size);
        if (!survives(&rules, bytes, size, &sound) || sound) return false;
    }
    for (size_t bit = 8 * HEAD; bit < 8 * SIZE; bit++) {
        memcpy(bytes, whole, SIZE);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        seal(bytes, SIZE);
        if (!survives(&rules, bytes, SIZE, &sound)) return false;
    }
    return true;
}
