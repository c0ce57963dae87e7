/* Rules from their text in a notation: a preset, or a preset and what differs. */
#ifndef BASRA_TOOLS_RULES_TEXT_H
#define BASRA_TOOLS_RULES_TEXT_H

#include "basra.h"

/* classic+choice=any+target=121, say.  0 if it cannot be read or does not make sense; parameters that
 * matter only before the first card is played are not known here. */
int rules_text_read(const char *text, basra_rules *rules);

#endif
