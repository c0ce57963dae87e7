"""Belief: how likely a hidden hand holds certain cards, by counting and after what was played."""

from __future__ import annotations

from dataclasses import dataclass

from basra.models import Model
from basra.moves import Move
from basra.view import View

_LISTED = 1 << 14  # worlds looked at, at most; all where they are no more


@dataclass(frozen=True, slots=True)
class Belief:
    """The worlds of a view, each with its weight by counting and after this deal's plays.

    Weights come from the policy of a model (Bayes' rule); docs/algorithms.md says how.
    """

    hands: tuple[tuple[tuple[int, ...], int], ...]
    """Hands by seat as sets, and the weight of their world after the plays"""

    @classmethod
    def of(cls, view: View, model: Model | None, trust: int, seed: int) -> Belief | None:
        """What the plays of this deal tell; None where they tell nothing."""
        if model is None or not trust or not view.played:
            return None
        worlds, _ = view.data.believed_worlds(model._data, trust, seed, _LISTED)
        return cls(tuple((hands, weight) for hands, weight, _ in worlds))

    def chance(self, seat: int, cards: int) -> float:
        """Chance that a seat, counted from the leader, holds at least one card of a set."""
        held = sum(weight for hands, weight in self.hands if hands[seat] & cards)
        return held / sum(weight for _, weight in self.hands)


def passed_over(view: View, seat: int, cards: int) -> Move | None:
    """The latest play of a seat in this deal that left what one of these cards would have taken.

    With such a card it could have taken a card of that rank from the floor, and it took nothing.
    """
    floor, found = view.floor.mask, None
    plays = view.played
    for index in range(len(plays) - 1, -1, -1):
        move = plays[index]
        card = 1 << move.card.index
        floor = floor | move.captures.mask if move.captures else floor & ~card
        there = any(floor >> 4 * rank & 15 and cards >> 4 * rank & 15 for rank in range(13))
        if found is None and index % view.players == seat and not move.captures and there:
            found = move
    return found
