/* Derives card types from rules, and converts between sets of cards and bags of types. */
#include "types.h"

#include <string.h>

static bool same_type(const basra_rules *rules, int a, int b)
{
    if (card_rank(a) != card_rank(b)) return false;
    if (rules->card_points[a] != rules->card_points[b]) return false;
    bool power = rules_seven_sweeps(rules);
    return !power || (a == CARD_SEVEN_DIAMONDS) == (b == CARD_SEVEN_DIAMONDS);
}

/* Bits that a count up to `cards` needs. */
static int width_for(int cards) { return cards == 1 ? 1 : cards < 4 ? 2 : 3; }

static void add_type(card_types *types, int first, uint64_t members, int *shift)
{
    int type = types->count++;
    int width = width_for(set_count(members));
    types->rank[type] = (uint8_t)card_rank(first);
    types->unit[type] = UINT64_C(1) << *shift;
    types->field[type] = ((UINT64_C(1) << width) - 1) << *shift;
    types->members[type] = members;
    types->points[type] = types->rules.card_points[first];
    for (uint64_t rest = members; rest;) types->type_of[set_pop(&rest)] = (uint8_t)type;
    *shift += width;
}

static void split_rank(card_types *types, int rank, bool identity)
{
    uint64_t left = SET_RANK(rank);
    int shift = 4 * rank;
    while (left) {
        int first = set_first(left);
        uint64_t members = 0;
        for (uint64_t rest = left; rest;) {
            int card = set_pop(&rest);
            bool same = identity ? card == first : same_type(&types->rules, card, first);
            if (same) members |= SET_OF(card);
        }
        add_type(types, first, members, &shift);
        left &= ~members;
    }
}

/* Each nibble from the one with less: a card fewer, or none of one type. */
static void fill_nibble(card_types *types, int rank, int first_type, int n)
{
    int type = first_type;
    bag b = (bag)n << (4 * rank);
    while (!(b & types->field[type])) type++;
    int count = bag_count(types, b, type);
    int unit = bag_nibble(types->unit[type], rank);
    int less = n - unit, none = n - count * unit;
    types->cards_in[rank][n] = (uint8_t)(types->cards_in[rank][less] + 1);
    types->points_in[rank][n] = types->points_in[rank][less] + types->points[type];
    /* A part takes 0 .. count cards of this type and any part of the others. */
    unsigned parts = 0;
    for (int k = 0; k <= count; k++) parts |= (unsigned)types->parts_of[rank][none] << (k * unit);
    types->parts_of[rank][n] = (uint16_t)parts;
}

/* The bits of a rank's nibble that some type uses; the others never occur in a bag. */
static int nibble_mask(const card_types *types, int rank, int first_type)
{
    int mask = 0;
    for (int type = first_type; type < types->count; type++)
        mask |= bag_nibble(types->field[type], rank);
    return mask;
}

static void fill_rank_tables(card_types *types, int rank, int first_type)
{
    int mask = nibble_mask(types, rank, first_type);
    types->parts_of[rank][0] = 1;
    for (int n = 1; n < 16; n++)
        if (!(n & ~mask)) fill_nibble(types, rank, first_type, n);
    for (int n = 1; n < 16; n++) {
        int suit = set_first((uint64_t)n);
        int type = types->type_of[4 * rank + suit];
        types->nibble_of[rank][n] =
            (uint8_t)(types->nibble_of[rank][n & (n - 1)] + bag_nibble(types->unit[type], rank));
    }
}

/* A numeral looks at the numerals up to itself, a picture card at its like, a sweeper at all. */
static bag relevant_to(const card_types *types, int type)
{
    int rank = types->rank[type];
    if (rank == RANK_JACK || type == types->sweeper) return SET_ALL;
    bag part = rank < NUMERAL_RANKS ? SET_OF(4 * rank + 4) - 1 : SET_RANK(rank);
    return part | types->wild;
}

void types_init(const basra_rules *rules, bool identity, card_types *types)
{
    memset(types, 0, sizeof *types);
    types->rules = *rules;
    for (int rank = 0; rank < BASRA_RANKS; rank++) {
        int first_type = types->count;
        split_rank(types, rank, identity);
        fill_rank_tables(types, rank, first_type);
    }
    int seven = types->type_of[CARD_SEVEN_DIAMONDS];
    types->sweeper = rules_seven_sweeps(rules) ? seven : -1;
    types->wild = rules->seven_diamonds == BASRA_SEVEN_WILD ? types->unit[seven] : 0;
    for (int type = 0; type < types->count; type++)
        types->relevant[type] = relevant_to(types, type);
}

bag types_bag(const card_types *types, uint64_t set)
{
    bag b = 0;
    for (int rank = 0; set; rank++, set >>= 4)
        b |= (bag)types->nibble_of[rank][set & 15] << (4 * rank);
    return b;
}

uint64_t types_pick(const card_types *types, uint64_t from, bag want)
{
    uint64_t picked = 0;
    for (uint64_t rest = from; rest;) {
        int card = set_pop(&rest);
        int type = types->type_of[card];
        if (!(want & types->field[type])) continue;
        want -= types->unit[type];
        picked |= SET_OF(card);
    }
    return picked;
}

int bag_compare(const card_types *types, bag a, bag b)
{
    bag differ = a ^ b;
    if (!differ) return 0;
    int rank = set_first(differ) / 4;
    for (int type = 0; type < types->count; type++) {
        bag field = types->field[type];
        if (types->rank[type] != rank || !(differ & field)) continue;
        bag above = ~(field | (field - 1));
        /* The list with more of this type goes on with it; see set_compare. */
        if ((a & field) > (b & field)) return (b & above) ? -1 : 1;
        return (a & above) ? 1 : -1;
    }
    return 0;
}
