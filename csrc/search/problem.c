/* Set-up, steps and leaves of search problems. */
#include "problem.h"

#include "ablation.h"
#include "evaluate.h"

#include <string.h>

/* Sorts a hand into slots from `first` on, by what trailing promises; returns the slot after. */
static int fill_seat(const search_lore *lore, uint64_t hand, int seat, int first, search_deal *deal)
{
    const uint8_t *place = lore->place;
    uint8_t sorted[BASRA_CARDS];
    int count = 0;
    for (; hand; count++) {
        uint8_t type = lore->types->type_of[set_pop(&hand)];
        int at = count;
        for (; at && place[sorted[at - 1]] > place[type]; at--) sorted[at] = sorted[at - 1];
        sorted[at] = type;
    }
    for (int i = 0; i < count; i++) {
        search_slot *slot = &deal->slot[first + i];
        *slot = lore->slot[sorted[i]];
        slot->trail.slot = (uint8_t)(first + i);
        slot->trail.others = ~SET_OF(first + i);
        if (i && sorted[i - 1] == sorted[i]) deal->same_next |= SET_OF(first + i - 1);
    }
    deal->seat[seat] = (SET_OF(first + count) - 1) & ~(SET_OF(first) - 1);
    deal->all |= deal->seat[seat];
    deal->side[seat & 1] |= deal->seat[seat];
    return first + count;
}

/* Tells every card which cards of the other side have its rank. */
static void find_rivals(const card_types *types, search_deal *deal)
{
    const uint8_t *rank = types->rank;
    for (uint64_t mine = deal->side[0]; mine;) {
        int a = set_pop(&mine);
        for (uint64_t theirs = deal->side[1]; theirs;) {
            int b = set_pop(&theirs);
            if (rank[deal->slot[a].trail.type] != rank[deal->slot[b].trail.type]) continue;
            deal->slot[a].rivals |= SET_OF(b);
            deal->slot[b].rivals |= SET_OF(a);
        }
    }
}

static void add_deal(search_problem *problem, const search_lore *lore, const uint64_t *hands,
                     int later, int unsearched)
{
    search_deal *deal = &problem->deal[problem->deals++];
    int slot = 0;
    deal->all = deal->same_next = deal->side[0] = deal->side[1] = 0;
    for (int seat = 0; seat < problem->players; seat++)
        slot = fill_seat(lore, hands[seat], seat, slot, deal);
    if (problem->sides == 2) find_rivals(problem->types, deal);
    deal->later = (uint8_t)later;
    deal->undealt = (uint8_t)(later + unsearched);
    deal->ending = (uint8_t)(deal->undealt ? later + ENDING_OF_DEAL : BASRA_CARDS);
    if (WITHOUT(ENDINGS)) deal->ending = 0;
}

/* Deals the stock out as the round would. */
static void add_stock(const problem_setup *setup, const search_lore *lore, search_problem *problem)
{
    int players = problem->players;
    for (int at = 0; at < setup->stock_size;) {
        uint64_t hands[BASRA_MAX_PLAYERS] = {0};
        int even = (setup->stock_size - at) / players;
        int size = problem->types->rules.hand_size < even ? problem->types->rules.hand_size : even;
        for (int i = 0; i < players; i++)
            for (int n = 0; n < size; n++)
                hands[(setup->leader + i) % players] |= SET_OF(setup->stock[at++]);
        add_deal(problem, lore, hands, setup->stock_size - at, setup->unsearched);
    }
}

/* See search_problem.linear. */
static void make_linear(const problem_setup *setup, search_problem *problem)
{
    enum { USUAL_FLOOR = 4 };
    int cards[BASRA_MAX_PLAYERS], left = setup->unsearched + USUAL_FLOOR;
    int32_t bonus = problem->bonus * BASRA_UNIT;
    for (int side = 0; side < problem->sides; side++) cards[side] = setup->cards[side];
    problem->linear = true;
    expect_majority(problem->sides, cards, left, bonus, problem->share);
    expect_slopes(problem->sides, cards, left, bonus, problem->slope);
}

static void fill_root(const problem_setup *setup, const search_problem *problem, search_node *root)
{
    *root = (search_node){.place = {.floor = types_bag(problem->types, setup->floor),
                                    .held = problem->deal[0].all,
                                    .deal = problem->deal,
                                    .turn = setup->turn},
                          .last = BASRA_NO_SEAT};
    root->place.looks = looks_of(&problem->lore->singles, root->place.floor);
    root->place.left = (uint8_t)(set_count(problem->deal[0].all) + problem->deal[0].later);
    memcpy(root->cards, setup->cards, sizeof root->cards);
    if (setup->last >= 0) root->last = (int8_t)problem_side(problem, setup->last);
}

void problem_init(const search_lore *lore, const problem_setup *setup, search_problem *problem,
                  search_node *root)
{
    const card_types *types = lore->types;
    problem->lore = lore;
    problem->types = types;
    problem->deals = 0;
    problem->players = setup->players;
    problem->partners = setup->partners;
    problem->sides = basra_sides(setup->players, setup->partners);
    problem->leader = setup->leader;
    for (int seat = 0; seat < setup->players; seat++)
        problem->after[seat] = (uint8_t)((seat + 1) % setup->players);
    problem->to_round_end = !setup->unsearched;
    problem->plain_end = problem->to_round_end && !types->rules.basra_on_last;
    problem->hand_must = types->rules.must_capture == BASRA_MUST_HAND;
    problem->free_trail = types->rules.must_capture == BASRA_MUST_NONE;
    problem->bonus = rules_bonus(&types->rules, setup->carry);
    problem->monotone = true;
    for (int type = 0; type < types->count; type++)
        if (types->points[type] < 0) problem->monotone = false;
    add_deal(problem, lore, setup->hand, setup->stock_size, setup->unsearched);
    add_stock(setup, lore, problem);
    problem->linear = false;
    if (problem->sides > 2 && !problem->to_round_end) make_linear(setup, problem);
    problem->net = problem->to_round_end ? NULL : setup->net;
    if (problem->net) boundary_prepare(problem->net, types, setup->unseen, &problem->base);
    fill_root(setup, problem, root);
}

void problem_play(const search_problem *problem, const search_node *node, const search_move *move,
                  search_node *next)
{
    *next = *node;
    problem_step(problem, &node->place, move, &next->place);
    if (!move->cards) return;
    int side = problem_side(problem, node->place.turn);
    next->cards[side] = (uint8_t)(next->cards[side] + move->cards);
    next->last = (int8_t)side;
}

int problem_uncaptured(const search_problem *problem, const search_place *place)
{
    return bag_cards(problem->types, place_floor(place)) + set_count(place->held) +
           place->deal->undealt;
}

/* Most-cards points; a tie pays nothing now, carried or not. */
static void award_bonus(const search_problem *problem, const int *cards, int32_t *points)
{
    const basra_rules *rules = &problem->types->rules;
    int32_t won[BASRA_MAX_PLAYERS], carried;
    int32_t carry = problem->bonus - rules->most_cards;
    basra_majority(rules, problem->sides, cards, carry, won, &carried);
    for (int side = 0; side < problem->sides; side++) points[side] += won[side] * BASRA_UNIT;
}

void problem_leaf(const search_problem *problem, const search_node *node, int32_t *points)
{
    const card_types *types = problem->types;
    int cards[BASRA_MAX_PLAYERS];
    for (int side = 0; side < problem->sides; side++) {
        points[side] = 0;
        cards[side] = node->cards[side];
    }
    if (problem->linear) {
        int32_t fitted[BASRA_MAX_PLAYERS] = {0};
        if (problem->net)
            boundary_value(problem->net, &problem->base, types, place_floor(&node->place), fitted);
        /* The net counts from the seat that leads the next deal. */
        for (int n = 0, side = problem->leader; n < problem->sides;
             n++, side = problem->after[side])
            points[side] = problem->share[side] + fitted[n];
        return;
    }
    if (!problem->to_round_end) {
        int left = problem_uncaptured(problem, &node->place);
        expect_majority(problem->sides, cards, left, problem->bonus * BASRA_UNIT, points);
        return;
    }
    if (node->last >= 0) {
        points[node->last] = bag_points(types, place_floor(&node->place)) * BASRA_UNIT;
        cards[node->last] += bag_cards(types, place_floor(&node->place));
    }
    award_bonus(problem, cards, points);
}
