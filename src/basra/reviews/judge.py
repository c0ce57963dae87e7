"""One decision: every move as the method values it, and how far the one played is behind."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from basra import _core
from basra.engine import Engine
from basra.limits import DEFAULT_WORLDS, Limits
from basra.models import POLICY, Model, parts_of
from basra.moves import Move
from basra.results import Hint, HintMove
from basra.reviews.marks import SCALES, SURE
from basra.reviews.settings import ReviewSettings
from basra.rules import Rules
from basra.view import View

WORLDS_OF_MORE = 12
"""Worlds of the player `best` with more than two players; with two it has as many as a hint"""


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found about a decision; losses are of the move played against the best one."""

    hint: Hint
    best: HintMove
    played: HintMove
    loss: float
    stderr: float | None
    """Of the loss: 0 where nothing is drawn, None where it is not known"""
    best_win: float | None
    win: float | None
    """Chances to win the match; None where they are not looked at, or not known"""
    win_loss: float | None
    win_stderr: float | None

    @property
    def verdict(self) -> str:
        """What the scale says: by the chance to win the match where that is known.

        A move that no other beats in points is then close at worst: players, `full` among them,
        play for points, and a chance that asks to give some away is an estimate of an estimate.
        """
        if self.win_loss is None:
            return SCALES["points"].verdict(self.loss, self.stderr)
        found = SCALES["win"].verdict(self.win_loss, self.win_stderr)
        return found if found == "best" or self._beaten_in_points else "close"

    @property
    def _beaten_in_points(self) -> bool:
        values = [move.value for move in self.hint.moves if move.value is not None]
        behind = max(values) - (self.played.value or 0.0)
        return behind > max(SURE * (self.stderr or 0.0), 1 / _core.UNIT)


class Judge:
    """Judges decisions with one engine."""

    def __init__(
        self, engine: Engine, rules: Rules, settings: ReviewSettings, seed: int, in_match: bool
    ) -> None:
        self._engine = engine
        self._settings = settings
        self._model: Model | None = settings.model_for(rules)
        self._seed = seed
        self._in_match = in_match
        self._policy = self._model is not None and any(
            part.kind == POLICY for part in parts_of(self._model.bytes)
        )

    def judge(self, view: View, played: Move) -> Judged:
        """StoppedError if the limits were too narrow for any answer."""
        return self._compared(view, self._ask(view), played)

    def _ask(self, view: View) -> Hint:
        method = self._method(view)
        limits = self._settings.limits
        if self._settings.method == "best" and method == "worlds" and limits == Limits():
            limits = Limits(worlds=DEFAULT_WORLDS if view.players == 2 else WORLDS_OF_MORE)
        return self._engine.hint(
            view,
            limits,
            seed=self._seed,
            model=self._model,
            trust=self._settings.trust,
            method=method,
        )

    def _method(self, view: View) -> str:
        """`best` is a player of several: the one that it would be here."""
        if self._settings.method != "best":
            return self._settings.method
        if view.is_last_deal or view.players > 2 or not self._policy:
            return "worlds"
        return "expectimax"

    def _compared(self, view: View, hint: Hint, played: Move) -> Judged:
        mine, best = entry_of(hint, played), hint.best
        if mine.value is None or best.value is None or mine.delta is None:
            # Stopped before its first world.
            return Judged(hint, best, mine, 0.0, None, None, None, None, None)
        stderr = mine.delta_stderr
        if hint.method.startswith(_DRAWING_NOTHING):
            stderr = 0.0
        if mine.match is not None and best.match is not None:
            return Judged(
                hint, best, mine, mine.delta, stderr, best.match.win, mine.match.win,
                mine.match.delta, mine.match.delta_stderr,
            )  # fmt: skip
        chances = self._chances(view, [best.value, mine.value])
        if chances is None:
            return Judged(hint, best, mine, mine.delta, stderr, None, None, None, None)
        gap = chances[0] - chances[1]
        # Between the two values the chance is about a straight line.
        error = stderr * gap / mine.delta if stderr and mine.delta else stderr
        return Judged(hint, best, mine, mine.delta, stderr, chances[0], chances[1], gap, error)

    def _chances(self, view: View, values: Sequence[float]) -> list[float] | None:
        """What values are worth in the match; None if that does not matter or is not known."""
        if not self._in_match or self._model is None:
            return None
        units = array("i", [round(value * _core.UNIT) for value in values])
        try:
            found = _core.match_chances(self._model._data, view.data, units)
        except _core.CoreError:
            return None
        return [chance / _core.SURE for chance in found]


_DRAWING_NOTHING = ("greedy", "careful", "endgame")


def entry_of(hint: Hint, move: Move) -> HintMove:
    """What a hint says of a legal move, or of its equal."""
    return next(entry for entry in hint.moves if move in (entry.move, *entry.equal))
