/* A deal going on at the level of card types: the fast way to play cards that nobody thinks about. */
#ifndef BASRA_SEARCH_PLAYOUT_H
#define BASRA_SEARCH_PLAYOUT_H

#include "../game/random.h"
#include "engine.h"

/* Hands are lists of types, in no order.  A seat's moves are counted card by card: a trail, if the card may be
 * trailed, then its captures in canonical order. */
typedef struct playout {
    basra_engine *engine; /* entered; its memory is that of the rules */
    search_lore *lore; /* of that engine */
    random_stream dice;
    bag floor;
    floor_looks looks; /* of that */
    uint8_t hand[BASRA_MAX_PLAYERS][BASRA_CARDS];
    uint8_t held[BASRA_MAX_PLAYERS]; /* cards in each hand */
    int players;
    bool partners;
    bool usual; /* a card that can capture must */
    int32_t points[BASRA_MAX_PLAYERS]; /* by side */
    int cards[BASRA_MAX_PLAYERS]; /* by side */
    int last; /* side, or BASRA_NO_SEAT */
    bool plain; /* no basra: the next card is the round's last */
} playout;

/* A playout of the engine's rules for a table; floor, hands and counts are the caller's to fill in. */
void playout_open(basra_engine *engine, const basra_rules *rules, int players, bool partners,
                  playout *g);

/* Plays so many cards at random, from a seat on, each uniformly among its moves up to equal cards.
 * `plain_end`: the last of them makes no basra.  BASRA_E_TOO_LARGE, _NOMEM, _STOPPED. */
basra_status playout_rest(playout *g, int seat, int cards, bool plain_end);

/* How many moves a card of the type has on the floor; *trails of them, 0 or 1, leave it there.  0 on failure,
 * with the status in engine->memory.failed. */
uint32_t playout_moves(playout *g, int type, uint32_t *trails);

/* Makes one of those moves for a side: floor, points, counts and last capturer, not the hand. */
basra_status playout_move(playout *g, int side, int type, uint32_t index);

/* The slot that holds a type of a hand; it must be there. */
static inline int playout_find(const playout *g, int seat, int type)
{
    int at = 0;
    while (g->hand[seat][at] != type) at++;
    return at;
}

/* Takes a card out of a hand. */
static inline void playout_drop(playout *g, int seat, int at)
{
    g->hand[seat][at] = g->hand[seat][--g->held[seat]];
}

#endif
