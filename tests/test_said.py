"""Texts that can be said again in another language, and errors made of them."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from basra import Card, Cards
from basra.cards import parse_cards
from basra.errors import CardError
from basra.language import ENGLISH, language
from basra.moves import find_move, parse_moves
from basra.said import Said, said
from helpers import latin

ARABIC = language("ar")
DEALT = "was dealt to seat 1 in deal 2"
DEALT_ARABIC = "وُزّعت على المقعد 1 في التوزيعة 2"


def dealt() -> Said:
    return said("was dealt to seat {seat} in deal {deal}", seat=1, deal=2)


def test_it_is_its_english_text() -> None:
    """For whoever compares, prints, joins or writes it."""
    text = dealt()
    assert text == DEALT
    assert hash(text) == hash(DEALT)
    assert f"{text}" == str(text) == DEALT
    assert json.dumps(text) == json.dumps(DEALT)
    assert type(text + "") is str
    assert repr(text) == repr(DEALT)


def test_it_is_said_in_each_language() -> None:
    assert ENGLISH.say(dealt()) == DEALT
    assert ARABIC.say(dealt()) == DEALT_ARABIC


def test_gaps_that_are_no_words_keep_their_order() -> None:
    """Cards, moves and names are isolated; numbers of things need not be."""
    assert ARABIC.say(said("it was dealt {cards}", cards=Cards("3C KH"))) == (
        "وُزّعت عليه \u20663C KH\u2069"
    )
    assert ARABIC.say(said("play {moves}", moves="8S, 8SxAC")) == "العب \u20668S, 8SxAC\u2069"
    assert "\u2066" not in ENGLISH.say(said("play {moves}", moves="8S, 8SxAC"))


def test_gaps_that_are_said_are_said_too() -> None:
    text = said("{message}, move {number} of the round", message=dealt(), number=5)
    assert text == f"{DEALT}, move 5 of the round"
    assert ARABIC.say(text) == f"{DEALT_ARABIC}، وهي اللعبة 5 في الجولة"


@pytest.mark.parametrize("text", ["", "no catalogue has {this}", "100 %", "{", "is not a card"])
def test_other_texts(text: str) -> None:
    """They are looked up whole, and stay as they are if there is nothing; "" is no message."""
    assert ENGLISH.say(text) == text
    assert ARABIC.say(text) == (text if text != "is not a card" else "ليست ورقة")


def test_what_is_typed_cannot_fill_gaps() -> None:
    """Braces in a gap are text."""
    text = said("play {moves}", moves="{0.__class__} {cards}")
    assert text == "play {0.__class__} {cards}"
    assert "{0.__class__} {cards}" in ARABIC.say(text)


def test_it_remembers_for_good() -> None:
    """Copied, sent to another process, and not changed by anybody."""
    text = said("{message}, move {number} of the round", message=dealt(), number=Card("5C"))
    for again in (copy.copy(text), copy.deepcopy(text), pickle.loads(pickle.dumps(text))):
        assert type(again) is Said
        assert (again, again.template, again.gaps) == (text, text.template, text.gaps)
        assert ARABIC.say(again) == ARABIC.say(text)
    with pytest.raises(TypeError):
        text.gaps["number"] = 6  # type: ignore[index]


def test_errors_are_said() -> None:
    """Wherever an error goes, its words can be said; its text and JSON are English."""
    with pytest.raises(CardError) as caught:
        parse_cards("hello")
    error = caught.value
    for found in (error, error.moved_to("hand"), pickle.loads(pickle.dumps(error))):
        assert str(found).endswith(
            "HELLO is not a card; write rank A 2 .. 9 T J Q K, then suit C D H S, such as 7D"
        )
        assert found.to_dict()["message"] == "is not a card"
        assert not latin(ARABIC.say(found.message) + ARABIC.say(found.fix))


def test_errors_list_moves() -> None:
    with pytest.raises(Exception, match="8Sx8C is not legal here; play 8SxAC7H, 8S") as caught:
        find_move(parse_moves("8SxAC7H 8S 9C"), "8Sx8C")
    fix = getattr(caught.value, "fix", "")
    assert ARABIC.say(fix) == "العب \u20668SxAC7H, 8S\u2069"
