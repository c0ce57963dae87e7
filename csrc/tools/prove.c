/* prove: the solver against the plain reference solver, on positions of every kind.
 *
 * For all presets and some odd rules, at both tables of two sides: positions of the last deals, from
 * their start or within, reached by random play or made up with any floor; values, the value of every
 * root move, and the line; with tables of the default and of the smallest size.  Then whole rounds.
 * Every position has dice of its own, so that a run can be repeated in parts.
 */
#include "../game/position.h"
#include "reference.h"
#include "sample.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MOVES_ROOM = BASRA_MAX_CAPTURES,
    SMALL_TREE = 24,   /* cards left that the reference solves in a moment */
    WIDE_TREE = 14,    /* the same where there are more moves */
    TINY_TREE = 16,    /* the same for the solver with hardly a table */
    TINY_EVERY = 16,   /* two positions in so many go to that as well */
    LARGE_TREE = 32,   /* cards left in a few positions of partnerships: */
    LARGE_EVERY = 1001, /* one in so many, odd so that all kinds have their turn */
    DIFFERENCES = 10,  /* shown of each table */
    SMALL_BYTES = 1 << 20, /* the reference's table for positions, and for rounds */
    LARGE_BYTES = 64 << 20
};

/* 37 types of cards. */
#define MANY_TYPES                                                                         \
    "classic+card_points=AC.1,AD.-2,AH.3,AS.4,2C.-5,2D.6,2H.7,3C.1,3D.2,3H.-3,5S.2,6C.-1," \
    "7C.3,8C.1,8D.2,8H.3,8S.4,JC.1,JD.-2,JH.3,QC.2,QD.1,QH.-1,KC.5,KD.-5"

/* Rules that presets do not reach: duties, free choice with a wild 7D, points that make being ahead
 * a drawback, more card types than fit small keys, other hands. */
static const char *const ODD_RULES[] = {
    "classic+must_capture=none",
    "classic+must_capture=hand",
    "classic+choice=any",
    "classic+card_points=A.3,2.-2,9.-1,K.-4,7D.5,TD.-3",
    MANY_TYPES,
    "classic+most_cards=0",
    "classic+basra_points=0+card_points=none+most_cards=0",
    "classic+basra_points=0+card_points=none",
    "classic+basra_points=A.3,7.21,9.4,T.1+basra_on_last=false+jack_basra=15",
    "classic+hand_size=6+seven_basra=none+seven_diamonds=plain",
    "classic+floor_size=0+hand_size=3",
    "egyptian+most_cards_tie=carry+must_capture=hand",
    "egyptian-v2+choice=any",
    "egyptian-v2+choice=any+must_capture=none",
    "palestine+must_capture=none",
    "palestine-52+seven_basra=total_ten+seven_diamonds=wild",
    "palestine-52+card_points=none+most_cards=0",
    "palestine-52+most_cards=7+most_cards_tie=carry+must_capture=hand",
};
enum { ODD_COUNT = sizeof ODD_RULES / sizeof *ODD_RULES };

typedef struct options {
    const char *rules;
    uint64_t positions, rounds, odd_positions, partner_rounds, seed;
} options;

/* Both solvers, each with a small and a large table. */
typedef struct solvers {
    basra_engine *engine, *tiny;
    reference *ref, *large_ref;
} solvers;

typedef struct tally {
    uint64_t positions, made_up, within, moves, tiny, rounds, differences;
} tally;

static basra_scored scored[MOVES_ROOM];
static int32_t wanted[MOVES_ROOM];

/* ---- one position ----------------------------------------------------------------------------- */

static void differ(const sample_table *table, const basra_position *p, const char *what,
                   int64_t found, int64_t expected, tally *t)
{
    if (t->differences++ >= DIFFERENCES) return;
    printf("%s: %" PRId64 ", the reference has %" PRId64 "\n", what, found, expected);
    sample_print(stdout, table, p);
    fflush(stdout);
}

/* The line must be legal, end the round, and bring the value. */
static void check_line(const sample_table *table, const basra_position *p, const basra_move *line,
                       const basra_solution *s, tally *t)
{
    static basra_position copy;
    copy = *p;
    int side = side_of(p->turn, p->partners);
    for (size_t i = 0; i < s->line; i++)
        if (basra_position_play(&table->rules, line[i].card, line[i].taken, &copy)) {
            differ(table, p, "illegal move in the line, at", (int64_t)i, -1, t);
            return;
        }
    int32_t before = p->points[side] - p->points[!side];
    int32_t brought = copy.points[side] - copy.points[!side] - before;
    if (!copy.over)
        differ(table, p, "cards left after the line", 1, 0, t);
    else if (brought != s->value)
        differ(table, p, "the line brings", brought, s->value, t);
}

/* wanted[] holds the value of every move, the best is the position's. */
static void check_moves(basra_engine *engine, const sample_table *table, const basra_position *p,
                        size_t count, int32_t value, tally *t)
{
    basra_move line[BASRA_CARDS];
    basra_solution s;
    sample_must(basra_solve(engine, &table->rules, p, NULL, 1, scored, MOVES_ROOM, line, &s),
                "moves");
    if (!s.known || s.value != value) differ(table, p, "value by moves", s.value, value, t);
    if (s.moves != count) {
        differ(table, p, "number of moves", (int64_t)s.moves, (int64_t)count, t);
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (!scored[i].known || scored[i].value != wanted[i])
            differ(table, p, "value of a move", scored[i].value, wanted[i], t);
    if (s.best < 0 || wanted[s.best] != value)
        differ(table, p, "value of the move called best", s.best < 0 ? 0 : wanted[s.best], value,
               t);
    check_line(table, p, line, &s, t);
    t->moves += count;
}

static void check_value(basra_engine *engine, const sample_table *table, const basra_position *p,
                        int32_t value, tally *t)
{
    basra_solution s;
    sample_must(basra_value(engine, &table->rules, p, NULL, &s), "value");
    if (!s.known || s.value != value) differ(table, p, "value", s.value, value, t);
}

static int32_t reference_best(const solvers *s, const sample_table *table, const basra_position *p,
                              size_t *count)
{
    sample_must(reference_moves(s->ref, &table->rules, p, wanted, MOVES_ROOM, count), "reference");
    int32_t best = wanted[0];
    for (size_t i = 1; i < *count; i++)
        if (wanted[i] > best) best = wanted[i];
    return best;
}

static void check_position(const solvers *s, const sample_table *table, const basra_position *p,
                           int tiny, tally *t)
{
    size_t count;
    int32_t value = reference_best(s, table, p, &count);
    check_value(s->engine, table, p, value, t);
    check_moves(s->engine, table, p, count, value, t);
    t->positions++;
    if (!tiny) return;
    check_value(s->tiny, table, p, value, t);
    check_moves(s->tiny, table, p, count, value, t);
    t->tiny++;
}

/* ---- positions -------------------------------------------------------------------------------- */

static int below(uint64_t *dice, int bound) { return (int)(sample_draw(dice) % (uint64_t)bound); }

/* Cards left, so that the reference gets through: three deals, of no more than this.  Where every card
 * may be trailed as well, or hands are large, trees are far larger. */
static int cards_within_reach(const sample_table *table)
{
    int wide = table->rules.must_capture == BASRA_MUST_NONE || table->rules.hand_size > 4;
    int most = wide ? WIDE_TREE : SMALL_TREE, deals = sample_deal_count(table);
    int three = sample_cards_left(table, deals < 3 ? deals : 3);
    return three < most ? three : most;
}

/* Cards left at position number i: half of the positions are at the start of a deal. */
static int draw_moment(const sample_table *table, int odd, uint64_t i, uint64_t *dice)
{
    int most = cards_within_reach(table), starts = 0, two = sample_cards_left(table, 2);
    if (i % LARGE_EVERY == LARGE_EVERY - 1 && !odd && two <= LARGE_TREE) return two;
    if (i % 2) return 1 + below(dice, most);
    while (starts < 3 && sample_cards_left(table, starts + 1) <= most) starts++;
    return starts ? sample_cards_left(table, 1 + below(dice, starts)) : most;
}

/* Half of the positions are made up.  Returns the cards left. */
static int draw_position(const sample_table *table, int odd, uint64_t i, uint64_t *dice,
                         basra_position *p, tally *t)
{
    int left = draw_moment(table, odd, i, dice), deals = 1;
    while (sample_cards_left(table, deals) < left) deals++;
    int plies = sample_cards_left(table, deals) - left;
    t->within += plies != 0;
    if (i % 4 < 2) {
        sample_deals(table, dice, deals, plies, p);
    } else {
        sample_made_up(table, dice, deals, plies, p);
        t->made_up++;
    }
    return left;
}

/* ---- tables ----------------------------------------------------------------------------------- */

/* Dice of one position of one table: the same whatever else is run. */
static uint64_t dice_of(const options *o, const sample_table *table, uint64_t kind, uint64_t i)
{
    uint64_t dice = o->seed * 4 + kind;
    for (const char *c = table->name; *c; c++) dice = sample_draw(&dice) ^ (uint64_t)*c;
    dice ^= (uint64_t)table->players << 32;
    return sample_draw(&dice) + i;
}

static void prove_rounds(const options *o, const solvers *s, const sample_table *table, tally *t)
{
    static basra_position p;
    uint64_t count = table->partners ? o->partner_rounds : o->rounds;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t dice = dice_of(o, table, 1, i), visits;
        int32_t value;
        sample_round(table, &dice, &p);
        sample_must(reference_value(s->large_ref, &table->rules, &p, &value, &visits), "reference");
        check_value(s->engine, table, &p, value, t);
        t->rounds++;
    }
}

static uint64_t prove_table(const options *o, const solvers *s, const sample_table *table, int odd)
{
    static basra_position p;
    tally t = {0};
    clock_t start = clock();
    uint64_t count = odd ? o->odd_positions : o->positions;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t dice = dice_of(o, table, 0, i);
        int left = draw_position(table, odd, i, &dice, &p, &t);
        check_position(s, table, &p, i % TINY_EVERY < 2 && left <= TINY_TREE, &t);
    }
    if (!odd) prove_rounds(o, s, table, &t);
    printf("%5.1f s  %s%s: %" PRIu64 " positions (%" PRIu64 " within a deal, %" PRIu64
           " made up, %" PRIu64 " with a tiny table too), %" PRIu64 " moves, %" PRIu64 " rounds: ",
           (double)(clock() - start) / CLOCKS_PER_SEC, table->name,
           table->partners ? ", partners" : "", t.positions, t.within, t.made_up, t.tiny, t.moves,
           t.rounds);
    if (t.differences)
        printf("%" PRIu64 " DIFFERENCES\n", t.differences);
    else
        printf("no difference\n");
    fflush(stdout);
    return t.differences;
}

/* Both tables of two sides, as far as the rules allow them; -1 if they allow none. */
static int64_t prove_rules(const options *o, const solvers *s, const char *rules, int odd)
{
    sample_table table;
    uint64_t differences = 0;
    int tables = 0;
    for (int partners = 0; partners <= 1; partners++) {
        if (!sample_table_read(rules, partners ? 4 : 2, partners, &table)) continue;
        differences += prove_table(o, s, &table, odd);
        tables++;
    }
    return tables ? (int64_t)differences : -1;
}

static int64_t prove_all(const options *o, const solvers *s)
{
    int64_t differences = 0;
    for (int i = 0; i < basra_preset_count() + ODD_COUNT; i++) {
        int odd = i >= basra_preset_count();
        int64_t found = odd ? prove_rules(o, s, ODD_RULES[i - basra_preset_count()], 1)
                            : prove_rules(o, s, basra_preset_name(i), 0);
        sample_must(found < 0 ? BASRA_E_RULES : BASRA_OK, "odd rules");
        differences += found;
    }
    return differences;
}

/* ---- command ---------------------------------------------------------------------------------- */

static const char USAGE[] =
    "usage: prove [options]\n"
    "  --quick             a sample that takes seconds\n"
    "  --positions N       of the last deals, a table of a preset (20000)\n"
    "  --odd-positions N   the same for other rules (2000)\n"
    "  --rounds N          whole rounds of two players, a preset (300)\n"
    "  --partner-rounds N  of partnerships (300)\n"
    "  --rules RULES       these rules alone: a preset, or classic+choice=any, say\n"
    "  --seed N            other positions (1)\n";

static int read_number(const char *text, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = text ? strtoull(text, &end, 10) : 0;
    return text && text[0] >= '0' && text[0] <= '9' && !*end && !errno;
}

static int read_options(int argc, char **argv, options *o)
{
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
        uint64_t *number = !strcmp(name, "--positions")        ? &o->positions
                           : !strcmp(name, "--odd-positions")  ? &o->odd_positions
                           : !strcmp(name, "--rounds")         ? &o->rounds
                           : !strcmp(name, "--partner-rounds") ? &o->partner_rounds
                           : !strcmp(name, "--seed")           ? &o->seed
                                                               : NULL;
        if (!strcmp(name, "--quick")) {
            o->positions = 200;
            o->odd_positions = 40;
            o->rounds = 3;
            o->partner_rounds = 0;
        } else if (!strcmp(name, "--rules") && next) {
            o->rules = next;
            i++;
        } else if (!number || !read_number(next, number)) {
            return 0;
        } else {
            i++;
        }
    }
    return 1;
}

int main(int argc, char **argv)
{
    options o = {
        .positions = 20000, .odd_positions = 2000, .rounds = 300, .partner_rounds = 300, .seed = 1};
    solvers s;
    if (!read_options(argc, argv, &o)) {
        fputs(USAGE, stderr);
        return 2;
    }
    sample_must(basra_engine_new(0, &s.engine), "engine");
    sample_must(basra_engine_new(1, &s.tiny), "engine");
    s.ref = reference_new(SMALL_BYTES);
    s.large_ref = reference_new(LARGE_BYTES);
    sample_must(s.ref && s.large_ref ? BASRA_OK : BASRA_E_NOMEM, "reference");
    int64_t differences = o.rules ? prove_rules(&o, &s, o.rules, 0) : prove_all(&o, &s);
    reference_free(s.large_ref);
    reference_free(s.ref);
    basra_engine_free(s.tiny);
    basra_engine_free(s.engine);
    if (differences < 0) {
        fprintf(stderr, "prove: no rules %s, or no table of two sides\n", o.rules);
        return 2;
    }
    if (!differences) printf("no difference\n");
    return differences != 0;
}
