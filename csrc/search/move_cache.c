#include "move_cache.h"

#include <string.h>

/* Field by field would be longer and no safer: rules are copied whole, padding included. */
void move_cache_ready(const basra_rules *rules, move_cache *cache)
{
    if (!memcmp(&cache->rules, rules, sizeof *rules)) return;
    memcpy(&cache->rules, rules, sizeof *rules);
    for (int i = 0; i < CACHED_LISTS; i++) cache->list[i].count = NOT_CACHED;
}
