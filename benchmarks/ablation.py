"""What each technique of the search for two sides is worth: a table in Markdown.

    python benchmarks/ablation.py

The core is built as always, and once for each technique without it (`make WITHOUT=NAME`; the names
are in csrc/search/ablation.h).  First every build is checked against the reference solver.  Then
`measure` solves the same whole rounds and last deals with each, the full build and another always
by turns.  Shown is how many times the visits and the CPU time of the full build each needs in the
mean.  Visits are the same on every machine; a ratio of times is the median of the repeats.  Without
the table at all a round would not end.  Needs make and a C compiler.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

CSRC = Path(__file__).resolve().parents[1] / "csrc"
HEADER = CSRC / "search" / "ablation.h"
FLAGS = ("--no-reference", "--no-moves", "--json")
PROOF = ("--positions", "40", "--odd-positions", "8", "--rounds", "1", "--partner-rounds", "0")
KINDS = {"rounds": 500, "deals": 10000}


class Technique(NamedTuple):
    """One that can be left out, and what happens then."""

    name: str
    without: str


class Measured(NamedTuple):
    """Means of one run."""

    visits: float
    seconds: float


def techniques() -> list[Technique]:
    """Those of the header."""
    line = re.compile(r"TECHNIQUE_(\w+) = 1 << \d+,? /\* (?:without: )?(.*?) \*/")
    found = line.findall(HEADER.read_text(encoding="utf-8"))
    return [Technique(name.lower(), without) for name, without in found]


def build(folder: Path, without: str) -> Path:
    """The tools with everything, or without some techniques."""
    made = folder / (without or "full")
    tools = [str(made / "tools" / name) for name in ("measure", "prove")]
    command = ["make", "-s", "-C", str(CSRC), f"BUILD={made}", f"WITHOUT={without}", *tools]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return made / "tools"


def check(tools: Path, name: str) -> None:
    """Ends the program if a build gives a wrong value."""
    command = [str(tools / "prove"), *PROOF]
    if name == "table":  # several deals would take too long
        command = [str(tools / "measure"), "deals", "--count", "1000"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"wrong without {name}:\n{done.stdout}{done.stderr}")


def measure(tools: Path, kind: str, count: int, words: Sequence[str]) -> Measured:
    """One run of one build."""
    command = [str(tools / "measure"), kind, "--count", str(count), *words, *FLAGS]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found = json.loads(done.stdout)
    return Measured(found["visits"]["mean"], found["seconds"]["mean"])


def ratios(
    full: Path, other: Path, kind: str, count: int, repeats: int, words: Sequence[str]
) -> Measured:
    """Of another build to the full one."""
    visits, times = 0.0, []
    for _ in range(repeats):
        one = measure(full, kind, count, words)
        two = measure(other, kind, count, words)
        visits = two.visits / one.visits
        times.append(two.seconds / one.seconds)
    return Measured(visits, median(times))


def rows(folder: Path, options: argparse.Namespace) -> Iterator[str]:
    """The table, line by line."""
    words = ("--rules", options.rules)
    full = build(folder, "")
    check(full, "nothing")
    yield "| without | then | visits, round | time, round | visits, last deal | time, last deal |"
    yield "|---|---|---|---|---|---|"
    for technique in techniques():
        tools = build(folder, technique.name)
        check(tools, technique.name)
        cells = [f"`{technique.name}`", technique.without]
        for kind, number in KINDS.items():
            if (technique.name, kind) == ("table", "rounds"):
                cells += ["", ""]
                continue
            count = max(1, round(number * options.scale))
            found = ratios(full, tools, kind, count, options.repeats, words)
            cells += [f"{found.visits:.3f}", f"{found.seconds:.2f}"]
        yield f"| {' | '.join(cells)} |"


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--rules", default="classic", help="a preset")
    parser.add_argument("--scale", type=float, default=1.0, help="times as many positions")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each pair of builds")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        for row in rows(Path(name), options):
            print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
