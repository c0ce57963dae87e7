/* Information set Monte Carlo tree search (Cowling, Powley and Whitehouse, Information Set Monte Carlo Tree
 * Search, IEEE Transactions on Computational Intelligence and AI in Games 4, 2012).
 *
 * Every simulation draws a world, walks down a tree by upper confidence bounds among the moves that the world
 * allows, adds a node, and plays the rest of the deal at random.  With a single observer all seats share one tree
 * of plays: what the seats to answer do there is what is good on average over the hands they may hold.
 *
 * With multiple observers each seat has a tree for what it knows.  All plays in Basra are public, so trees of
 * different seats branch alike, and the one thing that a seat knows and the others do not is its own hand.  A seat's
 * statistics are therefore kept by the hand it holds in the world: one tree for each hand of each seat, and each
 * seat walks down the tree of its own.  Others answer with what is good for the hand they hold, and each of their
 * trees learns from the few simulations only in which they held it.
 */
#include "../game/memory.h"
#include "../knowledge/worlds.h"
#include "../search/evaluate.h"
#include "../search/maxn.h"
#include "../search/playout.h"
#include "player.h"
#include "tree.h"

#include <string.h>

/* Set from docs/strength-ismcts.md. */
enum { USUAL_SIMULATIONS = 5000, USUAL_EXPLORE = 40 * BASRA_UNIT };

enum { TOPS = 1024, UNKNOWN_SHARE = INT32_MIN };

/* A search going on. */
typedef struct tree_search {
    decision *d;
    playout g;
    forest f;
    worlds_sampler sampler;
    bag floor; /* of the root */
    int plies; /* to the end of the deal */
    bool plain_end; /* the last of them makes no basra */
    bool by_hand; /* multiple observers */
    int trees; /* 1, or one for each seat */
    uint32_t top[BASRA_MAX_PLAYERS]; /* where each tree begins in the world at hand */
    uint32_t here[BASRA_MAX_PLAYERS]; /* where each tree stands; NODE_NONE once it was left */
    int depth[BASRA_MAX_PLAYERS];
    uint32_t path[BASRA_MAX_PLAYERS][BASRA_CARDS]; /* below the top, `depth` of them */
    uint32_t tops[TOPS]; /* by a hash of the hand, trees in chains by `next` */
    int32_t share[2 * BASRA_CARDS + 1][BASRA_CARDS + 1]; /* by lead and cards left, of two sides */
} tree_search;

/* A move of the walk: the number of a type's move, and the node that it leads to where there is one. */
typedef struct tree_move {
    uint32_t node, index;
    uint8_t type;
} tree_move;

static int tree_of(const tree_search *s, int seat) { return s->by_hand ? seat : 0; }

/* ---- worlds ----------------------------------------------------------------------------------- */

static void fill_hand(playout *g, int seat, uint64_t hand)
{
    int n = 0;
    while (hand) g->hand[seat][n++] = g->lore->types->type_of[set_pop(&hand)];
    g->held[seat] = (uint8_t)n;
}

static void start_world(tree_search *s)
{
    const basra_view *view = s->d->view;
    playout *g = &s->g;
    basra_world world;
    worlds_sampler_draw(&s->sampler, &world);
    for (int seat = 0; seat < g->players; seat++) {
        fill_hand(g, seat, world.hand[seat]);
        g->points[seat] = 0;
        g->cards[seat] = view->cards[seat];
    }
    g->floor = s->floor;
    g->looks = looks_of(&g->lore->singles, s->floor);
    g->last = world.last < 0 ? BASRA_NO_SEAT : side_of(world.last, g->partners);
}

/* The tree of the hand that a seat holds; a new one is all that its seat's trees grow by in a simulation. */
static uint32_t top_of_hand(tree_search *s, int seat, bool *fresh)
{
    bag hand = (bag)seat << 60;
    for (int at = 0; at < s->g.held[seat]; at++)
        hand += s->g.lore->types->unit[s->g.hand[seat][at]];
    uint32_t *chain = &s->tops[hand * UINT64_C(0x9e3779b97f4a7c15) >> 54];
    for (uint32_t at = *chain; at; at = s->f.node[at].next)
        if (s->f.node[at].floor == hand) return at;
    uint32_t node = forest_add(&s->f);
    s->f.node[node].floor = hand;
    s->f.node[node].next = *chain;
    *fresh = true;
    return *chain = node;
}

static void start_trees(tree_search *s)
{
    for (int tree = 0; tree < s->trees; tree++) {
        bool fresh = false;
        if (s->by_hand) s->top[tree] = top_of_hand(s, tree, &fresh);
        s->here[tree] = fresh ? NODE_NONE : s->top[tree];
        s->depth[tree] = 0;
    }
}

/* ---- moves ------------------------------------------------------------------------------------ */

/* Types that a seat may play. */
static uint64_t playable_types(const playout *g, int seat)
{
    const card_types *types = g->lore->types;
    uint64_t held = 0, capturing = 0;
    for (int at = 0; at < g->held[seat]; at++) held |= SET_OF(g->hand[seat][at]);
    if (types->rules.must_capture != BASRA_MUST_HAND) return held;
    for (uint64_t rest = held; rest;) {
        int type = set_pop(&rest);
        if (captures_any(types, g->floor, type)) capturing |= SET_OF(type);
    }
    return capturing ? capturing : held;
}

/* Draws evenly among the moves of some types that have no node yet below one, all if that is NODE_NONE.  False
 * if there are none, or on failure. */
static bool draw_new(tree_search *s, uint32_t node, uint64_t types, tree_move *move)
{
    uint32_t missing[BASRA_CARDS], there[BASRA_CARDS], total = 0, trails;
    uint8_t type[BASRA_CARDS];
    uint64_t complete = 0;
    int count = 0;
    for (; types; count++) {
        type[count] = (uint8_t)set_pop(&types);
        there[count] = node ? forest_count(&s->f, node, type[count]) : 0;
        uint32_t moves = playout_moves(&s->g, type[count], &trails);
        if (!moves) return false;
        total += missing[count] = moves - there[count];
        if (!missing[count]) complete |= SET_OF(type[count]);
    }
    uint32_t pick = total ? random_below(&s->g.dice, total) : 0;
    int at = 0;
    for (; total && pick >= missing[at]; at++) pick -= missing[at];
    if (total && missing[at] == 1) complete |= SET_OF(type[at]);
    if (node) s->f.node[node].complete |= complete;
    /* Children of a type come in the order of its moves; where there is no node, any move will do. */
    if (total) *move = (tree_move){.type = type[at], .index = node ? there[at] : pick};
    return total != 0;
}

/* A seat's move: by its tree as far as that goes, then at random. */
static basra_status choose_move(tree_search *s, int seat, tree_move *move)
{
    uint32_t node = s->here[tree_of(s, seat)];
    uint64_t types = playable_types(&s->g, seat);
    uint64_t fresh = node ? types & ~s->f.node[node].complete : types;
    uint32_t best = node ? forest_select(&s->f, node, types) : NODE_NONE;
    if (fresh && draw_new(s, node, fresh, move)) return BASRA_OK;
    if (s->g.engine->memory.failed) return s->g.engine->memory.failed;
    if (!best) return BASRA_E_INTERNAL;
    *move = (tree_move){best, s->f.node[best].index, s->f.node[best].type};
    return BASRA_OK;
}

/* ---- walking ---------------------------------------------------------------------------------- */

/* Plays a move that has a node somewhere. */
static void replay(playout *g, int side, const tree_node *node)
{
    g->floor = node->floor;
    g->looks = node->looks;
    g->points[side] += node->gain;
    g->cards[side] += node->cards;
    if (node->cards) g->last = side;
}

/* Plays a move, and notes what it did. */
static basra_status play(playout *g, int side, const tree_move *move, tree_node *did)
{
    int32_t points = g->points[side];
    int cards = g->cards[side];
    basra_status status = playout_move(g, side, move->type, move->index);
    *did = (tree_node){.floor = g->floor,
                       .looks = g->looks,
                       .gain = g->points[side] - points,
                       .index = move->index,
                       .met = 1,
                       .type = move->type,
                       .cards = (uint8_t)(g->cards[side] - cards)};
    return status;
}

/* Takes a tree along, to the child of the move just made; a missing one is added, and the tree left there. */
static void follow(tree_search *s, int tree, const tree_node *did)
{
    uint32_t parent = s->here[tree];
    uint32_t child = forest_child(&s->f, parent, did->type, did->index);
    s->here[tree] = child;
    if (!child) {
        child = forest_add(&s->f);
        s->f.node[child] = *did;
        s->f.node[child].next = s->f.node[parent].first;
        s->f.node[parent].first = child;
    }
    s->path[tree][s->depth[tree]++] = child;
}

/* One play of a seat while some tree is not left. */
static basra_status step(tree_search *s, int seat)
{
    playout *g = &s->g;
    tree_move move = {0};
    tree_node did;
    int side = side_of(seat, g->partners), own = tree_of(s, seat);
    basra_status status = choose_move(s, seat, &move);
    if (status) return status;
    playout_drop(g, seat, playout_find(g, seat, move.type));
    if (move.node) {
        replay(g, side, &s->f.node[move.node]);
        s->here[own] = move.node;
        s->path[own][s->depth[own]++] = move.node;
        if (!s->by_hand) return BASRA_OK;
        did = s->f.node[move.node];
        did.complete = 0;
        did.total = did.mean = did.width = 0;
        did.first = did.visits = did.met = 0;
    } else {
        status = play(g, side, &move, &did);
        if (status) return status;
    }
    for (int tree = 0; tree < s->trees; tree++)
        if (s->here[tree] && !(move.node && tree == own)) follow(s, tree, &did);
    return BASRA_OK;
}

static bool all_left(const tree_search *s)
{
    for (int tree = 0; tree < s->trees; tree++)
        if (s->here[tree]) return false;
    return true;
}

/* ---- values ----------------------------------------------------------------------------------- */

/* Expected points for most cards at a boundary. */
static void share_bonus(tree_search *s, int sides, int32_t *points)
{
    playout *g = &s->g;
    int left = tally_cards(tally_up(&g->lore->worth, g->floor)) + s->d->facts.stock;
    int32_t bonus = rules_bonus(s->d->rules, s->d->view->carry) * BASRA_UNIT;
    int32_t share[BASRA_MAX_PLAYERS];
    if (sides > 2) {
        expect_majority(sides, g->cards, left, bonus, share);
        for (int side = 0; side < sides; side++) points[side] += share[side];
        return;
    }
    int32_t *known = &s->share[g->cards[0] - g->cards[1] + BASRA_CARDS][left];
    if (*known == UNKNOWN_SHARE) {
        expect_majority(2, g->cards, left, bonus, share);
        *known = share[0];
    }
    points[0] += *known;
    points[1] += bonus - *known;
}

/* The round's end. */
static void finish_round(tree_search *s, int sides, int32_t *points)
{
    playout *g = &s->g;
    int32_t won[BASRA_MAX_PLAYERS], carried;
    if (g->last >= 0) {
        int32_t leftovers = tally_up(&g->lore->worth, g->floor);
        points[g->last] += tally_points(leftovers) * BASRA_UNIT;
        g->cards[g->last] += tally_cards(leftovers);
    }
    basra_majority(s->d->rules, sides, g->cards, s->d->view->carry, won, &carried);
    for (int side = 0; side < sides; side++) points[side] += won[side] * BASRA_UNIT;
}

/* Adds up what the simulation was worth to each seat: its own points less the mean of the others'. */
static void record(tree_search *s)
{
    playout *g = &s->g;
    int sides = basra_sides(g->players, g->partners);
    int32_t points[BASRA_MAX_PLAYERS], value[BASRA_MAX_PLAYERS];
    for (int side = 0; side < sides; side++) points[side] = g->points[side] * BASRA_UNIT;
    if (s->d->facts.last_deal)
        finish_round(s, sides, points);
    else
        share_bonus(s, sides, points);
    for (int seat = 0; seat < g->players; seat++)
        value[seat] =
            (int32_t)(maxn_interest(sides, points, side_of(seat, g->partners)) / (sides - 1));
    for (int tree = 0; tree < s->trees; tree++)
        for (int ply = 0, seat = s->d->view->seat; ply < s->depth[tree]; ply++) {
            forest_record(&s->f, s->path[tree][ply], value[seat]);
            seat = seat + 1 == g->players ? 0 : seat + 1;
        }
}

/* ---- the whole -------------------------------------------------------------------------------- */

static basra_status simulate(tree_search *s)
{
    playout *g = &s->g;
    basra_status status = forest_need(&s->f, (uint32_t)s->trees);
    if (status) return status;
    start_world(s);
    start_trees(s);
    int seat = s->d->view->seat, left = s->plies;
    for (; left && !all_left(s); left--) {
        g->plain = left == 1 && s->plain_end;
        status = step(s, seat);
        if (status) return status;
        seat = seat + 1 == g->players ? 0 : seat + 1;
    }
    status = playout_rest(g, seat, left, s->plain_end);
    if (!status) record(s);
    return status;
}

/* As many simulations as wanted, or as limits allow. */
static basra_status run(tree_search *s, uint32_t simulations)
{
    basra_engine *engine = s->d->engine;
    for (uint32_t done = 0; done < simulations; done++) {
        /* A simulation is a few plies: looking around at each would cost more than playing it. */
        engine->nodes += (uint64_t)s->plies - 1;
        basra_status status = engine_tick(engine) ? BASRA_E_STOPPED : simulate(s);
        engine->memory.failed = BASRA_OK;
        if (status == BASRA_E_STOPPED && engine->stopped && done) return BASRA_OK;
        if (status) return status;
        s->d->work += (uint64_t)s->plies;
    }
    return BASRA_OK;
}

/* Marks: visits, equal ones by their mean; with noise, which is in points, the mean. */
static basra_status mark(tree_search *s)
{
    decision *d = s->d;
    uint32_t before[BASRA_CARDS], total = 0, trails, top = s->top[tree_of(s, d->view->seat)];
    start_world(s);
    for (uint64_t rest = playable_types(&s->g, d->view->seat); rest;) {
        int type = set_pop(&rest);
        before[type] = total;
        uint32_t moves = playout_moves(&s->g, type, &trails);
        if (!moves) return s->g.engine->memory.failed;
        total += moves;
    }
    if (total != d->groups) return BASRA_E_INTERNAL;
    for (size_t group = 0; group < d->groups; group++)
        d->mark[group] = d->player->noise ? INT64_MIN / 4 : 0;
    for (uint32_t at = s->f.node[top].first; at; at = s->f.node[at].next) {
        const tree_node *n = &s->f.node[at];
        if (!n->visits) continue;
        int64_t visits = d->player->noise ? 0 : (int64_t)n->visits << 34;
        d->mark[before[n->type] + n->index] = visits + n->mean;
    }
    return BASRA_OK;
}

static void open_search(decision *d, bool by_hand, uint32_t simulations, tree_search *s)
{
    const basra_view *view = d->view;
    int32_t explore = d->player->explore ? d->player->explore : USUAL_EXPLORE;
    memset(s->tops, 0, sizeof s->tops);
    for (int lead = 0; lead <= 2 * BASRA_CARDS; lead++)
        for (int left = 0; left <= BASRA_CARDS; left++) s->share[lead][left] = UNKNOWN_SHARE;
    s->d = d;
    s->by_hand = by_hand;
    s->trees = by_hand ? view->players : 1;
    playout_open(d->engine, d->rules, view->players, view->partners, &s->g);
    s->g.dice = random_open(d->seed, STREAM_TREE, 0);
    worlds_sampler_open(view, &d->facts, random_open(d->seed, STREAM_TREE, 1), &s->sampler);
    s->floor = types_bag(s->g.lore->types, view->floor);
    s->plies = 0;
    for (int seat = 0; seat < view->players; seat++) s->plies += d->facts.hand_size[seat];
    s->plain_end = d->facts.last_deal && !d->rules->basra_on_last;
    forest_open(simulations * (uint32_t)s->trees + 1, explore, &s->f);
}

static basra_status search(decision *d, bool by_hand)
{
    uint32_t simulations = d->player->effort ? d->player->effort : USUAL_SIMULATIONS;
    tree_search *s = basra_malloc(sizeof *s);
    if (!s) return BASRA_E_NOMEM;
    open_search(d, by_hand, simulations, s);
    basra_status status = forest_need(&s->f, 1);
    if (!status) {
        if (!by_hand) s->top[0] = forest_add(&s->f);
        status = run(s, simulations);
    }
    if (!status) status = mark(s);
    forest_free(&s->f);
    basra_free(s);
    return status;
}

basra_status choose_ismcts(decision *d) { return search(d, false); }

basra_status choose_mo_ismcts(decision *d) { return search(d, true); }
