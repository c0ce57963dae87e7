/* The engine: tables, working memory, and the one place where a search learns that it must stop. */
#ifndef BASRA_SEARCH_ENGINE_H
#define BASRA_SEARCH_ENGINE_H

#include "problem.h"

#include <stdatomic.h>

/* What is proven of a two-sided node, for the side to move: its value is at least `low` whenever that
 * side's standing is at least `low_at`, and at most `high` whenever it is at most `high_at`. */
typedef struct standing {
    int8_t lead; /* in captured cards */
    int8_t last; /* 1: it captured last, -1: the other did, 0: nobody */
} standing;

typedef struct pair_entry {
    uint64_t key[2];
    int32_t low, high;
    standing low_at, high_at;
    uint16_t owner; /* problem that wrote it; 0 = empty */
    uint8_t best; /* index of the best move, or NO_BEST */
    uint8_t depth; /* cards still to be played */
} pair_entry;

/* The exact value of a node with several single players. */
typedef struct many_entry {
    uint64_t key[3];
    int32_t points[BASRA_MAX_PLAYERS];
    uint16_t owner;
    uint8_t depth;
} many_entry;

enum { NO_BEST = 255, TABLE_DEFAULT_BYTES = 4 << 20, TABLE_MIN_BYTES = 1 << 10 };

enum { ENGINE_IDLE, ENGINE_RUNNING, ENGINE_STOPPING };

struct basra_engine {
    /* One word, so that a stop cannot outlive the call it was meant for. */
    atomic_int state;
    /* One block of table memory, used as pair_entry or many_entry; owners never mix. */
    void *table;
    size_t table_bytes;
    size_t pair_mask, many_mask; /* buckets of two, less one */
    size_t mask; /* of the buckets that the problem in hand uses */
    uint16_t owner; /* of the problem in hand */
    bool many; /* the table holds many_entry */
    capture_work work;
    move_stack stack;
    move_cache cache;
    search_problem problem;
    /* The running call. */
    basra_limits limits;
    uint64_t nodes;
    int64_t deadline_ns, next_poll_ns;
    basra_stop stopped; /* BASRA_STOP_COMPLETE while it runs */
    basra_status failed;
};

/* Takes the engine for a call, or BASRA_E_BUSY; every call ends with engine_leave. */
basra_status engine_enter(basra_engine *engine, const basra_limits *limits);
void engine_leave(basra_engine *engine);

/* Starts a problem: nothing in the table belongs to it yet. */
void engine_own(basra_engine *engine, bool many);

/* Slow part of engine_tick: clock and poll. */
bool engine_look_around(basra_engine *engine);

static inline bool engine_asked_to_stop(const basra_engine *engine)
{
    return atomic_load_explicit(&engine->state, memory_order_relaxed) == ENGINE_STOPPING;
}

/* Counts a node; true if the search must end.  Values found after that are void. */
static inline bool engine_tick(basra_engine *engine)
{
    engine->nodes++;
    if (engine->stopped || engine->failed) return true;
    if (engine_asked_to_stop(engine)) {
        engine->stopped = BASRA_STOP_REQUESTED;
        return true;
    }
    if (engine->limits.nodes && engine->nodes > engine->limits.nodes) {
        engine->nodes--;
        engine->stopped = BASRA_STOP_NODES;
        return true;
    }
    return (engine->nodes & 255) == 0 && engine_look_around(engine);
}

static inline bool engine_halted(const basra_engine *engine)
{
    return engine->stopped || engine->failed;
}

/* Moves of a node on the engine's stack; on failure remembers the status and returns 0. */
size_t engine_moves(basra_engine *engine, const search_node *node, size_t at);

#endif
