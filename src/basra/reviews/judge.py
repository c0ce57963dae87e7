"""One decision: every move as the method values it, and how far the one played is behind."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from basra import _core
from basra.engine import Engine
from basra.limits import DEFAULT_WORLDS, Limits
from basra.models import POLICY, Model, parts_of
from basra.moves import Move
from basra.results import Hint
from basra.reviews.comparing import Compared, compared
from basra.reviews.settings import ReviewSettings
from basra.rules import Rules
from basra.view import View

WORLDS_OF_MORE = 12
"""Worlds of the player `best` with more than two players; with two it has as many as a hint"""


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found about a decision."""

    hint: Hint
    chances: tuple[float, ...] | None
    """To win the match, with each of the hint's moves; None where that tells them itself, or they
    are not looked at, or not known"""
    played: Compared


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
        hint = self._ask(view)
        chances = self._chances(view, hint)
        return Judged(hint, chances, compared(hint.method, hint.moves, chances, played))

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

    def _chances(self, view: View, hint: Hint) -> tuple[float, ...] | None:
        """What the moves' values are worth in the match, where the hint does not tell."""
        values = [entry.value for entry in hint.moves if entry.value is not None]
        if not self._in_match or self._model is None or hint.best.match is not None:
            return None
        if len(values) < len(hint.moves):
            return None
        units = array("i", [round(value * _core.UNIT) for value in values])
        try:
            found = _core.match_chances(self._model._data, view.data, units)
        except _core.CoreError:
            return None
        return tuple(chance / _core.SURE for chance in found)
