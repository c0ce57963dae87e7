"""The scale of marks, and what is said of a decision; docs/review.md publishes both.

A move is marked for what it is behind the best one: in round points; or in a match, where the model
tells the chance to win it, by that.  In the middle of a match a point is worth about half a
percent, so the two scales mean about the same there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

SURE = 2
"""A move is behind the best one when the difference is more than so many of its standard errors"""

MARKS = ("inaccuracy", "mistake", "blunder")
"""From the lightest on"""

VERDICTS = ("best", "close", "small", *MARKS, "forced", "unknown", "unreached")
"""All that can be said of a decision.

`best`: no other move is better.  `close`: one seems to be, inside the error of the difference.
`small`: one is, by less than the lightest mark.  `forced`: there was one move, up to equal cards.
`unknown`: the record does not tell the hand.  `unreached`: the review was stopped before.
"""


@dataclass(frozen=True, slots=True)
class Scale:
    """From what loss on a decision has each of `MARKS`."""

    unit: str
    """`points` of the round, or `win`, the chance to win the match"""
    least: tuple[float, float, float]

    def verdict(self, loss: float, stderr: float | None) -> str:
        """What is said of a choice that lost so much; a stderr of None is one that nobody knows.

        >>> SCALES["points"].verdict(5.0, 2.0), SCALES["points"].verdict(5.0, 2.6)
        ('mistake', 'close')
        """
        if loss <= 0:
            return "best"
        reached = [mark for mark, least in zip(MARKS, self.least, strict=True) if loss >= least]
        if stderr is None:
            return "close" if reached else "small"
        if loss <= SURE * stderr:
            return "close"
        return reached[-1] if reached else "small"


SCALES: Mapping[str, Scale] = MappingProxyType(
    {"points": Scale("points", (1.0, 4.0, 10.0)), "win": Scale("win", (0.005, 0.02, 0.05))}
)
"""The scales, by their unit"""
