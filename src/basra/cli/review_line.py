"""What `basra review --position` says: every move of a line, with all cards known."""

from __future__ import annotations

from typing import Any

from basra.cli import output
from basra.cli.options import limits, table_bytes
from basra.cli.solve import DEFAULT_SECONDS
from basra.engine import Engine
from basra.open_review import OpenReview
from basra.position import Position
from basra.words import points_text


def review_line(options: dict[str, Any], as_json: bool) -> None:
    """Reviews the moves of a notation with open hands, and prints what they cost."""
    position = Position.from_notation(options["position"])
    seconds = options["seconds"]
    if seconds is None and options["nodes"] is None:
        seconds = DEFAULT_SECONDS
    wanted = limits(seconds, None, options["nodes"])
    with Engine(table_bytes=table_bytes(options["table_mb"])) as engine:
        try:
            with output.patience("reviewing"):
                found = engine.review(position, wanted)
        except KeyboardInterrupt:
            if isinstance(engine.last_result, OpenReview):
                _show(engine.last_result, as_json)
            raise
    _show(found, as_json)


def _show(found: OpenReview, as_json: bool) -> None:
    if as_json:
        output.print_json(found.to_dict())
        return
    from rich import box
    from rich.table import Table

    out = output.console()
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("ply", justify="right", style="dim")
    table.add_column("seat", justify="right")
    table.add_column("played")
    table.add_column("value", justify="right")
    table.add_column("best")
    table.add_column("loss", justify="right")
    for ply in found.plies:
        better = "" if ply.best is None or not ply.loss else output.move_text(ply.best)
        table.add_row(
            str(ply.ply),
            str(ply.seat + 1),
            output.move_text(ply.played),
            points_text(ply.value),
            better,
            "" if ply.loss is None else points_text(ply.loss).lstrip("+"),
        )
    out.print(table)
    sides = "side" if len(found.losses) < len({ply.seat for ply in found.plies}) else "seat"
    lost = ", ".join(
        f"{sides} {number} lost {points_text(loss).lstrip('+')}"
        for number, loss in enumerate(found.losses, 1)
    )
    state = "exact" if found.exact else f"not finished, stopped by: {found.stop}"
    far = "" if found.exact else ", in the plies that were reached"
    out.print(f"With all cards known{far}: {lost}.", style="bold")
    out.print(f"{state}; {found.nodes:,} positions in {found.seconds:.2f} s", style="dim")
