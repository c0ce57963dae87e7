"""Results of searches: immutable, comparable, and the JSON they stand for."""

from __future__ import annotations

from dataclasses import dataclass

from basra.moves import Move

SCHEMA_HINT = "basra.hint/1"
SCHEMA_SOLVE = "basra.solve/1"

STOPS = (
    "complete",
    "settled",
    "worlds",
    "nodes",
    "time",
    "requested",
    "interrupted",
    "memory",
)
"""Why a search ended, by the core's code."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One computed fact about a move: its code, the cards it is about, a number, and English."""

    code: str
    cards: tuple[str, ...]
    value: float
    text: str

    def to_dict(self) -> dict[str, object]:
        """The JSON of a reason."""
        return {
            "code": self.code,
            "cards": list(self.cards),
            "value": self.value,
            "text": self.text,
        }


@dataclass(frozen=True, slots=True)
class HintMove:
    """A move with its expected value for my side, in round points, what it brings at once included.

    `stderr` is the standard error of `value`, `delta` best minus this, `delta_stderr` the standard
    error of that difference on the same worlds: 0 where nothing is sampled, None with a single
    sampled world.  `value` is None if the search ended before its first world.  `points` are the
    expected points of every seat, from mine, at tables of single players.  `equal` are the other
    legal moves that differ only in equal cards.
    """

    move: Move
    value: float | None
    stderr: float | None
    delta: float | None
    delta_stderr: float | None
    equal: tuple[Move, ...]
    reasons: tuple[Reason, ...]
    points: tuple[float, ...] | None = None

    def to_dict(self) -> dict[str, object]:
        """The JSON of one move of `basra hint`."""
        found: dict[str, object] = {
            "move": self.move.text,
            "card": str(self.move.card),
            "captures": self.move.captures.texts,
            "basra": self.move.basra,
            "value": self.value,
            "stderr": self.stderr,
            "delta": self.delta,
            "delta_stderr": self.delta_stderr,
            "equal": [move.text for move in self.equal],
            "reasons": [reason.to_dict() for reason in self.reasons],
        }
        if self.points is not None:
            found["points"] = list(self.points)
        return found


@dataclass(frozen=True, slots=True)
class Hint:
    """What to play: every legal move up to equal cards, best first."""

    position: str
    rules_name: str
    rules_hash: str
    assumed: tuple[tuple[str, str], ...]
    method: str
    exact: bool
    worlds_complete: bool
    stop: str
    worlds: int
    nodes: int
    seconds: float
    seed: int
    moves: tuple[HintMove, ...]

    @property
    def best(self) -> HintMove:
        """The best move."""
        return self.moves[0]

    def to_dict(self) -> dict[str, object]:
        """The JSON of `basra hint`."""
        return {
            "schema": SCHEMA_HINT,
            "position": self.position,
            "rules": {"name": self.rules_name, "hash": self.rules_hash},
            "assumed": dict(self.assumed),
            "method": self.method,
            "exact": self.exact,
            "worlds_complete": self.worlds_complete,
            "stop": self.stop,
            "worlds": self.worlds,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "seed": self.seed,
            "moves": [move.to_dict() for move in self.moves],
        }


@dataclass(frozen=True, slots=True)
class SolvedMove:
    """A move with its exact value; None if the search ended before it was reached."""

    move: Move
    value: int | float | None
    equal: tuple[Move, ...]
    points: tuple[int, ...] | None = None

    def to_dict(self) -> dict[str, object]:
        """The JSON of one move of `basra solve`."""
        found: dict[str, object] = {
            "move": self.move.text,
            "value": self.value,
            "equal": [move.text for move in self.equal],
        }
        if self.points is not None:
            found["points"] = list(self.points)
        return found


@dataclass(frozen=True, slots=True)
class Solution:
    """Exact values of a position with all cards known, for the side to move.

    `value` is future round points, own minus the other side's; for single players own minus the
    mean of the others', and `points` those of every seat from the seat to move.  `line` is best
    play to the round's end.  `exact` is False if the search was stopped: then only the moves with a
    value are known, and `value` is the best of them or None.
    """

    value: int | float | None
    exact: bool
    stop: str
    moves: tuple[SolvedMove, ...]
    line: tuple[Move, ...]
    nodes: int
    seconds: float
    points: tuple[int, ...] | None = None

    @property
    def best(self) -> SolvedMove:
        """The best move known."""
        return self.moves[0]

    def to_dict(self) -> dict[str, object]:
        """The JSON of `basra solve`; `stop` is there only when it was stopped."""
        found: dict[str, object] = {
            "schema": SCHEMA_SOLVE,
            "value": self.value,
            "exact": self.exact,
            "moves": [move.to_dict() for move in self.moves],
            "line": [move.text for move in self.line],
            "nodes": self.nodes,
            "seconds": self.seconds,
        }
        if self.points is not None:
            found["points"] = list(self.points)
        if self.stop != "complete":
            found["stop"] = self.stop
        return found
