/* Games between players. */
#include "../game/position.h"
#include "../game/random.h"
#include "../search/platform.h"
#include "player.h"

#include <string.h>

/* What a player with gaps in its memory has kept of the cards gone: a card that it forgot stays forgotten
 * for the round, unless it was captured in this deal. */
static void forget(const basra_player *player, uint64_t seed, const basra_position *p,
                   basra_view *view)
{
    if (player->memory >= 100) return;
    uint64_t fresh = 0;
    for (int i = 0; i < view->played_size; i++)
        if (view->played[i].taken) fresh |= view->played[i].taken | SET_OF(view->played[i].card);
    for (uint64_t rest = view->seen & ~fresh; rest;) {
        int card = set_pop(&rest);
        random_stream dice =
            random_open(seed, STREAM_FORGET, (uint64_t)p->turn << 8 | (uint64_t)card);
        if (random_below(&dice, 100) >= (uint32_t)player->memory) view->seen &= ~SET_OF(card);
    }
}

/* What the seat to move knows and has kept. */
static basra_status view_kept(const basra_rules *rules, const basra_player *player, uint64_t seed,
                              const basra_position *p, basra_view *view)
{
    basra_facts facts;
    basra_fault fault;
    int detail;
    if (p->over) return BASRA_E_OVER;
    basra_status status = basra_view_of(rules, p, view);
    if (status) return status;
    forget(player, seed ^ p->round, p, view);
    return basra_view_complete(rules, view, &facts, &fault, &detail);
}

/* Every ply of a match has a seed of its own. */
static uint64_t seed_of_ply(uint64_t seed, const basra_position *p)
{
    return seed + ((uint64_t)p->round << 8 | p->played);
}

/* Out of time or nodes before it could tell, a player takes what brings most at once. */
static basra_status choose_in_time(basra_engine *engine, const basra_rules *rules,
                                   const basra_player *player, const basra_view *view,
                                   uint64_t seed, uint64_t dice, const basra_limits *limits,
                                   basra_choice *choice)
{
    basra_status status = player_choose(engine, rules, player, view, seed, dice, limits, choice);
    if (status != BASRA_E_STOPPED ||
        (choice->stop != BASRA_STOP_NODES && choice->stop != BASRA_STOP_TIME))
        return status;
    basra_player hasty = *player;
    uint64_t work = choice->work;
    basra_stop stop = choice->stop;
    hasty.method = BASRA_METHOD_GREEDY;
    status = player_choose(engine, rules, &hasty, view, seed, dice, NULL, choice);
    choice->work += work;
    choice->stop = stop;
    return status;
}

basra_status basra_choose_at(basra_engine *engine, const basra_rules *rules,
                             const basra_player *player, uint64_t seed, const basra_limits *limits,
                             const basra_position *position, basra_choice *choice)
{
    basra_view view;
    *choice = (basra_choice){0};
    basra_status status = view_kept(rules, player, seed, position, &view);
    if (status) return status;
    uint64_t dice = seed_of_ply(seed, position);
    return choose_in_time(engine, rules, player, &view, seed, dice, limits, choice);
}

basra_status basra_play_one(basra_engine *engine, const basra_rules *rules,
                            const basra_player *player, uint64_t seed, const basra_limits *limits,
                            basra_position *position, uint64_t *work)
{
    basra_view view;
    basra_choice choice;
    basra_status status = view_kept(rules, player, seed, position, &view);
    if (status) return status;
    uint64_t own = seed_of_ply(seed, position);
    status = choose_in_time(engine, rules, player, &view, own, own, limits, &choice);
    *work += choice.work;
    if (status) return status;
    position_apply(rules, &choice.move, position);
    return BASRA_OK;
}

/* Most decisions end before a search would ask its poll function: between them it is asked here. */
static bool asked_to_stop(const basra_limits *limits, int64_t *next_ns)
{
    enum { POLL_NS = 50 * 1000 * 1000 };
    if (!limits || !limits->poll) return false;
    int64_t now = platform_now_ns();
    bool due = *next_ns && now >= *next_ns;
    if (due || !*next_ns) *next_ns = now + POLL_NS;
    return due && limits->poll(limits->user);
}

basra_status basra_play_on(basra_engine *engine, const basra_rules *rules,
                           const basra_player *const *players, int match, uint64_t seed,
                           const basra_limits *limits, basra_position *position, uint64_t *work)
{
    basra_position *p = position;
    int sides = basra_sides(p->players, p->partners);
    int64_t next_poll_ns = 0;
    if (p->over && !match) return BASRA_E_OVER;
    for (;;) {
        while (!p->over) {
            int side = side_of(p->turn, p->partners);
            const basra_limits *own = limits ? &limits[side] : NULL;
            if (asked_to_stop(own, &next_poll_ns)) return BASRA_E_STOPPED;
            basra_status status =
                basra_play_one(engine, rules, players[side], seed, own, p, &work[side]);
            if (status) return status;
        }
        if (!match) return BASRA_OK;
        int32_t scores[BASRA_MAX_PLAYERS];
        for (int side = 0; side < sides; side++) scores[side] = p->score[side] + p->points[side];
        if (basra_match_winner(rules, sides, scores) != BASRA_NO_SEAT) return BASRA_OK;
        basra_status status = basra_position_next_round(rules, p);
        if (status) return status;
    }
}
