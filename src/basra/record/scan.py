"""Lines of a record's text, taken apart from the left; errors know line and column."""

from __future__ import annotations

import re

from basra.cards import RANKS, SUIT_SIGNS, SUITS, Card, Cards, parse_cards
from basra.errors import BasraError
from basra.moves import Move
from basra.record.errors import RecordError, shown

_CARD = rf"(?:10|[{RANKS}])[{SUITS}{SUIT_SIGNS}♧♢♡♤][\ufe0e\ufe0f]?"
_MOVE = re.compile(rf"({_CARD})(?:\s*[x\u00d7]\s*((?:{_CARD})+))?(?:\s*\*)?(?=[\s,;{{]|$)", re.I)
_BLANKS = re.compile(r"\s*")
_TOKEN = re.compile(r"[^\s,;{}]+|.")
_QUOTED = re.compile(r'"((?:[^"\\]|\\["\\])*)"')
_BARE = re.compile(r'[^\s";{}]+')
_KEYWORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_WHOLE = re.compile(r"[+-]?[0-9]{1,20}(?![0-9])")
_NUMBER = re.compile(
    r"[+\-\u2212]?(?:[0-9]{1,400}(?:\.[0-9]{0,400})?|\.[0-9]{1,400})(?:e[+-]?[0-9]{1,3})?", re.I
)
_CARDS = re.compile(r"[^;]*")

MOVE_FIX = "write the card, then x and what it takes without blanks, such as 8SxAC7H, or just 8S"


class Line:
    """One line; what is taken from it must come one after the other, blanks between."""

    def __init__(self, text: str, number: int) -> None:
        self.text = text
        self.number = number
        self.field = "line"
        """What errors are about: the word that the line starts with"""
        self.start = 0
        """Where what was taken last began"""
        self._at = self.start = _BLANKS.match(text).end()  # type: ignore[union-attr]

    @property
    def column(self) -> int:
        """Of what was taken last, from 1."""
        return self.start + 1

    @property
    def taken(self) -> str:
        """What was taken last, up to the next blank, or what comes next if nothing was."""
        token = _TOKEN.match(self.text, self.start)
        return token[0] if token else ""

    @property
    def rest(self) -> str:
        """What has not been taken."""
        return self.text[self._at :]

    @property
    def next(self) -> str:
        """The next character; "" at the end."""
        return self.text[self._at : self._at + 1]

    @property
    def ended(self) -> bool:
        """Is nothing left but a comment?"""
        return self.next in ("", ";")

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What the pattern matches here, and then blanks."""
        found = pattern.match(self.text, self._at)
        if found is not None:
            self.start = found.start()
            self._at = _BLANKS.match(self.text, found.end()).end()  # type: ignore[union-attr]
        return found

    def skip(self, character: str) -> bool:
        """Takes one character, if it is the next."""
        if self.next != character or not character:
            return False
        self.start = self._at
        self._at = _BLANKS.match(self.text, self._at + 1).end()  # type: ignore[union-attr]
        return True

    def comment(self) -> str | None:
        """The comment at the end; None if there is none, an error if something else is there."""
        if not self.ended:
            raise self.wrong("is not expected here", "begin a new line, or a comment with ;")
        return self.rest[1:] if self.next else None

    # -- kinds of things -------------------------------------------------------------------------

    def keyword(self) -> str | None:
        """A word of letters, made small."""
        found = self.take(_KEYWORD)
        return found[0].lower() if found else None

    def whole(self, noun: str, fix: str) -> int:
        """A whole number."""
        found = self.take(_WHOLE)
        if found is None:
            raise self.wrong(f"is not {noun}", fix)
        return int(found[0])

    def wholes(self, fix: str) -> tuple[int, ...]:
        """Numbers with colons, commas or blanks between them, to the end."""
        found = [self.whole("a whole number", fix)]
        first = self.start
        while not self.ended:
            if self.next in (":", ","):
                self.skip(self.next)
            found.append(self.whole("a whole number", fix))
        self.start = first
        return tuple(found)

    def decimal(self, noun: str, fix: str) -> float:
        """A number with a decimal point, say."""
        found = self.take(_NUMBER)
        if found is None:
            raise self.wrong(f"is not {noun}", fix)
        return float(found[0].replace("\u2212", "-"))

    def quoted(self) -> str | None:
        """A text in double quotes; None if there is none here."""
        if self.next != '"':
            return None
        found = self.take(_QUOTED)
        if found is None:
            fix = r'end it with ", and write \" and \\ for these characters inside it'
            raise self.wrong("is not a text in quotes", fix, value=self.rest)
        return re.sub(r"\\(.)", r"\1", found[1])

    def word(self) -> str | None:
        """A text in double quotes, or a single word without."""
        found = self.quoted()
        if found is None:
            bare = self.take(_BARE)
            found = bare[0] if bare else None
        return found

    def cards(self) -> list[Card]:
        """Cards in the order written, to the end; - is for none."""
        found = self.take(_CARDS)
        text = found[0].strip() if found else ""
        if text in ("-", ""):
            return []
        try:
            return parse_cards(text, self.field)
        except BasraError as error:
            at = text.upper().find(error.value)
            raise self._placed(error, self.start + max(at, 0)) from None

    def card_set(self) -> Cards:
        """The same as a set."""
        cards = self.cards()
        try:
            return Cards(cards, self.field)
        except BasraError as error:
            raise self._placed(error, self.start) from None

    def move(self) -> Move:
        """A move."""
        found = self.take(_MOVE)
        if found is None:
            self.field = "move"
            raise self.wrong("is not a move", MOVE_FIX)
        try:
            taken = Cards(found[2] or "", "move")
            return Move(parse_cards(found[1], "move")[0], taken)
        except BasraError as error:
            raise self._placed(error, self.start) from None

    @property
    def at_move(self) -> bool:
        """Does a move begin here?"""
        return _MOVE.match(self.text, self._at) is not None

    def once(self, said: set[str], word: str = "") -> None:
        """Notes that a line of this kind has been there; an error if one has been before."""
        word = word or self.field
        if word in said:
            raise self.error("stands twice", "say it once", "")
        said.add(word)

    # -- errors ----------------------------------------------------------------------------------

    def wrong(self, message: str, fix: str, value: str | None = None) -> RecordError:
        """An error about what comes next."""
        if value is None:
            token = _TOKEN.match(self.text, self._at)
            value = token[0] if token else "the end of the line"
        return self.error(message, fix, value, self._at)

    def error(self, message: str, fix: str, value: object, start: int | None = None) -> RecordError:
        """An error about what was taken last, or what starts elsewhere in the line."""
        place = (self.start if start is None else start) + 1
        error = RecordError(message, field=self.field, value=shown(value), fix=fix)
        return error.at(self.number, place)

    def _placed(self, error: BasraError, start: int) -> RecordError:
        return self.error(error.message, error.fix, error.value, start)
