"""The table seen from a seat, as HTML: others above, the floor between, the own hand below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from basra.cards import Card, Cards
from basra.decks import DEFAULT_DECK
from basra.errors import ArgumentError
from basra.game import Game
from basra.html.cards import back_html, cards_html
from basra.html.markup import Html, block, element, joined
from basra.language import ENGLISH, Language
from basra.position import Position, sides_of
from basra.view import View
from basra.words import position_text, table_text

_FELT = (
    "display:inline-block;box-sizing:border-box;max-width:100%;padding:.8em 1em;margin:.2em 0;"
    "border-radius:.8em;background:#1d5c43;color:#f3f6f2;font-size:14px;"
)
_ROW = "display:flex;flex-wrap:wrap;gap:.4em 1.6em;justify-content:center;align-items:flex-end;"
_FLOOR = (
    "display:flex;flex-wrap:wrap;gap:.4em 1.2em;justify-content:center;align-items:center;"
    "margin:.7em 0;padding:.7em .9em;border-radius:.6em;background:rgba(0,0,0,.22);min-height:3.4em"
)
_FAINT = "font-size:.86em;opacity:.85;"


@dataclass(frozen=True, slots=True)
class _Seat:
    name: str
    hand: Cards
    """What is shown of it; the others of its cards lie face down"""
    count: int
    to_move: bool


@dataclass(frozen=True, slots=True)
class _Side:
    name: str
    cards: int
    points: int
    score: int
    last: bool


@dataclass(frozen=True, slots=True)
class _Table:
    """What is drawn, from the seat that looks: it comes first, and so does its side."""

    title: str
    seats: tuple[_Seat, ...]
    floor: Cards
    stock: int
    buried: tuple[Card, ...]
    sides: tuple[_Side, ...]


def table_html(
    table: Position | View | Game,
    *,
    seat: int | None = None,
    hide: bool = False,
    marked: Cards | None = None,
    title: str | None = None,
    language: Language = ENGLISH,
    deck: str = DEFAULT_DECK,
) -> Html:
    """The table of a position, a view, or a game.

    seat
        The seat of a position or a game that looks, from 0.  If it is left out, the one to move; in
        a game the next from there whose hand is known, if there is one.  A view is seen from its
        own.
    hide
        The other hands of a position or a game face down.  Cards that a game does not know always
        lie so.
    marked
        Cards with a golden edge, such as those of a move.
    title
        What stands above, in place of rules, players and deal.

    Raises ArgumentError for a seat that there is not.
    """
    if isinstance(table, View):
        drawn = _of_view(table, language)
    elif isinstance(table, Game):
        drawn = _of_game(table, seat, hide, language)
    else:
        drawn = _of_position(table, seat, hide, language)
    others = [_seat(other, marked, language, deck) for other in drawn.seats[1:]]
    return block(
        language,
        element(
            "div",
            drawn.title if title is None else title,
            style=f"{_FAINT}text-align:center;margin-bottom:.5em",
        ),
        element("div", *others, style=_ROW),
        _floor(drawn, marked, language, deck),
        element("div", _seat(drawn.seats[0], marked, language, deck), style=_ROW),
        _sides(drawn.sides, language),
        style=_FELT,
    )


def _of_view(view: View, language: Language) -> _Table:
    others = [
        _Seat(_seat_name(place, language), Cards(), count, False)
        for place, count in zip(_after(view.seat - 1, view.players), view.hidden, strict=True)
    ]
    me = _Seat(
        language.gettext("You, seat {seat}").format(seat=view.seat),
        view.hand, len(view.hand), True,
    )  # fmt: skip
    names = [language.pgettext("side", "You"), *(seat.name for seat in others)]
    if view.partners:
        names = [language.gettext("Your side"), language.gettext("Their side")]
    last = {"me": 0, "them": 1, "+1": 1, "+2": 2, "+3": 3}.get(view.last or "", -1)
    counted = zip(names, view.cards, view.points, view.match, strict=True)
    sides = tuple(
        _Side(name, cards, points, score, last == number)
        for number, (name, cards, points, score) in enumerate(counted)
    )
    return _Table(
        table_text(view, language), (me, *others), view.floor, view.stock, view.buried, sides
    )


def _of_position(position: Position, seat: int | None, hide: bool, language: Language) -> _Table:
    hands = position.hands
    mine = _looking(position, position.turn if seat is None else seat)
    turn = None if position.is_over else position.turn
    seats = tuple(
        _Seat(
            _seat_name(place, language),
            Cards() if hide and place != mine else hands[place],
            len(hands[place]),
            place == turn,
        )
        for place in (mine, *_after(mine, position.players))
    )
    return _public(position, seats, mine, len(position.stock), language)


def _of_game(game: Game, seat: int | None, hide: bool, language: Language) -> _Table:
    """Hands and stock of `public` may be made up: of them only the counts are told."""
    position = game.public
    if seat is None:
        order = (position.turn, *_after(position.turn, position.players))
        seat = next((place for place in order if game.hand_is_known(place)), position.turn)
    mine = _looking(position, seat)
    stock, turn = len(position.stock), position.turn if game.expects == "move" else None
    if game.expects == "deal":
        stock += sum(map(len, position.hands))
    seats = tuple(
        _Seat(
            _seat_name(place, language),
            Cards() if hide and place != mine else game.hand(place),
            game.hand_size(place),
            place == turn,
        )
        for place in (mine, *_after(mine, position.players))
    )
    return _public(position, seats, mine, stock, language)


def _looking(position: Position, seat: int) -> int:
    if not 0 <= seat < position.players:
        raise ArgumentError(
            "is not a seat", field="seat", value=seat, fix=f"use 0 to {position.players - 1}"
        )
    return seat


def _public(
    position: Position, seats: tuple[_Seat, ...], mine: int, stock: int, language: Language
) -> _Table:
    """With what is public of a position, from the side of the seat that looks on."""
    count = sides_of(position.players, position.partners)
    last = -1 if position.last is None else position.last % count
    sides = tuple(
        _Side(
            _side_name(side, position, language),
            position.cards[side],
            position.points[side],
            position.scores_before[side],
            last == side,
        )
        for side in ((mine + i) % count for i in range(count))
    )
    title = position_text(position, language)
    return _Table(title, seats, position.floor, stock, position.buried, sides)


def _after(seat: int, players: int) -> list[int]:
    """The other seats in order of play, from 0."""
    return [(seat + i) % players for i in range(1, players)]


def _seat_name(seat: int, language: Language) -> str:
    return language.gettext("Seat {seat}").format(seat=seat + 1)


def _side_name(side: int, position: Position, language: Language) -> str:
    if not position.partners:
        return _seat_name(side, language)
    return language.gettext("Seats {first} and {second}").format(first=side + 1, second=side + 3)


# -- pieces --------------------------------------------------------------------------------------


def _seat(seat: _Seat, marked: Cards | None, language: Language, deck: str) -> Html:
    if not seat.count:
        shown: str = element("span", language.gettext("no cards in hand"), style=_FAINT)
    else:
        faces = [cards_html(seat.hand, deck, marked=marked, language=language)] if seat.hand else []
        shown = joined([*faces, *[back_html()] * (seat.count - len(seat.hand))], " ")
    name = [seat.name]
    if seat.to_move:
        name += [" · ", language.gettext("to move")]
    weight = "font-weight:600;" if seat.to_move else ""
    return element(
        "div",
        element("div", *name, style=f"{_FAINT}{weight}margin-bottom:.25em"),
        element("div", shown),
        style="text-align:center",
    )


def _floor(table: _Table, marked: Cards | None, language: Language, deck: str) -> Html:
    parts = [element("div", cards_html(table.floor, deck, marked=marked, language=language))]
    if table.stock:
        left = language.ngettext("{count} card left", "{count} cards left", table.stock)
        label = element("div", left.format(count=table.stock), style=_FAINT)
        parts.append(element("div", back_html(), label, style="text-align:center"))
    if table.buried:
        label = element("div", language.gettext("put back into the stock"), style=_FAINT)
        drawn = element("div", cards_html(table.buried, deck), style="font-size:.75em")
        parts.append(element("div", drawn, label, style="text-align:center"))
    return element("div", *parts, style=_FLOOR)


def _sides(sides: Sequence[_Side], language: Language) -> Html:
    scored = any(side.score for side in sides)
    lines = [_side(side, scored, language) for side in sides]
    return element("div", *lines, style=f"{_FAINT}margin-top:.7em;text-align:center")


def _side(side: _Side, scored: bool, language: Language) -> Html:
    cards = language.ngettext("{count} card captured", "{count} cards captured", side.cards)
    points = language.ngettext("{count} point", "{count} points", side.points)
    facts = [
        cards.format(count=language.isolate(side.cards)),
        points.format(count=language.isolate(side.points)),
    ]
    if scored:
        score = language.gettext("match score before this round {score}")
        facts.append(score.format(score=language.isolate(side.score)))
    if side.last:
        facts.append(language.gettext("captured last"))
    between = language.pgettext("between figures", ", ")
    return element("div", element("b", side.name), ": ", between.join(facts))
