"""Games: one round as it is played, remembered card by card, as far as it is known.

A game may know all cards, as where the engine deals, or a first floor, one player's hands and what
everybody played, as beside a real table.  Only cards that were given are ever told: what is hidden
is filled up to check moves and to keep score, and no view contains it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Self

from basra.cards import Card, Cards
from basra.completion import Opening, completed, known_hands
from basra.errors import (
    ArgumentError,
    BasraError,
    GameOverError,
    KnowledgeError,
    NotationError,
    PositionError,
)
from basra.moves import Move, captures, find_move, parse_move
from basra.position import Position
from basra.record.model import DealRecord, Estimate, RoundRecord, Turn
from basra.said import said
from basra.view import View

Hands = tuple[Cards, ...]
"""The cards known to be dealt to each seat"""


class Game:
    """One round, from its first floor on; `deal`, `play` and `undo` change it in place.

    Seats and sides count from 0.

    >>> from basra import Cards, Rules
    >>> game = Game(Opening(Rules.load("classic"), 2, False, 0, Cards("3C 2H 5S KD")))
    >>> game.deal([Cards("7D 5C KH 2S"), None]).expects
    'move'
    >>> game.play("5Cx2H3C5S").turn, game.hand(0), game.hand_is_known(1)
    (1, Cards('2S 7D KH'), False)
    >>> game.public.piles[0], len(game.unseen())
    (Cards('2H 3C 5C 5S'), 44)
    """

    def __init__(self, opening: Opening) -> None:
        self.opening = opening
        self._hands: list[Hands] = []
        self._given = 0
        """Deals that were entered one by one; those after them come by themselves"""
        self._turns: list[Turn] = []
        self._position = completed(opening, (), ())

    @classmethod
    def of(cls, position: Position) -> Self:
        """A round of which all cards are known: a position in which nothing has been played."""
        if position.history or position.is_over or position.deal_number != 1:
            raise PositionError(
                "has been played on", field="position", fix="give one as it is dealt"
            )
        game = cls(
            Opening(
                position.rules, position.players, position.partners, position.leader,
                position.floor, position.buried, position.scores_before, position.carry,
                position.round_number, position.seed,
            )
        )  # fmt: skip
        later = _later_hands(game.opening, position.stock, 1)
        game._know([position.hands, *later], [])
        return game

    @classmethod
    def from_record(cls, opening: Opening, found: RoundRecord, *, dealt: bool = False) -> Self:
        """A recorded round, every move checked; errors name the deal and the move.

        `dealt` is for a round that the engine dealt: its hands come by themselves, as they do where
        the stock is known, and are nothing that could be taken back.
        """
        game = cls(opening)
        for number, deal in enumerate(found.deals, 1):
            if number > len(opening.sizes):
                raise PositionError(
                    "is one too many", field="deal", value=number,
                    fix=f"a round has {len(opening.sizes)}",
                )  # fmt: skip
            if game.expects != "deal":
                raise PositionError(
                    "comes before the deal before it is played", field="deal", value=number,
                    fix="write all its moves, or leave the later deals out",
                )  # fmt: skip
            most = opening.sizes[number - 1] * game.players
            if len(deal.turns) > most:
                raise PositionError(
                    f"has {len(deal.turns)} moves, more than {most}", field="deal", value=number,
                    fix="begin the next deal before them",
                )  # fmt: skip
            try:
                game._know([*game._hands, _one_each(opening, deal.hands)], deal.turns)
            except BasraError as error:
                error.message += f" (round {opening.number}, deal {number})"
                raise
            game._given = number
        if found.stock is not None:
            later = _later_hands(opening, found.stock, len(game._hands))
            game._know([*game._hands, *later], [])
        if dealt or found.stock is not None:
            game._given = 0
        return game

    def _know(self, hands: Sequence[Hands], turns: Sequence[Turn]) -> None:
        """All hands that are known, and more turns; changes nothing if they do not fit."""
        moves = [*self._moves, *(turn.move for turn in turns)]
        self._position = completed(self.opening, hands, moves)
        self._hands = list(hands)
        # As played: with what they are worth.
        played = self._position.history[len(self._turns) :]
        self._turns += [
            Turn(move, turn.comment, turn.estimate)
            for move, turn in zip(played, turns, strict=True)
        ]

    # -- looking at it ---------------------------------------------------------------------------

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.opening.players

    @property
    def expects(self) -> Literal["deal", "move", "nothing"]:
        """What comes next: the hands of a deal, a move, or nothing as the round is over."""
        if self.is_over:
            return "nothing"
        return "deal" if self.deals_played == len(self._hands) else "move"

    @property
    def is_over(self) -> bool:
        """Has the last card been played?"""
        return self._position.is_over

    @property
    def turn(self) -> int:
        """The seat to move, or that leads the deal to come."""
        return self._position.turn

    @property
    def deal_number(self) -> int:
        """Deals dealt so far."""
        return min(self.deals_played + 1, len(self._hands))

    @property
    def deals_played(self) -> int:
        """Deals of which every card has been played."""
        return sum(
            len(self._turns) >= self._plies_before(deal + 1)
            for deal in range(len(self.opening.sizes))
        )

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All moves so far, with what was said about them."""
        return tuple(self._turns)

    @property
    def public(self) -> Position:
        """A copy of the round for what is public: floor, piles, counts, points, last capturer.

        Hands and stock in it are made up where they are not known.
        """
        return self._position.copy()

    @property
    def position(self) -> Position | None:
        """The position now if every card is known, or the round is over; else None."""
        hands = known_hands(self.opening, self._hands, self._moves).values()
        known = all(len(hand.cards) == hand.size for hand in hands)
        return self._position.copy() if known else None

    @property
    def view(self) -> View:
        """What the seat to move knows.

        Raises GameOverError if nobody is to move, KnowledgeError if that seat's hand is not known.
        """
        if self.expects != "move":
            raise GameOverError(said("nobody is to move"), field="game", fix=said("deal first"))
        if not self.hand_is_known(self.turn):
            raise KnowledgeError(
                "is not known", field="hand", value=f"seat {self.turn + 1}",
                fix="only who sees the hand can be told what to play",
            )  # fmt: skip
        return View.of(self._position)

    def hand(self, seat: int) -> Cards:
        """What is known of a hand now."""
        self._check_seat(seat)
        if self.expects != "move":
            return Cards()
        deal = self.deals_played
        dealt = known_hands(self.opening, self._hands, self._moves)[deal, seat].cards
        return dealt - Cards([turn.move.card for turn in self._turns[self._plies_before(deal) :]])

    def hand_size(self, seat: int) -> int:
        """How many cards a seat holds now."""
        self._check_seat(seat)
        return len(self._position.hands[seat]) if self.expects == "move" else 0

    def hand_is_known(self, seat: int) -> bool:
        """Is every card of it known?"""
        return len(self.hand(seat)) == self.hand_size(seat)

    def dealt_hands(self) -> tuple[tuple[Cards | None, ...], ...]:
        """By deal and seat, what was dealt there; None unless every card of it is known by now.

        After a deal has been played out all its hands are known from the plays.
        """
        hands = known_hands(self.opening, self._hands, self._moves)
        return tuple(
            tuple(
                hand.cards if len(hand.cards) == hand.size else None
                for hand in (hands[deal, seat] for seat in range(self.players))
            )
            for deal in range(len(self.opening.sizes))
        )

    def unseen(self, seat: int | None = None) -> Cards:
        """Cards that lie in hidden hands or in the stock: for all that is known here, or for a seat
        that saw its own hands and what is public."""
        if seat is not None:
            self._check_seat(seat)
        known = self.opening.floor | Cards([turn.move.card for turn in self._turns])
        for hands in self._hands[: self.deal_number]:
            for hand in hands if seat is None else (hands[seat],):
                known |= hand
        return self.opening.rules.pack - known

    def next_hand(self, seat: int) -> Cards:
        """What is known of a seat's hand in the deal that is due: cards that lay at the bottom of
        the stock, and all that are left where nothing else can be there."""
        if self.expects != "deal":
            return Cards()
        deal = self.deals_played
        left = self.unseen() - self.opening.never_in(deal, seat)
        if len(left) == self.opening.sizes[deal]:
            return left
        there = self.opening.bottom().items()
        return Cards([card for card, at in there if at == (deal, seat)])

    def legal_moves(self) -> tuple[Move, ...]:
        """Every move that the seat to move may make, for all that is known; in canonical order."""
        if self.expects != "move":
            return ()
        if self.hand_is_known(self.turn):
            return self._position.legal_moves()
        hidden = self.unseen() - self.opening.never_in(self.deals_played, self.turn)
        found: list[Move] = []
        for card in hidden | self.hand(self.turn):
            told = captures(self._position.floor, card, self.opening.rules)
            found += [*told.captures, *([Move(card)] if told.trail else [])]
        return tuple(found)

    # -- entering --------------------------------------------------------------------------------

    def deal(self, hands: Sequence[Cards | None]) -> Self:
        """The next deal: what is known of each seat's hand; None or no cards if nothing is.

        Raises PositionError if no deal is due, CardError for cards that are elsewhere.
        """
        if self.expects != "deal":
            raise PositionError(
                said("is not due"), field="deal", value=self.deal_number + 1,
                fix=said("play the cards in hand first"),
            )  # fmt: skip
        listed = _one_each(self.opening, [hand or Cards() for hand in hands])
        self._know([*self._hands, listed], [])
        self._given = len(self._hands)
        return self

    def play(self, move: Move | str, comment: str = "", estimate: Estimate | None = None) -> Self:
        """The move of the seat to move.

        Raises IllegalMoveError, CardError for a card that is elsewhere, GameOverError, and
        PositionError if hands have to be dealt first; the game is then as it was.
        """
        if self.expects == "nothing":
            raise GameOverError(said("the round is over"), fix=said("begin the next"))
        if self.expects == "deal":
            raise PositionError(
                said("has to be dealt first"), field="hand", fix=said("say what was dealt")
            )
        wanted = parse_move(move) if isinstance(move, str) else move
        if not isinstance(wanted, Move):
            raise ArgumentError(
                "is no move",
                field="move",
                value=type(move).__name__,
                fix="give its text, or a Move",
            )
        if self.hand_is_known(self.turn):
            wanted = find_move(self._position.legal_moves(), wanted)
        self._know(self._hands, [Turn(wanted, comment, estimate)])
        return self

    def undo(self) -> Turn | Hands:
        """Takes back what was entered last, a move or a deal, and returns it.

        Hands that come by themselves go with the move before them.  Raises GameOverError if nothing
        is left to take back.
        """
        entered = self._given == len(self._hands) > self.deals_played
        if entered and len(self._turns) == self._plies_before(self._given - 1):
            *hands, taken = self._hands
            self._position = completed(self.opening, hands, self._moves)
            self._hands, self._given = hands, len(hands)
            return taken
        if not self._turns:
            raise GameOverError(
                said("nothing to take back in this round"), fix=said("enter something first")
            )
        turn = self._turns.pop()
        self._position = completed(self.opening, self._hands, self._moves)
        return turn

    def note(self, comment: str) -> None:
        """Says something about the last move, in place of what was said."""
        if not self._turns:
            raise GameOverError(said("no move to say something about"), fix=said("play one first"))
        last = self._turns[-1]
        self._turns[-1] = Turn(last.move, comment, last.estimate)

    def record(self) -> RoundRecord:
        """The round so far, with all that is known of it."""
        deals, first = [], 0
        for number, hands in enumerate(self._hands[: self.deal_number]):
            after = self._plies_before(number + 1)
            deals.append(DealRecord(hands, tuple(self._turns[first:after])))
            first = after
        later = self._hands[self.deal_number :]
        return RoundRecord(
            leader=self.opening.leader,
            floor=self.opening.floor,
            buried=self.opening.buried,
            deals=tuple(deals),
            stock=tuple(self._stock(later)) if later else None,
            points=self._position.points if self.is_over else None,
        )

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from basra.html import table_html

        return table_html(self)

    # -- within ----------------------------------------------------------------------------------

    @property
    def _moves(self) -> list[Move]:
        return [turn.move for turn in self._turns]

    def _check_seat(self, seat: int) -> None:
        if not isinstance(seat, int) or not 0 <= seat < self.players:
            raise ArgumentError(
                "is not a seat", field="seat", value=seat, fix=f"use 0 to {self.players - 1}"
            )

    def _plies_before(self, deal: int) -> int:
        return sum(self.opening.sizes[:deal]) * self.players

    def _stock(self, later: Sequence[Hands]) -> list[Card]:
        seats = [self.opening.seat(place) for place in range(self.players)]
        return [card for hands in later for seat in seats for card in hands[seat]]


def _one_each(opening: Opening, hands: Sequence[Cards]) -> Hands:
    if len(hands) != opening.players:
        raise PositionError(
            "is not the number of hands", field="hands", value=len(hands),
            fix=f"give {opening.players}, empty where nothing is known",
        )  # fmt: skip
    return tuple(hands)


def _later_hands(opening: Opening, stock: Sequence[Card], first: int) -> list[Hands]:
    """The hands of the deals from the `first` (from 0) on, out of the stock."""
    sizes = opening.sizes[first:]
    if len(stock) != sum(sizes) * opening.players:
        raise NotationError(
            "is not the number of cards left to deal", field="stock", value=len(stock),
            fix=f"list all {sum(sizes) * opening.players} in dealing order, or leave it out",
        )  # fmt: skip
    cards, found = list(stock), []
    for size in sizes:
        by_place = [
            Cards(cards[place * size : (place + 1) * size]) for place in range(opening.players)
        ]
        del cards[: size * opening.players]
        hands = [Cards()] * opening.players
        for place, hand in enumerate(by_place):
            hands[opening.seat(place)] = hand
        found.append(tuple(hands))
    return found
