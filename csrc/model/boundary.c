/* Reading and evaluating boundary nets.  The order of columns in a file is that of boundary_active. */
#include "boundary.h"

#include "../game/memory.h"
#include "bytes.h"

#include <string.h>

/* Where the columns of each kind begin. */
typedef struct layout {
    int first[BASRA_CARDS]; /* by type, of its cards on the floor */
    int cards; /* in the pack: columns of a floor, or of cards unseen */
    int lone, total, answers, all;
} layout;

static layout layout_of(const card_types *types)
{
    layout l = {.cards = 0};
    for (int type = 0; type < types->count; type++) {
        l.first[type] = l.cards;
        l.cards += set_count(types->members[type]);
    }
    l.lone = 2 * l.cards;
    l.total = l.lone + types->count;
    l.answers = l.total + BOUNDARY_TOTALS;
    l.all = l.answers + BOUNDARY_ANSWERS;
    return l;
}

int boundary_features(const card_types *types) { return layout_of(types).all; }

/* 0: empty; 1..10: numerals with that total; BOUNDARY_TOTALS - 1: anything else. */
static int total_class(bag floor, const card_types *types)
{
    int total = 0;
    for (bag rest = floor; rest;) {
        int rank = set_first(rest) / 4, nibble = bag_nibble(rest, rank);
        if (rank >= NUMERAL_RANKS) return BOUNDARY_TOTALS - 1;
        total += (rank + 1) * types->cards_in[rank][nibble];
        rest ^= (bag)nibble << (4 * rank);
    }
    return total <= NUMERAL_RANKS ? total : BOUNDARY_TOTALS - 1;
}

/* Unseen cards that would take the whole floor, as far as that is told at a glance: those of its only
 * rank, or of the rank of its total. */
static int answers_of(bag floor, int total, const uint8_t *unseen)
{
    int answers = 0;
    if (!floor) return 0;
    int rank = set_first(floor) / 4;
    if (floor >> (4 * rank) < 16) answers += unseen[rank];
    if (total < BOUNDARY_TOTALS - 1 && total - 1 != rank) answers += unseen[total - 1];
    return answers < BOUNDARY_ANSWERS ? answers : BOUNDARY_ANSWERS - 1;
}

/* The type of a floor's only card, or -1. */
static int lone_type(bag floor, const card_types *types)
{
    if (!floor) return -1;
    int rank = set_first(floor) / 4;
    if (floor >> (4 * rank) >= 16 || types->cards_in[rank][bag_nibble(floor, rank)] != 1) return -1;
    for (int type = 0; type < types->count; type++)
        if (types->unit[type] == floor) return type;
    return -1;
}

static void count_ranks(uint64_t cards, uint8_t *ranks)
{
    for (int rank = 0; rank < BASRA_RANKS; rank++)
        ranks[rank] = (uint8_t)set_count(cards & SET_RANK(rank));
}

static int list_cards(const card_types *types, const layout *l, bag cards, int first,
                      uint16_t *index)
{
    int count = 0;
    for (int type = 0; type < types->count; type++)
        for (int n = 0; n < bag_count(types, cards, type); n++)
            index[count++] = (uint16_t)(first + l->first[type] + n);
    return count;
}

int boundary_active(const card_types *types, bag floor, uint64_t unseen, uint16_t *index)
{
    uint8_t ranks[BASRA_RANKS];
    layout l = layout_of(types);
    int total = total_class(floor, types), lone = lone_type(floor, types);
    count_ranks(unseen, ranks);
    int count = list_cards(types, &l, floor, 0, index);
    count += list_cards(types, &l, types_bag(types, unseen), l.cards, index + count);
    if (lone >= 0) index[count++] = (uint16_t)(l.lone + lone);
    index[count++] = (uint16_t)(l.total + total);
    index[count++] = (uint16_t)(l.answers + answers_of(floor, total, ranks));
    return count;
}

/* -- reading -------------------------------------------------------------------------------------- */

static void read_column(byte_reader *r, int32_t *column)
{
    for (int h = 0; h < BOUNDARY_HIDDEN; h++) column[h] = bytes_i16(r);
}

static void add_column(int32_t *sum, const int32_t *column)
{
    for (int h = 0; h < BOUNDARY_HIDDEN; h++) sum[h] += column[h];
}

/* Adds the column of the n-th card of a type wherever a nibble has that many of it. */
static void repeat(const card_types *types, int type, int n, const int32_t *column,
                   boundary_columns by_rank)
{
    int rank = types->rank[type];
    for (int nibble = 0; nibble < 16; nibble++)
        if (bag_count(types, (bag)nibble << (4 * rank), type) > n)
            add_column(by_rank[rank][nibble], column);
}

static void read_cards(const card_types *types, byte_reader *r, boundary_columns by_rank)
{
    int32_t column[BOUNDARY_HIDDEN];
    for (int type = 0; type < types->count; type++)
        for (int n = 0; n < set_count(types->members[type]); n++) {
            read_column(r, column);
            repeat(types, type, n, column, by_rank);
        }
}

/* No weighted sum may leave 32 bits. */
static bool outputs_safe(const boundary_net *net)
{
    for (int o = 0; o < net->outputs; o++) {
        int64_t most = 0;
        for (int h = 0; h < BOUNDARY_HIDDEN; h++)
            most += net->out[o][h] < 0 ? -(int64_t)net->out[o][h] : net->out[o][h];
        if (most * BOUNDARY_CLIP > INT32_MAX) return false;
        if (net->out_bias[o] > 1 << 24 || net->out_bias[o] < -(1 << 24)) return false;
    }
    const int32_t tail[] = {net->last_points, net->last_cards, net->spread, net->spread_card};
    for (size_t i = 0; i < sizeof tail / sizeof *tail; i++)
        if (tail[i] < 0 || tail[i] > 1 << 16) return false;
    return net->outputs > 2 || net->spread >= BOUNDARY_SPREAD_LEAST;
}

static bool read_net(const card_types *types, int outputs, byte_reader *r, boundary_net *net)
{
    uint16_t version = bytes_u16(r), features = bytes_u16(r), hidden = bytes_u16(r);
    net->outputs = bytes_u16(r);
    if (version != BOUNDARY_VERSION || features != boundary_features(types) ||
        hidden != BOUNDARY_HIDDEN || net->outputs != outputs)
        return false;
    read_cards(types, r, net->floor);
    read_cards(types, r, net->unseen);
    for (int type = 0; type < types->count; type++) read_column(r, net->lone[type]);
    for (int n = 0; n < BOUNDARY_TOTALS; n++) read_column(r, net->total[n]);
    for (int n = 0; n < BOUNDARY_ANSWERS; n++) read_column(r, net->answers[n]);
    read_column(r, net->bias);
    for (int o = 0; o < net->outputs; o++) read_column(r, net->out[o]);
    for (int o = 0; o < net->outputs; o++) net->out_bias[o] = bytes_i32(r);
    net->last_points = bytes_i32(r);
    net->last_cards = bytes_i32(r);
    net->spread = bytes_i32(r);
    net->spread_card = bytes_i32(r);
    return bytes_done(r) && outputs_safe(net);
}

basra_status boundary_read(const basra_rules *rules, int outputs, const uint8_t *bytes, size_t size,
                           boundary_net **made)
{
    card_types types;
    types_init(rules, false, &types);
    byte_reader r = bytes_open(bytes, size);
    boundary_net *net = basra_calloc(1, sizeof *net);
    *made = NULL;
    if (!net) return BASRA_E_NOMEM;
    if (!read_net(&types, outputs, &r, net)) {
        basra_free(net);
        return BASRA_E_MODEL;
    }
    *made = net;
    return BASRA_OK;
}

void boundary_free(boundary_net *net) { basra_free(net); }

/* -- evaluating ----------------------------------------------------------------------------------- */

static void add_bag(const boundary_columns by_rank, bag cards, int32_t *sum)
{
    while (cards) {
        int rank = set_first(cards) / 4, nibble = bag_nibble(cards, rank);
        add_column(sum, by_rank[rank][nibble]);
        cards ^= (bag)nibble << (4 * rank);
    }
}

void boundary_prepare(const boundary_net *net, const card_types *types, uint64_t unseen,
                      boundary_base *base)
{
    memcpy(base->sum, net->bias, sizeof base->sum);
    add_bag(net->unseen, types_bag(types, unseen), base->sum);
    count_ranks(unseen, base->unseen);
}

void boundary_value(const boundary_net *net, const boundary_base *base, const card_types *types,
                    bag floor, int32_t *value)
{
    int32_t sum[BOUNDARY_HIDDEN];
    int total = total_class(floor, types), lone = lone_type(floor, types);
    memcpy(sum, base->sum, sizeof sum);
    add_bag(net->floor, floor, sum);
    add_column(sum, net->total[total]);
    add_column(sum, net->answers[answers_of(floor, total, base->unseen)]);
    if (lone >= 0) add_column(sum, net->lone[lone]);
    for (int h = 0; h < BOUNDARY_HIDDEN; h++) {
        int32_t high = sum[h] < BOUNDARY_CLIP ? sum[h] : BOUNDARY_CLIP;
        sum[h] = high > 0 ? high : 0;
    }
    for (int o = 0; o < net->outputs; o++) {
        int32_t all = 0;
        for (int h = 0; h < BOUNDARY_HIDDEN; h++) all += sum[h] * net->out[o][h];
        value[o] = net->out_bias[o] + all / (1 << BOUNDARY_SHIFT);
    }
}
