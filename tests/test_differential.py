"""Whole rounds and matches against the oracle, ply by ply; see `differential`."""

from __future__ import annotations

from dataclasses import replace

import pytest

import oracle
from differential import CHANGES, Game, Mismatch, Report, main, run
from helpers import TABLE_IDS, TABLES, Table, both, deal_both

PLIES = 100_000


def test_rounds_and_matches_ply_by_ply() -> None:
    """Hands, floor, stock, piles, counts, points, moves, undo, scores: at least 100,000 plies."""
    report = run(PLIES, seed=20)
    assert report.plies >= PLIES
    assert set(report.tables) == set(TABLE_IDS)
    assert min(report.tables.values()) >= len(CHANGES)
    assert report.matches > 20
    # Leaders moved on, and something was carried: what is compared there has happened.
    assert set(report.leaders) == {0, 1, 2, 3}
    assert report.carried > 0


def test_the_program_counts_what_it_compares() -> None:
    """It goes on to the number asked for, and stops in the match that reaches it."""
    report = main(plies=500, seed=3)
    assert 500 <= report.plies < 500 + 4 * 48
    # Every round of the tables met so far has deck - floor plies, so the count is checkable.
    assert report.plies % 4 == 0
    assert report.rounds >= report.plies // 48


@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
def test_a_difference_is_noticed(table: Table) -> None:
    """The comparison itself is tried: each thing exchanged in the oracle's state must be found."""
    state, position = deal_both(both(table.preset), table.players, table.partners, seed=5)
    fields = position.data.fields()
    Game(state.rules, state, position).compare(fields)
    low = min(state.hands[0])
    wrong: list[oracle.State] = [
        replace(state, hands=(state.hands[0] - {low}, *state.hands[1:])),
        replace(state, floor=state.floor - {min(state.floor)}),
        replace(state, stock=(state.stock[1], state.stock[0], *state.stock[2:])),
        replace(state, piles=(frozenset({low}), *state.piles[1:])),
        replace(state, counts=(2, *state.counts[1:])),
        replace(state, last=0),
        replace(state, basras=((10,), *state.basras[1:])),
        replace(state, turn=1),
    ]
    for other in wrong:
        with pytest.raises(Mismatch):
            Game(state.rules, other, position).compare(fields)


def test_a_report_starts_empty() -> None:
    """Nothing is counted that was not compared."""
    assert run(0, seed=1) == Report()
