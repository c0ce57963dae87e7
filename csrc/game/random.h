/* Seeded random streams: xoshiro256** seeded by SplitMix64.
 *
 * A stream is named by (seed, purpose, index), so that any piece of work can have its own, whatever
 * ran before it.  The sequence is part of the record format: a seed must give the same deals for
 * ever.
 */
#ifndef BASRA_GAME_RANDOM_H
#define BASRA_GAME_RANDOM_H

#include <stdint.h>

typedef struct random_stream {
    uint64_t s[4];
} random_stream;

enum { STREAM_DEAL = 1, STREAM_BURY = 2, STREAM_WORLD = 3, STREAM_ORDER = 4, STREAM_PLAY = 5 };

random_stream random_open(uint64_t seed, uint64_t purpose, uint64_t index);

uint64_t random_next(random_stream *stream);

/* Unbiased draw from 0..bound-1, bound > 0, by rejection. */
uint32_t random_below(random_stream *stream, uint32_t bound);

/* Fisher-Yates from the top. */
void random_shuffle(random_stream *stream, uint8_t *cards, uint32_t count);

#endif
