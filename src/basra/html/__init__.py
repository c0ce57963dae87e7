"""What a notebook or a page shows: cards, tables and answers as HTML.

Every piece stands alone: styles are inline, nothing is loaded, there are no scripts, and it can be
read on light and on dark ground.  Pieces are `Html`, text that is escaped already, which a notebook
shows when it is the last line of a cell.  Each takes a `Language` and the name of a deck.
"""

from basra.html.answers import hint_html, solution_html
from basra.html.cards import card_html, cards_html, move_html, signs_html
from basra.html.markup import Html, element, joined
from basra.html.matches import match_html
from basra.html.tables import table_html

__all__ = [
    "Html",
    "card_html",
    "cards_html",
    "element",
    "hint_html",
    "joined",
    "match_html",
    "move_html",
    "signs_html",
    "solution_html",
    "table_html",
]
