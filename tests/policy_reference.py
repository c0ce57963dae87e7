"""A second reading of what the policy sees: features by name, from sets of cards.

From the table in csrc/model/policy_features.h, block by block; it shares nothing with the core but
the legal moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from basra import Rules
from helpers import set_of

GAINS = (1, 2, 3, 4, 6, 10, 15, 25)
LEADS = (-9, -4, -1, 2, 5, 10)
OPEN = (1, 2, 3, 5, 7, 10, 13, 17)
TEN, JACK, SEVEN_OF_DIAMONDS = 9, 10, 25

Feature = tuple[str, int]


def rank(card: int) -> int:
    return card // 4


class Kinds:
    """Card types of rules: of each card its type, and of each type its cards."""

    def __init__(self, rules: Rules) -> None:
        fields = rules.data.fields()
        points = fields["card_points"]
        sweeps = rules.seven_diamonds != "plain"
        names: list[tuple[int, int, bool]] = []
        self.of: list[int] = []
        self.points: list[int] = points
        for card in range(52):
            name = (rank(card), points[card], sweeps and card == SEVEN_OF_DIAMONDS)
            if name not in names:
                names.append(name)
            self.of.append(names.index(name))
        self.members = [
            [card for card in range(52) if self.of[card] == kind] for kind in range(len(names))
        ]

    def blocks(self) -> list[tuple[str, int]]:
        """Names and sizes of the blocks, in order."""
        return [
            ("floor", 52), ("played", 2 * len(self.members)), ("left", len(self.members) + 11),
            ("gain", 9), ("taken", 9), ("basra", 1), ("cards", 8), ("deals", 8), ("table", 4),
            ("lead", 7), ("kept", 52), ("copies", 8), ("danger", 6), ("pairs", 3), ("next", 5),
            ("jacks", 5), ("open", 9),
        ]  # fmt: skip

    def named(self, numbers: Iterable[int]) -> set[Feature]:
        """Feature numbers as blocks and numbers within them."""
        found = set()
        for number in numbers:
            for name, size in self.blocks():
                if number < size:
                    found.add((name, number))
                    break
                number -= size
            else:
                raise AssertionError("a number beyond the last block")
        return found

    def thermometer(self, name: str, cards: Iterable[int]) -> Iterator[Feature]:
        held = [self.of[card] for card in cards]
        at = 0
        for kind, members in enumerate(self.members):
            for k in range(held.count(kind)):
                yield name, at + k
            at += len(members)


class Sight(NamedTuple):
    """What the seat to play sees."""

    floor: frozenset[int]
    gone: frozenset[int]
    hand: frozenset[int]
    deals_left: int
    table: int
    lead: int


def sums_of(values: list[int]) -> set[int]:
    sums = {0}
    for value in values:
        sums |= {total + value for total in sums}
    return sums


def step(limits: tuple[int, ...], number: int) -> int:
    return sum(number >= limit for limit in limits)


def features(kinds: Kinds, sight: Sight, move: tuple[int, int, int, int]) -> set[Feature]:
    """The features of a move given as (card, cards taken, basra points, card points)."""
    card, mask, basra, points = move
    taken = set_of(mask)
    kept = sight.hand - {card}
    left = sight.floor - taken if taken else sight.floor | {card}
    captures = 1 if taken else 0
    found = {*kinds.thermometer("floor", left), *kinds.thermometer("kept", kept)}
    numerals = [rank(c) + 1 for c in left if rank(c) <= TEN]
    small = len(numerals) == len(left) and sum(numerals) <= 10
    many = len(kinds.members)
    if not left:
        look = 0
    elif len(left) == 1:
        look = 1 + kinds.of[next(iter(left))]
    else:
        look = 1 + many + (sum(numerals) - 2 if small else 9)
    found |= {
        ("played", 2 * kinds.of[card] + captures),
        ("left", look),
        ("gain", step(GAINS, basra + points)),
        ("taken", min(len(taken) + captures, 8)),
        ("cards", min(len(sight.hand), 8) - 1),
        ("deals", min(sight.deals_left, 7)),
        ("table", sight.table),
        ("lead", step(LEADS, sight.lead)),
    }
    if basra:
        found.add(("basra", 0))
    seen = sight.floor | sight.gone | sight.hand

    def unseen(wanted: int) -> int:
        return sum(rank(c) == wanted and c not in seen for c in range(52))

    found.add(("copies", 4 * captures + min(unseen(rank(card)), 3)))
    found.add(("jacks", unseen(JACK)))
    whole = {sum(numerals) - 1} if left and small else set()
    if len({rank(c) for c in left}) == 1:
        whole |= {rank(c) for c in left}
    if whole:
        found.add(("danger", min(sum(unseen(r) for r in whole), 4)))
        if any(rank(c) in whole for c in kept):
            found.add(("danger", 5))
    if not taken:
        found.add(("pairs", min(sum(rank(c) == rank(card) for c in kept), 2)))
    sums = sums_of(numerals)
    takers = {r for r in range(10) if r + 1 in sums} | {rank(c) for c in left if rank(c) > TEN}
    if left:
        takers.add(JACK)
    found.add(("open", step(OPEN, sum(unseen(r) for r in takers - {JACK}))))
    found.add(("next", min(len(takers & {rank(c) for c in kept}), 4)))
    return found


def sight_of(view: Any, hand: int, floor: int, gone: int, lead: int) -> Sight:
    """What a seat of a view's table saw, given what differs from seat to seat and play to play."""
    fields = view.fields()
    table = 3 if fields["partners"] else fields["players"] - 2
    return Sight(
        set_of(floor), set_of(gone), set_of(hand), fields["deals"] - fields["deal"], table, lead
    )
