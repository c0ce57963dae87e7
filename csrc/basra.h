/* basra.h - the public interface of the Basra engine.
 *
 * Plain C11, and clean as C++17.  The library prints nothing, reads no files and no environment, and
 * has no mutable globals.  Every fallible function returns a basra_status and writes its results
 * through its last parameters; on any status but BASRA_OK outputs are unspecified unless said.
 *
 * Cards are 0..51 = rank * 4 + suit, ranks A 2 .. 9 T J Q K = 0..12, suits C D H S = 0..3, so that
 * ascending numbers are the canonical order.  A set of cards is a uint64_t with one bit a card.
 *
 * Seats are counted from 0 in order of play.  A side is a seat, or in a partnership seat % 2.
 * Points are round points.  Search values are in 1/BASRA_UNIT points, so that every sum is an exact
 * integer and results are the same bits everywhere.
 *
 * Threads: value structs may be shared for reading; a basra_engine serves one call at a time, and
 * basra_engine_stop alone may be called from any thread or signal handler.
 */
#ifndef BASRA_H
#define BASRA_H

#include <stddef.h>
#include <stdint.h>

#define BASRA_VERSION "0.1.0"

#if defined(_WIN32)
#define BASRA_API __declspec(dllexport)
#elif defined(__GNUC__)
#define BASRA_API __attribute__((visibility("default")))
#else
#define BASRA_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BASRA_CARDS = 52,
    BASRA_RANKS = 13,
    BASRA_MAX_PLAYERS = 4,
    BASRA_MAX_CAPTURES = 65536, /* of one card; more is refused with BASRA_E_TOO_LARGE */
    BASRA_UNIT = 1024,          /* search values: this many make one point */
    BASRA_NO_SEAT = -1,         /* nobody, where a seat or side is asked for */
    BASRA_UNKNOWN_SEAT = -2     /* a seat that is not known */
};

/* ---- status ----------------------------------------------------------------------------------- */

typedef enum basra_status {
    BASRA_OK = 0,
    BASRA_E_NOMEM, /* allocation failed */
    BASRA_E_ARG, /* an argument is outside its range */
    BASRA_E_CARD, /* a card is outside the pack, or stands in two places */
    BASRA_E_RULES, /* the rule set contradicts itself, or does not allow the table */
    BASRA_E_POSITION, /* the position is impossible under the rules */
    BASRA_E_MOVE, /* the move is not legal here */
    BASRA_E_OVER, /* the round is over, or not over yet */
    BASRA_E_KNOWLEDGE, /* no deal of cards fits what the seat knows */
    BASRA_E_TOO_LARGE, /* more than BASRA_MAX_CAPTURES captures for one card */
    BASRA_E_BUSY, /* the engine is in a call already */
    BASRA_E_BOUNDS, /* output capacity too small; the needed count is returned */
    BASRA_E_STOPPED, /* stopped before any result was reached */
    BASRA_E_MODEL, /* a model cannot be read, or lacks what is asked of it */
    BASRA_E_INTERNAL, /* a defensive check fired: a defect of the library */
    BASRA_STATUS_END
} basra_status;

/* One sentence for a status; never NULL.  Any thread. */
BASRA_API const char *basra_status_text(int status);

/* What exactly is wrong with rules, a position or a view.  Codes index a const table of texts. */
typedef enum basra_fault {
    BASRA_FAULT_NONE = 0,
    BASRA_FAULT_DECK,
    BASRA_FAULT_HAND_SIZE,
    BASRA_FAULT_FLOOR_SIZE,
    BASRA_FAULT_TABLES,
    BASRA_FAULT_TABLES_UNEVEN,
    BASRA_FAULT_TABLE,
    BASRA_FAULT_TABLE_UNEVEN,
    BASRA_FAULT_FIRST_FLOOR_PACK,
    BASRA_FAULT_FIRST_FLOOR_STOCK,
    BASRA_FAULT_BURY,
    BASRA_FAULT_CHOICE,
    BASRA_FAULT_MUST_CAPTURE,
    BASRA_FAULT_SEVEN,
    BASRA_FAULT_SEVEN_BASRA,
    BASRA_FAULT_SEVEN_BASRA_PLAIN,
    BASRA_FAULT_SEVEN_BASRA_NONE,
    BASRA_FAULT_JACK_BASRA,
    BASRA_FAULT_BASRA_POINTS,
    BASRA_FAULT_BASRA_JACK,
    BASRA_FAULT_BASRA_PACK,
    BASRA_FAULT_CARD_POINTS,
    BASRA_FAULT_CARD_POINTS_PACK,
    BASRA_FAULT_MOST_CARDS,
    BASRA_FAULT_MOST_CARDS_TIE,
    BASRA_FAULT_TARGET,
    BASRA_FAULT_CARD_OUTSIDE_PACK,
    BASRA_FAULT_CARD_TWICE,
    BASRA_FAULT_HAND_EMPTY,
    BASRA_FAULT_HAND_TOO_LARGE,
    BASRA_FAULT_HANDS_UNEVEN,
    BASRA_FAULT_STOCK_UNEVEN,
    BASRA_FAULT_COUNTS,
    BASRA_FAULT_COUNTS_ADD_UP,
    BASRA_FAULT_COUNT_ONE,
    BASRA_FAULT_LAST,
    BASRA_FAULT_LAST_NONE,
    BASRA_FAULT_LAST_NOTHING,
    BASRA_FAULT_LAST_PLAYED,
    BASRA_FAULT_COUNTS_PLAYED,
    BASRA_FAULT_CARRY,
    BASRA_FAULT_SEAT,
    BASRA_FAULT_SEAT_PLAYED,
    BASRA_FAULT_DEAL,
    BASRA_FAULT_DEAL_FIT,
    BASRA_FAULT_DEAL_NONE,
    BASRA_FAULT_SEEN_TOO_MANY,
    BASRA_FAULT_SEEN_PLAYED,
    BASRA_FAULT_FLOOR_FIRST,
    BASRA_FAULT_FLOOR_FORBIDDEN,
    BASRA_FAULT_PLAYED_HAND_SIZE,
    BASRA_FAULT_PLAYED_ILLEGAL,
    BASRA_FAULT_PLAYED_FLOOR,
    BASRA_FAULT_PLAYED_OWN,
    BASRA_FAULT_BURIED_TWICE,
    BASRA_FAULT_BURIED_KIND,
    BASRA_FAULT_BURIED_IN_DEAL_ONE,
    BASRA_FAULT_BURIED_TOO_EARLY,
    BASRA_FAULT_BURIED_TOO_MANY,
    BASRA_FAULT_BURIED_PLACE,
    BASRA_FAULT_POINTS,
    BASRA_FAULT_SCORE,
    BASRA_FAULT_MODEL_KIND,
    BASRA_FAULT_MODEL_VERSION,
    BASRA_FAULT_MODEL_SHORT,
    BASRA_FAULT_MODEL_CHANGED,
    BASRA_FAULT_MODEL_RULES,
    BASRA_FAULT_MODEL_PARTS,
    BASRA_FAULT_END
} basra_fault;

/* The field a fault is about, what is wrong, and what to do; never NULL.  Any thread. */
BASRA_API const char *basra_fault_field(int fault);
BASRA_API const char *basra_fault_text(int fault);
BASRA_API const char *basra_fault_fix(int fault);

/* ---- rules ------------------------------------------------------------------------------------ */

enum { BASRA_TABLE_2 = 1, BASRA_TABLE_3 = 2, BASRA_TABLE_4 = 4, BASRA_TABLE_PARTNERS = 8 };
enum { BASRA_BURY_RANDOM, BASRA_BURY_BOTTOM };
enum { BASRA_CHOICE_ANY, BASRA_CHOICE_MAXIMAL };
enum { BASRA_MUST_NONE, BASRA_MUST_CARD, BASRA_MUST_HAND };
enum { BASRA_SEVEN_PLAIN, BASRA_SEVEN_SWEEP, BASRA_SEVEN_WILD };
enum {
    BASRA_SEVEN_BASRA_NONE,
    BASRA_SEVEN_BASRA_TOTAL_TEN,
    BASRA_SEVEN_BASRA_EQUAL_GROUPS,
    BASRA_SEVEN_BASRA_AS_ANY_CARD
};
enum { BASRA_TIE_NOBODY, BASRA_TIE_CARRY };
enum { BASRA_POINTS_FLAT, BASRA_POINTS_DOUBLE, BASRA_POINTS_TABLE };

/* Every parameter of a rule set.  A plain value: copy it freely. */
typedef struct basra_rules {
    uint64_t not_on_first_floor; /* cards replaced when they turn up on the first floor */
    int32_t jack_basra; /* points of a jack on a lone jack; 0 = none */
    int32_t basra_points; /* of every basra, with BASRA_POINTS_FLAT */
    int32_t basra_table[BASRA_RANKS]; /* by rank of the card played, with BASRA_POINTS_TABLE */
    int32_t card_points[BASRA_CARDS]; /* of each card captured */
    int32_t most_cards; /* points for strictly most cards */
    int32_t target; /* match score that ends a match */
    uint8_t deck; /* 52, or 44 without queens and kings */
    uint8_t tables; /* BASRA_TABLE_ bits */
    uint8_t hand_size, floor_size; /* cards dealt to a hand, and to the first floor */
    uint8_t bury, choice, must_capture, seven_diamonds, seven_basra, basra_kind, most_cards_tie;
    uint8_t basra_on_last; /* may the last card of a round score a basra */
} basra_rules;

/* Number of presets, and preset `index` (0 <= index < count) with its name.  The pointers live for
 * ever; NULL when the index is out of range.  Any thread. */
BASRA_API int basra_preset_count(void);
BASRA_API const char *basra_preset_name(int index);
BASRA_API const basra_rules *basra_preset_rules(int index);

/* Checks a rule set on its own.  BASRA_E_RULES with the fault; any thread. */
BASRA_API basra_status basra_rules_check(const basra_rules *rules, basra_fault *fault);

/* Checks that checked rules allow a table.  BASRA_E_RULES with the fault. */
BASRA_API basra_status basra_table_check(const basra_rules *rules, int players, int partners,
                                         basra_fault *fault);

/* Hand sizes of each deal of a round at a checked table; sizes[] has room for 52, count <= 52. */
BASRA_API basra_status basra_deal_sizes(const basra_rules *rules, int players, uint8_t *sizes,
                                        int *count);

/* The cards of the pack in use. */
BASRA_API uint64_t basra_pack(const basra_rules *rules);

/* ---- captures --------------------------------------------------------------------------------- */

/* One play: the card, what it takes (0: it is trailed), and what that is worth at once. */
typedef struct basra_move {
    uint64_t taken;
    int32_t basra; /* basra points */
    int32_t points; /* card points of the cards taken and the card played */
    uint8_t card;
} basra_move;

/* Every legal capture of `card` from `floor`, in canonical order (as ascending card lists), at most
 * `capacity` of them; *count is the full number, *trail whether trailing is legal as well.
 * BASRA_E_CARD (card on the floor, or outside the pack), BASRA_E_TOO_LARGE, BASRA_E_BOUNDS,
 * BASRA_E_NOMEM.  Needs at most 10 MB while it runs.  Any thread. */
BASRA_API basra_status basra_captures(const basra_rules *rules, uint64_t floor, int card,
                                      basra_move *moves, size_t capacity, size_t *count,
                                      int *trail);

/* Every legal play of a hand, canonical: by card, a trail before captures.  As basra_captures. */
BASRA_API basra_status basra_legal_moves(const basra_rules *rules, uint64_t hand, uint64_t floor,
                                         int last_of_round, basra_move *moves, size_t capacity,
                                         size_t *count);

/* ---- positions -------------------------------------------------------------------------------- */

/* One play as it happened. */
typedef struct basra_play {
    uint64_t taken;
    int32_t basra, points;
    uint8_t card, seat, deal;
    int8_t last_before; /* last capturer before the play */
} basra_play;

/* A round with all cards known, its history from where it was set up, and the match around it.
 * A plain value: copy it freely; read its fields, change it by the functions below. */
typedef struct basra_position {
    uint64_t hand[BASRA_MAX_PLAYERS]; /* by seat */
    uint64_t pile[BASRA_MAX_PLAYERS]; /* by seat; leftovers included once the round is over */
    uint64_t floor;
    uint64_t leftovers; /* floor at the end, given to the last capturer */
    uint64_t seed; /* of the match's deals */
    int32_t score[BASRA_MAX_PLAYERS]; /* by side, before this round */
    int32_t points[BASRA_MAX_PLAYERS]; /* by side, banked this round; complete when over */
    int32_t majority[BASRA_MAX_PLAYERS]; /* by side, the most-cards points, when over */
    int32_t carry; /* waiting points, added to this round's most-cards points */
    int32_t carry_after; /* what waits after this round, when over */
    uint8_t cards[BASRA_MAX_PLAYERS]; /* by side, cards captured this round */
    uint8_t players, partners, leader, turn, over;
    int8_t last; /* last capturer's seat, or BASRA_NO_SEAT */
    uint8_t deal; /* 1.., of this round */
    uint32_t round; /* 0.., of this match */
    uint8_t played; /* plays made since the set-up */
    uint8_t stock_size, stock_next; /* stock[stock_next..stock_size) is undealt */
    uint8_t buried_size;
    uint8_t stock[BASRA_CARDS]; /* in dealing order */
    uint8_t buried[BASRA_CARDS]; /* shown and put back, in the order found */
    basra_play play[BASRA_CARDS];
} basra_position;

/* Number of sides of a table: 2 in a partnership, else the players. */
BASRA_API int basra_sides(int players, int partners);

/* Deals the first round of a match from a seed; `leader` plays first.  BASRA_E_RULES, BASRA_E_ARG. */
BASRA_API basra_status basra_position_deal(const basra_rules *rules, int players, int partners,
                                           int leader, uint64_t seed, basra_position *position);

/* As above from a given order of the pack (`count` = deck cards, first dealt first).  Buried cards
 * go to random places drawn from `seed`, or to the bottom, as the rules say. */
BASRA_API basra_status basra_position_deal_pack(const basra_rules *rules, int players, int partners,
                                                int leader, const uint8_t *pack, size_t count,
                                                uint64_t seed, basra_position *position);

/* Completes and checks a position that was filled in by hand, all else zero: players, partners,
 * turn, hand, floor, stock (from 0), pile, cards (captured so far, by side), last, carry, points and
 * score.  With `whole_pack` the cards must add up with the pack; else what is missing is left out of
 * all counts.  A `last` of BASRA_UNKNOWN_SEAT is taken as nobody.  Works out leader and deal.
 * BASRA_E_RULES, BASRA_E_CARD or BASRA_E_POSITION with the fault; *detail is the card or number it is
 * about, or -1. */
BASRA_API basra_status basra_position_complete(const basra_rules *rules, int whole_pack,
                                               basra_position *position, basra_fault *fault,
                                               int *detail);

/* Legal moves of the seat to move, canonical.  BASRA_E_OVER, else as basra_captures. */
BASRA_API basra_status basra_position_moves(const basra_rules *rules,
                                            const basra_position *position, basra_move *moves,
                                            size_t capacity, size_t *count);

/* Plays a card taking `taken`; deals the next hands, or ends and scores the round, when due.
 * BASRA_E_OVER, BASRA_E_MOVE (position unchanged), BASRA_E_NOMEM, BASRA_E_TOO_LARGE. */
BASRA_API basra_status basra_position_play(const basra_rules *rules, int card, uint64_t taken,
                                           basra_position *position);

/* Takes the last play back.  BASRA_E_OVER when there is none since the set-up. */
BASRA_API basra_status basra_position_undo(const basra_rules *rules, basra_position *position);

/* Deals the next round of the match: scores and carry go on, the leader becomes the dealer.
 * BASRA_E_OVER unless the round is over. */
BASRA_API basra_status basra_position_next_round(const basra_rules *rules,
                                                 basra_position *position);

/* Most-cards points by side: counts by side, bonus = most_cards + carry; *carry_after as the rules
 * say on a tie. */
BASRA_API void basra_majority(const basra_rules *rules, int sides, const int *cards, int32_t carry,
                              int32_t *points, int32_t *carry_after);

/* The side that won a match with these scores after a whole round, or BASRA_NO_SEAT. */
BASRA_API int basra_match_winner(const basra_rules *rules, int sides, const int32_t *scores);

/* Called now and then from inside a long call; non-zero ends it. */
typedef int (*basra_poll)(void *user);

/* Card-level move sequences of exactly `depth` plies from a position (0 past the round's end).
 * `poll`, if not NULL, is called every few thousand nodes; BASRA_E_STOPPED when it says so. */
BASRA_API basra_status basra_perft(const basra_rules *rules, const basra_position *position,
                                   int depth, basra_poll poll, void *user, uint64_t *count);

/* ---- what a seat knows ------------------------------------------------------------------------ */

/* What one seat knows when it is to move.  Seats and sides count from the round's leader = 0.
 * Fields left at their "unknown" value are worked out by basra_view_complete. */
typedef struct basra_view {
    uint64_t hand, floor;
    uint64_t seen; /* cards known to be in somebody's pile */
    int32_t points[BASRA_MAX_PLAYERS]; /* by side, banked this round */
    int32_t score[BASRA_MAX_PLAYERS]; /* by side, before this round */
    int32_t carry;
    uint8_t players, partners;
    int8_t seat; /* mine, or BASRA_UNKNOWN_SEAT */
    int8_t last; /* last capturer, BASRA_NO_SEAT or BASRA_UNKNOWN_SEAT */
    uint8_t deal; /* 1.., or 0 if unknown */
    uint8_t seen_given; /* was `seen` stated at all (it may still be incomplete) */
    uint8_t cards_given; /* are the counts in `cards` stated */
    uint8_t cards[BASRA_MAX_PLAYERS]; /* by side, cards captured so far */
    uint8_t buried_size;
    uint8_t buried[BASRA_CARDS]; /* shown on the first floor and put back, as found */
    uint8_t played_size;
    basra_play played[BASRA_CARDS]; /* this deal's plays; card and taken are read */
} basra_view;

/* What follows from a complete view by counting alone. */
typedef struct basra_facts {
    uint64_t unseen; /* every card whose place is not known */
    uint64_t fixed[BASRA_MAX_PLAYERS]; /* cards known to be in a hidden hand, by seat */
    uint64_t maybe[BASRA_MAX_PLAYERS]; /* cards that are in that hand, or gone and not tracked */
    uint64_t stocked; /* cards known to be in the stock */
    uint8_t hand_size[BASRA_MAX_PLAYERS];
    uint8_t deals, dealt; /* deals of the round; hand size of this deal */
    uint8_t stock; /* undealt cards */
    uint8_t gone; /* cards in piles */
    uint8_t untracked; /* of those, cards not in `seen` */
    uint8_t last_deal; /* is this the round's last deal */
} basra_facts;

/* Works out what was left unknown (seat, deal, counts, last capturer), checks everything, and
 * counts.  BASRA_E_RULES, BASRA_E_CARD or BASRA_E_KNOWLEDGE with the fault; *detail is the card, play
 * or number it is about, or -1.  BASRA_E_ARG for lengths beyond the arrays. */
BASRA_API basra_status basra_view_complete(const basra_rules *rules, basra_view *view,
                                           basra_facts *facts, basra_fault *fault, int *detail);

/* What the seat to move knows of a position: nothing that is hidden from it. */
BASRA_API basra_status basra_view_of(const basra_rules *rules, const basra_position *position,
                                     basra_view *view);

/* One world: the hidden hands by seat (my own included) and the last capturer. */
typedef struct basra_world {
    uint64_t hand[BASRA_MAX_PLAYERS];
    uint64_t weight; /* card-level deals that this world stands for; 1 when sampled */
    int8_t last;
} basra_world;

/* Distinct worlds of a complete view up to equal cards: written to worlds[] when they are at most
 * `capacity`, with *count; else *count = 0 and BASRA_OK: sample instead. */
BASRA_API basra_status basra_worlds_all(const basra_rules *rules, const basra_view *view,
                                        basra_world *worlds, size_t capacity, size_t *count);

/* Puts worlds into a random order that depends on the seed alone, so that the first of them are a fair
 * sample of all. */
BASRA_API void basra_worlds_shuffle(uint64_t seed, basra_world *worlds, size_t count);

/* Worlds number first .. first + count - 1 of the stream `seed`, each an unbiased draw of its own,
 * the same for the same numbers. */
BASRA_API basra_status basra_worlds_sample(const basra_rules *rules, const basra_view *view,
                                           uint64_t seed, uint64_t first, size_t count,
                                           basra_world *worlds);

/* ---- engine ----------------------------------------------------------------------------------- */

typedef struct basra_engine basra_engine;

/* What was fitted for one rule set by playing: value of a deal's end, how players play, and what scores are
 * worth in a match.  Immutable once read: any number of threads and engines may share one. */
typedef struct basra_model basra_model;

typedef enum basra_stop {
    BASRA_STOP_COMPLETE = 0, /* everything asked for was computed */
    BASRA_STOP_SETTLED,
    BASRA_STOP_WORLDS,
    BASRA_STOP_NODES,
    BASRA_STOP_TIME,
    BASRA_STOP_REQUESTED, /* basra_engine_stop */
    BASRA_STOP_INTERRUPTED, /* the poll function asked for it */
    BASRA_STOP_MEMORY
} basra_stop;

typedef struct basra_limits {
    uint64_t nodes; /* 0 = no limit */
    int64_t time_ns; /* from the call; 0 = no limit */
    basra_poll poll; /* asked at most every 50 ms whether to stop (interrupted); may be NULL */
    void *user; /* handed to poll; never kept beyond the call */
} basra_limits;

/* A new engine with a table of at most `table_bytes` (0: the default, 1 MB).  Free it with
 * basra_engine_free, which takes NULL. */
BASRA_API basra_status basra_engine_new(size_t table_bytes, basra_engine **engine);
BASRA_API void basra_engine_free(basra_engine *engine);

/* Bytes of memory an engine holds now, its table included.  Not while a call runs. */
BASRA_API size_t basra_engine_memory(const basra_engine *engine);

/* Asks the running call to end soon; dropped when none runs.  Any thread, any time. */
BASRA_API void basra_engine_stop(basra_engine *engine);

/* A root move with its exact value. */
typedef struct basra_scored {
    basra_move move;
    /* Two sides: own points minus the other's.  Single players: players * own - all of them, which is
     * (players - 1) times own minus the mean of the others. */
    int32_t value;
    int32_t points[BASRA_MAX_PLAYERS]; /* by seat from the seat to move; single players only */
    uint32_t group; /* moves of equal cards share it; groups count from 0 */
    uint8_t known; /* 0: not reached before the search stopped */
} basra_scored;

typedef struct basra_solution {
    uint64_t nodes;
    size_t moves, line;
    basra_stop stop;
    int best; /* index into moves, or -1 when none is known */
    int32_t
        value; /* of the position, as basra_scored.value; if not known, of the best move known */
    int32_t points[BASRA_MAX_PLAYERS]; /* by seat from the seat to move; single players only */
    uint8_t known; /* is that the value of the position */
} basra_solution;

/* Exact value of a position with all cards known, and nothing else: the cheapest question.
 * BASRA_E_OVER, BASRA_E_BUSY, BASRA_E_NOMEM, BASRA_E_TOO_LARGE. */
BASRA_API basra_status basra_value(basra_engine *engine, const basra_rules *rules,
                                   const basra_position *position, const basra_limits *limits,
                                   basra_solution *solution);

/* Exact values of every root move of a position with all cards known, and the principal variation.
 * `moves` needs room for every legal move (BASRA_E_BOUNDS with solution->moves if not), `line` for
 * 52.  `line_wanted` 0 leaves the line out. */
BASRA_API basra_status basra_solve(basra_engine *engine, const basra_rules *rules,
                                   const basra_position *position, const basra_limits *limits,
                                   int line_wanted, basra_scored *moves, size_t capacity,
                                   basra_move *line, basra_solution *solution);

/* One ply of a line under review: its root moves are moves[first .. first + count). */
typedef struct basra_ply {
    size_t first, count; /* count 0: the search stopped before it got here */
    int best; /* index of the best move within the ply's, or -1 when none is known */
    int played; /* index of the move that was played */
    uint8_t complete; /* are all values of the ply known */
} basra_ply;

/* Exact value of every move at every ply of the line that led to `position` from where it was set up,
 * with the values of one ply helping at the others.  Two sides and single players alike.  plies[] needs
 * room for position->played, `moves` for all their legal moves (BASRA_E_BOUNDS with solution->moves if
 * not).  The line is gone through from its end; a search that stops leaves earlier plies unknown.
 * solution->moves is the total, ->known and ->value are those of the first ply. */
BASRA_API basra_status basra_review(basra_engine *engine, const basra_rules *rules,
                                    const basra_position *position, const basra_limits *limits,
                                    basra_scored *moves, size_t capacity, basra_ply *plies,
                                    basra_solution *solution);

/* Rounds played at random, each play uniformly among the moves up to equal cards: a measure of the core's
 * speed, and material for statistics.  Round i of a seed, from first on, is dealt as basra_position_deal
 * deals (seed + i), is played by a stream of its own, and is the same however the rounds are cut into
 * calls.  points[] gets `sides` numbers a round, the points of each side with most cards; it may be NULL.
 * *plies is the number of cards played, *done the rounds complete.  A carry is not passed on. */
BASRA_API basra_status basra_random_rounds(basra_engine *engine, const basra_rules *rules,
                                           int players, int partners, uint64_t seed, uint64_t first,
                                           size_t count, const basra_limits *limits,
                                           int32_t *points, uint64_t *plies, size_t *done,
                                           basra_stop *stop);

/* Value of each group of moves of a complete view in each of `count` worlds, searched to the end of
 * the deal: exact when it is the round's last, else with what the model says of the boundary, or without
 * one (NULL) with its expected most-cards points.  Groups are those of basra_view_moves.  In 1/BASRA_UNIT points, world by world, group by
 * group: for two sides one number, my side minus the other; for single players the points of each,
 * from the seat to move.  nodes[] is per world.  BASRA_E_ARG for worlds that do not fit.  *done worlds are complete; the limits count from the
 * call, `nodes` for each world on its own. */
BASRA_API basra_status basra_world_values(basra_engine *engine, const basra_rules *rules,
                                          const basra_view *view, const basra_model *model,
                                          const basra_world *worlds, size_t count,
                                          const basra_limits *limits, size_t groups,
                                          int32_t *values, uint64_t *nodes, size_t *done,
                                          basra_stop *stop);

/* Value of the deal in hand with open hands, to its end, with what the model says of the boundary (NULL: its
 * expected most-cards points): first as dealt, then with `count` - 1 random deals of the hidden cards, hands
 * and stock, as large as these.  In 1/BASRA_UNIT points for the side to move, less the other; for single
 * players `players` numbers each, the points of every seat from the seat to move.  *done are complete.
 * BASRA_E_OVER, BASRA_E_BUSY, BASRA_E_NOMEM, BASRA_E_TOO_LARGE. */
BASRA_API basra_status basra_deal_values(basra_engine *engine, const basra_rules *rules,
                                         const basra_model *model, const basra_position *position,
                                         uint64_t seed, size_t count, const basra_limits *limits,
                                         int32_t *values, size_t *done, basra_stop *stop);

/* Legal moves of a view with the class of equal cards each belongs to. */
BASRA_API basra_status basra_view_moves(const basra_rules *rules, const basra_view *view,
                                        basra_scored *moves, size_t capacity, size_t *count,
                                        size_t *groups);

/* After one move of a view: how many unseen cards, were the next seat to hold one, would let it make
 * a basra or take the whole floor. */
typedef struct basra_reply {
    uint64_t basra_cards, sweep_cards; /* among cards the next seat can hold */
    uint64_t pool; /* cards its unknown places are drawn from */
    uint64_t fixed; /* cards known to be in its hand */
    uint8_t draws; /* unknown cards in its hand */
} basra_reply;
BASRA_API basra_status basra_reply_cards(const basra_rules *rules, const basra_view *view,
                                         const basra_move *move, basra_reply *reply);

/* ---- models ----------------------------------------------------------------------------------- */

/* Reads a model from the bytes of its file, which are not kept.  BASRA_E_MODEL with the fault when they are
 * no model, of another version, cut short or changed, or fitted for other rules; BASRA_E_NOMEM.  Free it with
 * basra_model_free, which takes NULL. */
BASRA_API basra_status basra_model_read(const basra_rules *rules, const uint8_t *bytes, size_t size,
                                        basra_model **model, basra_fault *fault);
BASRA_API void basra_model_free(basra_model *model);

/* A number that tells rule sets apart: the same for the same rules on every machine.  Names, the target and
 * the tables are no part of it. */
BASRA_API uint64_t basra_rules_number(const basra_rules *rules);

/* Worlds of a complete view by how likely they are after the plays of this deal, if others play as the model's
 * policy, or greedily, or anything; `trust` is how far that is believed, in percent, 0 to 400.  *count of them,
 * at most `most`: all with their weights, and *complete is 1; or else draws, each an even part of the whole, in
 * an order such that the first of them are a fair sample as well.  A world drawn again comes again, or with
 * `merge` counts for more where it came first.  Without a policy, trust, or plays: as basra_worlds_all and
 * basra_worlds_sample. */
BASRA_API basra_status basra_worlds_likely(const basra_rules *rules, const basra_view *view,
                                           const basra_model *model, int trust, uint64_t seed,
                                           size_t most, int merge, basra_world *worlds,
                                           size_t *count, int *complete);

/* ---- match play -------------------------------------------------------------------------------- */

/* Chances to win the match are in 1/BASRA_SURE.  They come from a part of the model that is made for one
 * target and for a table of two sides: BASRA_E_MODEL where the model has none, or the match is over. */
enum { BASRA_SURE = 65536 };

/* Chance of side 0 to win a match at a table of two sides after a whole round that left these scores and
 * `carry` points waiting, if side `leader` leads the next round.  0 or BASRA_SURE once it is won. */
BASRA_API basra_status basra_match_equity(const basra_model *model, int players, int partners,
                                          const int32_t *scores, int32_t carry, int leader,
                                          int32_t *chance);

/* What values of a complete view, as of basra_world_values, mean for my side's chance to win the match:
 * chances[i] belongs to values[i].  An estimate: the rest of the round is spread as the model's players'
 * rounds were.  Any thread. */
BASRA_API basra_status basra_match_chances(const basra_model *model, const basra_rules *rules,
                                           const basra_view *view, const int32_t *values,
                                           size_t count, int32_t *chances);

/* The same for the values of all groups in `count` worlds, by world and group.  Where two players have at
 * most eight cards between them and no more come, the chance is searched instead: both then play for the
 * match, and nothing about this round is estimated.  *done worlds are complete. */
BASRA_API basra_status basra_match_values(basra_engine *engine, const basra_rules *rules,
                                          const basra_view *view, const basra_model *model,
                                          const basra_world *worlds, size_t count,
                                          const basra_limits *limits, size_t groups,
                                          const int32_t *values, int32_t *chances, size_t *done,
                                          basra_stop *stop);

/* ---- players ---------------------------------------------------------------------------------- */

/* Ways to choose a move from what a seat knows.  docs/algorithms.md says how each works. */
typedef enum basra_method {
    BASRA_METHOD_RANDOM = 0, /* uniformly among the moves up to equal cards */
    BASRA_METHOD_GREEDY, /* what brings most at once */
    BASRA_METHOD_ENDGAME, /* as greedy, and the last deal exactly */
    BASRA_METHOD_CAREFUL, /* what brings most at once, less what the next seat can answer */
    BASRA_METHOD_POLICY, /* what the model's players would play */
    BASRA_METHOD_WORLDS, /* search of hidden hands that fit, to the end of the deal */
    BASRA_METHOD_EXPECTIMAX, /* the same with others who play as the model's players */
    BASRA_METHOD_ISMCTS, /* single-observer information set tree search */
    BASRA_METHOD_MO_ISMCTS, /* multiple-observer information set tree search */
    BASRA_METHOD_BEST, /* whichever of these plays best: expectimax or worlds */
    BASRA_METHOD_END
} basra_method;

/* What a player plays for.  The match is played for where the model knows what scores are worth: at tables
 * of two sides, with the target it was made for, while the match is open; elsewhere points are. */
typedef enum basra_objective {
    BASRA_OBJECTIVE_POINTS = 0,
    BASRA_OBJECTIVE_MATCH,
    BASRA_OBJECTIVE_END
} basra_objective;

/* A player: a plain value. */
typedef struct basra_player {
    const basra_model *model; /* borrowed; NULL: no belief, no fitted values */
    int32_t method; /* basra_method */
    uint32_t
        effort; /* worlds, or simulations of a tree search; 0: as many as the method thinks right */
    int32_t trust; /* how far earlier plays tell of hidden hands, in percent; 0: not at all */
    int32_t explore; /* exploration constant of tree search, 1/BASRA_UNIT points; 0: the default */
    int32_t noise; /* 1/BASRA_UNIT points by which a move may be misjudged; 0: none */
    int32_t memory; /* percent of the cards gone that it remembers; 100: all */
    int32_t objective; /* basra_objective; only the worlds method knows more than points */
} basra_player;

/* What a player chose. */
typedef struct basra_choice {
    basra_move move;
    uint32_t group; /* of equal moves, as in basra_view_moves */
    uint64_t work; /* nodes searched, or plies simulated */
    basra_stop stop;
} basra_choice;

/* Chooses a move for a complete view.  All chance comes from `seed` and the view.  BASRA_E_ARG for a player
 * outside its ranges, BASRA_E_MODEL for a method that needs what its model does not have; BASRA_E_STOPPED if
 * it was stopped before it could tell; else as basra_view_moves. */
BASRA_API basra_status basra_choose(basra_engine *engine, const basra_rules *rules,
                                    const basra_player *player, const basra_view *view,
                                    uint64_t seed, const basra_limits *limits,
                                    basra_choice *choice);

/* What a player would play at a position, from what its seat saw and it has kept: searches draw from `seed`
 * alone, as basra_choose does; noise, ties and random play have dice of their own at every ply of a match.
 * A player that is stopped before it could tell plays as the greedy one.  BASRA_E_OVER when nothing is to be
 * played, else as basra_choose. */
BASRA_API basra_status basra_choose_at(basra_engine *engine, const basra_rules *rules,
                                       const basra_player *player, uint64_t seed,
                                       const basra_limits *limits, const basra_position *position,
                                       basra_choice *choice);

/* Plays a position on to the end of its round, or with `match` until the match is won, each seat as
 * players[side] tells.  What a seat knows is what it saw.  limits[side], or NULL for none, are those of each
 * of that side's decisions; a player that they stop before it could tell plays as the greedy one.  work[]
 * grows by what each side worked.
 * BASRA_E_OVER when there is nothing to play; BASRA_E_STOPPED, with the position where it stopped. */
BASRA_API basra_status basra_play_on(basra_engine *engine, const basra_rules *rules,
                                     const basra_player *const *players, int match, uint64_t seed,
                                     const basra_limits *limits, basra_position *position,
                                     uint64_t *work);

/* Plays one move at a position, as basra_play_on would with this player there.  Errors as there. */
BASRA_API basra_status basra_play_one(basra_engine *engine, const basra_rules *rules,
                                      const basra_player *player, uint64_t seed,
                                      const basra_limits *limits, basra_position *position,
                                      uint64_t *work);

/* How lucky side 0 was with the hands of each deal of a round that was played from its start, at a table of two
 * sides: what the deal was worth with the hands dealt, open, to its end, less the mean over `redeals` draws of
 * other hands from the cards then undealt.  Before the deal its expectation is 0, whoever plays: that makes it
 * a control of chance.  In 1/BASRA_UNIT points; luck[] has room for BASRA_CARDS deals, counted from 0; the
 * first one's is 0, as mirrored rounds share it, and so are all where buried cards lie in known places.
 * BASRA_E_ARG for other tables, BASRA_E_STOPPED. */
BASRA_API basra_status basra_round_luck(basra_engine *engine, const basra_rules *rules,
                                        const basra_position *position, uint32_t redeals,
                                        uint64_t seed, const basra_limits *limits, int32_t *luck);

#ifdef __cplusplus
}
#endif
#endif
