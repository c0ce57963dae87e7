"""What people type at a table: moves, cards and numbers, read as long as they can be told apart.

Capitals, blanks and signs of suits do not matter, digits may be those of any script, and a suit may
be left out where nothing else fits.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from basra.cards import SUIT_SIGNS, SUITS, Card, Cards, parse_cards
from basra.errors import IllegalMoveError, NotationError
from basra.moves import Move
from basra.said import said

_SIGNS = str.maketrans(SUIT_SIGNS + "♧♢♡♤", SUITS + SUITS)
_PATTERN = re.compile(r"[\s,+]*(10|[1-9ATJQK])(?:\s*([CDHS]))?")
_TAKES = re.compile(r"\s*(?:X|\u00d7|TAKES?)")
_TRAIL = re.compile(r"\s*(?:X?\s*-|TRAIL)\s*")
_END = re.compile(r"[\s.,;*!]*")
_NO_MOVE = said("is not a move")
_FIX = said(
    "type a card, such as {card} or {rank}, or with what it takes, such as {move}",
    card="8S", rank="8", move="8SxAC7H",
)  # fmt: skip


def plain(text: str) -> str:
    """A text as it is read: digits of any script as 0 to 9, no marks of direction, no controls.

    >>> plain(" \u2067٨♠\u2069 ")
    '8♠'
    """
    read = []
    for char in unicodedata.normalize("NFKC", text):
        digit = unicodedata.decimal(char, None)
        kind = unicodedata.category(char)
        if digit is not None:
            read.append(str(digit))
        elif kind.startswith("Z") or char in "\t\n\r":
            read.append(" ")
        elif not kind.startswith(("C", "M")):
            read.append(char)
    return "".join(read).strip()


def printable(text: str) -> str:
    """A name or a remark as records can keep it: without controls and marks of direction."""
    return "".join(char for char in text if char.isprintable()).strip()


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A card as it was typed: perhaps without its suit."""

    rank: str
    suit: str

    def fits(self, card: Card) -> bool:
        return card.rank == self.rank and self.suit in ("", card.suit)

    def __str__(self) -> str:
        return self.rank + self.suit


def moves_meant(text: str, legal: Sequence[Move]) -> tuple[Move, ...]:
    """The legal moves that a text may mean, at least one, in their order.

    A card alone, with or without its suit, means all that it can do; what it takes may follow, in
    part if that is enough; `-` after it lays it down.  Raises NotationError for what is not a move,
    and IllegalMoveError if no legal move is meant.

    >>> from basra import Position
    >>> legal = Position.setup("8S 8D/KC KH", "7H AC 8C", rules="palestine-52").legal_moves()
    >>> [move.text for move in moves_meant("8s", legal)]
    ['8SxAC7H', '8SxAC7H8C*', '8Sx8C']
    >>> [move.text for move in moves_meant("8s x a 7", legal)], len(moves_meant("8", legal))
    (['8SxAC7H'], 6)
    """
    card, taken, trails = _read(text)
    found = [move for move in legal if card.fits(move.card)]
    if trails:
        found = [move for move in found if not move.captures]
    elif taken:
        found = [move for move in found if _takes(move, taken)]
        whole = [move for move in found if len(move.captures) == len(taken)]
        found = whole or found
    if not found:
        raise _no_move(text, card, legal)
    return tuple(found)


def picked(text: str, moves: Sequence[Move]) -> tuple[Move, ...]:
    """Of some moves those that an answer picks: by number, as a move, or by what is taken.

    By what is taken those of every card are meant, so there can be several.

    >>> from basra.moves import parse_moves
    >>> moves = parse_moves("8SxAC7H 8SxAC7H8C 8Sx8C")
    >>> [[move.text for move in picked(text, moves)] for text in ("3", "7 a", "8sx8", "kh")]
    [['8Sx8C'], ['8SxAC7H'], ['8Sx8C'], []]
    """
    number = number_meant(text, len(moves))
    if number is not None:
        return (moves[number - 1],)
    cards = dict.fromkeys(move.card for move in moves)
    return _meant(text, moves) or tuple(
        move for card in cards for move in _meant(f"{card} x {text}", moves)
    )


def _meant(text: str, moves: Sequence[Move]) -> tuple[Move, ...]:
    """The same as `moves_meant`; none where that is an error."""
    try:
        return moves_meant(text, moves)
    except (NotationError, IllegalMoveError):
        return ()


def picked_or_other(text: str, moves: Sequence[Move], legal: Sequence[Move]) -> tuple[Move, ...]:
    """What an answer picks of some moves, and what it means as a move of its own.

    >>> from basra.moves import parse_moves
    >>> legal = parse_moves("7Sx7C 7DxKC KH")
    >>> [move.text for move in picked_or_other("k", legal[:2], legal)]
    ['7DxKC', 'KH']
    """
    if number_meant(text, len(moves)) is not None:
        return picked(text, moves)
    return tuple(dict.fromkeys([*picked(text, moves), *_meant(text, legal)]))


def card_alone(text: str) -> Card | None:
    """The card that a text names with its suit, whatever it takes; None if it names none."""
    try:
        found = _read(text)[0]
    except NotationError:
        return None
    return Card(str(found)) if found.suit else None


def cards_meant(text: str, field: str = "cards") -> Cards:
    """Cards with both rank and suit; CardError for anything else, or for a card named twice."""
    return Cards(list_meant(text, field), field)


def list_meant(text: str, field: str = "cards") -> list[Card]:
    """The same in the order typed."""
    return parse_cards(plain(text).replace("+", " "), field)


def number_meant(text: str, most: int) -> int | None:
    """A number of a list that starts with 1, written #3 or 3; None if it is none of the list.

    >>> number_meant("#2", 5), number_meant("٢", 5), number_meant("6", 5)
    (2, 2, None)
    """
    found = re.fullmatch(r"#?\s*(\d{1,6})[.)]?", plain(text))
    number = int(found[1]) if found else 0
    return number if 1 <= number <= most else None


def _read(text: str) -> tuple[_Pattern, list[_Pattern], bool]:
    """The card, what is said of what it takes, and whether it is laid down."""
    typed = plain(text).translate(_SIGNS).upper()
    first = _PATTERN.match(typed)
    if first is None:
        raise NotationError(_NO_MOVE, field="move", value=plain(text)[:40], fix=_FIX)
    at, taken = first.end(), []
    trail = _TRAIL.match(typed, at)
    if trail is not None:
        at = trail.end()
    else:
        takes = _TAKES.match(typed, at)
        at = takes.end() if takes else at
        while (found := _PATTERN.match(typed, at)) is not None:
            taken.append(_pattern(found))
            at = found.end()
    if _END.fullmatch(typed, at) is None:
        raise NotationError(_NO_MOVE, field="move", value=plain(text)[:40], fix=_FIX)
    return _pattern(first), taken, trail is not None


def _pattern(found: re.Match[str]) -> _Pattern:
    return _Pattern({"10": "T", "1": "A"}.get(found[1], found[1]), found[2] or "")


def _takes(move: Move, taken: Iterable[_Pattern]) -> bool:
    """Does the move take a card of its own for each pattern?"""
    left = list(move.captures)
    for pattern in sorted(taken, key=lambda pattern: not pattern.suit):
        card = next((card for card in left if pattern.fits(card)), None)
        if card is None:
            return False
        left.remove(card)
    return True


def _no_move(text: str, card: _Pattern, legal: Sequence[Move]) -> IllegalMoveError:
    same = [move.text for move in legal if card.fits(move.card)]
    typed = plain(text)[:40]
    if same:
        shown = ", ".join(same[:8]) + (", .." if len(same) > 8 else "")
        return IllegalMoveError(
            said("is not legal here"), field="move", value=typed,
            fix=said("play {moves}", moves=shown),
        )  # fmt: skip
    cards = dict.fromkeys(move.card for move in legal)
    fix = said("play one that can be there")
    if len(cards) <= 8:
        fix = said("play {cards}", cards=" ".join(map(str, cards)))
    return IllegalMoveError(said("cannot be played here"), field="move", value=typed, fix=fix)
