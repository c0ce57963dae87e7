/* The round's last deal, and the last two cards of any other, searched without lists of moves.
 *
 * Captures come first, in the order of slots, then cards that the other side cannot match, then the others.
 * Slots stand in the order of what trailing them promises.  The last three cards of a round are played out in
 * a straight line for each way to begin, and so are the last two of any deal; for the positions that a search
 * meets most often this is several times cheaper than the general way.
 */
#include "leaf.h"
#include "line.h"
#include "pair_search.h"

_Static_assert(ENDING_OF_DEAL <= 2, "of an ending, only its last two cards lead to the next deal");

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
    return enter(engine, &v, beta, stack);
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

/* Three cards of a round are left, of which two are the side's to move. */
static bool three(basra_engine *engine, const visit *v, int32_t beta, proof *found, best_move *best)
{
    const search_place *place = &v->place;
    const search_deal *deal = place->deal;
    uint64_t mine = place->held & deal->side[place->turn & 1], other = place->held ^ mine;
    if (!other || other & (other - 1) || !(mine & (mine - 1))) return false;
    const search_slot *answer = &deal->slot[set_first(other)];
    openings o = openings_of(engine, place);
    proof failed = PROOF_OF_NOTHING;
    best_move move;
    for (;;) {
        while (o.next == o.few.count && o.fresh)
            if (!open_card(engine, place, &o)) return false;
        line l = line_from(place);
        if (!open_line(engine, place, &o, &l, &move)) break;
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
        proof_join(&failed, one);
    }
    *found = failed;
    return true;
}

/* More cards of the round's last deal. */
static bool more(basra_engine *engine, const visit *v, int32_t beta, size_t at, proof *found,
                 best_move *best)
{
    const search_place *place = &v->place;
    openings o = openings_of(engine, place);
    proof failed = PROOF_OF_NOTHING;
    best_move move;
    visit next;
    next.place.deal = place->deal;
    next.place.turn = engine->problem.after[place->turn];
    next.place.left = (uint8_t)(place->left - 1);
    for (;;) {
        while (o.next == o.few.count && o.fresh)
            if (!open_card(engine, place, &o)) return false;
        line l = line_from(place);
        if (!open_line(engine, place, &o, &l, &move)) break;
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
        proof_join(&failed, one);
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
                : general_expand(engine, v, known, beta, at);
}
