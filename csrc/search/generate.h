/* Moves of a place in the search: one of each kind, not one for each of several equal cards. */
#ifndef BASRA_SEARCH_GENERATE_H
#define BASRA_SEARCH_GENERATE_H

#include "ablation.h"
#include "move_cache.h"
#include "problem.h"
#include "singles.h"
#include "tally.h"

/* Working memory for moves: those of the places on the current path stand one above the other. */
typedef struct move_memory {
    search_move *moves;
    size_t size;
    basra_status failed;
    capture_work work;
    move_order order; /* for the rules in hand, as are the next three */
    tally worth;
    singles singles;
    move_cache cache;
} move_memory;

/* Makes the memory ready for other rules. */
void generate_for(const card_types *types, move_memory *memory);

void generate_free(move_memory *memory);

/* Moves of one place as far as they come from the cache, and one more. */
enum { MOVES_ROOM = BASRA_CARDS * (CACHED_CAPTURES + 1) + 1 };

/* -- parts of generate_moves --------------------------------------------------------------------- */

/* Makes room; false, with memory->failed, if there is none. */
bool moves_need(move_memory *memory, size_t size);

/* Where the hand must capture: those of its slots that do, if any. */
uint64_t moves_capturing(const search_problem *problem, const search_place *place, uint64_t mine);

/* Lists what a key stands for in memory->work.taken, and remembers it if it is short.  Returns the number
 * of captures; memory->failed says whether it went well. */
size_t captures_work_out(const card_types *types, bag part, uint64_t key, move_memory *memory,
                         cached_list *list);

/* The capture of `taken`, as it is remembered. */
cached_capture capture_of(const card_types *types, const move_memory *memory, bag part,
                          uint64_t key, bag taken);

/* Writes the moves of a card whose captures, too many for the cache, have just been worked out, at
 * moves[at..].  Returns their number; on failure 0, with memory->failed. */
size_t moves_uncached(const search_problem *problem, bag part, uint64_t key,
                      const search_slot *slot, size_t captures, move_memory *memory, size_t at);

static inline void move_set(search_move *move, const search_slot *slot, cached_capture capture,
                            size_t index)
{
    *move = (search_move){.change = ~capture.taken + 1,
                          .others = slot->trail.others,
                          .gain = capture.gain,
                          .promise = capture.promise,
                          .slot = slot->trail.slot,
                          .type = slot->type,
                          .cards = (uint8_t)capture.cards,
                          .index = (uint8_t)(index + 1)};
}

/* -- the whole ------------------------------------------------------------------------------------ */

/* The slots that may be played: one of each kind of card. */
static inline uint64_t playable_slots(const search_problem *problem, const search_place *place)
{
    const search_deal *deal = place->deal;
    uint64_t slots = place->held & deal->seat[place->turn];
    slots &= ~(deal->same_next & (place->held >> 1));
    return problem->hand_must ? moves_capturing(problem, place, slots) : slots;
}

/* The key of a card's captures; `part` of the floor is what matters to it.  `last`: with the last card of
 * a round, where that makes no basra. */
static inline uint64_t captures_key(const search_slot *slot, bag part, bag floor, bool last)
{
    return slot->key | part | (uint64_t)(part != floor || last) << MOVE_CACHE_PLAIN;
}

/* Appends the moves of some playable slots at memory->moves[at..], canonical by type, and returns their
 * number; 0 on failure, with memory->failed. */
static inline size_t slot_moves(const search_problem *problem, const search_place *place,
                                uint64_t slots, move_memory *memory, size_t at)
{
    const search_deal *deal = place->deal;
    const bag floor = place_floor(place);
    const int32_t given = floor ? memory->order.given : memory->order.given_alone;
    const bool last = place->left == 1 && problem->plain_end;
    if (at + MOVES_ROOM > memory->size && !moves_need(memory, at + MOVES_ROOM)) return 0;
    search_move *next = memory->moves + at;
    for (; slots; slots &= slots - 1) {
        const search_slot *slot = &deal->slot[set_first(slots)];
        bag part = floor & slot->relevant;
        if (part) {
            uint64_t key = captures_key(slot, part, floor, last);
            cached_list *list = move_cache_at(&memory->cache, key);
            if (list->key != key || WITHOUT(CACHE)) {
                size_t listed = captures_work_out(problem->types, part, key, memory, list);
                if (memory->failed) return 0;
                if (list->key != key) {
                    size_t made = (size_t)(next - memory->moves);
                    listed = moves_uncached(problem, part, key, slot, listed, memory, made);
                    if (!listed) return 0;
                    next = memory->moves + made + listed;
                    continue;
                }
            }
            size_t count = cached_count(list);
            if (count) {
                if (problem->free_trail) *next++ = slot->trail;
                for (size_t i = 0; i < count; i++) move_set(next++, slot, cached_at(list, i), i);
                continue;
            }
        }
        *next = slot->trail;
        if (slot->rivals & place->held) next->promise += given;
        next++;
    }
    return (size_t)(next - memory->moves) - at;
}

/* The moves of all playable slots. */
static inline size_t generate_moves(const search_problem *problem, const search_place *place,
                                    move_memory *memory, size_t at)
{
    return slot_moves(problem, place, playable_slots(problem, place), memory, at);
}

#endif
