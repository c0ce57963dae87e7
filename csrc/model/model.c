/* The container of models: checks a file, and hands its parts out to those who read them. */
#include "model.h"

#include "../game/memory.h"
#include "../game/rules.h"
#include "bytes.h"

#include <string.h>

enum { HEAD_SIZE = 32, PART_SIZE = 12, SUM_AT = 28, PARTS_MOST = 4096 };

static const char MAGIC[8] = {'B', 'A', 'S', 'R', 'A', 'M', 'D', 'L'};

/* CRC-32 as in zlib and PNG, bit by bit: models are small. */
static uint32_t crc32_of(const uint8_t *bytes, size_t size)
{
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        sum ^= i >= SUM_AT && i < SUM_AT + 4 ? 0 : bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum & 1 ? sum >> 1 ^ UINT32_C(0xedb88320) : sum >> 1;
    }
    return ~sum;
}

/* FNV-1a over numbers of 32 bits. */
static void mix(uint64_t *hash, int64_t number)
{
    for (int i = 0; i < 4; i++) {
        *hash ^= (uint64_t)(number >> (8 * i)) & 255;
        *hash *= UINT64_C(0x100000001b3);
    }
}

uint64_t basra_rules_number(const basra_rules *rules)
{
    const basra_rules *r = rules;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    mix(&hash, (int64_t)(r->not_on_first_floor & UINT32_MAX));
    mix(&hash, (int64_t)(r->not_on_first_floor >> 32));
    mix(&hash, r->jack_basra);
    mix(&hash, r->basra_points);
    for (int rank = 0; rank < BASRA_RANKS; rank++) mix(&hash, r->basra_table[rank]);
    for (int card = 0; card < BASRA_CARDS; card++) mix(&hash, r->card_points[card]);
    mix(&hash, r->most_cards);
    const uint8_t small[] = {r->deck,       r->hand_size,      r->floor_size,     r->bury,
                             r->choice,     r->must_capture,   r->seven_diamonds, r->seven_basra,
                             r->basra_kind, r->most_cards_tie, r->basra_on_last};
    for (size_t i = 0; i < sizeof small; i++) mix(&hash, small[i]);
    return hash;
}

typedef struct part {
    uint16_t kind;
    uint8_t table, stage;
    uint32_t offset, size;
} part;

static basra_status read_part(const basra_rules *rules, const part *p, const uint8_t *bytes,
                              basra_model *model)
{
    if (p->table >= MODEL_TABLES || p->stage >= MODEL_STAGES) return BASRA_E_MODEL;
    switch (p->kind) {
    case PART_BOUNDARY: {
        boundary_net **net = &model->boundary[p->table][p->stage];
        if (*net) return BASRA_E_MODEL;
        return boundary_read(rules, model_outputs(p->table), bytes, p->size, net);
    }
    case PART_POLICY:
        return model->policy ? BASRA_E_MODEL : policy_read(rules, bytes, p->size, &model->policy);
    case PART_EQUITY: {
        equity_table **table = &model->equity[p->table];
        return *table ? BASRA_E_MODEL : equity_read(rules, bytes, p->size, table);
    }
    default: return BASRA_E_MODEL;
    }
}

static basra_status read_parts(const basra_rules *rules, const uint8_t *bytes, size_t size,
                               uint32_t parts, basra_model *model)
{
    byte_reader r = bytes_open(bytes + HEAD_SIZE, size - HEAD_SIZE);
    if (parts > PARTS_MOST) return BASRA_E_MODEL;
    for (uint32_t i = 0; i < parts; i++) {
        part p = {.kind = bytes_u16(&r), .table = bytes_u8(&r)};
        p.stage = bytes_u8(&r);
        p.offset = bytes_u32(&r);
        p.size = bytes_u32(&r);
        if (r.failed || p.offset > size || p.size > size - p.offset) return BASRA_E_MODEL;
        basra_status status = read_part(rules, &p, bytes + p.offset, model);
        if (status) return status;
    }
    return BASRA_OK;
}

static basra_fault check_head(const basra_rules *rules, const uint8_t *bytes, size_t size,
                              uint32_t *parts)
{
    if (size < sizeof MAGIC || memcmp(bytes, MAGIC, sizeof MAGIC)) return BASRA_FAULT_MODEL_KIND;
    byte_reader r = bytes_open(bytes + sizeof MAGIC, size - sizeof MAGIC);
    uint32_t version = bytes_u32(&r);
    *parts = bytes_u32(&r);
    uint64_t number = bytes_u64(&r);
    uint32_t whole = bytes_u32(&r), sum = bytes_u32(&r);
    if (r.failed) return BASRA_FAULT_MODEL_SHORT;
    if (version != MODEL_VERSION) return BASRA_FAULT_MODEL_VERSION;
    if (size < whole) return BASRA_FAULT_MODEL_SHORT;
    if (size != whole || crc32_of(bytes, size) != sum) return BASRA_FAULT_MODEL_CHANGED;
    if (number != basra_rules_number(rules)) return BASRA_FAULT_MODEL_RULES;
    return BASRA_FAULT_NONE;
}

basra_status basra_model_read(const basra_rules *rules, const uint8_t *bytes, size_t size,
                              basra_model **model, basra_fault *fault)
{
    uint32_t parts = 0;
    *model = NULL;
    *fault = check_head(rules, bytes, size, &parts);
    if (*fault) return BASRA_E_MODEL;
    basra_model *made = basra_calloc(1, sizeof *made);
    if (!made) return BASRA_E_NOMEM;
    made->rules_number = basra_rules_number(rules);
    basra_status status = read_parts(rules, bytes, size, parts, made);
    if (status) {
        if (status == BASRA_E_MODEL) *fault = BASRA_FAULT_MODEL_PARTS;
        basra_model_free(made);
        return status;
    }
    *model = made;
    return BASRA_OK;
}

void basra_model_free(basra_model *model)
{
    if (!model) return;
    policy_free(model->policy);
    for (int table = 0; table < MODEL_TABLES; table++) {
        for (int stage = 0; stage < MODEL_STAGES; stage++)
            boundary_free(model->boundary[table][stage]);
        equity_free(model->equity[table]);
    }
    basra_free(model);
}
