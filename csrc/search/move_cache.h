/* Captures that were worked out before, by what matters of a floor and the type of the card played.
 *
 * A search meets the same floors again and again; looking a short list up is many times cheaper than
 * enumerating it.  Longer lists are not kept.  What is cached depends on the rules alone, so it serves
 * problem after problem and never changes what is found.
 */
#ifndef BASRA_SEARCH_MOVE_CACHE_H
#define BASRA_SEARCH_MOVE_CACHE_H

#include "../game/types.h"

enum { CACHED_CAPTURES = 2, CACHED_LISTS = 2048, MOVE_CACHE_PLAIN = 58 };

typedef struct cached_capture {
    bag taken; /* the floor cards */
    int32_t cards; /* captured, the played one included */
    int32_t gain; /* points for the side that plays */
    int32_t promise; /* see order.h */
} cached_capture;

/* Half a cache line. */
typedef struct cached_list {
    uint64_t key; /* 0: empty */
    uint64_t taken
        [CACHED_CAPTURES]; /* 52 bits of cards, 6 of their number, 6 of captures from here on */
    int16_t gain[CACHED_CAPTURES], promise[CACHED_CAPTURES];
} cached_list;

static inline size_t cached_count(const cached_list *list) { return list->taken[0] >> 58; }

static inline cached_capture cached_at(const cached_list *list, size_t index)
{
    return (cached_capture){.taken = list->taken[index] & SET_ALL,
                            .cards = (int32_t)(list->taken[index] >> 52 & 63),
                            .gain = list->gain[index],
                            .promise = list->promise[index]};
}

/* Writes a capture that `more` follow; false if its gain is too large to be kept. */
static inline bool cached_set(cached_list *list, size_t index, size_t more, cached_capture capture)
{
    if (capture.gain < INT16_MIN || capture.gain > INT16_MAX) return false;
    list->taken[index] = capture.taken | (uint64_t)capture.cards << 52 | (uint64_t)(more + 1) << 58;
    list->gain[index] = (int16_t)capture.gain;
    list->promise[index] = (int16_t)capture.promise;
    return true;
}

typedef struct move_cache {
    cached_list list[CACHED_LISTS];
} move_cache;

/* A floor fills 52 bits, a type 6 more.  `plain`: no basra, because other cards lie there too or it is
 * the last card of a round. */
static inline uint64_t move_cache_key(bag part, int type, bool plain)
{
    return part | (uint64_t)plain << MOVE_CACHE_PLAIN | (uint64_t)type << 52 | UINT64_C(1) << 63;
}

static inline int move_cache_type(uint64_t key) { return (int)(key >> 52) & 63; }
static inline bool move_cache_plain(uint64_t key) { return key >> MOVE_CACHE_PLAIN & 1; }

/* Where the list of a key stands, or would stand. */
static inline cached_list *move_cache_at(move_cache *cache, uint64_t key)
{
    enum { SHIFT = 64 - 11 };
    _Static_assert(CACHED_LISTS == 1 << (64 - SHIFT), "the shift fits the size");
    return &cache->list[key * UINT64_C(0x9e3779b97f4a7c15) >> SHIFT];
}

#endif
