#include "ending.h"

#include "leaf.h"

/* What lies on the floor, and what it adds up to. */
typedef struct table_top {
    uint64_t floor; /* as in search_place */
    int32_t cards, points;
} table_top;

/* A place with its table top. */
typedef struct ending {
    search_place place;
    standing at;
    table_top top;
} ending;

static bool few(basra_engine *engine, const ending *here, int32_t beta, size_t at, proof *found,
                search_move *best);

/* The captures of a card, or NULL if they are too many for the cache, or on failure. */
static inline const cached_list *short_list(basra_engine *engine, const search_slot *slot,
                                            uint64_t floor, bool last)
{
    bag part = floor & slot->relevant;
    uint64_t key = move_cache_key(part, slot->type, last || part != (floor & SET_ALL));
    cached_list *list = move_cache_at(&engine->memory.cache, key);
    if (list->key == key && !WITHOUT(CACHE)) return list;
    captures_work_out(engine->problem.types, part, key, &engine->memory, list);
    if (engine->memory.failed) engine_fail(engine);
    return list->key == key ? list : NULL;
}

/* Where nothing stays there may have been a basra; elsewhere a gain is the points of the cards. */
static inline void take_off(table_top *top, const search_slot *slot, const cached_capture *capture)
{
    int cards = (int)(capture->taken >> 52);
    top->floor -= capture->taken & SET_ALL;
    bool rest = top->floor & SET_ALL;
    top->cards = rest ? top->cards - (cards - 1) : 0;
    top->points = rest ? top->points - (capture->gain - slot->points) : 0;
}

static inline void lay_down(table_top *top, const search_slot *slot)
{
    top->floor += slot->trail.change;
    top->cards++;
    top->points += slot->points;
}

/* What a play without an alternative brings. */
typedef struct forced {
    int32_t gain, cards;
} forced;

/* Plays a card if there is one way only. */
static inline bool play_forced(basra_engine *engine, const search_slot *slot, bool last,
                               table_top *top, forced *play)
{
    *play = (forced){0, 0};
    if (top->floor & slot->relevant) {
        const cached_list *list = short_list(engine, slot, top->floor, last);
        if (!list || list->count > 1 || (list->count && engine->problem.free_trail)) return false;
        if (list->count) {
            play->gain = list->capture[0].gain;
            play->cards = (int32_t)(list->capture[0].taken >> 52);
            take_off(top, slot, &list->capture[0]);
            return true;
        }
    }
    lay_down(top, slot);
    return true;
}

/* Goes on behind the deal, with `gain` points and a lead better by `cards` for the side to move. */
static proof go_on(basra_engine *engine, const ending *here, standing at, const table_top *top,
                   int32_t gain, int cards, int32_t beta, size_t stack)
{
    const search_deal *deal = here->place.deal;
    visit v = {.place = {.floor = top->floor, .deal = deal}, .at = at};
    proof found;
    if (here->place.left > 2) {
        v.place = (search_place){.floor = top->floor + (UINT64_C(1) << PLACE_DEAL_SHIFT),
                                 .held = deal[1].all,
                                 .deal = deal + 1,
                                 .turn = engine->problem.leader,
                                 .left = (uint8_t)(here->place.left - 2)};
        v.bucket = pair_bucket(engine, v.place.floor, PAIR_HELD(v.place.held, v.at));
        found = alphabeta_enter(engine, &v, beta - gain * BASRA_UNIT, stack);
    } else {
        found = leaf_proof(&engine->problem, &v, beta - gain * BASRA_UNIT);
    }
    found.value += gain * BASRA_UNIT;
    found.at -= (standing)(cards * (1 << LEAD_SHIFT));
    return found;
}

/* Two cards are left in the deal: plays the one, then the other, and goes on behind.  All is seen from
 * the side to move, which is the side to move again after two plies. */
static inline bool two(basra_engine *engine, const ending *here, int32_t beta, size_t at,
                       proof *found)
{
    const search_problem *problem = &engine->problem;
    const search_deal *deal = here->place.deal;
    table_top top = here->top;
    forced first, second;
    uint64_t mine = here->place.held & deal->seat[here->place.turn];
    uint64_t other = here->place.held ^ mine;
    bool last = here->place.left == 2 && problem->plain_end;
    if (!mine || !other) return false;
    if (!play_forced(engine, &deal->slot[set_first(mine)], false, &top, &first)) return false;
    if (!play_forced(engine, &deal->slot[set_first(other)], last, &top, &second)) return false;
    *found = (proof){0, 0};
    if (engine_tick(engine)) return true;
    int cards = first.cards - second.cards, who = standing_last(here->at);
    int lead = standing_lead(here->at);
    bool captured = first.cards + second.cards;
    if (captured) who = second.cards ? -1 : 1;
    int32_t gain = first.gain - second.gain;
    if (here->place.left == 2 && problem->to_round_end)
        *found = leaf_round(problem, lead, who, top.cards, lead + cards + who * top.cards,
                            gain + who * top.points, beta);
    else
        *found = go_on(engine, here, standing_of(lead + cards, who), &top, gain, cards, beta, at);
    if (captured) found->at = standing_with_last(found->at, found->value >= beta ? 0 : 2);
    return true;
}

/* As alphabeta_enter, without a look into the table. */
static proof enter(basra_engine *engine, const ending *here, int32_t beta, size_t at)
{
    proof found;
    search_move best;
    if (engine_tick(engine)) return (proof){0, 0};
    if (here->place.left == 2 ? two(engine, here, beta, at, &found)
                              : few(engine, here, beta, at, &found, &best))
        return found;
    visit v = {.place = here->place, .at = here->at};
    v.bucket = pair_bucket(engine, v.place.floor, PAIR_HELD(v.place.held, v.at));
    engine->nodes--;
    return alphabeta_enter(engine, &v, beta, at);
}

/* Tries a move to `next`; true if *found is good enough, or the search must end. */
static inline bool try_move(basra_engine *engine, const ending *here, const search_move *move,
                            ending *next, int32_t beta, size_t at, proof *found)
{
    next->place.floor = next->top.floor;
    next->place.held = here->place.held & ~SET_OF(move->slot);
    next->at = standing_after(here->at, move->cards);
    proof one = enter(engine, next, move->gain * BASRA_UNIT - beta + 1, at);
    one = proof_before(move, one, beta);
    if (one.value >= beta || engine_halted(engine)) {
        *found = one;
        return true;
    }
    if (one.value > found->value) found->value = one.value;
    found->at = standing_lower(found->at, one.at);
    return false;
}

/* Captures of one card; true as try_move. */
static inline bool try_captures(basra_engine *engine, const ending *here, const search_slot *slot,
                                const cached_list *list, ending *next, int32_t beta, size_t at,
                                search_move *move, proof *found)
{
    /* The list may be gone from the cache when the first one has been tried. */
    cached_list copy;
    if (list->count > 1) copy = *list, list = &copy;
    for (size_t i = 0, count = list->count; i < count; i++) {
        const cached_capture capture = list->capture[i];
        move_set(move, slot, &capture, i);
        next->top = here->top;
        take_off(&next->top, slot, &capture);
        if (try_move(engine, here, move, next, beta, at, found)) return true;
    }
    return false;
}

static inline bool try_trails(basra_engine *engine, const ending *here, uint64_t slots,
                              ending *next, int32_t beta, size_t at, search_move *move,
                              proof *found)
{
    for (; slots; slots &= slots - 1) {
        const search_slot *slot = &here->place.deal->slot[set_first(slots)];
        *move = slot->trail;
        next->top = here->top;
        lay_down(&next->top, slot);
        if (try_move(engine, here, move, next, beta, at, found)) return true;
    }
    return false;
}

/* A few cards of the round's last deal: captures first, then cards that the other side cannot match. */
static bool few(basra_engine *engine, const ending *here, int32_t beta, size_t at, proof *found,
                search_move *best)
{
    const search_problem *problem = &engine->problem;
    const search_deal *deal = here->place.deal;
    bool last = here->place.left == 1 && problem->plain_end;
    uint64_t safe = 0, risky = 0;
    ending next = {.place = {.deal = deal,
                             .turn = problem->after[here->place.turn],
                             .left = (uint8_t)(here->place.left - 1)}};
    if (next.place.left < 2) return false;
    *found = PROOF_OF_NOTHING;
    for (uint64_t slots = playable_slots(problem, &here->place); slots; slots &= slots - 1) {
        const search_slot *slot = &deal->slot[set_first(slots)];
        if (here->top.floor & slot->relevant) {
            const cached_list *list = short_list(engine, slot, here->top.floor, last);
            if (!list) return false;
            bool captures = list->count;
            if (captures && try_captures(engine, here, slot, list, &next, beta, at, best, found))
                return true;
            if (captures && !problem->free_trail) continue;
        }
        uint64_t bit = slots & (~slots + 1);
        if (WITHOUT(ORDER)) {
            if (try_trails(engine, here, bit, &next, beta, at, best, found)) return true;
            continue;
        }
        if (slot->rivals & here->place.held)
            risky |= bit;
        else
            safe |= bit;
    }
    if (try_trails(engine, here, safe, &next, beta, at, best, found)) return true;
    try_trails(engine, here, risky, &next, beta, at, best, found);
    return true;
}

bool ending_solve(basra_engine *engine, const visit *v, int32_t beta, size_t at, proof *found,
                  search_move *best)
{
    if (WITHOUT(ENDINGS)) return false;
    ending here = {.place = v->place, .at = v->at, .top = {.floor = v->place.floor}};
    if (engine->problem.to_round_end && !v->place.deal->undealt)
        bag_count_up(engine->problem.types, place_floor(&v->place), &here.top.cards,
                     &here.top.points);
    best->slot = NO_SLOT;
    best->index = 0;
    int held = v->place.left - v->place.deal->later;
    return held == 2 ? two(engine, &here, beta, at, found)
                     : held > 2 && few(engine, &here, beta, at, found, best);
}
