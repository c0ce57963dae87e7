/* Rounds played at random, at the level of card types. */
#include "playout.h"

#include "../game/position.h"

#include <string.h>

/* What the cards of a hand can do. */
typedef struct choices {
    uint32_t captures[BASRA_CARDS]; /* of each card */
    uint32_t upto[BASRA_CARDS + 1]; /* moves of the cards before each, and of all */
} choices;

/* The number of captures of a card where the table of single floors does not tell at once.  After a failure 0
 * for every card: the next look must not hide it. */
RARE static uint32_t count_found(playout *g, const search_slot *slot)
{
    few_captures few;
    few.count = 0;
    if (g->engine->memory.failed) return 0;
    captures_find(slot, g->floor, g->plain, &g->engine->memory, &few);
    return (uint32_t)few.count;
}

/* Lists the choices of a hand on a floor that looks single, where what captures need not trail.  An equal
 * card before it in the hand leaves a card no moves.  What a random hand can do is hard to foresee: this is
 * arithmetic where it could be branches, which a processor would guess wrong. */
static inline void list_usual(playout *g, const uint8_t *hand, int held, choices *c)
{
    const search_lore *lore = g->lore;
    const bag floor = g->floor;
    const floor_looks looks = g->looks;
    uint32_t moves = 0;
    uint64_t seen = 0;
    c->upto[0] = 0;
    for (int at = 0; at < held; at++) {
        const search_slot *slot = &lore->slot[hand[at]];
        const bag part = floor & slot->relevant;
        const int32_t matters = (int32_t)((part | (0 - part)) >> 63);
        const int32_t state = singles_at(&lore->singles, slot->row, looks)->state;
        const int32_t told = (state - SINGLE_NONE) & -matters;
        const uint32_t captures = told < 0 ? count_found(g, slot) : (uint32_t)told;
        moves += (captures + (captures < 1)) & ((uint32_t)(seen >> hand[at] & 1) - 1);
        seen |= SET_OF(hand[at]);
        c->captures[at] = captures;
        c->upto[at + 1] = moves;
    }
}

/* The same for any floor and rules. */
RARE static void list_choices(playout *g, const uint8_t *hand, int held, choices *c)
{
    const basra_rules *rules = &g->lore->types->rules;
    const bool trails_too = rules->must_capture == BASRA_MUST_NONE;
    uint64_t seen = 0;
    uint32_t moves = 0, all = 0;
    c->upto[0] = 0;
    for (int at = 0; at < held; at++) {
        const search_slot *slot = &g->lore->slot[hand[at]];
        const bool fresh = !(seen >> hand[at] & 1);
        uint32_t captures = 0;
        if (fresh && g->floor & slot->relevant) captures = count_found(g, slot);
        seen |= SET_OF(hand[at]);
        all += captures;
        if (fresh) moves += captures ? captures + trails_too : 1;
        c->captures[at] = captures;
        c->upto[at + 1] = moves;
    }
    if (!all || rules->must_capture != BASRA_MUST_HAND) return;
    for (int at = 0; at < held; at++) c->upto[at + 1] = c->upto[at] + c->captures[at];
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
static inline basra_status play_one(playout *g, int seat, int side)
{
    choices c;
    uint8_t *hand = g->hand[seat];
    const int held = g->held[seat];
    if (!looks_single(g->looks) || !g->usual)
        list_choices(g, hand, held, &c);
    else
        list_usual(g, hand, held, &c);
    basra_status status = g->engine->memory.failed;
    if (status) return status;
    const uint32_t moves = c.upto[held];
    uint32_t pick = moves > 1 ? random_below(&g->dice, moves) : 0, card = 0;
    for (int at = 1; at < held; at++) card += pick >= c.upto[at];
    const uint32_t before = c.upto[card];
    /* A trail stands before the captures. */
    const uint32_t trails = c.upto[card + 1] - before - c.captures[card];
    const search_slot *slot = &g->lore->slot[hand[card]];
    hand[card] = hand[--g->held[seat]];
    pick -= before;
    if (pick >= trails) return take_one(g, side, slot, pick - trails);
    g->floor += slot->trail.change;
    g->looks = looks_with(g->looks, slot->trail.ranks);
    return BASRA_OK;
}

void playout_open(basra_engine *engine, const basra_rules *rules, int players, bool partners,
                  playout *g)
{
    engine_types(engine, rules);
    *g = (playout){.engine = engine,
                   .lore = &engine->memory.lore,
                   .players = players,
                   .partners = partners,
                   .usual = rules->must_capture == BASRA_MUST_CARD,
                   .last = BASRA_NO_SEAT};
}

basra_status playout_rest(playout *g, int seat, int cards, bool plain_end)
{
    for (; cards > 0; cards--) {
        g->plain = cards == 1 && plain_end;
        basra_status status = play_one(g, seat, side_of(seat, g->partners));
        if (status) return status;
        seat = seat + 1 == g->players ? 0 : seat + 1;
    }
    return BASRA_OK;
}

uint32_t playout_moves(playout *g, int type, uint32_t *trails)
{
    const search_slot *slot = &g->lore->slot[type];
    const bag part = g->floor & slot->relevant;
    const bool free_trail = g->lore->types->rules.must_capture == BASRA_MUST_NONE;
    uint32_t captures = 0;
    if (part) {
        const single_capture *single = single_at(g->lore, slot, g->looks);
        captures = single && single->state >= SINGLE_NONE ? (uint32_t)single->state - SINGLE_NONE
                                                          : count_found(g, slot);
        if (g->engine->memory.failed) return 0;
    }
    *trails = free_trail || !captures;
    return *trails + captures;
}

basra_status playout_move(playout *g, int side, int type, uint32_t index)
{
    const search_slot *slot = &g->lore->slot[type];
    uint32_t trails, moves = playout_moves(g, type, &trails);
    if (!moves) return g->engine->memory.failed;
    if (index >= trails) return take_one(g, side, slot, index - trails);
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
        bool plain_end = stock == end && !g->lore->types->rules.basra_on_last;
        basra_status status = playout_rest(g, p->leader, size * p->players, plain_end);
        if (status) return status;
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
    playout g;
    playout_open(engine, rules, players, partners != 0, &g);
    status = play_rounds(&g, &table, seed, first, count, points, plies, done);
    engine->memory.failed = BASRA_OK;
    *stop = engine->stopped;
    engine_leave(engine);
    return status;
}
