"""A hint in few lines, for between two entries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from basra.cli.hint import MoveRow, moves_text
from basra.cli.output import Look
from basra.cli.table import more_text
from basra.language import Language
from basra.moves import Move
from basra.results import Hint, HintMove

if TYPE_CHECKING:
    from rich.padding import Padding
    from rich.text import Text


def hint_lines(
    found: Hint, legal: Sequence[Move], look: Look, width: int, most: int | None = None
) -> list[Text | Padding]:
    """Moves best first, each with its number among the legal ones, its value and its reasons.

    At most so many, in lines of that width.
    """
    from rich.padding import Padding
    from rich.text import Text

    language = look.language
    lines: list[Text | Padding] = []
    for place, move in enumerate(found.moves[:most]):
        row = MoveRow.of(found, move, language)
        number = f"  #{legal.index(move.move) + 1} "
        figures = Text(_figures(found, move, row, language), "bold" if place == 0 else "")
        shown = Text.assemble((number, "dim"), moves_text(move, look))
        below: list[Text] = []
        if shown.cell_len + 2 + figures.cell_len <= width:
            shown = Text.assemble(shown, "  ", figures)
        else:
            below.append(figures)
        if row.why:
            below.append(Text(row.why, style="dim"))
        lines += [shown, *(Padding(text, (0, 0, 0, len(number))) for text in below)]
    left = 0 if most is None else len(found.moves[most:])
    if left:
        lines.append(Text(f"  {more_text(left, language.pgettext('command', 'hint'), language)}"))
    return lines


def _figures(found: Hint, move: HintMove, row: MoveRow, language: Language) -> str:
    """The numbers of a move, each with what it is."""
    labelled = [
        (language.pgettext("column", "match"), row.win),
        (language.pgettext("column", "points"), row.value),
        (language.pgettext("column", "behind"), row.behind),
    ]
    figures = [f"{title} {figure}" for title, figure in labelled if figure]
    if move is found.best or not move.delta:
        # The last is a word of its own.
        figures[-1:] = [row.behind] if row.behind else figures[-1:]
    return language.pgettext("between figures", ", ").join(figures)
