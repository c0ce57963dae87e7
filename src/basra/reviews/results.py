"""What a review found, as immutable values, and the JSON they stand for."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from basra.decks import DEFAULT_DECK
from basra.errors import IllegalMoveError
from basra.language import Language, language
from basra.moves import Move
from basra.open_review import OpenReview, ReviewedPly
from basra.position import sides_of
from basra.record.model import Seat
from basra.results import HintMove
from basra.reviews.comparing import compared
from basra.reviews.luck import DealLuck
from basra.reviews.marks import MARKS, SCALES, VERDICTS
from basra.reviews.settings import ReviewSettings
from basra.rules import Rules
from basra.view import View

SCHEMA_REVIEW = "basra.game-review/1"


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a seat, as far as that seat could know.

    Values are round points for the side that moves, minus the other's, or the mean of the others';
    chances are those of that side to win the match.
    """

    round: int
    """The round's number in its match"""
    ply: int
    """1 for the first of the round"""
    deal: int
    seat: int
    """Who moves, from 0"""
    played: Move
    verdict: str
    """One of `VERDICTS`"""
    view: View | None = None
    """What the seat knew; None if the record does not tell its hand"""
    method: str | None = None
    """What judged it, such as "expectimax/1"; None, as all below, where nothing was judged"""
    best: Move | None = None
    """The move played if no other is better"""
    value: float | None = None
    best_value: float | None = None
    loss: float | None = None
    """Points behind the best move; negative if the best move for the match gives points away"""
    stderr: float | None = None
    """Standard error of the loss: 0 where nothing is drawn, None where it is not known"""
    win: float | None = None
    """Chance to win the match with the move played, 0 to 1; None where there is none to tell"""
    best_win: float | None = None
    win_loss: float | None = None
    win_stderr: float | None = None
    moves: tuple[HintMove, ...] = ()
    """Every move up to equal cards, best first"""
    chances: tuple[float, ...] | None = None
    """To win the match, with each of the moves; None where there are none to tell, or each of the
    moves has its own"""
    before: tuple[float, ...] | None = None
    """Expected leads at the round's end with the best move, by side"""
    after: tuple[float, ...] | None = None
    """The same with the move played"""

    @property
    def mark(self) -> str | None:
        """One of `MARKS`, or None."""
        return self.verdict if self.verdict in MARKS else None

    @property
    def cost(self) -> float:
        """What a marked decision lost, on its own scale; 0 if it has no mark."""
        loss = self.loss if self.win_loss is None else self.win_loss
        return loss if self.mark is not None and loss is not None else 0.0

    def judged(self, move: Move) -> tuple[str, float]:
        """What would be said of another move, and the points it is behind the best.

        It is judged as the move played is.  Raises IllegalMoveError for none of the moves.
        """
        try:
            found = compared(self.method or "", self.moves, self.chances, move)
        except ValueError:
            raise IllegalMoveError(
                "is not a move of this decision", field="move", value=move,
                fix=f"one of {', '.join(entry.move.text for entry in self.moves)}",
            ) from None  # fmt: skip
        return found.verdict, found.loss

    @property
    def weight(self) -> float:
        """The cost in lightest marks of its scale, which both scales have in common."""
        unit = "points" if self.win_loss is None else "win"
        return self.cost / SCALES[unit].least[0]

    def to_dict(self) -> dict[str, object]:
        """The JSON of a decision."""
        return {
            "round": self.round,
            "ply": self.ply,
            "deal": self.deal,
            "seat": self.seat + 1,
            "position": None if self.view is None else self.view.notation,
            "played": self.played.text,
            "verdict": self.verdict,
            "method": self.method,
            "best": None if self.best is None else self.best.text,
            "value": self.value,
            "best_value": self.best_value,
            "loss": self.loss,
            "stderr": self.stderr,
            "win": self.win,
            "best_win": self.best_win,
            "win_loss": self.win_loss,
            "win_stderr": self.win_stderr,
            "moves": [move.to_dict() for move in self.moves],
        }


@dataclass(frozen=True, slots=True)
class ReviewedRound:
    """One round of a review."""

    number: int
    leader: int
    scores: tuple[int, ...]
    """Of the match before the round, by side"""
    points: tuple[int, ...] | None
    """Of the round, by side; None if it is not over"""
    decisions: tuple[Decision, ...]
    """Of the seats reviewed, in the order played"""
    deals: tuple[DealLuck, ...]
    open: OpenReview | None
    """The second opinion: every ply with all cards known to everybody; None if not all are known,
    or nobody asked for it"""

    def open_ply(self, decision: Decision) -> ReviewedPly | None:
        """The second opinion on a decision; None if there is none, or it was not reached."""
        if self.open is None:
            return None
        found = self.open.plies[decision.ply - 1]
        return None if found.loss is None else found

    def lost(self, side: int, sides: int) -> float:
        """Points that a side's marked decisions lost."""
        return math.fsum(
            decision.loss or 0.0
            for decision in self.decisions
            if decision.mark is not None and decision.seat % sides == side
        )

    def luck(self) -> tuple[float, ...] | None:
        """Points that the deals gave to each side; None if not all of them are known."""
        lucks = [deal.luck for deal in self.deals]
        known = [luck for luck in lucks if luck is not None]
        if not known or len(known) < len(lucks):
            return None
        return tuple(map(math.fsum, zip(*known, strict=True)))

    @property
    def luck_stderr(self) -> float | None:
        """Standard error of the luck of all deals together."""
        errors = [deal.stderr for deal in self.deals if deal.stderr is not None]
        return math.hypot(*errors) if self.luck() is not None else None

    def to_dict(self) -> dict[str, object]:
        """The JSON of a round."""
        luck = self.luck()
        return {
            "round": self.number,
            "leader": self.leader + 1,
            "scores": list(self.scores),
            "points": None if self.points is None else list(self.points),
            "luck": None if luck is None else list(luck),
            "luck_stderr": self.luck_stderr,
            "deals": [deal.to_dict() for deal in self.deals],
            "decisions": [
                decision.to_dict() | {"open_hands": _opinion(self.open_ply(decision))}
                for decision in self.decisions
            ],
            "open_hands": None
            if self.open is None
            else {"exact": self.open.exact, "stop": self.open.stop, "nodes": self.open.nodes},
        }


def _opinion(ply: ReviewedPly | None) -> dict[str, object] | None:
    if ply is None or ply.best is None:
        return None
    return {
        "value": ply.value,
        "best": ply.best.text,
        "best_value": ply.best_value,
        "loss": ply.loss,
    }


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision worth a second look."""

    kind: str
    """`cost`, for what it lost; or `swing`, for what had come between it and the one before"""
    round: int
    ply: int
    value: float
    """What it lost on its scale; or how far the expected lead of `Review.side`, or of the single
    player who moves, had moved, in points"""
    dealt: bool = False
    """Of a swing: were cards dealt in between?"""

    def to_dict(self) -> dict[str, object]:
        """The JSON of a moment."""
        found: dict[str, object] = {
            "kind": self.kind,
            "round": self.round,
            "ply": self.ply,
            "value": self.value,
        }
        return found | ({"dealt": self.dealt} if self.kind == "swing" else {})


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """What became of a seat's decisions."""

    seat: int
    name: str
    counts: tuple[tuple[str, int], ...]
    """How often each of `VERDICTS` was said; together all decisions of the seat"""
    lost: float
    """Points that its marked decisions lost"""
    win_lost: float | None
    """Chances to win the match that they lost, added up; None where none are told"""

    @property
    def decisions(self) -> int:
        """All of them."""
        return sum(count for _, count in self.counts)

    def to_dict(self) -> dict[str, object]:
        """The JSON of a seat."""
        return {
            "seat": self.seat + 1,
            "name": self.name,
            "decisions": self.decisions,
            "verdicts": dict(self.counts),
            "lost": self.lost,
            "win_lost": self.win_lost,
        }


@dataclass(frozen=True, slots=True)
class Review:
    """What every decision of the seats reviewed cost, luck apart from that, and what to look at.

    Made by `basra.review`; an immutable value.  Decisions are judged for what the seat knew then;
    `ReviewedRound.open` alone is with all cards known.
    """

    rules: Rules
    players: int
    partners: bool
    names: tuple[Seat, ...]
    """Who sits where"""
    reviewed: tuple[int, ...]
    """The seats reviewed"""
    settings: ReviewSettings
    seed: int
    in_match: bool
    """Is the record one of a match, or of a part of it, and not of a single round?"""
    winner: int | None
    """The side that has won the match"""
    rounds: tuple[ReviewedRound, ...]
    moments: tuple[Moment, ...]
    """In the order played"""
    stop: str
    """`complete`; or `requested` or `interrupted`: then decisions at the end are `unreached`,
    and luck and second opinions that were not come to are left out"""
    nodes: int
    seconds: float

    @property
    def sides(self) -> int:
        """2 in a partnership, else the players."""
        return sides_of(self.players, self.partners)

    @property
    def side(self) -> int:
        """The side whose leads are told where there are two: that of the first seat reviewed."""
        return self.reviewed[0] % self.sides

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All decisions, in the order played."""
        return tuple(decision for found in self.rounds for decision in found.decisions)

    @property
    def marked(self) -> tuple[Decision, ...]:
        """The decisions that have a mark."""
        return tuple(decision for decision in self.decisions if decision.mark is not None)

    @property
    def seats(self) -> tuple[SeatSummary, ...]:
        """What became of the decisions of each seat reviewed."""
        return tuple(
            _summary(seat, self.names[seat].name, _of(seat, self.decisions))
            for seat in self.reviewed
        )

    def decision(self, moment: Moment) -> Decision:
        """The decision of a moment."""
        return next(
            found
            for found in self.decisions
            if (found.round, found.ply) == (moment.round, moment.ply)
        )

    def html(self, lang: str | Language = "en", deck: str = DEFAULT_DECK) -> str:
        """A page that stands alone: for a browser, a phone, or paper.

        Raises ArgumentError for a language or a deck that there is not.
        """
        from basra.html.review_page import review_page

        wanted = language(lang) if isinstance(lang, str) else lang
        return review_page(self, wanted, deck)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from basra.html.review_page import review_html

        return review_html(self)

    def to_dict(self) -> dict[str, object]:
        """The JSON of `basra review FILE`."""
        return {
            "schema": SCHEMA_REVIEW,
            "rules": {"name": self.rules.name, "hash": self.rules.hash},
            "players": self.players,
            "partners": self.partners,
            "method": self.settings.method,
            "trust": self.settings.trust,
            "seed": self.seed,
            "in_match": self.in_match,
            "winner": None if self.winner is None else self.winner + 1,
            "scale": {
                name: dict(zip(MARKS, scale.least, strict=True)) for name, scale in SCALES.items()
            },
            "seats": [seat.to_dict() for seat in self.seats],
            "moments": [moment.to_dict() for moment in self.moments],
            "rounds": [found.to_dict() for found in self.rounds],
            "stop": self.stop,
            "nodes": self.nodes,
            "seconds": self.seconds,
        }


def _of(seat: int, decisions: Iterable[Decision]) -> Iterator[Decision]:
    return (decision for decision in decisions if decision.seat == seat)


def _summary(seat: int, name: str, decisions: Iterable[Decision]) -> SeatSummary:
    listed = list(decisions)
    counts = Counter(decision.verdict for decision in listed)
    marked = [decision for decision in listed if decision.mark is not None]
    told = any(decision.win is not None for decision in listed)
    return SeatSummary(
        seat, name, tuple((verdict, counts[verdict]) for verdict in VERDICTS),
        math.fsum(decision.loss or 0.0 for decision in marked),
        math.fsum(decision.win_loss or 0.0 for decision in marked) if told else None,
    )  # fmt: skip
