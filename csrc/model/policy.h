/* The policy: how the players that a model was fitted to play, as chances of every play of a hand.
 *
 * A small net scores each play from its features (policy_features.h); chances are proportional to e to the
 * power of score / temperature.  One hidden layer: sums of the columns of the features that are there, cut
 * off below 0 and above POLICY_CLIP, then a weighted sum of those.
 *
 * Scale: first weights, biases and hidden sums are in 1/POLICY_UNIT, second weights in 1/256; a score, in
 * 1/BASRA_UNIT nat, is their product shifted by POLICY_SHIFT.
 *
 * Bytes of the part, little-endian: u32 version, u32 features, u16 hidden units (a multiple of 8 up to
 * POLICY_HIDDEN_MOST), u16 temperature in percent (10 .. 1000), u16 floor of a chance in 1/1024 (see
 * policy_chances; 1 .. 512), u16 0; then int16 numbers: first weights by feature and unit, biases by unit,
 * second weights by unit.
 */
#ifndef BASRA_MODEL_POLICY_H
#define BASRA_MODEL_POLICY_H

#include "../game/capture.h"
#include "policy_features.h"

enum {
    POLICY_VERSION = 1,
    POLICY_HIDDEN_MOST = 64,
    POLICY_UNIT = 512,
    POLICY_CLIP = 4 * POLICY_UNIT,
    POLICY_SHIFT = 7
};

typedef struct policy_net {
    policy_shape shape;
    int hidden;
    int temperature; /* percent */
    int floor; /* of a chance, in 1/1024 */
    const int16_t *first; /* by feature, then unit; these point behind the struct */
    const int16_t *bias, *second; /* by unit */
} policy_net;

/* Reads the bytes of a part that was fitted for these rules.  BASRA_E_MODEL if they are none, or their
 * numbers are out of range; BASRA_E_NOMEM.  Free it with policy_free, which takes NULL. */
basra_status policy_read(const basra_rules *rules, const uint8_t *bytes, size_t size,
                         policy_net **made);
void policy_free(policy_net *net);

/* A play of a hand, its score in 1/BASRA_UNIT nat, and where policy_chances gave it one its chance in
 * 1/2^CHANCE_BITS. */
typedef struct policy_scored {
    const policy_play *play;
    int32_t score;
    uint32_t chance;
} policy_scored;

/* A scene with the plays found so far, so that many hands can be asked about one after the other.  All zero
 * but for `shape` when new; policy_board_free gives its memory back. */
typedef struct policy_board {
    const policy_shape *shape;
    const policy_net *net; /* NULL: plays are listed, and not scored */
    policy_scene scene;
    capture_work work;
    policy_play *plays;
    int32_t *sums; /* by play, then unit: biases and columns of public features */
    size_t count, room; /* plays */
    uint8_t listed[BASRA_CARDS]; /* by type, as the next two: are its plays among them */
    size_t first[BASRA_CARDS], plays_of[BASRA_CARDS];
    policy_scored *scored;
    size_t scored_room;
} policy_board;

/* Begins another scene. */
void policy_board_set(policy_board *board, const policy_scene *scene);
void policy_board_free(policy_board *board);

/* Lists and scores every play of a hand, equal cards once, in the order of basra_view_moves' groups; they
 * stand in board->scored until the next call.  BASRA_E_NOMEM, BASRA_E_TOO_LARGE. */
basra_status policy_scores(policy_board *board, bag hand, size_t *count);

/* As policy_scores, and the chances that the net gives the plays: a share `floor` of every decision counts as
 * drawn evenly from them, so that none is impossible.  Rounded down, they add up to CHANCE_ONE or a little less.
 * The board must have a net. */
basra_status policy_chances(policy_board *board, bag hand, size_t *count);

/* A play among the `count` that stand in board->scored; NULL if it is not there: the rules forbid it with this
 * hand. */
const policy_scored *policy_find(const policy_board *board, size_t count, int type, bag taken);

#endif
