"""Records values of positions that the package's own search had no part in.

    python tests/golden_values.py --write

Tables of two sides come from the plain reference solver of csrc/tools, tables of single players
from the oracle's exhaustive search.  Needs a C compiler.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from typing import Any

import oracle
from basra import Rules
from helpers import TABLES, Table, as_position, both, move_text, state_at
from test_golden_values import GOLDEN, Entry
from whitebox.reference import deal_starts, reference_moves, reference_value, sample


def lengths(table: Table, dice: random.Random) -> Iterator[int]:
    """Cards still to be played, position by position: most in the last deals, few whole rounds."""
    starts = deal_starts(Rules.preset(table.preset), table.players, table.partners)
    counts = (40, 4, 0) if table.partners else (30, 20, 12, 6, 3, 2)
    for deal, count in enumerate(counts[: len(starts)]):
        yield from [starts[deal]] * count
    for most, count in zip(
        starts[:2] if table.partners else starts, (40, 10, 20, 6, 2), strict=False
    ):
        yield from (dice.randint(1, min(most, 24 if table.partners else 40)) for _ in range(count))


def two_sided_entries(table: Table, dice: random.Random) -> Iterator[Entry]:
    """Positions of a table of two sides; a third have the value of every move."""
    rules = Rules.preset(table.preset)
    for index, left in enumerate(lengths(table, dice)):
        made_up = index % 3 == 2
        position = sample(
            rules, table.players, table.partners, dice.getrandbits(64), left, made_up=made_up
        )
        entry: Entry = {"table": table.id, "kind": "made up" if made_up else "played"}
        entry |= {"position": position.notation, "value": reference_value(position)}
        if index % 3 == 1:
            entry["moves"] = reference_moves(position)
        yield entry


def number(value: Any) -> int | float:
    """A fraction of the oracle as the package gives it."""
    return int(value) if value == int(value) else float(value)


def oracle_entries(table: Table) -> Iterator[Entry]:
    """Ends of rounds of single players."""
    pair = both(table.preset)
    for seed in range(40):
        carry = 30 * (seed % 3) if pair.theirs.most_cards_tie == "carry" else 0
        state = state_at(pair.theirs, table.players, False, seed, 3 + seed % 5, carry)
        found = {move_text(move): value for move, value, _ in oracle.solve_moves(state)}
        entry: Entry = {"table": table.id, "kind": "oracle"}
        entry["position"] = as_position(state, pair.ours).notation
        entry["value"] = number(max(found.values()))
        if seed % 2:
            entry["moves"] = {text: number(value) for text, value in found.items()}
        yield entry


def write() -> None:
    """Records the list anew."""
    lines: dict[str, str] = {}
    for table in TABLES:
        dice = random.Random(f"golden values {table.id}")
        entries = oracle_entries(table) if table.singles else two_sided_entries(table, dice)
        for entry in entries:
            lines.setdefault(entry["position"], json.dumps(entry))
        print(f"{table.id}: {len(lines)} positions so far", flush=True)
    GOLDEN.write_text("".join(f"{line}\n" for line in lines.values()), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Recorded values of positions.")
    parser.add_argument("--write", action="store_true", required=True, help="record anew")
    parser.parse_args()
    write()
