"""Fixed-point powers and logarithms, and how belief draws."""

from __future__ import annotations

import math
import random
from functools import cache

from whitebox.build import Module, module

CDEF = """
uint64_t power_of_half(uint64_t bits);
uint32_t bits_of_chance(uint64_t chance);
typedef struct random_stream { uint64_t s[4]; } random_stream;
random_stream random_open(uint64_t seed, uint64_t purpose, uint64_t index);
uint64_t draw_below(random_stream *stream, uint64_t bound);
size_t reverse_bits(size_t n, int bits);
size_t world_at(const uint64_t *sums, size_t count, uint64_t point);
"""

SOURCE = """
#include "model/exponent.h"
#include "knowledge/belief.c"
"""

ONE = 1 << 30


@cache
def core() -> Module:
    return module("belief", SOURCE, CDEF)


def test_powers_of_a_half() -> None:
    rng = random.Random(1)
    power = core().lib.power_of_half
    assert power(0) == ONE
    assert power(1 << 16) == ONE // 2
    assert power(29 << 16) == 2
    for bits in (30 << 16, (30 << 16) + 1, 1 << 40, (1 << 64) - 1):
        assert power(bits) == 0
    tried = [*range(200), *(rng.randrange(30 << 16) for _ in range(5000))]
    for bits in tried:
        assert abs(power(bits) - 2.0 ** (30 - bits / 65536)) <= 4
    ordered = [power(bits) for bits in range(0, 1 << 17, 7)]
    assert ordered == sorted(ordered, reverse=True)


def test_bits_of_chances() -> None:
    rng = random.Random(2)
    bits = core().lib.bits_of_chance
    assert bits(ONE) == 0
    assert bits(ONE // 2) == 1 << 16
    assert bits(1) == 30 << 16
    tried = [*range(1, 200), *(rng.randint(1, ONE) for _ in range(5000)), ONE - 1]
    for chance in tried:
        exact = -math.log2(chance / ONE) * 65536
        assert -0.01 <= bits(chance) - exact <= 4


def test_draws_below_a_bound_are_even() -> None:
    lib, ffi = core().lib, core().ffi
    stream = ffi.new("random_stream *", lib.random_open(1, 2, 3))
    for bound in (1, 2, 3, 7, 8):
        counts = [0] * bound
        for _ in range(4000):
            counts[lib.draw_below(stream, bound)] += 1
        expected = 4000 / bound
        assert sum((n - expected) ** 2 / expected for n in counts) < 30
    large = (1 << 61) - 1
    assert all(lib.draw_below(stream, large) < large for _ in range(100))


def test_order_of_points() -> None:
    """Every prefix of 2^k points is evenly spread, and every point comes once."""
    reverse = core().lib.reverse_bits
    for bits in range(8):
        order = [reverse(i, bits) for i in range(1 << bits)]
        assert sorted(order) == list(range(1 << bits))
        for part in range(bits + 1):
            gaps = sorted(order[: 1 << part])
            assert gaps == list(range(0, 1 << bits, 1 << (bits - part)))


def test_points_hit_the_arcs_they_fall_on() -> None:
    lib, ffi = core().lib, core().ffi
    weights = [3, 1, 4, 1, 5]
    sums = ffi.new("uint64_t[5]", [sum(weights[: i + 1]) for i in range(5)])
    hit = [lib.world_at(sums, 5, point) for point in range(sum(weights))]
    assert hit == [i for i, weight in enumerate(weights) for _ in range(weight)]
