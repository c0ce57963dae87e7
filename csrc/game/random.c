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

#define R(n) UINT64_MAX / (n) + 1
#define R8(n) R(n), R(n + 1), R(n + 2), R(n + 3), R(n + 4), R(n + 5), R(n + 6), R(n + 7)
/* The first two have no use: what is below 1 is 0. */
const uint64_t random_reciprocal[RANDOM_RECIPROCALS] = {0,      0,      R(2),   R(3),   R(4),
                                                        R(5),   R(6),   R(7),   R8(8),  R8(16),
                                                        R8(24), R8(32), R8(40), R8(48), R8(56)};

uint32_t random_redraw(random_stream *stream, uint32_t draw, uint32_t bound)
{
    const uint64_t fair = (UINT64_C(1) << 32) / bound * bound;
    while (draw >= fair) draw = (uint32_t)(random_next(stream) >> 32);
    return draw % bound;
}

void random_shuffle(random_stream *stream, uint8_t *cards, uint32_t count)
{
    random_stream own = *stream; /* in registers */
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = random_below(&own, i);
        uint8_t swap = cards[i - 1];
        cards[i - 1] = cards[j];
        cards[j] = swap;
    }
    *stream = own;
}
