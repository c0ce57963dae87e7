"""Reviewing: goes through the rounds of a record, and judges the decisions of the seats chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

from basra.engine import Engine
from basra.errors import ArgumentError, StoppedError
from basra.game import Game
from basra.limits import Limits
from basra.match import Match
from basra.moves import Move
from basra.open_review import OpenReview
from basra.position import Position, sides_of
from basra.record.model import Record, Seat
from basra.results import HintMove
from basra.reviews.judge import Judge, Judged
from basra.reviews.luck import DealLuck, leads_of, luck_of
from basra.reviews.moments import key_moments
from basra.reviews.results import Decision, Review, ReviewedRound
from basra.reviews.settings import ReviewSettings
from basra.rules import Rules
from basra.task import groups_of
from basra.view import View

Progress = Callable[[int, int], object]
"""Told how many decisions are done, and how many there are"""


@dataclass(frozen=True, slots=True)
class Played:
    """What is to be reviewed, whatever it came as."""

    rules: Rules
    players: int
    partners: bool
    seats: tuple[Seat, ...]
    games: tuple[Game, ...]
    seed: int
    in_match: bool
    winner: int | None = None

    @classmethod
    def of(cls, what: Record | Match | Game) -> Played:
        """Every move of a record is checked; errors name round and move."""
        if isinstance(what, Game):
            opening = what.opening
            begun = bool(any(opening.scores) or opening.carry or opening.number > 1)
            return cls(
                opening.rules, opening.players, opening.partners, (Seat(),) * opening.players,
                (what,), opening.seed, begun,
            )  # fmt: skip
        match = Match.from_record(what) if isinstance(what, Record) else what
        frame = match.record()
        begun = bool(any(frame.scores) or frame.carry or frame.first_round > 1)
        return cls(
            frame.rules, frame.players, frame.partners, frame.seats, match.games,
            frame.seed or 0, begun or len(frame.rounds) > 1, match.winner,
        )  # fmt: skip

    def chosen(self, seats: Sequence[int] | None) -> tuple[int, ...]:
        """The seats to review: by default those of people, or all if there are none."""
        if seats is None:
            people = tuple(i for i, seat in enumerate(self.seats) if not seat.player)
            return people or tuple(range(self.players))
        wrong = [seat for seat in seats if not 0 <= seat < self.players]
        if wrong or not seats:
            raise ArgumentError(
                "is not a seat of this table", field="seat", value=wrong[0] if wrong else "",
                fix=f"use 0 to {self.players - 1}",
            )  # fmt: skip
        return tuple(sorted(set(seats)))


def review_game(
    engine: Engine,
    what: Record | Match | Game,
    settings: ReviewSettings,
    seats: Sequence[int] | None = None,
    progress: Progress | None = None,
) -> Review:
    """Reviews with an engine that nobody else uses meanwhile.

    After a Ctrl-C what was found so far is the engine's `last_result`.
    """
    task = _Task(engine, Played.of(what), settings, seats, progress)
    try:
        stop = task.go()
    except KeyboardInterrupt:
        engine.last_result = task.review("interrupted")
        raise
    engine.last_result = found = task.review(stop)
    return found


@dataclass(slots=True)
class _Step:
    """One ply, with what there is to say of it."""

    position: Position
    move: Move
    view: View | None
    forced: bool


@dataclass(slots=True)
class _Round:
    """A round under way: found so far."""

    game: Game
    steps: list[_Step]
    judged: dict[int, Judged | None] = field(default_factory=dict)
    """By ply from 0; None where the limits ended it"""
    deals: list[DealLuck] = field(default_factory=list)
    open: OpenReview | None = None


class _Task:
    """A review in progress."""

    def __init__(
        self,
        engine: Engine,
        played: Played,
        settings: ReviewSettings,
        seats: Sequence[int] | None,
        progress: Progress | None,
    ) -> None:
        self.began = perf_counter()
        self.engine, self.played, self.settings = engine, played, settings
        self.seats = played.chosen(seats)
        self.seed = played.seed if settings.seed is None else settings.seed
        self.judge = Judge(engine, played.rules, settings, self.seed, played.in_match)
        self.progress = progress
        self.sides = sides_of(played.players, played.partners)
        self.nodes = 0
        self.done = 0
        self.rounds = [_Round(game, list(_steps(game))) for game in played.games]
        self.total = sum(self._is_judged(step) for now in self.rounds for step in now.steps)

    def go(self) -> str:
        """Judges all, or as far as it may; why it ended."""
        self._tell()
        for now in self.rounds:
            for part in (self._luck, self._decisions, self._open):
                if not self.engine.stop_asked:
                    part(now)
        return "requested" if self.engine.stop_asked else "complete"

    def _tell(self) -> None:
        if self.progress is not None:
            self.progress(self.done, self.total)

    def _is_judged(self, step: _Step) -> bool:
        mine = step.position.turn in self.seats
        return mine and step.view is not None and not step.forced

    def _decisions(self, now: _Round) -> None:
        for ply, step in enumerate(now.steps):
            if self.engine.stop_asked:
                return
            if not self._is_judged(step):
                continue
            now.judged[ply] = self._judged(step)
            if not self.engine.stop_asked:
                self.done += 1
                self._tell()

    def _judged(self, step: _Step) -> Judged | None:
        assert step.view is not None
        try:
            found = self.judge.judge(step.view, step.move)
        except StoppedError:
            return None
        self.nodes += found.hint.nodes
        return found if found.played.move.value is not None else None

    def _luck(self, now: _Round) -> None:
        """Of every deal begun whose hands are all known."""
        model = self.settings.model_for(self.played.rules)
        dealt, found = now.game.dealt_hands(), list[DealLuck]()
        for step in now.steps:
            deal = step.position.deal_number
            if deal == len(found):
                continue
            if None in dealt[deal - 1] or self.engine.stop_asked:
                found.append(DealLuck(deal, None, None, None))
                continue
            with self.engine.held() as data:
                found.append(
                    luck_of(
                        data, model, step.position, self.seed, [], lambda: self.engine.stop_asked
                    )
                )
        now.deals = found

    def _open(self, now: _Round) -> None:
        """The second opinion, if every card is known."""
        position = now.game.position
        if position is not None and position.history and self.settings.open_nodes:
            now.open = self.engine.review(position, Limits(nodes=self.settings.open_nodes))
            self.nodes += now.open.nodes

    # -- putting together ------------------------------------------------------------------------

    def review(self, stop: str) -> Review:
        """What was found so far."""
        played = self.played
        rounds = tuple(self._round(now) for now in self.rounds)
        return Review(
            rules=played.rules,
            players=played.players,
            partners=played.partners,
            names=played.seats,
            reviewed=self.seats,
            settings=self.settings,
            seed=self.seed,
            in_match=played.in_match,
            winner=played.winner,
            rounds=rounds,
            moments=key_moments(rounds, self.seats[0] % 2 if self.sides == 2 else None),
            stop=stop,
            nodes=self.nodes,
            seconds=perf_counter() - self.began,
        )

    def _round(self, now: _Round) -> ReviewedRound:
        opening, public = now.game.opening, now.game.public
        return ReviewedRound(
            number=opening.number,
            leader=opening.leader,
            scores=public.scores_before,
            points=public.points if public.is_over else None,
            decisions=tuple(
                self._decision(now, ply, step)
                for ply, step in enumerate(now.steps)
                if step.position.turn in self.seats
            ),
            deals=tuple(now.deals),
            open=now.open,
        )

    def _decision(self, now: _Round, ply: int, step: _Step) -> Decision:
        verdict = "unknown" if step.view is None else "forced" if step.forced else "unreached"
        about = Decision(
            round=now.game.opening.number,
            ply=ply + 1,
            deal=step.position.deal_number,
            seat=step.position.turn,
            played=step.move,
            verdict=verdict,
            view=step.view,
        )
        judged = now.judged.get(ply)
        if judged is None or step.view is None:
            return about
        found = judged.played
        return replace(
            about,
            verdict=found.verdict,
            method=judged.hint.method,
            best=step.move if found.verdict == "best" else found.best.move,
            value=found.move.value,
            best_value=found.best.value,
            loss=found.loss,
            stderr=found.stderr,
            win=found.win,
            best_win=found.best_win,
            win_loss=found.win_loss,
            win_stderr=found.win_stderr,
            moves=judged.hint.moves,
            chances=judged.chances,
            before=_leads(step.position, found.best),
            after=_leads(step.position, found.move),
        )


def _steps(game: Game) -> Iterator[_Step]:
    """Every ply of a game: the position before it, and what the seat to move knew then."""
    dealt = game.dealt_hands()
    position = game.public
    history = position.history
    befores = []
    for _ in history:
        befores.append(position.undo().copy())
    for before, move in zip(reversed(befores), history, strict=True):
        known = dealt[before.deal_number - 1][before.turn] is not None
        view = before.view() if known else None
        forced = view is not None and len(groups_of(view)) == 1
        yield _Step(before, move, view, forced)


def _leads(position: Position, move: HintMove) -> tuple[float, ...] | None:
    """Expected leads at the round's end with a move, by side; None if the method tells too little.

    Of a decision's value and what was banked before it, both of which are public or the seat's own.
    """
    points, turn = position.points, position.turn
    if len(points) == 2:
        if move.value is None:
            return None
        mine = turn % 2
        lead = move.value + points[mine] - points[1 - mine]
        return (lead, -lead) if mine == 0 else (-lead, lead)
    if move.points is None:
        return None
    seats = len(points)
    return leads_of([points[seat] + move.points[(seat - turn) % seats] for seat in range(seats)])
