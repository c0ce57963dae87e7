/* Set-up, moves and leaves of search problems. */
#include "problem.h"

#include "../game/memory.h"
#include "evaluate.h"

#include <string.h>

/* Sorts a hand into slots from `slot` on; returns the slot after. */
static int fill_seat(const card_types *types, uint64_t hand, int seat, int slot, search_deal *deal)
{
    int first = slot;
    for (int type = 0; type < types->count; type++)
        for (int n = set_count(hand & types->members[type]); n > 0; n--) {
            if (slot > first && deal->type[slot - 1] == type) deal->same_next |= SET_OF(slot - 1);
            deal->type[slot++] = (uint8_t)type;
        }
    deal->seat[seat] = (SET_OF(slot) - 1) & ~(SET_OF(first) - 1);
    deal->all |= deal->seat[seat];
    return slot;
}

static void add_deal(search_problem *problem, const uint64_t *hands, int undealt)
{
    search_deal *deal = &problem->deal[problem->deals++];
    int slot = 0;
    for (int seat = 0; seat < problem->players; seat++)
        slot = fill_seat(&problem->types, hands[seat], seat, slot, deal);
    deal->undealt = (uint8_t)undealt;
}

/* Deals the stock out as the round would. */
static void add_stock(const problem_setup *setup, search_problem *problem)
{
    int players = problem->players;
    for (int at = 0; at < setup->stock_size;) {
        uint64_t hands[BASRA_MAX_PLAYERS] = {0};
        int even = (setup->stock_size - at) / players;
        int size = problem->types.rules.hand_size < even ? problem->types.rules.hand_size : even;
        for (int i = 0; i < players; i++)
            for (int n = 0; n < size; n++)
                hands[(setup->leader + i) % players] |= SET_OF(setup->stock[at++]);
        add_deal(problem, hands, setup->stock_size - at + setup->unsearched);
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

void problem_init(const basra_rules *rules, const problem_setup *setup, search_problem *problem,
                  search_node *root)
{
    memset(problem, 0, sizeof *problem);
    memset(root, 0, sizeof *root);
    types_init(rules, false, &problem->types);
    problem->players = setup->players;
    problem->partners = setup->partners;
    problem->sides = basra_sides(setup->players, setup->partners);
    problem->leader = setup->leader;
    problem->to_round_end = !setup->unsearched;
    problem->bonus = rules_bonus(rules, setup->carry);
    problem->monotone = true;
    for (int card = 0; card < BASRA_CARDS; card++)
        if (rules->card_points[card] < 0) problem->monotone = false;
    add_deal(problem, setup->hand, setup->stock_size + setup->unsearched);
    add_stock(setup, problem);
    if (problem->sides > 2 && !problem->to_round_end) make_linear(setup, problem);
    root->floor = types_bag(&problem->types, setup->floor);
    root->held = problem->deal[0].all;
    memcpy(root->cards, setup->cards, sizeof root->cards);
    root->turn = setup->turn;
    root->last = BASRA_NO_SEAT;
    if (setup->last >= 0) root->last = (int8_t)problem_side(problem, setup->last);
}

static bool last_card(const search_problem *problem, const search_node *node)
{
    return problem->to_round_end && node->deal == problem->deals - 1 &&
           !(node->held & (node->held - 1));
}

static basra_status need_moves(move_stack *stack, size_t size)
{
    if (size <= stack->size) return BASRA_OK;
    size_t room = 2 * stack->size > size ? 2 * stack->size : size + 256;
    search_move *moves = basra_realloc(stack->moves, room * sizeof *moves);
    if (!moves) return BASRA_E_NOMEM;
    stack->moves = moves;
    stack->size = room;
    return BASRA_OK;
}

static int32_t gain_of(const search_problem *problem, const search_node *node, int type, bag taken)
{
    const card_types *types = &problem->types;
    int32_t gain = bag_points(types, taken) + types->points[type];
    if (types->rules.basra_on_last || !last_card(problem, node))
        gain += capture_basra(types, node->floor, type, taken);
    return gain;
}

static void add_move(int slot, int type, const cached_capture *capture, search_move *move)
{
    *move = (search_move){.taken = capture->taken,
                          .gain = capture->gain,
                          .slot = (uint8_t)slot,
                          .cards = capture->cards,
                          .type = (uint8_t)type};
}

/* Lists a card's captures on the stack, leaving out the slot; short lists are remembered. */
static basra_status find_captures(const search_problem *problem, const search_node *node, int slot,
                                  capture_work *work, move_stack *stack, size_t at, size_t *count,
                                  cached_list *remember)
{
    const card_types *types = &problem->types;
    int type = problem->deal[node->deal].type[slot];
    basra_status status = captures_list(types, node->floor, type, 0, work, count);
    if (!status) status = need_moves(stack, at + *count + 1);
    if (status) return status;
    bool keep = remember && *count <= CACHED_CAPTURES;
    if (keep) remember->count = NOT_CACHED;
    for (size_t i = 0; i < *count; i++) {
        bag taken = work->taken[i];
        cached_capture found = {taken, gain_of(problem, node, type, taken),
                                (uint8_t)(bag_cards(types, taken) + 1)};
        add_move(slot, type, &found, &stack->moves[at + i]);
        if (keep) remember->capture[i] = found;
    }
    if (!keep) return BASRA_OK;
    remember->floor = node->floor;
    remember->type = (uint8_t)type;
    remember->count = (uint8_t)*count;
    return BASRA_OK;
}

static basra_status slot_moves(const search_problem *problem, const search_node *node, int slot,
                               move_cache *cache, capture_work *work, move_stack *stack, size_t at,
                               size_t *count)
{
    int type = problem->deal[node->deal].type[slot];
    bool by_floor = problem->types.rules.basra_on_last || !last_card(problem, node);
    cached_list *list = cache && by_floor ? move_cache_at(cache, node->floor, type) : NULL;
    static const cached_capture trail = {0, 0, 0};
    size_t captures, first = at + *count;
    basra_status status;
    if (list && move_cache_holds(list, node->floor, type)) {
        captures = list->count;
        status = need_moves(stack, first + captures + 1);
        for (size_t i = 0; !status && i < captures; i++)
            add_move(slot, type, &list->capture[i], &stack->moves[first + i]);
    } else {
        status = find_captures(problem, node, slot, work, stack, first, &captures, list);
    }
    if (status) return status;
    bool may_trail = !captures || problem->types.rules.must_capture == BASRA_MUST_NONE;
    if (may_trail) {
        /* A trail stands before the captures. */
        search_move *moves = stack->moves + first;
        memmove(moves + 1, moves, captures * sizeof *moves);
        add_move(slot, type, &trail, moves);
    }
    *count += captures + may_trail;
    return BASRA_OK;
}

/* Slots to try: one of each kind of card; where the hand must capture, those that do. */
static uint64_t playable_slots(const search_problem *problem, const search_node *node)
{
    const search_deal *deal = &problem->deal[node->deal];
    uint64_t mine = node->held & deal->seat[node->turn];
    mine &= ~(deal->same_next & (node->held >> 1));
    if (problem->types.rules.must_capture != BASRA_MUST_HAND) return mine;
    uint64_t capturing = 0;
    for (uint64_t rest = mine; rest;) {
        int slot = set_pop(&rest);
        if (captures_any(&problem->types, node->floor, deal->type[slot])) capturing |= SET_OF(slot);
    }
    return capturing ? capturing : mine;
}

basra_status problem_moves(const search_problem *problem, const search_node *node,
                           move_cache *cache, capture_work *work, move_stack *stack, size_t at,
                           size_t *count)
{
    basra_status status = BASRA_OK;
    *count = 0;
    for (uint64_t rest = playable_slots(problem, node); rest && !status;)
        status = slot_moves(problem, node, set_pop(&rest), cache, work, stack, at, count);
    return status;
}

void problem_play(const search_problem *problem, const search_node *node, const search_move *move,
                  search_node *next)
{
    *next = *node;
    next->held &= ~SET_OF(move->slot);
    if (move->taken) {
        int side = problem_side(problem, node->turn);
        next->floor -= move->taken;
        next->cards[side] = (uint8_t)(next->cards[side] + move->cards);
        next->last = (int8_t)side;
    } else {
        next->floor += problem->types.unit[move->type];
    }
    next->turn = (uint8_t)(node->turn + 1 == problem->players ? 0 : node->turn + 1);
    if (next->held || next->deal + 1 == problem->deals) return;
    next->deal++;
    next->held = problem->deal[next->deal].all;
    next->turn = problem->leader;
}

int problem_uncaptured(const search_problem *problem, const search_node *node)
{
    return bag_cards(&problem->types, node->floor) + set_count(node->held) +
           problem->deal[node->deal].undealt;
}

/* Most-cards points; a tie pays nothing now, carried or not. */
static void award_bonus(const search_problem *problem, const int *cards, int32_t *points)
{
    const basra_rules *rules = &problem->types.rules;
    int32_t won[BASRA_MAX_PLAYERS], carried;
    int32_t carry = problem->bonus - rules->most_cards;
    basra_majority(rules, problem->sides, cards, carry, won, &carried);
    for (int side = 0; side < problem->sides; side++) points[side] += won[side] * BASRA_UNIT;
}

void problem_leaf(const search_problem *problem, const search_node *node, int32_t *points)
{
    int cards[BASRA_MAX_PLAYERS];
    for (int side = 0; side < problem->sides; side++) {
        points[side] = 0;
        cards[side] = node->cards[side];
    }
    if (problem->linear) {
        for (int side = 0; side < problem->sides; side++) points[side] = problem->share[side];
        return;
    }
    if (!problem->to_round_end) {
        int left = problem_uncaptured(problem, node);
        expect_majority(problem->sides, cards, left, problem->bonus * BASRA_UNIT, points);
        return;
    }
    if (node->last >= 0) {
        points[node->last] = bag_points(&problem->types, node->floor) * BASRA_UNIT;
        cards[node->last] += bag_cards(&problem->types, node->floor);
    }
    award_bonus(problem, cards, points);
}
