/* Players that look at the table and no further: the baselines. */
#include "../game/random.h"
#include "player.h"

basra_status choose_random(decision *d)
{
    random_stream dice = random_open(d->dice, STREAM_CHOICE, 1);
    for (size_t group = 0; group < d->groups; group++)
        d->mark[group] = (int64_t)(random_next(&dice) >> 2);
    return BASRA_OK;
}

int64_t decision_card_worth(const decision *d)
{
    return rules_card_worth(d->rules, d->view->carry);
}

int64_t decision_gain(const decision *d, const basra_move *move)
{
    return rules_gain(d->rules, d->view->carry, move->card, move->basra + move->points,
                      move->taken ? set_count(move->taken) + 1 : 0);
}

basra_status choose_greedy(decision *d)
{
    for (size_t group = 0; group < d->groups; group++)
        d->mark[group] = decision_gain(d, decision_move(d, group));
    return BASRA_OK;
}

basra_status choose_endgame(decision *d)
{
    return d->facts.last_deal ? choose_worlds(d) : choose_greedy(d);
}

/* Expectimax where it was measured to play better than worlds, between two players; but not in the last deal,
 * which worlds plays exactly, not for the match, and not without a policy. */
basra_status choose_best(decision *d)
{
    const basra_model *model = d->player->model;
    if (d->facts.last_deal || d->view->players > 2 || !model || !model->policy ||
        d->player->objective == BASRA_OBJECTIVE_MATCH)
        return choose_worlds(d);
    return choose_expectimax(d);
}
