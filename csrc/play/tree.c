#include "tree.h"

#include "../game/memory.h"
#include "../search/evaluate.h"

#include <string.h>

enum { WIDTH_SHIFT = 12, FIRST_ROOM = 1024 };

/* The natural logarithm of 2, in 2^-24, over LOG_STEPS. */
enum { LOG_STEP = 726817 };

void forest_open(uint32_t most, int32_t explore, forest *f)
{
    f->node = NULL;
    f->count = 1;
    f->room = 0;
    f->most = most + 1;
    f->explore = explore;
    for (uint64_t i = 0; i < LOGS; i++) f->root_of_log[i] = (uint16_t)root_of(i * LOG_STEP);
    f->one_over_root[0] = 0;
    for (uint64_t n = 1; n < ROOTS; n++)
        f->one_over_root[n] = (uint32_t)root_of((UINT64_C(1) << 32) / n);
}

void forest_free(forest *f)
{
    basra_free(f->node);
    f->node = NULL;
}

basra_status forest_need(forest *f, uint32_t more)
{
    if (f->room - f->count >= more && f->room) return BASRA_OK;
    uint32_t room = f->room ? f->room : FIRST_ROOM / 2;
    do room = room < f->most / 2 ? 2 * room : f->most;
    while (room < f->most && room - f->count < more);
    tree_node *node = basra_realloc(f->node, room * sizeof *node);
    if (!node) return BASRA_E_NOMEM;
    f->node = node;
    f->room = room;
    return BASRA_OK;
}

uint32_t forest_add(forest *f)
{
    memset(&f->node[f->count], 0, sizeof f->node[f->count]);
    return f->count++;
}

uint32_t forest_child(const forest *f, uint32_t node, int type, uint32_t index)
{
    uint32_t at = f->node[node].first;
    while (at && (f->node[at].type != type || f->node[at].index != index)) at = f->node[at].next;
    return at;
}

uint32_t forest_count(const forest *f, uint32_t node, int type)
{
    uint32_t count = 0;
    for (uint32_t at = f->node[node].first; at; at = f->node[at].next)
        count += f->node[at].type == type;
    return count;
}

static int highest_bit(uint32_t n)
{
#if defined(__GNUC__)
    return 31 - __builtin_clz(n);
#else
    int bit = 0;
    while (n >>= 1) bit++;
    return bit;
#endif
}

/* Root of the natural logarithm: between powers of two the binary one is taken as a straight line. */
static int64_t root_of_log(const forest *f, uint32_t n)
{
    int bit = highest_bit(n);
    uint32_t part = (bit >= 4 ? n >> (bit - 4) : n << (4 - bit)) & (LOG_STEPS - 1);
    return f->root_of_log[(uint32_t)bit * LOG_STEPS + part];
}

/* The exploration constant over the root of n. */
static int32_t width_for(const forest *f, uint32_t n)
{
    int shift = WIDTH_SHIFT;
    for (; n >= ROOTS; n >>= 2) shift++;
    return (int32_t)((int64_t)f->explore * f->one_over_root[n] >> shift);
}

uint32_t forest_select(forest *f, uint32_t node, uint64_t types)
{
    uint32_t best = NODE_NONE;
    int64_t highest = INT64_MIN;
    for (uint32_t at = f->node[node].first; at;) {
        tree_node *c = &f->node[at];
        if (types >> c->type & 1) {
            int64_t bound = (int64_t)c->mean * 65536 + c->width * root_of_log(f, ++c->met);
            if (bound > highest) {
                highest = bound;
                best = at;
            }
        }
        at = c->next;
    }
    return best;
}

void forest_record(forest *f, uint32_t node, int32_t value)
{
    tree_node *n = &f->node[node];
    n->visits++;
    n->total += value;
    n->mean = (int32_t)(n->total / n->visits);
    n->width = width_for(f, n->visits);
}
