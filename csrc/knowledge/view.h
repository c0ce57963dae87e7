/* Views inside the library: what worlds and search need beyond the public interface. */
#ifndef BASRA_KNOWLEDGE_VIEW_H
#define BASRA_KNOWLEDGE_VIEW_H

#include "../game/rules.h"

/* Counts a view that basra_view_complete has completed. */
basra_status view_facts(const basra_rules *rules, const basra_view *view, basra_facts *facts);

/* Plays made in this deal before the view's seat is to move. */
int view_plays(const basra_facts *facts, const basra_view *view);

#endif
