"""Measures how long a review of a whole round takes with the default settings.

    python benchmarks/review.py [--rounds 9] [--rules classic] [--players 2] [--seed 1]

Rounds are played by the levels club and casual, and all seats are reviewed: for a round of two
players at most 3 s in the median.  Prints processor time, which other programs disturb less than
the clock.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time

from basra import Match, Player, review

LIMIT = 3.0
"""Seconds for a round of two players"""


def reviewed(rules: str, players: int, partners: bool, seed: int) -> tuple[float, int, int]:
    """Processor seconds of a review, positions looked at, and marks."""
    match = Match(rules, seed=seed, players=players, partners=partners)
    levels = [Player.parse(level) for level in ("club", "casual")]
    match.play_on([levels[seat % 2] for seat in range(players)], rounds=1)
    began = time.process_time()
    found = review(match)
    return time.process_time() - began, found.nodes, len(found.marked)


def main() -> int:
    """The exit code: 1 if two players' rounds take longer than they should."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--partners", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    reviewed(asked.rules, asked.players, asked.partners, 0)  # what is loaded once
    seconds = []
    for seed in range(asked.seed, asked.seed + asked.rounds):
        took, nodes, marks = reviewed(asked.rules, asked.players, asked.partners, seed)
        seconds.append(took)
        print(f"seed {seed}: {took:.2f} s, {nodes:,} positions, {marks} marks")
    median = statistics.median(seconds)
    good = asked.players > 2 or median <= LIMIT
    print(f"{'PASS' if good else 'FAIL'}: median {median:.2f} s, longest {max(seconds):.2f} s")
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
