/* Rounds and matches: dealing, playing, taking back, the end of a round and its score.
 *
 * A position keeps the plays since its set-up, so every play can be taken back without further
 * records: a play gives back its cards, an ended round its leftovers, a new deal its hands.
 */
#include "position.h"

#include "moves.h"
#include "random.h"

#include <stddef.h>
#include <string.h>

static int seat_after(const basra_position *p, int seat) { return (seat + 1) % p->players; }

static int side_at(const basra_position *p, int seat) { return side_of(seat, p->partners); }

static bool hands_empty(const basra_position *p)
{
    uint64_t cards = 0;
    for (int seat = 0; seat < p->players; seat++) cards |= p->hand[seat];
    return !cards;
}

int position_undealt(const basra_position *p) { return p->stock_size - p->stock_next; }

bool position_last_card(const basra_position *p)
{
    int held = 0;
    for (int seat = 0; seat < p->players; seat++) held += set_count(p->hand[seat]);
    return held == 1 && !position_undealt(p);
}

/* Deals whole hands: all of the leader's, then the next seat's. */
static void deal_hands(const basra_rules *rules, basra_position *p)
{
    int even = position_undealt(p) / p->players;
    int size = rules->hand_size < even ? rules->hand_size : even;
    for (int i = 0, seat = p->leader; i < p->players; i++, seat = seat_after(p, seat))
        for (int n = 0; n < size; n++) p->hand[seat] |= SET_OF(p->stock[p->stock_next++]);
    p->turn = p->leader;
}

/* Puts shown cards back: random places, or under the stock in the order found. */
static void bury(const basra_rules *rules, uint64_t seed, basra_position *p)
{
    if (!p->buried_size) return;
    random_stream stream = random_open(seed, STREAM_BURY, p->round);
    for (int i = 0; i < p->buried_size; i++) {
        int size = position_undealt(p);
        int place = rules->bury == BASRA_BURY_BOTTOM
                        ? size
                        : (int)random_below(&stream, (uint32_t)size + 1);
        uint8_t *at = p->stock + p->stock_next + place;
        memmove(at + 1, at, (size_t)(size - place));
        *at = p->buried[i];
        p->stock_size++;
    }
}

/* Cards that may not start on the floor are set aside and replaced from the top of the stock. */
static basra_status deal_floor(const basra_rules *rules, uint64_t seed, basra_position *p)
{
    for (int n = 0; n < rules->floor_size;) {
        if (!position_undealt(p)) return BASRA_E_RULES;
        uint8_t card = p->stock[p->stock_next++];
        if (rules->not_on_first_floor & SET_OF(card)) {
            p->buried[p->buried_size++] = card;
        } else {
            p->floor |= SET_OF(card);
            n++;
        }
    }
    /* Close the gap that dealing left, so that the buried cards have room again. */
    int size = position_undealt(p);
    memmove(p->stock, p->stock + p->stock_next, (size_t)size);
    p->stock_next = 0;
    p->stock_size = (uint8_t)size;
    bury(rules, seed, p);
    return BASRA_OK;
}

/* Deals a round into a position whose match fields, table and leader are set. */
static basra_status deal_round(const basra_rules *rules, const uint8_t *pack, size_t count,
                               basra_position *p)
{
    memcpy(p->stock, pack, count);
    p->stock_size = (uint8_t)count;
    p->last = BASRA_NO_SEAT;
    p->deal = 1;
    deal_hands(rules, p);
    return deal_floor(rules, p->seed, p);
}

static uint32_t shuffled_pack(const basra_rules *rules, uint64_t seed, uint32_t round,
                              uint8_t *pack)
{
    uint32_t count = 0;
    for (uint64_t rest = basra_pack(rules); rest;) pack[count++] = (uint8_t)set_pop(&rest);
    random_stream stream = random_open(seed, STREAM_DEAL, round);
    random_shuffle(&stream, pack, count);
    return count;
}

static basra_status open_table(const basra_rules *rules, int players, int partners, int leader,
                               uint64_t seed, basra_position *p)
{
    basra_fault fault;
    basra_status status = basra_rules_check(rules, &fault);
    if (!status) status = basra_table_check(rules, players, partners, &fault);
    if (status) return status;
    if (leader < 0 || leader >= players) return BASRA_E_ARG;
    memset(p, 0, sizeof *p);
    p->players = (uint8_t)players;
    p->partners = partners != 0;
    p->leader = (uint8_t)leader;
    p->seed = seed;
    return BASRA_OK;
}

basra_status position_open(const basra_rules *rules, int players, int partners, int leader,
                           basra_position *table)
{
    return open_table(rules, players, partners, leader, 0, table);
}

basra_status position_deal_at(const basra_rules *rules, const basra_position *table, uint64_t seed,
                              basra_position *p)
{
    uint8_t pack[BASRA_CARDS];
    memcpy(p, table, offsetof(basra_position, play));
    p->seed = seed;
    return deal_round(rules, pack, shuffled_pack(rules, seed, 0, pack), p);
}

basra_status basra_position_deal(const basra_rules *rules, int players, int partners, int leader,
                                 uint64_t seed, basra_position *position)
{
    uint8_t pack[BASRA_CARDS];
    basra_status status = open_table(rules, players, partners, leader, seed, position);
    if (status) return status;
    return deal_round(rules, pack, shuffled_pack(rules, seed, 0, pack), position);
}

basra_status basra_position_deal_pack(const basra_rules *rules, int players, int partners,
                                      int leader, const uint8_t *pack, size_t count, uint64_t seed,
                                      basra_position *position)
{
    basra_status status = open_table(rules, players, partners, leader, seed, position);
    if (status) return status;
    uint64_t left = basra_pack(rules);
    if (count != (size_t)set_count(left)) return BASRA_E_CARD;
    for (size_t i = 0; i < count; i++) {
        if (pack[i] >= BASRA_CARDS || !(left & SET_OF(pack[i]))) return BASRA_E_CARD;
        left &= ~SET_OF(pack[i]);
    }
    return deal_round(rules, pack, count, position);
}

basra_status basra_position_moves(const basra_rules *rules, const basra_position *position,
                                  basra_move *moves, size_t capacity, size_t *count)
{
    *count = 0;
    if (position->over) return BASRA_E_OVER;
    return basra_legal_moves(rules, position->hand[position->turn], position->floor,
                             position_last_card(position), moves, capacity, count);
}

basra_status position_legal(const card_types *types, uint64_t hand, uint64_t floor, int card,
                            uint64_t taken)
{
    if (card < 0 || card >= BASRA_CARDS) return BASRA_E_MOVE;
    if (!(playable_cards(types, hand, floor) & SET_OF(card))) return BASRA_E_MOVE;
    if (taken & ~floor) return BASRA_E_MOVE;
    if (!taken)
        return types->rules.must_capture == BASRA_MUST_NONE || !captures_any(types, floor, card)
                   ? BASRA_OK
                   : BASRA_E_MOVE;
    capture_work work = {0};
    size_t count;
    basra_status status = captures_list(types, floor, card, 0, &work, &count);
    bool found = false;
    for (size_t i = 0; !status && i < count && !found; i++) found = work.taken[i] == taken;
    captures_free(&work);
    if (!status && !found) status = BASRA_E_MOVE;
    return status;
}

static void bank(basra_position *p, int seat, uint64_t cards, int count, int32_t points)
{
    int side = side_at(p, seat);
    p->pile[seat] ^= cards;
    p->cards[side] = (uint8_t)(p->cards[side] + count);
    p->points[side] += points;
}

/* Leftovers, then the most-cards points. */
static void end_round(const basra_rules *rules, basra_position *p)
{
    card_types types;
    types_init(rules, true, &types);
    int sides = basra_sides(p->players, p->partners), counts[BASRA_MAX_PLAYERS];
    p->over = 1;
    if (p->last >= 0 && p->floor) {
        p->leftovers = p->floor;
        p->floor = 0;
        bank(p, p->last, p->leftovers, set_count(p->leftovers), bag_points(&types, p->leftovers));
    }
    for (int side = 0; side < sides; side++) counts[side] = p->cards[side];
    basra_majority(rules, sides, counts, p->carry, p->majority, &p->carry_after);
    for (int side = 0; side < sides; side++) p->points[side] += p->majority[side];
}

void position_apply(const basra_rules *rules, const basra_move *move, basra_position *p)
{
    int seat = p->turn;
    p->play[p->played++] = (basra_play){.taken = move->taken,
                                        .basra = move->basra,
                                        .points = move->points,
                                        .card = move->card,
                                        .seat = (uint8_t)seat,
                                        .deal = p->deal,
                                        .last_before = p->last};
    p->hand[seat] &= ~SET_OF(move->card);
    if (move->taken) {
        uint64_t cards = move->taken | SET_OF(move->card);
        p->floor &= ~move->taken;
        bank(p, seat, cards, set_count(cards), move->points + move->basra);
        p->last = (int8_t)seat;
    } else {
        p->floor |= SET_OF(move->card);
    }
    p->turn = (uint8_t)seat_after(p, seat);
    if (!hands_empty(p)) return;
    if (!position_undealt(p)) {
        end_round(rules, p);
        return;
    }
    p->deal++;
    deal_hands(rules, p);
}

basra_status basra_position_play(const basra_rules *rules, int card, uint64_t taken,
                                 basra_position *position)
{
    basra_position *p = position;
    if (p->over) return BASRA_E_OVER;
    card_types types;
    types_init(rules, true, &types);
    basra_status status = position_legal(&types, p->hand[p->turn], p->floor, card, taken);
    if (status) return status;
    basra_move move = move_of(&types, p->floor, card, taken, position_last_card(p));
    position_apply(rules, &move, p);
    return BASRA_OK;
}

static void reopen_round(const basra_rules *rules, basra_position *p)
{
    card_types types;
    types_init(rules, true, &types);
    for (int side = 0; side < basra_sides(p->players, p->partners); side++) {
        p->points[side] -= p->majority[side];
        p->majority[side] = 0;
    }
    p->carry_after = 0;
    if (p->leftovers) {
        bank(p, p->last, p->leftovers, -set_count(p->leftovers), -bag_points(&types, p->leftovers));
        p->floor = p->leftovers;
        p->leftovers = 0;
    }
    p->over = 0;
}

/* Hands that no play has touched yet go back onto the stock. */
static void undeal(basra_position *p)
{
    for (int seat = 0; seat < p->players; seat++) {
        p->stock_next = (uint8_t)(p->stock_next - set_count(p->hand[seat]));
        p->hand[seat] = 0;
    }
    p->deal--;
}

basra_status basra_position_undo(const basra_rules *rules, basra_position *position)
{
    basra_position *p = position;
    if (!p->played) return BASRA_E_OVER;
    basra_play play = p->play[--p->played];
    if (p->over)
        reopen_round(rules, p);
    else if (play.deal != p->deal)
        undeal(p);
    memset(&p->play[p->played], 0, sizeof *p->play);
    if (play.taken) {
        uint64_t cards = play.taken | SET_OF(play.card);
        bank(p, play.seat, cards, -set_count(cards), -play.points - play.basra);
        p->floor |= play.taken;
    } else {
        p->floor &= ~SET_OF(play.card);
    }
    p->last = play.last_before;
    p->hand[play.seat] |= SET_OF(play.card);
    p->turn = play.seat;
    return BASRA_OK;
}

basra_status basra_position_next_round(const basra_rules *rules, basra_position *position)
{
    if (!position->over || position->round == UINT32_MAX) return BASRA_E_OVER;
    basra_position next;
    uint8_t pack[BASRA_CARDS];
    const basra_position *p = position;
    basra_status status =
        open_table(rules, p->players, p->partners, seat_after(p, p->leader), p->seed, &next);
    if (status) return status;
    next.round = p->round + 1;
    next.carry = p->carry_after;
    for (int side = 0; side < basra_sides(p->players, p->partners); side++)
        next.score[side] = p->score[side] + p->points[side];
    status = deal_round(rules, pack, shuffled_pack(rules, p->seed, next.round, pack), &next);
    if (!status) *position = next;
    return status;
}
