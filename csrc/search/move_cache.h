/* Captures that were worked out before, by what matters of a floor and the type of the card played.
 *
 * A search meets the same floors again and again; looking a short list up is many times cheaper than
 * enumerating it.  Longer lists are not kept.  What is cached depends on the rules alone, so it serves
 * problem after problem and never changes what is found.
 */
#ifndef BASRA_SEARCH_MOVE_CACHE_H
#define BASRA_SEARCH_MOVE_CACHE_H

#include "problem.h"

enum { CACHED_CAPTURES = 3, CACHED_LISTS = 4096 };

typedef struct cached_capture {
    uint64_t taken; /* the floor cards, and above their 52 bits the number of cards captured */
    int32_t gain; /* points for the side that plays */
    int32_t promise; /* see order.h */
} cached_capture;

/* One cache line. */
typedef struct cached_list {
    uint64_t key; /* 0: empty */
    uint64_t count;
    cached_capture capture[CACHED_CAPTURES];
} cached_list;

typedef struct move_cache {
    cached_list list[CACHED_LISTS];
} move_cache;

/* A floor fills 52 bits, a type 6 more.  `plain`: no basra, because other cards lie there too or it is
 * the last card of a round. */
static inline uint64_t move_cache_key(bag part, int type, bool plain)
{
    return part | (uint64_t)type << 52 | (uint64_t)plain << 58 | UINT64_C(1) << 63;
}

static inline int move_cache_type(uint64_t key) { return (int)(key >> 52) & 63; }
static inline bool move_cache_plain(uint64_t key) { return key >> 58 & 1; }

/* Where the list of a key stands, or would stand. */
static inline cached_list *move_cache_at(move_cache *cache, uint64_t key)
{
    enum { SHIFT = 64 - 12 };
    _Static_assert(CACHED_LISTS == 1 << (64 - SHIFT), "the shift fits the size");
    return &cache->list[key * UINT64_C(0x9e3779b97f4a7c15) >> SHIFT];
}

#endif
