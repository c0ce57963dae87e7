/* The transposition table of searches for two sides.
 *
 * Keys are exact, but leave out the standing.  What is stored about a place is therefore a proof with
 * its range: "worth at least v from this standing upwards", "worth at most v from that one downwards".
 */
#ifndef BASRA_SEARCH_PAIR_TABLE_H
#define BASRA_SEARCH_PAIR_TABLE_H

#include "ablation.h"
#include "engine.h"
#include "standing.h"

/* A bound on a place's value for the side to move, in 1/BASRA_UNIT points, and the standing for which
 * it holds: at least this one for a lower bound, at most this one for an upper bound. */
typedef struct proof {
    int32_t value;
    standing at;
} proof;

/* Does what is proven from `from` upwards hold at `at`?  (And what is proven from `at` downwards at
 * `from`.)  Where leftovers can be a loss, having captured last is no advantage, and a proof serves its
 * own last capturer only. */
static inline bool proof_reaches(const basra_engine *engine, standing at, standing from)
{
    if (!standing_at_least(at, from)) return false;
    return engine->problem.monotone || !((at ^ from) & STANDING_LAST);
}

/* A proof about a place as one about the place before a move to it; `beta` was asked there. */
static inline proof proof_before(const search_move *move, proof after, int32_t beta)
{
    proof before = {move->gain * BASRA_UNIT - after.value, standing_after(after.at, move->cards)};
    /* Who captures is the last to have captured, whoever was before. */
    if (move->cards && before.value < beta) before.at |= 2;
    return before;
}

enum { VALUE_INFINITE = 1 << 30, NO_SLOT = 255 };

/* "At most nothing, whatever the standing": where no move was tried yet. */
#define PROOF_OF_NOTHING ((proof){-VALUE_INFINITE, STANDING_TOP})

/* Joins a failure to those of other moves: what all are worth at most, where all of it holds. */
static inline void proof_join(proof *failed, proof one)
{
    if (one.value > failed->value) failed->value = one.value;
    failed->at = standing_lower(failed->at, one.at);
}

/* Half a cache line. */
typedef struct pair_entry {
    uint64_t floor; /* marked with deal and owner; 0: empty */
    uint64_t held;
    int32_t low, high;
    uint16_t low_at, high_at; /* standings */
    uint8_t slot, index; /* of the best move: its card, and which of the card's moves */
    uint8_t depth; /* cards still to be played */
} pair_entry;

/* The move that an entry remembers, or NO_SLOT. */
typedef struct best_move {
    uint8_t slot, index;
} best_move;

/* A place about to be searched, and where the table keeps it. */
typedef struct visit {
    search_place place;
    standing at;
    pair_entry *bucket; /* of two */
} visit;

/* What stands for the cards held in a key.  A macro, so that the compiler sees nothing of it. */
#define PAIR_HELD(held, at) (WITHOUT(SHARING) ? (held) | (uint64_t)(at) << BASRA_CARDS : (held))

/* The owner has no part in it: which places meet must not depend on what was solved before. */
static inline pair_entry *pair_bucket(const basra_engine *engine, uint64_t floor, uint64_t held)
{
    uint64_t h = (floor << (64 - PLACE_OWNER_SHIFT)) + held * UINT64_C(0xc2b2ae3d27d4eb4f);
    h *= UINT64_C(0x9e3779b97f4a7c15);
    return (pair_entry *)engine->table + 2 * (h >> engine->shift & engine->mask);
}

/* The entry of a place, or NULL. */
static inline pair_entry *pair_find(pair_entry *bucket, uint64_t floor, uint64_t held)
{
    if (WITHOUT(TABLE)) return NULL;
    if (bucket[0].floor == floor && bucket[0].held == held) return &bucket[0];
    if (bucket[1].floor == floor && bucket[1].held == held) return &bucket[1];
    return NULL;
}

/* The entry to write where there is none: an empty one, or the one that saves less work. */
static inline pair_entry *pair_claim(const visit *v)
{
    pair_entry *e = v->bucket;
    bool mine = (e->floor ^ v->place.floor) >> PLACE_OWNER_SHIFT == 0;
    if (mine && e->depth > v->place.left) e++;
    *e = (pair_entry){.floor = v->place.floor,
                      .held = PAIR_HELD(v->place.held, v->at),
                      .low = -VALUE_INFINITE,
                      .high = VALUE_INFINITE,
                      .slot = NO_SLOT,
                      .depth = v->place.left};
    return e;
}

/* Remembers a lower bound and the move that proves it, or else an upper bound. */
static inline void pair_store(const visit *v, proof found, bool low, best_move best)
{
    pair_entry *e = pair_find(v->bucket, v->place.floor, PAIR_HELD(v->place.held, v->at));
    if (!e) e = pair_claim(v);
    if (low) {
        e->low = found.value;
        e->low_at = (uint16_t)found.at;
        e->slot = best.slot;
        e->index = best.index;
    } else {
        e->high = found.value;
        e->high_at = (uint16_t)found.at;
    }
}

/* Remembers what was found out about a place that was asked for beta. */
static inline proof pair_keep(const basra_engine *engine, const visit *v, proof found, int32_t beta,
                              best_move best)
{
    if (WITHOUT(RANGES)) found.at = v->at;
    if (!engine->problem.monotone) found.at = standing_with_last(found.at, v->at);
    pair_store(v, found, found.value >= beta, best);
    return found;
}

#endif
