/* What the fuzz targets share: bytes read as numbers, sets and rules, and the way they complain. */
#ifndef BASRA_TOOLS_FUZZ_INPUT_H
#define BASRA_TOOLS_FUZZ_INPUT_H

#include "basra.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Input that ends goes on as zeros. */
typedef struct input {
    const uint8_t *data;
    size_t size;
} input;

/* A wrong answer is as bad as a crash, and is reported like one. */
#define EXPECT(condition)                                                            \
    do {                                                                             \
        if (!(condition)) {                                                          \
            fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                 \
        }                                                                            \
    } while (0)

static inline uint8_t take8(input *in)
{
    if (!in->size) return 0;
    in->size--;
    return *in->data++;
}

static inline uint32_t take32(input *in)
{
    uint32_t n = 0;
    for (int i = 0; i < 4; i++) n = n << 8 | take8(in);
    return n;
}

static inline uint64_t take64(input *in)
{
    uint64_t high = take32(in);
    return high << 32 | take32(in);
}

static inline int set_size(uint64_t set)
{
    int n = 0;
    for (; set; set &= set - 1) n++;
    return n;
}

static inline uint64_t bit_of(int card) { return UINT64_C(1) << card; }

/* Numbers that are mostly small, sometimes anything. */
static inline int32_t take_points(input *in)
{
    uint8_t n = take8(in);
    return n < 250 ? n % 40 : (int32_t)take32(in);
}

/* The card number `index` of a set, counted round. */
static inline int nth_card(uint64_t set, unsigned index)
{
    for (unsigned skip = index % (unsigned)set_size(set); skip; skip--) set &= set - 1;
    int card = 0;
    while (!(set >> card & 1)) card++;
    return card;
}

static inline void change_rules(input *in, basra_rules *rules)
{
    uint8_t b = take8(in);
    rules->choice = b & 1;
    rules->must_capture = b >> 1 & 3;
    rules->seven_diamonds = b >> 3 & 3;
    rules->seven_basra = b >> 5 & 3;
    rules->bury = b >> 7;
    b = take8(in);
    rules->basra_on_last = b & 1;
    rules->most_cards_tie = b >> 1 & 1;
    rules->basra_kind = b >> 2 & 3;
    if (b & 16) rules->hand_size = take8(in);
    if (b & 32) rules->floor_size = take8(in);
    if (b & 64) rules->deck = b & 128 ? 44 : take8(in);
    rules->tables = 15;
    b = take8(in);
    if (b & 1) rules->jack_basra = take_points(in);
    if (b & 2) rules->basra_points = take_points(in);
    if (b & 4) rules->most_cards = take_points(in);
    if (b & 8) rules->target = take_points(in);
    if (b & 16) rules->not_on_first_floor = take64(in);
    if (b & 32)
        for (int i = 0; i < BASRA_RANKS; i++) rules->basra_table[i] = take_points(in);
    if (b & 64)
        for (int n = take8(in) % 8; n >= 0; n--) {
            int card = take8(in) % BASRA_CARDS;
            rules->card_points[card] = take_points(in);
        }
}

/* A preset, perhaps changed; always rules that pass the check. */
static inline void take_rules(input *in, basra_rules *rules)
{
    uint8_t b = take8(in);
    basra_fault fault;
    const basra_rules *preset = basra_preset_rules(b % basra_preset_count());
    *rules = *preset;
    if (!(b & 128)) return;
    change_rules(in, rules);
    basra_status status = basra_rules_check(rules, &fault);
    EXPECT((status == BASRA_OK) == (fault == BASRA_FAULT_NONE));
    int code = (int)fault;
    EXPECT(basra_fault_field(code) && basra_fault_text(code) && basra_fault_fix(code));
    if (status) *rules = *preset;
}

static inline void take_table(input *in, int *players, int *partners)
{
    uint8_t b = take8(in) & 3;
    *partners = b == 3;
    *players = b == 3 ? 4 : 2 + b;
}

#endif
