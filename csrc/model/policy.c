#include "policy.h"

#include "../game/memory.h"
#include "bytes.h"
#include "exponent.h"

#include <string.h>

enum { TEMPERATURE_LEAST = 10, TEMPERATURE_MOST = 1000, FLOOR_MOST = 512, FLOOR_ONE = 1024 };

/* ---- reading ---------------------------------------------------------------------------------- */

/* Sums of first weights stay inside 32 bits whatever they are: at most all features of a net at once, of 15
 * bits each.  Sums of the second do if this holds. */
static bool second_fits(const policy_net *net)
{
    int64_t sum = 0;
    for (int unit = 0; unit < net->hidden; unit++)
        sum += (net->second[unit] < 0 ? -net->second[unit] : net->second[unit]) * POLICY_CLIP;
    return sum <= INT32_MAX;
}

static policy_net *new_net(int features, int hidden)
{
    size_t numbers = ((size_t)features + 2) * (size_t)hidden;
    policy_net *net = basra_calloc(1, sizeof *net + numbers * sizeof(int16_t));
    if (!net) return NULL;
    int16_t *at = (int16_t *)(net + 1);
    net->first = at;
    net->bias = at + (size_t)features * (size_t)hidden;
    net->second = net->bias + hidden;
    net->hidden = hidden;
    return net;
}

basra_status policy_read(const basra_rules *rules, const uint8_t *bytes, size_t size,
                         policy_net **made)
{
    policy_shape shape;
    byte_reader r = bytes_open(bytes, size);
    uint32_t version = bytes_u32(&r), features = bytes_u32(&r);
    int hidden = bytes_u16(&r), temperature = bytes_u16(&r), floor = bytes_u16(&r);
    int zero = bytes_u16(&r);
    *made = NULL;
    policy_shape_init(rules, &shape);
    if (r.failed || version != POLICY_VERSION || features != shape.count || zero || hidden % 8 ||
        !hidden || hidden > POLICY_HIDDEN_MOST || temperature < TEMPERATURE_LEAST ||
        temperature > TEMPERATURE_MOST || !floor || floor > FLOOR_MOST)
        return BASRA_E_MODEL;
    policy_net *net = new_net(shape.count, hidden);
    if (!net) return BASRA_E_NOMEM;
    net->shape = shape;
    net->temperature = temperature;
    net->floor = floor;
    int16_t *numbers = (int16_t *)(net + 1);
    size_t count = ((size_t)shape.count + 2) * (size_t)hidden;
    for (size_t i = 0; i < count; i++) numbers[i] = bytes_i16(&r);
    if (!bytes_done(&r) || !second_fits(net)) {
        basra_free(net);
        return BASRA_E_MODEL;
    }
    *made = net;
    return BASRA_OK;
}

void policy_free(policy_net *net) { basra_free(net); }

/* ---- plays of a scene ------------------------------------------------------------------------- */

void policy_board_set(policy_board *board, const policy_scene *scene)
{
    board->scene = *scene;
    board->count = 0;
    memset(board->listed, 0, sizeof board->listed);
}

void policy_board_free(policy_board *board)
{
    captures_free(&board->work);
    basra_free(board->plays);
    basra_free(board->sums);
    basra_free(board->scored);
    board->plays = NULL;
    board->sums = NULL;
    board->scored = NULL;
    board->room = board->scored_room = 0;
}

static basra_status need_plays(policy_board *board, size_t count)
{
    if (count <= board->room) return BASRA_OK;
    size_t room = count + count / 2 + 64;
    policy_play *plays = basra_realloc(board->plays, room * sizeof *plays);
    if (!plays) return BASRA_E_NOMEM;
    board->plays = plays;
    if (board->net) {
        size_t width = (size_t)board->net->hidden * sizeof *board->sums;
        int32_t *sums = basra_realloc(board->sums, room * width);
        if (!sums) return BASRA_E_NOMEM;
        board->sums = sums;
    }
    board->room = room;
    return BASRA_OK;
}

static void add_column(const policy_net *net, int feature, int32_t *sum)
{
    const int16_t *column = net->first + (size_t)feature * (size_t)net->hidden;
    for (int unit = 0; unit < net->hidden; unit++) sum[unit] += column[unit];
}

static void take_column(const policy_net *net, int feature, int32_t *sum)
{
    const int16_t *column = net->first + (size_t)feature * (size_t)net->hidden;
    for (int unit = 0; unit < net->hidden; unit++) sum[unit] -= column[unit];
}

static void add_play(policy_board *board, int type, bag taken)
{
    const policy_net *net = board->net;
    policy_play *play = &board->plays[board->count];
    *play = policy_play_of(board->shape, &board->scene, type, taken);
    if (net) {
        uint16_t index[POLICY_ACTIVE_MOST];
        int32_t *sum = board->sums + board->count * (size_t)net->hidden;
        int n = policy_public_features(board->shape, &board->scene, play, index);
        for (int unit = 0; unit < net->hidden; unit++) sum[unit] = net->bias[unit];
        for (int i = 0; i < n; i++) add_column(net, index[i], sum);
    }
    board->count++;
}

/* Lists the plays of a type, a trail before captures. */
static basra_status list_type(policy_board *board, int type)
{
    const card_types *types = &board->shape->types;
    size_t captures;
    if (board->listed[type]) return BASRA_OK;
    basra_status status =
        captures_list(types, board->scene.floor, type, 0, &board->work, &captures);
    if (!status) status = need_plays(board, board->count + captures + 1);
    if (status) return status;
    board->first[type] = board->count;
    if (!captures || types->rules.must_capture == BASRA_MUST_NONE) add_play(board, type, 0);
    for (size_t i = 0; i < captures; i++) add_play(board, type, board->work.taken[i]);
    board->plays_of[type] = board->count - board->first[type];
    board->listed[type] = 1;
    return BASRA_OK;
}

/* ---- plays of a hand -------------------------------------------------------------------------- */

static basra_status need_scored(policy_board *board, size_t count)
{
    if (count <= board->scored_room) return BASRA_OK;
    size_t room = count + count / 2 + 64;
    policy_scored *scored = basra_realloc(board->scored, room * sizeof *scored);
    if (!scored) return BASRA_E_NOMEM;
    board->scored = scored;
    board->scored_room = room;
    return BASRA_OK;
}

/* Is there a card that captures, where such a card must be played? */
static bool bound_to_capture(const policy_board *board, bag hand)
{
    const card_types *types = &board->shape->types;
    if (types->rules.must_capture != BASRA_MUST_HAND) return false;
    for (int type = 0; type < types->count; type++)
        if (hand & types->field[type] && captures_any(types, board->scene.floor, type)) return true;
    return false;
}

static int32_t score_of(const policy_net *net, const int32_t *sum)
{
    int32_t score = 0;
    for (int unit = 0; unit < net->hidden; unit++) {
        int32_t x = sum[unit] < 0 ? 0 : sum[unit] > POLICY_CLIP ? POLICY_CLIP : sum[unit];
        score += x * net->second[unit];
    }
    return score / (1 << POLICY_SHIFT);
}

/* Scores the plays of one type; `held` has the columns of the whole hand. */
static void score_type(policy_board *board, bag hand, int type, const int32_t *held, size_t *count)
{
    const policy_net *net = board->net;
    int32_t kept[POLICY_HIDDEN_MOST];
    int last = bag_count(&board->shape->types, hand, type) - 1;
    memcpy(kept, held, (size_t)net->hidden * sizeof *kept);
    take_column(net, board->shape->kept + board->shape->copy[type] + last, kept);
    for (size_t i = board->first[type]; i < board->first[type] + board->plays_of[type]; i++) {
        uint16_t index[POLICY_ACTIVE_MOST];
        int32_t sum[POLICY_HIDDEN_MOST];
        const policy_play *play = &board->plays[i];
        const int32_t *shared = board->sums + i * (size_t)net->hidden;
        int n = policy_hand_features(board->shape, &board->scene, play, hand, index);
        for (int unit = 0; unit < net->hidden; unit++) sum[unit] = kept[unit] + shared[unit];
        for (int k = 0; k < n; k++) add_column(net, index[k], sum);
        board->scored[(*count)++] = (policy_scored){play, score_of(net, sum), 0};
    }
}

static void list_plain(policy_board *board, int type, size_t *count)
{
    for (size_t i = 0; i < board->plays_of[type]; i++)
        board->scored[(*count)++] = (policy_scored){&board->plays[board->first[type] + i], 0, 0};
}

/* All types of the hand are listed before any play is pointed to, as lists move when they grow. */
static basra_status list_hand(policy_board *board, bag hand, bag *playable)
{
    const card_types *types = &board->shape->types;
    bool bound = bound_to_capture(board, hand);
    size_t total = 0;
    *playable = 0;
    for (int type = 0; type < types->count; type++) {
        if (!(hand & types->field[type])) continue;
        if (bound && !captures_any(types, board->scene.floor, type)) continue;
        basra_status status = list_type(board, type);
        if (status) return status;
        *playable |= hand & types->field[type];
        total += board->plays_of[type];
    }
    return need_scored(board, total);
}

basra_status policy_scores(policy_board *board, bag hand, size_t *count)
{
    const policy_net *net = board->net;
    const card_types *types = &board->shape->types;
    int32_t held[POLICY_HIDDEN_MOST] = {0};
    bag playable;
    *count = 0;
    basra_status status = list_hand(board, hand, &playable);
    if (status) return status;
    if (net) {
        uint16_t index[POLICY_ACTIVE_MOST];
        int n = policy_kept_features(board->shape, hand, index);
        for (int i = 0; i < n; i++) add_column(net, index[i], held);
    }
    for (int type = 0; type < types->count; type++) {
        if (!(playable & types->field[type])) continue;
        if (net)
            score_type(board, hand, type, held, count);
        else
            list_plain(board, type, count);
    }
    return BASRA_OK;
}

/* ---- chances ---------------------------------------------------------------------------------- */

/* e to the power of -below / temperature, in 1/2^30; `below` in 1/BASRA_UNIT nat. */
static uint64_t share_of(const policy_net *net, int64_t below)
{
    /* 2^16 / 2^10 divided by the logarithm of 2 is 92.3325. */
    return power_of_half((uint64_t)below * 923325 / (uint64_t)(net->temperature * 100));
}

basra_status policy_chances(policy_board *board, bag hand, size_t *count)
{
    basra_status status = policy_scores(board, hand, count);
    if (status || !*count) return status;
    policy_scored *scored = board->scored;
    int32_t best = scored[0].score;
    uint64_t all = 0, even = CHANCE_ONE / *count, floor = (uint64_t)board->net->floor;
    for (size_t i = 1; i < *count; i++)
        if (scored[i].score > best) best = scored[i].score;
    for (size_t i = 0; i < *count; i++) {
        scored[i].chance = (uint32_t)share_of(board->net, (int64_t)best - scored[i].score);
        all += scored[i].chance;
    }
    for (size_t i = 0; i < *count; i++) {
        uint64_t own = (FLOOR_ONE - floor) * (scored[i].chance * CHANCE_ONE / all);
        scored[i].chance = (uint32_t)((own + floor * even) / FLOOR_ONE);
    }
    return BASRA_OK;
}

const policy_scored *policy_find(const policy_board *board, size_t count, int type, bag taken)
{
    for (size_t i = 0; i < count; i++) {
        const policy_scored *s = &board->scored[i];
        if (s->play->type == type && s->play->taken == taken) return s;
    }
    return NULL;
}
