/* Views: what a seat left unsaid is worked out, and everything is checked, by counting alone. */
#include "view.h"

#include "../game/position.h"

#include <stdlib.h>
#include <string.h>

/* A view under examination. */
typedef struct inquiry {
    const basra_rules *rules;
    basra_view *view;
    int sides, deals;
    card_types cards; /* every card a type of its own; made when plays are replayed */
    basra_status failed; /* something other than the view itself went wrong */
    uint8_t sizes[BASRA_CARDS]; /* hand size of each deal */
    int detail;
} inquiry;

/* How far a deal fits before something contradicts it; later checks are the more telling ones. */
typedef struct fit {
    basra_fault fault;
    int stage, detail;
    int seat;
    basra_facts facts;
} fit;

static bool in_places(uint64_t *placed, uint64_t cards, int *detail)
{
    if (!(cards & *placed)) {
        *placed |= cards;
        return false;
    }
    *detail = set_first(cards & *placed);
    return true;
}

static basra_fault check_cards(inquiry *q)
{
    const basra_view *v = q->view;
    uint64_t outside = (v->hand | v->floor | v->seen) & ~basra_pack(q->rules), placed = 0;
    if (outside) {
        q->detail = set_first(outside);
        return BASRA_FAULT_CARD_OUTSIDE_PACK;
    }
    if (in_places(&placed, v->hand, &q->detail) || in_places(&placed, v->floor, &q->detail) ||
        in_places(&placed, v->seen, &q->detail))
        return BASRA_FAULT_CARD_TWICE;
    return BASRA_FAULT_NONE;
}

static bool lengths_fit(const basra_view *v)
{
    return v->played_size <= BASRA_CARDS && v->buried_size <= BASRA_CARDS;
}

static basra_fault check_numbers(inquiry *q)
{
    const basra_view *v = q->view;
    q->detail = v->seat;
    if (v->seat != BASRA_UNKNOWN_SEAT && (v->seat < 0 || v->seat >= v->players))
        return BASRA_FAULT_SEAT;
    q->detail = v->last;
    if (v->last < BASRA_UNKNOWN_SEAT || v->last >= v->players) return BASRA_FAULT_LAST;
    q->detail = v->deal;
    if (v->deal > q->deals) return BASRA_FAULT_DEAL;
    q->detail = v->carry;
    if (v->carry < 0 || v->carry > RULES_MAX_CARRY) return BASRA_FAULT_CARRY;
    if (v->carry && q->rules->most_cards_tie != BASRA_TIE_CARRY) return BASRA_FAULT_CARRY;
    for (int side = 0; side < q->sides; side++) {
        q->detail = v->points[side];
        if (abs(v->points[side]) > RULES_MAX_CARRY) return BASRA_FAULT_POINTS;
        q->detail = v->score[side];
        if (abs(v->score[side]) > RULES_MAX_SCORE) return BASRA_FAULT_SCORE;
    }
    q->detail = set_count(v->hand);
    if (!v->hand) return BASRA_FAULT_HAND_EMPTY;
    if (set_count(v->hand) > q->sizes[0]) return BASRA_FAULT_HAND_TOO_LARGE;
    return BASRA_FAULT_NONE;
}

/* The floor before this deal's first play, worked out backwards. */
static basra_fault floor_before(inquiry *q, uint64_t *floor)
{
    const basra_view *v = q->view;
    *floor = v->floor;
    for (int i = v->played_size; i-- > 0;) {
        const basra_play *play = &v->played[i];
        q->detail = i;
        if (play->taken) {
            if (play->taken & *floor || *floor & SET_OF(play->card))
                return BASRA_FAULT_PLAYED_FLOOR;
            *floor |= play->taken;
        } else {
            if (!(*floor & SET_OF(play->card))) return BASRA_FAULT_PLAYED_FLOOR;
            *floor &= ~SET_OF(play->card);
        }
    }
    return BASRA_FAULT_NONE;
}

/* My hand when play `index` of this deal was made, if it was mine: what I hold and what I played
 * since.  Another seat's hand is unknown but for the card. */
static uint64_t hand_at(const basra_view *v, int index)
{
    int seat = index % v->players;
    uint64_t hand = SET_OF(v->played[index].card);
    if (seat != v->played_size % v->players) return hand;
    for (int i = index; i < v->played_size; i += v->players) hand |= SET_OF(v->played[i].card);
    return hand | v->hand;
}

static bool was_legal(inquiry *q, uint64_t hand, uint64_t floor, const basra_play *play)
{
    basra_status status = position_legal(&q->cards, hand, floor, play->card, play->taken);
    if (status && status != BASRA_E_MOVE) q->failed = status;
    return !status;
}

/* Replays this deal; what was captured becomes seen, and the last capturer known. */
static basra_fault check_played(inquiry *q)
{
    basra_view *v = q->view;
    uint64_t floor, gone = 0;
    int took[BASRA_MAX_PLAYERS] = {0}, last = BASRA_UNKNOWN_SEAT;
    for (int i = 0; i < v->played_size; i++) {
        const basra_play *play = &v->played[i];
        q->detail = i;
        if (play->card >= BASRA_CARDS || (play->taken | SET_OF(play->card)) & v->hand)
            return BASRA_FAULT_SEEN_PLAYED;
    }
    basra_fault fault = floor_before(q, &floor);
    if (fault) return fault;
    if (v->played_size) types_init(q->rules, true, &q->cards);
    for (int i = 0; i < v->played_size; i++) {
        const basra_play *play = &v->played[i];
        uint64_t card = SET_OF(play->card), hand = hand_at(v, i);
        q->detail = i;
        if (!(card & basra_pack(q->rules)) || card & (floor | gone | v->hand))
            return BASRA_FAULT_SEEN_PLAYED;
        if (!was_legal(q, card, floor, play)) return BASRA_FAULT_PLAYED_ILLEGAL;
        if (hand != card && !was_legal(q, hand, floor, play)) return BASRA_FAULT_PLAYED_OWN;
        if (play->taken) {
            floor &= ~play->taken;
            gone |= play->taken | card;
            last = i % v->players;
            took[side_of(last, v->partners)] += set_count(play->taken) + 1;
        } else {
            floor |= card;
        }
    }
    if (gone & (v->hand | v->floor)) return BASRA_FAULT_SEEN_PLAYED;
    v->seen |= gone;
    q->detail = v->last;
    if (last != BASRA_UNKNOWN_SEAT) {
        if (v->last != BASRA_UNKNOWN_SEAT &&
            side_of(v->last, v->partners) != side_of(last, v->partners))
            return BASRA_FAULT_LAST_PLAYED;
        v->last = (int8_t)last;
    }
    for (int side = 0; side < q->sides && v->cards_given; side++) {
        q->detail = took[side];
        if (v->cards[side] < took[side]) return BASRA_FAULT_COUNTS_PLAYED;
    }
    return BASRA_FAULT_NONE;
}

/* Where the bottom of the stock puts buried card `index`: its deal (1..) and seat. */
static void buried_place(const inquiry *q, int index, int *deal, int *seat)
{
    int players = q->view->players, left = q->view->buried_size - 1 - index;
    for (*deal = q->deals; *deal > 1; --*deal) {
        int size = q->sizes[*deal - 1];
        if (left < players * size) {
            *seat = players - 1 - left / size;
            return;
        }
        left -= players * size;
    }
    *seat = 0;
}

/* Plays of this deal that nobody recorded may have used up a card, if not every pile is known. */
static bool may_be_gone(const inquiry *q, const fit *f, int seat)
{
    bool played = f->facts.hand_size[seat] < f->facts.dealt;
    return played && f->facts.untracked && !q->view->played_size;
}

/* A card that was dealt to me, or long ago, and is nowhere to be seen: gone, and not tracked. */
static basra_fault lost_card(uint64_t card, fit *f)
{
    if (!f->facts.untracked) return BASRA_FAULT_BURIED_PLACE;
    f->facts.untracked--;
    f->facts.unseen &= ~card;
    return BASRA_FAULT_NONE;
}

/* A card of the bottom of the stock that this deal brought to a seat, and that nobody has seen. */
static basra_fault place_dealt(const inquiry *q, int seat, uint64_t card, fit *f)
{
    bool gone = may_be_gone(q, f, seat);
    if (seat == f->seat) return gone ? lost_card(card, f) : BASRA_FAULT_BURIED_PLACE;
    if (gone)
        f->facts.maybe[seat] |= card;
    else
        f->facts.fixed[seat] |= card;
    return BASRA_FAULT_NONE;
}

/* Is there a place for every card that is known to be in a hidden hand, or gone? */
static bool places_fit(const inquiry *q, const fit *f)
{
    int lost = 0;
    for (int seat = 0; seat < q->view->players; seat++) {
        int room = f->facts.hand_size[seat] - set_count(f->facts.fixed[seat]);
        int maybe = set_count(f->facts.maybe[seat]);
        if (room < 0) return false;
        if (maybe > room) lost += maybe - room;
    }
    return lost <= f->facts.untracked;
}

static basra_fault place_bottom(const inquiry *q, int deal, int index, fit *f)
{
    const basra_view *v = q->view;
    uint64_t card = SET_OF(v->buried[index]);
    int when, seat;
    buried_place(q, index, &when, &seat);
    bool mine = v->hand & card, shown = (v->floor | v->seen) & card;
    bool fits = when > deal ? !mine && !shown : !mine || (when == deal && seat == f->seat);
    if (!fits) return BASRA_FAULT_BURIED_PLACE;
    if (when > deal) f->facts.stocked |= card;
    if (when > deal || mine || shown) return BASRA_FAULT_NONE;
    return when < deal ? lost_card(card, f) : place_dealt(q, seat, card, f);
}

/* Plays since the second deal began: what was put back into the stock comes into play only then. */
static int plays_since_first_deal(const inquiry *q, int deal, const fit *f)
{
    int plays = 0;
    for (int d = 2; d <= deal; d++) plays += q->view->players * q->sizes[d - 1];
    for (int seat = 0; seat < q->view->players; seat++) plays -= f->facts.hand_size[seat];
    return plays;
}

/* Cards shown and buried: in the first deal all in the stock; under the stock their place is known;
 * at random places nothing is known of them after the first deal. */
static basra_fault place_buried(const inquiry *q, int deal, fit *f)
{
    const basra_view *v = q->view;
    uint64_t placed = 0;
    for (int i = 0; i < v->buried_size; i++) {
        f->detail = v->buried[i];
        if (v->buried[i] >= BASRA_CARDS) return BASRA_FAULT_CARD_OUTSIDE_PACK;
        uint64_t card = SET_OF(v->buried[i]);
        if (card & placed) return BASRA_FAULT_BURIED_TWICE;
        placed |= card;
        if (!(q->rules->not_on_first_floor & card)) return BASRA_FAULT_BURIED_KIND;
        if (deal == 1 && card & (v->hand | v->floor | v->seen))
            return BASRA_FAULT_BURIED_IN_DEAL_ONE;
        if (q->rules->bury == BASRA_BURY_BOTTOM) {
            basra_fault fault = place_bottom(q, deal, i, f);
            if (fault) return fault;
        } else if (deal == 1) {
            f->facts.stocked |= card;
        }
    }
    int shown = set_count(placed & (v->floor | v->seen));
    if (deal > 1 && shown > plays_since_first_deal(q, deal, f)) return BASRA_FAULT_BURIED_TOO_EARLY;
    if (!places_fit(q, f)) return BASRA_FAULT_BURIED_PLACE;
    int stocked = set_count(f->facts.stocked);
    return stocked > f->facts.stock ? BASRA_FAULT_BURIED_TOO_MANY : BASRA_FAULT_NONE;
}

/* Who holds how many, and my seat, if this is the deal. */
static basra_fault count_hands(const inquiry *q, int deal, fit *f)
{
    const basra_view *v = q->view;
    int dealt = q->sizes[deal - 1], mine = dealt - set_count(v->hand);
    f->detail = v->played_size;
    if (mine < 0) return BASRA_FAULT_DEAL_FIT;
    f->seat = v->seat;
    if (v->played_size) {
        if (v->played_size / v->players != mine) return BASRA_FAULT_PLAYED_HAND_SIZE;
        int seat = v->played_size % v->players;
        f->detail = v->seat;
        if (v->seat != BASRA_UNKNOWN_SEAT && v->seat != seat) return BASRA_FAULT_SEAT_PLAYED;
        f->seat = seat;
    }
    if (f->seat == BASRA_UNKNOWN_SEAT) f->seat = 0;
    f->facts.deals = (uint8_t)q->deals;
    f->facts.dealt = (uint8_t)dealt;
    f->facts.last_deal = deal == q->deals;
    for (int seat = 0; seat < v->players; seat++)
        f->facts.hand_size[seat] = (uint8_t)(dealt - mine - (seat < f->seat));
    return BASRA_FAULT_NONE;
}

/* How many cards are gone, and of them unseen, if this is the deal. */
static basra_fault count_gone(const inquiry *q, int deal, fit *f)
{
    const basra_view *v = q->view;
    const basra_rules *rules = q->rules;
    int before = 0, held = 0, floor = set_count(v->floor), seen = set_count(v->seen);
    for (int d = 0; d < deal; d++) before += v->players * q->sizes[d];
    for (int seat = 0; seat < v->players; seat++) held += f->facts.hand_size[seat];
    int stock = rules->deck - rules->floor_size - before;
    int gone = rules->deck - stock - held - floor, plays = before - held;
    f->detail = floor;
    if (gone < 0 || gone == 1) return BASRA_FAULT_DEAL_FIT;
    if (!plays && gone) return BASRA_FAULT_FLOOR_FIRST;
    uint64_t forbidden = v->floor & rules->not_on_first_floor;
    if (!plays && forbidden) {
        f->detail = set_first(forbidden);
        return BASRA_FAULT_FLOOR_FORBIDDEN;
    }
    f->detail = seen;
    if (seen > gone) return BASRA_FAULT_SEEN_TOO_MANY;
    f->facts.stock = (uint8_t)stock;
    f->facts.gone = (uint8_t)gone;
    f->facts.untracked = (uint8_t)(gone - seen);
    f->facts.unseen = basra_pack(rules) & ~(v->hand | v->floor | v->seen);
    return BASRA_FAULT_NONE;
}

static basra_fault check_counts(const inquiry *q, fit *f)
{
    const basra_view *v = q->view;
    int captured = 0;
    for (int side = 0; side < q->sides; side++) {
        f->detail = v->cards[side];
        if (v->cards[side] == 1) return BASRA_FAULT_COUNT_ONE;
        captured += v->cards[side];
    }
    f->detail = f->facts.gone;
    if (captured != f->facts.gone) return BASRA_FAULT_COUNTS_ADD_UP;
    if (v->last < 0 || v->cards[side_of(v->last, v->partners)]) return BASRA_FAULT_NONE;
    f->detail = v->last;
    return BASRA_FAULT_LAST_NOTHING;
}

static basra_fault check_last(const basra_view *v, fit *f)
{
    f->detail = f->facts.gone;
    if (v->last == BASRA_NO_SEAT && f->facts.gone) return BASRA_FAULT_LAST_NONE;
    f->detail = v->last;
    return v->last >= 0 && !f->facts.gone ? BASRA_FAULT_LAST_NOTHING : BASRA_FAULT_NONE;
}

static fit try_deal(const inquiry *q, int deal)
{
    fit f = {.detail = -1};
    f.fault = count_hands(q, deal, &f);
    if (!f.fault) f.stage++, f.fault = count_gone(q, deal, &f);
    if (!f.fault) f.stage++, f.fault = place_buried(q, deal, &f);
    if (!f.fault) f.stage++, f.fault = check_last(q->view, &f);
    if (!f.fault && q->view->cards_given) f.stage++, f.fault = check_counts(q, &f);
    if (!f.fault) f.stage++;
    return f;
}

/* The deal that `seen` implies by its number of cards, else the first that fits; if none does, the
 * one that got furthest. */
static fit find_deal(inquiry *q)
{
    fit best = {.stage = -1};
    int seen = set_count(q->view->seen), chosen = 0;
    for (int deal = 1; deal <= q->deals; deal++) {
        fit f = try_deal(q, deal);
        bool implied = !f.fault && q->view->seen_given && f.facts.gone == seen;
        if (f.stage > best.stage || (implied && best.facts.gone != seen)) best = f, chosen = deal;
        if (implied) break;
    }
    if (best.fault == BASRA_FAULT_DEAL_FIT) best.fault = BASRA_FAULT_DEAL_NONE;
    q->view->deal = (uint8_t)chosen;
    return best;
}

/* Fills in what nobody stated: level counts, and no last capturer while nothing is gone. */
static void fill_defaults(const inquiry *q, const fit *f)
{
    basra_view *v = q->view;
    v->seat = (int8_t)f->seat;
    if (!f->facts.gone) v->last = BASRA_NO_SEAT;
    for (int side = 0; side < q->sides && !v->cards_given; side++)
        v->cards[side] = (uint8_t)(f->facts.gone / q->sides);
}

basra_status basra_view_complete(const basra_rules *rules, basra_view *view, basra_facts *facts,
                                 basra_fault *fault, int *detail)
{
    inquiry q = {.rules = rules, .view = view, .detail = -1};
    *detail = -1;
    *fault = BASRA_FAULT_NONE;
    basra_status status = basra_rules_check(rules, fault);
    if (!status) status = basra_table_check(rules, view->players, view->partners, fault);
    if (!status) status = basra_deal_sizes(rules, view->players, q.sizes, &q.deals);
    if (status) return status;
    if (!lengths_fit(view)) return BASRA_E_ARG;
    q.sides = basra_sides(view->players, view->partners);
    *fault = check_cards(&q);
    if (!*fault) *fault = check_numbers(&q);
    if (!*fault) *fault = check_played(&q);
    *detail = q.detail;
    if (q.failed) return q.failed;
    if (*fault) return *fault <= BASRA_FAULT_CARD_TWICE ? BASRA_E_CARD : BASRA_E_KNOWLEDGE;
    fit f = view->deal ? try_deal(&q, view->deal) : find_deal(&q);
    *fault = f.fault;
    *detail = f.detail;
    if (f.fault) return BASRA_E_KNOWLEDGE;
    f.facts.unseen &= ~f.facts.stocked;
    for (int seat = 0; seat < view->players; seat++)
        f.facts.unseen &= ~(f.facts.fixed[seat] | f.facts.maybe[seat]);
    fill_defaults(&q, &f);
    *facts = f.facts;
    *detail = -1;
    return BASRA_OK;
}

basra_status view_facts(const basra_rules *rules, const basra_view *view, basra_facts *facts)
{
    basra_view copy = *view;
    basra_fault fault;
    int detail;
    /* Counts that were filled in need not add up when an odd number of cards is gone. */
    return basra_view_complete(rules, &copy, facts, &fault, &detail);
}

basra_status view_next_hand(const basra_rules *rules, const basra_view *view,
                            const basra_facts *facts, int seat, next_hand *hand)
{
    inquiry q = {.rules = rules, .view = (basra_view *)view};
    basra_status status = basra_deal_sizes(rules, view->players, q.sizes, &q.deals);
    if (status) return status;
    *hand = (next_hand){.pool = facts->unseen, .draws = q.sizes[view->deal]};
    for (int i = 0; i < view->buried_size; i++) {
        uint64_t card = SET_OF(view->buried[i]);
        int when, where;
        if (!(facts->stocked & card)) continue;
        buried_place(&q, i, &when, &where);
        if (rules->bury == BASRA_BURY_RANDOM)
            hand->pool |= card;
        else if (when == view->deal + 1 && where == seat)
            hand->fixed |= card;
    }
    hand->draws -= set_count(hand->fixed);
    return BASRA_OK;
}

static bool deal_recorded(const basra_position *p, int plays)
{
    int recorded = 0;
    for (int i = 0; i < p->played; i++) recorded += p->play[i].deal == p->deal;
    return recorded == plays;
}

/* Plays that were made in this deal, from the hands: all seats were dealt the same number. */
static int plays_in_deal(const basra_rules *rules, const basra_position *p)
{
    uint8_t sizes[BASRA_CARDS];
    int deals, held = 0;
    if (basra_deal_sizes(rules, p->players, sizes, &deals) || p->deal < 1 || p->deal > deals)
        return 0;
    for (int seat = 0; seat < p->players; seat++) held += set_count(p->hand[seat]);
    return sizes[p->deal - 1] * p->players - held;
}

/* Seats and sides of a view count from the leader. */
static void turn_table(const basra_position *p, basra_view *v)
{
    int sides = basra_sides(p->players, p->partners), total = 0;
    for (int side = 0; side < sides; side++) {
        int from = (side + p->leader) % sides;
        v->points[side] = p->points[from];
        v->score[side] = p->score[from];
        v->cards[side] = p->cards[from];
        total += p->cards[from];
    }
    v->cards_given = total == set_count(v->seen);
    v->seat = (int8_t)((p->turn + p->players - p->leader) % p->players);
    v->last = p->last;
    if (p->last >= 0)
        v->last = (int8_t)((p->last + p->players - p->leader) % p->players);
    else if (v->seen)
        v->last = BASRA_UNKNOWN_SEAT;
}

basra_status basra_view_of(const basra_rules *rules, const basra_position *position,
                           basra_view *view)
{
    const basra_position *p = position;
    if (p->over) return BASRA_E_OVER;
    memset(view, 0, sizeof *view);
    uint64_t in_play = p->floor;
    for (int seat = 0; seat < p->players; seat++) in_play |= p->hand[seat];
    for (int i = p->stock_next; i < p->stock_size; i++) in_play |= SET_OF(p->stock[i]);
    view->players = p->players;
    view->partners = p->partners;
    view->hand = p->hand[p->turn];
    view->floor = p->floor;
    view->seen = basra_pack(rules) & ~in_play;
    view->seen_given = 1;
    view->carry = p->carry;
    view->deal = p->deal;
    turn_table(p, view);
    view->buried_size = p->buried_size;
    memcpy(view->buried, p->buried, sizeof view->buried);
    if (!deal_recorded(p, plays_in_deal(rules, p))) return BASRA_OK;
    for (int i = 0; i < p->played; i++)
        if (p->play[i].deal == p->deal) {
            view->played[view->played_size] = p->play[i];
            view->played[view->played_size++].seat =
                (uint8_t)((p->play[i].seat + p->players - p->leader) % p->players);
        }
    return BASRA_OK;
}
