"""Matches: rounds until the target, scores, carry, leaders; and all of it taken back."""

from __future__ import annotations

import random

import pytest

from basra import ArgumentError, GameOverError, IllegalMoveError, Position, Rules
from helpers import TABLE_IDS, TABLES, Table


@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
@pytest.mark.parametrize("seed", range(3))
def test_a_whole_match(table: Table, seed: int) -> None:
    """Ten lines play a match at any table."""
    rules, dice = Rules.preset(table.preset).with_changes(target=40), random.Random(seed)
    position = Position.deal(rules, seed, players=table.players, partners=table.partners)
    while position.winner is None:
        if position.is_over:
            position.next_round()
        position.play(dice.choice(position.legal_moves()))
    assert position.is_over
    assert max(position.scores) >= 40
    assert position.scores.count(max(position.scores)) == 1
    assert position.scores[position.winner] == max(position.scores)


@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
def test_from_round_to_round(table: Table) -> None:
    """Scores add up, what waits is carried, the leader moves on, and the cards are new."""
    rules, dice = Rules.preset(table.preset).with_changes(target=1000), random.Random(2)
    position = Position.deal(rules, 9, players=table.players, partners=table.partners, leader=1)
    totals = [0] * len(position.scores)
    carry, leaders, deals = 0, [], set()
    for number in range(1, 9):
        assert position.round_number == number
        assert position.carry == carry
        assert list(position.scores_before) == totals
        assert list(position.scores) == totals
        assert position.turn == position.leader
        assert position.history == ()
        leaders.append(position.leader)
        deals.add((position.hands, position.floor))
        opening = position.copy()
        while not position.is_over:
            assert position.majority == (0,) * len(totals)
            position.play(dice.choice(position.legal_moves()))
        totals = [a + b for a, b in zip(totals, position.points, strict=True)]
        assert list(position.scores) == totals
        stake = rules.most_cards + carry
        counts = position.cards
        if counts.count(max(counts)) == 1:
            assert position.majority[counts.index(max(counts))] == stake == sum(position.majority)
            carry = 0
        else:
            assert sum(position.majority) == 0
            carry = stake if rules.most_cards_tie == "carry" else 0
        assert position.carry_after == carry
        again = position.copy()
        while again.history:
            again.undo()
        assert again == opening
        assert again.notation == opening.notation
        position.next_round()
    assert leaders == [(1 + i) % table.players for i in range(8)]
    assert len(deals) == 8


def test_undo_step_by_step() -> None:
    """Each undo gives the position before, over deals and the end of the round."""
    dice = random.Random(4)
    position, before = Position.deal("classic", 4, players=3), []
    while not position.is_over:
        before.append(position.copy())
        position.play(dice.choice(position.legal_moves()))
    for earlier in reversed(before):
        assert position.undo() is position
        assert position == earlier
        assert position.history == earlier.history
        assert position.legal_moves() == earlier.legal_moves()
        assert position.hands == earlier.hands
    with pytest.raises(GameOverError):
        position.undo()


def test_undo_stops_at_the_round() -> None:
    """A round that has been dealt is not taken back."""
    position = Position.deal("classic", 4)
    while not position.is_over:
        position.play(position.legal_moves()[0])
    position.next_round()
    with pytest.raises(GameOverError) as caught:
        position.undo()
    assert caught.value.fix


def test_next_round_needs_the_end() -> None:
    """And a finished round takes no moves."""
    position = Position.deal("classic", 4)
    with pytest.raises(GameOverError) as caught:
        position.next_round()
    assert "next" not in caught.value.message
    while not position.is_over:
        assert position.winner is None
        position.play(position.legal_moves()[0])
    assert position.legal_moves() == ()
    with pytest.raises(GameOverError):
        position.play("5S")


def test_illegal_moves_change_nothing() -> None:
    """The error lists what that card could do."""
    position = Position.setup("5S KH/9D 9C", "5H 3C")
    opening = position.copy()
    for text, offered in (
        ("5S", "5Sx5H"),
        ("5Sx3C", "5Sx5H"),
        ("KHx5H", "KH"),
        ("9D", "5Sx5H, KH"),
    ):
        with pytest.raises(IllegalMoveError) as caught:
            position.play(text)
        assert caught.value.field == "move"
        assert caught.value.fix == f"play {offered}"
        assert position == opening


def test_seeds() -> None:
    """A seed deals the same match for ever; without one it is drawn, and can be asked for."""
    one, two = Position.deal("classic", 11), Position.deal("classic", 11)
    assert one == two
    drawn = Position.deal("classic")
    assert Position.deal("classic", drawn.seed) == drawn
    assert Position.deal("classic", 12).hands != one.hands
    for seed in (-1, 1 << 64, 1.5, "1"):
        with pytest.raises(ArgumentError) as caught:
            Position.deal("classic", seed)  # type: ignore[arg-type]
        assert caught.value.field == "seed"
    assert Position.deal("classic", (1 << 64) - 1).seed == (1 << 64) - 1


GOLDEN_DEAL = (
    "basra/1/rules=classic/table=2/knows=all/turn=1/hands=2C2D6CJD:AS9H9SQD/floor=2H4"
    "H9DQH/stock=KC7D3H5S6D7S2S3STDKS4CJC8C4DAC7HQS9C3D8S6H5D5HTCADKD3C8DAHTS7C8H4SJH"
    "QC6S5CTHKHJS/piles=-:-/cards=0:0/points=0:0/last=-/carry=0/match=0:0/round=1/see"
    "d=1/buried=-/played=-"
)
"""Hands, floor and stock of seed 1: records of matches depend on it."""


def test_golden_deal() -> None:
    """The shuffle is part of what a version promises."""
    assert Position.deal("classic", 1).notation == GOLDEN_DEAL


def test_seats_and_leaders() -> None:
    """The leader is any seat of the table."""
    for leader in range(3):
        position = Position.deal("classic", 1, players=3, leader=leader)
        assert position.turn == position.leader == leader
    for leader in (-1, 3):
        with pytest.raises(ArgumentError) as caught:
            Position.deal("classic", 1, players=3, leader=leader)
        assert caught.value.field == "leader"


def test_all_first_deals_are_fair_game() -> None:
    """Over many seeds each card is in the first hand about as often as any other."""
    counts = [0] * 52
    for seed in range(3000):
        for card in Position.deal("classic", seed).hands[0]:
            counts[card.index] += 1
    mean = 3000 * 4 / 52
    square = sum((count - mean) ** 2 / mean for count in counts)
    assert square < 51 + 5 * (2 * 51) ** 0.5


def test_buried_cards_go_to_random_places() -> None:
    """Over many seeds they lie anywhere in the stock; with `bottom` at its end."""
    places = []
    for seed in range(600):
        position = Position.deal("classic", seed)
        places += [position.stock.index(card) for card in position.buried]
        assert not position.floor & position.rules.not_on_first_floor
    assert len(places) > 200
    assert set(range(40)) - set(places) == set()
    assert 17.5 < sum(places) / len(places) < 21.5
    bottom = Rules.preset("classic").with_changes(bury="bottom")
    for seed in range(100):
        position = Position.deal(bottom, seed)
        size = len(position.buried)
        assert position.stock[40 - size :] == position.buried
