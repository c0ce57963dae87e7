"""basra hint: the best move for what one seat knows."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Any

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
from basra.models import DEFAULT_TRUST, Model, default_model
from basra.results import Hint, HintMove
from basra.view import View

if TYPE_CHECKING:
    from rich.console import Console


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
@click.option("--worlds", type=int, help="Search so many worlds.  [default: 160, or fewer]")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the worlds drawn.")
@click.option("--threads", type=int, help="Cores to use.  [default: 1; up to 4 at larger tables]")
@click.option("--method", default="worlds", show_default=True, help=f"One of {', '.join(METHODS)}.")
@click.option(
    "--model", metavar="FILE|none", help="Fitted values and policy.  [default: of the preset]"
)
@click.option(
    "--trust",
    type=int,
    default=DEFAULT_TRUST,
    show_default=True,
    metavar="PERCENT",
    help="How far the others' plays tell of their hands; 0: not at all.",
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
    threads = options["threads"] if options["threads"] is not None else _usual_threads(view)
    with Engine(threads) as engine:
        try:
            found = _search(engine, view, wanted, options)
        except KeyboardInterrupt:
            if isinstance(engine.last_result, Hint):
                _show(engine.last_result, view, as_json)
            raise
    _show(found, view, as_json)


def _usual_threads(view: View) -> int:
    """Two players need no more than one; the answer is the same for any number."""
    return 1 if view.players == 2 else min(4, os.cpu_count() or 1)


_DESCRIBING = (
    "hand", "floor", "seen", "buried", "cards", "points", "last", "carry", "match", "deal", "seat",
    "played", "players", "partners", "rules",
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


def _model(text: str | None, view: View) -> Model | None:
    if text is None:
        return default_model(view.rules)
    return None if text == "none" else Model.read(text, view.rules)


def _search(engine: Engine, view: View, wanted: Limits, options: dict[str, Any]) -> Hint:
    """The search, with a line of progress on a terminal once it takes more than a second."""
    seed, trust, model = options["seed"], options["trust"], _model(options["model"], view)
    method = options["method"]
    if method != "worlds" or not sys.stderr.isatty():
        return engine.hint(view, wanted, seed=seed, model=model, trust=trust, method=method)
    status, started = output.console(stderr=True).status("searching"), time.monotonic()
    try:
        for found in engine.stream(view, wanted, seed=seed, model=model, trust=trust):
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
    if out.width >= _WIDE:
        out.print(_table(found, min(out.width, 120)))
    else:
        _print_list(found, out)
    out.print(_summary(found), style="dim")
    if any(view.match) and found.objective == "points":
        out.print(_POINTS_ALONE, style="dim")
    if found.assumed:
        assumed = "; ".join(f"--{name} {value}" for name, value in found.assumed)
        out.print(f"Assumed, as not given: {assumed}", style="dim")


_POINTS_ALONE = (
    "The match score is not looked at: the chance to win is known only before the match is over, "
    "by the methods worlds and best, with a model made for this table and target."
)

_WIDE = 90  # columns that a table with reasons needs


def _headline(view: View) -> Any:
    from rich.text import Text

    partners = " in partnerships" if view.partners else ""
    where = f"{view.rules.name}, {view.players} players{partners}, deal {view.deal} of {view.deals}"
    hand, floor = output.cards_text(view.hand), output.cards_text(view.floor)
    return Text.assemble((f"{where}, seat {view.seat}: ", "bold"), hand, "  on  ", floor)


def _signed(value: float, exact: bool) -> str:
    return f"{value:+.0f}" if exact and value == int(value) else f"{value:+.2f}"


def _value(found: Hint, move: HintMove) -> str:
    if move.value is None:
        return "" if found.method.partition("/")[0] in METHODS[1:] else "not searched"
    error = f" ± {move.stderr:.2f}" if move.stderr else ""
    return output.lettered(_signed(move.value, found.exact) + error)


def _is_close(move: HintMove) -> bool:
    """Is the difference to the best inside its own error?"""
    gap = move if move.match is None else move.match
    return bool(gap.delta and gap.delta_stderr and gap.delta < 2 * gap.delta_stderr)


def _win(move: HintMove) -> str:
    """The chance to win the match."""
    if move.match is None:
        return ""
    error = f" ± {100 * move.match.stderr:.1f}" if move.match.stderr else ""
    return output.lettered(f"{100 * move.match.win:.1f}{error} %")


def _behind(found: Hint, move: HintMove) -> str:
    if move.delta is None:
        return ""
    if move is found.best:
        return "best"
    if move.delta == 0 and not (move.match and move.match.delta):
        return "equal"
    close = " ?" if _is_close(move) else ""
    if move.match is not None:
        error = f" ± {100 * move.match.delta_stderr:.1f}" if move.match.delta_stderr else ""
        return output.lettered(f"-{100 * move.match.delta:.1f}{error} %{close}")
    error = f" ± {move.delta_stderr:.2f}" if move.delta_stderr else ""
    return output.lettered(_signed(-move.delta, found.exact) + error + close)


def _moves(move: HintMove) -> Any:
    """The move, and the others that differ in equal cards."""
    from rich.text import Text

    shown = output.move_text(move.move)
    for other in move.equal[:3]:
        shown = Text.assemble(shown, (" or ", "dim"), output.move_text(other))
    if len(move.equal) > 3:
        shown = Text.assemble(shown, (f" or {len(move.equal) - 3} more", "dim"))
    return shown


def _why(move: HintMove) -> str:
    return output.lettered("; ".join(reason.text for reason in move.reasons))


def _table(found: Hint, width: int) -> Any:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, width=width)
    table.add_column("", justify="right", style="dim", no_wrap=True)
    table.add_column("move", max_width=44, overflow="fold")
    in_match = found.best.match is not None
    if in_match:
        table.add_column("match", justify="right", no_wrap=True)
    table.add_column("points", justify="right", no_wrap=True)
    table.add_column("behind", justify="right", no_wrap=True)
    table.add_column("why", ratio=1)
    for number, move in enumerate(found.moves, 1):
        style = "bold" if number == 1 else ""
        cells = [Text(_win(move), style=style)] if in_match else []
        cells += [Text(_value(found, move), style=style), Text(_behind(found, move))]
        table.add_row(str(number), _moves(move), *cells, _why(move))
    return table


def _print_list(found: Hint, out: Console) -> None:
    """The same for a narrow terminal, a few lines a move."""
    from rich.padding import Padding
    from rich.text import Text

    for number, move in enumerate(found.moves, 1):
        out.print(Text.assemble((f"{number}  ", "dim"), _moves(move)))
        style = "bold" if number == 1 else ""
        numbers = f"{_win(move)}  {_value(found, move)}  {_behind(found, move)}"
        out.print(Padding(Text(numbers.strip(), style), (0, 3)))
        out.print(Padding(Text(_why(move)), (0, 3)))


def _summary(found: Hint) -> str:
    worlds = f"{found.worlds:,} world{'' if found.worlds == 1 else 's'}"
    method = found.method.partition("/")[0]
    if method in METHODS[1:]:
        from basra.players import METHODS as WORDS

        how = f"{method}: {WORDS[method]}"
    elif found.exact:
        how = "exact: the hidden hand follows from the cards seen"
    elif not found.worlds:
        how = "stopped before anything was searched; ordered by what a move brings at once"
    elif found.worlds_complete:
        how = f"mean over all {worlds} (hidden hands) that fit, searched with open hands"
    else:
        how = f"mean over {worlds} (hidden hands that fit), searched with open hands"
        how += ", ± one standard error" if found.worlds > 1 else ""
        how += "; ? = too close to call" if any(map(_is_close, found.moves)) else ""
    if found.objective == "match":
        how += "; ranked by the chance to win the match"
    if found.stop == "settled":
        alone = len(found.moves) == 1
        how += "; there is no other move" if alone else "; the best move is told from all others"
    usual = ("complete", "worlds", "settled")
    stopped = "" if found.stop in usual else f", stopped by: {found.stop}"
    return output.lettered(
        f"{how}; {found.nodes:,} positions in {found.seconds:.2f} s, {found.method}, "
        f"seed {found.seed}{stopped}"
    )
