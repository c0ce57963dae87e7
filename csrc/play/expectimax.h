/* Inside the expectimax player: the search, and what its leaves are worth. */
#ifndef BASRA_PLAY_EXPECTIMAX_H
#define BASRA_PLAY_EXPECTIMAX_H

#include "../search/problem.h"
#include "player.h"

/* A world that may be, with the chance that it is, where the tree stands. */
typedef struct expected_world {
    uint32_t world; /* its number */
    uint32_t
        play; /* what the seat to move plays in it, by number; at other times the next of a chain */
    uint64_t weight; /* those of all worlds at the root add up to about EXPECTED_WHOLE */
} expected_world;

#define EXPECTED_WHOLE (UINT64_C(1) << 32)

/* What everybody sees after some plays, those from the root on counted as they were made. */
typedef struct expected_place {
    bag floor, gone; /* gone: in anybody's pile */
    bag played[BASRA_MAX_PLAYERS]; /* by seat, since the root */
    int32_t gain[BASRA_MAX_PLAYERS]; /* by side, points since the root */
    int cards[BASRA_MAX_PLAYERS]; /* by side */
    uint8_t held[BASRA_MAX_PLAYERS]; /* by seat, cards in hand */
    int last; /* side that captured last since the root, or BASRA_NO_SEAT: the world tells */
    int turn; /* seat */
    int left; /* cards to play in this deal */
} expected_place;

/* Values of last deals that were averaged over their hands, by hashing. */
typedef struct dealt_value {
    bag floor, unseen;
    int32_t value;
    int8_t lead;
    uint8_t last, used;
} dealt_value;

typedef struct expectimax {
    decision *d;
    const policy_net *net;
    const basra_world *world; /* by number */
    bag (*hand)[BASRA_MAX_PLAYERS]; /* by world: hands at the root */
    size_t worlds;
    int sides, me; /* my side */
    int horizon; /* plies from the root that the tree may have */
    int plies; /* to the end of the deal */
    policy_board *board; /* by depth: of the seats that think by the policy */
    policy_board *plain; /* by depth: where nothing is to be weighed */
    expected_world *stack;
    size_t stack_room;
    int32_t *table; /* by world, then group: values of the search under way; NULL: nobody asked */
    int64_t *
        trial; /* by depth: two values by world, of a move of mine that is tried and of the best one */
    /* Leaves. */
    search_problem *end; /* the end of the deal */
    boundary_base *base; /* by world, of the cards that stay unseen; NULL without a boundary net */
    uint64_t *unseen; /* by world: those cards */
    bool deals_out; /* the last deal is averaged over its hands instead of being estimated */
    dealt_value *dealt; /* a hash table of DEALT_ROOM */
} expectimax;

/* Makes leaves ready for the worlds and the root; `ways` is how many leaves a world has at most, captures aside.  Frees with
 * expected_leaves_close, also after a failure. */
basra_status expected_leaves_open(expectimax *s, uint64_t ways);
void expected_leaves_close(expectimax *s);

/* Adds to value[], by world, for worlds stack[first..first + count), weight times my interest there: (sides - 1)
 * times my points less the mean of the others', in 1/BASRA_UNIT, what was gained since the root included.  The
 * first is for the end of the deal, the second for any place before: from there on all play with open hands. */
basra_status expected_end(expectimax *s, const expected_place *place, size_t first, size_t count,
                          int64_t *value);
basra_status expected_open(expectimax *s, const expected_place *place, size_t first, size_t count,
                           int64_t *value);

#endif
