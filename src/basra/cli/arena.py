"""basra arena: two players over mirrored deals."""

from __future__ import annotations

import os
from time import perf_counter
from typing import Any

import click

from basra.arena import run_arena
from basra.cli import output
from basra.cli.options import json_option, need, rules_option
from basra.duel import ArenaResult
from basra.players import LEVEL_WORDS, LEVELS, METHODS, Player
from basra.statistics import Estimate

SCHEMA_PLAYERS = "basra.players/1"
_WHO = "name two players, such as: basra arena club greedy; --list names all"


@click.command(short_help="Two players over mirrored deals.")
@click.argument("a", required=False)
@click.argument("b", required=False)
@rules_option
@click.option("--players", type=int, default=2, metavar="N", help="At the table.  [default: 2]")
@click.option("--partners", is_flag=True, help="Four players in two partnerships.")
@click.option(
    "--pairs",
    type=int,
    default=200,
    metavar="N",
    show_default=True,
    help="Deals, each played with A in every place; at most, if it may stop earlier.",
)
@click.option("--matches", is_flag=True, help="Play each deal on to the end of a match.")
@click.option("--luck", is_flag=True, help="Take the luck of the deals out, as far as it goes.")
@click.option("--seed", type=int, default=0, metavar="N", help="Of the deals.  [default: 0]")
@click.option("--until", type=float, metavar="POINTS", help="Stop once the interval is +- that.")
@click.option("--sequential", is_flag=True, help="Stop once one is known to be better.")
@click.option("--workers", type=int, metavar="N", help="Processes.  [default: one a core]")
@click.option("--resume", metavar="FILE", help="Keep what is played there, and go on from it.")
@click.option("--list", "listed", is_flag=True, help="Name methods and levels, and end.")
@json_option
def arena(a: str | None, b: str | None, listed: bool, as_json: bool, **options: Any) -> None:
    """How much better is player A than player B?

    \b
    A player is a method or a level, and options after a colon:
      basra arena club greedy
      basra arena worlds:worlds=40 worlds:worlds=10,noise=2 --pairs 100

    \b
    Every deal is played with A in each place, so that luck with the cards meets
    both.  Points are A's, less B's or the mean of the others', a round; with
    --matches the share of matches won as well.  The same seed gives the same
    result to the last digit, with any number of workers, unless a player has a
    clock (ms=..).  --luck lowers the error where players search.  After Ctrl-C
    what was played is printed, and --resume FILE goes on from there.
    """  # fmt: skip
    if listed:
        _list(as_json)
        return
    one = Player.parse(need(a, "player", _WHO))
    two = Player.parse(need(b, "player", _WHO))
    if options["partners"] and options["players"] == 2:
        options["players"] = 4
    options["rules"] = options["rules"] or "classic"
    if options["workers"] is None:
        options["workers"] = os.cpu_count() or 1
    names = (str(a), str(b))
    kept: list[ArenaResult] = []
    began = perf_counter()
    try:
        with output.progress("deals", options["pairs"], 0, True) as show:

            def progress(result: ArenaResult) -> None:
                kept[:] = [result]
                show(result.sets, result.sets)

            found = run_arena(one, two, progress=progress, **options)
    except KeyboardInterrupt:
        if kept:
            _show(kept[0], names, perf_counter() - began, as_json)
        raise
    _show(found, names, perf_counter() - began, as_json)


def _show(found: ArenaResult, names: tuple[str, str], seconds: float, as_json: bool) -> None:
    if as_json:
        output.print_json(found.to_dict() | {"seconds": seconds})
        return
    from rich import box
    from rich.table import Table

    duel = found.duel
    noun = "match" if duel.matches else "round"
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", style="dim")
    table.add_column("player")
    table.add_column(f"points a {noun}", justify="right")
    if found.share is not None:
        table.add_column("matches won", justify="right")
    table.add_column("work a move", justify="right")
    points = [_with_error(found.points), ""]
    for i, name in enumerate(names):
        won = [] if found.share is None else [_percent(found.share) if i == 0 else ""]
        work = found.work[i] / found.decisions[i] if found.decisions[i] else 0
        table.add_row("AB"[i], output.lettered(name), points[i], *won, f"{work:,.0f}")
    out = output.console()
    seats = f"{duel.players} players" + (" in partnerships" if duel.partners else "")
    out.print(f"{duel.rules.name}, {seats}, seed {duel.seed}", style="bold")
    out.print(table)
    out.print(output.lettered(found.sentence))
    stop = {
        "pairs": "",
        "until": "; the interval is narrow enough",
        "decided": "; decided",
        "interrupted": "; interrupted",
    }[found.stop]
    games = f"{found.sets:,} deals, {found.games:,} {noun}{'es' if duel.matches else 's'}"
    out.print(f"{games} in {seconds:.2f} s{stop}", style="dim")


def _with_error(found: Estimate) -> str:
    if found.mean is None:
        return ""
    error = "" if found.stderr is None else f" ± {found.stderr:.2f}"
    return output.lettered(f"{found.mean:+.2f}{error}")


def _percent(found: Estimate) -> str:
    if found.mean is None:
        return ""
    error = "" if found.stderr is None else f" ± {100 * found.stderr:.1f}"
    return output.lettered(f"{100 * found.mean:.1f}{error} %")


def _list(as_json: bool) -> None:
    if as_json:
        known = {
            name: {"player": str(player), "description": LEVEL_WORDS[name]}
            for name, player in LEVELS.items()
        }
        output.print_json({"schema": SCHEMA_PLAYERS, "methods": dict(METHODS), "levels": known})
        return
    from rich import box
    from rich.table import Table

    out = output.console()
    methods = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    levels = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("method", "what it plays"):
        methods.add_column(title)
    for name, words in METHODS.items():
        methods.add_row(name, words)
    for title in ("level", "what it is like", "the same as"):
        levels.add_column(title, overflow="fold")
    for name, player in LEVELS.items():
        levels.add_row(name, LEVEL_WORDS[name], str(player))
    out.print(methods)
    out.print(levels)
    out.print("Options go after a colon: worlds:worlds=40,noise=2", style="dim")
