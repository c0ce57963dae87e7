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
from basra.engine import Engine, hint, review, solve
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
from basra.players import Chooser, Player
from basra.position import Position
from basra.record import DealRecord, Estimate, Record, RecordError, RoundRecord, Seat, Turn
from basra.results import Chance, Hint, HintMove, Reason, Solution, SolvedMove
from basra.review import Review, ReviewedPly
from basra.rules import Rules, preset_names
from basra.view import View

if TYPE_CHECKING:
    from basra.record import read_record, write_record

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
    "Opening",
    "Player",
    "Position",
    "PositionError",
    "Reason",
    "Record",
    "RecordError",
    "Review",
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


def __getattr__(name: str) -> object:
    """Files of records are for who asks for them: a hint starts sooner without."""
    if name not in ("read_record", "write_record"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from basra import record

    return getattr(record, name)
