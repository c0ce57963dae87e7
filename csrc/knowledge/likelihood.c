#include "likelihood.h"

#include "../game/memory.h"
#include "../model/exponent.h"

/* Chosen by information and by play: docs/strength-policy.md. */
static const uint64_t KIND_CHANCE[PLAYER_KINDS] = {
    [KIND_POLICY] = 60, [KIND_GREEDY] = 20, [KIND_ANY] = 20}; /* percent */
enum { PERCENT = 100, GREEDY_SLIPS = 10 }; /* percent of a greedy player's plays are any */

/* ---- what was seen at an earlier play --------------------------------------------------------- */

/* Cards of a side, less those of the best other. */
static int lead_of(const int *cards, int sides, int side)
{
    int best = -BASRA_CARDS;
    for (int other = 0; other < sides; other++)
        if (other != side && cards[other] > best) best = cards[other];
    return cards[side] - best;
}

policy_scene likelihood_scene(const basra_view *view, const basra_facts *facts,
                              const policy_shape *shape, int index)
{
    int cards[BASRA_MAX_PLAYERS], sides = basra_sides(view->players, view->partners), held = 0;
    int seat = index < view->played_size ? index % view->players : view->seat, own;
    uint64_t floor = view->floor, seen = view->seen;
    for (int side = 0; side < sides; side++) cards[side] = view->cards[side];
    for (int s = 0; s < view->players; s++) held += facts->hand_size[s];
    own = facts->hand_size[seat];
    for (int i = view->played_size; i-- > index;) {
        const basra_play *play = &view->played[i];
        uint64_t card = SET_OF(play->card);
        held++;
        own += i % view->players == seat;
        if (play->taken) {
            floor |= play->taken;
            seen &= ~(play->taken | card);
            cards[side_of(i % view->players, view->partners)] -= set_count(play->taken) + 1;
        } else {
            floor &= ~card;
        }
    }
    return (policy_scene){.floor = types_bag(&shape->types, floor),
                          .gone = types_bag(&shape->types, seen),
                          .cards = own,
                          .deals_left = facts->deals - view->deal,
                          .table = model_table(view->players, view->partners),
                          .lead = lead_of(cards, sides, side_of(seat, view->partners)),
                          .last = facts->last_deal && held == 1};
}

/* ---- one play --------------------------------------------------------------------------------- */

/* A play that was made, and what all plays of the scene are told by. */
typedef struct made_play {
    const basra_rules *rules;
    int32_t carry;
    int type;
    bag taken;
} made_play;

static int64_t gain_of(const made_play *m, const card_types *types, const policy_play *play)
{
    int card = set_first(types->members[play->type]);
    return rules_gain(m->rules, m->carry, card, play->basra + play->points, play->cards);
}

/* The chance that a greedy player makes a play: any of the best is as likely as the others. */
static uint64_t greedy_chance(const made_play *m, const policy_board *board, size_t count,
                              const policy_play *made)
{
    const card_types *types = &board->shape->types;
    const int64_t own = gain_of(m, types, made);
    const uint64_t slip = GREEDY_SLIPS * (CHANCE_ONE / count) / PERCENT;
    uint64_t equals = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t gain = gain_of(m, types, board->scored[i].play);
        if (gain > own) return slip;
        equals += gain == own;
    }
    return slip + (PERCENT - GREEDY_SLIPS) * (CHANCE_ONE / equals) / PERCENT;
}

static uint32_t bits_of(uint64_t chance)
{
    return chance ? bits_of_chance(chance) : CHANCE_BITS << BITS_BITS;
}

/* How unlikely the play is with a hand, by kind. */
static basra_status bits_by_kind(const made_play *m, policy_board *board, bag hand,
                                 uint32_t bits[PLAYER_KINDS])
{
    size_t count;
    basra_status status = policy_chances(board, hand, &count);
    if (status) return status;
    const policy_scored *made = policy_find(board, count, m->type, m->taken);
    for (int kind = 0; kind < PLAYER_KINDS; kind++) bits[kind] = LIKELIHOOD_FORBIDDEN;
    if (!made) return BASRA_OK;
    bits[KIND_POLICY] = bits_of(made->chance);
    bits[KIND_GREEDY] = bits_of(greedy_chance(m, board, count, made->play));
    bits[KIND_ANY] = bits_of(CHANCE_ONE / count);
    return BASRA_OK;
}

static made_play begin_play(const basra_rules *rules, const basra_view *view,
                            const basra_facts *facts, int index, policy_board *board)
{
    const basra_play *play = &view->played[index];
    const card_types *types = &board->shape->types;
    policy_scene scene = likelihood_scene(view, facts, board->shape, index);
    policy_board_set(board, &scene);
    return (made_play){.rules = rules,
                       .carry = view->carry,
                       .type = types->type_of[play->card],
                       .taken = types_bag(types, play->taken)};
}

basra_status likelihood_of_play(const basra_rules *rules, const basra_view *view,
                                const basra_model *model, int index, uint64_t hand,
                                uint32_t bits[PLAYER_KINDS])
{
    basra_facts facts;
    if (!model || !model->policy) return BASRA_E_MODEL;
    if (index < 0 || index >= view->played_size) return BASRA_E_ARG;
    if (!(hand & SET_OF(view->played[index].card))) return BASRA_E_ARG;
    basra_status status = view_facts(rules, view, &facts);
    if (status) return status;
    const policy_shape *shape = &model->policy->shape;
    policy_board board = {.shape = shape, .net = model->policy};
    made_play made = begin_play(rules, view, &facts, index, &board);
    status = bits_by_kind(&made, &board, types_bag(&shape->types, hand), bits);
    policy_board_free(&board);
    return status;
}

/* ---- all plays of a deal ---------------------------------------------------------------------- */

/* By world, the bits of a seat's plays. */
typedef uint64_t kind_bits[PLAYER_KINDS];

/* The hand of a seat before play `index` of the deal, in a world. */
static uint64_t hand_before(const basra_view *view, const basra_world *world, int index)
{
    uint64_t hand = world->hand[index % view->players];
    for (int i = index; i < view->played_size; i += view->players)
        hand |= SET_OF(view->played[i].card);
    return hand;
}

/* Adds to sums[] how unlikely one play was in each world. */
static basra_status add_play(const made_play *made, const basra_view *view, policy_board *board,
                             int index, const basra_world *worlds, size_t count, kind_bits *sums)
{
    for (size_t w = 0; w < count; w++) {
        uint32_t bits[PLAYER_KINDS];
        bag hand = types_bag(&board->shape->types, hand_before(view, &worlds[w], index));
        basra_status status = bits_by_kind(made, board, hand, bits);
        if (status) return status;
        for (int kind = 0; kind < PLAYER_KINDS; kind++) sums[w][kind] += bits[kind];
    }
    return BASRA_OK;
}

/* Adds the mean over kinds of a seat's likelihoods, against the largest one of all. */
static void add_mean(kind_bits *sums, size_t count, uint64_t *bits)
{
    uint64_t least = UINT64_MAX;
    for (size_t w = 0; w < count; w++)
        for (int kind = 0; kind < PLAYER_KINDS; kind++)
            if (sums[w][kind] < least) least = sums[w][kind];
    for (size_t w = 0; w < count; w++) {
        uint64_t mean = 0;
        for (int kind = 0; kind < PLAYER_KINDS; kind++)
            mean += KIND_CHANCE[kind] * power_of_half(sums[w][kind] - least);
        bits[w] += bits_of(mean / PERCENT);
    }
}

basra_status likelihood_bits(const basra_rules *rules, const basra_view *view,
                             const basra_facts *facts, const policy_net *net,
                             const basra_world *worlds, size_t count, uint64_t *bits)
{
    policy_board board = {.shape = &net->shape, .net = net};
    kind_bits *sums = basra_malloc(count * sizeof *sums);
    basra_status status = sums ? BASRA_OK : BASRA_E_NOMEM;
    for (size_t w = 0; w < count; w++) bits[w] = 0;
    for (int seat = 0; seat < view->players && !status; seat++) {
        if (seat == view->seat || seat >= view->played_size) continue;
        for (size_t w = 0; w < count; w++)
            for (int kind = 0; kind < PLAYER_KINDS; kind++) sums[w][kind] = 0;
        for (int i = seat; i < view->played_size && !status; i += view->players) {
            made_play made = begin_play(rules, view, facts, i, &board);
            status = add_play(&made, view, &board, i, worlds, count, sums);
        }
        if (!status) add_mean(sums, count, bits);
    }
    policy_board_free(&board);
    basra_free(sums);
    return status;
}
