/* Powers of two and logarithms in fixed point: the same bits on every machine. */
#ifndef BASRA_MODEL_EXPONENT_H
#define BASRA_MODEL_EXPONENT_H

#include <stdint.h>

/* Chances have this many bits behind the point, numbers of bits (logarithms) this many. */
enum { CHANCE_BITS = 30, BITS_BITS = 16 };

#define CHANCE_ONE (UINT64_C(1) << CHANCE_BITS)

/* 2 to the power of -bits / 2^16, in 1/2^30, to within 4 units; 0 from 30 bits on. */
uint64_t power_of_half(uint64_t bits);

/* The number of bits that a chance in 1/2^30 is worth, in 1/2^16: its logarithm to the base of one half,
 * rounded up to within 4 units.  `chance` is from 1 to 2^30. */
uint32_t bits_of_chance(uint64_t chance);

#endif
