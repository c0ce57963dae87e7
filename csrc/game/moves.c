/* Legal moves with card identity: captures of a card, plays of a hand. */
#include "moves.h"

#include "memory.h"

/* Trailing: always where nothing can be captured, and wherever no card is bound to capture. */
static bool may_trail(const basra_rules *rules, size_t captures)
{
    return !captures || rules->must_capture == BASRA_MUST_NONE;
}

basra_move move_of(const card_types *types, uint64_t floor, int card, uint64_t taken,
                   bool last_of_round)
{
    basra_move move = {.taken = taken, .card = (uint8_t)card};
    if (!taken) return move;
    move.points = bag_points(types, taken | SET_OF(card));
    if (!last_of_round || types->rules.basra_on_last)
        move.basra = capture_basra(types, floor, card, taken);
    return move;
}

/* Writes the moves of one card that fit; *count grows by all of them. */
static basra_status card_moves(const card_types *types, uint64_t floor, int card, bool last,
                               capture_work *work, move_list *out)
{
    size_t captures;
    basra_status status = captures_list(types, floor, card, 0, work, &captures);
    if (status) return status;
    if (may_trail(&types->rules, captures)) {
        if (out->count < out->capacity)
            out->moves[out->count] = move_of(types, floor, card, 0, last);
        out->count++;
    }
    for (size_t i = 0; i < captures; i++, out->count++)
        if (out->count < out->capacity)
            out->moves[out->count] = move_of(types, floor, card, work->taken[i], last);
    return BASRA_OK;
}

uint64_t playable_cards(const card_types *types, uint64_t hand, uint64_t floor)
{
    if (types->rules.must_capture != BASRA_MUST_HAND) return hand;
    uint64_t capturing = 0;
    for (uint64_t rest = hand; rest;) {
        int card = set_pop(&rest);
        if (captures_any(types, floor, types->type_of[card])) capturing |= SET_OF(card);
    }
    return capturing ? capturing : hand;
}

basra_status hand_moves(const card_types *types, uint64_t hand, uint64_t floor, bool last,
                        capture_work *work, move_list *out)
{
    basra_status status = BASRA_OK;
    for (uint64_t rest = playable_cards(types, hand, floor); rest && !status;)
        status = card_moves(types, floor, set_pop(&rest), last, work, out);
    return status;
}

basra_status basra_legal_moves(const basra_rules *rules, uint64_t hand, uint64_t floor,
                               int last_of_round, basra_move *moves, size_t capacity, size_t *count)
{
    *count = 0;
    if ((hand | floor) & ~basra_pack(rules) || hand & floor) return BASRA_E_CARD;
    card_types types;
    types_init(rules, true, &types);
    capture_work work = {0};
    move_list out = {moves, capacity, 0};
    basra_status status = hand_moves(&types, hand, floor, last_of_round, &work, &out);
    captures_free(&work);
    *count = out.count;
    if (!status && out.count > capacity) status = BASRA_E_BOUNDS;
    return status;
}

basra_status basra_captures(const basra_rules *rules, uint64_t floor, int card, basra_move *moves,
                            size_t capacity, size_t *count, int *trail)
{
    *count = 0;
    if (card < 0 || card >= BASRA_CARDS) return BASRA_E_CARD;
    if ((floor | SET_OF(card)) & ~basra_pack(rules) || floor & SET_OF(card)) return BASRA_E_CARD;
    card_types types;
    types_init(rules, true, &types);
    capture_work work = {0};
    basra_status status = captures_list(&types, floor, card, 0, &work, count);
    *trail = may_trail(rules, *count);
    if (!status && *count > capacity) status = BASRA_E_BOUNDS;
    for (size_t i = 0; !status && i < *count; i++)
        moves[i] = move_of(&types, floor, card, work.taken[i], false);
    captures_free(&work);
    return status;
}
