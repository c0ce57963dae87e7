"""Moves, their text, and the captures of a card."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from basra import _core
from basra.cards import Card, Cards, parse_cards
from basra.errors import (
    BasraError,
    CardError,
    IllegalMoveError,
    NotationError,
    TooLargeError,
    core_error,
)
from basra.language import NO_MARKS
from basra.rules import Rules
from basra.said import said

SCHEMA_CAPTURES = "basra.captures/1"


@dataclass(frozen=True, order=True, slots=True)
class Move:
    """A card played and what it takes; nothing if it is trailed.

    `basra` and `points` are what it is worth at once, for the side that plays: basra points, and
    the points of the cards taken and of the card itself.  They do not count in comparisons.
    """

    card: Card
    captures: Cards = field(default_factory=Cards, compare=False)
    basra: int = field(default=0, compare=False)
    points: int = field(default=0, compare=False)
    _taken: tuple[Card, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_taken", tuple(self.captures))

    @property
    def text(self) -> str:
        """The card, then `x` and what it takes, `*` for a basra: 8SxAC7H8C*; trailed: 8S."""
        taken = f"x{self.captures.joined}" if self.captures else ""
        return f"{self.card}{taken}{'*' if self.basra else ''}"

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from basra.html import move_html

        return move_html(self)


def move_of(found: tuple[int, int, int, int]) -> Move:
    """A move of the core."""
    card, taken, basra, points = found
    return Move(Card(card), Cards.from_mask(taken), basra, points)


_MOVE = re.compile(r"^([^xX*]+)(?:[xX]([^xX*]+))?(\*?)$")
_FIX = said(
    "write the card, then {sign} and what it takes, such as {move}; a trailed card is just "
    "{card}",
    sign="x", move="8SxAC7H", card="8S",
)  # fmt: skip


def parse_move(text: str, field: str = "move") -> Move:
    """A move from its text, without knowing what it is worth.

    >>> parse_move("8sxAC 7h 8c*").text
    '8SxAC7H8C'
    """
    match = _MOVE.match(text.translate(NO_MARKS).strip()) if isinstance(text, str) else None
    if match is None:
        raise NotationError(said("is not a move"), field=field, value=str(text)[:60], fix=_FIX)
    card = parse_cards(match[1], field)
    if len(card) != 1:
        wrong = said("does not start with one card")
        raise NotationError(wrong, field=field, value=str(text), fix=_FIX)
    return Move(card[0], Cards(match[2] or "", field))


def parse_moves(text: str, field: str = "played") -> tuple[Move, ...]:
    """Moves with blanks or commas between them, oldest first."""
    return tuple(parse_move(word, field) for word in re.split(r"[\s,]+", text.strip()) if word)


def find_move(legal: Sequence[Move], wanted: Move | str) -> Move:
    """The legal move that is meant; IllegalMoveError that lists the others of that card if none."""
    move = parse_move(wanted) if isinstance(wanted, str) else wanted
    for candidate in legal:
        if candidate == move:
            return candidate
    same = [m.text for m in legal if m.card == move.card] or [m.text for m in legal]
    shown = ", ".join(same[:8]) + (", .." if len(same) > 8 else "")
    raise IllegalMoveError(
        said("is not legal here"), field="move", value=move.text,
        fix=said("play {moves}", moves=shown),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Captures:
    """Every legal capture of one card, in canonical order."""

    card: Card
    floor: Cards
    captures: tuple[Move, ...]
    trail: bool
    """May (or must) the card be trailed?"""

    def to_dict(self) -> dict[str, object]:
        """The JSON of `basra captures`."""
        return {
            "schema": SCHEMA_CAPTURES,
            "card": str(self.card),
            "floor": self.floor.texts,
            "captures": [
                {"cards": m.captures.texts, "basra": m.basra, "points": m.points}
                for m in self.captures
            ],
            "trail": self.trail,
        }


def captures(floor: str | Cards, card: str | Card, rules: str | Rules = "classic") -> Captures:
    """Every legal capture of `card` from `floor`, with basra points and card points.

    Raises CardError for a card outside the pack or on the floor, TooLargeError beyond 65,536
    captures.

    >>> [m.text for m in captures("AS 7H KD 8C", "8S", "egyptian").captures]
    ['8SxAS7H8C']
    """
    rules = Rules.load(rules)
    floor = Cards(floor, "floor") if isinstance(floor, str) else floor
    if isinstance(card, str):
        listed = parse_cards(card, "card")
        if len(listed) != 1:
            raise CardError(
                "is not one card", field="card", value=card, fix="name one card, such as 8S"
            )
        card = listed[0]
    check_pack(rules, {"floor": floor, "card": Cards([card])})
    try:
        found, trail = rules.data.captures(floor.mask, card.index)
    except _core.CoreError as error:
        raise core_error(error, "card", card) from None
    return Captures(card, floor, tuple(move_of(m) for m in found), trail)


def hand_error(
    error: _core.CoreError, rules: Rules, hand: Cards, floor: Cards, field: str
) -> BasraError:
    """The exception for a core error about a hand; too many captures are blamed on their card."""
    if error.status == TooLargeError.status:
        for card in hand:
            try:
                rules.data.captures(floor.mask, card.index)
            except _core.CoreError as again:
                return core_error(again, field, card)
        return TooLargeError(
            "lets a card that is played later have too many captures",
            field="floor",
            value=floor,
            fix="leave out some floor cards",
        )
    return core_error(error, field, hand)


# Translators: both of these fill "is in {other} too".
_PLACES = {"floor": said("floor"), "buried": said("buried")}


def check_pack(rules: Rules, places: dict[str, Cards]) -> None:
    """CardError if a card is outside the pack, or stands in two of the places."""
    pack, seen = rules.data.pack, 0
    for place, cards in places.items():
        for card in Cards.from_mask(cards.mask & ~pack):
            raise CardError(
                said(
                    "is not in the {count}-card pack of {rules}",
                    count=rules.deck,
                    rules=rules.name,
                ),
                field=place,
                value=card,
                fix=said("leave it out, or use rules with 52 cards"),
            )
        for card in Cards.from_mask(cards.mask & seen):
            other = next(name for name, held in places.items() if card in held)
            raise CardError(
                said("is in {other} too", other=_PLACES.get(other, other)),
                field=place,
                value=card,
                fix=said("name each card in one place only"),
            )
        seen |= cards.mask
