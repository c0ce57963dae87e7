"""basra captures: what one card can take."""

from __future__ import annotations

import click

from basra.cli import output
from basra.cli.options import json_option, need, rules_option
from basra.moves import Captures
from basra.moves import captures as list_captures


@click.command(short_help="What one card can take from the floor.")
@click.option("--floor", metavar="CARDS", help='Cards on the floor; "" if there are none.')
@click.option("--card", metavar="CARD", help="The card played, such as 8S.")
@rules_option
@json_option
def captures(floor: str | None, card: str | None, rules: str | None, as_json: bool) -> None:
    """Every legal capture of one card, with basra points and card points.

    \b
    Example:
      basra captures --floor "AS 7H KD 8C" --card 8S
    """
    found = list_captures(
        need(floor, "floor", 'name the cards there, or --floor "" if there are none'),
        need(card, "card", "name the card played, such as --card 8S"),
        "classic" if rules is None else rules,
    )
    if as_json:
        output.print_json(found.to_dict())
    else:
        _show(found)


def _show(found: Captures) -> None:
    from rich import box
    from rich.table import Table

    out = output.console()
    if found.captures:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("takes")
        table.add_column("basra", justify="right")
        table.add_column("card points", justify="right")
        for move in found.captures:
            table.add_row(
                output.cards_text(move.captures), str(move.basra or "-"), str(move.points)
            )
        out.print(table)
    if found.trail:
        also = "may be trailed too" if found.captures else "takes nothing and is trailed"
        out.print(output.card_text(found.card) + f" {also}")
