"""Speed of the engine on recorded positions, whose answers are checked as well.

    python -m pytest benchmarks

Every benchmark runs all recorded entries of its kind once per round, so that its time is for the
whole list: `extra_info` of the saved results has their number and the nodes searched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import pytest
from record import HINT_WORLDS, Entry, load, random_round

from basra import Engine, Limits, Position, View, captures


class Benchmark(Protocol):
    """The part of pytest-benchmark's fixture that is used here."""

    extra_info: dict[str, Any]

    def __call__(self, function: Callable[..., Any], *args: Any) -> Any: ...

    def pedantic(
        self,
        target: Callable[..., Any],
        args: tuple[Any, ...] = ...,
        rounds: int = ...,
        iterations: int = ...,
    ) -> Any: ...


@pytest.fixture
def engine() -> Iterator[Engine]:
    """One engine for all positions of a benchmark."""
    with Engine() as made:
        yield made


def describe(benchmark: Benchmark, entries: list[Entry], **info: int) -> None:
    """What one round of a benchmark did, for the saved results."""
    benchmark.extra_info |= {"entries": len(entries), **info}


def test_captures(benchmark: Benchmark) -> None:
    """Every capture of one card, through the Python interface."""
    entries = load("captures")

    def work() -> list[int]:
        return [len(captures(e["floor"], e["card"], e["rules"]).captures) for e in entries]

    found = benchmark(work)
    assert found == [e["captures"] for e in entries]
    describe(benchmark, entries, captures=sum(found))


def test_play_and_undo(benchmark: Benchmark) -> None:
    """Every move of whole rounds played and taken back again."""
    entries = load("rounds")
    played = [random_round(Position.from_notation(e["position"]), e["seed"]) for e in entries]
    assert [list(position.points) for position in played] == [e["points"] for e in entries]

    def work() -> int:
        plies = 0
        for position in played:
            moves = position.history
            for _ in moves:
                position.undo()
            for move in moves:
                position.play(move)
            plies += len(moves)
        return plies

    plies = benchmark(work)
    assert [list(position.points) for position in played] == [e["points"] for e in entries]
    describe(benchmark, entries, plies=plies)


def test_random_rounds(benchmark: Benchmark) -> None:
    """Rounds played at random, through the Python interface."""
    entries = load("rounds")
    starts = [(Position.from_notation(e["position"]), e["seed"]) for e in entries]

    def work() -> list[list[int]]:
        return [list(random_round(start, seed).points) for start, seed in starts]

    assert benchmark(work) == [e["points"] for e in entries]
    describe(benchmark, entries)


@pytest.mark.parametrize(
    "kind",
    ["last deal", "last deal, partners", "last deal, three singles", "two deals", "three deals"],
)
def test_deals(benchmark: Benchmark, engine: Engine, kind: str) -> None:
    """Every root move of the end of a round, exactly."""
    solve_all(benchmark, engine, kind)


def test_whole_round(benchmark: Benchmark, engine: Engine) -> None:
    """Every root move of whole rounds with open hands, exactly."""
    solve_all(benchmark, engine, "whole round")


def solve_all(benchmark: Benchmark, engine: Engine, kind: str) -> None:
    """Solves all positions of a kind; values, and points of single players, are as recorded."""
    entries = load(kind)
    starts = [Position.from_notation(e["position"]) for e in entries]

    def work() -> list[tuple[Any, Any, int]]:
        found = [engine.solve(start, moves=True) for start in starts]
        return [(f.value, f.points and list(f.points), f.nodes) for f in found]

    found = benchmark(work)
    assert [(value, points) for value, points, _ in found] == [
        (e["value"], e["points"]) for e in entries
    ]
    describe(benchmark, entries, nodes=sum(nodes for *_, nodes in found))


@pytest.mark.parametrize("table", ["two players", "partners", "three singles", "four singles"])
def test_hint(benchmark: Benchmark, engine: Engine, table: str) -> None:
    """Hints over a few worlds for each kind of table."""
    entries = load(f"hint, {table}")
    views = [View.from_notation(e["view"]) for e in entries]
    limits = Limits(worlds=HINT_WORLDS)

    def work() -> list[tuple[str, Any, int]]:
        found = [engine.hint(view, limits) for view in views]
        return [(f.best.move.text, f.best.value, f.nodes) for f in found]

    found = benchmark.pedantic(work, rounds=3, iterations=1)
    # To the last bit: values are sums of integers until the final division.
    assert [(move, value) for move, value, _ in found] == [(e["move"], e["value"]) for e in entries]
    describe(benchmark, entries, nodes=sum(nodes for *_, nodes in found))
