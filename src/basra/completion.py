"""Filling a round up: a position with all cards for a round of which only some cards are known.

What is public, and what a seat knows, is the same in every completion that fits; the hidden cards
of this one are arbitrary.  So positions made here are asked for public things and for views only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from basra import _core
from basra.cards import Card, Cards
from basra.errors import BasraError, CardError, PositionError, core_error
from basra.moves import Move, check_pack
from basra.position import Position, checked_points, sides_of
from basra.rules import Rules
from basra.said import said


@dataclass(frozen=True, slots=True)
class Opening:
    """How a round begins, before any hand is known."""

    rules: Rules
    players: int
    partners: bool
    leader: int
    floor: Cards
    buried: tuple[Card, ...] = ()
    scores: tuple[int, ...] = ()
    carry: int = 0
    number: int = 1
    seed: int = 0
    sizes: tuple[int, ...] = field(init=False)
    """Cards of a hand in each deal"""

    def __post_init__(self) -> None:
        self.rules.check_table(self.players, self.partners)
        object.__setattr__(self, "sizes", tuple(self.rules.deal_sizes(self.players)))
        check_pack(self.rules, {"floor": self.floor, "buried": Cards(self.buried, "buried")})
        most = self.rules.floor_size
        if len(self.floor) != most:
            raise PositionError(
                said("has {count} cards", count=len(self.floor)), field="floor", value=self.floor,
                fix=said(
                    "a round of {rules} begins with {count} on the floor",
                    rules=self.rules.name, count=most,
                ),
            )  # fmt: skip
        for card in self.floor & self.rules.not_on_first_floor:
            raise PositionError(
                said("may not lie on the first floor"), field="floor", value=card,
                fix=said("name the card that took its place, and this one as buried"),
            )  # fmt: skip
        for card in Cards(self.buried) - self.rules.not_on_first_floor:
            raise PositionError(
                said("may lie on the first floor"), field="buried", value=card,
                fix=said("buried are those alone that had to be replaced"),
            )  # fmt: skip
        for points in (*self.scores, self.carry):
            checked_points(points, "scores")

    def seat(self, ply: int) -> int:
        """Who plays the ply of a deal, from 0."""
        return (self.leader + ply) % self.players

    def bottom(self) -> dict[Card, tuple[int, int]]:
        """Where cards that were put under the stock are dealt: deal and seat, from 0."""
        if self.rules.bury != "bottom":
            return {}
        order = [
            (deal, self.seat(place))
            for deal, size in enumerate(self.sizes)
            for place in range(self.players)
            for _ in range(size)
        ]
        places = order[len(order) - len(self.buried) :]
        return dict(zip(self.buried, places, strict=True))

    def never_in(self, deal: int, seat: int) -> Cards:
        """Buried cards that cannot be dealt to a seat in a deal."""
        if self.rules.bury == "bottom":
            return Cards([card for card, at in self.bottom().items() if at != (deal, seat)])
        return Cards(self.buried) if deal == 0 else Cards()


@dataclass(slots=True)
class _Hand:
    """One hand of one deal, while it is filled."""

    size: int
    cards: Cards
    never: Cards = field(default_factory=Cards)
    """Cards that cannot be in it"""


def plays_of(opening: Opening, moves: Sequence[Move]) -> list[tuple[int, int, Move]]:
    """(deal from 0, seat, move) of every move of a round."""
    found, first = [], 0
    for deal, size in enumerate(opening.sizes):
        plays = moves[first : first + size * opening.players]
        found += [(deal, opening.seat(ply), move) for ply, move in enumerate(plays)]
        first += size * opening.players
    return found


def completed(
    opening: Opening, dealt: Sequence[Sequence[Cards]], moves: Sequence[Move]
) -> Position:
    """A position in which all that is known is so, with the moves played.

    `dealt` are, deal by deal, the cards known to be dealt to each seat.  Raises CardError for a
    card that was elsewhere, IllegalMoveError, and PositionError where no hidden cards fit.
    """
    hands = known_hands(opening, dealt, moves)
    _fill(opening, hands, moves)
    return _replayed(opening, hands, moves)


def known_hands(
    opening: Opening, dealt: Sequence[Sequence[Cards]], moves: Sequence[Move]
) -> dict[tuple[int, int], _Hand]:
    """By deal and seat: what was dealt there, of what is given and what was played."""
    plays = plays_of(opening, moves)
    _check_seen_once(opening, dealt, plays)
    hands = {
        (deal, seat): _Hand(size, dealt[deal][seat] if deal < len(dealt) else Cards())
        for deal, size in enumerate(opening.sizes)
        for seat in range(opening.players)
    }
    for deal, seat, move in plays:
        hand = hands[deal, seat]
        if move.card not in hand.cards and len(hand.cards) >= hand.size:
            raise CardError(
                said("is not in the hand of seat {seat}", seat=seat + 1), field="move",
                value=move.card, fix=said("it was dealt {cards}", cards=hand.cards),
            )  # fmt: skip
        hand.cards |= Cards([move.card])
    for (deal, seat), hand in hands.items():
        if len(hand.cards) > hand.size:
            raise CardError(
                said(
                    "are more than the {count} cards of deal {deal}",
                    count=hand.size, deal=deal + 1,
                ),
                field="hand", value=hand.cards,
                fix=said("name the cards dealt to seat {seat}, once each", seat=seat + 1),
            )  # fmt: skip
    return hands


def _check_seen_once(
    opening: Opening, dealt: Sequence[Sequence[Cards]], plays: Iterable[tuple[int, int, Move]]
) -> None:
    """Every card comes from one place."""
    places: dict[Card, str] = dict.fromkeys(opening.floor, said("lay on the first floor"))
    buried = Cards(opening.buried)
    for deal, hands in enumerate(dealt):
        for seat, hand in enumerate(hands):
            check_pack(opening.rules, {"hand": hand})
            what = said("was dealt to seat {seat} in deal {deal}", seat=seat + 1, deal=deal + 1)
            for card in hand:
                _claim(places, card, what, "hand")
            if deal == 0 and hand & buried:
                raise _in_the_stock(next(iter(hand & buried)), "hand")
    for deal, seat, move in plays:
        card = move.card
        what = said("was played by seat {seat} in deal {deal}", seat=seat + 1, deal=deal + 1)
        if deal < len(dealt) and card in dealt[deal][seat]:
            places[card] = what
            continue
        check_pack(opening.rules, {"move": Cards([card])})
        _claim(places, card, what, "move")
        if deal == 0 and card in buried:
            raise _in_the_stock(card, "move")


def _claim(places: dict[Card, str], card: Card, what: str, name: str) -> None:
    if card in places:
        raise CardError(places[card], field=name, value=card, fix=said("name another card"))
    places[card] = what


def _in_the_stock(card: Card, name: str) -> CardError:
    return CardError(
        said("was put back into the stock: nobody holds it in the first deal"), field=name,
        value=card, fix=said("name another card, or take back what was said of the first floor"),
    )  # fmt: skip


# -- hidden cards --------------------------------------------------------------------------------


def _fill(opening: Opening, hands: dict[tuple[int, int], _Hand], moves: Sequence[Move]) -> None:
    """Gives every hand cards that may be in it, until all are full."""
    _fill_from_the_bottom(opening, hands)
    for place, hand in hands.items():
        hand.never |= opening.never_in(*place)
    if opening.rules.must_capture == "hand":
        _mark_captures(opening, hands, moves)
    gone = opening.floor
    for hand in hands.values():
        gone |= hand.cards
    open_places = [hand for hand in hands.values() for _ in range(hand.size - len(hand.cards))]
    for hand, card in _matched(open_places, list(opening.rules.pack - gone)):
        hand.cards |= Cards([card])


def _fill_from_the_bottom(opening: Opening, hands: dict[tuple[int, int], _Hand]) -> None:
    """Cards buried at the bottom are the last to be dealt, and so in known hands."""
    for card, place in opening.bottom().items():
        hand = hands[place]
        if card in hand.cards:
            continue
        if len(hand.cards) == hand.size or any(card in other.cards for other in hands.values()):
            raise PositionError(
                said("lies at the bottom of the stock, and was dealt elsewhere"), field="buried",
                value=card, fix=said("look at the first floor again, or at the last hands"),
            )  # fmt: skip
        hand.cards |= Cards([card])


def _mark_captures(
    opening: Opening, hands: dict[tuple[int, int], _Hand], moves: Sequence[Move]
) -> None:
    """Who laid a card down could not take with any other, where the rules say so."""
    floor = opening.floor
    for deal, seat, move in plays_of(opening, moves):
        if not move.captures:
            hand = hands[deal, seat]
            for card in opening.rules.pack - floor - hand.cards - hand.never:
                if opening.rules.data.captures(floor.mask, card.index)[0]:
                    hand.never |= Cards([card])
            floor |= Cards([move.card])
        floor -= move.captures


def _matched(places: list[_Hand], cards: list[Card]) -> list[tuple[_Hand, Card]]:
    """A card for every place, by augmenting paths; there are as many cards as places."""
    holder: dict[Card, int] = {}

    def put(place: int, tried: set[Card]) -> bool:
        for card in cards:
            if card in tried or card in places[place].never:
                continue
            tried.add(card)
            if card not in holder or put(holder[card], tried):
                holder[card] = place
                return True
        return False

    # The hands with most to refuse come first, and cards that are free before those that are not.
    for place in sorted(range(len(places)), key=lambda place: -len(places[place].never)):
        free = [card for card in cards if card not in holder and card not in places[place].never]
        if free:
            holder[free[0]] = place
        elif not put(place, set()):
            raise PositionError(
                said("leave no cards for the hands that are not known"), field="moves",
                fix=said(
                    "somebody could have taken where a card was laid down: look at the last moves"
                ),
            )  # fmt: skip
    return [(places[place], card) for card, place in holder.items()]


def _replayed(
    opening: Opening, hands: dict[tuple[int, int], _Hand], moves: Sequence[Move]
) -> Position:
    """The round from its start, with all cards."""
    seats = [opening.seat(place) for place in range(opening.players)]
    # What is buried at the bottom stays in the order found; elsewhere a hand's order is nothing.
    bottom = opening.buried if opening.rules.bury == "bottom" else ()
    later = [hands[deal, seat] for deal in range(1, len(opening.sizes)) for seat in seats]
    stock = [card for hand in later for card in hand.cards - Cards(bottom)] + list(bottom)
    fields = {
        "players": opening.players,
        "partners": opening.partners,
        "turn": opening.leader,
        "hands": [hands[0, seat].cards.mask for seat in range(opening.players)],
        "floor": opening.floor.mask,
        "stock": [card.index for card in stock],
        "cards": [0] * sides_of(opening.players, opening.partners),
        "score": list(opening.scores),
        "last": _core.NO_SEAT,
        "carry": opening.carry,
        "seed": opening.seed,
        "round": opening.number - 1,
        "buried": [card.index for card in opening.buried],
    }
    position = Position.from_fields(opening.rules, fields, True)
    for number, (_, _, move) in enumerate(plays_of(opening, moves)):
        try:
            position.play(move)
        except BasraError as error:
            if number + 1 < len(moves):
                error.message = said(
                    "{message}, move {number} of the round",
                    message=error.message,
                    number=number + 1,
                )
            raise
        except _core.CoreError as error:
            raise core_error(error) from None
    return position
