/* Rule sets: presets, checks, and the arithmetic of deals.  Owns the only preset table. */
#ifndef BASRA_GAME_RULES_H
#define BASRA_GAME_RULES_H

#include "cards.h"

/* Most points any rule parameter may give: keeps every sum inside 32 bits of search units. */
enum { RULES_MAX_POINTS = 1000, RULES_MAX_TARGET = 1000000, RULES_MAX_CARRY = 100000 };
enum { RULES_MAX_SCORE = 1000000000 };

/* Does the 7 of diamonds take the whole floor when played? */
static inline bool rules_seven_sweeps(const basra_rules *rules)
{
    return rules->seven_diamonds != BASRA_SEVEN_PLAIN;
}

/* Points at stake for most cards in a round that starts with `carry` waiting. */
static inline int32_t rules_bonus(const basra_rules *rules, int32_t carry)
{
    return rules->most_cards + carry;
}

/* About what a card captured is worth towards most cards, in 1/BASRA_UNIT points: half of them win it. */
static inline int64_t rules_card_worth(const basra_rules *rules, int32_t carry)
{
    return (int64_t)rules_bonus(rules, carry) * BASRA_UNIT * 2 / rules->deck;
}

/* What a play brings at once, in 1/BASRA_UNIT points: the points given, and its cards; with none, the card was
 * laid down and costs its points.  The greedy player goes by this. */
static inline int64_t rules_gain(const basra_rules *rules, int32_t carry, int card, int32_t points,
                                 int cards)
{
    if (!cards) points -= rules->card_points[card];
    return (int64_t)points * BASRA_UNIT + cards * rules_card_worth(rules, carry);
}

/* A side (or seat when not partners) of a seat. */
static inline int side_of(int seat, bool partners) { return partners ? seat & 1 : seat; }

/* Is `players` a count that any table has, and partners only with four? */
bool rules_players_valid(int players, bool partners);

#endif
