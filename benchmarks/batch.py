"""How bulk solving scales: a million last deals from a file, and parsed positions, by two and one.

    python benchmarks/batch.py
    python benchmarks/batch.py --lines 50000 --runs 3
    python benchmarks/batch.py --write deals.jsonl      # the file alone

The file: rounds of the presets in turn are played at random up to their last deal; its eight cards
are then dealt in all 70 ways, a line for each.  So all lines differ, and reading one is as much
work as ever.  The runs with one and with two workers alternate, their outputs must be the same, and
the ratio of the medians is printed with PASS or FAIL.  Run it on a quiet machine with two cores.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import combinations, islice
from pathlib import Path
from statistics import median
from subprocess import run

from basra import Card, Cards, Position, solve_many
from basra.bench import positions

LINES = 1_000_000
PARSED = 20_000
FILE_RATIO = 1.6
PARSED_RATIO = 1.7


def notations() -> Iterator[str]:
    """Last deals without end, each once."""
    for start in positions(1, sys.maxsize):
        held = [card for hand in start.hands for card in hand]
        text, before = start.notation, ":".join(hand.joined for hand in start.hands)
        for mine in combinations(held, len(held) // 2):
            theirs = [card for card in held if card not in mine]
            hands = f"{_joined(mine)}:{_joined(theirs)}"
            yield text.replace(f"/hands={before}/", f"/hands={hands}/")


def _joined(cards: tuple[Card, ...] | list[Card]) -> str:
    return Cards(cards).joined


def write(path: Path, lines: int) -> None:
    """The file of so many lines."""
    with path.open("w", encoding="ascii") as file:
        file.writelines(json.dumps(text) + "\n" for text in islice(notations(), lines))


def file_seconds(path: Path, workers: int) -> float:
    """One whole `basra solve --batch`; the answers stand beside the file."""
    out = path.with_suffix(f".{workers}")
    out.unlink(missing_ok=True)
    words = ["solve", "--batch", str(path), "--threads", str(workers), "--output", str(out)]
    began = time.perf_counter()
    run([sys.executable, "-m", "basra", *words], check=True)
    return time.perf_counter() - began


def report(name: str, count: int, seconds: Callable[[int], float], runs: int, limit: float) -> bool:
    """Prints the ratio of one to two; is it large enough?"""
    times: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(runs):
        for workers, taken in times.items():
            taken.append(seconds(workers))
    one, two = (median(taken) for taken in times.values())
    good = one / two >= limit
    print(
        f"{name}: {count:,}, {one:.2f} s by one, {two:.2f} s by two, {count / two:,.0f} a second; "
        f"{one / two:.2f}x, limit {limit}x: {'PASS' if good else 'FAIL'}"
    )
    return good


def of_files(lines: int, runs: int) -> bool:
    """`basra solve --batch`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deals.jsonl"
        write(path, lines)
        good = report("file", lines, lambda workers: file_seconds(path, workers), runs, FILE_RATIO)
        if path.with_suffix(".1").read_bytes() != path.with_suffix(".2").read_bytes():
            sys.exit("the outputs differ")
    return good


def of_parsed(runs: int) -> bool:
    """`solve_many`."""
    starts = [Position.from_notation(text) for text in islice(notations(), PARSED)]

    def seconds(threads: int) -> float:
        began = time.perf_counter()
        solve_many(starts, threads=threads)
        return time.perf_counter() - began

    return report("parsed", PARSED, seconds, max(runs, 20), PARSED_RATIO)


def main() -> int:
    """Prints both ratios; 1 if one is too small."""
    parser = argparse.ArgumentParser(description="Two workers against one.")
    parser.add_argument("--lines", type=int, default=LINES, help="of the file")
    parser.add_argument("--runs", type=int, default=1, help="of the file; solve_many has 20")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the file, and stop there")
    options = parser.parse_args()
    if options.write is not None:
        write(options.write, options.lines)
        return 0
    good = [of_parsed(options.runs), of_files(options.lines, options.runs)]
    return int(not all(good))


if __name__ == "__main__":
    sys.exit(main())
