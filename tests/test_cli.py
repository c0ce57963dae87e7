"""The command line's contract: JSON field by field, defaults, equal answers, and transcripts.

Transcripts are the files of tests/golden/cli.  The first line of each is a command; what follows is
its exit code if that is not 0, then stdout and stderr as piped, seconds masked and blanks at line
ends cut.  To add one, write a file of that one line; `BASRA_UPDATE_GOLDEN=1 pytest
tests/test_cli.py` writes what the commands print now into all of them.
"""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import subprocess
import sys
import sysconfig
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import basra
from basra import Cards, Position, Rules
from basra.cli import cli
from cli_helpers import (
    COMMANDS,
    JSON,
    MODULE,
    README,
    answer,
    call,
    check_hint,
    check_solution,
    environment,
    in_process,
    is_number,
    is_whole,
    options_of,
    strict_json,
    timeless,
)
from helpers import PRESETS, TABLE_IDS, TABLES, Table, positions_of

GOLDEN = Path(__file__).parent / "golden" / "cli"
OPTIONS = {
    "arena": (
        "rules players partners pairs matches luck seed until sequential workers resume list json"
    ),
    "regret": "rules partners count seed json",
    "train": "output seed size tables parts workers fresh json",
    "hint": (
        "hand floor seen buried cards points last carry match deal seat played players partners "
        "position rules time worlds nodes seed threads method model trust lang deck json"
    ),
    "solve": (
        "hands floor stock cards last carry partners position rules time nodes json "
        "batch threads output resume moves line"
    ),
    "review": (
        "seat html quiz position time nodes worlds seed threads method model trust table lang deck "
        "json"
    ),
    "serve": "threads rules table json",
    "captures": "floor card rules json",
    "rules": "json",
    "perft": "rules json",
    "bench": "json",
    "play": "rules players partners level seat seed record resume lang deck name json",
    "coach": (
        "rules players partners seat leader scores carry round name time worlds nodes record "
        "resume no-hints lang deck json"
    ),
}


# Single players at a table for four: there is no option that says so.
NOT_GIVEN = {"partners"}


def dealt(table: Table, seed: int, plies: int) -> Position:
    """A position some plies into a round that is played at random."""
    position = Position.deal(table.preset, seed, players=table.players, partners=table.partners)
    dice = random.Random(seed)
    for _ in range(plies):
        position.play(dice.choice(position.legal_moves()))
    return position


def near_end(table: Table, seed: int, plies: int) -> Position:
    """A position so many plies before a round's end."""
    return list(positions_of(Rules.preset(table.preset), table.players, table.partners, seed))[
        -1 - plies
    ]


# -- the program ---------------------------------------------------------------------------------


def test_commands() -> None:
    """The contract's commands."""
    listed = re.findall(r"^  ([a-z]+) ", call("--help").out.partition("Commands:")[2], re.M)
    assert listed == list(COMMANDS)


def test_module() -> None:
    """`python -m basra` is `basra`."""
    here = call(*README, "--json").json
    there = in_process(*README, "--json").json
    assert timeless(here) == timeless(there)


def test_script() -> None:
    """The entry point of the wheel is there, and is the same program."""
    script = Path(sysconfig.get_path("scripts")) / "basra"
    done = subprocess.run(
        [script, "captures", "--floor", "2C", "--card", "2D", "--json"],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert strict_json(done.stdout) == answer("captures", "--floor", "2C", "--card", "2D")


def test_version() -> None:
    """The package's version, and nothing else."""
    assert call("--version").out == f"basra {basra.__version__}\n"
    assert in_process("--version").out == f"basra {basra.__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_help(command: str) -> None:
    """-h and --help are the same, name every option there is, and every one of the contract."""
    long, short = call(command, "--help"), call(command, "-h")
    assert long == short
    assert (long.code, long.err) == (0, "")
    assert long.out.startswith(f"Usage: basra {command} ")
    found = cli.get_command(cli.make_context("basra", ["rules"]), command)
    assert found is not None
    here = {option for p in found.params for option in p.opts if option.startswith("--")}
    assert here >= {f"--{name}" for name in OPTIONS[command].split()}
    told = set(re.findall(r"^ +(?:-h, )?(--[a-z-]+)", long.out, re.M))
    assert told == here | {"--help"}
    assert all(len(line) <= 80 for line in long.out.splitlines())


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_in_help(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They work as printed, but for files that would have to be there."""
    monkeypatch.chdir(tmp_path)
    for line in re.findall(r"^ +(basra .*)$", call(command, "--help").out, re.M):
        words = shlex.split(line)[1:]
        if "--resume" not in words and not any(word.startswith("mine.") for word in words):
            with open(os.devnull, encoding="utf-8") as nothing:
                monkeypatch.setattr(sys, "stdin", nothing)
                assert call(*words).code == 0


def test_help_of_the_program() -> None:
    """Bare help lists the commands on stdout."""
    told = call("--help")
    assert (told.code, told.err) == (0, "")
    assert told.out == call("-h").out


def test_no_command_shows_help() -> None:
    """As help, not as an error that quotes it."""
    told = call()
    assert told.code == 2
    assert "Usage: basra [OPTIONS] COMMAND" in told.out + told.err
    assert "basra: Usage:" not in told.err


def test_run_reads_its_arguments() -> None:
    """Not those of the process that calls it."""
    script = "import sys; from basra.cli import run; sys.exit(run(sys.argv[1].split('|')))"
    words = "hint|--hand|7D|--floor||--time|soon|--json"
    done = subprocess.run(
        [sys.executable, "-c", script, words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert strict_json(done.stderr)["error"]["value"] == "soon"


@pytest.mark.parametrize(
    ("words", "absent"),
    [
        ("--version", "rich.console basra.cli.hint basra.cli.solve"),
        ("captures|--floor|2C|--card|2D|--json", "rich.console basra.cli.hint basra.bench"),
        ("hint|--hand|7D|--floor|2C|--worlds|1|--json", "rich.console basra.bench basra.cli.solve"),
    ],
)
def test_a_command_loads_what_it_needs(words: str, absent: str) -> None:
    """The start is most of a short call's time."""
    script = (
        "import json, sys; from basra.cli import run; sys.argv = ['basra', *sys.argv[1].split('|')]"
        "; run(sys.argv[1:]); print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, words], capture_output=True, text=True, check=True
    )
    assert not set(absent.split()) & set(json.loads(done.stderr))


# -- captures ------------------------------------------------------------------------------------

CAPTURES = [
    # floor, card, rules, trail, captures: cards, basra, points
    ("AS 7H KD 8C", "8S", "classic", False, [("AS 7H 8C", 0, 1)]),
    ("", "8S", "classic", True, []),
    ("", "JS", "classic", True, []),
    ("KD", "8S", "classic", True, []),
    ("8C", "8S", "classic", False, [("8C", 10, 0)]),
    ("8C", "8S", "palestine", False, [("8C", 16, 0)]),
    ("KC", "KD", "palestine-52", False, [("KC", 20, 0)]),
    ("JD", "JC", "egyptian", False, [("JD", 10, 0)]),
    ("JD", "JC", "classic", False, [("JD", 0, 2)]),
    ("TD 2C 5H", "JC", "classic", False, [("2C 5H TD", 0, 6)]),
    ("TD 2C 5H", "7D", "classic", False, [("2C 5H TD", 0, 5)]),
    (
        "2H 6C 8H",
        "8S",
        "palestine",
        False,
        [("2H 6C", 0, 0), ("2H 6C 8H", 16, 0), ("8H", 0, 0)],
    ),
]


@pytest.mark.parametrize(("floor", "card", "rules", "trail", "wanted"), CAPTURES)
def test_captures(
    floor: str, card: str, rules: str, trail: bool, wanted: list[tuple[str, int, int]]
) -> None:
    """Cards, basra points, card points of what is taken and of the card played; trailing."""
    found = answer("captures", "--floor", floor, "--card", card, "--rules", rules)
    assert found == {
        "schema": "basra.captures/1",
        "card": card,
        "floor": Cards(floor).texts,
        "captures": [
            {"cards": cards.split(), "basra": basra_points, "points": points}
            for cards, basra_points, points in wanted
        ],
        "trail": trail,
    }
    assert type(found["trail"]) is bool
    assert all(type(c[key]) is int for c in found["captures"] for key in ("basra", "points"))


def test_captures_that_may_be_trailed(tmp_path: Path) -> None:
    """Under must_capture = "none" a card that takes may be trailed too."""
    file = tmp_path / "free.toml"
    file.write_text('base = "classic"\nmust_capture = "none"\n')
    words = ["captures", "--floor", "8C", "--card", "8S", "--rules", str(file)]
    found = answer(*words)
    assert found["trail"] is True
    assert len(found["captures"]) == 1
    assert "trailed too" in call(*words).out


def test_many_captures_are_listed() -> None:
    """A jack on 40 cards is answered, and so are thousands of captures."""
    floor = " ".join(r + s for r in "A23456789T" for s in "CDHS")
    found = answer("captures", "--floor", floor, "--card", "JC")
    assert [len(capture["cards"]) for capture in found["captures"]] == [40]
    floor = " ".join(r + s for r in "A234" for s in "CDHS")
    found = answer("captures", "--floor", floor, "--card", "TD", "--rules", "palestine")
    taken = [tuple(capture["cards"]) for capture in found["captures"]]
    assert len(set(taken)) == len(taken) > 1000


# -- hint ----------------------------------------------------------------------------------------


@cache
def first_hint(table: Table) -> JSON:
    """The first move of a round, by its options, with the default limits."""
    return answer(*options_of(dealt(table, 3, 0).view()))


@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
def test_hint_at_every_table(table: Table) -> None:
    """The view comes back as it was described, and nothing was assumed."""
    position, found = dealt(table, 3, 0), first_hint(table)
    assert check_hint(found) == position.view()
    assert found["rules"] == {"name": table.preset, "hash": position.rules.hash}
    assert set(found["assumed"]) <= NOT_GIVEN
    assert (found["seed"], found["exact"]) == (0, False)


@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
def test_default_limit(table: Table) -> None:
    """160 worlds, or fewer once settled; four single players reach the node limit before."""
    found = first_hint(table)
    if table.players == 4 and not table.partners:
        assert found["stop"] == "nodes"
        assert 2 <= found["worlds"] < 160
        assert found["nodes"] <= 3_800_000
    elif found["stop"] == "settled":
        assert 32 <= found["worlds"] < 160
    else:
        assert (found["stop"], found["worlds"]) == ("worlds", 160)


def test_a_settled_hint() -> None:
    """JSON and text say that the search ended because there was nothing left to find out."""
    words = [*README, "--model", "none"]
    found = answer(*words)
    check_hint(found)
    assert (found["stop"], found["worlds"]) == ("settled", 32)
    assert found["method"] == "worlds/1"
    second = found["moves"][1]
    assert second["delta"] > 2.7 * second["delta_stderr"]
    text = " ".join(call(*words).out.split())
    assert "mean over 32 worlds" in text
    assert "the best move is told from all others; " in text
    assert "stopped by" not in text
    more = answer(*words, "--worlds", "160")
    assert (more["stop"], more["worlds"]) == ("worlds", 160)
    assert "told from" not in call(*words, "--worlds", "160").out


def test_model_and_trust() -> None:
    """The preset's own unless another or none is named; only a model can be trusted."""
    usual, bare = answer(*README), answer(*README, "--model", "none")
    assert (usual["method"], usual["trust"]) == ("worlds/2", 100)
    assert (bare["method"], bare["trust"]) == ("worlds/1", 0)
    assert answer(*README, "--trust", "40")["trust"] == 40
    for words, field in ((["--trust", "401"], "trust"), (["--model", "no/such"], "model")):
        refused = call(*README, *words, "--json")
        assert refused.code == 2
        assert refused.error["field"] == field


def test_hint_of_the_readme() -> None:
    """What a player types: every default is told, in JSON and in the text."""
    found = answer(*README)
    check_hint(found)
    assert found["assumed"] == {
        "rules": "classic",
        "players": "2",
        "seen": "9 cards gone, not tracked",
        "buried": "none",
        "cards": "level, 4:4",
        "last": "averaged",
        "deal": "2",
        "seat": "1",
        "played": "nothing",
        "points": "0:0",
        "carry": "0",
        "match": "0:0",
    }
    text = call(*README).out
    told = " ".join(text.partition("Assumed, as not given: ")[2].split())
    assert told.split("; ") == [f"--{key} {value}" for key, value in found["assumed"].items()]
    lines = re.findall(r"^ (\d) +(\S+) +([+-]\d+\.\d\d) ± (\d+\.\d\d) ", text, re.M)
    assert len(lines) == len(found["moves"])
    for (number, *shown), (place, move) in zip(lines, enumerate(found["moves"], 1), strict=True):
        assert int(number) == place
        assert shown == [move["move"], f"{move['value']:+.2f}", f"{move['stderr']:.2f}"]


def test_what_is_given_is_not_assumed() -> None:
    """Each option taken from the assumed ones leaves them."""
    base = answer(*README)["assumed"]
    values = {"cards": "9:0", "last": "me", "deal": "2", "seat": "1", "points": "3:10"}
    values |= {"carry": "30", "match": "61:84", "played": "", "buried": ""}
    values |= {"players": "2", "rules": "classic"}
    for name, value in values.items():
        found = answer(*README, f"--{name}", value, "--worlds", "2")
        assert set(found["assumed"]) == set(base) - {name}


@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
@pytest.mark.parametrize("left_out", [(), ("deal", "seat", "cards", "points", "last", "carry")])
def test_options_describe_every_view(table: Table, left_out: tuple[str, ...]) -> None:
    """In every seat and deal, with the moves of this deal; deal and seat follow from the cards."""
    for back in range(1, 2 * table.players + 1, 1 if table.players == 2 else 3):
        for seed in range(2):
            position = near_end(table, seed, back)
            view = position.view()
            found = answer(*options_of(view, leave_out=left_out), "--nodes", "1")
            checked = check_hint(found)
            assert (checked.seat, checked.deal) == (view.seat, view.deal)
            assert set(found["assumed"]) - NOT_GIVEN == {*left_out}
            assert checked.played == view.played
            if not left_out:
                assert checked == view


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_played_in_every_seat(seat: int) -> None:
    """The moves of this deal imply the seat, the earlier floors are checked."""
    table = Table("palestine", 4, True)
    position = dealt(table, 5, 4 + seat - 1)
    view = position.view()
    assert len(view.played) == 3 + seat
    left_out = ("deal", "seat", "cards", "points", "last", "carry", "match")
    found = answer(*options_of(view, leave_out=left_out), "--nodes", "1")
    assert found["assumed"]["seat"] == str(seat) == str(view.seat)
    assert found["assumed"]["deal"] == "1"
    assert f"/played={','.join(m.text.rstrip('*') for m in view.played)}" in found["position"]


@pytest.mark.parametrize("plies", [17, 30])
def test_partial_knowledge(plies: int) -> None:
    """No, some and all cards seen: all are answered, and told as what they are."""
    view = dealt(TABLES[0], 4, plies).view()
    assert view.deal > 2
    words = options_of(view, leave_out=("seen", "played", "cards", "buried"))
    none = answer(*words, "--worlds", "20")
    assert check_hint(none).untracked == view.gone
    some = answer(*words, "--seen", " ".join(list(view.seen.texts)[:5]), "--worlds", "20")
    assert check_hint(some).untracked == view.gone - 5
    every = answer(*words, "--seen", str(view.seen), "--worlds", "20")
    assert check_hint(every).untracked == 0
    assert "not tracked" in none["assumed"]["seen"]
    assert "seen" not in some["assumed"]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("plies", [1, 2, 5, 8])
def test_last_deal_is_exact(preset: str, plies: int) -> None:
    """Two players who counted: hint and solve give the same values, without error."""
    position = near_end(Table(preset, 2, False), plies, plies)
    found = answer(*options_of(position.view()))
    check_hint(found)
    assert found["exact"] is True
    assert (found["stop"], found["worlds"]) == ("complete", 1)
    solved = answer("solve", "--position", position.notation)
    check_solution(solved, position)
    assert [m["value"] for m in found["moves"]] == [m["value"] for m in solved["moves"]]
    by_value = {m["move"]: (m["value"], m["equal"]) for m in solved["moves"]}
    assert {m["move"]: (m["value"], m["equal"]) for m in found["moves"]} == by_value
    assert "exact" in call(*options_of(position.view())).out


def test_all_worlds_are_not_exact() -> None:
    """Some cards not tracked: every world counted, errors 0, but not exact."""
    view = near_end(TABLES[0], 1, 4).view()
    words = options_of(view, leave_out=("seen", "played"))
    seen = " ".join(list((view.seen - Cards("")).texts)[:-2])
    found = answer(*words, "--seen", seen)
    check_hint(found)
    assert found["worlds_complete"] is True
    assert found["exact"] is False
    assert found["stop"] == "complete"
    assert found["worlds"] > 1


def test_equal_moves_are_one() -> None:
    """One entry for cards that make no difference; the first in canonical order stands for all."""
    words = ["hint", "--hand", "KC KH KS 2S", "--floor", "3C 2H 5S QD", "--deal", "1"]
    found = answer(*words)
    check_hint(found)
    assert ["KH", "KS"] in [move["equal"] for move in found["moves"] if move["move"] == "KC"]
    assert "KC or KH or KS" in call(*words).out


def test_buried_cards_are_in_no_hand() -> None:
    """Shown and put back: in the first deal nobody can hold a jack that was buried."""
    words = ["hint", "--hand", "7C 5C KH 2S", "--floor", "3C 2H 5S QD", "--deal", "1"]
    free = answer(*words)
    buried = answer(*words, "--buried", "JC JD JH JS 7D")
    check_hint(buried)
    assert "buried=JCJDJHJS7D" in buried["position"]
    codes = [{r["code"] for m in f["moves"] for r in m["reasons"]} for f in (free, buried)]
    assert "reply_sweep" in codes[0]
    assert "reply_sweep" not in codes[1]


def test_single_world() -> None:
    """Its error cannot be known: null, not 0."""
    found = answer(*README, "--worlds", "1")
    check_hint(found)
    assert found["worlds"] == 1
    assert "1 worlds" not in call(*README, "--worlds", "1").out


@pytest.mark.parametrize(
    ("limit", "stop"),
    [
        (("--worlds", "7"), "worlds"),
        (("--nodes", "5000"), "nodes"),
        (("--time", "0.1", "--partners", "--worlds", "1000000"), "time"),
        (("--time", "1e-6"), "time"),
    ],
)
def test_limits_of_hint(limit: tuple[str, ...], stop: str) -> None:
    """A limit that ends the search is told; the exit code is 0."""
    found = answer(*README, *limit)
    check_hint(found)
    assert found["stop"] == stop
    assert found["worlds"] > 0 or limit[1] == "1e-6"
    if stop == "worlds":
        assert found["worlds"] == 7
    if stop == "nodes":
        assert found["nodes"] <= 5000


def test_time_limit_where_worlds_are_cheap() -> None:
    """Few positions in a world are no reason to miss the deadline."""
    words = ["hint", "--hand", "7D 2S", "--floor", "9C", "--partners", "--deal", "3"]
    found = answer(*words, "--worlds", "200000", "--time", "0.2")
    assert found["stop"] == "time"
    assert found["seconds"] < 0.4


WRITTEN = [
    ["--hand", "7d,5c,kh,2s", "--floor", "3c 2h, 5s"],
    ["--hand", "7D5CKH2S", "--floor", "3C2H5S"],
    ["--hand", "2♠ 5♣ 7♦ K♥", "--floor", "2♥ 3♣ 5♠"],
    ["--hand", "2s 5c 7d kh", "--floor", "5S 2H 3C"],
    ["--floor=3C 2H 5S", "--hand=7D 5C KH 2S"],
]


@pytest.mark.parametrize("words", WRITTEN)
def test_ways_to_write_cards(words: list[str]) -> None:
    """Order, case, commas and signs make no difference."""
    assert timeless(answer("hint", *words)) == timeless(answer(*README))


def test_ten_is_t() -> None:
    """10D is TD, which is what JSON has."""
    found = answer("captures", "--floor", "10c 9h", "--card", "10D")
    assert (found["card"], found["floor"]) == ("TD", ["9H", "TC"])


# -- the same answer -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "table", [TABLES[0], Table("classic", 4, True), Table("classic", 3, False)]
)
@pytest.mark.parametrize("limit", [("--worlds", "37"), ("--nodes", "100000")])
def test_threads_change_nothing(table: Table, limit: tuple[str, str]) -> None:
    """The same bits for any number of threads."""
    words = [*options_of(dealt(table, 6, 1).view()), *limit, "--seed", "9"]
    first = timeless(answer(*words, "--threads", "1"))
    for threads in ("2", "3", "7"):
        assert timeless(answer(*words, "--threads", threads)) == first


def test_seed() -> None:
    """Another seed draws other worlds, the same one the same."""
    found = [timeless(answer(*README, "--seed", seed)) for seed in ("1", "1", "2")]
    assert found[0] == found[1]
    assert found[0]["moves"] != found[2]["moves"]
    huge = answer(*README, "--seed", str(2**64 - 1), "--worlds", "3")
    assert huge["seed"] == 2**64 - 1


def test_processes_agree() -> None:
    """Whatever their hash seeds."""
    words = [*README, "--json"]
    found = [in_process(*words, PYTHONHASHSEED=seed).json for seed in ("1", "2")]
    assert timeless(found[0]) == timeless(found[1]) == timeless(answer(*README))


@pytest.mark.parametrize(
    "words",
    [
        README,
        [*README, "--seen", "9C 9D", "--cards", "9:0", "--last", "me", "--seed", "4"],
        [*README, "--points", "3:10", "--carry", "30", "--match", "61:84", "--seat", "1"],
        ["hint", "--hand", "7D 5C", "--floor", "", "--rules", "palestine", "--partners"],
        ["hint", "--hand", "7D 5C", "--floor", "2C", "--players", "3", "--last", "+1"],
        ["hint", "--hand", "7C 5C KH", "--floor", "3C QD", "--deal", "1", "--buried", "JC"],
    ],
)
def test_position_in_place_of_options(words: list[str]) -> None:
    """The printed position gives the same answer; a shell needs no quotes for it."""
    first = answer(*words, "--worlds", "20")
    text = first["position"]
    assert shlex.quote(text) == text
    seed = words[words.index("--seed") :][:2] if "--seed" in words else []
    again = answer("hint", "--position", text, "--worlds", "20", *seed)
    assert timeless(again, "assumed") == timeless(first, "assumed")
    check_hint(again)


@settings(max_examples=60)
@given(st.sampled_from(TABLES), st.integers(0, 1000), st.integers(1, 5))
def test_any_position_again(table: Table, seed: int, back: int) -> None:
    """Views and positions near the end of rounds, printed and read."""
    position = near_end(table, seed, back)
    words = [*options_of(position.view(), leave_out=("cards", "last")), "--worlds", "3"]
    first = answer(*words)
    again = answer("hint", "--position", first["position"], "--worlds", "3")
    assert timeless(again, "assumed") == timeless(first, "assumed")
    solved = answer("solve", "--position", position.notation)
    check_solution(solved, position)


# -- rules ---------------------------------------------------------------------------------------


def test_rules_list() -> None:
    """Names and hashes; the text has all names."""
    found = answer("rules")
    assert set(found) == {"schema", "presets"}
    assert found["schema"] == "basra.presets/1"
    assert [preset["name"] for preset in found["presets"]] == PRESETS
    assert all(set(preset) == {"name", "hash"} for preset in found["presets"])
    text = call("rules").out
    assert all(name in text for name in PRESETS)


@pytest.mark.parametrize("preset", PRESETS)
def test_rules_fed_back(preset: str, tmp_path: Path) -> None:
    """The printed file is the same rules: the same hash, the same hint, also after two turns."""
    printed = call("rules", preset)
    file = tmp_path / "mine.toml"
    file.write_text(printed.out, encoding="utf-8")
    assert call("rules", str(file)).out == printed.out
    told, again = answer("rules", preset), answer("rules", str(file))
    assert told == again
    assert set(told) == {"schema", "name", "hash", "rules"}
    assert (told["schema"], told["name"]) == ("basra.rules/1", preset)
    words = ["hint", "--hand", "7D 5C 9H 2S", "--floor", "3C 2H 5S", "--worlds", "30"]
    first = answer(*words, "--rules", preset)
    assert first["rules"] == {"name": preset, "hash": told["hash"]}
    assert timeless(answer(*words, "--rules", str(file))) == timeless(first)


def test_house_rules(tmp_path: Path) -> None:
    """A file of its own: another name and hash, and the position tells what differs."""
    file = tmp_path / "house.toml"
    file.write_text('base = "classic"\nbasra_points = 25\nhand_size = 6\n', encoding="utf-8")
    words = ["--hand", "7D 5C KH 2S 9H TD", "--floor", "3C 2H 5S", "--rules", str(file)]
    found = answer("hint", *words)
    check_hint(found)
    assert found["rules"]["name"] == "house"
    assert found["rules"]["hash"] != answer("rules", "classic")["hash"]
    assert "/rules=classic+basra_points=25+hand_size=6/" in found["position"]
    assert found["moves"][0]["basra"] == 25
    again = answer("hint", "--position", found["position"])
    assert timeless(again, "assumed", "rules") == timeless(found, "assumed", "rules")
    assert again["rules"]["hash"] == found["rules"]["hash"]


# -- solve ---------------------------------------------------------------------------------------


def test_solve() -> None:
    """The contract's example."""
    found = answer("solve", "--hands", "5S 9D / KH QC", "--floor", "5H 2C")
    check_solution(found, Position.setup("5S 9D / KH QC", "5H 2C"))
    assert (found["value"], found["exact"]) == (32, True)
    text = call("solve", "--hands", "5S 9D / KH QC", "--floor", "5H 2C").out
    assert "+32" in text
    assert "exact" in text
    assert ", ".join(found["line"]) in text


SOLVED: list[tuple[list[str], Position]] = [
    (
        ["--hands", "5S 9D/KH QC", "--floor", "5H 2C", "--stock", "AC 7D JC 3H"],
        Position.setup("5S 9D/KH QC", "5H 2C", stock="AC 7D JC 3H"),
    ),
    (
        ["--hands", "5S 9D/KH", "--floor", "5H 2C", "--cards", "25:22", "--last", "them"],
        Position.setup("5S 9D/KH", "5H 2C", cards=[25, 22], last=1),
    ),
    (
        ["--hands", "5S/KH", "--floor", "QH", "--cards", "24:25", "--last", "me", "--carry", "30"],
        Position.setup("5S/KH", "QH", cards=[24, 25], last=0, carry=30),
    ),
    (
        ["--hands", "5S 2H/KH QC/3C 4C/9S 9D", "--floor", "5H 2C", "--partners", "--last", "them"],
        Position.setup("5S 2H/KH QC/3C 4C/9S 9D", "5H 2C", partners=True, last=1),
    ),
    (
        ["--hands", "5S 9D/KH QC/3C 4C", "--floor", "5H 2C", "--last", "+2"],
        Position.setup("5S 9D/KH QC/3C 4C", "5H 2C", last=2),
    ),
    (
        ["--hands", "5S/9H/3C/4C", "--floor", "5H", "--last", "+3", "--rules", "palestine"],
        Position.setup("5S/9H/3C/4C", "5H", last=3, rules="palestine"),
    ),
    (
        ["--hands", "KC KH/2D 3D", "--floor", "9C", "--last", "none"],
        Position.setup("KC KH/2D 3D", "9C", last="none"),
    ),
]


@pytest.mark.parametrize(("words", "position"), SOLVED)
def test_solve_with_options(words: list[str], position: Position) -> None:
    """Stock, counts, last capturer, carry, partners, single players: as the package solves it."""
    found = answer("solve", *words)
    check_solution(found, position)
    assert timeless(found) == timeless(basra.solve(position, line=True).to_dict())
    again = answer("solve", "--position", position.notation)
    assert timeless(again) == timeless(found)
    text = call("solve", *words).out
    assert all(move in text for move in found["line"])


def test_options_of_solve_matter() -> None:
    """Last capturer, counts and carry change the value."""
    base = ["solve", "--hands", "5S/KH", "--floor", "QH"]
    mine = answer(*base, "--last", "me", "--cards", "25:24")["value"]
    theirs = answer(*base, "--last", "them", "--cards", "25:24")["value"]
    assert (mine, theirs) == (30, -30)
    carried = answer(*base, "--last", "me", "--cards", "25:24", "--carry", "30")["value"]
    assert carried == 60


def test_equal_moves_of_solve() -> None:
    """One entry for equal cards."""
    found = answer("solve", "--hands", "KC KH/2D 3D", "--floor", "9C")
    assert [(move["move"], move["equal"]) for move in found["moves"]] == [("KC", ["KH"])]


def test_solve_stopped() -> None:
    """`stop` is there; values not reached are null, and the exit code is 0."""
    position = Position.deal("classic", 1)
    for limit, stop in ((("--nodes", "1"), "nodes"), (("--time", "1e-6"), "time")):
        found = answer("solve", "--position", position.notation, *limit)
        check_solution(found, position)
        assert found["exact"] is False
        assert found["stop"] == stop
    text = call("solve", "--position", position.notation, "--nodes", "1").out
    assert "not finished" in text


def test_table_changes_nothing() -> None:
    """The table's size is speed, never the answer."""
    position = near_end(TABLES[0], 2, 16)
    found = [
        timeless(answer("solve", "--position", position.notation, "--table", size), "nodes", "line")
        for size in ("1", "4", "64")
    ]
    assert found[0] == found[1] == found[2]


# -- perft and bench -----------------------------------------------------------------------------


def test_perft() -> None:
    """Counts of every depth, of a deal and of a position."""
    found = answer("perft", "--rules", "palestine", "--seed", "3", "--depth", "4")
    assert set(found) == {"schema", "position", "counts", "seconds"}
    assert found["schema"] == "basra.perft/1"
    position = Position.deal("palestine", 3)
    assert found["position"] == position.notation
    assert found["counts"] == [position.perft(depth) for depth in range(5)]
    again = answer("perft", "--position", found["position"], "--depth", "4")
    assert timeless(again) == timeless(found)
    assert len(answer("perft")["counts"]) == 5
    partners = answer("perft", "--partners", "--depth", "1")
    assert "/table=4p/" in partners["position"]
    assert "/table=3/" in answer("perft", "--players", "3", "--depth", "1")["position"]


@pytest.fixture(scope="module")
def bench() -> JSON:
    """One run for all tests of it."""
    return answer("bench")


def test_bench(bench: JSON) -> None:
    """Nodes and speed of each kind; the signature is the sum of the nodes; an engine's memory."""
    assert set(bench) == {"schema", "kinds", "signature", "memory"}
    assert is_whole(bench["memory"], 1 << 20)
    assert bench["schema"] == "basra.bench/1"
    for kind in bench["kinds"]:
        assert set(kind) == {"name", "positions", "nodes", "seconds", "nodes_per_second"}
        assert is_whole(kind["positions"], 1)
        assert is_whole(kind["nodes"], 1)
        assert is_number(kind["seconds"])
        assert is_number(kind["nodes_per_second"])
    assert bench["signature"] == sum(kind["nodes"] for kind in bench["kinds"])


def test_bench_text(bench: JSON) -> None:
    """The same counts again, in a process of its own."""
    told = in_process("bench")
    assert (told.code, told.err) == (0, "")
    assert f"signature {bench['signature']}" in told.out.replace(",", "")


# -- transcripts ---------------------------------------------------------------------------------

FILES = sorted(GOLDEN.glob("*.txt"))


def transcript(command: str) -> str:
    """What a command prints, seconds masked."""
    found = call(*shlex.split(command)[1:])
    code = f"exit {found.code}\n" if found.code else ""
    text = f"{command}\n{code}{found.out}{found.err}"
    text = re.sub(r"(in|;) \d+\.\d\d s\b", r"\1 _ s", text)
    text = re.sub(r'("seconds": )[0-9.e-]+', r"\1_", text)
    return re.sub(r" +$", "", text, flags=re.M)


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_transcript(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Word for word, but for seconds."""
    monkeypatch.chdir(GOLDEN)
    wanted = file.read_text(encoding="utf-8")
    command = wanted.partition("\n")[0]
    assert command.startswith("basra ")
    found = transcript(command)
    if os.environ.get("BASRA_UPDATE_GOLDEN"):
        file.write_text(found, encoding="utf-8")
    else:
        assert found == wanted


def test_there_are_transcripts() -> None:
    """An empty folder would pass."""
    assert len(FILES) >= 12
    assert MODULE[0] == sys.executable
