/* Rounds played at random, at the level of card types. */
#include "../game/position.h"
#include "../game/random.h"
#include "engine.h"

#include <string.h>

/* A round going on: hands as lists of types, in no order. */
typedef struct playout {
    basra_engine *engine;
    const card_types *types;
    random_stream dice;
    bag floor;
    uint8_t hand[BASRA_MAX_PLAYERS][BASRA_CARDS];
    uint8_t held[BASRA_MAX_PLAYERS]; /* cards in each hand */
    int32_t points[BASRA_MAX_PLAYERS]; /* by side */
    int cards[BASRA_MAX_PLAYERS]; /* by side */
    int last; /* side, or BASRA_NO_SEAT */
    bool plain; /* no basra: the next card is the round's last */
} playout;

/* A card that may be played, and its captures. */
typedef struct choice {
    const cached_list *list; /* NULL if they are too many for the cache, or none */
    uint32_t captures, moves; /* moves: a trail, where it is allowed, included */
    uint8_t at; /* in the hand */
} choice;

static inline uint64_t key_of(const playout *g, int type, bag part)
{
    return move_cache_key(part, type, part != g->floor || g->plain);
}

/* The captures of a type that some part of the floor matters to. */
static inline void look_up(const playout *g, int type, bag part, choice *c)
{
    move_memory *memory = &g->engine->memory;
    uint64_t key = key_of(g, type, part);
    cached_list *list = move_cache_at(&memory->cache, key);
    if (list->key != key)
        c->captures = (uint32_t)captures_work_out(part, key, memory, list);
    if (list->key != key) return;
    c->list = list;
    c->captures = (uint32_t)cached_count(list);
}

/* One choice for each kind of card in the hand; returns their number, and *moves of all of them. */
static inline int list_choices(const playout *g, int seat, choice *choices, uint32_t *moves)
{
    const uint8_t *hand = g->hand[seat];
    bool trails_too = g->types->rules.must_capture == BASRA_MUST_NONE;
    uint64_t seen = 0;
    uint32_t total = 0;
    choice *c = choices;
    for (int at = 0, held = g->held[seat]; at < held; at++) {
        int type = hand[at];
        if (seen & SET_OF(type)) continue;
        seen |= SET_OF(type);
        bag part = g->floor & g->types->relevant[type];
        *c = (choice){.moves = 1, .at = (uint8_t)at};
        if (part) {
            look_up(g, type, part, c);
            if (c->captures) c->moves = c->captures + trails_too;
        }
        total += c++->moves;
    }
    *moves = total;
    return (int)(c - choices);
}

/* Where the hand must capture, only captures stay, if there are any. */
static void oblige(choice *choices, int count, uint32_t *moves)
{
    uint32_t captures = 0;
    for (int i = 0; i < count; i++) captures += choices[i].captures;
    if (!captures) return;
    for (int i = 0; i < count; i++) choices[i].moves = choices[i].captures;
    *moves = captures;
}

/* The capture number `index` of a choice. */
static basra_status capture_at(const playout *g, int type, const choice *c, uint32_t index,
                               cached_capture *capture)
{
    move_memory *memory = &g->engine->memory;
    bag part = g->floor & g->types->relevant[type];
    uint64_t key = key_of(g, type, part);
    size_t count;
    /* Its line may hold another list by now. */
    if (c->list && c->list->key == key) {
        *capture = cached_at(c->list, index);
        return BASRA_OK;
    }
    basra_status status = captures_list(g->types, part, type, 0, &memory->work, &count);
    if (!status)
        *capture = capture_of(&memory->lore, part, key, memory->work.taken[index]);
    return status;
}

static void take(playout *g, int side, const cached_capture *capture)
{
    g->floor -= capture->taken;
    g->points[side] += capture->gain;
    g->cards[side] += capture->cards;
    g->last = side;
}

/* One random play of a seat. */
static basra_status play_one(playout *g, int seat, int side)
{
    choice choices[BASRA_CARDS];
    uint32_t moves;
    int count = list_choices(g, seat, choices, &moves);
    basra_status status = g->engine->memory.failed;
    if (status) return status;
    if (g->types->rules.must_capture == BASRA_MUST_HAND) oblige(choices, count, &moves);
    uint32_t pick = moves > 1 ? random_below(&g->dice, moves) : 0;
    const choice *c = choices;
    while (pick >= c->moves) pick -= c++->moves;
    int type = g->hand[seat][c->at];
    /* A trail stands before the captures. */
    uint32_t trails = c->moves - c->captures;
    g->hand[seat][c->at] = g->hand[seat][--g->held[seat]];
    if (pick < trails) {
        g->floor += g->types->unit[type];
        return BASRA_OK;
    }
    cached_capture capture;
    status = capture_at(g, type, c, pick - trails, &capture);
    if (!status) take(g, side, &capture);
    return status;
}

static void deal_hand(playout *g, const uint8_t *stock, int size, int seat)
{
    for (int n = 0; n < size; n++) g->hand[seat][n] = g->types->type_of[stock[n]];
    g->held[seat] = (uint8_t)size;
}

static void start(playout *g, const basra_position *p)
{
    g->floor = types_bag(g->types, p->floor);
    g->last = BASRA_NO_SEAT;
    g->plain = false;
    memset(g->points, 0, sizeof g->points);
    memset(g->cards, 0, sizeof g->cards);
    for (int seat = 0; seat < p->players; seat++) {
        int n = 0;
        for (uint64_t rest = p->hand[seat]; rest;)
            g->hand[seat][n++] = g->types->type_of[set_pop(&rest)];
        g->held[seat] = (uint8_t)n;
    }
}

/* Leftovers and most cards. */
static void finish(playout *g, int sides)
{
    int32_t won[BASRA_MAX_PLAYERS], carried;
    if (g->last >= 0) {
        int32_t leftovers = tally_up(&g->engine->memory.lore.worth, g->floor);
        g->points[g->last] += tally_points(leftovers);
        g->cards[g->last] += tally_cards(leftovers);
    }
    basra_majority(&g->types->rules, sides, g->cards, 0, won, &carried);
    for (int side = 0; side < sides; side++) g->points[side] += won[side];
}

/* Plays a dealt round to its end; *plies grows by the cards played. */
static basra_status play_round(playout *g, const basra_position *p, uint64_t *plies)
{
    const uint8_t *stock = p->stock + p->stock_next, *end = p->stock + p->stock_size;
    start(g, p);
    for (;;) {
        int size = g->held[p->leader];
        for (int n = size * p->players, seat = p->leader; n > 0; n--) {
            g->plain = n == 1 && stock == end && !g->types->rules.basra_on_last;
            basra_status status = play_one(g, seat, side_of(seat, p->partners));
            if (status) return status;
            seat = seat + 1 == p->players ? 0 : seat + 1;
        }
        *plies += (uint64_t)(size * p->players);
        if (stock == end) break;
        int even = (int)(end - stock) / p->players;
        size = g->types->rules.hand_size < even ? g->types->rules.hand_size : even;
        for (int i = 0; i < p->players; i++, stock += size)
            deal_hand(g, stock, size, (p->leader + i) % p->players);
    }
    finish(g, basra_sides(p->players, p->partners));
    return BASRA_OK;
}

static basra_status play_rounds(playout *g, const basra_position *table, uint64_t seed,
                                uint64_t first, size_t count, int32_t *points, uint64_t *plies,
                                size_t *done)
{
    basra_engine *engine = g->engine;
    basra_position p;
    int sides = basra_sides(table->players, table->partners);
    for (; *done < count; ++*done) {
        uint64_t number = first + *done;
        /* A round is a few dozen plies: looking around at each would cost more than playing it. */
        if (engine_tick(engine)) break;
        basra_status status = position_deal_at(&g->types->rules, table, seed + number, &p);
        if (status) return status;
        g->dice = random_open(seed, STREAM_PLAY, number);
        status = play_round(g, &p, plies);
        if (status == BASRA_E_STOPPED && engine->stopped) break;
        if (status) return status;
        if (points)
            memcpy(points + *done * (size_t)sides, g->points, (size_t)sides * sizeof *points);
    }
    return BASRA_OK;
}

basra_status basra_random_rounds(basra_engine *engine, const basra_rules *rules, int players,
                                 int partners, uint64_t seed, uint64_t first, size_t count,
                                 const basra_limits *limits, int32_t *points, uint64_t *plies,
                                 size_t *done, basra_stop *stop)
{
    basra_position table;
    *plies = 0;
    *done = 0;
    *stop = BASRA_STOP_COMPLETE;
    basra_status status = position_open(rules, players, partners, 0, &table);
    if (!status) status = engine_enter(engine, limits);
    if (status) return status;
    playout g = {.engine = engine, .types = engine_types(engine, rules)};
    status = play_rounds(&g, &table, seed, first, count, points, plies, done);
    engine->memory.failed = BASRA_OK;
    *stop = engine->stopped;
    engine_leave(engine);
    return status;
}
