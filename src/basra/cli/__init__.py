"""The command line: it reads options, asks the Python API, and presents.

Exit codes: 0 done (also when stopped by a limit), 1 internal error, 2 bad input, 3 refused as too
large, 130 after Ctrl-C.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys

import click

from basra import __version__
from basra.cli import output
from basra.cli.usage import usage_error
from basra.errors import BasraError, BasraMemoryError, InternalError, TooLargeError

_COMMANDS = (
    "hint", "solve", "review", "arena", "regret", "train", "serve", "captures", "rules", "perft",
    "bench", "play", "coach",
)  # fmt: skip


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
        click.echo(f"basra {__version__}")
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_version,
    help="Print the version.",
)  # fmt: skip
def cli() -> None:
    """Solver and hint engine for the fishing card game Basra.

    \b
    Cards are a rank A 2 .. 9 T J Q K and a suit C D H S: "7D 10h KS".
    `basra COMMAND --help` explains a command.
    """


def _fail(error: BasraError, as_json: bool) -> int:
    output.print_error(error, as_json)
    if isinstance(error, TooLargeError):
        return 3
    return 1 if isinstance(error, (InternalError, BasraMemoryError)) else 2


def run(arguments: list[str]) -> int:
    """Runs the command line; the exit code."""
    as_json = "--json" in arguments
    output.prepare_streams()
    try:
        result = cli.main(arguments, prog_name="basra", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.UsageError as error:
        return _fail(usage_error(error, arguments, _COMMANDS), as_json)
    except BasraError as error:
        return _fail(error, as_json)
    except MemoryError:
        return _fail(BasraMemoryError("out of memory", fix="use a smaller table"), as_json)
    except (KeyboardInterrupt, click.Abort):
        return 130
    except SystemExit:
        # Click's answer to a reader that has gone.
        return _nobody_reads()
    except OSError as error:
        if error.errno == errno.EPIPE:
            return _nobody_reads()
        _nobody_reads()
        return _fail(InternalError(f"cannot write the answer: {error.strerror}"), as_json)


def _nobody_reads() -> int:
    """What is still to be written goes nowhere, and is no error."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno())  # type: ignore[union-attr]
    return 0


def main() -> None:
    """Entry point of `basra` and `python -m basra`."""
    # A closed stream is None: what is printed there then goes nowhere.
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.exit(run(sys.argv[1:]))
