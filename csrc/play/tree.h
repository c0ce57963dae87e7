/* Nodes of information set trees and what is counted at them.
 *
 * Every play in Basra is seen by all, so a node is named by the plays that lead to it, and the floor there is the
 * same in every world.  What a seat may play there is not: a child is looked at only in worlds where the seat
 * that moves holds its card, and how often that was is counted.
 */
#ifndef BASRA_PLAY_TREE_H
#define BASRA_PLAY_TREE_H

#include "../search/singles.h"

enum { NODE_NONE = 0 };

/* One cache line. */
typedef struct tree_node {
    bag floor; /* after the play that leads here; at the top of a hand's own tree: that hand */
    uint64_t complete; /* types of card all of whose moves here have children */
    int64_t total; /* of the values of simulations through here, for the seat that played */
    int32_t mean; /* of them, in 1/BASRA_UNIT points */
    int32_t width; /* exploration constant over the root of `visits`, in 1/16 of that */
    floor_looks looks; /* of the floor */
    int32_t gain; /* points of the play */
    uint32_t index; /* which of its card's moves the play is; see playout.h */
    uint32_t first, next; /* child, sibling */
    uint32_t visits;
    uint32_t met; /* simulations that came by and could have gone here */
    uint8_t type; /* of the card played */
    uint8_t cards; /* that it captured, itself included */
} tree_node;

_Static_assert(sizeof(tree_node) == 64, "a node is a cache line");

enum { LOG_STEPS = 16, LOGS = 32 * LOG_STEPS, ROOTS = 256 };

/* All trees of a decision, in one array that grows by doubling up to `most` nodes. */
typedef struct forest {
    tree_node *node;
    uint32_t count, room, most; /* in use, node NODE_NONE included; allocated; ever */
    int32_t explore;            /* exploration constant, 1/BASRA_UNIT points */
    uint16_t root_of_log
        [LOGS]; /* of the natural logarithm, by the binary one in 1/LOG_STEPS, in 2^-12 */
    uint32_t one_over_root[ROOTS]; /* in 2^-16 */
} forest;

/* A forest without nodes.  forest_free takes one that was opened, whatever happened since. */
void forest_open(uint32_t most, int32_t explore, forest *f);
void forest_free(forest *f);

/* Makes room for so many more nodes; pointers to nodes are void afterwards.  BASRA_E_NOMEM. */
basra_status forest_need(forest *f, uint32_t more);

/* A new node, all zero, for which there is room. */
uint32_t forest_add(forest *f);

/* The child of a node that the type and index name, or NODE_NONE. */
uint32_t forest_child(const forest *f, uint32_t node, int type, uint32_t index);

/* How many children of a node play the type. */
uint32_t forest_count(const forest *f, uint32_t node, int type);

/* Of the children that play one of the types the one with the highest upper confidence bound: mean + explore *
 * root(ln met / visits), the latest among equals; NODE_NONE if there is none.  Counts that all of them were met. */
uint32_t forest_select(forest *f, uint32_t node, uint64_t types);

/* Adds the value of a simulation to a node. */
void forest_record(forest *f, uint32_t node, int32_t value);

#endif
