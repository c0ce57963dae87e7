/* The worlds player: the mean value of every move over hidden hands that fit. */
#include "../game/memory.h"
#include "../knowledge/belief.h"
#include "../search/maxn.h"
#include "../search/worlds_search.h"
#include "match.h"
#include "player.h"

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

/* What a player for the match works with. */
typedef struct match_play {
    const equity_table *table; /* NULL: points are what counts */
    match_odds odds;
    int64_t *chance; /* by group: the sum over worlds */
    int32_t *chances; /* of the worlds searched at once */
} match_play;

/* A match player's mark is about as large as one in points, so that misjudging means the same to both: in the
 * middle of a match a point is worth about 1/200 of it, that is BASRA_UNIT * MARK_POINTS / MARK_CHANCE of
 * 1/BASRA_SURE.  Points are added for moves of the same chance. */
enum { MARK_CHANCE = 200, MARK_POINTS = 64 };

static basra_status match_begin(const decision *d, match_play *m)
{
    *m = (match_play){.table = NULL};
    if (d->player->objective != BASRA_OBJECTIVE_MATCH) return BASRA_OK;
    m->table = match_table(d->player->model, d->rules, d->view);
    if (!m->table) return BASRA_OK;
    m->chance = basra_calloc(d->groups, sizeof *m->chance);
    m->chances = basra_malloc(AT_ONCE * d->groups * sizeof *m->chances);
    return m->chance && m->chances ? BASRA_OK : BASRA_E_NOMEM;
}

/* Adds the chances of a few worlds; *done is how many of them are known. */
static basra_status add_chances(decision *d, match_play *m, const basra_world *worlds,
                                const int32_t *values, size_t *done)
{
    size_t count = *done;
    if (!m->table) return BASRA_OK;
    basra_status status = match_values(d->engine, d->rules, d->view, &d->facts, m->table, &m->odds,
                                       worlds, count, d->groups, values, m->chances, done);
    for (size_t w = 0; !status && w < *done; w++)
        for (size_t group = 0; group < d->groups; group++)
            m->chance[group] += m->chances[w * d->groups + group] * (int64_t)worlds[w].weight;
    return status;
}

static void settle(decision *d, const match_play *m, int64_t weight)
{
    for (size_t group = 0; group < d->groups; group++) {
        if (m->table)
            d->mark[group] = (m->chance[group] * MARK_CHANCE + d->mark[group]) / MARK_POINTS;
        d->mark[group] /= weight;
    }
}

/* Leaves the engine what a decision has left of its nodes; false, and the decision ends, if that is nothing. */
static bool limit_left(decision *d, uint64_t budget)
{
    if (d->work >= budget) {
        d->engine->stopped = BASRA_STOP_NODES;
        return false;
    }
    d->engine->limits.nodes = budget - d->work;
    return true;
}

static basra_status search(decision *d, const basra_world *worlds, size_t count, match_play *m,
                           int32_t *values)
{
    uint64_t nodes[AT_ONCE], weight = 0, budget = d->engine->limits.nodes;
    for (size_t first = 0, here; first < count; first += here) {
        size_t done = 0;
        here = count - first < AT_ONCE ? count - first : AT_ONCE;
        /* The limit is for the whole decision: each world gets what is left of it. */
        if (budget) here = 1;
        if (budget && !limit_left(d, budget)) break;
        basra_status status =
            worlds_values(d->engine, d->rules, d->view, &d->facts, d->player->model, worlds + first,
                          here, d->groups, values, nodes, &done);
        if (!status) status = add_chances(d, m, worlds + first, values, &done);
        if (status) return status;
        add_up(d, worlds + first, values, done);
        for (size_t w = 0; w < done; w++) {
            d->work += nodes[w];
            weight += worlds[first + w].weight;
        }
        if (done < here) d->work += d->engine->nodes;
        if (engine_halted(d->engine)) break;
    }
    if (!weight) return BASRA_E_STOPPED;
    settle(d, m, (int64_t)weight);
    return BASRA_OK;
}

basra_status choose_worlds(decision *d)
{
    size_t most = d->player->effort, count = 0, width = d->view->players;
    if (!most) most = width == 2 ? USUAL_WORLDS : USUAL_WORLDS_OF_MORE;
    bool complete;
    basra_world *worlds = basra_malloc(most * sizeof *worlds);
    int32_t *values = basra_malloc(AT_ONCE * d->groups * width * sizeof *values);
    const basra_limits *limits = &d->engine->limits;
    const bool limited = limits->nodes || limits->time_ns;
    match_play m;
    basra_status status = match_begin(d, &m);
    if (!worlds || !values) status = BASRA_E_NOMEM;
    if (!status)
        status = belief_worlds(d->rules, d->view, d->player->model, d->player->trust, d->seed, most,
                               !limited, worlds, &count, &complete);
    /* What a limit leaves of all worlds must be a fair sample of them. */
    if (!status && limited && complete) basra_worlds_shuffle(d->seed, worlds, count);
    if (!status) status = search(d, worlds, count, &m, values);
    basra_free(m.chance);
    basra_free(m.chances);
    basra_free(worlds);
    basra_free(values);
    return status;
}
