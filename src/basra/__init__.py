"""Basra: a solver and hint engine for the fishing card game.

>>> import basra
>>> basra.hint(hand="7D 5C KH 2S", floor="3C 2H 5S").best.move.text
'5Cx2H3C5S*'
"""

from basra import _core
from basra.bulk import Solutions, Solved, solve_many, solve_stream
from basra.cards import Card, Cards, parse_cards
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
from basra.limits import Limits
from basra.models import Model, default_model
from basra.moves import Captures, Move, captures, parse_move
from basra.position import Position
from basra.results import Chance, Hint, HintMove, Reason, Solution, SolvedMove
from basra.review import Review, ReviewedPly
from basra.rules import Rules, preset_names
from basra.view import View

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
    "Engine",
    "EngineBusyError",
    "GameOverError",
    "Hint",
    "HintMove",
    "IllegalMoveError",
    "InternalError",
    "KnowledgeError",
    "Limits",
    "Model",
    "ModelError",
    "Move",
    "NotationError",
    "Position",
    "PositionError",
    "Reason",
    "Review",
    "ReviewedPly",
    "Rules",
    "RulesError",
    "Solution",
    "Solutions",
    "Solved",
    "SolvedMove",
    "StoppedError",
    "TooLargeError",
    "View",
    "__version__",
    "captures",
    "default_model",
    "hint",
    "parse_cards",
    "parse_move",
    "preset_names",
    "review",
    "solve",
    "solve_many",
    "solve_stream",
]
