"""How far a move of a decision is behind the best one, and what is said of it.

One answer for the move that was played, in a review, and for any other, in a quiz.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from basra import _core
from basra.moves import Move
from basra.results import HintMove
from basra.reviews.marks import SCALES, SURE

_DRAWING_NOTHING = ("greedy", "careful", "endgame")


@dataclass(frozen=True, slots=True)
class Compared:
    """What was found about a move; losses are against the best one."""

    best: HintMove
    move: HintMove
    loss: float
    stderr: float | None
    """Of the loss: 0 where nothing is drawn, None where it is not known"""
    best_win: float | None
    win: float | None
    """Chances to win the match; None where they are not looked at, or not known"""
    win_loss: float | None
    win_stderr: float | None
    behind: float
    """Points behind the move that brings most of them"""

    @property
    def verdict(self) -> str:
        """What the scale says: by the chance to win the match where that is known.

        A move that no other beats in points is then close at worst: players, `full` among them,
        play for points, and a chance that asks to give some away is an estimate of an estimate.
        """
        if self.move.value is None:
            return "unreached"
        if self.win_loss is None:
            return SCALES["points"].verdict(self.loss, self.stderr)
        found = SCALES["win"].verdict(self.win_loss, self.win_stderr)
        return found if found == "best" or self._beaten_in_points else "close"

    @property
    def _beaten_in_points(self) -> bool:
        return self.behind > max(SURE * (self.stderr or 0.0), 1 / _core.UNIT)


def compared(
    method: str, moves: Sequence[HintMove], chances: Sequence[float] | None, move: Move
) -> Compared:
    """What is to be said of a move, given all moves as a method values them, best first.

    `chances` are those to win the match with each of the moves, where the method itself tells none.
    """
    place = place_of(moves, move)
    best, mine = moves[0], moves[place]
    if mine.value is None or best.value is None or mine.delta is None:
        # Stopped before its first world.
        return Compared(best, mine, 0.0, None, None, None, None, None, 0.0)
    behind = max(entry.value for entry in moves if entry.value is not None) - mine.value
    stderr = 0.0 if method.startswith(_DRAWING_NOTHING) else mine.delta_stderr
    if mine.match is not None and best.match is not None:
        return Compared(
            best, mine, mine.delta, stderr, best.match.win, mine.match.win, mine.match.delta,
            mine.match.delta_stderr, behind,
        )  # fmt: skip
    if chances is None:
        return Compared(best, mine, mine.delta, stderr, None, None, None, None, behind)
    gap = chances[0] - chances[place]
    # Between the two values the chance is about a straight line.
    error = stderr * gap / mine.delta if stderr and mine.delta else stderr
    return Compared(best, mine, mine.delta, stderr, chances[0], chances[place], gap, error, behind)


def place_of(moves: Sequence[HintMove], move: Move) -> int:
    """Where a legal move, or its equal, stands among moves; ValueError if it is none of them."""
    for place, entry in enumerate(moves):
        if move in (entry.move, *entry.equal):
            return place
    raise ValueError(f"{move.text} is none of the moves")
