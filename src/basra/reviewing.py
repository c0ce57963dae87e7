"""`review`: what every move cost, of games that were played and of lines of a position."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, overload

from basra.engine import Engine
from basra.limits import Limits
from basra.models import Model
from basra.open_review import OpenReview
from basra.position import Position

if TYPE_CHECKING:
    from basra.game import Game
    from basra.match import Match
    from basra.record.model import Record
    from basra.reviews import Review


@overload
def review(
    played: Position, *, limits: Limits | None = None, table_bytes: int = 0
) -> OpenReview: ...


@overload
def review(
    played: Record | Match | Game,
    *,
    limits: Limits | None = None,
    table_bytes: int = 0,
    seats: Sequence[int] | None = None,
    method: str = "best",
    trust: int = 100,
    seed: int | None = None,
    model: Model | Literal["default"] | None = "default",
    threads: int = 1,
    progress: Callable[[int, int], object] | None = None,
) -> Review: ...


def review(
    played: Position | Record | Match | Game,
    *,
    limits: Limits | None = None,
    table_bytes: int = 0,
    seats: Sequence[int] | None = None,
    method: str = "best",
    trust: int = 100,
    seed: int | None = None,
    model: Model | Literal["default"] | None = "default",
    threads: int = 1,
    progress: Callable[[int, int], object] | None = None,
) -> OpenReview | Review:
    """What every move cost: of a game for what each seat knew, of a position with open hands.

    A record, a match or a game of one round: every decision of the seats given (from 0; by default
    those where no engine player sits, or all) is judged for what the seat could know, with marks,
    luck apart, and key moments; see `Review` and docs/review.md.  `limits` are those of each
    decision.  Method, trust and seed are by default those of the player `full`, with the record's
    seed: its own games have no marks.  `progress` is told how many decisions are done, of how many.

    A position: every move that led to it from where it was dealt or set up.  All cards are taken as
    known to everybody: this tells what was possible, not what a player could know.  The line is
    gone through from its end; a limit leaves the plies before it not reached.

    Raises ArgumentError if nothing has been played in a position, and for arguments out of range.

    >>> line = Position.setup("5S 9D/KH QC", "5H 2C").play("9D").play("KH")
    >>> [(ply.played.text, ply.loss) for ply in review(line).plies]
    [('9D', 0), ('KH', 0)]
    """
    with Engine(threads, table_bytes) as engine:
        if isinstance(played, Position):
            return engine.review(played, limits)
        from basra.reviews.settings import ReviewSettings

        settings = ReviewSettings(method, limits or Limits(), trust, seed, model)
        return engine.review(played, seats=seats, settings=settings, progress=progress)
