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
    table_bytes,
    table_option,
)
from basra.engine import Engine
from basra.errors import ArgumentError
from basra.limits import Limits
from basra.position import Position
from basra.results import Solution
from basra.rules import Rules
from basra.view import numbers
from basra.words import points_text

DEFAULT_SECONDS = 60.0


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
@table_option
@click.option("--batch", metavar="FILE", help="Solve a file of positions, - for stdin.")
@click.option("--threads", type=int, metavar="N", help="Workers of --batch.  [default: 1]")
@click.option("--output", "target", metavar="OUT", help="Where answers of --batch go, a new file.")
@click.option("--resume", is_flag=True, help="Go on with an OUT that was not finished.")
@click.option("--moves", is_flag=True, help="With --batch: the value of every move as well.")
@click.option("--line", is_flag=True, help="With --batch: best play as well.")
@json_option
def solve(as_json: bool, **options: Any) -> int:
    """The exact value of every move to the end of the round, and best play.

    \b
    Values are future round points for the side to move, minus the other's.
    Three or four single players: own points minus the mean of the others'.
    Stops after 60 s unless --time says otherwise.

    \b
    Example:
      basra solve --hands "5S 9D / KH QC" --floor "5H 2C"

    \b
    With --batch every line of a file is a position: its notation in quotes, or
    an object with "position", or with the names of the options above; "id" is
    handed on.  One line of JSON comes out for each, in order; limits are for
    each.  Exit code 1 if some were bad: their lines say why.
    """
    seconds = options["seconds"]
    if seconds is None and options["nodes"] is None:
        seconds = DEFAULT_SECONDS
    wanted = limits(seconds, None, options["nodes"])
    if options["batch"] is not None:
        return _batch(options, wanted, as_json)
    for name in _OF_BATCH:
        if options[name] is not None and options[name] is not False:
            raise ArgumentError("goes with --batch", field=_named(name), fix="name a --batch FILE")
    _one(options, wanted, as_json)
    return 0


_OF_BATCH = ("threads", "target", "resume", "moves", "line")


def _named(name: str) -> str:
    return "output" if name == "target" else name


def _batch(options: dict[str, Any], wanted: Limits, as_json: bool) -> int:
    from basra.batch import BatchOptions
    from basra.cli.batch import run_batch

    # Rules may be given: they are those of lines that name none.
    described = {name: options[name] for name in ("position", *_DESCRIBING) if name != "rules"}
    refuse_together(options["batch"], described, "batch")
    wanted_each = BatchOptions(
        limits=wanted,
        table_bytes=table_bytes(options["table_mb"]),
        moves=options["moves"],
        line=options["line"],
        rules=Rules.load("classic" if options["rules"] is None else options["rules"]),
    )
    threads = 1 if options["threads"] is None else options["threads"]
    target, resume = options["target"], options["resume"]
    return run_batch(options["batch"], target, resume, wanted_each, threads, as_json)


def _one(options: dict[str, Any], wanted: Limits, as_json: bool) -> None:
    position = _position(options)
    with Engine(table_bytes=table_bytes(options["table_mb"])) as engine:
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
        table.add_row(str(number), shown, points_text(move.value), *seats)
    out.print(table)
    if found.line:
        line = Text(", ").join(map(output.move_text, found.line))
        out.print(Text("Best play: ", style="bold") + line)
    state = "exact" if found.exact else f"not finished, stopped by: {found.stop}"
    out.print(f"{state}; {found.nodes:,} positions in {found.seconds:.2f} s", style="dim")
