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

enum {
    STREAM_DEAL = 1,
    STREAM_BURY = 2,
    STREAM_WORLD = 3,
    STREAM_ORDER = 4,
    STREAM_PLAY = 5,
    STREAM_REDEAL = 6
};

random_stream random_open(uint64_t seed, uint64_t purpose, uint64_t index);

static inline uint64_t random_rotate(uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

static inline uint64_t random_next(random_stream *stream)
{
    uint64_t *s = stream->s;
    uint64_t result = random_rotate(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = random_rotate(s[3], 45);
    return result;
}

/* By n: 2^64 / n, rounded up; from 2 on. */
enum { RANDOM_RECIPROCALS = 64 };
extern const uint64_t random_reciprocal[RANDOM_RECIPROCALS];

/* draw % bound; by two multiplications where that is known to be the same (Lemire, Kaser and Kurz, Faster
 * remainder by direct computation, 2019), as dividing is slow. */
static inline uint32_t random_remainder(uint32_t draw, uint32_t bound)
{
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 wide;
    if (bound < RANDOM_RECIPROCALS)
        return (uint32_t)((wide)(draw * random_reciprocal[bound]) * bound >> 64);
#endif
    return draw % bound;
}

/* The rare part of random_below: a draw that may be above the largest multiple of the bound. */
uint32_t random_redraw(random_stream *stream, uint32_t draw, uint32_t bound);

/* Unbiased draw from 0..bound-1, bound > 0: the top 32 bits, drawn again where they are above the largest
 * multiple of the bound. */
static inline uint32_t random_below(random_stream *stream, uint32_t bound)
{
    uint32_t draw = (uint32_t)(random_next(stream) >> 32);
    if (draw >= UINT32_MAX - bound) return random_redraw(stream, draw, bound);
    return random_remainder(draw, bound);
}

/* Fisher-Yates from the top. */
void random_shuffle(random_stream *stream, uint8_t *cards, uint32_t count);

#endif
