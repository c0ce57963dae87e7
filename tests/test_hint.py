"""Hints: exact where they can be, means over worlds elsewhere; limits, threads, and reasons."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
import time
from array import array
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import pytest

import oracle
from basra import (
    ArgumentError,
    Cards,
    Engine,
    EngineBusyError,
    Hint,
    KnowledgeError,
    Limits,
    Move,
    Position,
    Rules,
    TooLargeError,
    View,
    _core,
    captures,
    hint,
    solve,
)
from basra.reasons import CODES, reasons_for
from basra.task import Gap, HintTask, told_apart
from helpers import (
    TABLE_IDS,
    TABLES,
    RulePair,
    Table,
    both,
    move_text,
    numbers,
    positions_of,
    set_of,
)

PACK = (1 << 52) - 1
SINGLES_HELD = 8
"""Cards in all hands up to which three or four single players are searched here."""


def plain_text(move: Move) -> str:
    """A move's text without the mark of a basra."""
    return move.text.rstrip("*")


def values(found: Hint) -> dict[str, float | None]:
    """Value of every legal move, members of `equal` included."""
    return {
        plain_text(move): entry.value
        for entry in found.moves
        for move in (entry.move, *entry.equal)
    }


def same_bits(found: Hint) -> dict[str, object]:
    """Everything but the time."""
    answer = found.to_dict()
    del answer["seconds"]
    return answer


def searched(table: Table, position: Position) -> bool:
    """Is this small enough to be searched in a moment?"""
    held = sum(map(len, position.hands))
    return not position.is_over and held <= (SINGLES_HELD if table.singles else 12)


# -- the known last deal -------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["classic", "egyptian", "palestine", "egyptian-v2"])
def test_known_last_deal_is_solved(preset: str) -> None:
    """Two players, every card seen: one world, exact, and the values are the solver's."""
    compared = 0
    for seed in range(12):
        for position in positions_of(Rules.preset(preset), 2, False, seed, seed % 2):
            if position.is_over or position.stock:
                continue
            found = hint(position.view())
            solved = solve(position)
            assert found.exact
            assert found.worlds_complete
            assert (found.stop, found.worlds, found.method) == ("complete", 1, "solve/1")
            assert values(found) == {
                plain_text(move): entry.value
                for entry in solved.moves
                for move in (entry.move, *entry.equal)
            }
            assert [entry.move for entry in found.moves] == [entry.move for entry in solved.moves]
            for entry in found.moves:
                assert (entry.stderr, entry.delta_stderr) == (0, 0)
            compared += 1
    assert compared == 12 * 8


def test_exact_only_when_nothing_is_open() -> None:
    """Not before the last deal, and not when it is open who captured last or what is gone."""
    for seed in range(3):
        for position in positions_of(Rules.preset("classic"), 2, False, seed):
            if position.is_over or len(position.hands[position.turn]) > 2:
                continue
            view = position.view()
            found = hint(view, limits=Limits(worlds=4))
            assert found.exact == (not position.stock)
    seen = Cards.from_mask(PACK) - Cards("7D 5C 3C 2H 9D 9C 5S")
    open_last = hint(hand="7D 5C", floor="3C 2H 5S", seen=seen, deal=6)
    assert (open_last.worlds, open_last.exact, open_last.worlds_complete) == (2, False, True)
    known = hint(hand="7D 5C", floor="3C 2H 5S", seen=seen, deal=6, last="me")
    assert (known.worlds, known.exact) == (1, True)


# -- means over worlds ---------------------------------------------------------------------------

Split = tuple[frozenset[int], ...]


def deals_of(pool: frozenset[int], sizes: list[int]) -> Iterator[Split]:
    """Every way to deal cards to hidden hands."""
    if not sizes:
        yield ()
        return
    for chosen in combinations(sorted(pool), sizes[0]):
        for rest in deals_of(pool - set(chosen), sizes[1:]):
            yield (frozenset(chosen), *rest)


def brute(view: View, pair: RulePair) -> dict[str, Fraction]:
    """Mean over all worlds of a last deal, each searched to its end by the oracle."""
    players, mine = view.players, view.seat - 1
    sides = 2 if view.partners else players
    lasts = [mine] if view.last == "me" else list(range(sides))
    counts = [0] * players
    for i, count in enumerate(view.cards):
        counts[(mine + i) % sides] = count
    totals: dict[str, Fraction] = {}
    worlds = 0
    for hidden in deals_of(numbers(view.unseen), list(view.hidden)):
        hands = [frozenset[int]()] * players
        hands[mine] = numbers(view.hand)
        for i, hand in enumerate(hidden):
            hands[(mine + 1 + i) % players] = hand
        for last in lasts:
            state = oracle.position(
                pair.theirs,
                hands,
                numbers(view.floor),
                partners=view.partners,
                counts=counts,
                last=last,
                turn=mine,
                carry=view.carry,
            )
            for move, value, _ in oracle.solve_moves(state):
                text = move_text(move)
                totals[text] = totals.get(text, Fraction(0)) + value
            worlds += 1
    return {text: total / worlds for text, total in totals.items()}


def forget(view: View, cards_forgotten: int, seed: int) -> dict[str, Any]:
    """Options of a view in which some of the cards gone were not noticed."""
    gone = sorted(view.seen, key=lambda card: (card.index * 7919 + seed * 31) % 53)
    return {
        "hand": view.hand,
        "floor": view.floor,
        "rules": view.rules,
        "seen": Cards(gone[cards_forgotten:]),
        "cards": view.cards,
        "carry": view.carry,
        "deal": view.deal,
        "seat": view.seat,
        "players": view.players,
        "partners": view.partners,
    }


@pytest.mark.parametrize(
    ("table", "plies", "forgotten"),
    [
        (Table("classic", 2, False), 4, 3),
        (Table("egyptian", 2, False), 3, 4),
        (Table("palestine", 2, False), 4, 2),
        (Table("egyptian-v2", 2, False), 4, 2),
        (Table("classic", 3, False), 3, 2),
        (Table("palestine-52", 3, False), 4, 1),
        (Table("palestine", 4, False), 4, 1),
        (Table("palestine-52", 4, True), 4, 1),
        (Table("classic", 4, True), 3, 2),
    ],
)
@pytest.mark.parametrize("last", ["me", "unknown"])
@pytest.mark.parametrize("seed", range(3))
def test_mean_of_all_worlds(table: Table, plies: int, forgotten: int, last: str, seed: int) -> None:
    """Cards not tracked, or several hidden hands: each world solved by the oracle."""
    pair = both(table.preset)
    position = list(positions_of(pair.ours, table.players, table.partners, seed))[-1 - plies]
    view = View(**forget(position.view(), forgotten, seed), last=last)
    if not view.cards[0] and last == "me":
        pytest.fail("the seed has to give the seat to move some cards")
    assert view.untracked == forgotten
    found = hint(view, worlds=100_000, model=None)
    assert found.worlds_complete
    assert not found.exact
    assert (found.stop, found.method) == ("complete", "worlds/1")
    wanted = brute(view, pair)
    assert found.worlds > 1
    assert values(found) == {text: pytest.approx(float(v), abs=1e-9) for text, v in wanted.items()}
    for entry in found.moves:
        assert (entry.stderr, entry.delta_stderr) == (0, 0)
    if table.singles:
        for entry in found.moves:
            assert entry.points is not None
            mean = sum(entry.points[1:]) / (table.players - 1)
            assert entry.value == pytest.approx(entry.points[0] - mean, abs=1e-9)


def to_deal_end(state: oracle.State) -> tuple[int, ...]:
    """Points by side to the end of the deal, best play with open hands; no bonus, no leftovers."""
    side = oracle.side_of(state, state.turn)
    outcomes = [after(state, move) for move in in_type_order(state)]
    return max(outcomes, key=lambda points: len(points) * points[side] - sum(points))


def in_type_order(state: oracle.State) -> list[oracle.Move]:
    """Legal moves, equal cards ranking as the first card of their kind."""
    types = oracle.card_types(state.rules)
    return sorted(
        oracle.moves(state), key=lambda m: (types[m.card], sorted(types[c] for c in m.taken))
    )


def after(state: oracle.State, move: oracle.Move) -> tuple[int, ...]:
    """The same after a move, its own points included."""
    later = oracle.apply(state, move)
    gained = tuple(
        new - old
        for new, old in zip(oracle.banked_points(later), oracle.banked_points(state), strict=True)
    )
    if len(later.stock) < len(state.stock):
        return gained
    return tuple(a + b for a, b in zip(gained, to_deal_end(later), strict=True))


@pytest.mark.parametrize(
    ("table", "held"),
    [
        (Table("classic", 2, False), 3),
        (Table("palestine", 2, False), 3),
        (Table("classic", 4, True), 5),
        (Table("palestine-52", 3, False), 5),
        (Table("palestine-52", 4, False), 5),
    ],
)
@pytest.mark.parametrize("seed", range(4))
def test_worlds_are_searched_to_the_end_of_the_deal(table: Table, held: int, seed: int) -> None:
    """Before the last deal, most cards being worth nothing: each world by plain search."""
    pair = both(table.preset, most_cards=0)
    rounds = positions_of(pair.ours, table.players, table.partners, seed)
    position = next(
        p for p in rounds if sum(map(len, p.hands)) == held and p.deal_number >= 2 and p.stock
    )
    view, worlds, mine = position.view(), 6, position.turn
    found = hint(view, limits=Limits(worlds=worlds), seed=seed)
    assert found.worlds == worlds
    assert found.stop == "worlds"
    totals: dict[str, Fraction] = {}
    points: dict[str, list[int]] = {}
    sides = 2 if table.partners else table.players
    drawn = view.data.sample_worlds(seed, 0, worlds)
    for i in range(worlds):
        state = oracle.position(
            pair.theirs,
            [set_of(hand) for hand in drawn[i][0]],
            numbers(view.floor),
            [card.index for card in position.stock],
            partners=table.partners,
            turn=mine,
        )
        for move in oracle.moves(state):
            gained, side = after(state, move), oracle.side_of(state, mine)
            others = Fraction(sum(gained) - gained[side], sides - 1)
            text = move_text(move)
            totals[text] = totals.get(text, Fraction(0)) + gained[side] - others
            old = points.setdefault(text, [0] * sides)
            points[text] = [a + b for a, b in zip(old, gained, strict=True)]
    assert values(found) == {
        text: pytest.approx(float(total / worlds), abs=1e-9) for text, total in totals.items()
    }
    if table.singles:
        for entry in found.moves:
            told = points[plain_text(entry.move)]
            turned = [told[(mine + seat) % sides] / worlds for seat in range(sides)]
            assert entry.points == pytest.approx(turned, abs=1e-9)


def test_a_decided_bonus_is_counted_in_full() -> None:
    """A lead that cannot be made up is worth all of the most-cards points, a carry included."""
    plain, bonus = Rules.preset("classic").with_changes(most_cards=0), Rules.preset("classic")
    for mine, theirs, sign in ((33, 0, 1), (0, 33, -1)):
        options: dict[str, Any] = {
            "hand": "7D 5C KH 2S",
            "floor": "3C 2H 5S",
            "deal": 5,
            "cards": (mine, theirs),
            "limits": Limits(worlds=5),
            "model": None,
        }
        without = values(hint(rules=plain, **options))
        with_it = values(hint(rules=bonus, carry=30, **options))
        for text, value in without.items():
            assert value is not None
            assert with_it[text] == pytest.approx(value + sign * 60, abs=1e-9)


def test_an_even_race_is_worth_nothing_to_either() -> None:
    """The mirrored lead has the mirrored value, and more of a lead is worth more."""
    options: dict[str, Any] = {
        "hand": "QD",
        "floor": "3C 2H 5S",
        "deal": 5,
        "seat": 2,
        "limits": Limits(worlds=1),
        "rules": Rules.preset("classic").with_changes(card_points={}),
    }
    gone = View(**{k: v for k, v in options.items() if k != "limits"}).gone
    shares = {}
    for lead in (0, 2, 6, 10):
        mine = (gone + lead) // 2
        ahead = hint(cards=(mine, gone - mine), **options).best.value
        behind = hint(cards=(gone - mine, mine), **options).best.value
        assert ahead is not None
        assert behind is not None
        assert ahead == pytest.approx(-behind, abs=0.01)
        shares[lead] = ahead
    assert list(shares.values()) == sorted(shares.values())
    assert 0 < shares[2] < 30


# -- determinism and statistics ------------------------------------------------------------------


@pytest.mark.parametrize("limits", [Limits(worlds=100), Limits(nodes=30_000)])
@pytest.mark.parametrize(
    "options",
    [
        {"hand": "7D 5C KH", "floor": "3C 2H 5S"},
        {"hand": "7D 5C", "floor": "3C 2H 5S", "players": 3, "rules": "palestine-52"},
    ],
)
def test_same_bits_for_any_number_of_threads(limits: Limits, options: dict[str, Any]) -> None:
    """Worlds or nodes limit the search: one answer, whatever shares the work."""
    view = View(**options)
    answers = []
    for threads in (1, 2, 3, 7):
        with Engine(threads) as engine:
            for _ in range(2):
                answers.append(same_bits(engine.hint(view, limits, seed=5)))
    assert all(answer == answers[0] for answer in answers)
    assert answers[0]["worlds"] != 0
    with Engine(2, table_bytes=1024) as engine:
        small = same_bits(engine.hint(view, limits, seed=5))
    if limits.worlds is not None:
        # A small table costs nodes, and nothing else.
        assert small["moves"] == answers[0]["moves"]


def test_an_engine_has_no_memory() -> None:
    """What was searched before does not change an answer."""
    view = View("7D 5C KH", "3C 2H 5S")
    fresh = same_bits(hint(view, limits=Limits(worlds=20), model=None))
    with Engine() as engine:
        for rules in ("palestine", "egyptian-v2"):
            engine.hint(View("6D 5C", "3C 2H 5S", rules=rules), Limits(worlds=5))
        engine.solve(Position.deal("classic", 1), Limits(nodes=5000))
        assert same_bits(engine.hint(view, Limits(worlds=20))) == fresh


def test_seeds() -> None:
    """Another seed draws other worlds; the default is 0."""
    view = View("7D 5C KH", "3C 2H 5S")
    default = same_bits(hint(view, limits=Limits(worlds=20)))
    assert default == same_bits(hint(view, limits=Limits(worlds=20), seed=0))
    assert default["moves"] != same_bits(hint(view, limits=Limits(worlds=20), seed=1))["moves"]


@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
def test_what_every_hint_has(table: Table) -> None:
    """All legal moves once, best first, gaps and errors as they must be."""
    tried = sampled = 0
    for seed in range(2):
        rules = both(table.preset).ours
        for number, position in enumerate(positions_of(rules, table.players, table.partners, seed)):
            if not searched(table, position) or number % 3 == 2:
                continue
            view = position.view()
            found = hint(view, limits=Limits(worlds=12), seed=seed)
            tried += 1
            told = [move for entry in found.moves for move in (entry.move, *entry.equal)]
            assert sorted(move.text for move in told) == sorted(
                move.text for move in view.legal_moves()
            )
            known = [entry.value for entry in found.moves if entry.value is not None]
            assert len(known) == len(found.moves)
            assert known == sorted(known, reverse=True)
            for entry in found.moves:
                assert entry.value is not None
                assert entry.delta is not None
                assert entry.delta == pytest.approx(known[0] - entry.value, abs=1e-9)
                assert entry.delta >= 0
                if found.worlds_complete:
                    assert (entry.stderr, entry.delta_stderr) == (0, 0)
                else:
                    assert entry.stderr is not None
                    assert entry.delta_stderr is not None
                    sampled += entry.stderr > 0
                check_equal(entry.move, entry.equal, table.preset)
            assert found.moves[0].delta == 0
            assert found.moves[0].delta_stderr == 0
            assert found.position == view.notation
            assert found.rules_hash == rules.hash
            assert found.worlds <= 12
            assert found.stop in ("complete", "worlds")
    assert tried > 15
    assert sampled > 0


def check_equal(move: Move, equal: tuple[Move, ...], preset: str) -> None:
    """They differ only in equal cards."""
    types = oracle.card_types(oracle.PRESETS[preset])

    def kind(m: Move) -> tuple[int, list[int], int, int]:
        taken = sorted(types[card.index] for card in m.captures)
        return types[m.card.index], taken, m.basra, m.points

    assert all(kind(other) == kind(move) for other in equal)


def test_one_world_has_no_error() -> None:
    """A single draw says nothing of its spread."""
    found = hint(hand="7D 5C KH 2S", floor="3C 2H 5S", limits=Limits(worlds=1))
    assert found.worlds == 1
    assert not found.worlds_complete
    for entry in found.moves:
        assert entry.stderr is None
        assert entry.delta_stderr is None
    assert found.to_dict()["moves"][0]["stderr"] is None  # type: ignore[index]


def test_standard_errors() -> None:
    """From the values of the single worlds, which are hints of one world each."""
    view, worlds = View("7D 5C KH", "3C 2H 5S"), 20
    found = hint(view, limits=Limits(worlds=worlds), model=None)
    with Engine() as engine:
        core = engine._engines[0]
        groups = view.data.moves()[1]
        results: dict[int, tuple[array[int], list[int], int]] = {}
        sample = view.data.sample_worlds(0, 0, worlds)
        core.world_values(view.data, None, sample, groups, 0, 0, [], results, 0)
    listed = results[0][0]
    columns = [[v / 1024 for v in listed[group::groups]] for group in range(groups)]
    means = [sum(column) / worlds for column in columns]
    best = columns[means.index(max(means))]
    wanted = []
    for column in columns:
        gaps = [a - b for a, b in zip(best, column, strict=True)]
        wanted.append((sum(column) / worlds, error_of(column), sum(gaps) / worlds, error_of(gaps)))
    wanted.sort(key=lambda entry: -entry[0])
    for entry, numbers_ in zip(found.moves, wanted, strict=True):
        told = (entry.value, entry.stderr, entry.delta, entry.delta_stderr)
        assert told == pytest.approx(numbers_, abs=1e-9)


def error_of(sample: list[float]) -> float:
    """Standard error of the mean."""
    n, mean = len(sample), sum(sample) / len(sample)
    return float((sum((x - mean) ** 2 for x in sample) / (n - 1) / n) ** 0.5)


# -- limits and stops ----------------------------------------------------------------------------

LONG: dict[str, Any] = {
    "hand": "7D 5C KH 2S",
    "floor": "3C 2H 5S",
    "players": 3,
    "rules": "palestine-52",
}

SLOW: dict[str, Any] = {
    "hand": "7D 5C KH 2S 9C 4D 8H TC",
    "floor": "3C 2H 5S 9D",
    "rules": Rules.preset("classic").with_changes(hand_size=8, must_capture="none"),
}
"""Hands of eight, all free to be trailed: one world takes about a third of a second."""


def test_default_limit() -> None:
    """160 worlds, or all where they are fewer: here 9C 9D, or a nine and TS."""
    close = hint(hand="9D 9C QH KS", floor="3C 2H", model=None)
    assert (close.stop, close.worlds) == ("worlds", 160)
    seen = Cards.from_mask(PACK) - Cards("7D 5C 3C 2H 9D 9C 5S TS")
    few = hint(hand="7D 5C", floor="3C 2H 5S", seen=seen, deal=6, last="me")
    assert (few.stop, few.worlds, few.worlds_complete) == ("complete", 2, True)


def clear() -> View:
    """A view where one move is far better than the others."""
    return View("7D 5C KH 2S", "3C 2H 5S")


def test_a_clearly_best_move_settles() -> None:
    """A fifth of the worlds is enough to tell, and the answer is the one that all worlds give."""
    found = hint(clear(), model=None)
    assert (found.stop, found.worlds, found.worlds_complete) == ("settled", 32, False)
    whole = hint(clear(), model=None, worlds=160)
    assert found.best.move == whole.best.move
    gaps = [
        Gap(entry.delta, entry.delta_stderr, found.worlds)
        for entry in found.moves[1:]
        if entry.delta is not None
    ]
    assert len(gaps) == len(found.moves) - 1
    assert told_apart(gaps, 1)
    # Its worlds are the first of those that a limit would search, and nothing else.
    assert same_bits(replace(found, stop="worlds")) == same_bits(
        hint(clear(), model=None, worlds=32)
    )


@pytest.mark.parametrize("worlds", [32, 33, 64, 160, 400])
def test_a_limit_in_worlds_never_settles(worlds: int) -> None:
    """Whoever asks for so many gets so many; other limits do not keep it from settling."""
    found = hint(clear(), worlds=worlds)
    assert (found.stop, found.worlds) == ("worlds", worlds)
    assert hint(clear(), nodes=1_000_000).stop == "settled"
    assert hint(clear(), time=60.0).stop == "settled"


@pytest.mark.parametrize("options", [{}, {"players": 3, "rules": "palestine-52"}])
@pytest.mark.parametrize("seed", range(3))
def test_settling_does_not_depend_on_threads(options: dict[str, Any], seed: int) -> None:
    """Worlds that other threads have found already are not looked at too early."""
    view = View("7D 5C 2S", "3C 2H 5S", **options)
    first = same_bits(hint(view, seed=seed, model=None))
    assert first["stop"] == "settled"
    for threads in (2, 3):
        assert same_bits(hint(view, seed=seed, threads=threads, model=None)) == first


def test_only_worlds_that_are_due_are_looked_at() -> None:
    """The last chunk comes first: when the first ones come, the look is at those alone."""
    order = HintTask(clear(), Limits(), 0)
    late = HintTask(clear(), Limits(), 0)
    with Engine() as engine:
        for chunk in range(len(order.chunks)):
            order.run(engine._engines[0], chunk, [])
            if order.advance():
                break
        for chunk in reversed(range(len(late.chunks))):
            late.run(engine._engines[0], chunk, [])
        assert late.advance()
    assert order.result().stop == "settled"
    assert same_bits(late.result()) == same_bits(order.result())


def equal_moves(rng: random.Random, spread: str) -> tuple[float, float]:
    """Values of two moves in one world, equally good and equally spread."""
    if spread == "normal":
        return rng.gauss(0, 1), rng.gauss(0, 1)
    return 10 * (rng.random() < 0.2), 10 * (rng.random() < 0.2)  # a basra now and then


@pytest.mark.parametrize("spread", ["normal", "basras"])
def test_moves_that_are_equal_are_seldom_told_apart(spread: str) -> None:
    """Over all looks of a default hint together less than the 2 % that are allowed.

    And more than none of them, as a test that never tells anything apart is worth nothing.
    """
    rng, rounds, mistaken = random.Random(20), 6000, 0
    for _ in range(rounds):
        count, total, squares = 0, 0.0, 0.0
        for look in (1, 2, 3):
            while count < 32 << (look - 1):
                one, other = equal_moves(rng, spread)
                count, total, squares = (
                    count + 1,
                    total + one - other,
                    squares + (one - other) ** 2,
                )
            variance = (squares - total * total / count) / (count - 1)
            error = (variance / count) ** 0.5
            if told_apart([Gap(abs(total) / count, error, count)], look):
                mistaken += 1
                break
    assert 0.005 * rounds < mistaken < 0.02 * rounds


def test_told_apart() -> None:
    """Every gap has to pass; moves share what a look may be wrong, and later looks get less."""
    sure, unsure, none = Gap(3.0, 1.0, 64), Gap(2.0, 1.0, 64), Gap(0.0, 0.0, 64)
    assert told_apart([sure], 1)
    assert not told_apart([unsure], 1)
    assert not told_apart([sure, unsure], 1)
    assert not told_apart([none], 1)
    assert told_apart([Gap(0.5, 0.0, 64)], 5)
    assert not told_apart([Gap(3.0, None, 1)], 1)
    assert not told_apart([sure], 3)
    assert told_apart([sure] * 2, 1)
    assert not told_apart([sure] * 4, 1)
    # A sample of a few heavy worlds says less than as many that count the same.
    assert not told_apart([Gap(3.0, 1.0, 8)], 1)
    # Nothing to choose from.
    assert told_apart([], 1)


@pytest.mark.parametrize("worlds", [1, 2, 15, 16, 17, 33])
def test_world_limit(worlds: int) -> None:
    """Exactly so many, and the same ones for any number."""
    view = View("7D 5C KH", "3C 2H 5S")
    found = hint(view, limits=Limits(worlds=worlds))
    assert (found.stop, found.worlds) == ("worlds", worlds)


def test_node_limit() -> None:
    """Not exceeded, but for the first world; more nodes, more worlds."""
    view = View(**LONG)
    first = hint(view, limits=Limits(nodes=1))
    assert (first.stop, first.worlds) == ("nodes", 1)
    assert first.nodes > 1
    before = first.nodes
    for nodes in (3 * first.nodes, 5 * first.nodes):
        found = hint(view, limits=Limits(nodes=nodes))
        assert found.stop == "nodes"
        assert before < found.nodes <= nodes
        before = found.nodes


@pytest.mark.parametrize("threads", [1, 2])
def test_time_limit(threads: int) -> None:
    """It stops by itself and says so."""
    found = hint(View(**LONG), limits=Limits(time=0.1, worlds=1_000_000), threads=threads)
    assert found.stop == "time"
    assert 0 < found.worlds < 1_000_000
    assert found.seconds < 5


@pytest.mark.parametrize(("threads", "seconds"), [(1, 1.2), (4, 2.5)])
def test_stop_from_another_thread(threads: int, seconds: float) -> None:
    """`requested`, with every world that was finished; the engine goes on to serve."""
    view = View(**SLOW)
    with Engine(threads) as engine:
        for _ in range(3):
            timer = threading.Timer(seconds, engine.stop)
            timer.start()
            found = engine.hint(view, Limits(worlds=1_000_000))
            timer.join()
            assert found.stop == "requested"
            assert engine.last_result == found
            again = engine.hint(View("7D 5C KH", "3C 2H 5S"), Limits(worlds=4))
            assert (again.stop, again.worlds) == ("worlds", 4)
            assert 0 < found.worlds < 1000
            assert found.best.value is not None


def test_stop_a_solve_from_another_thread() -> None:
    """Three players, a whole round: it would take for ever."""
    position = Position.deal("palestine-52", 1, players=3)
    with Engine() as engine:
        timer = threading.Timer(0.1, engine.stop)
        timer.start()
        found = engine.solve(position)
        timer.join()
        assert (found.stop, found.exact, found.line) == ("requested", False, ())
        assert engine.last_result == found


def test_a_stop_is_dropped_when_nothing_runs() -> None:
    """It does not end the next call."""
    with Engine() as engine:
        engine.stop()
        assert engine.hint(View("7D 5C KH", "3C 2H 5S"), Limits(worlds=3)).worlds == 3
        engine.stop()
        assert engine.solve(Position.setup("5S/KH", "5H 2C")).exact


def test_busy() -> None:
    """A second call while one runs is refused, and does not disturb it."""
    with Engine() as engine:
        results: list[Hint] = []
        limits = Limits(worlds=1_000_000, time=30)
        runner = threading.Thread(target=lambda: results.append(engine.hint(View(**LONG), limits)))
        runner.start()
        deadline = time.monotonic() + 20
        refused: list[EngineBusyError] = []
        while len(refused) < 2 and time.monotonic() < deadline:
            try:
                if refused:
                    engine.solve(Position.setup("5S/KH", "5H 2C"))
                else:
                    engine.hint(View("7D 5C KH", "3C 2H 5S"), Limits(worlds=1))
            except EngineBusyError as error:
                refused.append(error)
            time.sleep(0.005)
        engine.stop()
        runner.join()
        assert [(error.code, error.field) for error in refused] == [("busy", "engine")] * 2
        assert results[0].stop == "requested"


def test_closed() -> None:
    """A closed engine is an error, not a crash."""
    engine = Engine()
    engine.close()
    for call in (
        lambda: engine.hint(View("7D 5C KH", "3C 2H 5S")),
        lambda: engine.solve(Position.setup("5S/KH", "5H 2C")),
    ):
        with pytest.raises(ArgumentError) as caught:
            call()
        assert caught.value.field == "engine"
    engine.stop()
    engine.close()


def test_stream() -> None:
    """Partial answers, more and more worlds, then the whole; and leaving early frees the engine."""
    view = View(**LONG)
    with Engine() as engine:
        parts = list(engine.stream(view, Limits(worlds=48), every=0.0))
        assert [part.worlds for part in parts] == sorted(part.worlds for part in parts)
        assert len(parts) >= 3
        assert {part.stop for part in parts[:-1]} == {"requested"}
        assert same_bits(parts[-1]) == same_bits(hint(view, limits=Limits(worlds=48), model=None))
        stream = engine.stream(view, Limits(worlds=1_000_000), every=0.0)
        assert 0 < next(stream).worlds < 48
        with pytest.raises(EngineBusyError):
            engine.hint(view, Limits(worlds=1))
        stream.close()  # type: ignore[attr-defined]
        assert engine.hint(view, Limits(worlds=1)).worlds == 1


INTERRUPTED = """
import _thread, os, signal, statistics, sys, threading, time
from basra import Engine, Limits, Position, Rules, View

threads, what, how = int(sys.argv[1]), sys.argv[2], sys.argv[3]
rules = Rules.preset("classic").with_changes(hand_size=8, must_capture="none")
view = View("7D 5C KH 2S 9C 4D 8H TC", "3C 2H 5S 9D", rules=rules)
position = Position.deal("palestine-52", 1, players=3)
sent, delays, kept = 0.0, [], []

def interrupt():
    global sent
    time.sleep(1.2)
    sent = time.monotonic()
    if how == "signal":
        os.kill(os.getpid(), signal.SIGINT)
    else:
        _thread.interrupt_main()

with Engine(threads) as engine:
    for _ in range(3):
        thread = threading.Thread(target=interrupt)
        thread.start()
        try:
            if what == "hint":
                engine.hint(view, Limits(worlds=1_000_000))
            else:
                engine.solve(position)
            print("not interrupted")
        except KeyboardInterrupt:
            delays.append(time.monotonic() - sent)
        thread.join()
        result = engine.last_result
        assert result.stop == "interrupted", result.stop
        assert not result.exact
        if what == "hint":
            kept.append(result.worlds)
            # It is still a whole engine.
            assert engine.hint(View("7D 5C", "3C 2H 5S"), Limits(worlds=3)).worlds == 3
        else:
            kept.append(result.nodes)
            assert engine.solve(Position.setup("5S/KH", "5H 2C")).value == 32
print(statistics.median(delays), statistics.median(kept))
"""


def run_script(script: str, *arguments: str) -> str:
    """What a Python program prints; it must end well."""
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("threads", "what", "how"),
    [
        (1, "hint", "signal"),
        (2, "hint", "signal"),
        (2, "hint", "interrupt_main"),
        (1, "solve", "interrupt_main"),
    ],
)
def test_interrupted(threads: int, what: str, how: str) -> None:
    """Ctrl-C ends a search at once, keeps what was finished, and leaves the engine whole.

    `interrupt_main` stands for a Ctrl-C that does not wake the main thread, as on Windows.
    """
    delay, kept = run_script(INTERRUPTED, str(threads), what, how).split()
    # 100 ms is measured by benchmarks/latency.py; a busy machine must not fail a test.
    assert float(delay) < 1.0
    assert float(kept) > 0


INTERRUPTED_EARLY = """
import os, signal, threading
from basra import Engine, Limits, View
from basra.task import HintTask

searching = threading.Event()
original = HintTask.run

def run(self, *arguments):
    searching.set()
    return original(self, *arguments)

HintTask.run = run

def interrupt():
    searching.wait()
    os.kill(os.getpid(), signal.SIGINT)

least = 1 << 30
with Engine() as engine:
    for _ in range(6):
        searching.clear()
        thread = threading.Thread(target=interrupt)
        thread.start()
        try:
            engine.hint(View("7D 5C KH 2S", "3C 2H 5S"), Limits(worlds=1_000_000))
        except KeyboardInterrupt:
            least = min(least, engine.last_result.worlds)
        thread.join()
print(least)
"""


def test_interrupted_in_the_first_worlds() -> None:
    """Ctrl-C during a short call of the core, which ends by itself: its worlds are kept as well."""
    assert int(run_script(INTERRUPTED_EARLY)) > 0


@pytest.mark.parametrize(
    ("limits", "field", "value"),
    [
        ({"worlds": 0}, "worlds", "0"),
        ({"worlds": 1_000_001}, "worlds", "1000001"),
        ({"worlds": 1.5}, "worlds", "1.5"),
        ({"worlds": True}, "worlds", "True"),
        ({"nodes": 0}, "nodes", "0"),
        ({"nodes": -1}, "nodes", "-1"),
        ({"time": 0}, "time", "0"),
        ({"time": -1.0}, "time", "-1"),
        ({"time": float("nan")}, "time", "nan"),
        ({"time": float("inf")}, "time", "inf"),
        ({"time": "1"}, "time", "1"),
    ],
)
def test_limits_out_of_range(limits: dict[str, Any], field: str, value: str) -> None:
    """Each is refused by name."""
    with pytest.raises(ArgumentError) as caught:
        Limits(**limits)
    assert (caught.value.field, caught.value.value) == (field, value)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"method": "magic"}, "method"),
        ({"threads": 0}, "threads"),
        ({"threads": 257}, "threads"),
        ({"seed": -1}, "seed"),
        ({"seed": 1 << 64}, "seed"),
        ({"view": View("7D", "3C 2H 5S"), "deal": 2}, "deal"),
    ],
)
def test_arguments_out_of_range(options: dict[str, Any], field: str) -> None:
    """Seed, threads, method; and a view with options beside it."""
    view = options.pop("view", None)
    if view is None:
        options |= {"hand": "7D", "floor": "3C 2H 5S"}
    with pytest.raises(ArgumentError) as caught:
        hint(view, **options)
    assert caught.value.field == field
    with pytest.raises(ArgumentError) as caught:
        hint()
    assert caught.value.field == "hand"


def test_a_contradiction_is_told_before_any_search() -> None:
    """As a view would tell it."""
    with pytest.raises(KnowledgeError):
        hint(hand="7D 5C", floor="3C 2H 5S", cards=(1, 8))


def test_results_as_json() -> None:
    """Fields and their order are part of the interface."""
    found = hint(hand="7D 5C KH 2S", floor="3C 2H 5S", limits=Limits(worlds=4), seed=3).to_dict()
    assert list(found) == [
        "schema",
        "position",
        "rules",
        "assumed",
        "method",
        "exact",
        "trust",
        "objective",
        "worlds_complete",
        "stop",
        "worlds",
        "nodes",
        "seconds",
        "seed",
        "moves",
    ]
    assert found["schema"] == "basra.hint/1"
    assert found["seed"] == 3
    moves = found["moves"]
    assert isinstance(moves, list)
    assert list(moves[0]) == [
        "move",
        "card",
        "captures",
        "basra",
        "value",
        "stderr",
        "delta",
        "delta_stderr",
        "equal",
        "reasons",
    ]


# -- reasons -------------------------------------------------------------------------------------


def sweeping(pair: RulePair, card: int) -> bool:
    """Does a card take the whole floor by its power?"""
    return oracle.rules.sweeps(pair.theirs, card)


def any_of(wanted: int, pool: int, draws: int) -> float:
    """Chance that a draw without return holds one of the wanted."""
    return 1 - comb(pool - wanted, draws) / comb(pool, draws)


def reasons_wanted(view: View, position: Position, pair: RulePair, move: Move) -> dict[Any, Any]:
    """Code and cards of every reason, with its value, from the rules alone.

    All cards gone have been seen, and cards are buried at random.
    """
    rules, taken, card = pair.theirs, numbers(move.captures), move.card.index
    wanted: dict[Any, Any] = {}

    def say(code: str, cards_: Any, value: float) -> None:
        wanted[code, tuple(oracle.text(c) for c in sorted(cards_))] = pytest.approx(value)

    floor = numbers(view.floor)
    basra_now = oracle.basra_points(
        rules, floor, card, taken, not position.stock and held(position) == 1
    )
    if basra_now:
        say("basra", taken, basra_now)
    if taken:
        say("takes", taken | {card}, len(taken) + 1)
        worth = oracle.card_points(rules, taken | {card})
        if worth:
            say("points", taken, worth)
    left = numbers(view.hand) - {card}
    # The next player.
    hidden = held(position) - len(view.hand)
    over = not position.stock and held(position) == 1
    new_deal = held(position) == 1
    unseen = set(range(52)) & numbers(view.rules.pack) - numbers(view.hand) - floor
    unseen -= numbers(view.seen)
    pool = set(unseen)
    if view.deal == 1 and not new_deal:
        pool -= numbers(view.buried)
    draws = view.hidden[0]
    if new_deal and not over:
        draws = min(rules.hand_size, len(position.stock) // view.players)
    there = floor - taken if taken else floor | {card}
    if there and not over:
        last = not position.stock and hidden == 1 and not left
        makes = {
            c
            for c in pool
            if there in oracle.captures(rules, there, c)
            and oracle.basra_points(rules, there, c, there, last)
        }
        takes = {c for c in pool if sweeping(pair, c)}
        if makes:
            say("reply_basra", makes, any_of(len(makes), len(pool), draws))
        if takes:
            say("reply_sweep", takes, any_of(len(takes), len(pool), draws))
    # What becomes of the card, and what is kept.
    rank = {c for c in numbers(view.rules.pack) if c // 4 == card // 4}
    if not taken and not rank & (unseen | left | floor):
        say("last_copy", {card}, len(rank) - 1)
    if not taken and sweeping(pair, card):
        say("power_risked", {card}, 1)
    kept = {c for c in left if sweeping(pair, c)}
    if kept and len(left) == 1:
        say("power_risked", kept, 1)
    elif kept:
        say("power_kept", kept, len(kept))
    return wanted


def held(position: Position) -> int:
    """Cards in all hands."""
    return sum(map(len, position.hands))


@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
def test_reasons(table: Table) -> None:
    """Every reason of every move of whole rounds, its cards and value recomputed."""
    pair, codes = both(table.preset), set()
    for seed in range(3):
        for position in positions_of(pair.ours, table.players, table.partners, seed):
            if position.is_over:
                continue
            view = position.view()
            for move in view.legal_moves():
                found = {
                    (reason.code, reason.cards): reason.value for reason in reasons_for(view, move)
                }
                assert found == reasons_wanted(view, position, pair, move), (
                    position.notation,
                    move.text,
                )
                codes |= {code for code, _ in found}
    assert codes >= {
        "basra",
        "takes",
        "reply_basra",
        "reply_sweep",
        "last_copy",
        "power_kept",
        "power_risked",
    }
    assert codes <= set(CODES)
    assert ("points" in codes) == bool(pair.theirs.card_points)


def test_reasons_are_in_the_answer() -> None:
    """Each move's own, with an English text."""
    view = View("JD 5C KH 2S", "3C 2H KS KD", deal=2)
    found = hint(view, limits=Limits(worlds=2))
    for entry in found.moves:
        assert entry.reasons == reasons_for(view, entry.move)
        assert all(reason.text for reason in entry.reasons)
    best = {entry.move.text: entry for entry in found.moves}
    king = {reason.code: reason for reason in best["KHxKDKS"].reasons}
    assert king["takes"].cards == ("KD", "KH", "KS")
    assert king["power_kept"].cards == ("JD",)


def test_replies_of_a_hand_that_is_partly_known() -> None:
    """Cards under the stock fall to known seats: the next player surely holds one of them."""
    rules = Rules.preset("classic").with_changes(bury="bottom")
    # The sixth deal: JH JC JS 7D to seat 2, JD to seat 1.
    buried = "JD JH JC JS 7D"
    now = View("JD 5C 2S 3D", "4C 4D 2H", rules=rules, buried=buried, deal=6)
    (sweep,) = [
        reason for reason in reasons_for(now, now.legal_moves()[0]) if reason.code == "reply_sweep"
    ]
    assert sweep.value == 1
    assert sweep.cards == ("7D", "JC", "JH", "JS")


def test_replies_of_a_new_hand_that_is_partly_known() -> None:
    """The same when my card is the last of the fifth deal: seat 1 will be dealt JD, and only it."""
    rules = Rules.preset("classic").with_changes(bury="bottom")
    before = View("5C", "4C 4D 2H", rules=rules, buried="JD JH JC JS 7D", deal=5, seat=2, last="me")
    trailed = next(move for move in before.legal_moves() if not move.captures)
    (sweep,) = [reason for reason in reasons_for(before, trailed) if reason.code == "reply_sweep"]
    assert sweep.cards == ("JD",)
    assert sweep.value == 1


def test_results_are_values() -> None:
    """Without their time they compare and hash as what they say."""
    one = hint(hand="7D 5C", floor="3C 2H 5S", limits=Limits(worlds=3))
    two = hint(hand="7D 5C", floor="3C 2H 5S", limits=Limits(worlds=3))
    assert replace(one, seconds=0.0) == replace(two, seconds=0.0)
    assert hash(replace(one, seconds=0.0)) == hash(replace(two, seconds=0.0))


@pytest.mark.parametrize("most", [0, 1, 1000, 2**20, 2**31 - 1, 2**31, 2**33])
def test_sums_are_exact(most: int) -> None:
    """Sums of squares go past 64 bits, and must not lose one."""
    rng = random.Random(most)
    values = array("q", [rng.randint(-most, most) for _ in range(3000)])
    assert _core.sums(values) == (sum(values), sum(v * v for v in values))
    halves = _core.differences(values[:1000], values[1000:2000])
    assert list(halves) == [a - b for a, b in zip(values[:1000], values[1000:2000], strict=True)]


def test_columns() -> None:
    """One number of each world, or a side's interest among single players."""
    values = array("i", range(24))
    assert list(_core.column(values, 2, 6, 1)) == [2, 8, 14, 20]
    assert list(_core.column(values, 3, 6, 3)) == [3 * v - (3 * v + 3) for v in (3, 9, 15, 21)]
    assert list(_core.column(array("i"), 0, 6, 1)) == []


def test_reasons_on_a_crowded_floor() -> None:
    """Some unseen card has too many captures to list; whether it takes all can be told without."""
    floor = "AC AD AS 2C 2D 2H 3D 3H 3S 4C 4D 4H 4S 5D 6C 6H 7C 7D 8D 8S 9C 9D TD TS"
    rules = Rules.preset("palestine-52")
    with pytest.raises(TooLargeError):
        captures(floor, "TC", rules)
    found = hint(hand="5C", floor=floor, rules=rules, limits=Limits(worlds=2))
    assert all(move.value is not None for move in found.moves)
    codes = {reason.code for move in found.moves for reason in move.reasons}
    assert "reply_sweep" in codes


WITHIN = """
import os, signal
from basra import Engine, Limits, View, engine as module

signal.signal(signal.SIGINT, signal.default_int_handler)
wait, left = module.wait_for, []

def waiting(*arguments):
    os.kill(os.getpid(), signal.SIGINT)
    found = wait(*arguments)
    left.append(found)
    return found

module.wait_for = waiting
with Engine(3) as engine:
    try:
        engine.hint(View(hand="7D 5C KH 2S", floor="3C 2H 5S"), Limits(worlds=1_000_000))
    except KeyboardInterrupt:
        print(len(left))
"""


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="needs POSIX signals")
def test_an_interrupt_never_comes_into_the_locks_of_a_pool() -> None:
    """Raised within `wait`, it would leave them taken, and threads to wait for ever."""
    assert int(run_script(WITHIN)) > 0
