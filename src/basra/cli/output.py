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
from dataclasses import dataclass
from io import StringIO, TextIOWrapper, UnsupportedOperation
from string import Formatter
from threading import Timer
from time import monotonic
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from basra.cards import SUIT_SIGNS, SUITS, Card, Cards
from basra.decks import DEFAULT_DECK, deck_colours
from basra.errors import BasraError
from basra.interrupts import held_interrupts
from basra.language import ENGLISH, NO_MARKS, Language
from basra.moves import Move

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_COLOURS = {"green": "green", "blue": "bright_blue", "red": "red", "black": "default"}
_PLAIN_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Look:
    """How people want to see an answer: the language, and the colours of the suits."""

    language: Language = ENGLISH
    deck: str = DEFAULT_DECK


USUAL_LOOK = Look()


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


def can_say(language: Language) -> bool:
    """Has the output the letters of a language?"""
    try:
        language.name.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def lettered(text: str) -> str:
    """Signs as letters, where the output cannot show them; what isolates is left out there."""
    if can_sign():
        return text
    plain = text.translate(str.maketrans(SUIT_SIGNS, SUITS)).replace("±", "+-")
    return plain.translate(NO_MARKS)


def prepare_streams() -> None:
    """What an encoding lacks is replaced, never a reason to fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def card_text(card: Card, look: Look = USUAL_LOOK) -> Text:
    """A card in the colour of its suit."""
    from rich.text import Text

    shown = card.sign if sys.stdout.isatty() and can_sign() else str(card)
    colour = _COLOURS[deck_colours(look.deck)[card.suit]]
    return Text(lettered(look.language.isolate(shown)), style=colour)


def cards_text(
    cards: Cards | tuple[Card, ...], between: str = " ", look: Look = USUAL_LOOK
) -> Text:
    """Cards side by side."""
    from rich.text import Text

    if not cards:
        return Text(look.language.pgettext("no cards", "nothing"))
    return Text(between).join(card_text(card, look) for card in cards)


def move_text(move: Move, look: Look = USUAL_LOOK) -> Text:
    """A move: as typed when piped, coloured and spaced on a terminal."""
    from rich.text import Text

    language = look.language
    if not sys.stdout.isatty():
        return Text(lettered(language.isolate(move.text)))
    text = card_text(move.card, look)
    if move.captures:
        # Translators: a move, such as "5♣ takes 2♥ 3♣".
        template = language.pgettext("move", "{card} takes {cards}")
        text = filled(template, card=text, cards=cards_text(move.captures, look=look))
    return Text.assemble(text, (" *", "bold yellow")) if move.basra else text


def filled(template: str, **parts: Text) -> Text:
    """A message whose gaps are filled with coloured text; its own words are dim."""
    from rich.text import Text

    pieces = []
    for words, gap, _, _ in Formatter().parse(template):
        pieces.append(Text(words, style="dim"))
        if gap is not None:
            pieces.append(parts[gap])
    return Text.assemble(*pieces)


def print_error(error: BasraError, as_json: bool) -> None:
    """The error on stderr: a sentence, or JSON."""
    if as_json:
        sys.stderr.write(json.dumps({"error": error.to_dict()}) + "\n")
        return
    option = error.field.isidentifier() and not error.source and error.field not in _NO_OPTIONS
    place = f"--{error.field}" if option else error.field
    words = [f"{error.source}:" if error.source else "", place, error.value, error.message]
    sys.stderr.write(f"basra: {harmless(' '.join(word for word in words if word))}\n")
    if error.fix:
        sys.stderr.write(f"       {harmless(error.fix)}\n")


_NO_OPTIONS = ("command", "arguments", "file", "player", "stdin", "stdout")


def harmless(text: str, keep: str = "") -> str:
    """Text without control characters, which a terminal would obey, save those to keep."""
    return "".join(c if c.isprintable() or c in keep else repr(c)[1:-1] for c in text)


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
