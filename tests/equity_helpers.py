"""What tests of match equity share: made-up rounds, and models of nothing but their equity."""

from __future__ import annotations

from collections import Counter
from functools import cache

from basra import Rules, _core
from basra.models import EQUITY, TABLES, Part, model_bytes
from basra.training.equity import equity_part

CLASSIC = Rules.preset("classic")
Outcomes = dict[tuple[int, int, int], int]

# Own points, other's, who won most cards: the leader does a little better.
LOPSIDED: Outcomes = {
    (0, 0, 0): 3, (3, 1, 1): 4, (1, 2, -1): 3, (0, 4, 0): 1, (2, 2, 1): 2, (5, 0, -1): 1,
}  # fmt: skip


def _even() -> Outcomes:
    """A smooth spread of rounds, the same for both sides: card points, basras, most cards."""
    found: Counter[tuple[int, int, int]] = Counter()
    for own in range(14):
        for basras in range(3):
            for won in (1, -1):
                weight = (14 - abs(2 * own - 13)) * (3 - basras)
                found[own + 10 * basras, 13 - own, won] += weight
                found[13 - own, own + 10 * basras, won] += weight
    return found | {(26, 26, 0): 40}


EVEN = _even()


def model_of(rules: Rules, outcomes: Outcomes, table: str = "2") -> _core.ModelData:
    """A model with no more than the equity of these outcomes."""
    part = equity_part(rules, table, outcomes, [])
    return _core.ModelData(rules.data, file_of(rules, part, table))


def file_of(rules: Rules, part: bytes, table: str = "2") -> bytes:
    return model_bytes(rules, [Part(EQUITY, TABLES.index(table), 0, part)])


@cache
def even_model() -> _core.ModelData:
    return model_of(CLASSIC, EVEN)


def equity(model: _core.ModelData, own: int, other: int, carry: int = 0, leader: int = 0) -> int:
    return _core.match_equity(model, 2, False, [own, other], carry, leader)
