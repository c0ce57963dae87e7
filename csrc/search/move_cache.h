/* Captures that were worked out before, by floor and type of the card played.
 *
 * A search meets the same floors again and again; looking a short list up is several times cheaper
 * than enumerating it.  Longer lists are not kept.  What is cached depends on the rules alone.
 */
#ifndef BASRA_SEARCH_MOVE_CACHE_H
#define BASRA_SEARCH_MOVE_CACHE_H

#include "../game/types.h"

enum { CACHED_CAPTURES = 2, CACHED_LISTS = 4096, NOT_CACHED = 255 };

typedef struct cached_capture {
    bag taken;
    int32_t gain;  /* points for the side that plays */
    uint8_t cards; /* captured, the played one included */
} cached_capture;

typedef struct cached_list {
    bag floor;
    uint8_t type;
    uint8_t count; /* NOT_CACHED: empty */
    cached_capture capture[CACHED_CAPTURES];
} cached_list;

typedef struct move_cache {
    basra_rules rules;
    cached_list list[CACHED_LISTS];
} move_cache;

/* Empties the cache unless it is for these rules already. */
void move_cache_ready(const basra_rules *rules, move_cache *cache);

/* Where the list of a floor and a card stands, or would stand. */
static inline cached_list *move_cache_at(move_cache *cache, bag floor, int type)
{
    uint64_t h = (floor + (uint64_t)type) * UINT64_C(0x9e3779b97f4a7c15);
    h ^= (uint64_t)type << 40;
    return &cache->list[(h ^ h >> 29) >> 20 & (CACHED_LISTS - 1)];
}

static inline bool move_cache_holds(const cached_list *list, bag floor, int type)
{
    return list->count != NOT_CACHED && list->floor == floor && list->type == type;
}

#endif
