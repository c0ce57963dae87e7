"""Belief: hidden hands weighed by what their seats played, and fair samples of them."""

from __future__ import annotations

import random
import struct
from collections import Counter
from collections.abc import Iterator
from math import isclose, log2
from statistics import fmean
from typing import Any

import pytest

from basra import Position, Rules, _core
from basra.errors import ArgumentError
from basra.models import POLICY, Model, Part, default_model, model_bytes
from basra.players import Player, core_player
from helpers import Table, mask_of, positions_of, set_of
from policy_helpers import HEAD, data_of, random_model
from policy_reference import Kinds
from test_views import exchanged

World = tuple[tuple[int, ...], int, int]
ALL = 1 << 14


def view_data(position: Position) -> Any:
    return _core.ViewData.of(position.data)


def views_of(table: Table, seed: int, least_plays: int = 1) -> Iterator[tuple[Any, Position]]:
    """Views of a random round in which others have played in this deal, with their positions."""
    for position in positions_of(
        Rules.preset(table.preset), table.players, table.partners, seed, 0
    ):
        if position.is_over:
            return
        view = view_data(position)
        if len(view.fields()["played"]) >= least_plays:
            yield view, position


TWO = Table("classic", 2, False)


def believed(view: Any, model: Model | None, trust: int, most: int, seed: int = 0) -> list[World]:
    worlds, _ = view.believed_worlds(data_of(model), trust, seed, most, merge=True)
    return list(worlds)


# -- weights -------------------------------------------------------------------------------------


CHANCES_OF_KINDS = (0.6, 0.2, 0.2)


def likelihood(view: Any, model: Model, hands: tuple[int, ...], trust: int = 100) -> float:
    """How likely the others' plays were with these hands, by Bayes from the core's chances.

    Each seat is of one kind for the whole deal, and which is as unknown as its hand.
    """
    fields = view.fields()
    players, played = fields["players"], fields["played"]
    whole = 1.0
    for seat in range(players):
        indices = range(seat, len(played), players)
        if seat == fields["seat"] or not indices:
            continue
        sums = [0, 0, 0]
        for index in indices:
            hand = hands[seat] | mask_of(card for card, _ in played[index::players])
            bits = _core.play_bits(view, model._data, index, hand)
            sums = [a + b for a, b in zip(sums, bits, strict=True)]
        kinds = zip(CHANCES_OF_KINDS, sums, strict=True)
        whole *= sum(chance * 2 ** (-bits / 65536) for chance, bits in kinds)
    return float(whole ** (trust / 100))


@pytest.mark.parametrize("trust", [100, 50, 200])
def test_weights_are_multiplicity_times_likelihood(trust: int) -> None:
    model = random_model("classic")
    compared = 0
    for seed in range(3):
        for view, _ in views_of(TWO, seed, 4):
            even = view.all_worlds(ALL)
            worlds, complete = view.believed_worlds(model._data, trust, 0, ALL, merge=True)
            assert complete
            assert [w[0] for w in worlds] == [w[0] for w in even]
            weights = [w[1] for w in worlds]
            assert sum(weights) < 1 << 37
            expected = [w[1] * likelihood(view, model, w[0], trust) for w in even]
            total, whole = sum(weights), sum(expected)
            for weight, wanted in zip(weights, expected, strict=True):
                assert weight / total == pytest.approx(wanted / whole, rel=1e-3, abs=1e-6)
            compared += 1
    assert compared > 40


@pytest.mark.parametrize(
    "table", [Table("classic", 3, False), Table("palestine", 4, True)], ids=["three", "partners"]
)
def test_weights_at_larger_tables(table: Table) -> None:
    """The last cards of a deal, where all worlds can be listed; every other seat's plays count."""
    model = random_model(table.preset)
    compared = 0
    for view, _ in views_of(table, 5, table.players * 2 + 1):
        even = view.all_worlds(ALL)
        if even is None or len(even) > 400:
            continue
        worlds = believed(view, model, 100, ALL)
        expected = [w[1] * likelihood(view, model, w[0]) for w in even]
        total, whole = sum(w[1] for w in worlds), sum(expected)
        for world, wanted in zip(worlds, expected, strict=True):
            assert world[1] / total == pytest.approx(wanted / whole, rel=1e-3, abs=1e-6)
        compared += 1
    assert compared >= 3


@pytest.mark.parametrize("most", [1, 7, 40, 160, ALL])
def test_without_trust_worlds_are_as_they_were(most: int) -> None:
    """No trust, no model, no policy, or nothing played: the uniform worlds, to the bit."""
    empty = Model(Rules.preset("classic"), model_bytes(Rules.preset("classic"), []))
    policy = random_model("classic")
    for seed, (view, _) in enumerate(views_of(TWO, 8, 0)):
        all_of_them = view.all_worlds(most)
        expected = list(view.sample_worlds(seed, 0, most) if all_of_them is None else all_of_them)
        seat = view.fields()["seat"]
        untold = all(i % 2 == seat for i in range(len(view.fields()["played"])))
        cases: list[tuple[Model | None, int]] = [(None, 100), (empty, 100), (policy, 0)]
        if untold:
            cases.append((policy, 100))
        for model, trust in cases:
            worlds, complete = view.believed_worlds(data_of(model), trust, seed, most, merge=True)
            assert list(worlds) == expected
            assert complete == (all_of_them is not None)


def share_of(worlds: list[World], seat: int, hand: int, kinds: Kinds) -> float:
    """The chance of a hand, equal cards being the same."""
    wanted = sorted(kinds.of[card] for card in set_of(hand))
    found = sum(
        weight
        for hands, weight, _ in worlds
        if sorted(kinds.of[card] for card in set_of(hands[seat])) == wanted
    )
    return found / sum(weight for _, weight, _ in worlds)


@pytest.mark.parametrize("method", ["greedy", "careful"])
def test_players_that_the_policy_does_not_know_do_not_mislead(method: str) -> None:
    """In the mean over their plays, belief makes the true hand likelier than counting does."""
    rules, engine = Rules.preset("classic"), _core.EngineData(0)
    model, kinds = default_model(rules), Kinds(rules)
    assert model is not None
    player = core_player(Player(method), rules)
    gained: list[float] = []
    for seed in range(30):
        position = Position.deal(rules, seed)
        while not position.is_over:
            view = view_data(position)
            fields = view.fields()
            other = 1 - fields["seat"]
            if len(fields["played"]) >= 4 and fields["deal"] < fields["deals"]:
                hand = position.data.fields()["hands"][other]
                even, weighed = (believed(view, model, trust, ALL) for trust in (0, 100))
                shares = [share_of(worlds, other, hand, kinds) for worlds in (even, weighed)]
                gained.append(log2(shares[1] / shares[0]))
            _core.play_one(engine, position.data, player, seed, 0, 0, [])
    assert len(gained) > 500
    assert fmean(gained) > 0.05  # bits


# -- samples -------------------------------------------------------------------------------------


def early_view(seed: int) -> Any:
    """A view with more worlds than are searched."""
    for view, _ in views_of(TWO, seed, 3):
        if len(view.all_worlds(ALL) or ()) > 100:
            return view
    raise AssertionError("no such view")


@pytest.mark.parametrize("most", [1, 2, 7, 40, 64, 100])
def test_samples_have_their_size(most: int) -> None:
    """Weights count draws; no world stands twice; no world is far from its share."""
    model = random_model("classic")
    view = early_view(2)
    every = believed(view, model, 100, ALL)
    total = sum(w[1] for w in every)
    share = {w[0]: w[1] / total for w in every}
    for seed in range(20):
        worlds, complete = view.believed_worlds(model._data, 100, seed, most, merge=True)
        assert not complete
        assert sum(w[1] for w in worlds) == most
        assert len({w[0] for w in worlds}) == len(worlds)
        for hands, weight, _ in worlds:
            assert abs(weight - share[hands] * most) < 1 + 1e-6


def test_samples_are_fair() -> None:
    """Over many seeds every world comes up as often as its weight says, first ones as well."""
    model = random_model("classic")
    view = early_view(2)
    every = believed(view, model, 100, ALL)
    total = sum(w[1] for w in every)
    draws, first = 3000, Counter[Any]()
    counted = Counter[Any]()
    for seed in range(draws):
        worlds = believed(view, model, 100, 5, seed)
        first[worlds[0][0]] += 1
        for hands, weight, _ in worlds:
            counted[hands] += weight
    for seen, times in ((first, 1), (counted, 5)):
        chi = degrees = 0.0
        for hands, weight, _ in every:
            expected = draws * weight / total
            if expected * times < 5:
                continue
            # Points of one draw keep their distance: their number varies less than if they did not.
            chi += (seen[hands] - times * expected) ** 2 / (times * expected)
            degrees += 1
        assert degrees > 20
        assert chi < degrees + 5 * (2 * degrees) ** 0.5


def test_the_same_seed_gives_the_same_worlds() -> None:
    model = random_model("classic")
    view = early_view(4)
    made = [tuple(believed(view, model, 100, 40, seed)) for seed in range(8)]
    assert made == [tuple(believed(view, model, 100, 40, seed)) for seed in range(8)]
    assert len(set(made)) == 8


def test_drawn_worlds_where_there_are_too_many() -> None:
    """Four players: worlds fit the view, and the likely ones come up more often."""
    model = random_model("palestine")
    for view, _ in views_of(Table("palestine", 4, True), 3, 5):
        fields = view.fields()
        if view.all_worlds(ALL) is not None:
            continue
        worlds, complete = view.believed_worlds(model._data, 100, 1, 50, merge=True)
        assert not complete
        assert sum(w[1] for w in worlds) == 50
        for hands, _, _ in worlds:
            held = [set_of(hand) for hand in hands]
            assert [len(hand) for hand in held] == fields["hand_sizes"]
            assert hands[fields["seat"]] == fields["hand"]
            assert sum(map(len, held)) == len(frozenset().union(*held))
            others = frozenset().union(*(h for s, h in enumerate(held) if s != fields["seat"]))
            assert others <= set_of(fields["unseen"])
        even = believed(view, None, 0, 4000)
        drawn = [w for seed in range(40) for w in believed(view, model, 100, 50, seed)]

        def mean(sample: list[World], view: Any = view) -> float:
            total = sum(w[1] for w in sample)
            return sum(w[1] * likelihood(view, model, w[0]) for w in sample) / total

        # Drawn with chances as their likelihood, the mean is that of squares over that of itself.
        chances = [likelihood(view, model, w[0]) for w in even]
        expected = sum(c * c for c in chances) / sum(chances)
        assert mean(even) < mean(drawn)
        assert mean(drawn) == pytest.approx(expected, rel=0.1)
        return
    raise AssertionError("no such view")


# -- knowing no more than the seat ---------------------------------------------------------------


@pytest.mark.parametrize("table", [TWO, Table("palestine-52", 4, True)], ids=["two", "partners"])
def test_hidden_cards_change_nothing(table: Table) -> None:
    """The same round with other cards where the seat cannot see gives the same beliefs."""
    model = random_model(table.preset)
    rng = random.Random(6)
    asked = 0
    for view, position in views_of(table, 9, table.players):
        other = exchanged(position, rng)
        again = view_data(other)
        for most in (3, 60):
            assert believed(again, model, 100, most, 5) == believed(view, model, 100, most, 5)
        seat = (view.fields()["seat"] + 1) % table.players
        chances = _core.card_chances(view, model._data, 100, 5, seat)
        assert _core.card_chances(again, model._data, 100, 5, seat) == chances
        asked += other != position
    assert asked > 5


# -- chances of cards ----------------------------------------------------------------------------


def test_chances_add_up_and_move_the_right_way() -> None:
    model = random_model("classic")
    for view, _ in views_of(TWO, 12, 2):
        fields = view.fields()
        seat = 1 - fields["seat"]
        before, after = _core.card_chances(view, model._data, 100, 0, seat)
        held = fields["hand_sizes"][seat]
        unseen = set_of(fields["unseen"])
        if not held:
            assert before == after == [0] * 52
            continue
        for chances in (before, after):
            assert sum(chances) == pytest.approx(held * 65536, abs=60)
            assert {c for c, n in enumerate(chances) if n} <= unseen
        even = held / len(unseen)
        assert all(isclose(before[c] / 65536, even, abs_tol=2e-5) for c in unseen)
        worlds = believed(view, model, 100, ALL)
        total = sum(w[1] for w in worlds)
        for rank in range(13):
            cards = [c for c in unseen if c // 4 == rank]
            counted = sum(w[1] * sum(c // 4 == rank for c in set_of(w[0][seat])) for w in worlds)
            assert sum(after[c] for c in cards) / 65536 == pytest.approx(counted / total, abs=1e-3)


def test_a_capture_not_made_makes_the_card_less_likely() -> None:
    """A policy that always captures: whoever trailed had nothing to capture with."""
    # Made by hand: all units are on for captures, and for nothing else.
    rules = Rules.preset("classic")
    count = _core.policy_features(rules.data)
    first = [[0] * 8 for _ in range(count)]
    taken = 52 + 2 * 16 + (16 + 11) + 9
    for k in range(1, 9):
        first[taken + k] = [2048] * 8
    numbers = [n for column in first for n in column] + [0] * 8 + [256] * 8
    part = HEAD.pack(1, count, 8, 100, 1, 0) + struct.pack(f"<{len(numbers)}h", *numbers)
    model = Model(rules, model_bytes(rules, [Part(POLICY, 0, 0, part)]))
    ratios: list[float] = []
    for seed in range(40):
        for view, _ in views_of(TWO, seed, 1):
            fields = view.fields()
            played = fields["played"]
            if fields["seat"] != 1 or len(played) != 1 or played[0][1]:
                continue
            floor = set_of(fields["floor"]) - {played[0][0]}
            before, after = _core.card_chances(view, model._data, 100, 0, 0)
            for card in set_of(fields["unseen"]):
                if card // 4 in {c // 4 for c in floor} and before[card] < 65536:
                    assert after[card] < before[card]
                    ratios.append(after[card] / before[card])
    assert len(ratios) > 30
    assert fmean(ratios) < 0.6  # players of other kinds may trail what captures


def test_seats_that_are_none_are_refused() -> None:
    view = view_data(Position.deal("classic", 1))
    for seat in (-1, 2):
        with pytest.raises(_core.CoreError) as caught:
            _core.card_chances(view, None, 100, 0, seat)
        assert caught.value.status == ArgumentError.status
    with pytest.raises(IndexError):
        view.believed_worlds(None, 0, 0, 0, merge=True)
