#include "policy_features.h"

#include "../game/capture.h"

enum { TABLES = 4, CARDS_MOST = 8, DEALS_MOST = 7, TAKEN_MOST = 8, SMALL_TOTAL = 10 };

/* Lowest points, leads and numbers of cards of each feature of their blocks; the first have none. */
static const int GAIN_FROM[] = {1, 2, 3, 4, 6, 10, 15, 25};
static const int LEAD_FROM[] = {-9, -4, -1, 2, 5, 10};
static const int OPEN_FROM[] = {1, 2, 3, 5, 7, 10, 13, 17};

#define LENGTH(list) ((int)(sizeof(list) / sizeof *(list)))

/* How many of some ascending limits a number reaches. */
static int step_of(const int *from, int steps, int number)
{
    int step = 0;
    while (step < steps && number >= from[step]) step++;
    return step;
}

static int least(int a, int b) { return a < b ? a : b; }

static uint16_t block(policy_shape *shape, int size)
{
    uint16_t at = shape->count;
    shape->count = (uint16_t)(shape->count + size);
    return at;
}

void policy_shape_init(const basra_rules *rules, policy_shape *shape)
{
    types_init(rules, false, &shape->types);
    shape->count = 0;
    for (int type = 0; type < shape->types.count; type++)
        shape->copy[type] = block(shape, set_count(shape->types.members[type]));
    int cards = shape->count, types = shape->types.count;
    shape->count = 0;
    shape->floor = block(shape, cards);
    shape->played = block(shape, 2 * types);
    shape->left = block(shape, 1 + types + SMALL_TOTAL);
    shape->gain = block(shape, LENGTH(GAIN_FROM) + 1);
    shape->taken = block(shape, TAKEN_MOST + 1);
    shape->basra = block(shape, 1);
    shape->cards = block(shape, CARDS_MOST);
    shape->deals = block(shape, DEALS_MOST + 1);
    shape->table = block(shape, TABLES);
    shape->lead = block(shape, LENGTH(LEAD_FROM) + 1);
    shape->kept = block(shape, cards);
    shape->copies = block(shape, 8);
    shape->danger = block(shape, 6);
    shape->pairs = block(shape, 3);
    shape->next = block(shape, 5);
    shape->jacks = block(shape, 5);
    shape->open = block(shape, LENGTH(OPEN_FROM) + 1);
}

static int cards_of_rank(const card_types *types, bag b, int rank)
{
    return types->cards_in[rank][bag_nibble(b, rank)];
}

/* Ranks that can take something of a floor, powers of a 7D aside. */
static uint16_t takers(const card_types *types, bag floor)
{
    unsigned sums = 1, ranks = 0;
    if (!floor) return 0;
    for (bag rest = floor; rest;) {
        int rank = set_first(rest) / 4, n = cards_of_rank(types, rest, rank);
        rest &= ~SET_RANK(rank);
        if (rank >= NUMERAL_RANKS)
            ranks |= 1U << rank;
        else
            for (; n; n--) sums |= sums << (rank + 1);
    }
    ranks |= sums >> 1 & ((1U << NUMERAL_RANKS) - 1);
    return (uint16_t)(ranks | 1U << RANK_JACK);
}

/* Ranks that make a basra of a small floor: what its numerals add up to, and the one rank that it is of. */
static uint16_t whole_takers(const card_types *types, bag floor, int *total)
{
    *total = 0;
    if (!floor) return 0;
    int first = set_first(floor) / 4;
    unsigned ranks = floor & ~SET_RANK(first) ? 0 : 1U << first;
    for (bag rest = floor; rest;) {
        int rank = set_first(rest) / 4;
        *total +=
            rank < NUMERAL_RANKS ? (rank + 1) * cards_of_rank(types, rest, rank) : SMALL_TOTAL + 1;
        rest &= ~SET_RANK(rank);
    }
    if (*total <= SMALL_TOTAL) ranks |= 1U << (*total - 1);
    return (uint16_t)ranks;
}

policy_play policy_play_of(const policy_shape *shape, const policy_scene *scene, int type,
                           bag taken)
{
    const card_types *types = &shape->types;
    policy_play play = {.taken = taken, .type = (uint8_t)type};
    int total;
    play.left = taken ? scene->floor - taken : scene->floor + types->unit[type];
    if (taken) {
        play.cards = (uint8_t)(bag_cards(types, taken) + 1);
        play.points = bag_points(types, taken) + types->points[type];
        if (!scene->last || types->rules.basra_on_last)
            play.basra = capture_basra(types, scene->floor, type, taken);
    }
    play.some = takers(types, play.left);
    play.whole = whole_takers(types, play.left, &total);
    return play;
}

/* What is left, as one of block `left`. */
static int look_of_left(const card_types *types, bag left)
{
    int total;
    if (!left) return 0;
    if (bag_cards(types, left) == 1)
        for (int type = 0; type < types->count; type++)
            if (left == types->unit[type]) return 1 + type;
    whole_takers(types, left, &total);
    return 1 + types->count + least(total, SMALL_TOTAL + 1) - 2;
}

/* A thermometer by type. */
static int thermometer(const policy_shape *shape, int at, bag b, uint16_t *index)
{
    int n = 0;
    for (bag rest = b; rest;) {
        int rank = set_first(rest) / 4;
        for (int type = 0; type < shape->types.count; type++) {
            if (shape->types.rank[type] != rank) continue;
            int copies = bag_count(&shape->types, rest, type);
            for (int k = 0; k < copies; k++) index[n++] = (uint16_t)(at + shape->copy[type] + k);
        }
        rest &= ~SET_RANK(rank);
    }
    return n;
}

int policy_public_features(const policy_shape *shape, const policy_scene *scene,
                           const policy_play *play, uint16_t *index)
{
    int captures = play->taken != 0, n = thermometer(shape, shape->floor, play->left, index);
    index[n++] = (uint16_t)(shape->played + 2 * play->type + captures);
    index[n++] = (uint16_t)(shape->left + look_of_left(&shape->types, play->left));
    index[n++] =
        (uint16_t)(shape->gain + step_of(GAIN_FROM, LENGTH(GAIN_FROM), play->basra + play->points));
    index[n++] = (uint16_t)(shape->taken + least(play->cards, TAKEN_MOST));
    if (play->basra) index[n++] = shape->basra;
    index[n++] = (uint16_t)(shape->cards + least(scene->cards, CARDS_MOST) - 1);
    index[n++] = (uint16_t)(shape->deals + least(scene->deals_left, DEALS_MOST));
    index[n++] = (uint16_t)(shape->table + scene->table);
    index[n++] = (uint16_t)(shape->lead + step_of(LEAD_FROM, LENGTH(LEAD_FROM), scene->lead));
    return n;
}

int policy_kept_features(const policy_shape *shape, bag kept, uint16_t *index)
{
    return thermometer(shape, shape->kept, kept, index);
}

/* Cards of a rank that are nowhere to be seen. */
static int unseen_of(const card_types *types, const policy_scene *scene, bag hand, int rank)
{
    int seen = cards_of_rank(types, scene->floor, rank) + cards_of_rank(types, scene->gone, rank) +
               cards_of_rank(types, hand, rank);
    return 4 - seen;
}

static int unseen_of_all(const card_types *types, const policy_scene *scene, bag hand,
                         uint64_t ranks)
{
    int unseen = 0;
    while (ranks) unseen += unseen_of(types, scene, hand, set_pop(&ranks));
    return unseen;
}

static uint16_t ranks_of(bag hand)
{
    unsigned ranks = 0;
    for (; hand; hand &= ~SET_RANK(set_first(hand) / 4)) ranks |= 1U << set_first(hand) / 4;
    return (uint16_t)ranks;
}

int policy_hand_features(const policy_shape *shape, const policy_scene *scene,
                         const policy_play *play, bag hand, uint16_t *index)
{
    const card_types *types = &shape->types;
    const bag kept = hand - types->unit[play->type];
    const uint16_t ranks = ranks_of(kept);
    const int rank = types->rank[play->type], captures = play->taken != 0;
    int n = 0, unseen = least(unseen_of(types, scene, hand, rank), 3);
    index[n++] = (uint16_t)(shape->copies + 4 * captures + unseen);
    if (play->whole) {
        int danger = unseen_of_all(types, scene, hand, play->whole);
        index[n++] = (uint16_t)(shape->danger + least(danger, 4));
        if (play->whole & ranks) index[n++] = (uint16_t)(shape->danger + 5);
    }
    if (!captures)
        index[n++] = (uint16_t)(shape->pairs + least(cards_of_rank(types, kept, rank), 2));
    index[n++] = (uint16_t)(shape->next + least(set_count(play->some & ranks), 4));
    index[n++] = (uint16_t)(shape->jacks + unseen_of(types, scene, hand, RANK_JACK));
    int open = unseen_of_all(types, scene, hand, play->some & ~(1U << RANK_JACK));
    index[n++] = (uint16_t)(shape->open + step_of(OPEN_FROM, LENGTH(OPEN_FROM), open));
    return n;
}
