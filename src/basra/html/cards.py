"""Cards and moves as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable
from string import Formatter

from basra.cards import SUIT_SIGNS, SUITS, Card, Cards
from basra.decks import DEFAULT_DECK, deck_colours
from basra.html.markup import Html, element, joined
from basra.language import ENGLISH, Language
from basra.moves import Move

_ON_PAPER = {"black": "#16181d", "red": "#c8102e", "green": "#0b7a3b", "blue": "#1659c7"}
# Among words: such as can be read on any ground.
_IN_TEXT = {"black": "inherit", "red": "#e0364c", "green": "#1f9d57", "blue": "#3b82f6"}

_SHAPE = (
    "display:inline-flex;flex-direction:column;align-items:center;justify-content:center;"
    "box-sizing:border-box;width:2.3em;height:3.2em;margin:0 .12em;border-radius:.32em;"
    "vertical-align:middle;"
)
_FONT = "font-family:'DejaVu Sans','Segoe UI Symbol','Noto Sans Symbols 2',sans-serif;"
_PAPER = f"{_FONT}line-height:1.15;font-weight:600;font-variant-emoji:text;background:#fffefa;"
_EDGE = "border:1px solid #9a9a94;box-shadow:0 1px 2px rgba(0,0,0,.35);"
_MARKED = "border:1px solid #8a6500;box-shadow:0 0 0 .16em #f4b400;"
_BACK = (
    "border:.16em solid #fffefa;outline:1px solid #9a9a94;outline-offset:-1px;"
    "background:repeating-linear-gradient(45deg,#27457f 0 .25em,#3d62a8 .25em .5em);"
)
_AS_TEXT = "\ufe0e"  # a sign, not an emoji


def card_html(card: Card, deck: str = DEFAULT_DECK, *, marked: bool = False) -> Html:
    """A card as it lies on the table; with a golden edge if it is marked.  A ten says 10."""
    colour = _ON_PAPER[deck_colours(deck)[card.suit]]
    edge = _MARKED if marked else _EDGE
    return element(
        "span",
        element("span", _rank(card.rank)),
        element("span", card.sign[1] + _AS_TEXT, style="font-size:1.25em"),
        dir="ltr",
        style=f"{_SHAPE}{_PAPER}{edge}color:{colour}",
    )


def _rank(letter: str) -> str:
    return "10" if letter == "T" else letter


def back_html() -> Html:
    """A card face down."""
    return element("span", style=_SHAPE + _BACK)


def cards_html(
    cards: Iterable[Card],
    deck: str = DEFAULT_DECK,
    *,
    marked: Cards | None = None,
    language: Language = ENGLISH,
) -> Html:
    """Cards side by side, in the order given."""
    gold = Cards() if marked is None else marked
    drawn = [card_html(card, deck, marked=card in gold) for card in cards]
    # A blank between two: where a line can be broken.
    return joined(drawn, " ") if drawn else joined([language.pgettext("no cards", "nothing")])


def move_html(move: Move, deck: str = DEFAULT_DECK, language: Language = ENGLISH) -> Html:
    """A card played, what it takes, and whether that is a basra."""
    shown = card_html(move.card, deck)
    if move.captures:
        template = language.pgettext("move", "{card} takes {cards}")
        taken = cards_html(move.captures, deck, language=language)
        shown = filled(template, card=shown, cards=taken)
    if move.basra:
        # Translators: a badge beside a move that is a basra.
        badge = language.pgettext("badge", "basra")
        shown = joined([shown, " ", element("span", badge, style=_BADGE)])
    # In one line, unless it takes half the pack.
    whole = len(move.captures) <= _ONE_LINE
    return element("span", shown, style="white-space:nowrap") if whole else shown


_ONE_LINE = 8  # captured cards

_BADGE = (
    "display:inline-block;padding:0 .5em;border-radius:.8em;font-size:.85em;font-weight:600;"
    "background:#f4b400;color:#2b2100"
)


def filled(template: str, **parts: Html) -> Html:
    """A message whose gaps are filled with HTML."""
    pieces: list[str] = []
    for words, gap, _, _ in Formatter().parse(template):
        pieces.append(words)
        if gap is not None:
            pieces.append(parts[gap])
    return joined(pieces)


_SIGN = re.compile(f"([A2-9TJQK])([{SUIT_SIGNS}])")


def signs_html(text: str, deck: str = DEFAULT_DECK) -> Html:
    """A sentence whose cards, such as 7♦, have the colour of their suit; a ten says 10 here too."""
    pieces: list[str] = []
    at = 0
    for found in _SIGN.finditer(text):
        colour = _IN_TEXT[deck_colours(deck)[SUITS[SUIT_SIGNS.index(found[2])]]]
        sign = element(
            "span", _rank(found[1]) + found[2] + _AS_TEXT, style=f"{_FONT}color:{colour}", dir="ltr"
        )
        pieces += [text[at : found.start()], sign]
        at = found.end()
    return joined([*pieces, text[at:]])
