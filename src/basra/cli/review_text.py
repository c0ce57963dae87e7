"""A review of a game on the terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from basra.cli import output
from basra.cli.output import Look
from basra.hint_words import effort_text, stop_text
from basra.review_words import (
    deal_text,
    game_text,
    judged_text,
    loss_text,
    lost_text,
    luck_text,
    luck_words,
    moment_text,
    open_text,
    points_lost,
    round_text,
    scale_text,
    seat_text,
    side_text,
    summary_text,
    verdict_text,
)
from basra.reviews import Decision, Review, ReviewedRound

if TYPE_CHECKING:
    from rich.console import Console

_STYLES = {"inaccuracy": "yellow", "mistake": "bright_red", "blunder": "bold bright_red"}


def print_review(found: Review, look: Look) -> None:
    """Summaries, then each round: its marks, and its luck; then the key moments, and notes."""
    out, language = output.console(), look.language
    _print(out, game_text(found, language), "bold")
    for seat in found.seats:
        name = seat_text(found, seat.seat, language)
        _print(out, f"{name}: {lost_text(seat, language)}")
        _print(out, summary_text(seat, language), "dim")
    for now in found.rounds:
        _print_round(found, now, out, look)
    _print_moments(found, out, look)
    for note in _notes(found, look):
        _print(out, note, "dim")


def _print(out: Console, text: str, style: str = "") -> None:
    """A line of words; names in it are no markup."""
    out.print(output.lettered(text), style=style or None, markup=False)


def _print_round(found: Review, now: ReviewedRound, out: Console, look: Look) -> None:
    language = look.language
    _print(out, "")
    _print(out, round_text(now, language), "bold")
    marked = [decision for decision in now.decisions if decision.mark is not None]
    if marked:
        if out.width >= _WIDE:
            out.print(_marks(found, now, marked, look))
        else:
            _print_marks(found, marked, out, look)
    else:
        _print(out, language.gettext("No marks."))
    for side in [found.side] if found.sides == 2 else found.reviewed:
        deals = language.pgettext("between figures", ", ").join(
            deal_text(deal, side, language) for deal in now.deals
        )
        template = language.gettext("Luck of {side}: {luck}; by deal {deals}")
        _print(
            out,
            template.format(
                side=side_text(found, side, language),
                luck=luck_text(now, side, language),
                deals=deals,
            ),
        )


_WIDE = 80  # columns that the table of marks needs


def _print_marks(found: Review, decisions: Iterable[Decision], out: Console, look: Look) -> None:
    """The same for a narrow terminal, a few lines a decision."""
    from rich.padding import Padding

    language = look.language
    for decision in decisions:
        who = seat_text(found, decision.seat, language)
        heading = language.gettext("ply {ply}, {who}").format(ply=decision.ply, who=who)
        _print(out, heading, _STYLES[decision.verdict])
        played = output.filled(
            language.pgettext("move and what was better", "{played}, better {best}"),
            played=output.move_text(decision.played, look),
            best=output.move_text(decision.best or decision.played, look),
        )
        out.print(Padding(played, (0, 3)))
        said = language.pgettext("mark and loss", "{verdict}, {loss} lost").format(
            verdict=verdict_text(decision.verdict, language), loss=loss_text(decision, language)
        )
        out.print(Padding(output.lettered(said), (0, 3)))


def _marks(found: Review, now: ReviewedRound, decisions: Iterable[Decision], look: Look) -> Any:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    language = look.language
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(language.pgettext("column", "ply"), justify="right", style="dim")
    table.add_column(language.pgettext("column", "who"))
    table.add_column(language.pgettext("column", "played"), max_width=26, overflow="fold")
    table.add_column(language.pgettext("column", "better"), max_width=26, overflow="fold")
    table.add_column(language.pgettext("column", "lost"), justify="right")
    table.add_column("")
    table.add_column(language.pgettext("column", "open hands"), justify="right", style="dim")
    for decision in decisions:
        opinion = now.open_ply(decision)
        lost = (
            "" if opinion is None or opinion.loss is None else points_lost(opinion.loss, language)
        )
        table.add_row(
            str(decision.ply),
            Text(output.lettered(seat_text(found, decision.seat, language))),
            output.move_text(decision.played, look),
            "" if decision.best is None else output.move_text(decision.best, look),
            Text(output.lettered(loss_text(decision, language))),
            Text(
                output.lettered(verdict_text(decision.verdict, language)),
                style=_STYLES[decision.verdict],
            ),
            output.lettered(lost),
        )
    return table


def _print_moments(found: Review, out: Console, look: Look) -> None:
    language = look.language
    if not found.moments:
        return
    _print(out, "")
    _print(out, language.gettext("Key moments"), "bold")
    for moment in found.moments:
        decision = found.decision(moment)
        place = language.gettext("round {round}, ply {ply}, {who}").format(
            round=moment.round, ply=moment.ply, who=seat_text(found, decision.seat, language)
        )
        said = language.pgettext("place and what happened", "{place}: {what}")
        _print(out, said.format(place=place, what=moment_text(found, moment, language)))
    _print(out, "")


def _notes(found: Review, look: Look) -> list[str]:
    language = look.language
    notes = [judged_text(found, language), scale_text(found, language), luck_words(language)]
    if any(now.open is not None for now in found.rounds):
        notes.append(open_text(language))
    effort = effort_text(found.nodes, found.seconds, language)
    if found.stop != "complete":
        stopped = language.gettext("stopped by: {stop}")
        effort = language.listed([effort, stopped.format(stop=stop_text(found.stop, language))])
    return [*notes, effort]
