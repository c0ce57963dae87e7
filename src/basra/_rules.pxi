# One rule set.  A part of _core.pyx.

cdef class RulesData:
    """One rule set."""

    cdef c.basra_rules rules

    def __init__(self, dict fields):
        cdef int i
        memset(&self.rules, 0, sizeof(self.rules))
        self.rules.deck = fields["deck"]
        self.rules.tables = fields["tables"]
        self.rules.hand_size = fields["hand_size"]
        self.rules.floor_size = fields["floor_size"]
        self.rules.not_on_first_floor = fields["not_on_first_floor"]
        self.rules.bury = fields["bury"]
        self.rules.choice = fields["choice"]
        self.rules.must_capture = fields["must_capture"]
        self.rules.seven_diamonds = fields["seven_diamonds"]
        self.rules.seven_basra = fields["seven_basra"]
        self.rules.jack_basra = fields["jack_basra"]
        self.rules.basra_kind = fields["basra_kind"]
        self.rules.basra_points = fields["basra_points"]
        self.rules.basra_on_last = fields["basra_on_last"]
        self.rules.most_cards = fields["most_cards"]
        self.rules.most_cards_tie = fields["most_cards_tie"]
        self.rules.target = fields["target"]
        for i, points in enumerate(fields["basra_table"]):
            if i < c.BASRA_RANKS:
                self.rules.basra_table[i] = points
        for i, points in enumerate(fields["card_points"]):
            if i < c.BASRA_CARDS:
                self.rules.card_points[i] = points
        cdef c.basra_fault fault = c.BASRA_FAULT_NONE
        cdef int status = c.basra_rules_check(&self.rules, &fault)
        check(status, fault)

    @staticmethod
    def preset(int index):
        cdef const c.basra_rules *rules = c.basra_preset_rules(index)
        if rules == NULL:
            raise IndexError(index)
        cdef RulesData data = RulesData.__new__(RulesData)
        data.rules = rules[0]
        return data

    def fields(self):
        cdef int i
        return {
            "deck": self.rules.deck,
            "tables": self.rules.tables,
            "hand_size": self.rules.hand_size,
            "floor_size": self.rules.floor_size,
            "not_on_first_floor": self.rules.not_on_first_floor,
            "bury": self.rules.bury,
            "choice": self.rules.choice,
            "must_capture": self.rules.must_capture,
            "seven_diamonds": self.rules.seven_diamonds,
            "seven_basra": self.rules.seven_basra,
            "jack_basra": self.rules.jack_basra,
            "basra_kind": self.rules.basra_kind,
            "basra_points": self.rules.basra_points,
            "basra_table": [self.rules.basra_table[i] for i in range(c.BASRA_RANKS)],
            "basra_on_last": self.rules.basra_on_last,
            "card_points": [self.rules.card_points[i] for i in range(c.BASRA_CARDS)],
            "most_cards": self.rules.most_cards,
            "most_cards_tie": self.rules.most_cards_tie,
            "target": self.rules.target,
        }

    @property
    def pack(self):
        return c.basra_pack(&self.rules)

    def check_table(self, int players, bint partners):
        cdef c.basra_fault fault = c.BASRA_FAULT_NONE
        cdef int status = c.basra_table_check(&self.rules, players, partners, &fault)
        check(status, fault)

    def deal_sizes(self, int players):
        cdef uint8_t sizes[52]
        cdef int count
        check(c.basra_deal_sizes(&self.rules, players, sizes, &count))
        return [sizes[i] for i in range(count)]

    def captures(self, uint64_t floor, int card):
        """([(card, taken, basra, points)], may the card be trailed)"""
        cdef size_t room = 256, count = 0
        cdef int trail = 0, status
        cdef c.basra_move *moves = NULL
        while True:
            moves = <c.basra_move *>allocate(room * sizeof(c.basra_move))
            try:
                with nogil:
                    status = c.basra_captures(&self.rules, floor, card, moves, room, &count, &trail)
                if status != <int>c.BASRA_E_BOUNDS:
                    check(status)
                    return [move_tuple(&moves[i]) for i in range(count)], bool(trail)
                room = count
            finally:
                free(moves)

    def majority(self, list cards, int32_t carry):
        cdef int counts[4]
        cdef int32_t points[4]
        cdef int32_t after
        cdef int sides = min(len(cards), 4)
        for i in range(sides):
            counts[i] = cards[i]
        c.basra_majority(&self.rules, sides, counts, carry, points, &after)
        return [points[i] for i in range(sides)], after

    def winner(self, list scores):
        cdef int32_t points[4]
        cdef int sides = min(len(scores), 4)
        for i in range(sides):
            points[i] = scores[i]
        return c.basra_match_winner(&self.rules, sides, points)
