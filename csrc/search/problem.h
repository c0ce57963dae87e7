/* A search problem: known hands for one or several deals, at the level of card types.
 *
 * Hands are bit masks over the cards dealt in the current deal ("slots"), seat by seat and sorted by
 * type, so that a node of the tree is a floor, a mask, counts and who captured last.  Of equal cards
 * the one in the highest slot is played first; thus equal hands have equal masks.
 */
#ifndef BASRA_SEARCH_PROBLEM_H
#define BASRA_SEARCH_PROBLEM_H

#include "lore.h"

#include "../model/model.h"

enum { MAX_DEALS = 27 };

/* With so many cards left in hand the ending of a deal begins; that of a round is its whole last deal.  See
 * ending.h. */
enum { ENDING_OF_DEAL = 2 };

typedef struct search_deal {
    uint64_t all; /* every slot in use */
    uint64_t same_next; /* slots whose next slot holds an equal card of the same seat */
    uint64_t seat[BASRA_MAX_PLAYERS]; /* slots of each seat */
    uint64_t side[2]; /* slots of each of two sides */
    uint8_t undealt; /* cards left in the stock after this deal */
    uint8_t later; /* of those, cards that the problem deals */
    uint8_t ending; /* cards to play, later deals included, when the ending of this one begins */
    search_slot slot[BASRA_CARDS];
} search_deal;

typedef struct search_problem {
    const search_lore *lore; /* borrowed */
    const card_types *types; /* of that */
    search_deal deal[MAX_DEALS]; /* the first `deals` of them */
    int deals, players, sides;
    uint8_t leader;
    uint8_t after[BASRA_MAX_PLAYERS]; /* next seat */
    bool partners;
    bool monotone; /* having captured last never hurts */
    bool plain_end; /* the last card played makes no basra */
    bool hand_must; /* a hand that can capture must */
    bool free_trail; /* a card that captures may be trailed too */
    bool to_round_end; /* the last deal here is the round's last: score it, do not estimate */
    int32_t bonus; /* points for strictly most cards, the carry included */
    /* Single players at a boundary: the expected most-cards points, in 1/BASRA_UNIT points, made
     * linear around the root's counts, so that counts need not be told apart in the tree. */
    bool linear;
    int32_t share[BASRA_MAX_PLAYERS];
    int32_t slope[BASRA_MAX_PLAYERS * BASRA_MAX_PLAYERS];
    const boundary_net *net; /* what a boundary is worth besides; NULL: nothing */
    boundary_base base; /* of the cards that stay unseen */
} search_problem;

/* Where play stands: all that decides what can be played and captured from here on. */
typedef struct search_place {
    uint64_t
        floor; /* a bag, with the number of the deal above it, and a mark of the table's owner */
    uint64_t held; /* slots not played yet */
    const search_deal *deal;
    floor_looks looks; /* of the floor */
    uint8_t turn; /* seat */
    uint8_t left; /* cards to play, those of later deals included */
} search_place;

/* Bags fill 52 bits, numbers of deals 5. */
enum { PLACE_DEAL_SHIFT = 52, PLACE_OWNER_SHIFT = 57, PLACE_OWNERS = 1 << 7 };

static inline bag place_floor(const search_place *place) { return place->floor & SET_ALL; }

/* Sides stand for seats in a table of single players. */
typedef struct search_node {
    search_place place;
    uint8_t cards[BASRA_MAX_PLAYERS]; /* by side, captured so far */
    int8_t last; /* side that captured last, or BASRA_NO_SEAT */
} search_node;

/* The floor cards that a move takes. */
static inline bag search_taken(const search_move *move)
{
    return move->cards ? ~move->change + 1 : 0;
}

/* Set-up: hands by seat in the current deal, then `stock` in dealing order. */
typedef struct problem_setup {
    uint64_t hand[BASRA_MAX_PLAYERS];
    uint64_t floor;
    const uint8_t *stock;
    int stock_size; /* cards searched through */
    int unsearched; /* undealt cards beyond them */
    const boundary_net *net; /* of the boundary there, borrowed; may be NULL */
    uint64_t unseen; /* cards unseen at the boundary, for the net */
    int32_t carry;
    uint8_t cards[BASRA_MAX_PLAYERS];
    uint8_t players, partners, leader, turn;
    int8_t last; /* seat */
} problem_setup;

/* Types must outlive the problem. */
void problem_init(const search_lore *lore, const problem_setup *setup, search_problem *problem,
                  search_node *root);

static inline int problem_side(const search_problem *problem, int seat)
{
    return side_of(seat, problem->partners);
}

/* The place after a move; the next deal is dealt when hands are empty and there is one. */
static inline void problem_step(const search_problem *problem, const search_place *place,
                                const search_move *move, search_place *next)
{
    next->floor = place->floor + move->change;
    next->looks = looks_single(place->looks) ? place->looks & ~move->ranks
                                             : looks_of(&problem->lore->singles, place_floor(next));
    if (!move->cards) next->looks = looks_with(place->looks, move->ranks);
    next->held = place->held & move->others;
    next->deal = place->deal;
    next->turn = problem->after[place->turn];
    next->left = (uint8_t)(place->left - 1);
    if (next->held || !next->left) return;
    next->deal++;
    next->floor += UINT64_C(1) << PLACE_DEAL_SHIFT;
    next->held = next->deal->all;
    next->turn = problem->leader;
}

/* About what a jack is worth to the side that has it, in 1/BASRA_UNIT points: it grows with the points
 * for most cards.  Fitted to the values of whole rounds of all presets; for guesses only. */
static inline int32_t problem_stake(const search_problem *problem)
{
    return (7 + problem->bonus) * (BASRA_UNIT / 4);
}

/* The node after a move. */
void problem_play(const search_problem *problem, const search_node *node, const search_move *move,
                  search_node *next);

/* Cards nobody has captured, undealt ones included. */
int problem_uncaptured(const search_problem *problem, const search_place *place);

/* Points by side at the end, in 1/BASRA_UNIT points: leftovers and most cards. */
void problem_leaf(const search_problem *problem, const search_node *node, int32_t *points);

#endif
