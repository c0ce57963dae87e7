"""The value of a position with all cards known, by looking at every line of play.

Nothing is cut off. Two short cuts are taken, and both are plain: of moves that differ only
by equal cards one is looked at, and a position met twice in one call is looked at once.
"""

from dataclasses import dataclass, field
from fractions import Fraction

from .captures import Move
from .cards import SEVEN_OF_DIAMONDS, rank
from .play import (
    State,
    apply,
    banked_points,
    by_side,
    majority_points,
    moves,
    side_of,
)
from .rules import Rules, pack, points_of_card, sweeps

Vector = tuple[int, ...]
Value = int | Fraction
Key = tuple[object, ...]


@dataclass(frozen=True)
class Search:
    """What one call shares: the type of every card, and the positions already valued."""

    types: dict[int, int]
    known: dict[Key, Vector] = field(default_factory=dict)


def card_types(rules: Rules) -> dict[int, int]:
    """The type index of every card: cards of one type can be exchanged without effect.

    A type is a rank, split by card points and by the powers of 7D. Types are numbered by
    rank and then by their lowest card, which is the order in which the pack meets them.
    """
    indexes: dict[tuple[int, int, bool], int] = {}
    types: dict[int, int] = {}
    for card in pack(rules):
        special = card == SEVEN_OF_DIAMONDS and sweeps(rules, card)
        kind = (rank(card), points_of_card(rules, card), special)
        types[card] = indexes.setdefault(kind, len(indexes))
    return types


def type_order(types: dict[int, int], move: Move) -> tuple[int, list[int]]:
    """Canonical order of moves when equal cards are one."""
    return types[move.card], sorted(types[card] for card in move.taken)


def representatives(types: dict[int, int], legal: list[Move]) -> list[Move]:
    """The first of each class of equal moves, in type-canonical order."""
    classes: dict[tuple[int, tuple[int, ...]], Move] = {}
    for move in legal:
        played, taken = type_order(types, move)
        classes.setdefault((played, tuple(taken)), move)
    return [classes[kind] for kind in sorted(classes)]


def position_key(state: State) -> Key:
    """All that future points depend on.

    Rules, partnerships and carry are the same throughout a call, and so is the stock up to
    how much of it is left.
    """
    return (state.hands, state.floor, len(state.stock), state.counts, state.last, state.turn)


def lead(points: Vector, side: int) -> int:
    """What a side makes most of: own points less the mean of the others', free of fractions.

    With n sides it is n - 1 times that difference; with two it is the difference.
    """
    return len(points) * points[side] - sum(points)


def as_value(state: State, points: Vector) -> Value:
    """Value for the side to move: a whole number for two sides, a fraction for more."""
    difference = lead(points, side_of(state, state.turn))
    if state.sides == 2:
        return difference
    return Fraction(difference, state.sides - 1)


def add(left: Vector, right: Vector) -> Vector:
    """Sum of points by side."""
    return tuple(one + other for one, other in zip(left, right, strict=True))


def after_move(search: Search, state: State, move: Move) -> Vector:
    """Points to come by side if this move is played: its own, and all that follow."""
    after = apply(state, move)
    gained = tuple(
        new - old for new, old in zip(banked_points(after), banked_points(state), strict=True)
    )
    return add(gained, future(search, after))


def future(search: Search, state: State) -> Vector:
    """Points to come by side when every side plays for its own lead."""
    if state.is_over:
        bonus, _ = majority_points(state.rules, by_side(state, state.counts), state.carry)
        return bonus
    key = position_key(state)
    if key not in search.known:
        side = side_of(state, state.turn)
        outcomes = [
            after_move(search, state, move) for move in representatives(search.types, moves(state))
        ]
        # `max` keeps the first of equals, which is the first move in canonical order.
        search.known[key] = max(outcomes, key=lambda points: lead(points, side))
    return search.known[key]


def solve(state: State) -> tuple[Value, Vector]:
    """Value for the side to move, and the points to come of every side.

    Points already banked are not in it; the cards already counted are, in the bonus.
    """
    points = future(Search(card_types(state.rules)), state)
    return as_value(state, points), points


def solve_moves(state: State) -> list[tuple[Move, Value, Vector]]:
    """Every legal move, card by card in canonical order, with what it leads to."""
    search = Search(card_types(state.rules))
    results = []
    for move in moves(state):
        points = after_move(search, state, move)
        results.append((move, as_value(state, points), points))
    return results
