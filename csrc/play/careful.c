/* The careful player: what a move brings at once, less what the next seat can be expected to answer. */
#include "../knowledge/view.h"
#include "player.h"

#include <string.h>

/* Answers are averaged in parts of a search unit. */
enum { PARTS = 1 << 10 };

/* A move as the next seat finds it. */
typedef struct reply {
    decision *d;
    bag floor;
    int mine, theirs; /* sides */
    int last; /* side that captured last, or BASRA_NO_SEAT where that is not known either */
    bool ends; /* the answer is the round's last card */
    uint64_t pool, fixed; /* cards that the hand is drawn from; cards known to be in it */
    int draws;
} reply;

static int64_t interest_others(const decision *d)
{
    return basra_sides(d->view->players, d->view->partners) - 1;
}

/* What a floor left at the round's end costs me, when it goes to a side. */
static int64_t leftovers_cost(const reply *r, bag floor, int last)
{
    const tally *worth = &r->d->engine->memory.lore.worth;
    int32_t sum = tally_up(worth, floor);
    int64_t value =
        (int64_t)tally_points(sum) * BASRA_UNIT + tally_cards(sum) * decision_card_worth(r->d);
    if (last == BASRA_NO_SEAT) return 0;
    return last == r->mine ? -value : value / interest_others(r->d);
}

static int64_t capture_cost(const reply *r, const cached_capture *capture)
{
    int64_t gain = (int64_t)capture->gain * BASRA_UNIT + capture->cards * decision_card_worth(r->d);
    int64_t cost = gain / interest_others(r->d);
    return r->ends ? cost + leftovers_cost(r, r->floor - capture->taken, r->theirs) : cost;
}

static int64_t trail_cost(const reply *r, int type)
{
    const card_types *types = r->d->engine->memory.lore.types;
    int64_t cost = -(int64_t)types->points[type] * BASRA_UNIT / interest_others(r->d);
    return r->ends ? cost + leftovers_cost(r, r->floor + types->unit[type], r->last) : cost;
}

/* What the best answer with a card of the type costs me; memory.failed if it cannot be told, or could not of another
 * type before. */
static int64_t answer_cost(const reply *r, int type)
{
    move_memory *memory = &r->d->engine->memory;
    const search_slot *slot = &memory->lore.slot[type];
    const bag part = r->floor & slot->relevant;
    const bool plain = r->ends && !r->d->rules->basra_on_last;
    const bool trails_too = r->d->rules->must_capture == BASRA_MUST_NONE;
    few_captures few;
    if (memory->failed) return 0;
    if (!part) return trail_cost(r, type);
    bool found = captures_find(slot, r->floor, plain, memory, &few);
    if (memory->failed) return 0;
    int64_t most = few.count && !trails_too ? INT64_MIN : trail_cost(r, type);
    const uint64_t key = move_cache_key(part, type, plain || part != r->floor);
    for (size_t i = 0; i < few.count; i++) {
        cached_capture capture =
            found ? few.capture[i] : capture_of(&memory->lore, part, key, memory->work.taken[i]);
        int64_t cost = capture_cost(r, &capture);
        if (cost > most) most = cost;
    }
    return most;
}

/* Inserts a number into a list that falls. */
static void insert(int64_t *list, int count, int64_t number)
{
    int at = count;
    for (; at && list[at - 1] < number; at--) list[at] = list[at - 1];
    list[at] = number;
}

/* The expected maximum of `draws` numbers drawn from a list that falls, and of one that is there in any case.
 * Of the cards from the i-th on, given that all are among them, the i-th is drawn with the chance draws / left. */
static int64_t expected_most(const int64_t *list, int count, int draws, int64_t at_least)
{
    int64_t most = at_least * PARTS;
    if (!draws) return at_least;
    for (int i = count - draws; i >= 0; i--) {
        int64_t left = count - i, cost = list[i] > at_least ? list[i] : at_least;
        most = (draws * cost * PARTS + (left - draws) * most) / left;
    }
    return most / PARTS;
}

static int64_t expected_cost(const reply *r)
{
    const card_types *types = r->d->engine->memory.lore.types;
    int64_t by_type[BASRA_CARDS], list[BASRA_CARDS], at_least = INT32_MIN;
    uint64_t known = 0;
    int count = 0;
    for (uint64_t rest = r->pool | r->fixed; rest;) {
        int card = set_pop(&rest), type = types->type_of[card];
        if (!(known >> type & 1)) by_type[type] = answer_cost(r, type);
        known |= SET_OF(type);
        if (r->fixed & SET_OF(card))
            at_least = by_type[type] > at_least ? by_type[type] : at_least;
        else
            insert(list, count++, by_type[type]);
    }
    if (r->draws > count) return 0;
    return expected_most(list, count, r->draws, at_least);
}

/* Whose turn it is after my move, and with what. */
static basra_status next_seat(const decision *d, reply *r, bool *over)
{
    int next = (d->view->seat + 1) % d->view->players, held = -1;
    for (int seat = 0; seat < d->view->players; seat++) held += d->facts.hand_size[seat];
    *over = !held && d->facts.last_deal;
    r->theirs = side_of(next, d->view->partners);
    r->ends = held == 1 && d->facts.last_deal;
    if (*over) return BASRA_OK;
    if (held) {
        /* A card that may have been played unnoticed counts as any other unseen one. */
        r->fixed = d->facts.fixed[next];
        r->pool = (d->facts.unseen | d->facts.maybe[next]) & ~r->fixed;
        r->draws = d->facts.hand_size[next] - set_count(r->fixed);
        return BASRA_OK;
    }
    next_hand hand;
    basra_status status = view_next_hand(d->rules, d->view, &d->facts, next, &hand);
    r->pool = hand.pool & ~hand.fixed;
    r->fixed = hand.fixed;
    r->draws = hand.draws;
    return status;
}

basra_status choose_careful(decision *d)
{
    const basra_view *view = d->view;
    move_memory *memory = &d->engine->memory;
    bool over;
    reply r = {.d = d, .mine = side_of(view->seat, view->partners)};
    engine_types(d->engine, d->rules);
    basra_status status = next_seat(d, &r, &over);
    for (size_t group = 0; group < d->groups && !status; group++) {
        const basra_move *move = decision_move(d, group);
        uint64_t floor =
            move->taken ? view->floor & ~move->taken : view->floor | SET_OF(move->card);
        r.floor = types_bag(memory->lore.types, floor);
        r.last = move->taken ? r.mine : BASRA_NO_SEAT;
        if (!move->taken && view->last >= 0) r.last = side_of(view->last, view->partners);
        int64_t cost = over ? leftovers_cost(&r, r.floor, r.last) : expected_cost(&r);
        d->mark[group] = decision_gain(d, move) - cost;
        status = memory->failed;
    }
    memory->failed = BASRA_OK;
    return status;
}
