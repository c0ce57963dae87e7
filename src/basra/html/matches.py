"""A match as HTML: who plays, the points of every round, and the table now."""

from __future__ import annotations

from collections.abc import Sequence

from basra.decks import DEFAULT_DECK
from basra.html.grids import grid
from basra.html.markup import Html, block, element
from basra.html.tables import table_html
from basra.language import ENGLISH, Language
from basra.match import Match
from basra.review_words import players_text


def match_html(match: Match, language: Language = ENGLISH, deck: str = DEFAULT_DECK) -> Html:
    """A match: a column for each side, a row for each round, their sum, and the last round's table.

    Of the table only what the match knows is shown; see `table_html`.
    """
    names = [
        players_text(match.seats, side, match.partners, language) for side in range(match.sides)
    ]
    rows = [_row(*entry, language) for entry in _points(match, language)]
    parts = [grid(["", *names], rows), *_ends(match, names, language)]
    if match.game is not None:
        parts.append(table_html(match.game, language=language, deck=deck))
    return block(language, *parts)


def _points(match: Match, language: Language) -> list[tuple[str, Sequence[int]]]:
    """The match so far, then what it is made of."""
    found: list[tuple[str, Sequence[int]]] = [(language.pgettext("score", "match"), match.scores)]
    before = match.games[0].opening.scores if match.games else match.scores
    if any(before):
        found.append((language.pgettext("score", "before"), before))
    for game in match.games:
        template = (
            language.gettext("round {round}")
            if game.is_over
            else language.gettext("round {round}, so far")
        )
        found.append((template.format(round=game.opening.number), game.public.points))
    return found


def _row(title: str, points: Sequence[int], language: Language) -> list[str]:
    return [title, *map(language.isolate, points)]


def _ends(match: Match, names: Sequence[str], language: Language) -> list[Html]:
    """How the match ended, if it has."""
    said = []
    if match.resigned is not None:
        said.append(language.gettext("Given up: {name}").format(name=names[match.resigned]))
    if match.winner is not None:
        said.append(language.gettext("Winner: {name}").format(name=names[match.winner]))
    return [element("p", " \u00b7 ".join(said), style="margin:.3em 0")] if said else []
