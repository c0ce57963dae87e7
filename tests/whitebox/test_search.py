"""Parts of the search for two sides: standings, proofs, endings, moves, the driver and limits."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from whitebox.build import Module
from whitebox.modules import (
    cards_of,
    exact_value,
    mask_of,
    new_engine,
    pair,
    pair_with_a_cache_of_one,
    pair_without_endings,
    random_nodes,
    random_position,
    reference,
    rule_sets,
    set_up,
    solve,
)

M = pair()
LIB, FFI = M.lib, M.ffi
UNIT = 1024
STANDINGS = list(itertools.product(range(-60, 61), (-1, 0, 1)))
WORDS = {at: LIB.standing_of(*at) for at in STANDINGS}
SOME = [(lead, last) for lead, last in STANDINGS if lead % 7 == 0 or -3 <= lead <= 3]


def playable(m: Module) -> Iterator[Any]:
    """Rule sets for two and four players at the whole pack."""
    for rules in rule_sets(m):
        if rules.deck == 52:
            rules.tables = 15
            yield rules


def theirs(m: Module, rules: Any, p: Any) -> tuple[Any, Any]:
    """Rules and position as another module's."""
    copies = (m.ffi.new("basra_rules *"), m.ffi.new("basra_position *"))
    for copy, given in zip(copies, (rules, p), strict=True):
        m.ffi.buffer(copy)[:] = FFI.buffer(FFI.addressof(given[0]))[:]
    return copies


# -- standings -------------------------------------------------------------------------------------


def parts(word: int) -> tuple[int, int]:
    return LIB.standing_lead(word), LIB.standing_last(word)


def test_standings_are_packed_whole() -> None:
    assert len(set(WORDS.values())) == len(STANDINGS)
    for at, word in WORDS.items():
        assert parts(word) == at
        assert 0 < word < 1 << 16
        assert LIB.standing_at_least(LIB.STANDING_TOP, word)
        assert LIB.standing_at_least(LIB.STANDING_HIGHEST, word)
        assert LIB.standing_at_least(word, LIB.STANDING_LOWEST)
    # As "whatever the lead" is carried through the cards of a round, nothing spills over.
    far = [LIB.standing_of(lead, last) for lead in (-116, 116) for last in (-1, 1)]
    for word, (at, other) in itertools.product(far, WORDS.items()):
        assert LIB.standing_at_least(word, other) == (
            parts(word)[0] >= at[0] and parts(word)[1] >= at[1]
        )


def test_standings_are_compared_in_each_part() -> None:
    for (a, x), (b, y) in itertools.product(WORDS.items(), WORDS.items()):
        assert LIB.standing_at_least(x, y) == (a[0] >= b[0] and a[1] >= b[1])


def test_lower_of_two_standings() -> None:
    for a, b in itertools.product(SOME, STANDINGS):
        lower = LIB.standing_lower(WORDS[a], WORDS[b])
        assert lower == WORDS[min(a[0], b[0]), min(a[1], b[1])]
        assert LIB.standing_with_last(WORDS[a], WORDS[b]) == WORDS[a[0], b[1]]


def test_turned_and_captured_standings() -> None:
    for (lead, last), word in WORDS.items():
        turned = LIB.standing_turned(word)
        assert parts(turned) == (-lead, -last)
        assert LIB.standing_turned(turned) == word
        assert LIB.standing_after(word, 0) == turned
        for cards in range(2, 53):
            # The other side is so much further behind, and no longer the last to have captured.
            assert parts(LIB.standing_after(word, cards)) == (-lead - cards, -1)


@pytest.mark.parametrize("beta", [-9, 0, 9])
def test_proofs_on_the_way_back(beta: int) -> None:
    """A bound for all standings after a move is one for all that lead there, and for no others."""
    for cards, gain, value in itertools.product((0, 2, 7), (-1, 0, 12), (-5 * UNIT, 0, 3 * UNIT)):
        move = FFI.new("search_move *", {"cards": cards, "gain": gain})
        for after in SOME:
            found = LIB.proof_before(move, (value, WORDS[after]), beta * UNIT)
            assert found.value == gain * UNIT - value
            low = found.value >= beta * UNIT
            for at in SOME:
                then = LIB.standing_after(WORDS[at], cards)
                # A lower bound here is an upper bound there.
                holds = (
                    LIB.standing_at_least(WORDS[after], then)
                    if low
                    else LIB.standing_at_least(then, WORDS[after])
                )
                reached = (
                    LIB.standing_at_least(WORDS[at], found.at)
                    if low
                    else LIB.standing_at_least(found.at, WORDS[at])
                )
                if cards and after[1] != -1:
                    # Nobody gets there but as the last capturer; so it says less than it could.
                    assert holds >= (reached and low)
                    continue
                assert holds == reached


# -- leaves ----------------------------------------------------------------------------------------


def round_end(bonus: int, final: int, gain: int) -> int:
    return gain * UNIT + bonus * UNIT * ((final > 0) - (final < 0))


@pytest.mark.parametrize("bonus", [0, 30])
@pytest.mark.parametrize("leftovers", [0, 1, 4])
def test_range_of_the_rounds_end(bonus: int, leftovers: int) -> None:
    """The bound holds for the whole range, and the range of leads could not be wider."""
    engine = new_engine(M, 1)
    problem = FFI.addressof(engine.problem)
    engine.problem.bonus = bonus
    points = 3 if leftovers else 0
    for lead, last in itertools.product(range(-12, 13), (-1, 0, 1)):
        final, gain = lead + last * leftovers, 2 + last * points
        for beta in (-40, -28, -1, 0, 2, 3, 30, 32, 33, 60):
            found = LIB.leaf_round(problem, lead, last, leftovers, final, gain, beta * UNIT)
            assert found.value == round_end(bonus, final, gain)
            low = found.value >= beta * UNIT
            edge, who = parts(found.at)
            assert who == ((-1 if low else 1) if not leftovers else last)
            for other in range(-60, 61):
                value = round_end(bonus, other + last * leftovers, gain)
                reached = other >= edge if low else other <= edge
                holds = value >= found.value if low else value <= found.value
                assert reached == holds


def test_range_of_a_boundary() -> None:
    """Where deals are to come each card of the lead counts, unless there is nothing to win."""
    engine = new_engine(M, 1)
    problem = FFI.addressof(engine.problem)
    deal = FFI.new("search_deal *", {"undealt": 16})
    types = LIB.engine_types(engine, LIB.basra_preset_rules(0))
    engine.problem.types = types
    engine.problem.to_round_end = False
    for bonus, lead, last in itertools.product((0, 30), range(-20, 21), (-1, 0, 1)):
        engine.problem.bonus = bonus
        v = FFI.new("visit *", {"at": LIB.standing_of(lead, last)})
        v.place.deal, v.place.floor = deal, 0b1011
        value = LIB.leaf_proof(problem, v, 0).value
        for beta, low in ((value, True), (value + 1, False)):
            found = LIB.leaf_proof(problem, v, beta)
            assert found.value == value
            edge, who = parts(found.at)
            assert who == (-1 if low else 1)
            assert edge == (lead if bonus else (-1 if low else 1) * LIB.LEAD_MOST)
            other = FFI.new("visit *", v[0])
            for moved in range(-20, 21):
                other.at = LIB.standing_of(moved, 0)
                there = LIB.leaf_proof(problem, other, beta).value
                if moved >= edge if low else moved <= edge:
                    assert there >= value if low else there <= value


# -- proofs in the table ---------------------------------------------------------------------------


R = reference()


def reference_of(engine: Any, entry: Any, lead: int, last: int, rules: Any, carry: int) -> int:
    """Value of an entry's place, with any cards of the right types, by the plain solver."""
    problem, types = engine.problem, engine.problem.types
    number = entry.floor >> 52 & 31
    deal, start = problem.deal[number], problem.deal[number].all
    free = {t: cards_of(types.members[t]) for t in range(types.count)}
    players = problem.players

    def hands(d: Any, held: int) -> list[list[int]]:
        return [
            [free[d.slot[s].trail.type].pop() for s in cards_of(held & d.seat[seat])]
            for seat in range(players)
        ]

    p = R.ffi.new("basra_position *", {"players": players, "partners": problem.partners})
    p.floor = mask_of(
        free[t].pop()
        for t in range(types.count)
        for _ in range((entry.floor & types.field[t]) // types.unit[t])
    )
    for seat, cards in enumerate(hands(deal, entry.held)):
        p.hand[seat] = mask_of(cards)
    first = engine.root_turn if not number else problem.leader
    p.turn = (first + start.bit_count() - entry.held.bit_count()) % players
    p.leader = problem.leader
    stock: list[int] = []
    for later in range(number + 1, problem.deals):
        d = problem.deal[later]
        dealt = hands(d, d.all)
        for i in range(players):
            stock += dealt[(problem.leader + i) % players]
    for i, card in enumerate(stock):
        p.stock[i] = card
    p.stock_size = len(stock)
    side = p.turn % 2
    p.cards[side], p.cards[1 - side] = max(lead, 0), max(-lead, 0)
    p.last = -1 if not last else side if last > 0 else 1 - side
    p.carry = carry
    value, visits = R.ffi.new("int32_t *"), R.ffi.new("uint64_t *")
    copy = R.ffi.new("basra_rules *")
    R.ffi.buffer(copy)[:] = FFI.buffer(FFI.addressof(rules[0]))[:]
    assert R.lib.reference_value(SOLVER, copy, p, value, visits) == 0
    return int(value[0])


SOLVER = R.ffi.gc(R.lib.reference_new(1 << 20), R.lib.reference_free)


class Searched:
    """An engine with what the plain solver needs to know besides."""

    def __init__(self, engine: Any, turn: int) -> None:
        self.problem = engine.problem
        self.root_turn = turn


def table_of(engine: Any) -> Iterator[Any]:
    entries = FFI.cast("pair_entry *", engine.table)
    for i in range(2 * (engine.mask + 1)):
        if entries[i].floor >> 57 == engine.owner:
            yield entries[i]


def check_table(engine: Any, rules: Any, p: Any, dice: random.Random, most: int) -> int:
    """Bounds of some entries, at the far ends of their ranges; their number.

    Where standings are ordered the far end says it for the whole range.
    """
    searched = Searched(engine, p.turn)
    entries = list(table_of(engine))
    checked = 0
    for entry in dice.sample(entries, min(most, len(entries))):
        assert entry.depth == remaining(engine, entry)
        for value, at, low in ((entry.low, entry.low_at, True), (entry.high, entry.high_at, False)):
            if abs(value) == LIB.VALUE_INFINITE:
                continue
            lead, last = parts(at)
            # Cards of such a lead are more than there are.
            lead = max(-36, min(36, lead))
            leads = {lead, lead + dice.randrange(4) * (1 if low else -1)}
            for other in leads:
                exact = UNIT * reference_of(searched, entry, other, last, rules, p.carry)
                assert value <= exact if low else value >= exact
            checked += 1
    return checked


def remaining(engine: Any, entry: Any) -> int:
    deal = engine.problem.deal[entry.floor >> 52 & 31]
    return int(entry.held.bit_count() + deal.later)


@pytest.mark.parametrize(("players", "deals"), [(2, 1), (2, 2), (4, 1)])
def test_every_bound_in_the_table_is_true(players: int, deals: int) -> None:
    dice = random.Random(players * 10 + deals)
    checked = {True: 0, False: 0}
    for rules in [*playable(M)] * 4:
        engine = new_engine(M)
        p = shorter(random_position(M, rules, players, dice, deals), rules, 13)
        root = set_up(M, engine, rules, p)
        exact_value(M, engine, root, dice.randint(-30, 30) * UNIT)
        monotone = bool(engine.problem.monotone)
        checked[monotone] += check_table(engine, rules, p, dice, 80)
    assert checked[True] > 700
    assert checked[False] > 700


def shorter(p: Any, rules: Any, left: int) -> Any:
    """The position some plies later."""
    moves, count = FFI.new("basra_move[2048]"), FFI.new("size_t *")
    while sum(h.bit_count() for h in p.hand) + p.stock_size - p.stock_next > left:
        assert LIB.basra_position_moves(rules, p, moves, 2048, count) == 0
        move = moves[p.played * 5 % count[0]]
        assert LIB.basra_position_play(rules, move.card, move.taken, p) == 0
    return p


@pytest.mark.parametrize("unsearched", [0, 16])
def test_proofs_hold_in_their_whole_range(unsearched: int) -> None:
    """What a search answers at a place holds for every standing in the range it claims."""
    dice = random.Random(unsearched)
    general = pair_without_endings()
    ranges = 0
    for rules in playable(M):
        engine, other = new_engine(M), new_engine(general)
        p = shorter(random_position(M, rules, 2, dice, 1), rules, 6)
        root = set_up(M, engine, rules, p, unsearched)
        again = set_up(general, other, *theirs(general, rules, p), unsearched)
        values = {}
        for lead, last in itertools.product(range(-12, 13), (-1, 0, 1)):
            give_standing(again, lead, last)
            values[lead, last] = exact_value(general, other, again)
        monotone = engine.problem.monotone
        for _ in range(30):
            at = (dice.randint(-9, 9), dice.randint(-1, 1))
            beta = dice.choice([values[at], values[at] + 1, dice.randint(-40, 40) * UNIT])
            give_standing(root, *at)
            assert LIB.engine_enter(engine, FFI.NULL) == 0
            if dice.randrange(2):
                LIB.engine_own(engine, False)
            v = FFI.new("visit *", LIB.visit_of(engine, root))
            assert parts(v.at) == at
            found = LIB.enter(engine, v, beta, 0)
            LIB.engine_leave(engine)
            low = found.value >= beta
            assert low == (values[at] >= beta)
            for standing, value in values.items():
                word = WORDS[standing]
                if not monotone and standing[1] != at[1]:
                    continue
                if low and LIB.standing_at_least(word, found.at):
                    assert value >= found.value
                    ranges += 1
                if not low and LIB.standing_at_least(found.at, word):
                    assert value <= found.value
                    ranges += 1
            assert LIB.proof_reaches(engine, *((v.at, found.at) if low else (found.at, v.at)))
    assert ranges > 2000


def give_standing(root: Any, lead: int, last: int) -> None:
    side = root.place.turn % 2
    root.cards[side], root.cards[1 - side] = 20 + lead, 20
    root.last = -1 if not last else side if last > 0 else 1 - side


# -- endings, tables, limits -----------------------------------------------------------------------


def value_of(
    m: Module, engine: Any, rules: Any, p: Any, nodes: int = 0
) -> tuple[int | None, int, int]:
    """Value if known, nodes and why the search ended."""
    solution = m.ffi.new("basra_solution *")
    limits = m.ffi.new("basra_limits *", {"nodes": nodes})
    assert m.lib.basra_value(engine, rules, p, limits, solution) == 0
    assert (solution.known == 1) == (solution.stop == 0)
    value = int(solution.value) if solution.known else None
    return value, int(solution.nodes), int(solution.stop)


def positions(players: int, deals: int, seed: int, left: int) -> Iterator[tuple[Any, Any]]:
    """A position of each rule set, with at most so many cards to play."""
    dice = random.Random(seed)
    for rules in playable(M):
        rules.basra_on_last = dice.randrange(2)
        p = random_position(M, rules, players, dice, deals)
        yield rules, shorter(p, rules, left)


@pytest.mark.parametrize(("players", "left"), [(2, 3), (2, 4), (2, 7), (2, 11), (4, 7)])
@pytest.mark.parametrize("round_", range(4))
def test_endings_are_worth_what_the_search_says(players: int, left: int, round_: int) -> None:
    """The last cards of deals without lists, against the general search and the plain solver."""
    general = pair_without_endings()
    engine, other = new_engine(M), new_engine(general)
    for rules, p in positions(players, 2 if left > 8 else 1, 100 * round_ + left, left):
        found = solve(M, engine, rules, p)
        assert found == solve(general, other, *theirs(general, rules, p))
        value, visits = R.ffi.new("int32_t *"), R.ffi.new("uint64_t *")
        assert R.lib.reference_value(SOLVER, *theirs(R, rules, p), value, visits) == 0
        assert found[1] == value[0]


def test_lists_may_be_forgotten_at_any_time() -> None:
    """Places of one capture list hold while the lists of those behind them come and go."""
    forgetful = pair_with_a_cache_of_one()
    engine, other = new_engine(M), new_engine(forgetful)
    for seed, left in itertools.product(range(6), (3, 4, 7, 10)):
        for rules, p in positions(2, 2, 40 + seed, left):
            found = solve(M, engine, rules, p)
            assert found == solve(forgetful, other, *theirs(forgetful, rules, p))


def test_too_many_captures_are_said_to_be() -> None:
    """Where the last cards are played without lists too, and once only."""
    rules = next(r for r in playable(M) if r.choice == LIB.BASRA_CHOICE_ANY)
    nines_and_less = (1 << 36) - 1
    for hand in (1 << 36, 1 << 36 | 1 << 50):
        p = FFI.new("basra_position *", {"players": 2, "last": -1, "floor": nines_and_less})
        p.hand[0], p.hand[1] = hand, 1 << 37 | (1 << 51 if hand.bit_count() > 1 else 0)
        engine, solution = new_engine(M), FFI.new("basra_solution *")
        status = LIB.basra_value(engine, rules, p, FFI.NULL, solution)
        assert status == LIB.BASRA_E_TOO_LARGE
        assert not solution.known


@pytest.mark.parametrize("players", [2, 4])
def test_endings_before_a_boundary(players: int) -> None:
    """The same where the deal is not the round's last, and most cards count by expectation."""
    general = pair_without_endings()
    engine, other = new_engine(M), new_engine(general)
    for left in (2, 3, 6):
        for rules, p in positions(players, 1, left, left):
            root = set_up(M, engine, rules, p, 8)
            again = set_up(general, other, *theirs(general, rules, p), 8)
            for lead, last in itertools.product((-9, 0, 1, 6), (-1, 0, 1)):
                give_standing(root, lead, last)
                give_standing(again, lead, last)
                assert exact_value(M, engine, root) == exact_value(general, other, again)


@pytest.mark.parametrize(("players", "deals", "left"), [(2, 1, 7), (2, 2, 10), (4, 1, 7)])
def test_limits_are_kept_to_the_node(players: int, deals: int, left: int) -> None:
    """Stopped anywhere, a search says so, and leaves nothing wrong to the next one."""
    dice = random.Random(left)
    for rules, p in positions(players, deals, left, left):
        used = new_engine(M, 1)
        full = value_of(M, used, rules, p)
        nodes = full[1]
        assert full[0] is not None
        limits = {1, 2, 3, nodes - 1, nodes, nodes + 1, *(dice.randint(1, nodes) for _ in range(9))}
        for limit in sorted(limits - {0}):
            found = value_of(M, used, rules, p, limit)
            if limit < nodes:
                assert found == (None, limit, LIB.BASRA_STOP_NODES)
            else:
                assert found == full
            assert value_of(M, used, rules, p) == full


def test_a_stopped_search_leaves_true_bounds() -> None:
    """The table of a search that was stopped is as good as any other."""
    dice = random.Random(8)
    checked = 0
    for rules, p in positions(2, 1, 5, 8):
        engine = new_engine(M)
        nodes = value_of(M, engine, rules, p)[1]
        for _ in range(4):
            limit = dice.randint(1, nodes)
            value_of(M, engine, rules, p, limit)
            checked += check_table(engine, rules, p, dice, 20)
    assert checked > 300


def test_nodes_do_not_depend_on_the_past() -> None:
    """A limit in nodes is worth the same to an engine that has solved much and to a new one."""
    worn = new_engine(M, 1)
    dice = random.Random(4)
    for rules, p in positions(2, 1, 77, 8):
        fresh = value_of(M, new_engine(M, 1), rules, p)
        for _ in range(2):
            assert value_of(M, worn, rules, p) == fresh
            for _ in range(dice.randrange(20)):
                LIB.engine_own(worn, False)


def test_owners_never_meet() -> None:
    """Problems by the hundred, of two kinds, in one small table: each as if it were alone."""
    dice = random.Random(12)
    rules = next(playable(M))
    worn, owners, kinds = new_engine(M, 1), set(), 0
    questions = []
    for players in (2, 3, 4):
        for _ in range(6):
            p = shorter(random_position(M, rules, players, dice, 1), rules, 2 * players)
            questions.append((p, value_of(M, new_engine(M, 1), rules, p)[0]))
    two_sided = [q for q in questions if q[0].players != 3]
    for turn in range(420):
        # Long runs of one kind, so that numbers run out, then one of the other.
        p, value = dice.choice(questions if turn % 140 > 132 else two_sided)
        kinds += p.players == 3
        assert value_of(M, worn, rules, p)[0] == value
        owners.add(worn.owner)
    assert kinds > 3
    assert len(owners) > 100


@pytest.mark.parametrize("players", [2, 4])
def test_smallest_table(players: int) -> None:
    """As few entries as there can be."""
    tiny, large = new_engine(M, 1), new_engine(M)
    assert (tiny.pair_mask + 1) * 2 == 32
    for rules, p in positions(players, 2 if players == 2 else 1, 9, 10):
        assert solve(M, tiny, rules, p) == solve(M, large, rules, p)


# -- the driver ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "deals", "left"), [(2, 1, 6), (2, 2, 10), (4, 1, 6)])
def test_any_guess_finds_the_value(players: int, deals: int, left: int) -> None:
    for rules, p in positions(players, deals, 3, left):
        engine = new_engine(M)
        root = set_up(M, engine, rules, p)
        value = exact_value(M, engine, root)
        for guess in (-100, -31, -1, 0, 1, 17, 100):
            assert exact_value(M, engine, root, guess * UNIT) == value
        assert exact_value(M, engine, root, value) == value
        assert exact_value(M, engine, root, value + 1) == value
        count = LIB.engine_moves(engine, FFI.addressof(root.place), 0)
        moves = [FFI.new("search_move *", engine.memory.moves[i]) for i in range(count)]
        assert LIB.engine_enter(engine, FFI.NULL) == 0
        LIB.engine_own(engine, False)
        worth: list[int] = []
        for move in moves:
            found = {
                LIB.alphabeta_move_value(engine, root, move, guess * UNIT, count)
                for guess in (-100, -7, 0, 7, 100)
            }
            assert len(found) == 1
            worth += found
            assert LIB.alphabeta_reaches(engine, root, move, worth[-1], count)
            assert not LIB.alphabeta_reaches(engine, root, move, worth[-1] + 1, count)
        LIB.engine_leave(engine)
        assert max(worth) == value


def test_first_guess_is_only_a_guess() -> None:
    for rules, p in positions(2, 2, 13, 10):
        engine, s = new_engine(M), FFI.new("solving *")
        solution = FFI.new("basra_solution *")
        values = set()
        for guess in (None, -100, 0, 100):
            assert LIB.engine_enter(engine, FFI.NULL) == 0
            LIB.solving_start(engine, rules, p, s)
            if guess is not None:
                s.guess = guess
            LIB.solving_value(s, solution)
            LIB.engine_leave(engine)
            values.add(solution.value)
        assert values == {value_of(M, engine, rules, p)[0]}


@pytest.mark.parametrize("deals", [1, 2, 3, 7])
def test_driver_brackets(deals: int) -> None:
    """Each question lies between what is known, so that an answer always says something new."""
    engine = new_engine(M, 1)
    engine.problem.deals, engine.problem.bonus = deals, 30
    far = LIB.VALUE_INFINITE
    for value in (-45 * UNIT, -1, 0, 1, 1023, 30 * UNIT):
        for guess in (-100 * UNIT, -1, 0, 5, 100 * UNIT):
            known, asked = FFI.new("bracket *", LIB.bracket_from(guess)), 0
            assert (known.low, known.high, known.beta) == (-far, far, guess)
            while known.low < known.high:
                assert known.low < known.beta <= known.high
                asked += 1
                # The least that an answer can say.
                answer = known.beta if value >= known.beta else known.beta - 1
                LIB.learn(engine, answer, known)
                if deals == 1 and asked > 3:
                    # Bounds of a search jump to values that occur; here they creep.
                    break
            assert known.low <= value <= known.high
            assert deals == 1 or asked < 150


# -- moves -----------------------------------------------------------------------------------------


def full_deal(engine: Any, rules: Any, dice: random.Random, floor_cards: int) -> Any:
    """A problem in which two hold half of the cards that are not on the floor; its root."""
    cards = list(range(52))
    dice.shuffle(cards)
    floor, rest = cards[:floor_cards], cards[floor_cards:]
    setup = FFI.new("problem_setup *", {"players": 2, "last": -1})
    half = len(rest) // 2
    setup.hand[0], setup.hand[1] = mask_of(rest[:half]), mask_of(rest[half : 2 * half])
    setup.floor, setup.unsearched = mask_of(floor), len(rest) - 2 * half
    root = FFI.new("search_node *")
    LIB.engine_types(engine, rules)
    lore, problem = FFI.addressof(engine.memory.lore), FFI.addressof(engine.problem)
    LIB.problem_init(lore, setup, problem, root)
    return root


Made = tuple[int, int, int, int, int, int]


def listed(engine: Any, place: Any) -> tuple[list[Made], list[int]]:
    """The moves of a place but for their promises, and those."""
    count = LIB.engine_moves(engine, FFI.addressof(place), 0)
    assert count
    moves = [FFI.new("search_move *", engine.memory.moves[i]) for i in range(count)]
    made = [(m.slot, m.type, LIB.search_taken(m), m.cards, m.gain, m.index) for m in moves]
    for move in moves:
        if not move.cards:
            assert move.change == engine.problem.types.unit[move.type]
    return made, [m.promise for m in moves]


def plain_captures(engine: Any, floor: int, kind: int) -> list[int]:
    work, count = FFI.new("capture_work *"), FFI.new("size_t *")
    types = engine.problem.types
    assert LIB.captures_list(types, floor, kind, 0, work, count) == 0
    taken = [work.taken[i] for i in range(count[0])]
    LIB.captures_free(work)
    return taken


def expected_moves(engine: Any, rules: Any, place: Any) -> list[Made]:
    """All moves of a place from the rules of captures alone."""
    problem, types = engine.problem, engine.problem.types
    deal, floor = place.deal, LIB.place_floor(FFI.addressof(place))
    mine = cards_of(place.held & deal.seat[place.turn])
    kinds: dict[int, int] = {}
    for slot in mine:
        # Of equal cards the one in the highest slot.
        kinds[deal.slot[slot].trail.type] = slot
    takes = {kind: plain_captures(engine, floor, kind) for kind in kinds}
    if rules.must_capture == LIB.BASRA_MUST_HAND and any(takes.values()):
        takes = {kind: taken for kind, taken in takes.items() if taken}
    last = place.left == 1 and problem.to_round_end and not rules.basra_on_last
    moves = []
    for kind, all_taken in sorted(takes.items()):
        if not all_taken or rules.must_capture == LIB.BASRA_MUST_NONE:
            moves.append((kinds[kind], kind, 0, 0, 0, 0))
        for index, taken in enumerate(all_taken):
            counts = [(taken & types.field[t]) // types.unit[t] for t in range(types.count)]
            gain = types.points[kind]
            gain += sum(types.points[t] * n for t, n in enumerate(counts))
            if not last:
                gain += LIB.capture_basra(types, floor, kind, taken)
            moves.append((kinds[kind], kind, taken, sum(counts) + 1, gain, index + 1))
    return moves


def test_moves_are_canonical_and_whole() -> None:
    """Worked out or from the cache, on floors small and large, and with long lists of captures."""
    dice = random.Random(31)
    engine = new_engine(M, 1)
    long_lists = 0
    for rules, floor_cards in itertools.product(list(playable(M)), (0, 1, 2, 3, 5, 8, 12)):
        root = full_deal(engine, rules, dice, floor_cards)
        expected = expected_moves(engine, rules, root.place)
        LIB.generate_for(engine.problem.types, FFI.addressof(engine.memory))
        first = listed(engine, root.place)
        assert first[0] == expected
        # The second time most come from the cache.
        assert listed(engine, root.place) == first
        assert [m[1] for m in expected] == sorted(m[1] for m in expected)
        long_lists += max(m[5] for m in expected) > LIB.CACHED_CAPTURES
    assert long_lists > 10


def test_moves_along_random_play() -> None:
    """One cache for all places on the way, rules for rules, the last card of the round included."""
    dice = random.Random(32)
    engine = new_engine(M, 1)
    lasts = 0
    for rules in playable(M):
        for on_last in (0, 1):
            rules.basra_on_last = on_last
            p = random_position(M, rules, 2, dice, 2)
            root = set_up(M, engine, rules, p)
            for node in random_nodes(M, engine, root, dice, 12):
                assert listed(engine, node.place)[0] == expected_moves(engine, rules, node.place)
                lasts += node.place.left == 1
    assert lasts > 100


def test_looks_go_along_with_floors() -> None:
    """What a floor looks like after a move is what it looks like at first sight."""
    dice = random.Random(33)
    engine = new_engine(M, 1)
    singles = FFI.addressof(engine.memory.lore.singles)
    seen = [0, 0]
    for rules in playable(M):
        root = set_up(M, engine, rules, random_position(M, rules, 2, dice, 3))
        types = engine.problem.types
        for node in random_nodes(M, engine, root, dice, 8):
            floor = LIB.place_floor(FFI.addressof(node.place))
            sight = LIB.looks_of(singles, floor)
            counts = [0] * 13
            for kind in range(types.count):
                counts[types.rank[kind]] += (floor & types.field[kind]) // types.unit[kind]
            single = max(counts) <= 1 and not floor & types.wild
            assert (sight < LIB.LOOKS_SEVERAL) == single == (node.place.looks < LIB.LOOKS_SEVERAL)
            seen[single] += 1
            if single:
                assert sight == node.place.looks == sum(n << r for r, n in enumerate(counts))
    assert min(seen) > 100


def test_single_floors_all_have_room() -> None:
    """What is kept of them must not depend on which came first, or visits would as well."""
    engine, work = new_engine(M, 1), FFI.new("capture_work *")
    most = 0
    for rules in playable(M):
        types = LIB.engine_types(engine, rules)
        lore = engine.memory.lore
        singles = FFI.addressof(lore.singles)
        units = {types.rank[kind]: types.unit[kind] for kind in range(types.count)}
        for kind in range(types.count):
            row = lore.slot[kind].row
            ranks = [rank for rank in range(13) if row.mask >> rank & 1] or [types.rank[kind]]
            for chosen in itertools.product((False, True), repeat=len(ranks)):
                part = sum(units[r] for r, on in zip(ranks, chosen, strict=True) if on)
                part -= part & types.wild
                looks = LIB.looks_of(singles, part)
                if part and looks < LIB.LOOKS_SEVERAL:
                    assert not LIB.singles_fill(types, part, row, looks, kind, work, singles)
        most = max(most, lore.singles.used)
    LIB.captures_free(work)
    assert 1000 < most <= LIB.SINGLES_MORE


def test_single_floors_when_their_table_is_full() -> None:
    """Where there is no room for several captures, they are found all the same."""
    dice = random.Random(34)
    engine = new_engine(M, 1)
    singles = engine.memory.lore.singles
    kept = many = 0
    for rules, floor_cards in itertools.product(list(playable(M)), (3, 4, 5, 6)):
        for full in (False, True):
            root = full_deal(engine, rules, dice, floor_cards)
            LIB.generate_for(engine.problem.types, FFI.addressof(engine.memory))
            singles.used = LIB.SINGLES_MORE if full else 0
            expected = expected_moves(engine, rules, root.place)
            for _ in range(2):
                assert listed(engine, root.place)[0] == expected
            assert singles.used <= LIB.SINGLES_MORE
            states = [singles.capture[i].state for i in range(LIB.SINGLES_SIZE)]
            many += states.count(LIB.SINGLE_MANY)
            kept += sum(state > LIB.SINGLE_NONE + 1 for state in states)
            assert not full or max(states) <= LIB.SINGLE_NONE + 1
    assert kept > 10
    assert many > 10


def test_tallies() -> None:
    """Cards and points of a bag, by table and one by one; points below nothing too."""
    dice = random.Random(35)
    engine = new_engine(M, 1)
    below = False
    for rules in rule_sets(M):
        types = LIB.engine_types(engine, rules)
        below = below or min(types.points[0 : types.count]) < 0
        worth = FFI.addressof(engine.memory.lore.worth)
        for size in (0, 1, 2, 5, 20, 52):
            cards = dice.sample(range(52), size)
            kinds = [types.type_of[card] for card in cards]
            found = LIB.tally_up(worth, sum(types.unit[kind] for kind in kinds))
            assert LIB.tally_cards(found) == size
            assert LIB.tally_points(found) == sum(types.points[kind] for kind in kinds)
    assert below


@pytest.mark.parametrize("on_last", [0, 1])
@pytest.mark.parametrize("unsearched", [0, 16])
def test_basra_with_the_last_card(on_last: int, unsearched: int) -> None:
    """A ten on a ten: a basra, unless more lies there or it is the last card of the round."""
    engine = new_engine(M, 1)
    rules = FFI.new("basra_rules *", LIB.basra_preset_rules(0)[0])
    rules.basra_on_last = on_last
    ten, queen = 38, 44  # a ten and a queen without points
    for more, left in itertools.product((0, 1), (1, 2)):
        p = FFI.new("basra_position *", {"players": 2, "last": -1})
        p.hand[0], p.hand[1] = 1 << ten, (1 << 50) * (left - 1)
        p.floor = 1 << (ten + 1) | more << queen
        for _ in range(2):
            root = set_up(M, engine, rules, p, unsearched)
            (move,) = listed(engine, root.place)[0]
            basra = not more and (left > 1 or unsearched or on_last)
            assert move[4] == (rules.basra_points if basra else 0)
            # The same card elsewhere asks for the same part of a floor.
            other = FFI.new("basra_position *", p[0])
            other.floor = 1 << (ten + 1) | (1 - more) << queen
            listed(engine, set_up(M, engine, rules, other, unsearched).place)


def test_cache_keys_are_exact() -> None:
    dice = random.Random(6)
    seen: dict[int, tuple[int, int, bool]] = {}
    for _ in range(3000):
        asked = (dice.getrandbits(52), dice.randrange(52), bool(dice.randrange(2)))
        near = [asked, (asked[0], asked[1] ^ 1, asked[2]), (*asked[:2], not asked[2])]
        for part, kind, plain in near:
            key = LIB.move_cache_key(part, kind, plain)
            assert key
            assert seen.setdefault(key, (part, kind, plain)) == (part, kind, plain)
            assert LIB.move_cache_type(key) == kind
            assert LIB.move_cache_plain(key) == plain


def test_cache_is_emptied_for_other_rules() -> None:
    """What a card took under the last rules says nothing under these."""
    dice = random.Random(2)
    every = list(playable(M))
    engine = new_engine(M, 1)
    cards = random.Random(9)
    for _ in range(40):
        rules = dice.choice(every)
        state = cards.getstate()
        root = full_deal(engine, rules, cards, 5)
        assert listed(engine, root.place)[0] == expected_moves(engine, rules, root.place)
        if dice.randrange(3):
            # The same cards again, under other rules.
            cards.setstate(state)


def test_relevant_parts_of_floors() -> None:
    """What does not matter to a card never changes what it takes."""
    dice = random.Random(17)
    engine = new_engine(M, 1)
    for rules in rule_sets(M):
        root = full_deal(engine, rules, dice, 7)
        types, floor = engine.problem.types, root.place.floor
        for slot in cards_of(root.place.deal.all):
            s = root.place.deal.slot[slot]
            part = floor & s.relevant
            kind = s.trail.type
            assert plain_captures(engine, part, kind) == plain_captures(engine, floor, kind)
            assert s.points == types.points[kind]
            for other in range(types.count):
                field = types.field[other]
                assert s.relevant & field in (0, field)
