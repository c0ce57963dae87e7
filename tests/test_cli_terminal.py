"""The command line on a terminal and beside one: colours, widths, encodings, progress, Ctrl-C.

Each call has a process of its own.  What is seen on a terminal is read from a pseudo-terminal.
"""

from __future__ import annotations

import os
import re
import signal
import statistics
import subprocess
import sys
import time
from typing import NamedTuple

import pytest

from basra import Position, View, solve
from cli_helpers import (
    MODULE,
    README,
    answer,
    call,
    environment,
    in_process,
    in_terminal,
    strict_json,
    timeless,
)

pytest.importorskip("pty", reason="needs pseudo-terminals")

ESCAPE = "\x1b"
CODE = r"\x1b\[([0-9;]*)m"
FIRST_DEAL = ["--hand", "7D 5C KH 2S", "--floor", "3C 2H 5S 9D", "--deal", "1"]
LONG_HINT = ["hint", *FIRST_DEAL, "--partners", "--worlds", "1000000"]
THREE = Position.deal("classic", 1, players=3).notation
LONG_SOLVE = ["solve", "--position", THREE]
SOLVE = ["solve", "--hands", "5S 9D / KH QC", "--floor", "5H 2C"]
CAPTURES = ["captures", "--floor", "AS 7H KD 8C", "--card", "8S"]
MANY_WORLDS = ["--worlds", "1000000", "--json"]
SHORT = {"hint": README, "solve": SOLVE, "captures": CAPTURES, "rules": ["rules"]}
PERFT = ["perft", "--depth", "2"]


def plain(text: str) -> str:
    """A terminal's text without escape sequences."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r\n", "\n")


def colour_of(screen: str, text: str) -> str:
    """The colour codes in force where a text first stands."""
    before = screen[: screen.index(text)]
    return [found[1] for found in re.finditer(CODE, before)][-1]


# -- colours -------------------------------------------------------------------------------------


def test_suits_have_colours() -> None:
    """Four suits, four colours, with their signs."""
    seen = in_terminal(*README)
    assert seen.code == 0
    codes = [colour_of(seen.terminal, card) for card in ("2♠", "5♣", "7♦", "K♥")]
    assert len(set(codes)) == 4
    assert "5♣ takes 2♥ 3♣ 5♠ *" in plain(seen.terminal)


@pytest.mark.parametrize("command", SHORT)
def test_no_codes_in_pipes(command: str) -> None:
    """Nor signs of suits in cards: what is printed can be typed again."""
    found = in_process(*SHORT[command])
    assert found.code == 0
    assert ESCAPE not in found.out
    assert "\r" not in found.out
    assert max(map(len, found.out.splitlines())) <= 100


def test_pipes_do_not_depend_on_the_terminal() -> None:
    """Neither its kind nor its width changes what is piped; the same for stdout beside one."""
    bare = _untimed(in_process(*README).out)
    for changes in ({"COLUMNS": "40"}, {"TERM": "dumb"}, {"COLUMNS": "300"}, {"NO_COLOR": "1"}):
        assert _untimed(in_process(*README, **changes).out) == bare
    beside = in_terminal(*README, both=False)
    assert _untimed(beside.out) == bare
    assert beside.terminal == ""


def _untimed(text: str) -> str:
    return re.sub(r" in \d+\.\d\d s", "", text)


@pytest.mark.parametrize("command", SHORT)
def test_no_colour(command: str) -> None:
    """NO_COLOR: no colour codes; bold and dim may stay."""
    seen = in_terminal(*SHORT[command], NO_COLOR="1")
    assert seen.code == 0
    codes = ";".join(found[1] for found in re.finditer(CODE, seen.terminal))
    assert set(codes.split(";")) <= {"", "0", "1", "2"}


def test_dumb_terminal() -> None:
    """No codes at all."""
    assert ESCAPE not in in_terminal(*README, TERM="dumb").terminal


def test_json_on_a_terminal_is_json() -> None:
    """The same text as in a pipe."""
    seen = in_terminal(*CAPTURES, "--json")
    assert seen.terminal.replace("\r\n", "\n") == in_process(*CAPTURES, "--json").out


@pytest.mark.parametrize("words", [["captures", "--floor", "7X"], ["hint", "--hnad", "7D"]])
def test_errors_on_a_terminal(words: list[str]) -> None:
    """The same message as in a pipe."""
    seen = in_terminal(*words)
    assert seen.code == 2
    assert plain(seen.terminal) == in_process(*words).err


# -- encodings -----------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
@pytest.mark.parametrize("command", SHORT)
def test_encodings_of_pipes(command: str, encoding: str) -> None:
    """Whatever the output cannot show is written in letters."""
    found = in_process(*SHORT[command], PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert "Traceback" not in found.err
    assert (found.code, found.err) == (0, "")
    if command == "hint":
        assert "5Cx2H3C5S*" in found.out
        assert ("2♥ 3♣ 5♠" if encoding == "utf-8" else "2H 3C 5S") in found.out


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_json_in_other_encodings(encoding: str) -> None:
    """JSON can say everything in ASCII."""
    words = [*README, "--worlds", "2", "--json"]
    found = in_process(*words, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert "Traceback" not in found.err
    assert timeless(found.json) == timeless(call(*words).json)


@pytest.mark.parametrize("command", ["", *SHORT])
def test_help_in_ascii(command: str) -> None:
    """A sign in a help text may be lost, the help not."""
    words = [command, "--help"] if command else ["--help"]
    found = in_process(*words, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (found.code, found.err) == (0, "")
    assert found.out.startswith("Usage: basra")


def test_errors_in_ascii() -> None:
    """They quote what was typed."""
    for extra in ([], ["--json"]):
        words = ["hint", "--hand", "7★", "--floor", "", *extra]
        found = in_process(*words, PYTHONIOENCODING="ascii", PYTHONUTF8="1")
        assert (found.code, found.out) == (2, "")
        assert "Traceback" not in found.err
        if extra:
            assert found.error["field"] == "hand"


def test_plain_locale() -> None:
    """LC_ALL=C without UTF-8 mode."""
    found = in_process(*README, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert (found.code, found.err) == (0, "")


@pytest.mark.parametrize("command", SHORT)
def test_ascii_terminal(command: str) -> None:
    """Cards in letters, in colour."""
    seen = in_terminal(*SHORT[command], PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert "Traceback" not in seen.terminal
    assert seen.code == 0
    assert seen.terminal.isascii()


# -- widths --------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [8, 40, 250])
@pytest.mark.parametrize("command", SHORT)
def test_widths(command: str, columns: int) -> None:
    """No crash, and no line is wider than the terminal."""
    seen = in_terminal(*SHORT[command], COLUMNS=str(columns))
    assert seen.code == 0
    assert "Traceback" not in seen.terminal
    assert max(map(len, plain(seen.terminal).split("\n"))) <= columns


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_a_hint_can_be_read_on_a_narrow_terminal(columns: int) -> None:
    """The moves and their values are there whole, and the table is not a tower of dots."""
    seen = plain(in_terminal(*README, COLUMNS=str(columns)).terminal)
    moves = seen.partition("mean over")[0].partition(" on ")[2]
    values = [f"{move['value']:+.2f}" for move in answer(*README)["moves"]]
    for text in ("5♣", "7♦", "2♠", *values):
        assert text in moves
    assert seen.count("…") < 4
    assert seen.count("\n") < 45


@pytest.mark.parametrize("columns", [40, 60])
def test_rules_can_be_read_on_a_narrow_terminal(columns: int) -> None:
    """The names are what a player needs."""
    seen = plain(in_terminal("rules", COLUMNS=str(columns)).terminal)
    assert all(name in seen for name in ("classic", "egyptian-v2", "palestine-52"))


# -- progress ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "word"),
    [
        ([*LONG_HINT, "--time", "1.7"], "searching"),
        ([*LONG_SOLVE, "--time", "1.7"], "solving"),
    ],
    ids=["hint", "solve"],
)
def test_progress(words: list[str], word: str) -> None:
    """On stderr after a second, not before; gone when the answer comes, which is untouched."""
    seen = in_terminal(*words, "--json", both=False)
    assert seen.code == 0
    shown = seen.first(word)
    assert shown is not None
    assert shown >= 1
    assert all(not text for when, text in seen.pieces if when < 1)
    assert strict_json(seen.out)["stop"] == "time"
    # The cursor is shown again, and the last line wiped.
    assert seen.terminal.count("\x1b[?25l") == seen.terminal.count("\x1b[?25h")
    assert seen.terminal.rstrip("\r").endswith("\x1b[2K")


@pytest.mark.parametrize("words", [README, SOLVE, PERFT])
def test_no_progress_of_short_searches(words: list[str]) -> None:
    """Nothing on stderr."""
    assert in_terminal(*words, both=False).terminal == ""


def test_no_progress_in_pipes() -> None:
    """Nothing on stderr, however long it takes."""
    found = in_process(*LONG_SOLVE, "--time", "1.2", "--json")
    assert found.err == ""
    assert found.json["stop"] == "time"


# -- Ctrl-C --------------------------------------------------------------------------------------

# Says when the program is about to read its arguments; nothing else is loaded early.
_READY = (
    "import sys; from basra.cli import run; sys.argv[0] = 'basra'"
    "; sys.stderr.write('ready\\n'); sys.stderr.flush(); sys.exit(run(sys.argv[1:]))"
)


# Far below what the search would go on for.  The limit that people feel is 100 ms, and is measured
# by benchmarks/latency.py: clocks are no gate on a machine that may be busy.
PROMPTLY = 1.0


class Interrupted(NamedTuple):
    """What an interrupted call left behind, and the seconds from the signal to its end."""

    code: int
    out: str
    err: str
    seconds: float


def interrupt(words: list[str], after: float) -> Interrupted:
    """A call that gets a SIGINT a while after it has begun."""
    process = subprocess.Popen(
        [sys.executable, "-c", _READY, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "ready\n"
    time.sleep(after)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    try:
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()
    return Interrupted(process.returncode, out, err, time.monotonic() - began)


INTERRUPTED = {
    "hint": LONG_HINT,
    "hint, JSON": [*LONG_HINT, "--json"],
    "hint, threads": [*LONG_HINT, "--json", "--threads", "2"],
    "hint, single players": ["hint", *FIRST_DEAL, "--players", "3", *MANY_WORLDS],
    "solve": LONG_SOLVE,
    "solve, JSON": [*LONG_SOLVE, "--json"],
}


@pytest.mark.parametrize("words", INTERRUPTED.values(), ids=INTERRUPTED)
def test_interrupt(words: list[str]) -> None:
    """Exit code 130 at once, the best so far printed, no traceback."""
    runs = [interrupt(words, 0.4) for _ in range(5)]
    for run in runs:
        assert run.code == 130
        assert run.err.strip() == ""
        check_interrupted(run.out, words)
    assert statistics.median(run.seconds for run in runs) <= PROMPTLY


def check_interrupted(out: str, words: list[str]) -> None:
    """The best so far, marked as such."""
    if "--json" not in words:
        assert "stopped by: interrupted" in out
        return
    found = strict_json(out)
    assert found["stop"] == "interrupted"
    assert found["exact"] is False
    assert found["nodes"] > 0
    legal = Position.from_notation(THREE).legal_moves()
    if words[0] == "hint":
        legal = View.from_notation(found["position"]).legal_moves()
    texts = [text for move in found["moves"] for text in (move["move"], *move["equal"])]
    assert sorted(texts) == sorted(move.text for move in legal)
    if words[0] == "hint":
        assert found["worlds"] > 0
        assert all(move["value"] is not None for move in found["moves"])


def test_a_stopped_solve_keeps_what_it_knows() -> None:
    """Moves that were finished have their values, the others none; whatever stopped it."""
    position = Position.deal("classic", 1)
    whole = solve(position, moves=True)
    words = ["solve", "--position", position.notation, "--json"]
    # The value is found first; this stops half-way through the moves.
    limit = (solve(position).nodes + whole.nodes) // 2
    found = strict_json(call(*words, "--nodes", str(limit)).out)
    assert (found["stop"], found["exact"], found["line"]) == ("nodes", False, [])
    values = {move["move"]: move["value"] for move in found["moves"]}
    known = {move: value for move, value in values.items() if value is not None}
    assert 0 < len(known) < len(values)
    assert found["value"] == whole.value
    for move in whole.moves:
        assert known.get(move.move.text, move.value) == move.value


def test_interrupt_after_many_worlds() -> None:
    """As soon where worlds are cheap and there are many of them."""
    words = ["hint", "--hand", "7D 2S 5C", "--floor", "9C", "--partners", "--deal", "3"]
    runs = [interrupt([*words, *MANY_WORLDS], 1.5) for _ in range(3)]
    assert all(run.code == 130 for run in runs)
    assert statistics.median(run.seconds for run in runs) <= PROMPTLY


@pytest.mark.parametrize("words", [["bench"], ["perft", "--depth", "52"]], ids=["bench", "perft"])
def test_interrupt_elsewhere(words: list[str]) -> None:
    """Commands without a best so far end as soon, with nothing printed."""
    run = interrupt(words, 0.4)
    assert run.code == 130
    assert run.out == ""
    assert "Traceback" not in run.err
    assert run.seconds < PROMPTLY


def test_interrupt_on_a_terminal() -> None:
    """The key itself: the line is left clean, the cursor shown, the best so far printed."""
    import pty

    outer, inner = pty.openpty()
    process = subprocess.Popen(
        [*MODULE, *LONG_HINT],
        stdin=inner,
        stdout=inner,
        stderr=inner,
        env=environment(COLUMNS="100"),
        start_new_session=True,
        preexec_fn=lambda: _take_terminal(inner),
    )
    os.close(inner)
    seen = ""
    try:
        while "searching" not in seen:
            seen += os.read(outer, 4096).decode("utf-8", "replace")
        os.write(outer, b"\x03")
        while True:
            try:
                piece = os.read(outer, 4096)
            except OSError:
                break
            if not piece:
                break
            seen += piece.decode("utf-8", "replace")
        assert process.wait(timeout=20) == 130
    finally:
        process.kill()
        process.wait()
        os.close(outer)
    assert "stopped by: interrupted" in plain(seen).replace("\n", " ")
    assert "Traceback" not in seen
    assert seen.rindex("\x1b[?25h") > seen.rindex("\x1b[?25l")


def _take_terminal(terminal: int) -> None:
    import fcntl
    import termios

    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


# -- readers that go away ------------------------------------------------------------------------

CLOSED = {
    "hint": README,
    "hint, JSON": [*README, "--json"],
    "solve": SOLVE,
    "captures": CAPTURES,
    "captures, JSON": [*CAPTURES, "--json"],
    "rules": ["rules"],
    "a rule file": ["rules", "classic"],
    "perft": PERFT,
    "help": ["hint", "--help"],
    "version": ["--version"],
}


@pytest.mark.parametrize("words", CLOSED.values(), ids=CLOSED)
def test_closed_pipe(words: list[str]) -> None:
    """`basra … | head -0`: no traceback, no complaint, and no error."""
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [*MODULE, *words],
            stdout=write,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
            timeout=60,
            check=False,
        )
    finally:
        os.close(write)
    assert done.stderr == ""
    assert done.returncode == 0


def test_head() -> None:
    """`basra … | head -1` with more output than a pipe holds."""
    floor = " ".join(r + s for r in "A234" for s in "CDHS")
    process = subprocess.Popen(
        [*MODULE, "captures", "--floor", floor, "--card", "TD", "--rules", "palestine", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == "{\n"
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(timeout=60) == 0


def test_no_stdout() -> None:
    """`>&-`"""
    script = "import os, subprocess, sys; os.close(1); sys.exit(subprocess.call(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", script, *MODULE, *README],
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        timeout=60,
        check=False,
    )
    assert "Traceback" not in done.stderr
