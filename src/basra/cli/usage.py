"""Click's complaints about the command line, in the shape of our own errors."""

from __future__ import annotations

import difflib
import re

import click

from basra.errors import ArgumentError, BasraError

_NUMBERS = {"integer": "a whole number", "float": "a number"}


def usage_error(
    error: click.UsageError, arguments: list[str], commands: tuple[str, ...]
) -> BasraError:
    """The error with field, value and remedy."""
    help_of = f"`{_command(error, arguments, commands)} --help` lists what can be given"
    if (
        error.ctx is not None
        and error.ctx.parent is None
        and not isinstance(error, click.NoSuchOption)
    ):
        return _no_command(arguments, commands)
    if isinstance(error, click.NoSuchOption):
        return _no_option(error, arguments, help_of)
    if isinstance(error, click.BadOptionUsage):
        option = error.option_name
        fix = f'write {option} and then its value, in "quotes" if it has blanks'
        return ArgumentError("needs a value", field=option.lstrip("-"), fix=fix)
    if isinstance(error, click.BadParameter) and error.param is not None:
        return _bad_value(error, error.param, arguments, help_of)
    extra = re.search(r"extra arguments? \((.*)\)", error.message)
    if extra is not None:
        known = {option.name for option in error.ctx.command.params} if error.ctx else set()
        cards = next((name for name in ("hand", "hands", "floor") if name in known), None)
        fix = f'put cards that have blanks between them in quotes: --{cards} "7D 5C"'
        fix = help_of if cards is None else fix
        return ArgumentError("is not expected here", field="arguments", value=extra[1], fix=fix)
    return ArgumentError(error.message.rstrip("."), field="arguments", fix=help_of)


def _command(error: click.UsageError, arguments: list[str], commands: tuple[str, ...]) -> str:
    if error.ctx is not None and error.ctx.parent is not None:
        return error.ctx.command_path
    return " ".join(["basra", *[word for word in arguments[:1] if word in commands]])


def _no_command(arguments: list[str], commands: tuple[str, ...]) -> BasraError:
    typed = next((word for word in arguments if not word.startswith("-")), "")
    near = difflib.get_close_matches(typed, commands, n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    return ArgumentError(
        "is not a command", field="command", value=typed, fix=f"{meant}use {', '.join(commands)}"
    )


def _no_option(error: click.NoSuchOption, arguments: list[str], fix: str) -> BasraError:
    if error.possibilities:
        fix = f"did you mean {' or '.join(error.possibilities)}?"
    if arguments[:1] == [error.option_name]:
        fix = f"options come after the command: basra hint {error.option_name} .."
    return ArgumentError("is not an option", field=error.option_name.lstrip("-"), fix=fix)


def _bad_value(
    error: click.BadParameter, parameter: click.Parameter, arguments: list[str], fix: str
) -> BasraError:
    option = parameter.opts[0]
    value = _given(option, arguments)
    message = error.message.removeprefix(f"{value!r} ").rstrip(".")
    if parameter.type.name in _NUMBERS:
        kind = _NUMBERS[parameter.type.name]
        message, fix = f"is not {kind}", f"write {kind} after {option}"
    return ArgumentError(message, field=option.lstrip("-"), value=value, fix=fix)


def _given(option: str, arguments: list[str]) -> str:
    """What was typed for an option."""
    for i, word in enumerate(arguments):
        if word == option and i + 1 < len(arguments):
            return arguments[i + 1]
        if word.startswith(f"{option}="):
            return word.partition("=")[2]
    return ""
