"""basra solve --batch: a file of positions, answered line by line."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO, cast

from basra.batch import Answers, BatchOptions, LineSolver, Part, mark, read_parts
from basra.cli import output
from basra.engine import MAX_THREADS
from basra.errors import ArgumentError, BasraError
from basra.limits import check_number

BAD_LINES = 1
"""Exit code when some lines could not be solved."""


@dataclass(slots=True)
class _Done:
    """What has been answered so far."""

    count: int = 0
    bad: int = 0
    resumed: int = 0


def run_batch(
    source: str,
    target: str | None,
    resume: bool,
    options: BatchOptions,
    threads: int,
    as_json: bool,
) -> int:
    """Answers every line of a file; the exit code.  What comes out is JSON; `as_json` is stderr."""
    check_number("threads", threads, 1, MAX_THREADS, (int,), "threads")
    if resume and target is None:
        raise ArgumentError("needs an output", field="resume", fix="name it with --output OUT")
    began = time.monotonic()
    with _opened(source) as stream:
        parts, done = read_parts(stream), _Done()
        if target is None:
            sys.stdout.flush()
            _answer_all(stream, parts, sys.stdout.buffer, done, options, threads)
        else:
            with _output(target, resume) as file:
                parts = _skipped(file, parts, done, options, target)
                _answer_all(stream, parts, file, done, options, threads)
    _sum_up(done, time.monotonic() - began, as_json)
    return BAD_LINES if done.bad else 0


def _answer_all(
    stream: BinaryIO,
    parts: Iterator[Part],
    out: BinaryIO,
    done: _Done,
    options: BatchOptions,
    threads: int,
) -> None:
    size = os.fstat(stream.fileno()).st_size
    beside = out is not sys.stdout.buffer or not sys.stdout.isatty()
    writer = output.LineWriter(out)
    answers = _answers(stream, parts, options, threads)
    with closing(answers), output.progress("lines", size, done.count, beside) as show:
        for part in answers:
            writer.write(part.text)
            done.count += part.count
            done.bad += part.bad
            show(done.count, part.end)


def _answers(
    stream: BinaryIO, parts: Iterator[Part], options: BatchOptions, threads: int
) -> Generator[Answers, None, None]:
    if threads == 1:
        solver = LineSolver(options)
        for part in parts:
            yield from solver.stream(part)
        return
    # Not needed, and not loaded, where there is one worker.
    from basra.workers import Crew, Source

    with Crew(threads, options) as crew:
        yield from crew.answers(Source(stream.fileno(), parts))


def _sum_up(done: _Done, seconds: float, as_json: bool) -> None:
    """On stderr, where somebody looks at it or something was wrong."""
    if not done.bad and (as_json or not sys.stderr.isatty()):
        return
    if as_json:
        value = f"{done.bad:,} of {done.count:,} lines"
        fix = 'look for "error" in the output'
        output.print_error(
            BasraError("could not be solved", field="batch", value=value, fix=fix), as_json
        )
        return
    before = f" ({done.resumed:,} of them before)" if done.resumed else ""
    sys.stderr.write(
        f"basra: {done.count:,} lines{before}: {done.count - done.bad:,} solved, "
        f"{done.bad:,} bad; {seconds:.2f} s\n"
    )


# -- files ---------------------------------------------------------------------------------------


def _opened(source: str) -> BinaryIO:
    """The input, unbuffered, so that it gives what it has."""
    try:
        if source == "-":
            return cast(BinaryIO, FileIO(sys.stdin.fileno(), closefd=False))
        return cast(BinaryIO, FileIO(source))
    except (OSError, AttributeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "there is no input"
        raise ArgumentError(
            f"cannot be read: {reason}", field="batch", value=source, fix="name a file, or -"
        ) from None


def _output(target: str, resume: bool) -> BinaryIO:
    """The output, at its start: a new file, or with --resume perhaps an old one."""
    try:
        # Never in place of something, and never half of it.
        return open(target, "r+b" if resume and Path(target).exists() else "x+b")
    except FileExistsError:
        raise ArgumentError(
            "is there already",
            field="output",
            value=target,
            fix="go on with --resume, or name another file",
        ) from None
    except OSError as error:
        raise ArgumentError(
            f"cannot be written: {error.strerror}",
            field="output",
            value=target,
            fix="name a file in a folder that can be written to",
        ) from None


def _skipped(
    out: BinaryIO, parts: Iterator[Part], done: _Done, options: BatchOptions, target: str
) -> Iterator[Part]:
    """The parts without the lines that have their answer, after which `out` then stands."""
    part, at, whole = Part(1, [], 0), 0, 0
    for text in out:
        if not text.endswith(b"\n"):
            break
        while at == len(part.lines):
            found = next(parts, None)
            if found is None:
                raise _foreign(target, done.count + 1)
            part, at = found, 0
        done.bad += _check(text, done.count + 1, part.lines[at], options, target)
        done.count, at, whole = done.count + 1, at + 1, whole + len(text)
    done.resumed = done.count
    # Where it is written to, whatever has been read ahead.
    os.lseek(out.fileno(), whole, os.SEEK_SET)
    os.ftruncate(out.fileno(), whole)
    return _rest(part, at, parts)


def _rest(part: Part, at: int, parts: Iterator[Part]) -> Iterator[Part]:
    if at < len(part.lines):
        yield Part(part.first + at, part.lines[at:], part.end)
    yield from parts


def _check(
    text: bytes, number: int, line: bytes | None, options: BatchOptions, target: str
) -> bool:
    """Is an answer, which must be that of the line, an error?"""
    try:
        answer: Any = json.loads(text)
        same = (answer["line"], answer["crc"]) == (number, mark(line))
        bad = "error" in answer
        asked = bad or (("moves" in answer), ("best_play" in answer)) == (
            options.moves,
            options.line,
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _foreign(target, number) from None
    if not same:
        raise _foreign(target, number)
    if not asked:
        raise ArgumentError(
            f"was written with other options: --moves or --line differ in line {number}",
            field="output",
            value=target,
            fix="give the same options as before",
        )
    return bad


def _foreign(target: str, number: int) -> ArgumentError:
    return ArgumentError(
        f"does not go with this input: line {number} is not its answer",
        field="output",
        value=target,
        fix="name the output that was begun with this file",
    )
