#include "belief.h"

#include "../game/memory.h"
#include "../game/random.h"
#include "../model/exponent.h"
#include "likelihood.h"

enum { STREAM_BELIEF = 8, WEIGHT_BITS = 36, CHANCES_BITS = 16, TRUST_ONE = 100 };

/* ---- weights ---------------------------------------------------------------------------------- */

/* Is there anything to tell hidden hands by? */
static bool telling(const basra_view *view, const basra_model *model, int trust)
{
    if (!model || !model->policy || !trust) return false;
    for (int i = 0; i < view->played_size; i++)
        if (i % view->players != view->seat) return true;
    return false;
}

/* Multiplies the worlds' weights by what their plays say, the likeliest by about 2^30; all of them add up to
 * less than 2^61, and none is 0. */
static void apply_bits(int trust, const uint64_t *bits, basra_world *worlds, size_t count)
{
    uint64_t least = UINT64_MAX, total = 0, most = CHANCE_ONE;
    int shift = 0;
    for (size_t w = 0; w < count; w++) {
        if (bits[w] < least) least = bits[w];
        total += worlds[w].weight >> 14; /* at most 2^14 worlds of less than 2^51 */
    }
    while (total >> shift > most >> 14) shift++;
    for (size_t w = 0; w < count; w++) {
        uint64_t times = power_of_half((bits[w] - least) * (uint64_t)trust / TRUST_ONE);
        worlds[w].weight = (worlds[w].weight >> shift) * times;
        if (!worlds[w].weight) worlds[w].weight = 1;
    }
}

/* Worlds to choose from, with the weights that belief gives them. */
typedef struct candidates {
    basra_world *worlds;
    uint64_t *bits;
    size_t count;
    bool listed; /* all there are */
} candidates;

static void candidates_free(candidates *c)
{
    basra_free(c->worlds);
    basra_free(c->bits);
}

/* All worlds, or some drawn. */
static basra_status find_candidates(const basra_rules *rules, const basra_view *view, uint64_t seed,
                                    size_t most, candidates *c)
{
    c->worlds = basra_malloc(BELIEF_LISTED_MOST * sizeof *c->worlds);
    c->bits = basra_calloc(BELIEF_LISTED_MOST, sizeof *c->bits);
    if (!c->worlds || !c->bits) return BASRA_E_NOMEM;
    basra_status status = basra_worlds_all(rules, view, c->worlds, BELIEF_LISTED_MOST, &c->count);
    c->listed = c->count;
    if (status || c->listed) return status;
    c->count = most < BELIEF_LISTED_MOST / BELIEF_DRAWN_FOR_EACH ? most * BELIEF_DRAWN_FOR_EACH
                                                                 : BELIEF_LISTED_MOST;
    if (c->count < BELIEF_DRAWN_LEAST) c->count = BELIEF_DRAWN_LEAST;
    return basra_worlds_sample(rules, view, seed, 0, c->count, c->worlds);
}

/* ---- choosing some ---------------------------------------------------------------------------- */

static uint64_t total_weight(const basra_world *worlds, size_t count)
{
    uint64_t total = 0;
    for (size_t w = 0; w < count; w++) total += worlds[w].weight;
    return total;
}

/* A draw from 0 .. bound - 1, bound not above 2^62. */
static uint64_t draw_below(random_stream *stream, uint64_t bound)
{
    uint64_t mask = bound - 1, draw;
    for (int by = 1; by < 64; by *= 2) mask |= mask >> by;
    do draw = random_next(stream) & mask;
    while (draw >= bound);
    return draw;
}

/* The number with its lowest bits in reverse: van der Corput's sequence. */
static size_t reverse_bits(size_t n, int bits)
{
    size_t reversed = 0;
    for (int i = 0; i < bits; i++) reversed |= (n >> i & 1) << (bits - 1 - i);
    return reversed;
}

/* Index of the first of ascending sums that is above a point. */
static size_t world_at(const uint64_t *sums, size_t count, uint64_t point)
{
    size_t low = 0, high = count - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sums[middle] > point)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Draws `most` worlds: points evenly spaced around a circle on which each world has an arc as long as its
 * weight, from one random point on.  Each point alone falls evenly on the whole circle.  They are taken in
 * van der Corput's order, in which the first ones are spread about evenly however many they are.  A world hit
 * again counts for more where it was hit first if they are merged.  sums[] becomes the ends of the arcs; weights of candidates
 * are used up. */
static size_t resample(candidates *c, uint64_t seed, size_t most, bool merge, basra_world *worlds)
{
    random_stream stream = random_open(seed, STREAM_BELIEF, 0);
    uint64_t *sums = c->bits, total = total_weight(c->worlds, c->count), sum = 0;
    uint64_t offset = draw_below(&stream, total), step = total / most, rest = total % most;
    size_t taken = 0;
    int bits = 0;
    for (size_t w = 0; w < c->count; w++) {
        sums[w] = sum += c->worlds[w].weight;
        c->worlds[w].weight = 0; /* from here on: its place in worlds[], from 1 */
    }
    while ((size_t)1 << bits < most) bits++;
    for (size_t i = 0; i < (size_t)1 << bits; i++) {
        size_t k = reverse_bits(i, bits);
        if (k >= most) continue;
        uint64_t point = offset + k * step + k * rest / most;
        basra_world *hit = &c->worlds[world_at(sums, c->count, point % total)];
        if (hit->weight && merge) {
            worlds[hit->weight - 1].weight++;
            continue;
        }
        worlds[taken] = *hit;
        worlds[taken].weight = 1;
        hit->weight = ++taken;
    }
    return taken;
}

/* Copies all candidates, their weights scaled so that they add up to less than 2^37. */
static void take_all(const candidates *c, basra_world *worlds)
{
    uint64_t total = total_weight(c->worlds, c->count);
    int shift = 0;
    while (total >> shift >> WEIGHT_BITS) shift++;
    for (size_t w = 0; w < c->count; w++) {
        worlds[w] = c->worlds[w];
        worlds[w].weight >>= shift;
        if (!worlds[w].weight) worlds[w].weight = 1;
    }
}

static basra_status worlds_even(const basra_rules *rules, const basra_view *view, uint64_t seed,
                                size_t most, basra_world *worlds, size_t *count, bool *complete)
{
    basra_status status = basra_worlds_all(rules, view, worlds, most, count);
    *complete = !status && *count;
    if (status || *count) return status;
    *count = most;
    return basra_worlds_sample(rules, view, seed, 0, most, worlds);
}

/* Candidates with belief in their weights. */
static basra_status find_likely(const basra_rules *rules, const basra_view *view,
                                const basra_model *model, int trust, uint64_t seed, size_t most,
                                candidates *c)
{
    basra_facts facts;
    basra_status status = view_facts(rules, view, &facts);
    if (!status) status = find_candidates(rules, view, seed, most, c);
    if (!status)
        status = likelihood_bits(rules, view, &facts, model->policy, c->worlds, c->count, c->bits);
    if (!status) apply_bits(trust, c->bits, c->worlds, c->count);
    return status;
}

basra_status belief_worlds(const basra_rules *rules, const basra_view *view,
                           const basra_model *model, int trust, uint64_t seed, size_t most,
                           bool merge, basra_world *worlds, size_t *count, bool *complete)
{
    candidates c = {0};
    if (!telling(view, model, trust))
        return worlds_even(rules, view, seed, most, worlds, count, complete);
    basra_status status = find_likely(rules, view, model, trust, seed, most, &c);
    if (!status && c.count <= most) {
        take_all(&c, worlds);
        *count = c.count;
    } else if (!status) {
        *count = resample(&c, seed, most, merge, worlds);
    }
    *complete = !status && c.listed && c.count <= most;
    candidates_free(&c);
    return status;
}

/* ---- chances of cards ------------------------------------------------------------------------- */

/* By card, the weights of worlds in which a seat holds it, and of all. */
typedef struct holdings {
    uint64_t holds[BASRA_CARDS], all;
} holdings;

/* Adds up worlds whose weights add up to less than 2^37. */
static void count_holdings(const basra_world *worlds, size_t count, int seat, holdings *h)
{
    *h = (holdings){.all = total_weight(worlds, count)};
    for (size_t w = 0; w < count; w++)
        for (uint64_t rest = worlds[w].hand[seat]; rest;)
            h->holds[set_pop(&rest)] += worlds[w].weight;
}

/* A hand that was listed stands for all that have other equal unseen cards in the place of its own: those
 * share what they have. */
static void share_equals(const basra_rules *rules, uint64_t unseen, holdings *h)
{
    card_types types;
    types_init(rules, false, &types);
    for (int type = 0; type < types.count; type++) {
        uint64_t cards = types.members[type] & unseen, sum = 0;
        for (uint64_t rest = cards; rest;) sum += h->holds[set_pop(&rest)];
        for (uint64_t rest = cards; rest;)
            h->holds[set_pop(&rest)] = sum / (uint64_t)set_count(cards);
    }
}

static void chances_of(const basra_rules *rules, const basra_facts *facts, const candidates *c,
                       basra_world *worlds, int seat, uint32_t chance[BASRA_CARDS])
{
    holdings h;
    take_all(c, worlds);
    count_holdings(worlds, c->count, seat, &h);
    if (c->listed) share_equals(rules, facts->unseen, &h);
    for (int card = 0; card < BASRA_CARDS; card++)
        chance[card] = (uint32_t)((h.holds[card] << CHANCES_BITS) / h.all);
}

basra_status belief_chances(const basra_rules *rules, const basra_view *view,
                            const basra_model *model, int trust, uint64_t seed, int seat,
                            uint32_t before[BASRA_CARDS], uint32_t after[BASRA_CARDS])
{
    candidates c = {0};
    basra_facts facts;
    if (seat < 0 || seat >= view->players) return BASRA_E_ARG;
    basra_world *worlds = basra_malloc(BELIEF_LISTED_MOST * sizeof *worlds);
    basra_status status = worlds ? view_facts(rules, view, &facts) : BASRA_E_NOMEM;
    if (!status) status = find_candidates(rules, view, seed, BELIEF_LISTED_MOST, &c);
    if (!status) {
        chances_of(rules, &facts, &c, worlds, seat, before);
        if (telling(view, model, trust)) {
            status = likelihood_bits(rules, view, &facts, model->policy, c.worlds, c.count, c.bits);
            if (!status) apply_bits(trust, c.bits, c.worlds, c.count);
        }
    }
    if (!status) chances_of(rules, &facts, &c, worlds, seat, after);
    basra_free(worlds);
    candidates_free(&c);
    return status;
}

basra_status basra_worlds_likely(const basra_rules *rules, const basra_view *view,
                                 const basra_model *model, int trust, uint64_t seed, size_t most,
                                 int merge, basra_world *worlds, size_t *count, int *complete)
{
    bool all = false;
    basra_status status =
        belief_worlds(rules, view, model, trust, seed, most, merge, worlds, count, &all);
    *complete = all;
    return status;
}
