"""basra solve: exact values with all cards known."""

from __future__ import annotations

from typing import Any

import click

from basra.cli import output
from basra.cli.options import (
    json_option,
    limit_options,
    limits,
    need,
    refuse_together,
    rules_option,
)
from basra.engine import Engine
from basra.errors import ArgumentError
from basra.position import Position
from basra.results import Solution
from basra.view import numbers

_DEFAULT_SECONDS = 60.0


@click.command(short_help="Exact values with all cards known.")
@click.option("--hands", metavar="HANDS", help='From the seat to move on: "5S 9D / KH QC".')
@click.option("--floor", metavar="CARDS", help='Cards on the floor; "" if there are none.')
@click.option("--stock", metavar="CARDS", help="Undealt cards in dealing order, whole hands.")
@click.option("--cards", metavar="N:N", help="Cards captured so far, mine:theirs; must add up.")
@click.option("--last", metavar="WHO", help="Who captured last: me, them, +1, +2, +3 or none.")
@click.option("--carry", type=int, metavar="N", help="Points waiting from tied rounds.")
@click.option("--partners", is_flag=True, help="Four players in two partnerships.")
@click.option("--position", metavar="TEXT", help="A position's notation, in place of the above.")
@rules_option
@limit_options
@click.option(
    "--table",
    "table_mb",
    type=int,
    default=4,
    show_default=True,
    metavar="MB",
    help="Table memory.",
)
@json_option
def solve(as_json: bool, **options: Any) -> None:
    """The exact value of every move to the end of the round, and best play.

    \b
    Values are future round points for the side to move, minus the other's.
    Three or four single players: own points minus the mean of the others'.
    Stops after 60 s unless --time says otherwise.

    \b
    Example:
      basra solve --hands "5S 9D / KH QC" --floor "5H 2C"
    """
    position = _position(options)
    if not 1 <= options["table_mb"] <= 16384:
        raise ArgumentError(
            "is not a size", field="table", value=options["table_mb"], fix="use 1 to 16384 MB"
        )
    seconds = options["seconds"]
    if seconds is None and options["nodes"] is None:
        seconds = _DEFAULT_SECONDS
    wanted = limits(seconds, None, options["nodes"])
    with Engine(table_bytes=options["table_mb"] << 20) as engine:
        try:
            with output.patience("solving"):
                found = engine.solve(position, wanted, moves=True, line=True)
        except KeyboardInterrupt:
            if isinstance(engine.last_result, Solution):
                _show(engine.last_result, position, as_json)
            raise
    _show(found, position, as_json)
    if not as_json and options["position"] is None and options["cards"] is None:
        note = (
            "Most-cards points are for the cards given alone; --cards adds those captured before."
        )
        output.console().print(note, style="dim")


_DESCRIBING = ("hands", "floor", "stock", "cards", "last", "carry", "partners", "rules")


def _position(options: dict[str, Any]) -> Position:
    text = options["position"]
    refuse_together(text, {name: options[name] for name in _DESCRIBING})
    if text is not None:
        return Position.from_notation(text)
    return Position.setup(
        need(options["hands"], "hands", 'list them, such as --hands "5S 9D / KH QC"'),
        need(options["floor"], "floor", 'name the cards there, or --floor "" if there are none'),
        rules="classic" if options["rules"] is None else options["rules"],
        stock=options["stock"] or "",
        cards=numbers(options["cards"], "cards"),
        last=options["last"],
        carry=options["carry"] or 0,
        partners=options["partners"],
    )


def _points(value: float | None) -> str:
    if value is None:
        return "not reached"
    return f"{value:+d}" if isinstance(value, int) else f"{value:+.2f}"


def _show(found: Solution, position: Position, as_json: bool) -> None:
    if as_json:
        output.print_json(found.to_dict())
        return
    from rich import box
    from rich.table import Table
    from rich.text import Text

    out = output.console()
    singles = found.points is not None
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", justify="right", style="dim")
    table.add_column("move")
    table.add_column("points", justify="right")
    if singles:
        table.add_column("each seat from mine", justify="right")
    for number, move in enumerate(found.moves, 1):
        shown = Text(" or ", style="dim").join(map(output.move_text, (move.move, *move.equal)))
        seats = [":".join(map(str, move.points or ()))] if singles else []
        table.add_row(str(number), shown, _points(move.value), *seats)
    out.print(table)
    if found.line:
        line = Text(", ").join(map(output.move_text, found.line))
        out.print(Text("Best play: ", style="bold") + line)
    state = "exact" if found.exact else f"not finished, stopped by: {found.stop}"
    out.print(f"{state}; {found.nodes:,} positions in {found.seconds:.2f} s", style="dim")
