#include "tally.h"

static int32_t worth(const card_types *types, int rank, int nibble)
{
    if (rank >= BASRA_RANKS) return 0;
    return types->cards_in[rank][nibble] + types->points_in[rank][nibble] * TALLY_POINT;
}

void tally_init(const card_types *types, tally *t)
{
    for (int byte = 0; byte < TALLY_BYTES; byte++)
        for (int n = 0; n < 256; n++)
            t->of[byte][n] = worth(types, 2 * byte, n & 15) + worth(types, 2 * byte + 1, n >> 4);
}
