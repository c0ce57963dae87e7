#include "sample.h"

#include "rules_text.h"
#include "../game/position.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static basra_move moves[BASRA_MAX_CAPTURES];

void sample_must(basra_status status, const char *what)
{
    if (!status) return;
    fprintf(stderr, "%s: %s\n", what, basra_status_text((int)status));
    exit(1);
}

uint64_t sample_draw(uint64_t *dice)
{
    uint64_t z = (*dice += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static int draw_below(uint64_t *dice, int bound)
{
    return (int)(sample_draw(dice) % (uint64_t)bound);
}

int sample_table_read(const char *rules, int players, int partners, sample_table *table)
{
    basra_fault fault;
    *table = (sample_table){.name = rules, .players = players, .partners = partners};
    return rules_text_read(rules, &table->rules) &&
           !basra_table_check(&table->rules, players, partners, &fault);
}

int sample_deal_count(const sample_table *table)
{
    uint8_t sizes[BASRA_CARDS];
    int deals;
    sample_must(basra_deal_sizes(&table->rules, table->players, sizes, &deals), "deal sizes");
    return deals;
}

void sample_round(const sample_table *table, uint64_t *dice, basra_position *p)
{
    int leader = draw_below(dice, table->players);
    sample_must(basra_position_deal(&table->rules, table->players, table->partners, leader,
                                    sample_draw(dice), p),
                "deal");
}

static void play_any(const sample_table *table, uint64_t *dice, basra_position *p)
{
    size_t count;
    sample_must(basra_position_moves(&table->rules, p, moves, BASRA_MAX_CAPTURES, &count), "moves");
    position_apply(&table->rules, &moves[sample_draw(dice) % count], p);
}

int sample_cards_left(const sample_table *table, int deals)
{
    uint8_t sizes[BASRA_CARDS];
    int count, cards = 0;
    sample_must(basra_deal_sizes(&table->rules, table->players, sizes, &count), "deal sizes");
    for (int i = count - deals; i < count; i++) cards += sizes[i] * table->players;
    return cards;
}

void sample_deals(const sample_table *table, uint64_t *dice, int deals, int plies,
                  basra_position *p)
{
    sample_round(table, dice, p);
    int stock = sample_cards_left(table, deals - 1);
    while (position_undealt(p) > stock) play_any(table, dice, p);
    for (int i = 0; i < plies && !position_last_card(p); i++) play_any(table, dice, p);
}

static void shuffle(uint64_t *dice, uint8_t *cards, int count)
{
    for (int i = count; i > 1; i--) {
        int at = draw_below(dice, i);
        uint8_t card = cards[at];
        cards[at] = cards[i - 1];
        cards[i - 1] = card;
    }
}

static uint64_t take_cards(const uint8_t *cards, int count, int *at)
{
    uint64_t set = 0;
    for (int i = 0; i < count; i++) set |= SET_OF(cards[(*at)++]);
    return set;
}

/* What is left of the pack is captured: by both, by one, or by nobody where nothing is left. */
static void share_out(uint64_t *dice, int captured, basra_position *p)
{
    int sides = basra_sides(p->players, p->partners);
    p->last = BASRA_NO_SEAT;
    int bias = draw_below(dice, 5);
    for (; captured > 1; captured -= 2) {
        int side = draw_below(dice, 4) < bias ? 0 : draw_below(dice, sides);
        p->cards[side] = (uint8_t)(p->cards[side] + (captured == 3 ? 3 : 2));
    }
    for (int seat = 0; seat < p->players; seat++)
        if (p->cards[side_of(seat, p->partners)] && (p->last < 0 || draw_below(dice, 2)))
            p->last = (int8_t)seat;
}

void sample_made_up(const sample_table *table, uint64_t *dice, int deals, int plies,
                    basra_position *p)
{
    uint8_t pack[BASRA_CARDS];
    int count = 0, at = 0, detail, players = table->players;
    basra_fault fault;
    for (uint64_t rest = basra_pack(&table->rules); rest;) pack[count++] = (uint8_t)set_pop(&rest);
    shuffle(dice, pack, count);
    *p = (basra_position){.players = (uint8_t)players, .partners = table->partners != 0};
    p->turn = (uint8_t)draw_below(dice, players);
    int held = sample_cards_left(table, deals) - sample_cards_left(table, deals - 1) - plies;
    if (held < 1) held = 1;
    /* The last of the deal's turns fall to the seats before the one to move. */
    for (int i = 0; i < players; i++)
        p->hand[(p->turn + i) % players] =
            take_cards(pack, (held - i + players - 1) / players, &at);
    p->stock_size = (uint8_t)sample_cards_left(table, deals - 1);
    memcpy(p->stock, pack + at, p->stock_size);
    at += p->stock_size;
    int left = count - at;
    int floor = draw_below(dice, (left < 12 ? left : 12) + 1);
    /* One card is not a capture: it lies on the floor. */
    if (left - floor == 1) floor++;
    p->floor = take_cards(pack, floor, &at);
    share_out(dice, left - floor, p);
    if (table->rules.most_cards_tie == BASRA_TIE_CARRY && draw_below(dice, 4) == 0)
        p->carry = 1 + draw_below(dice, 60);
    sample_must(basra_position_complete(&table->rules, 1, p, &fault, &detail), "made-up position");
}

/* ---- notation --------------------------------------------------------------------------------- */

static void print_card(FILE *to, int card)
{
    fprintf(to, "%c%c", "A23456789TJQK"[card / 4], "CDHS"[card % 4]);
}

static void print_set(FILE *to, uint64_t set)
{
    if (!set) fputc('-', to);
    while (set) print_card(to, set_pop(&set));
}

void sample_print(FILE *to, const sample_table *table, const basra_position *p)
{
    fprintf(to, "basra/1/rules=%s/table=%d%s/knows=all/turn=%d/hands=", table->name, p->players,
            p->partners ? "p" : "", p->turn + 1);
    for (int seat = 0; seat < p->players; seat++) {
        if (seat) fputc(':', to);
        print_set(to, p->hand[seat]);
    }
    fprintf(to, "/floor=");
    print_set(to, p->floor);
    fprintf(to, "/stock=");
    if (!position_undealt(p)) fputc('-', to);
    for (int i = p->stock_next; i < p->stock_size; i++) print_card(to, p->stock[i]);
    fprintf(to, "/cards=");
    for (int side = 0; side < basra_sides(p->players, p->partners); side++)
        fprintf(to, "%s%d", side ? ":" : "", p->cards[side]);
    if (p->last >= 0) fprintf(to, "/last=%d", p->last + 1);
    fprintf(to, "/carry=%d\n", p->carry);
}

void sample_view(const sample_table *table, const basra_position *p, basra_view *view)
{
    basra_facts facts;
    basra_fault fault;
    int detail;
    sample_must(basra_view_of(&table->rules, p, view), "view");
    sample_must(basra_view_complete(&table->rules, view, &facts, &fault, &detail), "view");
}
