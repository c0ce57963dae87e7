"""Duels: who plays whom at which table, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from basra import _core
from basra.errors import ArgumentError
from basra.players import Player
from basra.position import sides_of
from basra.rules import Rules
from basra.statistics import ConfidenceSequence, Estimate, mean_estimate, share_estimate

SCHEMA_ARENA = "basra.arena/1"
LUCK_PART, LUCK_OF = 3, 4
"""The part of the luck that is taken out: fixed beforehand, so that no mean is shifted"""


@dataclass(frozen=True, slots=True)
class Duel:
    """Who plays whom, at which table: all that decides what a set is."""

    a: Player
    b: Player
    rules: Rules
    players: int = 2
    partners: bool = False
    seed: int = 0
    matches: bool = False
    luck: bool = False
    """Is the luck of the deals taken out?"""

    @property
    def games(self) -> int:
        """Games of a set: one with A in each place."""
        return sides_of(self.players, self.partners)

    @property
    def unit(self) -> int:
        """A set's score is so many times A's mean lead in points."""
        scale = LUCK_OF * _core.UNIT if self.luck else 1
        return self.games * (self.games - 1) * scale


@dataclass(frozen=True, slots=True)
class Chunk:
    """What became of the sets of a chunk, or of some more of them."""

    number: int
    scores: tuple[int, ...]
    """By set: over its games, A's points times the number of the others, less all of theirs; in
    `Duel.unit`s, and less a part of A's luck where that is taken out"""
    wins: tuple[int, ...]
    """By set: matches that A won; empty where rounds are played"""
    work: tuple[int, int]
    """Of A and of B: nodes, or plies simulated"""
    decisions: tuple[int, int]
    rounds: int


@dataclass(frozen=True, slots=True)
class ArenaResult:
    """What became of a duel so far: sets in order, nothing rounded.

    `stop` is `pairs` when all sets asked for were played, `until` when the interval was narrow
    enough, `decided` when a sequential comparison came to its end, `interrupted` otherwise.
    """

    duel: Duel
    spans: tuple[tuple[int, int, int], ...]
    """Seed, first set and number of sets, for each stretch in order"""
    scores: tuple[int, ...]
    wins: tuple[int, ...]
    work: tuple[int, int]
    decisions: tuple[int, int]
    rounds: int
    stop: str = "pairs"
    planned: int | None = None
    """Of a sequential comparison: the number of sets its interval is shortest at"""

    @property
    def sets(self) -> int:
        """Sets played: pairs of games at a table of two sides."""
        return len(self.scores)

    @property
    def games(self) -> int:
        """Rounds or matches played."""
        return self.sets * self.duel.games

    @property
    def points(self) -> Estimate:
        """A's lead in points a round, or a match: over B, or over the mean of the others.

        The interval is Student's over sets; of a sequential comparison, the one that holds for all
        looks together, None before the first of them.
        """
        if self.planned is None:
            return mean_estimate(self.scores, self.duel.unit)
        return ConfidenceSequence(self.planned).estimate(self.scores, self.duel.unit)

    @property
    def share(self) -> Estimate | None:
        """The share of matches that A won, with Wilson's interval; None where rounds are played."""
        return share_estimate(self.wins, self.duel.games) if self.duel.matches else None

    @property
    def better(self) -> str | None:
        """ "a" or "b" if the interval says so, else None.

        That of points, or of the share of matches where they are played and nothing is sequential.
        """
        share = None if self.planned is not None else self.share
        found, even = (self.points, 0.0) if share is None else (share, 1 / self.duel.games)
        if found.low is None or found.high is None:
            return None
        return "a" if found.low > even else "b" if found.high < even else None

    @property
    def sentence(self) -> str:
        """What it means, in one sentence."""
        share = None if self.planned is not None else self.share
        found = self.points if share is None else share
        if found.mean is None:
            return "Nothing has been played."
        if found.low is None or found.high is None:
            return f"Too little has been played to compare them: {_counted(self.sets, 'set')}."
        sure = "95 % interval" if self.planned is None else "95 % interval for all looks together"
        if share is not None:
            who = {
                "a": "A is better: it",
                "b": "B is better: A",
                None: "No difference was found: A",
            }
            return (
                f"{who[self.better]} wins {found.mean:.1%} of the matches, "
                f"{sure} {found.low:.1%} to {found.high:.1%}."
            )
        ahead, unit = found.mean >= 0, "a match" if self.duel.matches else "a round"
        low, high = (found.low, found.high) if ahead else (-found.high, -found.low)
        by = f"by {abs(found.mean):.1f} points {unit}, {sure} {low:.1f} to {high:.1f}"
        if self.better is None:
            return f"No difference was found: A is {'ahead' if ahead else 'behind'} {by}."
        return f"{'A' if ahead else 'B'} is better {by}."

    def merge(self, other: ArenaResult) -> ArenaResult:
        """This and another result of the same duel, from other sets, as one.

        Seeds may differ.  Raises ArgumentError for another duel, or sets that both have.
        """
        if replace(self.duel, seed=0) != replace(other.duel, seed=0):
            raise ArgumentError(
                "is another duel", field="merge", fix="merge results of the same players and table"
            )
        for seed, first, count in self.spans:
            for seed_too, first_too, count_too in other.spans:
                if seed == seed_too and max(first, first_too) < min(
                    first + count, first_too + count_too
                ):
                    raise ArgumentError(
                        "has the same sets", field="merge", value=f"seed {seed}",
                        fix="merge results of other seeds, or of other sets",
                    )  # fmt: skip
        return replace(
            self,
            spans=_joined((*self.spans, *other.spans)),
            scores=self.scores + other.scores,
            wins=self.wins + other.wins,
            work=(self.work[0] + other.work[0], self.work[1] + other.work[1]),
            decisions=(
                self.decisions[0] + other.decisions[0],
                self.decisions[1] + other.decisions[1],
            ),
            rounds=self.rounds + other.rounds,
            planned=None,
        )

    def to_dict(self) -> dict[str, object]:
        """The JSON of `basra arena`."""
        duel, share = self.duel, self.share
        work = [
            work / decisions if decisions else None
            for work, decisions in zip(self.work, self.decisions, strict=True)
        ]
        return {
            "schema": SCHEMA_ARENA,
            "a": str(duel.a),
            "b": str(duel.b),
            "rules": {"name": duel.rules.name, "hash": duel.rules.hash},
            "players": duel.players,
            "partners": duel.partners,
            "matches": duel.matches,
            "luck": duel.luck,
            "seed": duel.seed,
            "sets": self.sets,
            "games": self.games,
            "rounds": self.rounds,
            "stop": self.stop,
            "sequential": self.planned is not None,
            "points": self.points.to_dict(),
            "share": None if share is None else share.to_dict(),
            "better": self.better,
            "work": {"a": work[0], "b": work[1]},
            "reproducible": not (duel.a.timed or duel.b.timed),
            "sentence": self.sentence,
        }


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _joined(spans: tuple[tuple[int, int, int], ...]) -> tuple[tuple[int, int, int], ...]:
    """Spans with neighbours put together."""
    found: list[tuple[int, int, int]] = []
    for seed, first, count in spans:
        if found and found[-1][0] == seed and found[-1][1] + found[-1][2] == first:
            found[-1] = (seed, found[-1][1], found[-1][2] + count)
        elif count:
            found.append((seed, first, count))
    return tuple(found)
