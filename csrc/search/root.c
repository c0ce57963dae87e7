/* Matches moves with card identity to moves of card types. */
#include "root.h"

#include "../game/memory.h"

#include <string.h>

/* Order of the search's moves: by type of card, then by what they take. */
static int compare(const card_types *types, const search_move *move, int type, bag taken)
{
    if (move->type != type) return move->type < type ? -1 : 1;
    return bag_compare(types, search_taken(move), taken);
}

static basra_status find_group(const card_types *types, const search_move *found, size_t groups,
                               basra_scored *scored)
{
    int type = types->type_of[scored->move.card];
    bag taken = types_bag(types, scored->move.taken);
    size_t low = 0, high = groups;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (compare(types, &found[middle], type, taken) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == groups || compare(types, &found[low], type, taken)) return BASRA_E_INTERNAL;
    scored->group = (uint32_t)low;
    return BASRA_OK;
}

basra_status root_moves(const search_problem *problem, const card_types *cards,
                        const search_move *found, size_t groups, uint64_t hand, uint64_t floor,
                        bool last_of_round, capture_work *work, basra_scored *scored,
                        size_t capacity, size_t *count)
{
    move_list list = {0};
    basra_status status = hand_moves(cards, hand, floor, last_of_round, work, &list);
    *count = list.count;
    if (!status && list.count > capacity) status = BASRA_E_BOUNDS;
    if (status) return status;
    list.moves = basra_malloc(list.count * sizeof *list.moves);
    if (!list.moves) return BASRA_E_NOMEM;
    list.capacity = list.count;
    list.count = 0;
    status = hand_moves(cards, hand, floor, last_of_round, work, &list);
    for (size_t i = 0; !status && i < list.count; i++) {
        scored[i] = (basra_scored){.move = list.moves[i]};
        status = find_group(problem->types, found, groups, &scored[i]);
    }
    basra_free(list.moves);
    return status;
}
