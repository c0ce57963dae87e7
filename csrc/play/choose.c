/* One decision: lists the moves, has the player's method mark them, and takes the best. */
#include "../game/memory.h"
#include "../game/random.h"
#include "../knowledge/view.h"
#include "../search/worlds_search.h"
#include "player.h"

#include <string.h>

enum { EFFORT_MOST = 1 << 24, PERCENT = 100, TRUST_MOST = 400 };

typedef basra_status (*method)(decision *d);

static const method METHODS[BASRA_METHOD_END] = {
    [BASRA_METHOD_RANDOM] = choose_random,         [BASRA_METHOD_GREEDY] = choose_greedy,
    [BASRA_METHOD_ENDGAME] = choose_endgame,       [BASRA_METHOD_CAREFUL] = choose_careful,
    [BASRA_METHOD_POLICY] = choose_policy,         [BASRA_METHOD_WORLDS] = choose_worlds,
    [BASRA_METHOD_EXPECTIMAX] = choose_expectimax, [BASRA_METHOD_ISMCTS] = choose_ismcts,
    [BASRA_METHOD_MO_ISMCTS] = choose_mo_ismcts,   [BASRA_METHOD_BEST] = choose_best,
};

const basra_move *decision_move(const decision *d, size_t group)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->moves[i].group == group) return &d->moves[i].move;
    return &d->moves[0].move;
}

static bool player_valid(const basra_rules *rules, const basra_player *p)
{
    return p->method >= 0 && p->method < BASRA_METHOD_END && p->effort <= EFFORT_MOST &&
           p->trust >= 0 && p->trust <= TRUST_MOST && p->memory >= 0 && p->memory <= PERCENT &&
           p->noise >= 0 && p->noise <= RULES_MAX_POINTS * BASRA_UNIT && p->explore >= 0 &&
           p->explore <= RULES_MAX_POINTS * BASRA_UNIT && p->objective >= 0 &&
           p->objective < BASRA_OBJECTIVE_END &&
           (!p->model || p->model->rules_number == basra_rules_number(rules));
}

basra_status marks_by_world_open(marks_by_world *marks, size_t groups, size_t worlds)
{
    marks->value = basra_calloc(worlds * groups, sizeof *marks->value);
    marks->weight = basra_calloc(worlds, sizeof *marks->weight);
    if (!marks->value || !marks->weight) return BASRA_E_NOMEM;
    marks->worlds = worlds;
    return BASRA_OK;
}

void marks_by_world_free(marks_by_world *marks)
{
    basra_free(marks->value);
    basra_free(marks->weight);
    *marks = (marks_by_world){0};
}

/* Which mark is the best; equal ones are drawn for. */
static size_t best_mark(const decision *d)
{
    random_stream dice = random_open(d->dice, STREAM_CHOICE, 0);
    size_t best = 0;
    uint32_t equal = 1;
    for (size_t group = 1; group < d->groups; group++) {
        if (d->mark[group] < d->mark[best]) continue;
        if (d->mark[group] > d->mark[best])
            equal = 1;
        else if (random_below(&dice, ++equal))
            continue;
        best = group;
    }
    return best;
}

/* Misjudges every mark a little: a sum of four even draws, about normal, of deviation `noise`. */
static void misjudge(decision *d)
{
    random_stream dice = random_open(d->dice, STREAM_NOISE, 0);
    for (size_t group = 0; group < d->groups; group++) {
        int64_t sum = 0;
        for (int i = 0; i < 4; i++) sum += (int64_t)(random_next(&dice) >> 48) - (1 << 15);
        /* One even draw of 2^16 has deviation 2^16 / sqrt(12), four of them 2^16 / sqrt(3). */
        d->mark[group] += d->player->noise * sum * 1774 / (1 << 10) / (1 << 16);
    }
}

static basra_status decide(decision *d, basra_choice *choice)
{
    basra_status status = BASRA_OK;
    if (d->groups > 1) status = METHODS[d->player->method](d);
    choice->work = d->work;
    if (status) return status;
    if (d->player->noise) misjudge(d);
    if (d->kept) {
        if (d->kept_count != d->groups) return BASRA_E_ARG;
        memcpy(d->kept, d->mark, d->groups * sizeof *d->kept);
    }
    choice->group = (uint32_t)best_mark(d);
    choice->move = *decision_move(d, choice->group);
    return BASRA_OK;
}

static basra_status list_and_decide(decision *d, basra_choice *choice)
{
    enum { USUAL = 64 };
    size_t room = USUAL;
    for (;;) {
        basra_scored *moves = basra_malloc(room * sizeof *moves);
        int64_t *mark = basra_calloc(room, sizeof *mark);
        basra_status status = moves && mark ? BASRA_OK : BASRA_E_NOMEM;
        if (!status)
            status = worlds_moves(d->engine, d->rules, d->view, &d->facts, moves, room, &d->count,
                                  &d->groups);
        d->moves = moves;
        d->mark = mark;
        if (!status) status = decide(d, choice);
        basra_free(moves);
        basra_free(mark);
        if (status != BASRA_E_BOUNDS || d->count <= room) return status;
        room = d->count;
    }
}

static basra_status choose(decision *d, const basra_limits *limits, basra_choice *choice)
{
    *choice = (basra_choice){0};
    if (!player_valid(d->rules, d->player)) return BASRA_E_ARG;
    basra_status status = view_facts(d->rules, d->view, &d->facts);
    if (!status) status = engine_enter(d->engine, limits);
    if (status) return status;
    status = list_and_decide(d, choice);
    choice->stop = d->engine->stopped;
    engine_leave(d->engine);
    return status;
}

basra_status player_choose(basra_engine *engine, const basra_rules *rules,
                           const basra_player *player, const basra_view *view, uint64_t seed,
                           uint64_t dice, const basra_limits *limits, basra_choice *choice)
{
    decision d = {.engine = engine,
                  .rules = rules,
                  .player = player,
                  .view = view,
                  .seed = seed,
                  .dice = dice};
    return choose(&d, limits, choice);
}

basra_status basra_choose(basra_engine *engine, const basra_rules *rules,
                          const basra_player *player, const basra_view *view, uint64_t seed,
                          const basra_limits *limits, basra_choice *choice)
{
    return player_choose(engine, rules, player, view, seed, seed, limits, choice);
}

basra_status player_marks(basra_engine *engine, const basra_rules *rules,
                          const basra_player *player, const basra_view *view, uint64_t seed,
                          const basra_limits *limits, size_t groups, int64_t *marks,
                          marks_by_world *by_world, basra_choice *choice)
{
    decision d = {.engine = engine,
                  .rules = rules,
                  .player = player,
                  .view = view,
                  .seed = seed,
                  .dice = seed,
                  .kept = marks,
                  .kept_count = groups,
                  .by_world = by_world};
    return choose(&d, limits, choice);
}
