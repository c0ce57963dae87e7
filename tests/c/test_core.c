/* The public interface from C: every function, bad input, and engines in threads.
 *
 * A plain program, so that sanitizers see nothing but the library.  What the answers should be is
 * settled by the Python suite; here they only have to be consistent.
 */
#define _POSIX_C_SOURCE 200809L
#include "basra.h"
#include "test_equity.h"
#include "test_policy.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 4096, THREADS = 4, WORLDS = 24, SECONDS_AT_MOST = 600 };

static int passed, failed;

#define CHECK(condition)                                                            \
    do {                                                                            \
        if (condition) {                                                            \
            passed++;                                                               \
        } else {                                                                    \
            failed++;                                                               \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
        }                                                                           \
    } while (0)

static const basra_rules *preset(const char *name)
{
    for (int i = 0; i < basra_preset_count(); i++)
        if (!strcmp(basra_preset_name(i), name)) return basra_preset_rules(i);
    abort();
}

static uint64_t set_of(int a, int b, int c)
{
    return UINT64_C(1) << a | UINT64_C(1) << b | UINT64_C(1) << c;
}

static uint64_t one(int card) { return UINT64_C(1) << card; }

static int count_set(uint64_t set)
{
    int n = 0;
    for (; set; set &= set - 1) n++;
    return n;
}

static int stock_left(const basra_position *p) { return p->stock_size - p->stock_next; }

/* Plays the first legal moves until so many cards are left in the stock, and `plies` more. */
static void play_down(const basra_rules *rules, int left, int plies, basra_position *p)
{
    static const size_t room = 512;
    basra_move *moves = malloc(room * sizeof *moves);
    if (!moves) abort();
    while (!p->over && (stock_left(p) > left || plies-- > 0)) {
        size_t count;
        if (basra_position_moves(rules, p, moves, room, &count)) abort();
        const basra_move *m = &moves[(size_t)(p->played * 7) % count];
        if (basra_position_play(rules, m->card, m->taken, p)) abort();
    }
    free(moves);
}

static void test_texts(void)
{
    for (int code = -2; code <= BASRA_STATUS_END + 1; code++) {
        const char *text = basra_status_text(code);
        CHECK(text && *text);
    }
    for (int code = -2; code <= BASRA_FAULT_END + 1; code++)
        CHECK(basra_fault_field(code) && basra_fault_text(code) && basra_fault_fix(code));
    for (int code = 1; code < BASRA_FAULT_END; code++)
        CHECK(*basra_fault_field(code) && *basra_fault_text(code) && *basra_fault_fix(code));
}

static void test_presets(void)
{
    basra_fault fault;
    uint8_t sizes[BASRA_CARDS];
    int count;
    CHECK(basra_preset_count() >= 5);
    CHECK(!basra_preset_name(-1) && !basra_preset_rules(-1));
    CHECK(!basra_preset_name(basra_preset_count()) && !basra_preset_rules(basra_preset_count()));
    for (int i = 0; i < basra_preset_count(); i++) {
        const basra_rules *rules = basra_preset_rules(i);
        CHECK(basra_rules_check(rules, &fault) == BASRA_OK && fault == BASRA_FAULT_NONE);
        CHECK(count_set(basra_pack(rules)) == rules->deck);
        for (int players = 1; players <= 5; players++)
            for (int partners = 0; partners <= 1; partners++) {
                if (basra_table_check(rules, players, partners, &fault)) {
                    CHECK(fault != BASRA_FAULT_NONE);
                    continue;
                }
                CHECK(basra_deal_sizes(rules, players, sizes, &count) == BASRA_OK);
                int sum = 0;
                for (int deal = 0; deal < count; deal++) sum += sizes[deal] * players;
                CHECK(sum == rules->deck - rules->floor_size);
            }
    }
    CHECK(basra_deal_sizes(preset("classic"), 5, sizes, &count) == BASRA_E_ARG);
    CHECK(basra_sides(4, 1) == 2 && basra_sides(3, 0) == 3);
}

static void test_rule_faults(void)
{
    basra_rules rules = *preset("classic");
    basra_fault fault;
    rules.deck = 40;
    CHECK(basra_rules_check(&rules, &fault) == BASRA_E_RULES && fault == BASRA_FAULT_DECK);
    rules = *preset("classic");
    rules.seven_diamonds = BASRA_SEVEN_PLAIN;
    CHECK(basra_rules_check(&rules, &fault) == BASRA_E_RULES);
    CHECK(fault == BASRA_FAULT_SEVEN_BASRA_PLAIN);
    rules = *preset("classic");
    rules.card_points[3] = 1001;
    CHECK(basra_rules_check(&rules, &fault) == BASRA_E_RULES && fault == BASRA_FAULT_CARD_POINTS);
}

static void test_captures(void)
{
    const basra_rules *rules = preset("classic");
    basra_move moves[16];
    size_t count;
    int trail;
    /* 3C on 2C and AC: both. */
    CHECK(!basra_captures(rules, set_of(0, 4, 4), 8, moves, 16, &count, &trail));
    CHECK(count == 1 && moves[0].taken == set_of(0, 4, 4) && moves[0].basra == 10 && !trail);
    CHECK(moves[0].points == 3);
    CHECK(!basra_captures(rules, 0, 8, moves, 16, &count, &trail) && !count && trail);
    CHECK(basra_captures(rules, one(8), 8, moves, 16, &count, &trail) == BASRA_E_CARD);
    CHECK(basra_captures(rules, 0, 52, moves, 16, &count, &trail) == BASRA_E_CARD);
    CHECK(basra_captures(rules, 0, -1, moves, 16, &count, &trail) == BASRA_E_CARD);
    CHECK(basra_captures(rules, one(52), 1, moves, 16, &count, &trail) == BASRA_E_CARD);
    /* Three queens under "any": seven captures. */
    rules = preset("palestine-52");
    CHECK(basra_captures(rules, set_of(44, 45, 46), 47, moves, 2, &count, &trail) ==
          BASRA_E_BOUNDS);
    CHECK(count == 7);
    CHECK(!basra_captures(rules, set_of(44, 45, 46), 47, moves, 16, &count, &trail) && count == 7);
    /* Every numeral but the ten itself. */
    uint64_t numerals = (UINT64_C(1) << 39) - 1;
    CHECK(basra_captures(rules, numerals, 39, moves, 16, &count, &trail) == BASRA_E_TOO_LARGE);
    CHECK(!basra_legal_moves(rules, set_of(0, 4, 8), one(40), 0, moves, 16, &count) && count == 3);
    CHECK(!basra_legal_moves(rules, 0, one(40), 0, moves, 16, &count) && count == 0);
    CHECK(basra_legal_moves(rules, one(1), one(1), 0, moves, 16, &count) == BASRA_E_CARD);
}

/* A whole match at a table; every play is taken back and played again. */
static void play_match(const basra_rules *rules, int players, int partners)
{
    basra_position p, before;
    basra_move moves[256];
    size_t count;
    CHECK(!basra_position_deal(rules, players, partners, players - 1, 77, &p));
    CHECK(basra_position_undo(rules, &p) == BASRA_E_OVER);
    CHECK(basra_position_next_round(rules, &p) == BASRA_E_OVER);
    for (int round = 0; round < 3; round++) {
        while (!p.over) {
            CHECK(!basra_position_moves(rules, &p, moves, 256, &count) && count);
            const basra_move *m = &moves[(size_t)(p.played * 5) % count];
            before = p;
            CHECK(!basra_position_play(rules, m->card, m->taken, &p));
            CHECK(!basra_position_undo(rules, &p));
            CHECK(p.floor == before.floor && !memcmp(p.hand, before.hand, sizeof p.hand) &&
                  !memcmp(p.points, before.points, sizeof p.points) && p.turn == before.turn);
            CHECK(basra_position_play(rules, 60, 0, &p) == BASRA_E_MOVE);
            CHECK(!basra_position_play(rules, m->card, m->taken, &p));
        }
        CHECK(basra_position_moves(rules, &p, moves, 256, &count) == BASRA_E_OVER);
        CHECK(basra_position_play(rules, 0, 0, &p) == BASRA_E_OVER);
        CHECK(!basra_position_next_round(rules, &p) && (int)p.round == round + 1);
    }
}

static void test_matches(void)
{
    basra_fault fault;
    basra_position p;
    for (int i = 0; i < basra_preset_count(); i++)
        for (int players = 2; players <= 4; players++)
            for (int partners = 0; partners <= (players == 4); partners++)
                if (!basra_table_check(basra_preset_rules(i), players, partners, &fault))
                    play_match(basra_preset_rules(i), players, partners);
    CHECK(basra_position_deal(preset("egyptian"), 3, 0, 0, 1, &p) == BASRA_E_RULES);
    CHECK(basra_position_deal(preset("egyptian"), 2, 0, 2, 1, &p) == BASRA_E_ARG);
}

static void test_packs(void)
{
    const basra_rules *rules = preset("classic");
    basra_position p;
    uint8_t pack[BASRA_CARDS];
    for (int i = 0; i < BASRA_CARDS; i++) pack[i] = (uint8_t)i;
    CHECK(!basra_position_deal_pack(rules, 2, 0, 0, pack, 52, 9, &p));
    CHECK(p.hand[0] == 15 && p.hand[1] == 240 && p.floor == 3840);
    CHECK(basra_position_deal_pack(rules, 2, 0, 0, pack, 51, 9, &p) == BASRA_E_CARD);
    pack[3] = 4;
    CHECK(basra_position_deal_pack(rules, 2, 0, 0, pack, 52, 9, &p) == BASRA_E_CARD);
    pack[3] = 255;
    CHECK(basra_position_deal_pack(rules, 2, 0, 0, pack, 52, 9, &p) == BASRA_E_CARD);
}

/* 5S 9D against KH QC on 4C AD, nothing else in play. */
static basra_position small_position(void)
{
    basra_position p = {.players = 2, .last = BASRA_UNKNOWN_SEAT};
    p.hand[0] = one(19) | one(33);
    p.hand[1] = one(50) | one(44);
    p.floor = one(12) | one(1);
    return p;
}

static void test_complete(void)
{
    const basra_rules *rules = preset("classic");
    basra_fault fault;
    int detail;
    basra_position p = small_position();
    CHECK(!basra_position_complete(rules, 0, &p, &fault, &detail));
    CHECK(p.last == BASRA_NO_SEAT && p.leader == 0 && detail == -1);
    p = small_position();
    CHECK(basra_position_complete(rules, 1, &p, &fault, &detail) == BASRA_E_POSITION);
    CHECK(fault == BASRA_FAULT_COUNTS_ADD_UP);
    p = small_position();
    p.floor |= one(19);
    CHECK(basra_position_complete(rules, 0, &p, &fault, &detail) == BASRA_E_CARD);
    CHECK(fault == BASRA_FAULT_CARD_TWICE && detail == 19);
    p = small_position();
    p.turn = 2;
    CHECK(basra_position_complete(rules, 0, &p, &fault, &detail) == BASRA_E_ARG);
    p = small_position();
    p.stock_size = 255;
    CHECK(basra_position_complete(rules, 0, &p, &fault, &detail) == BASRA_E_ARG);
    p = small_position();
    p.players = 7;
    CHECK(basra_position_complete(rules, 0, &p, &fault, &detail) == BASRA_E_RULES);
    /* Sums of such points would leave 32 bits. */
    p = small_position();
    p.points[0] = INT32_MAX;
    CHECK(basra_position_complete(rules, 0, &p, &fault, &detail) == BASRA_E_POSITION);
    CHECK(fault == BASRA_FAULT_POINTS);
}

static void test_scores(void)
{
    const basra_rules *rules = preset("classic");
    int cards[4] = {26, 26, 0, 0};
    int32_t points[4], after, scores[4] = {101, 101, 0, 0};
    basra_majority(rules, 2, cards, 30, points, &after);
    CHECK(points[0] == 0 && points[1] == 0 && after == 60);
    cards[0]++;
    basra_majority(rules, 2, cards, 30, points, &after);
    CHECK(points[0] == 60 && points[1] == 0 && after == 0);
    CHECK(basra_match_winner(rules, 2, scores) == BASRA_NO_SEAT);
    scores[1]++;
    CHECK(basra_match_winner(rules, 2, scores) == 1);
}

static int stop_at_once(void *user)
{
    ++*(int *)user;
    return 1;
}

static void test_perft(void)
{
    const basra_rules *rules = preset("palestine-52");
    basra_position p;
    uint64_t count;
    int polls = 0;
    CHECK(!basra_position_deal(rules, 2, 0, 0, 3, &p));
    CHECK(!basra_perft(rules, &p, 0, NULL, NULL, &count) && count == 1);
    CHECK(!basra_perft(rules, &p, 4, NULL, NULL, &count) && count > 100);
    CHECK(basra_perft(rules, &p, -1, NULL, NULL, &count) == BASRA_E_ARG);
    CHECK(basra_perft(rules, &p, 53, NULL, NULL, &count) == BASRA_E_ARG);
    CHECK(basra_perft(rules, &p, 40, stop_at_once, &polls, &count) == BASRA_E_STOPPED &&
          polls == 1);
}

static void test_views(void)
{
    const basra_rules *rules = preset("classic");
    basra_position p;
    basra_view view;
    basra_facts facts;
    basra_fault fault;
    int detail;
    CHECK(!basra_position_deal(rules, 2, 0, 0, 5, &p));
    play_down(rules, 24, 3, &p);
    CHECK(!basra_view_of(rules, &p, &view));
    CHECK(!basra_view_complete(rules, &view, &facts, &fault, &detail) && detail == -1);
    CHECK(view.deal == p.deal && facts.stock == stock_left(&p) && !facts.last_deal);
    play_down(rules, 0, 8, &p);
    CHECK(p.over && basra_view_of(rules, &p, &view) == BASRA_E_OVER);
    view = (basra_view){.players = 2, .seat = BASRA_UNKNOWN_SEAT, .last = BASRA_UNKNOWN_SEAT};
    CHECK(basra_view_complete(rules, &view, &facts, &fault, &detail) == BASRA_E_KNOWLEDGE);
    CHECK(fault == BASRA_FAULT_HAND_EMPTY);
    view.hand = 15;
    view.floor = 24;
    CHECK(basra_view_complete(rules, &view, &facts, &fault, &detail) == BASRA_E_CARD);
    CHECK(fault == BASRA_FAULT_CARD_TWICE && detail == 3);
}

/* Lengths that cannot be, in a view on the heap, where a sanitizer sees the first byte behind it. */
static void test_lengths(void)
{
    const basra_rules *rules = preset("classic");
    basra_facts facts;
    basra_fault fault;
    int detail;
    basra_view *view = calloc(1, sizeof *view);
    if (!view) abort();
    *view = (basra_view){.players = 2,
                         .hand = 15,
                         .floor = 240,
                         .seat = BASRA_UNKNOWN_SEAT,
                         .last = BASRA_UNKNOWN_SEAT};
    view->played_size = 60;
    for (int i = 0; i < BASRA_CARDS; i++) view->played[i].card = 4;
    CHECK(basra_view_complete(rules, view, &facts, &fault, &detail) != BASRA_OK);
    view->played_size = 0;
    view->buried_size = 255;
    CHECK(basra_view_complete(rules, view, &facts, &fault, &detail) != BASRA_OK);
    free(view);
}

static void test_replies(void)
{
    const basra_rules *rules = preset("classic");
    basra_view view = {.players = 2,
                       .hand = set_of(0, 44, 48),
                       .floor = one(16) | one(20),
                       .seat = BASRA_UNKNOWN_SEAT,
                       .last = BASRA_UNKNOWN_SEAT};
    basra_facts facts;
    basra_fault fault;
    basra_reply reply;
    int detail;
    CHECK(!basra_view_complete(rules, &view, &facts, &fault, &detail));
    basra_move move = {.card = 44};
    CHECK(!basra_reply_cards(rules, &view, &move, &reply));
    CHECK(reply.draws == 3 || reply.draws == 4);
    /* Four jacks and the seven of diamonds take all. */
    CHECK(count_set(reply.sweep_cards) == 5 && !(reply.sweep_cards & ~reply.pool));
    move.card = 200;
    CHECK(basra_reply_cards(rules, &view, &move, &reply) != BASRA_OK);
}

/* Everything a hint needs, for one view; the sum of the values. */
static int64_t value_view(basra_engine *engine, const basra_rules *rules, const basra_view *view)
{
    basra_scored *moves = calloc(ROOM, sizeof *moves);
    basra_world *worlds = calloc(WORLDS, sizeof *worlds);
    int32_t *values = calloc(WORLDS * ROOM, sizeof *values);
    uint64_t nodes[WORLDS];
    size_t count, groups, done;
    basra_stop stop;
    int64_t sum = -1;
    if (!moves || !worlds || !values) abort();
    if (!basra_view_moves(rules, view, moves, ROOM, &count, &groups) &&
        !basra_worlds_sample(rules, view, 1, 0, WORLDS, worlds) &&
        !basra_world_values(engine, rules, view, NULL, worlds, WORLDS, NULL, groups, values, nodes,
                            &done, &stop)) {
        size_t width = basra_sides(view->players, view->partners) == 2 ? 1 : view->players;
        sum = 0;
        for (size_t i = 0; i < done * groups * width; i++)
            sum = (sum * 31 + values[i]) % 1000000007;
    }
    free(moves);
    free(worlds);
    free(values);
    return sum;
}

static void make_view(const basra_rules *rules, int players, int partners, basra_view *view)
{
    basra_position p;
    basra_facts facts;
    basra_fault fault;
    int detail;
    if (basra_position_deal(rules, players, partners, 0, 21, &p)) abort();
    play_down(rules, 12 * players, 2, &p);
    if (basra_view_of(rules, &p, view)) abort();
    if (basra_view_complete(rules, view, &facts, &fault, &detail)) abort();
}

static void test_worlds(void)
{
    const basra_rules *rules = preset("classic");
    basra_view view;
    basra_world worlds[WORLDS];
    basra_position p;
    size_t count;
    make_view(rules, 2, 0, &view);
    CHECK(!basra_worlds_all(rules, &view, worlds, WORLDS, &count) && count == 0);
    CHECK(!basra_worlds_sample(rules, &view, 1, 0, WORLDS, worlds));
    for (int i = 0; i < WORLDS; i++) CHECK(worlds[i].hand[view.seat] == view.hand);
    if (basra_position_deal(rules, 2, 0, 0, 8, &p)) abort();
    play_down(rules, 0, 1, &p);
    CHECK(!basra_view_of(rules, &p, &view));
    CHECK(!basra_worlds_all(rules, &view, worlds, WORLDS, &count) && count == 1);
    int next = (p.turn + 1) % 2;
    CHECK(worlds[0].hand[next] == p.hand[next]);
}

static void test_world_values(void)
{
    const basra_rules *rules = preset("classic");
    basra_engine *engine;
    basra_view view;
    basra_world world;
    uint64_t nodes;
    int32_t value[64];
    size_t done;
    basra_stop stop;
    CHECK(!basra_engine_new(0, &engine));
    make_view(rules, 2, 0, &view);
    int64_t sum = value_view(engine, rules, &view);
    CHECK(sum >= 0 || sum != -1);
    CHECK(value_view(engine, rules, &view) == sum);
    make_view(rules, 3, 0, &view);
    CHECK(value_view(engine, rules, &view) != -1);
    make_view(rules, 4, 1, &view);
    CHECK(value_view(engine, rules, &view) != -1);
    make_view(rules, 2, 0, &view);
    CHECK(!basra_worlds_sample(rules, &view, 1, 0, 1, &world));
    CHECK(basra_world_values(engine, rules, &view, NULL, &world, 1, NULL, 60, value, &nodes, &done,
                             &stop) == BASRA_E_ARG);
    /* Worlds that do not fit the view. */
    size_t count, groups;
    basra_scored moves[64];
    CHECK(!basra_view_moves(rules, &view, moves, 64, &count, &groups));
    for (int seat = 0; seat < 2; seat++)
        if (seat != view.seat) world.hand[seat] = (UINT64_C(1) << 52) - 1;
    CHECK(basra_world_values(engine, rules, &view, NULL, &world, 1, NULL, groups, value, &nodes,
                             &done, &stop) != BASRA_OK);
    CHECK(!basra_worlds_sample(rules, &view, 1, 0, 1, &world));
    world.last = 100;
    CHECK(basra_world_values(engine, rules, &view, NULL, &world, 1, NULL, groups, value, &nodes,
                             &done, &stop) != BASRA_OK);
    basra_engine_free(engine);
}

/* Very many worlds of a node each: the deadline is seen all the same. */
static void test_deadline(void)
{
    enum { MANY = 1 << 20 };
    const basra_rules *rules = preset("classic");
    basra_engine *engine;
    basra_position p;
    basra_view view;
    size_t count, groups, done;
    basra_scored moves[64];
    basra_stop stop = BASRA_STOP_COMPLETE;
    basra_limits limits = {.time_ns = 1000000};
    if (basra_position_deal(rules, 2, 0, 0, 5, &p)) abort();
    play_down(rules, 0, 6, &p);
    CHECK(!basra_view_of(rules, &p, &view));
    CHECK(!basra_view_moves(rules, &view, moves, 64, &count, &groups));
    basra_world *worlds = calloc(MANY, sizeof *worlds);
    int32_t *values = calloc(MANY * groups, sizeof *values);
    uint64_t *nodes = calloc(MANY, sizeof *nodes);
    if (!worlds || !values || !nodes) abort();
    CHECK(!basra_engine_new(1, &engine));
    CHECK(!basra_worlds_sample(rules, &view, 1, 0, MANY, worlds));
    CHECK(!basra_world_values(engine, rules, &view, NULL, worlds, MANY, &limits, groups, values,
                              nodes, &done, &stop));
    CHECK(stop == BASRA_STOP_TIME && done < MANY);
    basra_engine_free(engine);
    free(worlds);
    free(values);
    free(nodes);
}

/* A choice that is legal, and the same again. */
static basra_status choose_twice(basra_engine *engine, const basra_rules *rules,
                                 const basra_model *model, int method, const basra_position *p,
                                 basra_choice *choice)
{
    basra_player player = {
        .model = model, .method = method, .effort = 24, .trust = 50, .memory = 100};
    basra_limits limits = {.nodes = 4000};
    basra_view view;
    basra_facts facts;
    basra_fault fault;
    basra_choice again;
    int detail;
    if (method == BASRA_METHOD_WORLDS || method == BASRA_METHOD_ENDGAME ||
        method == BASRA_METHOD_EXPECTIMAX)
        player.effort = 2;
    CHECK(!basra_view_of(rules, p, &view));
    CHECK(!basra_view_complete(rules, &view, &facts, &fault, &detail));
    basra_status status = basra_choose(engine, rules, &player, &view, 5, &limits, choice);
    CHECK(basra_choose(engine, rules, &player, &view, 5, &limits, &again) == status);
    CHECK(status || (again.move.card == choice->move.card &&
                     again.move.taken == choice->move.taken && again.work == choice->work));
    return status;
}

/* A round in which every method in turn makes the moves. */
static void play_by_methods(basra_engine *engine, const basra_rules *rules,
                            const basra_model *model, int players, int partners)
{
    basra_position p;
    basra_choice choice;
    CHECK(!basra_position_deal(rules, players, partners, 0, 77, &p));
    while (!p.over) {
        int method = p.played % BASRA_METHOD_END;
        basra_status status = choose_twice(engine, rules, model, method, &p, &choice);
        /* Without a model some methods cannot choose, and a limit may come before the first world. */
        CHECK(!model || status != BASRA_E_MODEL);
        if (status == BASRA_E_MODEL || status == BASRA_E_STOPPED)
            status = choose_twice(engine, rules, model, BASRA_METHOD_CAREFUL, &p, &choice);
        CHECK(!status);
        CHECK(!basra_position_play(rules, choice.move.card, choice.move.taken, &p));
    }
}

static void test_choices(void)
{
    static const int duties[] = {BASRA_MUST_NONE, BASRA_MUST_CARD, BASRA_MUST_HAND};
    basra_engine *engine;
    CHECK(!basra_engine_new(0, &engine));
    for (int i = 0; i < basra_preset_count(); i++)
        for (int duty = 0; duty < 3; duty++) {
            basra_rules rules = *basra_preset_rules(i);
            rules.must_capture = (uint8_t)duties[duty];
            rules.basra_on_last = duty == 1;
            basra_model *model = duty ? policy_of_odd_weights(&rules) : NULL;
            play_by_methods(engine, &rules, model, 2, 0);
            rules.tables = rules.deck == 44 ? 13 : 15;
            if (duty == 1) {
                if (rules.deck == 52) play_by_methods(engine, &rules, model, 3, 0);
                play_by_methods(engine, &rules, model, 4, 0);
                play_by_methods(engine, &rules, model, 4, 1);
            }
            basra_model_free(model);
        }
    basra_engine_free(engine);
}

static void test_solve(void)
{
    const basra_rules *rules = preset("classic");
    basra_engine *engine;
    basra_fault fault;
    basra_solution solution;
    basra_scored moves[64];
    basra_move line[BASRA_CARDS];
    int detail;
    basra_position p = small_position();
    basra_engine_free(NULL);
    CHECK(!basra_position_complete(rules, 0, &p, &fault, &detail));
    CHECK(!basra_engine_new(0, &engine));
    basra_engine_stop(engine);
    CHECK(!basra_solve(engine, rules, &p, NULL, 1, moves, 64, line, &solution));
    /* The request to stop came while nothing ran. */
    CHECK(solution.stop == BASRA_STOP_COMPLETE && solution.moves == 2 && solution.line == 4);
    CHECK(solution.best >= 0 && moves[solution.best].known);
    CHECK(basra_solve(engine, rules, &p, NULL, 1, moves, 1, line, &solution) == BASRA_E_BOUNDS);
    CHECK(solution.moves == 2);
    basra_limits limits = {.nodes = 1};
    CHECK(!basra_solve(engine, rules, &p, &limits, 1, moves, 64, line, &solution));
    CHECK(solution.stop == BASRA_STOP_NODES && solution.nodes <= 1 && solution.line == 0);
    p.over = 1;
    CHECK(basra_solve(engine, rules, &p, NULL, 1, moves, 64, line, &solution) == BASRA_E_OVER);
    basra_engine_free(engine);
}

static void test_table_sizes(void)
{
    basra_engine *engine = NULL;
    basra_status status = basra_engine_new(1, &engine);
    CHECK(!status && engine);
    basra_engine_free(engine);
    /* More than there is, and more than any number with something added to it. */
    for (size_t less = 0; less < 200; less += 7) {
        status = basra_engine_new(SIZE_MAX - less, &engine);
        CHECK(status == BASRA_E_NOMEM || status == BASRA_E_ARG);
        if (!status) basra_engine_free(engine);
    }
}

/* ---- threads ---------------------------------------------------------------------------------- */

typedef struct work {
    basra_view view;
    const basra_rules *rules;
    int64_t sum;
} work;

static void *value_in_thread(void *argument)
{
    work *w = argument;
    basra_engine *engine;
    if (basra_engine_new(1 << 16, &engine)) return NULL;
    for (int i = 0; i < 3; i++) w->sum = value_view(engine, w->rules, &w->view);
    basra_engine_free(engine);
    return NULL;
}

static void test_parallel(void)
{
    static work works[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        works[i] = (work){.rules = preset("palestine-52"), .sum = -1};
        make_view(works[i].rules, 2, 0, &works[i].view);
        CHECK(!pthread_create(&threads[i], NULL, value_in_thread, &works[i]));
    }
    for (int i = 0; i < THREADS; i++) CHECK(!pthread_join(threads[i], NULL));
    for (int i = 0; i < THREADS; i++) CHECK(works[i].sum == works[0].sum && works[i].sum != -1);
}

typedef struct long_call {
    basra_engine *engine;
    basra_position position;
    basra_solution solution;
    basra_status status;
} long_call;

/* A whole open-hand round of four single players: longer than anybody waits. */
static void *solve_for_ever(void *argument)
{
    long_call *call = argument;
    basra_scored moves[256];
    basra_move line[BASRA_CARDS];
    call->status = basra_solve(call->engine, preset("palestine-52"), &call->position, NULL, 0,
                               moves, 256, line, &call->solution);
    return NULL;
}

static void wait_ms(long ms)
{
    struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    nanosleep(&pause, NULL);
}

static void test_stop(void)
{
    static long_call call;
    pthread_t thread;
    basra_scored moves[256];
    basra_move line[BASRA_CARDS];
    basra_solution solution;
    const basra_rules *rules = preset("palestine-52");
    CHECK(!basra_engine_new(0, &call.engine));
    CHECK(!basra_position_deal(rules, 4, 0, 0, 2, &call.position));
    CHECK(!pthread_create(&thread, NULL, solve_for_ever, &call));
    wait_ms(100);
    CHECK(basra_solve(call.engine, rules, &call.position, NULL, 0, moves, 256, line, &solution) ==
          BASRA_E_BUSY);
    basra_engine_stop(call.engine);
    CHECK(!pthread_join(thread, NULL));
    CHECK((!call.status || call.status == BASRA_E_STOPPED) &&
          call.solution.stop == BASRA_STOP_REQUESTED);
    /* Usable afterwards. */
    basra_limits limits = {.nodes = 2000};
    CHECK(
        !basra_solve(call.engine, rules, &call.position, &limits, 0, moves, 256, line, &solution));
    CHECK(solution.stop == BASRA_STOP_NODES && solution.nodes <= 2000);
    limits = (basra_limits){.time_ns = 20 * 1000 * 1000};
    CHECK(
        !basra_solve(call.engine, rules, &call.position, &limits, 0, moves, 256, line, &solution));
    CHECK(solution.stop == BASRA_STOP_TIME);
    int polls = 0;
    limits = (basra_limits){.poll = stop_at_once, .user = &polls};
    CHECK(
        !basra_solve(call.engine, rules, &call.position, &limits, 0, moves, 256, line, &solution));
    CHECK(solution.stop == BASRA_STOP_INTERRUPTED && polls == 1);
    basra_engine_free(call.engine);
}

static basra_engine *stopped_engine;

/* Requests as fast as they come, for as long as a call of the other thread may last. */
static void *stop_often(void *argument)
{
    (void)argument;
    for (int i = 0; i < 20000; i++) basra_engine_stop(stopped_engine);
    return NULL;
}

/* Stops that cross the ends of calls never outlive them: a call after the last stop is whole. */
static void test_stop_race(void)
{
    const basra_rules *rules = preset("classic");
    basra_scored moves[64];
    basra_move line[BASRA_CARDS];
    basra_solution solution;
    basra_fault fault;
    pthread_t thread;
    int detail;
    basra_position p = small_position();
    CHECK(!basra_position_complete(rules, 0, &p, &fault, &detail));
    CHECK(!basra_engine_new(1, &stopped_engine));
    for (int i = 0; i < 20; i++) {
        CHECK(!pthread_create(&thread, NULL, stop_often, NULL));
        for (int n = 0; n < 200; n++)
            if (basra_solve(stopped_engine, rules, &p, NULL, 1, moves, 64, line, &solution) ==
                BASRA_E_BUSY)
                failed++;
        CHECK(!pthread_join(thread, NULL));
        CHECK(!basra_solve(stopped_engine, rules, &p, NULL, 1, moves, 64, line, &solution) &&
              solution.stop == BASRA_STOP_COMPLETE);
    }
    basra_engine_free(stopped_engine);
}

int main(void)
{
    /* A call that never ends is a failure like any other. */
    alarm(SECONDS_AT_MOST);
    test_texts();
    test_presets();
    test_rule_faults();
    test_captures();
    test_matches();
    test_packs();
    test_complete();
    test_scores();
    test_perft();
    test_views();
    test_lengths();
    test_replies();
    test_worlds();
    test_world_values();
    test_deadline();
    test_choices();
    test_solve();
    test_parallel();
    test_stop();
    test_stop_race();
    test_table_sizes();
    CHECK(equity_survives_damage(preset("classic")));
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
