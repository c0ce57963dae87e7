"""Recorded values of positions, found without the package's own search.

They change only if they were wrong, or the rules were; `python tests/golden_values.py --write`
records them anew.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from basra import Engine, Position, Solution
from helpers import TABLE_IDS, TABLES, Table

GOLDEN = Path(__file__).parent / "golden" / "values.jsonl"

Entry = dict[str, Any]


@cache
def recorded() -> list[Entry]:
    """The whole list."""
    return [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]


def by_move(solution: Solution) -> dict[str, int | float | None]:
    """Value of every legal move by its text, members of `equal` included."""
    return {
        move.text.rstrip("*"): entry.value
        for entry in solution.moves
        for move in (entry.move, *entry.equal)
    }


def table_of(position: Position) -> str:
    """The id of a position's table."""
    return f"{position.rules.name}-{position.players}{'p' if position.partners else ''}"


@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
def test_recorded_values(table: Table) -> None:
    """Every value, and those of every move where they are recorded."""
    solved = 0
    with Engine() as engine:
        for entry in recorded():
            if entry["table"] != table.id:
                continue
            position = Position.from_notation(entry["position"])
            assert table_of(position) == table.id
            solution = engine.solve(position)
            assert solution.exact
            assert solution.value == entry["value"], entry["position"]
            if "moves" in entry:
                assert by_move(solution) == entry["moves"], entry["position"]
            solved += 1
    assert solved >= 40


def test_what_is_recorded() -> None:
    """Enough, of every kind, and nothing twice."""
    entries = recorded()
    assert len(entries) >= 1000
    assert len({entry["position"] for entry in entries}) == len(entries)
    assert sum("moves" in entry for entry in entries) >= 300
    tables = Counter(entry["table"] for entry in entries)
    assert set(tables) == set(TABLE_IDS)
    kinds = Counter(entry["kind"] for entry in entries)
    assert set(kinds) == {"played", "made up", "oracle"}
    assert min(kinds.values()) >= 100
