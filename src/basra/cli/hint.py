"""basra hint: the best move for what one seat knows."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from basra.cli import output
from basra.cli.options import (
    deck_option,
    json_option,
    lang_option,
    limit_options,
    limits,
    need,
    refuse_together,
    rules_option,
)
from basra.cli.output import Look
from basra.engine import METHODS, Engine, check_method
from basra.language import Language
from basra.limits import Limits
from basra.models import DEFAULT_TRUST, Model, default_model
from basra.results import Hint, HintMove
from basra.view import View
from basra.words import table_text

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
@lang_option
@deck_option
@json_option
def hint(as_json: bool, language: Language, deck: str, **options: Any) -> None:
    """The expected value of every legal move, best first, with reasons.

    \b
    Values are round points for your side, what the move brings at once included,
    and the mean over worlds: hidden hands that fit what you know.

    \b
    Example:
      basra hint --hand "7D 5C KH 2S" --floor "3C 2H 5S"
    """
    check_method(options["method"])
    look = Look(language, deck)
    view = _view(options)
    wanted = limits(options["seconds"], options["worlds"], options["nodes"])
    threads = options["threads"] if options["threads"] is not None else _usual_threads(view)
    with Engine(threads) as engine:
        try:
            found = _search(engine, view, wanted, language, options)
        except KeyboardInterrupt:
            if isinstance(engine.last_result, Hint):
                _show(engine.last_result, view, as_json, look)
            raise
    _show(found, view, as_json, look)


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


def _search(
    engine: Engine, view: View, wanted: Limits, language: Language, options: dict[str, Any]
) -> Hint:
    """The search, with a line of progress on a terminal once it takes more than a second."""
    seed, trust, model = options["seed"], options["trust"], _model(options["model"], view)
    method = options["method"]
    if method != "worlds" or not sys.stderr.isatty():
        return engine.hint(view, wanted, seed=seed, model=model, trust=trust, method=method)
    status = output.console(stderr=True).status(language.gettext("searching"))
    so_far = language.gettext("searching: {worlds} worlds, {nodes} positions")
    started = time.monotonic()
    try:
        for found in engine.stream(view, wanted, seed=seed, model=model, trust=trust):
            if time.monotonic() - started > 1:
                done = {"worlds": found.worlds, "nodes": found.nodes}
                figures = {name: language.isolate(f"{n:,}") for name, n in done.items()}
                status.update(so_far.format(**figures))
                status.start()
    finally:
        status.stop()
    return found


def _show(found: Hint, view: View, as_json: bool, look: Look) -> None:
    if as_json:
        output.print_json(found.to_dict())
        return
    from basra.hint_words import notes

    out = output.console()
    out.print(_headline(view, look))
    if out.width >= _WIDE:
        out.print(_table(found, min(out.width, 120), look))
    else:
        _print_list(found, out, look)
    for note in notes(found, view, look.language):
        out.print(output.lettered(note), style="dim")


_WIDE = 90  # columns that a table with reasons needs


def _headline(view: View, look: Look) -> Any:
    from rich.text import Text

    where = output.lettered(table_text(view, look.language))
    # Translators: between the cards in hand and those on the floor.
    on = look.language.pgettext("hand and floor", "on")
    hand = output.cards_text(view.hand, look=look)
    floor = output.cards_text(view.floor, look=look)
    return Text.assemble((f"{where}: ", "bold"), hand, f"  {on}  ", floor)


def moves_text(move: HintMove, look: Look) -> Any:
    """The move, and the others that differ in equal cards."""
    from rich.text import Text

    shown = output.move_text(move.move, look)
    between = look.language.pgettext("between alternatives", "or")
    for other in move.equal[:3]:
        shown = Text.assemble(shown, (f" {between} ", "dim"), output.move_text(other, look))
    if len(move.equal) > 3:
        rest = len(move.equal) - 3
        more = look.language.ngettext("or {count} more", "or {count} more", rest)
        shown = Text.assemble(shown, (" " + more.format(count=rest), "dim"))
    return shown


class MoveRow(NamedTuple):
    """What a move's line has besides the move."""

    win: str
    value: str
    behind: str
    why: str

    @classmethod
    def of(cls, found: Hint, move: HintMove, language: Language) -> MoveRow:
        from basra.hint_words import behind_text, value_text, why_text, win_text

        texts = (
            win_text(move, language),
            value_text(found, move, language),
            behind_text(found, move, language),
            why_text(move, language),
        )
        return cls(*map(output.lettered, texts))


def _table(found: Hint, width: int, look: Look) -> Any:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    language = look.language
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, width=width)
    table.add_column("", justify="right", style="dim", no_wrap=True)
    table.add_column(language.pgettext("column", "move"), max_width=44, overflow="fold")
    in_match = found.best.match is not None
    if in_match:
        table.add_column(language.pgettext("column", "match"), justify="right", no_wrap=True)
    table.add_column(language.pgettext("column", "points"), justify="right", no_wrap=True)
    table.add_column(language.pgettext("column", "behind"), justify="right", no_wrap=True)
    table.add_column(language.pgettext("column", "why"), ratio=1)
    for number, move in enumerate(found.moves, 1):
        style = "bold" if number == 1 else ""
        row = MoveRow.of(found, move, language)
        cells = [Text(row.win, style=style)] if in_match else []
        cells += [Text(row.value, style=style), Text(row.behind)]
        table.add_row(str(number), moves_text(move, look), *cells, row.why)
    return table


def _print_list(found: Hint, out: Console, look: Look) -> None:
    """The same for a narrow terminal, a few lines a move."""
    from rich.padding import Padding
    from rich.text import Text

    for number, move in enumerate(found.moves, 1):
        row = MoveRow.of(found, move, look.language)
        out.print(Text.assemble((f"{number}  ", "dim"), moves_text(move, look)))
        style = "bold" if number == 1 else ""
        numbers = f"{row.win}  {row.value}  {row.behind}"
        out.print(Padding(Text(numbers.strip(), style), (0, 3)))
        out.print(Padding(Text(row.why), (0, 3)))
