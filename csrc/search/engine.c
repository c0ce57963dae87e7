/* Life, limits and cancellation of an engine. */
#include "engine.h"

#include "../game/memory.h"
#include "pair_table.h"
#include "platform.h"

#include <string.h>

/* Buckets, less one, for up to 8, 12 and 16 cards to play. */
enum { SMALL = (1 << 7) - 1, MEDIUM = (1 << 13) - 1, LARGE = (1 << 14) - 1 };

enum { POLL_NS = 50 * 1000 * 1000 };

static size_t mask_for(size_t bytes, size_t bucket)
{
    size_t buckets = 1;
    while (buckets <= bytes / bucket / 2) buckets *= 2;
    return buckets - 1;
}

/* Asked by capture enumeration on huge floors. */
static bool asked_to_stop(void *user)
{
    basra_engine *engine = user;
    return engine_halted(engine) || engine_look_around(engine);
}

/* Entries fill whole cache lines. */
enum { LINE = 64 };

static void *aligned(void *block)
{
    return (char *)block + (LINE - (uintptr_t)block % LINE) % LINE;
}

basra_status basra_engine_new(size_t table_bytes, basra_engine **engine)
{
    *engine = NULL;
    if (!table_bytes) table_bytes = TABLE_DEFAULT_BYTES;
    if (table_bytes < TABLE_MIN_BYTES) table_bytes = TABLE_MIN_BYTES;
    if (table_bytes > SIZE_MAX - LINE) return BASRA_E_NOMEM;
    basra_engine *e = basra_calloc(1, sizeof *e);
    if (!e) return BASRA_E_NOMEM;
    e->pair_mask = mask_for(table_bytes, 2 * sizeof(pair_entry));
    e->many_mask = mask_for(table_bytes, 2 * sizeof(many_entry));
    e->table_bytes = table_bytes;
    e->block = basra_calloc(1, table_bytes + LINE);
    e->table = aligned(e->block);
    if (!e->block) {
        basra_free(e);
        return BASRA_E_NOMEM;
    }
    atomic_init(&e->state, ENGINE_IDLE);
    e->memory.work.stopped = asked_to_stop;
    e->memory.work.user = e;
    *engine = e;
    return BASRA_OK;
}

void basra_engine_free(basra_engine *engine)
{
    if (!engine) return;
    generate_free(&engine->memory);
    basra_free(engine->block);
    basra_free(engine);
}

size_t basra_engine_memory(const basra_engine *engine)
{
    const move_memory *m = &engine->memory;
    return sizeof *engine + engine->table_bytes + 64 + m->size * sizeof *m->moves +
           m->work.cells_size + m->work.taken_size * sizeof *m->work.taken;
}

void basra_engine_stop(basra_engine *engine)
{
    int running = ENGINE_RUNNING;
    atomic_compare_exchange_strong(&engine->state, &running, ENGINE_STOPPING);
}

basra_status engine_enter(basra_engine *engine, const basra_limits *limits)
{
    int idle = ENGINE_IDLE;
    if (!atomic_compare_exchange_strong(&engine->state, &idle, ENGINE_RUNNING)) return BASRA_E_BUSY;
    engine->limits = limits ? *limits : (basra_limits){0};
    int64_t now = platform_now_ns();
    engine->deadline_ns = INT64_MAX;
    if (engine->limits.time_ns > 0 && engine->limits.time_ns < INT64_MAX - now)
        engine->deadline_ns = now + engine->limits.time_ns;
    engine->next_poll_ns = now + POLL_NS;
    engine->stopped = BASRA_STOP_COMPLETE;
    engine->failed = BASRA_OK;
    engine_recount(engine);
    return BASRA_OK;
}

void engine_leave(basra_engine *engine)
{
    engine->limits = (basra_limits){0};
    atomic_store(&engine->state, ENGINE_IDLE);
}

/* A short search in a large table would miss the processor's caches at every look: it gets a part. */
static size_t mask_in_use(const basra_engine *engine, bool many)
{
    const search_problem *problem = &engine->problem;
    int cards = 0;
    for (int deal = 0; deal < problem->deals; deal++) cards += set_count(problem->deal[deal].all);
    size_t all = many ? engine->many_mask : engine->pair_mask;
    size_t part = all;
    if (WITHOUT(PARTS)) return all;
    if (cards <= 8)
        part = SMALL;
    else if (cards <= 12)
        part = MEDIUM;
    else if (cards <= 16 && !many)
        part = LARGE;
    return part < all ? part : all;
}

const card_types *engine_types(basra_engine *engine, const basra_rules *rules)
{
    card_types *types = &engine->types;
    /* Padding may differ without meaning: then the work is done again, no more. */
    if (engine->ready && !memcmp(&types->rules, rules, sizeof *rules)) return types;
    types_init(rules, false, types);
    types_init(rules, true, &engine->cards);
    memcpy(&types->rules, rules, sizeof *rules);
    generate_for(types, &engine->memory);
    engine->ready = true;
    return types;
}

void engine_own(basra_engine *engine, bool many)
{
    if (++engine->owner == PLACE_OWNERS || engine->many != many) {
        size_t bucket = 2 * (engine->many ? sizeof(many_entry) : sizeof(pair_entry));
        memset(engine->table, 0, (engine->written + 1) * bucket);
        engine->owner = 1;
        engine->written = 0;
    }
    engine->many = many;
    engine->mask = mask_in_use(engine, many);
    engine->shift = engine->mask ? 64 - set_count(engine->mask) : 63;
    if (engine->mask > engine->written) engine->written = engine->mask;
}

static bool halt(basra_engine *engine, basra_stop stop)
{
    engine->stopped = stop;
    engine->look_at = 0;
    return true;
}

/* Nodes until the next look: often enough for a clock, and never beyond the limit. */
static void look_later(basra_engine *engine)
{
    enum { STRIDE = 256 };
    uint64_t limit = engine->limits.nodes;
    engine->look_at = engine->nodes + STRIDE;
    if (limit && limit < engine->look_at) engine->look_at = limit + 1;
}

void engine_recount(basra_engine *engine)
{
    engine->nodes = 0;
    if (!engine->stopped && !engine->failed) look_later(engine);
}

bool engine_look_around(basra_engine *engine)
{
    if (atomic_load_explicit(&engine->state, memory_order_relaxed) == ENGINE_STOPPING)
        return halt(engine, BASRA_STOP_REQUESTED);
    int64_t now = platform_now_ns();
    if (now >= engine->deadline_ns) return halt(engine, BASRA_STOP_TIME);
    if (!engine->limits.poll || now < engine->next_poll_ns) return false;
    engine->next_poll_ns = now + POLL_NS;
    return engine->limits.poll(engine->limits.user) && halt(engine, BASRA_STOP_INTERRUPTED);
}

bool engine_look(basra_engine *engine)
{
    if (engine_halted(engine)) return true;
    if (engine->limits.nodes && engine->nodes > engine->limits.nodes) {
        engine->nodes--; /* this one is not entered any more */
        return halt(engine, BASRA_STOP_NODES);
    }
    if (engine_look_around(engine)) return true;
    look_later(engine);
    return false;
}

size_t engine_moves(basra_engine *engine, const search_place *place, size_t at)
{
    size_t count = generate_canonical(&engine->problem, place, &engine->memory, at);
    if (!count) engine_fail(engine);
    return count;
}

void engine_fail(basra_engine *engine)
{
    basra_status status = engine->memory.failed;
    engine->memory.failed = BASRA_OK;
    engine->look_at = 0;
    /* A stop inside capture enumeration is a stop like any other. */
    if (status == BASRA_E_STOPPED && engine->stopped) return;
    if (!engine->failed) engine->failed = status;
}
