"""basra hint: the best move for what one seat knows."""

from __future__ import annotations

import sys
import time
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
from basra.engine import METHODS, Engine, check_method
from basra.limits import Limits
from basra.results import Hint, HintMove
from basra.view import View


@click.command(short_help="The best move for what one player knows.")
@click.option("--hand", metavar="CARDS", help='Your cards, such as "7D 5C KH 2S".')
@click.option("--floor", metavar="CARDS", help='Cards on the floor; "" if there are none.')
@click.option("--seen", metavar="CARDS", help="Cards in anybody's pile, as far as you know.")
@click.option("--buried", metavar="CARDS", help="Shown on the first floor, put back, as found.")
@click.option(
    "--cards", metavar="N:N", help="Cards captured so far, mine:theirs.  [default: level]"
)
@click.option("--points", metavar="N:N", help="Points banked this round, mine:theirs.")
@click.option("--last", metavar="WHO", help="Who captured last: me, them, +1, +2, +3 or none.")
@click.option("--carry", type=int, metavar="N", help="Points waiting from tied rounds.")
@click.option("--match", metavar="N:N", help="Match scores before this round, mine:theirs.")
@click.option("--deal", type=int, metavar="N", help="Which deal of the round, from 1.")
@click.option("--seat", type=int, metavar="N", help="Your place in the order of play; 1 leads.")
@click.option("--played", metavar="MOVES", help='This deal\'s moves so far, such as "8SxAC7H 5D".')
@click.option("--players", type=int, metavar="N", help="Number of players.  [default: 2]")
@click.option("--partners", is_flag=True, help="Four players in two partnerships.")
@click.option("--position", metavar="TEXT", help="A view's notation, in place of the above.")
@rules_option
@limit_options
@click.option("--worlds", type=int, help="Stop after this many worlds.  [default: 160]")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the worlds drawn.")
@click.option("--threads", type=int, default=1, show_default=True, help="Cores to use.")
@click.option(
    "--method", default="worlds", show_default=True, help=f"Search method: {', '.join(METHODS)}."
)
@json_option
def hint(as_json: bool, **options: Any) -> None:
    """The expected value of every legal move, best first, with reasons.

    \b
    Values are round points for your side, what the move brings at once included,
    and the mean over worlds: hidden hands that fit what you know.

    \b
    Example:
      basra hint --hand "7D 5C KH 2S" --floor "3C 2H 5S"
    """
    check_method(options["method"])
    view = _view(options)
    wanted = limits(options["seconds"], options["worlds"], options["nodes"])
    with Engine(options["threads"]) as engine:
        try:
            found = _search(engine, view, wanted, options["seed"])
        except KeyboardInterrupt:
            if isinstance(engine.last_result, Hint):
                _show(engine.last_result, view, as_json)
            raise
    _show(found, view, as_json)


_DESCRIBING = (
    "hand", "floor", "seen", "buried", "cards", "points", "last", "carry", "match", "deal", "seat",
    "played", "players", "partners",
)  # fmt: skip


def _view(options: dict[str, Any]) -> View:
    text = options["position"]
    refuse_together(text, {name: options[name] for name in _DESCRIBING})
    if text is not None:
        return View.from_notation(text)
    return View(
        need(options["hand"], "hand", 'name your cards, such as --hand "7D 5C KH 2S"'),
        need(options["floor"], "floor", 'name the cards there, or --floor "" if there are none'),
        rules=options["rules"],
        seen=options["seen"],
        buried=options["buried"],
        cards=options["cards"],
        points=options["points"],
        last=options["last"],
        carry=options["carry"],
        match=options["match"],
        deal=options["deal"],
        seat=options["seat"],
        played=options["played"],
        players=options["players"],
        partners=options["partners"] or None,
    )


def _search(engine: Engine, view: View, wanted: Limits, seed: int) -> Hint:
    """The search, with a line of progress on a terminal once it takes more than a second."""
    if not sys.stderr.isatty():
        return engine.hint(view, wanted, seed=seed)
    status, started = output.console(stderr=True).status("searching"), time.monotonic()
    try:
        for found in engine.stream(view, wanted, seed=seed):
            if time.monotonic() - started > 1:
                status.update(f"searching: {found.worlds:,} worlds, {found.nodes:,} positions")
                status.start()
    finally:
        status.stop()
    return found


def _show(found: Hint, view: View, as_json: bool) -> None:
    if as_json:
        output.print_json(found.to_dict())
        return
    out = output.console()
    out.print(_headline(view))
    out.print(_table(found, out.width))
    out.print(_summary(found), style="dim")
    if found.assumed:
        out.print("Assumed, as not given:", style="dim")
        for name, value in found.assumed:
            out.print(f"  --{name:<8} {value}", style="dim")


def _headline(view: View) -> Any:
    from rich.text import Text

    partners = " in partnerships" if view.partners else ""
    where = f"{view.rules.name}, {view.players} players{partners}, deal {view.deal} of {view.deals}"
    text = Text(f"{where}, seat {view.seat}: ", style="bold")
    return text + output.cards_text(view.hand) + Text("  on  ") + output.cards_text(view.floor)


def _signed(value: float, exact: bool) -> str:
    return f"{value:+.0f}" if exact and value == int(value) else f"{value:+.2f}"


def _value(found: Hint, move: HintMove) -> str:
    if move.value is None:
        return "not searched"
    error = f" ± {move.stderr:.2f}" if move.stderr else ""
    return _signed(move.value, found.exact) + error


def _behind(found: Hint, move: HintMove) -> str:
    if move.delta is None or move is found.best:
        return "best" if move is found.best and move.delta is not None else ""
    if move.delta == 0:
        return "equal"
    close = move.delta_stderr is not None and move.delta < 2 * move.delta_stderr
    error = f" ± {move.delta_stderr:.2f}" if move.delta_stderr else ""
    return _signed(-move.delta, found.exact) + error + (" ?" if close else "")


def _table(found: Hint, width: int) -> Any:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, width=min(width, 120))
    table.add_column("", justify="right", style="dim", no_wrap=True)
    table.add_column("move", max_width=44)
    table.add_column("points", justify="right", no_wrap=True)
    table.add_column("behind", justify="right", no_wrap=True)
    table.add_column("why", ratio=1)
    for number, move in enumerate(found.moves, 1):
        shown = output.move_text(move.move)
        if move.equal:
            shown = shown + Text(" or ", style="dim")
            shown = shown + Text(" or ", style="dim").join(map(output.move_text, move.equal[:3]))
            if len(move.equal) > 3:
                shown = shown + Text(f" or {len(move.equal) - 3} more", style="dim")
        why = output.lettered("; ".join(reason.text for reason in move.reasons))
        style = "bold" if number == 1 else ""
        table.add_row(
            str(number), shown, Text(_value(found, move), style=style), _behind(found, move), why
        )
    return table


def _summary(found: Hint) -> str:
    if found.exact:
        how = "exact: the hidden hand follows from the cards seen"
    elif found.worlds_complete:
        how = f"mean over all {found.worlds:,} worlds that fit, open hands"
    else:
        how = f"mean over {found.worlds:,} worlds, ± one standard error; ? = too close to call"
    stopped = "" if found.stop in ("complete", "worlds") else f", stopped by: {found.stop}"
    return (
        f"{how}; {found.nodes:,} positions in {found.seconds:.2f} s, {found.method}, "
        f"seed {found.seed}{stopped}"
    )
