/* regret: players in last deals, graded by the plain reference solver.
 *
 *   regret --count 100000        the worlds player on so many positions of each preset
 *   regret --count 100000 --player best --models ../src/basra/data
 *                                the best that is shipped
 *
 * Positions are those of two players in the last deal of a round, with more than one move: half of
 * them reached by random play, half by the greedy player misjudging moves.  What is hidden follows by
 * counting there, so worlds and best must lose nothing.  The reference shares no search with it.
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
    SHOWN = 5,
    REFERENCE_BYTES = 64 << 10,
    MODEL_ROOM = 1 << 20,
    PATH_ROOM = 4096
};

typedef struct options {
    const char *rules, *method, *models;
    uint64_t count, seed;
} options;

typedef struct tally {
    uint64_t positions, faults, lost;
} tally;

static const char *const METHODS[] = {"random", "greedy",     "endgame", "careful",   "policy",
                                      "worlds", "expectimax", "ismcts",  "mo-ismcts", "best"};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

static const char USAGE[] =
    "usage: regret [options]\n"
    "  --count N        positions of each preset (1000)\n"
    "  --rules RULES    these rules alone: a preset, or classic+choice=any, say\n"
    "  --player METHOD  a method of basra arena --list (worlds)\n"
    "  --models DIR     plays with the model DIR/RULES.basramodel; without, with none\n"
    "  --seed N         other positions (1)\n";

static basra_move moves[MOVES_ROOM];
static int32_t values[MOVES_ROOM];

/* A round at some point of its last deal: by random play, or by greedy play taken back so far. */
static void draw_position(basra_engine *engine, const sample_table *table, uint64_t i,
                          uint64_t *dice, basra_position *p)
{
    int last = sample_cards_left(table, 1), plies = (int)(sample_draw(dice) % (uint64_t)last);
    if (i % 2) {
        sample_deals(table, dice, 1, plies, p);
        return;
    }
    basra_player hasty = {.method = BASRA_METHOD_GREEDY, .noise = 3 * BASRA_UNIT, .memory = 100};
    const basra_player *both[] = {&hasty, &hasty};
    uint64_t work[2] = {0};
    sample_round(table, dice, p);
    sample_must(basra_play_on(engine, &table->rules, both, 0, sample_draw(dice), NULL, p, work),
                "greedy play");
    for (int n = last; n > plies; n--) sample_must(basra_position_undo(&table->rules, p), "undo");
}

/* What the player's choice loses against the best move; -1 if it chose no legal move. */
static int64_t loss(basra_engine *engine, const basra_player *player, const sample_table *table,
                    const basra_position *p, uint64_t seed, size_t count)
{
    basra_view view;
    basra_choice choice;
    sample_view(table, p, &view);
    sample_must(basra_choose(engine, &table->rules, player, &view, seed, NULL, &choice), "choice");
    int32_t best = values[0];
    size_t chosen = count;
    for (size_t i = 0; i < count; i++) {
        if (values[i] > best) best = values[i];
        if (moves[i].card == choice.move.card && moves[i].taken == choice.move.taken) chosen = i;
    }
    return chosen == count ? -1 : best - values[chosen];
}

/* Must it lose nothing? */
static int is_exact(const basra_player *player)
{
    return player->method == BASRA_METHOD_WORLDS || player->method == BASRA_METHOD_BEST;
}

static void grade(basra_engine *engine, reference *ref, const basra_player *player,
                  const sample_table *table, const basra_position *p, uint64_t seed, tally *t)
{
    size_t count;
    sample_must(basra_position_moves(&table->rules, p, moves, MOVES_ROOM, &count), "moves");
    if (count < 2) return;
    sample_must(reference_moves(ref, &table->rules, p, values, MOVES_ROOM, &count), "reference");
    int64_t lost = loss(engine, player, table, p, seed, count);
    t->positions++;
    if (!lost) return;
    t->lost += lost > 0 ? (uint64_t)lost : 0;
    if (t->faults++ < SHOWN && is_exact(player)) {
        printf("loses %" PRId64 "\n", lost);
        sample_print(stdout, table, p);
    }
}

static uint64_t dice_of(const options *o, const sample_table *table, uint64_t i)
{
    uint64_t dice = o->seed;
    for (const char *c = table->name; *c; c++) dice = sample_draw(&dice) ^ (uint64_t)*c;
    return sample_draw(&dice) + i;
}

/* The model of a table's rules from the folder of models; NULL without one. */
static basra_model *model_for(const options *o, const sample_table *table)
{
    static uint8_t bytes[MODEL_ROOM];
    char path[PATH_ROOM];
    basra_model *model;
    basra_fault fault;
    if (!o->models) return NULL;
    snprintf(path, sizeof path, "%s/%s.basramodel", o->models, table->name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "regret: cannot read %s\n", path);
        exit(2);
    }
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    sample_must(basra_model_read(&table->rules, bytes, size, &model, &fault), "model");
    return model;
}

/* The points lost under one set of rules, or -1 if they cannot be played by two. */
static int64_t grade_rules(const options *o, basra_engine *engine, reference *ref,
                           const basra_player *method, const char *rules)
{
    static basra_position p;
    basra_player player = *method;
    sample_table table;
    tally t = {0};
    clock_t start = clock();
    if (!sample_table_read(rules, 2, 0, &table)) return -1;
    basra_model *model = model_for(o, &table);
    player.model = model;
    for (uint64_t i = 0; t.positions < o->count; i++) {
        uint64_t dice = dice_of(o, &table, i);
        draw_position(engine, &table, i, &dice, &p);
        grade(engine, ref, &player, &table, &p, sample_draw(&dice), &t);
    }
    printf("%6.1f s  %s: %" PRIu64 " positions, not the best move in %" PRIu64 ", %" PRIu64
           " points lost\n",
           (double)(clock() - start) / CLOCKS_PER_SEC, table.name, t.positions, t.faults, t.lost);
    fflush(stdout);
    basra_model_free(model);
    return (int64_t)t.faults;
}

static int read_number(const char *text, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = text ? strtoull(text, &end, 10) : 0;
    return text && text[0] >= '0' && text[0] <= '9' && !*end && !errno;
}

static int read_options(int argc, char **argv, options *o)
{
    for (int i = 1; i < argc; i += 2) {
        const char *name = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
        uint64_t *number = !strcmp(name, "--count")  ? &o->count
                           : !strcmp(name, "--seed") ? &o->seed
                                                     : NULL;
        const char **text = !strcmp(name, "--rules")    ? &o->rules
                            : !strcmp(name, "--player") ? &o->method
                            : !strcmp(name, "--models") ? &o->models
                                                        : NULL;
        if (text && next)
            *text = next;
        else if (!number || !read_number(next, number))
            return 0;
    }
    return 1;
}

static int method_of(const char *name)
{
    int method = 0;
    while (method < METHOD_COUNT && strcmp(METHODS[method], name) != 0) method++;
    return method;
}

static int64_t grade_all(const options *o, basra_engine *engine, reference *ref,
                         const basra_player *player)
{
    if (o->rules) return grade_rules(o, engine, ref, player, o->rules);
    int64_t faults = 0;
    for (int i = 0; i < basra_preset_count(); i++)
        faults += grade_rules(o, engine, ref, player, basra_preset_name(i));
    return faults;
}

int main(int argc, char **argv)
{
    options o = {.method = "worlds", .count = 1000, .seed = 1};
    if (!read_options(argc, argv, &o) || method_of(o.method) == METHOD_COUNT) {
        fputs(USAGE, stderr);
        return 2;
    }
    basra_player player = {.method = method_of(o.method), .trust = 100, .memory = 100};
    basra_engine *engine;
    sample_must(basra_engine_new(0, &engine), "engine");
    reference *ref = reference_new(REFERENCE_BYTES);
    sample_must(ref ? BASRA_OK : BASRA_E_NOMEM, "reference");
    int64_t faults = grade_all(&o, engine, ref, &player);
    reference_free(ref);
    basra_engine_free(engine);
    if (faults < 0) fprintf(stderr, "regret: no rules %s for two players\n", o.rules);
    return faults < 0 ? 2 : faults != 0;
}
