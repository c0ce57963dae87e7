/* Players: each method gives every group of equal moves a mark, and the best mark is played. */
#ifndef BASRA_PLAY_PLAYER_H
#define BASRA_PLAY_PLAYER_H

#include "../model/model.h"
#include "../search/engine.h"

/* What a method that looks at some of the worlds made of every move in each of them. */
typedef struct marks_by_world {
    int32_t *value; /* by world, then group, in 1/BASRA_UNIT points */
    uint64_t *weight; /* by world */
    size_t worlds; /* 0: the method tells nothing */
    bool complete; /* these are all worlds that may be */
} marks_by_world;

basra_status marks_by_world_open(marks_by_world *marks, size_t groups, size_t worlds);
void marks_by_world_free(marks_by_world *marks);

/* A choice in the making. */
typedef struct decision {
    basra_engine *engine; /* entered: halted when the call must end */
    const basra_rules *rules;
    const basra_player *player;
    const basra_view *view; /* complete */
    basra_facts facts;
    uint64_t seed; /* of what searches draw */
    uint64_t dice; /* of noise, of ties, and of random play */
    const basra_scored *moves; /* all legal ones, canonical, each with its group */
    size_t count, groups;
    int64_t *mark; /* by group, filled in by the method: more is better */
    uint64_t work; /* nodes searched, or plies simulated */
    int64_t *kept; /* gets the marks at the end; NULL: nobody asked for them */
    size_t kept_count; /* its room */
    marks_by_world *by_world; /* gets those too; NULL: nobody asked */
} decision;

/* The first move of a group: the lowest of its equal cards. */
const basra_move *decision_move(const decision *d, size_t group);

/* As basra_choose, and what the player's method makes of each of the `groups` of equal moves that the view has:
 * all 0 where there is but one, which needs no thought.  BASRA_E_ARG for another number of them.  by_world, all 0
 * before, gets what the method tells of worlds; free it with marks_by_world_free, also after a failure. */
basra_status player_marks(basra_engine *engine, const basra_rules *rules,
                          const basra_player *player, const basra_view *view, uint64_t seed,
                          const basra_limits *limits, size_t groups, int64_t *marks,
                          marks_by_world *by_world, basra_choice *choice);

/* As basra_choose, with dice of their own for noise, ties and random play. */
basra_status player_choose(basra_engine *engine, const basra_rules *rules,
                           const basra_player *player, const basra_view *view, uint64_t seed,
                           uint64_t dice, const basra_limits *limits, basra_choice *choice);

/* As rules_card_worth. */
int64_t decision_card_worth(const decision *d);

/* As rules_gain, of a move. */
int64_t decision_gain(const decision *d, const basra_move *move);

/* What a decision draws from. */
enum {
    STREAM_CHOICE = 16,
    STREAM_NOISE = 17,
    STREAM_FORGET = 18,
    STREAM_TREE = 19,
    STREAM_LUCK = 20
};

/* Methods.  BASRA_OK with all marks; BASRA_E_STOPPED if there are none yet. */
basra_status choose_random(decision *d);
basra_status choose_greedy(decision *d);
basra_status choose_endgame(decision *d);
basra_status choose_careful(decision *d);
basra_status choose_policy(decision *d);
basra_status choose_worlds(decision *d);
basra_status choose_expectimax(decision *d);
/* Tree searches: at most one new node of 64 bytes a simulation, times the seats with multiple observers. */
basra_status choose_ismcts(decision *d);
basra_status choose_mo_ismcts(decision *d);
basra_status choose_best(decision *d);

#endif
