"""The policy: what it sees, what it scores, what its bytes may be."""

from __future__ import annotations

import random
import struct
from math import exp, log2
from pathlib import Path
from typing import Any

import pytest

import basra
from basra import Position, Rules, _core
from basra.errors import ModelError
from basra.models import POLICY, Model, Part, model_bytes
from helpers import TABLE_IDS, TABLES, Table, positions_of
from policy_helpers import HEAD, data_of, part_bytes, random_model
from policy_reference import Kinds, features, sight_of

CLIP = 2048
CLASSIC = Rules.preset("classic")


def view_data(position: Position) -> Any:
    return _core.ViewData.of(position.data)


def first_moves(view: Any) -> list[tuple[int, int, int, int]]:
    """The first move of each group."""
    found: dict[int, tuple[int, int, int, int]] = {}
    for move, group in view.moves()[0]:
        found.setdefault(group, move)
    return [found[group] for group in sorted(found)]


def lead_of(view: Any) -> int:
    fields = view.fields()
    own = fields["seat"] % 2 if fields["partners"] else fields["seat"]
    counts: list[int] = fields["cards"]
    best = max(n for side, n in enumerate(counts) if side != own)
    return int(counts[own] - best)


def listed_features(views: list[Any]) -> list[list[list[int]]]:
    """By view and group, the numbers of the features as the core makes them for training."""
    decisions = _core.PolicyList()
    for view in views:
        decisions.add(view, 0)
    numbers, ends, groups, _ = decisions.columns()
    made: list[list[list[int]]] = []
    start = first = 0
    for end in groups:
        made.append([])
        for group in range(first, end):
            made[-1].append(list(numbers[start : ends[group]]))
            start = ends[group]
        first = end
    return made


def played_views(table: Table, seeds: range) -> list[Any]:
    found = []
    for seed in seeds:
        for position in positions_of(
            Rules.preset(table.preset), table.players, table.partners, seed, seed % table.players
        ):
            if not position.is_over:
                found.append(view_data(position))
    return found


# -- what it sees --------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
def test_features_are_those_of_the_definition(table: Table) -> None:
    """Every group of every decision of random rounds, against a second reading."""
    kinds = Kinds(Rules.preset(table.preset))
    views = played_views(table, range(3))
    for view, groups in zip(views, listed_features(views), strict=True):
        fields = view.fields()
        moves = first_moves(view)
        assert len(moves) == len(groups)
        sight = sight_of(view, fields["hand"], fields["floor"], fields["seen"], lead_of(view))
        for move, numbers in zip(moves, groups, strict=True):
            assert len(numbers) == len(set(numbers)) <= 70
            assert kinds.named(numbers) == features(kinds, sight, move)


@pytest.mark.parametrize(
    ("preset", "changes"),
    [
        ("classic", {"must_capture": "none"}),
        ("classic", {"must_capture": "hand"}),
        ("palestine", {"choice": "any", "must_capture": "hand"}),
        ("egyptian-v2", {"hand_size": 6, "card_points": {"QS": 5, "3": 2}}),
        ("classic", {"basra_on_last": False}),
    ],
)
def test_features_under_other_rules(preset: str, changes: dict[str, Any]) -> None:
    rules = Rules.preset(preset).with_changes(**changes)
    kinds = Kinds(rules)
    sizes = sum(size for _, size in kinds.blocks())
    assert _core.policy_features(rules.data) == sizes
    for seed in range(3):
        positions = [p for p in positions_of(rules, 2, False, seed) if not p.is_over]
        views = [view_data(p) for p in positions]
        for view, groups in zip(views, listed_features(views), strict=True):
            fields = view.fields()
            sight = sight_of(view, fields["hand"], fields["floor"], fields["seen"], lead_of(view))
            named = [kinds.named(numbers) for numbers in groups]
            assert named == [features(kinds, sight, move) for move in first_moves(view)]


# -- what it scores ------------------------------------------------------------------------------


def weights_of(part: bytes) -> tuple[list[list[int]], list[int], list[int]]:
    _, count, hidden, *_ = HEAD.unpack_from(part)
    numbers = struct.unpack(f"<{(count + 2) * hidden}h", part[HEAD.size :])
    columns = [list(numbers[i * hidden : (i + 1) * hidden]) for i in range(count)]
    return columns, list(numbers[-2 * hidden : -hidden]), list(numbers[-hidden:])


def score_of(part: bytes, numbers: list[int]) -> int:
    """A score in 1/1024 nat, by its definition."""
    columns, bias, second = weights_of(part)
    sums = [sum(column) for column in zip(bias, *(columns[n] for n in numbers), strict=True)]
    whole = sum(min(max(s, 0), CLIP) * w for s, w in zip(sums, second, strict=True))
    return int(whole / 128)  # towards 0


@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
def test_scores_are_those_of_the_features(table: Table) -> None:
    """In whole numbers, exactly: shared sums and hands taken apart change nothing."""
    rules = Rules.preset(table.preset)
    part = part_bytes(rules, 5, hidden=16)
    model = Model(rules, model_bytes(rules, [Part(POLICY, 0, 0, part)]))
    views = played_views(table, range(1))
    for view, groups in zip(views, listed_features(views), strict=True):
        scores = _core.policy_scores(view, model._data, len(groups))
        assert scores == [score_of(part, numbers) for numbers in groups]


def test_the_policy_player_plays_the_best_score() -> None:
    model = random_model("classic")
    player = _core.PlayerData(model._data, 4, 0, 0, 0, 0, 100)
    engine = _core.EngineData(0)
    for view in played_views(Table("classic", 2, False), range(2)):
        groups = view.moves()[1]
        scores = _core.policy_scores(view, model._data, groups)
        _, chosen, _, _ = _core.choose(engine, player, view, 7, 0, 0, [])
        assert scores[chosen] == max(scores)


@pytest.mark.parametrize("model", [None, Model(CLASSIC, model_bytes(CLASSIC, []))])
def test_the_policy_player_needs_a_policy(model: Model | None) -> None:
    player = _core.PlayerData(data_of(model), 4, 0, 0, 0, 0, 100)
    view = view_data(Position.deal("classic", 3))
    with pytest.raises(_core.CoreError) as caught:
        _core.choose(_core.EngineData(0), player, view, 0, 0, 0, [])
    assert caught.value.status == ModelError.status
    for ask in (
        lambda: _core.policy_scores(view, None, 3),
        lambda: _core.play_bits(view, None, 0, 0),
    ):
        with pytest.raises(_core.CoreError) as caught:
            ask()
        assert caught.value.status == ModelError.status


def chance_of(scores: list[int], chosen: int, temperature: int, floor: int) -> float:
    """The chance of a group, in real numbers."""
    powers = [exp(s / 1024 / (temperature / 100)) for s in scores]
    share = floor / 1024
    return (1 - share) * powers[chosen] / sum(powers) + share / len(scores)


def greedy_chance(view: Any, chosen: int) -> float:
    """The chance of a group if nine plays of ten are what brings most at once, the tenth any."""
    rules = CLASSIC.data.fields()
    each = 2 * (rules["most_cards"] + view.fields()["carry"]) / rules["deck"]
    gains = []
    for card, taken, sweep, points in first_moves(view):
        gain = sweep + points - (0 if taken else rules["card_points"][card])
        gains.append(gain + each * (taken.bit_count() + 1 if taken else 0))
    best = [group for group, gain in enumerate(gains) if gain > max(gains) - 1e-6]
    return 0.9 * (chosen in best) / len(best) + 0.1 / len(gains)


@pytest.mark.parametrize(("temperature", "floor"), [(100, 20), (150, 1), (10, 512), (1000, 60)])
def test_likelihood_of_a_play_by_kinds_of_players(temperature: int, floor: int) -> None:
    """Of every play of the mover itself, one ply later: scores and gains before, bits after."""
    model = random_model("classic", 3, temperature=temperature, floor=floor)
    rng = random.Random(2)
    compared = 0
    for seed in range(4):
        position = Position.deal("classic", seed)
        while not position.is_over:
            view = view_data(position)
            listed, groups = view.moves()
            scores = _core.policy_scores(view, model._data, groups)
            chosen = rng.randrange(len(listed))
            (card, taken, _, _), group = listed[chosen]
            hand, deal = view.fields()["hand"], position.deal_number
            position.play(position.legal_moves()[chosen])
            if position.is_over or position.deal_number != deal:
                continue
            after = view_data(position)
            index = len(after.fields()["played"]) - 1
            assert after.fields()["played"][index] == (card, taken)
            bits = _core.play_bits(after, model._data, index, hand)
            chances = (
                chance_of(scores, group, temperature, floor),
                greedy_chance(view, group),
                1 / groups,
            )
            for kind, chance in enumerate(chances):
                assert bits[kind] / 65536 == pytest.approx(-log2(chance), abs=0.002)
            compared += 1
    assert compared > 100


# -- its bytes -----------------------------------------------------------------------------------


def whole(rules: Rules, part: bytes) -> bytes:
    return model_bytes(rules, [Part(POLICY, 0, 0, part)])


def refused(rules: Rules, part: bytes) -> bool:
    try:
        Model(rules, whole(rules, part))
    except ModelError:
        return True
    return False


def test_every_truncation_is_refused() -> None:
    rules = CLASSIC
    part = part_bytes(rules, 1)
    assert not refused(rules, part)
    assert all(refused(rules, part[:size]) for size in range(len(part)))
    assert refused(rules, part + b"\0")
    assert refused(rules, part + part)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (0, 0), (0, 2), (1, 0), (1, 244), (1, 2**32 - 1), (2, 0), (2, 4), (2, 7), (2, 72),
        (2, 65528), (3, 0), (3, 9), (3, 1001), (4, 0), (4, 513), (5, 1),
    ],
)  # fmt: skip
def test_heads_out_of_range_are_refused(field: int, value: int) -> None:
    rules = CLASSIC
    part = part_bytes(rules, 1)
    head = list(HEAD.unpack_from(part))
    head[field] = value
    assert refused(rules, HEAD.pack(*head) + part[HEAD.size :])


def test_sums_that_could_overflow_are_refused() -> None:
    """Second weights: of 64 units 32 bits hold 16,383 each, of the first all there can be."""
    rules = CLASSIC
    count = _core.policy_features(rules.data)
    head = HEAD.pack(1, count, 64, 100, 20, 0)
    first = struct.pack("<h", 32767) * (count * 64 + 64)
    assert not refused(rules, head + first + struct.pack("<h", 16383) * 64)
    assert refused(rules, head + first + struct.pack("<h", 16384) * 64)
    assert refused(rules, head + first + struct.pack("<h", -32768) * 64)


def test_extreme_nets_play() -> None:
    """The largest numbers that are read: sums stay inside their bits (the sanitizers watch)."""
    rules = CLASSIC
    count = _core.policy_features(rules.data)
    for sign in (1, -1):
        head = HEAD.pack(1, count, 64, 10, 1, 0)
        numbers = (
            [32767 * sign] * (count * 64) + [-32768] * 64 + [16383 * (-1) ** i for i in range(64)]
        )
        part = head + struct.pack(f"<{len(numbers)}h", *numbers)
        model = Model(rules, whole(rules, part))
        for view in played_views(Table("classic", 2, False), range(1)):
            scores = _core.policy_scores(view, model._data, view.moves()[1])
            assert all(abs(score) < 1 << 24 for score in scores)
            worlds, _ = view.believed_worlds(model._data, 400, 1, 20, merge=True)
            assert 1 <= len(worlds) <= 20


def test_flipped_bits_are_an_error_or_a_net() -> None:
    rules = CLASSIC
    part = part_bytes(rules, 1)
    view = view_data(Position.deal("classic", 3))
    groups = view.moves()[1]
    rng = random.Random(4)
    places = [*range(8 * HEAD.size), *(rng.randrange(8 * len(part)) for _ in range(300))]
    read = 0
    for place in places:
        damaged = bytearray(part)
        damaged[place // 8] ^= 1 << place % 8
        try:
            model = Model(rules, whole(rules, bytes(damaged)))
        except ModelError:
            continue
        read += 1
        assert len(_core.policy_scores(view, model._data, groups)) == groups
    assert 290 < read < len(places)


def test_a_policy_of_other_rules_is_refused() -> None:
    """Palestine's cards have other types, so other features."""
    rules = CLASSIC
    assert refused(rules, part_bytes(Rules.preset("egyptian"), 1))


# -- the one that is shipped ---------------------------------------------------------------------


def test_the_shipped_policy_knows_the_game() -> None:
    """Of classic: it beats greedy play by far more than chance, and is for these rules alone."""
    path = Path(basra.__file__).parent / "data" / "classic.basramodel"
    model = Model.read(path, CLASSIC)
    policy = _core.PlayerData(model._data, 4, 0, 0, 0, 0, 100)
    greedy = _core.PlayerData(None, 1, 0, 0, 0, 0, 100)
    engine = _core.EngineData(0)
    total = 0
    for seed in range(100):
        for players in ([policy, greedy], [greedy, policy]):
            position = Position.deal(CLASSIC, seed)
            _core.play_on(engine, position.data, players, False, seed, [])
            points = position.data.fields()["points"]
            total += (points[0] - points[1]) * (1 if players[0] is policy else -1)
    assert total / 200 > 8  # 18 in the mean, with a deviation of 2
    with pytest.raises(ModelError):
        Model.read(path, Rules.preset("egyptian"))
