"""Where a sitting comes from: options that describe a table, and records to go on from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import click

from basra.cli.options import of_file, refuse_together, rules_option
from basra.errors import ArgumentError
from basra.match import Match
from basra.record.files import read_record
from basra.record.model import Record

F = TypeVar("F", bound=Callable[..., Any])

ME = "me"
"""The tag of a record that names the seat of whoever keeps it, from 1"""
LEADER = "leads"
"""The tag that names the seat which leads the first round, from 1"""


def table_options(command: F) -> F:
    """--rules, --players, --partners, --record, --resume, --json"""
    for option in (
        # What is said at a table is for people; `run` looks at this for errors before and after.
        click.option("--json", is_flag=True, expose_value=False, help="Print errors as JSON."),
        click.option("--resume", metavar="FILE", help="Go on with the match that is kept there."),
        click.option(
            "--record", metavar="FILE", help="Keep it there.  [default: basra-DATE-TIME.txt]"
        ),
        click.option("--partners", is_flag=True, help="Four players in two partnerships."),
        click.option("--players", type=int, metavar="N", help="At the table.  [default: 2]"),
    ):
        command = option(command)
    return rules_option(command)


def players_of(options: Mapping[str, Any]) -> int:
    """How many sit at the table."""
    players = options["players"]
    return int(players) if players is not None else 4 if options["partners"] else 2


def seat_of(number: int | None, players: int, field: str) -> int:
    """A seat from 0, of its number from 1; the first one if none is given."""
    if number is None:
        return 0
    if not 1 <= number <= players:
        raise ArgumentError(
            "is not a seat of this table", field=field, value=number, fix=f"use 1 to {players}"
        )
    return number - 1


def new_file(name: str | None) -> Path:
    """A file for a record, that was not there; it is now, so that nobody else takes it."""
    if name is not None:
        path = Path(name)
        if not name or not _taken(path):
            raise ArgumentError(
                "is there already" if name else "is no name", field="record", value=name,
                fix="name another file, or go on with it: --resume FILE",
            )  # fmt: skip
        return path
    stem = f"basra-{datetime.now().astimezone():%Y%m%d-%H%M}"
    numbers = ("", *(f"-{number}" for number in range(2, 10_000)))
    return next(path for more in numbers if _taken(path := Path(f"{stem}{more}.txt")))


def _taken(path: Path) -> bool:
    """Makes the file; False if there is one.  What cannot be made is said when it is written."""
    try:
        path.open("xb").close()
    except FileExistsError:
        return False
    except (OSError, ValueError):
        return not path.exists()
    return True


def resumed(options: Mapping[str, Any], fresh: Sequence[str]) -> tuple[Record, Match, int]:
    """The record of --resume, its match, and my seat; options for a new table are refused."""
    name = options["resume"]
    given = {option: options[option] for option in fresh if options[option] != ()}
    refuse_together(name, given, "resume")
    record = read_record(name)
    tags = dict(record.tags)
    me = _seat_tag(name, tags, ME, record.players)
    with of_file(name):
        match = Match.from_record(record, leader=_seat_tag(name, tags, LEADER, record.players) or 0)
    if match.is_over:
        raise _wrong(
            name, "is the record of a match that is over", "begin another; the record stays"
        )
    if me is None:
        raise _wrong(name, "does not say which seat is yours", f'add a line to its head: {ME} "1"')
    return record, match, me


def _seat_tag(name: str, tags: Mapping[str, str], tag: str, players: int) -> int | None:
    if tag not in tags:
        return None
    text = tags[tag]
    if text not in map(str, range(1, players + 1)):
        fix = f"write the number of a seat, 1 to {players}"
        raise _wrong(name, f'has {tag} "{text[:20]}", which is not a seat', fix)
    return int(text) - 1


def _wrong(name: str, message: str, fix: str) -> ArgumentError:
    return ArgumentError(message, field="resume", value=name, fix=fix)


def wrong_command(name: str, made_by: str, command: str) -> ArgumentError:
    """A record that another command goes on with."""
    return _wrong(name, f"is {made_by}", f"basra {command} --resume goes on with it")
