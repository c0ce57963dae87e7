"""Transcripts of both commands at a terminal, to the letter, in both languages.

They are in tests/golden/table; after a change that is meant, write them anew with
`BASRA_UPDATE_GOLDEN=1 python -m pytest tests/test_table_golden.py`.
"""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import Path

import pytest

from basra.record import read_record
from cli_helpers import environment
from table_helpers import last_line, person

pytest.importorskip("pty", reason="needs pseudo-terminals")

GOLDEN = Path(__file__).parent / "golden" / "table"
PLAY = ["play", "--seed", "3", "--level", "club", "--record", "match.txt"]
COACH = [
    "coach", "--rules", "palestine-52", "--seat", "2", "--name", "Amal", "--scores", "61:84",
    "--worlds", "8", "--record", "match.txt",
]  # fmt: skip
ENTRIES = {
    "play": (
        PLAY,
        [
            "9", "8", "{hint}", "k", "{back} 2", "8", "7", "{seen}", "{score}", "note at last", "?",
            "a",
        ],
    ),
    "partners": (
        ["play", "--rules", "palestine", "--partners", "--seed", "2", "--level", "greedy",
         "--record", "match.txt"],
        ["#1"] * 11,
    ),
    "coach": (
        COACH,
        [
            "7H AC 8C JD", "7H AC 8C 2D / JD", "8S 5C KH 2S", "qd", "8", "x", "2", "8s", "4d",
            "{back} {list}", "{back} 2", "5s", "{hint}", "k", "{seen}", "{score}",
            "{resign}", "{yes}",
        ],
    ),
}  # fmt: skip
WORDS = {
    "en": {
        "hint": "hint", "back": "back", "seen": "seen", "score": "score", "list": "list",
        "resign": "resign", "yes": "yes",
    },
    "ar": {
        "hint": "تلميح", "back": "تراجع", "seen": "المكشوف", "score": "النتيجة", "list": "قائمة",
        "resign": "انسحاب", "yes": "نعم",
    },
}  # fmt: skip


def transcript(name: str, language: str, folder: Path) -> str:
    """All that is on the screen at the end; seconds and nothing else differ from run to run."""
    arguments, entries = ENTRIES[name]
    with person(*arguments, "--lang", language, terminal=True, folder=folder) as talk:
        shown = talk.wait()
        for entry in entries:
            assert shown is not None, talk.shown
            talk.type(entry.format(**WORDS[language]))
            shown = talk.wait()
        if shown is not None:
            os.write(talk.keyboard, b"\x04")
            talk.rest()
        assert talk.code() == 0
        lines = [line.rstrip() for line in talk.shown.splitlines()]
    return re.sub(r"\d\.\d\d(\u2069?\s+(?:s|ث))", r"#.##\1", "\n".join(lines)) + "\n"


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("name", ENTRIES)
def test_transcripts(name: str, language: str, tmp_path: Path) -> None:
    """To the letter, on a terminal of 80 columns."""
    found = transcript(name, language, tmp_path)
    path = GOLDEN / f"{name}_{language}.txt"
    if os.environ.get("BASRA_UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8")
    assert found == path.read_text(encoding="utf-8")
    assert max(map(columns, found.splitlines())) <= 80


def columns(line: str) -> int:
    """How wide a line is."""
    return sum(unicodedata.category(char) not in ("Cf", "Mn") for char in line)


def test_the_documents_show_what_is_seen() -> None:
    """Every screen of docs/play.md is a part of a transcript."""
    page = (GOLDEN.parents[2] / "docs" / "play.md").read_text(encoding="utf-8")
    screens = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    transcripts = [path.read_text(encoding="utf-8") for path in sorted(GOLDEN.glob("*_en.txt"))]
    assert len(screens) == 3
    for screen in screens:
        assert any(screen in text for text in transcripts), screen


def test_what_is_shown_does_not_change_what_is_kept(tmp_path: Path) -> None:
    """The same entries in both languages: the same record."""
    records = []
    for language in ("en", "ar"):
        folder = tmp_path / language
        folder.mkdir()
        transcript("coach", language, folder)
        records.append(read_record(folder / "match.txt"))
    assert records[0] == records[1]


def test_no_codes_without_colour(tmp_path: Path) -> None:
    """NO_COLOR: cards are told by their signs alone."""
    with person(*PLAY, terminal=True, folder=tmp_path, NO_COLOR="1", TERM="dumb") as talk:
        talk.wait()
        assert "\x1b" not in talk.raw
        assert "7♦" in talk.shown
    with person(*PLAY[:-1], "other.txt", terminal=True, folder=tmp_path) as talk:
        talk.wait()
        assert "\x1b[" in talk.raw
        assert last_line(talk.shown) == "You> "
    assert "COLUMNS" not in environment()
