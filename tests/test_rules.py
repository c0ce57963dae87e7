"""Rule sets: files and back, every contradiction by name, known tables, hashes."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import oracle
from basra import Cards, Position, Rules, RulesError, captures, preset_names
from helpers import PRESETS, RuleChange, both, rule_changes

# -- presets -------------------------------------------------------------------------------------


def test_names() -> None:
    """The presets of the rules, in their order."""
    assert preset_names() == PRESETS


@pytest.mark.parametrize("name", PRESETS)
def test_presets_against_oracle(name: str) -> None:
    """Every parameter, against a second copy of the table."""
    ours, theirs = Rules.preset(name), oracle.PRESETS[name]
    for key in (
        "deck",
        "hand_size",
        "floor_size",
        "bury",
        "choice",
        "must_capture",
        "seven_diamonds",
        "seven_basra",
        "jack_basra",
        "basra_points",
        "basra_on_last",
        "most_cards",
        "most_cards_tie",
        "target",
    ):
        assert getattr(ours, key) == getattr(theirs, key), key
    assert set(ours.tables) == theirs.tables
    assert {card.index for card in ours.not_on_first_floor} == theirs.not_on_first_floor
    assert dict(ours.card_points) == dict(theirs.card_points)
    assert ours.name == name
    assert {card.index for card in ours.pack} == set(oracle.pack(theirs))


# -- rule files ----------------------------------------------------------------------------------


def check_file(rules: Rules) -> None:
    """To a file and back: equal, same hash, same name; and the file is stable."""
    text = rules.to_toml()
    again = Rules.from_toml(text, "other")
    assert again == rules
    assert again.hash == rules.hash
    assert again.name == rules.name
    assert again.to_toml() == text
    assert again.to_dict() == rules.to_dict()


@pytest.mark.parametrize("name", PRESETS)
def test_preset_files(name: str) -> None:
    """What `to_toml` prints is a file to start from."""
    check_file(Rules.preset(name))
    assert f'base = "{name}"' in Rules.preset(name).to_toml()


@settings(max_examples=200)
@given(rule_changes())
def test_files_of_any_rules(change: RuleChange) -> None:
    """Whatever is changed is written and read again."""
    rules = change.pair.ours
    check_file(rules)
    base, changes = rules.changes()
    assert Rules.preset(base).with_changes(**changes) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert hash(pickle.loads(pickle.dumps(rules))) == hash(rules)


def test_a_file(tmp_path: Path) -> None:
    """A file by its path; its name is the file's unless it says another."""
    path = tmp_path / "house.toml"
    path.write_text('base = "classic"\ntarget = 151\n', encoding="utf-8")
    rules = Rules.load(path)
    assert (rules.name, rules.target) == ("house", 151)
    assert rules == Rules.preset("classic").with_changes(target=151)
    path.write_text('base = "classic"\nname = "mine"\n', encoding="utf-8")
    assert Rules.load(str(path)).name == "mine"
    assert Rules.load(str(path)) == Rules.preset("classic")
    assert Rules.load("egyptian") is Rules.load(Rules.load("egyptian"))


def test_card_points_override_their_rank() -> None:
    """Single cards before ranks, however they are listed."""
    one = Rules.from_toml('base = "classic"\ncard_points = { 2C = 5, 2 = 1, 10 = 2, TD = 0 }')
    two = Rules.from_toml('base = "classic"\ncard_points = { TD = 0, T = 2, 2 = 1, 2C = 5 }')
    assert one == two
    worth = {
        text: captures(text, "JS", one).captures[0].points
        for text in ("2C", "2S", "TD", "TS", "AS")
    }
    assert worth == {"2C": 5, "2S": 1, "TD": 0, "TS": 2, "AS": 0}


# -- contradictions ------------------------------------------------------------------------------

FAULTS: list[tuple[str, dict[str, Any], str, str]] = [
    # preset, changes, field, value
    ("classic", {"deck": 40}, "deck", "40"),
    ("classic", {"deck": 256 + 52}, "deck", "308"),
    ("classic", {"deck": -52}, "deck", "-52"),
    ("classic", {"hand_size": 0}, "hand_size", "0"),
    ("classic", {"hand_size": 27}, "hand_size", "27"),
    ("classic", {"hand_size": -1}, "hand_size", "-1"),
    ("classic", {"hand_size": "4"}, "hand_size", '"4"'),
    ("classic", {"hand_size": True}, "hand_size", "true"),
    ("classic", {"floor_size": 51}, "floor_size", "51"),
    ("classic", {"floor_size": -4}, "floor_size", "-4"),
    ("classic", {"tables": []}, "tables", "[]"),
    ("classic", {"tables": ["5"]}, "tables", '"5"'),
    ("classic", {"tables": 3}, "tables", "3"),
    ("classic", {"floor_size": 5, "tables": ["2", "4"]}, "tables", '["2", "4"]'),
    ("palestine", {"not_on_first_floor": ["Q"]}, "not_on_first_floor", '["Q"]'),
    ("classic", {"not_on_first_floor": ["X"]}, "not_on_first_floor", '"X"'),
    ("classic", {"not_on_first_floor": 7}, "not_on_first_floor", "7"),
    (
        "classic",
        {"hand_size": 24, "tables": ["2"]},
        "not_on_first_floor",
        '["7D", "J"]',
    ),
    ("classic", {"bury": "top"}, "bury", '"top"'),
    ("classic", {"choice": "all"}, "choice", '"all"'),
    ("classic", {"must_capture": True}, "must_capture", "true"),
    ("classic", {"seven_diamonds": "joker"}, "seven_diamonds", '"joker"'),
    ("classic", {"seven_basra": "any"}, "seven_basra", '"any"'),
    ("palestine", {"seven_basra": "total_ten"}, "seven_basra", '"total_ten"'),
    ("palestine", {"seven_diamonds": "wild"}, "seven_basra", '"none"'),
    ("classic", {"seven_basra": "none"}, "seven_basra", '"none"'),
    ("classic", {"jack_basra": -1}, "jack_basra", "-1"),
    ("classic", {"jack_basra": 1001}, "jack_basra", "1001"),
    ("classic", {"jack_basra": 1 << 32}, "jack_basra", str(1 << 32)),
    ("classic", {"basra_points": -1}, "basra_points", "-1"),
    ("classic", {"basra_points": 1001}, "basra_points", "1001"),
    ("classic", {"basra_points": "triple"}, "basra_points", '"triple"'),
    ("classic", {"basra_points": {"A": 1001}}, "basra_points", '{"A": 1001}'),
    ("classic", {"basra_points": {"J": 5}}, "basra_points", '{"J": 5}'),
    ("classic", {"basra_points": {"7D": 5}}, "basra_points", '"7D"'),
    ("classic", {"basra_points": {"A": 1.5}}, "basra_points", '{"A": 1.5}'),
    ("palestine", {"basra_points": {"Q": 5}}, "basra_points", '{"Q": 5}'),
    ("classic", {"basra_on_last": 1}, "basra_on_last", "1"),
    ("classic", {"card_points": {"A": 1001}}, "card_points", '{"A": 1001}'),
    ("classic", {"card_points": {"A": -1001}}, "card_points", '{"A": -1001}'),
    ("classic", {"card_points": {"1": 1}}, "card_points", '"1"'),
    ("classic", {"card_points": 5}, "card_points", "5"),
    ("palestine", {"card_points": {"KD": 1}}, "card_points", '{"KD": 1}'),
    ("classic", {"most_cards": -1}, "most_cards", "-1"),
    ("classic", {"most_cards": 1001}, "most_cards", "1001"),
    ("classic", {"most_cards_tie": "half"}, "most_cards_tie", '"half"'),
    ("classic", {"target": 0}, "target", "0"),
    ("classic", {"target": 1_000_001}, "target", "1000001"),
    ("classic", {"target": 101.0}, "target", "101.0"),
    ("classic", {"targt": 101}, "targt", "101"),
    ("classic", {"name": "mine"}, "name", '"mine"'),
]


@pytest.mark.parametrize("case", FAULTS, ids=[f"{i}-{case[2]}" for i, case in enumerate(FAULTS)])
def test_contradictions(case: tuple[str, dict[str, Any], str, str]) -> None:
    """Each names its parameter, the value as it was written, and a remedy."""
    preset, changes, field, value = case
    with pytest.raises(RulesError) as caught:
        Rules.preset(preset).with_changes(**changes)
    assert (caught.value.field, caught.value.value) == (field, value)
    assert caught.value.message
    assert caught.value.fix


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("target = ", "rules", "house"),
        ("target = 101", "base", ""),
        ('base = "klassik"', "base", '"klassik"'),
        ('base = "classic"\nname = "a/b"', "name", '"a/b"'),
        ('base = "classic"\nname = 5', "name", "5"),
        ('base = "classic"\nhandsize = 4', "handsize", "4"),
    ],
)
def test_files_that_cannot_be_read(text: str, field: str, value: str) -> None:
    """Not TOML, no base, no name, no such parameter."""
    with pytest.raises(RulesError) as caught:
        Rules.from_toml(text, "house")
    assert (caught.value.field, caught.value.value) == (field, value)
    assert caught.value.fix


def test_near_names_are_offered() -> None:
    """For presets and for parameters."""
    with pytest.raises(RulesError) as caught:
        Rules.load("clasic")
    assert "did you mean classic?" in caught.value.fix
    with pytest.raises(RulesError) as caught:
        Rules.preset("classic").with_changes(hand_sise=4)
    assert "did you mean hand_size?" in caught.value.fix


def test_missing_files(tmp_path: Path) -> None:
    """A path that is not there, a folder, a pipe, a device, no text, and too much."""
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    pipe, device = tmp_path / "pipe.toml", tmp_path / "device.toml"
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    long = tmp_path / "long.toml"
    long.write_text('base = "classic"\n#' + "-" * 100_000, encoding="utf-8")
    for path in (tmp_path / "none.toml", binary, folder, pipe, device, long, "\0.toml"):
        with pytest.raises(RulesError) as caught:
            Rules.load(path)
        assert caught.value.field == "rules"
        assert caught.value.value == str(path)


# -- known tables --------------------------------------------------------------------------------

LEBANON = """
base = "classic"
name = "lebanon"
hand_size = 6
seven_diamonds = "plain"
not_on_first_floor = ["J"]
"""

JAWAKER = """
base = "classic"
name = "jawaker"
target = 121
"""

CYPRUS = """
base = "classic"
name = "cyprus"
tables = ["2", "3", "4", "partners"]
seven_diamonds = "plain"
not_on_first_floor = ["J"]
basra_points = 100
jack_basra = 100
most_cards = 3
most_cards_tie = "nobody"
"""

LIBYA = """
base = "palestine"
name = "libya"
basra_points = { A = 1, 2 = 2, 3 = 3, 4 = 4, 5 = 5, 6 = 6, 7 = 7, 8 = 8, 9 = 9, T = 10 }
jack_basra = 11
"""


def test_lebanon() -> None:
    """Hands of six, and 7D like any other seven."""
    rules = Rules.from_toml(LEBANON)
    assert rules.deal_sizes(2) == [6, 6, 6, 6]
    assert rules.deal_sizes(3) == [6, 6, 4]
    assert rules.seven_basra == "none"
    assert captures("5C KD", "7D", rules).trail
    check_file(rules)


def test_jawaker() -> None:
    """Classic up to 121."""
    rules = Rules.from_toml(JAWAKER)
    assert rules.changes() == ("classic", {"target": 121})
    assert rules.data.winner([110, 90]) == -1
    assert rules.data.winner([121, 90]) == 0


def test_cyprus() -> None:
    """A hundred for a basra, three for most cards."""
    rules = Rules.from_toml(CYPRUS)
    assert captures("5C", "5S", rules).captures[0].basra == 100
    assert captures("JC", "JS", rules).captures[0].basra == 100
    assert rules.data.majority([27, 25], 0) == ([3, 0], 0)
    check_file(rules)


def test_libya() -> None:
    """44 cards, a value for each rank."""
    rules = Rules.from_toml(LIBYA)
    assert rules.deck == len(rules.pack) == 44
    assert captures("9C", "9S", rules).captures[0].basra == 9
    assert captures("JC", "JS", rules).captures[0].basra == 11
    assert captures("4C 5C", "9S", rules).captures[0].basra == 9
    check_file(rules)


# -- tables and deals ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize(
    ("players", "partners"),
    [(1, False), (2, False), (2, True), (3, False), (3, True), (4, False), (4, True), (5, False)],
)
@pytest.mark.parametrize("inline", [{}, {"floor_size": 0}, {"hand_size": 7}])
def test_tables_against_oracle(
    name: str, players: int, partners: bool, inline: dict[str, int]
) -> None:
    """Allowed where the oracle allows it; deal sizes are its own."""
    pair = both(name, **inline)
    allowed = players in (2, 3, 4) and oracle.table_error(pair.theirs, players, partners) is None
    if allowed:
        pair.ours.check_table(players, partners)
        assert pair.ours.deal_sizes(players) == oracle.deal_sizes(pair.theirs, players)
        position = Position.deal(pair.ours, 1, players=players, partners=partners)
        assert len(position.hands) == players
        return
    with pytest.raises(RulesError) as caught:
        pair.ours.check_table(players, partners)
    assert caught.value.field in ("players", "not_on_first_floor")
    with pytest.raises(RulesError):
        Position.deal(pair.ours, 1, players=players, partners=partners)


def test_a_stock_that_could_run_out() -> None:
    """Tables are refused one by one: with three players nothing is left to replace jacks from."""
    rules = Rules.preset("classic").with_changes(hand_size=16, tables=["2", "3"])
    rules.check_table(2, False)
    with pytest.raises(RulesError) as caught:
        rules.check_table(3, False)
    assert caught.value.field == "not_on_first_floor"


# -- hashes --------------------------------------------------------------------------------------

GOLDEN: dict[str, str] = {
    "classic": "9cadb2aaf588",
    "egyptian": "2566559f1389",
    "palestine": "140fb1932d2c",
    "palestine-52": "7dd31780c398",
    "egyptian-v2": "63c27a501635",
}
"""Twelve digits that records are filed under: they change only with the parameters."""

OTHER: dict[str, Any] = {
    "deck": 44,
    "tables": ["2"],
    "hand_size": 6,
    "floor_size": 0,
    "not_on_first_floor": ["J"],
    "bury": "bottom",
    "choice": "any",
    "must_capture": "hand",
    "seven_diamonds": "wild",
    "seven_basra": "equal_groups",
    "jack_basra": 10,
    "basra_points": "double",
    "basra_on_last": False,
    "card_points": {"A": 1},
    "most_cards": 3,
    "most_cards_tie": "nobody",
    "target": 151,
}


def test_golden_hashes() -> None:
    """The same for ever."""
    assert {name: Rules.preset(name).hash for name in PRESETS} == GOLDEN


def test_hashes_differ() -> None:
    """Whatever parameter differs; the name is none."""
    classic = Rules.preset("classic")
    assert set(OTHER) == set(classic.to_dict())
    changed = [classic.with_changes(**{key: value}) for key, value in OTHER.items()]
    assert len({classic.hash, *(rules.hash for rules in changed)}) == len(OTHER) + 1
    assert len({classic, *changed}) == len(OTHER) + 1
    renamed = Rules.from_toml('base = "classic"\nname = "renamed"')
    assert renamed.hash == classic.hash
    assert renamed == classic


def test_hash_of_equal_rules_written_differently() -> None:
    """Order, and words for the same cards, do not matter."""
    classic = Rules.preset("classic")
    same = classic.with_changes(
        tables=["partners", 3, "2"],
        not_on_first_floor="7d JS JH JD JC",
        card_points={"TD": 3, "J": 1, "2C": 2, "AC": 1, "AD": 1, "AH": 1, "AS": 1},
    )
    assert same == classic
    assert same.hash == classic.hash
    assert same.not_on_first_floor == Cards("7D JC JD JH JS")
