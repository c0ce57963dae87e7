"""Open reviews: what every move of a line cost, with all cards known to everybody."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from basra.errors import ArgumentError
from basra.moves import Move, move_of
from basra.position import Position, divisor_of, sides_of
from basra.results import STOPS, SolvedMove, quotient, solved_moves

SCHEMA_REVIEW = "basra.review/1"


@dataclass(frozen=True, slots=True)
class ReviewedPly:
    """One move of a line: what it was worth, and what the best one was.

    Values are for the side that moves here, as those of `Solution`.  `value`, `best`, `best_value`
    and `loss` are None if the search was stopped before it knew every move of the ply.
    """

    ply: int
    """1 for the first of the line"""
    seat: int
    """Who moves, from 0"""
    played: Move
    value: int | float | None
    best: Move | None
    """The played move if no other is better, else the first of the best ones."""
    best_value: int | float | None
    loss: int | float | None
    """What the played move is behind the best, in points: 0 or more, exact"""
    _end: Position
    _back: int
    _scored: tuple[Any, ...]

    @property
    def position(self) -> Position:
        """The position before the move."""
        before = self._end.copy()
        for _ in range(self._back):
            before.undo()
        return before

    @property
    def moves(self) -> tuple[SolvedMove, ...]:
        """Every legal move up to equal cards, best first; empty if the ply was not reached."""
        return solved_moves(list(self._scored), divisor_of(self._end))

    def to_dict(self) -> dict[str, object]:
        """The JSON of one ply of `basra review`."""
        return {
            "ply": self.ply,
            "seat": self.seat + 1,
            "position": self.position.notation,
            "played": self.played.text,
            "value": self.value,
            "best": None if self.best is None else self.best.text,
            "best_value": self.best_value,
            "loss": self.loss,
            "moves": [move.to_dict() for move in self.moves],
        }


@dataclass(frozen=True, slots=True)
class OpenReview:
    """Every ply of the line that led to a position, oldest first; all cards known to everybody.

    `exact` is False if the search was stopped: then plies at the start of the line have no values.
    """

    exact: bool
    stop: str
    nodes: int
    seconds: float
    plies: tuple[ReviewedPly, ...]
    losses: tuple[int | float, ...]
    """Points lost by each side, from side 0, in the plies that were reached"""

    @classmethod
    def of(
        cls, position: Position, found: list[Any], nodes: int, stop: int, seconds: float
    ) -> OpenReview:
        """Not for users: from what the core found about a position that nobody changes."""
        if not found:
            raise ArgumentError(
                "has no moves to review", field="position", fix="give one that has been played on"
            )
        plays = position.data.fields()["plays"]
        plies = tuple(
            _ply(position, number, play, *entry)
            for number, (play, entry) in enumerate(zip(plays, found, strict=True), 1)
        )
        sides = sides_of(position.players, position.partners)
        return cls(
            exact=stop == 0 and all(ply.loss is not None for ply in plies),
            stop=STOPS[stop],
            nodes=nodes,
            seconds=seconds,
            plies=plies,
            losses=tuple(
                _total(ply.loss for ply in plies if ply.seat % sides == side)
                for side in range(sides)
            ),
        )

    def to_dict(self) -> dict[str, object]:
        """The JSON of `basra review`; `stop` is there only when it was stopped."""
        found: dict[str, object] = {
            "schema": SCHEMA_REVIEW,
            "exact": self.exact,
            "plies": [ply.to_dict() for ply in self.plies],
            "losses": list(self.losses),
            "nodes": self.nodes,
            "seconds": self.seconds,
        }
        if self.stop != "complete":
            found["stop"] = self.stop
        return found


def _ply(
    end: Position, number: int, play: tuple[int, ...], scored: list[Any], best: int, played: int
) -> ReviewedPly:
    divisor = divisor_of(end)
    done = bool(scored) and all(entry[4] for entry in scored)
    most = scored[best][1] if done else 0
    mine = scored[played][1] if done else 0
    card, taken, basra, points, seat, _ = play
    move = move_of((card, taken, basra, points))
    first = move_of(scored[best][0]) if done else None
    return ReviewedPly(
        ply=number,
        seat=seat,
        played=move,
        value=quotient(mine, divisor) if done else None,
        best=move if done and mine == most else first,
        best_value=quotient(most, divisor) if done else None,
        loss=quotient(most - mine, divisor) if done else None,
        _end=end,
        _back=len(end.data.fields()["plays"]) - number + 1,
        _scored=tuple(scored),
    )


def _total(losses: Iterable[int | float | None]) -> int | float:
    return sum(loss for loss in losses if loss is not None)
