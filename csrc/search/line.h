/* Lines of play without lists of moves: what they bring, and the ways to begin one. */
#ifndef BASRA_SEARCH_LINE_H
#define BASRA_SEARCH_LINE_H

#include "pair_table.h"

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
static inline bool play_found(basra_engine *engine, const search_slot *slot, int side, bool last,
                              line *l)
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

/* The ways to play a first card that have not been tried yet. */
typedef struct openings {
    uint64_t fresh; /* slots not looked at */
    /* Slots to be trailed: cards that the other side cannot match, and others. */
    uint64_t trails[2];
    few_captures few; /* of the slot looked at last */
    size_t next; /* of those */
    uint8_t slot;
} openings;

static inline openings openings_of(const basra_engine *engine, const search_place *place)
{
    openings o;
    o.fresh = playable_slots(&engine->problem, place);
    o.trails[0] = o.trails[1] = o.next = o.few.count = 0;
    return o;
}

/* Looks at another card; false if it has too many captures, or on failure. */
static inline bool open_card(basra_engine *engine, const search_place *place, openings *o)
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

/* Begins a line the next way: captures first.  False when there is none. */
static inline bool open_line(const basra_engine *engine, const search_place *place, openings *o,
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

#endif
