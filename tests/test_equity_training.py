"""Training of match equity: the same bytes from the same seed, and what is learnt."""

from __future__ import annotations

import random
import struct
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from basra import ArgumentError, Rules, _core
from basra.training.equity import smoothed, train_equity
from basra.training.outlook import lead_share, outlook_rows
from equity_helpers import CLASSIC, EVEN, equity, file_of


def test_training_twice_gives_the_same_bytes() -> None:
    heard: list[tuple[int, int]] = []
    first = train_equity(
        CLASSIC, "2", seed=5, rounds=24, progress=lambda done, all_: heard.append((done, all_))
    )
    assert heard == [(16, 24), (24, 24)]
    with ThreadPoolExecutor(2) as pool:
        assert train_equity(CLASSIC, "2", seed=5, rounds=24, executor=pool) == first
    assert train_equity(CLASSIC, "2", seed=6, rounds=24) != first
    model = _core.ModelData(CLASSIC.data, file_of(CLASSIC, first))
    assert equity(model, 40, 40) / _core.SURE == pytest.approx(0.5, abs=0.1)
    assert equity(model, 95, 40) / _core.SURE > 0.75


def test_training_learns_how_the_rest_of_a_round_may_go() -> None:
    """The last deal leaves nothing open; earlier ones spread, and most cards go with the value."""
    part = train_equity(CLASSIC, "2", seed=5, rounds=72)
    size = 7 + 4 + 33
    words = struct.unpack(f"<{48 * size}h", part[-2 * 48 * size :])
    rows = [words[at : at + size] for at in range(0, len(words), size)]
    assert not any(any(row[:7]) or any(row[11:]) for row in rows[:8])
    for row in rows[8:]:
        assert list(row[11:]) == sorted(row[11:])
    assert 1024 < sum(row[2] for row in rows[24:]) / 24 < 8192
    assert rows[20][-1] - rows[20][11] > 15 * 16


def test_an_outlook_finds_what_it_was_made_from() -> None:
    """Decisions by a rule: coefficients, deviations and extra points come back."""
    dice, decisions = random.Random(2), []
    for _ in range(3000):
        lead, value = dice.randint(-9, 9), dice.randint(-20, 20) * _core.UNIT
        share = lead_share(lead, 30) / 4096
        chance = 0.5 + share / 8 + value / _core.UNIT / 30 / 4
        won = 1 if dice.random() < chance else -1
        rest = 3 + 4 * share + 0.25 * value / _core.UNIT + 2 * won + dice.randint(-8, 8)
        decisions += [30, lead, 30, value, 30 * won + round(rest), won, dice.choice((0, 10))]
    row = outlook_rows(decisions, 48, 8, 30)[29]
    assert row[0] == pytest.approx(0, abs=150)
    assert row[1] == pytest.approx(4096 / 4, abs=400)
    assert row[2] == pytest.approx(4096 / 2, abs=250)
    assert row[3] / 16 == pytest.approx(3, abs=0.4)
    assert row[4] / 16 == pytest.approx(4, abs=0.8)
    assert row[5] / 16 == pytest.approx(2, abs=0.4)
    assert row[6] == pytest.approx(1024, abs=60)
    assert (row[7], row[10]) == (0, 160)
    assert row[11] / 16 == pytest.approx(-8, abs=1)
    assert row[-1] / 16 == pytest.approx(8, abs=1)
    assert lead_share(0, 5) == 0
    assert (lead_share(6, 5), lead_share(-6, 5)) == (4096, -4096)


@pytest.mark.parametrize(
    ("table", "rounds", "changes", "field"),
    [
        ("3", 10, {}, "table"),
        ("5", 10, {}, "table"),
        ("2", 0, {}, "rounds"),
        ("2", 10, {"target": 300}, "target"),
        ("partners", 10, {"tables": ("2",)}, "table"),
    ],
)
def test_what_cannot_be_trained(
    table: str, rounds: int, changes: dict[str, Any], field: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        train_equity(CLASSIC.with_changes(**changes), table, seed=1, rounds=rounds)
    assert caught.value.field == field
    assert caught.value.fix


def test_points_pass_to_either_side_without_a_change_of_total() -> None:
    """Smoothing keeps totals and weights, and leaves rules without card points alone."""
    spread = smoothed(CLASSIC, EVEN)
    assert sum(spread.values()) == 4 * sum(EVEN.values())
    assert {own + other for own, other, _ in spread} == {own + other for own, other, _ in EVEN}
    assert min(min(own, other) for own, other, _ in spread) == 0
    assert smoothed(Rules.preset("egyptian"), EVEN) == EVEN
