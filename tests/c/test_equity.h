/* Match equity under the sanitizers. */
#ifndef BASRA_TEST_EQUITY_H
#define BASRA_TEST_EQUITY_H

#include "basra.h"

#include <stdbool.h>

/* Reads a model file cut short at every place and changed in every bit: false unless all is refused, or
 * answers within bounds.  `preset` has hands and a floor of four cards, and 52 cards. */
bool equity_survives_damage(const basra_rules *preset);

#endif
