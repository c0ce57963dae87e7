"""Grids of figures: rows and columns under heads."""

from __future__ import annotations

from collections.abc import Sequence

from basra.html.markup import Html, element

_GRID = "border-collapse:collapse;margin:.4em 0;font-size:14px;background:transparent;"
_CELL = "padding:.35em .7em;border:0;border-top:1px solid rgba(128,128,128,.35);vertical-align:top;"
_WORDS = f"{_CELL}text-align:start;"
_FIGURES = f"{_CELL}text-align:end;white-space:nowrap;font-variant-numeric:tabular-nums;"


def grid(
    heads: Sequence[str], rows: Sequence[Sequence[str]], *, last_is_words: bool = False
) -> Html:
    """A table: first column moves, the others figures, the last perhaps words."""

    def style(column: int, count: int) -> str:
        return _WORDS if column == 0 or (last_is_words and column == count - 1) else _FIGURES

    def line(name: str, cells: Sequence[str], more: str = "") -> Html:
        drawn = (element(name, c, style=style(i, len(cells)) + more) for i, c in enumerate(cells))
        return element("tr", *drawn, style="background:transparent")

    body = [
        line("td", row, "font-weight:600;" if number == 0 else "")
        for number, row in enumerate(rows)
    ]
    head = element("thead", line("th", heads, "border-top:0;font-weight:600;opacity:.8;"))
    return element("table", head, element("tbody", *body), style=_GRID)
