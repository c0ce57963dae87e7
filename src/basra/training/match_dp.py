"""The chance to win a match from every score: a dynamic program over rounds, in integers.

A round has one of a few thousand outcomes, each with its weight.  The chance of the side that leads
is the weighted mean of what the scores after the round are worth to it; the other side leads there.
Rounds can end where they began (no points, or another tie above the target), so the chances are
worked out again and again from those before until they stay the same.  All numbers are integers:
the same on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Numbers: TypeAlias = npt.NDArray[np.int64]

SURE = 1 << 30
"""What stands for certainty while chances are worked out."""

_STILL = SURE >> 24  # chances that change no more than that stay as they are
_PASSES_MOST = 5000


class Outcome(NamedTuple):
    """What a round brings: points of the leading side and of the other without most cards, and who
    won those: 1 the leading side, -1 the other, 0 nobody."""

    own: int
    other: int
    won: int


class MatchChances(NamedTuple):
    """Chances of the leading side, in 1/SURE."""

    lowest: int  # score of the first row and column
    open: Numbers  # by carry, own score, other score; both below the target
    tied: Numbers  # by carry: both have reached it and are level


class MatchRules(NamedTuple):
    """What of the rules decides a match."""

    target: int
    most_cards: int
    carries: bool  # a tie's points wait for the next round
    carry_states: int  # numbers of ties in a row that are told apart, none included


def solve_match(
    rules: MatchRules, outcomes: Mapping[Outcome, int], lowest: int = 0
) -> MatchChances:
    """Chances for every pair of scores from `lowest` up to the target.

    Scores below `lowest`, which rules with negative points can bring, count as `lowest`.
    """
    size, states = rules.target - lowest, rules.carry_states
    steps = _steps(rules, outcomes)
    most = max([0, *(max(own, other) for state in steps for own, other, _, _ in state)])
    least = min([0, *(min(own, other) for state in steps for own, other, _, _ in state)])
    total = sum(outcomes.values())
    chances = np.full((states, size, size), SURE // 2, dtype=np.int64)
    tied = np.full(states, SURE // 2, dtype=np.int64)
    for _ in range(_PASSES_MOST):
        after = [_after(chances[state], tied[state], most, least) for state in range(states)]
        new, new_tied = np.zeros_like(chances), np.zeros_like(tied)
        for state in range(states):
            for own, other, carry, weight in steps[state]:
                row, column = own - least, other - least
                new[state] += after[carry][row : row + size, column : column + size] * weight
                new_tied[state] += weight * _after_tie(own - other, tied[carry])
        new, new_tied = new // total, new_tied // total
        change = max(int(abs(new - chances).max()), int(abs(new_tied - tied).max()))
        chances, tied = new, new_tied
        if change <= _STILL:
            break
    return MatchChances(lowest, chances, tied)


def _steps(
    rules: MatchRules, outcomes: Mapping[Outcome, int]
) -> list[list[tuple[int, int, int, int]]]:
    """By carry state: points of both sides, the next carry state, and the weight."""
    steps = []
    for state in range(rules.carry_states):
        bonus = rules.most_cards * (1 + state)
        merged: dict[tuple[int, int, int], int] = {}
        for (own, other, won), weight in sorted(outcomes.items()):
            carry = min(state + 1, rules.carry_states - 1) if rules.carries and not won else 0
            key = (own + bonus * (won > 0), other + bonus * (won < 0), carry)
            merged[key] = merged.get(key, 0) + weight
        steps.append([(*key, weight) for key, weight in merged.items()])
    return steps


def _after(chances: Numbers, tied: int, most: int, least: int) -> Numbers:
    """What scores after a round are worth to the side that led it, also beyond the target."""
    size = len(chances)
    grown = size - least + most
    own = np.arange(grown)[:, None] + least
    other = np.arange(grown)[None, :] + least
    inside = np.clip(np.arange(grown) + least, 0, size - 1)
    # The other side leads the next round.
    worth: Numbers = SURE - chances[np.ix_(inside, inside)].T
    over = (own >= size) | (other >= size)
    worth = np.where(over, np.where(own > other, SURE, 0), worth)
    return np.where(over & (own == other), SURE - tied, worth)


def _after_tie(difference: int, tied: int) -> int:
    """The same from a tie above the target; negative points do not lead back below it."""
    if difference:
        return SURE if difference > 0 else 0
    return SURE - int(tied)


def to_sixteen_bits(chances: Numbers) -> Numbers:
    """Chances in 1/65536 as 16 bits hold them: the open match is never quite sure."""
    return np.minimum((chances * 65536 + SURE // 2) // SURE, 65535)


def monotone(grid: Numbers) -> Numbers:
    """A grid of chances, own score by row, in which rounding makes no better score worse."""
    rising: Numbers = np.maximum.accumulate(grid, axis=0)
    return np.minimum.accumulate(rising, axis=1)
