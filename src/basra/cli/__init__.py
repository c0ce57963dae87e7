"""The command line: it reads options, asks the Python API, and presents.

Exit codes: 0 done (also when stopped by a limit), 1 internal error, 2 bad input, 3 refused as too
large, 130 after Ctrl-C.
"""

from __future__ import annotations

import os
import sys

import click

from basra.cli import output
from basra.errors import ArgumentError, BasraError, BasraMemoryError, InternalError, TooLargeError

_COMMANDS = ("hint", "solve", "captures", "rules", "perft", "bench")


class _Commands(click.Group):
    """Commands that are loaded when they are called: a hint should not wait for the others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        from importlib import import_module

        command = getattr(import_module(f"basra.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"basra {version('basra')}")
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_version,
    help="Print the version.",
)  # fmt: skip
def cli() -> None:
    """Solver and hint engine for the fishing card game Basra.

    \b
    Cards are a rank A 2 .. 9 T J Q K and a suit C D H S: "7D 10h K♥".
    `basra COMMAND --help` explains a command.
    """


def _usage_error(error: click.UsageError) -> BasraError:
    """Click's own complaints in the shape of ours."""
    parameter = getattr(error, "param", None)
    option = str(getattr(error, "option_name", None) or (parameter.opts[0] if parameter else ""))
    command = error.ctx.command_path if error.ctx else "basra"
    message, fix = error.message, f"`{command} --help` lists what can be given"
    if isinstance(error, click.NoSuchOption):
        message = "is not an option"
        if error.possibilities:
            fix = f"did you mean {' or '.join(error.possibilities)}?"
    value = _given(option) if option else ""
    # Our messages start with the value.
    message = message.removeprefix(f"{value!r} ").rstrip(".")
    return ArgumentError(message, field=option.lstrip("-"), value=value, fix=fix)


def _given(option: str) -> str:
    """What was typed for an option, as far as it can be told."""
    words = sys.argv[1:]
    for i, word in enumerate(words):
        if word == option and i + 1 < len(words):
            return words[i + 1]
        if word.startswith(f"{option}="):
            return word.partition("=")[2]
    return ""


def _fail(error: BasraError, as_json: bool) -> int:
    output.print_error(error, as_json)
    if isinstance(error, TooLargeError):
        return 3
    return 1 if isinstance(error, (InternalError, BasraMemoryError)) else 2


def run(arguments: list[str]) -> int:
    """Runs the command line; the exit code."""
    as_json = "--json" in arguments
    try:
        result = cli.main(arguments, prog_name="basra", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.UsageError as error:
        return _fail(_usage_error(error), as_json)
    except BasraError as error:
        return _fail(error, as_json)
    except MemoryError:
        return _fail(BasraMemoryError("out of memory", fix="use a smaller table"), as_json)
    except (KeyboardInterrupt, click.Abort):
        return 130
    except BrokenPipeError:
        # The reader has gone; nobody is left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def main() -> None:
    """Entry point of `basra` and `python -m basra`."""
    # A closed stream is None: what is printed there then goes nowhere.
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.exit(run(sys.argv[1:]))
