"""What each request asks of the package, and what is told in its answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import basra
from basra.batch import MAX_LINE, described_position
from basra.engine import METHODS, Engine, is_worlds
from basra.errors import ArgumentError, GameOverError, PositionError, StoppedError
from basra.game import Game
from basra.limits import Limits
from basra.match import Match
from basra.models import DEFAULT_TRUST
from basra.moves import Move, captures
from basra.notation import parse_position, parse_rules, position_text
from basra.players import LEVELS, Player, model_of
from basra.players import METHODS as PLAYERS
from basra.position import Position
from basra.record import DealRecord, Record, RoundRecord
from basra.rules import Rules, preset_names
from basra.serve.fields import TYPES
from basra.serve.protocol import PROTOCOL, Request, solution_text
from basra.view import View

Fields = dict[str, Any]

Parts = tuple[dict[str, Any] | str, str]
"""Of an answer: its result or the JSON of it, and the notation of what it is about, or nothing."""

Tell = Callable[[Request, Parts], None]
"""What partial answers are given to."""

_ALL_KNOWN = re.compile(r"/\s*knows\s*=\s*all\s*(/|$)", re.IGNORECASE)


class Worker:
    """Answers requests one after the other, with an engine of its own."""

    def __init__(self, rules: Rules | None, threads: int, table_bytes: int, limits: Fields) -> None:
        """`rules` are those of requests that name none; `limits` is what `hello` says of them.

        Without `rules` they are classic, and a view says that it was assumed.
        """
        self._given_rules = rules
        self._rules = rules or Rules.preset("classic")
        self._limits = limits
        self.engine = Engine(threads, table_bytes)
        """Stopping it ends what is being answered."""
        self._answers: dict[str, Callable[[Request, Tell], Parts]] = {
            "hello": self._hello,
            "analyze": self._analyze,
            "solve": self._solve,
            "moves": self._moves,
            "captures": self._captures,
            "play": self._play,
        }

    def answer(self, request: Request, tell: Tell) -> Parts:
        """The parts of the final answer; partial ones are told on the way.

        Raises the errors of the package.
        """
        return self._answers[request.type](request, tell)

    # -- positions and views ---------------------------------------------------------------------

    def _position_of(self, fields: Fields) -> Position:
        asked = fields["position"]
        if isinstance(asked, str):
            return parse_position(asked)
        return described_position(asked, self._rules)

    def _view_of(self, request: Request) -> View:
        """What the seat to move knows, whichever way the request says it."""
        fields = request.fields
        if "record" in fields:
            return recorded_view(request)
        if _is_open(fields):
            return _open_view(self._position_of(fields))
        asked = fields["position"]
        if isinstance(asked, str):
            return View.from_notation(asked)
        rules = self._rules_of(asked) if "rules" in asked else self._given_rules
        return View(**{**asked, "rules": rules})

    def _rules_of(self, asked: Fields) -> Rules:
        return parse_rules(asked["rules"]) if "rules" in asked else self._rules

    # -- one for each type -----------------------------------------------------------------------

    def _hello(self, request: Request, _: Tell) -> Parts:
        fields = request.fields
        if fields.get("protocol", PROTOCOL) != PROTOCOL:
            raise ArgumentError(
                "is not spoken here", field="protocol", value=fields["protocol"],
                fix=f"use {PROTOCOL}",
            )  # fmt: skip
        result = {
            "name": "basra",
            "version": basra.__version__,
            "protocol": PROTOCOL,
            "types": list(TYPES),
            "rules": preset_names(),
            "methods": list(METHODS),
            "players": list(PLAYERS),
            "levels": {name: str(player) for name, player in LEVELS.items()},
            "limits": {"line": MAX_LINE, **self._limits},
        }
        return result, ""

    def _analyze(self, request: Request, tell: Tell) -> Parts:
        fields = request.fields
        view = self._view_of(request)
        method, every = fields.get("method", "worlds"), fields.get("every")
        limits = fields.get("limits", Limits())
        how: Fields = {
            "seed": fields.get("seed", 0),
            "trust": fields.get("trust", DEFAULT_TRUST),
            "model": model_of(Player(model=fields.get("model", "default")), view.rules),
        }
        if every is None or not is_worlds(method, view):
            hint = self.engine.hint(view, limits, method=method, **how)
            return hint.to_dict(), hint.position
        found: Parts = {}, ""
        told = True
        for hint in self.engine.stream(view, limits, every=every, **how):
            if not told:
                tell(request, found)
            found = hint.to_dict(), hint.position
            # Partial ones look as if they had been stopped; where it was, this may be the last.
            told = hint.stop == "requested" and not self.engine.stopped
            if told:
                tell(request, found)
        return found

    def _solve(self, request: Request, _: Tell) -> Parts:
        fields = request.fields
        position = self._position_of(fields)
        moves, line = fields.get("moves", False), fields.get("line", False)
        found = self.engine.solve(position, fields.get("limits"), moves=moves, line=line)
        return solution_text(found, moves, line), position_text(position)

    def _moves(self, request: Request, _: Tell) -> Parts:
        fields = request.fields
        known = self._position_of(fields) if _is_open(fields) else self._view_of(request)
        return {"moves": [_move(move) for move in known.legal_moves()]}, known.notation

    def _captures(self, request: Request, _: Tell) -> Parts:
        fields = request.fields
        found = captures(fields["floor"], fields["card"], self._rules_of(fields))
        return found.to_dict(), ""

    def _play(self, request: Request, _: Tell) -> Parts:
        fields = request.fields
        view, player = self._view_of(request), fields["player"]
        choice = player.choose(
            view, seed=fields.get("seed", 0), limits=fields.get("limits"), engine=self.engine
        )
        result = {
            "player": str(player), **_move(choice.move), "work": choice.work, "stop": choice.stop,
        }  # fmt: skip
        return result, view.notation


def recorded_view(request: Request) -> View:
    """What the seat to move knew in a record: in a round, after so many of its moves.

    `round` is its number in the match, the last if it is not there; without `ply` it is after all
    moves there are.  The whole record must be sound.  StoppedError if the request is stopped.
    """

    def watch() -> None:
        if request.stopped:
            raise StoppedError("was stopped while it read", field="record", fix="ask again")

    watch()
    record = Record.from_dict(request.fields["record"])
    match = Match.from_record(record, watch=watch)
    number, ply = request.fields.get("round"), request.fields.get("ply")
    place = _place(record, number)
    game = match.games[place]
    made = len(game.turns)
    if ply is not None and ply > made:
        raise ArgumentError("has not been played", field="ply", value=ply, fix=f"use 0 to {made}")
    if ply is None or ply == made:
        _check_to_move(game, ply)
        return game.view
    return Game.from_record(game.opening, _cut(record.rounds[place], ply)).view


def _place(record: Record, number: int | None) -> int:
    """Where a round is among those of a record, from 0."""
    if not record.rounds:
        raise ArgumentError("has no rounds", field="record", fix="record what was dealt")
    last = record.first_round + len(record.rounds) - 1
    number = last if number is None else number
    if not record.first_round <= number <= last:
        known = f"use {record.first_round} to {last}"
        raise ArgumentError("is not a round of the record", field="round", value=number, fix=known)
    return number - record.first_round


def _check_to_move(game: Game, ply: int | None) -> None:
    """Is there a next move after all those of a recorded round?"""
    if game.expects == "move":
        return
    made, place = len(game.turns), f"round {game.opening.number}"
    at: Fields = {"field": "ply", "value": ply}
    if ply is None:
        at = {"field": "record", "value": place}
    earlier = f"use a ply of 0 to {made - 1}"
    if game.is_over:
        message = "is over" if ply is None else f"is the end of {place}"
        raise GameOverError(message, **at, fix=f"{earlier}, or another round")
    deal, or_earlier = f"deal {game.deals_played + 1}", f", or {earlier}" if made else ""
    message = f"ends before {deal}" if ply is None else f"comes before {deal} of {place} was dealt"
    raise PositionError(message, **at, fix=f"record its hands{or_earlier}")


def _cut(found: RoundRecord, ply: int) -> RoundRecord:
    """A recorded round as it was after so many of its moves, of which there are more."""
    deals: list[DealRecord] = []
    for deal in found.deals:
        deals.append(replace(deal, turns=deal.turns[:ply]))
        if ply < len(deal.turns):
            break
        ply -= len(deal.turns)
    return replace(found, deals=tuple(deals), stock=None, points=None)


def _is_open(fields: Fields) -> bool:
    """Is it a position with all cards known?"""
    asked = fields.get("position", "")
    return "hands" in asked if isinstance(asked, dict) else bool(_ALL_KNOWN.search(asked))


def _open_view(position: Position) -> View:
    """The knowledge of the seat to move alone."""
    if position.is_over:
        raise GameOverError("the round is over", field="position", fix="nothing is left to play")
    return position.view()


def _move(move: Move) -> Fields:
    return {
        "move": move.text,
        "card": str(move.card),
        "captures": move.captures.texts,
        "basra": move.basra,
        "points": move.points,
    }
