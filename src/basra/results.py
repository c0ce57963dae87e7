"""Results of searches: immutable, comparable, and the JSON they stand for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from basra import _core
from basra.moves import Move, move_of
from basra.words import reason_text

if TYPE_CHECKING:
    from basra.position import Position

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
    """One computed fact about a move: its code, the cards it is about, and a number.

    `words.reason_text` says it in any language.  What that needs beyond code, cards and value:
    `about` is the reply that a belief is about, or where a power card is at risk, `floor` or
    `hand`; `played` the card that takes, or that told of a hand.
    """

    code: str
    cards: tuple[str, ...]
    value: float
    about: str = ""
    played: str = ""

    @property
    def text(self) -> str:
        """The reason in English."""
        return reason_text(self)

    def to_dict(self) -> dict[str, object]:
        """The JSON of a reason."""
        return {
            "code": self.code,
            "cards": list(self.cards),
            "value": self.value,
            "text": self.text,
        }


@dataclass(frozen=True, slots=True)
class Chance:
    """My side's chance to win the match with a move, 0 to 1; errors as in `HintMove`.

    `delta` is the best move's chance minus this one, never negative.  An estimate: how the rest of
    the round goes, and the match after it, is taken from rounds that the engine played with itself.
    """

    win: float
    stderr: float | None
    delta: float
    delta_stderr: float | None

    def to_dict(self) -> dict[str, object]:
        """The JSON of a chance."""
        return {
            "win": self.win,
            "stderr": self.stderr,
            "delta": self.delta,
            "delta_stderr": self.delta_stderr,
        }


@dataclass(frozen=True, slots=True)
class HintMove:
    """A move with its expected value for my side, in round points, what it brings at once included.

    `stderr` is the standard error of `value`, `delta` best minus this, `delta_stderr` the standard
    error of that difference on the same worlds: 0 where nothing is sampled, None with a single
    sampled world.  `value` is None if the search ended before its first world.  `points` are the
    expected points of every seat, from mine, at tables of single players.  `equal` are the other
    legal moves that differ only in equal cards.  `match` is there when the hint is for the match:
    then moves are ranked by it, and `delta` can be negative.
    """

    move: Move
    value: float | None
    stderr: float | None
    delta: float | None
    delta_stderr: float | None
    equal: tuple[Move, ...]
    reasons: tuple[Reason, ...]
    points: tuple[float, ...] | None = None
    match: Chance | None = None

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
        if self.match is not None:
            found["match"] = self.match.to_dict()
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
    trust: int = 0
    objective: str = "points"

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
            "trust": self.trust,
            "objective": self.objective,
            "worlds_complete": self.worlds_complete,
            "stop": self.stop,
            "worlds": self.worlds,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "seed": self.seed,
            "moves": [move.to_dict() for move in self.moves],
        }

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from basra.html import hint_html

        return hint_html(self)


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


def quotient(number: int, divisor: int) -> int | float:
    """A value in points from the core's form of it: whole if it can be."""
    return number // divisor if number % divisor == 0 else number / divisor


def solved_moves(scored: list[Any], divisor: int) -> tuple[SolvedMove, ...]:
    """The core's moves with their values, equal cards together, best first.

    With a divisor other than 1, that of single players, they have points as well.
    """
    groups: dict[int, list[tuple[Move, Any]]] = {}
    for entry in scored:
        groups.setdefault(entry[3], []).append((move_of(entry[0]), entry))
    moves = []
    for members in groups.values():
        move, (_, number, points, _, known) = members[0]
        moves.append(
            SolvedMove(
                move=move,
                value=quotient(number, divisor) if known else None,
                equal=tuple(other for other, _ in members[1:]),
                points=points if divisor > 1 and known else None,
            )
        )
    # Best first; the sort is stable, so equal values stay in canonical order.
    return tuple(sorted(moves, key=lambda m: (m.value is None, -(m.value or 0))))


class Solution(_core.SolutionData):
    """Exact values of a position with all cards known, for the side to move.

    `value` is future round points, own minus the other side's; for single players own minus the
    mean of the others', and `points` those of every seat from the seat to move.  `exact` is False
    if the search was stopped before it was done; then `value` may be None.  `nodes` and `seconds`
    are those of the search that was asked for.

    `moves` and `line` are searched when they are first asked for, and kept: with the engine that
    found the value if it is idle, else with another one, under the same limits anew.  A limit that
    ends that search leaves values of moves None and the line empty, and takes nothing from `value`
    and `exact`; an exception leaves all as it was.  A value that was not found is not searched for
    again: its moves have no values.

    An immutable value.  Comparing two asks for all of both, unless they differ before.
    """

    __slots__ = ()

    @property
    def stop(self) -> str:
        """Why the search ended."""
        return STOPS[self._stop]

    @property
    def position(self) -> Position:
        """A copy of the position that was solved."""
        from basra.position import Position

        return Position(self._rules, self._position).copy()

    @property
    def moves_known(self) -> bool:
        """Were `moves` found already, so that asking for them starts no search?"""
        return self._moves is not None

    @property
    def moves(self) -> tuple[SolvedMove, ...]:
        """Every legal move up to equal cards with its value, best first."""
        if self._moves is None:
            self._source.search(self, line=False)
        assert self._moves is not None
        return self._moves

    @property
    def line(self) -> tuple[Move, ...]:
        """Best play to the round's end; empty if the search for it was stopped."""
        if self._line is None:
            self._source.search(self, line=True)
        assert self._line is not None
        return self._line

    @property
    def best(self) -> SolvedMove:
        """The best move known."""
        return self.moves[0]

    def to_dict(self, *, moves: bool = True, line: bool = True) -> dict[str, object]:
        """The JSON of `basra solve`, all asked for; `stop` is there only when it was stopped.

        Without moves or line that part is left out, and not searched for.
        """
        found: dict[str, object] = {
            "schema": SCHEMA_SOLVE,
            "value": self.value,
            "exact": self.exact,
        }
        best = self.line if line else ()  # first, as it brings the moves
        if moves:
            found["moves"] = [move.to_dict() for move in self.moves]
        if line:
            found["line"] = [move.text for move in best]
        found["nodes"] = self.nodes
        found["seconds"] = self.seconds
        if self.points is not None:
            found["points"] = list(self.points)
        if self.stop != "complete":
            found["stop"] = self.stop
        return found

    def _plain(self) -> tuple[object, ...]:
        return self.value, self.exact, self.stop, self.nodes, self.seconds, self.points

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Solution):
            return NotImplemented
        if self is other:
            return True
        if self._plain() != other._plain():
            return False
        return self.line == other.line and self.moves == other.moves

    def __hash__(self) -> int:
        return hash(self._plain())

    def __repr__(self) -> str:
        return (
            f"Solution(value={self.value}, exact={self.exact}, stop={self.stop!r}, "
            f"nodes={self.nodes}, seconds={self.seconds}, points={self.points})"
        )

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from basra.html import solution_html

        return solution_html(self)

    def __reduce__(self) -> tuple[object, ...]:
        *start, position, rules, limits, moves, line = self._state()
        state = (*start, position.image(), rules, limits, moves, line)
        return (_restore_solution, (state, self._source))


def _restore_solution(state: tuple[Any, ...], source: object) -> Solution:
    *start, image, rules, limits, moves, line = state
    position = _core.PositionData.restore(rules.data, image)
    return Solution.restore(Solution, (*start, position, rules, limits, moves, line), source)
