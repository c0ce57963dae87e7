"""Cards and sets of cards, as people write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import total_ordering
from typing import Self

from basra.errors import CardError
from basra.language import NO_MARKS
from basra.said import said

RANKS = "A23456789TJQK"
SUITS = "CDHS"
SUIT_SIGNS = "♣♦♥♠"

_OUTLINE_SIGNS = "♧♢♡♤"
_ONE_CARD = re.compile(r"(10|[A2-9TJQK])([CDHS])")
_SEPARATORS = re.compile(r"[\s,]+")
# Marks that come along when text is copied: of emoji, and those that turn or isolate text.
_TO_LETTERS = str.maketrans(SUIT_SIGNS + _OUTLINE_SIGNS, SUITS + SUITS, "\ufe0e\ufe0f") | NO_MARKS
_FIX = said(
    "write rank {ranks}, then suit {suits}, such as {card}",
    ranks="A 2 .. 9 T J Q K", suits="C D H S", card="7D",
)  # fmt: skip


@total_ordering
class Card:
    """One card of the pack; immutable, ordered by rank A..K and then by suit C D H S.

    >>> Card("10d"), Card("7♦").rank, Card("KS") > Card("AC")
    (Card('TD'), '7', True)
    """

    __slots__ = ("index",)
    index: int
    """0..51: rank * 4 + suit"""

    _all: list[Card] = []  # noqa: RUF012  (filled once, below)
    _named: dict[str, Card] = {}  # noqa: RUF012  (the same)

    def __new__(cls, card: str | int | Card) -> Self:
        if isinstance(card, Card):
            return card  # type: ignore[return-value]
        if isinstance(card, int):
            if not 0 <= card < 52:
                raise CardError("is not a card number", field="card", value=card, fix="use 0 to 51")
            return cls._all[card]  # type: ignore[return-value]
        found = parse_cards(card)
        if len(found) != 1:
            raise CardError(said("is not one card"), field="card", value=card, fix=_FIX)
        return found[0]  # type: ignore[return-value]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a card cannot be changed")

    @property
    def rank(self) -> str:
        """A 2 .. 9 T J Q K"""
        return RANKS[self.index // 4]

    @property
    def suit(self) -> str:
        """C D H S"""
        return SUITS[self.index % 4]

    @property
    def sign(self) -> str:
        """The card with its suit's sign, such as 7♦."""
        return self.rank + SUIT_SIGNS[self.index % 4]

    def __str__(self) -> str:
        return self.rank + self.suit

    def __repr__(self) -> str:
        return f"Card('{self}')"

    def __hash__(self) -> int:
        return hash((Card, self.index))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Card) and self.index == other.index

    def __lt__(self, other: Card) -> bool:
        return self.index < other.index

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from basra.html import card_html

        return card_html(self)

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return (Card, (str(self),))


def _fill() -> None:
    for index in range(52):
        card = object.__new__(Card)
        object.__setattr__(card, "index", index)
        Card._all.append(card)
        Card._named[str(card)] = card


_fill()


def parse_cards(text: str, field: str = "card") -> list[Card]:
    """Cards in the order written: blanks or commas between them, or nothing.

    Takes `10` for T, lower case and suit signs.  Raises CardError naming `field`.

    >>> parse_cards("7D, 10h ♠"[:7])
    [Card('7D'), Card('TH')]
    """
    if not isinstance(text, str):
        raise CardError("is not a text of cards", field=field, value=str(text), fix=_FIX)
    with suppress(KeyError):
        # Written as they are printed, as in all notations.
        return [Card._named[text[i : i + 2]] for i in range(0, len(text), 2)]
    plain = text.translate(_TO_LETTERS).upper()
    cards: list[Card] = []
    for word in _SEPARATORS.split(plain.strip()):
        at = 0
        while at < len(word):
            match = _ONE_CARD.match(word, at)
            if match is None:
                raise CardError(said("is not a card"), field=field, value=word[:40], fix=_FIX)
            rank = RANKS.index("T" if match[1] == "10" else match[1])
            cards.append(Card._all[4 * rank + SUITS.index(match[2])])
            at = match.end()
    return cards


class Cards:
    """A set of cards; immutable, iterated and printed in canonical order.

    >>> Cards("KH 5c 7D")
    Cards('5C 7D KH')
    >>> Cards("5C 7D") | Cards("KH") == Cards("KH 7D 5C")
    True
    """

    __slots__ = ("mask",)
    mask: int
    """One bit a card: 1 << index"""

    def __init__(
        self, cards: str | Iterable[Card | str] | Cards = (), field: str = "cards"
    ) -> None:
        if isinstance(cards, Cards):
            object.__setattr__(self, "mask", cards.mask)
            return
        listed = parse_cards(cards, field) if isinstance(cards, str) else [Card(c) for c in cards]
        mask = 0
        for card in listed:
            mask |= 1 << card.index
        if mask.bit_count() != len(listed):
            twice = next(card for i, card in enumerate(listed) if card in listed[:i])
            raise CardError(
                said("is named twice"), field=field, value=twice, fix=said("name each card once")
            )
        object.__setattr__(self, "mask", mask)

    @classmethod
    def from_mask(cls, mask: int) -> Self:
        """The set with one bit a card."""
        if not 0 <= mask < 1 << 52:
            raise CardError("is not a set of cards", field="mask", value=mask, fix="use 52 bits")
        cards = cls.__new__(cls)
        object.__setattr__(cards, "mask", mask)
        return cards

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a set of cards cannot be changed")

    def __iter__(self) -> Iterator[Card]:
        mask = self.mask
        while mask:
            low = mask & -mask
            yield Card._all[low.bit_length() - 1]
            mask ^= low

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __contains__(self, card: object) -> bool:
        return isinstance(card, (Card, str)) and bool(self.mask >> Card(card).index & 1)

    def __or__(self, other: Cards) -> Cards:
        return Cards.from_mask(self.mask | other.mask)

    def __and__(self, other: Cards) -> Cards:
        return Cards.from_mask(self.mask & other.mask)

    def __sub__(self, other: Cards) -> Cards:
        return Cards.from_mask(self.mask & ~other.mask)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cards) and self.mask == other.mask

    def __hash__(self) -> int:
        return hash((Cards, self.mask))

    def __str__(self) -> str:
        return " ".join(str(card) for card in self)

    def __repr__(self) -> str:
        return f"Cards('{self}')"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from basra.html import cards_html

        return cards_html(self)

    def __reduce__(self) -> tuple[type[Cards], tuple[str]]:
        return (Cards, (str(self),))

    @property
    def texts(self) -> list[str]:
        """The cards as JSON has them."""
        return [str(card) for card in self]

    @property
    def joined(self) -> str:
        """The cards without blanks, as in notations; `-` if there are none."""
        return "".join(str(card) for card in self) or "-"
