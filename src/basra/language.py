"""Languages: what people read, from gettext catalogues.  English is what stands in the sources.

A `Language` is a value that is handed on; no language is in force anywhere.  Messages are whole
sentences with named gaps, filled by `str.format` after they have been looked up:

    language.gettext("keeps {cards}").format(cards=..)

docs/languages.md tells how messages get into the catalogues, and how to add a language.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files

from basra.errors import ArgumentError
from basra.said import Said

DOMAIN = "basra"

_ISOLATE, _END = "\u2066", "\u2069"  # left to right, whatever stands around
ISOLATES = _ISOLATE + _END
"""The marks around what keeps its own order"""

NO_MARKS = dict.fromkeys((0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""For `str.translate`: text without the marks that turn or isolate it."""

_SEPARATE = re.compile(r"[-_]")


@dataclass(frozen=True, slots=True)
class Language:
    """A language that people can be addressed in: made by `language`, equal if its code is.

    >>> english = language("en")
    >>> english.direction, english.ngettext("{n} card", "{n} cards", 2).format(n=2)
    ('ltr', '2 cards')
    """

    code: str
    _catalogue: NullTranslations = field(compare=False, repr=False)

    def gettext(self, message: str) -> str:
        """A message in this language; itself where there is no translation."""
        return self._catalogue.gettext(message)

    def ngettext(self, one: str, many: str, count: int) -> str:
        """The form of a message that goes with a count."""
        return self._catalogue.ngettext(one, many, count)

    def pgettext(self, context: str, message: str) -> str:
        """A message that would mean something else in another context."""
        return self._catalogue.pgettext(context, message)

    def say(self, text: str) -> str:
        """A text made by `said`, such as an error's message, in this language.

        >>> from basra.said import said
        >>> language("en").say(said("play {moves}", moves="8S, 8SxAC"))
        'play 8S, 8SxAC'
        """
        if not isinstance(text, Said):
            return self.gettext(text) if text else ""
        gaps = {name: self._filling(gap) for name, gap in text.gaps.items()}
        return self.gettext(text.template).format(**gaps)

    def _filling(self, gap: object) -> object:
        if isinstance(gap, Said):
            return self.say(gap)
        return gap if isinstance(gap, int) else self.isolate(gap)

    @property
    def direction(self) -> str:
        """ "ltr" or "rtl", as HTML's `dir` has it."""
        # Translators: "rtl" for a language that is written from right to left, else "ltr".
        written = self.pgettext("direction of this language", "ltr")
        return "rtl" if written == "rtl" else "ltr"

    @property
    def name(self) -> str:
        """What its speakers call it."""
        # Translators: what your language calls itself.
        return self.pgettext("name of this language", "English")

    def isolate(self, text: object) -> str:
        """A card, a move, a number: it keeps its own order among words from right to left.

        >>> language("en").isolate("+3.50")
        '+3.50'
        """
        return str(text) if self.direction == "ltr" else f"{_ISOLATE}{text}{_END}"

    def listed(self, items: list[str] | tuple[str, ...]) -> str:
        """Facts side by side, as one would read them out."""
        return self.pgettext("between facts", "; ").join(items)

    def __reduce__(self) -> tuple[object, ...]:
        return (language, (self.code,))


def N_(message: str) -> str:
    """Marks a message of a table for the catalogues; `gettext` looks it up where it is shown."""
    return message


def names() -> list[str]:
    """Codes of the languages there are catalogues for, English first."""
    folder = files("basra") / "locale"
    found = [entry.name for entry in folder.iterdir() if entry.is_dir()] if folder.is_dir() else []
    return ["en", *sorted(name for name in found if _CODE.fullmatch(name) and name != "en")]


_CODE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")


def language(code: str) -> Language:
    """The language of a code such as "ar", "ar-EG" or "ar_EG.UTF-8".

    A region without a catalogue of its own has that of the language.  A language whose catalogue
    was not compiled speaks English.  Raises ArgumentError for one that has none.
    """
    there = names()
    known = _known(code, there)
    if known is None:
        raise ArgumentError(
            "is not a language that there is", field="lang", value=code,
            fix=f"use {', '.join(there)}",
        )  # fmt: skip
    return _read(known)


def language_of(environment: Mapping[str, str] | None = None) -> Language:
    """The language that a process's locale asks for; English if there is no catalogue for it.

    LC_ALL, LC_MESSAGES and LANG name the locale, the first that is set.  LANGUAGE lists languages
    to be tried before it, unless the locale is C.

    >>> language_of({"LANG": "en_GB.UTF-8"}).code
    'en'
    """
    environment = os.environ if environment is None else environment
    locale = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    if locale in ("C", "POSIX"):
        return ENGLISH
    wanted = [*environment.get("LANGUAGE", "").split(":"), locale]
    found = (_known(code, names()) for code in wanted if code)
    return _read(next(filter(None, found), "en"))


def _known(code: str, there: list[str]) -> str | None:
    """The catalogue for a code: its own, or that of the language without its region."""
    parts = _SEPARATE.split(re.split(r"[.@]", code, maxsplit=1)[0].lower())
    by_parts = {tuple(_SEPARATE.split(name.lower())): name for name in there}
    for length in range(len(parts), 0, -1):
        if tuple(parts[:length]) in by_parts:
            return by_parts[tuple(parts[:length])]
    return None


@cache
def _read(code: str) -> Language:
    file = files("basra") / "locale" / code / "LC_MESSAGES" / f"{DOMAIN}.mo"
    if code == "en" or not file.is_file():
        return Language(code, NullTranslations())
    with file.open("rb") as stream:
        return Language(code, GNUTranslations(stream))


ENGLISH = Language("en", NullTranslations())
