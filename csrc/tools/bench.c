/* bench: a fixed set of positions, for speed and for a signature.
 *
 * Every kind of work prints its positions, nodes and nodes per second.  The sum of the nodes is the
 * signature: it is the same on every machine, and a change of it is a change of what is computed.
 * Clocks are for people only.
 */
#include "basra.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    MOVES_ROOM = BASRA_MAX_CAPTURES,
    CAPTURE_FLOORS = 20000,
    ROUNDS = 2000,
    LAST_DEALS = 400,
    TWO_DEALS = 20,
    THREE_DEALS = 6,
    WORLD_VIEWS = 20,
    WORLDS = 40,
    VALUES_ROOM = 4096 /* groups of moves times players */
};

/* Every preset, and both search algorithms; tables of two sides come first. */
typedef struct table {
    int preset, players, partners;
} table;

static const table TABLES[] = {{0, 2, 0}, {1, 2, 0}, {2, 2, 0}, {4, 2, 0}, {3, 4, 1}, {3, 3, 0}};
enum { TABLE_COUNT = sizeof TABLES / sizeof *TABLES, TWO_SIDED = 4 };

typedef struct score {
    uint64_t positions, nodes;
} score;

static basra_move moves[MOVES_ROOM];
static basra_scored scored[MOVES_ROOM];
static basra_world worlds[WORLDS];
static int32_t values[WORLDS * VALUES_ROOM];
static uint64_t world_nodes[WORLDS];

static void must(basra_status status, const char *what)
{
    if (!status) return;
    fprintf(stderr, "bench: %s: %s\n", what, basra_status_text((int)status));
    exit(1);
}

/* The bench's own numbers: they must not change when the library's streams do. */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int stock_left(const basra_position *p) { return p->stock_size - p->stock_next; }

/* One random legal play. */
static void play_any(const basra_rules *rules, uint64_t *dice, basra_position *p)
{
    size_t count;
    must(basra_position_moves(rules, p, moves, MOVES_ROOM, &count), "moves");
    const basra_move *m = &moves[draw(dice) % count];
    must(basra_position_play(rules, m->card, m->taken, p), "play");
}

/* A round of a table played at random until `deals` deals are left, this one included, and `plies`
 * more. */
static void play_to(const table *t, uint64_t *dice, int deals, int plies, basra_position *p)
{
    const basra_rules *rules = basra_preset_rules(t->preset);
    must(basra_position_deal(rules, t->players, t->partners, 0, draw(dice), p), "deal");
    int left = (deals - 1) * t->players * rules->hand_size;
    while (stock_left(p) > left) play_any(rules, dice, p);
    for (int i = 0; i < plies; i++) play_any(rules, dice, p);
}

static score bench_captures(void)
{
    score s = {0};
    uint64_t dice = 1;
    for (int i = 0; i < CAPTURE_FLOORS; i++) {
        const basra_rules *rules = basra_preset_rules(i % basra_preset_count());
        /* A quarter of the cards or so, as on a crowded table. */
        uint64_t floor = draw(&dice) & draw(&dice) & basra_pack(rules);
        int card = (int)(draw(&dice) % 40);
        floor &= ~(UINT64_C(1) << card);
        size_t count;
        int trail;
        must(basra_captures(rules, floor, card, moves, MOVES_ROOM, &count, &trail), "captures");
        s.nodes += count;
        s.positions++;
    }
    return s;
}

static score bench_rounds(void)
{
    score s = {0};
    uint64_t dice = 2;
    basra_position p;
    for (int i = 0; i < ROUNDS; i++) {
        const table *t = &TABLES[i % TABLE_COUNT];
        const basra_rules *rules = basra_preset_rules(t->preset);
        must(basra_position_deal(rules, t->players, t->partners, 0, draw(&dice), &p), "deal");
        while (!p.over) {
            play_any(rules, &dice, &p);
            s.nodes++;
        }
        s.positions++;
    }
    return s;
}

static score bench_solve(basra_engine *engine, uint64_t seed, int positions, int deals, int tables)
{
    score s = {0};
    basra_position p;
    basra_solution solution;
    basra_move line[BASRA_CARDS];
    for (int i = 0; i < positions; i++) {
        const table *t = &TABLES[i % tables];
        play_to(t, &seed, deals, 0, &p);
        must(basra_solve(engine, basra_preset_rules(t->preset), &p, NULL, 1, scored, MOVES_ROOM,
                         line, &solution),
             "solve");
        s.nodes += solution.nodes;
        s.positions++;
    }
    return s;
}

static score bench_worlds(basra_engine *engine)
{
    score s = {0};
    uint64_t dice = 5;
    basra_position p;
    basra_view view;
    basra_facts facts;
    basra_fault fault;
    int detail;
    for (int i = 0; i < WORLD_VIEWS; i++) {
        const table *t = &TABLES[i % TABLE_COUNT];
        const basra_rules *rules = basra_preset_rules(t->preset);
        size_t count, groups, done;
        basra_stop stop;
        play_to(t, &dice, 3, 2, &p);
        must(basra_view_of(rules, &p, &view), "view");
        must(basra_view_complete(rules, &view, &facts, &fault, &detail), "view");
        must(basra_view_moves(rules, &view, scored, MOVES_ROOM, &count, &groups), "view moves");
        must(groups * BASRA_MAX_PLAYERS > VALUES_ROOM ? BASRA_E_BOUNDS : BASRA_OK, "groups");
        must(basra_worlds_sample(rules, &view, 0, 0, WORLDS, worlds), "worlds");
        must(basra_world_values(engine, rules, &view, NULL, worlds, WORLDS, NULL, groups, values,
                                world_nodes, &done, &stop),
             "world values");
        for (size_t w = 0; w < done; w++) s.nodes += world_nodes[w];
        s.positions += done;
    }
    return s;
}

static uint64_t report(const char *kind, double start, score s)
{
    double seconds = now() - start;
    double rate = seconds > 0 ? (double)s.nodes / seconds : 0;
    printf("%-14s %5" PRIu64 " positions %10" PRIu64 " nodes %12.0f nodes/s\n", kind, s.positions,
           s.nodes, rate);
    fflush(stdout);
    return s.nodes;
}

int main(void)
{
    basra_engine *engine;
    uint64_t total = 0;
    must(basra_engine_new(0, &engine), "engine");
    double start = now();
    total += report("captures", start, bench_captures());
    start = now();
    total += report("rounds", start, bench_rounds());
    start = now();
    total += report("last deals", start, bench_solve(engine, 3, LAST_DEALS, 1, TABLE_COUNT));
    /* Single players have no cut-offs: several deals of theirs are no bench. */
    start = now();
    total += report("two deals", start, bench_solve(engine, 4, TWO_DEALS, 2, TWO_SIDED));
    start = now();
    total += report("three deals", start, bench_solve(engine, 6, THREE_DEALS, 3, TWO_SIDED));
    start = now();
    total += report("hint worlds", start, bench_worlds(engine));
    basra_engine_free(engine);
    printf("signature %" PRIu64 "\n", total);
    return 0;
}
