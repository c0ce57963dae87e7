/* Belief: which of the hidden hands that fit a view are the likely ones.
 *
 * A hand is the likelier, the likelier its seat would have made with it the plays that it made in this deal
 * (Bayes; likelihood.h).  Where a model has no policy, or nothing was played, all deals of
 * the cards are equally likely.
 */
#ifndef BASRA_KNOWLEDGE_BELIEF_H
#define BASRA_KNOWLEDGE_BELIEF_H

#include "../model/model.h"
#include "view.h"

/* Worlds that are looked at before `most` of them are chosen: all, if they are no more than this. */
enum { BELIEF_LISTED_MOST = 1 << 14, BELIEF_DRAWN_LEAST = 512, BELIEF_DRAWN_FOR_EACH = 8 };

/* Worlds to search instead of all that fit, at most `most` of them: all there are, with their weights, or a
 * fair sample, in which a world drawn several times stands once and with that weight.  `trust` is in percent
 * of what the policy says, 0 for hands that are equally likely whatever was played.  *count of them are
 * written to worlds[], which has room for `most`; *complete if these are all there are.  Weights made here
 * add up to less than 2^37 or `most`.  Samples depend on `seed` alone. */
basra_status belief_worlds(const basra_rules *rules, const basra_view *view,
                           const basra_model *model, int trust, uint64_t seed, size_t most,
                           bool merge, basra_world *worlds, size_t *count, bool *complete);

/* Chances of each card of the pack that a seat holds it, in 1/2^16, by card: before[] by counting alone,
 * after[] with belief; 0 for cards in a known place elsewhere.  Exact up to rounding where the worlds can be
 * listed, else estimated from worlds drawn. */
basra_status belief_chances(const basra_rules *rules, const basra_view *view,
                            const basra_model *model, int trust, uint64_t seed, int seat,
                            uint32_t before[BASRA_CARDS], uint32_t after[BASRA_CARDS]);

#endif
