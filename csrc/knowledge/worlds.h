/* Draws of worlds inside the library, one after the other from one stream. */
#ifndef BASRA_KNOWLEDGE_WORLDS_H
#define BASRA_KNOWLEDGE_WORLDS_H

#include "../game/random.h"
#include "view.h"

/* What draws need of a view.  The cards whose place is not known stand in `pool` in some order; every draw
 * changes that order, which leaves the next one as fair. */
typedef struct worlds_sampler {
    const basra_view *view; /* borrowed */
    const basra_facts *facts; /* borrowed */
    random_stream stream;
    uint32_t size;
    uint8_t pool[BASRA_CARDS];
} worlds_sampler;

void worlds_sampler_open(const basra_view *view, const basra_facts *facts, random_stream stream,
                         worlds_sampler *sampler);

/* The next world: all that fit the view are equally likely. */
void worlds_sampler_draw(worlds_sampler *sampler, basra_world *world);

#endif
