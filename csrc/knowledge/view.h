/* Views inside the library: what worlds and search need beyond the public interface. */
#ifndef BASRA_KNOWLEDGE_VIEW_H
#define BASRA_KNOWLEDGE_VIEW_H

#include "../game/rules.h"

/* Counts a view that basra_view_complete has completed. */
basra_status view_facts(const basra_rules *rules, const basra_view *view, basra_facts *facts);

/* What is known of a hand that the next deal will bring. */
typedef struct next_hand {
    uint64_t pool;  /* where its unknown cards come from */
    uint64_t fixed; /* cards that it is known to get */
    int draws;      /* its unknown cards */
} next_hand;

/* The hand a seat gets in the deal after this one; there must be one. */
basra_status view_next_hand(const basra_rules *rules, const basra_view *view,
                            const basra_facts *facts, int seat, next_hand *hand);

#endif
