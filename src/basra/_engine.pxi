# Solutions, and the engine that finds them.  A part of _core.pyx.

cdef tuple NOTHING = ()


cdef class SolutionData:
    """The base of `basra.Solution`: what a search found, and what it takes to ask for more.

    It is made here, as every line of Python would take as long as a good part of a search.
    """

    cdef int32_t number
    cdef int32_t vector[4]
    cdef uint8_t players, divisor, known
    cdef readonly uint64_t nodes
    """Positions entered by the search; what was asked for later is not counted."""
    cdef readonly double seconds
    """How long it took; depends on the machine."""
    cdef readonly int _stop
    cdef readonly PositionData _position
    cdef readonly object _rules, _source, _limits
    cdef readonly tuple _moves, _line

    @property
    def value(self):
        """Of the position, in points; None if the search was stopped before it was known."""
        if not self.known:
            return None
        return points_of(self.number, self.divisor)

    @property
    def exact(self):
        """Is the value the exact one?"""
        return bool(self.known) and self._stop == <int>c.BASRA_STOP_COMPLETE

    @property
    def points(self):
        """Of every seat from the seat to move, at tables of single players; else None."""
        if not self.known or self.divisor == 1:
            return None
        return tuple([self.vector[i] for i in range(self.players)])

    def _keep(self, tuple moves, tuple line):
        """Keeps what was asked for later, unless another thread was first; None: was not asked."""
        if self._moves is None:
            self._moves = moves
        if self._line is None:
            self._line = line

    def _state(self):
        """All that `restore` needs to make it again, but for the source."""
        return (
            self.number, tuple([self.vector[i] for i in range(4)]), self.known, self._stop,
            self.nodes, self.seconds, self._position, self._rules, self._limits, self._moves,
            self._line,
        )

    @staticmethod
    def restore(type kind, tuple state, source):
        """A solution of that kind from its parts."""
        cdef SolutionData data = kind.__new__(kind)
        vector = state[1]
        for i in range(min(len(vector), 4)):
            data.vector[i] = vector[i]
        data.number, _, data.known, data._stop, data.nodes, data.seconds = state[:6]
        data._position, data._rules, data._limits, data._moves, data._line = state[6:]
        data._source = source
        data.seat(data._position)
        return data

    cdef void seat(self, PositionData position) noexcept:
        self.players = position.position.players
        self.divisor = divisor_of(&position.position)


cdef object points_of(int32_t number, int divisor):
    """The core's form of a value in points: whole if it can be."""
    return number // divisor if number % divisor == 0 else number / divisor


cdef class EngineData:
    """A search engine: one call at a time, `stop` from anywhere."""

    cdef c.basra_engine *engine

    def __cinit__(self, size_t table_bytes=0):
        check(c.basra_engine_new(table_bytes, &self.engine))

    def __dealloc__(self):
        c.basra_engine_free(self.engine)

    def stop(self):
        c.basra_engine_stop(self.engine)

    @property
    def memory(self):
        """Bytes that the engine holds; not while a call runs."""
        return c.basra_engine_memory(self.engine)

    def random_rounds(self, RulesData rules, int players, bint partners, uint64_t seed,
                      uint64_t first, size_t count, list interrupts):
        """(points by side of every round done, cards played, stop) of rounds played at random."""
        cdef c.basra_limits limits
        cdef c.basra_stop stop
        cdef uint64_t plies = 0
        cdef size_t done = 0, i
        cdef int status, sides = c.basra_sides(players, partners)
        cdef int32_t *points = <int32_t *>allocate(count * sides * sizeof(int32_t))
        set_limits(&limits, 0, 0, interrupts)
        try:
            with nogil:
                status = c.basra_random_rounds(self.engine, &rules.rules, players, partners, seed,
                                               first, count, &limits, points, &plies, &done, &stop)
            check(status)
            return array("i", [points[i] for i in range(done * sides)]), plies, <int>stop
        finally:
            free(points)

    def value(self, type kind, PositionData position, uint64_t nodes, int64_t time_ns,
              tuple about, list interrupts):
        """A solution of that kind with a value and no moves yet, about a copy of the position.

        `about` are the rules, the source of more, and the limits.  Interrupts are as in `solve`.
        """
        cdef double began = perf_counter()
        cdef SolutionData data
        cdef c.basra_limits limits
        cdef c.basra_solution found
        cdef int status
        set_limits(&limits, nodes, time_ns, interrupts)
        with nogil:
            status = c.basra_value(self.engine, &position.rules.rules, &position.position, &limits,
                                   &found)
        if status != <int>c.BASRA_OK:
            check(status)
        data = <SolutionData?>(<PyTypeObject *>kind).tp_new(kind, <PyObject *>NOTHING, NULL)
        data.number = found.value
        memcpy(data.vector, found.points, sizeof(data.vector))
        data.known = found.known
        data.nodes = found.nodes
        data._stop = <int>found.stop
        data._position = position.copied()
        data._rules, data._source, data._limits = about
        data.seat(position)
        data.seconds = perf_counter() - began
        return data

    def solve(self, PositionData position, uint64_t nodes, int64_t time_ns, bint line_wanted,
              list interrupts):
        """([(move, value, points, group, known)], line, nodes, stop, (value, points, is it known))

        An exception raised by a signal handler ends the search and is put into `interrupts`.
        """
        cdef size_t room = 64
        cdef c.basra_limits limits
        cdef c.basra_solution solution
        cdef c.basra_move line[52]
        cdef c.basra_scored *moves = NULL
        cdef int status
        set_limits(&limits, nodes, time_ns, interrupts)
        while True:
            moves = <c.basra_scored *>allocate(room * sizeof(c.basra_scored))
            try:
                with nogil:
                    status = c.basra_solve(self.engine, &position.rules.rules, &position.position,
                                           &limits, line_wanted, moves, room, line, &solution)
                if status != <int>c.BASRA_E_BOUNDS:
                    check(status)
                    return (
                        [scored_tuple(&moves[i], position.position.players)
                         for i in range(solution.moves)],
                        [move_tuple(&line[i]) for i in range(solution.line)],
                        solution.nodes,
                        <int>solution.stop,
                        (
                            solution.value,
                            tuple([solution.points[i] for i in range(position.position.players)]),
                            bool(solution.known or solution.best >= 0),
                        ),
                    )
                room = solution.moves
            finally:
                free(moves)

    def review(self, PositionData position, uint64_t nodes, int64_t time_ns, list interrupts):
        """([(moves as in solve, best, played)] ply by ply, nodes, stop); -1: not reached."""
        cdef size_t room = 512, i
        cdef int ply
        cdef c.basra_limits limits
        cdef c.basra_solution solution
        cdef c.basra_ply plies[52]
        cdef c.basra_scored *moves = NULL
        cdef int status
        set_limits(&limits, nodes, time_ns, interrupts)
        while True:
            moves = <c.basra_scored *>allocate(room * sizeof(c.basra_scored))
            try:
                with nogil:
                    status = c.basra_review(self.engine, &position.rules.rules, &position.position,
                                            &limits, moves, room, plies, &solution)
                if status != <int>c.BASRA_E_BOUNDS:
                    check(status)
                    return (
                        [
                            (
                                [scored_tuple(&moves[i], position.position.players)
                                 for i in range(plies[ply].first,
                                                plies[ply].first + plies[ply].count)],
                                plies[ply].best,
                                plies[ply].played,
                            )
                            for ply in range(position.position.played)
                        ],
                        solution.nodes,
                        <int>solution.stop,
                    )
                room = solution.moves
            finally:
                free(moves)

    def world_values(self, ViewData view, ModelData model, Worlds worlds, size_t groups,
                     uint64_t nodes, int64_t time_ns, list interrupts, dict results, object key):
        """results[key] = (values world by world, nodes by world, stop), up to the last finished one.

        It is put there, not returned, so that no Ctrl-C can come between search and result.
        """
        cdef size_t width = 1, done = 0, count = worlds.count
        cdef c.basra_limits limits
        cdef c.basra_stop stop
        cdef int status
        cdef int32_t *values = NULL
        cdef uint64_t *visits = NULL
        if c.basra_sides(view.view.players, view.view.partners) > 2:
            width = view.view.players
        set_limits(&limits, nodes, time_ns, interrupts)
        try:
            values = <int32_t *>allocate(count * groups * width * sizeof(int32_t))
            visits = <uint64_t *>allocate(count * sizeof(uint64_t))
            with nogil:
                status = c.basra_world_values(self.engine, &view.rules.rules, &view.view,
                                              NULL if model is None else model.model,
                                              worlds.worlds, count, &limits, groups, values, visits,
                                              &done, &stop)
            check(status)
            results[key] = (
                array("i", [values[i] for i in range(done * groups * width)]),
                [visits[i] for i in range(done)],
                <int>stop,
            )
        finally:
            free(values)
            free(visits)
