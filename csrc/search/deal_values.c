/* What the cards of one deal are worth with open hands, beside other deals of the same unseen cards. */
#include "../game/position.h"
#include "../game/random.h"
#include "alphabeta.h"
#include "maxn.h"
#include "solving.h"

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

/* Hands dealt anew from the hidden cards; what is left over stays unseen. */
static uint64_t redeal(const basra_position *p, hidden *h, random_stream *dice, uint64_t *hand)
{
    uint32_t at = 0;
    uint64_t unseen = 0;
    random_shuffle(dice, h->card, h->count);
    for (int seat = 0; seat < p->players; seat++) {
        hand[seat] = 0;
        for (int n = set_count(p->hand[seat]); n > 0; n--) hand[seat] |= SET_OF(h->card[at++]);
    }
    while (at < h->count) unseen |= SET_OF(h->card[at++]);
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

static void value_of(basra_engine *engine, const search_node *root, int32_t *values)
{
    int players = engine->problem.players;
    if (engine->problem.sides == 2) {
        values[0] = alphabeta_value(engine, root, 0, 0);
        return;
    }
    int32_t points[BASRA_MAX_PLAYERS] = {0};
    maxn(engine, root, 0, points);
    for (int n = 0; n < players; n++) values[n] = points[(root->place.turn + n) % players];
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
        search_node root;
        if (*done) {
            random_stream dice = random_open(seed, STREAM_REDEAL, *done);
            unseen = redeal(p, &h, &dice, hand);
        }
        set_up(engine, rules, model, p, hand, unseen, &root);
        value_of(engine, &root, values + *done * width);
        if (!engine_halted(engine)) ++*done;
    }
    status = engine->failed;
    *stop = engine->stopped;
    engine_leave(engine);
    return status;
}
