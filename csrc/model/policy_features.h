/* What the policy net sees of a play: features that are there or not, by number.
 *
 * They are made from what the seat to play sees, and from nothing else.  One definition serves training and
 * play.  Where a feature counts cards of a type it is a thermometer: feature k is there if there are at
 * least k + 1 of them.  Numbers follow from the card types of the rules, block by block:
 *
 *   from       features        of
 *   floor      52              the floor that the play leaves, a thermometer by type
 *   played     2 a type        the card's type, trailed or capturing
 *   left       1 + types + 10  the floor it leaves: none, one card of a type, several numerals that add up to
 *                              2 .. 10, any other
 *   gain       9               points at once, basra included: see GAIN_FROM
 *   taken      9               cards captured, the card played included, 0 .. 8 and more
 *   basra      1               it is a basra
 *   cards      8               cards in the seat's hand before, 1 .. 8 and more
 *   deals      8               deals still to come, 0 .. 7 and more
 *   table      4               2, 3 or 4 single players, partners
 *   lead       7               cards captured by its side, less those of the best other: see LEAD_FROM
 *   kept       52              its hand afterwards, a thermometer by type
 *   copies     8               cards of the rank played that it has not seen, 0 .. 3; the same, capturing
 *   danger     6               cards it has not seen of ranks that take all of the floor it leaves, 0 .. 4 and
 *                              more; none where there is no such rank; last: it keeps such a card
 *   pairs      3               cards of the rank trailed that it keeps, 0 .. 2 and more; none if it captures
 *   next       5               ranks it keeps that can take something of the floor it leaves, 0 .. 4
 *   jacks      5               jacks that it has not seen, 0 .. 4
 *   open       9               cards it has not seen, jacks aside, of ranks that take something of the floor it
 *                              leaves: see OPEN_FROM
 */
#ifndef BASRA_MODEL_POLICY_FEATURES_H
#define BASRA_MODEL_POLICY_FEATURES_H

#include "../game/types.h"

/* Most features of one play that are there at once: all cards on the floor or kept, and one of a block. */
enum { POLICY_ACTIVE_MOST = BASRA_CARDS + 18 };

/* Where each block begins. */
typedef struct policy_shape {
    card_types types; /* merged */
    uint16_t copy[BASRA_CARDS]; /* by type: where it begins in a thermometer */
    uint16_t floor, played, left, gain, taken, basra, cards, deals, table, lead, kept, copies,
        danger, pairs, next, jacks, open;
    uint16_t count; /* of all features */
} policy_shape;

/* The shape for rules. */
void policy_shape_init(const basra_rules *rules, policy_shape *shape);

/* What everybody at the table sees before a play. */
typedef struct policy_scene {
    bag floor, gone; /* gone: in anybody's pile */
    int cards; /* in the hand of the seat to play */
    int deals_left; /* after this one */
    int table; /* as model_table */
    int lead; /* in cards captured, as above */
    bool last; /* it is the last card of the round */
} policy_scene;

/* A play as it looks to everybody. */
typedef struct policy_play {
    bag taken, left; /* what it takes, 0: trailed; the floor it leaves */
    int32_t basra, points; /* points of each kind */
    uint16_t whole,
        some; /* ranks, one bit each, that take all or something of the floor it leaves */
    uint8_t type, cards; /* the card; cards captured with it */
} policy_play;

/* A play from what it does: `taken` must be a capture, or 0. */
policy_play policy_play_of(const policy_shape *shape, const policy_scene *scene, int type,
                           bag taken);

/* Features of a play that do not depend on the rest of the hand: `index` gets the numbers, at most
 * POLICY_ACTIVE_MOST; returns how many. */
int policy_public_features(const policy_shape *shape, const policy_scene *scene,
                           const policy_play *play, uint16_t *index);

/* Features of the cards kept: those of block `kept`. */
int policy_kept_features(const policy_shape *shape, bag kept, uint16_t *index);

/* Features of a play that depend on the hand it is made from, but for block `kept`. */
int policy_hand_features(const policy_shape *shape, const policy_scene *scene,
                         const policy_play *play, bag hand, uint16_t *index);

#endif
