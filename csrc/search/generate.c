#include "generate.h"

#include "../game/memory.h"

#include <string.h>

void generate_for(const card_types *types, move_memory *memory)
{
    lore_init(types, &memory->lore);
    memset(&memory->cache, 0, sizeof memory->cache);
}

void generate_free(move_memory *memory)
{
    captures_free(&memory->work);
    basra_free(memory->moves);
    memory->moves = NULL;
    memory->size = 0;
}

bool moves_need(move_memory *memory, size_t size)
{
    size_t room = 2 * memory->size > size ? 2 * memory->size : size + 1024;
    search_move *moves = basra_realloc(memory->moves, room * sizeof *moves);
    if (!moves) {
        memory->failed = BASRA_E_NOMEM;
        return false;
    }
    memory->moves = moves;
    memory->size = room;
    return true;
}

cached_capture capture_of(const search_lore *lore, bag part, uint64_t key, bag taken)
{
    int type = move_cache_type(key);
    const move_order *order = &lore->order;
    int32_t sum = tally_up(&lore->worth, taken);
    cached_capture made = {.taken = taken,
                           .cards = tally_cards(sum) + 1,
                           .gain = tally_points(sum) + lore->types->points[type]};
    if (!move_cache_plain(key)) made.gain += capture_basra(lore->types, part, type, taken);
    made.promise = order->capture[type] + made.gain * order->point + made.cards * order->card;
    if (made.promise > INT16_MAX) made.promise = INT16_MAX;
    if (made.promise < INT16_MIN) made.promise = INT16_MIN;
    return made;
}

size_t captures_work_out(bag part, uint64_t key, move_memory *memory, cached_list *list)
{
    size_t count;
    memory->failed =
        captures_list(memory->lore.types, part, move_cache_type(key), 0, &memory->work, &count);
    if (memory->failed) return 0;
    if (count > CACHED_CAPTURES) return count;
    cached_list made = {.key = key};
    for (size_t i = 0; i < count; i++) {
        cached_capture capture = capture_of(&memory->lore, part, key, memory->work.taken[i]);
        if (!cached_set(&made, i, count - 1 - i, capture)) return count;
    }
    *list = made;
    return count;
}

/* As captures_find, if the floor is a single one and has few captures. */
static bool find_single(const search_slot *slot, bag floor, bool last, move_memory *memory,
                        few_captures *few)
{
    search_lore *lore = &memory->lore;
    const bag part = floor & slot->relevant;
    const floor_looks looks = looks_of(&lore->singles, floor);
    if (!looks_single(looks)) return false;
    memory->failed = singles_fill(lore->types, part, slot->row, looks, slot->trail.type,
                                  &memory->work, &lore->singles);
    const single_capture *c = singles_at(&lore->singles, slot->row, looks);
    if (memory->failed || c->state < SINGLE_NONE) return false;
    few->count = (size_t)c->state - SINGLE_NONE;
    if (few->count > 1) c = &lore->singles.more[c->more];
    for (size_t i = 0; i < few->count; i++)
        few->capture[i] = capture_from(lore, slot, floor, &c[i], part & c[i].bits, last);
    return true;
}

bool captures_find(const search_slot *slot, bag floor, bool last, move_memory *memory,
                   few_captures *few)
{
    if (!WITHOUT(CACHE) && find_single(slot, floor, last, memory, few)) return true;
    if (memory->failed) return false;
    const bag part = floor & slot->relevant;
    const uint64_t key = move_cache_key(part, slot->trail.type, last || part != floor);
    cached_list *list = move_cache_at(&memory->cache, key);
    if (list->key != key || WITHOUT(CACHE)) few->count = captures_work_out(part, key, memory, list);
    if (list->key != key || memory->failed) return false;
    few->count = cached_count(list);
    for (size_t i = 0; i < few->count; i++) few->capture[i] = cached_at(list, i);
    return true;
}

size_t listed_moves(const search_problem *problem, const search_slot *slot, bag floor, bool last,
                    move_memory *memory, size_t at)
{
    few_captures few;
    const bool found = captures_find(slot, floor, last, memory, &few);
    if (memory->failed || !few.count) return 0;
    const bag part = floor & slot->relevant;
    const uint64_t key = move_cache_key(part, slot->trail.type, last || part != floor);
    const size_t room = at + few.count + MOVES_ROOM;
    if (room > memory->size && !moves_need(memory, room)) return 0;
    search_move *next = memory->moves + at;
    if (problem->free_trail) *next++ = slot->trail;
    for (size_t i = 0; i < few.count; i++) {
        cached_capture capture =
            found ? few.capture[i] : capture_of(&memory->lore, part, key, memory->work.taken[i]);
        move_set(next++, slot, capture, looks_of(&memory->lore.singles, capture.taken), i);
    }
    return (size_t)(next - memory->moves) - at;
}

uint64_t moves_capturing(const search_problem *problem, const search_place *place, uint64_t mine)
{
    uint64_t capturing = 0;
    for (uint64_t rest = mine; rest;) {
        int slot = set_pop(&rest);
        if (captures_any(problem->types, place_floor(place), place->deal->slot[slot].trail.type))
            capturing |= SET_OF(slot);
    }
    return capturing ? capturing : mine;
}

size_t generate_canonical(const search_problem *problem, const search_place *place,
                          move_memory *memory, size_t at)
{
    const search_slot *slot = place->deal->slot;
    size_t count = 0;
    for (uint64_t left = playable_slots(problem, place); left;) {
        int first = set_first(left);
        for (uint64_t rest = left & (left - 1); rest;) {
            int other = set_pop(&rest);
            if (slot[other].trail.type < slot[first].trail.type) first = other;
        }
        size_t more = slot_moves(problem, place, SET_OF(first), memory, at + count);
        if (!more) return 0;
        count += more;
        left &= ~SET_OF(first);
    }
    return count;
}
