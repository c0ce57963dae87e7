/* measure: visits and times of the solver against the plain reference solver, in one run.
 *
 *   measure rounds      whole rounds, dealt at random
 *   measure deals       positions at the start of the last deals, reached by random play
 *   measure any         rounds under palestine-52, where captures are chosen freely, against classic
 *   measure random      rounds played at random, and how many a second
 *   measure tree        choices by tree search at the start of a deal: simulations a second
 *
 * The positions are fixed, and all different.  Blocks of them go through one solver and then the
 * other; values must agree.  Visits are the same on every machine; times are for ratios.
 */
#define _POSIX_C_SOURCE 199309L
#include "reference.h"
#include "sample.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BLOCK = 50, MOVES_ROOM = BASRA_MAX_CAPTURES, SEED_ROUNDS = 1001, SEED_DEALS = 1002 };

/* Rates are the median of so many runs of equal length: it speaks for a machine that others use too. */
enum { RUNS = 25, MOST_SIMS = 1 << 24 };

/* What was asked for. */
typedef struct options {
    const char *work, *rules;
    uint64_t count, deals, table, reference_table, sims;
    int partners, no_reference, no_moves, json;
} options;

/* One number a position. */
typedef struct series {
    double *of;
    size_t count;
} series;

/* Everything measured of one kind of position. */
typedef struct results {
    series visits, seconds, reference_visits, reference_seconds, moves_visits, moves_ratio;
} results;

static basra_position block[BLOCK];
static int32_t values[BLOCK];
static basra_scored scored[MOVES_ROOM];
static double clock_cost;

static const char USAGE[] =
    "usage: measure rounds|deals|any|random|tree [options]\n"
    "  --rules RULES            a preset, or classic+choice=any, say (classic)\n"
    "  --partners               partnerships of four in place of two players\n"
    "  --count N                positions (2000 rounds, 10000 deals, 1000000 at random, 250 "
    "trees)\n"
    "  --deals N                deals left, for `deals` (1) and `tree` (2)\n"
    "  --sims N                 simulations of each choice, for `tree` (2500)\n"
    "  --table BYTES            the solver's table (0: its default)\n"
    "  --reference-table BYTES  the reference's (2 MB for more than one deal, else 64 KB)\n"
    "  --no-reference           the solver alone\n"
    "  --no-moves               values alone, not those of every root move\n"
    "  --json                   one line of JSON\n";

/* ---- numbers ---------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* What reading the clock twice costs: it is not small against a last deal. */
static double cost_of_clock(void)
{
    double least = 1;
    for (int i = 0; i < 2000; i++) {
        double start = now(), cost = now() - start;
        if (cost < least) least = cost;
    }
    return least;
}

static double since(double start)
{
    double seconds = now() - start - clock_cost;
    return seconds > 0 ? seconds : 0;
}

static void series_open(series *s, size_t room)
{
    s->of = calloc(room ? room : 1, sizeof *s->of);
    s->count = 0;
    sample_must(s->of ? BASRA_OK : BASRA_E_NOMEM, "results");
}

static void add(series *s, double number) { s->of[s->count++] = number; }

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void series_sort(series *s) { qsort(s->of, s->count, sizeof *s->of, ascending); }

/* The smallest number that at least this share of a sorted series does not exceed. */
static double quantile(const series *s, double share)
{
    double place = share * (double)s->count;
    size_t rank = (size_t)place;
    if ((double)rank < place) rank++;
    return s->count ? s->of[rank ? rank - 1 : 0] : 0;
}

static double sum(const series *s)
{
    double total = 0;
    for (size_t i = 0; i < s->count; i++) total += s->of[i];
    return total;
}

static double mean(const series *s) { return s->count ? sum(s) / (double)s->count : 0; }

static double over(double a, double b) { return b > 0 ? a / b : 0; }

static void results_open(results *r, size_t count)
{
    series *all[] = {&r->visits,       &r->seconds,    &r->reference_visits, &r->reference_seconds,
                     &r->moves_visits, &r->moves_ratio};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) series_open(all[i], count);
}

static void results_sort(results *r)
{
    series *all[] = {&r->visits,       &r->seconds,    &r->reference_visits, &r->reference_seconds,
                     &r->moves_visits, &r->moves_ratio};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) series_sort(all[i]);
}

static void results_close(results *r)
{
    series *all[] = {&r->visits,       &r->seconds,    &r->reference_visits, &r->reference_seconds,
                     &r->moves_visits, &r->moves_ratio};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]->of);
}

/* ---- runs ------------------------------------------------------------------------------------- */

static void run_solver(basra_engine *engine, const sample_table *table, size_t count, results *r)
{
    for (size_t i = 0; i < count; i++) {
        basra_solution s;
        double start = now();
        basra_status status = basra_value(engine, &table->rules, &block[i], NULL, &s);
        add(&r->seconds, since(start));
        sample_must(status, "value");
        add(&r->visits, (double)s.nodes);
        values[i] = s.value;
    }
}

static void run_reference(reference *ref, const sample_table *table, size_t count, results *r)
{
    for (size_t i = 0; i < count; i++) {
        int32_t value;
        uint64_t visits;
        double start = now();
        basra_status status = reference_value(ref, &table->rules, &block[i], &value, &visits);
        add(&r->reference_seconds, since(start));
        sample_must(status, "reference");
        add(&r->reference_visits, (double)visits);
        if (value == values[i]) continue;
        printf("values differ: %d, reference %d\n", values[i], value);
        sample_print(stdout, table, &block[i]);
        exit(1);
    }
}

/* Every root move exact, against the value alone. */
static void run_moves(basra_engine *engine, const sample_table *table, size_t count, results *r)
{
    const double *visits = r->visits.of + r->visits.count - count;
    for (size_t i = 0; i < count; i++) {
        basra_solution s;
        sample_must(
            basra_solve(engine, &table->rules, &block[i], NULL, 0, scored, MOVES_ROOM, NULL, &s),
            "moves");
        add(&r->moves_visits, (double)s.nodes);
        add(&r->moves_ratio, over((double)s.nodes, visits[i]));
        if (s.value == values[i]) continue;
        printf("the best move has %d, the position %d\n", s.value, values[i]);
        sample_print(stdout, table, &block[i]);
        exit(1);
    }
}

static void run(const options *o, const sample_table *table, basra_engine *engine, reference *ref,
                results *r)
{
    int whole = (int)o->deals == sample_deal_count(table);
    uint64_t dice = whole ? SEED_ROUNDS : SEED_DEALS + o->deals;
    for (uint64_t done = 0; done < o->count;) {
        size_t count = o->count - done < BLOCK ? (size_t)(o->count - done) : BLOCK;
        for (size_t i = 0; i < count; i++) {
            if (whole)
                sample_round(table, &dice, &block[i]);
            else
                sample_deals(table, &dice, (int)o->deals, 0, &block[i]);
        }
        run_solver(engine, table, count, r);
        if (ref) run_reference(ref, table, count, r);
        if (!o->no_moves) run_moves(engine, table, count, r);
        done += count;
    }
}

/* ---- reports ---------------------------------------------------------------------------------- */

static void print_series(const char *name, const series *s, double scale)
{
    printf("  %-20s %12.1f %12.1f %12.1f %12.1f   p99/median %5.1f\n", name,
           quantile(s, 0.5) * scale, mean(s) * scale, quantile(s, 0.99) * scale,
           quantile(s, 1) * scale, over(quantile(s, 0.99), quantile(s, 0.5)));
}

static void print_results(const options *o, const sample_table *table, const results *r)
{
    printf("%s, %d players%s, %" PRIu64 " deals left, %zu positions\n", table->name, table->players,
           table->partners ? " in partnerships" : "", o->deals, r->visits.count);
    printf("  %-20s %12s %12s %12s %12s\n", "", "median", "mean", "p99", "max");
    print_series("visits", &r->visits, 1);
    print_series("microseconds", &r->seconds, 1e6);
    printf("  %-20s %12.1f\n", "ns a visit", over(sum(&r->seconds), sum(&r->visits)) * 1e9);
    if (r->reference_visits.count) {
        print_series("reference visits", &r->reference_visits, 1);
        print_series("reference us", &r->reference_seconds, 1e6);
        printf("  %-20s %12.1f\n", "reference ns a visit",
               over(sum(&r->reference_seconds), sum(&r->reference_visits)) * 1e9);
        printf("  times as fast: %.2f by medians, %.2f by means\n",
               over(quantile(&r->reference_seconds, 0.5), quantile(&r->seconds, 0.5)),
               over(mean(&r->reference_seconds), mean(&r->seconds)));
    }
    if (r->moves_visits.count)
        printf("  every root move: %.3f times the visits by sums, %.3f by the mean of ratios\n",
               over(sum(&r->moves_visits), sum(&r->visits)), mean(&r->moves_ratio));
}

static void json_series(const char *name, const series *s)
{
    printf(", \"%s\": {\"median\": %.9g, \"mean\": %.9g, \"p99\": %.9g, \"max\": %.9g}", name,
           quantile(s, 0.5), mean(s), quantile(s, 0.99), quantile(s, 1));
}

static void json_results(const options *o, const sample_table *table, const results *r)
{
    printf("{\"rules\": \"%s\", \"players\": %d, \"partners\": %s, \"deals\": %" PRIu64
           ", \"count\": %zu, \"table\": %" PRIu64 ", \"total_visits\": %.0f",
           table->name, table->players, table->partners ? "true" : "false", o->deals,
           r->visits.count, o->table, sum(&r->visits));
    json_series("visits", &r->visits);
    json_series("seconds", &r->seconds);
    if (r->reference_visits.count) {
        json_series("reference_visits", &r->reference_visits);
        json_series("reference_seconds", &r->reference_seconds);
        printf(", \"speedup\": {\"median\": %.4g, \"mean\": %.4g}",
               over(quantile(&r->reference_seconds, 0.5), quantile(&r->seconds, 0.5)),
               over(mean(&r->reference_seconds), mean(&r->seconds)));
    }
    if (r->moves_visits.count)
        printf(", \"moves\": {\"sums\": %.6g, \"ratios\": %.6g}",
               over(sum(&r->moves_visits), sum(&r->visits)), mean(&r->moves_ratio));
    printf("}\n");
}

/* ---- commands --------------------------------------------------------------------------------- */

static void find_table(const options *o, const char *rules, sample_table *table)
{
    if (sample_table_read(rules, o->partners ? 4 : 2, o->partners, table)) return;
    fprintf(stderr, "measure: no rules %s with this table\n", rules);
    exit(2);
}

/* Results of one kind of position under one preset, sorted. */
static void measure(const options *o, const sample_table *table, results *r)
{
    basra_engine *engine;
    reference *ref = NULL;
    int deals = sample_deal_count(table);
    if ((int)o->deals > deals) {
        fprintf(stderr, "measure: a round of %s has %d deals\n", table->name, deals);
        exit(2);
    }
    uint64_t bytes = o->reference_table;
    if (!bytes) bytes = o->deals > 1 ? UINT64_C(2) << 20 : UINT64_C(64) << 10;
    sample_must(basra_engine_new((size_t)o->table, &engine), "engine");
    if (!o->no_reference) {
        ref = reference_new((size_t)bytes);
        sample_must(ref ? BASRA_OK : BASRA_E_NOMEM, "reference");
    }
    results_open(r, (size_t)o->count);
    run(o, table, engine, ref, r);
    results_sort(r);
    reference_free(ref);
    basra_engine_free(engine);
}

static void measure_and_print(const options *o)
{
    sample_table table;
    results r;
    options asked = *o;
    find_table(o, o->rules, &table);
    if (!asked.deals) asked.deals = (uint64_t)sample_deal_count(&table);
    measure(&asked, &table, &r);
    (o->json ? json_results : print_results)(&asked, &table, &r);
    results_close(&r);
}

/* The same packs in the same order; only a 7D among the first floor cards makes the deals differ. */
static void measure_any(const options *o)
{
    static const char *names[] = {"palestine-52", "classic"};
    results r[2];
    double medians[2], means[2];
    for (int i = 0; i < 2; i++) {
        sample_table table;
        options asked = *o;
        find_table(o, names[i], &table);
        asked.deals = (uint64_t)sample_deal_count(&table);
        measure(&asked, &table, &r[i]);
        medians[i] = quantile(&r[i].visits, 0.5);
        means[i] = mean(&r[i].visits);
        if (!o->json) print_results(&asked, &table, &r[i]);
        results_close(&r[i]);
    }
    if (o->json)
        printf("{\"any\": {\"median\": %.4g, \"mean\": %.4g}}\n", over(medians[0], medians[1]),
               over(means[0], means[1]));
    else
        printf("visits of palestine-52 over classic: %.3f by medians, %.3f by means\n",
               over(medians[0], medians[1]), over(means[0], means[1]));
}

static void measure_random(const options *o)
{
    sample_table table;
    basra_engine *engine;
    series rates;
    size_t size = (size_t)o->count / RUNS + 1, done;
    uint64_t plies;
    basra_stop stop;
    find_table(o, o->rules, &table);
    sample_must(basra_engine_new((size_t)o->table, &engine), "engine");
    series_open(&rates, RUNS);
    for (uint64_t i = 0; i < RUNS; i++) {
        double start = now();
        sample_must(basra_random_rounds(engine, &table.rules, table.players, table.partners, 1,
                                        i * size, size, NULL, NULL, &plies, &done, &stop),
                    "random rounds");
        add(&rates, over((double)size, since(start)));
    }
    series_sort(&rates);
    double rate = quantile(&rates, 0.5);
    if (o->json)
        printf("{\"rules\": \"%s\", \"count\": %zu, \"per_second\": %.0f}\n", table.name,
               RUNS * size, rate);
    else
        printf("%s, %d players%s: %.0f rounds a second at random, the median of %d runs of %zu\n",
               table.name, table.players, table.partners ? " in partnerships" : "", rate, RUNS,
               size);
    free(rates.of);
    basra_engine_free(engine);
}

/* Simulations of a choice, none if there was nothing to choose; *seconds grows by what it took. */
static uint64_t choose_once(basra_engine *engine, const sample_table *table,
                            const basra_player *player, const basra_position *p, double *seconds,
                            uint64_t *plies)
{
    basra_view view;
    basra_choice choice;
    sample_view(table, p, &view);
    double start = now();
    basra_status status = basra_choose(engine, &table->rules, player, &view, 1, NULL, &choice);
    *seconds += since(start);
    sample_must(status, "choice");
    *plies += choice.work;
    return choice.work ? player->effort : 0;
}

static void measure_tree(const options *o)
{
    sample_table table;
    basra_engine *engine;
    series rates;
    size_t size = (size_t)o->count / RUNS + 1;
    uint64_t dice = SEED_DEALS + o->deals, plies = 0, all = 0;
    basra_player player = {
        .method = BASRA_METHOD_ISMCTS, .effort = (uint32_t)o->sims, .memory = 100};
    find_table(o, o->rules, &table);
    if ((int)o->deals > sample_deal_count(&table)) {
        fprintf(stderr, "measure: a round of %s has fewer deals\n", table.name);
        exit(2);
    }
    sample_must(basra_engine_new((size_t)o->table, &engine), "engine");
    series_open(&rates, RUNS);
    for (int i = 0; i < RUNS; i++) {
        double seconds = 0;
        uint64_t done = 0;
        for (size_t n = 0; n < size; n++) {
            sample_deals(&table, &dice, (int)o->deals, 0, &block[0]);
            done += choose_once(engine, &table, &player, &block[0], &seconds, &plies);
        }
        add(&rates, over((double)done, seconds));
        all += done;
    }
    series_sort(&rates);
    double rate = quantile(&rates, 0.5);
    if (o->json)
        printf("{\"rules\": \"%s\", \"deals\": %" PRIu64
               ", \"count\": %zu, \"simulations\": %" PRIu64 ", \"plies\": %" PRIu64
               ", \"per_second\": %.0f}\n",
               table.name, o->deals, RUNS * size, all, plies, rate);
    else
        printf("%s, %d players%s, %" PRIu64
               " deals left: %.0f simulations a second, the median of %d "
               "runs of %zu choices\n",
               table.name, table.players, table.partners ? " in partnerships" : "", o->deals, rate,
               RUNS, size);
    free(rates.of);
    basra_engine_free(engine);
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
    if (argc < 2) return 0;
    o->work = argv[1];
    for (int i = 2; i < argc; i++) {
        const char *name = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
        int *flag = !strcmp(name, "--partners")       ? &o->partners
                    : !strcmp(name, "--no-reference") ? &o->no_reference
                    : !strcmp(name, "--no-moves")     ? &o->no_moves
                    : !strcmp(name, "--json")         ? &o->json
                                                      : NULL;
        uint64_t *number = !strcmp(name, "--count")             ? &o->count
                           : !strcmp(name, "--deals")           ? &o->deals
                           : !strcmp(name, "--sims")            ? &o->sims
                           : !strcmp(name, "--table")           ? &o->table
                           : !strcmp(name, "--reference-table") ? &o->reference_table
                                                                : NULL;
        if (flag) {
            *flag = 1;
        } else if (!strcmp(name, "--rules") && next) {
            o->rules = argv[++i];
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
    options o = {.rules = "classic"};
    int known = read_options(argc, argv, &o);
    int rounds = known && !strcmp(o.work, "rounds"), any = known && !strcmp(o.work, "any");
    int deals = known && !strcmp(o.work, "deals"), at_random = known && !strcmp(o.work, "random");
    int tree = known && !strcmp(o.work, "tree");
    if (!(rounds || any || deals || at_random || tree) || (o.deals && !deals && !tree) ||
        (o.sims && !tree) || o.sims > MOST_SIMS) {
        fputs(USAGE, stderr);
        return 2;
    }
    if (!o.count) o.count = at_random ? 1000000 : deals ? 10000 : tree ? 250 : 2000;
    if ((deals || tree) && !o.deals) o.deals = tree ? 2 : 1;
    if (!o.sims) o.sims = 2500;
    clock_cost = cost_of_clock();
    if (at_random)
        measure_random(&o);
    else if (tree)
        measure_tree(&o);
    else if (any)
        measure_any(&o);
    else
        measure_and_print(&o);
    return 0;
}
