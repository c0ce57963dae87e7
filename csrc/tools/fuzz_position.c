/* Rounds played and taken back from bytes, and positions typed in, then solved within limits. */
#include "fuzz_input.h"

#include <string.h>

/* Crowded floors have captures by the thousand: they are left to fuzz_captures. */
enum { NODE_LIMIT = 4000, TABLE_BYTES = 1 << 14, SNAPSHOTS = BASRA_CARDS + 1, CROWDED = 14 };

static basra_move moves[BASRA_MAX_CAPTURES];
static basra_scored scored[BASRA_MAX_CAPTURES];

static uint64_t stock_set(const basra_position *p)
{
    uint64_t set = 0;
    for (int i = p->stock_next; i < p->stock_size; i++) set |= bit_of(p->stock[i]);
    return set;
}

/* Every card is in one place, and counts and points are those of the piles. */
static void check_position(const basra_rules *rules, const basra_position *p, uint64_t whole)
{
    uint64_t placed = p->floor | stock_set(p);
    int cards = set_size(p->floor) + p->stock_size - p->stock_next;
    for (int seat = 0; seat < p->players; seat++) {
        placed |= p->hand[seat] | p->pile[seat];
        cards += set_size(p->hand[seat]) + set_size(p->pile[seat]);
    }
    EXPECT(placed == whole && cards == set_size(whole));
    EXPECT(p->over || p->hand[p->turn]);
    EXPECT(p->last >= BASRA_NO_SEAT && p->last < p->players);
    EXPECT(whole == basra_pack(rules));
}

static int same_play(const basra_play *a, const basra_play *b)
{
    return a->taken == b->taken && a->basra == b->basra && a->points == b->points &&
           a->card == b->card && a->seat == b->seat && a->deal == b->deal &&
           a->last_before == b->last_before;
}

/* Field by field: the bytes between fields mean nothing. */
static void check_same(const basra_position *a, const basra_position *b)
{
#define SAME_ARRAY(field) EXPECT(!memcmp(a->field, b->field, sizeof a->field))
#define SAME(field) EXPECT(a->field == b->field)
    SAME_ARRAY(hand);
    SAME_ARRAY(pile);
    SAME_ARRAY(score);
    SAME_ARRAY(points);
    SAME_ARRAY(majority);
    SAME_ARRAY(cards);
    SAME_ARRAY(stock);
    SAME_ARRAY(buried);
    SAME(floor);
    SAME(leftovers);
    SAME(seed);
    SAME(carry);
    SAME(carry_after);
    SAME(players);
    SAME(partners);
    SAME(leader);
    SAME(turn);
    SAME(over);
    SAME(last);
    SAME(deal);
    SAME(round);
    SAME(played);
    SAME(stock_size);
    SAME(stock_next);
    SAME(buried_size);
    for (int i = 0; i < BASRA_CARDS; i++) EXPECT(same_play(&a->play[i], &b->play[i]));
#undef SAME
#undef SAME_ARRAY
}

/* The view of a position that was dealt is always complete and consistent. */
static void check_view(const basra_rules *rules, const basra_position *p)
{
    basra_view view;
    basra_facts facts;
    basra_fault fault;
    int detail;
    EXPECT(basra_view_of(rules, p, &view) == BASRA_OK);
    EXPECT(basra_view_complete(rules, &view, &facts, &fault, &detail) == BASRA_OK);
    EXPECT(facts.stock == p->stock_size - p->stock_next);
    uint64_t hidden = facts.unseen | facts.stocked;
    for (int seat = 0; seat < p->players; seat++) {
        int real = (p->leader + seat) % p->players;
        EXPECT(facts.hand_size[seat] == set_size(p->hand[real]));
        EXPECT(!(facts.fixed[seat] & ~p->hand[real]));
        hidden |= facts.fixed[seat];
        if (real != p->turn) EXPECT(!(p->hand[real] & ~(facts.unseen | facts.fixed[seat])));
    }
    EXPECT(!(stock_set(p) & ~hidden));
    EXPECT(!(facts.stocked & ~stock_set(p)));
}

static void play_legal(input *in, const basra_rules *rules, basra_position *p)
{
    size_t count;
    basra_status status = basra_position_moves(rules, p, moves, BASRA_MAX_CAPTURES, &count);
    if (status) {
        EXPECT(status == BASRA_E_TOO_LARGE || status == BASRA_E_BOUNDS);
        return;
    }
    EXPECT(count);
    const basra_move *m = &moves[(size_t)(take8(in) << 8 | take8(in)) % count];
    EXPECT(basra_position_play(rules, m->card, m->taken, p) == BASRA_OK);
    const basra_play *made = &p->play[p->played - 1];
    EXPECT(made->basra == m->basra && made->points == m->points && made->card == m->card);
}

/* Any card and set: refused without a trace, or legal after all. */
static void play_any(input *in, const basra_rules *rules, basra_position *p)
{
    basra_position before = *p;
    uint8_t b = take8(in);
    int card = b < 64 || !p->hand[p->turn] ? b - 4 : nth_card(p->hand[p->turn], b);
    uint64_t taken = b & 1 ? take64(in) & p->floor : take64(in);
    basra_status status = basra_position_play(rules, card, taken, p);
    if (!status) return;
    EXPECT(status == BASRA_E_MOVE || status == BASRA_E_OVER || status == BASRA_E_TOO_LARGE);
    check_same(&before, p);
}

static void play_rounds(input *in, const basra_rules *rules, basra_position *p)
{
    static basra_position path[SNAPSHOTS];
    int depth = 0;
    uint64_t whole = basra_pack(rules);
    while (in->size && set_size(p->floor) < CROWDED) {
        uint8_t what = take8(in);
        int before = p->played;
        path[depth] = *p;
        if (what < 160 && !p->over) {
            play_legal(in, rules, p);
        } else if (what < 190) {
            play_any(in, rules, p);
        } else if (what < 240) {
            basra_status status = basra_position_undo(rules, p);
            EXPECT((status == BASRA_OK) == (depth > 0));
            if (depth) check_same(&path[--depth], p);
            continue;
        } else {
            basra_status status = basra_position_next_round(rules, p);
            EXPECT((status == BASRA_OK) == path[depth].over);
            if (!status) depth = 0;
            check_position(rules, p, whole);
            continue;
        }
        if (p->played > before) depth++;
        check_position(rules, p, whole);
        if (!p->over) check_view(rules, p);
    }
}

/* A complete line must earn exactly the value. */
static void check_line(const basra_rules *rules, const basra_position *start,
                       const basra_move *line, const basra_solution *solution)
{
    basra_position p = *start;
    int sides = basra_sides(p.players, p.partners), me = p.partners ? p.turn & 1 : p.turn;
    for (size_t i = 0; i < solution->line; i++)
        EXPECT(basra_position_play(rules, line[i].card, line[i].taken, &p) == BASRA_OK);
    EXPECT(p.over);
    int32_t all = 0, mine = 0;
    for (int side = 0; side < sides; side++) {
        int32_t earned = p.points[side] - start->points[side];
        all += earned;
        if (side == me) mine = earned;
    }
    EXPECT(sides * mine - all == scored[solution->best].value);
}

static void check_solve(input *in, const basra_rules *rules, const basra_position *p)
{
    /* Two for all inputs, one with the smallest table: what they kept must not matter. */
    static basra_engine *engines[2];
    basra_engine **engine = &engines[take8(in) & 1];
    basra_solution solution;
    basra_move line[BASRA_CARDS];
    basra_limits limits = {.nodes = NODE_LIMIT};
    uint64_t count;
    size_t bytes = engine == engines ? TABLE_BYTES : 1;
    if (!*engine) EXPECT(basra_engine_new(bytes, engine) == BASRA_OK);
    basra_status status =
        basra_solve(*engine, rules, p, &limits, 1, scored, BASRA_MAX_CAPTURES, line, &solution);
    EXPECT(!status || status == BASRA_E_TOO_LARGE || status == BASRA_E_BOUNDS);
    if (!status && solution.stop == BASRA_STOP_COMPLETE) {
        EXPECT(solution.best >= 0 && solution.moves);
        for (size_t i = 0; i < solution.moves; i++) EXPECT(scored[i].known);
        check_line(rules, p, line, &solution);
    } else if (!status) {
        EXPECT(solution.stop == BASRA_STOP_NODES && solution.nodes <= NODE_LIMIT);
    }
    if (!status) {
        status = basra_perft(rules, p, 1, NULL, NULL, &count);
        EXPECT(!status && count == solution.moves);
    }
}

/* Deals distinct cards out to the places of a position; some inputs spoil it again. */
static void type_in(input *in, const basra_rules *rules, basra_position *p)
{
    uint64_t left = basra_pack(rules);
    int players, partners, held = 1 + take8(in) % 8, behind;
    take_table(in, &players, &partners);
    p->players = (uint8_t)players;
    p->partners = (uint8_t)partners;
    p->turn = (uint8_t)(take8(in) % players);
    behind = take8(in) % players; /* seats that have played already */
    for (int i = 0; i < players; i++) {
        int seat = (p->turn + i) % players;
        for (int n = held - (i >= players - behind); n > 0 && left; n--) {
            int card = nth_card(left, take8(in));
            p->hand[seat] |= bit_of(card);
            left &= ~bit_of(card);
        }
    }
    for (int n = take8(in) % 13; n > 0 && left; n--) {
        int card = nth_card(left, take8(in));
        p->floor |= bit_of(card);
        left &= ~bit_of(card);
    }
    for (int n = take8(in) % 4 * players; n > 0 && left; n--) {
        int card = nth_card(left, take8(in));
        p->stock[p->stock_size++] = (uint8_t)card;
        left &= ~bit_of(card);
    }
    uint8_t b = take8(in);
    p->last = (int8_t)((int)(b & 7) + BASRA_UNKNOWN_SEAT);
    for (int side = 0; side < basra_sides(players, partners) && b & 8; side++)
        p->cards[side] = take8(in) % 30;
    if (b & 16) p->carry = take_points(in);
    if (b & 32) p->points[0] = take_points(in) % 1000;
    /* Spoilt: any field anywhere. */
    if (b & 64) p->hand[take8(in) & 3] ^= take64(in);
    if (b & 128) {
        p->stock[take8(in) % BASRA_CARDS] = take8(in);
        p->stock_size = take8(in);
        p->turn = take8(in);
        p->players = take8(in) % 8;
    }
}

static void check_typed(input *in, const basra_rules *rules)
{
    basra_position p = {0};
    basra_view view;
    basra_facts facts;
    basra_fault fault = BASRA_FAULT_NONE;
    int detail;
    type_in(in, rules, &p);
    int whole = take8(in) & 1;
    basra_status status = basra_position_complete(rules, whole, &p, &fault, &detail);
    if (status) {
        EXPECT(status == BASRA_E_ARG || fault != BASRA_FAULT_NONE);
        return;
    }
    if (set_size(p.floor) < CROWDED) check_solve(in, rules, &p);
    EXPECT(basra_view_of(rules, &p, &view) == BASRA_OK);
    status = basra_view_complete(rules, &view, &facts, &fault, &detail);
    EXPECT(!status || fault || status == BASRA_E_ARG);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, size};
    basra_rules rules;
    basra_position p;
    int players, partners;
    take_rules(&in, &rules);
    if (take8(&in) & 1) {
        check_typed(&in, &rules);
        return 0;
    }
    take_table(&in, &players, &partners);
    int leader = take8(&in) % players;
    if (!basra_position_deal(&rules, players, partners, leader, take32(&in), &p)) {
        check_position(&rules, &p, basra_pack(&rules));
        play_rounds(&in, &rules, &p);
    }
    return 0;
}
