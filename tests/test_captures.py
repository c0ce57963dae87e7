"""Captures of one card: complete, in order, and worth what the oracle says."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from basra import CardError, Cards, Position, TooLargeError, captures
from helpers import PRESETS, RuleChange, RulePair, both, cards, named, numbers, rule_changes, words


@st.composite
def floors(draw: st.DrawFn, rules: oracle.Rules, most: int) -> tuple[int, frozenset[int]]:
    """A card and a floor: any cards, numerals, or low numerals that make many sums."""
    pack = oracle.pack(rules)
    low = [card for card in pack if card < 24]
    numerals = [card for card in pack if card < 40]
    sevens = sorted({*low, *named("7C 7D 7H 7S JC JD QC QD KC KD")} & set(pack))
    pool = draw(st.sampled_from([pack, numerals, low, sevens]))
    floor = frozenset(draw(st.sets(st.sampled_from(pool), max_size=most)))
    playable = [card for card in pack if card not in floor]
    return draw(st.sampled_from(playable)), floor


def compare(pair: RulePair, floor: frozenset[int], card: int) -> None:
    """Everything that `captures` says, against the oracle."""
    found = captures(cards(floor), oracle.text(card), pair.ours)
    wanted = oracle.captures(pair.theirs, floor, card)
    assert [numbers(move.captures) for move in found.captures] == wanted
    assert [move.basra for move in found.captures] == [
        oracle.basra_points(pair.theirs, floor, card, taken) for taken in wanted
    ]
    assert [move.points for move in found.captures] == [
        oracle.card_points(pair.theirs, [*taken, card]) for taken in wanted
    ]
    assert found.trail == oracle.may_trail(pair.theirs, floor, card)
    assert (found.card.index, numbers(found.floor)) == (card, floor)


@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=250)
@given(data=st.data())
def test_presets_against_oracle(preset: str, data: st.DataObject) -> None:
    """Set, order, basra points, card points and trailing, for every preset."""
    pair = both(preset)
    card, floor = data.draw(floors(pair.theirs, 9))
    compare(pair, floor, card)


@settings(max_examples=600)
@given(change=rule_changes(), data=st.data())
def test_house_rules_against_oracle(change: RuleChange, data: st.DataObject) -> None:
    """The same for rule sets with parameters exchanged."""
    pair = change.pair
    card, floor = data.draw(floors(pair.theirs, 8))
    compare(pair, floor, card)


@settings(max_examples=150)
@given(change=rule_changes(), data=st.data())
def test_hands_against_oracle(change: RuleChange, data: st.DataObject) -> None:
    """Which cards of a hand may be played, and each of their captures."""
    pair = change.pair
    pack = oracle.pack(pair.theirs)
    drawn = data.draw(st.permutations(pack))[:14]
    hand, other, floor = frozenset(drawn[:4]), frozenset(drawn[4:8]), frozenset(drawn[8:])
    position = Position.setup([cards(hand), cards(other)], cards(floor), rules=pair.ours)
    found = [(move.card.index, numbers(move.captures)) for move in position.legal_moves()]
    wanted = oracle.legal_moves(pair.theirs, hand, floor)
    assert found == [(move.card, move.taken) for move in wanted]


@pytest.mark.parametrize("seven", ["total_ten", "equal_groups", "as_any_card"])
@pytest.mark.parametrize("basra_points", [10, "double", {"7": 33}])
@settings(max_examples=120)
@given(data=st.data())
def test_seven_of_diamonds(seven: str, basra_points: object, data: st.DataObject) -> None:
    """Its basra rules, on floors that are chosen to split or just not to."""
    pair = both("egyptian", seven_basra=seven, basra_points=basra_points)
    low = [card for card in range(40) if card != oracle.parse("7D")]
    picture = sorted(named("JC JS QC QD QH KS KD"))
    pool = data.draw(st.sampled_from([low, low[:20], picture, low[20:]]))
    floor = data.draw(st.sets(st.sampled_from(pool), min_size=1, max_size=7))
    compare(pair, frozenset(floor), oracle.parse("7D"))


# -- large floors --------------------------------------------------------------------------------

NUMERALS = words(range(40))


def test_a_jack_takes_forty_cards() -> None:
    """There is one capture however large the floor."""
    (move,) = captures(NUMERALS, "JS", "palestine-52").captures
    assert move.captures == Cards(NUMERALS)
    assert (move.basra, move.points) == (0, 4 + 2 + 3 + 1)


def test_maximal_on_nearly_all_numerals() -> None:
    """39 numerals and a ten: 220 less the ten is 210, so it is one capture and a basra."""
    floor = Cards(NUMERALS) - Cards("TS")
    (move,) = captures(floor, "TS", "classic").captures
    assert move.captures == floor
    assert move.basra == 10


def test_maximal_when_not_all_can_go() -> None:
    """One card too many, in every way: each capture leaves one ace or equal remainder behind."""
    floor = Cards(NUMERALS) - Cards("TS 9S")
    found = captures(floor, "TS", "classic").captures
    texts = [move.text for move in found]
    assert len(set(texts)) == len(texts) > 1
    totals = {sum(card.index // 4 + 1 for card in floor - move.captures) for move in found}
    # 201 lie there and groups of ten go, so what stays is one more than a multiple of ten.
    assert {total % 10 for total in totals} == {1}
    assert all(move.basra == 0 for move in found)


@pytest.mark.parametrize("card", ["TS", "9S", "8C"])
def test_too_many_captures_are_refused(card: str) -> None:
    """Under free choice the error names the card and the limit, and is there at once."""
    floor = Cards(NUMERALS) - Cards(card)
    started = time.monotonic()
    with pytest.raises(TooLargeError) as caught:
        captures(floor, card, "palestine-52")
    # Counting all would take hours; this is far from any machine's noise.
    assert time.monotonic() - started < 20
    assert caught.value.field == "card"
    assert caught.value.value == card
    assert "65,536" in caught.value.message
    assert caught.value.fix


def test_many_captures_below_the_limit_are_answered() -> None:
    """Sixteen low cards: more than any fixed buffer of a hand's moves, all of them, in order."""
    floor = Cards("AC AD AH AS 2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 4S")
    found = captures(floor, "5C", "palestine-52").captures
    wanted = oracle.captures(oracle.PRESETS["palestine-52"], frozenset(range(16)), 16)
    assert [numbers(move.captures) for move in found] == wanted
    assert len(found) > 1000


@pytest.mark.parametrize("preset", ["classic", "palestine-52"])
def test_canonical_order(preset: str) -> None:
    """Captures compare as ascending card lists, under either choice."""
    floor = Cards("AC AH 2C 2S 3D 4C 5H 6C 6S 7D 8C 9H")
    for card in Cards("TS TC 9C 8S 7C 6D QD"):
        listed = [list(move.captures) for move in captures(floor, card, preset).captures]
        assert all(before < after for before, after in pairwise(listed))


# -- refused -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("floor", "card", "rules", "field", "value"),
    [
        ("5S 6H", "5S", "classic", "card", "5S"),
        ("5S 5S", "6S", "classic", "floor", "5S"),
        ("5S", "KD", "palestine", "card", "KD"),
        ("QH", "5D", "palestine", "floor", "QH"),
        ("5S", "5D 6D", "classic", "card", "5D 6D"),
        ("5S", "", "classic", "card", ""),
        ("5S", "1D", "classic", "card", "1D"),
        ("5Z", "TD", "classic", "floor", "5Z"),
    ],
)
def test_refused(floor: str, card: str, rules: str, field: str, value: str) -> None:
    """A card played from the floor, twice, outside the pack, or that is none."""
    with pytest.raises(CardError) as caught:
        captures(floor, card, rules)
    assert (caught.value.field, caught.value.value) == (field, value)
    assert caught.value.fix


# -- mistakes that other programs make -----------------------------------------------------------


def taken(rules: str, floor: str, card: str) -> list[tuple[str, int]]:
    """What a card takes, and the basra points."""
    return [(str(move.captures), move.basra) for move in captures(floor, card, rules).captures]


def test_no_union_of_overlapping_groups() -> None:
    """The 3 is in both groups of ten."""
    assert taken("classic", "2S 3H 5D 7C", "TH") == [("2S 3H 5D", 0), ("3H 7C", 0)]


def test_not_the_longest_group_first() -> None:
    """A234 would leave 6789, of which nothing makes ten."""
    assert taken("classic", "AS 2S 3S 4S 6S 7S 8S 9S", "TH")[0][1] == 10


def test_no_first_fit_partition_for_the_seven() -> None:
    """Largest first into nines: 6 2 A, then 5 4; first fit of 6 with 3 leaves 5 4 2 A 3."""
    assert taken("egyptian", "6S 5S 4S 3S 3H 3D 2S AS", "7D")[0][1] == 10


def test_the_seven_sweeps_before_it_is_a_seven() -> None:
    """Not just the sevens and sums of seven."""
    assert taken("classic", "7C 5H KD", "7D") == [("5H 7C KD", 0)]


def test_not_every_sweep_of_the_seven_is_a_basra() -> None:
    """A picture card or a large total spoils it."""
    assert taken("classic", "5H 6H", "7D") == [("5H 6H", 0)]
    assert taken("classic", "2H QH", "7D") == [("2H QH", 0)]
    assert taken("classic", "2H 8H", "7D") == [("2H 8H", 10)]


def test_nothing_sweeps_an_empty_floor() -> None:
    """A jack or 7D there is trailed, and nobody becomes the last capturer."""
    for card in ("JS", "7D"):
        assert captures("", card).captures == ()
        assert captures("", card).trail
        position = Position.setup([card, "KH"], "", last=1)
        assert position.play(card).last == 1


def test_a_lone_jack_may_be_rewarded() -> None:
    """Where the rules give points for it, and only on one jack alone."""
    assert taken("egyptian-v2", "JS", "JH") == [("JS", 20)]
    assert taken("egyptian-v2", "JS JD", "JH") == [("JD JS", 0)]
    assert taken("egyptian-v2", "JS 2D", "JH") == [("2D JS", 0)]


def test_all_equal_cards_and_all_sums_are_taken() -> None:
    """Every equal card, and sums of any number of cards beside equal rank."""
    assert taken("classic", "8C 8D 8H", "8S") == [("8C 8D 8H", 10)]
    assert taken("classic", "AS 2S 5S", "8S") == [("AS 2S 5S", 10)]
    assert taken("classic", "8C AS 7S 2S 3S 3D KD", "8S") == [("AS 2S 3D 3S 7S 8C", 0)]


def test_points_of_single_cards() -> None:
    """2C has two points, other twos none; TD three, other tens none."""
    found = {
        card: captures(card, "JS").captures[0].points - 1 for card in ("2C", "2S", "TD", "TS", "AS")
    }
    assert found == {"2C": 2, "2S": 0, "TD": 3, "TS": 0, "AS": 1}
