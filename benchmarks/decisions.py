"""How long the full player thinks about a move, by deal; and all hidden hands at a first move.

    python benchmarks/decisions.py
    python benchmarks/decisions.py --rounds 40 --rules palestine

Processor time of one core, as other programs may run: the median and the longest over the
decisions of rounds that the player plays against itself, with nodes and worlds, which are exact.
PASS or FAIL tells whether the longest is within 50 ms, and all hidden hands, every move valued,
within 100 ms in the first deal and 10 ms in the last but one.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from statistics import median

from basra import Position, Rules, View, _core
from basra.players import Player, core_player

LONGEST_MS, FIRST_MS, LATE_MS = 50.0, 100.0, 10.0
RUNS = 21


def decisions(rules: Rules, rounds: int) -> dict[int, list[tuple[float, int]]]:
    """(milliseconds, nodes) of decisions with a choice, by deal."""
    engine, player = _core.EngineData(0), core_player(Player.parse("full"), rules)
    found: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for seed in range(rounds):
        position = Position.deal(rules, 8_000_000 + seed)
        while not position.is_over:
            view = View.of(position)
            began = time.thread_time()
            move, _, work, _ = _core.choose(engine, player, view.data, seed, 0, 0, [])
            taken = 1000 * (time.thread_time() - began)
            if len(position.legal_moves()) > 1:
                found[view.deal].append((taken, work))
            position.data.play(move[0], move[1])
    return found


def all_hands(rules: Rules, deal: int) -> tuple[float, int, int]:
    """Milliseconds, worlds and nodes of all hidden hands at the first move of a deal: medians."""
    engine = _core.EngineData(0)
    taken, worlds_of, nodes_of = [], [], []
    for seed in range(RUNS):
        position = Position.deal(rules, 9_000_000 + seed)
        greedy = [core_player(Player.parse("greedy"), rules)] * 2
        while View.of(position).deal < deal:
            _core.play_one(engine, position.data, greedy[0], seed, 0, 0, [])
        view = View.of(position)
        worlds = view.data.all_worlds(1 << 14)
        assert worlds is not None
        _, groups = view.data.moves()
        results: dict[int, tuple[object, list[int], int]] = {}
        began = time.thread_time()
        engine.world_values(view.data, None, worlds, groups, 0, 0, [], results, 0)  # type: ignore[arg-type]
        taken.append(1000 * (time.thread_time() - began))
        worlds_of.append(len(worlds))
        nodes_of.append(sum(results[0][1]))
    return median(taken), round(median(worlds_of)), round(median(nodes_of))


def judged(value: float, limit: float) -> str:
    return f"limit {limit:.0f} ms: {'PASS' if value <= limit else 'FAIL'}"


def main() -> int:
    """Prints all that; 1 if something is too slow."""
    parser = argparse.ArgumentParser(description="How long the full player thinks.")
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    rules, slow = Rules.load(options.rules), False
    print("| deal | decisions | ms, median | ms, longest | nodes, median |")
    print("|---|---|---|---|---|")
    found = decisions(rules, options.rounds)
    for deal, times in sorted(found.items()):
        ms = [one for one, _ in times]
        nodes = median(work for _, work in times)
        print(f"| {deal} | {len(times)} | {median(ms):.1f} | {max(ms):.1f} | {nodes:,.0f} |")
    longest = max(one for times in found.values() for one, _ in times)
    slow |= longest > LONGEST_MS
    print(f"longest decision: {longest:.1f} ms, {judged(longest, LONGEST_MS)}")
    last = len(rules.deal_sizes(2)) - 1
    for deal, limit in ((1, FIRST_MS), (last, LATE_MS)):
        ms_all, worlds, nodes_all = all_hands(rules, deal)
        slow |= ms_all > limit
        print(
            f"all hidden hands, first move of deal {deal}: {worlds:,} worlds, {nodes_all:,} nodes, "
            f"{ms_all:.1f} ms, {judged(ms_all, limit)}"
        )
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
