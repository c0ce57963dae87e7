/* What a card can take: every legal capture of a floor, and what a basra is worth. */
#ifndef BASRA_GAME_CAPTURE_H
#define BASRA_GAME_CAPTURE_H

#include "types.h"

/* Working memory for captures, reused from call to call; captures_free gives it back. */
typedef struct capture_work {
    uint8_t *cells; /* one per combination of floor cards by rank */
    size_t cells_size;
    bag *taken; /* the result: what each capture takes */
    size_t taken_size;
    bool (*stopped)(void *); /* asked now and then on huge floors; may be NULL */
    void *user;
} capture_work;

void captures_free(capture_work *work);

/* Appends to work->taken from index `at` every capture of a card of `type` from a floor, canonical;
 * *count is their number, 0 if the card can take nothing.  BASRA_E_TOO_LARGE, _NOMEM, _STOPPED. */
basra_status captures_list(const card_types *types, bag floor, int type, size_t at,
                           capture_work *work, size_t *count);

/* Can the card take anything at all? */
bool captures_any(const card_types *types, bag floor, int type);

/* Can the card take the whole floor at once?  Without listing what else it can take. */
bool captures_whole(const card_types *types, bag floor, int type);

/* Basra points of taking `taken` from `floor`; 0 where it is no basra. */
int32_t capture_basra(const card_types *types, bag floor, int type, bag taken);

#endif
