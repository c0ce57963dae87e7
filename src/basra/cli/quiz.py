"""basra review --quiz: the marked decisions are asked again, as the seat saw them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from basra.cli import output
from basra.cli.output import Look
from basra.cli.prompt import refusal
from basra.entry import moves_meant, picked
from basra.errors import BasraError
from basra.language import Language
from basra.moves import Move
from basra.review_words import loss_text, points_lost, seat_text, verdict_text
from basra.reviews import Decision, Review
from basra.view import View
from basra.words import reason_text, table_text

if TYPE_CHECKING:
    from rich.text import Text


def ask_again(found: Review, look: Look) -> None:
    """Asks for a move at each marked decision, tells what it costs, and the score at the end.

    A move is typed as its text, or as its number; an empty line leaves the decision out.  The quiz
    ends with the input.
    """
    language = look.language
    asked = [decision for decision in found.marked if decision.view is not None]
    if not asked:
        _say(language.gettext("No decision has a mark: there is nothing to ask."))
        return
    answers: list[tuple[Decision, Move]] = []
    for number, decision in enumerate(asked, 1):
        _say("")
        heading = language.gettext("{number} of {count}: round {round}, ply {ply}, {who}")
        _say(
            heading.format(
                number=number, count=len(asked), round=decision.round, ply=decision.ply,
                who=seat_text(found, decision.seat, language),
            ),
            "bold",
        )  # fmt: skip
        moves = _listed(decision)
        _show_table(decision, moves, look)
        try:
            chosen = _answer(moves, language)
        except EOFError:
            break
        except KeyboardInterrupt:
            _score(answers, len(asked), language)
            raise
        if chosen is None:
            _say(language.gettext("Left out."))
            continue
        answers.append((decision, chosen))
        _tell(decision, chosen, look)
    _score(answers, len(asked), language)


def _say(text: str, style: str = "") -> None:
    output.console().print(output.lettered(text), style=style or None, markup=False)


def _listed(decision: Decision) -> list[Move]:
    """The moves to choose from, in an order that tells nothing: the canonical one."""
    assert decision.view is not None
    return list(decision.view.legal_moves())


def _show_table(decision: Decision, moves: list[Move], look: Look) -> None:
    from rich.text import Text

    view, language = decision.view, look.language
    assert view is not None
    out = output.console()
    _say(table_text(view, language))
    for name, shown in (
        (language.gettext("Floor"), output.cards_text(view.floor, look=look)),
        (language.gettext("Your hand"), output.cards_text(view.hand, look=look)),
        (language.gettext("Played in this deal"), _played(view, look)),
    ):
        out.print(Text.assemble((f"{name}: ", "dim"), shown))
    counts = language.gettext("Cards {cards}, points {points}, yours first").format(
        cards=language.isolate(":".join(map(str, view.cards))),
        points=language.isolate(":".join(map(str, view.points))),
    )
    _say(counts, "dim")
    for number, move in enumerate(moves, 1):
        out.print(Text.assemble((f"{number:3}  ", "dim"), output.move_text(move, look)))


def _played(view: View, look: Look) -> Text:
    from rich.text import Text

    if not view.played:
        return Text(look.language.pgettext("what was played", "nothing"))
    return Text(", ").join(output.move_text(move, look) for move in view.played)


def _answer(moves: list[Move], language: Language) -> Move | None:
    """A move that can be played; None for an empty line.  Raises EOFError at the input's end."""
    while True:
        sys.stdout.write(output.lettered(language.gettext("Your move: ")))
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        typed = line.strip()
        if not sys.stdin.isatty():
            sys.stdout.write("\n")
        if not typed:
            return None
        try:
            meant = picked(typed, moves) or moves_meant(typed, moves)
            if len(meant) == 1:
                return meant[0]
            _say(language.gettext("Several moves are meant: give the number of one."), "yellow")
        except BasraError as error:
            _say(refusal(error, language), "yellow")


def _tell(decision: Decision, chosen: Move, look: Look) -> None:
    from rich.text import Text

    language = look.language
    verdict, loss = decision.judged(chosen)
    _say(
        language.pgettext("verdict and loss", "{verdict}: {points} points behind the best").format(
            verdict=verdict_text(verdict, language), points=points_lost(loss, language)
        ),
        "green" if verdict in _FOUND else "red",
    )
    best = decision.moves[0]
    out = output.console()
    why = language.listed([reason_text(reason, language) for reason in best.reasons])
    label = language.pgettext("verdict", "best")
    out.print(Text.assemble((f"{label}: ", "dim"), output.move_text(best.move, look)))
    if why:
        _say(why, "dim")
    label = language.gettext("In the game")
    out.print(
        Text.assemble(
            (f"{label}: ", "dim"),
            output.move_text(decision.played, look),
            output.lettered(
                f", {verdict_text(decision.verdict, language)}, {loss_text(decision, language)}"
            ),
        )
    )


_FOUND = ("best", "close", "small")


def _score(answers: list[tuple[Decision, Move]], asked: int, language: Language) -> None:
    found = sum(decision.judged(move)[0] in _FOUND for decision, move in answers)
    now = sum(decision.judged(move)[1] for decision, move in answers)
    then = sum(decision.loss or 0.0 for decision, _ in answers)
    _say("")
    _say(
        language.gettext(
            "{found} of {asked} found, {answered} answered: {now} points lost, {then} in the game."
        ).format(
            found=found, asked=asked, answered=len(answers),
            now=points_lost(now, language), then=points_lost(then, language),
        ),
        "bold",
    )  # fmt: skip
