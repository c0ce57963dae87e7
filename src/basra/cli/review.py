"""basra review: what every decision of a game cost; or every move of a line, all cards known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from basra.cli import output
from basra.cli.options import (
    deck_option,
    json_option,
    lang_option,
    limit_options,
    limits,
    of_file,
    page_language,
    refuse_together,
    table_bytes,
    table_option,
)
from basra.cli.output import Look
from basra.engine import Engine
from basra.errors import ArgumentError
from basra.language import Language
from basra.models import Model

if TYPE_CHECKING:
    from basra.record.model import Record
    from basra.reviews import Review, ReviewSettings


@click.command(short_help="What every decision of a game cost, luck apart.")
@click.argument("file", required=False)
@click.option("--seat", "seats", type=int, multiple=True, metavar="N",
              help="Review this seat; more with more.  [default: people's, or all]")  # fmt: skip
@click.option("--html", "page", metavar="FILE", help="Write a page to look at, or to print.")
@click.option("--quiz", is_flag=True, help="Ask the marked decisions again.")
@click.option("--position", metavar="TEXT", help="A notation with moves in played=, not a FILE.")
@limit_options
@click.option("--worlds", type=int, help="Judge by so many worlds.  [default: the player full's]")
@click.option("--seed", type=int, help="Of what is drawn.  [default: the record's, or 0]")
@click.option("--threads", type=int, help="Cores for decisions by worlds.  [default: 1]")
@click.option("--method", help="worlds, expectimax, best, or another in points.  [default: best]")
@click.option("--model", metavar="FILE|none", help="Fitted values.  [default: of the preset]")
@click.option("--trust", type=int, metavar="PERCENT",
              help="How far plays tell of hands.  [default: 100]")  # fmt: skip
@table_option
@lang_option
@deck_option
@json_option
def review(file: str | None, as_json: bool, language: Language, deck: str, **options: Any) -> None:
    """What every decision of a recorded game cost, for what its seat knew.

    \b
    FILE is a record of a round or a match.  Each decision of the seats is judged
    as the player `full` chooses: what the move lost in points, or in a match in
    the chance to win it.  Marks are inaccuracy, mistake and blunder; a choice
    inside the error of the best has none.  Luck of the deals is told apart, and
    what the moves lost with all cards known to everybody is a second opinion.
    --time, --nodes and --worlds are limits of each decision.

    \b
    With --position in place of FILE: every move since the position was dealt or
    set up, with all cards known to everybody.  `loss` is in points, and may have
    been impossible to see.  Stops after 60 s unless --time says otherwise.

    \b
    Example:
      basra review mine.txt --html mine.html
    """
    look = Look(language, deck)
    _check_together(file, options, as_json)
    if file is None:
        from basra.cli.review_line import review_line

        review_line(options, as_json)
        return
    from basra.match import Match
    from basra.record import read_record
    from basra.reviews import ReviewSettings

    settings = ReviewSettings(
        method=options["method"] or "best",
        limits=limits(options["seconds"], options["worlds"], options["nodes"]),
        trust=100 if options["trust"] is None else options["trust"],
        seed=options["seed"],
    )
    record = read_record(file)
    with of_file(file):
        Match.from_record(record)
    if options["page"] is not None:
        _check_page(options["page"])
    if options["model"] is not None:
        text = options["model"]
        model = None if text == "none" else Model.read(text, record.rules)
        settings = replace(settings, model=model)
    found = _reviewed(record, settings, options, as_json, look)
    if options["quiz"]:
        from basra.cli.quiz import ask_again

        ask_again(found, look)
        return
    _show(found, options["page"], as_json, look)


_OF_FILES = (
    "seats", "page", "quiz", "worlds", "seed", "threads", "method", "model", "trust",
)  # fmt: skip
_NAMES = {"seats": "seat", "page": "html"}


def _check_together(file: str | None, options: dict[str, Any], as_json: bool) -> None:
    text = options["position"]
    if file is None and text is None:
        raise ArgumentError(
            "is missing", field="file",
            fix="name a record, or give --position and what Position.notation prints",
        )  # fmt: skip
    given = {_NAMES.get(name, name): options[name] or None for name in _OF_FILES}
    given |= {name: options[name] for name in ("seed", "trust")}
    given["seat"] = " ".join(map(str, options["seats"])) or None
    refuse_together(text, given | ({"file": file} if file is not None else {}))
    if options["quiz"] and (as_json or options["page"]):
        raise ArgumentError(
            "cannot go with --json or --html", field="quiz",
            fix="leave it out, and ask again without them",
        )  # fmt: skip


def _reviewed(
    record: Record, settings: ReviewSettings, options: dict[str, Any], as_json: bool, look: Look
) -> Review:
    """The review, with a bar on a terminal once it takes more than a second."""
    from basra.reviews import Review

    seats = [_seat(number, record.players) for number in options["seats"]] or None
    threads = 1 if options["threads"] is None else options["threads"]
    noun, size = look.language.gettext("decisions"), _size(record)
    with Engine(threads, table_bytes(options["table_mb"])) as engine:
        try:
            with output.progress(noun, size, 0, True) as show:
                return engine.review(
                    record, seats=seats, settings=settings,
                    progress=lambda done, total: show(done, done * size // (total or 1)),
                )  # fmt: skip
        except KeyboardInterrupt:
            if isinstance(engine.last_result, Review) and not options["quiz"]:
                _show(engine.last_result, options["page"], as_json, look)
            raise


def _size(record: Record) -> int:
    """About how many decisions there are; the bar's end."""
    return max(1, sum(len(deal.turns) for now in record.rounds for deal in now.deals))


def _seat(number: int, players: int) -> int:
    if not 1 <= number <= players:
        raise ArgumentError(
            "is not a seat of this table", field="seat", value=number, fix=f"use 1 to {players}"
        )
    return number - 1


def _show(found: Review, page: str | None, as_json: bool, look: Look) -> None:
    """The page is written first: what is printed says that it was."""
    if page is not None:
        _write(page, found.html(page_language(), look.deck))
    if as_json:
        output.print_json(found.to_dict())
        return
    from basra.cli.review_text import print_review

    print_review(found, look)
    if page is not None:
        written = look.language.gettext("Page written: {file}")
        output.console().print(
            output.lettered(written.format(file=output.harmless(page))), markup=False
        )


def _check_page(name: str) -> None:
    """Nothing is written over but a page: a record, say."""
    try:
        with open(name, "rb") as file:
            begin = file.read(len(_PAGE)).lower()
    except OSError:
        return  # not there, or said when it is written
    if begin not in (b"", _PAGE):
        raise ArgumentError(
            "is there already, and no page", field="html", value=name[:200],
            fix="name another file",
        )  # fmt: skip


_PAGE = b"<!doctype html>"


def _write(path: str, text: str) -> None:
    """Whole or not at all: what was there stays until all is written."""
    from basra.files import replace_file

    try:
        replace_file(Path(path), text.encode())
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ArgumentError(
            f"cannot be written: {reason}", field="html", value=path[:200],
            fix="name a file in a folder that is there, and may be written to",
        ) from None  # fmt: skip
