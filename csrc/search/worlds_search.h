/* Inside the library: world values within a call that has the engine already. */
#ifndef BASRA_SEARCH_WORLDS_SEARCH_H
#define BASRA_SEARCH_WORLDS_SEARCH_H

#include "engine.h"

/* As basra_world_values, for an engine that was entered; `model` may be NULL. */
basra_status worlds_values(basra_engine *engine, const basra_rules *rules, const basra_view *view,
                           const basra_facts *facts, const basra_model *model,
                           const basra_world *worlds, size_t count, size_t groups, int32_t *values,
                           uint64_t *nodes, size_t *done);

/* The current deal of a view in one world; what lies beyond it is left to the boundary, `model` may be NULL. */
void worlds_setup(const basra_view *view, const basra_facts *facts, const basra_model *model,
                  const basra_world *world, problem_setup *setup);

/* Makes the current deal of a view in one world the engine's problem.  BASRA_E_ARG for a world that does not
 * fit. */
basra_status worlds_set_up(basra_engine *engine, const basra_rules *rules, const basra_view *view,
                           const basra_facts *facts, const basra_world *world, search_node *root);

/* basra_view_moves with what an engine, entered, has ready: many times as fast. */
basra_status worlds_moves(basra_engine *engine, const basra_rules *rules, const basra_view *view,
                          const basra_facts *facts, basra_scored *moves, size_t capacity,
                          size_t *count, size_t *groups);

#endif
