# Match play: what points and scores are worth.  A part of _core.pyx.

SURE = c.BASRA_SURE


def match_equity(ModelData model, int players, bint partners, list scores, int32_t carry,
                 int leader):
    """Chance of side 0 to win a match from (two) scores after a whole round, in 1/SURE."""
    cdef int32_t both[2]
    cdef int32_t chance = 0
    both[0], both[1] = scores
    check(c.basra_match_equity(model.model, players, partners, both, carry, leader, &chance))
    return chance


def match_chances(ModelData model, ViewData view, const int32_t[::1] values):
    """Chance of my side, in 1/SURE, for each value in 1/UNIT points, as an array of ints."""
    cdef size_t count = values.shape[0]
    cdef object made = array("i", bytes(count * sizeof(int32_t)))
    cdef int32_t[::1] chances = made
    check(c.basra_match_chances(model.model, &view.rules.rules, &view.view,
                                &values[0] if count else NULL, count,
                                &chances[0] if count else NULL))
    return made


def match_values(EngineData engine, ModelData model, ViewData view, Worlds worlds, size_t groups,
                 const int32_t[::1] values, uint64_t nodes, int64_t time_ns, list interrupts):
    """(chances by world and group, stop): as match_chances, the last cards searched for the match."""
    cdef size_t count = <size_t>values.shape[0] // groups if groups else 0
    cdef size_t done = 0
    cdef c.basra_limits limits
    cdef c.basra_stop stop = c.BASRA_STOP_COMPLETE
    cdef int status
    if count > worlds.count or not count:
        raise IndexError(count)
    cdef object made = array("i", bytes(count * groups * sizeof(int32_t)))
    cdef int32_t[::1] chances = made
    set_limits(&limits, nodes, time_ns, interrupts)
    with nogil:
        status = c.basra_match_values(engine.engine, &view.rules.rules, &view.view, model.model,
                                      worlds.worlds, count, &limits, groups, &values[0],
                                      &chances[0], &done, &stop)
    check(status)
    return made[: done * groups], <int>stop
