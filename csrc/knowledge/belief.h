/* Belief: which of the hidden hands that fit a view are the likely ones. */
#ifndef BASRA_KNOWLEDGE_BELIEF_H
#define BASRA_KNOWLEDGE_BELIEF_H

#include "../model/model.h"
#include "view.h"

/* Worlds to search instead of all that fit, at most `most` of them: all there are, with their weights, or a
 * fair sample.  `trust` is in percent, 0 for hands that are equally likely whatever was played.  *count of
 * them are written to worlds[], which has room for `most`; *complete if these are all there are. */
basra_status belief_worlds(const basra_rules *rules, const basra_view *view,
                           const basra_model *model, int trust, uint64_t seed, size_t most,
                           bool merge, basra_world *worlds, size_t *count, bool *complete);

#endif
