"""How strong information set tree search is, by exploration constant and simulations: a table.

    python benchmarks/tune_ismcts.py
    python benchmarks/tune_ismcts.py --method mo-ismcts --explore 40 --simulations 5000
    python benchmarks/tune_ismcts.py --method careful --explore 0 --simulations 0 --against greedy

Every player of the grid meets every opponent in the same mirrored pairs: one deal of a round is
played twice, each of the two in each seat, and a pair is the mean of both differences of points.
Printed are the mean of the pairs and its standard error, and the thousand plies that the player
simulated a round.  Deals and players have seeds of their own, from FIRST_SEED on: constants that
were chosen here must be judged on others.  The same command prints the same table on every machine.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from statistics import mean, stdev
from typing import NamedTuple

from basra import Position, Rules, _core

FIRST_SEED = 4_000_000_000
UNIT = 1024
METHODS = {
    "random": 0,
    "greedy": 1,
    "endgame": 2,
    "careful": 3,
    "worlds": 5,
    "ismcts": 7,
    "mo-ismcts": 8,
}


class Result(NamedTuple):
    """Mean difference of points a round, its standard error, and plies simulated a round."""

    mean: float
    error: float
    plies: float


def player(method: str, effort: int = 0, explore: int = 0) -> _core.PlayerData:
    """A player without a model; `explore` in points, 0 for defaults."""
    return _core.PlayerData(None, METHODS[method], effort, 0, explore * UNIT, 0, 100)


def named(text: str) -> _core.PlayerData:
    """A player from `method` or `method:effort=N`."""
    method, _, effort = text.partition(":effort=")
    if method not in METHODS or (effort and not effort.isdigit()):
        raise argparse.ArgumentTypeError(f"{text} is no player: use greedy or worlds:effort=40")
    return player(method, int(effort or 0))


def duel(
    rules: Rules, mine: _core.PlayerData, other: _core.PlayerData, pairs: int, first: int
) -> Result:
    """Two players over mirrored pairs of rounds."""
    engine = _core.EngineData()
    found, plies = [], 0
    for seed in range(first, first + pairs):
        total = 0
        for side in (0, 1):
            position = Position.deal(rules, seed)
            players = [mine, other] if side == 0 else [other, mine]
            _, work = _core.play_on(engine, position.data, players, False, seed, [])
            points = position.data.fields()["points"]
            total += points[side] - points[1 - side]
            plies += work[side]
        found.append(total / 2)
    error = stdev(found) / len(found) ** 0.5
    return Result(mean(found), error, plies / (2 * pairs))


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table, a row for every exploration constant and number of simulations."""
    parser = argparse.ArgumentParser(description="Strength of tree search by its constants.")
    parser.add_argument("--rules", type=Rules.load, default="classic", help="a preset or file")
    parser.add_argument("--method", choices=("ismcts", "mo-ismcts", "careful"), default="ismcts")
    parser.add_argument("--explore", type=int, nargs="+", default=[2, 5, 10, 20, 40, 80])
    parser.add_argument("--simulations", type=int, nargs="+", default=[1000, 5000])
    parser.add_argument("--against", nargs="+", default=["greedy", "worlds:effort=40"])
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--first-seed", type=int, default=FIRST_SEED)
    options = parser.parse_args(arguments)
    opponents = {text: named(text) for text in options.against}
    heads = ["simulations", "exploration, points", *(f"against {o}" for o in opponents)]
    print("| " + " | ".join([*heads, "thousand plies a round"]) + " |")
    print("|" + "---|" * (len(heads) + 1), flush=True)
    for simulations in options.simulations:
        for explore in options.explore:
            mine = player(options.method, simulations, explore)
            cells, plies = [], 0.0
            for other in opponents.values():
                result = duel(options.rules, mine, other, options.pairs, options.first_seed)
                cells.append(f"{result.mean:+.1f} ± {result.error:.1f}")
                plies = result.plies
            row = [f"{simulations:,}", str(explore), *cells, f"{plies / 1000:.0f}"]
            print("| " + " | ".join(row) + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
