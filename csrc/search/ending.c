#include "ending.h"

#include "leaf.h"

/* What a line of play has brought so far, all for the side to move where it began. */
typedef struct line {
    uint64_t floor; /* as in search_place */
    int32_t gain;
    int cards; /* by which the lead has grown */
    int who; /* captured last: 1, or -1 for the other side; 0 if nobody has */
} line;

/* The captures of a card, or NULL if they are too many for the cache, or on failure. */
static inline const cached_list *short_list(basra_engine *engine, const search_slot *slot,
                                            uint64_t floor, bool last)
{
    bag part = floor & slot->relevant;
    uint64_t key = captures_key(slot, part, floor & SET_ALL, last);
    cached_list *list = move_cache_at(&engine->memory.cache, key);
    if (list->key == key && !WITHOUT(CACHE)) return list;
    captures_work_out(engine->problem.types, part, key, &engine->memory, list);
    if (engine->memory.failed) engine_fail(engine);
    return list->key == key ? list : NULL;
}

/* `side` is 1 for the side to move where the line began, else -1. */
static inline void take(cached_capture capture, int side, line *l)
{
    l->floor -= capture.taken;
    l->gain += side * capture.gain;
    l->cards += side * capture.cards;
    l->who = side;
}

/* Plays a card if there is one way only. */
static inline bool play(basra_engine *engine, const search_slot *slot, int side, bool last, line *l)
{
    if (l->floor & slot->relevant) {
        const cached_list *list = short_list(engine, slot, l->floor, last);
        size_t count = list ? cached_count(list) : 0;
        if (!list || count > 1 || (count && engine->problem.free_trail)) return false;
        if (count) {
            take(cached_at(list, 0), side, l);
            return true;
        }
    }
    l->floor += slot->trail.change;
    return true;
}

/* Goes on behind the deal: a line of an even number of cards, so that its first side leads on. */
static proof next_deal(basra_engine *engine, const search_place *from, const line *l, standing at,
                       int32_t beta, size_t stack)
{
    visit v = {.place = {.floor = l->floor + (UINT64_C(1) << PLACE_DEAL_SHIFT),
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
    int32_t sum = tally_up(&engine->memory.worth, l->floor & SET_ALL);
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
    line l = {.floor = place->floor};
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

/* The last three cards of a round, of which two are the side's to move. */
typedef struct three {
    const visit *from;
    const search_slot *answer; /* the other side's card */
    uint64_t mine;
    int32_t beta;
    bool odd; /* a card can be played in several ways: not for here */
    proof found; /* of the lines so far */
} three;

/* Goes on after a first card, the last two as they must be; true if there is no need to look further. */
static inline bool line_decides(basra_engine *engine, three *t, const search_slot *first, line *l)
{
    const search_slot *slots = t->from->place.deal->slot;
    const search_slot *third = &slots[set_first(t->mine & ~SET_OF(first->trail.slot))];
    t->odd = !play(engine, t->answer, -1, false, l) ||
             !play(engine, third, 1, engine->problem.plain_end, l);
    if (t->odd || engine_tick(engine) || engine_tick(engine)) return true;
    proof one = round_end(engine, l, t->from->at, t->beta);
    if (one.value >= t->beta) {
        t->found = one;
        return true;
    }
    if (one.value > t->found.value) t->found.value = one.value;
    t->found.at = standing_lower(t->found.at, one.at);
    return false;
}

/* Tries the captures of a card; the index of the one that decides, or 0. */
static inline unsigned captures_decide(basra_engine *engine, three *t, const search_slot *first,
                                       const cached_list *list)
{
    /* The list may be gone from the cache when the first one has been tried. */
    cached_list copy;
    size_t count = cached_count(list);
    if (count > 1) copy = *list, list = &copy;
    for (unsigned i = 0; i < count; i++) {
        line l = {.floor = t->from->place.floor};
        take(cached_at(list, i), 1, &l);
        if (line_decides(engine, t, first, &l)) return i + 1;
    }
    return 0;
}

/* Tries to trail cards; true if one decides, then `best` says which. */
static inline bool trails_decide(basra_engine *engine, three *t, uint64_t safe, uint64_t risky,
                                 best_move *best)
{
    while (safe | risky) {
        uint64_t *from = safe ? &safe : &risky;
        int slot = set_pop(from);
        const search_slot *first = &t->from->place.deal->slot[slot];
        line l = {.floor = t->from->place.floor + first->trail.change};
        *best = (best_move){(uint8_t)slot, 0};
        if (line_decides(engine, t, first, &l)) return true;
    }
    return false;
}

/* Captures first, then cards that the other side cannot match. */
static inline void three_lines(basra_engine *engine, three *t, best_move *best)
{
    const search_place *place = &t->from->place;
    uint64_t safe = 0, risky = 0;
    for (uint64_t slots = playable_slots(&engine->problem, place); slots; slots &= slots - 1) {
        int at = set_first(slots);
        const search_slot *slot = &place->deal->slot[at];
        if (place->floor & slot->relevant) {
            const cached_list *list = short_list(engine, slot, place->floor, false);
            t->odd = !list;
            if (t->odd) return;
            if (cached_count(list)) {
                bool trail = engine->problem.free_trail;
                unsigned index = captures_decide(engine, t, slot, list);
                *best = (best_move){(uint8_t)at, (uint8_t)index};
                if (index) return;
                if (!trail) continue;
            }
        }
        if (slot->rivals & place->held && !WITHOUT(ORDER))
            risky |= SET_OF(at);
        else
            safe |= SET_OF(at);
    }
    trails_decide(engine, t, safe, risky, best);
}

static bool three_cards(basra_engine *engine, const visit *v, int32_t beta, proof *found,
                        best_move *best)
{
    const search_place *place = &v->place;
    const search_deal *deal = place->deal;
    const uint64_t *side = deal->side;
    uint64_t mine = place->held & side[place->turn & 1], other = place->held ^ mine;
    three t = {.from = v, .mine = mine, .beta = beta, .found = PROOF_OF_NOTHING};
    if (!other || other & (other - 1) || !(mine & (mine - 1))) return false;
    t.answer = &deal->slot[set_first(other)];
    three_lines(engine, &t, best);
    *found = t.found;
    return !t.odd;
}

bool ending_solve(basra_engine *engine, const visit *v, int32_t beta, size_t at, proof *found,
                  best_move *best)
{
    if (WITHOUT(ENDINGS)) return false;
    *best = (best_move){NO_SLOT, 0};
    int held = v->place.left - v->place.deal->later;
    return held == 2   ? two(engine, v, beta, at, found)
           : held == 3 ? three_cards(engine, v, beta, found, best)
                       : false;
}
