"""The limits that people feel, measured here and now: PASS or FAIL for each.

    python benchmarks/latency.py

Each number is a median of at least 20 runs.  Clocks depend on the machine and on what else it does:
run this on a quiet one.  Continuous integration gates node counts instead, never clocks.

hint: whole processes
    From the start of the process `basra hint ..` to its end: the interpreter, imports, the search
    with its default limits, and the printing of the table.
interrupt: from SIGINT to the end of the process
    A second into a search that would go on for much longer; the best so far is printed in between.
solve: searches inside one process
    `Engine.solve` on one engine, a different recorded position each time, as its own result counts
    the seconds: finding the moves, the exact value of every one, and handing the results over to
    Python.  The last deal without its best line; the whole round with it.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from record import load

from basra import Engine, Position

README_HINT = ["--hand", "7D 5C KH 2S", "--floor", "3C 2H 5S"]
HINTS: dict[str, list[str]] = {
    "hint, classic": README_HINT,
    "hint, egyptian": ["--rules", "egyptian", *README_HINT],
    "hint, palestine": ["--rules", "palestine", "--hand", "7D 5C JH 2S", "--floor", "3C 2H 5S"],
    "hint, palestine-52": ["--rules", "palestine-52", *README_HINT],
    "hint, egyptian-v2": ["--rules", "egyptian-v2", *README_HINT],
    "hint, three singles": ["--players", "3", *README_HINT],
    "hint, partners": ["--partners", *README_HINT],
    "hint, four singles": ["--rules", "palestine-52", "--players", "4", *README_HINT],
}
HINT_LIMIT = 0.4
INTERRUPT_LIMIT = 0.1
INTERRUPTED = 130  # exit code after Ctrl-C
LAST_DEAL_LIMIT = 100e-6
ROUND_LIMIT = 1.0
MIN_RUNS = 20


class Row(NamedTuple):
    """One measurement and its limit, in seconds."""

    name: str
    runs: int
    seconds: float
    limit: float

    @property
    def verdict(self) -> str:
        """PASS or FAIL."""
        return "PASS" if self.seconds <= self.limit else "FAIL"


def basra_command() -> list[str]:
    """The command of this interpreter's environment, or the module if there is none."""
    beside = shutil.which("basra", path=str(Path(sys.executable).parent))
    return [beside] if beside else [sys.executable, "-m", "basra"]


def hint_seconds(options: Sequence[str]) -> float:
    """One whole process."""
    began = time.perf_counter()
    subprocess.run([*basra_command(), "hint", *options], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def hints(runs: int) -> list[Row]:
    """The hint of the README under every preset, and at larger tables."""
    rows = []
    for name, options in HINTS.items():
        hint_seconds(options)  # warms the disk's cache
        rows.append(Row(name, runs, median(hint_seconds(options) for _ in range(runs)), HINT_LIMIT))
    return rows


def solves(kind: str, runs: int, limit: float, line: bool) -> Row:
    """All recorded positions of a kind, as often as needed; answers are checked."""
    entries = load(kind)
    starts = [(Position.from_notation(e["position"]), e["value"]) for e in entries]
    seconds: list[float] = []
    with Engine() as engine:
        while len(seconds) < runs:
            for start, value in starts:
                found = engine.solve(start, moves=True, line=line)
                if found.value != value:
                    sys.exit(f"{kind}: {found.value} instead of {value} at {start.notation}")
                seconds.append(found.seconds)
    return Row(kind, len(seconds), median(seconds), limit)


def interrupt_seconds(words: Sequence[str]) -> float:
    """From the signal to the end of a process that is searching."""
    with subprocess.Popen([*basra_command(), *words], stdout=subprocess.DEVNULL) as process:
        time.sleep(1.0)
        began = time.perf_counter()
        process.send_signal(signal.SIGINT)
        code = process.wait()
        taken = time.perf_counter() - began
    if code != INTERRUPTED:
        sys.exit(f"{' '.join(words)}: exit code {code} instead of {INTERRUPTED}")
    return taken


def interrupts(runs: int) -> list[Row]:
    """Ctrl-C in a long hint, with and without threads, and in a long solve."""
    hint = ["hint", "--partners", *README_HINT, "--worlds", "1000000"]
    solve = ["solve", "--position", Position.deal("classic", 1, players=3).notation]
    calls = {
        "interrupt, hint": [*hint, "--threads", "1"],
        "interrupt, 2 threads": [*hint, "--threads", "2"],
        "interrupt, solve": solve,
    }
    return [
        Row(name, runs, median(interrupt_seconds(words) for _ in range(runs)), INTERRUPT_LIMIT)
        for name, words in calls.items()
    ]


def shown(seconds: float) -> str:
    """A time in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.2f} {unit}"
    return f"{seconds * 1e6:.1f} us"


def main() -> int:
    """Prints all rows; 1 if one fails."""
    parser = argparse.ArgumentParser(description="Medians of the latencies that have limits.")
    parser.add_argument("--runs", type=int, default=21, help="of each hint, at least 20")
    runs = max(MIN_RUNS, parser.parse_args().runs)
    rows = [
        *hints(runs),
        *interrupts(runs),
        solves("last deal", 2000, LAST_DEAL_LIMIT, line=False),
        solves("whole round", MIN_RUNS, ROUND_LIMIT, line=True),
    ]
    print(f"{'what':24}{'runs':>6}{'median':>12}{'limit':>12}")
    for row in rows:
        limit = shown(row.limit)
        print(f"{row.name:24}{row.runs:>6}{shown(row.seconds):>12}{limit:>12}  {row.verdict}")
    return int(any(row.verdict == "FAIL" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
