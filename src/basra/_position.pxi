# A round with all cards known.  A part of _core.pyx.

cdef class PositionData:
    """A round with all cards known; changed in place by play, undo and next_round."""

    cdef c.basra_position position
    cdef readonly RulesData rules

    @staticmethod
    def deal(RulesData rules, int players, bint partners, int leader, uint64_t seed):
        cdef PositionData data = PositionData.__new__(PositionData)
        data.rules = rules
        check(c.basra_position_deal(&rules.rules, players, partners, leader, seed, &data.position))
        return data

    @staticmethod
    def deal_pack(RulesData rules, int players, bint partners, int leader, list pack,
                  uint64_t seed):
        cdef PositionData data = PositionData.__new__(PositionData)
        cdef uint8_t cards[52]
        cdef size_t count = min(len(pack), 52)
        for i in range(count):
            cards[i] = pack[i]
        data.rules = rules
        check(c.basra_position_deal_pack(&rules.rules, players, partners, leader, cards, count, seed,
                                         &data.position))
        return data

    @staticmethod
    def setup(RulesData rules, dict fields, bint whole_pack):
        """A position from its parts, all given: lists by seat or side, sets as ints."""
        cdef PositionData data = PositionData.__new__(PositionData)
        cdef c.basra_position *p = &data.position
        cdef c.basra_fault fault = c.BASRA_FAULT_NONE
        cdef int detail = -1, i
        memset(p, 0, sizeof(data.position))
        data.rules = rules
        p.players = fields["players"]
        p.partners = fields["partners"]
        p.turn = fields["turn"]
        p.floor = fields["floor"]
        p.last = fields["last"]
        p.carry = fields["carry"]
        p.seed = fields["seed"]
        p.round = fields["round"]
        for i, hand in enumerate(fields["hands"][:4]):
            p.hand[i] = hand
        for i, pile in enumerate(fields["piles"][:4]):
            p.pile[i] = pile
        for i, count in enumerate(fields["cards"][:4]):
            p.cards[i] = count
        for i, points in enumerate(fields["points"][:4]):
            p.points[i] = points
        for i, score in enumerate(fields["score"][:4]):
            p.score[i] = score
        for i, card in enumerate(fields["stock"][:52]):
            p.stock[i] = card
            p.stock_size = i + 1
        for i, card in enumerate(fields["buried"][:52]):
            p.buried[i] = card
            p.buried_size = i + 1
        cdef int status = c.basra_position_complete(&rules.rules, whole_pack, p, &fault, &detail)
        check(status, fault, detail)
        return data

    def image(self):
        """The C struct as bytes, for `restore` of the same version."""
        return (<char *>&self.position)[: sizeof(self.position)]

    @staticmethod
    def restore(RulesData rules, bytes image):
        cdef PositionData data = PositionData.__new__(PositionData)
        if len(image) != sizeof(data.position):
            raise ValueError("the position was saved by another version")
        memcpy(&data.position, <const char *>image, sizeof(data.position))
        data.rules = rules
        return data

    def text(self):
        """Its notation but for the rules, which come before."""
        return written_position(self)

    @staticmethod
    def read(RulesData rules, str text):
        """A position from such a text, if it is written as `text` writes it; else None."""
        return read_position(rules, text)

    cdef PositionData copied(self):
        cdef PositionData data = PositionData.__new__(PositionData)
        data.rules = self.rules
        data.position = self.position
        return data

    def copy(self):
        return self.copied()

    def fields(self):
        cdef c.basra_position *p = &self.position
        cdef int i, sides = c.basra_sides(p.players, p.partners)
        return {
            "players": p.players,
            "partners": bool(p.partners),
            "leader": p.leader,
            "turn": p.turn,
            "over": bool(p.over),
            "hands": [p.hand[i] for i in range(p.players)],
            "piles": [p.pile[i] for i in range(p.players)],
            "floor": p.floor,
            "leftovers": p.leftovers,
            "stock": [p.stock[i] for i in range(p.stock_next, p.stock_size)],
            "buried": [p.buried[i] for i in range(p.buried_size)],
            "cards": [p.cards[i] for i in range(sides)],
            "points": [p.points[i] for i in range(sides)],
            "majority": [p.majority[i] for i in range(sides)],
            "score": [p.score[i] for i in range(sides)],
            "carry": p.carry,
            "carry_after": p.carry_after,
            "last": p.last,
            "deal": p.deal,
            "round": p.round,
            "seed": p.seed,
            "plays": [
                (p.play[i].card, p.play[i].taken, p.play[i].basra, p.play[i].points,
                 p.play[i].seat, p.play[i].deal)
                for i in range(p.played)
            ],
        }

    @property
    def over(self):
        return bool(self.position.over)

    @property
    def turn(self):
        return self.position.turn

    def moves(self):
        cdef size_t room = 64, count = 0
        cdef int status
        cdef c.basra_move *moves = NULL
        while True:
            moves = <c.basra_move *>allocate(room * sizeof(c.basra_move))
            try:
                with nogil:
                    status = c.basra_position_moves(&self.rules.rules, &self.position, moves, room,
                                                    &count)
                if status != <int>c.BASRA_E_BOUNDS:
                    check(status)
                    return [move_tuple(&moves[i]) for i in range(count)]
                room = count
            finally:
                free(moves)

    def play(self, int card, uint64_t taken):
        check(c.basra_position_play(&self.rules.rules, card, taken, &self.position))

    def undo(self):
        check(c.basra_position_undo(&self.rules.rules, &self.position))

    def next_round(self):
        check(c.basra_position_next_round(&self.rules.rules, &self.position))

    def perft(self, int depth):
        cdef uint64_t count = 0
        cdef list held = []
        cdef c.basra_poll poll = NULL
        cdef void *user = <void *>held
        cdef int status
        if in_main_thread():
            poll = poll_signals
        with nogil:
            status = c.basra_perft(&self.rules.rules, &self.position, depth, poll, user, &count)
        if held:
            raise held[0]
        check(status)
        return count
