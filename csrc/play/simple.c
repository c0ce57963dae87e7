/* Players that look at the table and no further: the baselines. */
#include "../game/random.h"
#include "player.h"

basra_status choose_random(decision *d)
{
    random_stream dice = random_open(d->seed, STREAM_CHOICE, 1);
    for (size_t group = 0; group < d->groups; group++)
        d->mark[group] = (int64_t)(random_next(&dice) >> 2);
    return BASRA_OK;
}

/* About what a card captured is worth towards most cards, in 1/BASRA_UNIT points: half of them win it. */
static int64_t card_worth(const decision *d)
{
    return (int64_t)rules_bonus(d->rules, d->view->carry) * BASRA_UNIT * 2 / d->rules->deck;
}

/* What a move brings at once; a card laid down costs its points. */
static int64_t gain_of(const decision *d, const basra_move *move)
{
    int64_t points = move->basra + move->points;
    if (!move->taken) points -= d->rules->card_points[move->card];
    int cards = move->taken ? set_count(move->taken) + 1 : 0;
    return points * BASRA_UNIT + cards * card_worth(d);
}

basra_status choose_greedy(decision *d)
{
    for (size_t group = 0; group < d->groups; group++)
        d->mark[group] = gain_of(d, decision_move(d, group));
    return BASRA_OK;
}

basra_status choose_endgame(decision *d)
{
    return d->facts.last_deal ? choose_worlds(d) : choose_greedy(d);
}
