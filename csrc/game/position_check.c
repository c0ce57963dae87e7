/* Positions typed in by a user: completed and checked. */
#include "position.h"

#include <stdlib.h>

/* Adds cards to those placed so far. */
static basra_fault place(uint64_t pack, uint64_t cards, uint64_t *placed, int *detail)
{
    if (cards & ~pack) {
        *detail = set_first(cards & ~pack);
        return BASRA_FAULT_CARD_OUTSIDE_PACK;
    }
    if (cards & *placed) {
        *detail = set_first(cards & *placed);
        return BASRA_FAULT_CARD_TWICE;
    }
    *placed |= cards;
    return BASRA_FAULT_NONE;
}

static basra_fault place_all(const basra_rules *rules, const basra_position *p, int *detail)
{
    uint64_t pack = basra_pack(rules), placed = 0;
    basra_fault fault = place(pack, p->floor, &placed, detail);
    for (int seat = 0; seat < p->players && !fault; seat++) {
        fault = place(pack, p->hand[seat], &placed, detail);
        if (!fault) fault = place(pack, p->pile[seat], &placed, detail);
    }
    for (int i = 0; i < p->stock_size && !fault; i++) {
        *detail = p->stock[i];
        fault = p->stock[i] >= BASRA_CARDS ? BASRA_FAULT_CARD_OUTSIDE_PACK
                                           : place(pack, SET_OF(p->stock[i]), &placed, detail);
    }
    return fault;
}

/* Hands: `most` for the seat to move and those after it up to the leader, who with the seats after
 * has played already and holds one less. */
static basra_fault find_leader(const basra_rules *rules, basra_position *p, int *detail)
{
    int most = set_count(p->hand[p->turn]);
    *detail = p->turn;
    if (!most) return BASRA_FAULT_HAND_EMPTY;
    if (most > rules->hand_size) return BASRA_FAULT_HAND_TOO_LARGE;
    p->leader = p->turn;
    bool found = false;
    for (int i = 1; i < p->players; i++) {
        int seat = (p->turn + i) % p->players;
        int held = set_count(p->hand[seat]);
        *detail = seat;
        if (!found && held == most - 1) {
            found = true;
            p->leader = (uint8_t)seat;
        }
        if (held != most - found) return BASRA_FAULT_HANDS_UNEVEN;
    }
    return BASRA_FAULT_NONE;
}

static basra_fault find_deal(const basra_rules *rules, basra_position *p, int *detail)
{
    uint8_t sizes[BASRA_CARDS];
    int deals;
    *detail = p->stock_size;
    if (p->stock_size % p->players) return BASRA_FAULT_STOCK_UNEVEN;
    if (basra_deal_sizes(rules, p->players, sizes, &deals)) return BASRA_FAULT_TABLE;
    int each = p->stock_size / p->players;
    int left = (each + rules->hand_size - 1) / rules->hand_size;
    if (left >= deals) return BASRA_FAULT_COUNTS;
    p->deal = (uint8_t)(deals - left);
    return BASRA_FAULT_NONE;
}

/* Cards shown and put back: such as may not start on the floor, and in the first deal all undealt. */
static basra_fault check_buried(const basra_rules *rules, const basra_position *p, int *detail)
{
    uint64_t placed = 0, undealt = 0;
    for (int i = 0; i < p->stock_size; i++) undealt |= SET_OF(p->stock[i]);
    for (int i = 0; i < p->buried_size; i++) {
        *detail = p->buried[i];
        if (p->buried[i] >= BASRA_CARDS) return BASRA_FAULT_CARD_OUTSIDE_PACK;
        uint64_t card = SET_OF(p->buried[i]);
        if (card & placed) return BASRA_FAULT_BURIED_TWICE;
        placed |= card;
        if (!(card & rules->not_on_first_floor)) return BASRA_FAULT_BURIED_KIND;
        if (p->deal == 1 && !(card & undealt)) return BASRA_FAULT_BURIED_IN_DEAL_ONE;
    }
    return BASRA_FAULT_NONE;
}

static basra_fault check_counts(const basra_rules *rules, bool whole_pack, const basra_position *p,
                                int *detail)
{
    int sides = basra_sides(p->players, p->partners);
    int captured = 0, present = set_count(p->floor) + p->stock_size;
    for (int seat = 0; seat < p->players; seat++) present += set_count(p->hand[seat]);
    for (int side = 0; side < sides; side++) {
        *detail = p->cards[side];
        if (p->cards[side] == 1) return BASRA_FAULT_COUNT_ONE;
        captured += p->cards[side];
    }
    *detail = captured;
    if (captured + present > rules->deck) return BASRA_FAULT_COUNTS;
    if (whole_pack && captured + present != rules->deck) return BASRA_FAULT_COUNTS_ADD_UP;
    if (!whole_pack || p->last == BASRA_UNKNOWN_SEAT) return BASRA_FAULT_NONE;
    *detail = p->last;
    if (p->last == BASRA_NO_SEAT) return captured ? BASRA_FAULT_LAST_NONE : BASRA_FAULT_NONE;
    return p->cards[side_of(p->last, p->partners)] ? BASRA_FAULT_NONE : BASRA_FAULT_LAST_NOTHING;
}

static basra_fault check_numbers(const basra_rules *rules, const basra_position *p, int *detail)
{
    *detail = p->last;
    if (p->last < BASRA_UNKNOWN_SEAT || p->last >= p->players) return BASRA_FAULT_LAST;
    *detail = p->carry;
    if (p->carry < 0 || p->carry > RULES_MAX_CARRY) return BASRA_FAULT_CARRY;
    if (p->carry && rules->most_cards_tie != BASRA_TIE_CARRY) return BASRA_FAULT_CARRY;
    for (int side = 0; side < BASRA_MAX_PLAYERS; side++) {
        *detail = p->points[side];
        if (abs(p->points[side]) > RULES_MAX_CARRY) return BASRA_FAULT_POINTS;
        *detail = p->score[side];
        if (abs(p->score[side]) > RULES_MAX_SCORE) return BASRA_FAULT_SCORE;
    }
    return BASRA_FAULT_NONE;
}

basra_status basra_position_complete(const basra_rules *rules, int whole_pack,
                                     basra_position *position, basra_fault *fault, int *detail)
{
    basra_position *p = position;
    *detail = -1;
    basra_status status = basra_rules_check(rules, fault);
    if (!status) status = basra_table_check(rules, p->players, p->partners, fault);
    if (status) return status;
    if (p->turn >= p->players || p->stock_size > BASRA_CARDS || p->buried_size > BASRA_CARDS)
        return BASRA_E_ARG;
    *fault = place_all(rules, p, detail);
    if (*fault) return BASRA_E_CARD;
    *fault = find_leader(rules, p, detail);
    if (!*fault) *fault = find_deal(rules, p, detail);
    if (!*fault) *fault = check_numbers(rules, p, detail);
    if (!*fault) *fault = check_buried(rules, p, detail);
    if (!*fault) *fault = check_counts(rules, whole_pack, p, detail);
    if (*fault) return BASRA_E_POSITION;
    *detail = -1;
    if (p->last == BASRA_UNKNOWN_SEAT) p->last = BASRA_NO_SEAT;
    return BASRA_OK;
}
