# Models and players.  A part of _core.pyx.

cdef extern from "play/player.h" nogil:
    ctypedef struct marks_by_world:
        int32_t *value
        uint64_t *weight
        size_t worlds
        bint complete

    void marks_by_world_free(marks_by_world *marks)
    c.basra_status player_marks(c.basra_engine *engine, const c.basra_rules *rules,
                                const c.basra_player *player, const c.basra_view *view,
                                uint64_t seed, const c.basra_limits *limits, size_t groups,
                                int64_t *marks, marks_by_world *by_world,
                                c.basra_choice *choice)


cdef class ModelData:
    """What was fitted for one rule set; immutable."""

    cdef c.basra_model *model
    cdef readonly RulesData rules

    def __cinit__(self, RulesData rules, const uint8_t[::1] data):
        cdef c.basra_fault fault = c.BASRA_FAULT_NONE
        cdef const uint8_t *bytes = &data[0] if data.shape[0] else NULL
        cdef int status = c.basra_model_read(&rules.rules, bytes, data.shape[0], &self.model,
                                             &fault)
        check(status, fault)
        self.rules = rules

    def __dealloc__(self):
        c.basra_model_free(self.model)


cdef class PlayerData:
    """One way to choose moves."""

    cdef c.basra_player player
    cdef readonly ModelData model

    def __cinit__(self, ModelData model, int method, uint32_t effort, int trust, int explore,
                  int noise, int memory, int objective=0):
        self.model = model
        self.player.model = NULL if model is None else model.model
        self.player.method = method
        self.player.effort = effort
        self.player.trust = trust
        self.player.explore = explore
        self.player.noise = noise
        self.player.memory = memory
        self.player.objective = objective


def rules_number(RulesData rules):
    """Tells rule sets apart, as model files do."""
    return c.basra_rules_number(&rules.rules)


def choose(EngineData engine, PlayerData player, ViewData view, uint64_t seed, uint64_t nodes,
           int64_t time_ns, list interrupts):
    """(move, group, work, stop) of the player's choice."""
    cdef c.basra_limits limits
    cdef c.basra_choice choice
    cdef int status
    set_limits(&limits, nodes, time_ns, interrupts)
    with nogil:
        status = c.basra_choose(engine.engine, &view.rules.rules, &player.player, &view.view, seed,
                                &limits, &choice)
    check(status)
    return move_tuple(&choice.move), choice.group, choice.work, <int>choice.stop


def choose_at(EngineData engine, PlayerData player, PositionData position, uint64_t seed,
              uint64_t nodes, int64_t time_ns, list interrupts):
    """(move, group, work, stop): the same from what the player has kept of a position."""
    cdef c.basra_limits limits
    cdef c.basra_choice choice
    cdef int status
    set_limits(&limits, nodes, time_ns, interrupts)
    with nogil:
        status = c.basra_choose_at(engine.engine, &position.rules.rules, &player.player, seed,
                                   &limits, &position.position, &choice)
    check(status)
    return move_tuple(&choice.move), choice.group, choice.work, <int>choice.stop


def player_marks_of(EngineData engine, PlayerData player, ViewData view, uint64_t seed,
                    uint64_t nodes, size_t groups, int64_t time_ns=0, list interrupts=None):
    """What the player's method makes of the groups of a view's moves: (marks, work, stop, by world).

    The last is None, or (values by world and then group, weights of the worlds, are these all).
    """
    cdef c.basra_limits limits
    cdef c.basra_choice choice
    cdef marks_by_world by_world
    cdef int status
    cdef int64_t *marks = <int64_t *>allocate(groups * sizeof(int64_t))
    memset(&by_world, 0, sizeof(by_world))
    interrupts = [] if interrupts is None else interrupts
    set_limits(&limits, nodes, time_ns, interrupts)
    try:
        memset(marks, 0, groups * sizeof(int64_t))
        with nogil:
            status = player_marks(engine.engine, &view.rules.rules, &player.player, &view.view,
                                  seed, &limits, groups, marks, &by_world, &choice)
        check(status)
        told = None
        if by_world.worlds:
            told = (numbers("i", by_world.value, by_world.worlds * groups),
                    list(numbers("Q", by_world.weight, by_world.worlds)), bool(by_world.complete))
        return [marks[i] for i in range(groups)], choice.work, <int>choice.stop, told
    finally:
        marks_by_world_free(&by_world)
        free(marks)


def play_on(EngineData engine, PositionData position, list players, bint match, uint64_t seed,
            list interrupts, list limits=None):
    """Plays a position on, in place: players by side, and (nodes, ns) of each of their decisions.

    Returns (status, work by side).
    """
    cdef c.basra_limits by_decision[4]
    cdef const c.basra_player *by_side[4]
    cdef uint64_t work[4]
    cdef int status, i
    cdef int sides = c.basra_sides(position.position.players, position.position.partners)
    if len(players) != sides:
        raise IndexError(len(players))
    for i in range(4):
        by_side[i] = &(<PlayerData?>players[i % sides]).player
        work[i] = 0
        nodes, time_ns = (0, 0) if limits is None else limits[i % sides]
        set_limits(&by_decision[i], nodes, time_ns, interrupts)
    with nogil:
        status = c.basra_play_on(engine.engine, &position.rules.rules, by_side, match, seed,
                                 by_decision, &position.position, work)
    if not interrupts:
        check(status)
    return status, tuple([work[i] for i in range(sides)])


def deal_values(EngineData engine, ModelData model, PositionData position, uint64_t seed,
                size_t count, list interrupts):
    """Values of the deal in hand as dealt, then of random deals of the hidden cards.

    In the core's units: one number each for two sides, else one for each seat from the seat to move.
    """
    cdef c.basra_limits limits
    cdef c.basra_stop stop
    cdef size_t done = 0, width = 1
    cdef int status
    if c.basra_sides(position.position.players, position.position.partners) > 2:
        width = position.position.players
    values = array("i", bytes(4 * count * width))
    cdef int32_t[::1] room = values
    set_limits(&limits, 0, 0, interrupts)
    if not count:
        return values
    with nogil:
        status = c.basra_deal_values(engine.engine, &position.rules.rules,
                                     NULL if model is None else model.model, &position.position,
                                     seed, count, &limits, &room[0], &done, &stop)
    check(status)
    return values[:done * width]


def play_one(EngineData engine, PositionData position, PlayerData player, uint64_t seed,
             uint64_t nodes, int64_t time_ns, list interrupts):
    """Plays one move as `play_on` would, in place.  Returns (card, taken)."""
    cdef c.basra_limits limits
    cdef uint64_t work = 0
    cdef int status
    cdef const c.basra_play *played
    set_limits(&limits, nodes, time_ns, interrupts)
    with nogil:
        status = c.basra_play_one(engine.engine, &position.rules.rules, &player.player, seed,
                                  &limits, &position.position, &work)
    check(status)
    played = &position.position.play[position.position.played - 1]
    return played.card, played.taken


def round_luck(EngineData engine, PositionData position, uint32_t redeals, uint64_t seed,
               list interrupts):
    """Luck of side 0 with the hands of each deal of a round, in 1/UNIT points."""
    cdef c.basra_limits limits
    cdef int32_t luck[52]
    cdef int status, i
    set_limits(&limits, 0, 0, interrupts)
    with nogil:
        status = c.basra_round_luck(engine.engine, &position.rules.rules, &position.position,
                                    redeals, seed, &limits, luck)
    if not interrupts:
        check(status)
    return [luck[i] for i in range(position.position.deal)]
