"""A hint in few lines, for between two entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from basra.cli.hint import MoveRow, moves_text
from basra.cli.output import Look
from basra.results import Hint

if TYPE_CHECKING:
    from rich.padding import Padding
    from rich.text import Text


def hint_lines(found: Hint, look: Look, most: int | None = None) -> list[Text | Padding]:
    """Moves best first, each with its value and its reasons; at most so many."""
    from rich.padding import Padding
    from rich.text import Text

    language = look.language
    lines: list[Text | Padding] = []
    for number, move in enumerate(found.moves[:most], 1):
        row = MoveRow.of(found, move, language)
        style = "bold" if number == 1 else ""
        figures = "  ".join(word for word in (row.win, row.value, row.behind) if word)
        lines.append(
            Text.assemble((f"  {number}  ", "dim"), moves_text(move, look), "  ", (figures, style))
        )
        if row.why:
            lines.append(Padding(Text(row.why, style="dim"), (0, 0, 0, 5)))
    left = len(found.moves[most:]) if most is not None else 0
    if left:
        template = language.ngettext(
            "and {count} more: type hint", "and {count} more: type hint", left
        )
        lines.append(Text("     " + template.format(count=left), style="dim"))
    return lines
