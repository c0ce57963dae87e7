"""Hints by other methods than the worlds search: what a player makes of every move."""

from __future__ import annotations

from array import array
from time import perf_counter

from basra import _core
from basra.belief import Belief
from basra.errors import core_error
from basra.limits import Limits, limits_ns
from basra.models import Model
from basra.players import METHODS
from basra.reasons import reasons_for
from basra.results import STOPS, Hint, HintMove
from basra.task import WorldSums, groups_of
from basra.view import View

IN_POINTS = ("greedy", "endgame", "careful", "expectimax", "best")
"""Methods whose marks are points; those of others only rank the moves."""


def method_hint(
    engine: _core.EngineData,
    view: View,
    method: str,
    limits: Limits,
    *,
    seed: int,
    model: Model | None,
    trust: int,
    interrupts: list[BaseException],
) -> Hint:
    """Every move of a view as one of `METHODS` sees it, best first.

    `value` is what the method reckons with, where that is points: what the move brings at once
    (greedy, and endgame before the last deal), that less the expected answer (careful), the
    expected points of expectimax.  Other methods only rank: their values are None.  Errors are told
    by expectimax alone, and by best where it is that: those of hands drawn.  `limits.worlds` are
    worlds, or simulations of a tree search.
    """
    began = perf_counter()
    groups = [group.moves for group in groups_of(view)]
    count = len(groups)
    player = _core.PlayerData(
        None if model is None else model._data,
        list(METHODS).index(method),
        limits.worlds or 0,
        trust if model is not None else 0,
        0,
        0,
        100,
    )
    try:
        marks, work, stop, by_world = _core.player_marks_of(
            engine, player, view.data, seed, limits.nodes or 0, count, limits_ns(limits), interrupts
        )
    except _core.CoreError as error:
        raise core_error(error, "method", method) from None
    belief = Belief.of(view, model, trust, seed)
    order = sorted(range(count), key=lambda group: (-marks[group], group))
    best = marks[order[0]]
    points = method in IN_POINTS
    errors = _errors(by_world, order[0], count)
    moves = tuple(
        HintMove(
            move=groups[group][0],
            value=marks[group] / _core.UNIT if points else None,
            stderr=errors[group][0],
            delta=(best - marks[group]) / _core.UNIT if points else None,
            delta_stderr=errors[group][1],
            equal=tuple(groups[group][1:]),
            reasons=reasons_for(view, groups[group][0], belief),
        )
        for group in order
    )
    return Hint(
        position=view.notation,
        rules_name=view.rules.name,
        rules_hash=view.rules.hash,
        assumed=tuple(view.assumed.items()),
        method=f"{method}/1",
        exact=False,
        worlds_complete=False,
        stop=STOPS[stop],
        worlds=0,
        nodes=work,
        seconds=perf_counter() - began,
        seed=seed,
        moves=moves,
        trust=trust if model is not None else 0,
    )


def _errors(
    by_world: tuple[array[int], list[int], bool] | None, best: int, count: int
) -> list[tuple[float | None, float | None]]:
    """By group, the standard errors of its value and of how far it is behind the best."""
    if by_world is None:
        return [(None, None)] * count
    values, weights, complete = by_world
    if complete:
        return [(0.0, 0.0)] * count
    columns = [_core.column(values, group, count, 1) for group in range(count)]
    return [
        (
            WorldSums.of(column, weights).error(1),
            WorldSums.of(_core.differences(columns[best], column), weights).error(1),
        )
        for column in columns
    ]
