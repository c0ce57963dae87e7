"""The oracle against the shared cases, against the known mistakes, and against itself."""

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import pytest

from oracle import (
    PRESETS,
    Match,
    Move,
    Rules,
    State,
    after_round,
    apply,
    banked_points,
    basra_points,
    by_side,
    captures,
    card_points,
    card_set,
    card_types,
    deal_sizes,
    leader,
    legal_moves,
    majority_points,
    match_over,
    may_trail,
    moves,
    next_dealer,
    pack,
    parse,
    parse_many,
    perft,
    position,
    round_points,
    side_of,
    solve,
    solve_moves,
    start,
    step,
    table_error,
    text,
    text_many,
    with_changes,
)
from oracle.captures import splits_into_groups

Case = dict[str, Any]

CASES = Path(__file__).parent / "cases"
CLASSIC = PRESETS["classic"]
EGYPTIAN = PRESETS["egyptian"]
PALESTINE_52 = PRESETS["palestine-52"]

TABLES = [
    ("classic", 2, False),
    ("classic", 3, False),
    ("classic", 4, True),
    ("egyptian", 2, False),
    ("palestine", 2, False),
    ("palestine", 4, False),
    ("palestine", 4, True),
    ("palestine-52", 3, False),
    ("palestine-52", 4, False),
    ("egyptian-v2", 2, False),
]


def load(name: str) -> list[Case]:
    """All cases of one file."""
    cases: list[Case] = json.loads((CASES / name).read_text(encoding="utf-8"))
    return cases


def of_kind(kind: str) -> list[Any]:
    """The flow cases of one kind, each named by its id."""
    return [pytest.param(case, id=case["id"]) for case in FLOW if case["kind"] == kind]


def rules_of(case: Case) -> Rules:
    """The rule set of a case."""
    return with_changes(PRESETS[case["rules"]], **case.get("inline", {}))


def cards(names: Iterable[str]) -> frozenset[int]:
    """A set of cards from a list of names."""
    return frozenset(parse(name) for name in names)


def held(names: str) -> frozenset[int]:
    """A set of cards from one string."""
    return frozenset(parse_many(names))


CAPTURES = load("captures.json")
FLOW = load("flow.json")


# --- Shared cases -----------------------------------------------------------------------------


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CAPTURES])
def test_captures_case(case: Case) -> None:
    rules, floor, card = rules_of(case), cards(case["floor"]), parse(case["card"])
    expected = sorted((sorted(cards(one["cards"])), one["basra"]) for one in case["captures"])
    found = captures(rules, floor, card)
    scored = [(sorted(taken), basra_points(rules, floor, card, taken)) for taken in found]
    assert scored == expected
    assert may_trail(rules, floor, card) is case["trail"]


def endgame(case: Case) -> State:
    """The position an endgame case starts from."""
    return position(
        rules_of(case),
        [cards(hand) for hand in case["hands"]],
        cards(case["floor"]),
        partners=case.get("partners", False),
        last=case.get("last"),
    )


def play_out(state: State, plays: Iterable[str]) -> State:
    """Play cards that leave no choice of what to take."""
    for play in plays:
        (move,) = [move for move in moves(state) if move.card == parse(play)]
        state = step(state, move)
    return state


@pytest.mark.parametrize("case", of_kind("endgame"))
def test_endgame_case(case: Case) -> None:
    state = play_out(endgame(case), case["plays"])
    assert state.is_over
    assert list(state.piles) == [cards(pile) for pile in case["piles"]]
    assert list(state.counts) == [len(pile) for pile in case["piles"]]
    points, carry = round_points(state)
    if "basras" in case:
        assert [list(basras) for basras in state.basras] == case["basras"]
    if "round_points" in case:
        assert list(points) == case["round_points"]
    if "carry_after" in case:
        assert carry == case["carry_after"]


@pytest.mark.parametrize("case", of_kind("majority"))
def test_majority_case(case: Case) -> None:
    rules, carry = rules_of(case), 0
    for counts, expected in zip(case["cards"], case["majority_points"], strict=True):
        blank = position(rules, [()] * len(counts), (), partners=case.get("partners", False))
        points, carry = majority_points(rules, by_side(blank, counts), carry)
        assert list(points) == expected


@pytest.mark.parametrize("case", of_kind("round"))
def test_round_case(case: Case) -> None:
    piles = case["piles"]
    blank = position(
        rules_of(case),
        [()] * len(piles),
        (),
        partners=case.get("partners", False),
        counts=[pile["cards"] for pile in piles],
    )
    state = replace(
        blank,
        piles=tuple(cards(pile["holds"]) for pile in piles),
        basras=tuple(tuple(pile["basras"]) for pile in piles),
    )
    points, _ = round_points(state)
    assert list(points) == case.get("round_points", case.get("side_points"))


@pytest.mark.parametrize("case", of_kind("match"))
def test_match_case(case: Case) -> None:
    winner = match_over(case["scores_after_round"], case["target"])
    assert (winner is not None) is case["over"]
    assert winner == case.get("winner")
    assert rules_of(case).target == case["target"]


@pytest.mark.parametrize("case", of_kind("first_floor"))
@pytest.mark.parametrize("bury_positions", [None, "top", "spread"])
def test_first_floor_case(case: Case, bury_positions: str | None) -> None:
    """The draws come right after the hands, so what is left of the pack is put around them."""
    rules, drawn = rules_of(case), parse_many(" ".join(case["drawn"]))
    others = [card for card in pack(rules) if card not in drawn]
    count = len(case["buried"])
    places = {None: None, "top": range(count), "spread": range(2 * count, 0, -2)}[bury_positions]
    state = start(rules, others[:8] + drawn + others[8:], 2, False, bury_positions=places)
    buried = parse_many(" ".join(case["buried"]))
    assert state.floor == cards(case["floor"])
    assert list(state.buried) == buried
    if places is None:
        assert list(state.stock) == others[8:] + buried
    else:
        assert [state.stock[place] for place in places] == buried
        assert [card for card in state.stock if card not in buried] == others[8:]


@pytest.mark.parametrize("case", of_kind("deals"))
def test_deals_case(case: Case) -> None:
    for players, sizes in case["players"].items():
        assert deal_sizes(rules_of(case), int(players)) == sizes


@pytest.mark.parametrize("case", of_kind("refused"))
def test_refused_case(case: Case) -> None:
    rules = rules_of(case)
    assert table_error(rules, case["players"], False)
    with pytest.raises(ValueError, match=r"tables|shared"):
        start(rules, pack(rules), case["players"], False)


@pytest.mark.parametrize("case", of_kind("leader"))
def test_leader_case(case: Case) -> None:
    """The seat that leads is seat 0 of every deal in the oracle; here it is put at the table."""
    players, dealer = case["players"], case["dealer"]
    for expected in ("leaders_by_deal", "next_leaders_by_deal"):
        rules = rules_of(case)
        state = start(rules, pack(rules), players, case["partners"])
        first = leader(dealer, players)
        assert [(first + seat) % players for seat in leading_seats(state)] == case[expected]
        dealer = next_dealer(dealer, players)
        if expected == "leaders_by_deal":
            assert dealer == case["next_round_dealer"]


def leading_seats(state: State) -> list[int]:
    """The seat that plays first in each deal of a round."""
    seats = [state.turn]
    while not state.is_over:
        before = len(state.stock)
        state = step(state, moves(state)[0])
        if len(state.stock) != before:
            seats.append(state.turn)
    return seats


@pytest.mark.parametrize("case", of_kind("playable"))
def test_playable_case(case: Case) -> None:
    legal = legal_moves(rules_of(case), cards(case["hand"]), cards(case["floor"]))
    assert {move.card for move in legal} == cards(case["playable"])


@pytest.mark.parametrize("case", of_kind("card_points"))
def test_card_points_case(case: Case) -> None:
    assert card_points(rules_of(case), cards(case["holds"])) == case["points"]


def test_every_kind_of_flow_case_is_run() -> None:
    kinds = {"endgame", "majority", "round", "match", "first_floor", "deals"}
    kinds |= {"refused", "leader", "playable", "card_points"}
    assert {case["kind"] for case in FLOW} == kinds


# --- Cards and rules --------------------------------------------------------------------------


def test_cards_read_and_write() -> None:
    assert [parse(text(card)) for card in range(52)] == list(range(52))
    assert parse_many("AC 10d, th 7♦ K♠") == [0, 37, 38, 25, 51]
    assert text_many([25, 51]) == "7D KS"


@pytest.mark.parametrize("name", ["", "7", "1D", "11D", "7X", "D7", "7DD"])
def test_what_is_not_a_card_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="not a card"):
        parse(name)


def test_the_family_points_are_thirteen() -> None:
    assert card_points(CLASSIC, pack(CLASSIC)) == 13
    assert card_points(PRESETS["palestine"], pack(PRESETS["palestine"])) == 13
    assert card_points(EGYPTIAN, pack(EGYPTIAN)) == 0


def test_inline_lists_become_sets() -> None:
    changed = with_changes(CLASSIC, not_on_first_floor=["J", "7D"], tables=["2"])
    assert changed.not_on_first_floor == card_set("JC JD JH JS 7D")
    assert changed.tables == {"2"}


def test_a_jack_has_no_entry_among_the_basra_values() -> None:
    with pytest.raises(ValueError, match="jack_basra"):
        with_changes(CLASSIC, basra_points={"J": 5})


@pytest.mark.parametrize(
    ("players", "partners", "inline", "allowed"),
    [
        (2, False, {}, True),
        (4, True, {}, True),
        (4, False, {}, False),
        (2, True, {}, False),
        (2, False, {"hand_size": 21}, True),
        (2, False, {"hand_size": 22}, False),
        (2, False, {"hand_size": 22, "not_on_first_floor": "J"}, True),
        (2, False, {"hand_size": 24, "not_on_first_floor": ""}, True),
        (2, False, {"floor_size": 0, "hand_size": 26}, True),
    ],
)
def test_tables(players: int, partners: bool, inline: Case, allowed: bool) -> None:
    """A stock must outnumber the cards kept off the first floor, wherever they turn up."""
    assert (table_error(with_changes(CLASSIC, **inline), players, partners) is None) is allowed


# --- Mistakes other programs make -------------------------------------------------------------


def taken_by(rules: Rules, floor: str, card: str) -> list[str]:
    """Captures as text, to read a check at a glance."""
    return [text_many(sorted(taken)) for taken in captures(rules, held(floor), parse(card))]


def basra(rules: Rules, floor: str, card: str) -> int:
    """Basra points for taking the whole floor."""
    assert held(floor) in captures(rules, held(floor), parse(card))
    return basra_points(rules, held(floor), parse(card), held(floor))


def test_overlapping_groups_are_no_union() -> None:
    assert taken_by(PALESTINE_52, "4S 3S 2S", "6H") == ["2S 4S"]
    assert taken_by(PALESTINE_52, "5S 4S 2S AS", "7H") == ["AS 2S 4S", "2S 5S"]


def test_the_longest_group_is_not_taken_first() -> None:
    assert taken_by(CLASSIC, "AS 2S 3S 4S 6S 7S 8S 9S", "TH") == ["AS 2S 3S 4S 6S 7S 8S 9S"]


def test_the_partition_for_a_seven_is_exact() -> None:
    """First fit fails on the first floor from below and on the second from above."""
    assert basra(EGYPTIAN, "3S 4S 5S 6S", "7D") == 10
    assert basra(EGYPTIAN, "5S 4S 3S 3H 3C 2S", "7D") == 10
    assert not splits_into_groups(held("5S 4S 3S 3H 3C 2S"), 5)


def test_a_sweep_comes_before_a_seven() -> None:
    assert taken_by(CLASSIC, "7H KD AS", "7D") == ["AS 7H KD"]
    assert taken_by(CLASSIC, "KD", "7D") == ["KD"]


def test_not_every_sweep_by_a_seven_is_a_basra() -> None:
    assert basra(CLASSIC, "TS AH", "7D") == 0
    assert basra(CLASSIC, "9S AH", "7D") == 10
    assert basra(EGYPTIAN, "TS AH", "7D") == 0
    assert basra(PRESETS["egyptian-v2"], "QS QH AC", "7D") == 0
    assert basra(with_changes(CLASSIC, seven_basra="none"), "AS", "7D") == 0


def test_a_picture_card_spoils_the_total_of_a_seven() -> None:
    assert basra(CLASSIC, "2S KH", "7D") == 0
    assert basra(EGYPTIAN, "2S 2H KH", "7D") == 0


@pytest.mark.parametrize("card", ["JS", "7D"])
def test_an_empty_floor_is_not_swept(card: str) -> None:
    state = position(CLASSIC, [held(card), held("KH")], ())
    assert moves(state) == [Move(parse(card), frozenset())]
    after = step(state, moves(state)[0])
    assert after.last is None
    assert after.counts == (0, 0)
    assert after.floor == held(card)


def test_a_jack_on_a_lone_jack() -> None:
    assert basra(EGYPTIAN, "JS", "JH") == 10
    assert basra(CLASSIC, "JS", "JH") == 0
    assert basra(EGYPTIAN, "5S", "JH") == 0
    assert basra(EGYPTIAN, "JS JC", "JH") == 0
    assert basra(EGYPTIAN, "7D", "JH") == 0
    assert basra(with_changes(EGYPTIAN, jack_basra=0), "JS", "7D") == 0


def test_all_equal_cards_and_all_sums_are_taken() -> None:
    assert taken_by(CLASSIC, "QS QH QD", "QC") == ["QD QH QS"]
    assert taken_by(CLASSIC, "4S 3S 2S KH", "9H") == ["2S 3S 4S"]
    assert taken_by(CLASSIC, "6S 3S 5H 4D", "9H") == ["3S 4D 5H 6S"]


def test_an_equal_rank_does_not_hide_the_sums() -> None:
    assert taken_by(CLASSIC, "9S 5H 4D KC", "9H") == ["4D 5H 9S"]


def test_only_the_two_of_clubs_scores() -> None:
    assert [card_points(CLASSIC, held(two)) for two in ("2C", "2D", "2H", "2S")] == [2, 0, 0, 0]
    assert card_points(CLASSIC, held("TC TD")) == 3
    overridden = with_changes(CLASSIC, card_points={"2": 1, "2C": 0})
    assert card_points(overridden, held("2C 2D 2H 2S")) == 3


def test_leftovers_go_to_the_last_capturer_and_are_no_basra() -> None:
    start_of_end = position(CLASSIC, [held("5S 9D"), held("KH QC")], held("5H 2C"))
    state = play_out(start_of_end, ["5S", "KH", "9D", "QC"])
    assert state.piles == (held("5S 5H 2C KH 9D QC"), frozenset())
    assert state.basras == ((), ())
    assert not state.floor


def test_a_tie_for_most_cards_pays_nobody() -> None:
    assert majority_points(EGYPTIAN, (26, 26), 0) == ((0, 0), 0)
    assert majority_points(CLASSIC, (20, 20, 12), 30) == ((0, 0, 0), 60)
    assert majority_points(CLASSIC, (20, 19, 13), 60) == ((90, 0, 0), 0)


def test_the_target_is_reached_at_the_target_and_not_by_a_tie() -> None:
    assert match_over([101, 60], 101) == 0
    assert match_over([100, 60], 101) is None
    assert match_over([101, 101], 101) is None
    assert match_over([101, 101, 102], 101) == 2


def test_replaced_cards_are_in_one_place_only() -> None:
    """Five cards are replaced, among them replacements, and none is lost or doubled."""
    drawn = parse_many("JS JH JD JC 7D 2S 3S 4S 5S")
    others = [card for card in pack(CLASSIC) if card not in drawn]
    places = [9, 0, 4, 1, 2]
    state = start(CLASSIC, others[:8] + drawn + others[8:], 2, False, bury_positions=places)
    assert text_many(sorted(state.floor)) == "2S 3S 4S 5S"
    assert [state.stock[place] for place in places] == drawn[:5]
    assert all_cards(state) == pack(CLASSIC)


@pytest.mark.parametrize("places", [[0], [0, 0], [0, 99]])
def test_wrong_places_for_buried_cards_are_refused(places: list[int]) -> None:
    drawn = parse_many("JS JH 2S 3S 4S 5S")
    others = [card for card in pack(CLASSIC) if card not in drawn]
    with pytest.raises(ValueError, match="bury_positions"):
        start(CLASSIC, others[:8] + drawn + others[8:], 2, False, bury_positions=places)


def test_every_move_is_checked_by_the_same_code() -> None:
    state = position(CLASSIC, [held("5S KH"), held("QC 2D")], held("5H"))
    illegal = [Move(parse("5S"), frozenset()), Move(parse("KH"), held("5H"))]
    for move in [*illegal, Move(parse("QC"), frozenset())]:
        with pytest.raises(ValueError, match="not a legal move"):
            step(state, move)


def test_must_capture() -> None:
    floor, hand = held("5H"), held("5S KH JD")
    by_rule = {"card": "5Sx JDx KH", "hand": "5Sx JDx", "none": "5S 5Sx JD JDx KH"}
    for rule, expected in by_rule.items():
        legal = legal_moves(with_changes(CLASSIC, must_capture=rule), hand, floor)
        assert " ".join(text(m.card) + ("x" if m.taken else "") for m in legal) == expected


def test_moves_are_in_canonical_order() -> None:
    """A trail first, then by the cards taken, not by how many they are."""
    rules = with_changes(PALESTINE_52, must_capture="none")
    legal = legal_moves(rules, held("5S KH"), held("AC 4C 2H 3H 5C"))
    assert [f"{text(m.card)} {text_many(sorted(m.taken))}".strip() for m in legal] == [
        "5S",
        "5S AC 2H 3H 4C",
        "5S AC 2H 3H 4C 5C",
        "5S AC 4C",
        "5S AC 4C 5C",
        "5S 2H 3H",
        "5S 2H 3H 5C",
        "5S 5C",
        "KH",
    ]


def test_values_of_basras() -> None:
    by_rank = with_changes(CLASSIC, basra_points={"5": 7, "7": 3})
    assert basra(by_rank, "5H", "5S") == 7
    assert basra(by_rank, "6H", "6S") == 0
    assert basra(by_rank, "6H", "7D") == 3
    assert basra(PALESTINE_52, "QH", "QS") == 20
    last = with_changes(CLASSIC, basra_on_last=False)
    assert basra_points(last, held("5H"), parse("5S"), held("5H"), last_of_round=True) == 0
    assert basra_points(last, held("5H"), parse("5S"), held("5H"), last_of_round=False) == 10


def test_the_last_card_of_a_deal_is_not_the_last_of_the_round() -> None:
    rules = with_changes(CLASSIC, basra_on_last=False)
    state = position(rules, [(), held("5S")], held("5H"), parse_many("2S 3S"), turn=1)
    after = step(state, moves(state)[0])
    assert after.basras == ((), (10,))
    assert after.hands == (held("2S"), held("3S"))
    assert (after.turn, after.last, after.is_over) == (0, 1, False)


# --- The oracle against plainer versions of itself --------------------------------------------


def all_cards(state: State) -> list[int]:
    """Every card wherever it is; a card in two places is there twice."""
    return sorted(chain(*state.hands, state.floor, state.stock, *state.piles))


def subsets(floor: Iterable[int]) -> Iterator[frozenset[int]]:
    """All non-empty subsets."""
    pool = list(floor)
    for size in range(1, len(pool) + 1):
        yield from (frozenset(chosen) for chosen in combinations(pool, size))


def is_group(rules: Rules, card: int, group: frozenset[int]) -> bool:
    """The definition of a group, read off the rules once more."""
    ranks = [other // 4 + 1 for other in group]
    if len(group) == 1 and ranks[0] == card // 4 + 1:
        return True
    if group == {parse("7D")} and rules.seven_diamonds == "wild":
        return True
    return card // 4 < 10 and max(ranks) <= 10 and sum(ranks) == card // 4 + 1


def is_union(rules: Rules, card: int, chosen: frozenset[int]) -> bool:
    """Whether a set splits into groups, by trying every way to take one group off it."""
    return is_group(rules, card, chosen) or any(
        is_group(rules, card, part) and is_union(rules, card, chosen - part)
        for part in subsets(chosen)
        if part != chosen
    )


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("seed", range(40))
def test_captures_against_the_definition(name: str, seed: int) -> None:
    rules, rng = PRESETS[name], random.Random(seed)
    numerals = [card for card in pack(rules) if card < 40]
    drawn = rng.sample(rng.choice([pack(rules), numerals, numerals[:24]]), rng.randint(2, 7))
    card, floor = drawn[0], frozenset(drawn[1:])
    if card // 4 == 10 or (card == parse("7D") and rules.seven_diamonds != "plain"):
        assert captures(rules, floor, card) == [floor]
        return
    unions = [chosen for chosen in subsets(floor) if is_union(rules, card, chosen)]
    if rules.choice == "maximal":
        unions = [one for one in unions if not any(one < other for other in unions)]
    assert captures(rules, floor, card) == sorted(unions, key=sorted)


def random_round(rules: Rules, players: int, partners: bool, seed: int) -> Iterator[State]:
    """Every position of a round played at random."""
    rng = random.Random(seed)
    deck = pack(rules)
    rng.shuffle(deck)
    carry = 30 if rules.most_cards_tie == "carry" else 0
    state = start(rules, deck, players, partners, carry)
    yield state
    while not state.is_over:
        state = step(state, rng.choice(moves(state)))
        yield state


@pytest.mark.parametrize(("name", "players", "partners"), TABLES)
@pytest.mark.parametrize("must_capture", ["card", "hand", "none"])
@pytest.mark.parametrize("seed", range(3))
def test_rounds_at_random(
    name: str, players: int, partners: bool, must_capture: str, seed: int
) -> None:
    """No card is lost, every deal is dealt, and the points add up."""
    rules = with_changes(PRESETS[name], must_capture=must_capture)
    states = list(random_round(rules, players, partners, seed))
    assert len(states) == rules.deck - rules.floor_size + 1
    for state in states:
        assert all_cards(state) == pack(rules)
        assert state.counts == tuple(len(pile) for pile in state.piles)
    end = states[-1]
    points, carry = round_points(end)
    bonus, _ = majority_points(rules, by_side(end, end.counts), end.carry)
    basras = sum(chain(*end.basras))
    assert sum(points) == card_points(rules, chain(*end.piles)) + basras + sum(bonus)
    assert sum(bonus) + carry in (0, rules.most_cards + end.carry)


def test_a_match_keeps_its_seats_and_carries() -> None:
    """Three seats, so that a wrong turn of the table cannot pass unseen."""
    match = Match(CLASSIC, 3, False, (0, 0, 0), dealer=0)
    blank = position(CLASSIC, [()] * 3, (), counts=(18, 17, 17))
    match = after_round(match, blank)
    assert (match.scores, match.dealer, match.carry) == ((0, 30, 0), 1, 0)
    match = after_round(match, replace(blank, counts=(20, 20, 12)))
    assert (match.scores, match.dealer, match.carry) == ((0, 30, 0), 2, 30)
    match = after_round(match, replace(blank, counts=(12, 20, 20), carry=match.carry))
    assert (match.scores, match.dealer, match.carry) == ((0, 30, 0), 0, 60)
    match = after_round(match, replace(blank, counts=(12, 20, 20), carry=match.carry))
    match = after_round(match, replace(blank, counts=(10, 12, 30), carry=match.carry))
    assert (match.scores, match.dealer, match.carry) == ((0, 150, 0), 2, 0)
    assert match.winner == 1


def test_a_match_of_partners() -> None:
    match = Match(CLASSIC, 4, True, (0, 0), dealer=0)
    blank = position(CLASSIC, [()] * 4, (), partners=True, counts=(20, 5, 10, 17))
    match = after_round(match, blank)
    assert match.scores == (0, 30)
    assert after_round(match, blank).scores == (30, 30)


# --- Solving ----------------------------------------------------------------------------------


def test_a_forced_end() -> None:
    """Seat 0 takes the five, then 2C and KH are left over: 2 points and the majority."""
    hands = [held("5S"), held("KH")]
    assert solve(position(CLASSIC, hands, held("5H 2C"))) == (32, (32, 0))
    tied = position(CLASSIC, hands, held("5H 2C"), counts=(22, 26))
    assert solve(tied) == (2, (2, 0))
    behind = position(CLASSIC, hands, held("5H 2C"), counts=(20, 28), carry=30)
    assert solve(behind) == (-58, (2, 60))


def test_the_card_that_gives_no_basra_away() -> None:
    """After 5S seat 1 has a basra with 5H; after 8C nobody has one. The majority is decided."""
    hands = [held("5S 8C"), held("5H QC")]
    state = position(EGYPTIAN, hands, (), counts=(30, 18), last=0)
    assert [(text(move.card), value) for move, value, _ in solve_moves(state)] == [
        ("5S", 20),
        ("8C", 30),
    ]
    assert solve(state) == (30, (30, 0))


def test_a_jack_gets_there_anyway() -> None:
    """With a jack beside 5H seat 1 has its basra after 8C as well: jack first, then the five."""
    state = position(EGYPTIAN, [held("5S 8C"), held("5H JC")], (), counts=(30, 18), last=0)
    assert [value for _, value, _ in solve_moves(state)] == [20, 20]


def test_the_next_deal_counts() -> None:
    """All forced. The bonus is decided, so only basras differ: none, KC on KS, and 5D on 5S."""
    floor, counts = held("KS"), (40, 6)
    hands = [held("5S"), held("KH")]
    none = position(EGYPTIAN, hands, floor, parse_many("9S 5D"), counts=counts)
    assert solve(none) == (30, (30, 0))
    hands = [held("KC"), held("5S")]
    one = position(EGYPTIAN, hands, floor, parse_many("9S 5D"), counts=counts)
    assert solve(one) == (40, (40, 0))
    both = position(EGYPTIAN, hands, floor, parse_many("5D 9S"), counts=counts)
    assert solve(both) == (50, (50, 0))


SPLIT = with_changes(PALESTINE_52, basra_points=0, card_points={"3D": 5}, most_cards=0)


def test_equal_choices_of_three_players_go_by_type_order() -> None:
    """6H takes A23 or 24. The one gives 3D to seat 2, the other to seat 1: equal for seat 0.

    A23 comes first in canonical order, so it is played.
    """
    state = position(SPLIT, [held("6H"), held("3D"), held("7C")], held("4S 3S 2S AS"))
    half = Fraction(-5, 2)
    six = parse("6H")
    assert solve(state) == (half, (0, 0, 5))
    assert solve_moves(state) == [
        (Move(six, held("AS 2S 3S")), half, (0, 0, 5)),
        (Move(six, held("2S 4S")), half, (0, 5, 0)),
    ]


def test_partners_play_for_their_side() -> None:
    """The same choice with a fourth seat: 3D goes to the partner's 7C, or is kept by seat 1."""
    hands = [held("6H"), held("3D"), held("7C"), held("KC")]
    state = position(SPLIT, hands, held("4S 3S 2S AS"), partners=True)
    assert solve(state) == (5, (5, 0))
    assert [(value, points) for _, value, points in solve_moves(state)] == [
        (5, (5, 0)),
        (-5, (0, 5)),
    ]


def test_the_value_is_of_the_side_to_move() -> None:
    """Seat 1 sweeps and seat 3 makes a basra, so the 10 is theirs; the 30 is not."""
    hands = [(), held("JC"), held("9C"), held("9H")]
    counts = (20, 0, 10, 18)
    state = position(EGYPTIAN, hands, held("5S"), partners=True, counts=counts, turn=1, last=0)
    assert solve(state) == (-20, (30, 10))


def test_types() -> None:
    """Sixteen in classic and none to spare; Egyptian keeps 7D apart for its power alone."""
    classic = card_types(CLASSIC)
    assert len(set(classic.values())) == 16
    ranked = [classic[parse(name)] for name in ("AS", "2C", "2S", "6H", "7C", "7D", "TC", "TD")]
    assert ranked == [0, 1, 2, 6, 7, 8, 11, 12]
    assert len(set(card_types(EGYPTIAN).values())) == 14
    assert len(set(card_types(PRESETS["palestine"]).values())) == 13
    with_low_seven = with_changes(CLASSIC, card_points={"7S": 1})
    sevens = [card_types(with_low_seven)[parse(name)] for name in ("7C", "7D", "7H", "7S")]
    assert sevens == [6, 7, 6, 8]


def plain_solve(state: State) -> tuple[int, ...]:
    """The same search card by card with nothing remembered: points by side from here on."""
    if state.is_over:
        return majority_points(state.rules, by_side(state, state.counts), state.carry)[0]
    side, best = side_of(state, state.turn), None
    for move in in_type_order(state):
        after = apply(state, move)
        ahead = zip(plain_solve(after), banked_points(after), banked_points(state), strict=True)
        points = tuple(later + new - old for later, new, old in ahead)
        if best is None or margin(points, side) > margin(best, side):
            best = points
    assert best is not None
    return best


def in_type_order(state: State) -> list[Move]:
    """Every legal move, those of equal cards next to each other."""
    types = card_types(state.rules)
    return sorted(
        moves(state), key=lambda move: (types[move.card], sorted(types[c] for c in move.taken))
    )


def margin(points: tuple[int, ...], side: int) -> Fraction:
    """Own points minus the mean of the others'."""
    others = [number for place, number in enumerate(points) if place != side]
    return points[side] - Fraction(sum(others), len(others))


def late_position(name: str, players: int, partners: bool, seed: int, plies: int) -> State:
    """A position some plies before the end of a round played at random."""
    return list(random_round(PRESETS[name], players, partners, seed))[-1 - plies]


@pytest.mark.parametrize(("name", "players", "partners"), TABLES)
@pytest.mark.parametrize("must_capture", ["card", "hand", "none"])
@pytest.mark.parametrize("seed", range(4))
def test_short_cuts_change_nothing(
    name: str, players: int, partners: bool, must_capture: str, seed: int
) -> None:
    """Equal moves and positions met again give the points they gave at first."""
    state = late_position(name, players, partners, seed, plies=6)
    state = replace(state, rules=with_changes(state.rules, must_capture=must_capture))
    value, points = solve(state)
    assert points == plain_solve(state)
    assert value == margin(points, side_of(state, state.turn))
    assert value == max(number for _, number, _ in solve_moves(state))


@pytest.mark.parametrize("seed", range(10))
def test_value_has_the_parity_of_the_points_left(seed: int) -> None:
    """Basras and majority are even, so unless nobody captures the rest decides odd or even."""
    state = replace(late_position("classic", 2, False, seed, plies=8), last=0)
    value, _ = solve(state)
    left = chain(state.floor, *state.hands, state.stock)
    assert (value - card_points(CLASSIC, left)) % 2 == 0


@pytest.mark.parametrize("seed", range(3))
def test_a_line_of_best_moves_earns_the_value(seed: int) -> None:
    """Played out move by move, with the points that were earned counted at the end."""
    state = late_position("classic", 3, False, seed, plies=9)
    banked, (_, promised) = banked_points(state), solve(state)
    while not state.is_over:
        values = {move: value for move, value, _ in solve_moves(state)}
        best = max(values.values())
        state = step(state, next(move for move in in_type_order(state) if values[move] == best))
    points, _ = round_points(state)
    assert tuple(new - old for new, old in zip(points, banked, strict=True)) == promised


# --- Counting ---------------------------------------------------------------------------------


def test_perft() -> None:
    state = position(CLASSIC, [held("5S KH"), held("QC 2D")], held("5H"))
    assert [perft(state, depth) for depth in range(6)] == [1, 2, 4, 4, 4, 0]


def test_perft_goes_on_through_the_next_deal() -> None:
    state = position(CLASSIC, [held("5S"), held("KH")], (), parse_many("2S 3S"))
    assert [perft(state, depth) for depth in range(6)] == [1, 1, 1, 1, 1, 0]


def test_perft_counts_every_card_and_every_capture() -> None:
    """Under free choice 5S has seven captures of three fives, and may not be trailed."""
    state = position(PALESTINE_52, [held("5S KH"), held("QC QD")], held("5C 5D 5H"))
    assert perft(state, 1) == 8
    assert perft(state, 2) == 16
