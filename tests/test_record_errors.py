"""Texts and JSON that are no records: each error with its place."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import basra
from basra import Rules
from basra.record import (
    RecordError,
    Seat,
    parse_record,
    record_dict,
    record_of,
    record_text,
    write_record,
)
from record_helpers import GOLDEN, SMALL, small

START = SMALL.partition("deal 1\n")[0].replace("; Played at home.\n", "")
"""All that stands before the deal"""
ERRORS = [json.loads(line) for line in (GOLDEN / "errors.jsonl").read_text("utf-8").splitlines()]
"""Changes of that, or whole texts, and what is said of them: looked at one by one when added"""


@pytest.mark.parametrize("case", ERRORS, ids=lambda case: case["name"])
def test_errors_of_texts(case: dict[str, str]) -> None:
    """Field, value, what is wrong, line and column, and what to write."""
    text = case.get("text", START + case.get("append", ""))
    if "old" in case:
        assert START.count(case["old"]) == 1
        text = START.replace(case["old"], case["new"])
    with pytest.raises(RecordError) as caught:
        parse_record(text)
    error = caught.value
    assert str(error) == case["error"]
    assert f"(line {error.line}, column {error.column})" in error.message
    assert error.field
    assert error.fix
    # Wherever ends of lines and marks of order are others, the place is the same.
    if "\x00" not in text:
        with pytest.raises(RecordError) as again:
            parse_record("\ufeff" + text.replace("\n", "\r\n"))
        assert str(again.value) == str(error)


def _twin(change: Callable[[dict[str, Any], dict[str, Any], dict[str, Any]], object]) -> Any:
    """The JSON of the small record with a change of it, its round, or its second turn."""
    twin = record_dict(small())
    change(twin, twin["rounds"][0], twin["rounds"][0]["deals"][0]["turns"][1])
    return twin


def _set(**values: Any) -> Callable[..., object]:
    return lambda twin, now, turn: twin.update(values)


def _set_round(**values: Any) -> Callable[..., object]:
    return lambda twin, now, turn: now.update(values)


def _set_turn(**values: Any) -> Callable[..., object]:
    return lambda twin, now, turn: turn.update(values)


TURN = "rounds[0].deals[0].turns[1]"
JSON_ERRORS: list[tuple[Callable[..., object], str, str, str]] = [
    (lambda twin, now, turn: twin.pop("schema"), "schema", "", "is missing"),
    (_set(schema="basra.hint/1"), "schema", "basra.hint/1", "is not that of a record"),
    (_set(schema="basra.record/0"), "schema", "basra.record/0", "is not that of a record"),
    (_set(schema="basra.record/2"), "schema", "basra.record/2",
     "is a newer version of the format than 1, the one that is read here"),
    (_set(schema=1), "schema", "1", "is not a text"),
    (_set(roundz=[]), "roundz", "", "is not a field"),
    (lambda twin, now, turn: twin.pop("rules"), "rules", "", "is missing"),
    (_set(rules="clasic"), "rules", "clasic", "is not a preset"),
    (_set(rules={}), "rules.name", "", "is missing"),
    (_set(rules={"name": "house"}), "rules.name", "house", "is not a preset"),
    (_set(rules={"name": "classic", "hash": "0"}), "rules.hash", "0",
     "is not the hash of these rules"),
    (_set(rules={"name": "house", "parameters": 3}), "rules.parameters", "3", "is not an object"),
    (_set(rules={"name": "a b", "parameters": {"base": "classic"}}), "rules.name", '"a b"',
     "is not a name"),
    (_set(rules={"name": "house", "parameters": {"base": "classic", "target": -1}}),
     "rules.parameters.target", "-1", "must be 1 to 1,000,000 points"),
    (_set(rules={"name": "house", "parameters": {"target": 121}}), "rules.parameters.base", "",
     "is not a preset"),
    (_set(players=5), "players", "5", "is not a number of players"),
    (_set(players=True), "players", "True", "is not a whole number"),
    (_set(partners=1), "partners", "1", "is not true or false"),
    (_set(partners=True), "table", "2 in partnerships", "the rules do not allow this table"),
    (_set(seats=[{}]), "seats", "1", "is not the number of seats at this table"),
    (_set(seats={}), "seats", "", "is not a list"),
    (_set(seats=[{"nam": ""}, {}]), "seats[0].nam", "", "is not a field"),
    (_set(seats=[{}, {"name": 3}]), "seats[1].name", "3", "is not a text"),
    (_set(seats=[{}, {"player": "a\nb"}]), "seats[1].player", "U+000A",
     "cannot be in a text of a record"),
    (_set(tags=[]), "tags", "", "is not an object"),
    (_set(tags={"date": 3}), "tags.date", "3", "is not a text"),
    (_set(tags={"date": "\ud800"}), "tags.date", "U+D800", "cannot be in a text of a record"),
    (_set(tags={"Date": ""}), "tags", "Date", "cannot be the name of a tag"),
    (_set(tags={"round": ""}), "tags", "round", "cannot be the name of a tag"),
    (_set(scores=[1]), "scores", "1", "is not one number for each side"),
    (_set(scores=[1, "2"]), "scores[1]", "2", "is not a whole number"),
    (_set(carry=1.5), "carry", "1.5", "is not a whole number"),
    (_set(carry=10**40), "carry", "so large a number", "is too large"),
    (_set(seed=-1), "seed", "-1", "is not a seed"),
    (_set(first_round=0, rounds=[]), "first_round", "0", "is not a round"),
    (_set(resigned=3), "resigned", "3", "is not a side of this table"),
    (_set(comment="a\x07"), "comment", "U+0007", "cannot be in a text of a record"),
    (_set(comment=None), "comment", "None", "is not a text"),
    (_set(rounds={}), "rounds", "", "is not a list"),
    (_set(rounds=[3]), "rounds[0]", "3", "is not an object"),
    (_set_round(round=6), "rounds[0].round", "6", "is not the next round"),
    (_set_round(leader=3), "rounds[0].leader", "3", "is not a seat of this table"),
    (lambda twin, now, turn: now.pop("floor"), "rounds[0].floor", "", "is missing"),
    (_set_round(floor=["2H", "3C", "5S", "KX"]), "rounds[0].floor[3]", "KX", "is not a card"),
    (_set_round(floor=["2H", "3C 5S", "QD"]), "rounds[0].floor[1]", "3C 5S", "is not one card"),
    (_set_round(floor=["2H", "3C", "2H", "QD"]), "rounds[0].floor", "2H", "is named twice"),
    (_set_round(floor=[]), "rounds[0].floor", "-", "are not the 4 cards of a first floor"),
    (_set_round(floor="2H 3C 5S QD"), "rounds[0].floor", "2H 3C 5S QD", "is not a list"),
    (_set_round(stock=[]), "rounds[0].stock", "0", "is not the number of undealt cards, 40"),
    (_set_round(points=[1, 2, 3]), "rounds[0].points", "1:2:3", "is not one number for each side"),
    (_set_round(comment="a\x85b"), "rounds[0].comment", "U+0085",
     "cannot be in a text of a record"),
    (_set_round(deals=[{"hands": [[]]}]), "rounds[0].deals[0].hands", "1",
     "is not the number of hands of this table"),
    (_set_round(deals=[{}, {}]), "rounds[0].deals[1]", "2",
     "begins after 0 of the 8 moves of the deal before"),
    (_set_round(deals=[{}] * 7), "rounds[0].deals[6]", "7", "is a deal too many"),
    (_set_round(deals=[{"turns": [{"move": str(card)} for card in Rules.preset("classic").pack]}]),
     "rounds[0].deals[0].turns[8]", "3C", "is a move more than the 8 of a deal"),
    (lambda twin, now, turn: twin["rounds"].append(now | {"round": 6}), "rounds[1]", "6",
     "begins after 4 of the 48 moves of the round before"),
    (_set_turn(seat=2), f"{TURN}.seat", "2", "is not the seat to move"),
    (lambda twin, now, turn: turn.pop("move"), f"{TURN}.move", "", "is missing"),
    (_set_turn(move="5C takes 5S"), f"{TURN}.move", "TAKES", "is not a card"),
    (_set_turn(move="5Cx5Cx"), f"{TURN}.move", "5Cx5Cx", "is not a move"),
    (_set_turn(move="5Cx5C"), f"{TURN}.move", "5C", "cannot take itself"),
    (_set_turn(move="KS"), f"{TURN}.move", "KS", "was played before in this round"),
    (_set_turn(move=None), f"{TURN}.move", "None", "is not a text"),
    (_set_turn(comment="\x00"), f"{TURN}.comment", "U+0000", "cannot be in a text of a record"),
    (_set_turn(estimate=3), f"{TURN}.estimate", "3", "is not an object"),
    (_set_turn(estimate={}), f"{TURN}.estimate.value", "", "is missing"),
    (_set_turn(estimate={"value": "3"}), f"{TURN}.estimate.value", "3", "is not a number"),
    (_set_turn(estimate={"value": math.inf}), f"{TURN}.estimate.value", "inf",
     "is not a number of points"),
    (_set_turn(estimate={"value": math.nan}), f"{TURN}.estimate.value", "nan",
     "is not a number of points"),
    (_set_turn(estimate={"value": 10**400}), f"{TURN}.estimate.value", "so large a number",
     "is not a number of points"),
    (_set_turn(estimate={"value": 3, "stderr": -1}), f"{TURN}.estimate.stderr", "-1.0",
     "is not a standard error in points"),
    (_set_turn(estimate={"value": 3, "method": "a\tb"}), f"{TURN}.estimate.method", "U+0009",
     "cannot be in a text of a record"),
]  # fmt: skip


@pytest.mark.parametrize("case", JSON_ERRORS, ids=lambda case: f"{case[1]}: {case[3]}")
def test_errors_of_json(case: tuple[Callable[..., object], str, str, str]) -> None:
    """Path, value, and what is wrong; by the value and by its text."""
    change, field, value, message = case
    twin = _twin(change)
    with pytest.raises(RecordError) as caught:
        record_of(twin)
    error = caught.value
    assert (error.field, error.value, error.message) == (field, value, message)
    assert error.fix
    assert (error.line, error.column) == (0, 0)
    if "so large" not in value:
        with pytest.raises(RecordError) as again:
            parse_record(json.dumps(twin))
        assert str(again.value) == str(error)


@pytest.mark.parametrize("wrong", [None, 3, "classic", [], [{}]])
def test_json_that_is_no_object(wrong: Any) -> None:
    """Nothing else is a record."""
    with pytest.raises(RecordError, match="is not an object"):
        record_of(wrong)


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("{", "is not valid JSON: Expecting property name", (1, 2)),
        ('{\n "schema": "basra.record/1",,', "is not valid JSON: Expecting", (2, 29)),
        ('{"a":' * 100_000, "has too large a number, or too many lists", (0, 0)),
        (f'{{"seed": {"9" * 5000}}}', "has too large a number, or too many lists", (0, 0)),
        ('{"seed": 1, "b": 2, "seed": 1}', "stands twice in one object", (0, 0)),
    ],
    ids=["open", "comma", "deep", "digits", "twice"],
)
def test_text_that_is_no_json(text: str, message: str, place: tuple[int, int]) -> None:
    """With line and column where they are known."""
    with pytest.raises(RecordError) as caught:
        parse_record(text)
    assert caught.value.message.startswith(message)
    assert (caught.value.line, caught.value.column) == place
    assert caught.value.field == "record"
    assert caught.value.fix


def test_near_names_of_fields() -> None:
    """What was meant is said."""
    with pytest.raises(RecordError, match=r"did you mean rounds\?"):
        record_of(_twin(_set(roundz=[])))
    with pytest.raises(RecordError, match=r"fields are value, stderr, method$"):
        record_of(_twin(_set_turn(estimate={"value": 1, "": 1})))


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"players": 3}, "seats"),
        ({"seats": (Seat(),)}, "seats"),
        ({"seats": (Seat("a\n"), Seat())}, "seats[0].name"),
        ({"scores": (1, 10**10)}, "scores"),
        ({"tags": (("a", ""), ("a", ""))}, "tags.a"),
        ({"rules": replace(Rules.preset("classic"), name="a b", target=102)}, "rules"),
        ({"resigned": 2}, "resigned"),
        ({"comment": "\x1b[2J"}, "comment"),
    ],
)
def test_values_that_cannot_be_written(changes: dict[str, Any], field: str) -> None:
    """Text, JSON and files say so before anything is written."""
    record = replace(small(), **changes)
    for write in (record_text, record_dict, lambda wrong: write_record(wrong, "/no/folder")):
        with pytest.raises(RecordError) as caught:
            write(record)
        assert caught.value.field == field


def test_errors_are_values() -> None:
    """They can be pickled, and moved, place and all."""
    with pytest.raises(RecordError) as caught:
        parse_record("basra record 2")
    error = caught.value
    for copy in (pickle.loads(pickle.dumps(error)), error.moved_to("record")):
        assert str(copy) == str(error)
        assert (copy.line, copy.column) == (1, 14)
    assert isinstance(error, basra.NotationError)
