"""Every shared case of captures, dealing, scoring and matches, through the public interface."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from basra import Card, Cards, Position, Rules, RulesError, captures

Case = dict[str, Any]
CASES = Path(__file__).parent / "cases"


def load(name: str) -> list[Case]:
    """All cases of one file."""
    found: list[Case] = json.loads((CASES / name).read_text(encoding="utf-8"))
    return found


def rules_of(case: Case) -> Rules:
    """A preset with the case's parameters laid over it."""
    rules = Rules.preset(case["rules"])
    return rules.with_changes(**case["inline"]) if "inline" in case else rules


def ids(cases: list[Case]) -> list[str]:
    """Names of the cases."""
    return [case["id"] for case in cases]


CAPTURES = load("captures.json")
FLOW = load("flow.json")


@pytest.mark.parametrize("case", CAPTURES, ids=ids(CAPTURES))
def test_captures(case: Case) -> None:
    """The complete set, each with its basra points; and whether the card may be trailed."""
    found = captures(Cards(case["floor"]), case["card"], rules_of(case))
    wanted = {Cards(capture["cards"]): capture["basra"] for capture in case["captures"]}
    assert len(found.captures) == len(case["captures"])
    assert {move.captures: move.basra for move in found.captures} == wanted
    assert found.trail == case["trail"]
    assert all(str(move.card) == case["card"] for move in found.captures)


def endgame(case: Case) -> None:
    """Plays to the round's end: piles, points, basras by seat."""
    hands = ["".join(hand) for hand in case["hands"]]
    position = Position.setup(
        hands,
        "".join(case["floor"]),
        rules=rules_of(case),
        last=case.get("last"),
        partners=case.get("partners", False),
    )
    basras: list[list[int]] = [[] for _ in hands]
    for card in case["plays"]:
        (move,) = [m for m in position.legal_moves() if str(m.card) == card]
        if move.basra:
            basras[position.turn].append(move.basra)
        position.play(move)
    assert position.is_over
    assert list(position.piles) == [Cards(pile) for pile in case["piles"]]
    if "round_points" in case:
        assert list(position.points) == case["round_points"]
    if "basras" in case:
        assert basras == case["basras"]
    if "carry_after" in case:
        assert position.carry_after == case["carry_after"]


def majority(case: Case) -> None:
    """Most-cards points of round after round, carried or not."""
    rules, carry = rules_of(case), 0
    for counts, points in zip(case["cards"], case["majority_points"], strict=True):
        by_side = counts
        if case.get("partners"):
            by_side = [counts[0] + counts[2], counts[1] + counts[3]]
        found, carry = rules.data.majority(by_side, carry)
        assert found == points


def round_score(case: Case) -> None:
    """The score of a round of which counts, valuable cards and basras are told."""
    rules, piles = rules_of(case), case["piles"]
    partners = case.get("partners", False)
    worth = {text: _worth(rules, text) for pile in piles for text in pile["holds"]}
    sides = 2 if partners else len(piles)
    points, counts = [0] * sides, [0] * sides
    for seat, pile in enumerate(piles):
        points[seat % sides] += sum(worth[text] for text in pile["holds"]) + sum(pile["basras"])
        counts[seat % sides] += pile["cards"]
    bonus, _ = rules.data.majority(counts, 0)
    total = [a + b for a, b in zip(points, bonus, strict=True)]
    assert total == case.get("round_points", case.get("side_points"))


def _worth(rules: Rules, card: str) -> int:
    """Points of one card: what a jack gets for taking it from among others, less the jack's."""
    jack = "JC" if card != "JC" else "JD"
    taken = captures(Cards([card, "5S"]), jack, rules).captures[0].points
    base = captures(Cards(["5S", "6S"]), jack, rules).captures[0].points
    return taken - base


def match(case: Case) -> None:
    """Is the match over with these scores, and who has won?"""
    rules = rules_of(case).with_changes(target=case["target"])
    winner = rules.data.winner(case["scores_after_round"])
    assert (winner >= 0) == case["over"]
    if case["over"]:
        assert winner == case["winner"]


def first_floor(case: Case) -> None:
    """What is drawn for the first floor, replaced and buried."""
    rules = rules_of(case)
    drawn = [Card(text) for text in case["drawn"]]
    rest = [card for card in rules.pack if card not in set(drawn)]
    hands = [card for card in rest if card not in rules.not_on_first_floor][:8]
    stock = [card for card in rest if card not in set(hands)]
    position = Position.deal_pack(rules, [*hands, *drawn, *stock])
    assert position.floor == Cards(case["floor"])
    assert [str(card) for card in position.buried] == case["buried"]
    assert set(position.buried) <= set(position.stock)
    # All go back at once, so the others keep their order.
    assert [card for card in position.stock if card not in set(position.buried)] == stock


def deals(case: Case) -> None:
    """Hand sizes of each deal."""
    for players, sizes in case["players"].items():
        assert rules_of(case).deal_sizes(int(players)) == sizes


def refused(case: Case) -> None:
    """A table that these rules do not allow."""
    with pytest.raises(RulesError) as caught:
        Position.deal(rules_of(case), 1, players=case["players"])
    assert caught.value.field == "players"
    assert caught.value.fix


def leader(case: Case) -> None:
    """The same seat leads every deal of a round; it deals the next, so the seat after leads."""
    players = case["players"]
    position = Position.deal(
        rules_of(case),
        5,
        players=players,
        partners=case["partners"],
        leader=(case["dealer"] + 1) % players,
    )
    for wanted in (case["leaders_by_deal"], case["next_leaders_by_deal"]):
        leaders: list[int] = []
        while not position.is_over:
            if len(leaders) < position.deal_number:
                leaders.append(position.turn)
            position.play(position.legal_moves()[0])
        assert leaders == wanted
        position.next_round()
        if wanted is case["leaders_by_deal"]:
            assert (position.leader - 1) % players == case["next_round_dealer"]


def playable(case: Case) -> None:
    """Which cards of a hand may be played at all."""
    position = Position.setup(
        ["".join(case["hand"]), "9C 8S"],
        "".join(case["floor"]),
        rules=rules_of(case),
    )
    assert sorted({str(move.card) for move in position.legal_moves()}) == sorted(case["playable"])


def points_of(case: Case) -> None:
    """Card points of a pile."""
    total = sum(_worth(rules_of(case), card) for card in case["holds"])
    assert total == case["points"]


KINDS: dict[str, Callable[[Case], None]] = {
    "endgame": endgame,
    "majority": majority,
    "round": round_score,
    "match": match,
    "first_floor": first_floor,
    "deals": deals,
    "refused": refused,
    "leader": leader,
    "playable": playable,
    "card_points": points_of,
}


@pytest.mark.parametrize("case", FLOW, ids=ids(FLOW))
def test_flow(case: Case) -> None:
    """Dealing, scoring and matches; a kind that is not known here fails."""
    KINDS[case["kind"]](case)
