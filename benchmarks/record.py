"""The recorded positions that benchmarks run on, and how they are recorded.

Read by the benchmarks through `load`.  After a change of the game, of the notation or of a random
stream, and only then, write them anew:

    python benchmarks/record.py --write

Positions come from `basra.bench.positions`: rounds of the presets in turn, played at random up to
the start of a deal.  Tables of three and four single players, which that function does not deal,
are played in the same way here.  With each position stands the answer of the version that recorded
it, so that a benchmark measures right answers only.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from basra import Engine, Limits, Position, Rules, captures, preset_names
from basra.bench import positions

RECORD = Path(__file__).with_name("positions.json")
SCHEMA = "basra.benchmarks/1"
HINT_WORLDS = 16

Entry = dict[str, Any]


def load(kind: str) -> list[Entry]:
    """The recorded entries of one kind."""
    entries: list[Entry] = json.loads(RECORD.read_text(encoding="utf-8"))[kind]
    return entries


def random_round(start: Position, seed: int) -> Position:
    """A copy of the position, played at random to the end of the round."""
    position, dice = start.copy(), random.Random(seed)
    while not position.is_over:
        position.play(dice.choice(position.legal_moves()))
    return position


def singles(players: int, deals_left: int, count: int) -> Iterator[Position]:
    """As `basra.bench.positions`, for three or four single players."""
    names = [n for n in preset_names() if str(players) in Rules.preset(n).tables]
    for seed in range(count):
        position = Position.deal(names[seed % len(names)], seed, players=players)
        dice = random.Random(seed)
        first = len(position.rules.deal_sizes(players)) - deals_left + 1
        while position.deal_number < first:
            position.play(dice.choice(position.legal_moves()))
        yield position


# -- one kind of work each -----------------------------------------------------------------------


def capture_entries() -> Iterator[Entry]:
    """Floors of 2 to 12 random cards under every preset; `captures` is their number."""
    dice = random.Random(1)
    for number in range(200):
        rules = Rules.preset(preset_names()[number % len(preset_names())])
        *floor, card = map(str, dice.sample(list(rules.pack), dice.randint(3, 13)))
        found = captures(" ".join(floor), card, rules)
        yield {
            "rules": rules.name,
            "floor": " ".join(floor),
            "card": card,
            "captures": len(found.captures),
        }


def round_entries() -> Iterator[Entry]:
    """First deals; `points` are those of the round that `random_round` plays from there."""
    for seed, name in enumerate(preset_names() * 4):
        start = Position.deal(name, seed)
        points = list(random_round(start, seed).points)
        yield {"position": start.notation, "seed": seed, "points": points}


def solve_entries(starts: Iterator[Position]) -> Iterator[Entry]:
    """Positions with their value, and the points of every seat where there are more than two."""
    with Engine() as engine:
        for start in starts:
            found = engine.solve(start)
            points = None if found.points is None else list(found.points)
            yield {"position": start.notation, "value": found.value, "points": points}


def hint_entries(starts: Iterator[Position]) -> Iterator[Entry]:
    """Views with the best move over 16 worlds of seed 0, and its expected value."""
    with Engine() as engine:
        for start in starts:
            found = engine.hint(start.view(), Limits(worlds=HINT_WORLDS)).best
            yield {"view": start.view().notation, "move": found.move.text, "value": found.value}


def record() -> dict[str, Any]:
    """All kinds, as this version answers them."""
    return {
        "schema": SCHEMA,
        "captures": list(capture_entries()),
        "rounds": list(round_entries()),
        "last deal": list(solve_entries(positions(1, 100))),
        "last deal, partners": list(solve_entries(positions(1, 20, partners=True))),
        "last deal, three singles": list(solve_entries(singles(3, 1, 10))),
        "two deals": list(solve_entries(positions(2, 50))),
        "three deals": list(solve_entries(positions(3, 20))),
        "whole round": list(solve_entries(_first_deals())),
        "hint, two players": list(hint_entries(positions(3, 10))),
        "hint, partners": list(hint_entries(positions(2, 4, partners=True))),
        "hint, three singles": list(hint_entries(singles(3, 2, 4))),
        "hint, four singles": list(hint_entries(singles(4, 2, 2))),
    }


def _first_deals() -> Iterator[Position]:
    """Whole rounds of all presets; with 44 cards a round has one deal less."""
    for seed in range(20):
        yield Position.deal(preset_names()[seed % len(preset_names())], seed)


def write(record_to: Path = RECORD) -> None:
    """Writes the record, one entry a line."""
    kinds = []
    for kind, entries in record().items():
        if isinstance(entries, list):
            lines = ",\n".join(f"    {json.dumps(entry)}" for entry in entries)
            kinds.append(f"  {json.dumps(kind)}: [\n{lines}\n  ]")
        else:
            kinds.append(f"  {json.dumps(kind)}: {json.dumps(entries)}")
    record_to.write_text("{\n" + ",\n".join(kinds) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Records the positions that benchmarks run on.")
    parser.add_argument("--write", action="store_true", help="record anew, with today's answers")
    if parser.parse_args().write:
        write()
    else:
        parser.print_help()
