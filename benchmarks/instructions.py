"""Machine instructions a visit of the solver, counted by callgrind: PASS or FAIL for each.

    python benchmarks/instructions.py

Unlike a clock, this is nearly the same on every run.  `measure` is built and run under callgrind
twice, on a number of positions and on twice as many.  Only what happens inside `basra_value` or
`basra_choose` counts, and the difference of the two runs leaves out what happens once.  A visit is
every position entered at which a card is played, so this is the cost of one; of tree search it is
the cost of a simulation.  Needs valgrind, make and a C compiler.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

CSRC = Path(__file__).resolve().parents[1] / "csrc"
FLAGS = ("--no-reference", "--no-moves", "--json")


class Kind(NamedTuple):
    """Positions of one kind, and how many instructions a visit of theirs may take."""

    name: str
    work: tuple[str, ...]
    positions: int
    limit: float
    inside: str = "basra_value"
    unit: str = "visit"
    total: str = "total_visits"


KINDS = [
    Kind("whole round", ("rounds",), 20, 300),
    Kind("last deal", ("deals",), 1000, 240),
    Kind("tree search", ("tree",), 25, 5000, "basra_choose", "simulation", "simulations"),
]


class Counted(NamedTuple):
    """One run."""

    instructions: int
    visits: int


def build(folder: Path) -> Path:
    """The program as it is always built, with names for callgrind."""
    target = folder / "tools" / "measure"
    command = ["make", "-s", "-C", str(CSRC), f"BUILD={folder}", "CFLAGS=-g", str(target)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return target


def count(program: Path, kind: Kind, words: Sequence[str], number: int, folder: Path) -> Counted:
    """Instructions inside the function that the kind is about, and visits, of one run."""
    tool = [
        "valgrind",
        "--tool=callgrind",
        f"--toggle-collect={kind.inside}",
        f"--callgrind-out-file={folder / 'callgrind.out'}",
    ]
    command = [*tool, str(program), *words, "--count", str(number), *FLAGS]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    collected = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
    if collected is None:
        raise SystemExit(f"callgrind said nothing of instructions:\n{done.stderr}")
    return Counted(int(collected[1]), int(json.loads(done.stdout)[kind.total]))


def per_visit(program: Path, kind: Kind, rules: str, scale: float, folder: Path) -> float:
    """Instructions a visit of the second half of the positions."""
    number = max(1, round(kind.positions * scale))
    words = (*kind.work, "--rules", rules)
    once = count(program, kind, words, number, folder)
    twice = count(program, kind, words, 2 * number, folder)
    return (twice.instructions - once.instructions) / (twice.visits - once.visits)


def main() -> int:
    """The limits one by one; 1 if one is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--rules", default="classic", help="a preset; the limits are classic's")
    parser.add_argument("--scale", type=float, default=1.0, help="times as many positions")
    options = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = build(folder)
        for kind in KINDS:
            found = per_visit(program, kind, options.rules, options.scale, folder)
            passed = found <= kind.limit
            failed = failed or not passed
            print(
                f"{kind.name:12} {found:7.1f} instructions a {kind.unit}, limit {kind.limit:.0f}  "
                f"{'PASS' if passed else 'FAIL'}",
                flush=True,
            )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
