/* Positions inside the library: what perft, views and search need beyond the public interface. */
#ifndef BASRA_GAME_POSITION_H
#define BASRA_GAME_POSITION_H

#include "rules.h"

/* Undealt cards. */
int position_undealt(const basra_position *p);

/* Is the next card played the last of the round? */
bool position_last_card(const basra_position *p);

/* BASRA_OK if the play is legal from this hand and floor, else BASRA_E_MOVE. */
basra_status position_legal(const basra_rules *rules, uint64_t hand, uint64_t floor, int card,
                            uint64_t taken);

/* Plays a move that is known to be legal, from basra_position_moves. */
void position_apply(const basra_rules *rules, const basra_move *move, basra_position *p);

#endif
