/* Worlds: every way the hidden hands can be, or unbiased draws of them.
 *
 * All deals that fit a view are equally likely, and the cards that are neither in a known place nor in
 * a hidden hand (stock, and cards gone that nobody tracked) are never looked at before the deal ends,
 * so a world is just the hidden hands, drawn from the unseen cards.  The last capturer is part of it
 * where he is not known and the round ends with this deal.
 */
#include "worlds.h"

#include "../game/types.h"

/* Weights stay below this, so that sums over worlds stay far from the end of 64 bits. */
#define WEIGHT_MAX (UINT64_C(1) << 50)

typedef struct listing {
    card_types types;
    const basra_view *view;
    basra_facts facts;
    basra_world *worlds;
    size_t capacity, count;
    bool full; /* more worlds than there is room for */
} listing;

static bool last_matters(const basra_view *view, const basra_facts *facts)
{
    return view->last == BASRA_UNKNOWN_SEAT && facts->last_deal;
}

static int hidden_draws(const basra_view *view, const basra_facts *facts, int seat)
{
    return seat == view->seat ? 0 : facts->hand_size[seat] - set_count(facts->fixed[seat]);
}

static basra_world known_hands(const basra_view *view, const basra_facts *facts)
{
    basra_world world = {.weight = 1, .last = view->last};
    if (view->last == BASRA_UNKNOWN_SEAT) world.last = BASRA_NO_SEAT;
    for (int seat = 0; seat < view->players; seat++)
        world.hand[seat] = seat == view->seat ? view->hand : facts->fixed[seat];
    return world;
}

static void add_world(listing *l, const basra_world *world)
{
    int lasts =
        last_matters(l->view, &l->facts) ? basra_sides(l->view->players, l->view->partners) : 1;
    for (int i = 0; i < lasts; i++) {
        if (l->count == l->capacity) {
            l->full = true;
            return;
        }
        l->worlds[l->count] = *world;
        if (lasts > 1) l->worlds[l->count].last = (int8_t)i;
        l->count++;
    }
}

static uint64_t choose(int n, int k)
{
    uint64_t ways = 1;
    for (int i = 1; i <= k; i++) ways = ways * (uint64_t)(n - k + i) / (uint64_t)i;
    return ways;
}

static void deal_types(listing *l, int seat, int type, int need, uint64_t pool, basra_world world);

static void next_seat(listing *l, int seat, uint64_t pool, basra_world world)
{
    if (seat == l->view->players)
        add_world(l, &world);
    else
        deal_types(l, seat, 0, hidden_draws(l->view, &l->facts, seat), pool, world);
}

/* Gives `need` more cards of `type` and later types to a seat, in every way up to equal cards. */
static void deal_types(listing *l, int seat, int type, int need, uint64_t pool, basra_world world)
{
    if (l->full) return;
    if (!need) {
        next_seat(l, seat + 1, pool, world);
        return;
    }
    uint64_t rest = pool, later = 0;
    while (type < l->types.count && !(pool & l->types.members[type])) type++;
    for (int t = type; t < l->types.count; t++) later |= pool & l->types.members[t];
    if (set_count(later) < need) return;
    int there = set_count(pool & l->types.members[type]);
    for (int k = 0; k <= there && k <= need; k++) {
        basra_world more = world;
        more.weight = world.weight * choose(there, k);
        more.hand[seat] |= pool & ~rest;
        if (more.weight > WEIGHT_MAX) l->full = true;
        deal_types(l, seat, type + 1, need - k, rest, more);
        if (k < there) rest &= ~SET_OF(set_first(rest & l->types.members[type]));
    }
}

basra_status basra_worlds_all(const basra_rules *rules, const basra_view *view, basra_world *worlds,
                              size_t capacity, size_t *count)
{
    listing l = {.view = view, .worlds = worlds, .capacity = capacity};
    *count = 0;
    basra_status status = view_facts(rules, view, &l.facts);
    if (status) return status;
    types_init(rules, false, &l.types);
    /* Hands that differ in where such a card is are not equally likely: leave them to sampling. */
    for (int seat = 0; seat < view->players; seat++)
        if (l.facts.maybe[seat]) return BASRA_OK;
    next_seat(&l, 0, l.facts.unseen, known_hands(view, &l.facts));
    if (!l.full) *count = l.count;
    return BASRA_OK;
}

/* A card that a seat holds, unless it is one of the cards gone that nobody tracked: each of those
 * places is equally likely.  False if that leaves no place for a later one: then draw again. */
static bool place_maybe(const basra_view *view, const basra_facts *facts, random_stream *stream,
                        basra_world *world)
{
    uint32_t gone = facts->untracked;
    for (int seat = 0; seat < view->players; seat++)
        for (uint64_t rest = facts->maybe[seat]; rest;) {
            uint64_t card = SET_OF(set_pop(&rest));
            uint32_t room = facts->hand_size[seat] - (uint32_t)set_count(world->hand[seat]);
            if (!(room + gone)) return false;
            if (random_below(stream, room + gone) < room)
                world->hand[seat] |= card;
            else
                gone--;
        }
    return true;
}

void worlds_sampler_open(const basra_view *view, const basra_facts *facts, random_stream stream,
                         worlds_sampler *sampler)
{
    *sampler = (worlds_sampler){.view = view, .facts = facts, .stream = stream};
    for (uint64_t rest = facts->unseen; rest;)
        sampler->pool[sampler->size++] = (uint8_t)set_pop(&rest);
}

void worlds_sampler_draw(worlds_sampler *sampler, basra_world *world)
{
    const basra_view *view = sampler->view;
    const basra_facts *facts = sampler->facts;
    uint8_t *pool = sampler->pool;
    uint32_t left = sampler->size;
    do *world = known_hands(view, facts);
    while (!place_maybe(view, facts, &sampler->stream, world));
    for (int seat = 0; seat < view->players; seat++)
        for (int n = facts->hand_size[seat] - set_count(world->hand[seat]); n > 0; n--) {
            uint32_t i = random_below(&sampler->stream, left--);
            uint8_t card = pool[i];
            world->hand[seat] |= SET_OF(card);
            pool[i] = pool[left];
            pool[left] = card;
        }
    if (!last_matters(view, facts)) return;
    uint32_t sides = (uint32_t)basra_sides(view->players, view->partners);
    world->last = (int8_t)random_below(&sampler->stream, sides);
}

basra_status basra_worlds_sample(const basra_rules *rules, const basra_view *view, uint64_t seed,
                                 uint64_t first, size_t count, basra_world *worlds)
{
    basra_facts facts;
    worlds_sampler sampler;
    basra_status status = view_facts(rules, view, &facts);
    if (status) return status;
    for (size_t i = 0; i < count; i++) {
        worlds_sampler_open(view, &facts, random_open(seed, STREAM_WORLD, first + i), &sampler);
        worlds_sampler_draw(&sampler, &worlds[i]);
    }
    return BASRA_OK;
}

void basra_worlds_shuffle(uint64_t seed, basra_world *worlds, size_t count)
{
    random_stream stream = random_open(seed, STREAM_ORDER, 0);
    for (size_t i = count; i > 1; i--) {
        uint32_t j = random_below(&stream, (uint32_t)i);
        basra_world swap = worlds[i - 1];
        worlds[i - 1] = worlds[j];
        worlds[j] = swap;
    }
}
