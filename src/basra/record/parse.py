"""Reads the text form of records, leniently; errors name line and column."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from basra.errors import BasraError
from basra.notation import parse_rules
from basra.record import check
from basra.record.errors import RecordError
from basra.record.model import Record, RoundRecord, Seat
from basra.record.parse_round import ROUND_LINES, Place, RoundReader
from basra.record.scan import Line
from basra.rules import Rules

LIMIT = 4_000_000
"""Characters of a text, and bytes of a file, that are read"""

_HEAD = re.compile(r"basra\s+record\s+([0-9]{1,9})(?:\.[0-9]{1,9})?(?![\w.])", re.I)
_ROUND_FIX = "begin a round first, with the line: round 1"
_HEAD_FIX = "start the text with the line: basra record 1"
_RULES = re.compile(r"[^\s;]+")
_TABLE = re.compile(r"([234])\s*(p(?:artners)?)?(?![\w])", re.I)
_CONTROL = re.compile(rf"(?![\t\n]){check.CONTROL.pattern}")
_TOML_END = "(at end of document)"
_TOML_PLACE = re.compile(r"\(at line ([0-9]+), column ([0-9]+)\)")


def parse_record(text: str) -> Record:
    """A record from its text, or from the text of its JSON; RecordError with line and column.

    >>> record = parse_record('''
    ... basra record 1
    ... rules classic
    ... round
    ... floor 3c 2h 5s KD
    ... kh, 5cx2h3c5s   ; first a king, then all that makes five
    ... ''')
    >>> [turn.move.text for turn in record.rounds[0].deals[0].turns]
    ['KH', '5Cx2H3C5S']
    """
    if not isinstance(text, str):
        raise RecordError("is not a text", field="record", value=type(text).__name__, fix=_HEAD_FIX)
    if len(text) > LIMIT:
        fix = f"give at most {LIMIT:,} characters"
        raise RecordError("is too long", field="record", value=f"{len(text):,} characters", fix=fix)
    body = text.removeprefix("\ufeff")
    if body.lstrip().startswith("{"):
        from basra.record.twin import parse_json

        return parse_json(body)
    return _Reader(body).read()


class _Reader:
    """Goes through the lines once; every round is checked when it ends."""

    def __init__(self, text: str) -> None:
        plain = text.replace("\r\n", "\n").replace("\r", "\n")
        _check_characters(plain)
        self.lines = plain.split("\n")
        self.read_to = 0
        self.begun = False
        self.said: set[str] = set()
        """Words and tags that stand once, and have been there"""
        self.base: Record | None = None
        """What was said before the first round, once that is known"""
        self.rules: Rules | None = None
        self.table = (2, False)
        self.seats: dict[int, Seat] = {}
        self.values: dict[str, Any] = {}
        self.tags: dict[str, str] = {}
        self.resigned: int | None = None
        self.remarks: list[str] = []
        self.rounds: list[RoundRecord] = []
        self.open: RoundReader | None = None
        self.sizes: list[int] = []
        self.places: dict[str, Place] = {}

    def read(self) -> Record:
        while self.read_to < len(self.lines):
            line = Line(self.lines[self.read_to], self.read_to + 1)
            self.read_to += 1
            if line.ended:
                self._note(line)
            elif not self.begun:
                self._head(line)
            else:
                self._line(line)
        if not self.begun:
            line = Line("", 1)
            line.field = "record"
            raise line.error("is missing", _HEAD_FIX, "")
        base = self._header()
        self._close_round(base)
        record = replace(base, rounds=tuple(self.rounds), resigned=self.resigned,
                         comment="\n".join(self.remarks))  # fmt: skip
        self._checked(lambda: check.check_header(record))
        return record

    # -- lines -----------------------------------------------------------------------------------

    def _head(self, line: Line) -> None:
        line.field = "record"
        found = line.take(_HEAD)
        if found is None:
            raise line.wrong("does not start a record", _HEAD_FIX)
        version = int(found[1])
        if version != 1:
            message = "is a newer version of the format than 1, the one that is read here"
            fix = "use a newer basra, or have the record written as version 1"
            if version == 0:
                message, fix = "is no version of the format", _HEAD_FIX
            raise line.error(message, fix, found[1], found.start(1))
        self.begun = True
        self._note(line)

    def _line(self, line: Line) -> None:
        if self.open is not None and (line.at_move or "0" <= line.next <= "9"):
            self.open.moves(line)
            self._note(line)
            return
        if line.at_move:
            line.field = "move"
            raise line.wrong("belongs to a round", _ROUND_FIX)
        word = line.keyword()
        if word is None or (word not in check.WORDS and line.next != '"'):
            fix = _start_fix(word or "", self.open is not None)
            raise line.error("is not a line of a record", fix, line.taken)
        line.field = word
        if word in _LINES:
            if self.base is not None and word in check.HEADER_WORDS:
                raise _too_late(line)
            _LINES[word](self, line)
        elif word not in ROUND_LINES:
            self._tag(line, word)
        elif self.open is None:
            raise line.error("belongs to a round", _ROUND_FIX, "")
        else:
            self.open.line(word, line)
        self._note(line)

    def _note(self, line: Line) -> None:
        """The comment at the end of a line: about the move before it, the round or the record."""
        remark = line.comment()
        if remark is not None and self.open is not None:
            self.open.note(remark)
        elif remark is not None:
            self.remarks.append(remark)

    # -- before the rounds -----------------------------------------------------------------------

    def _rules(self, line: Line) -> None:
        line.once(self.said)
        self.places["rules"] = line.number, line.column
        if line.ended:
            self._rule_file(line)
            return
        found = line.take(_RULES)
        assert found is not None
        if len(found[0]) > 10_000:
            fix = "name a preset, or set a rule file in, below the line"
            raise line.error("is too long for rules", fix, found[0])
        try:
            self.rules = parse_rules(found[0].lower())
        except BasraError as error:
            raise line.error(error.message, error.fix, error.value or found[0]) from None

    def _rule_file(self, line: Line) -> None:
        """The lines that follow and are set in."""
        first = self.read_to
        while self.read_to < len(self.lines):
            text = self.lines[self.read_to]
            if text.strip() and not text[0].isspace():
                break
            self.read_to += 1
        block = self.lines[first : self.read_to]
        if not any(text.strip() for text in block):
            fix = "name a preset, such as classic, or set a whole rule file in, below this line"
            raise line.error("names no rules", fix, "rules")
        try:
            self.rules = Rules.from_toml("\n".join(block))
        except BasraError as error:
            raise _in_block(error, block, first + 1) from None

    def _table(self, line: Line) -> None:
        line.once(self.said)
        found = line.take(_TABLE)
        if found is None:
            raise line.wrong("is not a table", "use 2, 3, 4 or 4p")
        self.table = int(found[1]), found[2] is not None
        self.places["table"] = line.number, line.column

    def _seat(self, line: Line) -> None:
        seat = line.whole("a seat", 'write the number of the seat and a name: seat 1 "Layla"')
        path = f"seats[{seat - 1}]"
        if not 1 <= seat <= 4:
            raise line.error("is not a seat", "use 1 for the first", seat)
        line.once(self.said, path)
        self.places[path] = line.number, line.column
        name = "" if line.ended else line.word()
        player = "" if line.ended else line.word()
        if name is None or player is None:
            raise line.wrong("is not a name", 'write it in quotes: "Layla"')
        self.seats[seat] = Seat(name, player)

    def _scores(self, line: Line) -> None:
        line.once(self.said)
        self.values["scores"] = line.wholes("write points by side, side 1 first: 61:84")
        self.places["scores"] = line.number, line.column

    def _number(self, line: Line) -> None:
        line.once(self.said)
        number = line.whole("a whole number", f"write {line.field} 30, say")
        self.values[line.field] = number
        path = "first_round" if line.field == "first" else line.field
        self.places[path] = line.number, line.column

    def _tag(self, line: Line, word: str) -> None:
        line.once(self.said)
        if self.base is not None:
            raise _too_late(line)
        self.places[f"tags.{word}"] = self.places["tags"] = line.number, line.column
        self.tags[word] = line.quoted() or ""

    def _header(self) -> Record:
        """All that stands before the rounds, checked; they must know rules and table."""
        if self.base is not None:
            return self.base
        if self.rules is None:
            line = Line("", self.read_to)
            line.field = "rules"
            raise line.error("are missing", "name a preset: rules classic", "", 0)
        players, partners = self.table
        for seat in self.seats:
            if seat > players:
                fix = f"use 1 to {players}, or say another table"
                message = "is not a seat of this table"
                error = RecordError(message, field="seat", value=seat, fix=fix)
                raise error.at(*self.places[f"seats[{seat - 1}]"])
        base = Record(
            self.rules,
            players,
            partners,
            tuple(self.seats.get(seat, Seat()) for seat in range(1, players + 1)),
            self.values.get("first", 1),
            self.values.get("scores", ()),
            self.values.get("carry", 0),
            self.values.get("seed"),
            tags=tuple(self.tags.items()),
        )
        self._checked(lambda: check.check_header(base))
        self.sizes = base.rules.deal_sizes(players)
        return base

    def _resigned(self, line: Line) -> None:
        line.once(self.said)
        self.resigned = line.whole("a side", "write the number of the side: resigned 2") - 1
        self.places["resigned"] = line.number, line.column
        if self.open is not None:
            self._close_round(self._header())

    # -- rounds ----------------------------------------------------------------------------------

    def _round(self, line: Line) -> None:
        base = self._header()
        start = line.start
        self._close_round(base)
        if not line.ended:
            number = line.whole("the number of a round", "write round 1, say")
            if self.base is None and "first" not in self.values:
                base = replace(base, first_round=number)
                self.places["first_round"] = line.number, line.column
                self._checked(lambda: check.check_header(base))
            following = base.first_round + len(self.rounds)
            if number != following:
                raise line.error("is not the next round", f"write round {following}", number)
        self.base = base
        # The lead goes round.
        leader = (self.rounds[-1].leader + 1) % base.players if self.rounds else 0
        line.start = start
        self.open = RoundReader(line, base.players, self.sizes, leader)

    def _close_round(self, base: Record) -> None:
        if self.open is None:
            return
        now = self.open.record()
        before = self.rounds[-1] if self.rounds else None
        self._checked(lambda: check.check_round(base, len(self.rounds), now, before))
        self.rounds.append(now)
        self.open = None

    # -- errors ----------------------------------------------------------------------------------

    def _checked(self, run: Callable[[], None]) -> None:
        """Runs a check; what it says of a path is said of the place where that was written."""
        try:
            run()
        except RecordError as error:
            raise self._placed(error) from None

    def _placed(self, error: RecordError) -> RecordError:
        path = error.field
        name = [word for word in re.split(r"[.\[]", path) if not word.rstrip("]").isdigit()][-1]
        places = dict(self.places)
        if self.open is not None:
            head = f"rounds[{len(self.rounds)}]"
            places |= {f"{head}.{key}".rstrip("."): at for key, at in self.open.places.items()}
        while path not in places and ("." in path or "[" in path):
            path = path[: max(path.rfind("."), path.rfind("["))]
        line, column = places.get(path, places["rules"])
        field = _SINGULAR.get(name, name)
        found = RecordError(error.message, field=field, value=error.value, fix=error.fix)
        return found.at(line, column)


_SINGULAR = {
    "hands": "hand",
    "seats": "seat",
    "deals": "deal",
    "rounds": "round",
    "turns": "move",
    "first_round": "round",
    "value": "estimate",
    "stderr": "estimate",
    "tags": "tag",
}
"""What the fields of values are called in texts"""

_LINES: dict[str, Callable[[_Reader, Line], None]] = {
    "rules": _Reader._rules,
    "table": _Reader._table,
    "seat": _Reader._seat,
    "scores": _Reader._scores,
    "carry": _Reader._number,
    "seed": _Reader._number,
    "first": _Reader._number,
    "round": _Reader._round,
    "resigned": _Reader._resigned,
}


def _too_late(line: Line) -> RecordError:
    fix = "write it before the line of the first round"
    return line.error("belongs before the first round", fix, "", 0)


def _check_characters(text: str) -> None:
    found = _CONTROL.search(text)
    if found is None:
        return
    start = text.rfind("\n", 0, found.start()) + 1
    line = Line("", text.count("\n", 0, start) + 1)
    fix = "leave the character out, and write the file as plain text"
    value = f"U+{ord(found[0]):04X}"
    raise line.error("cannot be in a record", fix, value, found.start() - start)


def _start_fix(word: str, in_round: bool) -> str:
    starts = [*ROUND_LINES, "round", "resigned"] if in_round else list(_LINES)
    near = difflib.get_close_matches(word[:40], starts, n=1)
    if near:
        return f"did you mean {near[0]}?"
    other = "write a move, or" if in_round else "write a tag and its text in quotes, or"
    return f"{other} one of {', '.join(starts)}"


def _in_block(error: BasraError, block: list[str], first: int) -> RecordError:
    """An error in a rule file that is set in, at its place in the whole text."""
    at = _TOML_PLACE.search(error.message)
    message = _TOML_PLACE.sub("", error.message).strip()
    value = "" if error.field == "rules" else error.value
    found = RecordError(message, field=error.field, value=value, fix=error.fix)
    if at is not None:
        return found.at(first + int(at[1]) - 1, int(at[2]))
    if message.endswith(_TOML_END):
        found.message = message.removesuffix(_TOML_END).strip()
        return found.at(first + len(block) - 1, len(block[-1]) + 1)
    for number, text in enumerate(block, first):
        if re.match(rf"\s*{re.escape(error.field)}\b", text):
            return found.at(number, len(text) - len(text.lstrip()) + 1)
    return found.at(first - 1, 1)
