"""Players that search without a model: careful, and both information set tree searches."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from basra import Card, Cards, Move, Position, Rules, View, _core, solve
from basra.results import SolvedMove
from helpers import TABLE_IDS, TABLES, Table, both, positions_of

RANDOM, GREEDY, CAREFUL, ISMCTS, MO_ISMCTS = 0, 1, 3, 7, 8
PLAYERS = {"careful": CAREFUL, "ismcts": ISMCTS, "mo-ismcts": MO_ISMCTS}
TREES = {"ismcts": ISMCTS, "mo-ismcts": MO_ISMCTS}
STATUS_TOO_LARGE, STATUS_STOPPED = 9, 12
STOP_COMPLETE, STOP_NODES, STOP_TIME = 0, 3, 4

ODD_RULES = {
    "none": both("classic", must_capture="none"),
    "none, any": both("palestine-52", must_capture="none"),
    "hand": both("classic", must_capture="hand"),
    "hand, any, wild": both("palestine-52", must_capture="hand", seven_diamonds="wild"),
    "any, wild": both("egyptian-v2", choice="any"),
    "no basra on last": both("classic", basra_on_last=False, must_capture="hand"),
    "long hands": both("classic", hand_size=26, floor_size=0),
    "short hands": both("classic", hand_size=1, bury="bottom"),
    "penalties": both("egyptian", card_points={"A": -3, "5H": 2, "K": 1}),
}


def player(method: int, effort: int = 0, explore: int = 0, noise: int = 0) -> _core.PlayerData:
    """A player without a model."""
    return _core.PlayerData(None, method, effort, 0, explore, noise, 100)


def choose(
    who: _core.PlayerData, view: View, seed: int = 1, nodes: int = 0, time_ns: int = 0
) -> tuple[Any, int, int, int]:
    """(move, group, work, stop) of a choice on a new engine."""
    return _core.choose(_core.EngineData(), who, view.data, seed, nodes, time_ns, [])


def legal(position: Position) -> set[tuple[int, int]]:
    return {(m.card.index, m.captures.mask) for m in position.legal_moves()}


def difference(
    mine: _core.PlayerData, other: _core.PlayerData, pairs: int, rules: str, first: int = 100
) -> float:
    """Mean points a round of one player over another, each deal played from both seats."""
    engine = _core.EngineData()
    found: list[int] = []
    for seed in range(first, first + pairs):
        for side in (0, 1):
            position = Position.deal(rules, seed)
            players = [mine, other] if side == 0 else [other, mine]
            _core.play_on(engine, position.data, players, False, seed, [])
            points = position.data.fields()["points"]
            found.append(points[side] - points[1 - side])
    return mean(found)


# -- legal, and the same again -------------------------------------------------------------------


@pytest.mark.parametrize("method", PLAYERS.values(), ids=PLAYERS)
@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
def test_moves_are_legal(table: Table, method: int) -> None:
    """Through a round of every table; an engine that was used before changes nothing."""
    who, engine = player(method, 60), _core.EngineData()
    rules = Rules.preset(table.preset)
    for position in positions_of(rules, table.players, table.partners, 3):
        if position.is_over:
            break
        view = position.view()
        move, group, work, stop = choose(who, view)
        assert tuple(move[:2]) in legal(position)
        moves, _ = view.data.moves()
        assert next(g for m, g in moves if m[:2] == move[:2]) == group
        assert stop == STOP_COMPLETE
        again = _core.choose(engine, who, view.data, 1, 0, 0, [])
        assert again == (move, group, work, stop)


@pytest.mark.parametrize("method", PLAYERS.values(), ids=PLAYERS)
@pytest.mark.parametrize("name", ODD_RULES)
def test_odd_rules(name: str, method: int) -> None:
    who, rules = player(method, 25), ODD_RULES[name].ours
    for players in (2, 4):
        if rules.hand_size == 26 and players == 4:
            continue
        rules = rules.with_changes(tables=("2", "4", "partners"))
        for position in list(positions_of(rules, players, players == 4, 7))[:-1:3]:
            move = choose(who, position.view())[0]
            assert tuple(move[:2]) in legal(position)


BOTTOM = Rules.preset("classic").with_changes(bury="bottom")
LITTLE_KNOWN: list[tuple[str, str, dict[str, Any]]] = [
    ("7D 5C KH 2S", "3C 2H 5S", {}),
    ("7D 5C", "3C 2H 5S", {"deal": 6}),
    ("7D 5C", "3C 2H 5S", {"players": 3, "deal": 4, "rules": "palestine-52", "seat": 1}),
    ("7D 5C", "3C 2H 5S", {"players": 4, "partners": True, "deal": 3, "rules": "palestine-52"}),
    # Known to be in the other's hand; known to be there, or played from it unnoticed.
    ("9D 5C 2S 3D", "4C 4D 2H", {"rules": BOTTOM, "buried": "JH JC", "deal": 6}),
    ("9D 5C 2S", "4C 4D 2H", {"rules": BOTTOM, "buried": "JD", "deal": 6}),
    ("9D 5C 2S 3D", "4C 4D 2H", {"rules": BOTTOM, "buried": "JD JH JC JS", "deal": 5}),
    # The deal's last card, before the deal that brings the buried ones.
    ("9D", "4C 4D 2H", {"rules": BOTTOM, "buried": "JD JH JC JS", "deal": 5, "seat": 2}),
]


@pytest.mark.parametrize("method", PLAYERS.values(), ids=PLAYERS)
@pytest.mark.parametrize(("hand", "floor", "options"), LITTLE_KNOWN)
def test_views_typed_in(hand: str, floor: str, options: dict[str, Any], method: int) -> None:
    """With cards not tracked and the last capturer unknown."""
    view = View(hand, floor, **options)
    move, group, _, _ = choose(player(method, 200), view)
    assert (tuple(move[:2]), group) in {(m[:2], g) for m, g in view.data.moves()[0]}


@pytest.mark.parametrize("method", TREES.values(), ids=TREES)
def test_work_counts_plies(method: int) -> None:
    """To the end of the deal in every simulation, none where there is nothing to choose."""
    for position in positions_of(Rules.preset("classic"), 2, False, 5):
        if position.is_over:
            break
        plies = sum(map(len, position.hands))
        groups = {g for _, g in position.view().data.moves()[0]}
        work = choose(player(method, 50), position.view())[2]
        assert work == (50 * plies if len(groups) > 1 else 0)


@pytest.mark.parametrize("method", TREES.values(), ids=TREES)
def test_seeds_matter(method: int) -> None:
    """Few simulations: other seeds, other choices somewhere; the same seed, never."""
    views = [p.view() for p in list(positions_of(Rules.preset("classic"), 2, False, 5))[:12]]
    who = player(method, 12)
    found = [[choose(who, view, seed)[1] for view in views] for seed in (1, 2, 1)]
    assert found[0] == found[2] != found[1]


# -- nothing hidden is looked at -----------------------------------------------------------------


def with_other_cards(
    rules: Rules, players: int, seed: int, plies: int
) -> Iterator[tuple[Position, Position]]:
    """Positions of a round, each with one in which all that its seat cannot see is permuted."""
    rng = random.Random(seed)
    pack = list(Cards.from_mask((1 << 52) - 1))
    rng.shuffle(pack)
    position = Position.deal_pack(rules, pack, players=players, seed=seed)
    played: list[Move] = []
    for _ in range(plies):
        # The pack has buried cards where they were shown: they stay.
        unseen = set(position.view().unseen) - set(position.buried)
        places = [i for i, card in enumerate(pack) if card in unseen]
        hidden: list[Card] = [pack[i] for i in places]
        rng.shuffle(hidden)
        other_pack = list(pack)
        for i, card in zip(places, hidden, strict=True):
            other_pack[i] = card
        other = Position.deal_pack(rules, other_pack, players=players, seed=seed)
        for move in played:
            other.play(move)
        yield position, other
        played.append(rng.choice(position.legal_moves()))
        position.play(played[-1])


@pytest.mark.parametrize("method", PLAYERS.values(), ids=PLAYERS)
@pytest.mark.parametrize("players", [2, 3])
def test_hidden_cards_do_not_matter(players: int, method: int) -> None:
    who, different = player(method, 80), 0
    for one, other in with_other_cards(Rules.preset("classic"), players, 4, 44):
        different += one.hands != other.hands
        assert one.view() == other.view()
        assert choose(who, one.view()) == choose(who, other.view())
    assert different > 20


# -- strength ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "least"), [("classic", 12), ("palestine-52", 6)])
def test_careful_beats_greedy_beats_random(rules: str, least: int) -> None:
    assert difference(player(CAREFUL), player(GREEDY), 150, rules) > 4
    assert difference(player(GREEDY), player(RANDOM), 150, rules) > least


@pytest.mark.parametrize("method", TREES.values(), ids=TREES)
def test_trees_beat_greedy(method: int) -> None:
    """By the more, the more they simulate."""
    few, many = (difference(player(method, n), player(GREEDY), 40, "classic") for n in (8, 400))
    assert many > 10
    assert many > few + 4


def value_of(scored: SolvedMove) -> float:
    assert scored.value is not None
    return scored.value


def clear_endings(rules: str, count: int) -> Iterator[tuple[Position, set[tuple[int, int]]]]:
    """Ends of rounds whose best move, up to equal cards, is worth four points more than others."""
    seed = 0
    while count:
        seed += 1
        position = Position.deal(rules, seed)
        rng = random.Random(seed)
        while position.stock or sum(map(len, position.hands)) > 6:
            position.play(rng.choice(position.legal_moves()))
        moves = solve(position).moves
        values = [value_of(m) for m in moves]
        best = max(values)
        others = [v for v in values if v != best]
        if others and best - max(others) >= 4:
            count -= 1
            yield (
                position,
                {(m.move.card.index, m.move.captures.mask) for m in moves if value_of(m) == best},
            )


@pytest.mark.parametrize("method", TREES.values(), ids=TREES)
@pytest.mark.parametrize("rules", ["classic", "egyptian-v2", "palestine-52"])
def test_trees_find_the_only_good_move(rules: str, method: int) -> None:
    """In last deals, where nothing is hidden: what the exact solver finds."""
    for position, best in clear_endings(rules, 12):
        move = choose(player(method, 6000), position.view())[0]
        assert tuple(move[:2]) in best, position.notation


HAND_MADE = [
    # The jack takes five cards, and everything else leaves them to the other's.
    ("JS 4C / JD 9H", "2C 3H 6D 8S QC", "JSx2C3H6D8SQC"),
    # A basra, or let the other have it.
    ("9C 2S / 9H KD", "4D 5S", "9Cx4D5S*"),
    # The ten of diamonds is worth three: take it now, the other can.
    ("TC 3C / TH 3D", "TD 3H", "TCxTD"),
]


@pytest.mark.parametrize("method", TREES.values(), ids=TREES)
@pytest.mark.parametrize(("hands", "floor", "best"), HAND_MADE)
def test_hand_made_endings(hands: str, floor: str, best: str, method: int) -> None:
    position = Position.setup(hands, floor, last=1)
    solution = solve(position)
    assert str(solution.moves[0].move) == best
    assert value_of(solution.moves[0]) > value_of(solution.moves[1])
    mine, theirs = position.hands[0], position.hands[1]
    gone = Cards.from_mask((1 << 52) - 1 & ~(mine.mask | theirs.mask | position.floor.mask))
    view = View(mine, position.floor, seen=gone, last="them", seat=1)
    assert view.hidden == (2,)
    move = choose(player(method, 3000), view)[0]
    chosen = next(m for m in position.legal_moves() if (m.card.index, m.captures.mask) == move[:2])
    assert str(chosen) == best


def test_careful_counts_the_answer() -> None:
    """Where a laid card makes the floor a basra for nobody or for many, it lays the first."""
    # A four makes seven with the three: sevens, three of them unseen, would clear the floor.
    # A king on it does not add up.
    view = View("KH 4S", "3C", seen="KC KD KS", deal=5)
    assert choose(player(GREEDY), view)[1] in (0, 1)
    for seed in range(5):
        assert choose(player(CAREFUL), view, seed)[0][0] == Card("KH").index


def test_noise_moves_choices() -> None:
    """Noise is in points, so that it acts on means and not on visits."""
    views = [p.view() for p in list(positions_of(Rules.preset("classic"), 2, False, 5))[:20]]

    def chosen(noise: int) -> list[int]:
        return [choose(player(ISMCTS, 400, noise=noise), view)[1] for view in views]

    still, little, wild = chosen(0), chosen(1), chosen(60 * 1024)
    assert sum(a != b for a, b in zip(still, little, strict=True)) < 5
    assert sum(a != b for a, b in zip(still, wild, strict=True)) > 5


def test_grid_of_constants() -> None:
    """The table of benchmarks/tune_ismcts.py: a row for each point, the same every time."""
    script = Path(__file__).resolve().parents[1] / "benchmarks" / "tune_ismcts.py"
    words = ["--pairs", "3", "--simulations", "5", "40", "--explore", "10", "20"]
    command = [sys.executable, str(script), *words, "--against", "greedy", "worlds:effort=2"]
    first, second = (
        subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(2)
    )
    assert first == second
    head, line, *rows = first.splitlines()
    assert "against worlds:effort=2" in head
    assert head.count("|") == line.count("|") == 6
    keys = [tuple(row.split("|")[i].strip() for i in (1, 2)) for row in rows]
    assert keys == [("5", "10"), ("5", "20"), ("40", "10"), ("40", "20")]
    assert all(re.search(r"\| [+-]\d+\.\d ± \d+\.\d \|", row) for row in rows)


# -- limits --------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", TREES.values(), ids=TREES)
def test_limits(method: int) -> None:
    who = player(method, 1 << 20)
    view = Position.deal("classic", 3).view()
    move, _, work, stop = choose(who, view, nodes=4000)
    assert (work, stop) == (4000, STOP_NODES)
    assert choose(player(method, 500), view)[:3] == (move, choose(who, view, nodes=4000)[1], 4000)
    with pytest.raises(_core.CoreError) as caught:
        choose(who, view, nodes=7)
    assert caught.value.status == STATUS_STOPPED
    began = time.monotonic()
    _, _, work, stop = choose(who, view, time_ns=20_000_000)
    assert time.monotonic() - began < 5
    assert stop == STOP_TIME
    assert 0 < work < 8 << 20


CROWD = "AC AD AH AS 2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 5C 5D 6C"


@pytest.mark.parametrize("method", PLAYERS.values(), ids=PLAYERS)
def test_crowded_floors(method: int) -> None:
    """Hundreds of captures of a card, and more than are answered."""
    rules = Rules.preset("palestine-52")
    view = View("TS 9D 8C JH", CROWD, rules=rules, seen="")
    groups = len({g for _, g in view.data.moves()[0]})
    assert groups > 300
    assert choose(player(method, 150), view)[1] < groups
    free = rules.with_changes(must_capture="none")
    huge = View("TS 9D 8C JH", CROWD + " 4S 5H 5S 6D 6H 7C 7H 7S 6S 8D", rules=free, seen="")
    with pytest.raises(_core.CoreError) as caught:
        choose(player(method, 50), huge)
    assert caught.value.status == STATUS_TOO_LARGE
