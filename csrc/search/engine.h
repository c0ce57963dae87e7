/* The engine: tables, working memory, and the one place where a search learns that it must stop. */
#ifndef BASRA_SEARCH_ENGINE_H
#define BASRA_SEARCH_ENGINE_H

#include "generate.h"

#include <stdatomic.h>

/* The exact value of a node with several single players. */
typedef struct many_entry {
    uint64_t key[3];
    int32_t points[BASRA_MAX_PLAYERS];
    uint16_t owner;
    uint8_t depth;
} many_entry;

enum { TABLE_DEFAULT_BYTES = 1 << 20, TABLE_MIN_BYTES = 1 << 10 };

enum { ENGINE_IDLE, ENGINE_RUNNING, ENGINE_STOPPING };

struct basra_engine {
    /* One word, so that a stop cannot outlive the call it was meant for. */
    atomic_int state;
    /* One block of table memory, used as pair_entry or many_entry; owners never mix. */
    void *table, *block; /* the block is what was allocated, the table its aligned part */
    size_t table_bytes;
    size_t pair_mask, many_mask; /* buckets of two, less one */
    size_t mask; /* of the buckets that the problem in hand uses */
    int shift; /* that leaves their number of a word's highest bits */
    size_t written; /* the largest mask used since the table was cleared */
    uint16_t owner; /* of the problem in hand */
    bool many; /* the table holds many_entry */
    bool ready; /* types and memory are those of some rules */
    card_types types;
    card_types cards; /* every card a type of its own */
    search_problem problem;
    /* The running call. */
    basra_limits limits;
    uint64_t nodes;
    uint64_t look_at; /* node count at which to look around next; 0 once the search must end */
    int64_t deadline_ns, next_poll_ns;
    basra_stop stopped; /* BASRA_STOP_COMPLETE while it runs */
    basra_status failed;
    move_memory memory;
};

/* Takes the engine for a call, or BASRA_E_BUSY; every call ends with engine_leave. */
basra_status engine_enter(basra_engine *engine, const basra_limits *limits);
void engine_leave(basra_engine *engine);

/* Card types of the rules, kept from call to call; what was cached for other rules is dropped. */
const card_types *engine_types(basra_engine *engine, const basra_rules *rules);

/* Starts a problem: nothing in the table belongs to it yet. */
void engine_own(basra_engine *engine, bool many);

/* Starts counting nodes anew, within the same call. */
void engine_recount(basra_engine *engine);

/* Asks stop, clock and poll; true if the search must end. */
bool engine_look_around(basra_engine *engine);

/* The rare part of engine_tick. */
bool engine_look(basra_engine *engine);

/* Counts a node; true if the search must end.  Values found after that are void. */
static inline bool engine_tick(basra_engine *engine)
{
    return ++engine->nodes >= engine->look_at && engine_look(engine);
}

static inline bool engine_halted(const basra_engine *engine) { return !engine->look_at; }

/* Ends the search because moves could not be made. */
void engine_fail(basra_engine *engine);

/* Moves of a place on the engine's stack; on failure ends the search and returns 0. */
size_t engine_moves(basra_engine *engine, const search_place *place, size_t at);

#endif
