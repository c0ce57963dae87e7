"""A second reading of boundary nets: features, what a net tells, and what a deal's end is worth.

From csrc/model/boundary.h, in whole numbers, so that the core must agree to the last bit.  It
shares nothing with the core but the legal moves.
"""

from __future__ import annotations

import math
import random
import struct
from typing import Any

from basra import Position, Rules, _core
from basra.models import BOUNDARY, TABLES, Part, model_bytes
from helpers import set_of
from policy_reference import Kinds, rank

HIDDEN, TOTALS, ANSWERS, CLIP = 32, 12, 6, 2047
UNIT = 1024
TEN = 9
FAR = 1 << 31


def features(kinds: Kinds, floor: frozenset[int], unseen: frozenset[int]) -> set[int]:
    """Numbers of what is there of a floor and the cards unseen."""
    many = len(kinds.members)
    found = set()
    for first, cards in ((0, floor), (52, unseen)):
        held = [kinds.of[card] for card in cards]
        for kind, members in enumerate(kinds.members):
            found |= {first + n for n in range(held.count(kind))}
            first += len(members)
    if len(floor) == 1:
        found.add(104 + kinds.of[next(iter(floor))])
    ranks = [rank(card) for card in floor]
    total = sum(r + 1 for r in ranks)
    small = all(r <= TEN for r in ranks) and total <= 10
    found.add(104 + many + (total if small else TOTALS - 1))
    takers = {total - 1} if floor and small else set()
    if len(set(ranks)) == 1:
        takers |= set(ranks)
    answers = sum(rank(card) in takers for card in unseen)
    found.add(104 + many + TOTALS + min(answers, ANSWERS - 1))
    return found


def towards_zero(number: int, by: int) -> int:
    return number // by if number >= 0 else -(-number // by)


NORMAL = [round(65536 * (1 + math.erf(n / 16 / math.sqrt(2))) / 2) for n in range(65)]
"""The normal distribution function at sixteenths."""


def chance_above(mean: int, deviation: int) -> int:
    """Chance in 1/65536 that something normal is above 0, by straight lines between sixteenths."""
    steps = (abs(mean) * 16 << 16) // deviation
    at, part = steps >> 16, steps & 0xFFFF
    chance = 65536
    if at < 64:
        chance = NORMAL[at] + (NORMAL[at + 1] - NORMAL[at]) * part // 65536
    return chance if mean >= 0 else 65536 - chance


class Net:
    """The numbers of a part."""

    def __init__(self, rules: Rules, data: bytes) -> None:
        self.kinds = Kinds(rules)
        version, count, hidden, self.outputs = struct.unpack_from("<4H", data)
        assert (version, hidden) == (1, HIDDEN)
        assert count == 104 + len(self.kinds.members) + TOTALS + ANSWERS
        rows = count + 1 + self.outputs
        words = struct.unpack_from(f"<{rows * HIDDEN}h", data, 8)
        columns = [words[at : at + HIDDEN] for at in range(0, len(words), HIDDEN)]
        self.columns, self.bias = columns[:count], columns[count]
        self.out = columns[count + 1 :]
        tail = struct.unpack_from(f"<{self.outputs + 4}i", data, 8 + 2 * rows * HIDDEN)
        assert len(data) == 8 + 2 * rows * HIDDEN + 4 * len(tail)
        self.out_bias = tail[: self.outputs]
        self.last_points, self.last_cards, self.spread, self.spread_card = tail[self.outputs :]

    def told(self, floor: frozenset[int], unseen: frozenset[int]) -> list[int]:
        """By output, in 1/UNIT."""
        there = [self.columns[n] for n in features(self.kinds, floor, unseen)]
        sums = [sum(column) for column in zip(self.bias, *there, strict=True)]
        cut = [min(max(n, 0), CLIP) for n in sums]
        return [
            bias + towards_zero(sum(a * b for a, b in zip(cut, row, strict=True)), 16)
            for bias, row in zip(self.out_bias, self.out, strict=True)
        ]

    def worth(
        self, floor: frozenset[int], unseen: frozenset[int], lead: int, last: int, bonus: int
    ) -> int:
        """For two sides: of the side that leads next, in 1/UNIT points."""
        points, cards = self.told(floor, unseen)
        size, left = len(floor), len(floor | unseen)
        final = lead * UNIT + cards + last * size * self.last_cards
        if abs(lead) > left:
            final = FAR if lead > 0 else -FAR
        chance = chance_above(final, self.spread + self.spread_card * size)
        most = towards_zero(bonus * UNIT * (2 * chance - 65536), 65536)
        worth: int = points + last * size * self.last_points + most
        return worth


def net_bytes(rules: Rules, seed: int, outputs: int = 2) -> bytes:
    """A net of random numbers, as large as fitted ones are."""
    rng = random.Random(seed)
    count = _core.boundary_features(rules.data)
    words = [rng.randint(-80, 80) for _ in range(count * HIDDEN)]
    words += [rng.randint(0, 700) for _ in range(HIDDEN)]
    words += [rng.randint(-200, 200) for _ in range(outputs * HIDDEN)]
    tail = [rng.randint(-4000, 4000) for _ in range(outputs)]
    tail += [rng.randint(0, 4000), rng.randint(0, 2000), rng.randint(1500, 6000)]
    tail += [rng.randint(0, 300)]
    if outputs > 2:
        tail[-4:] = [0, 0, 0, 0]
    return struct.pack(f"<4H{len(words)}h{len(tail)}i", 1, count, HIDDEN, outputs, *words, *tail)


class Nets:
    """Random nets for every boundary of a table, for the core and here."""

    def __init__(self, rules: Rules, players: int, partners: bool, seed: int) -> None:
        table = TABLES.index("partners" if partners else str(players))
        outputs = players if players > 2 and not partners else 2
        deals = len(rules.deal_sizes(players))
        parts = [
            Part(BOUNDARY, table, stage, net_bytes(rules, 100 * seed + stage, outputs))
            for stage in range(1, deals)
        ]
        self.data = _core.ModelData(rules.data, model_bytes(rules, parts))
        self.nets = {part.stage: Net(rules, part.data) for part in parts}
        self.rules, self.deals = rules, deals
        self.known: dict[Any, int] = {}

    def leaf(self, fields: dict[str, Any]) -> int:
        """What a deal's start is worth to the side that leads it, as the end of the one before."""
        side = fields["turn"] % 2
        last = fields["last"]
        unseen = set_of(sum(fields["hands"])) | frozenset(fields["stock"])
        return self.nets[self.deals + 1 - fields["deal"]].worth(
            set_of(fields["floor"]),
            unseen,
            fields["cards"][side] - fields["cards"][1 - side],
            0 if last < 0 else 1 if last % 2 == side else -1,
            self.rules.most_cards + fields["carry"] if self.rules.most_cards else 0,
        )

    def values(self, position: Position) -> list[int]:
        """Of every legal move, by trying all there is to the deal's end; two sides."""
        deal = position.data.fields()["deal"]
        found = []
        for move in position.legal_moves():
            after = position.copy().play(move)
            fields = after.data.fields()
            if fields["deal"] != deal:
                rest = self.leaf(fields)
            else:
                # Nothing else tells places of one stock apart.
                key = (
                    fields["floor"], tuple(fields["hands"]), tuple(fields["stock"]),
                    tuple(fields["cards"]), fields["last"], fields["turn"], fields["carry"],
                )  # fmt: skip
                if key not in self.known:
                    self.known[key] = max(self.values(after))
                rest = self.known[key]
            found.append((move.basra + move.points) * UNIT - rest)
        return found
