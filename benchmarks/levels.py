"""Measures how much each level loses to the next, as docs/strength-arena.md records it.

    python benchmarks/levels.py [--pairs 800] [--rules classic] [--seed 0] [--luck]

Exits with 1 if a level does not clearly lose to the next: if the 95 % interval reaches zero.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from itertools import pairwise

from basra.arena import run_arena
from basra.duel import ArenaResult
from basra.players import LEVELS


def measured(better: str, worse: str, asked: argparse.Namespace) -> ArenaResult:
    """One duel, told as a line of a table."""
    began = time.perf_counter()
    found = run_arena(
        better, worse, rules=asked.rules, pairs=asked.pairs, seed=asked.seed, luck=asked.luck,
        workers=asked.workers,
    )  # fmt: skip
    points = found.points
    assert points.mean is not None
    print(
        f"| {better} | {worse} | {points.mean:+.2f} ± {points.stderr:.2f} | "
        f"{points.low:+.2f} to {points.high:+.2f} | {found.work[0] / found.decisions[0]:,.0f} | "
        f"{time.perf_counter() - began:.0f} s |",
        flush=True,
    )
    return found


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=800)
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--luck", action="store_true")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    print("| level | against | points a round | 95 % interval | nodes a move | time |")
    print("|---|---|---|---|---|---|")
    names = ["random", *LEVELS]
    pairs = [(better, worse) for worse, better in pairwise(names)]
    found = [measured(better, worse, asked) for better, worse in pairs]
    return int(any(result.better != "a" for result in found))


if __name__ == "__main__":
    sys.exit(main())
