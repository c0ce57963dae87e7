"""Game records as values: what was dealt, played and said, as far as it is known.

Seats count from 0 and stay the same through a match; texts and JSON count them from 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from basra.cards import Card, Cards
from basra.moves import Move
from basra.position import sides_of
from basra.rules import Rules


def tidy(comment: str) -> str:
    """A comment as it is kept: no blanks around its lines, no empty lines around it all.

    >>> tidy("  good \\r\\n\\r\\n but\\tdear ")
    'good\\n\\nbut dear'
    """
    if not comment:
        return comment
    lines = comment.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ").split("\n")
    return "\n".join(line.strip() for line in lines).strip("\n")


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits at a place."""

    name: str = ""
    """What the player is called; "" if nothing was said"""
    player: str = ""
    """The engine player, as `Player.parse` reads it; "" for a person or a stranger"""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a move was thought to be worth when it was played."""

    value: float
    """Round points for the side that moves, minus the other's (single players: the others' mean)"""
    stderr: float | None = None
    """Standard error of the value; 0 if nothing was drawn, None if it is not known"""
    method: str = ""
    """What found it, `worlds/2`, say; "" if nothing was said"""

    def __post_init__(self) -> None:
        # One text for one value: 3 and 3.0 are the same, and so are 0.0 and -0.0.
        object.__setattr__(self, "value", float(self.value) + 0.0)
        if self.stderr is not None:
            object.__setattr__(self, "stderr", float(self.stderr) + 0.0)


@dataclass(frozen=True, slots=True)
class Turn:
    """One move, and what was said about it."""

    move: Move
    comment: str = ""
    """May have several lines; blanks around them are not kept, here and in other comments"""
    estimate: Estimate | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "comment", tidy(self.comment))


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One deal of a round."""

    hands: tuple[Cards, ...]
    """The cards known to have been dealt to each seat; fewer than a hand, or none, if not known"""
    turns: tuple[Turn, ...] = ()
    """In the order played, the leader of the round first"""


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One round: the first floor, then its deals."""

    leader: int
    """The seat that leads every deal"""
    floor: Cards
    """The first floor, when all its cards may lie there"""
    buried: tuple[Card, ...] = ()
    """Cards shown on the first floor and put back into the stock, in the order found"""
    deals: tuple[DealRecord, ...] = ()
    stock: tuple[Card, ...] | None = None
    """What the recorded deals have left undealt, in dealing order; None if not known"""
    points: tuple[int, ...] | None = None
    """Points of the finished round by side; None if it is not finished, or nothing was said"""
    comment: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "comment", tidy(self.comment))


@dataclass(frozen=True, slots=True)
class Record:
    """A match, or a part of one, down to a single round; see docs/record.md.

    Only the last round may be unfinished, and of it only the last deal.  Equal records have equal
    texts.  What a record says is looked at when it is written or read: its form, its cards and
    counts; whether its moves are legal is found by playing them.
    """

    rules: Rules
    players: int = 2
    partners: bool = False
    seats: tuple[Seat, ...] = ()
    """By seat; () is for nobody named"""
    first_round: int = 1
    """The number of the first round here in its match"""
    scores: tuple[int, ...] = ()
    """Match scores before the first round here, by side; () is for zeros"""
    carry: int = 0
    """Points that wait from tied rounds before the first round here"""
    seed: int | None = None
    """What the deals come from, as `Position.deal` makes them; None if cards were dealt by hand"""
    rounds: tuple[RoundRecord, ...] = ()
    resigned: int | None = None
    """The side that gave the match up; None if none did"""
    tags: tuple[tuple[str, str], ...] = field(default=())
    """Other facts, such as ("date", "2026-05-01"), in the order written"""
    comment: str = ""

    def __post_init__(self) -> None:
        # One way to say it: what is left out is filled in.
        if not self.seats:
            object.__setattr__(self, "seats", (Seat(),) * self.players)
        if not self.scores:
            object.__setattr__(self, "scores", (0,) * sides_of(self.players, self.partners))
        object.__setattr__(self, "comment", tidy(self.comment))

    @property
    def text(self) -> str:
        """The text form; RecordError, with the path of the field, if it cannot be written."""
        from basra.record.text import record_text

        return record_text(self)

    @classmethod
    def parse(cls, text: str) -> Record:
        """A record from its text, or from the text of its JSON; RecordError with line and column.

        >>> Record.parse("basra record 1\\nrules classic").rules.name
        'classic'
        """
        from basra.record.parse import parse_record

        return parse_record(text)

    def to_dict(self) -> dict[str, Any]:
        """The JSON twin; RecordError, with the path of the field, if it cannot be written."""
        from basra.record.twin import record_dict

        return record_dict(self)

    @classmethod
    def from_dict(cls, twin: Mapping[str, Any]) -> Record:
        """A record from its JSON twin; RecordError with the path of the field."""
        from basra.record.twin import record_of

        return record_of(twin)
