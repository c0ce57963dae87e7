"""Options that commands share, and how their values are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from basra.cli import output
from basra.decks import DECKS, DEFAULT_DECK, deck_colours
from basra.errors import ArgumentError, BasraError
from basra.language import ENGLISH, Language, language, language_of, names
from basra.limits import Limits
from basra.rules import preset_names

F = TypeVar("F", bound=Callable[..., Any])


def rules_option(command: F) -> F:
    """--rules NAME|FILE.toml"""
    return click.option(
        "--rules",
        metavar="NAME|FILE.toml",
        help=f"{', '.join(preset_names())}, or a rule file.  [default: classic]",
    )(command)


def json_option(command: F) -> F:
    """--json"""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")(
        command
    )


def lang_option(command: F) -> F:
    """--lang CODE: hands `language`, a `Language`, to the command.

    English where the output has not the letters: question marks help nobody.
    """
    return click.option(
        "--lang",
        "language",
        metavar="CODE",
        callback=_language,
        help=f"Language: {', '.join(names())}.  [default: your locale's]",
    )(command)


def _language(context: click.Context, _: click.Parameter, code: str | None) -> Language:
    wanted = language_of() if code is None else language(code)
    context.meta[_ASKED_FOR] = wanted
    return wanted if output.can_say(wanted) else ENGLISH


_ASKED_FOR = "basra.language"


def page_language() -> Language:
    """The language for what goes into a file, whatever letters the output has."""
    found = click.get_current_context().meta[_ASKED_FOR]
    assert isinstance(found, Language)
    return found


def deck_option(command: F) -> F:
    """--deck two|four: the colours of the suits"""
    return click.option(
        "--deck",
        metavar="|".join(DECKS),
        default=DEFAULT_DECK,
        show_default=True,
        envvar="BASRA_DECK",
        callback=_deck,
        help="Colours of the suits; BASRA_DECK says it for good.",
    )(command)


def _deck(_: click.Context, __: click.Parameter, name: str) -> str:
    deck_colours(name)
    return name


def limit_options(command: F) -> F:
    """--time, --nodes"""
    command = click.option("--nodes", type=int, help="Stop after this many positions.")(command)
    return click.option(
        "--time", "seconds", type=float, metavar="S", help="Stop after this many seconds."
    )(command)


def table_option(command: F) -> F:
    """--table"""
    return click.option(
        "--table",
        "table_mb",
        type=int,
        default=1,
        show_default=True,
        metavar="MB",
        help="Table memory.",
    )(command)


def table_bytes(megabytes: int) -> int:
    """Bytes of a table from --table."""
    if not 1 <= megabytes <= 16384:
        raise ArgumentError(
            "is not a size", field="table", value=megabytes, fix="use 1 to 16384 MB"
        )
    return megabytes << 20


def limits(seconds: float | None, worlds: int | None, nodes: int | None) -> Limits:
    """Limits from options; refused here with the option's name."""
    return Limits(time=seconds, worlds=worlds, nodes=nodes)


def refuse_together(
    text: str | None, options: Mapping[str, object], option: str = "position"
) -> None:
    """--position, or a --batch, stands in place of the options that describe a position."""
    for name, value in options.items():
        if text is not None and value is not None and value is not False:
            raise ArgumentError(
                f"cannot go with --{option}",
                field=name,
                value=value if value is not True else "",
                fix=f"leave it out, or leave --{option} out",
            )


def need(value: str | None, field: str, fix: str) -> str:
    """A value that must be there."""
    if value is None:
        raise ArgumentError("is missing", field=field, fix=fix)
    return value


@contextmanager
def of_file(name: str) -> Iterator[None]:
    """Errors in what a file says name the file, as no option is to blame."""
    try:
        yield
    except BasraError as error:
        error.source = error.source or name
        raise
