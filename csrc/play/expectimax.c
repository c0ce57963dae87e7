/* The expectimax player: the best mean over hidden hands against others who play as the policy does.
 *
 * All plays are public, so the tree is one of plays.  At my turn one move is chosen for all worlds that may
 * be: the one with the best weighted mean.  At another seat's turn every world goes where the policy, with the
 * hand held there, sends it: its weight is divided among the plays by their chances, so a play that is seen
 * also tells which worlds are the likelier ones from there on.
 */
#include "expectimax.h"

#include "../game/memory.h"
#include "../knowledge/belief.h"
#include "../model/exponent.h"
#include "../search/maxn.h"

#include <string.h>

/* Set from docs/strength-expectimax.md. */
enum { USUAL_WORLDS = 40, USUAL_WORLDS_OF_MORE = 12 };

/* Places that a tree to the end of the deal may have in a world, every card of a hand counted as one play; and ways
 * through one that ends before, where each way costs a search. */
enum { PLACES_MOST = 2500, WAYS_MOST = 100 };

static basra_status value_of(expectimax *s, const expected_place *place, int depth, size_t first,
                             size_t count, int64_t *value);

/* ---- places ----------------------------------------------------------------------------------- */

/* Cards of a side, less those of the best other. */
static int lead_of(const expectimax *s, const expected_place *place, int side)
{
    int best = -BASRA_CARDS;
    for (int other = 0; other < s->sides; other++)
        if (other != side && place->cards[other] > best) best = place->cards[other];
    return place->cards[side] - best;
}

static policy_scene scene_of(const expectimax *s, const expected_place *place)
{
    const decision *d = s->d;
    return (policy_scene){.floor = place->floor,
                          .gone = place->gone,
                          .cards = place->held[place->turn],
                          .deals_left = d->facts.deals - d->view->deal,
                          .table = model_table(d->view->players, d->view->partners),
                          .lead = lead_of(s, place, side_of(place->turn, d->view->partners)),
                          .last = d->facts.last_deal && place->left == 1};
}

static expected_place root_of_view(const expectimax *s)
{
    const basra_view *view = s->d->view;
    const card_types *types = &s->net->shape.types;
    expected_place root = {.floor = types_bag(types, view->floor),
                           .gone = types_bag(types, view->seen),
                           .last = BASRA_NO_SEAT,
                           .turn = view->seat};
    for (int seat = 0; seat < view->players; seat++) {
        root.held[seat] = s->d->facts.hand_size[seat];
        root.left += root.held[seat];
    }
    for (int side = 0; side < s->sides; side++) root.cards[side] = view->cards[side];
    return root;
}

static expected_place place_after(const expectimax *s, const expected_place *place,
                                  const policy_play *play)
{
    expected_place next = *place;
    bag card = s->net->shape.types.unit[play->type];
    int side = side_of(place->turn, s->d->view->partners);
    next.floor = play->left;
    next.played[place->turn] += card;
    next.held[place->turn]--;
    next.turn = (place->turn + 1) % s->d->view->players;
    next.left--;
    if (!play->cards) return next;
    next.gone += play->taken + card;
    next.gain[side] += play->basra + play->points;
    next.cards[side] += play->cards;
    next.last = side;
    return next;
}

/* ---- my turn ---------------------------------------------------------------------------------- */

/* Counts a place in so many worlds; true if the search must end. */
static bool count_places(expectimax *s, size_t count)
{
    while (count-- > 0)
        if (engine_tick(s->d->engine)) return true;
    return false;
}

/* Lists my plays; they stand in the plain board of this depth. */
static basra_status list_own(expectimax *s, const expected_place *place, int depth, size_t first,
                             size_t *plays)
{
    policy_board *board = &s->plain[depth];
    policy_scene scene = scene_of(s, place);
    bag hand = s->hand[s->stack[first].world][place->turn] - place->played[place->turn];
    policy_board_set(board, &scene);
    return policy_scores(board, hand, plays);
}

static int64_t total_of(const expectimax *s, size_t first, size_t count, const int64_t *value)
{
    int64_t total = 0;
    for (size_t i = first; i < first + count; i++) total += value[s->stack[i].world];
    return total;
}

static void copy_values(const expectimax *s, size_t first, size_t count, const int64_t *from,
                        int64_t *to)
{
    for (size_t i = first; i < first + count; i++) to[s->stack[i].world] = from[s->stack[i].world];
}

static basra_status own_turn(expectimax *s, const expected_place *place, int depth, size_t first,
                             size_t count, int64_t *value)
{
    int64_t *tried = s->trial + 2 * (size_t)depth * s->worlds, *best = tried + s->worlds;
    int64_t most = INT64_MIN;
    size_t plays;
    if (count_places(s, count)) return BASRA_E_STOPPED;
    basra_status status = list_own(s, place, depth, first, &plays);
    for (size_t i = 0; i < plays && !status; i++) {
        expected_place next = place_after(s, place, s->plain[depth].scored[i].play);
        for (size_t k = first; k < first + count; k++) tried[s->stack[k].world] = 0;
        status = value_of(s, &next, depth + 1, first, count, tried);
        int64_t total = total_of(s, first, count, tried);
        if (total <= most) continue;
        most = total;
        copy_values(s, first, count, tried, best);
    }
    for (size_t k = first; k < first + count && !status; k++)
        value[s->stack[k].world] += best[s->stack[k].world];
    return status;
}

/* ---- another seat's turn ---------------------------------------------------------------------- */

/* Makes room on the stack for so many more above the top. */
static basra_status need_stack(expectimax *s, size_t top, size_t more)
{
    enum { LEAST = 4096 };
    if (top + more <= s->stack_room) return BASRA_OK;
    size_t room = 2 * (top + more) + LEAST;
    expected_world *stack = basra_realloc(s->stack, room * sizeof *stack);
    if (!stack) return BASRA_E_NOMEM;
    s->stack = stack;
    s->stack_room = room;
    return BASRA_OK;
}

/* The plays of a hand with their chances, in board->scored of the board that is returned: a single play needs
 * no weighing. */
static basra_status weigh(expectimax *s, const expected_place *place, int depth, bag hand,
                          size_t *plays)
{
    policy_board *board = &s->board[depth], *plain = &s->plain[depth];
    if (place->held[place->turn] > 1) return policy_chances(board, hand, plays);
    basra_status status = policy_scores(plain, hand, plays);
    if (status) return status;
    if (*plays == 1) {
        plain->scored[0].chance = CHANCE_ONE;
        return BASRA_OK;
    }
    /* Both boards list the plays of a hand in the same order. */
    status = policy_chances(board, hand, plays);
    for (size_t i = 0; i < *plays && !status; i++)
        plain->scored[i].chance = board->scored[i].chance;
    return status;
}

/* Divides the weight of a world among the plays of its hand: what rounding leaves goes to the likeliest. */
static size_t divide(const policy_board *board, size_t plays, expected_world from,
                     expected_world *into)
{
    size_t likeliest = 0, count = 0;
    uint64_t rest = from.weight;
    for (size_t i = 0; i < plays; i++) {
        if (board->scored[i].chance > board->scored[likeliest].chance) likeliest = i;
        rest -= from.weight * board->scored[i].chance >> CHANCE_BITS;
    }
    for (size_t i = 0; i < plays; i++) {
        uint64_t weight = from.weight * board->scored[i].chance >> CHANCE_BITS;
        if (i == likeliest) weight += rest;
        if (!weight) continue;
        into[count++] = (expected_world){.world = from.world,
                                         .play = (uint32_t)(board->scored[i].play - board->plays),
                                         .weight = weight};
    }
    return count;
}

/* Where the plays of a turn and the worlds in which they are made stand on the stack. */
typedef struct parting {
    size_t worlds, end; /* worlds in all plays; one after the last */
    policy_board *board; /* lists the plays */
} parting;

static basra_status part(expectimax *s, const expected_place *place, int depth, size_t first,
                         size_t count, size_t top, parting *p)
{
    policy_scene scene = scene_of(s, place);
    p->board = place->held[place->turn] > 1 ? &s->board[depth] : &s->plain[depth];
    p->worlds = p->end = top;
    policy_board_set(&s->board[depth], &scene);
    policy_board_set(&s->plain[depth], &scene);
    for (size_t i = 0; i < count; i++) {
        size_t plays;
        expected_world from = s->stack[first + i];
        bag hand = s->hand[from.world][place->turn] - place->played[place->turn];
        if (engine_tick(s->d->engine)) return BASRA_E_STOPPED;
        basra_status status = weigh(s, place, depth, hand, &plays);
        if (!status) status = need_stack(s, p->end, plays);
        if (status) return status;
        p->end += divide(p->board, plays, from, s->stack + p->end);
    }
    return BASRA_OK;
}

/* Chains the worlds of each play, in their order; the chain of play n begins in stack[heads + n]. */
static void chain(expectimax *s, const parting *p, size_t heads)
{
    for (size_t n = 0; n < p->board->count; n++) s->stack[heads + n].play = UINT32_MAX;
    for (size_t i = p->end; i-- > p->worlds;) {
        uint32_t play = s->stack[i].play;
        s->stack[i].play = s->stack[heads + play].play;
        s->stack[heads + play].play = (uint32_t)i;
    }
}

static basra_status others_turn(expectimax *s, const expected_place *place, int depth, size_t first,
                                size_t count, int64_t *value)
{
    parting p;
    /* Worlds on the way here end where this range does. */
    basra_status status = part(s, place, depth, first, count, first + count, &p);
    if (status) return status;
    size_t heads = p.end, plays = p.board->count, child = heads + plays;
    status = need_stack(s, heads, plays + count);
    if (status) return status;
    chain(s, &p, heads);
    for (size_t n = 0; n < plays && !status; n++) {
        size_t here = 0;
        status = need_stack(s, child, count);
        if (status) return status;
        for (uint32_t at = s->stack[heads + n].play; at != UINT32_MAX; at = s->stack[at].play)
            s->stack[child + here++] = s->stack[at];
        if (!here) continue;
        expected_place next = place_after(s, place, &p.board->plays[n]);
        status = value_of(s, &next, depth + 1, child, here, value);
    }
    return status;
}

/* ---- the tree --------------------------------------------------------------------------------- */

/* Adds to value[], by world, weight times interest of the worlds stack[first..first + count), which are the
 * stack's last. */
static basra_status value_of(expectimax *s, const expected_place *place, int depth, size_t first,
                             size_t count, int64_t *value)
{
    if (!place->left) return expected_end(s, place, first, count, value);
    if (depth >= s->horizon) return expected_open(s, place, first, count, value);
    if (place->turn == s->d->view->seat) return own_turn(s, place, depth, first, count, value);
    return others_turn(s, place, depth, first, count, value);
}

/* The mean value of one of my moves; s->table gets what it is in each world. */
static basra_status mark_move(expectimax *s, const expected_place *next, size_t group,
                              int64_t *mean)
{
    int64_t *value = s->trial, whole = 0; /* nothing else is tried at the root */
    memset(value, 0, s->worlds * sizeof *value);
    basra_status status = value_of(s, next, 1, 0, s->worlds, value);
    if (status) return status;
    for (size_t w = 0; w < s->worlds; w++) {
        int64_t weight = (int64_t)s->stack[w].weight;
        whole += weight;
        if (s->table)
            s->table[w * s->d->groups + group] = (int32_t)(value[w] / (weight * (s->sides - 1)));
    }
    *mean = total_of(s, 0, s->worlds, value) / (whole * (s->sides - 1));
    return BASRA_OK;
}

/* Marks of all moves with a horizon; those there were stay if it is not reached. */
static basra_status mark(expectimax *s, int horizon, int64_t *marks)
{
    decision *d = s->d;
    const expected_place root = root_of_view(s);
    size_t plays;
    s->horizon = horizon;
    if (count_places(s, s->worlds)) return BASRA_E_STOPPED;
    basra_status status = list_own(s, &root, 0, 0, &plays);
    if (!status && plays != d->groups) status = BASRA_E_INTERNAL;
    for (size_t group = 0; group < d->groups && !status; group++) {
        expected_place next = place_after(s, &root, s->plain[0].scored[group].play);
        status = mark_move(s, &next, group, &marks[group]);
    }
    if (status) return status;
    memcpy(d->mark, marks, d->groups * sizeof *marks);
    if (s->table) memcpy(d->by_world->value, s->table, s->worlds * d->groups * sizeof *s->table);
    return BASRA_OK;
}

/* How many plies the tree has: to the end of the deal if that is not too much, else what leaves a moderate
 * number of ways; at least one.  *ways is how many a world has through it. */
static int horizon_of(const expected_place *root, int players, uint64_t *ways)
{
    uint64_t places = 0, all = 1;
    uint8_t held[BASRA_MAX_PLAYERS];
    int seat = root->turn, short_of = 0;
    memcpy(held, root->held, sizeof held);
    for (int depth = 0; depth < root->left; depth++) {
        places += all *= held[seat]--;
        seat = (seat + 1) % players;
        if (!depth || all <= WAYS_MOST) {
            short_of = depth + 1;
            *ways = all;
        }
        if (places > PLACES_MOST) return short_of;
    }
    *ways = all;
    return root->left;
}

/* A short search first if a limit may end the long one. */
static basra_status deepen(expectimax *s, int horizon)
{
    const basra_limits *limits = &s->d->engine->limits;
    int64_t *marks = basra_malloc(s->d->groups * sizeof *marks);
    if (!marks) return BASRA_E_NOMEM;
    basra_status status = BASRA_OK;
    bool marked = false;
    if (limits->nodes || limits->time_ns) {
        status = mark(s, 1, marks);
        marked = !status;
    }
    if (!status) status = mark(s, horizon, marks);
    basra_free(marks);
    return status == BASRA_E_STOPPED && marked ? BASRA_OK : status;
}

/* ---- set-up ----------------------------------------------------------------------------------- */

static basra_status make_boards(expectimax *s)
{
    const capture_work *work = &s->d->engine->memory.work;
    s->board = basra_calloc((size_t)s->plies, sizeof *s->board);
    s->plain = basra_calloc((size_t)s->plies, sizeof *s->plain);
    if (!s->board || !s->plain) return BASRA_E_NOMEM;
    for (int depth = 0; depth < s->plies; depth++) {
        s->board[depth] = (policy_board){.shape = &s->net->shape, .net = s->net};
        s->plain[depth] = (policy_board){.shape = &s->net->shape};
        /* Captures on a huge floor may take long: they ask whether to go on. */
        s->board[depth].work.stopped = s->plain[depth].work.stopped = work->stopped;
        s->board[depth].work.user = s->plain[depth].work.user = work->user;
    }
    return BASRA_OK;
}

/* Hands of the worlds as bags, and weights that add up to about EXPECTED_WHOLE: so a sum of weights times
 * values stays within 62 bits whatever the rules give points for. */
static basra_status take_worlds(expectimax *s)
{
    const card_types *types = &s->net->shape.types;
    uint64_t total = 0;
    int shift = 0;
    s->hand = basra_malloc(s->worlds * sizeof *s->hand);
    if (!s->hand) return BASRA_E_NOMEM;
    basra_status status = need_stack(s, 0, s->worlds);
    if (status) return status;
    for (size_t w = 0; w < s->worlds; w++) total += s->world[w].weight;
    while (total >> shift >= EXPECTED_WHOLE) shift++;
    for (size_t w = 0; w < s->worlds; w++) {
        uint64_t weight = (s->world[w].weight >> shift) * (EXPECTED_WHOLE / (total >> shift));
        s->stack[w] = (expected_world){.world = (uint32_t)w, .weight = weight ? weight : 1};
        for (int seat = 0; seat < s->d->view->players; seat++)
            s->hand[w][seat] = types_bag(types, s->world[w].hand[seat]);
    }
    return BASRA_OK;
}

/* Room for values by world, also for those that are handed out if somebody asked. */
static basra_status make_tables(expectimax *s, bool complete)
{
    const decision *d = s->d;
    s->trial = basra_malloc((size_t)s->plies * 2 * s->worlds * sizeof *s->trial);
    if (!s->trial) return BASRA_E_NOMEM;
    if (!d->by_world) return BASRA_OK;
    s->table = basra_malloc(s->worlds * d->groups * sizeof *s->table);
    basra_status status = marks_by_world_open(d->by_world, d->groups, s->worlds);
    if (!s->table) status = BASRA_E_NOMEM;
    d->by_world->complete = complete;
    for (size_t w = 0; w < s->worlds && !status; w++) d->by_world->weight[w] = s->world[w].weight;
    return status;
}

static void close_search(expectimax *s)
{
    expected_leaves_close(s);
    for (int depth = 0; depth < s->plies; depth++) {
        if (s->board) policy_board_free(&s->board[depth]);
        if (s->plain) policy_board_free(&s->plain[depth]);
    }
    basra_free(s->board);
    basra_free(s->plain);
    basra_free(s->stack);
    basra_free(s->hand);
    basra_free(s->trial);
    basra_free(s->table);
}

static basra_status search(decision *d, const basra_world *worlds, size_t count, bool complete)
{
    const basra_view *view = d->view;
    expectimax s = {.d = d,
                    .net = d->player->model->policy,
                    .world = worlds,
                    .worlds = count,
                    .sides = basra_sides(view->players, view->partners),
                    .me = side_of(view->seat, view->partners)};
    uint64_t ways = 1;
    const expected_place root = root_of_view(&s);
    int horizon = horizon_of(&root, view->players, &ways);
    s.plies = root.left;
    basra_status status = make_boards(&s);
    if (!status) status = make_tables(&s, complete);
    if (!status) status = take_worlds(&s);
    if (!status) status = expected_leaves_open(&s, ways);
    if (!status) status = deepen(&s, horizon);
    close_search(&s);
    return status;
}

basra_status choose_expectimax(decision *d)
{
    const basra_model *model = d->player->model;
    size_t most = d->player->effort, count = 0;
    bool complete;
    if (!most) most = d->view->players == 2 ? USUAL_WORLDS : USUAL_WORLDS_OF_MORE;
    if (!model || !model->policy) return BASRA_E_MODEL;
    basra_world *worlds = basra_malloc(most * sizeof *worlds);
    if (!worlds) return BASRA_E_NOMEM;
    basra_status status = belief_worlds(d->rules, d->view, model, d->player->trust, d->seed, most,
                                        true, worlds, &count, &complete);
    if (!status) status = search(d, worlds, count, complete);
    d->work = d->engine->nodes;
    basra_free(worlds);
    return status;
}
