"""Worlds: every hidden hand that fits a view, counted and drawn as the deal would."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import pytest

import oracle
from basra import Card, Cards, Rules, View
from helpers import TABLE_IDS, TABLES, Table, both, positions_of, set_of

World = tuple[tuple[int, ...], int, int]

PACK = (1 << 52) - 1


def listed(worlds: Any) -> list[World]:
    """All of a list of worlds: hands by seat, weight, last capturer."""
    return [worlds[i] for i in range(len(worlds))]


def late_view(hidden: int, pool: int, hand: str = "7D 5C", **options: Any) -> View:
    """A last deal in which the other holds `hidden` cards out of `pool` that are unseen.

    The rest of the pack, less a floor of three, has been seen.
    """
    mine, floor = Cards(hand), Cards("3C 2H 5S")
    rest = [card for card in Cards.from_mask(PACK) if card not in mine and card not in floor]
    # Spread over the pack, so that the pool has equal and unequal cards.
    unseen = rest[:: max(1, len(rest) // pool)][:pool]
    assert len(unseen) == pool
    seen = Cards([card for card in rest if card not in set(unseen)])
    seat = 1 if hidden == len(mine) else 2
    return View(mine, floor, seen=seen, deal=6, seat=seat, **options)


@cache
def types_of(preset: str) -> dict[int, int]:
    """Type of every card."""
    return oracle.card_types(oracle.PRESETS[preset])


def kinds(rules: str, mask: int) -> tuple[tuple[int, int], ...]:
    """A hand up to equal cards."""
    types = types_of(rules)
    return tuple(sorted(Counter(types[card] for card in set_of(mask)).items()))


# -- all of them ---------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["classic", "egyptian", "palestine-52"])
@pytest.mark.parametrize(("hidden", "pool"), [(2, 2), (2, 5), (2, 9), (1, 4), (1, 12)])
def test_every_world_once(rules: str, hidden: int, pool: int) -> None:
    """Against all subsets of the pool: each class of equal hands, with the number of them."""
    view = late_view(hidden, pool, rules=rules, last="me")
    worlds = listed(view.data.all_worlds(10_000))
    wanted = Counter(
        kinds(rules, sum(1 << card.index for card in chosen))
        for chosen in combinations(view.unseen, hidden)
    )
    found = {kinds(rules, hands[2 - view.seat]): weight for hands, weight, _ in worlds}
    assert found == wanted
    assert len(found) == len(worlds)
    assert sum(weight for _, weight, _ in worlds) == comb(pool, hidden)
    for hands, _, last in worlds:
        assert hands[view.seat - 1] == view.hand.mask
        assert last == view.seat - 1


@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
def test_weights_add_up(table: Table) -> None:
    """To the number of ways to deal the unseen cards to the hidden hands."""
    tried = 0
    for seed in range(2):
        rules = both(table.preset).ours
        for position in positions_of(rules, table.players, table.partners, seed):
            if position.is_over:
                continue
            view = position.view()
            worlds = view.data.all_worlds(400)
            if worlds is None:
                continue
            tried += 1
            entries = listed(worlds)
            left, ways = len(view.unseen), 1
            for size in view.hidden:
                ways *= comb(left, size)
                left -= size
            assert sum(weight for _, weight, _ in entries) == ways
            assert len({hands for hands, _, _ in entries}) == len(entries)
            assert len({_by_kind(table.preset, hands) for hands, _, _ in entries}) == len(entries)
            for hands, _, _ in entries:
                used = 0
                for seat, hand in enumerate(hands):
                    assert hand.bit_count() == view.data.fields()["hand_sizes"][seat]
                    assert hand & used == 0
                    used |= hand
                assert used & ~(view.hand | view.unseen).mask == 0
    assert tried > 20


def _by_kind(preset: str, hands: tuple[int, ...]) -> tuple[tuple[tuple[int, int], ...], ...]:
    return tuple(kinds(preset, hand) for hand in hands)


def test_known_cards_are_in_every_world() -> None:
    """Cards under the stock: in the hands they fall to, and in no other."""
    rules = Rules.preset("classic").with_changes(bury="bottom")
    view = View("9D 5C 2S 3D", "4C 4D 2H", rules=rules, buried="JH JC", deal=6, last="me")
    for worlds in (view.data.all_worlds(5000), view.data.sample_worlds(1, 0, 50)):
        assert worlds is not None
        for hands, _, _ in listed(worlds):
            assert hands[1] & Cards("JH JC").mask == Cards("JH JC").mask
            assert hands[1].bit_count() == 4


def test_too_many_to_list() -> None:
    """None if there are more than asked for; all if exactly so many."""
    view = late_view(2, 9, last="me")
    count = len(listed(view.data.all_worlds(10_000)))
    assert view.data.all_worlds(count - 1) is None
    assert len(listed(view.data.all_worlds(count))) == count
    assert View("7D 5C KH 2S", "3C 2H 5S 9D").data.all_worlds(1000) is None


@pytest.mark.parametrize(
    ("options", "lasts"),
    [
        ({}, [0, 1]),
        ({"last": "me"}, [0]),
        ({"last": "them"}, [1]),
    ],
)
def test_last_capturer_of_the_last_deal(options: dict[str, Any], lasts: list[int]) -> None:
    """Where he is not known each side may be he, in every world alike."""
    worlds = listed(late_view(2, 5, **options).data.all_worlds(1000))
    assert Counter(last for _, _, last in worlds) == dict.fromkeys(lasts, len(worlds) // len(lasts))
    by_hand = Counter(hands for hands, _, _ in worlds)
    assert set(by_hand.values()) == {len(lasts)}


def test_last_capturer_before_the_last_deal() -> None:
    """He is left out where the round goes on: the deal's worlds do not need him."""
    view = View("7D", "3C 2H 5S", deal=5)
    assert view.last == "unknown"
    worlds = view.data.all_worlds(10_000)
    assert worlds is not None
    assert {last for _, _, last in listed(worlds)} == {-1}
    sampled = listed(view.data.sample_worlds(0, 0, 40))
    assert {last for _, _, last in sampled} == {-1}


def test_last_capturer_at_other_tables() -> None:
    """One of three players, or one of two sides."""
    options: dict[str, Any] = {"rules": "palestine-52", "seat": 1}
    three = View("7D", "3C 2H 5S", players=3, deal=4, **options)
    lasts = Counter(last for _, _, last in listed(three.data.sample_worlds(3, 0, 900)))
    assert set(lasts) == {0, 1, 2}
    assert min(lasts.values()) > 240
    partners = View("7D", "3C 2H 5S", players=4, partners=True, deal=3, **options)
    lasts = Counter(last for _, _, last in listed(partners.data.sample_worlds(3, 0, 900)))
    assert set(lasts) == {0, 1}
    assert min(lasts.values()) > 380


# -- draws ---------------------------------------------------------------------------------------


def excess(counts: Counter[Any], weights: dict[Any, float]) -> float:
    """Chi square less its expectation, in standard deviations."""
    draws, total = sum(counts.values()), sum(weights.values())
    assert set(counts) <= set(weights)
    square = sum(
        (counts[key] - draws * weight / total) ** 2 / (draws * weight / total)
        for key, weight in weights.items()
    )
    free = len(weights) - 1
    return float((square - free) / (2 * free) ** 0.5)


@pytest.mark.parametrize(("hidden", "pool"), [(2, 4), (2, 6), (1, 9), (1, 3)])
@pytest.mark.parametrize("seed", [0, 1])
def test_draws_are_unbiased(hidden: int, pool: int, seed: int) -> None:
    """Every set of cards is drawn equally often."""
    view = late_view(hidden, pool, last="me")
    worlds = listed(view.data.sample_worlds(seed, 0, 6000))
    counts = Counter(hands[2 - view.seat] for hands, _, _ in worlds)
    every = {
        sum(1 << card.index for card in chosen): 1.0 for chosen in combinations(view.unseen, hidden)
    }
    assert abs(excess(counts, every)) < 4
    assert {weight for _, weight, _ in worlds} == {1}


def test_draws_of_three_hands_are_unbiased() -> None:
    """Three hidden hands of one card each, out of five unseen: 60 orders."""
    hand, floor = Cards("7D"), Cards("3C 2H 5S 9C")
    unseen = Cards("AC AD KH 9D TS")
    view = View(
        hand,
        floor,
        rules="palestine-52",
        players=4,
        seat=1,
        deal=3,
        seen=Cards.from_mask(PACK) - hand - floor - unseen,
        last="+1",
        cards=(20, 10, 10, 4),
    )
    worlds = listed(view.data.sample_worlds(5, 0, 12_000))
    counts = Counter(hands[1:] for hands, _, _ in worlds)
    assert len(counts) == 60
    assert abs(excess(counts, dict.fromkeys(counts, 1.0))) < 4


def test_draws_and_list_agree() -> None:
    """A class of equal hands is drawn as often as its weight says."""
    view = late_view(2, 12, last="me")
    weights = {
        kinds("classic", hands[1]): float(weight)
        for hands, weight, _ in listed(view.data.all_worlds(1000))
    }
    sampled = listed(view.data.sample_worlds(9, 0, 8000))
    counts = Counter(kinds("classic", hands[1]) for hands, _, _ in sampled)
    assert abs(excess(counts, weights)) < 4


def test_numbered_worlds() -> None:
    """World n of a seed is the same, however many are drawn and from where on."""
    view = View("7D 5C KH 2S", "3C 2H 5S")
    whole = listed(view.data.sample_worlds(7, 0, 64))
    assert listed(view.data.sample_worlds(7, 0, 64)) == whole
    for size in (1, 3, 16):
        parts = [
            world
            for first in range(0, 64, size)
            for world in listed(view.data.sample_worlds(7, first, min(size, 64 - first)))
        ]
        assert parts == whole
    assert listed(view.data.sample_worlds(8, 0, 64)) != whole
    assert len({hands for hands, _, _ in whole}) == 64


def test_streams_of_seeds_do_not_overlap() -> None:
    """World n of seed s is not world n - 1 of seed s + 1."""
    view = View("7D 5C KH 2S", "3C 2H 5S")
    worlds = [
        world[0]
        for seed in (0, 1, 2, 1 << 32, (1 << 64) - 1)
        for world in listed(view.data.sample_worlds(seed, 0, 40))
    ]
    assert len(set(worlds)) == len(worlds)


GOLDEN = [
    "3H 5D JC QH",
    "AH 2C 9H TC",
    "AH 3D 3H JS",
    "2C 3H 9H 9S",
    "AH 6S JD JS",
    "AD 4C 6D JD",
]
"""The other's hand in the first worlds of seed 1; a record of a hint can be replayed for ever."""


def test_golden_worlds() -> None:
    """The stream of worlds is part of what a version promises."""
    view = View("7D 5C KH 2S", "3C 2H 5S")
    worlds = listed(view.data.sample_worlds(1, 0, 6))
    assert [str(Cards.from_mask(hands[1])) for hands, _, _ in worlds] == GOLDEN


def test_slices() -> None:
    """Part of a list is a copy of it, and must lie within it."""
    worlds = View("7D 5C KH 2S", "3C 2H 5S").data.sample_worlds(1, 0, 10)
    assert listed(worlds.slice(3, 4)) == listed(worlds)[3:7]
    assert len(worlds.slice(10, 0)) == 0
    for first, count in ((0, 11), (11, 0), (9, 2)):
        with pytest.raises(IndexError):
            worlds.slice(first, count)
    with pytest.raises(IndexError):
        _ = worlds[10]


def test_a_buried_card_that_may_have_been_played() -> None:
    """Dealt to seat 2 from the bottom, with one play and many cards untracked: held or gone, each
    place equally likely."""
    rules = Rules.preset("classic").with_changes(bury="bottom")
    view = View("9D 5C 2S", "4C 4D 2H", rules=rules, buried="JD", deal=6)
    jack, places = Card("JD").index, 3 + view.untracked
    assert view.data.all_worlds(1000) is None
    worlds = view.data.sample_worlds(3, 0, 20_000)
    held = sum(hands[1] >> jack & 1 for hands, _, _ in worlds)
    assert all(hands[1].bit_count() == 3 for hands, _, _ in worlds)
    wanted = 20_000 * 3 / places
    assert abs(held - wanted) < 5 * wanted**0.5
