/* Likelihood: how likely the plays of a deal were with a hidden hand, whoever made them.
 *
 * How others choose is as unknown as what they hold.  So a seat may be of several kinds: it plays as the policy
 * of the model does, it is greedy, or it plays anything.  Each kind has a chance beforehand and gives the plays of
 * the deal a likelihood, and that of the hand is the mean over kinds.  Plays that do not look like the policy's
 * thus tell by themselves that it is not to be relied on.
 */
#ifndef BASRA_KNOWLEDGE_LIKELIHOOD_H
#define BASRA_KNOWLEDGE_LIKELIHOOD_H

#include "../model/model.h"
#include "view.h"

enum { KIND_POLICY, KIND_GREEDY, KIND_ANY, PLAYER_KINDS };

/* A play that the rules forbid with a hand: as unlikely as that, whatever the kind. */
enum { LIKELIHOOD_FORBIDDEN = 24 << 16 };

/* Sets bits[] to how unlikely the plays of all seats but the view's were in each world, in 1/2^16 bits (the
 * negative logarithm to the base of 2), a constant less that is the same for all worlds.  Of a complete view. */
basra_status likelihood_bits(const basra_rules *rules, const basra_view *view,
                             const basra_facts *facts, const policy_net *net,
                             const basra_world *worlds, size_t count, uint64_t *bits);

/* How unlikely play `index` of this deal was for each kind of player, had its seat held `hand` before it; in
 * 1/2^16 bits.  BASRA_E_MODEL without a policy, BASRA_E_ARG if there is no such play or no such hand. */
basra_status likelihood_of_play(const basra_rules *rules, const basra_view *view,
                                const basra_model *model, int index, uint64_t hand,
                                uint32_t bits[PLAYER_KINDS]);

/* What the seat of play `index` of this deal saw before it, and with index = view->played_size what the seat to
 * move sees.  Of a complete view. */
policy_scene likelihood_scene(const basra_view *view, const basra_facts *facts,
                              const policy_shape *shape, int index);

#endif
