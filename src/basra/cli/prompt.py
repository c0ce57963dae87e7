"""What is said and asked at a table in the terminal, line by line."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING, NamedTuple

from basra.cli import output
from basra.entry import plain
from basra.errors import BasraError
from basra.language import ISOLATES, Language

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

WIDTH = 80
"""Columns at most, so that what is said reads well"""


class EndOfInput(Exception):
    """Nothing more will be typed."""


class Talk:
    """Both directions of a conversation; what is asked ends with `> `."""

    def __init__(self, look: output.Look) -> None:
        self.look = look
        self.out: Console = output.console()
        self.out.width = min(self.out.width, WIDTH)
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")

    @property
    def language(self) -> Language:
        """The language that is spoken."""
        return self.look.language

    def say(self, what: RenderableType = "", style: str = "", *, whole: bool = False) -> None:
        """A line, or a table; a `whole` line is not broken, so that it can be copied."""
        if isinstance(what, str):
            self.out.print(output.lettered(what), style=style, markup=False, soft_wrap=whole)
        else:
            self.out.print(what)

    def refuse(self, error: BasraError) -> None:
        """Why an entry was not taken."""
        self.say(f"! {refusal(error, self.language)}", style="yellow")

    def ask(self, prompt: str) -> str:
        """What is typed; EndOfInput when nothing is."""
        sys.stdout.write(output.lettered(f"{prompt}> "))
        sys.stdout.flush()
        line = sys.stdin.readline() if sys.stdin is not None else ""
        if not line:
            sys.stdout.write("\n")
            raise EndOfInput
        if not sys.stdin.isatty():
            # A terminal has shown it already.
            self.say(output.harmless(line.strip()))
        return line.strip()


def refusal(error: BasraError, language: Language) -> str:
    """What is wrong with an entry and what to type instead, in the language that is spoken."""
    value = language.isolate(output.harmless(error.value)) if error.value else ""
    wrong, fix = (
        output.harmless(language.say(text), ISOLATES) for text in (error.message, error.fix)
    )
    told = " ".join(word for word in (value, wrong) if word)
    return language.listed([told, fix]) if fix else told


# -- commands ------------------------------------------------------------------------------------


class Command(NamedTuple):
    """A command as typed: its English name, and what follows it."""

    name: str
    rest: str


def command_words(language: Language) -> dict[str, str]:
    """What can be typed for each command: the word of the language, and the English one."""
    translated = {
        "help": language.pgettext("command", "help"),
        "hint": language.pgettext("command", "hint"),
        "back": language.pgettext("command", "back"),
        "table": language.pgettext("command", "table"),
        "moves": language.pgettext("command", "moves"),
        "score": language.pgettext("command", "score"),
        "seen": language.pgettext("command", "seen"),
        "save": language.pgettext("command", "save"),
        "note": language.pgettext("command", "note"),
        "resign": language.pgettext("command", "resign"),
        "quit": language.pgettext("command", "quit"),
    }
    return {
        **{word: name for name, word in translated.items()},
        **{name: name for name in translated},
        "?": "help",
        "\u061f": "help",  # the Arabic question mark
        "exit": "quit",
        "undo": "back",
    }


def command_meant(text: str, language: Language) -> Command | None:
    """The command that a line begins with; None if it is an entry."""
    word, _, rest = text.strip().partition(" ")
    name = command_words(language).get(plain(word).lower())
    return None if name is None else Command(name, rest.strip())
