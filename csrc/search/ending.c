#include "ending.h"

#include "leaf.h"

/* What a line of play has brought so far, all for the side to move where it began. */
typedef struct line {
    uint64_t floor; /* as in search_place */
    floor_looks looks; /* of that */
    int32_t gain;
    int cards; /* by which the lead has grown */
    int who; /* captured last: 1, or -1 for the other side; 0 if nobody has */
} line;

/* `side` is 1 for the side to move where the line began, else -1. */
static inline void take(cached_capture capture, int side, line *l)
{
    l->floor -= capture.taken;
    l->gain += side * capture.gain;
    l->cards += side * capture.cards;
    l->who = side;
}

static inline void lay_down(const search_slot *slot, line *l)
{
    l->floor += slot->trail.change;
    l->looks = looks_with(l->looks, slot->trail.ranks);
}

/* As play, where the table of single floors does not tell of one capture or none. */
static bool play_found(basra_engine *engine, const search_slot *slot, int side, bool last, line *l)
{
    few_captures few;
    const bool found = captures_find(slot, l->floor & SET_ALL, last, &engine->memory, &few);
    if (engine->memory.failed) engine_fail(engine);
    if (!found || few.count > 1 || (few.count && engine->problem.free_trail)) return false;
    if (!few.count) {
        lay_down(slot, l);
        return true;
    }
    take(few.capture[0], side, l);
    l->looks = looks_of(&engine->memory.lore.singles, l->floor & SET_ALL);
    return true;
}

/* Plays a card if there is one way only. */
static inline bool play(basra_engine *engine, const search_slot *slot, int side, bool last, line *l)
{
    const search_lore *lore = &engine->memory.lore;
    const bag floor = l->floor & SET_ALL, part = floor & slot->relevant;
    if (part) {
        const single_capture *single = single_at(lore, slot, l->looks);
        const bag taken = single ? part & single->bits : 0;
        if (taken) {
            if (engine->problem.free_trail) return false;
            take(capture_from(lore, slot, floor, single, taken, last), side, l);
            l->looks &= ~(floor_looks)single->ranks;
            return true;
        }
        if (!single || single->state != SINGLE_NONE) return play_found(engine, slot, side, last, l);
    }
    lay_down(slot, l);
    return true;
}

static inline line line_from(const search_place *place)
{
    return (line){.floor = place->floor, .looks = place->looks};
}

/* Goes on behind the deal: a line of an even number of cards, so that its first side leads on. */
static proof next_deal(basra_engine *engine, const search_place *from, const line *l, standing at,
                       int32_t beta, size_t stack)
{
    visit v = {.place = {.floor = l->floor + (UINT64_C(1) << PLACE_DEAL_SHIFT),
                         .looks = l->looks,
                         .held = from->deal[1].all,
                         .deal = from->deal + 1,
                         .turn = engine->problem.leader,
                         .left = (uint8_t)(from->left - 2)},
               .at = at};
    v.bucket = pair_bucket(engine, v.place.floor, PAIR_HELD(v.place.held, v.at));
    return alphabeta_enter(engine, &v, beta, stack);
}

/* The end of a line that ends the round, for the standing where it began. */
static inline proof round_end(const basra_engine *engine, const line *l, standing at, int32_t beta)
{
    int lead = standing_lead(at), who = l->who ? l->who : standing_last(at);
    int32_t sum = tally_up(&engine->memory.lore.worth, l->floor & SET_ALL);
    int32_t cards = tally_cards(sum), points = tally_points(sum);
    proof found = leaf_round(&engine->problem, lead, who, cards, lead + l->cards + who * cards,
                             l->gain + who * points, beta);
    if (l->who) found.at = standing_with_last(found.at, found.value >= beta ? 0 : 2);
    return found;
}

/* The end of a line of two cards behind which there is more to come, or to estimate. */
static proof deal_end(basra_engine *engine, const search_place *from, const line *l, standing at,
                      int32_t beta, size_t stack)
{
    standing there = standing_of(standing_lead(at) + l->cards, l->who ? l->who : standing_last(at));
    visit leaf = {.place = {.floor = l->floor, .deal = from->deal}, .at = there};
    int32_t gain = l->gain * BASRA_UNIT;
    proof found = from->left > 2 ? next_deal(engine, from, l, there, beta - gain, stack)
                                 : leaf_proof(&engine->problem, &leaf, beta - gain);
    found.value += gain;
    found.at -= (standing)(l->cards * (1 << LEAD_SHIFT));
    if (l->who) found.at = standing_with_last(found.at, found.value >= beta ? 0 : 2);
    return found;
}

/* Two cards are left in the deal, one a side. */
static bool two(basra_engine *engine, const visit *v, int32_t beta, size_t at, proof *found)
{
    const search_place *place = &v->place;
    const search_deal *deal = place->deal;
    line l = line_from(place);
    uint64_t mine = place->held & deal->seat[place->turn], other = place->held ^ mine;
    bool last = place->left == 2 && engine->problem.plain_end;
    if (!mine || !other) return false;
    if (!play(engine, &deal->slot[set_first(mine)], 1, false, &l)) return false;
    if (!play(engine, &deal->slot[set_first(other)], -1, last, &l)) return false;
    *found = (proof){0, 0};
    if (engine_tick(engine)) return true;
    if (place->left == 2 && engine->problem.to_round_end)
        *found = round_end(engine, &l, v->at, beta);
    else
        *found = deal_end(engine, place, &l, v->at, beta, at);
    return true;
}

/* The ways to play a first card that have not been tried yet. */
typedef struct openings {
    uint64_t fresh; /* slots not looked at */
    uint64_t
        trails[2]; /* slots to be trailed: cards that the other side cannot match, and others */
    few_captures few; /* of the slot looked at last */
    size_t next; /* of those */
    uint8_t slot;
} openings;

/* Looks at another card; false if it has too many captures, or on failure. */
static inline bool look_at(basra_engine *engine, const search_place *place, openings *o)
{
    const search_lore *lore = &engine->memory.lore;
    int at = set_pop(&o->fresh);
    const search_slot *slot = &place->deal->slot[at];
    const bag floor = place_floor(place), part = floor & slot->relevant;
    o->next = o->few.count = 0;
    o->slot = (uint8_t)at;
    if (part) {
        const single_capture *single = single_at(lore, slot, place->looks);
        const bag taken = single ? part & single->bits : 0;
        if (taken) {
            o->few.count = 1;
            o->few.capture[0] = capture_from(lore, slot, floor, single, taken, false);
        } else if (!single || single->state != SINGLE_NONE) {
            const bool found = captures_find(slot, floor, false, &engine->memory, &o->few);
            if (engine->memory.failed) engine_fail(engine);
            if (!found) return false;
        }
        if (o->few.count && !engine->problem.free_trail) return true;
    }
    o->trails[slot->rivals & place->held && !WITHOUT(ORDER)] |= SET_OF(at);
    return true;
}

/* Plays the next one: captures first.  False when there is none. */
static inline bool open_next(const basra_engine *engine, const search_place *place, openings *o,
                             line *l, best_move *move)
{
    if (o->next < o->few.count) {
        take(o->few.capture[o->next++], 1, l);
        l->looks = looks_of(&engine->memory.lore.singles, l->floor & SET_ALL);
        *move = (best_move){o->slot, (uint8_t)o->next};
        return true;
    }
    if (!(o->trails[0] | o->trails[1])) return false;
    int at = set_pop(&o->trails[!o->trails[0]]);
    lay_down(&place->deal->slot[at], l);
    *move = (best_move){(uint8_t)at, 0};
    return true;
}

/* Three cards of a round are left, of which two are the side's to move. */
static bool three(basra_engine *engine, const visit *v, int32_t beta, proof *found, best_move *best)
{
    const search_place *place = &v->place;
    const search_deal *deal = place->deal;
    uint64_t mine = place->held & deal->side[place->turn & 1], other = place->held ^ mine;
    if (!other || other & (other - 1) || !(mine & (mine - 1))) return false;
    const search_slot *answer = &deal->slot[set_first(other)];
    openings o;
    o.fresh = playable_slots(&engine->problem, place);
    o.trails[0] = o.trails[1] = o.next = o.few.count = 0;
    proof failed = PROOF_OF_NOTHING;
    best_move move;
    const line from = line_from(place);
    for (;;) {
        while (o.next == o.few.count && o.fresh)
            if (!look_at(engine, place, &o)) return false;
        line l = from;
        if (!open_next(engine, place, &o, &l, &move)) break;
        const search_slot *third = &deal->slot[set_first(mine & ~SET_OF(move.slot))];
        if (!play(engine, answer, -1, false, &l)) return false;
        if (!play(engine, third, 1, engine->problem.plain_end, &l)) return false;
        *found = (proof){0, 0};
        if (engine_tick(engine) || engine_tick(engine)) return true;
        proof one = round_end(engine, &l, v->at, beta);
        if (one.value >= beta) {
            *found = one;
            *best = move;
            return true;
        }
        if (one.value > failed.value) failed.value = one.value;
        failed.at = standing_lower(failed.at, one.at);
    }
    *found = failed;
    return true;
}

/* More cards of the round's last deal. */
static bool more(basra_engine *engine, const visit *v, int32_t beta, size_t at, proof *found,
                 best_move *best)
{
    const search_place *place = &v->place;
    openings o;
    o.fresh = playable_slots(&engine->problem, place);
    o.trails[0] = o.trails[1] = o.next = o.few.count = 0;
    proof failed = PROOF_OF_NOTHING;
    best_move move;
    visit next;
    next.place.deal = place->deal;
    next.place.turn = engine->problem.after[place->turn];
    next.place.left = (uint8_t)(place->left - 1);
    const line from = line_from(place);
    for (;;) {
        while (o.next == o.few.count && o.fresh)
            if (!look_at(engine, place, &o)) return false;
        line l = from;
        if (!open_next(engine, place, &o, &l, &move)) break;
        next.place.floor = l.floor;
        next.place.looks = l.looks;
        next.place.held = place->held & ~SET_OF(move.slot);
        if (!next.place.held) return false;
        next.at = standing_after(v->at, l.cards);
        next.bucket = pair_bucket(engine, next.place.floor, PAIR_HELD(next.place.held, next.at));
        search_move m = {.gain = l.gain, .cards = (uint8_t)l.cards};
        proof one = enter(engine, &next, l.gain * BASRA_UNIT - beta + 1, at);
        if (engine_halted(engine)) return true;
        one = proof_before(&m, one, beta);
        if (one.value >= beta) {
            *found = one;
            *best = move;
            return true;
        }
        if (one.value > failed.value) failed.value = one.value;
        failed.at = standing_lower(failed.at, one.at);
    }
    *found = failed;
    return true;
}

proof ending_expand(basra_engine *engine, const visit *v, const pair_entry *known, int32_t beta,
                    size_t at)
{
    proof found = {0, 0};
    best_move best = {NO_SLOT, 0};
    int held = v->place.left - v->place.deal->later;
    bool done = held == 3   ? three(engine, v, beta, &found, &best)
                : held == 2 ? two(engine, v, beta, at, &found)
                : held > 3  ? more(engine, v, beta, at, &found, &best)
                            : false;
    if (engine_halted(engine)) return found;
    return done ? pair_keep(engine, v, found, beta, best)
                : alphabeta_expand(engine, v, known, beta, at);
}
