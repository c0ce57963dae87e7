"""The solver against exhaustive search, and against itself."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

import oracle
from basra import GameOverError, Limits, Move, Position, Solution, solve
from helpers import (
    TABLES,
    RulePair,
    Table,
    as_position,
    both,
    from_mover,
    move_text,
    named,
    numbers,
    positions_of,
    state_at,
    words,
)

TWO_SIDED = [table for table in TABLES if not table.singles]
SINGLES = [table for table in TABLES if table.singles]


def table_id(table: Table) -> str:
    """Name for test reports."""
    return table.id


def plain_text(move: Move) -> str:
    """A move's text without the mark of a basra, as the oracle's moves have it."""
    return move.text.rstrip("*")


def by_move(solution: Solution) -> dict[str, tuple[float | None, tuple[int, ...] | None]]:
    """Value and points of every legal move, members of `equal` included."""
    found = {}
    for entry in solution.moves:
        for move in (entry.move, *entry.equal):
            assert plain_text(move) not in found
            found[plain_text(move)] = (entry.value, entry.points)
    return found


def check_line(solution: Solution, position: Position) -> None:
    """The line is legal, starts with the best move, ends the round, and earns the value."""
    position = position.copy()
    side = position.turn % len(position.points)
    before = position.points
    assert solution.line[0] == solution.best.move
    for move in solution.line:
        assert move in position.legal_moves()
        # What each move brings is told as well.
        (same,) = [legal for legal in position.legal_moves() if legal == move]
        assert (same.basra, same.points) == (move.basra, move.points)
        position.play(move)
    assert position.is_over
    gained = [after - was for after, was in zip(position.points, before, strict=True)]
    mine = gained[side]
    others = [gain for i, gain in enumerate(gained) if i != side]
    assert solution.value == pytest.approx(mine - sum(others) / len(others), abs=1e-12)
    if len(gained) > 2:
        assert solution.points == tuple(from_mover(gained, side))


def compare(state: oracle.State, pair: RulePair, *, whole: bool = True) -> Solution:
    """Every root move's value, the points of every seat, the best and the line."""
    position = as_position(state, pair.ours, whole=whole)
    solution = solve(position)
    wanted: dict[str, tuple[float, tuple[int, ...] | None]] = {}
    for move, value, points in oracle.solve_moves(state):
        vector = tuple(from_mover(points, state.turn)) if state.sides > 2 else None
        wanted[move_text(move)] = (float(value), vector)
    assert by_move(solution) == wanted, position.notation
    assert solution.exact
    assert solution.stop == "complete"
    assert solution.value == max(value for value, _ in wanted.values())
    assert [entry.value for entry in solution.moves] == sorted(
        (entry.value for entry in solution.moves), key=lambda value: -(value or 0)
    )
    if state.sides > 2:
        assert solution.points == tuple(from_mover(oracle.solve(state)[1], state.turn))
    check_line(solution, position)
    return solution


def carry_of(pair: RulePair, seed: int) -> int:
    """Nothing waits, or one or two rounds' points do."""
    return 0 if pair.theirs.most_cards_tie == "nobody" else 30 * (seed % 3)


# -- against the oracle --------------------------------------------------------------------------

DEALS = 2000
PARTS = 8
EACH = -(-DEALS // (PARTS * len(TABLES)))
PLIES = {2: (8, 7, 8, 6, 7), 3: (6, 7), 4: (6, 5, 7)}
"""Before the end of the round; with two players 8 are a whole last deal."""


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_last_deals(table: Table, part: int) -> None:
    """Ends of rounds under every preset at every table, 2,000 in all."""
    assert EACH * PARTS * len(TABLES) >= DEALS
    pair = both(table.preset)
    compared = 0
    for seed in range(part * EACH, (part + 1) * EACH):
        plies = PLIES[table.players][seed % len(PLIES[table.players])]
        state = state_at(
            pair.theirs, table.players, table.partners, seed, plies, carry_of(pair, seed)
        )
        compare(state, pair)
        compared += 1
    assert compared == EACH


def first_best(state: oracle.State) -> oracle.Move:
    """Of the best moves the first, equal cards ranking as the first card of their kind."""
    types = oracle.card_types(state.rules)
    listed = oracle.solve_moves(state)
    best = max(value for _, value, _ in listed)
    good = [move for move, value, _ in listed if value == best]
    return min(good, key=lambda m: (types[m.card], sorted(types[c] for c in m.taken)))


@pytest.mark.parametrize("table", TABLES, ids=table_id)
@pytest.mark.parametrize("seed", range(100, 104))
def test_line_takes_the_first_of_equal_moves(table: Table, seed: int) -> None:
    """So that a line is the same everywhere."""
    pair = both(table.preset)
    state = state_at(pair.theirs, table.players, table.partners, seed, 6)
    line = solve(as_position(state, pair.ours)).line
    for move in line:
        wanted = first_best(state)
        types = oracle.card_types(state.rules)
        assert types[move.card.index] == types[wanted.card]
        assert sorted(types[c] for c in numbers(move.captures)) == sorted(
            types[c] for c in wanted.taken
        )
        state = oracle.step(state, oracle.Move(move.card.index, numbers(move.captures)))


@pytest.mark.parametrize("must_capture", ["none", "hand"])
@pytest.mark.parametrize("table", TABLES, ids=table_id)
@pytest.mark.parametrize("seed", range(4))
def test_capture_duties(table: Table, must_capture: str, seed: int) -> None:
    """No card is bound to capture, or the hand is."""
    pair = both(table.preset, must_capture=must_capture)
    plies = 6 if table.players == 2 else 5
    compare(state_at(pair.theirs, table.players, table.partners, seed, plies), pair)


RULE_SETS: list[tuple[str, dict[str, Any]]] = [
    ("classic", {"choice": "any", "basra_on_last": False}),
    ("classic", {"card_points": {"2": -3, "5H": 4, "K": 1}, "most_cards": 0}),
    ("egyptian", {"basra_points": {"A": 3, "7": 21, "9": 4}, "jack_basra": 5}),
    ("egyptian-v2", {"choice": "any", "must_capture": "none"}),
    ("palestine-52", {"seven_diamonds": "wild", "seven_basra": "equal_groups"}),
    ("palestine", {"choice": "maximal", "basra_points": 7, "most_cards": 11}),
]


@pytest.mark.parametrize(("preset", "inline"), RULE_SETS)
@pytest.mark.parametrize("seed", range(8))
def test_house_rules(preset: str, inline: dict[str, Any], seed: int) -> None:
    """Other choices, values and bonuses."""
    pair = both(preset, **inline)
    compare(state_at(pair.theirs, 2, False, seed, 6 + seed % 2), pair)


@pytest.mark.parametrize("kind", ["every card", "two of each rank", "one and three"])
@pytest.mark.parametrize("table", ["2", "3", "partners"])
@pytest.mark.parametrize("seed", range(6))
def test_many_card_types(kind: str, table: str, seed: int) -> None:
    """Rule sets that make more types of cards than a word has room for at three bits each."""
    ranks = oracle.cards.RANKS
    points = {
        "every card": {oracle.text(card): card % 7 - card // 9 for card in range(52)},
        "two of each rank": {f"{r}{s}": i + 1 for i, r in enumerate(ranks) for s in "CH"},
        "one and three": {f"{r}S": 2 * i - 9 for i, r in enumerate(ranks)},
    }[kind]
    pair = both("classic", card_points=points)
    types = len(set(oracle.card_types(pair.theirs).values()))
    assert types >= (26 if kind != "every card" else 40)
    players = 4 if table == "partners" else int(table)
    partners = table == "partners"
    plies = {"2": 7, "3": 6, "partners": 5}[table]
    compare(state_at(pair.theirs, players, partners, seed, plies), pair)


# -- several deals -------------------------------------------------------------------------------


@pytest.mark.parametrize("hand_size", [1, 2])
@pytest.mark.parametrize("table", TABLES, ids=table_id)
@pytest.mark.parametrize("seed", range(5))
def test_several_deals(table: Table, hand_size: int, seed: int) -> None:
    """Small hands make many deals of few plies: the leader leads again, hands are new."""
    pair = both(table.preset, hand_size=hand_size)
    # With one card each nothing but the choice of captures is free.
    plies = {(1, 2): 12, (1, 3): 12, (1, 4): 12, (2, 2): 10, (2, 3): 9, (2, 4): 9}
    ahead = plies[hand_size, table.players]
    state = state_at(pair.theirs, table.players, table.partners, seed, ahead, carry_of(pair, seed))
    assert state.stock
    compare(state, pair)


@pytest.mark.parametrize("preset", ["classic", "palestine"])
@pytest.mark.parametrize("seed", range(3))
def test_across_an_ordinary_deal(preset: str, seed: int) -> None:
    """The last two cards of the fifth deal, and the whole sixth."""
    pair = both(preset)
    compare(state_at(pair.theirs, 2, False, seed, 10), pair)


def test_only_what_is_present_counts() -> None:
    """Without `cards` both start at 0, so the most-cards points go by what is left."""
    for seed in range(20):
        pair = both("classic")
        state = state_at(pair.theirs, 2, False, seed, 6)
        state = replace(state, counts=(0, 0), last=None)
        compare(state, pair, whole=False)


# -- against itself ------------------------------------------------------------------------------


def mid_round(preset: str, seed: int, plies_left: int, **inline: Any) -> Position:
    """A position of two players well before the end of a round."""
    positions = list(positions_of(both(preset, **inline).ours, 2, False, seed, seed % 2))
    return positions[-1 - plies_left]


@pytest.mark.parametrize("preset", ["classic", "egyptian", "egyptian-v2"])
@pytest.mark.parametrize("seed", range(12))
def test_parity(preset: str, seed: int) -> None:
    """Once somebody has captured everything will be: the difference has the rest's parity."""
    position = mid_round(preset, seed, 26)
    if position.last is None:
        return
    rest = set(range(52)) - set().union(*(numbers(pile) for pile in position.piles))
    left = oracle.card_points(oracle.PRESETS[preset], rest)
    solution = solve(position)
    assert len(solution.moves) >= 1
    for entry in solution.moves:
        assert entry.value is not None
        assert (entry.value - left) % 2 == 0


@pytest.mark.parametrize("preset", ["classic", "palestine-52", "egyptian-v2"])
@pytest.mark.parametrize("seed", range(4))
def test_value_is_that_of_the_best_reply(preset: str, seed: int) -> None:
    """Value of a move = what it brings, less the value of the position after it."""
    position = mid_round(preset, seed, 21)
    for entry in solve(position).moves:
        after = position.copy().play(entry.move)
        assert entry.value == entry.move.basra + entry.move.points - (solve(after).value or 0)


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_table_size_changes_nothing_but_nodes(table: Table) -> None:
    """With a table of a few entries the values and the line are the same."""
    plies = 20 if not table.singles else 9
    for seed in range(3):
        rules = both(table.preset).ours
        position = list(positions_of(rules, table.players, table.partners, seed))[-1 - plies]
        found = [solve(position, table_bytes=size) for size in (1024, 1 << 16, 1 << 26)]
        assert len({solution.moves for solution in found}) == 1
        assert found[0].nodes >= found[2].nodes
        if not table.singles:
            assert found[0].nodes > found[2].nodes
        for solution in found:
            check_line(solution, position)


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_round(seed: int) -> None:
    """48 plies with open hands; the line ends the round with the value."""
    position = Position.deal("classic", seed)
    solution = solve(position)
    assert solution.exact
    assert len(solution.line) == 48
    check_line(solution, position)


def test_same_answer_every_time() -> None:
    """Everything but the time is the same."""
    position = mid_round("classic", 3, 24)
    first, again = solve(position).to_dict(), solve(position).to_dict()
    assert first | {"seconds": 0} == again | {"seconds": 0}


def test_what_is_searched_at_once() -> None:
    """Moves and line are the same whether they are asked for at once or later."""
    position = mid_round("classic", 4, 10)
    later = solve(position)
    for found in (solve(position, moves=True), solve(position, line=True)):
        assert found.value == later.value
        assert found.moves == later.moves
        assert found.line == later.line


@pytest.mark.parametrize("limit", [1, 2, 10, 100, 1000])
def test_node_limit(limit: int) -> None:
    """Stopped early: not exact, and the moves that were reached have their exact values."""
    position = Position.deal("classic", 5)
    whole = {plain_text(m.move): m.value for m in solve(position).moves}
    found = solve(position, limits=Limits(nodes=limit), moves=True, line=True)
    assert found.stop == "nodes"
    assert not found.exact
    assert found.nodes <= limit
    assert found.line == ()
    assert found.to_dict()["stop"] == "nodes"
    assert {plain_text(m.move) for m in found.moves} == set(whole)
    for entry in found.moves:
        assert entry.value in (None, whole[plain_text(entry.move)])


def test_node_limit_in_the_middle() -> None:
    """Some moves are known; those come first, and `value` is right as soon as there is one."""
    position = Position.deal("classic", 5)
    whole = solve(position, moves=True)
    nodes = whole.nodes
    seen: set[tuple[bool, bool]] = set()
    for limit in range(nodes // 40, nodes, nodes // 40):
        found = solve(position, limits=Limits(nodes=limit), moves=True)
        values = [entry.value for entry in found.moves]
        known = [value for value in values if value is not None]
        assert values[: len(known)] == known
        assert found.value in (None, whole.value)
        assert not found.exact
        seen.add((found.value is not None, 0 < len(known) < len(values)))
    assert seen >= {(False, False), (True, True)}
    assert solve(position, limits=Limits(nodes=nodes), moves=True).exact


def test_results_as_json() -> None:
    """Fields of the answer; integers for two sides, points for singles only."""
    two = solve(Position.setup("5S 9D/KH QC", "5H 2C")).to_dict()
    assert list(two) == ["schema", "value", "exact", "moves", "line", "nodes", "seconds"]
    assert two["schema"] == "basra.solve/1"
    assert isinstance(two["value"], int)
    assert two["line"] == ["5Sx5H", "QC", "9D", "KH"]
    three = solve(Position.setup("5S/KH/QC", "5H 2C", rules="palestine-52")).to_dict()
    assert three["points"] == [3 + 2, 0, 0]
    assert three["value"] == 5


def test_nothing_left_to_solve() -> None:
    """A finished round is an error, not an empty answer."""
    position = Position.setup("5S/KH", "5H 2C").play("5Sx5H").play("KH")
    with pytest.raises(GameOverError) as caught:
        solve(position)
    assert caught.value.code == "over"


def test_vectors_start_with_the_seat_to_move() -> None:
    """The same cards, seats turned: the same vector."""
    hands = ["6H", "3D", "7C"]
    rng = random.Random(1)
    for _ in range(20):
        floor = words(rng.sample(sorted(named("AC AD 2D 2H 3S 4S 5C 9H TD QS KD")), 5))
        setup = Position.setup(hands, floor, rules="palestine-52")
        state = oracle.position(
            oracle.PRESETS["palestine-52"], [named(h) for h in hands], named(floor)
        )
        assert solve(setup).points == oracle.solve(state)[1]
        turned = oracle.position(
            oracle.PRESETS["palestine-52"],
            [named(hands[2]), named(hands[0]), named(hands[1])],
            named(floor),
            turn=1,
        )
        assert solve(setup).points == tuple(from_mover(oracle.solve(turned)[1], 1))
