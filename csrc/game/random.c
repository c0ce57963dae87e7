/* See random.h: the two generators are public-domain algorithms of Blackman, Vigna and Steele. */
#include "random.h"

static uint64_t split_mix(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

random_stream random_open(uint64_t seed, uint64_t purpose, uint64_t index)
{
    /* Each part is mixed before the next is added, so that near numbers give unrelated streams. */
    uint64_t state = seed;
    state = split_mix(&state) ^ purpose;
    state = split_mix(&state) ^ index;
    random_stream stream;
    for (int i = 0; i < 4; i++) stream.s[i] = split_mix(&state);
    return stream;
}

static uint64_t rotate(uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

uint64_t random_next(random_stream *stream)
{
    uint64_t *s = stream->s;
    uint64_t result = rotate(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 45);
    return result;
}

/* 2^64 / n, rounded up. */
#define R(n) UINT64_MAX / (n) + 1
#define R8(n) R(n), R(n + 1), R(n + 2), R(n + 3), R(n + 4), R(n + 5), R(n + 6), R(n + 7)
static const uint64_t RECIPROCAL[] = {0,     R(2) * 0, R(2),  R(3),   R(4),   R(5),  R(6),
                                      R(7),  R8(8),    R8(16), R8(24), R8(32), R8(40), R8(48),
                                      R8(56)};
enum { RECIPROCALS = sizeof RECIPROCAL / sizeof *RECIPROCAL };

/* draw % bound; by two multiplications where that is known to be the same (Lemire, Kaser, Kurz: Faster
 * remainder by direct computation, 2019), as dividing is slow. */
static inline uint32_t remainder_of(uint32_t draw, uint32_t bound)
{
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 wide;
    if (bound < RECIPROCALS) return (uint32_t)((wide)(draw * RECIPROCAL[bound]) * bound >> 64);
#endif
    return draw % bound;
}

uint32_t random_below(random_stream *stream, uint32_t bound)
{
    /* The top 32 bits, cut at the largest multiple of the bound; what is far below it needs no look. */
    for (;;) {
        uint32_t draw = (uint32_t)(random_next(stream) >> 32);
        if (draw < UINT32_MAX - bound) return remainder_of(draw, bound);
        uint64_t fair = (UINT64_C(1) << 32) / bound * bound;
        if (draw < fair) return draw % bound;
    }
}

void random_shuffle(random_stream *stream, uint8_t *cards, uint32_t count)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = random_below(stream, i);
        uint8_t swap = cards[i - 1];
        cards[i - 1] = cards[j];
        cards[j] = swap;
    }
}
