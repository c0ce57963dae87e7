/* The plain solver.  Equal cards are told apart all the way.  The table has buckets of two and gives
 * the first move to try; moves of equal points go by the cards they capture. */
#include "reference.h"

#include "../game/moves.h"
#include "../game/position.h"

#include <stdlib.h>
#include <string.h>

enum {
    BUCKET = 2, /* entries that share a place */
    OWNERS = 1 << 12, /* problems that the table can tell apart */
    CACHE_LISTS = 16384, /* capture lists kept */
    LIST_ROOM = 6, /* captures in such a list; longer ones are found anew */
    NO_MOVE = 255,
    INFINITE = 1 << 29
};

enum { BOUND_NONE, BOUND_LOW, BOUND_HIGH, BOUND_BOTH };

typedef struct entry {
    uint64_t key[2];
    int32_t value;
    uint8_t bound; /* the value is at least, at most, or exactly that */
    uint8_t card; /* the best move's, or NO_MOVE */
    uint8_t depth; /* cards still to be played */
    uint8_t spare;
} entry;

/* What a card of one value can take from floor cards that matter to it. */
typedef struct capture_cache {
    uint64_t key; /* those floor cards, and the rank of the card above them */
    uint64_t taken[LIST_ROOM];
    uint64_t count;
} capture_cache;

typedef struct ref_move {
    uint64_t taken;
    int32_t gain;
    int32_t order;
    uint8_t card;
    uint8_t cards; /* captured, the played one included */
} ref_move;

typedef struct ref_node {
    uint64_t floor, held; /* held: by all seats, in this deal */
    uint8_t cards[2]; /* by side, captured */
    uint8_t deal, turn, depth;
    int8_t last; /* side */
} ref_node;

struct reference {
    entry *table;
    size_t buckets;
    uint64_t owner;
    capture_cache *cache;
    capture_work work;
    ref_move *moves; /* of all nodes on the path, one above the other */
    size_t moves_size;
    card_types cards; /* every card a type of its own */
    uint64_t owned[BASRA_MAX_PLAYERS]; /* cards that a seat holds in some deal to come */
    uint64_t dealt[BASRA_CARDS]; /* cards in all hands, by deal */
    uint64_t below[BASRA_RANKS]; /* floor cards that matter to a card, by its rank */
    uint64_t valued; /* cards with points */
    int deals, players;
    bool partners;
    int32_t carry;
    uint64_t visits;
    basra_status failed;
};

reference *reference_new(size_t table_bytes)
{
    reference *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->buckets = table_bytes / (BUCKET * sizeof *r->table);
    if (!r->buckets) r->buckets = 1;
    r->table = calloc(r->buckets * BUCKET, sizeof *r->table);
    r->cache = calloc(CACHE_LISTS, sizeof *r->cache);
    if (r->table && r->cache) return r;
    reference_free(r);
    return NULL;
}

void reference_free(reference *r)
{
    if (!r) return;
    captures_free(&r->work);
    free(r->moves);
    free(r->cache);
    free(r->table);
    free(r);
}

static uint64_t mixed(uint64_t a, uint64_t b)
{
    uint64_t z = (a ^ (b * UINT64_C(0x9e3779b97f4a7c15))) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 32)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 32);
}

/* ---- set-up ----------------------------------------------------------------------------------- */

static void set_rules(reference *r, const basra_rules *rules)
{
    if (!memcmp(&r->cards.rules, rules, sizeof *rules)) return;
    types_init(rules, true, &r->cards);
    memset(r->cache, 0, CACHE_LISTS * sizeof *r->cache);
    r->valued = 0;
    for (int card = 0; card < BASRA_CARDS; card++)
        if (rules->card_points[card]) r->valued |= SET_OF(card);
    for (int rank = 0; rank < BASRA_RANKS; rank++) {
        bool numeral = rank < NUMERAL_RANKS;
        r->below[rank] = numeral ? SET_OF(4 * rank + 4) - 1 : SET_RANK(rank);
        r->below[rank] |= r->cards.wild;
    }
}

/* Who holds what in every deal: the stock is known, so this follows from the position. */
static void set_deals(reference *r, const basra_position *p)
{
    int at = p->stock_next;
    memcpy(r->owned, p->hand, sizeof r->owned);
    memset(r->dealt, 0, sizeof r->dealt);
    for (int seat = 0; seat < p->players; seat++) r->dealt[0] |= p->hand[seat];
    for (r->deals = 1; at < p->stock_size; r->deals++) {
        int even = (p->stock_size - at) / p->players;
        int size = r->cards.rules.hand_size < even ? r->cards.rules.hand_size : even;
        for (int i = 0; i < p->players; i++)
            for (int n = 0; n < size; n++) {
                uint64_t card = SET_OF(p->stock[at++]);
                r->owned[(p->leader + i) % p->players] |= card;
                r->dealt[r->deals] |= card;
            }
    }
}

static ref_node start(reference *r, const basra_rules *rules, const basra_position *p)
{
    set_rules(r, rules);
    set_deals(r, p);
    r->players = p->players;
    r->partners = p->partners;
    r->carry = p->carry;
    r->visits = 0;
    r->failed = BASRA_OK;
    r->owner = (r->owner + 1) % OWNERS;
    if (!r->owner) {
        memset(r->table, 0, r->buckets * BUCKET * sizeof *r->table);
        r->owner = 1;
    }
    ref_node n = {.floor = p->floor, .held = r->dealt[0], .turn = p->turn, .last = -1};
    n.cards[0] = p->cards[0];
    n.cards[1] = p->cards[1];
    n.depth = (uint8_t)(set_count(n.held) + position_undealt(p));
    if (p->last >= 0) n.last = (int8_t)side_of(p->last, p->partners);
    return n;
}

/* ---- moves ------------------------------------------------------------------------------------ */

static int32_t points_of(const reference *r, uint64_t set)
{
    int32_t points = 0;
    for (set &= r->valued; set;) points += r->cards.points[set_pop(&set)];
    return points;
}

static int node_side(const reference *r, const ref_node *n)
{
    return side_of(n->turn, r->partners);
}

/* Do some of these cards add up to a rank's value?  Most often none do, and this is quick. */
static bool adds_up(const reference *r, uint64_t set, int rank)
{
    unsigned sums = 1;
    if (rank >= NUMERAL_RANKS || set & r->cards.wild) return true;
    while (set) sums |= sums << (card_rank(set_pop(&set)) + 1);
    return sums >> (rank + 1) & 1;
}

/* Captures of a card that does not simply take all. */
static const uint64_t *find_captures(reference *r, uint64_t floor, int card, size_t *count)
{
    uint64_t key = floor & r->below[card_rank(card)];
    *count = 0;
    if (!key || !adds_up(r, key, card_rank(card))) return NULL;
    key |= (uint64_t)(card_rank(card) + 1) << BASRA_CARDS;
    capture_cache *c = &r->cache[mixed(key, 0) % CACHE_LISTS];
    if (c->key != key) {
        basra_status status = captures_list(&r->cards, floor, card, 0, &r->work, count);
        if (status) {
            r->failed = status;
            *count = 0;
        }
        if (status || *count > LIST_ROOM) return r->work.taken;
        c->key = key;
        c->count = *count;
        memcpy(c->taken, r->work.taken, *count * sizeof *c->taken);
    }
    *count = c->count;
    return c->taken;
}

static void add_move(reference *r, const ref_node *n, int card, uint64_t taken, size_t at)
{
    if (at >= r->moves_size) {
        size_t size = r->moves_size ? 2 * r->moves_size : 1024;
        ref_move *moves = realloc(r->moves, size * sizeof *moves);
        if (!moves) {
            r->failed = BASRA_E_NOMEM;
            return;
        }
        r->moves = moves;
        r->moves_size = size;
    }
    ref_move move = {.taken = taken, .card = (uint8_t)card};
    if (taken) {
        move.gain = points_of(r, taken | SET_OF(card));
        move.cards = (uint8_t)(set_count(taken) + 1);
        if (taken == n->floor && (n->depth > 1 || r->cards.rules.basra_on_last))
            move.gain += capture_basra(&r->cards, n->floor, card, taken);
    }
    r->moves[at] = move;
}

static size_t add_card(reference *r, const ref_node *n, int card, size_t at)
{
    size_t count = 0, first = at;
    const uint64_t *taken = &n->floor;
    if (card_rank(card) == RANK_JACK || card == r->cards.sweeper)
        count = n->floor != 0;
    else
        taken = find_captures(r, n->floor, card, &count);
    for (size_t i = 0; i < count && !r->failed; i++) add_move(r, n, card, taken[i], at++);
    if (!count || r->cards.rules.must_capture == BASRA_MUST_NONE) add_move(r, n, card, 0, at++);
    return at - first;
}

/* The moves of a node at moves[at..]. */
static size_t list_moves(reference *r, const ref_node *n, size_t at)
{
    size_t first = at;
    uint64_t hand = playable_cards(&r->cards, n->held & r->owned[n->turn], n->floor);
    while (hand && !r->failed) at += add_card(r, n, set_pop(&hand), at);
    return r->failed ? 0 : at - first;
}

/* The table's move first, then by points gained, then by cards captured. */
static void sort_moves(ref_move *moves, size_t count, uint8_t best)
{
    for (size_t i = 0; i < count; i++)
        moves[i].order =
            64 * moves[i].gain + moves[i].cards + (moves[i].card == best ? INFINITE : 0);
    for (size_t i = 1; i < count; i++) {
        ref_move move = moves[i];
        size_t j = i;
        for (; j > 0 && moves[j - 1].order < move.order; j--) moves[j] = moves[j - 1];
        moves[j] = move;
    }
}

static ref_node after(const reference *r, const ref_node *n, const ref_move *m)
{
    ref_node next = *n;
    next.held &= ~SET_OF(m->card);
    next.depth--;
    next.turn = (uint8_t)(n->turn + 1 == r->players ? 0 : n->turn + 1);
    if (m->taken) {
        int side = node_side(r, n);
        next.floor &= ~m->taken;
        next.cards[side] = (uint8_t)(n->cards[side] + m->cards);
        next.last = (int8_t)side;
    } else {
        next.floor |= SET_OF(m->card);
    }
    if (!next.held && next.depth) next.held = r->dealt[++next.deal];
    return next;
}

/* ---- search ----------------------------------------------------------------------------------- */

/* The end of the round, for a side: leftovers to the last capturer, then the most cards. */
static int32_t end_value(const reference *r, const ref_node *n, int side)
{
    int cards[2] = {n->cards[0], n->cards[1]};
    int32_t points[2] = {0}, majority[2], waits;
    if (n->last >= 0) {
        cards[n->last] += set_count(n->floor);
        points[n->last] += points_of(r, n->floor);
    }
    basra_majority(&r->cards.rules, 2, cards, r->carry, majority, &waits);
    int32_t lead = points[0] + majority[0] - points[1] - majority[1];
    return side ? -lead : lead;
}

static void make_key(const reference *r, const ref_node *n, uint64_t *key)
{
    /* The other side's cards follow from these: what is gone is captured by one or the other. */
    key[0] = n->floor | (uint64_t)n->cards[0] << 52 | (uint64_t)(n->last + 1) << 58;
    key[1] = n->held | r->owner << 52;
}

static entry *find_bucket(const reference *r, const uint64_t *key)
{
    uint64_t place = (mixed(key[0], key[1]) >> 32) * r->buckets >> 32;
    return r->table + BUCKET * place;
}

static entry *find_entry(const reference *r, const uint64_t *key)
{
    entry *e = find_bucket(r, key);
    for (int i = 0; i < BUCKET; i++)
        if (e[i].key[0] == key[0] && e[i].key[1] == key[1] && e[i].bound) return &e[i];
    return NULL;
}

/* Overwrites the same node, else what another problem left, else the smaller tree of the two. */
static void store(reference *r, const uint64_t *key, const ref_node *n, int32_t value, int bound,
                  uint8_t card)
{
    entry *e = find_bucket(r, key), *at = e;
    for (int i = 0; i < BUCKET; i++) {
        if (e[i].key[0] == key[0] && e[i].key[1] == key[1]) {
            at = &e[i];
            break;
        }
        bool stale = e[i].key[1] >> 52 != r->owner;
        if (stale || e[i].depth < at->depth) at = &e[i];
    }
    *at = (entry){.key = {key[0], key[1]},
                  .value = value,
                  .bound = (uint8_t)bound,
                  .card = card,
                  .depth = n->depth};
}

static int32_t search(reference *r, const ref_node *n, int32_t alpha, int32_t beta, size_t at);

static int32_t search_move(reference *r, const ref_node *n, const ref_move *m, int32_t alpha,
                           int32_t beta, size_t at)
{
    ref_node next = after(r, n, m);
    int32_t gain = m->gain;
    if (!next.depth) return gain + end_value(r, &next, node_side(r, n));
    return gain - search(r, &next, gain - beta, gain - alpha, at);
}

static int32_t search(reference *r, const ref_node *n, int32_t alpha, int32_t beta, size_t at)
{
    uint64_t key[2];
    uint8_t best = NO_MOVE;
    int32_t value = -INFINITE, start_alpha = alpha;
    r->visits++;
    make_key(r, n, key);
    const entry *e = find_entry(r, key);
    if (e) {
        best = e->card;
        if (e->bound == BOUND_BOTH || (e->bound == BOUND_LOW && e->value >= beta) ||
            (e->bound == BOUND_HIGH && e->value <= alpha))
            return e->value;
    }
    size_t count = list_moves(r, n, at);
    sort_moves(r->moves + at, count, best);
    for (size_t i = 0; i < count && value < beta && !r->failed; i++) {
        ref_move move = r->moves[at + i];
        int32_t found = search_move(r, n, &move, alpha, beta, at + count);
        if (found <= value) continue;
        value = found;
        best = move.card;
        if (found > alpha) alpha = found;
    }
    int bound = value >= beta ? BOUND_LOW : value > start_alpha ? BOUND_BOTH : BOUND_HIGH;
    if (!r->failed) store(r, key, n, value, bound, best);
    return value;
}

basra_status reference_value(reference *r, const basra_rules *rules, const basra_position *p,
                             int32_t *value, uint64_t *visits)
{
    ref_node root = start(r, rules, p);
    *value = search(r, &root, -INFINITE, INFINITE, 0);
    *visits = r->visits;
    return r->failed;
}

basra_status reference_moves(reference *r, const basra_rules *rules, const basra_position *p,
                             int32_t *values, size_t capacity, size_t *count)
{
    ref_node root = start(r, rules, p);
    bool last = position_last_card(p);
    move_list list = {0};
    basra_status status = hand_moves(&r->cards, p->hand[p->turn], p->floor, last, &r->work, &list);
    *count = list.count;
    if (!status && list.count > capacity) status = BASRA_E_BOUNDS;
    if (status) return status;
    list.moves = calloc(list.count, sizeof *list.moves);
    if (!list.moves) return BASRA_E_NOMEM;
    list.capacity = list.count;
    list.count = 0;
    status = hand_moves(&r->cards, p->hand[p->turn], p->floor, last, &r->work, &list);
    for (size_t i = 0; !status && i < list.count; i++) {
        const basra_move *m = &list.moves[i];
        ref_move move = {.taken = m->taken, .gain = m->points + m->basra, .card = m->card};
        if (m->taken) move.cards = (uint8_t)(set_count(m->taken) + 1);
        values[i] = search_move(r, &root, &move, -INFINITE, INFINITE, 0);
        status = r->failed;
    }
    free(list.moves);
    return status;
}
