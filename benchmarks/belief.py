"""What belief gains or loses against a player that the policy was not fitted to.

    python benchmarks/belief.py
    python benchmarks/belief.py --against careful --pairs 500

The worlds player with belief and without meets the other player on the same deals, each dealt once
for every place; the difference of both, its standard error from the deals, and its 95 % interval.
FAIL if a point a round or more can be lost.
"""

from __future__ import annotations

import argparse
import sys
from statistics import mean, stdev

from basra import Position, Rules, _core
from basra.players import Player, core_player

LOST = -1.0
NORMAL_95 = 1.96


def margins(mine: Player, other: Player, rules: Rules, seed: int, pairs: int) -> list[float]:
    """Points a round ahead of the other player, for each deal."""
    engine = _core.EngineData(0)
    own, theirs = core_player(mine, rules), core_player(other, rules)
    found = []
    for number in range(seed, seed + pairs):
        total = 0
        for place in (0, 1):
            position = Position.deal(rules, number)
            players = [own, theirs] if place == 0 else [theirs, own]
            _core.play_on(engine, position.data, players, False, number, [])
            points = position.data.fields()["points"]
            total += points[place] - points[1 - place]
        found.append(total / 2)
    return found


def main() -> int:
    """Prints the difference; 1 if it may be a loss of a point."""
    parser = argparse.ArgumentParser(description="Belief against players it does not model.")
    parser.add_argument("--against", default="greedy")
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=7_800_000)
    parser.add_argument("--trust", type=int, default=100, help="percent")
    options = parser.parse_args()
    rules, other = Rules.load(options.rules), Player.parse(options.against)
    plain = margins(Player("worlds", trust=0), other, rules, options.seed, options.pairs)
    belief = margins(
        Player("worlds", trust=options.trust), other, rules, options.seed, options.pairs
    )
    gaps = [a - b for a, b in zip(belief, plain, strict=True)]
    error = stdev(gaps) / len(gaps) ** 0.5
    low, high = mean(gaps) - NORMAL_95 * error, mean(gaps) + NORMAL_95 * error
    print(
        f"against {options.against}, {options.pairs:,} pairs: with belief {mean(belief):+.2f}, "
        f"without {mean(plain):+.2f}, difference {mean(gaps):+.2f} ± {error:.2f}, "
        f"95 % {low:+.2f} to {high:+.2f}: {'PASS' if low >= LOST else 'FAIL'}"
    )
    return int(low < LOST)


if __name__ == "__main__":
    sys.exit(main())
