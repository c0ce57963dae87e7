# The policy and belief: what the core has for training, for reasons and for tests.  A part of _core.pyx.

cdef extern from "model/policy.h" nogil:
    ctypedef struct policy_shape:
        uint16_t count

    void policy_shape_init(const c.basra_rules *rules, policy_shape *shape)

cdef extern from "play/policy_player.h" nogil:
    ctypedef struct policy_list:
        uint16_t *features
        uint32_t *ends
        uint32_t *decisions
        uint32_t *chosen
        size_t feature_count, group_count, decision_count

    void policy_list_free(policy_list *list)
    c.basra_status policy_list_add(const c.basra_rules *rules, const c.basra_view *view,
                                   uint32_t chosen, policy_list *list)
    c.basra_status policy_record(c.basra_engine *engine, const c.basra_rules *rules,
                                 const c.basra_player *player, uint32_t wander, uint64_t seed,
                                 const c.basra_limits *limits, c.basra_position *position,
                                 policy_list *list)
    c.basra_status policy_view_scores(const c.basra_rules *rules, const c.basra_view *view,
                                      const c.basra_model *model, size_t groups, int32_t *scores)

cdef extern from "knowledge/likelihood.h" nogil:
    enum:
        PLAYER_KINDS

    c.basra_status likelihood_of_play(const c.basra_rules *rules, const c.basra_view *view,
                                      const c.basra_model *model, int index, uint64_t hand,
                                      uint32_t *bits)

cdef extern from "knowledge/belief.h" nogil:
    c.basra_status belief_chances(const c.basra_rules *rules, const c.basra_view *view,
                                  const c.basra_model *model, int trust, uint64_t seed, int seat,
                                  uint32_t *before, uint32_t *after)


cdef const c.basra_model *model_or_none(ModelData model):
    return NULL if model is None else model.model


cdef object numbers(str code, const void *values, size_t count):
    """A copy of C numbers as an array."""
    cdef object made = array(code)
    cdef Py_ssize_t size = <Py_ssize_t>count * <Py_ssize_t>made.itemsize
    if count:
        made.frombytes((<const char *>values)[:size])
    return made


cdef class PolicyList:
    """Decisions as the policy sees them: see csrc/play/policy_player.h."""

    cdef policy_list list

    def __dealloc__(self):
        policy_list_free(&self.list)

    def add(self, ViewData view, uint32_t chosen):
        """Appends the decision of a view."""
        check(policy_list_add(&view.rules.rules, &view.view, chosen, &self.list))

    def record(self, EngineData engine, PlayerData player, uint32_t wander, uint64_t seed,
               PositionData position):
        """Plays a position on to its end and appends every decision."""
        cdef c.basra_limits limits
        cdef int status
        memset(&limits, 0, sizeof(limits))
        with nogil:
            status = policy_record(engine.engine, &position.rules.rules, &player.player, wander,
                                   seed, &limits, &position.position, &self.list)
        check(status)

    def columns(self):
        """(feature numbers, their ends by group, groups' ends by decision, chosen by decision)"""
        cdef policy_list *l = &self.list
        return (
            numbers("H", l.features, l.feature_count),
            numbers("I", l.ends, l.group_count),
            numbers("I", l.decisions, l.decision_count),
            numbers("I", l.chosen, l.decision_count),
        )


def policy_features(RulesData rules):
    """How many features the policy of these rules has."""
    cdef policy_shape shape
    policy_shape_init(&rules.rules, &shape)
    return shape.count


def policy_scores(ViewData view, ModelData model, size_t groups):
    """Scores of the groups of a view's moves, in 1/UNIT nat."""
    cdef int32_t *scores = <int32_t *>allocate(groups * sizeof(int32_t))
    try:
        check(policy_view_scores(&view.rules.rules, &view.view, model_or_none(model), groups,
                                 scores))
        return [scores[i] for i in range(groups)]
    finally:
        free(scores)


def play_bits(ViewData view, ModelData model, int index, uint64_t hand):
    """How unlikely a play of this deal was with a hand, in 1/65536 bits.

    For each kind of player: the policy's, a greedy one, one that plays anything.
    """
    cdef uint32_t bits[PLAYER_KINDS]
    check(likelihood_of_play(&view.rules.rules, &view.view, model_or_none(model), index, hand,
                             bits))
    return tuple([bits[i] for i in range(PLAYER_KINDS)])


def card_chances(ViewData view, ModelData model, int trust, uint64_t seed, int seat):
    """By card, chances in 1/65536 that a seat holds it: (by counting alone, with belief)."""
    cdef uint32_t before[52]
    cdef uint32_t after[52]
    cdef int status
    cdef const c.basra_model *m = model_or_none(model)
    with nogil:
        status = belief_chances(&view.rules.rules, &view.view, m, trust, seed, seat, before, after)
    check(status)
    return [before[i] for i in range(52)], [after[i] for i in range(52)]
