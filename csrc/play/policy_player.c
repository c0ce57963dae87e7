#include "policy_player.h"

#include "../game/memory.h"
#include "../game/position.h"
#include "../game/random.h"
#include "../knowledge/likelihood.h"
#include "player.h"

#include <string.h>

enum { STREAM_WANDER = 20 };

/* ---- playing by it ---------------------------------------------------------------------------- */

static basra_status scores_of(const basra_view *view, const basra_facts *facts,
                              const policy_net *net, size_t groups, int64_t *mark)
{
    policy_board board = {.shape = &net->shape, .net = net};
    policy_scene scene = likelihood_scene(view, facts, &net->shape, view->played_size);
    size_t count;
    policy_board_set(&board, &scene);
    basra_status status = policy_scores(&board, types_bag(&net->shape.types, view->hand), &count);
    if (!status && count != groups) status = BASRA_E_ARG;
    for (size_t i = 0; !status && i < groups; i++) mark[i] = board.scored[i].score;
    policy_board_free(&board);
    return status;
}

basra_status choose_policy(decision *d)
{
    const basra_model *model = d->player->model;
    if (!model || !model->policy) return BASRA_E_MODEL;
    d->work++;
    return scores_of(d->view, &d->facts, model->policy, d->groups, d->mark);
}

basra_status policy_view_scores(const basra_rules *rules, const basra_view *view,
                                const basra_model *model, size_t groups, int32_t *scores)
{
    basra_facts facts;
    if (!model || !model->policy) return BASRA_E_MODEL;
    basra_status status = view_facts(rules, view, &facts);
    if (status) return status;
    int64_t *mark = basra_malloc((groups + 1) * sizeof *mark);
    if (!mark) return BASRA_E_NOMEM;
    status = scores_of(view, &facts, model->policy, groups, mark);
    for (size_t i = 0; !status && i < groups; i++) scores[i] = (int32_t)mark[i];
    basra_free(mark);
    return status;
}

/* ---- material to fit it ----------------------------------------------------------------------- */

void policy_list_free(policy_list *list)
{
    basra_free(list->features);
    basra_free(list->ends);
    basra_free(list->decisions);
    basra_free(list->chosen);
    *list = (policy_list){0};
}

/* Room for `more` numbers of one size behind `count`. */
static bool grow(void **list, size_t size, size_t count, size_t more, size_t *room)
{
    if (count + more <= *room) return true;
    size_t wanted = 2 * *room + more + 256;
    void *grown = basra_realloc(*list, wanted * size);
    if (!grown) return false;
    *list = grown;
    *room = wanted;
    return true;
}

static bool grow_list(policy_list *l, size_t groups)
{
    void *features = l->features, *ends = l->ends, *decisions = l->decisions, *chosen = l->chosen;
    size_t room = l->decision_room;
    bool fits = grow(&features, sizeof *l->features, l->feature_count, groups * POLICY_ACTIVE_MOST,
                     &l->feature_room);
    l->features = features;
    fits = grow(&ends, sizeof *l->ends, l->group_count, groups, &l->group_room) && fits;
    l->ends = ends;
    fits = grow(&chosen, sizeof *l->chosen, l->decision_count, 1, &room) && fits;
    l->chosen = chosen;
    fits = grow(&decisions, sizeof *l->decisions, l->decision_count, 1, &l->decision_room) && fits;
    l->decisions = decisions;
    return fits;
}

static void append_play(const policy_board *board, bag hand, const policy_play *play,
                        policy_list *list)
{
    const policy_shape *shape = board->shape;
    uint16_t *index = list->features + list->feature_count;
    int n = policy_public_features(shape, &board->scene, play, index);
    n += policy_kept_features(shape, hand - shape->types.unit[play->type], index + n);
    n += policy_hand_features(shape, &board->scene, play, hand, index + n);
    list->feature_count += (size_t)n;
    list->ends[list->group_count++] = (uint32_t)list->feature_count;
}

static basra_status add_decision(const policy_shape *shape, const basra_view *view,
                                 const basra_facts *facts, uint32_t chosen, policy_board *board,
                                 policy_list *list)
{
    policy_scene scene = likelihood_scene(view, facts, shape, view->played_size);
    bag hand = types_bag(&shape->types, view->hand);
    size_t count;
    policy_board_set(board, &scene);
    basra_status status = policy_scores(board, hand, &count);
    if (!status && !grow_list(list, count)) status = BASRA_E_NOMEM;
    if (status) return status;
    for (size_t i = 0; i < count; i++) append_play(board, hand, board->scored[i].play, list);
    list->chosen[list->decision_count] = chosen;
    list->decisions[list->decision_count++] = (uint32_t)list->group_count;
    return BASRA_OK;
}

basra_status policy_list_add(const basra_rules *rules, const basra_view *view, uint32_t chosen,
                             policy_list *list)
{
    policy_shape shape;
    basra_facts facts;
    basra_status status = view_facts(rules, view, &facts);
    if (status) return status;
    policy_shape_init(rules, &shape);
    policy_board board = {.shape = &shape};
    status = add_decision(&shape, view, &facts, chosen, &board, list);
    policy_board_free(&board);
    return status;
}

/* A game being recorded. */
typedef struct recording {
    basra_engine *engine;
    const basra_rules *rules;
    const basra_player *player;
    const basra_limits *limits;
    uint32_t wander;
    uint64_t seed;
    policy_shape shape;
    policy_board board;
    policy_list *list;
} recording;

/* What is played: the choice, or now and then any other group's first move. */
static basra_status wander_off(const recording *r, const basra_view *view, uint64_t seed,
                               size_t groups, basra_move *move)
{
    random_stream dice = random_open(seed, STREAM_WANDER, 0);
    basra_player any = {.method = BASRA_METHOD_RANDOM, .memory = 100};
    basra_choice choice;
    if (!r->wander || groups < 2 || random_below(&dice, r->wander)) return BASRA_OK;
    basra_status status = basra_choose(r->engine, r->rules, &any, view, ~seed, r->limits, &choice);
    if (!status) *move = choice.move;
    return status;
}

static basra_status record_once(recording *r, basra_position *p)
{
    basra_view view;
    basra_facts facts;
    basra_fault fault;
    basra_choice choice;
    int detail;
    uint64_t seed = r->seed + p->played;
    basra_status status = basra_view_of(r->rules, p, &view);
    if (!status) status = basra_view_complete(r->rules, &view, &facts, &fault, &detail);
    if (!status)
        status = basra_choose(r->engine, r->rules, r->player, &view, seed, r->limits, &choice);
    if (!status && choice.stop) status = BASRA_E_STOPPED;
    if (status) return status;
    policy_list *l = r->list;
    size_t before = l->group_count, numbers = l->feature_count;
    status = add_decision(&r->shape, &view, &facts, choice.group, &r->board, l);
    if (status) return status;
    size_t groups = l->group_count - before;
    if (groups < 2) {
        l->group_count = before;
        l->feature_count = numbers;
        l->decision_count--;
    }
    status = wander_off(r, &view, seed, groups, &choice.move);
    if (!status) position_apply(r->rules, &choice.move, p);
    return status;
}

basra_status policy_record(basra_engine *engine, const basra_rules *rules,
                           const basra_player *player, uint32_t wander, uint64_t seed,
                           const basra_limits *limits, basra_position *position, policy_list *list)
{
    recording r = {engine, rules, player, limits, wander, seed, .list = list};
    basra_status status = BASRA_OK;
    policy_shape_init(rules, &r.shape);
    r.board.shape = &r.shape;
    while (!position->over && !status) status = record_once(&r, position);
    policy_board_free(&r.board);
    return status;
}
