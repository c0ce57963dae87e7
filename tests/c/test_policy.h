/* A policy for any rules, for tests of what plays by one. */
#ifndef BASRA_TEST_POLICY_H
#define BASRA_TEST_POLICY_H

#include "basra.h"

/* A model with a policy of odd weights; aborts if there is none.  basra_model_free frees it. */
basra_model *policy_of_odd_weights(const basra_rules *rules);

#endif
