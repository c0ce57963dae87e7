/* Positions for the tools: dealt, played at random or made up, all from the tools' own dice, so that
 * they stay the same whatever becomes of the library's streams. */
#ifndef BASRA_TOOLS_SAMPLE_H
#define BASRA_TOOLS_SAMPLE_H

#include "basra.h"

#include <stdio.h>

/* Rules with their text in a position's notation, and a table that they allow. */
typedef struct sample_table {
    const char *name;
    basra_rules rules;
    int players, partners;
} sample_table;

/* Ends the program on a failure, naming what failed. */
void sample_must(basra_status status, const char *what);

/* The next 64 random bits; any state is a good start. */
uint64_t sample_draw(uint64_t *dice);

/* A table under rules in the text of a notation, which must live as long; 0 if they cannot be read or
 * do not allow the table. */
int sample_table_read(const char *rules, int players, int partners, sample_table *table);

/* A new round. */
void sample_round(const sample_table *table, uint64_t *dice, basra_position *p);

/* A new round played at random until `deals` deals are left, the one in hand included, and then
 * `plies` more, but not to its end. */
void sample_deals(const sample_table *table, uint64_t *dice, int deals, int plies,
                  basra_position *p);

/* A made-up position with `deals` deals left, of which `plies` plies are gone: any cards in the hands,
 * in the stock and on the floor, whatever number of them, counts to match, anybody last. */
void sample_made_up(const sample_table *table, uint64_t *dice, int deals, int plies,
                    basra_position *p);

/* Deals of a round at this table, and cards played in the last `deals` of them. */
int sample_deal_count(const sample_table *table);
int sample_cards_left(const sample_table *table, int deals);

/* What the seat to move knows, complete; ends the program where that cannot be told. */
void sample_view(const sample_table *table, const basra_position *p, basra_view *view);

/* A notation that sets the position up as it stands. */
void sample_print(FILE *to, const sample_table *table, const basra_position *p);

#endif
