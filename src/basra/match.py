"""Matches: rounds until a side has won, dealt by the engine or entered from a real table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Self

from basra.cards import Card, Cards
from basra.completion import Opening
from basra.errors import ArgumentError, GameOverError, PositionError
from basra.game import Game, Hands
from basra.moves import Move
from basra.players import Chooser, HasMove, Player
from basra.position import Position, checked_points, checked_seed, sides_of
from basra.record.model import Estimate, Record, RoundRecord, Seat, Turn
from basra.rules import Rules
from basra.said import said

_MOST_ROUNDS = 1_000_000_000


class Match:
    """Rounds of one match, remembered move by move; its methods change it in place.

    With a seed the cards are dealt by the engine: `next_round()` begins a round of which all cards
    are known.  Without one they come from a real table: `next_round(floor)`, and then the hands
    that are seen by `game.deal`.  Seats and sides count from 0.

    >>> from basra.players import Player
    >>> match = Match("classic", seed=7)
    >>> match.play_on([Player.parse("greedy"), Player.parse("random")])
    >>> match.is_over, max(match.scores) >= 101, match.record().rounds[0].leader
    (True, True, 0)
    """

    def __init__(
        self,
        rules: str | Rules = "classic",
        *,
        players: int = 2,
        partners: bool = False,
        seed: int | None = None,
        seats: Sequence[Seat] = (),
        scores: Sequence[int] = (),
        carry: int = 0,
        first_round: int = 1,
        leader: int = 0,
        tags: Sequence[tuple[str, str]] = (),
    ) -> None:
        """A match before its first round here.

        scores, carry, first_round
            Of a match that has begun elsewhere: scores by side, points that wait, and the number of
            the next round.
        leader
            The seat that leads the next round; from then on it goes round the table.
        """
        loaded = Rules.load(rules)
        loaded.check_table(players, partners)
        self._frame = Record(
            loaded, players, partners, tuple(seats), first_round, tuple(scores), carry,
            None if seed is None else checked_seed(seed), tags=tuple(tags),
        )  # fmt: skip
        _check_frame(self._frame)
        if not isinstance(leader, int) or not 0 <= leader < players:
            raise ArgumentError(
                "is not a seat", field="leader", value=leader, fix=f"use 0 to {players - 1}"
            )
        self._leader = leader
        self._games: list[Game] = []
        self._resigned: int | None = None

    @classmethod
    def from_record(
        cls, record: Record, *, leader: int = 0, watch: Callable[[], object] | None = None
    ) -> Self:
        """The match of a record, every move checked; errors name the round.

        `leader` is the seat that leads the first round, where the record has none yet.  `watch` is
        called before every round: long records take seconds, and what it raises ends the reading.
        """
        first = record.rounds[0].leader if record.rounds else leader
        match = cls(
            record.rules, players=record.players, partners=record.partners, seed=record.seed,
            seats=record.seats, scores=record.scores, carry=record.carry,
            first_round=record.first_round, leader=first, tags=record.tags,
        )  # fmt: skip
        match._frame = record
        for found in record.rounds:
            if watch is not None:
                watch()
            number = record.first_round + len(match._games)
            if match._games and not match._games[-1].is_over:
                raise PositionError(
                    "comes before the round before it is over", field="round", value=number,
                    fix="write all its moves, or leave the later rounds out",
                )  # fmt: skip
            match._check_going_on()
            if record.seed is not None:
                _check_dealt(match._dealt(), found, number)
            opening = match._opening(found.floor, found.buried, found.leader)
            game = Game.from_record(opening, found, dealt=record.seed is not None)
            _check_points(number, found.points, game.record().points)
            match._games.append(game)
        if record.resigned is not None:
            match.resign(record.resigned)
        return match

    # -- looking at it ---------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rules of the match."""
        return self._frame.rules

    @property
    def players(self) -> int:
        """Number of seats."""
        return self._frame.players

    @property
    def partners(self) -> bool:
        """Do seats opposite play together?"""
        return self._frame.partners

    @property
    def sides(self) -> int:
        """2 in a partnership, else the players."""
        return sides_of(self.players, self.partners)

    @property
    def seed(self) -> int | None:
        """What the deals come from; None where they come from a real table."""
        return self._frame.seed

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who sits where."""
        return self._frame.seats

    @property
    def games(self) -> tuple[Game, ...]:
        """The rounds so far, the one that is played included."""
        return tuple(self._games)

    @property
    def game(self) -> Game | None:
        """The round that was begun last; None before the first."""
        return self._games[-1] if self._games else None

    @property
    def scores(self) -> tuple[int, ...]:
        """Match scores by side, with what has been banked in the round that is played."""
        return self._games[-1].public.scores if self._games else self._frame.scores

    @property
    def carry(self) -> int:
        """Points that wait for the next strict majority of cards."""
        if not self._games:
            return self._frame.carry
        public = self._games[-1].public
        return public.carry_after if public.is_over else public.carry

    @property
    def round_number(self) -> int:
        """The number of the last round begun, in its match; one less before the first."""
        return self._frame.first_round + len(self._games) - 1

    @property
    def winner(self) -> int | None:
        """The side that has won; with two sides the other one where one has resigned."""
        if self._resigned is not None:
            return 1 - self._resigned if self.sides == 2 else None
        return self._games[-1].public.winner if self._games else None

    @property
    def resigned(self) -> int | None:
        """The side that gave up, or None."""
        return self._resigned

    @property
    def is_over(self) -> bool:
        """Is nothing left to play?"""
        return self._resigned is not None or self.winner is not None

    @property
    def next_leader(self) -> int:
        """The seat that leads the next round."""
        if not self._games:
            return self._leader
        game = self._games[-1]
        return game.public.next_round().leader if game.is_over else game.opening.leader

    # -- going on --------------------------------------------------------------------------------

    def next_round(
        self, floor: Cards | None = None, buried: Sequence[Card] = (), leader: int | None = None
    ) -> Game:
        """Begins a round: dealt from the seed, or from the first floor of a real table.

        Raises GameOverError if the match is over, PositionError if the last round is not, or for a
        floor that cannot be; ArgumentError for a floor where the engine deals, or none where it
        does not.
        """
        self._check_going_on()
        if self._games and not self._games[-1].is_over:
            raise PositionError(said("is not over"), field="round", value=self.round_number,
                                fix=said("play it to its end"))  # fmt: skip
        if (floor is None) == (self._frame.seed is None):
            wrong = "is missing" if floor is None else "cannot be given: the engine deals"
            raise ArgumentError(wrong, field="floor", value="" if floor is None else floor,
                                fix="give it, or a seed, not both")  # fmt: skip
        if floor is None:
            self._games.append(Game.of(self._dealt()))
        else:
            chosen = self.next_leader if leader is None else leader
            if not isinstance(chosen, int) or not 0 <= chosen < self.players:
                raise ArgumentError(
                    "is not a seat",
                    field="leader",
                    value=chosen,
                    fix=f"use 0 to {self.players - 1}",
                )
            self._games.append(Game(self._opening(floor, tuple(buried), chosen)))
        return self._games[-1]

    def play(self, move: Move | str, comment: str = "", estimate: Estimate | None = None) -> Self:
        """A move in the round that is played; see `Game.play`."""
        self._check_going_on()
        self._playing().play(move, comment, estimate)
        return self

    def deal(self, hands: Sequence[Cards | None]) -> Self:
        """Hands of the next deal; see `Game.deal`."""
        self._check_going_on()
        self._playing().deal(hands)
        return self

    def undo(self) -> Turn | Hands | Opening | int:
        """Takes back what was entered last, and returns it: a move, the hands of a deal, a first
        floor, or the side that had given up.

        A round that the engine dealt goes with the move before it.  GameOverError if nothing is
        left.
        """
        if self._resigned is not None:
            side, self._resigned = self._resigned, None
            return side
        if not self._games:
            raise GameOverError(said("nothing to take back"), fix=said("enter something first"))
        game = self._games[-1]
        if game.turns or (game.deal_number and self._frame.seed is None):
            return game.undo()
        if self._frame.seed is None:
            return self._drop_round().opening
        if len(self._games) == 1:
            raise GameOverError(said("nothing to take back"), fix=said("play a move first"))
        self._drop_round()
        return self._games[-1].undo()

    def _drop_round(self) -> Game:
        game = self._games.pop()
        # What was said of it goes with it.
        self._frame = replace(self._frame, rounds=self._frame.rounds[: len(self._games)])
        return game

    def resign(self, side: int) -> None:
        """A side gives the match up."""
        self._check_going_on()
        if not 0 <= side < self.sides:
            raise ArgumentError(
                "is not a side", field="resigned", value=side, fix=f"use 0 to {self.sides - 1}"
            )
        self._resigned = side

    def choice(self, chooser: Chooser | str) -> HasMove:
        """What somebody in the seat to move would play now.

        A `Player`, or its text, is given the seed of the match, 0 without one, and plays with its
        gaps in memory: `Player.choose_at`.  Anybody else is shown the view of the seat, and the
        same seed.

        Raises GameOverError if nobody is to move, KnowledgeError if that hand is not known.
        """
        game = self._playing()
        view, seed = game.view, self._frame.seed or 0
        if isinstance(chooser, str):
            chooser = Player.parse(chooser)
        if isinstance(chooser, Player):
            return chooser.choose_at(game.public, seed=seed)
        return chooser.choose(view, seed=seed)

    def play_on(self, choosers: Sequence[Chooser | str], *, rounds: int | None = None) -> None:
        """Has a player for each seat play the match to its end, or for so many rounds more.

        Where a match has no seed, its round is played to its end only if all hands are known.
        See `choice` for what the choosers are shown.
        """
        if len(choosers) != self.players:
            raise ArgumentError(
                "is not one for each seat", field="choosers", value=len(choosers),
                fix=f"give {self.players}",
            )  # fmt: skip
        seated = [
            Player.parse(chooser) if isinstance(chooser, str) else chooser for chooser in choosers
        ]
        left = -1 if rounds is None else rounds
        while not self.is_over and left:
            game = self._games[-1] if self._games and not self._games[-1].is_over else None
            game = game or self.next_round()
            while not game.is_over:
                game.play(self.choice(seated[game.turn]).move)
            left -= 1

    def record(self) -> Record:
        """The match so far, with all that is known of it."""
        comments = [found.comment for found in self._frame.rounds[: len(self._games)]]
        comments += [""] * (len(self._games) - len(comments))
        rounds = tuple(
            replace(game.record(), comment=comment)
            for game, comment in zip(self._games, comments, strict=True)
        )
        return replace(self._frame, rounds=rounds, resigned=self._resigned)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from basra.html import match_html

        return match_html(self)

    # -- within ----------------------------------------------------------------------------------

    def _playing(self) -> Game:
        if not self._games:
            raise PositionError("has not begun", field="round", fix="begin it with next_round")
        return self._games[-1]

    def _check_going_on(self) -> None:
        if self._resigned is not None:
            raise GameOverError(
                said("the match was given up"), fix=said("take that back, or begin another")
            )
        if self.winner is not None:
            raise GameOverError(said("the match is won"), fix=said("begin another"))

    def _opening(self, floor: Cards, buried: tuple[Card, ...], leader: int) -> Opening:
        return Opening(
            self.rules, self.players, self.partners, leader, floor, buried, self.scores,
            self.carry, self.round_number + 1, self._frame.seed or 0,
        )  # fmt: skip

    def _dealt(self) -> Position:
        """The next round from the seed, nothing played."""
        if self._games:
            return self._games[-1].public.next_round()
        return _dealt_at(self._frame, self._frame.seed or 0, self._leader)


def _dealt_at(frame: Record, seed: int, leader: int) -> Position:
    """The first round of a record, dealt; errors of the core for scores that cannot be."""
    dealt = Position.deal(
        frame.rules, seed, players=frame.players, partners=frame.partners, leader=leader
    )
    fields = dealt.data.fields() | {
        "score": list(frame.scores),
        "carry": frame.carry,
        "round": frame.first_round - 1,
    }
    return Position.from_fields(frame.rules, fields, True)


def _check_dealt(dealt: Position, found: RoundRecord, number: int) -> None:
    """What a record says was dealt comes from its seed."""
    said = found.deals[0].hands if found.deals else ()
    wrong = next((seat for seat, hand in enumerate(said) if hand - dealt.hands[seat]), None)
    for name, value, right in (
        ("floor", found.floor, dealt.floor),
        ("buried", " ".join(map(str, found.buried)), " ".join(map(str, dealt.buried))),
        ("leader", found.leader + 1, dealt.leader + 1),
        *((("hand", said[wrong], dealt.hands[wrong]),) if wrong is not None else ()),
    ):
        if value != right:
            raise PositionError(
                f"is not what the seed deals in round {number}", field=name, value=value,
                fix=f"write {right or 'none'}, or leave the seed out",
            )  # fmt: skip


def _check_points(number: int, said: tuple[int, ...] | None, found: tuple[int, ...] | None) -> None:
    """What a record says of a round's points follows from its moves."""
    if said is None or said == found:
        return
    right = "is not over: leave them out" if found is None else f"gives {_listed(found)}"
    raise PositionError(
        "do not follow from the moves", field="points", value=_listed(said),
        fix=f"round {number} {right}",
    )  # fmt: skip


def _listed(points: tuple[int, ...]) -> str:
    return ":".join(map(str, points))


def _check_frame(frame: Record) -> None:
    sides = sides_of(frame.players, frame.partners)
    for name, found, wanted in (
        ("seats", frame.seats, frame.players), ("scores", frame.scores, sides)
    ):  # fmt: skip
        if len(found) != wanted:
            raise ArgumentError(
                "is not the number there has to be", field=name, value=len(found),
                fix=f"give {wanted}",
            )  # fmt: skip
    for points in frame.scores:
        checked_points(points, "scores")
    checked_points(frame.carry, "carry")
    first = frame.first_round
    if not isinstance(first, int) or not 1 <= first <= _MOST_ROUNDS:
        raise ArgumentError(
            "is not a round", field="first_round", value=first, fix=f"use 1 to {_MOST_ROUNDS:,}"
        )
    if frame.rules.data.winner(list(frame.scores)) >= 0:
        raise ArgumentError(
            "have won the match already", field="scores", value=_listed(frame.scores),
            fix=f"give scores of a match that goes on, to {frame.rules.target} points",
        )  # fmt: skip
    # The core says whether such a match can go on.
    _dealt_at(frame, 0, 0)
