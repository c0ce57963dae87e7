"""Match equity: the dynamic program, the file part, and playing for the match, not for points."""

from __future__ import annotations

import math
import random
import struct
from array import array
from collections.abc import Callable
from functools import cache
from itertools import pairwise

import pytest

from basra import Cards, Rules, _core
from basra.models import EQUITY, Part, model_bytes
from basra.training.equity import equity_part
from basra.training.match_dp import SURE, MatchRules, Outcome, solve_match
from basra.training.outlook import lead_share
from equity_helpers import CLASSIC, EVEN, LOPSIDED, Outcomes, equity, even_model, file_of, model_of

# -- the dynamic program -------------------------------------------------------------------------


def plain_chances(rules: MatchRules, outcomes: Outcomes) -> Callable[[int, int, int], float]:
    """The same chances the plain way: floating point, score after score, until they rest."""
    total = sum(outcomes.values())
    known: dict[tuple[int, int, int], float] = {}

    def worth(own: int, other: int, carry: int) -> float:
        """To the side with `own`, which leads the next round."""
        if max(own, other) >= rules.target and own != other:
            return float(own > other)
        level = min(own, rules.target), min(other, rules.target)
        return known.get((*level, carry), 0.5)

    def after(own: int, other: int, carry: int) -> float:
        chance = 0.0
        for (mine, theirs, won), weight in outcomes.items():
            bonus = rules.most_cards * (1 + carry)
            mine, theirs = mine + bonus * (won > 0), theirs + bonus * (won < 0)
            waits = min(carry + 1, rules.carry_states - 1) if not won and rules.carries else 0
            chance += weight * (1 - worth(other + theirs, own + mine, waits))
        return chance / total

    states = [
        (own, other, carry)
        for own in range(rules.target + 1)
        for other in range(rules.target + 1)
        for carry in range(rules.carry_states)
        if (own == rules.target) == (other == rules.target)
    ]
    for _ in range(200):
        for state in states:
            known[state] = after(*state)
    return worth


@pytest.mark.parametrize("carries", [False, True])
def test_the_program_agrees_with_a_plain_one(carries: bool) -> None:
    """Every score, every carry, ties above the target, and rounds without points."""
    rules = MatchRules(9, 2, carries, 3 if carries else 1)
    found = solve_match(rules, {Outcome(*key): n for key, n in LOPSIDED.items()})
    plain = plain_chances(rules, LOPSIDED)
    for carry in range(rules.carry_states):
        assert found.tied[carry] / SURE == pytest.approx(plain(9, 9, carry), abs=1e-6)
        for own in range(9):
            for other in range(9):
                chance = found.open[carry, own, other] / SURE
                assert chance == pytest.approx(plain(own, other, carry), abs=1e-6)


def test_the_program_agrees_with_matches_played() -> None:
    """Matches whose rounds are drawn from the outcomes, by the core's own rule for winners."""
    rules = CLASSIC.with_changes(target=9, most_cards=2)
    model, dice = model_of(rules, LOPSIDED), random.Random(4)
    population, weights = list(LOPSIDED), list(LOPSIDED.values())
    matches = 20_000
    for start, carry in (((0, 0), 0), ((6, 3), 2), ((8, 8), 0)):
        won = 0
        for _ in range(matches):
            scores, waiting, leader = list(start), carry, 0
            while rules.data.winner(scores) < 0:
                own, other, most = dice.choices(population, weights)[0]
                bonus = rules.most_cards + waiting
                waiting = 0 if most else bonus
                scores[leader] += own + bonus * (most > 0)
                scores[1 - leader] += other + bonus * (most < 0)
                leader = 1 - leader
            won += rules.data.winner(scores) == 0
        chance = equity(model, *start, carry) / _core.SURE
        assert abs(won / matches - chance) < 4 * (chance * (1 - chance) / matches) ** 0.5


def test_more_points_are_never_worse() -> None:
    for carry in (0, 30, 45, 60, 600):
        for other in range(0, 101, 10):
            chances = [equity(even_model(), own, other, carry) for own in range(101)]
            assert chances == sorted(chances)
            assert chances[-1] > chances[0]
            chances = [equity(even_model(), other, theirs, carry) for theirs in range(101)]
            assert chances == sorted(chances, reverse=True)


def test_sides_are_alike_where_leading_is_worth_nothing() -> None:
    for own in range(0, 101, 7):
        for other in range(0, 101, 9):
            assert equity(even_model(), own, other) + equity(
                even_model(), other, own
            ) == pytest.approx(_core.SURE, abs=2)
            assert equity(even_model(), own, other) == pytest.approx(
                equity(even_model(), own, other, 0, 1), abs=2
            )


def test_who_leads_matters_where_leading_is_worth_something() -> None:
    rules = CLASSIC.with_changes(target=9)
    model = model_of(rules, LOPSIDED)
    assert equity(model, 4, 4, 0, 0) != equity(model, 4, 4, 0, 1)
    assert equity(model, 4, 4, 0, 0) + equity(model, 4, 4, 0, 1) == _core.SURE


@pytest.mark.parametrize(
    ("own", "other", "chance"),
    [(101, 0, 65536), (0, 101, 0), (101, 100, 65536), (130, 131, 0), (10**9, 101, 65536)],
)
def test_a_match_that_is_won_is_certain(own: int, other: int, chance: int) -> None:
    for leader in (0, 1):
        assert equity(even_model(), own, other, 0, leader) == chance


def test_a_tie_at_the_target_plays_on() -> None:
    assert equity(even_model(), 101, 101) == pytest.approx(_core.SURE / 2, abs=2)
    assert equity(even_model(), 150, 150) == equity(even_model(), 101, 101)
    assert 0 < equity(even_model(), 100, 100) < _core.SURE


def test_what_waits_is_between_the_carries_known() -> None:
    at = [equity(even_model(), 80, 60, carry) for carry in (0, 10, 20, 30)]
    assert len(set(at)) > 1
    assert at in (sorted(at), sorted(at, reverse=True))


def test_scores_below_the_lowest_count_as_it() -> None:
    assert equity(even_model(), -50, 20) == equity(even_model(), 0, 20)


def test_every_score_has_its_own_chance() -> None:
    """What the core answers is what the program found, to the last bit of a file."""
    rules = CLASSIC.with_changes(target=151, most_cards_tie="nobody")
    exact = solve_match(
        MatchRules(151, 30, False, 1), {Outcome(*key): n for key, n in EVEN.items()}
    ).open[0]
    model = model_of(rules, EVEN)
    for own in range(151):
        for other in range(own % 2, 151, 3):
            assert abs(equity(model, own, other) - exact[own, other] * 65536 / SURE) <= 1


def test_negative_points_have_scores_below_zero() -> None:
    rules = CLASSIC.with_changes(target=9, most_cards=2, card_points={"A": -1})
    model = model_of(rules, LOPSIDED | {(-3, 2, 1): 4})
    chances = [equity(model, own, 0) for own in range(-6, 9)]
    assert chances == sorted(chances)
    assert chances[0] < chances[3] < chances[6]


# -- the file part -------------------------------------------------------------------------------


def small_part() -> tuple[Rules, bytes]:
    rules = CLASSIC.with_changes(target=7, most_cards=2)
    return rules, equity_part(rules, "2", LOPSIDED, [])


def test_a_part_cut_short_or_too_long_is_refused() -> None:
    rules, part = small_part()
    assert _core.ModelData(rules.data, file_of(rules, part)) is not None
    for size in [*range(34), *range(34, len(part), 97), len(part) - 1]:
        with pytest.raises(_core.CoreError):
            _core.ModelData(rules.data, file_of(rules, part[:size]))
    with pytest.raises(_core.CoreError):
        _core.ModelData(rules.data, file_of(rules, part + b"\0\0"))


def test_a_damaged_part_is_refused_or_harmless() -> None:
    """With the sum made right again, as no accident would: any head, any numbers."""
    rules, part = small_part()
    refused = 0
    for bit in range(8 * 17):
        changed = bytearray(part)
        changed[bit // 8] ^= 1 << bit % 8
        try:
            _core.ModelData(rules.data, file_of(rules, bytes(changed)))
        except _core.CoreError:
            refused += 1
    assert refused == 8 * 17
    dice = random.Random(3)
    for _ in range(300):
        changed = bytearray(part)
        for _ in range(dice.randint(1, 4)):
            changed[dice.randrange(len(part))] ^= 1 << dice.randrange(8)
        try:
            model = _core.ModelData(rules.data, file_of(rules, bytes(changed)))
            scores = [dice.randint(-9, 12), dice.randint(-9, 12)]
            chance = _core.match_equity(model, 2, False, scores, dice.randint(0, 9), 0)
        except _core.CoreError:
            continue
        assert 0 <= chance <= _core.SURE


def test_a_chance_that_falls_with_more_points_is_refused() -> None:
    rules, part = small_part()
    grid = 17 + 2 * 3
    words = list(struct.unpack_from("<49H", part, grid))
    words[8], words[15] = words[15], words[8]
    damaged = part[:grid] + struct.pack("<49H", *words) + part[grid + 98 :]
    with pytest.raises(_core.CoreError):
        _core.ModelData(rules.data, file_of(rules, damaged))


def test_another_target_has_no_table() -> None:
    """The model can be read, and its other parts serve."""
    rules = CLASSIC.with_changes(target=121)
    model = _core.ModelData(rules.data, file_of(rules, equity_part(CLASSIC, "2", EVEN, [])))
    with pytest.raises(_core.CoreError, match="model"):
        equity(model, 0, 0)
    both = [equity_part(CLASSIC, "2", EVEN, []), equity_part(rules, "2", EVEN, [])]
    data = model_bytes(rules, [Part(EQUITY, 0, 0, part) for part in both])
    assert equity(_core.ModelData(rules.data, data), 110, 0) > 0.9 * _core.SURE


def test_arguments_are_checked() -> None:
    for players, partners, carry, leader in ((3, False, 0, 0), (2, False, -1, 0), (2, False, 0, 2)):
        with pytest.raises(_core.CoreError):
            _core.match_equity(even_model(), players, partners, [0, 0], carry, leader)
    with pytest.raises(_core.CoreError):
        _core.match_equity(even_model(), 4, True, [0, 0], 0, 0)


# -- from values to chances ----------------------------------------------------------------------


def position_at(
    rules: Rules, seed: int, plies: int, scores: tuple[int, int], table: str = "2"
) -> _core.PositionData:
    """A round after so many greedy plays, with these scores before it."""
    players = 4 if table == "partners" else 2
    greedy = _core.PlayerData(None, 1, 0, 0, 0, 0, 100)
    position = _core.PositionData.deal(rules.data, players, players == 4, 0, seed)
    fields = position.fields() | {"score": list(scores)}
    position = _core.PositionData.setup(rules.data, fields, True)
    engine = _core.EngineData(0)
    for _ in range(plies):
        move = _core.choose(engine, greedy, _core.ViewData.of(position), seed, 0, 0, [])[0]
        position.play(move[0], move[1])
    return position


def brute_chance(position: _core.PositionData, model: _core.ModelData) -> int:
    """Chance of the side to move, both playing the round out as well for the match as can be."""
    best, side = 0, position.turn
    for card, taken, _, _ in position.moves():
        position.play(card, taken)
        end = position.fields()
        if position.over:
            scores = [end["score"][i] + end["points"][i] for i in range(2)]
            chance = _core.match_equity(model, 2, False, scores, end["carry_after"], 1)
            chance = _core.SURE - chance if side else chance
        else:
            chance = _core.SURE - brute_chance(position, model)
        position.undo()
        best = max(best, chance)
    return best


@pytest.mark.parametrize("seed", range(24))
def test_the_last_cards_are_searched_for_the_match(seed: int) -> None:
    dice = random.Random(seed)
    scores = (dice.randint(40, 100), dice.randint(40, 100))
    position = position_at(CLASSIC, seed, 42 + seed % 4, scores)
    view, worlds = _core.ViewData.of(position), _core.Worlds.of(position)
    listed, groups = view.moves()
    engine = _core.EngineData(0)
    chances, stop = _core.match_values(
        engine, even_model(), view, worlds, groups, array("i", [0] * groups), 0, 0, []
    )
    assert stop == 0
    expected = []
    for group in range(groups):
        card, taken = next(move[:2] for move, its in listed if its == group)
        side, after = position.turn, position.copy()
        after.play(card, taken)
        if after.over:
            end = after.fields()
            scores_after = [end["score"][i] + end["points"][i] for i in range(2)]
            chance = _core.match_equity(even_model(), 2, False, scores_after, end["carry_after"], 1)
            expected.append(_core.SURE - chance if side else chance)
        else:
            expected.append(_core.SURE - brute_chance(after, even_model()))
    assert list(chances) == expected


def test_a_chance_rises_with_the_value() -> None:
    for plies in (0, 17, 35, 44):
        view = _core.ViewData.of(position_at(CLASSIC, 5, plies, (70, 60)))
        values = array("i", [points * _core.UNIT for points in range(-300, 301, 5)])
        chances = list(_core.match_chances(even_model(), view, values))
        assert chances == sorted(chances)
        assert chances[0] < 3000
        assert chances[-1] > _core.SURE - 3000


def test_a_value_means_the_same_for_both_seats() -> None:
    """One position, scores and piles exchanged: the other seat's chance is the same."""
    position = position_at(CLASSIC, 8, 16, (72, 88))
    mirrored = position.fields()
    for key in ("score", "points", "cards", "piles"):
        mirrored[key] = mirrored[key][::-1]
    mirrored["last"] = 1 - mirrored["last"]
    turned = _core.PositionData.setup(CLASSIC.data, mirrored, True)
    values = array("i", [-20 * _core.UNIT, 0, 13 * _core.UNIT])
    mine = _core.match_chances(even_model(), _core.ViewData.of(position), values)
    negated = array("i", [-value for value in values])
    theirs = _core.match_chances(even_model(), _core.ViewData.of(turned), negated)
    for a, b in zip(mine, theirs, strict=True):
        assert a + b == pytest.approx(_core.SURE, abs=300)


def made_up_decisions() -> list[int]:
    """Rounds of no game in particular: most cards and the rest go with the value."""
    dice, decisions = random.Random(7), []
    for left in range(9, 49):
        for _ in range(200):
            lead, value = dice.randint(-8, 8), dice.randint(-25, 25)
            won = 1 if dice.random() < 0.5 + value / 70 + lead / 60 else -1
            rest = dice.randint(-16, 16) + value // 4 + won + (2 if left % 2 else -2)
            extra = dice.choice((0, 10, 10, 20))
            decisions += [left, lead, 30, value * _core.UNIT, 30 * won + rest, won, extra]
    return decisions


def plain_chance(view: _core.ViewData, part: bytes, model: _core.ModelData, value: int) -> float:
    """The chance of a value in points, by the formula of csrc/model/equity.h."""
    now, size = view.fields(), 7 + 4 + 33
    left = now["stock"] + sum(now["hand_sizes"])
    row = struct.unpack_from(f"<{size}h", part, len(part) - 2 * size * (49 - left))
    me, cards, points, score = now["seat"], now["cards"], now["points"], now["score"]
    share = lead_share(cards[me] - cards[1 - me], 52 - sum(cards)) / 4096
    q = row[0] / 4096 + row[1] / 4096 * share + row[2] / 4096 * value / 30
    q = max(-1.0, min(q, 1.0))
    table = CLASSIC.data.fields()["card_points"]
    unbanked = 30 + sum(n for card, n in enumerate(table) if not now["seen"] >> card & 1)

    @cache
    def at_difference(ahead: int) -> float:
        """Averaged over the points of both sides; halves go one way and the other in turn."""
        sum_ = 0
        for turn, extra in enumerate(row[7:11]):
            total = sum(points) + unbanked + (extra + turn % 2 * 15) // 16
            own = (total + ahead) // 2
            scores = (score[me] + own, score[1 - me] + total - own)
            sum_ += equity(model, *scores, 0, 0 if me else 1)
        return sum_ / 4

    chance = 0.0
    for most in (1, -1):
        rest = (row[3] + row[4] * share + most * row[5]) / 16 + row[6] / 4096 * value
        for low, high in pairwise(row[11:]):
            for step in range(8):
                ahead = points[me] - points[1 - me] + 30 * most + rest
                ahead += (low + (high - low) * (step + 0.5) / 8) / 16
                below = math.floor(ahead)
                here = at_difference(below) * (below + 1 - ahead)
                here += at_difference(below + 1) * (ahead - below)
                chance += (1 + most * q) / 2 * here / 8 / 32
    return chance / _core.SURE


def test_a_chance_is_what_its_parts_add_up_to() -> None:
    part = equity_part(CLASSIC, "2", EVEN, made_up_decisions())
    model = _core.ModelData(CLASSIC.data, file_of(CLASSIC, part))
    for seed, plies in enumerate((0, 5, 14, 22, 31, 38)):
        view = _core.ViewData.of(position_at(CLASSIC, seed, plies, (70 + seed, 60)))
        points = list(range(-40, 41, 10))
        values = array("i", [value * _core.UNIT for value in points])
        chances = _core.match_chances(model, view, values)
        for value, chance in zip(points, chances, strict=True):
            expected = plain_chance(view, part, model, value)
            assert chance / _core.SURE == pytest.approx(expected, abs=0.002)


def test_without_a_table_there_are_no_chances() -> None:
    position = position_at(CLASSIC, 5, 0, (0, 0), "partners")
    with pytest.raises(_core.CoreError):
        _core.match_chances(even_model(), _core.ViewData.of(position), array("i", [0]))
    farther = position_at(CLASSIC.with_changes(target=121), 5, 0, (0, 0))
    with pytest.raises(_core.CoreError):
        _core.match_chances(even_model(), _core.ViewData.of(farther), array("i", [0]))
    over = _core.ViewData.of(position_at(CLASSIC, 5, 0, (120, 10)))
    with pytest.raises(_core.CoreError):
        _core.match_chances(even_model(), over, array("i", [0]))


# -- playing for the match -----------------------------------------------------------------------


def choice(position: _core.PositionData, model: _core.ModelData | None, objective: int) -> int:
    """The card that a worlds player plays."""
    player = _core.PlayerData(model, 5, 20, 0, 0, 0, 100, objective)
    view = _core.ViewData.of(position)
    move: tuple[int, ...] = _core.choose(_core.EngineData(0), player, view, 3, 0, 0, [])[0]
    return move[0]


def last_cards(scores: tuple[int, int] = (43, 60)) -> _core.PositionData:
    """Palestine, four cards each and no more to come; 46 points are banked against 6."""
    rules = Rules.preset("palestine")
    hands = [Cards("5C 6D 7D TS").mask, Cards("2C 8S 9S TC").mask]
    fields = _core.PositionData.deal(rules.data, 2, False, 0, 0).fields() | {
        "hands": hands,
        "floor": Cards("AS 4S").mask,
        "stock": [],
        "buried": [],
        "piles": [
            Cards("AC AD 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 5D 5H 5S 6H 7C 7H 8H 9D 9H JD JH").mask,
            Cards("AH 6C 6S 7S 8C 8D 9C TD TH JC JS").mask,
        ],
        "cards": [23, 11],
        "points": [46, 6],
        "score": list(scores),
        "last": 1,
    }
    return _core.PositionData.setup(rules.data, fields, True)


def test_a_match_player_takes_what_wins_the_match() -> None:
    """5CxAS4S* brings the leader past 101, most cards being his already, but later basras are the
    other's; TS keeps those off, for six points more, and leaves the match open."""
    position = last_cards()
    view, worlds = _core.ViewData.of(position), _core.Worlds.of(position)
    model = model_of(Rules.preset("palestine"), EVEN)
    engine = _core.EngineData(0)
    found: dict[int, tuple[array[int], list[int], int]] = {}
    engine.world_values(view, None, worlds, 4, 0, 0, [], found, 0)
    values = found[0][0]
    assert [value // _core.UNIT for value in values] == [-4, 0, 0, 2]
    chances, _ = _core.match_values(engine, model, view, worlds, 4, values, 0, 0, [])
    assert chances[0] == _core.SURE
    assert max(chances[1:]) < 0.96 * _core.SURE
    five, ten = Cards("5C").mask.bit_length() - 1, Cards("TS").mask.bit_length() - 1
    assert choice(position, model, 1) == five
    assert choice(position, model, 0) == ten


def test_a_match_player_plays_for_points_where_there_is_no_table() -> None:
    position = last_cards()
    rules = Rules.preset("palestine")
    ten = Cards("TS").mask.bit_length() - 1
    other = rules.with_changes(target=121)
    part = equity_part(other, "2", EVEN, [])
    for model in (
        None,
        _core.ModelData(rules.data, file_of(rules, part)),  # for another target
        model_of(rules, EVEN, "partners"),
    ):
        assert choice(position, model, 1) == ten
    assert choice(last_cards((120, 60)), model_of(rules, EVEN), 1) == ten


def test_where_the_match_is_settled_points_decide() -> None:
    """The other side wins whatever is played: no chance to lose, so what is left is points."""
    position = last_cards((0, 99))
    rules = Rules.preset("palestine")
    model, ten = model_of(rules, EVEN), Cards("TS").mask.bit_length() - 1
    view, worlds = _core.ViewData.of(position), _core.Worlds.of(position)
    chances, _ = _core.match_values(
        _core.EngineData(0), model, view, worlds, 4, array("i", [0] * 4), 0, 0, []
    )
    assert set(chances) == {0}
    assert choice(position, model, 1) == ten


def test_the_objective_is_checked() -> None:
    view = _core.ViewData.of(last_cards())
    for objective in (-1, 2):
        player = _core.PlayerData(None, 5, 20, 0, 0, 0, 100, objective)
        with pytest.raises(_core.CoreError):
            _core.choose(_core.EngineData(0), player, view, 3, 0, 0, [])
