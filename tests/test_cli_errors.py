"""Bad input: refused with the field, the value and what to type instead; never a traceback."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from basra import Position, preset_names
from basra.cli import cli
from cli_helpers import (
    COMMANDS,
    JSON,
    MODULE,
    README,
    answer,
    call,
    check_hint,
    environment,
    in_process,
    strict_json,
)

HAND = ["--hand", "7D 5C KH 2S"]
FLOOR = ["--floor", "3C 2H 4C 4D"]
HINT = ["hint", *HAND, *FLOOR]
SOLVE = ["solve", "--hands", "5S 9D/KH QC", "--floor", "5H 2C"]
MANY = "AC AD AH AS 2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 4S 5C 5D 5H 5S 6C 6D"
VIEW = (
    "basra/1/rules=classic/table=2/knows=1/deal=2/hand=2S5C7DKH/hidden=4/stock=32/floor=2H3C5S"
    "/seen=-/untracked=9/buried=-/cards=level/points=0:0/last=unknown/carry=0/match=0:0/played=-"
)
POSITION = Position.deal("classic", 1).notation
# Words that a card player cannot be expected to know.
JARGON = ("float", "traceback", "exception", "NoneType", "codec", "Error(", "0x", "null")


class Refused(NamedTuple):
    """A call, and the field and value that its refusal must name."""

    words: list[str]
    field: str
    value: str


def refusal(words: list[str], code: int = 2) -> JSON:
    """The JSON error of a call that is refused, plain text checked along with it."""
    plain, found = call(*words), call(words[0], "--json", *words[1:])
    assert (plain.code, found.code) == (code, code), (plain, found)
    assert plain.out == found.out == ""
    assert found.err.endswith("\n")
    assert found.err.count("\n") == 1
    error = found.error
    assert set(error) == {"code", "field", "value", "message", "fix"}
    assert all(isinstance(value, str) for value in error.values())
    assert re.fullmatch(r"[a-z_]+", error["code"])
    check_text(plain.err, error)
    return error


def harmless(text: str) -> str:
    """As a terminal may see it: what it would obey is escaped."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def check_text(text: str, error: JSON) -> None:
    """One message that says all that the JSON says, fit for any terminal."""
    assert text.startswith("basra: ")
    assert text.count("basra: ") == 1
    assert error["message"]
    assert error["fix"]
    for part in ("value", "message", "fix"):
        assert harmless(error[part]) in text
    for word in JARGON:
        assert word not in text
    assert text.endswith("\n")
    assert len(text.splitlines()) == 2, "one line of what is wrong, one of what to type"
    assert text.replace("\n", "").isprintable()


# -- cards ---------------------------------------------------------------------------------------

CARDS = {
    "unknown": Refused(["hint", "--hand", "7D 5X", *FLOOR], "hand", "5X"),
    "half": Refused(["hint", "--hand", "7", *FLOOR], "hand", "7"),
    "unknown on the floor": Refused(["hint", *HAND, "--floor", "3C 1H"], "floor", "1H"),
    "unknown among seen": Refused([*HINT, "--seen", "0C"], "seen", "0C"),
    "unknown among buried": Refused([*HINT, "--buried", "JX"], "buried", "JX"),
    "unknown among played": Refused([*HINT, "--played", "5Zx3C"], "played", "5Z"),
    "other signs": Refused(["hint", "--hand", "7★", *FLOOR], "hand", "7★"),
    "wide digits": Refused(["hint", "--hand", "\uff17D", *FLOOR], "hand", "\uff17D"),
    "not a move": Refused([*HINT, "--played", "5Cxx"], "played", "5Cxx"),
    "two cards in one play": Refused([*HINT, "--played", "5C6Cx3C"], "played", "5C6Cx3C"),
    "twice in hand": Refused(["hint", "--hand", "7D 7D", *FLOOR], "hand", "7D"),
    "twice on the floor": Refused(["hint", *HAND, "--floor", "3C 3C"], "floor", "3C"),
    "twice seen": Refused([*HINT, "--seen", "9C 9C"], "seen", "9C"),
    "twice buried": Refused([*HINT, "--buried", "JC JC"], "buried", "JC"),
    "not in the pack": Refused([*HINT, "--rules", "palestine"], "hand", "KH"),
    "floor not in the pack": Refused(
        ["hint", "--hand", "7D", "--floor", "QC", "--rules", "palestine"], "floor", "QC"
    ),
    "seen not in the pack": Refused(
        ["hint", "--hand", "7D", "--floor", "3C", "--seen", "QC", "--rules", "palestine"],
        "seen",
        "QC",
    ),
    "no hand": Refused(["hint", *FLOOR], "hand", ""),
    "no floor": Refused(["hint", *HAND], "floor", ""),
    "empty hand": Refused(["hint", "--hand", "", *FLOOR], "hand", ""),
    "hand too large": Refused(["hint", "--hand", "7D 5C KH 2S 9S", *FLOOR], "hand", "9S"),
    "a card may be buried": Refused([*HINT, "--buried", "9C"], "buried", "9C"),
    "captures: no floor": Refused(["captures", "--card", "8S"], "floor", ""),
    "captures: no card": Refused(["captures", "--floor", "8S"], "card", ""),
    "captures: empty card": Refused(["captures", "--floor", "", "--card", ""], "card", ""),
    "captures: two cards": Refused(["captures", "--floor", "", "--card", "8S 9S"], "card", "8S 9S"),
    "captures: on the floor": Refused(["captures", "--floor", "8S", "--card", "8S"], "card", "8S"),
    "captures: twice": Refused(["captures", "--floor", "8S 8S", "--card", "9S"], "floor", "8S"),
    "captures: not in the pack": Refused(
        ["captures", "--floor", "", "--card", "KS", "--rules", "palestine"], "card", "KS"
    ),
    "solve: no hands": Refused(["solve", "--floor", ""], "hands", ""),
    "solve: one hand": Refused(["solve", "--hands", "KH QC", "--floor", ""], "hands", "KH QC"),
    "solve: empty hands": Refused(["solve", "--hands", "", "--floor", ""], "hands", ""),
    "solve: no floor": Refused(["solve", "--hands", "5S/6S"], "floor", ""),
    "solve: unknown": Refused(["solve", "--hands", "5S/6X", "--floor", ""], "hands", "6X"),
    "solve: unknown stock": Refused([*SOLVE, "--stock", "AC AX"], "stock", "AX"),
    "solve: not in the pack": Refused([*SOLVE, "--rules", "palestine"], "hands", "QC"),
    "solve: twice in stock": Refused([*SOLVE, "--stock", "AC AC"], "stock", "AC"),
}


@pytest.mark.parametrize("case", CARDS.values(), ids=CARDS)
def test_cards(case: Refused) -> None:
    """Unknown, doubled, missing, or of another pack."""
    # An empty value is shown as such or not at all.
    error = refusal(case.words)
    assert error["field"] == case.field
    assert case.value in error["value"]


PLACES = {
    "hand, floor": (["hint", *HAND, "--floor", "3C 7D"], "hand floor", "7D"),
    "hand, seen": ([*HINT, "--seen", "9C 7D"], "hand seen", "7D"),
    "floor, seen": ([*HINT, "--seen", "9C 3C"], "floor seen", "3C"),
    "hand, buried": (
        ["hint", "--hand", "JC 5C KH 2S", *FLOOR, "--deal", "1", "--buried", "JC"],
        "hand buried",
        "JC",
    ),
    "floor, buried": (
        ["hint", *HAND, "--floor", "3C 2H 4C JC", "--deal", "1", "--buried", "JC"],
        "floor buried",
        "JC",
    ),
    "seen, buried": (
        [*HINT, "--deal", "2", "--seat", "1", "--seen", "JC 9C", "--buried", "JC"],
        "seen buried",
        "JC",
    ),
    "hand, played": (
        ["hint", "--hand", "7D 5C", "--floor", "3C", "--played", "5C"],
        "hand played",
        "5C",
    ),
    "hand, taken": (
        ["hint", "--hand", "7D 5C KH", "--floor", "3C 2C 9D TD", "--played", "5Sx5C 3C"],
        "hand played",
        "5C",
    ),
    "floor, taken": (
        ["hint", "--hand", "7D", "--floor", "3C", "--played", "3Sx3C", "--seat", "2"],
        "floor played",
        "3C",
    ),
    "played twice": (
        ["hint", "--hand", "7D 5C", "--floor", "3C 4S", "--played", "9C 9C"],
        "played",
        "9C",
    ),
    "hands": (["solve", "--hands", "5S/5S", "--floor", ""], "hands", "5S"),
    "hands, floor": (["solve", "--hands", "5S/6S", "--floor", "6S"], "hands floor", "6S"),
    "hands, stock": (
        ["solve", "--hands", "5S/6S", "--floor", "", "--stock", "5S 2C"],
        "hands stock",
        "5S",
    ),
    "floor, stock": (
        ["solve", "--hands", "5S/6S", "--floor", "3C", "--stock", "3C 2C"],
        "floor stock",
        "3C",
    ),
    "card, floor": (["captures", "--floor", "5S 6S", "--card", "5S"], "card floor", "5S"),
}


@pytest.mark.parametrize(("words", "fields", "card"), PLACES.values(), ids=PLACES)
def test_a_card_in_two_places(words: list[str], fields: str, card: str) -> None:
    """Each pair of places; the error is about an option that names the card."""
    error = refusal(words)
    assert error["field"] in fields.split()
    assert card in error["value"]


# -- counts and contradictions -------------------------------------------------------------------

CONTRADICTIONS = {
    "cards do not add up": Refused([*HINT, "--cards", "12:9"], "cards", "12:9"),
    "one card captured": Refused([*HINT, "--cards", "1:7"], "cards", "1:7"),
    "cards negative": Refused([*HINT, "--cards=-2:10"], "cards", "-2"),
    "cards of one": Refused([*HINT, "--cards", "8"], "cards", "8"),
    "cards of three": Refused([*HINT, "--cards", "4:2:2"], "cards", "4:2:2"),
    "cards no numbers": Refused([*HINT, "--cards", "a:b"], "cards", "a:b"),
    "cards half": Refused([*HINT, "--cards", "8:"], "cards", "8:"),
    "cards empty": Refused([*HINT, "--cards", ""], "cards", ""),
    "cards huge": Refused([*HINT, "--cards", "9999999999999999999:0"], "cards", "99999"),
    "points of three": Refused([*HINT, "--points", "1:2:3"], "points", "1:2:3"),
    "points no number": Refused([*HINT, "--points", "x"], "points", "x"),
    "points huge": Refused([*HINT, "--points", "999999999:0"], "points", "999999999"),
    "match of three": Refused([*HINT, "--match", "1:2:3"], "match", "1:2:3"),
    "match half": Refused([*HINT, "--match", "61"], "match", "61"),
    "match no number": Refused([*HINT, "--match", "61-84"], "match", "61-84"),
    "match not whole": Refused([*HINT, "--match", "61.5:84"], "match", "61.5:84"),
    "match huge": Refused([*HINT, "--match", "1:99999999999"], "match", "99999999999"),
    "carry no number": Refused([*HINT, "--carry", "x"], "carry", "x"),
    "carry negative": Refused([*HINT, "--carry", "-5"], "carry", "-5"),
    "carry huge": Refused([*HINT, "--carry", "1" + "0" * 30], "carry", "1000"),
    "carry where ties are not": Refused(
        [*HINT, "--rules", "egyptian", "--carry", "30"], "carry", "30"
    ),
    "deal 0": Refused([*HINT, "--deal", "0"], "deal", "0"),
    "deal 7 of 6": Refused([*HINT, "--deal", "7"], "deal", "7"),
    "deal no number": Refused([*HINT, "--deal", "last"], "deal", "last"),
    "deal 1, small floor": Refused(
        ["hint", *HAND, "--floor", "3C 2H", "--deal", "1"], "floor", "2H 3C"
    ),
    "deal 1, cards seen": Refused([*HINT, "--deal", "1", "--seen", "9C 9D"], "seen", "9C 9D"),
    "deal 1, cards captured": Refused([*HINT, "--deal", "1", "--cards", "9:0"], "cards", "9:0"),
    "deal 1, somebody last": Refused([*HINT, "--deal", "1", "--last", "me"], "last", "me"),
    "deal 2, too many seen": Refused(
        [*HINT, "--deal", "2", "--seen", "9C 9D 9H 9S TC TD TH TS QC QD QH QS 8C"], "seen", "9C"
    ),
    "seat 0": Refused([*HINT, "--seat", "0"], "seat", "0"),
    "seat 3 of 2": Refused([*HINT, "--seat", "3"], "seat", "3"),
    "seat against played": Refused(
        ["hint", "--hand", "7D 5C", "--floor", "3C 9C 2C 4C", "--played", "9C", "--seat", "1"],
        "seat played",
        "",
    ),
    "played does not fit the hand": Refused(
        ["hint", *HAND, "--floor", "3C 9C 8C 2H", "--played", "9C 8C"], "played hand seat", ""
    ),
    "played does not fit the floor": Refused(
        ["hint", "--hand", "7D 5C KH 2S", "--floor", "3C 2H", "--seat", "2", "--played", "9C"],
        "played",
        "9C",
    ),
    "played takes what it cannot": Refused(
        ["hint", *HAND, "--floor", "3C 2H", "--seat", "2", "--played", "9Cx4C"], "played", "9Cx4C"
    ),
    "last unknown": Refused([*HINT, "--last", "you"], "last", "you"),
    "last of singles": Refused([*HINT, "--last", "+1"], "last", "+1"),
    "last of partners": Refused([*HINT, "--partners", "--last", "+2"], "last", "+2"),
    "last captured nothing": Refused(
        [*HINT, "--deal", "2", "--cards", "0:8", "--last", "me"], "last", "me"
    ),
    "players 1": Refused([*HINT, "--players", "1"], "players", "1"),
    "players 5": Refused([*HINT, "--players", "5"], "players", "5"),
    "players not allowed": Refused([*HINT, "--players", "4"], "players", "4"),
    "players no number": Refused([*HINT, "--players", "two"], "players", "two"),
    "partners of two": Refused([*HINT, "--partners", "--players", "2"], "players", "2"),
    "44 cards for three": Refused(
        ["hint", "--hand", "7D", "--floor", "3C", "--players", "3", "--rules", "palestine"],
        "players",
        "3",
    ),
    "solve: 44 cards for three": Refused(
        ["solve", "--hands", "5S/6S/7S", "--floor", "", "--rules", "palestine"], "hands", "5S/6S/7S"
    ),
    "perft: 44 cards for three": Refused(
        ["perft", "--players", "3", "--rules", "palestine"], "players", "3"
    ),
    "solve: cards do not add up": Refused([*SOLVE, "--cards", "12:8"], "cards", "12:8"),
    "solve: cards of three": Refused([*SOLVE, "--cards", "12:8:3"], "cards", "12:8:3"),
    "solve: cards no numbers": Refused([*SOLVE, "--cards", "12/8"], "cards", "12/8"),
    "solve: last unknown": Refused([*SOLVE, "--last", "her"], "last", "her"),
    "solve: last captured nothing": Refused(
        ["solve", "--hands", "5S/6S", "--floor", "3C", "--cards", "49:0", "--last", "them"],
        "last",
        "them",
    ),
    "solve: carry": Refused([*SOLVE, "--carry", "-1"], "carry", "-1"),
    "solve: one hand": Refused(["solve", "--hands", "5S 6S", "--floor", ""], "hands", "5S 6S"),
    "solve: no card in hand": Refused(["solve", "--hands", "/", "--floor", ""], "hands", "/"),
    "solve: empty hands": Refused(["solve", "--hands", "", "--floor", ""], "hands", ""),
    "solve: five hands": Refused(
        ["solve", "--hands", "5S/6S/7S/8S/9S", "--floor", ""], "hands", "5"
    ),
    "solve: uneven hands": Refused(
        ["solve", "--hands", "5S 6S 7S/8S", "--floor", ""], "hands", "5S 6S 7S/8S"
    ),
    "solve: partners of two": Refused([*SOLVE, "--partners"], "hands", "5S 9D/KH QC"),
    "solve: half a deal in stock": Refused([*SOLVE, "--stock", "AC"], "stock", "AC"),
}


@pytest.mark.parametrize("case", CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_contradictions(case: Refused) -> None:
    """Counts that do not add up, and options that do not fit each other."""
    error = refusal(case.words)
    assert error["field"] in case.field.split()
    assert case.value in error["value"]


# -- limits and other numbers --------------------------------------------------------------------

_BAD_TIMES = ("nan", "inf", "-inf", "-1", "0", "1e+300", "1e-300", "soon", "", "1,5")
_BAD_COUNTS = ("nan", "inf", "-1", "0", "1.5", "many", "", "9" * 30, "9" * 5000)

NUMBERS = {
    **{f"time {v}": Refused([*HINT, "--time", v], "time", v) for v in _BAD_TIMES},
    **{f"solve time {v}": Refused([*SOLVE, "--time", v], "time", v) for v in _BAD_TIMES},
    **{f"worlds {v[:30]}": Refused([*HINT, "--worlds", v], "worlds", v) for v in _BAD_COUNTS},
    **{f"nodes {v[:30]}": Refused([*HINT, "--nodes", v], "nodes", v) for v in _BAD_COUNTS},
    **{f"solve nodes {v[:30]}": Refused([*SOLVE, "--nodes", v], "nodes", v) for v in _BAD_COUNTS},
    **{f"threads {v[:30]}": Refused([*HINT, "--threads", v], "threads", v) for v in _BAD_COUNTS},
    **{
        f"seed {v[:30]}": Refused([*HINT, "--seed", v], "seed", v)
        for v in ("-1", "1.5", "nan", "", "x", str(2**64), "9" * 5000)
    },
    **{
        f"perft seed {v[:30]}": Refused(["perft", "--seed", v], "seed", v)
        for v in ("-1", "x", str(2**64))
    },
    **{
        f"depth {v[:30]}": Refused(["perft", "--depth", v], "depth", v)
        for v in ("-1", "53", "x", "", "9" * 30)
    },
    **{
        f"table {v[:30]}": Refused([*SOLVE, "--table", v], "table", v)
        for v in ("0", "-1", "99999", "x", "9" * 30)
    },
}


@pytest.mark.parametrize("case", NUMBERS.values(), ids=NUMBERS)
def test_numbers(case: Refused) -> None:
    """NaN, infinite, negative, zero, huge, or no number: the value is shown as it was typed."""
    error = refusal(case.words)
    assert error["field"] == case.field
    shown = error["value"].strip("'\"")
    # A long value may be cut short, but not rewritten.
    assert shown == case.value or (len(case.value) > 40 and case.value.startswith(shown[:30]))


@pytest.mark.parametrize("field", ["time", "worlds", "nodes", "threads", "seed", "deal", "carry"])
def test_numbers_say_what_to_type(field: str) -> None:
    """Not only where to read more."""
    error = refusal([*HINT, f"--{field}", "x"])
    assert "--help" not in error["fix"]


# -- rules ---------------------------------------------------------------------------------------

BROKEN = {
    "syntax": (b'base = "classic"\nhand_size = \n', "rules", ""),
    "no TOML": (b"hand size 5\n", "rules", ""),
    "not UTF-8": (b'base = "classic" # \xff\xfe\n', "rules", ""),
    "binary": (bytes(range(256)), "rules", ""),
    "empty": (b"", "base", ""),
    "no base": (b"hand_size = 5\n", "base", ""),
    "unknown base": (b'base = "klassic"\n', "base", "klassic"),
    "base no text": (b"base = 1\n", "base", "1"),
    "unknown key": (b'base = "classic"\nhandsize = 5\n', "handsize", "5"),
    "unknown section": (b'base = "classic"\n[x]\ny = 1\n', "x", "1"),
    "text for number": (b'base = "classic"\nhand_size = "5"\n', "hand_size", "5"),
    "fraction for number": (b'base = "classic"\nhand_size = 4.0\n', "hand_size", "4.0"),
    "truth for number": (b'base = "classic"\nmost_cards = true\n', "most_cards", "true"),
    "number for truth": (b'base = "classic"\nbasra_on_last = 1\n', "basra_on_last", "1"),
    "not a number": (b'base = "classic"\nmost_cards = nan\n', "most_cards", ""),
    "infinite": (b'base = "classic"\ntarget = inf\n', "target", ""),
    "date": (b'base = "classic"\nbury = 1979-05-27\n', "bury", "1979"),
    "list for choice": (b'base = "classic"\nchoice = ["any"]\n', "choice", "any"),
    "unknown choice": (b'base = "classic"\nchoice = "some"\n', "choice", "some"),
    "nested tables": (b'base = "classic"\ntables = [["2"]]\n', "tables", "2"),
    "no table": (b'base = "classic"\ntables = []\n', "tables", ""),
    "unknown table": (b'base = "classic"\ntables = ["2", "7"]\n', "tables", "7"),
    "jack among basras": (b'base = "classic"\nbasra_points = { J = 1 }\n', "basra_points", "J"),
    "unknown rank": (b'base = "classic"\nbasra_points = { Z = 1 }\n', "basra_points", "Z"),
    "basra points a fraction": (b'base = "classic"\nbasra_points = 1.5\n', "basra_points", "1.5"),
    "points no number": (b'base = "classic"\ncard_points = { A = "x" }\n', "card_points", "x"),
    "points a list": (b'base = "classic"\ncard_points = [1]\n', "card_points", "1"),
    "unknown card": (b'base = "classic"\ncard_points = { ZZ = 1 }\n', "card_points", "ZZ"),
    "deck": (b'base = "classic"\ndeck = 40\n', "deck", "40"),
    "hand of none": (b'base = "classic"\nhand_size = 0\n', "hand_size", "0"),
    "negative": (b'base = "classic"\nfloor_size = -1\n', "floor_size", "-1"),
    "huge": (b'base = "classic"\nmost_cards = 99999999999999999999\n', "most_cards", "99999"),
    "huge hand": (b'base = "classic"\nhand_size = 300\n', "hand_size", "300"),
    "thousands of digits": (b'base = "classic"\ntarget = 1' + b"0" * 5000 + b"\n", "", ""),
    "deeply nested": (b'base = "classic"\ntables = ' + b"[" * 9000 + b"\n", "rules", ""),
    "contradiction": (
        b'base = "classic"\nseven_diamonds = "plain"\nseven_basra = "total_ten"\n',
        "seven_basra",
        "total_ten",
    ),
    "stock runs out": (
        b'base = "classic"\nnot_on_first_floor = ["A","2","3","4","5","6","7","8","9","T","J","Q"]'
        b"\nfloor_size = 8\n",
        "not_on_first_floor",
        "",
    ),
    "uneven deals": (
        b'base = "classic"\nfloor_size = 5\n',
        "",
        "",
    ),
    "name": (b'base = "classic"\nname = "a b"\n', "name", "a b"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "field", "value"), BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("command", ["hint", "rules"])
def test_rule_files(command: str, text: bytes, field: str, value: str, tmp_path: Path) -> None:
    """Broken in every way: the parameter, its value, and how to write it."""
    file = tmp_path / "house.toml"
    file.write_bytes(text)
    error = refusal([*HINT, "--rules", str(file)] if command == "hint" else ["rules", str(file)])
    if field:
        assert error["field"] == field
    assert value in error["value"]


@pytest.mark.parametrize("text", [BROKEN["unknown key"][0], BROKEN["no base"][0]])
def test_rule_files_are_named(text: bytes, tmp_path: Path) -> None:
    """A parameter is no option: the message tells that it stands in the file."""
    file = tmp_path / "house.toml"
    file.write_bytes(text)
    told = call(*HINT, "--rules", str(file)).err
    assert not re.search(r"--(handsize|base|hand-size)", told)
    assert "house" in told


def test_byte_order_mark(tmp_path: Path) -> None:
    """Editors of one system write it: the file is read, or the mark is named."""
    file = tmp_path / "house.toml"
    file.write_bytes(b'\xef\xbb\xbfbase = "classic"\ntarget = 151\n')
    told = call("rules", str(file))
    assert told.code == 0 or "byte order mark" in told.err


def test_rule_files_that_cannot_be_read(tmp_path: Path) -> None:
    """Not there, a folder, a name that is too long, no preset and no file."""
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    long = str(tmp_path / ("x" * 5000 + ".toml"))
    names = (str(tmp_path / "none.toml"), str(folder), long, str(tmp_path), "house", "")
    for name in names:
        for words in ([*HINT, "--rules", name], ["rules", name], ["perft", "--rules", name]):
            error = refusal(words)
            assert error["field"] in ("rules", "name")
            assert name[:30] in error["value"]


def test_near_presets() -> None:
    """A slip of the finger is answered with the nearest name."""
    for wrong, right in (("clasic", "classic"), ("palestin", "palestine"), ("Classic", "classic")):
        error = refusal([*HINT, "--rules", wrong])
        assert (error["field"], error["value"]) == ("rules", wrong)
        assert f"did you mean {right}" in error["fix"]
    assert all(name in refusal(["rules", "zzz"])["fix"] for name in preset_names())


# -- positions -----------------------------------------------------------------------------------

POSITIONS = {
    "nonsense": ("hint", "foo", "position", "foo"),
    "empty": ("hint", "", "position", ""),
    "another version": ("hint", VIEW.replace("basra/1", "basra/2"), "position", "basra/2"),
    "unknown field": ("hint", VIEW + "/foo=1", "position", "foo=1"),
    "field twice": ("hint", VIEW + "/deal=2", "position", "deal"),
    "no value": ("hint", VIEW + "/deal", "position", "deal"),
    "cut short": ("hint", "basra/1/rules=classic", "position", "table"),
    "unknown rules": ("hint", VIEW.replace("=classic", "=foo"), "rules", "foo"),
    "unknown parameter": ("hint", VIEW.replace("=classic", "=classic+foo=1"), "foo", "1"),
    "bad parameter": ("hint", VIEW.replace("=classic", "=classic+choice=zz"), "choice", "zz"),
    "no parameter": ("hint", VIEW.replace("=classic", "=classic+foo"), "rules", "foo"),
    "table": ("hint", VIEW.replace("table=2", "table=9"), "table", "9"),
    "seat": ("hint", VIEW.replace("knows=1", "knows=9"), "knows seat", "9"),
    "deal": ("hint", VIEW.replace("deal=2", "deal=x"), "deal", "x"),
    "card": ("hint", VIEW.replace("hand=2S", "hand=2Z"), "hand", "2Z"),
    "card twice": ("hint", VIEW.replace("hand=2S", "hand=5C"), "hand", "5C"),
    "two places": ("hint", VIEW.replace("hand=2S", "hand=5S"), "hand floor", "5S"),
    "hidden": ("hint", VIEW.replace("hidden=4", "hidden=3"), "hidden", "3"),
    "stock": ("hint", VIEW.replace("stock=32", "stock=99"), "stock", "99"),
    "counts": ("hint", VIEW.replace("cards=level", "cards=3:3"), "cards", "3:3"),
    "last": ("hint", VIEW.replace("last=unknown", "last=zz"), "last", "zz"),
    "played": ("hint", VIEW.replace("played=-", "played=zz"), "played", "ZZ"),
    "points": ("hint", VIEW.replace("points=0:0", "points=0"), "points", "0"),
    "carry": ("hint", VIEW.replace("carry=0", "carry=" + "9" * 30), "carry", "999"),
    "too long": ("hint", VIEW + "/foo=" + "x" * 20000, "position", "basra"),
    "a view to solve": ("solve", VIEW, "position", "knows=1"),
    "a position to hint": ("hint", POSITION, "position", "knows=all"),
    "solve: nonsense": ("solve", "foo", "position", "foo"),
    "solve: turn": ("solve", POSITION.replace("turn=1", "turn=9"), "turn", "9"),
    "solve: round": ("solve", POSITION.replace("round=1", "round=0"), "round", "0"),
    "solve: seed": ("solve", POSITION.replace("seed=1", "seed=-1"), "seed", "-1"),
    "solve: hands": ("solve", re.sub("hands=[^:]*:", "hands=", POSITION), "hands", ""),
    "solve: piles": ("solve", POSITION.replace("piles=-:-", "piles=-"), "piles", "-"),
    "solve: counts": ("solve", POSITION.replace("cards=0:0", "cards=99:0"), "cards", "99"),
    "solve: last": ("solve", POSITION.replace("last=-", "last=7"), "last", "7"),
    "solve: stock": ("solve", re.sub("stock=..", "stock=ZZ", POSITION), "stock", "ZZ"),
    "solve: illegal move": ("solve", POSITION.replace("played=-", "played=2C"), "played", "2C"),
    "solve: nothing there": ("solve", "basra/1/rules=classic/table=2/knows=all", "hands", ""),
    "perft: nonsense": ("perft", "foo", "position", "foo"),
    "review: nonsense": ("review", "foo", "position", "foo"),
    "review: a view": ("review", VIEW, "position", "knows=1"),
    "review: nothing played": ("review", POSITION, "position", ""),
    "perft: a view": ("perft", VIEW, "position", "knows=1"),
}


@pytest.mark.parametrize(("command", "text", "fields", "value"), POSITIONS.values(), ids=POSITIONS)
def test_positions(command: str, text: str, fields: str, value: str) -> None:
    """The part that is wrong, and how to put it right."""
    error = refusal([command, "--position", text])
    assert error["field"] in fields.split()
    assert value in error["value"]


@pytest.mark.parametrize(
    ("command", "text", "other"),
    [("hint", VIEW, "solve"), ("solve", POSITION, "hint"), ("perft", POSITION, "hint")],
)
def test_wrong_kind_of_position(command: str, text: str, other: str) -> None:
    """A position given to the wrong command: the right one is named."""
    wrong = {VIEW: POSITION, POSITION: VIEW}[text]
    limit = [] if command == "perft" else ["--nodes", "9"]
    assert call(command, "--position", text, *limit).code == 0
    assert other == "hint" or command == "hint"
    assert other in refusal([command, "--position", wrong])["fix"]


BESIDES = {
    **{
        f"hint {name}": ("hint", VIEW, [f"--{name}", value], name)
        for name, value in {
            "hand": "7D", "floor": "", "seen": "", "buried": "", "cards": "4:4", "points": "0:0",
            "last": "me", "carry": "0", "match": "0:0", "deal": "2", "seat": "1", "played": "",
            "players": "2", "rules": "egyptian",
        }.items()
    },
    "hint partners": ("hint", VIEW, ["--partners"], "partners"),
    **{
        f"solve {name}": ("solve", POSITION, [f"--{name}", value], name)
        for name, value in {
            "hands": "5S/6S", "floor": "", "stock": "", "cards": "0:0", "last": "me", "carry": "0",
            "rules": "egyptian",
        }.items()
    },
    "solve partners": ("solve", POSITION, ["--partners"], "partners"),
    **{
        f"perft {name}": ("perft", POSITION, [f"--{name}", value], name)
        for name, value in {"seed": "1", "players": "2", "rules": "egyptian"}.items()
    },
    "perft partners": ("perft", POSITION, ["--partners"], "partners"),
}  # fmt: skip


@pytest.mark.parametrize(("command", "text", "words", "field"), BESIDES.values(), ids=BESIDES)
def test_position_with_other_options(command: str, text: str, words: list[str], field: str) -> None:
    """It stands in their place: each of them beside it is refused, none is dropped in silence."""
    error = refusal([command, "--position", text, *words])
    assert error["field"] in (field, "position")


# -- too many captures ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "case",
    [
        Refused(["captures", "--card", "TD"], "card", "TD"),
        Refused(["hint", "--hand", "TD"], "hand", "TD"),
        Refused(["solve", "--hands", "TD/TS"], "hands", "TD"),
    ],
    ids=["captures", "hint", "solve"],
)
def test_too_many_captures(case: Refused) -> None:
    """Refused with exit code 3, naming the card and the limit."""
    error = refusal([*case.words, "--floor", MANY, "--rules", "palestine"], 3)
    assert error["code"] == "too_large"
    assert error["field"] == case.field
    assert case.value in error["value"]
    assert "65,536" in error["message"]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc")
def test_too_many_captures_are_refused_soon() -> None:
    """Within a second and 256 MB, however many there are: here more than a thousand million.

    Not getrusage: what it tells starts with the memory of the process that started this one.
    """
    script = (
        "import re, sys, time; from basra.cli import run; began = time.monotonic()"
        "; code = run(sys.argv[1].split('|')); took = time.monotonic() - began"
        "; most = re.search(r'VmHWM:\\s*(\\d+) kB', open('/proc/self/status').read())[1]"
        "; print(code, took, most)"
    )
    floor = " ".join(r + s for r in "A23456789T" for s in "CDHS" if r + s != "TD")
    words = f"captures|--floor|{floor}|--card|TD|--rules|palestine"
    done = subprocess.run(
        [sys.executable, "-c", script, words],
        capture_output=True, text=True, env=environment(), check=True, timeout=60,
    )  # fmt: skip
    code, seconds, most = done.stdout.split()
    assert code == "3"
    assert float(seconds) < 1
    assert int(most) < 256 << 10


# -- the command line itself ---------------------------------------------------------------------


def test_unknown_command() -> None:
    """Named, with the commands there are."""
    error = refusal(["hnt"])
    assert "hnt" in error["value"] + error["message"]
    assert "hint" in error["fix"]


@pytest.mark.parametrize("command", COMMANDS)
def test_unknown_option(command: str) -> None:
    """Named as typed."""
    error = refusal([command, "--nonsense"])
    assert error["field"] == "nonsense"
    assert error["value"] == ""
    assert f"basra {command} --help" in error["fix"] or "did you mean" in error["fix"]
    assert call(command, "--nonsense", "--json").error["value"] == "", "--json is not its value"
    short = refusal([command, "-z"])
    assert "z" in short["field"]


def test_near_option() -> None:
    """The nearest one is named."""
    assert "--hand" in refusal(["hint", "--hnad", "7D"])["fix"]


@pytest.mark.parametrize("command", COMMANDS)
def test_stray_words(command: str) -> None:
    """Cards without quotes are the likely slip: the word is named, and quotes are the remedy."""
    words = ["rules", "classic"] if command == "rules" else [command]
    error = refusal([*words, "5C", "KH"] if command == "rules" else [*words, "5C"])
    assert "5C" in error["value"] + error["message"]


def test_cards_without_quotes() -> None:
    """`--hand 7D 5C`: the message must bring the player to quotes."""
    error = refusal(["hint", "--hand", "7D", "5C", "--floor", ""])
    assert "5C" in error["value"] + error["message"]
    assert '"' in error["fix"] or "quote" in error["fix"]


@pytest.mark.parametrize("option", ["hand", "time", "position", "rules", "worlds"])
def test_missing_value(option: str) -> None:
    """The option is named once, the help is that of the command."""
    error = refusal(["hint", f"--{option}"])
    if error["field"] != option:  # --json was taken for the value
        error = call("hint", "--json", f"--{option}").error
    assert error["field"] == option
    told = call("hint", f"--{option}").err
    assert told.splitlines()[0].count(f"--{option}") == 1
    assert f"write --{option} and then its value" in told


def test_value_for_a_flag() -> None:
    """`--partners=yes`"""
    error = refusal([*HINT, "--partners=yes"])
    assert error["field"] == "partners"


def test_method() -> None:
    """Known ones are listed."""
    error = refusal([*HINT, "--method", "magic"])
    assert (error["field"], error["value"]) == ("method", "magic")
    assert "worlds" in error["fix"]


@pytest.mark.parametrize(
    "text", ["a\nb", "a\x1b[31mb", "a\rb", "a\u202eb", "\x7f", "\udcff\udcfe", "é", "🂡"]
)
@pytest.mark.parametrize(
    "option",
    ["hand", "seen", "cards", "last", "method", "rules", "time", "deal", "played", "match"],
)
def test_strange_text(option: str, text: str) -> None:
    """Shown so that it can do no harm on a terminal, and in one line."""
    words = ["hint", "--hand", "7D", "--floor", "3C"]
    error = refusal([*words, f"--{option}", text])
    assert error["field"] == option


def test_bytes_that_are_no_text() -> None:
    """Arguments that the locale cannot decode, end to end."""
    for extra in ([], [b"--json"]):
        done = subprocess.run(
            [*map(os.fsencode, MODULE), b"hint", b"--hand", b"\xff\xfe", b"--floor", b"", *extra],
            capture_output=True,
            env=environment(),
            check=False,
        )
        assert (done.returncode, done.stdout) == (2, b"")
        assert b"Traceback" not in done.stderr
        done.stderr.decode("utf-8")


# -- end to end ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (README, 0),
        ([*README, "--worlds", "3", "--json"], 0),
        (["hint", "--hand", "7X", "--floor", ""], 2),
        (["hint", "--hand", "7X", "--floor", "", "--json"], 2),
        (["captures", "--floor", MANY, "--card", "TD", "--rules", "palestine"], 3),
        (["nonsense"], 2),
        (["hint", "--nonsense"], 2),
        (["rules", "nonsense"], 2),
    ],
)
def test_exit_codes(words: list[str], code: int) -> None:
    """As the shell sees them."""
    done = in_process(*words)
    assert done.code == code
    assert (done.out == "") == (code != 0)
    assert (done.err == "") == (code == 0)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device here")
@pytest.mark.parametrize("json", [False, True])
def test_full_disk(json: bool) -> None:
    """Output that cannot be written is told in a line, with exit code 1."""
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "basra", *README, *(["--json"] if json else [])],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
            check=False,
        )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("{" if json else "basra: ")


# -- fuzz ----------------------------------------------------------------------------------------

_WORDS = [
    "", " ", "-", "--", "7D", "7d 5c", "10H", "7D,5C", "7♦", "XX", "5S/6S", "5S 9D / KH QC", "/",
    "0", "1", "2", "3", "-1", "1e9", "nan", "inf", "12:8", "0:0", "1:2:3", ":", "me", "them", "+1",
    "none", "unknown", "classic", "palestine", "palestine-52", "x.toml", ".", "..", "5Dx2C3H", "x",
    "*", "8S*", "worlds", VIEW, POSITION, VIEW[:60], "9" * 40, "\uff11", "\u202e", "\udcff", "=",
]  # fmt: skip
_CARDS = st.lists(
    st.sampled_from([r + s for r in "A23456789TJQK" for s in "CDHS"]), max_size=9
).map(" ".join)
_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
_PIECES = st.sampled_from(["", "/", "=", ":", "-", "+", "9", "ZZ"])
_TOML = [
    *("", "0", "-1", "1", "7", "255", "256", "1e3", "nan", "true", '""', '"x"', "[]", "{}", "[[]]"),
    *('["J"]', '["7D", "x"]', '["2"]', "{ A = 1 }", "{ A = 1, A = 2 }", "{ J = 2 }"),
]
_VALUES = st.one_of(st.sampled_from(_WORDS), _CARDS, _TEXT, st.integers(-3, 60).map(str))
_NAMES = {
    "hint": (
        "hand floor seen buried cards points last carry match deal seat played players position "
        "rules worlds nodes seed method model trust lang deck"
    ),
    "solve": "hands floor stock cards last carry position rules",
    "review": "position seat html worlds seed method model trust lang deck",
    "captures": "floor card rules",
    "perft": "seed players position rules",
}


@st.composite
def calls(draw: st.DrawFn) -> list[str]:
    """A command with values of all sorts, cheap whatever they are."""
    command = draw(st.sampled_from(sorted(_NAMES)))
    names = st.sampled_from(_NAMES[command].split())
    given_options = draw(st.dictionaries(names, _VALUES, max_size=6))
    if command == "hint" and draw(st.booleans()):
        given_options = {"hand": "7D 5C KH 2S", "floor": "3C 2H 5S 9C", **given_options}
    if command == "solve" and draw(st.booleans()):
        given_options = {"hands": "5S 9D/KH QC", "floor": "5H 2C", **given_options}
    words = [command]
    for name, value in given_options.items():
        words += draw(st.sampled_from([[f"--{name}", value], [f"--{name}={value}"]]))
    if command not in ("captures", "review") and draw(st.integers(0, 4)) == 0:
        words.append("--partners")
    if draw(st.integers(0, 9)) == 0:
        words.append(draw(_VALUES))
    words += ["--time", "0.01"] if command in ("hint", "solve", "review") else []
    return [*words, *(["--depth", "1"] if command == "perft" else []), "--json"]


@settings(max_examples=600)
@given(calls())
def test_any_values(words: list[str]) -> None:
    """Answered or refused: never a traceback, never half of each."""
    found = call(*words)
    assert found.code in (0, 2, 3)
    if found.code:
        assert found.out == ""
        error = found.error
        assert error["message"]
        assert error["fix"]
    elif "--help" not in words and "-h" not in words:
        assert found.err == ""
        if words[0] == "hint":
            check_hint(found.json)
        else:
            strict_json(found.out)


@settings(max_examples=150)
@given(st.sampled_from([VIEW, POSITION]), st.data())
def test_any_damaged_position(text: str, data: st.DataObject) -> None:
    """A piece of a position cut out, doubled or replaced."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 12)))
    put = data.draw(st.one_of(_PIECES, _TEXT))
    damaged = text[:start] + put + text[end:]
    command, other = ("hint", "--worlds") if text == VIEW else ("solve", "--nodes")
    found = call(command, f"--position={damaged}", other, "2", "--time", "0.05", "--json")
    assert found.code in (0, 2, 3)
    assert (found.out == "") == (found.code != 0)


@settings(max_examples=150)
@given(data=st.data())
def test_any_rule_file(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """A printed rule file with values exchanged."""
    lines = call("rules", data.draw(st.sampled_from(preset_names()))).out.splitlines()
    at = data.draw(st.integers(0, len(lines) - 1))
    lines[at] = f"{lines[at].partition('=')[0]}= {data.draw(st.sampled_from(_TOML))}"
    file = tmp_path_factory.getbasetemp() / "any.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    words = ["hint", "--hand", "7D 5C", "--floor", "3C", "--rules", str(file), "--nodes", "1"]
    found = call(*words, "--json")
    assert found.code in (0, 2, 3)
    if found.code:
        assert found.error["fix"]
    else:
        check_hint(found.json)


def test_fuzzed_options_are_all_options() -> None:
    """Those left out are flags and limits that keep a call short."""
    context = cli.make_context("basra", ["rules"])
    for command, names in _NAMES.items():
        found = cli.get_command(context, command)
        assert found is not None
        left = {p.opts[0].removeprefix("--") for p in found.params} - set(names.split())
        # Those of --batch have tests of their own.
        left -= {"batch", "output", "resume", "moves", "line"}
        # And so has a file with a record.
        left -= {"file", "quiz"}
        assert left <= {"time", "threads", "json", "partners", "table", "depth", "nodes"}
    assert answer(*README, "--worlds", "1")["worlds"] == 1
