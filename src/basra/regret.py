"""The regret suite: decisions of last deals, where what every move costs is known exactly.

Games are played by players that take what brings most at once, and misjudge it at times; of each,
every decision of its last deal is put to the player under test, if there is more than one move.
What it chooses is graded with all cards open.  At a table of two players nothing is hidden there
for who has counted the cards, so a player that counts and searches has no regret at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from basra import _core
from basra.arena import set_seed
from basra.errors import ArgumentError
from basra.limits import check_number
from basra.moves import move_of
from basra.players import Player, core_player, player_error
from basra.position import Position, checked_seed, sides_of
from basra.rules import Rules

SCHEMA_REGRET = "basra.regret/1"
MAX_COUNT = 10_000_000
_TELL = 500  # positions between two reports of progress

GAMES = Player("greedy", noise=3)
"""Who plays the games that the positions are from"""


@dataclass(frozen=True, slots=True)
class PlyRegret:
    """Decisions with so many cards still to be played."""

    left: int
    """Cards in all hands"""
    positions: int
    best: int
    """Of those, how often a best move was chosen"""
    lost: int
    """Points, all together"""


@dataclass(frozen=True, slots=True)
class Worst:
    """The decision that cost most."""

    position: str
    """Its notation"""
    played: str
    best: str
    lost: int


@dataclass(frozen=True, slots=True)
class Regret:
    """What a player's moves in last deals cost, in points."""

    player: Player
    rules: Rules
    players: int
    partners: bool
    seed: int
    games: int
    plies: tuple[PlyRegret, ...]
    """Most cards left first"""
    worst: Worst | None
    """None if no move cost anything"""

    @property
    def positions(self) -> int:
        """Decisions graded."""
        return sum(ply.positions for ply in self.plies)

    @property
    def lost(self) -> int:
        """Points lost in all of them; whole, and exact."""
        return sum(ply.lost for ply in self.plies)

    @property
    def best(self) -> int:
        """How often a best move was chosen."""
        return sum(ply.best for ply in self.plies)

    @property
    def mean(self) -> float:
        """Points lost by a decision."""
        return self.lost / self.positions if self.positions else 0.0

    def to_dict(self) -> dict[str, object]:
        """The JSON of `basra regret`."""
        worst = self.worst
        return {
            "schema": SCHEMA_REGRET,
            "player": str(self.player),
            "rules": {"name": self.rules.name, "hash": self.rules.hash},
            "players": self.players,
            "partners": self.partners,
            "seed": self.seed,
            "games": self.games,
            "positions": self.positions,
            "lost": self.lost,
            "mean": self.mean,
            "best": self.best / self.positions if self.positions else None,
            "worst": worst
            and {
                "position": worst.position,
                "played": worst.played,
                "best": worst.best,
                "lost": worst.lost,
            },
            "plies": [
                {"left": p.left, "positions": p.positions, "best": p.best, "lost": p.lost}
                for p in self.plies
            ],
        }


def run_regret(
    player: Player | str,
    *,
    rules: str | Rules = "classic",
    players: int = 2,
    partners: bool = False,
    count: int = 1000,
    seed: int = 0,
    progress: Callable[[Regret], object] | None = None,
) -> Regret:
    """Grades a player on `count` decisions of last deals, the same ones for the same seed.

    A table of two sides is needed.  `progress` is told the result so far now and then.

    >>> run_regret("worlds", count=100).lost
    0
    >>> run_regret("greedy", count=100).mean > 1
    True
    """
    rules = Rules.load(rules)
    rules.check_table(players, partners)
    if sides_of(players, partners) != 2:
        raise ArgumentError(
            "is not a table of two sides", field="players", value=players,
            fix="use 2 players, or partnerships",
        )  # fmt: skip
    check_number("count", count, 1, MAX_COUNT, (int,), "positions")
    grading = _Grading(Player.parse(player), rules, players, partners, checked_seed(seed), count)
    told = 0
    while grading.wanted:
        grading.grade_game()
        if progress is not None and grading.done - told >= _TELL:
            told = grading.done
            progress(grading.result())
    return grading.result()


class _Grading:
    """A grading in progress."""

    def __init__(
        self, player: Player, rules: Rules, players: int, partners: bool, seed: int, count: int
    ) -> None:
        self.player, self.rules, self.seed = player, rules, seed
        self.players, self.partners, self.wanted = players, partners, count
        self.done = self.games = 0
        self._engine = _core.EngineData(0)
        self._graded = core_player(player, rules)
        self._table = [core_player(GAMES, rules)] * 2
        self._last = rules.deal_sizes(players)[-1] * players
        self._plies = [[0, 0, 0] for _ in range(self._last + 1)]
        self._worst: tuple[int, _core.PositionData, Any, Any] | None = None

    def grade_game(self) -> None:
        """Plays a game, and grades its last deal from the end."""
        seed = set_seed(self.seed, self.games)
        self.games += 1
        data = _core.PositionData.deal(self.rules.data, self.players, self.partners, 0, seed)
        interrupts: list[BaseException] = []
        _core.play_on(self._engine, data, self._table, False, seed, interrupts)
        for left in range(1, self._last + 1):
            data.undo()
            if self.wanted and not interrupts:
                self._grade(data, left, seed, interrupts)
        if interrupts:
            raise interrupts[0]

    def _grade(
        self, data: _core.PositionData, left: int, seed: int, interrupts: list[BaseException]
    ) -> None:
        scored, *_ = self._engine.solve(data, 0, 0, False, interrupts)
        if interrupts or not any(entry[3] for entry in scored):
            return  # only one move, up to equal cards
        try:
            played = _core.play_one(
                self._engine, data, self._graded, seed, *self.player.budget, interrupts
            )
        except _core.CoreError as error:
            if interrupts:
                return
            raise player_error(error, self.player) from None
        data.undo()
        value = next(entry[1] for entry in scored if entry[0][:2] == played)
        lost = max(entry[1] for entry in scored) - value
        ply = self._plies[left]
        ply[0] += 1
        ply[1] += not lost
        ply[2] += lost
        if lost > (self._worst[0] if self._worst else 0):
            self._worst = (lost, data.copy(), played, scored)
        self.wanted -= 1
        self.done += 1

    def result(self) -> Regret:
        """What is known so far."""
        return Regret(
            player=self.player,
            rules=self.rules,
            players=self.players,
            partners=self.partners,
            seed=self.seed,
            games=self.games,
            plies=tuple(
                PlyRegret(left, *self._plies[left])
                for left in range(self._last, 0, -1)
                if self._plies[left][0]
            ),
            worst=self._shown(),
        )

    def _shown(self) -> Worst | None:
        if self._worst is None:
            return None
        lost, data, played, scored = self._worst
        best = max(scored, key=lambda entry: entry[1])
        mine = next(entry for entry in scored if entry[0][:2] == played)
        return Worst(
            Position(self.rules, data).notation,
            move_of(mine[0]).text,
            move_of(best[0]).text,
            lost,
        )
