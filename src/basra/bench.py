"""A fixed set of positions, searched: exact node counts, and the speed of this machine."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from basra._core import EngineData
from basra.engine import Engine
from basra.limits import Limits
from basra.moves import captures
from basra.position import Position
from basra.rules import Rules, preset_names

SCHEMA_BENCH = "basra.bench/1"


@dataclass(frozen=True, slots=True)
class BenchKind:
    """One kind of work: `nodes` counts positions entered (captures: captures found)."""

    name: str
    positions: int
    nodes: int
    seconds: float

    @property
    def nodes_per_second(self) -> float:
        """Speed here and now; depends on the machine."""
        return self.nodes / self.seconds if self.seconds else 0.0


@dataclass(frozen=True, slots=True)
class Bench:
    """All kinds, and their total nodes: it changes only when a search does."""

    kinds: tuple[BenchKind, ...]
    memory: int
    """Bytes that an engine holds after whole rounds, its table included."""

    @property
    def signature(self) -> int:
        """Total nodes of all kinds."""
        return sum(kind.nodes for kind in self.kinds)

    def to_dict(self) -> dict[str, object]:
        """The JSON of `basra bench`."""
        kinds = [
            {
                "name": kind.name,
                "positions": kind.positions,
                "nodes": kind.nodes,
                "seconds": kind.seconds,
                "nodes_per_second": kind.nodes_per_second,
            }
            for kind in self.kinds
        ]
        return {
            "schema": SCHEMA_BENCH,
            "kinds": kinds,
            "signature": self.signature,
            "memory": self.memory,
        }


def positions(deals_left: int, count: int, partners: bool = False) -> Iterator[Position]:
    """Positions at the start of a deal of rounds played at random, the presets in turn."""
    players = 4 if partners else 2
    names = [n for n in preset_names() if not partners or "partners" in Rules.preset(n).tables]
    for seed in range(count):
        rules = Rules.preset(names[seed % len(names)])
        position = Position.deal(rules, seed, players=players, partners=partners)
        dice = random.Random(seed)
        first = len(rules.deal_sizes(players)) - deals_left + 1
        while position.deal_number < first:
            position.play(dice.choice(position.legal_moves()))
        yield position


def _captures() -> tuple[int, int]:
    dice, found = random.Random(1), 0
    for number in range(2000):
        rules = Rules.preset(preset_names()[number % len(preset_names())])
        *floor, card = dice.sample(list(rules.pack), dice.randint(2, 12))
        found += len(captures(" ".join(map(str, floor)), card, rules).captures)
    return 2000, found


def _rounds() -> tuple[int, int]:
    plies = 0
    for position in positions(1, 100):
        dice = random.Random(plies)
        while not position.is_over:
            position.play(dice.choice(position.legal_moves()))
        plies += len(position.history)
    return 100, plies


def _rounds_inside() -> tuple[int, int]:
    """The same inside the core, at the level of card types."""
    engine, plies = EngineData(), 0
    for name in preset_names():
        plies += engine.random_rounds(Rules.preset(name).data, 2, False, 1, 0, 4000, [])[1]
    return 4000 * len(preset_names()), plies


def _solves(
    deals_left: int, count: int, partners: bool = False, moves: bool = False
) -> tuple[int, int]:
    """The value alone, or that of every move."""
    nodes = 0
    with Engine() as engine:
        for position in positions(deals_left, count, partners):
            nodes += engine.solve(position, moves=moves).nodes
    return count, nodes


def _hints() -> tuple[int, int]:
    nodes = 0
    with Engine() as engine:
        for position in positions(3, 20):
            nodes += engine.hint(position.view(), Limits(worlds=32)).nodes
    return 20, nodes


_KINDS: tuple[tuple[str, Callable[[], tuple[int, int]]], ...] = (
    ("captures", _captures),
    ("random rounds", _rounds),
    ("random rounds, in the core", _rounds_inside),
    ("last deal", lambda: _solves(1, 500)),
    ("last deal, every move", lambda: _solves(1, 500, moves=True)),
    ("two deals", lambda: _solves(2, 100)),
    ("two deals, every move", lambda: _solves(2, 100, moves=True)),
    ("whole round", lambda: _solves(5, 10)),
    ("whole round, every move", lambda: _solves(5, 10, moves=True)),
    ("last deal, partners", lambda: _solves(1, 50, partners=True)),
    ("hint", _hints),
)


def _memory() -> int:
    with Engine() as engine:
        for position in positions(5, 2):
            engine.solve(position, moves=True)
        return engine.memory


def run() -> Bench:
    """Searches the whole set."""
    kinds = []
    for name, work in _KINDS:
        began = time.perf_counter()
        count, nodes = work()
        kinds.append(BenchKind(name, count, nodes, time.perf_counter() - began))
    return Bench(tuple(kinds), _memory())
