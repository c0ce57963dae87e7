"""Reads the lines of one round of a record's text."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from basra.cards import Card, Cards
from basra.moves import Move
from basra.record.model import DealRecord, Estimate, RoundRecord, Turn
from basra.record.scan import Line

Place = tuple[int, int]
"""Line and column, from 1"""

_SEAT = re.compile(r"[0-9](?=[\s,]|$)")
_PLUS_MINUS = re.compile(r"±|\+/?-")


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

    def record(self) -> DealRecord:
        return DealRecord(tuple(self.hands), tuple(played.turn() for played in self.played))


class RoundReader:
    """A round that is being read, from its first line to its last."""

    def __init__(self, line: Line, players: int, sizes: list[int], leader: int) -> None:
        """`sizes` are the hands of its deals; `leader` leads unless another is named."""
        self.players = players
        self.sizes = sizes
        self.usual_leader = leader
        self.leader: int | None = None
        self.floor: Cards | None = None
        self.buried: tuple[Card, ...] = ()
        self.stock: tuple[Card, ...] | None = None
        self.points: tuple[int, ...] | None = None
        self.deals: list[_Deal] = []
        self.remarks: list[str] = []
        self.said: set[str] = set()
        """Words that stand once, and have been there"""
        self.places: dict[str, Place] = {"": (line.number, line.column)}
        """Where in the text the parts of the round are, by their path in it"""

    def line(self, word: str, line: Line) -> None:
        """A line that starts with one of `ROUND_LINES`."""
        ROUND_LINES[word](self, line)

    def note(self, remark: str) -> None:
        """A comment, about the move before it if there is one in its deal, else about the round."""
        last = self.deals[-1].played if self.deals else []
        ended = self.points is not None or self.stock is not None
        (last[-1].remarks if last and not ended else self.remarks).append(remark)

    def record(self) -> RoundRecord:
        """The whole round."""
        if self.floor is None:
            number, column = self.places[""]
            line = Line("", number)
            line.field = "floor"
            fix = "write the cards of the first floor below it: floor 3C 2H 5S KD"
            raise line.error("is missing in the round that begins", fix, "", column - 1)
        return RoundRecord(
            self.usual_leader if self.leader is None else self.leader,
            self.floor,
            self.buried,
            tuple(deal.record() for deal in self.deals),
            self.stock,
            self.points,
            "\n".join(self.remarks),
        )

    def _at(self, line: Line, path: str) -> None:
        self.places[path] = line.number, line.column

    # -- what lay there, and what came of it -----------------------------------------------------

    def _leader(self, line: Line) -> None:
        line.once(self.said)
        if any(deal.played for deal in self.deals):
            fix = "write it before the first move of the round"
            raise line.error("comes too late", fix, "")
        self.leader = line.whole("a seat", "write the number of the seat: leader 2") - 1
        self._at(line, "leader")

    def _floor(self, line: Line) -> None:
        line.once(self.said)
        self.floor = line.card_set()
        self._at(line, "floor")

    def _buried(self, line: Line) -> None:
        line.once(self.said)
        self.buried = tuple(line.cards())
        self._at(line, "buried")

    def _stock(self, line: Line) -> None:
        line.once(self.said)
        self.stock = tuple(line.cards())
        self._at(line, "stock")

    def _points(self, line: Line) -> None:
        line.once(self.said)
        self.points = line.wholes("write points by side, side 1 first: 12:40")
        self._at(line, "points")

    # -- deals -----------------------------------------------------------------------------------

    def _deal(self, line: Line) -> None:
        following = len(self.deals) + 1
        if not line.ended:
            number = line.whole("the number of a deal", f"write deal {following}")
            if number != following:
                raise line.error("is not the next deal", f"write deal {following}", number)
        self._begin_deal(line)

    def _begin_deal(self, line: Line) -> _Deal:
        if len(self.deals) == len(self.sizes):
            message = f"comes after the last of the {len(self.sizes)} deals of the round"
            fix = "begin the next round, with the line: round"
            raise line.error(message, fix, line.taken)
        self._at(line, f"deals[{len(self.deals)}]")
        self.deals.append(_Deal([Cards()] * self.players))
        return self.deals[-1]

    def _this_deal(self, line: Line) -> _Deal:
        """The deal that goes on, or the next if all its moves are made."""
        if self.deals:
            size = self.sizes[len(self.deals) - 1]
            if len(self.deals[-1].played) < size * self.players:
                return self.deals[-1]
        return self._begin_deal(line)

    def _hand(self, line: Line) -> None:
        seat = line.whole("a seat", "write the number of the seat before the cards: hand 1 2S 5C")
        if not 1 <= seat <= self.players:
            raise line.error("is not a seat of this table", f"use 1 to {self.players}", seat)
        deal = self._this_deal(line)
        if seat in deal.said:
            raise line.error("has a hand in this deal", "name its cards once", f"seat {seat}")
        deal.said.add(seat)
        deal.hands[seat - 1] = line.card_set()
        self._at(line, f"deals[{len(self.deals) - 1}].hands[{seat - 1}]")

    # -- moves -----------------------------------------------------------------------------------

    def moves(self, line: Line) -> None:
        """One move or several, each with or without the seat before and an estimate after it."""
        line.field = "move"
        while not line.ended:
            seat = line.take(_SEAT)
            before = line.start
            move = line.move()
            start = line.start
            deal = self._this_deal(line)
            if seat is not None:
                self._check_seat(line, int(seat[0]), deal, before)
            path = f"deals[{len(self.deals) - 1}].turns[{len(deal.played)}]"
            self.places[path] = line.number, start + 1
            deal.played.append(_Played(move, self._estimate(line, path)))
            line.skip(",")

    def _check_seat(self, line: Line, said: int, deal: _Deal, start: int) -> None:
        if not 1 <= said <= self.players:
            fix = f"use 1 to {self.players}, or leave it out"
            raise line.error("is not a seat of this table", fix, said, start)
        if self.leader is None:
            first = len(self.deals) == 1 and not deal.played
            self.leader = said - 1 if first else self.usual_leader
        turn = (self.leader + len(deal.played)) % self.players + 1
        if said != turn:
            fix = f"it is the turn of seat {turn}: look at the leader and at the moves before"
            raise line.error("is not the seat to move", fix, said, start)

    def _estimate(self, line: Line, path: str) -> Estimate | None:
        if not line.skip("{"):
            return None
        self._at(line, f"{path}.estimate")
        fix = "write points for the side that moves, and then what is known: {+24.23 ±0.34 worlds}"
        value = line.decimal("a number of points", fix)
        error = line.decimal("a standard error", fix) if line.take(_PLUS_MINUS) else None
        method = "" if line.next == "}" else line.word()
        if method is None or not line.skip("}"):
            raise line.wrong("does not end an estimate", fix)
        return Estimate(value, error, method)


ROUND_LINES: dict[str, Callable[[RoundReader, Line], None]] = {
    "leader": RoundReader._leader,
    "floor": RoundReader._floor,
    "buried": RoundReader._buried,
    "deal": RoundReader._deal,
    "hand": RoundReader._hand,
    "stock": RoundReader._stock,
    "points": RoundReader._points,
}
"""What lines of a round start with, unless with a move, and how they are read"""
