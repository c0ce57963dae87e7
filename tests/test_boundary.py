"""Boundary nets: the core against a second reading of their bytes, and searches with them."""

from __future__ import annotations

import math
import random
import struct
from array import array
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from basra import Position, Rules, _core
from basra.models import BOUNDARY, TABLES, Part, model_bytes
from boundary_reference import (
    ANSWERS,
    HIDDEN,
    TOTALS,
    UNIT,
    Net,
    Nets,
    chance_above,
    features,
    net_bytes,
    towards_zero,
)
from helpers import PRESETS, mask_of, positions_of, set_of
from policy_reference import Kinds

CLASSIC = Rules.preset("classic")
SUITS, RANKS = "CDHS", "A23456789TJQK"
# Forty types: in most ranks no two cards are worth the same.
MANY = CLASSIC.with_changes(
    card_points={f"{r}{s}": 1 + n for r in RANKS[:9] for n, s in enumerate(SUITS)}
)
NEGATIVE = CLASSIC.with_changes(card_points={"K": -3, "2C": 5, "A": 1})
EVERY_RULES = {**{name: Rules.preset(name) for name in PRESETS}, "many": MANY, "less": NEGATIVE}


def floors(rules: Rules, count: int, seed: int) -> Iterator[tuple[frozenset[int], frozenset[int]]]:
    """Floors and cards unseen, small ones more often: also such as no game leaves."""
    rng = random.Random(seed)
    pack = sorted(set_of(rules.data.pack))
    for _ in range(count):
        rng.shuffle(pack)
        size = rng.choice((0, 1, 1, 2, 2, 3, 4, 6, 9, 15))
        # Cards of few ranks, now and then.
        few = [card for card in pack if card // 4 in (0, 1, 6, 10, 11)]
        floor = (few if rng.random() < 0.4 else pack)[:size]
        rest = [card for card in pack if card not in floor]
        yield frozenset(floor), frozenset(rest[: rng.randrange(len(rest) + 1)])


# -- features ------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", EVERY_RULES.values(), ids=EVERY_RULES)
def test_features(rules: Rules) -> None:
    kinds = Kinds(rules)
    assert _core.boundary_features(rules.data) == 104 + len(kinds.members) + TOTALS + ANSWERS
    for floor, unseen in floors(rules, 400, 1):
        found = _core.boundary_active(rules.data, mask_of(floor), mask_of(unseen))
        assert len(found) == len(set(found))
        assert set(found) == features(kinds, floor, unseen)


@pytest.mark.parametrize(
    ("floor", "unseen", "total", "answers"),
    [
        ("", "AC 2C", 0, 0),
        ("AC", "AD AH KS", 1, 2),
        ("AC AD", "AH 2C 2D", 2, 3),  # an ace takes both, and so does a two
        ("KC KD", "KH 2C", 11, 1),
        ("KC QD", "KH QC", 11, 0),
        ("4C 6D", "TC TD 4H", 10, 2),
        ("5C 6D", "TC JD", 11, 0),
        ("5C 5D", "5H TC TD TH TS", 10, 5),
        ("JC", "JD JH", 11, 2),
    ],
)
def test_features_by_hand(floor: str, unseen: str, total: int, answers: int) -> None:
    def numbers(text: str) -> int:
        return mask_of(4 * RANKS.index(card[0]) + SUITS.index(card[1]) for card in text.split())

    found = _core.boundary_active(CLASSIC.data, numbers(floor), numbers(unseen))
    first = 104 + len(Kinds(CLASSIC).members)
    assert found[-2:] == [first + total, first + TOTALS + answers]


# -- the normal distribution ---------------------------------------------------------------------


def exact_chance(mean: int, deviation: int) -> float:
    return 65536 * (1 + math.erf(mean / deviation / math.sqrt(2))) / 2


def test_the_normal_distribution() -> None:
    """Rounded twice, besides the error of straight lines: step ** 2 / 8 * the steepest curve."""
    from whitebox.modules import game

    lines = 65536 * (1 / 16) ** 2 / 8 * math.exp(-0.5) / math.sqrt(2 * math.pi)
    core = game().lib.normal_chance
    rng = random.Random(3)
    cases = [(rng.randint(-40_000, 40_000), rng.randint(256, 70_000)) for _ in range(20_000)]
    for mean, deviation in cases:
        chance = core(mean, deviation)
        assert chance == chance_above(mean, deviation)
        assert abs(chance - exact_chance(mean, deviation)) <= 2 + lines
    for n in range(-63, 64):  # where the table is exact
        assert abs(core(n * 1000, 16_000) - exact_chance(n, 16)) <= 0.51
    assert core(0, 256) == 32768
    assert (core(2**31 - 1, 256), core(-(2**31 - 1), 256)) == (65536, 0)
    assert core(2**31 - 1, 54 << 16) == 65536
    means = [core(mean, 5000) for mean in range(-30_000, 30_000, 37)]
    assert means == sorted(means)


# -- values at a deal's end ----------------------------------------------------------------------


CASES: dict[str, tuple[Rules, int, bool]] = {
    "classic": (CLASSIC, 2, False),
    "partners": (CLASSIC, 4, True),
    "palestine": (Rules.preset("palestine"), 2, False),
    "egyptian-v2": (Rules.preset("egyptian-v2"), 2, False),
    "many": (MANY, 2, False),
    "less": (NEGATIVE, 2, False),
    "no bonus": (CLASSIC.with_changes(most_cards=0), 2, False),
    "free": (CLASSIC.with_changes(must_capture="none"), 2, False),
    "hand": (CLASSIC.with_changes(must_capture="hand", choice="any"), 2, False),
    "hands of six": (CLASSIC.with_changes(hand_size=6, tables=["2"]), 2, False),
}


@cache
def nets_of(name: str) -> Nets:
    rules, players, partners = CASES[name]
    return Nets(rules, players, partners, 1)


def held(position: Position) -> int:
    return sum(hand.bit_count() for hand in position.data.fields()["hands"])


def before_the_end(name: str, seeds: range, most: int) -> Iterator[Position]:
    """Positions with so many cards or fewer left in a deal that is not the last."""
    rules, players, partners = CASES[name]
    for seed in seeds:
        for position in positions_of(rules, players, partners, seed, seed % players):
            if 0 < held(position) <= most and position.data.fields()["stock"]:
                yield position


@pytest.mark.parametrize("name", CASES)
def test_the_last_card_of_a_deal(name: str) -> None:
    """What it gains, and what the net says of what it leaves: to the last bit."""
    engine, nets = _core.EngineData(0), nets_of(name)
    seen = set()
    for position in before_the_end(name, range(25), 1):
        [value] = _core.deal_values(engine, nets.data, position.data, 1, 1, [])
        assert value == max(nets.values(position))
        [plain] = _core.deal_values(engine, None, position.data, 1, 1, [])
        seen.add(value - plain)
    assert len(seen) > 20, "the net is used"


@pytest.mark.parametrize("name", CASES)
def test_a_search_agrees_with_plain_minimax(name: str) -> None:
    """Over the last four cards of deals: the value, and every move's in its world.

    One engine for all: what a table keeps of one standing must hold for every other it is used for.
    """
    engine, nets = _core.EngineData(0), nets_of(name)
    for position in before_the_end(name, range(6), 4):
        moves = [(move.card.index, move.captures.mask) for move in position.legal_moves()]
        wanted = dict(zip(moves, nets.values(position), strict=True))
        [value] = _core.deal_values(engine, nets.data, position.data, 1, 1, [])
        assert value == max(wanted.values())
        view = _core.ViewData.of(position.data)
        listed, groups = view.moves()
        found: dict[int, tuple[array[int], list[int], int]] = {}
        world = _core.Worlds.of(position.data)
        engine.world_values(view, nets.data, world, groups, 0, 0, [], found, 0)
        values = found[0][0]
        assert {move[:2]: values[group] for move, group in listed} == wanted


@pytest.mark.parametrize("name", ["classic", "free", "partners", "less"])
def test_longer_searches_agree_with_plain_minimax(name: str) -> None:
    """Six to eight cards, where the table is asked: what it keeps holds for standings alone."""
    engine, rng = _core.EngineData(0), random.Random(5)
    rules, players, partners = CASES[name]
    for number in range(12):
        # Nets that differ much in what having captured last is worth.
        nets = Nets(rules, players, partners, 20 + number)
        position = standing_with(rng, name, (6, 7, 8)[number % 3])
        [value] = _core.deal_values(engine, nets.data, position.data, 1, 1, [])
        assert value == max(nets.values(position))


def standing_with(rng: random.Random, name: str, cards: int) -> Position:
    rules, players, partners = CASES[name]
    while True:
        position = Position.deal(rules, rng.getrandbits(40), players=players, partners=partners)
        plies = rng.randrange(2) * rules.hand_size * players + rules.hand_size * players - cards
        for _ in range(plies):
            position.play(rng.choice(position.legal_moves()))
        if position.data.fields()["stock"] and len(position.floor) <= 4:
            return position


SINGLES = {
    "three": (CLASSIC, 3),
    "four": (Rules.preset("palestine"), 4),
    "four, 52": (Rules.preset("palestine-52"), 4),
}


@pytest.mark.parametrize("name", SINGLES)
@pytest.mark.parametrize("leader", [0, 2])
def test_single_players(name: str, leader: int) -> None:
    """Gains, what the net says of each seat from the one that leads, and the expected most cards,
    which move in a straight line from the counts before the card."""
    rules, players = SINGLES[name]
    nets, engine = Nets(rules, players, False, 2), _core.EngineData(0)
    checked = 0
    for seed in range(25):
        for position in positions_of(rules, players, False, seed, leader):
            fields = position.data.fields()
            if held(position) != 1 or not fields["stock"]:
                continue
            seat = fields["turn"]
            best = best_for(seat, [
                singles_after(nets, position, move) for move in position.legal_moves()
            ])  # fmt: skip
            values = _core.deal_values(engine, nets.data, position.data, 1, 1, [])
            assert list(values) == best[seat:] + best[:seat]
            checked += 1
            view = _core.ViewData.of(position.data)
            listed, groups = view.moves()
            found: dict[int, tuple[array[int], list[int], int]] = {}
            world = _core.Worlds.of(position.data)
            engine.world_values(view, nets.data, world, groups, 0, 0, [], found, 0)
            for move, group in listed:
                legal = [
                    m for m in position.legal_moves()
                    if (m.card.index, m.captures.mask) == move[:2]
                ]  # fmt: skip
                wanted = singles_after(nets, position, legal[0], leader)
                got = list(found[0][0][group * players : (group + 1) * players])
                assert got == wanted[seat:] + wanted[:seat]
    assert checked > 20


def best_for(seat: int, found: list[list[int]]) -> list[int]:
    """The first of the moves that serve a seat best."""
    return max(found, key=lambda points: len(points) * points[seat] - sum(points))


def singles_after(nets: Nets, position: Position, move: Any, first: int = 0) -> list[int]:
    """Points by seat, in 1/UNIT; shares are rounded in the order of seats from `first` on."""
    before = position.data.fields()
    seat, cards = before["turn"], list(before["cards"])
    players = len(cards)
    bonus, left = nets.rules.most_cards + before["carry"], len(before["stock"]) + 4

    def shares(more: int) -> list[int]:
        counts = [n + more * (s == seat) for s, n in enumerate(cards)]
        found = _core.majority_shares(counts[first:] + counts[:first], left, bonus)
        return found[players - first :] + found[: players - first]

    taken = len(move.captures) + 1 if move.captures else 0
    floor = before["floor"] | 1 << move.card.index
    if taken:
        floor = before["floor"] & ~move.captures.mask
    told = nets.nets[nets.deals - before["deal"]].told(set_of(floor), frozenset(before["stock"]))
    found = []
    for s, (share, more, less) in enumerate(zip(shares(0), shares(4), shares(-4), strict=True)):
        own = told[(s - before["leader"]) % players]
        found.append(share + taken * towards_zero(more - less, 8) + own)
    found[seat] += (move.basra + move.points) * UNIT
    return found


# -- more is never worse -------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_more_cards_and_having_captured_last_never_hurt(seed: int) -> None:
    """At a trail that ends a deal, seen by the side that leads next."""
    rules = CLASSIC
    nets, engine = Nets(rules, 2, False, 10 + seed), _core.EngineData(0)
    rng = random.Random(seed)
    for _ in range(4):
        pack = sorted(set_of(rules.data.pack))
        rng.shuffle(pack)
        hand, floor, stock = pack[0], pack[1 : rng.randrange(2, 6)], pack[6:22]
        captured = 52 - 1 - len(floor) - len(stock)
        table = []
        for lead in range(6 - captured, captured - 5, 3):
            mine = (captured + lead) // 2
            row = [
                worth_to_next(engine, nets, rules, hand, floor, stock, mine, captured - mine, last)
                for last in (0, 1)
            ]
            assert row == sorted(row)
            table.append(row)
        for column in zip(*table, strict=True):
            assert list(column) == sorted(column)
        assert table[0] < table[-1]


def worth_to_next(
    engine: _core.EngineData, nets: Nets, rules: Rules, hand: int, floor: list[int],
    stock: list[int], mine: int, other: int, last: int,
) -> int:  # fmt: skip
    """The value for seat 1, which leads the next deal, of seat 0's last card."""
    from helpers import cards, words

    # Seat 0 plays its only card: what it captures is the same in every one of them.
    position = Position.setup(
        [cards([hand]), cards([])], cards(floor), rules=rules, stock=words(stock),
        cards=[other, mine], last=last,
    )  # fmt: skip
    [value] = _core.deal_values(engine, nets.data, position.data, 1, 1, [])
    return -value


# -- damaged bytes -------------------------------------------------------------------------------


def file_of(rules: Rules, data: bytes, table: str = "2", stage: int = 1) -> bytes:
    return model_bytes(rules, [Part(BOUNDARY, TABLES.index(table), stage, data)])


def test_every_truncation_is_refused() -> None:
    data = net_bytes(CLASSIC, 1)
    assert _core.ModelData(CLASSIC.data, file_of(CLASSIC, data)) is not None
    for size in [*range(40), *range(40, len(data), 101), len(data) - 1]:
        with pytest.raises(_core.CoreError):
            _core.ModelData(CLASSIC.data, file_of(CLASSIC, data[:size]))
    with pytest.raises(_core.CoreError):
        _core.ModelData(CLASSIC.data, file_of(CLASSIC, data + b"\0"))


def end_of_a_deal(rules: Rules, players: int, stage: int) -> Position:
    """A position with one card left in the deal before a boundary."""
    for position in positions_of(rules, players, False, 3):
        fields = position.data.fields()
        if held(position) == 1 and fields["deal"] == len(rules.deal_sizes(players)) - stage:
            return position
    raise AssertionError


def test_damage_is_refused_or_harmless() -> None:
    """With the sum made right again: what is read is a net, and worth what its bytes say."""
    rng, data, engine = random.Random(4), net_bytes(CLASSIC, 1), _core.EngineData(0)
    position = end_of_a_deal(CLASSIC, 2, 1)
    refused = read = 0
    tail = 8 * (len(data) - 24)
    bits = [*range(64), *range(tail, 8 * len(data)), *(rng.randrange(tail) for _ in range(150))]
    for bit in bits:
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        try:
            model = _core.ModelData(CLASSIC.data, file_of(CLASSIC, bytes(changed)))
        except _core.CoreError:
            refused += 1
            assert bit < 64 or bit >= tail or bit // 8 >= len(data) - 24 - 4 * HIDDEN
            continue
        read += 1
        [value] = _core.deal_values(engine, model, position.data, 1, 1, [])
        assert value == worth_of_last_card(bytes(changed), position)
    assert refused > 64
    assert read > 150


def worth_of_last_card(data: bytes, position: Position) -> int:
    """By the second reading, the only legal moves being tried."""
    net = Net(CLASSIC, data)
    fields = position.data.fields()
    found = []
    for move in position.legal_moves():
        after = position.copy().play(move).data.fields()
        side = after["turn"] % 2
        unseen = frozenset(fields["stock"])
        last = 0 if after["last"] < 0 else 1 if after["last"] == side else -1
        lead = after["cards"][side] - after["cards"][1 - side]
        rest = net.worth(set_of(after["floor"]), unseen, lead, last, CLASSIC.most_cards)
        found.append((move.basra + move.points) * UNIT - rest)
    return max(found)


@pytest.mark.parametrize(("table", "outputs"), [("2", 3), ("partners", 4), ("3", 2), ("3", 4)])
def test_a_net_for_another_table_is_refused(table: str, outputs: int) -> None:
    """Its numbers would mean something else, and its deviation may be 0."""
    with pytest.raises(_core.CoreError):
        _core.ModelData(CLASSIC.data, file_of(CLASSIC, net_bytes(CLASSIC, 1, outputs), table))


def set_tail(data: bytes, at: int, number: int) -> bytes:
    """A part with one of its last six numbers changed: two biases, then those of the last capturer
    and the deviation."""
    changed = bytearray(data)
    struct.pack_into("<i", changed, len(data) - 24 + 4 * at, number)
    return bytes(changed)


@pytest.mark.parametrize(
    ("at", "number", "fine"),
    [
        (0, 1 << 24, True), (0, (1 << 24) + 1, False), (1, -(1 << 24), True),
        (1, -(1 << 24) - 1, False), (2, 0, True), (2, -1, False), (2, 1 << 16, True),
        (2, (1 << 16) + 1, False), (3, -1, False), (4, 256, True), (4, 255, False),
        (5, 0, True), (5, -1, False),
    ],
)  # fmt: skip
def test_limits_of_the_last_numbers(at: int, number: int, fine: bool) -> None:
    """What would make having captured last a loss, a deviation of nothing, or sums too large."""
    data = set_tail(net_bytes(CLASSIC, 1), at, number)
    if fine:
        model = _core.ModelData(CLASSIC.data, file_of(CLASSIC, data))
        position = end_of_a_deal(CLASSIC, 2, 1)
        [value] = _core.deal_values(_core.EngineData(0), model, position.data, 1, 1, [])
        assert value == worth_of_last_card(data, position)
    else:
        with pytest.raises(_core.CoreError):
            _core.ModelData(CLASSIC.data, file_of(CLASSIC, data))


def test_largest_weights() -> None:
    """No sum leaves 32 bits: 32 * 32768 * 2047 is below 2 ** 31."""
    data = bytearray(net_bytes(CLASSIC, 1))
    first_out = len(data) - 24 - 4 * HIDDEN
    position = end_of_a_deal(CLASSIC, 2, 1)
    struct.pack_into(f"<{HIDDEN}h", data, first_out - 2 * HIDDEN, *[32767] * HIDDEN)
    for most in (32767, -32768):
        struct.pack_into(f"<{HIDDEN}h", data, first_out, *[most] * HIDDEN)
        model = _core.ModelData(CLASSIC.data, file_of(CLASSIC, bytes(data)))
        [value] = _core.deal_values(_core.EngineData(0), model, position.data, 1, 1, [])
        assert value == worth_of_last_card(bytes(data), position)
        assert abs(value) > 1 << 26


def test_a_boundary_without_a_net_is_valued_as_ever() -> None:
    """A model may have nets for some deals only."""
    engine = _core.EngineData(0)
    model = _core.ModelData(CLASSIC.data, file_of(CLASSIC, net_bytes(CLASSIC, 1), stage=1))
    for stage, same in ((1, False), (2, True), (5, True)):
        position = end_of_a_deal(CLASSIC, 2, stage)
        found = [
            _core.deal_values(engine, known, position.data, 1, 1, [])[0] for known in (model, None)
        ]
        assert (found[0] == found[1]) == same
