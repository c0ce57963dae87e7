/* Luck: how much better the hands of each deal were than others that could have been dealt. */
#include "../game/memory.h"
#include "../game/position.h"
#include "../search/deal_values.h"
#include "player.h"

#include <string.h>

/* What the deal in hand brings with these hands open, and what they leave at its end. */
static int32_t value_of_hands(basra_engine *engine, const basra_rules *rules,
                              const basra_position *p, const uint64_t *hand)
{
    int32_t value = 0;
    engine_recount(engine);
    deal_value(engine, rules, NULL, p, hand, 0, &value);
    return value;
}

/* Cards that nobody else sees: hands by seat, then the stock. */
static uint32_t list_hidden(const basra_position *p, uint8_t *cards)
{
    uint32_t count = 0;
    for (int seat = 0; seat < p->players; seat++)
        for (uint64_t rest = p->hand[seat]; rest;) cards[count++] = (uint8_t)set_pop(&rest);
    for (int i = p->stock_next; i < p->stock_size; i++) cards[count++] = p->stock[i];
    return count;
}

/* Of a deal from whose start the position is, for side 0. */
static int32_t luck_of_deal(basra_engine *engine, const basra_rules *rules, const basra_position *p,
                            uint32_t redeals, uint64_t seed)
{
    random_stream dice = random_open(seed, STREAM_LUCK, p->deal);
    int64_t sum = 0;
    int32_t dealt = value_of_hands(engine, rules, p, p->hand);
    for (uint32_t i = 0; i < redeals && !engine_halted(engine); i++) {
        uint64_t hand[BASRA_MAX_PLAYERS] = {0};
        uint8_t cards[BASRA_CARDS];
        deal_again(p, &dice, cards, list_hidden(p, cards), hand);
        sum += value_of_hands(engine, rules, p, hand);
    }
    int32_t luck = dealt - (int32_t)(sum / (int64_t)redeals);
    return side_of(p->turn, p->partners) ? -luck : luck;
}

/* Cards put back in places that everybody knows are dealt with no chance. */
static bool deals_are_even(const basra_rules *rules, const basra_position *p)
{
    return rules->bury == BASRA_BURY_RANDOM || !p->buried_size;
}

basra_status basra_round_luck(basra_engine *engine, const basra_rules *rules,
                              const basra_position *position, uint32_t redeals, uint64_t seed,
                              const basra_limits *limits, int32_t *luck)
{
    memset(luck, 0, BASRA_CARDS * sizeof *luck);
    if (!redeals || basra_sides(position->players, position->partners) != 2) return BASRA_E_ARG;
    basra_position *p = basra_malloc(sizeof *p);
    if (!p) return BASRA_E_NOMEM;
    *p = *position;
    basra_status status = engine_enter(engine, limits);
    if (status) {
        basra_free(p);
        return status;
    }
    bool even = deals_are_even(rules, p);
    while (even && !status && !engine_halted(engine) && p->played &&
           p->play[p->played - 1].deal > 1) {
        status = basra_position_undo(rules, p);
        bool first = !p->played || p->play[p->played - 1].deal != p->deal;
        if (!status && first) luck[p->deal - 1] = luck_of_deal(engine, rules, p, redeals, seed);
    }
    if (!status) status = engine->failed;
    if (!status && engine_halted(engine)) status = BASRA_E_STOPPED;
    engine_leave(engine);
    basra_free(p);
    return status;
}
