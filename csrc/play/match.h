/* From points to the match: what a value searched is worth where winning the match is all that counts. */
#ifndef BASRA_PLAY_MATCH_H
#define BASRA_PLAY_MATCH_H

#include "../model/model.h"

/* Values that are told apart, each way. */
enum { MATCH_REACH = 160 };

/* Chance of my side, in 1/EQUITY_SURE, by the value of what is still to come in the round. */
typedef struct match_odds {
    int32_t grain; /* points between two values; 0: not worked out yet */
    int32_t chance[2 * MATCH_REACH + 1];
} match_odds;

/* The table for a complete view in which my side's match is still open, or NULL: no model, no such table in
 * it, more than two sides, or a match that is over. */
const equity_table *match_table(const basra_model *model, const basra_rules *rules,
                                const basra_view *view);

/* Works the odds out for a view. */
void match_odds_init(const equity_table *table, const basra_rules *rules, const basra_view *view,
                     const basra_facts *facts, match_odds *odds);

/* Chance for a value in 1/BASRA_UNIT points, as basra_world_values gives it. */
int32_t match_chance(const match_odds *odds, int32_t value);

/* As basra_match_values, for an engine that was entered; `odds` are worked out when they are first needed. */
basra_status match_values(basra_engine *engine, const basra_rules *rules, const basra_view *view,
                          const basra_facts *facts, const equity_table *table, match_odds *odds,
                          const basra_world *worlds, size_t count, size_t groups,
                          const int32_t *values, int32_t *chances, size_t *done);

#endif
