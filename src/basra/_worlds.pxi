# Hidden hands in C memory.  A part of _core.pyx.

cdef class Worlds:
    """A list of worlds in C memory."""

    cdef c.basra_world *worlds
    cdef readonly size_t count
    cdef int players

    def __cinit__(self, size_t capacity):
        self.worlds = <c.basra_world *>allocate(capacity * sizeof(c.basra_world))
        self.count = 0

    def __dealloc__(self):
        free(self.worlds)

    def __len__(self):
        return self.count

    def __getitem__(self, size_t index):
        """(hands by seat, weight, last capturer)"""
        if index >= self.count:
            raise IndexError(index)
        cdef const c.basra_world *w = &self.worlds[index]
        return tuple([w.hand[i] for i in range(self.players)]), w.weight, w.last

    @staticmethod
    def of(PositionData position):
        """The one world that a position is, as its seat to move counts seats."""
        cdef Worlds made = Worlds(1)
        cdef const c.basra_position *p = &position.position
        cdef c.basra_world *w = made.worlds
        cdef int seat
        memset(w, 0, sizeof(c.basra_world))
        for seat in range(p.players):
            w.hand[seat] = p.hand[(p.leader + seat) % p.players]
        w.weight = 1
        w.last = p.last
        if p.last >= 0:
            w.last = <int8_t>((p.last - p.leader + p.players) % p.players)
        made.players = p.players
        made.count = 1
        return made

    def __iter__(self):
        for index in range(self.count):
            yield self[index]

    def weights(self, size_t count):
        """Weights of the first ones."""
        return [self.worlds[i].weight for i in range(min(count, self.count))]

    def shuffle(self, uint64_t seed):
        """Puts them into a random order that depends on the seed alone."""
        c.basra_worlds_shuffle(seed, self.worlds, self.count)

    def slice(self, size_t first, size_t count):
        """A copy of some of them."""
        if first > self.count or count > self.count - first:
            raise IndexError(first + count)
        cdef Worlds part = Worlds(count)
        memcpy(part.worlds, self.worlds + first, count * sizeof(c.basra_world))
        part.count = count
        part.players = self.players
        return part
