/* The worlds player: the mean value of every move over hidden hands that fit. */
#include "../game/memory.h"
#include "../knowledge/belief.h"
#include "../search/maxn.h"
#include "../search/worlds_search.h"
#include "player.h"

#include <string.h>

enum { USUAL_WORLDS = 160, USUAL_WORLDS_OF_MORE = 12, AT_ONCE = 16 };

/* Adds a few worlds' values to the marks. */
static void add_up(decision *d, const basra_world *worlds, const int32_t *values, size_t count)
{
    size_t players = d->view->players;
    bool two = basra_sides(d->view->players, d->view->partners) == 2;
    for (size_t w = 0; w < count; w++)
        for (size_t group = 0; group < d->groups; group++) {
            const int32_t *at = values + (w * d->groups + group) * (two ? 1 : players);
            int64_t value = two ? *at : maxn_interest((int)players, at, 0);
            d->mark[group] += value * (int64_t)worlds[w].weight;
        }
}

static basra_status search(decision *d, const basra_world *worlds, size_t count, int32_t *values)
{
    uint64_t nodes[AT_ONCE], weight = 0;
    for (size_t first = 0; first < count; first += AT_ONCE) {
        size_t here = count - first < AT_ONCE ? count - first : AT_ONCE, done = 0;
        basra_status status =
            worlds_values(d->engine, d->rules, d->view, &d->facts, d->player->model, worlds + first,
                          here, d->groups, values, nodes, &done);
        if (status) return status;
        add_up(d, worlds + first, values, done);
        for (size_t w = 0; w < done; w++) {
            d->work += nodes[w];
            weight += worlds[first + w].weight;
        }
        if (engine_halted(d->engine)) break;
    }
    if (!weight) return BASRA_E_STOPPED;
    for (size_t group = 0; group < d->groups; group++) d->mark[group] /= (int64_t)weight;
    return BASRA_OK;
}

basra_status choose_worlds(decision *d)
{
    size_t most = d->player->effort, count = 0, width = d->view->players;
    if (!most) most = width == 2 ? USUAL_WORLDS : USUAL_WORLDS_OF_MORE;
    bool complete;
    basra_world *worlds = basra_malloc(most * sizeof *worlds);
    int32_t *values = basra_malloc(AT_ONCE * d->groups * width * sizeof *values);
    basra_status status = worlds && values ? BASRA_OK : BASRA_E_NOMEM;
    if (!status)
        status = belief_worlds(d->rules, d->view, d->player->model, d->player->trust, d->seed, most,
                               true, worlds, &count, &complete);
    if (!status) status = search(d, worlds, count, values);
    basra_free(worlds);
    basra_free(values);
    return status;
}
