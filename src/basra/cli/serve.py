"""basra serve: answers other programs."""

from __future__ import annotations

import os
import sys
from io import FileIO
from typing import TextIO

import click

from basra.cli.options import json_option, rules_option, table_bytes, table_option
from basra.engine import MAX_THREADS
from basra.errors import ArgumentError
from basra.limits import check_number
from basra.rules import Rules


@click.command(short_help="Answers other programs: JSON lines on stdin and stdout.")
@click.option(
    "--threads", type=int, default=1, show_default=True, metavar="N",
    help="Cores to use for an analysis.",
)  # fmt: skip
@rules_option
@table_option
@json_option
def serve(threads: int, rules: str | None, table_mb: int, as_json: bool) -> int:
    """A request in each line of stdin, an object of JSON; answers in lines of stdout.

    \b
    docs/protocol.md has every message. --rules are those of requests that name
    none; --json is for errors before the first answer.

    \b
    Example:
      echo '{"id": 1, "type": "hello"}' | basra serve
    """
    from basra.serve.server import Server

    check_number("threads", threads, 1, MAX_THREADS, (int,), "threads")
    size, known = table_bytes(table_mb), None if rules is None else Rules.load(rules)
    source, target = _file(sys.stdin, "stdin"), _file(sys.stdout, "stdout")
    for file in (source, target):
        if hasattr(os, "set_blocking"):
            os.set_blocking(file, True)  # whoever had it before
    server = Server(
        FileIO(source, closefd=False), target, rules=known, threads=threads, table_bytes=size
    )
    code = server.run()
    if code:
        # Nothing is left to be written, and nobody is to wait for threads that still read.
        os._exit(code)
    return 0


def _file(stream: TextIO, name: str) -> int:
    """The number of the file below a standard stream."""
    try:
        return stream.fileno()
    except (OSError, AttributeError, ValueError):
        fix = "start it with a pipe or a file there, or in a terminal"
        raise ArgumentError("is not open", field=name, fix=fix) from None
