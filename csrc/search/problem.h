/* A search problem: known hands for one or several deals, at the level of card types.
 *
 * Hands are bit masks over the cards dealt in the current deal ("slots"), seat by seat and sorted by
 * type, so that a node of the tree is a floor, a mask, counts and who captured last.  Of equal cards
 * the one in the highest slot is played first; thus equal hands have equal masks.
 */
#ifndef BASRA_SEARCH_PROBLEM_H
#define BASRA_SEARCH_PROBLEM_H

#include "../game/capture.h"
#include "move_cache.h"

enum { MAX_DEALS = 27 };

typedef struct search_deal {
    uint64_t all;                     /* every slot in use */
    uint64_t same_next; /* slots whose next slot holds an equal card of the same seat */
    uint64_t seat[BASRA_MAX_PLAYERS]; /* slots of each seat */
    uint8_t type[BASRA_CARDS]; /* by slot */
    uint8_t undealt; /* cards left in the stock after this deal */
} search_deal;

typedef struct search_problem {
    card_types types;
    search_deal deal[MAX_DEALS];
    int deals, players, sides;
    uint8_t leader;
    bool partners;
    bool monotone; /* more captured cards, or having captured last, never hurts */
    bool to_round_end; /* the last deal here is the round's last: score it, do not estimate */
    int32_t bonus; /* points for strictly most cards, the carry included */
    /* Single players at a boundary: the expected most-cards points, in 1/BASRA_UNIT points, made
     * linear around the root's counts, so that counts need not be told apart in the tree. */
    bool linear;
    int32_t share[BASRA_MAX_PLAYERS];
    int32_t slope[BASRA_MAX_PLAYERS * BASRA_MAX_PLAYERS];
} search_problem;

/* Sides stand for seats in a table of single players. */
typedef struct search_node {
    bag floor;
    uint64_t held; /* slots not played yet */
    uint8_t cards[BASRA_MAX_PLAYERS]; /* by side, captured so far */
    uint8_t deal, turn;
    int8_t last; /* side that captured last, or BASRA_NO_SEAT */
} search_node;

typedef struct search_move {
    bag taken;
    int32_t gain; /* points for the side that plays */
    uint8_t slot;
    uint8_t cards; /* captured, the played one included */
    uint8_t type;
} search_move;

/* Moves of nodes on the current path, one above the other. */
typedef struct move_stack {
    search_move *moves;
    size_t size;
} move_stack;

/* Set-up: hands by seat in the current deal, then `stock` in dealing order. */
typedef struct problem_setup {
    uint64_t hand[BASRA_MAX_PLAYERS];
    uint64_t floor;
    const uint8_t *stock;
    int stock_size; /* cards searched through */
    int unsearched; /* undealt cards beyond them */
    int32_t carry;
    uint8_t cards[BASRA_MAX_PLAYERS];
    uint8_t players, partners, leader, turn;
    int8_t last; /* seat */
} problem_setup;

void problem_init(const basra_rules *rules, const problem_setup *setup, search_problem *problem,
                  search_node *root);

/* Appends the moves of a node at moves[at..], canonical by type; *count of them.  The cache may be
 * NULL. */
basra_status problem_moves(const search_problem *problem, const search_node *node,
                           move_cache *cache, capture_work *work, move_stack *stack, size_t at,
                           size_t *count);

/* The node after a move; the next deal is dealt when hands are empty and there is one. */
void problem_play(const search_problem *problem, const search_node *node, const search_move *move,
                  search_node *next);

/* Cards nobody has captured, undealt ones included. */
int problem_uncaptured(const search_problem *problem, const search_node *node);

static inline int problem_side(const search_problem *problem, int seat)
{
    return side_of(seat, problem->partners);
}

/* Points by side at the end, in 1/BASRA_UNIT points: leftovers and most cards. */
void problem_leaf(const search_problem *problem, const search_node *node, int32_t *points);

#endif
