"""Matches at the terminal that end in the middle: killed, interrupted, out of input.

What was answered by another prompt is in the file, and --resume goes on from there.
"""

from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path
from random import Random

import pytest

from basra import Position
from basra.record import Record, read_record
from cli_helpers import in_process
from table_helpers import Person, RealTable, last_line, person

pytest.importorskip("pty", reason="needs pseudo-terminals")

KILLS = 25
QUICK = ("--no-hints",)


def facts(record: Record, me: int) -> list[str]:
    """All that a coach was told: first floors, my hands, moves."""
    found = []
    for now in record.rounds:
        found.append(f"floor {now.floor}")
        for deal in now.deals:
            found.append(f"hand {deal.hands[me]}")
            found += [turn.move.text.rstrip("*") for turn in deal.turns]
    return found


def some_entries(talk: Person, table: RealTable, dice: Random) -> None:
    """Types a few entries, and one more that may never be answered."""
    shown = talk.wait()
    for _ in range(dice.randrange(5)):
        assert shown is not None, talk.shown
        table.follow(shown)
        talk.type(table.entry(last_line(shown)))
        shown = talk.wait()
    assert shown is not None, talk.shown
    table.follow(shown)
    talk.type(table.entry(last_line(shown)))


def test_a_coach_that_is_killed(tmp_path: Path) -> None:
    """At 25 random moments of a match; each time it goes on from the file."""
    file, dice = tmp_path / "table.txt", Random(1)
    table = RealTable(Position.deal("classic", 8), 1, 8)
    begin = ["--record", str(file), "--seat", "2"]
    for _ in range(KILLS):
        with person(
            "coach", *QUICK, *(["--resume", str(file)] if file.exists() else begin)
        ) as talk:
            some_entries(talk, table, dice)
            time.sleep(dice.random() * 0.03)
            talk.process.send_signal(signal.SIGKILL)
            assert talk.code() == -signal.SIGKILL
        told, kept = table.facts, facts(read_record(file), 1)
        assert kept[: len(told)] == told
        table.catch_up(kept)
    assert len(table.facts) > 2 * KILLS


def my_moves(file: Path) -> list[str]:
    """What I have played by a record."""
    record = read_record(file)
    return [
        turn.move.text
        for now in record.rounds
        for deal in now.deals
        for ply, turn in enumerate(deal.turns)
        if (now.leader + ply) % 2 == 0
    ]


def test_a_match_that_is_killed(tmp_path: Path) -> None:
    """The same against the engine, that may be killed while it plays."""
    file, dice = tmp_path / "match.txt", Random(2)
    rules = tmp_path / "long.toml"
    rules.write_text('name = "long"\nbase = "classic"\ntarget = 9999\n', encoding="utf-8")
    begin = ["--record", str(file), "--rules", str(rules), "--seed", "5", "--level", "greedy"]
    sure: list[str] = []
    for _ in range(KILLS):
        with person("play", *(["--resume", str(file)] if file.exists() else begin)) as talk:
            for _ in range(dice.randrange(5)):
                talk.wait()
                talk.type("#1")
            assert talk.wait() is not None
            # All that was typed so far was answered by a prompt.
            sure, shown = my_moves(file), shown_moves(talk)
            assert sure[len(sure) - len(shown) :] == shown
            talk.type("#1")
            time.sleep(dice.random() * 0.03)
            talk.process.send_signal(signal.SIGKILL)
            assert talk.code() == -signal.SIGKILL
        kept = my_moves(file)
        assert kept[: len(sure)] == sure
        assert len(kept) <= len(sure) + 1
    assert len(sure) > KILLS


def shown_moves(talk: Person) -> list[str]:
    """My moves, as they have been shown."""
    lines = [line for line in talk.shown.splitlines() if line.startswith("You: ")]
    return [line.split()[1].rstrip("*") for line in lines]


@pytest.mark.parametrize("command", ["play", "coach"])
def test_ctrl_c(command: str, tmp_path: Path) -> None:
    """Ends at once, with all that was entered, and says how to go on."""
    file = tmp_path / "match.txt"
    options = ["--seed", "3", "--level", "greedy"] if command == "play" else []
    with person(command, *options, "--record", str(file), terminal=True) as talk:
        talk.wait()
        talk.answer("8" if command == "play" else "3C 2H 5S KD")
        before = read_record(file)
        talk.process.send_signal(signal.SIGINT)
        said = talk.rest()
        assert talk.code() == 130
    assert f"Go on with: basra {command} --resume {file}" in said
    assert "Traceback" not in said
    assert read_record(file) == before


@pytest.mark.parametrize("command", ["play", "coach"])
def test_end_of_input_on_a_terminal(command: str, tmp_path: Path) -> None:
    """Ctrl-D: the same, and exit code 0."""
    file = tmp_path / "match.txt"
    with person(command, "--record", str(file), terminal=True) as talk:
        talk.wait()
        os.write(talk.keyboard, b"\x04")
        said = talk.rest()
        assert talk.code() == 0
    assert f"Go on with: basra {command} --resume {file}" in said


def test_ctrl_c_while_it_thinks(tmp_path: Path) -> None:
    """A player that thinks for long does not hold it up; my move is kept."""
    file = tmp_path / "match.txt"
    slow = "worlds:worlds=1000000,ms=60000"
    with person("play", "--seed", "3", "--level", slow, "--record", str(file)) as talk:
        talk.wait()
        talk.type("8")
        time.sleep(0.5)
        talk.process.send_signal(signal.SIGINT)
        talk.rest()
        assert talk.code() == 130
    assert my_moves(file) == ["8S"]


def test_no_input_at_all(tmp_path: Path) -> None:
    """Nothing to read from: an end like others."""
    found = in_process("play", "--record", str(tmp_path / "match.txt"), "--seed", "3")
    assert (found.code, found.err) == (0, "")
    assert "Go on with: " in found.out


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    """Letters where there are no signs; English where there are no Arabic letters."""
    found = in_process(
        "play", "--record", str(tmp_path / "a.txt"), "--seed", "3", "--lang", "ar",
        PYTHONIOENCODING=encoding, PYTHONUTF8="0",
    )  # fmt: skip
    assert (found.code, found.err) == (0, "")
    assert ("Hand: AD 7D 8S KD" in found.out) == (encoding != "utf-8")
    assert "?" not in found.out.replace("? explains", "")


def test_a_coach_in_letters(tmp_path: Path) -> None:
    """Hints too, where the output has no signs."""
    words = ["coach", "--worlds", "4", "--record", str(tmp_path / "a.txt")]
    with person(*words, PYTHONIOENCODING="ascii", PYTHONUTF8="0") as talk:
        talk.wait()
        talk.answer("3C 2H 5S KD")
        shown = talk.answer("7D 5C KH 2S") + talk.answer("seen") + talk.answer("hint")
    assert re.search(r"#2 5Cx2H3C5S  points \+\d+\.\d\d \+- \d\.\d\d, best", shown)
    assert "takes 3 cards (2H 3C 5S)" in shown
    assert "\n  C  A 2 . 4" in shown
    assert "?" not in shown.replace(" ?", "").replace("? = too close", "")
