"""basra regret: what a player's moves in last deals cost."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import click

from basra.cli import output
from basra.cli.options import json_option, need, rules_option
from basra.players import Player
from basra.regret import Regret, run_regret

_WHO = "name one, such as: basra regret greedy; basra arena --list names all"


@click.command(short_help="What a player's moves in last deals cost.")
@click.argument("player", required=False)
@rules_option
@click.option("--partners", is_flag=True, help="Four players in two partnerships, not two players.")
@click.option(
    "--count", type=int, default=1000, metavar="N", show_default=True, help="Decisions to grade."
)
@click.option("--seed", type=int, default=0, metavar="N", help="Of the games.  [default: 0]")
@json_option
def regret(player: str | None, partners: bool, as_json: bool, **options: Any) -> None:
    """What a player's decisions in the last deal of a round cost, exactly.

    \b
    Games are played by the greedy player, who misjudges moves at times; in the
    last deal every decision is put to PLAYER, and what it chose is graded with
    all cards open.  Two players who count know all cards there: a player that
    does, and searches, loses nothing.
      basra regret greedy --count 2000
    """
    wanted = Player.parse(need(player, "player", _WHO))
    options["rules"] = options["rules"] or "classic"
    kept: list[Regret] = []
    began = perf_counter()
    try:
        with output.progress("decisions", options["count"], 0, True) as show:

            def progress(found: Regret) -> None:
                kept[:] = [found]
                show(found.positions, found.positions)

            result = run_regret(
                wanted, players=4 if partners else 2, partners=partners, progress=progress,
                **options,
            )  # fmt: skip
    except KeyboardInterrupt:
        if kept:
            _show(kept[0], str(player), perf_counter() - began, as_json)
        raise
    _show(result, str(player), perf_counter() - began, as_json)


def _show(found: Regret, name: str, seconds: float, as_json: bool) -> None:
    if as_json:
        output.print_json(found.to_dict() | {"seconds": seconds})
        return
    from rich import box
    from rich.table import Table

    out = output.console()
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("cards left", "decisions", "best move", "points lost", "each"):
        table.add_column(title, justify="right")
    for ply in found.plies:
        table.add_row(
            str(ply.left),
            f"{ply.positions:,}",
            f"{ply.best / ply.positions:.1%}",
            f"{ply.lost:,}",
            f"{ply.lost / ply.positions:.2f}",
        )
    seats = "4 players in partnerships" if found.partners else "2 players"
    title = f"{name}: {found.rules.name}, {seats}, last deals, seed {found.seed}"
    out.print(output.lettered(title), style="bold")
    out.print(table)
    out.print(
        f"{found.mean:.3f} points lost by a decision; a best move in "
        f"{found.best / found.positions:.1%} of them."
    )
    if found.worst is not None:
        worst = found.worst
        out.print(f"The worst: {worst.played} for {worst.best}, {worst.lost} points, in")
        out.print(worst.position, soft_wrap=True)
    out.print(
        f"{found.positions:,} decisions of {found.games:,} games in {seconds:.2f} s", style="dim"
    )
