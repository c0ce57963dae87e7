/* Moves of a place in the search: one of each kind, not one for each of several equal cards. */
#ifndef BASRA_SEARCH_GENERATE_H
#define BASRA_SEARCH_GENERATE_H

#include "ablation.h"
#include "move_cache.h"
#include "problem.h"

/* Working memory for moves: those of the places on the current path stand one above the other. */
typedef struct move_memory {
    search_move *moves;
    size_t size;
    basra_status failed;
    capture_work work;
    search_lore lore;
    move_cache cache; /* for the same rules */
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
size_t captures_work_out(bag part, uint64_t key, move_memory *memory, cached_list *list);

/* A few captures of a card. */
typedef struct few_captures {
    size_t count;
    cached_capture capture[SINGLES_MOST];
} few_captures;

/* Finds the captures of a card: from the table of single floors, which it has filled in, or from the cache,
 * or works them out.  False if they are too many, then they are in memory->work.taken and few->count tells
 * their number; or on failure, with memory->failed. */
bool captures_find(const search_slot *slot, bag floor, bool last, move_memory *memory,
                   few_captures *few);

/* Writes the moves of a card that can capture at moves[at..], and returns their number: 0 if it cannot, or
 * on failure, with memory->failed. */
size_t listed_moves(const search_problem *problem, const search_slot *slot, bag floor, bool last,
                    move_memory *memory, size_t at);

/* The capture of `taken`, as it is remembered. */
cached_capture capture_of(const search_lore *lore, bag part, uint64_t key, bag taken);

static inline void move_set(search_move *move, const search_slot *slot, cached_capture capture,
                            floor_looks ranks, size_t index)
{
    *move = (search_move){.change = ~capture.taken + 1,
                          .others = slot->trail.others,
                          .gain = capture.gain,
                          .promise = capture.promise,
                          .slot = slot->trail.slot,
                          .type = slot->trail.type,
                          .cards = (uint8_t)capture.cards,
                          .index = (uint8_t)(index + 1),
                          .ranks = ranks};
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

/* What the table of single floors says of a card, or NULL if the floor is none of those. */
static inline const single_capture *single_at(const search_lore *lore, const search_slot *slot,
                                              floor_looks looks)
{
    if (!looks_single(looks) || WITHOUT(CACHE)) return NULL;
    return singles_at(&lore->singles, slot->row, looks);
}

/* The capture of `taken` from a floor.  `plain`: it makes no basra. */
static inline cached_capture capture_from(const search_lore *lore, const search_slot *slot,
                                          bag floor, const single_capture *single, bag taken,
                                          bool plain)
{
    cached_capture made = {.taken = taken, .cards = single->cards, .gain = slot->points};
    if (!made.cards) {
        int32_t sum = tally_up(&lore->worth, taken);
        made.cards = tally_cards(sum) + 1;
        made.gain += tally_points(sum);
    } else {
        for (bag rest = taken & lore->singles.pointed; rest; rest &= rest - 1)
            made.gain += lore->singles.points[set_first(rest)];
    }
    if (taken == floor && !plain)
        made.gain += slot->basra != BASRA_DEPENDS
                         ? slot->basra
                         : capture_basra(lore->types, floor, slot->trail.type, taken);
    made.promise = slot->promise + made.gain * lore->order.point + made.cards * lore->order.card;
    return made;
}

/* Appends the moves of some playable slots at memory->moves[at..] and returns their number; 0 on failure,
 * with memory->failed. */
static inline size_t slot_moves(const search_problem *problem, const search_place *place,
                                uint64_t slots, move_memory *memory, size_t at)
{
    const search_deal *deal = place->deal;
    const search_lore *lore = &memory->lore;
    const bag floor = place_floor(place);
    const int32_t given = floor ? lore->order.given : lore->order.given_alone;
    const bool last = place->left == 1 && problem->plain_end;
    if (at + MOVES_ROOM > memory->size && !moves_need(memory, at + MOVES_ROOM)) return 0;
    search_move *next = memory->moves + at;
    for (; slots; slots &= slots - 1) {
        const search_slot *slot = &deal->slot[set_first(slots)];
        const bag part = floor & slot->relevant;
        if (part) {
            const single_capture *single = single_at(lore, slot, place->looks);
            const bag taken = single ? part & single->bits : 0;
            if (taken) {
                if (problem->free_trail) *next++ = slot->trail;
                move_set(next++, slot, capture_from(lore, slot, floor, single, taken, last),
                         single->ranks, 0);
                continue;
            }
            if (!single || single->state != SINGLE_NONE) {
                size_t made = (size_t)(next - memory->moves);
                size_t more = listed_moves(problem, slot, floor, last, memory, made);
                if (memory->failed) return 0;
                next = memory->moves + made + more;
                if (more) continue;
            }
        }
        *next = slot->trail;
        if (slot->rivals & place->held) next->promise += given;
        next++;
    }
    return (size_t)(next - memory->moves) - at;
}

/* The moves of all playable slots, in the order of slots. */
static inline size_t generate_moves(const search_problem *problem, const search_place *place,
                                    move_memory *memory, size_t at)
{
    return slot_moves(problem, place, playable_slots(problem, place), memory, at);
}

/* The same, canonical: by type, then by what they take. */
size_t generate_canonical(const search_problem *problem, const search_place *place,
                          move_memory *memory, size_t at);

#endif
