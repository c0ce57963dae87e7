"""Hints and solutions as HTML: the table, the moves in their order, and how they were found."""

from __future__ import annotations

from collections.abc import Sequence

from basra.cards import Cards
from basra.decks import DEFAULT_DECK
from basra.hint_words import (
    behind_text,
    effort_text,
    notes,
    stop_text,
    value_text,
    why_text,
    win_text,
)
from basra.html.cards import move_html, signs_html
from basra.html.grids import grid
from basra.html.markup import Html, block, element, joined
from basra.html.tables import table_html
from basra.language import ENGLISH, Language
from basra.moves import Move
from basra.results import Hint, Solution
from basra.view import View
from basra.words import points_text, table_text

_NOTE = "font-size:13px;opacity:.75;max-width:60em;"
_SMALL = "font-size:.78em;"

_MOST_EQUAL = 3  # moves of equal cards that are drawn; more are counted

_QUICK = 1.0  # seconds of a solve whose moves are worth waiting for when it is shown


def hint_html(found: Hint, language: Language = ENGLISH, deck: str = DEFAULT_DECK) -> Html:
    """A hint: what the seat sees, every move best first with its reasons, and notes."""
    view = View.from_notation(found.position)
    best = found.best.move
    # A notation has the parameters of house rules, and not their name.
    title = table_text(view, language, found.rules_name)
    in_match = found.best.match is not None
    heads = [
        language.pgettext("column", "move"),
        *([language.pgettext("column", "match")] if in_match else []),
        language.pgettext("column", "points"),
        language.pgettext("column", "behind"),
        language.pgettext("column", "why"),
    ]
    rows = []
    for entry in found.moves:
        moves = _equal_moves((entry.move, *entry.equal), language, deck)
        figures = [value_text(found, entry, language), behind_text(found, entry, language)]
        if in_match:
            figures.insert(0, win_text(entry, language))
        rows.append([moves, *figures, signs_html(why_text(entry, language), deck)])
    return block(
        language,
        table_html(view, marked=_cards_of(best), title=title, language=language, deck=deck),
        grid(heads, rows, last_is_words=True),
        *_notes(notes(found, view, language)),
    )


def solution_html(found: Solution, language: Language = ENGLISH, deck: str = DEFAULT_DECK) -> Html:
    """A solution: the position, the value of every move, and best play.

    Moves and best play that nobody has asked for yet are searched if the value was found within a
    second; else they are left out, so that looking at an answer never takes long.
    """
    position = found.position
    known = found.moves_known or (found.exact and found.seconds <= _QUICK)
    listed = found.moves if known else ()
    best = _cards_of(listed[0].move) if listed else None
    singles = found.points is not None
    heads = [language.pgettext("column", "move"), language.pgettext("column", "points")]
    heads += [language.gettext("each seat from mine")] if singles else []
    rows = []
    for entry in listed:
        moves = _equal_moves((entry.move, *entry.equal), language, deck)
        seats = [language.isolate(":".join(map(str, entry.points or ())))] if singles else []
        rows.append([moves, points_text(entry.value, language), *seats])
    parts = [table_html(position, marked=best, language=language, deck=deck)]
    if listed:
        parts.append(grid(heads, rows))
    else:
        value = language.gettext("Value: {value}")
        parts.append(element("p", value.format(value=points_text(found.value, language))))
    if known and found.line:
        line = joined((move_html(move, deck, language) for move in found.line), " · ")
        label = element("b", language.gettext("Best play:"))
        parts.append(element("div", label, " ", element("span", line, style=_SMALL)))
    return block(language, *parts, *_notes([_solved_text(found, language)]))


def _solved_text(found: Solution, language: Language) -> str:
    state = language.gettext("exact")
    if not found.exact:
        stop = stop_text(found.stop, language)
        state = language.gettext("not finished, stopped by: {stop}").format(stop=stop)
    return language.listed([state, effort_text(found.nodes, found.seconds, language)])


def _cards_of(move: Move) -> Cards:
    return move.captures | Cards([move.card])


def _equal_moves(moves: Sequence[Move], language: Language, deck: str) -> Html:
    """A move and those that differ from it in equal cards."""
    between = language.pgettext("between alternatives", "or")
    drawn = [move_html(move, deck, language) for move in moves[: 1 + _MOST_EQUAL]]
    shown = joined(drawn, f" {between} ")
    rest = len(moves) - len(drawn)
    if rest:
        more = language.ngettext("or {count} more", "or {count} more", rest)
        shown = joined([shown, " ", more.format(count=rest)])
    return element("span", shown, style=_SMALL)


def _notes(said: Sequence[str]) -> list[Html]:
    return [element("p", note, style=f"{_NOTE}margin:.3em 0") for note in said]
