"""Counts of move sequences, recorded: they change only when the game does.

After such a change, and only then, write them anew:

    python tests/test_perft.py --write
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

import oracle
from basra import ArgumentError, Position
from helpers import TABLE_IDS, TABLES, Table, oracle_start, pack_of

GOLDEN = Path(__file__).parent / "golden" / "perft.json"
SEEDS = (1, 2, 3)
DEPTH = 5
ORACLE_DEPTH = 3


def dealt(table: Table, seed: int) -> Position:
    """A first deal."""
    return Position.deal(table.preset, seed, players=table.players, partners=table.partners)


def counts(table: Table) -> dict[str, list[int]]:
    """Depths 1 to 5 from each seed."""
    return {
        str(seed): [dealt(table, seed).perft(depth) for depth in range(1, DEPTH + 1)]
        for seed in SEEDS
    }


@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
def test_golden_counts(table: Table) -> None:
    """As recorded; the record has these tables and no others."""
    recorded = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert set(recorded) == set(TABLE_IDS)
    assert counts(table) == recorded[table.id]


@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_against_oracle(table: Table, seed: int) -> None:
    """The first depths are counted by the oracle as well."""
    position = dealt(table, seed)
    state = oracle_start(position, oracle.PRESETS[table.preset], pack_of(position))
    for depth in range(ORACLE_DEPTH + 1):
        assert position.perft(depth) == oracle.perft(state, depth)
    assert position == dealt(table, seed)


def test_past_the_end() -> None:
    """Through a deal and the end of the round; past it there is nothing."""
    position = Position.setup("5S/KH", "", stock="2S 3S")
    assert [position.perft(depth) for depth in range(6)] == [1, 1, 1, 1, 1, 0]


@pytest.mark.parametrize("depth", [-1, 53])
def test_depth_out_of_range(depth: int) -> None:
    """0 to 52 plies."""
    with pytest.raises(ArgumentError) as caught:
        Position.deal("classic", 1).perft(depth)
    assert (caught.value.field, caught.value.value) == ("depth", str(depth))


def write() -> None:
    """Records the counts of this version."""
    GOLDEN.parent.mkdir(exist_ok=True)
    lines = [f'  "{table.id}": {json.dumps(counts(table))}' for table in TABLES]
    GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Recorded counts of move sequences.")
    parser.add_argument("--write", action="store_true", help="record the counts of this version")
    if parser.parse_args().write:
        write()
