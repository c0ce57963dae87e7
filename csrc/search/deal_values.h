/* Inside the library: one deal with open hands, dealt anew and valued, in a call that has the engine. */
#ifndef BASRA_SEARCH_DEAL_VALUES_H
#define BASRA_SEARCH_DEAL_VALUES_H

#include "../game/random.h"
#include "engine.h"

/* Shuffles cards, those in hands and in the stock in any order, and deals hands as large as the
 * position's from them; returns the cards that are left over. */
uint64_t deal_again(const basra_position *p, random_stream *dice, uint8_t *cards, uint32_t count,
                    uint64_t *hand);

/* Value of the deal in hand with these hands, for the side to move, or by seat from there as in
 * basra_deal_values; `unseen` are the cards that stay undealt.  Void if engine_halted afterwards. */
void deal_value(basra_engine *engine, const basra_rules *rules, const basra_model *model,
                const basra_position *p, const uint64_t *hand, uint64_t unseen, int32_t *values);

#endif
