/* Life, limits and cancellation of an engine. */
#include "engine.h"

#include "../game/memory.h"
#include "platform.h"

#include <string.h>

/* Buckets, less one, for up to 8, 12 and 16 cards to play. */
enum { SMALL = (1 << 10) - 1, MEDIUM = (1 << 13) - 1, LARGE = (1 << 14) - 1 };

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
    if (engine_asked_to_stop(engine)) engine->stopped = BASRA_STOP_REQUESTED;
    return engine_halted(engine) || engine_look_around(engine);
}

basra_status basra_engine_new(size_t table_bytes, basra_engine **engine)
{
    *engine = NULL;
    if (!table_bytes) table_bytes = TABLE_DEFAULT_BYTES;
    if (table_bytes < TABLE_MIN_BYTES) table_bytes = TABLE_MIN_BYTES;
    basra_engine *e = basra_calloc(1, sizeof *e);
    if (!e) return BASRA_E_NOMEM;
    e->pair_mask = mask_for(table_bytes, 2 * sizeof(pair_entry));
    e->many_mask = mask_for(table_bytes, 2 * sizeof(many_entry));
    e->table_bytes = table_bytes;
    e->table = basra_calloc(1, table_bytes);
    if (!e->table) {
        basra_free(e);
        return BASRA_E_NOMEM;
    }
    atomic_init(&e->state, ENGINE_IDLE);
    e->work.stopped = asked_to_stop;
    e->work.user = e;
    *engine = e;
    return BASRA_OK;
}

void basra_engine_free(basra_engine *engine)
{
    if (!engine) return;
    captures_free(&engine->work);
    basra_free(engine->stack.moves);
    basra_free(engine->table);
    basra_free(engine);
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
    engine->nodes = 0;
    engine->stopped = BASRA_STOP_COMPLETE;
    engine->failed = BASRA_OK;
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
    if (cards <= 8)
        part = SMALL;
    else if (cards <= 12)
        part = MEDIUM;
    else if (cards <= 16 && !many)
        part = LARGE;
    return part < all ? part : all;
}

void engine_own(basra_engine *engine, bool many)
{
    if (++engine->owner == 0 || engine->many != many) {
        memset(engine->table, 0, engine->table_bytes);
        engine->owner = 1;
    }
    engine->many = many;
    engine->mask = mask_in_use(engine, many);
    move_cache_ready(&engine->problem.types.rules, &engine->cache);
}

bool engine_look_around(basra_engine *engine)
{
    int64_t now = platform_now_ns();
    if (now >= engine->deadline_ns) {
        engine->stopped = BASRA_STOP_TIME;
        return true;
    }
    if (!engine->limits.poll || now < engine->next_poll_ns) return false;
    engine->next_poll_ns = now + POLL_NS;
    if (!engine->limits.poll(engine->limits.user)) return false;
    engine->stopped = BASRA_STOP_INTERRUPTED;
    return true;
}

size_t engine_moves(basra_engine *engine, const search_node *node, size_t at)
{
    size_t count = 0;
    basra_status status = problem_moves(&engine->problem, node, &engine->cache, &engine->work,
                                        &engine->stack, at, &count);
    /* A stop inside capture enumeration is a stop like any other. */
    if (status && !(status == BASRA_E_STOPPED && engine->stopped)) engine->failed = status;
    return status ? 0 : count;
}
