"""What people type: moves by what is legal, cards, numbers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from basra import BasraError, IllegalMoveError, Move, NotationError, Position, parse_move
from basra.cards import SUIT_SIGNS, SUITS, Card, Cards
from basra.entry import (
    card_alone,
    cards_meant,
    list_meant,
    moves_meant,
    number_meant,
    picked,
    picked_or_other,
    plain,
    printable,
)

FLOOR = "7H AC 8C TD 2D"
LEGAL = Position.setup("8S 8D JC KS/KH QC QD QS", FLOOR, rules="palestine-52").legal_moves()


def texts(text: str, legal: tuple[Move, ...] = LEGAL) -> list[str]:
    return [move.text for move in moves_meant(text, legal)]


@pytest.mark.parametrize("text", ["J", "j", " jc ", "J♣", "JC.", "jcx", "jc takes", "jc*"])
def test_a_card_alone_is_enough(text: str) -> None:
    """Where it can do one thing only."""
    assert texts(text) == ["JCxAC2D7H8CTD"]


@pytest.mark.parametrize(
    "text", ["8s", "8S", "8♠", "٨♠", "۸s", "8 s", "\u20678S\u2069", "\uff18\uff33"]
)
def test_all_that_a_card_can_do(text: str) -> None:
    """In any script."""
    assert texts(text) == ["8SxAC7H", "8SxAC7H8C", "8Sx8C"]


def test_a_rank_alone() -> None:
    """All cards of the rank."""
    both = [move.text for move in LEGAL if move.card.rank == "8"]
    assert texts("8") == both
    assert len(both) == 6


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("8sxac7h", ["8SxAC7H"]),
        ("8s x a 7", ["8SxAC7H"]),
        ("8s takes 7h, a", ["8SxAC7H"]),
        ("8s 17", ["8SxAC7H"]),
        ("8s+8", ["8Sx8C"]),
        ("8sx87a", ["8SxAC7H8C"]),
        ("8sxa", ["8SxAC7H", "8SxAC7H8C"]),  # in part: more than one is left
        ("8dx8c", ["8Dx8C"]),
        ("8x8c", ["8Dx8C", "8Sx8C"]),
        ("ks", ["KS"]),
        ("k-", ["KS"]),
        ("k trail", ["KS"]),
    ],
)
def test_what_it_takes(text: str, meant: list[str]) -> None:
    """With or without suits; exactly that, or what has it in it."""
    assert texts(text) == meant


@pytest.mark.parametrize("text", ["10", "t", "T", "10h", "th", "\u0661\u0660"])
def test_ten(text: str) -> None:
    """10 and T are the same."""
    legal = Position.setup("TH AD/KH QC", "2C").legal_moves()
    assert texts(text, legal) == ["TH"]
    assert texts("1", legal) == ["AD"]


def test_laid_down_where_it_could_take() -> None:
    """Rules that leave it open: the card alone is both, and `-` says which."""
    from basra import Rules

    rules = Rules.preset("classic").with_changes(must_capture="none")
    legal = Position.setup("5S 9D/KH QC", "5H 2C", rules=rules).legal_moves()
    assert texts("5", legal) == ["5S", "5Sx5H"]
    assert texts("5-", legal) == ["5S"]
    assert texts("5x5", legal) == ["5Sx5H"]


@pytest.mark.parametrize(
    "text", ["", " ", "x", "hello", "8z", "8s?", "#3", "back", "8s x z", "11s"]
)
def test_no_move(text: str) -> None:
    """Not to be read: said with the text and an example."""
    with pytest.raises((NotationError, IllegalMoveError)) as caught:
        moves_meant(text, LEGAL)
    assert caught.value.fix


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("8sx2d", "8SxAC7H"),
        ("9", "play 8D 8S JC KS"),
        ("js", "play 8D 8S JC KS"),
        ("8s-", "8SxAC7H"),
    ],
)
def test_no_legal_move(text: str, fix: str) -> None:
    """What can be played instead is named."""
    with pytest.raises(IllegalMoveError) as caught:
        moves_meant(text, LEGAL)
    assert fix in caught.value.fix


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), preset=st.sampled_from(["classic", "palestine-52", "egyptian"]))
def test_every_legal_move_can_be_typed(seed: int, preset: str) -> None:
    """By its text, with signs, in small letters; and a card alone is all of its moves."""
    position = Position.deal(preset, seed)
    for ply in range(seed % 40):
        position.play(position.legal_moves()[ply % len(position.legal_moves())])
    legal = position.legal_moves()
    signs = str.maketrans(SUITS, SUIT_SIGNS)
    for move in legal:
        same = [other for other in legal if other.card == move.card]
        for text in (move.text, move.text.lower(), move.text.translate(signs)):
            meant = moves_meant(text, legal)
            assert meant == ((move,) if move.captures else tuple(same))
        assert list(moves_meant(str(move.card), legal)) == same
        assert card_alone(move.text) == move.card


@settings(max_examples=300, deadline=None)
@given(text=st.text(max_size=12))
def test_any_text_is_read_or_refused(text: str) -> None:
    """With one of our errors, or legal moves."""
    try:
        meant = moves_meant(text, LEGAL)
    except BasraError:
        return
    assert meant
    assert set(meant) <= set(LEGAL)


def test_cards() -> None:
    """As a set, or in order; every script."""
    assert cards_meant("7d, 10h ٢♠") == Cards("2S 7D TH")
    assert list_meant("jd 7d") == [Card("JD"), Card("7D")]
    with pytest.raises(BasraError):
        cards_meant("7d 7d")
    with pytest.raises(BasraError):
        cards_meant("7")


def test_card_alone() -> None:
    """Only if the suit is there."""
    assert card_alone("8") is None
    assert card_alone("hello") is None
    assert card_alone("10h x 5") == Card("TH")


@pytest.mark.parametrize(
    ("text", "number"),
    [("1", 1), ("#3", 3), ("3.", 3), ("٣", 3), ("0", None), ("4", None), ("", None)],
)
def test_numbers_of_a_list(text: str, number: int | None) -> None:
    """From 1 to as many as there are."""
    assert number_meant(text, 3) == number


def test_plain() -> None:
    """No marks, no controls."""
    assert plain("\x1b[2J\u200f٤\t٢ ") == "[2J4 2"
    assert parse_move(plain("8SxAC")).text == "8SxAC"


def test_printable() -> None:
    """What a record can keep: signs that are written on letters stay."""
    assert printable(" a\x1b[2J\u200fb\n") == "a[2Jb"
    assert printable("م\u064eنى") == "م\u064eنى"


def test_an_answer_that_fits_several_cards_means_all_of_them() -> None:
    """Nothing is guessed: who asks again shows what is left."""
    eights = moves_meant("8", LEGAL)
    assert [move.text for move in picked("a7", eights)] == ["8DxAC7H", "8SxAC7H"]
    assert [move.text for move in picked("8d x a 7 8", eights)] == ["8DxAC7H8C"]
    assert [move.text for move in picked("2", eights)] == [eights[1].text]
    assert picked("kh", eights) == ()


def test_an_answer_that_is_a_move_of_its_own() -> None:
    """A card that some of the moves take, and that is in hand as well."""
    legal = Position.setup("7D 7C KS 2H/3H 3C 3D 3S", "KC 7H").legal_moves()
    sevens = moves_meant("7", legal)
    assert [move.text for move in picked_or_other("k", sevens, legal)] == ["7Dx7HKC", "KSxKC"]
    assert [move.text for move in picked_or_other("2", sevens, legal)] == [sevens[1].text]
    assert [move.text for move in picked_or_other("2h", sevens, legal)] == ["2H"]
