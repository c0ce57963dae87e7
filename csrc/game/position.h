/* Positions inside the library: what perft, views and search need beyond the public interface. */
#ifndef BASRA_GAME_POSITION_H
#define BASRA_GAME_POSITION_H

#include "types.h"

/* Undealt cards. */
int position_undealt(const basra_position *p);

/* Is the next card played the last of the round? */
bool position_last_card(const basra_position *p);

/* BASRA_OK if the play is legal from this hand and floor, else BASRA_E_MOVE.  Types are those of identity. */
basra_status position_legal(const card_types *types, uint64_t hand, uint64_t floor, int card,
                            uint64_t taken);

/* Plays a move that is known to be legal, from basra_position_moves. */
void position_apply(const basra_rules *rules, const basra_move *move, basra_position *p);

/* A table without cards, checked; then its first rounds, as basra_position_deal would deal them from a
 * seed, again and again without further checks.  The plays of *p are left as they are. */
basra_status position_open(const basra_rules *rules, int players, int partners, int leader,
                           basra_position *table);
basra_status position_deal_at(const basra_rules *rules, const basra_position *table, uint64_t seed,
                              basra_position *p);

#endif
