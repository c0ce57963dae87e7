/* Alpha-beta for tables of two sides, one question at a time: is this place worth at least beta?
 *
 * Sides alternate at every ply, so values are negated from node to node.  An answer is a proof: a bound,
 * fail-soft, with the range of standings for which it holds.  A leaf knows how many cards the lead
 * could shrink or grow by before the points for most cards change; on the way up a refutation takes its
 * range from the one move that refutes, and a failure the narrowest range of all moves.
 */
#include "alphabeta.h"

#include "leaf.h"
#include "pair_search.h"

enum { TRIED = INT32_MIN };

static inline void go_to(const basra_engine *engine, const visit *v, const search_move *move,
                         visit *next)
{
    problem_step(&engine->problem, &v->place, move, &next->place);
    next->at = standing_after(v->at, move->cards);
    next->bucket = pair_bucket(engine, next->place.floor, PAIR_HELD(next->place.held, next->at));
}

/* Is the move to the place worth at least beta? */
static inline proof follow(basra_engine *engine, const search_move *move, const visit *next,
                           int32_t beta, size_t at)
{
    int32_t against = move->gain * BASRA_UNIT - beta + 1;
    proof after = next->place.left ? enter(engine, next, against, at)
                                   : leaf_proof(&engine->problem, next, against);
    return proof_before(move, after, beta);
}

/* Moves of a place on trial: memory->moves[at .. at + count). */
typedef struct trial {
    size_t at, count, left; /* left: not tried yet */
    size_t next; /* the most promising of those */
    proof failed; /* what those tried are worth at most */
} trial;

static inline void note_failure(trial *t, proof found)
{
    t->left--;
    proof_join(&t->failed, found);
}

/* The most promising move not tried yet. */
static inline void look_for_next(const search_move *moves, trial *t)
{
    t->next = 0;
    for (size_t i = 1; i < t->count; i++)
        if (moves[i].promise > moves[t->next].promise) t->next = i;
}

/* What the table says of the places behind the moves: true if one is good enough for *found, or the
 * search must end; moves that are known to fail are tried by that.  Places for which that is an answer
 * count as if they had been entered.  None ends the deal, or is looked up as if it did not: such places are
 * not in the table. */
static inline bool ask_table(basra_engine *engine, const visit *v, search_move *moves, trial *t,
                             int32_t beta, proof *found)
{
    for (size_t i = 0; i < t->count; i++) {
        search_move *move = &moves[i];
        uint64_t floor = v->place.floor + move->change;
        uint64_t held = v->place.held & move->others;
        held = PAIR_HELD(held, standing_after(v->at, move->cards));
        const pair_entry *e = pair_find(pair_bucket(engine, floor, held), floor, held);
        if (!e) continue;
        int32_t gain = move->gain * BASRA_UNIT;
        standing at = standing_after(v->at, move->cards);
        if (gain - e->high >= beta && proof_reaches(engine, e->high_at, at)) {
            *found = (proof){0, 0};
            if (!engine_tick(engine))
                *found = proof_before(move, (proof){e->high, e->high_at}, beta);
            return true;
        }
        if (gain - e->low < beta && proof_reaches(engine, at, e->low_at)) {
            *found = (proof){0, 0};
            if (engine_tick(engine)) return true;
            note_failure(t, proof_before(move, (proof){e->low, e->low_at}, beta));
            move->promise = TRIED;
        }
    }
    return false;
}

static inline void promote(search_move *moves, size_t count, const pair_entry *known)
{
    for (size_t i = 0; i < count && !WITHOUT(BEST); i++)
        if (known->slot == moves[i].slot && known->index == moves[i].index)
            moves[i].promise = INT32_MAX;
}

proof general_expand(basra_engine *engine, const visit *v, const pair_entry *known, int32_t beta,
                     size_t at)
{
    search_move move;
    proof found = {0, 0};
    trial t = {.at = at, .failed = PROOF_OF_NOTHING};
    t.count = t.left = generate_moves(&engine->problem, &v->place, &engine->memory, at);
    if (!t.count) {
        engine_fail(engine);
        return (proof){0, 0};
    }
    search_move *moves = engine->memory.moves + at;
    if (t.count > 1) {
        if (known) promote(moves, t.count, known);
        bool ask = !WITHOUT(ASKING) && v->place.deal->undealt;
        if (ask && ask_table(engine, v, moves, &t, beta, &found)) return found;
    }
    while (t.left) {
        moves = engine->memory.moves + at;
        look_for_next(moves, &t);
        move = moves[t.next];
        moves[t.next].promise = TRIED;
        visit next;
        go_to(engine, v, &move, &next);
        found = follow(engine, &move, &next, beta, at + t.count);
        if (engine_halted(engine)) return found;
        if (found.value >= beta)
            return pair_keep(engine, v, found, beta, (best_move){move.slot, move.index});
        note_failure(&t, found);
    }
    return pair_keep(engine, v, t.failed, beta, (best_move){NO_SLOT, 0});
}

/* The node as a place of the engine's own. */
static visit visit_of(const basra_engine *engine, const search_node *node)
{
    int side = node->place.turn & 1, last = 0;
    if (node->last >= 0) last = node->last == side ? 1 : -1;
    visit v = {.place = node->place};
    v.place.floor |= (uint64_t)engine->owner << PLACE_OWNER_SHIFT;
    v.at = standing_of(node->cards[side] - node->cards[!side], last);
    v.bucket = pair_bucket(engine, v.place.floor, PAIR_HELD(v.place.held, v.at));
    return v;
}

/* What is known of a value, and the next question about it. */
typedef struct bracket {
    int32_t low, high, beta;
} bracket;

static bracket bracket_from(int32_t guess)
{
    return (bracket){-VALUE_INFINITE, VALUE_INFINITE, guess};
}

/* Takes an answer in.  Before there is a bound on either side the next question goes well beyond it,
 * between two bounds into the middle; with the last deal alone it is what the answer says. */
static void learn(const basra_engine *engine, int32_t value, bracket *b)
{
    int32_t stride = (engine->problem.deals - 1) * (problem_stake(&engine->problem) / 5);
    if (value < b->beta)
        b->high = value;
    else
        b->low = value;
    if (!stride || WITHOUT(STRIDE))
        b->beta = value == b->low ? value + 1 : value;
    else if (b->high == VALUE_INFINITE)
        b->beta = b->low + stride;
    else if (b->low == -VALUE_INFINITE)
        b->beta = b->high - stride + 1;
    else
        b->beta = b->low + (b->high - b->low + 1) / 2;
}

int32_t alphabeta_value(basra_engine *engine, const search_node *node, int32_t guess, size_t at)
{
    visit v = visit_of(engine, node);
    bracket b = bracket_from(guess);
    while (b.low < b.high && !engine_halted(engine))
        learn(engine, enter(engine, &v, b.beta, at).value, &b);
    return b.low;
}

int32_t alphabeta_move_value(basra_engine *engine, const search_node *node, const search_move *move,
                             int32_t guess, size_t at)
{
    visit v = visit_of(engine, node), next;
    bracket b = bracket_from(guess);
    go_to(engine, &v, move, &next);
    while (b.low < b.high && !engine_halted(engine))
        learn(engine, follow(engine, move, &next, b.beta, at).value, &b);
    return b.low;
}

bool alphabeta_reaches(basra_engine *engine, const search_node *node, const search_move *move,
                       int32_t value, size_t at)
{
    visit v = visit_of(engine, node), next;
    go_to(engine, &v, move, &next);
    return follow(engine, move, &next, value, at).value >= value;
}
