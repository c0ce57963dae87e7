"""Matches from given scores: playing for the match against playing for points.

    python benchmarks/match_play.py MODEL [--rules classic] [--pairs 1000] [--effort 20] [--seed 1]

Two players search the same number of worlds and read the same model; one of them plays for the
match.  A pair is two matches with the same deals and scores, sides swapped, so that luck and the
lead cancel.  The gain is the share of matches won beyond a half; its interval of 95 % comes from
the spread of pairs.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterable
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

from basra import Rules, _core
from basra.training.rounds import WORLDS_METHOD

SCORES = ((61, 84), (80, 95), (90, 90), (70, 95), (95, 60))


class Gain(NamedTuple):
    """Share of matches won beyond a half."""

    pairs: int
    mean: float
    error: float  # standard error

    def __str__(self) -> str:
        low, high = self.mean - 1.96 * self.error, self.mean + 1.96 * self.error
        return (
            f"{100 * self.mean:+.2f} % of matches, 95 % from {100 * low:+.2f} to {100 * high:+.2f}"
            f" ({2 * self.pairs:,} matches)"
        )


def gain_of(wins: Iterable[int]) -> Gain:
    """From the matches won of each pair: 0, 1 or 2."""
    shares = [won / 2 - 0.5 for won in wins]
    return Gain(len(shares), fmean(shares), stdev(shares) / math.sqrt(len(shares)))


def play_match(
    engine: _core.EngineData,
    rules: Rules,
    scores: tuple[int, int],
    seed: int,
    players: list[_core.PlayerData],
) -> int:
    """The side that wins a match of two players that goes on at these scores; side 0 leads."""
    fields = _core.PositionData.deal(rules.data, 2, False, 0, seed).fields()
    position = _core.PositionData.setup(rules.data, fields | {"score": list(scores)}, True)
    _core.play_on(engine, position, players, True, seed, [])
    end = position.fields()
    return rules.data.winner([end["score"][side] + end["points"][side] for side in range(2)])


def duel(
    rules: Rules,
    scores: tuple[int, int],
    seeds: range,
    ours: _core.PlayerData,
    theirs: _core.PlayerData,
) -> list[int]:
    """How many of its two matches `ours` wins with each seed."""
    engine = _core.EngineData(0)
    return [
        (play_match(engine, rules, scores, seed, [ours, theirs]) == 0)
        + (play_match(engine, rules, scores, seed, [theirs, ours]) == 1)
        for seed in seeds
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--pairs", type=int, default=1000, help="from each pair of scores")
    parser.add_argument("--effort", type=int, default=20, help="worlds searched at a move")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rules = Rules.load(options.rules)
    model = _core.ModelData(rules.data, Path(options.model).read_bytes())
    ours, theirs = (
        _core.PlayerData(model, WORLDS_METHOD, options.effort, 0, 0, 0, 100, objective)
        for objective in (1, 0)
    )
    every: list[int] = []
    started = time.monotonic()
    for number, (mine, other) in enumerate(SCORES):
        for scores in sorted({(mine, other), (other, mine)}):
            first = options.seed + 1_000_000 * number
            wins = duel(rules, scores, range(first, first + options.pairs), ours, theirs)
            every += wins
            print(f"{scores[0]:3}:{scores[1]:<3} {gain_of(wins)}", flush=True)
    print(f"all     {gain_of(every)}; {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
