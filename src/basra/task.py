"""One hint in progress: worlds in fixed chunks, and the statistics of their values.

Sums are integers until the last division, so that results are the same bits whatever the order in
which worlds were searched.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from basra import _core
from basra.errors import core_error
from basra.limits import MAX_WORLDS, Limits, time_left_ns, with_defaults
from basra.moves import Move, move_of
from basra.position import sides_of
from basra.reasons import reasons_for
from basra.results import STOPS, Hint, HintMove
from basra.view import View

_CHUNK = 16
_CHUNK_OF_MANY = 2  # with more players a world is more work, and a limit should be met closely
_VALUES_LIMIT = 1 << 25  # numbers kept for the statistics: 256 MB at worst


@dataclass(slots=True)
class _Group:
    """Legal moves that differ only in equal cards, canonical order."""

    index: int
    moves: list[Move] = field(default_factory=list)


def _groups(view: View) -> list[_Group]:
    try:
        listed, count = view.data.moves()
    except _core.CoreError as error:
        raise core_error(error, "hand", view.hand) from None
    groups = [_Group(i) for i in range(count)]
    for found, group in listed:
        groups[group].moves.append(move_of(found))
    return [group for group in groups if group.moves]


class HintTask:
    """One hint in progress: its worlds in fixed chunks, values gathered in order."""

    def __init__(self, view: View, limits: Limits, seed: int) -> None:
        self.view = view
        self.seed = seed
        self.started = time.monotonic_ns()
        self.groups = _groups(view)
        sides = sides_of(view.players, view.partners)
        self.limits = with_defaults(limits, sides > 2)
        self.chunk = _CHUNK if view.players == 2 else _CHUNK_OF_MANY
        self.width = 1 if sides == 2 else view.players
        self.per_world = len(self.groups) * self.width
        wanted = self.limits.worlds or MAX_WORLDS
        self.target = min(wanted, max(1, _VALUES_LIMIT // self.per_world))
        self.all = view.data.all_worlds(min(self.target, 1 << 17))
        self.count = len(self.all) if self.all is not None else self.target
        self.values: list[int] = []
        self.worlds = 0
        self.nodes = 0
        self.stop = ""

    @property
    def chunks(self) -> int:
        return -(-self.count // self.chunk)

    def worlds_of(self, chunk: int) -> _core.Worlds:
        """The worlds of a chunk; they depend on nothing but seed and number."""
        first = chunk * self.chunk
        count = min(self.chunk, self.count - first)
        if self.all is not None:
            return self.all.slice(first, count)
        return self.view.data.sample_worlds(self.seed, first, count)

    def run(
        self, engine: _core.EngineData, chunk: int, interrupts: list[BaseException]
    ) -> tuple[list[int], list[int], int]:
        left = time_left_ns(self.limits, self.started)
        return engine.world_values(
            self.view.data, self.worlds_of(chunk), len(self.groups), 0, left, interrupts
        )

    def take(self, found: tuple[list[int], list[int], int]) -> bool:
        """Adds a chunk's worlds in order; True when the search is over."""
        values, nodes, stop = found
        for i, visited in enumerate(nodes):
            limit = self.limits.nodes
            if limit is not None and self.worlds and self.nodes + visited > limit:
                self.stop = "nodes"
                return True
            self.values += values[i * self.per_world : (i + 1) * self.per_world]
            self.nodes += visited
            self.worlds += 1
        if stop:
            self.stop = STOPS[stop]
        elif self.worlds == self.count:
            short = self.limits.worlds is None or self.count < self.limits.worlds
            self.stop = "complete" if self.all is not None else "memory" if short else "worlds"
        return bool(self.stop)

    def result(self, stop: str | None = None) -> Hint:
        complete = self.all is not None and self.worlds == self.count
        exact = complete and self.count == 1 and self.view.is_last_deal
        return Hint(
            position=self.view.notation,
            rules_name=self.view.rules.name,
            rules_hash=self.view.rules.hash,
            assumed=tuple(self.view.assumed.items()),
            method="solve/1" if exact else "worlds/1",
            exact=exact,
            worlds_complete=complete,
            stop=stop or self.stop or "interrupted",
            worlds=self.worlds,
            nodes=self.nodes,
            seconds=(time.monotonic_ns() - self.started) / 1e9,
            seed=self.seed,
            moves=_ranked(self, complete),
        )


# -- statistics ----------------------------------------------------------------------------------


def _mean(values: Sequence[int], weights: Sequence[int]) -> float:
    total = sum(v * w for v, w in zip(values, weights, strict=True))
    return total / (sum(weights) * _core.UNIT)


def _error(values: Sequence[int]) -> float | None:
    """Standard error of the mean of equally weighted draws, in points; None for a single draw."""
    n = len(values)
    if n < 2:
        return None
    total, squares = sum(values), sum(v * v for v in values)
    # Integers up to here: the same bits in whatever order worlds were searched.
    spread = n * squares - total * total
    return math.sqrt(spread / (n * n * (n - 1))) / _core.UNIT


def _interest(task: HintTask, column: int, world: int) -> int:
    """A world's value of a group for my side; single players: times players - 1."""
    at = world * task.per_world + column * task.width
    if task.width == 1:
        return task.values[at]
    points = task.values[at : at + task.width]
    return task.width * points[0] - sum(points)


def _ranked(task: HintTask, complete: bool) -> tuple[HintMove, ...]:
    weights = [task.all[i][1] if task.all is not None else 1 for i in range(task.worlds)]
    scale = 1 if task.width == 1 else task.width - 1
    columns = {
        group.index: [_interest(task, column, w) for w in range(task.worlds)]
        for column, group in enumerate(task.groups)
    }
    totals = {
        index: sum(v * w for v, w in zip(values, weights, strict=True))
        for index, values in columns.items()
    }

    def promise(group: _Group) -> tuple[float, ...]:
        move = group.moves[0]
        at_once = (-move.basra - move.points, -len(move.captures), group.index)
        return (-totals[group.index], 0, 0, group.index) if task.worlds else (0, *at_once)

    ranked = sorted(task.groups, key=promise)
    best = columns[ranked[0].index]
    found = []
    for group in ranked:
        values = columns[group.index]
        value = stderr = delta = delta_stderr = None
        if task.worlds:
            gaps = [a - b for a, b in zip(best, values, strict=True)]
            value, delta = _mean(values, weights) / scale, _mean(gaps, weights) / scale
            stderr, delta_stderr = 0.0, 0.0
            if not complete:
                stderr, delta_stderr = _scaled(_error(values), scale), _scaled(_error(gaps), scale)
        found.append(
            HintMove(
                move=group.moves[0],
                value=value,
                stderr=stderr,
                delta=delta,
                delta_stderr=delta_stderr,
                equal=tuple(group.moves[1:]),
                reasons=reasons_for(task.view, group.moves[0]),
                points=_seat_points(task, group, weights),
            )
        )
    return tuple(found)


def _scaled(error: float | None, scale: int) -> float | None:
    return None if error is None else error / scale


def _seat_points(task: HintTask, group: _Group, weights: list[int]) -> tuple[float, ...] | None:
    if task.width == 1 or not task.worlds:
        return None
    column = task.groups.index(group)
    at = [w * task.per_world + column * task.width for w in range(task.worlds)]
    return tuple(_mean([task.values[a + seat] for a in at], weights) for seat in range(task.width))
