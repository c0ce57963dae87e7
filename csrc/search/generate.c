#include "generate.h"

#include "../game/memory.h"

#include <string.h>

void generate_for(const card_types *types, move_memory *memory)
{
    move_order_init(types, &memory->order);
    tally_init(types, &memory->worth);
    singles_for(types, &memory->singles);
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

cached_capture capture_of(const card_types *types, const move_memory *memory, bag part,
                          uint64_t key, bag taken)
{
    int type = move_cache_type(key);
    const move_order *order = &memory->order;
    int32_t sum = tally_up(&memory->worth, taken);
    cached_capture made = {.taken = taken,
                           .cards = tally_cards(sum) + 1,
                           .gain = tally_points(sum) + types->points[type]};
    if (!move_cache_plain(key)) made.gain += capture_basra(types, part, type, taken);
    made.promise = order->capture[type] + made.gain * order->point + made.cards * order->card;
    if (made.promise > INT16_MAX) made.promise = INT16_MAX;
    if (made.promise < INT16_MIN) made.promise = INT16_MIN;
    return made;
}

/* Finds the capture of a numeral, or that there is none, from a floor without two cards of a rank.  False
 * if there are several captures, or it is another card or another floor; or on failure. */
static inline bool lone_capture(const card_types *types, bag part, int type, move_memory *memory,
                                bag *taken)
{
    int rank = types->rank[type];
    if (rank >= NUMERAL_RANKS || types->relevant[type] == SET_ALL) return false;
    unsigned ranks = singles_ranks(&memory->singles, part);
    if (!ranks) return false;
    uint16_t *entry = singles_at(&memory->singles, rank, ranks);
    if (!*entry) memory->failed = singles_fill(types, part, type, &memory->work, entry);
    if (memory->failed || *entry == SINGLES_SEVERAL) return false;
    *taken = part & singles_bits(*entry - 1u);
    return true;
}

size_t captures_work_out(const card_types *types, bag part, uint64_t key, move_memory *memory,
                         cached_list *list)
{
    size_t count;
    bag taken;
    if (lone_capture(types, part, move_cache_type(key), memory, &taken)) {
        cached_list made = {.key = key};
        if (taken && !cached_set(&made, 0, 0, capture_of(types, memory, part, key, taken))) goto slow;
        *list = made;
        return taken != 0;
    }
slow:
    memory->failed = captures_list(types, part, move_cache_type(key), 0, &memory->work, &count);
    if (memory->failed) return 0;
    if (count > CACHED_CAPTURES) return count;
    cached_list made = {.key = key};
    for (size_t i = 0; i < count; i++) {
        cached_capture capture = capture_of(types, memory, part, key, memory->work.taken[i]);
        if (!cached_set(&made, i, count - 1 - i, capture)) return count;
    }
    *list = made;
    return count;
}

size_t moves_uncached(const search_problem *problem, bag part, uint64_t key,
                      const search_slot *slot, size_t captures, move_memory *memory, size_t at)
{
    size_t room = at + captures + MOVES_ROOM;
    if (room > memory->size && !moves_need(memory, room)) return 0;
    search_move *next = memory->moves + at;
    if (problem->free_trail) *next++ = slot->trail;
    for (size_t i = 0; i < captures; i++) {
        cached_capture capture =
            capture_of(problem->types, memory, part, key, memory->work.taken[i]);
        move_set(next++, slot, capture, i);
    }
    return (size_t)(next - memory->moves) - at;
}

uint64_t moves_capturing(const search_problem *problem, const search_place *place, uint64_t mine)
{
    uint64_t capturing = 0;
    for (uint64_t rest = mine; rest;) {
        int slot = set_pop(&rest);
        if (captures_any(problem->types, place_floor(place), place->deal->slot[slot].type))
            capturing |= SET_OF(slot);
    }
    return capturing ? capturing : mine;
}
