# The C functions and structs that the wrapper uses, as declared in csrc/basra.h.
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "basra.h" nogil:
    int BASRA_CARDS
    int BASRA_RANKS
    int BASRA_MAX_PLAYERS
    int BASRA_MAX_CAPTURES
    int BASRA_UNIT
    int BASRA_NO_SEAT
    int BASRA_UNKNOWN_SEAT
    const char *BASRA_VERSION

    ctypedef enum basra_status:
        BASRA_OK
        BASRA_E_NOMEM
        BASRA_E_BOUNDS
        BASRA_STATUS_END

    ctypedef enum basra_fault:
        BASRA_FAULT_NONE
        BASRA_FAULT_END

    ctypedef enum basra_stop:
        BASRA_STOP_COMPLETE
        BASRA_STOP_REQUESTED
        BASRA_STOP_INTERRUPTED

    const char *basra_status_text(int status)
    const char *basra_fault_field(int fault)
    const char *basra_fault_text(int fault)
    const char *basra_fault_fix(int fault)

    ctypedef struct basra_rules:
        uint64_t not_on_first_floor
        int32_t jack_basra, basra_points
        int32_t basra_table[13]
        int32_t card_points[52]
        int32_t most_cards, target
        uint8_t deck, tables, hand_size, floor_size
        uint8_t bury, choice, must_capture, seven_diamonds, seven_basra, basra_kind
        uint8_t most_cards_tie, basra_on_last

    int basra_preset_count()
    const char *basra_preset_name(int index)
    const basra_rules *basra_preset_rules(int index)
    basra_status basra_rules_check(const basra_rules *rules, basra_fault *fault)
    basra_status basra_table_check(const basra_rules *rules, int players, int partners,
                                   basra_fault *fault)
    basra_status basra_deal_sizes(const basra_rules *rules, int players, uint8_t *sizes, int *count)
    uint64_t basra_pack(const basra_rules *rules)
    int basra_sides(int players, int partners)

    ctypedef struct basra_move:
        uint64_t taken
        int32_t basra, points
        uint8_t card

    basra_status basra_captures(const basra_rules *rules, uint64_t floor, int card,
                                basra_move *moves, size_t capacity, size_t *count, int *trail)
    basra_status basra_legal_moves(const basra_rules *rules, uint64_t hand, uint64_t floor,
                                   int last_of_round, basra_move *moves, size_t capacity,
                                   size_t *count)

    ctypedef struct basra_play:
        uint64_t taken
        int32_t basra, points
        uint8_t card, seat, deal
        int8_t last_before

    ctypedef struct basra_position:
        uint64_t hand[4]
        uint64_t pile[4]
        uint64_t floor, leftovers, seed
        int32_t score[4]
        int32_t points[4]
        int32_t majority[4]
        int32_t carry, carry_after
        uint8_t cards[4]
        uint8_t players, partners, leader, turn, over
        int8_t last
        uint8_t deal
        uint32_t round
        uint8_t played, stock_size, stock_next, buried_size
        uint8_t stock[52]
        uint8_t buried[52]
        basra_play play[52]

    basra_status basra_position_deal(const basra_rules *rules, int players, int partners, int leader,
                                     uint64_t seed, basra_position *position)
    basra_status basra_position_deal_pack(const basra_rules *rules, int players, int partners,
                                          int leader, const uint8_t *pack, size_t count,
                                          uint64_t seed, basra_position *position)
    basra_status basra_position_complete(const basra_rules *rules, int whole_pack,
                                         basra_position *position, basra_fault *fault, int *detail)
    basra_status basra_position_moves(const basra_rules *rules, const basra_position *position,
                                      basra_move *moves, size_t capacity, size_t *count)
    basra_status basra_position_play(const basra_rules *rules, int card, uint64_t taken,
                                     basra_position *position)
    basra_status basra_position_undo(const basra_rules *rules, basra_position *position)
    basra_status basra_position_next_round(const basra_rules *rules, basra_position *position)
    void basra_majority(const basra_rules *rules, int sides, const int *cards, int32_t carry,
                        int32_t *points, int32_t *carry_after)
    int basra_match_winner(const basra_rules *rules, int sides, const int32_t *scores)
    ctypedef int (*basra_poll)(void *user) noexcept nogil

    basra_status basra_perft(const basra_rules *rules, const basra_position *position, int depth,
                             basra_poll poll, void *user, uint64_t *count)

    ctypedef struct basra_view:
        uint64_t hand, floor, seen
        int32_t points[4]
        int32_t score[4]
        int32_t carry
        uint8_t players, partners
        int8_t seat, last
        uint8_t deal, seen_given, cards_given
        uint8_t cards[4]
        uint8_t buried_size
        uint8_t buried[52]
        uint8_t played_size
        basra_play played[52]

    ctypedef struct basra_facts:
        uint64_t unseen
        uint64_t fixed[4]
        uint64_t maybe[4]
        uint64_t stocked
        uint8_t hand_size[4]
        uint8_t deals, dealt, stock, gone, untracked, last_deal

    basra_status basra_view_complete(const basra_rules *rules, basra_view *view,
                                     basra_facts *facts, basra_fault *fault, int *detail)
    basra_status basra_view_of(const basra_rules *rules, const basra_position *position,
                               basra_view *view)

    ctypedef struct basra_world:
        uint64_t hand[4]
        uint64_t weight
        int8_t last

    ctypedef struct basra_model:
        pass

    basra_status basra_worlds_all(const basra_rules *rules, const basra_view *view,
                                  basra_world *worlds, size_t capacity, size_t *count)
    void basra_worlds_shuffle(uint64_t seed, basra_world *worlds, size_t count)
    basra_status basra_worlds_sample(const basra_rules *rules, const basra_view *view,
                                     uint64_t seed, uint64_t first, size_t count,
                                     basra_world *worlds)

    ctypedef struct basra_engine:
        pass

    ctypedef struct basra_limits:
        uint64_t nodes
        int64_t time_ns
        basra_poll poll
        void *user

    basra_status basra_engine_new(size_t table_bytes, basra_engine **engine)
    void basra_engine_free(basra_engine *engine)
    void basra_engine_stop(basra_engine *engine)
    size_t basra_engine_memory(const basra_engine *engine)

    ctypedef struct basra_scored:
        basra_move move
        int32_t value
        int32_t points[4]
        uint32_t group
        uint8_t known

    ctypedef struct basra_solution:
        uint64_t nodes
        size_t moves, line
        basra_stop stop
        int best
        int32_t value
        int32_t points[4]
        uint8_t known

    basra_status basra_value(basra_engine *engine, const basra_rules *rules,
                             const basra_position *position, const basra_limits *limits,
                             basra_solution *solution)
    basra_status basra_solve(basra_engine *engine, const basra_rules *rules,
                             const basra_position *position, const basra_limits *limits,
                             int line_wanted, basra_scored *moves, size_t capacity,
                             basra_move *line, basra_solution *solution)

    basra_status basra_random_rounds(basra_engine *engine, const basra_rules *rules, int players,
                                     int partners, uint64_t seed, uint64_t first, size_t count,
                                     const basra_limits *limits, int32_t *points, uint64_t *plies,
                                     size_t *done, basra_stop *stop)

    ctypedef struct basra_ply:
        size_t first, count
        int best, played
        uint8_t complete

    basra_status basra_review(basra_engine *engine, const basra_rules *rules,
                              const basra_position *position, const basra_limits *limits,
                              basra_scored *moves, size_t capacity, basra_ply *plies,
                              basra_solution *solution)
    basra_status basra_world_values(basra_engine *engine, const basra_rules *rules,
                                    const basra_view *view, const basra_model *model,
                                    const basra_world *worlds, size_t count,
                                    const basra_limits *limits, size_t groups, int32_t *values,
                                    uint64_t *nodes, size_t *done, basra_stop *stop)
    basra_status basra_deal_values(basra_engine *engine, const basra_rules *rules,
                                   const basra_model *model, const basra_position *position,
                                   uint64_t seed, size_t count, const basra_limits *limits,
                                   int32_t *values, size_t *done, basra_stop *stop)
    basra_status basra_view_moves(const basra_rules *rules, const basra_view *view,
                                  basra_scored *moves, size_t capacity, size_t *count,
                                  size_t *groups)

    ctypedef struct basra_reply:
        uint64_t basra_cards, sweep_cards, pool, fixed
        uint8_t draws

    basra_status basra_reply_cards(const basra_rules *rules, const basra_view *view,
                                   const basra_move *move, basra_reply *reply)

    basra_status basra_model_read(const basra_rules *rules, const uint8_t *bytes, size_t size,
                                  basra_model **model, basra_fault *fault)
    void basra_model_free(basra_model *model)
    uint64_t basra_rules_number(const basra_rules *rules)
    basra_status basra_worlds_likely(const basra_rules *rules, const basra_view *view,
                                     const basra_model *model, int trust, uint64_t seed,
                                     size_t most, int merge, basra_world *worlds,
                                     size_t *count, int *complete)

    int BASRA_SURE
    basra_status basra_match_equity(const basra_model *model, int players, int partners,
                                    const int32_t *scores, int32_t carry, int leader,
                                    int32_t *chance)
    basra_status basra_match_chances(const basra_model *model, const basra_rules *rules,
                                     const basra_view *view, const int32_t *values, size_t count,
                                     int32_t *chances)
    basra_status basra_match_values(basra_engine *engine, const basra_rules *rules,
                                    const basra_view *view, const basra_model *model,
                                    const basra_world *worlds, size_t count,
                                    const basra_limits *limits, size_t groups,
                                    const int32_t *values, int32_t *chances, size_t *done,
                                    basra_stop *stop)

    ctypedef enum basra_method:
        BASRA_METHOD_END

    ctypedef struct basra_player:
        const basra_model *model
        int32_t method
        uint32_t effort
        int32_t trust, explore, noise, memory, objective

    ctypedef struct basra_choice:
        basra_move move
        uint32_t group
        uint64_t work
        basra_stop stop

    basra_status basra_choose(basra_engine *engine, const basra_rules *rules,
                              const basra_player *player, const basra_view *view, uint64_t seed,
                              const basra_limits *limits, basra_choice *choice)
    basra_status basra_choose_at(basra_engine *engine, const basra_rules *rules,
                                 const basra_player *player, uint64_t seed,
                                 const basra_limits *limits, const basra_position *position,
                                 basra_choice *choice)
    basra_status basra_play_on(basra_engine *engine, const basra_rules *rules,
                               const basra_player *const *players, int match, uint64_t seed,
                               const basra_limits *limits, basra_position *position,
                               uint64_t *work)
    basra_status basra_round_luck(basra_engine *engine, const basra_rules *rules,
                                  const basra_position *position, uint32_t redeals, uint64_t seed,
                                  const basra_limits *limits, int32_t *luck)
    basra_status basra_play_one(basra_engine *engine, const basra_rules *rules,
                                const basra_player *player, uint64_t seed,
                                const basra_limits *limits, basra_position *position,
                                uint64_t *work)
