/* What the cards of one deal are worth with open hands, beside other deals of the same unseen cards. */
#include "deal_values.h"

#include "../game/position.h"
#include "alphabeta.h"
#include "maxn.h"

#include <string.h>

/* The position's hidden cards. */
typedef struct hidden {
    uint8_t card[BASRA_CARDS];
    uint32_t count;
} hidden;

static hidden hidden_of(const basra_position *p)
{
    hidden h = {.count = 0};
    uint64_t cards = 0;
    for (int seat = 0; seat < p->players; seat++) cards |= p->hand[seat];
    for (int i = p->stock_next; i < p->stock_size; i++) cards |= SET_OF(p->stock[i]);
    while (cards) h.card[h.count++] = (uint8_t)set_pop(&cards);
    return h;
}

uint64_t deal_again(const basra_position *p, random_stream *dice, uint8_t *cards, uint32_t count,
                    uint64_t *hand)
{
    uint32_t at = 0;
    uint64_t unseen = 0;
    random_shuffle(dice, cards, count);
    for (int seat = 0; seat < p->players; seat++) {
        hand[seat] = 0;
        for (int n = set_count(p->hand[seat]); n > 0; n--) hand[seat] |= SET_OF(cards[at++]);
    }
    while (at < count) unseen |= SET_OF(cards[at++]);
    return unseen;
}

/* Makes the deal with these hands the engine's problem. */
static void set_up(basra_engine *engine, const basra_rules *rules, const basra_model *model,
                   const basra_position *p, const uint64_t *hand, uint64_t unseen,
                   search_node *root)
{
    int size = rules->hand_size * p->players;
    problem_setup setup = {.floor = p->floor,
                           .unsearched = position_undealt(p),
                           .carry = p->carry,
                           .players = p->players,
                           .partners = p->partners,
                           .leader = p->leader,
                           .turn = p->turn,
                           .last = p->last,
                           .unseen = unseen};
    setup.net =
        model_boundary(model, p->players, p->partners, (setup.unsearched + size - 1) / size);
    memcpy(setup.hand, hand, sizeof setup.hand);
    memcpy(setup.cards, p->cards, sizeof setup.cards);
    engine_types(engine, rules);
    problem_init(&engine->memory.lore, &setup, &engine->problem, root);
    engine_own(engine, engine->problem.sides > 2);
}

void deal_value(basra_engine *engine, const basra_rules *rules, const basra_model *model,
                const basra_position *p, const uint64_t *hand, uint64_t unseen, int32_t *values)
{
    search_node root;
    set_up(engine, rules, model, p, hand, unseen, &root);
    if (engine->problem.sides == 2) {
        values[0] = alphabeta_value(engine, &root, 0, 0);
        return;
    }
    int32_t points[BASRA_MAX_PLAYERS] = {0};
    maxn(engine, &root, 0, points);
    for (int n = 0; n < p->players; n++) values[n] = points[(p->turn + n) % p->players];
}

basra_status basra_deal_values(basra_engine *engine, const basra_rules *rules,
                               const basra_model *model, const basra_position *position,
                               uint64_t seed, size_t count, const basra_limits *limits,
                               int32_t *values, size_t *done, basra_stop *stop)
{
    const basra_position *p = position;
    uint64_t hand[BASRA_MAX_PLAYERS] = {0};
    *done = 0;
    *stop = BASRA_STOP_COMPLETE;
    if (p->over) return BASRA_E_OVER;
    basra_status status = engine_enter(engine, limits);
    if (status) return status;
    hidden h = hidden_of(p);
    size_t width = basra_sides(p->players, p->partners) == 2 ? 1 : (size_t)p->players;
    memcpy(hand, p->hand, sizeof hand);
    uint64_t unseen = 0;
    for (int i = p->stock_next; i < p->stock_size; i++) unseen |= SET_OF(p->stock[i]);
    while (*done < count && !engine_halted(engine)) {
        if (*done) {
            random_stream dice = random_open(seed, STREAM_REDEAL, *done);
            unseen = deal_again(p, &dice, h.card, h.count, hand);
        }
        deal_value(engine, rules, model, p, hand, unseen, values + *done * width);
        if (!engine_halted(engine)) ++*done;
    }
    status = engine->failed;
    *stop = engine->stopped;
    engine_leave(engine);
    return status;
}
