"""What the commands print: JSON, tables, coloured cards, errors."""

from __future__ import annotations

import json
import os
import select
import signal
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO, TextIOWrapper, UnsupportedOperation
from threading import Timer
from time import monotonic
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from basra.cards import SUIT_SIGNS, SUITS, Card, Cards
from basra.errors import BasraError
from basra.interrupts import held_interrupts
from basra.moves import Move

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_COLOURS = {"C": "green", "D": "bright_blue", "H": "red", "S": "default"}
_PLAIN_WIDTH = 100


def print_json(value: dict[str, object]) -> None:
    """One JSON object; NaN and infinities cannot occur."""
    text = json.dumps(value, indent=2, allow_nan=False, ensure_ascii=not can_sign())
    sys.stdout.write(text + "\n")


class LineWriter:
    """Writes lines so that a Ctrl-C comes between two of them, even to a reader that has stopped.

    A wait for room in a pipe can be interrupted, a write that has room cannot; what is left of a
    line that had begun is then written before the exception goes on.
    """

    def __init__(self, stream: BinaryIO) -> None:
        stream.flush()
        self._stream = stream
        try:
            self._file = stream.fileno()
            regular = stat.S_ISREG(os.fstat(self._file).st_mode)
        except (OSError, UnsupportedOperation):
            self._file, regular = -1, True
        self._waits = not regular and hasattr(signal, "pthread_sigmask")

    def write(self, text: bytes) -> None:
        """Whole lines."""
        if self._file < 0:
            self._stream.write(text)
            return
        at = 0
        try:
            while at < len(text):
                if self._waits:
                    select.select([], [self._file], [])
                with held_interrupts():
                    at += os.write(self._file, text[at : at + self._piece])
        except KeyboardInterrupt:
            if at and not text.endswith(b"\n", 0, at):
                self.write(text[at : text.index(b"\n", at) + 1])
            raise

    @property
    def _piece(self) -> int:
        # That much has room in a pipe that has any.
        return select.PIPE_BUF if self._waits else 1 << 20


class _Trimmed(StringIO):
    """A stream whose lines end without blanks: tables are padded, which a pipe need not carry."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._stream.encoding or "ascii"

    def flush(self) -> None:
        lines = self.getvalue().split("\n")
        self._stream.write("\n".join(line.rstrip(" ") for line in lines))
        self.seek(0)
        self.truncate()
        self._stream.flush()


def console(stderr: bool = False) -> Console:
    """A console that is plain when piped, and without colour under NO_COLOR."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    return Console(
        file=stream if stream.isatty() else _Trimmed(stream),
        highlight=False,
        emoji=False,
        soft_wrap=False,
        width=None if stream.isatty() else _PLAIN_WIDTH,
    )


def can_sign(stream: Any = None) -> bool:
    """Can the output show suit signs?"""
    stream = stream or sys.stdout
    try:
        SUIT_SIGNS.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def lettered(text: str) -> str:
    """Signs as letters, where the output cannot show them."""
    if can_sign():
        return text
    return text.translate(str.maketrans(SUIT_SIGNS, SUITS)).replace("±", "+-")


def prepare_streams() -> None:
    """What an encoding lacks is replaced, never a reason to fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def card_text(card: Card) -> Text:
    """A card in the colour of its suit."""
    from rich.text import Text

    shown = card.sign if sys.stdout.isatty() and can_sign() else str(card)
    return Text(shown, style=_COLOURS[card.suit])


def cards_text(cards: Cards | tuple[Card, ...], between: str = " ") -> Text:
    """Cards side by side."""
    from rich.text import Text

    return Text(between).join(card_text(card) for card in cards) if cards else Text("nothing")


def move_text(move: Move) -> Text:
    """A move: as typed when piped, coloured and spaced on a terminal."""
    from rich.text import Text

    if not sys.stdout.isatty():
        return Text(move.text)
    text = card_text(move.card)
    if move.captures:
        text = Text.assemble(text, (" takes ", "dim"), cards_text(move.captures))
    return Text.assemble(text, (" *", "bold yellow")) if move.basra else text


def print_error(error: BasraError, as_json: bool) -> None:
    """The error on stderr: a sentence, or JSON."""
    if as_json:
        sys.stderr.write(json.dumps({"error": error.to_dict()}) + "\n")
        return
    option = error.field.isidentifier() and not error.source and error.field not in _NO_OPTIONS
    place = f"--{error.field}" if option else error.field
    words = [f"{error.source}:" if error.source else "", place, error.value, error.message]
    sys.stderr.write(f"basra: {_harmless(' '.join(word for word in words if word))}\n")
    if error.fix:
        sys.stderr.write(f"       {_harmless(error.fix)}\n")


_NO_OPTIONS = ("command", "arguments", "player")


def _harmless(text: str) -> str:
    """Text without control characters, which a terminal would obey."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


@contextmanager
def progress(
    noun: str, size: int, before: int, wanted: bool
) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal once the work takes more than a second.

    What it gives is to be told the count so far, `before` at the start, and how much of `size` is
    done; 0 is a size that nobody knows.
    """
    if not wanted or not sys.stderr.isatty():
        yield lambda count, end: None
        return
    from rich import progress as bars

    columns = [bars.TextColumn(f"{{task.fields[count]:,}} {noun}, {{task.fields[rate]:,.0f}}/s")]
    if size:
        columns = [bars.BarColumn(), *columns, bars.TimeRemainingColumn()]  # type: ignore[list-item]
    bar = bars.Progress(*columns, console=console(stderr=True), transient=True)
    task = bar.add_task("", total=size or None, count=0, rate=0.0)
    began = monotonic()

    def show(count: int, end: int) -> None:
        seconds = monotonic() - began
        rate = (count - before) / seconds if seconds else 0.0
        bar.update(task, completed=end, count=count, rate=rate)
        if seconds > 1 and not bar.live.is_started:
            bar.start()

    try:
        yield show
    finally:
        bar.stop()


@contextmanager
def patience(message: str) -> Iterator[None]:
    """A spinner on a terminal once the work takes more than a second."""
    if not sys.stderr.isatty():
        yield
        return
    status = console(stderr=True).status(message)
    timer = Timer(1.0, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        status.stop()
