"""What a finished round brought to each side, step by step."""

from __future__ import annotations

from dataclasses import dataclass

from basra.cards import Cards
from basra.errors import GameOverError
from basra.game import Game
from basra.moves import Move
from basra.position import sides_of


@dataclass(frozen=True, slots=True)
class SideScore:
    """One side's round; all but `cards` and `basras` are points."""

    cards: int
    """Cards captured, those left on the floor included"""
    basras: tuple[Move, ...]
    """Captures that were a basra, in the order made"""
    basra_points: int
    card_points: int
    majority: int
    """For most cards, with what waited from tied rounds"""
    before: int
    """Match score before the round"""

    @property
    def points(self) -> int:
        """Of the whole round."""
        return self.basra_points + self.card_points + self.majority

    @property
    def after(self) -> int:
        """Match score after the round."""
        return self.before + self.points


@dataclass(frozen=True, slots=True)
class RoundScore:
    """The score of a finished round, by side.

    >>> from basra import Match, Player
    >>> match = Match("classic", seed=7)
    >>> match.play_on([Player("greedy")] * 2, rounds=1)
    >>> score = RoundScore.of(match.games[0])
    >>> score.leftovers, score.last, [side.after for side in score.sides] == list(match.scores)
    (Cards('5D 7H 9H TC QH KH'), 1, True)
    """

    number: int
    """Of the round in its match"""
    sides: tuple[SideScore, ...]
    last: int | None
    """The seat that captured last; None if nobody captured"""
    leftovers: Cards
    """Left on the floor, for the side of `last`"""
    carry_before: int
    """Points that waited for the most cards of this round"""
    carry_after: int
    """Points that wait for the next round's"""
    winner: int | None
    """The side that has won the match with this round"""

    @classmethod
    def of(cls, game: Game) -> RoundScore:
        """GameOverError unless the round is over."""
        if not game.is_over:
            raise GameOverError("the round is not over", fix="play it to its end")
        end, sides = game.public, sides_of(game.players, game.opening.partners)
        basras: list[list[Move]] = [[] for _ in range(sides)]
        floor = game.opening.floor
        for ply, turn in enumerate(game.turns):
            if turn.move.basra:
                basras[game.opening.seat(ply) % sides].append(turn.move)
            taken = turn.move.captures
            floor = floor - taken if taken else floor | Cards([turn.move.card])
        return cls(
            end.round_number,
            tuple(
                _side(
                    end.cards[side], basras[side], end.points[side], end.majority[side],
                    end.scores_before[side],
                )
                for side in range(sides)
            ),
            end.last, floor, end.carry, end.carry_after, end.winner,
        )  # fmt: skip


def _side(cards: int, basras: list[Move], points: int, majority: int, before: int) -> SideScore:
    made = sum(move.basra for move in basras)
    # Card points are what remains: cards of captures, and of leftovers.
    return SideScore(cards, tuple(basras), made, points - majority - made, majority, before)
