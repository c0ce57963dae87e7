"""Key moments: the few decisions that cost most, and those before which the round had turned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from basra.reviews.results import Decision, Moment, ReviewedRound

MOST_COSTLY = 5
MOST_SWINGS = 3
LEAST_SWING = 8.0
"""Points that a lead must have moved by to be told"""


def key_moments(rounds: Sequence[ReviewedRound], side: int | None) -> tuple[Moment, ...]:
    """Key moments, in the order played; swings are those of a side, or of the seat that moves."""
    decisions = [decision for found in rounds for decision in found.decisions]
    marked = [decision for decision in decisions if decision.mark is not None]
    costly = sorted(marked, key=lambda decision: -decision.weight)[:MOST_COSTLY]
    found = [Moment("cost", worst.round, worst.ply, worst.cost) for worst in costly]
    taken = {(moment.round, moment.ply) for moment in found}
    swings = [
        swing
        for now in rounds
        for swing in _swings(now.decisions, side)
        if (swing.round, swing.ply) not in taken
    ]
    swings = [swing for swing in swings if abs(swing.value) >= LEAST_SWING]
    found += sorted(swings, key=lambda swing: -abs(swing.value))[:MOST_SWINGS]
    return tuple(sorted(found, key=lambda moment: (moment.round, moment.ply)))


def _swings(decisions: Sequence[Decision], side: int | None) -> Iterator[Moment]:
    """How far the expected lead had moved since the decision before, in one round."""
    known = [decision for decision in decisions if decision.before and decision.after]
    for last, now in pairwise(known):
        whose = now.seat if side is None else side
        assert now.before is not None
        assert last.after is not None
        moved = now.before[whose] - last.after[whose]
        yield Moment("swing", now.round, now.ply, moved, now.deal > last.deal)
