"""Positions with all cards known: deal, step, take back, score."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from basra import _core
from basra.cards import Card, Cards, parse_cards
from basra.errors import ArgumentError, BasraError, CardError, GameOverError, RulesError, core_error
from basra.moves import Move, check_pack, find_move, hand_error, move_of, parse_move
from basra.rules import Rules

if TYPE_CHECKING:
    from basra.view import View


def sides_of(players: int, partners: bool) -> int:
    """Sides of a table: 2 in a partnership, else the players."""
    return 2 if partners else players


def divisor_of(position: Position) -> int:
    """The core's values are so many times points: own minus the mean of the others' is a quotient.

    1 for two sides, the number of the others for single players.
    """
    sides = sides_of(position.players, position.partners)
    return sides - 1 if sides > 2 else 1


class Position:
    """A round with all cards known, and the match around it; `play` and `undo` change it in place.

    Seats are counted from 0 and stay the same through a match; sides are seats, or in a partnership
    seat % 2.  Lists are by seat or by side, from 0.  Positions compare by value and can be pickled;
    as they change they cannot be hashed: use `notation` as a key.

    A whole match:

    >>> import random
    >>> position, dice = Position.deal("classic", seed=7), random.Random(1)
    >>> while position.winner is None:
    ...     if position.is_over:
    ...         _ = position.next_round()
    ...     _ = position.play(dice.choice(position.legal_moves()))
    >>> max(position.scores) >= 101
    True
    """

    __slots__ = ("_data", "rules")
    rules: Rules

    def __init__(self, rules: Rules, data: _core.PositionData) -> None:
        """Not for users: see `deal`, `setup` and `from_notation`."""
        self.rules = rules
        self._data = data

    # -- making one ------------------------------------------------------------------------------

    @classmethod
    def deal(
        cls,
        rules: str | Rules = "classic",
        seed: int | None = None,
        *,
        players: int = 2,
        partners: bool = False,
        leader: int = 0,
    ) -> Position:
        """Deals the first round of a match; the same seed deals the same cards for ever.

        Without a seed a random one is drawn; `seed` on the position tells it.
        """
        rules = Rules.load(rules)
        rules.check_table(players, partners)
        seed = secrets.randbits(63) if seed is None else checked_seed(seed)
        if not 0 <= leader < players:
            raise ArgumentError(
                "is not a seat", field="leader", value=leader, fix=f"use 0 to {players - 1}"
            )
        try:
            data = _core.PositionData.deal(rules.data, players, partners, leader, seed)
        except _core.CoreError as error:
            raise core_error(error) from None
        return cls(rules, data)

    @classmethod
    def deal_pack(
        cls,
        rules: str | Rules,
        pack: str | Sequence[Card],
        *,
        players: int = 2,
        partners: bool = False,
        leader: int = 0,
        seed: int = 0,
    ) -> Position:
        """Deals a round from a given order of the pack, first dealt first.

        `seed` places the buried cards where the rules bury them at random.
        """
        rules = Rules.load(rules)
        rules.check_table(players, partners)
        order = parse_cards(pack, "pack") if isinstance(pack, str) else list(pack)
        check_pack(rules, {"pack": Cards(order, "pack")})
        if len(order) != rules.deck:
            raise ArgumentError(
                "cards are not the whole pack",
                field="pack",
                value=len(order),
                fix=f"list all {rules.deck}",
            )
        try:
            data = _core.PositionData.deal_pack(
                rules.data, players, partners, leader, [c.index for c in order], checked_seed(seed)
            )
        except _core.CoreError as error:
            raise core_error(error) from None
        return cls(rules, data)

    @classmethod
    def setup(
        cls,
        hands: str | Sequence[str | Cards],
        floor: str | Cards = "",
        *,
        rules: str | Rules = "classic",
        stock: str | Sequence[Card] = "",
        cards: Sequence[int] | None = None,
        last: int | str | None = None,
        carry: int = 0,
        partners: bool = False,
    ) -> Position:
        """A position from what lies on the table; seat 0 is the seat to move.

        hands
            One for each seat from the seat to move, `/` between them; seats that have played in
            this turn of the table hold one card less.
        stock
            The undealt cards in dealing order: whole hands, the leader of the round first.
        cards
            Cards captured so far by each side, mine first.  Left out, all start at 0 and only the
            cards present count; given, they must add up with the pack.
        last
            Who captured last: a seat counted from the seat to move, or "me", "them", "+1", "+2",
            "+3" or "none"; None if not known, then nobody.
        """
        rules = Rules.load(rules)
        listed = hands.split("/") if isinstance(hands, str) else list(hands)
        held = [Cards(h, "hands") if isinstance(h, str) else h for h in listed]
        floor = Cards(floor, "floor") if isinstance(floor, str) else floor
        order = parse_cards(stock, "stock") if isinstance(stock, str) else list(stock)
        places = {"floor": floor, "stock": Cards(order, "stock")}
        places |= {f"hands, number {i + 1}": hand for i, hand in enumerate(held)}
        typed = hands if isinstance(hands, str) else " / ".join(map(str, held))
        if len(held) < 2:
            raise ArgumentError(
                "is the hand of one seat alone" if typed.strip() else "is no hand at all",
                field="hands",
                value=typed,
                fix="put / between the hands, that of the seat to move first: 'KH 5S / QC 2D'",
            )
        try:
            check_pack(rules, places)
            rules.check_table(len(held), partners)
        except CardError as error:
            raise error.moved_to(error.field.partition(",")[0]) from None
        except RulesError as error:
            error.field, error.value = "hands", typed
            raise
        sides = sides_of(len(held), partners)
        if cards is not None and len(cards) != sides:
            raise ArgumentError(
                "is not one number for each side",
                field="cards",
                value=":".join(map(str, cards)),
                fix=f"give {sides} numbers, mine first",
            )
        fields = {
            "players": len(held),
            "partners": partners,
            "turn": 0,
            "hands": [hand.mask for hand in held],
            "floor": floor.mask,
            "stock": [card.index for card in order],
            "cards": checked_counts(cards or [0] * sides, "cards"),
            "last": last_seat(last, 0, len(held), partners),
            "carry": checked_points(carry, "carry"),
        }
        shown = {
            "hands": typed,
            "floor": floor,
            "stock": " ".join(map(str, order)),
            "cards": ":".join(map(str, cards or [])),
            "last": last,
        }
        return cls.from_fields(rules, fields, cards is not None, shown)

    @classmethod
    def from_fields(
        cls,
        rules: Rules,
        fields: dict[str, Any],
        whole_pack: bool,
        shown: dict[str, object] | None = None,
    ) -> Position:
        """Not for users: from the parts that the core takes; `shown` are values for messages."""
        empty: dict[str, Any] = {
            "piles": [],
            "points": [],
            "score": [],
            "buried": [],
            "seed": 0,
            "round": 0,
        }
        try:
            data = _core.PositionData.setup(rules.data, empty | fields, whole_pack)
        except _core.CoreError as error:
            found = core_error(error)
            if found.field == "hand":
                found.field = "hands"
            found.value = str((shown or {}).get(found.field, fields.get(found.field, "")))
            if found.field in ("buried", "card") and 0 <= error.detail < 52:
                found.value = str(Card(error.detail))
            if found.field == "cards" and whole_pack:
                found.message += f" ({error.detail} captured, {rules.deck} cards in the pack)"
            raise found from None
        return cls(rules, data)

    @classmethod
    def from_notation(cls, text: str) -> Position:
        """A position from its notation; see docs/notation.md."""
        from basra.notation import parse_position

        return parse_position(text)

    def copy(self) -> Position:
        """An independent copy, history included."""
        return Position(self.rules, self._data.copy())

    # -- looking at it ---------------------------------------------------------------------------

    @property
    def players(self) -> int:
        """Number of seats."""
        return int(self._fields["players"])

    @property
    def partners(self) -> bool:
        """Do seats opposite play together?"""
        return bool(self._fields["partners"])

    @property
    def turn(self) -> int:
        """The seat to move."""
        return self._data.turn

    @property
    def leader(self) -> int:
        """The seat that leads every deal of this round."""
        return int(self._fields["leader"])

    @property
    def hands(self) -> tuple[Cards, ...]:
        """Cards in hand, by seat."""
        return tuple(map(Cards.from_mask, self._fields["hands"]))

    @property
    def floor(self) -> Cards:
        """Cards on the floor."""
        return Cards.from_mask(self._fields["floor"])

    @property
    def stock(self) -> tuple[Card, ...]:
        """Undealt cards in dealing order."""
        return tuple(map(Card, self._fields["stock"]))

    @property
    def piles(self) -> tuple[Cards, ...]:
        """Captured cards by seat, as far as known; leftovers included when the round is over."""
        return tuple(map(Cards.from_mask, self._fields["piles"]))

    @property
    def buried(self) -> tuple[Card, ...]:
        """Cards shown on the first floor and put back, in the order found."""
        return tuple(map(Card, self._fields["buried"]))

    @property
    def cards(self) -> tuple[int, ...]:
        """Number of cards captured this round, by side."""
        return tuple(self._fields["cards"])

    @property
    def points(self) -> tuple[int, ...]:
        """Points banked this round, by side; the whole round's when it is over."""
        return tuple(self._fields["points"])

    @property
    def majority(self) -> tuple[int, ...]:
        """The most-cards points in `points`, by side: zeros until the round is over."""
        return tuple(self._fields["majority"])

    @property
    def scores(self) -> tuple[int, ...]:
        """Match scores by side: before this round, plus the points banked in it."""
        f = self._fields
        return tuple(a + b for a, b in zip(f["score"], f["points"], strict=True))

    @property
    def scores_before(self) -> tuple[int, ...]:
        """Match scores by side before this round."""
        return tuple(self._fields["score"])

    @property
    def carry(self) -> int:
        """Points waiting from tied rounds before: added to this round's for most cards."""
        return int(self._fields["carry"])

    @property
    def carry_after(self) -> int:
        """Points that wait for the next round; 0 until this one is over."""
        return int(self._fields["carry_after"])

    @property
    def last(self) -> int | None:
        """The seat that captured last, or None."""
        seat = int(self._fields["last"])
        return None if seat < 0 else seat

    @property
    def deal_number(self) -> int:
        """1 for the first deal of the round."""
        return int(self._fields["deal"])

    @property
    def round_number(self) -> int:
        """1 for the first round of the match."""
        return int(self._fields["round"]) + 1

    @property
    def seed(self) -> int:
        """The seed of the match's deals."""
        return int(self._fields["seed"])

    @property
    def history(self) -> tuple[Move, ...]:
        """Moves of this round since it was dealt or set up, oldest first."""
        return tuple(move_of(play[:4]) for play in self._fields["plays"])

    @property
    def is_over(self) -> bool:
        """Is the round over?  Then `scores` are final, and `winner` or `next_round` come next."""
        return self._data.over

    @property
    def winner(self) -> int | None:
        """The side that has won the match, once a whole round is over; else None."""
        if not self.is_over:
            return None
        side = self.rules.data.winner(list(self.scores))
        return None if side < 0 else side

    @property
    def _fields(self) -> dict[str, Any]:
        return self._data.fields()

    # -- stepping --------------------------------------------------------------------------------

    def legal_moves(self) -> tuple[Move, ...]:
        """Legal moves of the seat to move, in canonical order; empty when the round is over."""
        if self.is_over:
            return ()
        try:
            return tuple(map(move_of, self._data.moves()))
        except _core.CoreError as error:
            hand = self.hands[self.turn]
            raise hand_error(error, self.rules, hand, self.floor, "hands") from None

    def play(self, move: Move | str) -> Position:
        """Plays a move, or its text; deals and scores as due.  Returns this position."""
        if self.is_over:
            raise _over("the round is over", "deal the next with next_round()")
        wanted = parse_move(move) if isinstance(move, str) else move
        try:
            self._data.play(wanted.card.index, wanted.captures.mask)
        except _core.CoreError:
            # Not legal: the legal ones make the message.
            find_move(self.legal_moves(), wanted)
            raise
        return self

    def undo(self) -> Position:
        """Takes the last move of this round back.  Returns this position."""
        try:
            self._data.undo()
        except _core.CoreError:
            raise _over("nothing to take back in this round", "play a move first") from None
        return self

    def next_round(self) -> Position:
        """Deals the next round of the match: scores and carry go on, the leader deals."""
        if not self.is_over:
            raise _over("the round is not over", "play it to its end")
        try:
            self._data.next_round()
        except _core.CoreError as error:
            raise core_error(error) from None
        return self

    def view(self, seat: int | None = None) -> View:
        """What the seat to move knows; `seat`, if given, must be that seat."""
        from basra.view import View

        if self.is_over:
            raise _over("the round is over", "deal the next with next_round()")
        if seat is not None and seat != self.turn:
            raise ArgumentError(
                "is not to move", field="seat", value=seat, fix=f"seat {self.turn} is to move"
            )
        return View.of(self)

    def perft(self, depth: int) -> int:
        """Move sequences of exactly `depth` plies, by card identity.

        >>> Position.deal("classic", seed=1).perft(1) == len(Position.deal(seed=1).legal_moves())
        True
        """
        if not 0 <= depth <= 52:
            raise ArgumentError(
                "is not a number of plies", field="depth", value=depth, fix="use 0 to 52"
            )
        try:
            return self._data.perft(depth)
        except _core.CoreError as error:
            raise core_error(error) from None

    # -- as a value ------------------------------------------------------------------------------

    @property
    def notation(self) -> str:
        """One line that names this position; see docs/notation.md."""
        from basra.notation import position_text

        return position_text(self)

    @property
    def data(self) -> _core.PositionData:
        """Not for users: the core's own object."""
        return self._data

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        mine, theirs = self._fields, other._fields
        for f in (mine, theirs):
            f["plays"] = [play for play in f["plays"] if play[5] == f["deal"]]
        return self.rules == other.rules and mine == theirs

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        return (_restore, (self.rules, self._data.image()))

    def __repr__(self) -> str:
        return f"Position.from_notation('{self.notation}')"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from basra.html import table_html

        return table_html(self)

    def __str__(self) -> str:
        hands = " / ".join(str(hand) for hand in self.hands)
        return f"{self.rules.name}, seat {self.turn} to move; hands {hands}; floor {self.floor}"


def _restore(rules: Rules, image: bytes) -> Position:
    return Position(rules, _core.PositionData.restore(rules.data, image))


def _over(message: str, fix: str) -> BasraError:
    return GameOverError(message, fix=fix)


def last_seat(last: int | str | None, place: int, players: int, partners: bool) -> int:
    """The seat that `last` names, seen from the seat `place`; a number counts seats after it."""
    if isinstance(last, int) and 0 <= last < players:
        return (place + last) % players
    if last is None or last == "unknown":
        return _core.UNKNOWN_SEAT
    if last == "none":
        return _core.NO_SEAT
    two = sides_of(players, partners) == 2
    names = ["me", "them"] if two else ["me", *(f"+{i}" for i in range(1, players))]
    if last not in names:
        fix = f"use {', '.join(names)} or none"
        raise ArgumentError("is not a seat", field="last", value=last, fix=fix)
    return (place + names.index(last)) % players


def checked_seed(seed: int) -> int:
    """A seed, or ArgumentError."""
    if not isinstance(seed, int) or not 0 <= seed < 1 << 64:
        raise ArgumentError(
            "is not a seed", field="seed", value=seed, fix="use a whole number from 0 to 2^64 - 1"
        )
    return seed


def checked_points(points: int, field: str) -> int:
    """A number of points that the core can hold, or ArgumentError."""
    most = 1_000_000_000 if field == "match" else 100_000
    if not isinstance(points, int) or isinstance(points, bool) or abs(points) > most:
        raise ArgumentError(
            "is not a number of points", field=field, value=points, fix=f"use -{most} to {most}"
        )
    return points


def checked_counts(counts: Iterable[int], field: str) -> list[int]:
    """Numbers of cards, or ArgumentError."""
    listed = list(counts)
    for count in listed:
        if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= 52:
            raise ArgumentError(
                "is not a number of cards", field=field, value=count, fix="use 0 to 52"
            )
    return listed
