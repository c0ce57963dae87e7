"""What the search for two sides is held to, measured here and now: a table in Markdown.

    python benchmarks/targets.py

Classic rules, two players, the fixed positions of `measure`.  Visits and instructions are the same
on every run; times are ratios to the reference solver in the same run; the rate of random rounds is
that of this machine.  Three minutes or so.  Needs
make and a C compiler, and valgrind for the instructions, which are left out without it.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import instructions

from basra import Engine
from basra.bench import positions


class Row(NamedTuple):
    """One measure: what it must be, what it should be, what it is."""

    name: str
    must: float
    aim: float
    found: float
    at_least: bool = False

    def text(self) -> str:
        """As a line of the table."""
        sign = "≥" if self.at_least else "≤"
        reached = [bound for bound in (self.must, self.aim) if self.reaches(bound)]
        verdict = ("missed", "must", "aim")[len(reached)]
        numbers = [f"{sign} {self.must:,g}", f"{sign} {self.aim:,g}", short(self.found)]
        return f"| {' | '.join((self.name, *numbers, verdict))} |"

    def reaches(self, bound: float) -> bool:
        """Is it good enough?"""
        return self.found >= bound if self.at_least else self.found <= bound


def short(number: float) -> str:
    """With as many digits as mean something."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.2f}"


def measured(program: Path, *words: str) -> dict[str, Any]:
    """One run of `measure`."""
    done = subprocess.run(
        [program, *words, "--json"], check=True, capture_output=True, encoding="utf-8"
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def memory() -> int:
    """What an engine holds after whole rounds."""
    with Engine() as engine:
        for position in positions(5, 10):
            engine.solve(position, moves=True)
        return engine.memory


def rows(program: Path, folder: Path, scale: float) -> Iterator[Row]:
    """All of them, as they are measured."""
    rounds, deals = (str(max(1, round(number * scale))) for number in (2000, 10000))
    found = measured(program, "rounds", "--count", rounds)
    visits = found["visits"]
    yield Row("whole round: visits, median", 25_000, 20_000, visits["median"])
    yield Row("their p99 over the median", 20, 10, visits["p99"] / visits["median"])
    yield Row("times as fast as the reference, medians", 11, 17, found["speedup"]["median"], True)
    yield Row("every root move, in visits of the value", 1.35, 1.2, found["moves"]["sums"])
    found = measured(program, "deals", "--count", deals)
    yield Row("last deal: visits, mean", 190, 160, found["visits"]["mean"])
    yield Row("times as fast as the reference, means", 2.2, 3, found["speedup"]["mean"], True)
    yield Row("every root move, in visits of the value", 2, 1.8, found["moves"]["sums"])
    found = measured(program, "any", "--count", rounds, "--no-reference", "--no-moves")
    yield Row("palestine-52 over classic: visits, medians", 1.3, 1.15, found["any"]["median"])
    rate = measured(program, "random", "--count", str(round(1e6 * scale)))["per_second"]
    yield Row("thousand random rounds a second", 400, 1000, rate / 1000, True)
    yield Row("memory of an engine, MB", 2, 1, memory() / 2**20)
    if shutil.which("valgrind"):
        for kind, aim in zip(instructions.KINDS, (228, 177), strict=True):
            count = instructions.per_visit(program, kind, "classic", 1, folder)
            yield Row(f"{kind.name}: instructions a visit", kind.limit, aim, count)


def main() -> int:
    """Prints the table; 1 if something is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--scale", type=float, default=1.0, help="times as many positions")
    options = parser.parse_args()
    failed = False
    print("| classic, two players | must | aim | is | reaches |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for row in rows(instructions.build(folder), folder, options.scale):
            print(row.text(), flush=True)
            failed = failed or not row.reaches(row.must)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
