/* Expected most-cards points: the cards still to come are a random walk around an even split. */
#include "evaluate.h"

/* The normal distribution function at 0, 1/16 .. 4, in 1/65536. */
static const int32_t NORMAL[] = {
    32768, 34401, 36028, 37642, 39237, 40807, 42347, 43852, 45316, 46735, 48104, 49422, 50684,
    51888, 53033, 54116, 55138, 56099, 56997, 57835, 58612, 59331, 59994, 60602, 61158, 61664,
    62123, 62537, 62911, 63245, 63544, 63810, 64045, 64253, 64435, 64595, 64735, 64856, 64961,
    65051, 65129, 65195, 65252, 65300, 65341, 65375, 65404, 65428, 65448, 65464, 65478, 65489,
    65498, 65506, 65512, 65517, 65521, 65524, 65527, 65529, 65530, 65531, 65533, 65533, 65534,
};

enum { NORMAL_STEPS = 64, NORMAL_PER_UNIT = 16, CERTAIN = NORMAL_CERTAIN, EVEN = CERTAIN / 2 };

/* Variance of the final difference for each card still to come, in 1/16: captures come in batches, so
 * it is more than one card at a time would give.  Measured over rounds between greedy players. */
enum { VARIANCE_16 = 54 };

uint64_t root_of(uint64_t n)
{
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 31; bit; bit >>= 1)
        if ((root + bit) * (root + bit) <= n) root += bit;
    return root;
}

/* The distribution function at steps / 65536 table steps, `steps` >= 0. */
static int32_t normal_at(uint64_t steps)
{
    uint64_t index = steps >> 16;
    if (index >= NORMAL_STEPS) return CERTAIN;
    int64_t part = (int64_t)(steps & 0xffff);
    int64_t low = NORMAL[index], high = NORMAL[index + 1];
    return (int32_t)(low + ((high - low) * part) / 65536);
}

int32_t normal_chance(int32_t distance, int32_t deviation)
{
    uint64_t far = (uint64_t)(distance < 0 ? -(int64_t)distance : distance);
    int32_t chance = normal_at((far * NORMAL_PER_UNIT << 16) / (uint64_t)deviation);
    return distance < 0 ? CERTAIN - chance : chance;
}

int32_t chance_of_more(int lead, int left)
{
    int distance = lead < 0 ? -lead : lead;
    if (!lead) return EVEN;
    if (distance > left) return lead > 0 ? CERTAIN : 0;
    /* distance / sigma in table steps of 1/16, with 16 bits behind the point. */
    uint64_t sigma = root_of((uint64_t)left * VARIANCE_16 << 28); /* sigma * 4 << 14 */
    uint64_t steps = ((uint64_t)distance * NORMAL_PER_UNIT << 32) / sigma;
    int32_t chance = normal_at(steps);
    return lead > 0 ? chance : CERTAIN - chance;
}

void expect_majority(int sides, const int *cards, int left, int32_t bonus, int32_t *share)
{
    int64_t weight[4], total = 0;
    if (sides == 2) {
        int64_t chance = chance_of_more(cards[0] - cards[1], left);
        share[0] = (int32_t)(bonus * chance / CERTAIN);
        share[1] = bonus - share[0];
        return;
    }
    /* Being ahead of each other side, as if these were independent; then made to add up. */
    for (int side = 0; side < sides; side++) {
        weight[side] = CERTAIN;
        for (int other = 0; other < sides; other++)
            if (other != side)
                weight[side] =
                    weight[side] * chance_of_more(cards[side] - cards[other], left) / CERTAIN;
        total += weight[side];
    }
    for (int side = 0; side < sides; side++)
        share[side] = total ? (int32_t)(bonus * weight[side] / total) : 0;
}

/* Cards each way over which a slope is taken: about what a side captures in a deal. */
enum { SLOPE_CARDS = 4 };

void expect_slopes(int sides, const int *cards, int left, int32_t bonus, int32_t *slope)
{
    for (int j = 0; j < sides; j++) {
        int more[4], less[4];
        int32_t up[4], down[4];
        for (int i = 0; i < sides; i++) more[i] = less[i] = cards[i];
        more[j] += SLOPE_CARDS;
        less[j] -= SLOPE_CARDS;
        expect_majority(sides, more, left, bonus, up);
        expect_majority(sides, less, left, bonus, down);
        for (int i = 0; i < sides; i++)
            slope[i * sides + j] = (up[i] - down[i]) / (2 * SLOPE_CARDS);
    }
}
