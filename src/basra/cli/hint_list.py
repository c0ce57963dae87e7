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
    found: Hint, legal: Sequence[Move], look: Look, most: int | None = None
) -> list[Text | Padding]:
    """Moves best first, each with its number among the legal ones, its value and its reasons; at
    most so many."""
    from rich.padding import Padding
    from rich.text import Text

    language = look.language
    lines: list[Text | Padding] = []
    for place, move in enumerate(found.moves[:most]):
        row = MoveRow.of(found, move, language)
        number = f"  #{legal.index(move.move) + 1} "
        figures = _figures(found, move, row, language)
        style = "bold" if place == 0 else ""
        shown = moves_text(move, look)
        lines.append(Text.assemble((number, "dim"), shown, "  ", (figures, style)))
        if row.why:
            lines.append(Padding(Text(row.why, style="dim"), (0, 0, 0, len(number))))
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
