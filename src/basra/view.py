"""Views: what one seat knows when it is to move."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from basra import _core
from basra.cards import Card, Cards, parse_cards
from basra.errors import ArgumentError, BasraError, core_error
from basra.moves import Move, check_pack, hand_error, move_of, parse_moves
from basra.position import checked_counts, checked_points, last_seat, sides_of
from basra.rules import Rules
from basra.words import assumed_text

if TYPE_CHECKING:
    from basra.position import Position


class View:
    """What the seat to move knows: rules, own hand, floor, cards seen, counts, this deal's plays.

    An immutable value.  Lists by side start with my side, then go on in order of play.  `assumed`
    tells every default that was taken; it does not count when views are compared.

    >>> view = View(hand="7D 5C KH 2S", floor="3C 2H 5S")
    >>> view.deal, view.seat, view.gone, view.hidden
    (2, 1, 9, (4,))
    """

    __slots__ = ("_data", "_fields", "assumed", "rules")
    rules: Rules
    assumed: dict[str, str]
    _data: _core.ViewData
    _fields: dict[str, Any]

    def __init__(
        self,
        hand: str | Cards,
        floor: str | Cards = "",
        *,
        rules: str | Rules | None = None,
        seen: str | Cards | None = None,
        buried: str | Sequence[Card] | None = None,
        cards: str | Sequence[int] | None = None,
        points: str | Sequence[int] | None = None,
        last: str | None = None,
        carry: int | None = None,
        match: str | Sequence[int] | None = None,
        deal: int | None = None,
        seat: int | None = None,
        played: str | Sequence[Move] | None = None,
        players: int | None = None,
        partners: bool | None = None,
    ) -> None:
        """A view from what a player can see; everything but hand and floor has a default.

        seen
            Cards known to be in anybody's pile, capturing cards included.  May be incomplete: the
            rest of what is gone is then sampled.
        buried
            Cards shown on the first floor and put back into the stock, in the order found.
        cards
            Cards captured so far by each side, mine first; default level.
        points, match, carry
            Points banked this round, match scores before it, and waiting points; lists may be
            written as text, "12:8".
        last
            Who captured last: "me", "them", "+1", "+2", "+3" (seats after mine) or "none".
        deal, seat
            Which deal of the round, and my place in the order of play, both from 1.
        played
            This deal's moves so far, oldest first from seat 1; hand and floor are as of now.
        """
        given = {
            "rules": rules, "seen": seen, "buried": buried, "cards": cards, "last": last,
            "deal": deal, "seat": seat, "played": played, "points": points, "carry": carry,
            "match": match, "players": players,
        }  # fmt: skip
        players = players if players is not None else 4 if partners else 2
        if players == 4:
            given["partners"] = partners
        partners = bool(partners)
        cards, points = numbers(cards, "cards"), numbers(points, "points")
        match = numbers(match, "match")
        rules = Rules.load("classic" if rules is None else rules)
        hand = Cards(hand, "hand") if isinstance(hand, str) else hand
        floor = Cards(floor, "floor") if isinstance(floor, str) else floor
        gone = Cards(seen or "", "seen") if not isinstance(seen, Cards) else seen
        order = parse_cards(buried or "", "buried") if isinstance(buried, str) else buried or ()
        moves = parse_moves(played) if isinstance(played, str) else tuple(played or ())
        _check_options(rules, players, partners, deal, seat)
        check_pack(rules, {"hand": hand, "floor": floor, "seen": gone})
        check_pack(rules, {"hand": hand, "buried": Cards(order, "buried") - hand})
        sides = sides_of(players, partners)
        # My place in the order of play turns lists that start with me into lists by seat.
        place = seat - 1 if seat is not None else len(moves) % players
        fields: dict[str, Any] = {
            "hand": hand.mask,
            "floor": floor.mask,
            "seen": gone.mask,
            "seen_given": seen is not None,
            "players": players,
            "partners": partners,
            "seat": place if seat is not None or moves else _core.UNKNOWN_SEAT,
            "last": last_seat(last, place, players, partners),
            "deal": deal or 0,
            "carry": checked_points(carry or 0, "carry"),
            "cards_given": cards is not None,
            "cards": _from_me(checked_counts(cards or [], "cards"), place, sides, "cards"),
            "points": _from_me(
                [checked_points(p, "points") for p in points or []], place, sides, "points"
            ),
            "score": _from_me(
                [checked_points(s, "match") for s in match or []], place, sides, "match"
            ),
            "buried": [card.index for card in order],
            "played": [(m.card.index, m.captures.mask) for m in moves],
        }
        try:
            data = _core.ViewData(rules.data, fields)
        except _core.CoreError as error:
            shown = {
                "hand": str(hand),
                "floor": str(floor),
                "seen": str(gone),
                "deal": deal,
                "seat": seat,
                "last": last,
                "carry": carry,
                "players": players,
                "cards": ":".join(map(str, cards or [])),
                "points": points,
                "buried": " ".join(map(str, order)),
                "played": " ".join(m.text for m in moves),
            }
            raise _explained(error, shown, moves) from None
        self._fill(rules, data)
        object.__setattr__(self, "assumed", self._assume(given))

    def _fill(self, rules: Rules, data: _core.ViewData) -> None:
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "_data", data)
        object.__setattr__(self, "_fields", data.fields())
        object.__setattr__(self, "assumed", {})

    @classmethod
    def of(cls, position: Position) -> View:
        """What the seat to move knows of a position: nothing that is hidden from it."""
        view = cls.__new__(cls)
        try:
            view._fill(position.rules, _core.ViewData.of(position.data))
        except _core.CoreError as error:
            raise core_error(error) from None
        return view

    @classmethod
    def from_notation(cls, text: str) -> View:
        """A view from its notation; see docs/notation.md."""
        from basra.notation import parse_view

        return parse_view(text)

    def _assume(self, given: Mapping[str, object]) -> dict[str, str]:
        """What was taken for each option left out, as one would type it."""
        return {key: assumed_text(self, key) for key, value in given.items() if value is None}

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a view cannot be changed")

    # -- what it says ----------------------------------------------------------------------------

    @property
    def hand(self) -> Cards:
        """My cards."""
        return Cards.from_mask(self._fields["hand"])

    @property
    def floor(self) -> Cards:
        """Cards on the floor."""
        return Cards.from_mask(self._fields["floor"])

    @property
    def seen(self) -> Cards:
        """Cards known to be in a pile; this deal's captures included."""
        return Cards.from_mask(self._fields["seen"])

    @property
    def buried(self) -> tuple[Card, ...]:
        """Cards shown on the first floor and put back, in the order found."""
        return tuple(map(Card, self._fields["buried"]))

    @property
    def players(self) -> int:
        """Number of seats."""
        return int(self._fields["players"])

    @property
    def partners(self) -> bool:
        """Do seats opposite play together?"""
        return bool(self._fields["partners"])

    @property
    def seat(self) -> int:
        """My place in the order of play; 1 leads every deal."""
        return int(self._fields["seat"]) + 1

    @property
    def deal(self) -> int:
        """Which deal of the round, from 1."""
        return int(self._fields["deal"])

    @property
    def deals(self) -> int:
        """Deals of the round."""
        return int(self._fields["deals"])

    @property
    def is_last_deal(self) -> bool:
        """Does the round end with this deal?"""
        return bool(self._fields["last_deal"])

    @property
    def cards(self) -> tuple[int, ...]:
        """Cards captured so far by each side, mine first."""
        return self._by_side("cards")

    @property
    def points(self) -> tuple[int, ...]:
        """Points banked this round by each side, mine first."""
        return self._by_side("points")

    @property
    def match(self) -> tuple[int, ...]:
        """Match scores before this round by side, mine first."""
        return self._by_side("score")

    @property
    def carry(self) -> int:
        """Points waiting from tied rounds."""
        return int(self._fields["carry"])

    @property
    def last(self) -> str | None:
        """Who captured last: "me", "them", "+1", "+2", "+3"; None for nobody, "unknown" if so."""
        seat = int(self._fields["last"])
        if seat == _core.NO_SEAT:
            return None
        if seat == _core.UNKNOWN_SEAT:
            return "unknown"
        after = (seat - self.seat + 1) % self.players
        if sides_of(self.players, self.partners) == 2:
            return "them" if after % 2 else "me"
        return f"+{after}" if after else "me"

    @property
    def played(self) -> tuple[Move, ...]:
        """This deal's moves so far, oldest first from seat 1, as far as given."""
        return tuple(move_of((card, taken, 0, 0)) for card, taken in self._fields["played"])

    @property
    def plays_made(self) -> int:
        """Plays made in this deal before mine, given or not."""
        f = self._fields
        mine = f["dealt"] - f["hand_sizes"][f["seat"]]
        return int(mine * self.players + f["seat"])

    @property
    def gone(self) -> int:
        """Number of cards in piles."""
        return int(self._fields["gone"])

    @property
    def untracked(self) -> int:
        """Of those, cards not in `seen`."""
        return int(self._fields["untracked"])

    @property
    def stock(self) -> int:
        """Number of undealt cards."""
        return int(self._fields["stock"])

    @property
    def unseen(self) -> Cards:
        """Every card whose place is not known."""
        return Cards.from_mask(self._fields["unseen"])

    @property
    def hidden(self) -> tuple[int, ...]:
        """Number of cards in the other hands, in order of play from the seat after mine."""
        sizes, mine = self._fields["hand_sizes"], self._fields["seat"]
        return tuple(sizes[(mine + i) % self.players] for i in range(1, self.players))

    def legal_moves(self) -> tuple[Move, ...]:
        """My legal moves, in canonical order."""
        try:
            return tuple(move_of(move) for move, _ in self._data.moves()[0])
        except _core.CoreError as error:
            raise hand_error(error, self.rules, self.hand, self.floor, "hand") from None

    @property
    def notation(self) -> str:
        """One line that names this view; see docs/notation.md."""
        from basra.notation import view_text

        return view_text(self)

    @property
    def data(self) -> _core.ViewData:
        """Not for users: the core's own object."""
        return self._data

    def _by_side(self, name: str) -> tuple[int, ...]:
        values, mine = self._fields[name], self._fields["seat"]
        sides = len(values)
        return tuple(values[(mine + i) % sides] for i in range(sides))

    # -- as a value ------------------------------------------------------------------------------

    def _key(self) -> tuple[Rules, str]:
        return self.rules, self.notation

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[object, ...]:
        return (_restore, (self.rules, self._fields, self.assumed))

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from basra.html import table_html

        return table_html(self)

    def __repr__(self) -> str:
        return f"View.from_notation('{self.notation}')"


def _restore(rules: Rules, fields: dict[str, Any], assumed: dict[str, str]) -> View:
    view = View.__new__(View)
    view._fill(rules, _core.ViewData(rules.data, fields))
    object.__setattr__(view, "assumed", assumed)
    return view


def numbers(values: str | Sequence[int] | None, field: str) -> list[int] | None:
    """A list of numbers, or its text such as 12:8."""
    if not isinstance(values, str):
        return None if values is None else list(values)
    words = re.split(r"[:\s,]+", values.strip())
    if not all(re.fullmatch(r"[+-]?\d{1,9}", word) for word in words):
        raise ArgumentError(
            "is not a list of numbers",
            field=field,
            value=values,
            fix="write mine:theirs, 12:8",
        )
    return [int(word) for word in words]


def _check_options(
    rules: Rules, players: int, partners: bool, deal: int | None, seat: int | None
) -> None:
    rules.check_table(players, partners)
    deals = len(rules.deal_sizes(players))
    if deal is not None and not 1 <= deal <= deals:
        raise ArgumentError(
            "is not a deal of this round", field="deal", value=deal, fix=f"use 1 to {deals}"
        )
    if seat is not None and not 1 <= seat <= players:
        raise ArgumentError(
            "is not a seat of this table",
            field="seat",
            value=seat,
            fix=f"use 1 (leads every deal) to {players}",
        )


def _from_me(values: Sequence[int], place: int, sides: int, field: str) -> list[int]:
    """A list that starts with my side, as a list by side; zeros if it is empty."""
    if not values:
        return [0] * sides
    if len(values) != sides:
        raise ArgumentError(
            "is not one number for each side",
            field=field,
            value=":".join(map(str, values)),
            fix=f"give {sides} numbers, mine first, such as {':'.join('0' * sides)}",
        )
    return [values[(side - place) % sides] for side in range(sides)]


def _explained(
    error: _core.CoreError, shown: dict[str, Any], moves: tuple[Move, ...]
) -> BasraError:
    """The core's fault with the value as it was typed."""
    found = core_error(error)
    value = shown.get(found.field)
    found.value = "" if value is None else str(value)
    if found.field == "played" and 0 <= error.detail < len(moves):
        found.value = f"{moves[error.detail].text} (number {error.detail + 1})"
    elif found.field == "cards" and "add up" in found.message:
        found.message += f": {error.detail} are gone"
    elif found.field in ("buried", "card") or found.message.startswith("has a card"):
        found.value = str(Card(error.detail)) if 0 <= error.detail < 52 else found.value
    return found
