/* Enumeration of captures.
 *
 * A capture is a union of disjoint groups, each adding up to the card's value v.  Only how many cards
 * of each rank it takes matters, so the candidates are the cells of a small box: one coordinate per
 * rank on the floor, from 0 to the number of its cards.  A cell can be split into groups exactly when
 * its cards can be laid out one after the other so that the running total never steps over a multiple
 * of v; and the running total modulo v of a cell is known from its cards alone.  One pass over the
 * box, each cell asking its neighbours with one card less, therefore finds all captures without
 * looking at a single group twice.  A second pass, downwards, keeps the maximal ones.
 *
 * Cost: cells times ranks.  Ordinary floors have a few dozen cells; all 40 numerals with a ten have
 * 9.8 million, a fraction of a second and 10 MB.
 */
#include "capture.h"

#include "memory.h"

enum {
    CELL_LAID = 1,  /* its cards can be laid out as above */
    CELL_ABOVE = 2, /* it, or a cell that contains it, is a capture */
    POLL_CELLS = 1 << 16
};

/* The box of a card and a floor. */
typedef struct box {
    const card_types *types;
    bag floor;
    int value;                     /* what a group adds up to; 1 for a picture card */
    int axes;                      /* ranks in use */
    int rank[NUMERAL_RANKS];       /* of each axis */
    int worth[NUMERAL_RANKS];      /* of one card of it */
    int most[NUMERAL_RANKS];       /* cards of it on the floor, a wild 7D included */
    size_t stride[NUMERAL_RANKS];
    size_t cells;
    bag base; /* taken in any case: all equal cards, where all that can be must */
    bag wild; /* the wild 7D, if it lies on the floor */
    int wild_axis; /* axis on which it counts as a seven, or -1 */
} box;

/* An odometer over the cells of a box. */
typedef struct cursor {
    size_t cell;
    int digit[NUMERAL_RANKS];
    int total; /* worth of the cell's cards modulo the value */
} cursor;

void captures_free(capture_work *work)
{
    basra_free(work->cells);
    basra_free(work->taken);
    work->cells = NULL;
    work->taken = NULL;
    work->cells_size = work->taken_size = 0;
}

static basra_status need_cells(capture_work *work, size_t size)
{
    if (size <= work->cells_size) return BASRA_OK;
    size_t room = size < 256 ? 256 : size;
    uint8_t *cells = basra_realloc(work->cells, room);
    if (!cells) return BASRA_E_NOMEM;
    work->cells = cells;
    work->cells_size = room;
    return BASRA_OK;
}

static basra_status need_taken(capture_work *work, size_t size)
{
    if (size <= work->taken_size) return BASRA_OK;
    size_t room = work->taken_size * 2 > size ? work->taken_size * 2 : size + 64;
    bag *taken = basra_realloc(work->taken, room * sizeof *taken);
    if (!taken) return BASRA_E_NOMEM;
    work->taken = taken;
    work->taken_size = room;
    return BASRA_OK;
}

static void add_axis(box *b, int rank, int worth)
{
    int most = b->types->cards_in[rank][bag_nibble(b->floor, rank)];
    if (!most) return;
    int axis = b->axes++;
    b->rank[axis] = rank;
    b->worth[axis] = worth;
    b->most[axis] = most;
    b->stride[axis] = b->cells;
    b->cells *= (size_t)most + 1;
    if (b->wild && rank == RANK_SEVEN) b->wild_axis = axis;
}

/* What numerals add up to in *total, and the sums of sub-collections: bit t says that t is one of
 * them, for t up to 31. */
static unsigned sums_of(const card_types *types, bag numerals, int *total)
{
    unsigned sums = 1;
    *total = 0;
    while (numerals) {
        int rank = set_first(numerals) / 4, nibble = bag_nibble(numerals, rank);
        for (int n = types->cards_in[rank][nibble]; n > 0; n--) {
            sums |= sums << (rank + 1);
            *total += rank + 1;
        }
        numerals ^= (bag)nibble << (4 * rank);
    }
    return sums;
}

/* Can a card of a rank be part of a group, together with smaller and larger ones? */
static bool can_help(const card_types *types, bag floor, int rank, int value)
{
    int nibble = bag_nibble(floor, rank), total;
    if (!nibble) return false;
    bag others = floor & (SET_OF(4 * value) - 1);
    int without = types->cards_in[rank][nibble] - 1;
    others &= ~SET_RANK(rank);
    unsigned sums = sums_of(types, others, &total);
    for (; without > 0; without--) sums |= sums << (rank + 1);
    return sums >> (value - rank - 1) & 1;
}

static box box_of(const card_types *types, bag floor, int type)
{
    box b = {.types = types, .floor = floor, .cells = 1, .wild_axis = -1};
    int rank = types->rank[type];
    b.wild = floor & types->wild;
    b.value = rank < NUMERAL_RANKS ? rank + 1 : 1;
    if (rank < NUMERAL_RANKS)
        for (int r = 0; r < rank; r++)
            if (can_help(types, floor, r, b.value)) add_axis(&b, r, r + 1);
    /* Equal cards are groups of their own: each can be added to any capture. */
    if (types->rules.choice == BASRA_CHOICE_MAXIMAL)
        b.base = (floor & SET_RANK(rank)) | b.wild;
    else
        add_axis(&b, rank, b.value);
    return b;
}

/* Moves on to the next cell; false after the last. */
static bool cursor_up(const box *b, cursor *c)
{
    c->cell++;
    for (int axis = 0; axis < b->axes; axis++) {
        if (c->digit[axis] < b->most[axis]) {
            c->digit[axis]++;
            c->total = (c->total + b->worth[axis]) % b->value;
            return true;
        }
        c->total = (c->total + (b->value - b->worth[axis]) * b->most[axis]) % b->value;
        c->digit[axis] = 0;
    }
    return false;
}

static bool stopped(const capture_work *work, size_t cell)
{
    return cell % POLL_CELLS == POLL_CELLS - 1 && work->stopped && work->stopped(work->user);
}

/* Marks the cells whose cards can be laid out. */
static basra_status mark_laid(const box *b, capture_work *work)
{
    uint8_t *cells = work->cells;
    cursor c = {0};
    cells[0] = CELL_LAID;
    while (cursor_up(b, &c)) {
        uint8_t laid = 0;
        for (int axis = 0; axis < b->axes && !laid; axis++)
            /* The last card fits if it closes a group or stays inside one. */
            if (c.digit[axis] && (c.total == 0 || b->worth[axis] <= c.total))
                laid = cells[c.cell - b->stride[axis]] & CELL_LAID;
        cells[c.cell] = laid;
        if (stopped(work, c.cell)) return BASRA_E_STOPPED;
    }
    return BASRA_OK;
}

/* Can the cell be taken, together with the wild 7D if `with_wild`?  Coordinates leave the 7D out. */
static bool is_capture(const box *b, const uint8_t *cells, const cursor *c, bool with_wild)
{
    if (b->wild_axis >= 0 && c->digit[b->wild_axis] == b->most[b->wild_axis]) return false;
    if (c->total == 0 && cells[c->cell] & CELL_LAID) return c->cell || b->base || with_wild;
    if (!with_wild || b->wild_axis < 0) return false;
    int total = (c->total + b->worth[b->wild_axis]) % b->value;
    return total == 0 && cells[c->cell + b->stride[b->wild_axis]] & CELL_LAID;
}

/* All ways to take the cell's number of cards of each rank, as bags. */
static basra_status expand(const box *b, const cursor *c, bag base, size_t at, capture_work *work,
                           size_t *count)
{
    size_t start = at + *count, n = 1;
    basra_status status = need_taken(work, start + 1);
    if (status) return status;
    work->taken[start] = base;
    for (int axis = 0; axis < b->axes; axis++) {
        int rank = b->rank[axis];
        if (!c->digit[axis]) continue;
        int whole = bag_nibble(b->floor - b->wild, rank);
        size_t before = n;
        for (int part = 0; part <= whole; part++) {
            if (!(b->types->parts_of[rank][whole] >> part & 1)) continue;
            if (b->types->cards_in[rank][part] != c->digit[axis]) continue;
            if (n + before > 2 * (size_t)BASRA_MAX_CAPTURES) return BASRA_E_TOO_LARGE;
            status = need_taken(work, start + n + before);
            if (status) return status;
            for (size_t i = 0; i < before; i++)
                work->taken[start + n++] = work->taken[start + i] + ((bag)part << (4 * rank));
        }
        /* The shorter ones were only stems. */
        n -= before;
        for (size_t i = 0; i < n; i++) work->taken[start + i] = work->taken[start + before + i];
    }
    *count += n;
    return *count > BASRA_MAX_CAPTURES ? BASRA_E_TOO_LARGE : BASRA_OK;
}

static basra_status list_any(const box *b, size_t at, capture_work *work, size_t *count)
{
    cursor c = {0};
    do {
        for (int wild = 0; wild <= (b->wild != 0); wild++) {
            if (!is_capture(b, work->cells, &c, wild)) continue;
            basra_status status = expand(b, &c, wild ? b->wild : 0, at, work, count);
            if (status) return status;
        }
        if (stopped(work, c.cell)) return BASRA_E_STOPPED;
    } while (cursor_up(b, &c));
    return BASRA_OK;
}

/* Moves on to the previous cell; false before the first. */
static bool cursor_down(const box *b, cursor *c)
{
    if (!c->cell) return false;
    c->cell--;
    for (int axis = 0; axis < b->axes; axis++) {
        if (c->digit[axis]) {
            c->digit[axis]--;
            c->total = (c->total + b->value - b->worth[axis]) % b->value;
            return true;
        }
        c->digit[axis] = b->most[axis];
        c->total = (c->total + b->worth[axis] * b->most[axis]) % b->value;
    }
    return false;
}

/* A wild 7D can join every capture, so with one on the floor the maximal ones all have it. */
static basra_status list_maximal(const box *b, size_t at, capture_work *work, size_t *count)
{
    cursor c = {.cell = b->cells - 1};
    int total = 0;
    for (int axis = 0; axis < b->axes; axis++) {
        c.digit[axis] = b->most[axis];
        total += b->worth[axis] * b->most[axis];
    }
    c.total = total % b->value;
    do {
        bool above = false;
        for (int axis = 0; axis < b->axes && !above; axis++)
            above =
                c.digit[axis] < b->most[axis] && work->cells[c.cell + b->stride[axis]] & CELL_ABOVE;
        if (!above && is_capture(b, work->cells, &c, b->wild != 0)) {
            basra_status status = expand(b, &c, b->base, at, work, count);
            if (status) return status;
            above = true;
        }
        if (above) work->cells[c.cell] |= CELL_ABOVE;
        if (stopped(work, c.cell)) return BASRA_E_STOPPED;
    } while (cursor_down(b, &c));
    return BASRA_OK;
}

static void sift(const card_types *types, bag *list, size_t root, size_t count)
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && bag_compare(types, list[child], list[child + 1]) < 0) child++;
        if (bag_compare(types, list[root], list[child]) >= 0) return;
        bag swap = list[root];
        list[root] = list[child];
        list[child] = swap;
    }
}

/* Heap sort: no memory, no bad case. */
static void sort_bags(const card_types *types, bag *list, size_t count)
{
    for (size_t i = count / 2; i-- > 0;) sift(types, list, i, count);
    for (size_t end = count; end-- > 1;) {
        bag swap = list[0];
        list[0] = list[end];
        list[end] = swap;
        sift(types, list, 0, end);
    }
}

static bool takes_all(const card_types *types, int type)
{
    return types->rank[type] == RANK_JACK || type == types->sweeper;
}

/* Appends every bag of the floor's cards up to a rank that adds up to `need`, each joined to `base`;
 * `total` is what all of them add up to. */
static basra_status list_sums(const card_types *types, bag floor, int rank, int need, int total,
                              bag base, size_t at, capture_work *work, size_t *count)
{
    if (!need) {
        basra_status status = need_taken(work, at + *count + 1);
        if (!status) work->taken[at + (*count)++] = base;
        return status;
    }
    while (rank >= 0 && !bag_nibble(floor, rank)) rank--;
    if (rank < 0 || total < need) return BASRA_OK;
    int whole = bag_nibble(floor, rank), worth = rank + 1;
    int rest = total - worth * types->cards_in[rank][whole];
    for (unsigned parts = types->parts_of[rank][whole]; parts; parts &= parts - 1) {
        int part = set_first(parts);
        int left = need - worth * types->cards_in[rank][part];
        if (left < 0 || left > rest) continue;
        basra_status status = list_sums(types, floor, rank - 1, left, rest,
                                        base + ((bag)part << (4 * rank)), at, work, count);
        if (status) return status;
    }
    return BASRA_OK;
}

static bool has_group(const card_types *types, bag numerals, int value)
{
    int total;
    return sums_of(types, numerals, &total) >> value & 1;
}

/* Where there is room for two groups, not for three: one group, if it must not leave another behind, and
 * two, which are what adds up to twice the value and has a part that is a group. */
static basra_status list_pairs(const card_types *types, bag floor, int rank, int value, int total,
                               bag base, size_t at, capture_work *work, size_t *count)
{
    bool maximal = types->rules.choice == BASRA_CHOICE_MAXIMAL;
    size_t kept = 0;
    basra_status status = list_sums(types, floor, rank, value, total, base, at, work, count);
    if (status) return status;
    for (size_t i = 0; i < *count; i++) {
        bag taken = work->taken[at + i];
        if (maximal && has_group(types, floor - (taken - base), value)) continue;
        work->taken[at + kept++] = taken;
    }
    size_t first = *count = kept;
    status = list_sums(types, floor, rank, 2 * value, total, base, at, work, count);
    if (status) return status;
    for (size_t i = first; i < *count; i++) {
        bag taken = work->taken[at + i];
        if (has_group(types, taken - base, value)) work->taken[at + kept++] = taken;
    }
    *count = kept;
    return BASRA_OK;
}

/* Ordinary floors have no room for three groups at once.  Where all that can be taken must be, equal cards
 * are taken in any case.  True if the floor is one of those and the captures are listed. */
static bool list_ordinary(const card_types *types, bag floor, int type, size_t at,
                          capture_work *work, size_t *count, basra_status *status)
{
    int rank = types->rank[type], value = rank + 1, top = rank;
    bool maximal = types->rules.choice == BASRA_CHOICE_MAXIMAL;
    bag equal = floor & SET_RANK(rank), base = 0;
    if (floor & types->wild) return false;
    if (rank >= NUMERAL_RANKS) {
        if (!maximal && types->cards_in[rank][bag_nibble(floor, rank)] > 1) return false;
        floor = 0;
        base = equal;
    } else {
        floor &= SET_OF(4 * rank + 4) - 1;
        if (maximal) base = equal, floor -= equal, top--;
    }
    int total;
    unsigned sums = sums_of(types, floor, &total);
    if (sums >> value & 1) {
        if (sums >> 3 * value & 1) return false;
        *status = (sums >> 2 * value & 1 ? list_pairs : list_sums)(types, floor, top, value, total,
                                                                   base, at, work, count);
        return true;
    }
    if (!base) return true;
    *status = need_taken(work, at + 1);
    if (!*status) work->taken[at + (*count)++] = base;
    return true;
}

basra_status captures_list(const card_types *types, bag floor, int type, size_t at,
                           capture_work *work, size_t *count)
{
    *count = 0;
    if (!floor) return BASRA_OK;
    basra_status status = BASRA_OK;
    if (takes_all(types, type)) {
        status = need_taken(work, at + 1);
        if (status) return status;
        work->taken[at] = floor;
        *count = 1;
        return BASRA_OK;
    }
    if (list_ordinary(types, floor, type, at, work, count, &status)) {
        if (!status && *count > 1) sort_bags(types, work->taken + at, *count);
        return status;
    }
    box b = box_of(types, floor, type);
    if (b.cells == 1 && !b.base && !b.wild) return BASRA_OK;
    status = need_cells(work, b.cells);
    if (!status) status = mark_laid(&b, work);
    if (!status)
        status = types->rules.choice == BASRA_CHOICE_MAXIMAL ? list_maximal(&b, at, work, count)
                                                             : list_any(&b, at, work, count);
    if (!status && *count > 1) sort_bags(types, work->taken + at, *count);
    return status;
}

bool captures_any(const card_types *types, bag floor, int type)
{
    if (!floor) return false;
    if (takes_all(types, type) || floor & types->wild) return true;
    int rank = types->rank[type];
    if (rank >= NUMERAL_RANKS) return bag_nibble(floor, rank) != 0;
    /* Some group exists exactly if some sub-collection adds up to the value: bit t of `sums` says
     * that t can be reached. */
    unsigned sums = 1;
    for (int r = 0; r <= rank; r++)
        for (int n = types->cards_in[r][bag_nibble(floor, r)]; n > 0; n--) sums |= sums << (r + 1);
    return sums >> (rank + 1) & 1;
}

static int numerals_total(const card_types *types, bag floor)
{
    int total = 0;
    for (int rank = 0; rank < NUMERAL_RANKS; rank++)
        total += (rank + 1) * types->cards_in[rank][bag_nibble(floor, rank)];
    return total;
}

/* Depth-first exact split of counts[1..10] into groups of `value`, the largest card first, each group
 * filled downwards: `room` is what the open group still needs, `next` the largest card it may take. */
static bool split_from(int *counts, int value, int left, int room, int next)
{
    if (!left) return !room;
    if (!room) room = value, next = value;
    bool opens = room == value;
    for (int v = next < room ? next : room; v >= 1; v--) {
        if (!counts[v]) continue;
        counts[v]--;
        bool done = split_from(counts, value, left - v, room - v, v);
        counts[v]++;
        if (done) return true;
        /* The largest card left has to go somewhere: if not here, nowhere. */
        if (opens) return false;
    }
    return false;
}

/* How many numerals of each value a floor has, in counts[1..10]; the largest value there. */
static int count_numerals(const card_types *types, bag floor, int *counts)
{
    int largest = 0;
    for (int rank = 0; rank < NUMERAL_RANKS; rank++) {
        counts[rank + 1] = types->cards_in[rank][bag_nibble(floor, rank)];
        if (counts[rank + 1]) largest = rank + 1;
    }
    return largest;
}

/* Do these numerals split into groups of `value`? */
static bool splits(const card_types *types, bag floor, int value)
{
    int counts[NUMERAL_RANKS + 1] = {0};
    int total = numerals_total(types, floor);
    if (floor & ~SET_NUMERALS || count_numerals(types, floor, counts) > value) return false;
    return total % value == 0 && split_from(counts, value, total, 0, 0);
}

bool captures_whole(const card_types *types, bag floor, int type)
{
    if (!floor) return false;
    if (takes_all(types, type)) return true;
    bag wild = floor & types->wild, rest = floor - wild;
    int rank = types->rank[type];
    if (!rest) return true;
    if (rank >= NUMERAL_RANKS) return !(rest & ~SET_RANK(rank));
    /* A wild 7D is a group of its own, or a seven among the others. */
    return splits(types, rest, rank + 1) || (wild && splits(types, floor, rank + 1));
}

/* Do all floor cards, numerals only, split into groups of one equal value up to ten? */
static bool equal_groups(const card_types *types, bag floor)
{
    for (int value = 1; value <= NUMERAL_RANKS; value++)
        if (splits(types, floor, value)) return true;
    return false;
}

static int32_t worth_of_basra(const card_types *types, int rank)
{
    const basra_rules *rules = &types->rules;
    switch (rules->basra_kind) {
    case BASRA_POINTS_DOUBLE: return rank < NUMERAL_RANKS ? 2 * (rank + 1) : 20;
    case BASRA_POINTS_TABLE: return rules->basra_table[rank];
    default: return rules->basra_points;
    }
}

static bool lone(const card_types *types, bag floor, int rank)
{
    return floor == (floor & SET_RANK(rank)) && types->cards_in[rank][bag_nibble(floor, rank)] == 1;
}

static int32_t seven_basra(const card_types *types, bag floor)
{
    const basra_rules *rules = &types->rules;
    bool ten = !(floor & ~SET_NUMERALS) && numerals_total(types, floor) <= 10;
    if (rules->seven_basra == BASRA_SEVEN_BASRA_TOTAL_TEN)
        return ten ? worth_of_basra(types, RANK_SEVEN) : 0;
    if (lone(types, floor, RANK_JACK)) return rules->jack_basra;
    bool basra = equal_groups(types, floor);
    if (rules->seven_basra == BASRA_SEVEN_BASRA_AS_ANY_CARD)
        basra = basra || !(floor & ~SET_RANK(RANK_QUEEN)) || !(floor & ~SET_RANK(RANK_KING));
    return basra ? worth_of_basra(types, RANK_SEVEN) : 0;
}

int32_t capture_basra(const card_types *types, bag floor, int type, bag taken)
{
    if (!taken || taken != floor) return 0;
    int rank = types->rank[type];
    if (rank == RANK_JACK) return lone(types, floor, RANK_JACK) ? types->rules.jack_basra : 0;
    if (type == types->sweeper) return seven_basra(types, floor);
    return worth_of_basra(types, rank);
}
