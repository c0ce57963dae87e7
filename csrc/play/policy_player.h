/* What the policy has to do with players: one that plays by it, and material to fit it to how others play. */
#ifndef BASRA_PLAY_POLICY_PLAYER_H
#define BASRA_PLAY_POLICY_PLAYER_H

#include "../model/model.h"

/* A decision of a view as the policy sees it: numbers of the features of each group of equal moves, those of
 * basra_view_moves, one list after the other: of group g they end at ends[g].  Lists are the caller's and
 * grow; all zero when new, given back by policy_list_free. */
typedef struct policy_list {
    uint16_t *features;
    uint32_t *ends; /* by group, of all decisions */
    uint32_t *decisions; /* by decision: groups up to its end */
    uint32_t *chosen; /* by decision: the group that was chosen, counted within it */
    size_t feature_count, feature_room, group_count, group_room, decision_count, decision_room;
} policy_list;

void policy_list_free(policy_list *list);

/* Appends a decision of a complete view.  As basra_view_moves. */
basra_status policy_list_add(const basra_rules *rules, const basra_view *view, uint32_t chosen,
                             policy_list *list);

/* Plays a position on to the end of its round, all seats by one player, and appends every decision among
 * several groups with what the player chose.  About one play in `wander` is drawn evenly instead (0: none), so
 * that places come up which such players avoid; what the player would have chosen there is appended all the
 * same. */
basra_status policy_record(basra_engine *engine, const basra_rules *rules,
                           const basra_player *player, uint32_t wander, uint64_t seed,
                           const basra_limits *limits, basra_position *position, policy_list *list);

/* Scores of the groups of a complete view's moves, in 1/BASRA_UNIT nat: scores[] has room for `groups`.
 * BASRA_E_MODEL if the model has no policy, BASRA_E_ARG for another number of groups. */
basra_status policy_view_scores(const basra_rules *rules, const basra_view *view,
                                const basra_model *model, size_t groups, int32_t *scores);

#endif
