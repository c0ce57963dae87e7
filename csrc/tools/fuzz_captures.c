/* Captures and legal moves of any floor, card and rules, checked against their definitions. */
#include "fuzz_input.h"

#include <string.h>

/* Floors up to this size are enumerated the slow way as well. */
enum { SMALL_FLOOR = 10, RANK_TEN = 9, RANK_JACK = 10, SEVEN_DIAMONDS = 25 };

static int rank_of(int card) { return card / 4; }

static int lowest(uint64_t set)
{
    int card = 0;
    while (!(set >> card & 1)) card++;
    return card;
}

/* Is the set a single group of the card? */
static int is_group(const basra_rules *rules, uint64_t set, int card)
{
    int total = 0;
    if (set_size(set) == 1 && rank_of(lowest(set)) == rank_of(card)) return 1;
    if (set == bit_of(SEVEN_DIAMONDS) && rules->seven_diamonds == BASRA_SEVEN_WILD) return 1;
    for (; set; set &= set - 1) {
        int rank = rank_of(lowest(set));
        if (rank > RANK_TEN) return 0;
        total += rank + 1;
    }
    return rank_of(card) <= RANK_TEN && total == rank_of(card) + 1;
}

/* Is the set a union of disjoint groups?  Its lowest card is in one of them: try every subset. */
static int is_union(const basra_rules *rules, uint64_t set, int card)
{
    if (!set) return 1;
    uint64_t low = set & (~set + 1), rest = set ^ low, part = rest;
    for (;;) {
        if (is_group(rules, part | low, card) && is_union(rules, rest ^ part, card)) return 1;
        if (!part) return 0;
        part = (part - 1) & rest;
    }
}

static int sweeps(const basra_rules *rules, int card)
{
    return rank_of(card) == RANK_JACK ||
           (card == SEVEN_DIAMONDS && rules->seven_diamonds != BASRA_SEVEN_PLAIN);
}

/* Number of captures by the definition. */
static size_t count_slowly(const basra_rules *rules, uint64_t floor, int card)
{
    static uint64_t unions[1 << SMALL_FLOOR];
    size_t count = 0, maximal = 0;
    if (sweeps(rules, card)) return floor != 0;
    for (uint64_t part = floor; part; part = (part - 1) & floor)
        if (is_union(rules, part, card)) unions[count++] = part;
    if (rules->choice == BASRA_CHOICE_ANY) return count;
    for (size_t i = 0; i < count; i++) {
        int inside = 0;
        for (size_t j = 0; j < count && !inside; j++) inside = i != j && !(unions[i] & ~unions[j]);
        maximal += !inside;
    }
    return maximal;
}

/* Does the list a stand before the list b? */
static int stands_before(uint64_t a, uint64_t b)
{
    while (a && b) {
        int x = lowest(a), y = lowest(b);
        if (x != y) return x < y;
        a &= a - 1;
        b &= b - 1;
    }
    return !a && b;
}

static int32_t points_of(const basra_rules *rules, uint64_t set)
{
    int32_t points = 0;
    for (; set; set &= set - 1) points += rules->card_points[lowest(set)];
    return points;
}

static void check_list(const basra_rules *rules, uint64_t floor, const basra_move *moves,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const basra_move *m = &moves[i];
        EXPECT(!(m->taken & ~floor));
        EXPECT(!m->basra || (m->taken == floor && m->taken));
        EXPECT(m->points == (m->taken ? points_of(rules, m->taken | bit_of(m->card)) : 0));
        if (i && moves[i - 1].card == m->card)
            EXPECT(stands_before(moves[i - 1].taken, m->taken));
        else if (i)
            EXPECT(moves[i - 1].card < m->card);
    }
}

/* Too little room: the same count, and nothing written behind it. */
static void check_short(const basra_rules *rules, uint64_t floor, int card, size_t count)
{
    basra_move move;
    size_t again;
    int trail;
    if (count < 2) return;
    EXPECT(basra_captures(rules, floor, card, &move, 1, &again, &trail) == BASRA_E_BOUNDS);
    EXPECT(again == count);
}

static void check_captures(const basra_rules *rules, uint64_t floor, int card)
{
    static basra_move moves[BASRA_MAX_CAPTURES];
    size_t count;
    int trail;
    basra_status status =
        basra_captures(rules, floor, card, moves, BASRA_MAX_CAPTURES, &count, &trail);
    if (status) {
        EXPECT(status == BASRA_E_CARD || status == BASRA_E_TOO_LARGE);
        return;
    }
    EXPECT(trail == (!count || rules->must_capture == BASRA_MUST_NONE));
    check_list(rules, floor, moves, count);
    check_short(rules, floor, card, count);
    for (size_t i = 0; i < count; i++) EXPECT(moves[i].card == card && moves[i].taken);
    if (set_size(floor) <= SMALL_FLOOR) EXPECT(count == count_slowly(rules, floor, card));
}

static void check_hand(const basra_rules *rules, uint64_t hand, uint64_t floor, int last)
{
    static basra_move moves[BASRA_MAX_CAPTURES];
    size_t count;
    basra_status status =
        basra_legal_moves(rules, hand, floor, last, moves, BASRA_MAX_CAPTURES, &count);
    if (status) return;
    EXPECT((count > 0) == (hand != 0));
    check_list(rules, floor, moves, count);
    for (size_t i = 0; i < count; i++) EXPECT(hand >> moves[i].card & 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, size};
    basra_rules rules;
    take_rules(&in, &rules);
    uint8_t how = take8(&in);
    uint64_t floor = 0, hand = 0;
    int card = take8(&in);
    if (how & 1) {
        /* Any bits: outside the pack, crowded, overlapping.  Seldom all of them, which is slow. */
        floor = take64(&in);
        if (how & 254) floor &= take64(&in);
        hand = take64(&in) & take64(&in);
    } else {
        for (int n = take8(&in) % 16; n > 0; n--) floor |= bit_of(take8(&in) % BASRA_CARDS);
        for (int n = take8(&in) % 8; n > 0; n--) hand |= bit_of(take8(&in) % BASRA_CARDS);
        hand &= ~floor;
        card %= BASRA_CARDS;
        floor &= ~bit_of(card);
    }
    check_captures(&rules, floor, card);
    check_hand(&rules, hand, floor, how >> 1 & 1);
    return 0;
}
