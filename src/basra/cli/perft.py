"""basra perft: counts of move sequences."""

from __future__ import annotations

import time

import click

from basra.cli import output
from basra.cli.options import json_option, refuse_together, rules_option
from basra.errors import ArgumentError
from basra.position import Position


@click.command(short_help="Count move sequences from a position.")
@click.option("--depth", type=int, default=4, show_default=True, help="Plies.")
@click.option("--seed", type=int, help="Of the deal.  [default: 1]")
@click.option("--players", type=int, metavar="N", help="Number of players.  [default: 2]")
@click.option("--partners", is_flag=True, help="Four players in two partnerships.")
@click.option("--position", metavar="TEXT", help="A position's notation, in place of a deal.")
@rules_option
@json_option
def perft(
    depth: int,
    seed: int | None,
    players: int | None,
    partners: bool,
    position: str | None,
    rules: str | None,
    as_json: bool,
) -> None:
    """Counts of the move sequences of each depth, by card identity.

    \b
    Example:
      basra perft --rules palestine --seed 3 --depth 5
    """
    given = {"seed": seed, "players": players, "partners": partners, "rules": rules}
    refuse_together(position, given)
    if not 0 <= depth <= 52:
        raise ArgumentError(
            "is not a number of plies", field="depth", value=depth, fix="use 0 to 52"
        )
    if position is not None:
        start = Position.from_notation(position)
    else:
        seats = players if players is not None else 4 if partners else 2
        start = Position.deal(
            "classic" if rules is None else rules,
            1 if seed is None else seed,
            players=seats,
            partners=partners,
        )
    counts: list[int] = []
    began = time.monotonic()
    with output.patience("counting"):
        for plies in range(depth + 1):
            counts.append(start.perft(plies))
    if as_json:
        output.print_json(
            {
                "schema": "basra.perft/1",
                "position": start.notation,
                "counts": counts,
                "seconds": time.monotonic() - began,
            }
        )
        return
    out = output.console()
    for plies, count in enumerate(counts):
        out.print(f"{plies:>3}  {count:>16,}")
