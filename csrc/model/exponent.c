/* See exponent.h.  A power is a product of three: five bits of the fraction, five more, and the rest. */
#include "exponent.h"

/* 2^30 times 2^(-i / 32), and 2^30 times 2^(-i / 1024). */
static const uint32_t COARSE[32] = {
    1073741824, 1050733751, 1028218693, 1006186087, 984625594, 963527098, 942880699, 922676710,
    902905651,  883558244,  864625413,  846098274,  827968132, 810226483, 792865000, 775875538,
    759250125,  742980960,  727060411,  711481005,  696235434, 681316545, 666717336, 652430958,
    638450708,  624770026,  611382493,  598281827,  585461881, 572916640, 560640218, 548626854,
};
static const uint32_t FINE[32] = {
    1073741824, 1073015252, 1072289173, 1071563584, 1070838486, 1070113879, 1069389763, 1068666136,
    1067942999, 1067220351, 1066498193, 1065776523, 1065055341, 1064334647, 1063614442, 1062894723,
    1062175491, 1061456746, 1060738488, 1060020715, 1059303428, 1058586627, 1057870310, 1057154479,
    1056439131, 1055724268, 1055009888, 1054295992, 1053582579, 1052869649, 1052157201, 1051445235,
};

/* 2^30 times the logarithm of 2 divided by 2^16: what the last bits take off. */
enum { SLOPE = 11357 };

uint64_t power_of_half(uint64_t bits)
{
    uint64_t whole = bits >> BITS_BITS;
    if (whole >= CHANCE_BITS) return 0;
    uint64_t power = (uint64_t)COARSE[bits >> 11 & 31] * FINE[bits >> 6 & 31] >> CHANCE_BITS;
    power = power * (CHANCE_ONE - (bits & 63) * SLOPE) >> CHANCE_BITS;
    return power >> whole;
}

uint32_t bits_of_chance(uint64_t chance)
{
    uint32_t bits = 0;
    while (chance < CHANCE_ONE) {
        chance <<= 1;
        bits += 1 << BITS_BITS;
    }
    /* Between 1 and 2 each squaring brings one more bit of the logarithm out in front. */
    uint32_t fraction = 0;
    for (int i = 0; i < BITS_BITS; i++) {
        chance = chance * chance >> CHANCE_BITS;
        fraction <<= 1;
        if (chance >= 2 * CHANCE_ONE) {
            chance >>= 1;
            fraction |= 1;
        }
    }
    return bits - fraction;
}
