/* Rounds played at random, at the level of card types. */
#include "../game/position.h"
#include "../game/random.h"
#include "engine.h"

#include <string.h>

/* A round going on: hands as lists of types, in no order. */
typedef struct playout {
    basra_engine *engine;
    search_lore *lore;
    random_stream dice;
    bag floor;
    floor_looks looks; /* of that */
    uint8_t hand[BASRA_MAX_PLAYERS][BASRA_CARDS];
    uint8_t held[BASRA_MAX_PLAYERS]; /* cards in each hand */
    int32_t points[BASRA_MAX_PLAYERS]; /* by side */
    int cards[BASRA_MAX_PLAYERS]; /* by side */
    int last; /* side, or BASRA_NO_SEAT */
    bool plain; /* no basra: the next card is the round's last */
} playout;

/* A card of a hand.  An equal one that stands before it in the hand leaves it no moves. */
typedef struct choice {
    uint32_t captures, moves; /* moves: a trail, where it is allowed, included */
} choice;

/* The number of captures of a card where the table of single floors does not tell at once. */
RARE static uint32_t count_found(playout *g, const search_slot *slot)
{
    few_captures few;
    few.count = 0;
    captures_find(slot, g->floor, g->plain, &g->engine->memory, &few);
    return (uint32_t)few.count;
}

/* One choice for each card of the hand; returns the number of moves.  What a random hand can do is hard to
 * foresee: this is arithmetic where it could be branches, which a processor would guess wrong. */
static inline uint32_t list_choices(playout *g, int seat, choice *choices)
{
    const singles *s = &g->lore->singles;
    const uint32_t trails_too = g->lore->types->rules.must_capture == BASRA_MUST_NONE;
    const bool single = looks_single(g->looks);
    uint64_t seen = 0;
    uint32_t moves = 0;
    for (int at = 0, held = g->held[seat]; at < held; at++) {
        const int type = g->hand[seat][at];
        const search_slot *slot = &g->lore->slot[type];
        const uint32_t fresh = ~(uint32_t)(seen >> type) & 1;
        const bag part = g->floor & slot->relevant;
        const uint32_t matters = (uint32_t)((part | (0 - part)) >> 63);
        const uint32_t state = singles_at(s, slot->row, g->looks)->state;
        uint32_t captures = (state - SINGLE_NONE) & (0 - matters);
        if (matters & (uint32_t)(!single | (state < SINGLE_NONE))) captures = count_found(g, slot);
        choices[at].captures = captures;
        choices[at].moves = (captures + ((captures == 0) | trails_too)) & (0 - fresh);
        moves += choices[at].moves;
        seen |= SET_OF(type);
    }
    return moves;
}

/* Where the hand must capture, only captures stay, if there are any.  Returns the number of moves. */
static uint32_t oblige(choice *choices, int held, uint32_t moves)
{
    uint32_t captures = 0;
    for (int at = 0; at < held; at++) captures += choices[at].captures;
    if (!captures) return moves;
    moves = 0;
    for (int at = 0; at < held; at++) {
        if (choices[at].moves) choices[at].moves = choices[at].captures;
        moves += choices[at].moves;
    }
    return moves;
}

/* The card of move number *pick, which becomes the number among the card's. */
static inline uint32_t card_of(const choice *choices, int held, uint32_t *pick)
{
    uint32_t card = 0, upto = 0, before = 0;
    for (int at = 0; at < held; at++) {
        upto += choices[at].moves;
        const uint32_t passed = *pick >= upto;
        card += passed;
        before += choices[at].moves & (0 - passed);
    }
    *pick -= before;
    return card;
}

static void take(playout *g, int side, const cached_capture *capture)
{
    g->floor -= capture->taken;
    g->points[side] += capture->gain;
    g->cards[side] += capture->cards;
    g->last = side;
}

/* Takes the capture number `index` where the table of single floors does not tell of one alone. */
RARE static basra_status take_found(playout *g, int side, const search_slot *slot, uint32_t index)
{
    move_memory *memory = &g->engine->memory;
    few_captures few;
    const bool found = captures_find(slot, g->floor, g->plain, memory, &few);
    if (memory->failed) return memory->failed;
    if (!found) {
        const bag part = g->floor & slot->relevant;
        const uint64_t key = move_cache_key(part, slot->trail.type, g->plain || part != g->floor);
        few.capture[0] = capture_of(g->lore, part, key, memory->work.taken[index]);
    }
    take(g, side, &few.capture[found ? index : 0]);
    g->looks = looks_of(&g->lore->singles, g->floor);
    return BASRA_OK;
}

static inline basra_status take_one(playout *g, int side, const search_slot *slot, uint32_t index)
{
    const single_capture *single = single_at(g->lore, slot, g->looks);
    const bag taken = single ? g->floor & slot->relevant & single->bits : 0;
    if (!taken) return take_found(g, side, slot, index);
    cached_capture capture = capture_from(g->lore, slot, g->floor, single, taken, g->plain);
    take(g, side, &capture);
    g->looks &= ~(floor_looks)single->ranks;
    return BASRA_OK;
}

/* One random play of a seat. */
static basra_status play_one(playout *g, int seat, int side)
{
    choice choices[BASRA_CARDS];
    const int held = g->held[seat];
    uint32_t moves = list_choices(g, seat, choices);
    basra_status status = g->engine->memory.failed;
    if (status) return status;
    if (g->lore->types->rules.must_capture == BASRA_MUST_HAND) moves = oblige(choices, held, moves);
    uint32_t pick = moves > 1 ? random_below(&g->dice, moves) : 0;
    const uint32_t card = card_of(choices, held, &pick);
    const search_slot *slot = &g->lore->slot[g->hand[seat][card]];
    /* A trail stands before the captures. */
    const uint32_t trails = choices[card].moves - choices[card].captures;
    g->hand[seat][card] = g->hand[seat][--g->held[seat]];
    if (pick >= trails) return take_one(g, side, slot, pick - trails);
    g->floor += slot->trail.change;
    g->looks = looks_with(g->looks, slot->trail.ranks);
    return BASRA_OK;
}

static void deal_hand(playout *g, const uint8_t *stock, int size, int seat)
{
    for (int n = 0; n < size; n++) g->hand[seat][n] = g->lore->types->type_of[stock[n]];
    g->held[seat] = (uint8_t)size;
}

static void start(playout *g, const basra_position *p)
{
    g->floor = types_bag(g->lore->types, p->floor);
    g->looks = looks_of(&g->lore->singles, g->floor);
    g->last = BASRA_NO_SEAT;
    g->plain = false;
    memset(g->points, 0, sizeof g->points);
    memset(g->cards, 0, sizeof g->cards);
    for (int seat = 0; seat < p->players; seat++) {
        int n = 0;
        for (uint64_t rest = p->hand[seat]; rest;)
            g->hand[seat][n++] = g->lore->types->type_of[set_pop(&rest)];
        g->held[seat] = (uint8_t)n;
    }
}

/* Leftovers and most cards. */
static void finish(playout *g, int sides)
{
    int32_t won[BASRA_MAX_PLAYERS], carried;
    if (g->last >= 0) {
        int32_t leftovers = tally_up(&g->lore->worth, g->floor);
        g->points[g->last] += tally_points(leftovers);
        g->cards[g->last] += tally_cards(leftovers);
    }
    basra_majority(&g->lore->types->rules, sides, g->cards, 0, won, &carried);
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
            g->plain = n == 1 && stock == end && !g->lore->types->rules.basra_on_last;
            basra_status status = play_one(g, seat, side_of(seat, p->partners));
            if (status) return status;
            seat = seat + 1 == p->players ? 0 : seat + 1;
        }
        *plies += (uint64_t)(size * p->players);
        if (stock == end) break;
        int even = (int)(end - stock) / p->players;
        size = g->lore->types->rules.hand_size < even ? g->lore->types->rules.hand_size : even;
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
        basra_status status = position_deal_at(&g->lore->types->rules, table, seed + number, &p);
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
    playout g = {.engine = engine, .lore = &engine->memory.lore};
    engine_types(engine, rules);
    status = play_rounds(&g, &table, seed, first, count, points, plies, done);
    engine->memory.failed = BASRA_OK;
    *stop = engine->stopped;
    engine_leave(engine);
    return status;
}
