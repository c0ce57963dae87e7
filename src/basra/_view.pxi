# What one seat knows.  A part of _core.pyx.

cdef class ViewData:
    """A view, completed and checked."""

    cdef c.basra_view view
    cdef c.basra_facts facts
    cdef readonly RulesData rules

    def __init__(self, RulesData rules, dict fields):
        cdef c.basra_view *v = &self.view
        cdef int i
        memset(v, 0, sizeof(self.view))
        self.rules = rules
        v.hand = fields["hand"]
        v.floor = fields["floor"]
        v.seen = fields["seen"]
        v.seen_given = fields["seen_given"]
        v.players = fields["players"]
        v.partners = fields["partners"]
        v.seat = fields["seat"]
        v.last = fields["last"]
        v.deal = fields["deal"]
        v.carry = fields["carry"]
        v.cards_given = fields["cards_given"]
        for i, count in enumerate(fields["cards"][:4]):
            v.cards[i] = count
        for i, points in enumerate(fields["points"][:4]):
            v.points[i] = points
        for i, score in enumerate(fields["score"][:4]):
            v.score[i] = score
        for i, card in enumerate(fields["buried"][:52]):
            v.buried[i] = card
            v.buried_size = i + 1
        for i, (card, taken) in enumerate(fields["played"][:52]):
            v.played[i].card = card
            v.played[i].taken = taken
            v.played_size = i + 1
        self.complete()

    cdef int complete(self) except -1:
        cdef c.basra_fault fault = c.BASRA_FAULT_NONE
        cdef int detail = -1
        cdef int status = c.basra_view_complete(&self.rules.rules, &self.view, &self.facts, &fault,
                                                &detail)
        return check(status, fault, detail)

    @staticmethod
    def of(PositionData position):
        cdef ViewData data = ViewData.__new__(ViewData)
        data.rules = position.rules
        check(c.basra_view_of(&data.rules.rules, &position.position, &data.view))
        data.complete()
        return data

    def fields(self):
        cdef c.basra_view *v = &self.view
        cdef c.basra_facts *f = &self.facts
        cdef int i, sides = c.basra_sides(v.players, v.partners)
        return {
            "hand": v.hand,
            "floor": v.floor,
            "seen": v.seen,
            "seen_given": bool(v.seen_given),
            "players": v.players,
            "partners": bool(v.partners),
            "seat": v.seat,
            "last": v.last,
            "deal": v.deal,
            "carry": v.carry,
            "cards": [v.cards[i] for i in range(sides)],
            "cards_given": bool(v.cards_given),
            "points": [v.points[i] for i in range(sides)],
            "score": [v.score[i] for i in range(sides)],
            "buried": [v.buried[i] for i in range(v.buried_size)],
            "played": [(v.played[i].card, v.played[i].taken) for i in range(v.played_size)],
            "unseen": f.unseen | f.maybe[0] | f.maybe[1] | f.maybe[2] | f.maybe[3],
            "fixed": [f.fixed[i] for i in range(v.players)],
            "maybe": [f.maybe[i] for i in range(v.players)],
            "stocked": f.stocked,
            "hand_sizes": [f.hand_size[i] for i in range(v.players)],
            "deals": f.deals,
            "dealt": f.dealt,
            "stock": f.stock,
            "gone": f.gone,
            "untracked": f.untracked,
            "last_deal": bool(f.last_deal),
        }

    def moves(self):
        """([(move tuple, group)], number of groups)"""
        cdef size_t room = 64, count = 0, groups = 0
        cdef int status
        cdef c.basra_scored *moves = NULL
        while True:
            moves = <c.basra_scored *>allocate(room * sizeof(c.basra_scored))
            try:
                with nogil:
                    status = c.basra_view_moves(&self.rules.rules, &self.view, moves, room, &count,
                                                &groups)
                if status != <int>c.BASRA_E_BOUNDS:
                    check(status)
                    listed = [(move_tuple(&moves[i].move), moves[i].group) for i in range(count)]
                    return listed, groups
                room = count
            finally:
                free(moves)

    def all_worlds(self, size_t capacity):
        """Every world up to equal cards, or None if they are more than `capacity`."""
        cdef Worlds worlds = Worlds(capacity)
        worlds.players = self.view.players
        check(c.basra_worlds_all(&self.rules.rules, &self.view, worlds.worlds, capacity,
                                 &worlds.count))
        return worlds if worlds.count else None

    def believed_worlds(self, ModelData model, int trust, uint64_t seed, size_t most,
                        bint merge=False):
        """(worlds, are these all) by how likely they are after this deal's plays.

        At most `most`, and at least 1; with `merge` a world drawn again counts for more instead.
        """
        cdef Worlds worlds = Worlds(most)
        cdef int complete = 0, status
        cdef const c.basra_model *known = model_or_none(model)
        if not most:
            raise IndexError(most)
        worlds.players = self.view.players
        with nogil:
            status = c.basra_worlds_likely(&self.rules.rules, &self.view, known, trust, seed, most,
                                           merge, worlds.worlds, &worlds.count, &complete)
        check(status)
        return worlds, bool(complete)

    def sample_worlds(self, uint64_t seed, uint64_t first, size_t count):
        cdef Worlds worlds = Worlds(count)
        worlds.players = self.view.players
        check(c.basra_worlds_sample(&self.rules.rules, &self.view, seed, first, count,
                                    worlds.worlds))
        worlds.count = count
        return worlds

    def reply(self, int card, uint64_t taken):
        """(basra cards, sweep cards, pool, known cards, unknown cards) of the next seat."""
        cdef c.basra_move move
        cdef c.basra_reply reply
        memset(&move, 0, sizeof(move))
        move.card = card
        move.taken = taken
        check(c.basra_reply_cards(&self.rules.rules, &self.view, &move, &reply))
        return reply.basra_cards, reply.sweep_cards, reply.pool, reply.fixed, reply.draws
