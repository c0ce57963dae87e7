"""Reads the text form of records, leniently; errors name line and column."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from basra.cards import Card, Cards
from basra.errors import BasraError
from basra.moves import Move
from basra.notation import parse_rules
from basra.record import check
from basra.record.errors import RecordError
from basra.record.model import DealRecord, Estimate, Record, RoundRecord, Seat, Turn
from basra.record.scan import Line
from basra.rules import Rules

LIMIT = 4_000_000
"""Characters of a text, and bytes of a file, that are read"""

_HEAD = re.compile(r"basra\s+record\s+([0-9]{1,9})(?:\.[0-9]{1,9})?(?![\w.])", re.I)
_HEAD_FIX = "start the text with the line: basra record 1"
_RULES = re.compile(r"[^\s;]+")
_TABLE = re.compile(r"([234])\s*(p(?:artners)?)?(?![\w])", re.I)
_SEAT = re.compile(r"[0-9](?=[\s,]|$)")
_CONTROL = re.compile(rf"(?![\t\n]){check.CONTROL.pattern}")
_PLUS_MINUS = re.compile(r"±|\+/?-")
_TOML_PLACE = re.compile(r"\(at line ([0-9]+), column ([0-9]+)\)")

Place = tuple[int, int]
"""Line and column, from 1"""


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


# -- what is being read --------------------------------------------------------------------------


@dataclass(slots=True)
class _Played:
    move: Move
    estimate: Estimate | None
    remarks: list[str] = field(default_factory=list)

    def turn(self) -> Turn:
        return Turn(self.move, "\n".join(self.remarks), self.estimate)


@dataclass(slots=True)
class _Deal:
    hands: list[Cards]
    said: set[int] = field(default_factory=set)
    """Seats whose hands have been named"""
    played: list[_Played] = field(default_factory=list)


@dataclass(slots=True)
class _Round:
    place: Place
    leader: int | None = None
    floor: Cards | None = None
    buried: tuple[Card, ...] = ()
    stock: tuple[Card, ...] | None = None
    points: tuple[int, ...] | None = None
    deals: list[_Deal] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    said: set[str] = field(default_factory=set)

    def record(self, leader: int, floor: Cards) -> RoundRecord:
        deals = tuple(
            DealRecord(tuple(deal.hands), tuple(played.turn() for played in deal.played))
            for deal in self.deals
        )
        remark = "\n".join(self.remarks)
        return RoundRecord(leader, floor, self.buried, deals, self.stock, self.points, remark)


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
        self.first: int | None = None
        self.values: dict[str, Any] = {}
        self.tags: dict[str, str] = {}
        self.resigned: int | None = None
        self.remarks: list[str] = []
        self.rounds: list[RoundRecord] = []
        self.open: _Round | None = None
        self.sizes: list[int] = []
        self.places: dict[str, Place] = {}
        self.round_places: dict[str, Place] = {}

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
            raise Line("", 1).wrong("is no record", _HEAD_FIX)
        base = self._header()
        self._close_round(base)
        record = replace(base, rounds=tuple(self.rounds), resigned=self.resigned,
                         comment="\n".join(self.remarks))  # fmt: skip
        self._checked(lambda: check.check_header(record))
        return record

    # -- lines -----------------------------------------------------------------------------------

    def _head(self, line: Line) -> None:
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
            self._moves(line)
            return
        word = line.keyword()
        handler = _LINES.get(word) if word else None
        if word is None or (handler is None and line.next != '"'):
            value = line.text[line.start :].split()[0]
            raise line.error("is not a line of a record", _words_fix(word or ""), value)
        line.field = word
        if self.open is None and word in check.ROUND_WORDS:
            fix = "begin a round first, with the line: round 1"
            raise line.error("belongs to a round", fix, word)
        if self.base is not None and (handler is None or word in check.HEADER_WORDS):
            fix = "write it before the line of the first round"
            raise line.error("belongs before the first round", fix, word)
        if handler is None:
            self._tag(line, word)
        else:
            handler(self, line)
        self._note(line)

    def _note(self, line: Line) -> None:
        """The comment at the end of a line: about the move before it, the round or the record."""
        remark = line.comment()
        if remark is None:
            return
        now = self.open
        if now is None:
            self.remarks.append(remark)
        elif now.deals and now.deals[-1].played and now.points is None and now.stock is None:
            now.deals[-1].played[-1].remarks.append(remark)
        else:
            now.remarks.append(remark)

    def _once(self, line: Line, said: set[str], word: str = "") -> None:
        word = word or line.field
        if word in said:
            raise line.error("stands twice", "say it once", word)
        said.add(word)

    # -- before the rounds -----------------------------------------------------------------------

    def _rules(self, line: Line) -> None:
        self._once(line, self.said)
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
        self._once(line, self.said)
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
        self._once(line, self.said, path)
        self.places[path] = line.number, line.column
        name = "" if line.ended else line.word()
        player = "" if line.ended else line.word()
        if name is None or player is None:
            raise line.wrong("is not a name", 'write it in quotes: "Layla"')
        self.seats[seat] = Seat(name, player)

    def _scores(self, line: Line) -> None:
        self._once(line, self.said)
        self.values["scores"] = line.wholes("write points by side, side 1 first: 61:84")
        self.places["scores"] = line.number, line.column

    def _number(self, line: Line) -> None:
        self._once(line, self.said)
        number = line.whole("a whole number", f"write {line.field} 30, say")
        self.values[line.field] = number
        path = "first_round" if line.field == "first" else line.field
        self.places[path] = line.number, line.column

    def _tag(self, line: Line, word: str) -> None:
        self._once(line, self.said)
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
                number, column = self.places[f"seats[{seat - 1}]"]
                line = Line(self.lines[number - 1], number)
                line.field = "seat"
                fix = f"use 1 to {players}, or say another table before"
                raise line.error("is not a seat of this table", fix, seat, column - 1)
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
        self._once(line, self.said)
        self.resigned = line.whole("a side", "write the number of the side: resigned 2") - 1
        self.places["resigned"] = line.number, line.column
        if self.open is not None:
            self._close_round(self._header())

    # -- rounds ----------------------------------------------------------------------------------

    def _round(self, line: Line) -> None:
        base = self._header()
        place = line.number, line.column
        self._close_round(base)
        if not line.ended:
            number = line.whole("the number of a round", "write round 1, say")
            if not self.rounds and self.base is None and "first" not in self.values:
                base = replace(base, first_round=number)
                self.places["first_round"] = line.number, line.column
                self._checked(lambda: check.check_header(base))
            following = base.first_round + len(self.rounds)
            if number != following:
                raise line.error("is not the next round", f"write round {following}", number)
        self.base = base
        self.open = _Round(place)
        self.round_places = {f"rounds[{len(self.rounds)}]": place}

    def _close_round(self, base: Record) -> None:
        now = self.open
        if now is None:
            return
        if now.floor is None:
            line = Line("", now.place[0])
            line.field = "floor"
            fix = "write the cards of the first floor below it: floor 3C 2H 5S KD"
            raise line.error("is missing in the round that begins", fix, "", now.place[1] - 1)
        done = now.record(self._leader(now), now.floor)
        before = self.rounds[-1] if self.rounds else None
        self._checked(lambda: check.check_round(base, len(self.rounds), done, before))
        self.rounds.append(done)
        self.open = None

    def _leader(self, now: _Round) -> int:
        """The seat that leads; the lead goes round, so it need not be said."""
        if now.leader is None:
            players = self.table[0]
            now.leader = (self.rounds[-1].leader + 1) % players if self.rounds else 0
        return now.leader

    def _in_round(self, line: Line) -> _Round:
        assert self.open is not None
        self._once(line, self.open.said)
        return self.open

    def _at(self, line: Line, path: str) -> None:
        self.round_places[f"rounds[{len(self.rounds)}].{path}"] = line.number, line.column

    def _leads(self, line: Line) -> None:
        now = self._in_round(line)
        if any(deal.played for deal in now.deals):
            fix = "write it before the first move of the round"
            raise line.error("comes too late", fix, "leader")
        now.leader = line.whole("a seat", "write the number of the seat: leader 2") - 1
        self._at(line, "leader")

    def _floor(self, line: Line) -> None:
        self._in_round(line).floor = line.card_set()
        self._at(line, "floor")

    def _buried(self, line: Line) -> None:
        self._in_round(line).buried = tuple(line.cards())
        self._at(line, "buried")

    def _stock(self, line: Line) -> None:
        self._in_round(line).stock = tuple(line.cards())
        self._at(line, "stock")

    def _points(self, line: Line) -> None:
        fix = "write points by side, side 1 first: 12:40"
        self._in_round(line).points = line.wholes(fix)
        self._at(line, "points")

    def _deal(self, line: Line) -> None:
        assert self.open is not None
        following = len(self.open.deals) + 1
        if not line.ended:
            number = line.whole("the number of a deal", f"write deal {following}")
            if number != following:
                raise line.error("is not the next deal", f"write deal {following}", number)
        self._begin_deal(line)

    def _begin_deal(self, line: Line) -> _Deal:
        assert self.open is not None
        now = self.open
        if len(now.deals) == len(self.sizes):
            fix = "begin the next round, with the line: round"
            message = f"comes after the last of the {len(self.sizes)} deals of the round"
            raise line.error(message, fix, line.text[line.start :].split()[0])
        self._at(line, f"deals[{len(now.deals)}]")
        now.deals.append(_Deal([Cards()] * self.table[0]))
        return now.deals[-1]

    def _this_deal(self, line: Line) -> _Deal:
        """The deal that goes on, or the next if all its moves are made."""
        assert self.open is not None
        deals = self.open.deals
        if deals and len(deals[-1].played) < self.sizes[len(deals) - 1] * self.table[0]:
            return deals[-1]
        return self._begin_deal(line)

    def _hand(self, line: Line) -> None:
        seat = line.whole("a seat", "write the number of the seat before the cards: hand 1 2S 5C")
        if not 1 <= seat <= self.table[0]:
            fix = f"use 1 to {self.table[0]}"
            raise line.error("is not a seat of this table", fix, seat)
        deal = self._this_deal(line)
        if seat in deal.said:
            raise line.error("has a hand in this deal", "name its cards once", f"seat {seat}")
        deal.said.add(seat)
        deal.hands[seat - 1] = line.card_set()
        assert self.open is not None
        self._at(line, f"deals[{len(self.open.deals) - 1}].hands[{seat - 1}]")

    # -- moves -----------------------------------------------------------------------------------

    def _moves(self, line: Line) -> None:
        line.field = "move"
        while not line.ended:
            seat = line.take(_SEAT)
            place = line.start
            move = line.move()
            start = line.start
            deal = self._this_deal(line)
            if seat is not None:
                self._check_seat(line, int(seat[0]), deal, place)
            assert self.open is not None
            self._leader(self.open)
            path = f"deals[{len(self.open.deals) - 1}].turns[{len(deal.played)}]"
            line.start = start
            self._at(line, path)
            deal.played.append(_Played(move, self._estimate(line, path)))
            line.skip(",")
        self._note(line)

    def _check_seat(self, line: Line, said: int, deal: _Deal, place: int) -> None:
        players = self.table[0]
        assert self.open is not None
        if not 1 <= said <= players:
            fix = f"use 1 to {players}, or leave it out"
            raise line.error("is not a seat of this table", fix, said, place)
        if self.open.leader is None and len(self.open.deals) == 1 and not deal.played:
            self.open.leader = said - 1
        turn = (self._leader(self.open) + len(deal.played)) % players + 1
        if said != turn:
            fix = f"it is the turn of seat {turn}: look at the leader and at the moves before"
            raise line.error("is not the seat to move", fix, said, place)

    def _estimate(self, line: Line, path: str) -> Estimate | None:
        if not line.skip("{"):
            return None
        fix = "write points for the side that moves, and then what is known: {+24.23 ±0.34 worlds}"
        self._at(line, f"{path}.estimate")
        value = line.decimal("a number of points", fix)
        error = line.decimal("a standard error", fix) if line.take(_PLUS_MINUS) else None
        method = "" if line.next == "}" else line.word()
        if method is None or not line.skip("}"):
            raise line.wrong("does not end an estimate", fix)
        return Estimate(value, error, method)

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
        places = self.places | self.round_places
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
    "leader": _Reader._leads,
    "floor": _Reader._floor,
    "buried": _Reader._buried,
    "deal": _Reader._deal,
    "hand": _Reader._hand,
    "stock": _Reader._stock,
    "points": _Reader._points,
    "resigned": _Reader._resigned,
}


def _check_characters(text: str) -> None:
    found = _CONTROL.search(text)
    if found is None:
        return
    start = text.rfind("\n", 0, found.start()) + 1
    line = Line("", text.count("\n", 0, start) + 1)
    fix = "leave the character out, and write the file as plain text"
    value = f"U+{ord(found[0]):04X}"
    raise line.error("cannot be in a record", fix, value, found.start() - start)


def _words_fix(word: str) -> str:
    near = difflib.get_close_matches(word[:40], _LINES, n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    return f"{meant}write a move, or one of {', '.join(_LINES)}, or a tag and a text in quotes"


def _in_block(error: BasraError, block: list[str], first: int) -> RecordError:
    """An error in a rule file that is set in, at its place in the whole text."""
    at = _TOML_PLACE.search(error.message)
    message = _TOML_PLACE.sub("", error.message).strip()
    found = RecordError(message, field=error.field, value=error.value, fix=error.fix)
    if at is not None:
        return found.at(first + int(at[1]) - 1, int(at[2]))
    for number, text in enumerate(block, first):
        if re.match(rf"\s*{re.escape(error.field)}\b", text):
            return found.at(number, len(text) - len(text.lstrip()) + 1)
    return found.at(first - 1, 1)
