"""Rounds played at random inside the core."""

from __future__ import annotations

import math

import pytest

from basra import Engine, Position, Rules, preset_names
from basra._core import EngineData, RulesData

COUNT = 300


def points_of(rules: RulesData, players: int, partners: bool, first: int, count: int) -> list[int]:
    """Points by side of some rounds of seed 3."""
    points, _, stop = EngineData().random_rounds(rules, players, partners, 3, first, count, [])
    assert stop == 0
    return list(points)


@pytest.mark.parametrize("name", preset_names())
def test_points_add_up(name: str) -> None:
    """All card points are somebody's, most cards is paid once at most, the rest are basras."""
    rules = Rules.preset(name)
    points = points_of(rules.data, 2, False, 0, COUNT)
    fields = rules.data.fields()
    cards, most = sum(fields["card_points"]), fields["most_cards"]
    # A basra is worth twice the card's value, or a fixed number; a jack's has its own.
    step = math.gcd(
        2 if name.startswith("palestine") else fields["basra_points"], fields["jack_basra"]
    )
    for mine, theirs in zip(points[::2], points[1::2], strict=True):
        rest = mine + theirs - cards
        assert rest >= 0
        assert rest % step == 0 or (rest - most) % step == 0


@pytest.mark.parametrize("name", preset_names())
def test_deals_are_those_of_positions(name: str) -> None:
    """A round has the cards of a position dealt from its own seed: as many are played."""
    rules = Rules.preset(name)
    _, plies, _ = EngineData().random_rounds(rules.data, 2, False, 3, 0, COUNT, [])
    expected = 0
    for seed in range(3, 3 + COUNT):
        position = Position.deal(rules, seed)
        expected += sum(map(len, position.hands)) + len(position.stock)
    assert plies == expected


@pytest.mark.parametrize(("players", "partners"), [(2, False), (3, False), (4, True)])
def test_cut_as_you_like(players: int, partners: bool) -> None:
    """The same rounds however they are cut into calls."""
    rules = Rules.preset("classic").data
    whole = points_of(rules, players, partners, 0, 40)
    parts = [points_of(rules, players, partners, first, 8) for first in range(0, 40, 8)]
    assert whole == [number for part in parts for number in part]
    assert len(set(whole)) > 5


def test_both_seats_do_alike() -> None:
    """Random play favours neither seat by much: 20,000 rounds, six standard errors."""
    points = points_of(Rules.preset("classic").data, 2, False, 0, 20_000)
    differences = [a - b for a, b in zip(points[::2], points[1::2], strict=True)]
    mean = sum(differences) / len(differences)
    spread = (sum(d * d for d in differences) / len(differences)) ** 0.5
    assert abs(mean) < 6 * spread / len(differences) ** 0.5 + 2
    assert 20 < spread < 60


def test_memory() -> None:
    """A solver with its usual table holds at most 2 MB, also after a whole round."""
    with Engine() as engine:
        engine.solve(Position.deal("classic", 1))
        assert 1 << 20 < engine.memory <= 2 << 20
    with Engine(table_bytes=1 << 22) as larger:
        assert larger.memory > 4 << 20
