/* perft: counts of move sequences, the cheapest proof that move generation did not change. */
#include "memory.h"
#include "moves.h"
#include "position.h"

enum { POLL_NODES = 4096 };

typedef struct walk {
    const basra_rules *rules;
    basra_poll poll;
    void *user;
    uint64_t nodes;
    card_types types;
    capture_work work;
    basra_position position;
} walk;

static basra_status count_from(walk *w, int depth, uint64_t *count);

/* Plays each move of one hand, walks on, and takes it back. */
static basra_status count_moves(walk *w, int depth, const move_list *list, uint64_t *count)
{
    basra_status status = BASRA_OK;
    for (size_t i = 0; i < list->count && !status; i++) {
        position_apply(w->rules, &list->moves[i], &w->position);
        status = count_from(w, depth - 1, count);
        basra_status undone = basra_position_undo(w->rules, &w->position);
        if (!status) status = undone;
    }
    return status;
}

static basra_status list_moves(walk *w, move_list *list)
{
    const basra_position *p = &w->position;
    uint64_t hand = p->hand[p->turn];
    bool last = position_last_card(p);
    basra_status status = hand_moves(&w->types, hand, p->floor, last, &w->work, list);
    if (status || !list->count) return status;
    list->moves = basra_malloc(list->count * sizeof *list->moves);
    if (!list->moves) return BASRA_E_NOMEM;
    list->capacity = list->count;
    list->count = 0;
    return hand_moves(&w->types, hand, p->floor, last, &w->work, list);
}

static basra_status count_from(walk *w, int depth, uint64_t *count)
{
    if (++w->nodes % POLL_NODES == 0 && w->poll && w->poll(w->user)) return BASRA_E_STOPPED;
    if (!depth) {
        ++*count;
        return BASRA_OK;
    }
    if (w->position.over) return BASRA_OK;
    move_list list = {0};
    basra_status status = list_moves(w, &list);
    if (!status && depth == 1)
        *count += list.count;
    else if (!status)
        status = count_moves(w, depth, &list, count);
    basra_free(list.moves);
    return status;
}

basra_status basra_perft(const basra_rules *rules, const basra_position *position, int depth,
                         basra_poll poll, void *user, uint64_t *count)
{
    *count = 0;
    if (depth < 0 || depth > BASRA_CARDS) return BASRA_E_ARG;
    walk *w = basra_malloc(sizeof *w);
    if (!w) return BASRA_E_NOMEM;
    w->rules = rules;
    w->poll = poll;
    w->user = user;
    w->nodes = 0;
    w->work = (capture_work){0};
    w->position = *position;
    types_init(rules, true, &w->types);
    basra_status status = count_from(w, depth, count);
    captures_free(&w->work);
    basra_free(w);
    return status;
}
