/* What each move of a view is worth in given worlds, and what its hidden cards can answer. */
#include "../game/memory.h"
#include "../knowledge/view.h"
#include "alphabeta.h"
#include "maxn.h"
#include "root.h"
#include "worlds_search.h"

#include <string.h>

/* Cards that a world leaves unseen when the deal ends: undealt, or gone and not tracked. */
static uint64_t stay_unseen(const basra_view *view, const basra_facts *facts,
                            const basra_world *world)
{
    uint64_t cards = facts->unseen | facts->stocked;
    for (int seat = 0; seat < view->players; seat++) cards |= facts->maybe[seat];
    for (int seat = 0; seat < view->players; seat++) cards &= ~world->hand[seat];
    return cards;
}

void worlds_setup(const basra_view *view, const basra_facts *facts, const basra_model *model,
                  const basra_world *world, problem_setup *setup)
{
    *setup = (problem_setup){
        .floor = view->floor,
        .unsearched = facts->stock,
        .carry = view->carry,
        .players = view->players,
        .partners = view->partners,
        .turn = (uint8_t)view->seat,
        .last = world->last,
        .net = model_boundary(model, view->players, view->partners, facts->deals - view->deal),
        .unseen = stay_unseen(view, facts, world)};
    memcpy(setup->hand, world->hand, sizeof setup->hand);
    memcpy(setup->cards, view->cards, sizeof setup->cards);
}

static void set_up(basra_engine *engine, const basra_rules *rules, const basra_view *view,
                   const basra_facts *facts, const basra_model *model, const basra_world *world,
                   search_node *root)
{
    problem_setup setup;
    worlds_setup(view, facts, model, world, &setup);
    engine_types(engine, rules);
    problem_init(&engine->memory.lore, &setup, &engine->problem, root);
}

static void move_value(basra_engine *engine, const search_node *root, size_t group, size_t groups,
                       int32_t *values)
{
    int players = engine->problem.players;
    search_move move = engine->memory.moves[group];
    if (engine->problem.sides == 2) {
        int32_t guess = group ? values[group - 1] : 0;
        values[group] = alphabeta_move_value(engine, root, &move, guess, groups);
        return;
    }
    int32_t points[BASRA_MAX_PLAYERS] = {0};
    maxn_move(engine, root, &move, groups, points);
    for (int n = 0; n < players; n++)
        values[group * (size_t)players + (size_t)n] = points[(root->place.turn + n) % players];
}

static basra_status search_world(basra_engine *engine, const basra_rules *rules,
                                 const basra_view *view, const basra_facts *facts,
                                 const basra_model *model, const basra_world *world, size_t groups,
                                 int32_t *values)
{
    search_node root;
    set_up(engine, rules, view, facts, model, world, &root);
    engine_own(engine, engine->problem.sides > 2);
    size_t count = engine_moves(engine, &root.place, 0);
    if (engine_halted(engine)) return engine->failed;
    if (count != groups) return BASRA_E_ARG;
    for (size_t i = 0; i < groups && !engine_halted(engine); i++)
        move_value(engine, &root, i, groups, values);
    return engine->failed;
}

/* Is this a world of the view, as far as search relies on it? */
static bool world_fits(const basra_view *view, const basra_facts *facts, const basra_world *world)
{
    uint64_t placed = view->floor;
    for (int seat = 0; seat < view->players; seat++) {
        uint64_t hand = world->hand[seat];
        if (hand & placed || set_count(hand) != facts->hand_size[seat]) return false;
        placed |= hand;
    }
    return world->last >= BASRA_NO_SEAT && world->last < view->players;
}

/* Worlds before one that are looked through for the same: with all of them the work would grow as the square
 * of their number. */
enum { LOOK_BACK = 256 };

/* A world before number `at` that is the same as that one, or else `at`. */
static size_t same_world(const basra_world *worlds, size_t at)
{
    const basra_world *w = &worlds[at];
    for (size_t i = at > LOOK_BACK ? at - LOOK_BACK : 0; i < at; i++)
        if (worlds[i].last == w->last && !memcmp(worlds[i].hand, w->hand, sizeof w->hand)) return i;
    return at;
}

basra_status worlds_set_up(basra_engine *engine, const basra_rules *rules, const basra_view *view,
                           const basra_facts *facts, const basra_world *world, search_node *root)
{
    if (!world_fits(view, facts, world)) return BASRA_E_ARG;
    set_up(engine, rules, view, facts, NULL, world, root);
    return BASRA_OK;
}

basra_status worlds_values(basra_engine *engine, const basra_rules *rules, const basra_view *view,
                           const basra_facts *facts, const basra_model *model,
                           const basra_world *worlds, size_t count, size_t groups, int32_t *values,
                           uint64_t *nodes, size_t *done)
{
    int sides = basra_sides(view->players, view->partners);
    size_t width = sides == 2 ? 1 : (size_t)view->players;
    basra_status status = BASRA_OK;
    for (*done = 0; *done < count && !status; ++*done) {
        if (!world_fits(view, facts, &worlds[*done])) return BASRA_E_ARG;
        engine_recount(engine);
        const size_t before = same_world(worlds, *done);
        if (before < *done) {
            memcpy(values + *done * groups * width, values + before * groups * width,
                   groups * width * sizeof *values);
            nodes[*done] = 0;
        } else {
            status = search_world(engine, rules, view, facts, model, &worlds[*done], groups,
                                  values + *done * groups * width);
            nodes[*done] = engine->nodes;
            if (engine_halted(engine)) break;
        }
        /* Many small worlds must not outrun the clock, which a search looks at only now and then. */
        if (engine_look_around(engine)) {
            ++*done;
            break;
        }
    }
    return status;
}

basra_status basra_world_values(basra_engine *engine, const basra_rules *rules,
                                const basra_view *view, const basra_model *model,
                                const basra_world *worlds, size_t count, const basra_limits *limits,
                                size_t groups, int32_t *values, uint64_t *nodes, size_t *done,
                                basra_stop *stop)
{
    basra_facts facts;
    *done = 0;
    basra_status status = view_facts(rules, view, &facts);
    if (!status) status = engine_enter(engine, limits);
    if (status) return status;
    status = worlds_values(engine, rules, view, &facts, model, worlds, count, groups, values, nodes,
                           done);
    *stop = engine->stopped;
    engine_leave(engine);
    return status;
}

static basra_status list_moves(const basra_view *view, const basra_facts *facts,
                               search_problem *problem, const card_types *cards,
                               move_memory *memory, basra_scored *moves, size_t capacity,
                               size_t *count, size_t *groups)
{
    /* Only my own hand matters here. */
    problem_setup setup = {.floor = view->floor,
                           .unsearched = facts->stock,
                           .players = view->players,
                           .partners = view->partners,
                           .turn = (uint8_t)view->seat,
                           .last = BASRA_NO_SEAT};
    setup.hand[view->seat] = view->hand;
    search_node root;
    problem_init(&memory->lore, &setup, problem, &root);
    int held = 0;
    for (int seat = 0; seat < view->players; seat++) held += facts->hand_size[seat];
    bool last = facts->last_deal && held == 1;
    *groups = generate_canonical(problem, &root.place, memory, 0);
    basra_status status = memory->failed;
    memory->failed = BASRA_OK;
    if (status) return status;
    return root_moves(problem, cards, memory->moves, *groups, view->hand, view->floor, last,
                      &memory->work, moves, capacity, count);
}

basra_status worlds_moves(basra_engine *engine, const basra_rules *rules, const basra_view *view,
                          const basra_facts *facts, basra_scored *moves, size_t capacity,
                          size_t *count, size_t *groups)
{
    engine_types(engine, rules);
    return list_moves(view, facts, &engine->problem, &engine->cards, &engine->memory, moves,
                      capacity, count, groups);
}

basra_status basra_view_moves(const basra_rules *rules, const basra_view *view, basra_scored *moves,
                              size_t capacity, size_t *count, size_t *groups)
{
    basra_facts facts;
    basra_status status = view_facts(rules, view, &facts);
    if (status) return status;
    typedef struct listing {
        search_problem problem;
        card_types types, cards;
        move_memory memory;
    } listing;
    listing *l = basra_calloc(1, sizeof *l);
    if (!l) return BASRA_E_NOMEM;
    types_init(rules, false, &l->types);
    types_init(rules, true, &l->cards);
    generate_for(&l->types, &l->memory);
    status = list_moves(view, &facts, &l->problem, &l->cards, &l->memory, moves, capacity, count,
                        groups);
    generate_free(&l->memory);
    basra_free(l);
    return status;
}

/* Cards that would make a basra, or take the whole floor, were they played next. */
static void answers(const basra_rules *rules, uint64_t floor, uint64_t cards, bool last,
                    basra_reply *reply)
{
    card_types types;
    types_init(rules, true, &types);
    for (uint64_t rest = cards; rest;) {
        int card = set_pop(&rest);
        if (card_rank(card) == RANK_JACK || card == types.sweeper)
            reply->sweep_cards |= SET_OF(card);
        if (last && !rules->basra_on_last) continue;
        if (captures_whole(&types, floor, card) && capture_basra(&types, floor, card, floor))
            reply->basra_cards |= SET_OF(card);
    }
}

basra_status basra_reply_cards(const basra_rules *rules, const basra_view *view,
                               const basra_move *move, basra_reply *reply)
{
    basra_facts facts;
    basra_status status = view_facts(rules, view, &facts);
    if (status) return status;
    *reply = (basra_reply){0};
    if (move->card >= BASRA_CARDS || !(view->hand & SET_OF(move->card))) return BASRA_E_MOVE;
    int next = (view->seat + 1) % view->players, others = -set_count(view->hand);
    for (int seat = 0; seat < view->players; seat++) others += facts.hand_size[seat];
    bool last_of_deal = !others && set_count(view->hand) == 1;
    if (last_of_deal && !facts.stock) return BASRA_OK; /* the round is over */
    uint64_t floor = move->taken ? view->floor & ~move->taken : view->floor | SET_OF(move->card);
    reply->pool = facts.unseen;
    if (last_of_deal) {
        /* The next seat gets a new hand. */
        next_hand hand;
        status = view_next_hand(rules, view, &facts, next, &hand);
        if (status) return status;
        reply->pool = hand.pool;
        reply->fixed = hand.fixed;
        reply->draws = (uint8_t)hand.draws;
    } else {
        /* A card that may have been played unnoticed counts as any other unseen one. */
        reply->pool |= facts.maybe[next];
        reply->fixed = facts.fixed[next];
        reply->draws = (uint8_t)(facts.hand_size[next] - set_count(reply->fixed));
    }
    bool last_of_round = facts.last_deal && others == 1 && set_count(view->hand) == 1;
    if (floor) answers(rules, floor, reply->pool | reply->fixed, last_of_round, reply);
    return BASRA_OK;
}
