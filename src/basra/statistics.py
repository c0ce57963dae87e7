"""Means and shares with their intervals, and when a comparison may stop.

Sources: Student's t by the finite series of Abramowitz and Stegun 26.7.3 and 26.7.4; Wilson (1927)
for shares, with the effective sample size of Korn and Graubard (1998) for mirrored games, which are
not independent; Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory
and asymptotic confidence sequences" (Annals of Statistics, 2024) for intervals that stay valid
however often one looks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

LEVEL = 0.95
"""Of all intervals"""

_Z = NormalDist().inv_cdf((1 + LEVEL) / 2)
_LARGE = 200  # degrees of freedom from which the expansion is exact to six digits


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean or a share with its standard error and its 95 % interval; None where unknown."""

    mean: float | None
    stderr: float | None
    low: float | None
    high: float | None

    def to_dict(self) -> dict[str, float | None]:
        """The fields by name."""
        return {"mean": self.mean, "stderr": self.stderr, "low": self.low, "high": self.high}


def sums_of(values: Iterable[int]) -> tuple[int, int, int]:
    """Count, sum and sum of squares; exact, so that no order matters."""
    count = total = squares = 0
    for value in values:
        count += 1
        total += value
        squares += value * value
    return count, total, squares


def moments(count: int, total: int, squares: int) -> tuple[float, float | None]:
    """Mean and sample variance of integers, from exact sums; no variance of a single one."""
    if count < 2:
        return total / count, None
    return total / count, (count * squares - total * total) / (count * (count - 1))


def mean_estimate(values: Iterable[int], unit: int) -> Estimate:
    """The mean of independent values, each so many units, with Student's interval."""
    count, total, squares = sums_of(values)
    if not count:
        return Estimate(None, None, None, None)
    mean, variance = moments(count, total, squares)
    if variance is None:
        return Estimate(mean / unit, None, None, None)
    stderr = math.sqrt(variance / count) / unit
    reach = student_quantile((1 + LEVEL) / 2, count - 1) * stderr
    return Estimate(mean / unit, stderr, mean / unit - reach, mean / unit + reach)


def share_estimate(wins: Iterable[int], games: int) -> Estimate:
    """The share of games won in sets of `games` each.

    Standard error from the sets' shares; Wilson's interval with as many games as would have that
    error were they independent; with no spread between sets, each set counts as one game.
    """
    count, total, squares = sums_of(wins)
    if not count:
        return Estimate(None, None, None, None)
    share = total / (count * games)
    _, variance = moments(count, total, squares)
    stderr = None if variance is None else math.sqrt(variance / count) / games
    size = float(count)
    if stderr and 0 < share < 1:
        size = share * (1 - share) / stderr**2
    low, high = wilson_interval(share, size)
    return Estimate(share, stderr, low, high)


def wilson_interval(share: float, size: float) -> tuple[float, float]:
    """Wilson's 95 % interval of a share seen in `size` independent games."""
    middle = (share + _Z**2 / (2 * size)) / (1 + _Z**2 / size)
    reach = _Z / (1 + _Z**2 / size) * math.sqrt(share * (1 - share) / size + (_Z / (2 * size)) ** 2)
    return max(0.0, middle - reach), min(1.0, middle + reach)


# -- Student's t ---------------------------------------------------------------------------------


def student_within(t: float, degrees: int) -> float:
    """The probability that Student's t is within -t and t: a finite sum."""
    angle = math.atan2(t, math.sqrt(degrees))
    cosine2 = math.cos(angle) ** 2
    term = math.cos(angle) if degrees % 2 else 1.0
    total = 0.0 if degrees == 1 else term
    for k in range(3 if degrees % 2 else 2, degrees, 2):
        # Ratios of neighbouring terms: 2/3, 4/5 .. for odd degrees, 1/2, 3/4 .. for even ones.
        term *= cosine2 * (k - 1) / k
        total += term
    total *= math.sin(angle)
    return 2 / math.pi * (angle + total) if degrees % 2 else total


@cache
def student_quantile(probability: float, degrees: int) -> float:
    """What Student's t stays below with this probability of more than a half."""
    normal = NormalDist().inv_cdf(probability)
    if degrees >= _LARGE:
        cubic = (normal**3 + normal) / (4 * degrees)
        return normal + cubic + (5 * normal**5 + 16 * normal**3 + 3 * normal) / (96 * degrees**2)
    low, high = 0.0, normal + 1e6
    for _ in range(200):
        middle = (low + high) / 2
        if student_within(middle, degrees) < 2 * probability - 1:
            low = middle
        else:
            high = middle
    return (low + high) / 2


# -- looking as often as one likes ---------------------------------------------------------------

FIRST_LOOK = 50
"""Sets before a sequential comparison may stop: the variance must be known well enough."""


@dataclass(frozen=True, slots=True)
class ConfidenceSequence:
    """An asymptotic confidence sequence for a mean: 95 % for all looks together.

    After t values with sample deviation s the mean is within
    s sqrt(2 (t r^2 + 1) / (t^2 r^2) log(sqrt(t r^2 + 1) / a)) of theirs, r chosen so that the
    interval is the shortest after `planned` values.
    """

    planned: int
    error: float = 1 - LEVEL

    @property
    def scale(self) -> float:
        """r of the formula, squared."""
        spent = -2 * math.log(self.error)
        return (spent + math.log(spent) + 1) / self.planned

    def reach(self, count: int, deviation: float) -> float:
        """Half the interval's width after so many values."""
        grown = count * self.scale + 1
        wide = 2 * grown / (count**2 * self.scale) * math.log(math.sqrt(grown) / self.error)
        return deviation * math.sqrt(wide)

    def estimate(self, values: Iterable[int], unit: int) -> Estimate:
        """The mean with the interval that holds at all looks."""
        count, total, squares = sums_of(values)
        return self.estimate_of(count, total, squares, unit)

    def estimate_of(self, count: int, total: int, squares: int, unit: int) -> Estimate:
        """The same from exact sums."""
        if not count:
            return Estimate(None, None, None, None)
        mean, variance = moments(count, total, squares)
        if variance is None or count < FIRST_LOOK:
            stderr = None if variance is None else math.sqrt(variance / count) / unit
            return Estimate(mean / unit, stderr, None, None)
        reach = self.reach(count, math.sqrt(variance)) / unit
        stderr = math.sqrt(variance / count) / unit
        return Estimate(mean / unit, stderr, mean / unit - reach, mean / unit + reach)
