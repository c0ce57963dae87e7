"""Luck: what the hands of each deal were worth, less what others would have been.

Hands are valued open, to the end of their deal, and what they leave there by the model: so luck is
what chance gave, whoever played.  It is measured against other hands drawn from the cards that were
then undealt; before the deal its expectation is 0.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from basra import _core
from basra.cards import Cards
from basra.errors import core_error
from basra.models import Model
from basra.position import Position, sides_of

REDEALS, REDEALS_OF_MORE = 240, 40
"""Other hands that those of a deal are measured against; fewer with more than two players, where
each is more work"""


@dataclass(frozen=True, slots=True)
class DealLuck:
    """One deal of a round; leads are expected ones at the round's end, by side.

    A lead is a side's points minus the other's, or minus the mean of the others'.  All is None if
    the hands of the deal are not known, or the review was stopped before.
    """

    deal: int
    """1 for the first of the round"""
    before: tuple[float, ...] | None
    """Leads before the cards were dealt: the mean over other hands"""
    after: tuple[float, ...] | None
    """With the hands dealt"""
    stderr: float | None
    """Standard error of `before`, and so of the luck; the largest of all sides"""

    @property
    def luck(self) -> tuple[float, ...] | None:
        """What the hands gave to each side, in points."""
        if self.before is None or self.after is None:
            return None
        return tuple(a - b for a, b in zip(self.after, self.before, strict=True))

    def to_dict(self) -> dict[str, object]:
        """The JSON of a deal's luck."""
        return {
            "deal": self.deal,
            "before": None if self.before is None else list(self.before),
            "after": None if self.after is None else list(self.after),
            "luck": None if self.luck is None else list(self.luck),
            "stderr": self.stderr,
        }


def luck_of(
    engine: _core.EngineData,
    model: Model | None,
    position: Position,
    seed: int,
    interrupts: list[BaseException],
    stopped: Callable[[], bool] = lambda: False,
) -> DealLuck:
    """The luck of a deal, of a position as it was dealt.

    `stopped` is asked after every hand; nothing is told of a deal that was not gone through.
    """
    data = None if model is None else model._data
    dice = random.Random(f"{seed}/{position.round_number}/{position.deal_number}")
    fields = position.data.fields()
    count = REDEALS if position.players == 2 else REDEALS_OF_MORE
    leads: list[tuple[float, ...]] = []
    try:
        for number in range(1 + count):
            hands = _dealt_again(position, fields, dice) if number else position
            found = _leads(engine, data, hands, interrupts)
            if found is None or stopped():
                return DealLuck(position.deal_number, None, None, None)
            leads.append(found)
    except _core.CoreError as error:
        if interrupts:
            raise interrupts[0] from None
        raise core_error(error, "position") from None
    dealt, *others = leads
    columns = list(zip(*others, strict=True))
    means = tuple(math.fsum(column) / count for column in columns)
    errors = [
        math.sqrt(math.fsum((v - mean) ** 2 for v in column) / (count - 1) / count)
        for column, mean in zip(columns, means, strict=True)
    ]
    return DealLuck(position.deal_number, means, dealt, max(errors))


def _leads(
    engine: _core.EngineData,
    model: _core.ModelData | None,
    position: Position,
    interrupts: list[BaseException],
) -> tuple[float, ...] | None:
    """Expected leads at the round's end, by side, with these hands open; None if it was stopped."""
    found = _core.deal_values(engine, model, position.data, 0, 1, interrupts)
    if interrupts:
        raise interrupts[0]
    if not found:
        return None
    sides, points = sides_of(position.players, position.partners), position.points
    if sides == 2:
        lead = found[0] / _core.UNIT * (1 if position.turn % 2 == 0 else -1)
        lead += points[0] - points[1]
        return (lead, -lead)
    totals = [
        points[seat] + found[(seat - position.turn) % sides] / _core.UNIT for seat in range(sides)
    ]
    return leads_of(totals)


def leads_of(totals: Sequence[float]) -> tuple[float, ...]:
    """Each side's points minus the other's, or minus the mean of the others'.

    >>> leads_of([10, 4, 1])
    (7.5, -1.5, -6.0)
    """
    everything, others = math.fsum(totals), len(totals) - 1
    return tuple(own - (everything - own) / others for own in totals)


def _dealt_again(position: Position, fields: dict[str, Any], dice: random.Random) -> Position:
    """The same position with other hands, as they could have been dealt by all that is public."""
    players, size = position.players, len(position.hands[position.turn])
    in_hands = players * size
    hidden = Cards.from_mask(sum(fields["hands"])) | Cards(position.stock)
    buried = [card for card in position.buried if card in hidden]
    # In dealing order: first what is in the hands, the leader's first, then the stock.
    places: list[int | None] = [None] * len(hidden)
    free = list(hidden)
    if position.rules.bury == "bottom":
        for card, place in zip(buried, range(len(places) - len(buried), len(places)), strict=True):
            places[place] = card.index
            free.remove(card)
    elif position.deal_number == 1:
        for card, place in zip(
            buried, dice.sample(range(in_hands, len(places)), len(buried)), strict=True
        ):
            places[place] = card.index
            free.remove(card)
    dice.shuffle(free)
    order = [free.pop().index if card is None else card for card in places]
    hands = [0] * players
    for place in range(players):
        cards = order[place * size : (place + 1) * size]
        hands[(position.turn + place) % players] = sum(1 << card for card in cards)
    again = {key: value for key, value in fields.items() if key != "plays"}
    return Position.from_fields(
        position.rules, again | {"hands": hands, "stock": order[in_hands:]}, True
    )
