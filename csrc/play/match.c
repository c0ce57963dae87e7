/* Values and the match.
 *
 * A value says what difference is expected to come.  Most cards are most of it, and go to one side or the other:
 * so a value is taken apart into the chance to get them and the rest, as the table's outlook says.  With what
 * is banked each case has its final difference, and with the points that both sides share that makes two
 * scores, which have a chance.  Of the very last cards between two players the chance itself is searched. */
#include "match.h"

#include "../knowledge/view.h"
#include "../search/evaluate.h"
#include "../search/match_ending.h"
#include "../search/worlds_search.h"

const equity_table *match_table(const basra_model *model, const basra_rules *rules,
                                const basra_view *view)
{
    int sides = basra_sides(view->players, view->partners);
    if (!model || sides != 2) return NULL;
    if (basra_match_winner(rules, sides, view->score) != BASRA_NO_SEAT) return NULL;
    const equity_table *table = model->equity[model_table(view->players, view->partners)];
    /* Rules that differ in the target alone can share a model. */
    return table && table->target == rules->target ? table : NULL;
}

static int cards_to_play(const basra_view *view, const basra_facts *facts)
{
    int cards = facts->stock;
    for (int seat = 0; seat < view->players; seat++) cards += facts->hand_size[seat];
    return cards;
}

/* Points that both sides together still get for cards. */
static int32_t card_points_left(const basra_rules *rules, const basra_view *view)
{
    int32_t points = 0;
    for (uint64_t rest = basra_pack(rules) & ~view->seen; rest;)
        points += rules->card_points[set_pop(&rest)];
    return points;
}

/* Where a round stands, from my side. */
typedef struct round_state {
    const equity_table *table;
    int32_t score[2]; /* mine first, before the round */
    int32_t banked;   /* of both sides */
    int32_t ahead;    /* my banked points minus the other's */
    int32_t bonus;    /* for most cards */
    int32_t now;      /* 2 * chance to get it from the counts alone - 1, in 1/OUTLOOK_SHARE */
    bool last_deal;
    int32_t open;     /* points for cards and for most cards that are not banked, of both sides */
    int leader;       /* of the next round: 0 is my side */
} round_state;

/* Averaged over the points that basras may still bring. */
static int32_t chance_of_difference(const round_state *s, const equity_outlook *o, int32_t mine)
{
    int64_t sum = 0;
    for (int i = 0; i < o->totals; i++) {
        /* Halves are rounded one way and the other in turn. */
        int32_t total =
            s->banked + s->open + (o->total[i] + (i & 1 ? OUTLOOK_UNIT - 1 : 0)) / OUTLOOK_UNIT;
        int32_t own = (total + mine) >> 1;
        int32_t scores[2] = {s->score[0] + own, s->score[1] + total - own};
        sum += equity_chance(s->table, scores, 0, s->leader);
    }
    return (int32_t)(sum / o->totals);
}

static int32_t between(const int32_t *chance, int32_t at, int32_t part, int32_t whole)
{
    if (at < 0) return chance[0];
    if (at >= 2 * MATCH_REACH) return chance[2 * MATCH_REACH];
    return chance[at] + (int32_t)((int64_t)(chance[at + 1] - chance[at]) * part / whole);
}

static int64_t floor_div(int64_t a, int64_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

enum { CURVE = 2 * MATCH_REACH + 1 };

/* The area under a curve, twice over and in 1/OUTLOOK_UNIT points, from its start to each of its entries moved
 * on by `shift`: between two entries it is a straight line, beyond its ends level. */
static void areas(const int32_t *curve, int64_t whole, int64_t shift, const int64_t *upto,
                  int64_t *area)
{
    enum { BITS = 16 };
    int64_t by = floor_div(shift, whole), part = shift - by * whole;
    int64_t bend = (part * part << BITS) / whole;
    for (int i = 0; i < CURVE; i++) {
        int64_t at = i + by;
        if (at < 0)
            area[i] = 2 * (at * whole + part) * curve[0];
        else if (at >= CURVE - 1)
            area[i] = upto[CURVE - 1] + 2 * ((at - CURVE + 1) * whole + part) * curve[CURVE - 1];
        else
            area[i] =
                upto[at] + 2 * part * curve[at] + ((curve[at + 1] - curve[at]) * bend >> BITS);
    }
}

/* Averaged over the deviations: each stretch from one to the next is as likely as the others, so that chances
 * change smoothly with the value.  Entry by entry this is a mean of areas, each over its own width. */
static void spread(const equity_outlook *o, const int32_t *sharp, int32_t grain, int32_t *smooth)
{
    enum { BITS = 32 };
    int64_t whole = (int64_t)grain * OUTLOOK_UNIT, upto[CURVE], two[2][CURVE];
    int64_t sum[CURVE] = {0}, *low = two[0], *high = two[1];
    int64_t from = o->difference[0];
    upto[0] = 0;
    for (int i = 1; i < CURVE; i++) upto[i] = upto[i - 1] + whole * (sharp[i - 1] + sharp[i]);
    areas(sharp, whole, from, upto, low);
    for (int k = 1; k < o->differences; k++) {
        int64_t to = o->difference[k], wide = to > from ? to - from : 1, *other = low;
        int64_t share = (INT64_C(1) << BITS) / wide;
        areas(sharp, whole, from + wide, upto, high);
        for (int i = 0; i < CURVE; i++) sum[i] += (high[i] - low[i]) * share >> (BITS - 8);
        if (to == from) continue; /* a deviation met twice: a stretch of the least width */
        low = high;
        high = other;
        from = to;
    }
    for (int i = 0; i < CURVE; i++)
        smooth[i] = (int32_t)(sum[i] / (2 * 256 * (o->differences - 1)));
}

/* A curve at so many 1/OUTLOOK_UNIT points. */
static int32_t curve_at(const int32_t *curve, int32_t grain, int64_t points)
{
    int64_t whole = (int64_t)grain * OUTLOOK_UNIT, at = floor_div(points, whole);
    int64_t part = points - at * whole;
    if (at < -MATCH_REACH) return curve[0];
    if (at > MATCH_REACH) at = MATCH_REACH;
    return between(curve, (int32_t)at + MATCH_REACH, (int32_t)part, (int32_t)whole);
}

/* The chance of a value of so many points, from chances by final differences. */
static int32_t chance_of_value(const round_state *s, const equity_outlook *o, const int32_t *smooth,
                               int32_t grain, int64_t value)
{
    int64_t ahead = (int64_t)s->ahead * OUTLOOK_UNIT, bonus = (int64_t)s->bonus * OUTLOOK_UNIT;
    if (s->last_deal) return curve_at(smooth, grain, ahead + value * OUTLOOK_UNIT);
    int64_t q = o->most + (int64_t)o->most_now * s->now / OUTLOOK_SHARE;
    if (s->bonus > 0) q += o->most_value * value / s->bonus;
    q = q > OUTLOOK_SHARE ? OUTLOOK_SHARE : q < -OUTLOOK_SHARE ? -OUTLOOK_SHARE : q;
    int64_t rest = ahead + o->rest + (int64_t)o->rest_now * s->now / OUTLOOK_SHARE +
                   floor_div(o->rest_value * value * OUTLOOK_UNIT, OUTLOOK_SHARE);
    int64_t won = curve_at(smooth, grain, rest + bonus + o->rest_most);
    int64_t lost = curve_at(smooth, grain, rest - bonus - o->rest_most);
    return (int32_t)((won * (OUTLOOK_SHARE + q) + lost * (OUTLOOK_SHARE - q)) /
                     (2 * OUTLOOK_SHARE));
}

static round_state state_of(const equity_table *table, const basra_rules *rules,
                            const basra_view *view, const basra_facts *facts)
{
    int me = side_of(view->seat, view->partners);
    int uncaptured = rules->deck - view->cards[0] - view->cards[1];
    int32_t most = chance_of_more(view->cards[me] - view->cards[1 - me], uncaptured);
    int32_t bonus = rules_bonus(rules, view->carry);
    return (round_state){.table = table,
                         .score = {view->score[me], view->score[1 - me]},
                         .banked = view->points[0] + view->points[1],
                         .ahead = view->points[me] - view->points[1 - me],
                         .bonus = bonus,
                         .now = (2 * most - EQUITY_SURE) / (EQUITY_SURE / OUTLOOK_SHARE),
                         .last_deal = facts->last_deal,
                         .open = card_points_left(rules, view) + bonus,
                         .leader = me ? 0 : 1};
}

void match_odds_init(const equity_table *table, const basra_rules *rules, const basra_view *view,
                     const basra_facts *facts, match_odds *odds)
{
    int32_t sharp[CURVE], smooth[CURVE];
    equity_outlook o = equity_outlook_at(table, cards_to_play(view, facts));
    round_state s = state_of(table, rules, view, facts);
    odds->grain = 1 + table->target / MATCH_REACH;
    for (int i = 0; i < CURVE; i++)
        sharp[i] = chance_of_difference(&s, &o, (i - MATCH_REACH) * odds->grain);
    spread(&o, sharp, odds->grain, smooth);
    for (int i = 0; i < CURVE; i++)
        odds->chance[i] =
            chance_of_value(&s, &o, smooth, odds->grain, (int64_t)(i - MATCH_REACH) * odds->grain);
}

int32_t match_chance(const match_odds *odds, int32_t value)
{
    int32_t whole = odds->grain * BASRA_UNIT;
    int64_t at = floor_div(value, whole);
    int32_t part = (int32_t)(value - at * whole);
    if (at < -MATCH_REACH) return odds->chance[0];
    if (at > MATCH_REACH) at = MATCH_REACH;
    return between(odds->chance, (int32_t)at + MATCH_REACH, part, whole);
}

/* Are these the last cards, of hands that are known in each world? */
static bool ending_known(const basra_view *view, const basra_facts *facts)
{
    return view->players == 2 && facts->last_deal &&
           cards_to_play(view, facts) <= MATCH_ENDING_CARDS;
}

static basra_status search_ending(basra_engine *engine, const basra_rules *rules,
                                  const basra_view *view, const basra_facts *facts,
                                  const match_stakes *stakes, const basra_world *world,
                                  size_t groups, int32_t *chances)
{
    search_node root;
    basra_status status = worlds_set_up(engine, rules, view, facts, world, &root);
    if (status) return status;
    size_t count = engine_moves(engine, &root.place, 0);
    if (engine_halted(engine)) return engine->failed;
    if (count != groups) return BASRA_E_ARG;
    for (size_t i = 0; i < groups && !engine_halted(engine); i++) {
        search_move move = engine->memory.moves[i];
        chances[i] = match_ending(engine, stakes, &root, &move, groups);
    }
    return engine->failed;
}

basra_status match_values(basra_engine *engine, const basra_rules *rules, const basra_view *view,
                          const basra_facts *facts, const equity_table *table, match_odds *odds,
                          const basra_world *worlds, size_t count, size_t groups,
                          const int32_t *values, int32_t *chances, size_t *done)
{
    *done = count;
    if (!ending_known(view, facts)) {
        if (!odds->grain) match_odds_init(table, rules, view, facts, odds);
        for (size_t i = 0; i < count * groups; i++) chances[i] = match_chance(odds, values[i]);
        return BASRA_OK;
    }
    match_stakes stakes = {.table = table};
    for (int side = 0; side < 2; side++)
        stakes.score[side] = view->score[side] + view->points[side];
    for (*done = 0; *done < count; ++*done) {
        engine_recount(engine);
        basra_status status = search_ending(engine, rules, view, facts, &stakes, &worlds[*done],
                                            groups, chances + *done * groups);
        if (status || engine_halted(engine)) return status;
    }
    return BASRA_OK;
}

basra_status basra_match_chances(const basra_model *model, const basra_rules *rules,
                                 const basra_view *view, const int32_t *values, size_t count,
                                 int32_t *chances)
{
    basra_facts facts;
    match_odds odds;
    basra_status status = view_facts(rules, view, &facts);
    if (status) return status;
    const equity_table *table = match_table(model, rules, view);
    if (!table) return BASRA_E_MODEL;
    match_odds_init(table, rules, view, &facts, &odds);
    for (size_t i = 0; i < count; i++) chances[i] = match_chance(&odds, values[i]);
    return BASRA_OK;
}

basra_status basra_match_values(basra_engine *engine, const basra_rules *rules,
                                const basra_view *view, const basra_model *model,
                                const basra_world *worlds, size_t count, const basra_limits *limits,
                                size_t groups, const int32_t *values, int32_t *chances,
                                size_t *done, basra_stop *stop)
{
    basra_facts facts;
    match_odds odds = {.grain = 0};
    *done = 0;
    basra_status status = view_facts(rules, view, &facts);
    const equity_table *table = status ? NULL : match_table(model, rules, view);
    if (!status && !table) status = BASRA_E_MODEL;
    if (!status) status = engine_enter(engine, limits);
    if (status) return status;
    status = match_values(engine, rules, view, &facts, table, &odds, worlds, count, groups, values,
                          chances, done);
    *stop = engine->stopped;
    engine_leave(engine);
    return status;
}

basra_status basra_match_equity(const basra_model *model, int players, int partners,
                                const int32_t *scores, int32_t carry, int leader, int32_t *chance)
{
    if (!rules_players_valid(players, partners) || basra_sides(players, partners) != 2 ||
        leader < 0 || leader > 1 || carry < 0)
        return BASRA_E_ARG;
    const equity_table *table = model ? model->equity[model_table(players, partners)] : NULL;
    if (!table) return BASRA_E_MODEL;
    *chance = equity_chance(table, scores, carry, leader);
    return BASRA_OK;
}
