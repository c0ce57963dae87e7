# cython: language_level=3
"""The C core as Python objects: it converts and checks ranges, and holds no rule of the game.

Cards are 0..51, sets of cards are ints with one bit a card, search values are in 1/UNIT points.
"""

from cpython.exc cimport PyErr_CheckSignals
from cpython.object cimport PyObject, PyTypeObject
from cpython.pythread cimport PyThread_get_thread_ident
from cpython.time cimport perf_counter
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from basra cimport _capi as c

import os
import threading
from array import array

UNIT = c.BASRA_UNIT
MAX_CAPTURES = c.BASRA_MAX_CAPTURES
NO_SEAT = c.BASRA_NO_SEAT
UNKNOWN_SEAT = c.BASRA_UNKNOWN_SEAT
VERSION = c.BASRA_VERSION.decode()


class CoreError(Exception):
    """A status other than OK: `status`, `fault` (0 if none) and `detail` (-1 if none)."""

    def __init__(self, status, fault=0, detail=-1):
        super().__init__(c.basra_status_text(status).decode())
        self.status = status
        self.fault = fault
        self.detail = detail


def status_texts():
    """Text of every status, by code."""
    return [c.basra_status_text(code).decode() for code in range(<int>c.BASRA_STATUS_END)]


def fault_texts():
    """(field, what is wrong, what to do) of every fault, by code."""
    return [
        (
            c.basra_fault_field(code).decode(),
            c.basra_fault_text(code).decode(),
            c.basra_fault_fix(code).decode(),
        )
        for code in range(<int>c.BASRA_FAULT_END)
    ]


def preset_names():
    """Names of the presets, in their own order."""
    return [c.basra_preset_name(i).decode() for i in range(c.basra_preset_count())]


cdef int check(int status, int fault=0, int detail=-1) except -1:
    if status != <int>c.BASRA_OK:
        if status == <int>c.BASRA_E_NOMEM:
            raise MemoryError
        raise CoreError(status, fault, detail)
    return 0


cdef void *allocate(size_t size) except NULL:
    cdef void *memory = malloc(size if size else 1)
    if memory == NULL:
        raise MemoryError
    return memory


cdef tuple move_tuple(const c.basra_move *move):
    return (move.card, move.taken, move.basra, move.points)


# Only the main thread is ever told of signals.  Asking `threading` who that is takes as long as
# playing half a deal.
cdef unsigned long main_thread = threading.main_thread().ident


def _forked():
    """After a fork the thread that did it is the main one."""
    global main_thread
    main_thread = PyThread_get_thread_ident()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


cdef inline bint in_main_thread() noexcept:
    return <unsigned long>PyThread_get_thread_ident() == main_thread


# A poll runs in the middle of a search: it keeps the exception it meets and asks for the end; the
# caller raises it once the C call has returned.
cdef int poll_signals(void *user) noexcept with gil:
    try:
        PyErr_CheckSignals()
    except BaseException as error:
        (<list>user).append(error)
        return 1
    return 0


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


def column(const int32_t[::1] values, size_t at, size_t step, size_t seats):
    """Every `step`-th number from `at` on, as array("q").

    With `seats` more than 1, of each `seats` numbers there: seats times the first, less all of them.
    """
    cdef size_t count = 0 if at >= <size_t>values.shape[0] else (values.shape[0] - at - 1) // step + 1
    cdef size_t i, seat
    cdef int64_t[::1] out
    cdef int64_t number
    found = array("q", bytes(8 * count))
    if not count:
        return found
    out = found
    for i in range(count):
        number = values[at + i * step]
        if seats > 1:
            number *= <int64_t>seats
            for seat in range(seats):
                number -= values[at + i * step + seat]
        out[i] = number
    return found


def differences(const int64_t[::1] a, const int64_t[::1] b):
    """a - b, number by number, as array("q")."""
    cdef size_t count = min(a.shape[0], b.shape[0]), i
    cdef int64_t[::1] out
    found = array("q", bytes(8 * count))
    if not count:
        return found
    out = found
    for i in range(count):
        out[i] = a[i] - b[i]
    return found


def sums(const int64_t[::1] values):
    """(sum, sum of squares) of numbers below 2^40 or so, exact."""
    cdef int64_t most = 0, total = 0, part, number
    cdef size_t count = values.shape[0], block, first, i
    for i in range(count):
        number = values[i] if values[i] >= 0 else -values[i]
        if number > most:
            most = number
        total += values[i]
    if most >= 1 << 31:
        return total, sum([int(values[i]) ** 2 for i in range(count)])
    # As many squares as fit are added up in C, before they go into an int without bounds.
    block = min(count, (<int64_t>1 << 62) // (most * most)) if most else count
    squares, first = 0, 0
    while first < count:
        part = 0
        for i in range(first, min(first + block, count)):
            part += values[i] * values[i]
        squares += part
        first += block
    return total, squares


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

    def world_values(self, ViewData view, Worlds worlds, size_t groups, uint64_t nodes,
                     int64_t time_ns, list interrupts, dict results, object key):
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
        self.positions[self.count] = p[0]
        self.rules[self.count] = &position.rules.rules
        self.count += 1
        for seat in range(p.players):
            cards += card_count(p.hand[seat])
        return cards * cards

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
