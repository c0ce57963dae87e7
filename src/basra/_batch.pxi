# Many positions at once; what engines and batches share.  A part of _core.pyx.

# Between positions a batch asks for signals after so many nodes: a few milliseconds.
cdef enum:
    BATCH_NODES = 20000


cdef class Batch:
    """Copies of positions that are solved one after the other, without the interpreter."""

    cdef c.basra_position *positions
    cdef const c.basra_rules **rules
    cdef c.basra_solution *found
    cdef list owners
    cdef object owner
    cdef size_t capacity
    cdef readonly size_t count
    """Positions in it"""
    cdef readonly size_t done
    """The first ones, which are solved"""
    cdef readonly int status
    """What went wrong with the one after those; 0 if nothing did"""

    def __cinit__(self, size_t capacity):
        self.owners = []
        self.capacity = capacity
        self.positions = <c.basra_position *>allocate(capacity * sizeof(c.basra_position))
        self.rules = <const c.basra_rules **>allocate(capacity * sizeof(c.basra_rules *))
        self.found = <c.basra_solution *>allocate(capacity * sizeof(c.basra_solution))

    def __dealloc__(self):
        free(self.positions)
        free(<void *>self.rules)
        free(self.found)

    def __len__(self):
        return self.count

    def add(self, PositionData position):
        """Takes a copy in; about how much work it is, the square of the cards to be played."""
        cdef c.basra_position *p = &position.position
        cdef int seat, cards = p.stock_size - p.stock_next
        if self.count == self.capacity:
            raise IndexError(self.count)
        if position.rules is not self.owner:
            self.owner = position.rules
            self.owners.append(position.rules)
        # The room for plays not made yet is most of the bytes.
        memcpy(&self.positions[self.count], p,
               <size_t>(<char *>&p.play[p.played] - <char *>p))
        self.rules[self.count] = &position.rules.rules
        self.count += 1
        for seat in range(p.players):
            cards += card_count(p.hand[seat])
        return cards * cards

    def clear(self):
        """For other positions: its memory, once used, is much faster than new memory."""
        self.owners = []
        self.owner = None
        self.count = self.done = 0
        self.status = 0

    def solve(self, EngineData engine, uint64_t nodes, int64_t time_ns, list interrupts):
        """Solves them in order, up to one that fails or that a stop or an interrupt ends."""
        cdef c.basra_limits limits
        cdef uint64_t spent = 0
        set_limits(&limits, nodes, time_ns, interrupts)
        with nogil:
            while self.done < self.count:
                self.status = c.basra_value(engine.engine, self.rules[self.done],
                                            &self.positions[self.done], &limits,
                                            &self.found[self.done])
                if self.status != <int>c.BASRA_OK or ended_from_outside(&self.found[self.done]):
                    break
                spent += self.found[self.done].nodes
                self.done += 1
                if limits.poll != NULL and spent > BATCH_NODES:
                    spent = 0
                    if limits.poll(limits.user):
                        break

    def columns(self):
        """What was found, in order, as arrays: number, divisor, vector, nodes, stop, known.

        A number by its divisor is a value in points; a vector is four numbers.
        """
        cdef size_t count = self.done, i
        cdef c.basra_solution *found = self.found
        cdef int32_t[::1] numbers, vectors
        cdef uint64_t[::1] nodes
        cdef uint8_t[::1] divisors, stops, known
        made = [array(code, bytes(array(code).itemsize * size * count))
                for code, size in (("i", 1), ("B", 1), ("i", 4), ("Q", 1), ("B", 1), ("B", 1))]
        if not count:
            return made
        numbers, divisors, vectors, nodes, stops, known = made
        for i in range(count):
            numbers[i] = found[i].value
            divisors[i] = divisor_of(&self.positions[i])
            memcpy(&vectors[4 * i], found[i].points, sizeof(found[i].points))
            nodes[i] = found[i].nodes
            stops[i] = <uint8_t>found[i].stop
            known[i] = found[i].known
        return made


cdef bint ended_from_outside(const c.basra_solution *found) noexcept nogil:
    return found.stop in (c.BASRA_STOP_REQUESTED, c.BASRA_STOP_INTERRUPTED)


cdef int divisor_of(const c.basra_position *p) noexcept:
    """The core's numbers are so many times a value in points."""
    return p.players - 1 if p.players > 2 and not p.partners else 1


cdef int card_count(uint64_t cards) noexcept:
    cdef int count = 0
    while cards:
        cards &= cards - 1
        count += 1
    return count


cdef tuple scored_tuple(const c.basra_scored *scored, int players):
    return (
        move_tuple(&scored.move),
        scored.value,
        tuple([scored.points[i] for i in range(players)]),
        scored.group,
        bool(scored.known),
    )


cdef void set_limits(c.basra_limits *limits, uint64_t nodes, int64_t time_ns, list interrupts):
    limits.nodes = nodes
    limits.time_ns = time_ns
    limits.poll = NULL
    limits.user = <void *>interrupts
    if in_main_thread():
        limits.poll = poll_signals
