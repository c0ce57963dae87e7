"""Somebody at the keyboard of `basra play` and `basra coach`, and a real table to coach at."""

from __future__ import annotations

import io
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from random import Random
from unittest import mock

from basra import Position
from cli_helpers import MODULE, Answer, call, environment

PROMPT = "> "
_PATIENCE = 60.0  # seconds until a program that says nothing is given up
_CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PLAYED = re.compile(
    r"^(?:You|Seat \d): ([2-9ATJQK][CDHS](?:x\w+)?\*?)(?:  \(.*\))?$", re.MULTILINE
)


class Person:
    """Types lines when asked, and reads what is shown."""

    def __init__(self, process: subprocess.Popen[bytes], write: int, read: int) -> None:
        self.process = process
        self.shown = ""
        self.keyboard = write
        self._bytes = b""
        self._read = read
        self._taken = 0

    def wait(self) -> str | None:
        """What is shown up to the next prompt; None if the program has ended instead."""
        limit = time.monotonic() + _PATIENCE
        while not self.shown[self._taken :].endswith(PROMPT):
            assert time.monotonic() < limit, f"no prompt after: {self.shown[-500:]}"
            if not select.select([self._read], [], [], 1.0)[0]:
                continue
            piece = b""
            with suppress(OSError):  # a terminal whose other end is closed
                piece = os.read(self._read, 1 << 16)
            if not piece:
                return None
            self._bytes += piece
            self.shown = _CODES.sub("", self.raw).replace("\r\n", "\n")
        found = self.shown[self._taken :]
        self._taken = len(self.shown)
        return found

    @property
    def unread(self) -> str:
        """What has been shown since the last prompt."""
        return self.shown[self._taken :]

    @property
    def raw(self) -> str:
        """All that has been shown, colour codes included."""
        return self._bytes.decode("utf-8", "replace")

    def type(self, line: str) -> None:
        """A line and Enter."""
        os.write(self.keyboard, f"{line}\n".encode())

    def answer(self, line: str) -> str:
        """Types a line, and waits for the next prompt; what was shown in between."""
        self.type(line)
        found = self.wait()
        assert found is not None, self.shown[-500:]
        return found

    def rest(self) -> str:
        """All that is still shown, to the end of the program."""
        before = self._taken
        while self.wait() is not None:
            pass
        return self.shown[before:]

    def code(self) -> int:
        """The exit code."""
        return self.process.wait(_PATIENCE)


@contextmanager
def person(
    *arguments: str, terminal: bool = False, folder: str | os.PathLike[str] = ".", **changes: str
) -> Iterator[Person]:
    """Somebody in front of `basra ARGUMENTS`, through pipes or a pseudo-terminal."""
    if terminal:
        import pty

        outer, inner = pty.openpty()
        ends, write, read = (inner, inner), outer, outer
    else:
        in_read, write = os.pipe()
        read, out_write = os.pipe()
        ends = (in_read, out_write)
    process = subprocess.Popen(
        [*MODULE, *arguments],
        stdin=ends[0],
        stdout=ends[1],
        stderr=ends[1],
        cwd=folder,
        env=environment(**{"COLUMNS": "80", **changes}),
    )
    for end in set(ends):
        os.close(end)
    try:
        yield Person(process, write, read)
    finally:
        process.kill()
        process.wait()
        for end in {write, read}:
            os.close(end)


class _Keyboard(io.TextIOBase):
    """A stdin in this process: each line is typed when it is asked for, by what is shown."""

    def __init__(self, typist: Callable[[str], str | None]) -> None:
        self._typist = typist

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        """A line; nothing at the end."""
        sys.stdout.flush()
        buffer = getattr(sys.stdout, "buffer", None)
        assert isinstance(buffer, io.BytesIO)
        line = self._typist(buffer.getvalue().decode())
        return "" if line is None else f"{line}\n"


def sit(*arguments: str, typing: Iterable[str] | Callable[[str], str | None]) -> Answer:
    """`basra ARGUMENTS` in this process, with these lines, or what a function types next.

    The function is given all that is shown so far, and ends the input with None.
    """
    if not callable(typing):
        lines = iter(typing)
        typing = lambda _: next(lines, None)  # noqa: E731
    with mock.patch.object(sys, "stdin", _Keyboard(typing)):
        return call(*arguments)


def refusals(shown: str) -> list[str]:
    """What was said of entries that were refused, each in one line."""
    found = re.findall(r"^! (.*?)\n(?=[^\n]*> |\n|Kept|حُفظ|\Z)", shown, re.MULTILINE | re.DOTALL)
    return [" ".join(text.split()) for text in found]


class RealTable:
    """A round played with real cards, of which a coach is told what one seat sees."""

    def __init__(self, position: Position, me: int, seed: int) -> None:
        self.position = position
        self.me = me
        self.entries: list[str] = []
        self.facts: list[str] = []
        """What has been taken down: first floors, my hands, moves"""
        self._typed = ""
        self._random = Random(seed)
        self.read = 0

    def follow(self, shown: str) -> None:
        """Plays what the coach has taken down, whether it was typed or followed."""
        if self._typed:
            self.facts.append(self._typed)
            self._typed = ""
        for found in _PLAYED.finditer(shown):
            self.play(found[1].rstrip("*"))

    def play(self, move: str) -> None:
        """A move at the real table."""
        self.facts.append(move)
        self.position.play(move)

    def catch_up(self, kept: list[str]) -> None:
        """Goes on to what a record has: an entry that was taken down and never answered."""
        self._typed = ""
        for fact in kept[len(self.facts) :]:
            if fact.startswith(("floor", "hand")):
                self.facts.append(fact)
            else:
                self.play(fact)

    def typist(self, shown: str) -> str:
        """What is typed next, for `sit`."""
        self.follow(shown[self.read :])
        self.read = len(shown)
        return self.entry(last_line(shown))

    def entry(self, prompt: str) -> str:
        """What is typed at a prompt."""
        if prompt.startswith("Floor"):
            if self.position.is_over:
                self.position.next_round()
            self._typed = f"floor {self.position.floor}"
            buried = " ".join(map(str, self.position.buried))
            text = f"{self.position.floor} / {buried}" if buried else str(self.position.floor)
        elif prompt.startswith("Deal"):
            text = str(self.position.hands[self.me])
            self._typed = f"hand {text}"
        else:
            text = self._move()
        self.entries.append(text)
        return text

    def _move(self) -> str:
        """A random legal move, in as few characters as will do."""
        legal = self.position.legal_moves()
        move = self._random.choice(legal)
        alone = sum(other.card == move.card for other in legal) == 1
        return str(move.card).lower() if alone else move.text


def last_line(shown: str) -> str:
    """The prompt at the end of what is shown."""
    return shown.rsplit("\n", 1)[-1]


def coached(talk: Person, table: RealTable, entries: int | None = None) -> None:
    """Tells a coach what happens at a real table: so many entries, or to the end of the match."""
    shown = talk.wait()
    while shown is not None and entries != 0:
        table.follow(shown)
        talk.type(table.entry(last_line(shown)))
        shown = talk.wait()
        entries = None if entries is None else entries - 1
    table.follow(talk.unread if shown is None else shown)
