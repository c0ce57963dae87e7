"""Basra: a solver and hint engine for the fishing card game.

>>> import basra
>>> basra.hint(hand="7D 5C KH 2S", floor="3C 2H 5S").best.move.text
'5Cx2H3C5S*'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from basra import _core
from basra.bulk import Solutions, Solved, solve_many, solve_stream
from basra.cards import Card, Cards, parse_cards
from basra.completion import Opening
from basra.engine import Engine, hint, solve
from basra.errors import (
    ArgumentError,
    BasraError,
    BasraMemoryError,
    BoundsError,
    CardError,
    EngineBusyError,
    GameOverError,
    IllegalMoveError,
    InternalError,
    KnowledgeError,
    ModelError,
    NotationError,
    PositionError,
    RulesError,
    StoppedError,
    TooLargeError,
)
from basra.game import Game
from basra.limits import Limits
from basra.match import Match
from basra.models import Model, default_model
from basra.moves import Captures, Move, captures, parse_move
from basra.open_review import OpenReview, ReviewedPly
from basra.players import Chooser, HasMove, Player
from basra.position import Position
from basra.record import DealRecord, Estimate, Record, RecordError, RoundRecord, Seat, Turn
from basra.results import Chance, Hint, HintMove, Reason, Solution, SolvedMove
from basra.reviewing import review
from basra.rules import Rules, preset_names
from basra.view import View

if TYPE_CHECKING:
    from basra.record import read_record, write_record
    from basra.reviews import Review, ReviewSettings

__version__ = _core.VERSION
"""The version of package and core; asking the installer would take longer than a hint."""

__all__ = [
    "ArgumentError",
    "BasraError",
    "BasraMemoryError",
    "BoundsError",
    "Captures",
    "Card",
    "CardError",
    "Cards",
    "Chance",
    "Chooser",
    "DealRecord",
    "Engine",
    "EngineBusyError",
    "Estimate",
    "Game",
    "GameOverError",
    "HasMove",
    "Hint",
    "HintMove",
    "IllegalMoveError",
    "InternalError",
    "KnowledgeError",
    "Limits",
    "Match",
    "Model",
    "ModelError",
    "Move",
    "NotationError",
    "OpenReview",
    "Opening",
    "Player",
    "Position",
    "PositionError",
    "Reason",
    "Record",
    "RecordError",
    "Review",
    "ReviewSettings",
    "ReviewedPly",
    "RoundRecord",
    "Rules",
    "RulesError",
    "Seat",
    "Solution",
    "Solutions",
    "Solved",
    "SolvedMove",
    "StoppedError",
    "TooLargeError",
    "Turn",
    "View",
    "__version__",
    "captures",
    "default_model",
    "hint",
    "parse_cards",
    "parse_move",
    "preset_names",
    "read_record",
    "review",
    "solve",
    "solve_many",
    "solve_stream",
    "write_record",
]


_LATER = {
    "read_record": "record",
    "write_record": "record",
    "Review": "reviews",
    "ReviewSettings": "reviews",
}
"""Where to find what is for who asks for it: a hint starts sooner without."""


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"basra.{_LATER[name]}"), name)
