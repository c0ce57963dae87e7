/* Views from bytes: completed, given worlds, and their moves valued within limits. */
#include "fuzz_input.h"

#include <string.h>

enum {
    NODE_LIMIT = 500,
    TABLE_BYTES = 1 << 14,
    LISTED = 64,
    SAMPLED = 4,
    MOVES_ROOM = 2048,
    VALUED_GROUPS = 512,
    CROWDED = 14 /* floors of more cards are left to fuzz_captures */
};

static basra_scored scored[MOVES_ROOM];
static basra_world listed[LISTED], sampled[SAMPLED], again[SAMPLED];
static int32_t values[SAMPLED * VALUED_GROUPS * BASRA_MAX_PLAYERS];

static uint64_t some_cards(input *in, uint64_t *left, int count)
{
    uint64_t set = 0;
    for (; count > 0 && *left; count--) {
        int card = nth_card(*left, take8(in));
        set |= bit_of(card);
        *left &= ~bit_of(card);
    }
    return set;
}

/* A view made of distinct cards, each field stated or left open. */
static void make_view(input *in, const basra_rules *rules, basra_view *v)
{
    uint64_t left = basra_pack(rules);
    int players, partners;
    uint8_t b = take8(in);
    take_table(in, &players, &partners);
    v->players = (uint8_t)players;
    v->partners = (uint8_t)partners;
    v->hand = some_cards(in, &left, 1 + take8(in) % 4);
    v->floor = some_cards(in, &left, take8(in) % 12);
    v->seen = some_cards(in, &left, b & 1 ? take8(in) % 48 : 0);
    v->seen_given = b & 1;
    v->seat = (int8_t)((int)(take8(in) % 6) + BASRA_UNKNOWN_SEAT);
    v->last = (int8_t)((int)(take8(in) % 6) + BASRA_UNKNOWN_SEAT);
    v->deal = b & 2 ? take8(in) % 8 : 0;
    v->cards_given = b >> 2 & 1;
    for (int side = 0; side < BASRA_MAX_PLAYERS && b & 4; side++) v->cards[side] = take8(in) % 40;
    if (b & 8) v->carry = take_points(in);
    v->buried_size = b & 16 ? take8(in) % 4 : 0;
    for (int i = 0; i < v->buried_size; i++) v->buried[i] = take8(in);
    v->played_size = b & 32 ? take8(in) % 16 : 0;
    for (int i = 0; i < v->played_size; i++) {
        uint8_t how = take8(in);
        v->played[i].card = how & 1 ? take8(in) : (uint8_t)nth_card(v->floor | v->seen | 1, how);
        v->played[i].taken = how & 2 ? v->seen & take64(in) : how & 4 ? take64(in) : 0;
    }
    /* Spoilt: any field anywhere. */
    if (b & 64) v->floor ^= take64(in) & take64(in) & take64(in);
    if (b & 128) {
        v->players = take8(in) % 8;
        v->seat = (int8_t)take8(in);
        v->last = (int8_t)take8(in);
        v->points[0] = take_points(in);
        v->buried_size = take8(in);
        v->played_size = take8(in);
    }
}

/* A view of a round that was dealt and played: it always fits. */
static int watch_round(input *in, const basra_rules *rules, basra_view *v)
{
    static basra_move moves[MOVES_ROOM];
    basra_position p;
    int players, partners;
    take_table(in, &players, &partners);
    if (basra_position_deal(rules, players, partners, take8(in) % players, take32(in), &p))
        return 0;
    for (int plies = take8(in) % 48; plies > 0; plies--) {
        size_t count;
        if (p.over || basra_position_moves(rules, &p, moves, MOVES_ROOM, &count)) return 0;
        const basra_move *m = &moves[take8(in) % count];
        if (basra_position_play(rules, m->card, m->taken, &p)) return 0;
    }
    if (p.over) return 0;
    EXPECT(basra_view_of(rules, &p, v) == BASRA_OK);
    uint8_t forget = take8(in);
    if (forget & 1) v->seen &= take64(in);
    if (forget & 2) v->deal = 0;
    if (forget & 4) v->cards_given = 0;
    if (forget & 8) v->last = BASRA_UNKNOWN_SEAT;
    if (forget & 16) v->played_size = 0;
    if (forget & 32) v->buried_size = 0;
    return 1;
}

/* A world gives every seat its number of cards, from where they can be. */
static void check_world(const basra_view *v, const basra_facts *facts, const basra_world *w)
{
    uint64_t placed = 0;
    EXPECT(w->weight > 0);
    EXPECT(w->last >= BASRA_NO_SEAT && w->last < v->players);
    for (int seat = 0; seat < v->players; seat++) {
        EXPECT(set_size(w->hand[seat]) == facts->hand_size[seat]);
        EXPECT(!(w->hand[seat] & placed));
        placed |= w->hand[seat];
        if (seat == v->seat)
            EXPECT(w->hand[seat] == v->hand);
        else
            EXPECT(!(w->hand[seat] & ~(facts->unseen | facts->fixed[seat])));
        EXPECT(!(facts->fixed[seat] & ~w->hand[seat]));
    }
}

static void check_worlds(input *in, const basra_rules *rules, const basra_view *v,
                         const basra_facts *facts)
{
    size_t count;
    uint64_t seed = take8(in);
    EXPECT(basra_worlds_sample(rules, v, seed, 3, SAMPLED, sampled) == BASRA_OK);
    for (int i = 0; i < SAMPLED; i++) check_world(v, facts, &sampled[i]);
    EXPECT(basra_worlds_sample(rules, v, seed, 4, 1, again) == BASRA_OK);
    EXPECT(!memcmp(again[0].hand, sampled[1].hand, sizeof again[0].hand));
    EXPECT(basra_worlds_all(rules, v, listed, LISTED, &count) == BASRA_OK);
    EXPECT(count <= LISTED);
    for (size_t i = 0; i < count; i++) check_world(v, facts, &listed[i]);
}

static void check_values(input *in, const basra_rules *rules, const basra_view *v)
{
    /* One for all inputs: what it kept of earlier ones must not matter. */
    static basra_engine *engine;
    basra_limits limits = {.nodes = NODE_LIMIT};
    basra_stop stop;
    basra_reply reply;
    uint64_t nodes[SAMPLED];
    size_t count, groups, done;
    basra_status status = basra_view_moves(rules, v, scored, MOVES_ROOM, &count, &groups);
    if (status) {
        EXPECT(status == BASRA_E_BOUNDS || status == BASRA_E_TOO_LARGE);
        return;
    }
    EXPECT(count >= groups && groups);
    for (size_t i = 0; i < count; i++) EXPECT(scored[i].group < groups);
    EXPECT(basra_reply_cards(rules, v, &scored[take8(in) % count].move, &reply) == BASRA_OK);
    EXPECT(!((reply.basra_cards | reply.sweep_cards) & ~(reply.pool | reply.fixed)));
    if (groups > VALUED_GROUPS) return;
    if (!engine) EXPECT(basra_engine_new(TABLE_BYTES, &engine) == BASRA_OK);
    status = basra_world_values(engine, rules, v, NULL, sampled, SAMPLED, &limits, groups, values,
                                nodes, &done, &stop);
    EXPECT(!status || status == BASRA_E_TOO_LARGE);
    EXPECT(done <= SAMPLED && (status || done == SAMPLED || stop == BASRA_STOP_NODES));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, size};
    basra_rules rules;
    basra_view view = {0};
    basra_facts facts;
    basra_fault fault = BASRA_FAULT_NONE;
    int detail;
    take_rules(&in, &rules);
    if (take8(&in) & 1) {
        if (!watch_round(&in, &rules, &view)) return 0;
    } else {
        make_view(&in, &rules, &view);
    }
    basra_status status = basra_view_complete(&rules, &view, &facts, &fault, &detail);
    if (status) {
        EXPECT(fault != BASRA_FAULT_NONE || status == BASRA_E_ARG);
        return 0;
    }
    check_worlds(&in, &rules, &view, &facts);
    if (set_size(view.floor) < CROWDED) check_values(&in, &rules, &view);
    return 0;
}
