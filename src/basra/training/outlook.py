"""How the rest of a round may go where a value was searched: least squares and what they leave.

csrc/model/equity.h tells the formula.  Sums are exact, and so are the solutions, until they are
rounded for the file.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from basra import _core
from basra.training.rounds import DECISION_FIELDS

DIFFERENCES, TOTALS = 33, 4  # deviations, and extra points, of an outlook

_UNIT, _SHARE = 16, 4096  # of points and shares in a file
_ENOUGH = 64  # decisions that coefficients are fitted to; fewer say nothing
_VARIANCE = 54 / 16  # of the lead at the end, by card not captured; as in csrc/search/evaluate.c

Column = npt.NDArray[np.int64]


def outlook_rows(
    decisions: Sequence[int], plies: int, last_deal: int, most_cards: int
) -> list[list[int]]:
    """The file's numbers for 1, 2, .. `plies` cards to be played, `last_deal` in the last deal."""
    table = np.array(decisions, dtype=np.int64).reshape(-1, DECISION_FIELDS)
    return [
        _row(table[table[:, 0] == left].T, left <= last_deal, most_cards)
        for left in range(1, plies + 1)
    ]


def _row(decisions: Column, in_last_deal: bool, most_cards: int) -> list[int]:
    _, lead, uncaptured, value, came, won, extra = decisions
    totals = _means(extra, TOTALS)
    if in_last_deal:
        beyond = came * _core.UNIT - value
        return [*[0] * 7, *totals, *_means(beyond, DIFFERENCES, _core.UNIT)]
    now = np.array(
        [lead_share(*pair) for pair in zip(lead.tolist(), uncaptured.tolist(), strict=True)],
        dtype=np.int64,
    )
    rest = (came - won * most_cards) * _core.UNIT
    # All in units of values and of shares.
    most = _fit([now, value], won * _SHARE) if most_cards else [Fraction(0)] * 3
    other = _fit([now, value, won], rest)
    if most is None or other is None:
        # Too few rounds: a value is half most cards, half the rest.
        beyond = rest - value // 2
        half = _SHARE // 2
        return [0, 0, half, 0, 0, 0, half, *totals, *_means(beyond, DIFFERENCES, _core.UNIT)]
    # A better value is never worse, and neither is having most cards.
    most_value = max(0, _rounded(most[2] * most_cards * _core.UNIT))
    rest_value = max(0, _rounded(other[2] * _SHARE))
    rest_most = max(-most_cards * _UNIT, _rounded(other[3] * _UNIT / _core.UNIT))
    coefficients = [
        _rounded(most[0]),
        _rounded(most[1] * _SHARE),
        most_value,
        _rounded(other[0] * _UNIT / _core.UNIT),
        _rounded(other[1] * _SHARE * _UNIT / _core.UNIT),
        rest_most,
        rest_value,
    ]
    expected = (
        coefficients[3] * _SHARE * _core.UNIT // _UNIT
        + coefficients[4] * now * _core.UNIT // _UNIT
        + coefficients[5] * won * _SHARE * _core.UNIT // _UNIT
        + coefficients[6] * value
    )
    beyond = rest - expected // _SHARE
    return [*coefficients, *totals, *_means(beyond, DIFFERENCES, _core.UNIT)]


def lead_share(lead: int, uncaptured: int) -> int:
    """2 * (chance to have most cards, from the counts) - 1, in 1/4096."""
    if not lead:
        return 0
    if abs(lead) > uncaptured:
        return _SHARE if lead > 0 else -_SHARE
    return round(_SHARE * math.erf(lead / math.sqrt(2 * _VARIANCE * uncaptured)))


def _fit(columns: list[Column], target: Column) -> list[Fraction] | None:
    """Coefficients of a constant and the columns by least squares; None if they cannot be told."""
    if len(target) < _ENOUGH:
        return None
    every = [np.ones_like(target), *columns]
    system = [[Fraction(int(a @ b)) for b in every] + [Fraction(int(a @ target))] for a in every]
    for i, row in enumerate(system):
        if not row[i]:
            return None  # the columns depend on each other
        scaled = [number / row[i] for number in row]
        system[i] = scaled
        for j, other in enumerate(system):
            if j != i:
                system[j] = [b - other[i] * a for a, b in zip(scaled, other, strict=True)]
    return [row[-1] for row in system]


def _rounded(number: Fraction) -> int:
    """To the next whole number that the file can hold."""
    return max(-32768, min(round(number), 32767))


def _means(numbers: Column, count: int, unit: int = 1) -> list[int]:
    """Means of equal parts of the numbers in order, in 1/16 of their unit; zeros if none."""
    if not len(numbers):
        return [0] * count
    total = [0, *np.cumsum(np.sort(numbers)).tolist()]
    means = []
    for i in range(count):
        low = i * len(numbers) // count
        high = max((i + 1) * len(numbers) // count, low + 1)
        means.append(_rounded(Fraction((total[high] - total[low]) * _UNIT, (high - low) * unit)))
    return means
