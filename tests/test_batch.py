"""`basra solve --batch`: an answer for every line, in order, whatever it says; and restarts."""

from __future__ import annotations

import itertools
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from basra import BasraError, Limits, Position, solve
from basra.batch import MAX_LINE, BatchOptions, LineSolver, Part, read_parts
from basra.cli.batch import BAD_LINES
from cli_helpers import MODULE, Answer, call, environment, in_terminal, strict_json
from helpers import TABLES, both, positions_of

POSITION = Position.setup("5S 9D/KH QC", "5H 2C").notation
OVER = Position.setup("5S/KH", "5H 2C").play("5Sx5H").play("KH")


def ends(count: int) -> Iterator[Position]:
    """Ends of rounds of all presets and tables."""
    for number in range(count):
        table = TABLES[number % len(TABLES)]
        rules = both(table.preset).ours
        plies = (8 if table.players == 2 else 5) - number % 4
        yield list(positions_of(rules, table.players, table.partners, number))[-1 - plies]


ENDS = list(ends(40))
GOOD = [json.dumps(position.notation) for position in ENDS]
BAD = ["{", '"x"', "[1]", '{"id": 1}', "", "7", "null", "NaN", '{"position": 4}', '"\\ud800"']


def written(folder: Path, lines: list[str], name: str = "in.jsonl") -> Path:
    """A file of lines."""
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def batch(source: Path | str, *words: str) -> Answer:
    """`basra solve --batch SOURCE` in this process."""
    return call("solve", "--batch", str(source), *words)


def answers(text: str) -> list[dict[str, Any]]:
    """The lines of an output."""
    assert text == "" or text.endswith("\n")
    return [strict_json(line) for line in text.splitlines()]


def run(*words: str | Path, given: bytes | None = None) -> Answer:
    """`basra solve` in a process of its own, with an input."""
    done = subprocess.run(
        [*MODULE, "solve", *map(str, words)],
        input=given, capture_output=True, env=environment(), timeout=120, check=False,
    )  # fmt: skip
    return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())


def solve_line(line: str | bytes, **options: Any) -> dict[str, Any]:
    """The answer to one line."""
    raw = line.encode() if isinstance(line, str) else line
    [found] = answers(LineSolver(BatchOptions(**options)).answer(Part(1, [raw], 0)).text.decode())
    return found


# -- answers -------------------------------------------------------------------------------------


def test_every_line_in_order(tmp_path: Path) -> None:
    """Numbers, values, nodes and points as of `solve`; nothing on stderr."""
    found = batch(written(tmp_path, GOOD))
    assert (found.code, found.err) == (0, "")
    listed = answers(found.out)
    for number, (position, answer) in enumerate(zip(ENDS, listed, strict=True), 1):
        solution = solve(position)
        wanted: dict[str, Any] = {
            "line": number,
            "value": solution.value,
            "exact": True,
            "nodes": solution.nodes,
            "stop": "complete",
            "crc": f"{crc32(GOOD[number - 1].encode()):08x}",
        }
        if solution.points is not None:
            wanted["points"] = list(solution.points)
        assert answer == wanted


def test_moves_and_line(tmp_path: Path) -> None:
    """As in the JSON of one position."""
    path = written(tmp_path, GOOD)
    listed = answers(batch(path, "--moves", "--line").out)
    for position, answer in zip(ENDS, listed, strict=True):
        whole = solve(position, line=True).to_dict()
        assert answer["moves"] == whole["moves"]
        assert answer["best_play"] == whole["line"]
        assert answer["nodes"] == whole["nodes"]
    only = answers(batch(path, "--moves").out)
    assert [a["moves"] for a in only] == [a["moves"] for a in listed]
    assert all("best_play" not in a for a in only)
    line = answers(batch(path, "--line").out)
    assert [a["best_play"] for a in line] == [a["best_play"] for a in listed]
    assert all("moves" not in a for a in line)


FORMS: list[dict[str, Any]] = [
    {"position": POSITION},
    {"hands": "5S 9D / KH QC", "floor": "5H 2C"},
    {"hands": "5s9d/khqc", "floor": "5h,2c", "rules": "classic", "last": "none", "carry": 0},
    {"hands": "5S 9D/KH QC", "floor": "5H 2C", "stock": "", "partners": False, "cards": "23:23"},
    {"hands": "5S 9D/KH QC", "floor": "5H 2C", "cards": [23, 23], "last": "me"},
]


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_ways_to_write_a_position(form: dict[str, Any]) -> None:
    """A notation, or what the options of `solve` are called."""
    found = solve_line(json.dumps(form))
    assert found["value"] == 32
    for name in ("a name", 7, -1):
        assert solve_line(json.dumps({**form, "id": name}))["id"] == name


def test_rules_of_lines() -> None:
    """As in notations; the option's are those of lines that name none."""
    form = {"hands": "5S / KH", "floor": "5H"}
    values = {
        rules: solve_line(json.dumps({**form, "rules": rules}))["value"]
        for rules in ("classic", "palestine-52", "classic+basra_points=25")
    }
    assert values == {"classic": 40, "palestine-52": 13, "classic+basra_points=25": 55}
    twenty = both("classic", basra_points=20).ours
    assert solve_line(json.dumps(form), rules=twenty)["value"] == 50
    assert solve_line(json.dumps({**form, "rules": "classic"}), rules=twenty)["value"] == 40


def test_rules_option(tmp_path: Path) -> None:
    """A preset or a file, for lines that describe a position."""
    path = written(tmp_path, ['{"hands": "5S / KH", "floor": "5H"}', json.dumps(POSITION)])
    rules = tmp_path / "mine.toml"
    rules.write_text('base = "classic"\nbasra_points = 20\n', encoding="utf-8")
    assert [a["value"] for a in answers(batch(path, "--rules", str(rules)).out)] == [50, 32]


def test_blanks_and_line_ends(tmp_path: Path) -> None:
    """Blanks around, CR LF, a mark of UTF-8 at the start, no newline at the end."""
    path = tmp_path / "in.jsonl"
    text = f'\ufeff "{POSITION}" \r\n\t"{POSITION}"\r\n"{POSITION}"'
    path.write_bytes(text.encode())
    assert [a["value"] for a in answers(batch(path).out)] == [32] * 3


def test_empty_file(tmp_path: Path) -> None:
    """Nothing asked, nothing answered."""
    assert batch(written(tmp_path, [])) == Answer(0, "", "")
    assert batch(written(tmp_path, []), "--threads", "2") == Answer(0, "", "")


def test_limits_are_for_each_line(tmp_path: Path) -> None:
    """A line that is stopped is not a bad one."""
    long = json.dumps(Position.deal("palestine-52", 1, players=3).notation)
    path = written(tmp_path, [GOOD[0], long, GOOD[1]])
    found = batch(path, "--nodes", "2000")
    assert (found.code, found.err) == (0, "")
    listed = answers(found.out)
    assert [a["stop"] for a in listed] == ["complete", "nodes", "complete"]
    assert (listed[1]["value"], listed[1]["exact"]) == (None, False)
    assert listed[1]["nodes"] <= 2000


# -- bad lines -----------------------------------------------------------------------------------


def test_bad_lines(tmp_path: Path) -> None:
    """Each has one error, the rest go on; the end says how many, and so does the exit code."""
    lines = [line for pair in zip(GOOD, BAD, strict=False) for line in pair] + GOOD
    path = written(tmp_path, lines)
    whole = batch(path)
    assert whole.code == BAD_LINES
    assert re.fullmatch(
        rf"basra: {len(lines)} lines: {len(lines) - len(BAD)} solved, {len(BAD)} bad; .* s\n",
        whole.err,
    )
    listed = answers(whole.out)
    assert [a["line"] for a in listed] == list(range(1, len(lines) + 1))
    for line, answer in zip(lines, listed, strict=True):
        assert ("error" in answer) == (line in BAD)
        assert ("value" in answer) == (line not in BAD)
        if line in BAD:
            assert set(answer["error"]) == {"code", "field", "value", "message", "fix"}
            assert answer["error"]["message"]
            assert answer["error"]["fix"]
    assert batch(path, "--threads", "2").out == whole.out
    told = batch(path, "--json")
    assert (told.code, told.out) == (BAD_LINES, whole.out)
    assert told.error["value"] == f"{len(BAD)} of {len(lines)} lines"


WRONG: list[tuple[str | bytes, str, str]] = [
    # line, field, part of the message
    ("", "line", "empty"),
    ("   ", "line", "empty"),
    ("{", "line", "not JSON"),
    ('"a" "b"', "line", "not JSON"),
    ("NaN", "line", "not JSON"),
    ("[" * 100_000, "line", "not JSON"),
    ("9" * 10_000, "line", "not JSON"),
    (b'"\xff"', "line", "UTF-8"),
    ("7", "line", "neither text nor an object"),
    ("null", "line", "neither text nor an object"),
    ('["5S"]', "line", "neither text nor an object"),
    ('"KH"', "position", "does not start"),
    ("{}", "hands", "missing"),
    ('{"hands": "5S/KH"}', "floor", "missing"),
    ('{"hands": ["5S", "KH"], "floor": ""}', "hands", "not text"),
    ('{"hands": "5S/KH", "floor": "", "carry": "x"}', "carry", "not a number of points"),
    ('{"hands": "5S/KH", "floor": "", "carry": 1e400}', "carry", "not a number of points"),
    ('{"hands": "5S/KH", "floor": "", "carry": null}', "carry", "not a number of points"),
    ('{"hands": "5S/KH", "floor": "", "cards": 7}', "cards", "not a list"),
    ('{"hands": "5S/KH", "floor": "", "cards": ["7", 3]}', "cards", "not a number of cards"),
    ('{"hands": "5S/KH", "floor": "", "partners": 1}', "partners", "not true or false"),
    ('{"hands": "5S/KH", "floor": "", "rules": "mine.toml"}', "rules", "not a preset"),
    ('{"hands": "5S/KH", "floor": "", "last": 1}', "last", "not text"),
    ('{"hands": "5S/5S", "floor": ""}', "hands", "too"),
    ('{"hands": "5S/KH", "floor": "", "colour": 1}', "colour", "not known"),
    (f'{{"position": "{POSITION}", "floor": ""}}', "floor", "cannot go with position"),
    (f'{{"position": "{POSITION}", "id": 1.5}}', "id", "neither text nor a whole number"),
    (f'{{"position": "{POSITION}", "id": true}}', "id", "neither text nor a whole number"),
    (f'{{"position": "{POSITION}", "id": null}}', "id", "neither text nor a whole number"),
    ('{"position": null}', "position", "not text"),
    (json.dumps(OVER.notation), "position", "over"),
]


@pytest.mark.parametrize(("line", "field", "message"), WRONG, ids=lambda value: str(value)[:40])
def test_wrong_lines(line: str | bytes, field: str, message: str) -> None:
    """What is wrong with them, and where."""
    found = solve_line(line)
    assert list(found) == ["line", "error", "crc"]
    assert found["error"]["field"] == field
    assert message in found["error"]["message"]
    assert len(found["error"]["value"]) <= 60


def test_bad_lines_keep_their_id() -> None:
    """If it can be read."""
    found = solve_line('{"id": "seven", "position": "nonsense"}')
    assert list(found) == ["line", "id", "error", "crc"]
    assert found["id"] == "seven"


_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
_KEYS = st.sampled_from(
    ["position", "hands", "floor", "stock", "cards", "last", "carry", "partners", "rules", "id"]
)
_VALUES = st.one_of(
    _JSON, st.sampled_from(["5S/KH", "5H 2C", "me", "classic", POSITION, 0, 30, [1, 2], True])
)


@settings(max_examples=400)
@given(
    st.one_of(
        st.binary(max_size=40),
        _JSON.map(lambda value: json.dumps(value).encode()),
        st.dictionaries(_KEYS, _VALUES, max_size=6).map(lambda value: json.dumps(value).encode()),
    )
)
def test_any_line(line: bytes) -> None:
    """Has one answer, in JSON, on one line of ASCII."""
    text = LineSolver(BatchOptions(Limits(nodes=1000))).answer(Part(5, [line], 0)).text
    assert text.endswith(b"\n")
    assert text.count(b"\n") == 1
    assert text.isascii()
    found = strict_json(text.decode())
    assert found["line"] == 5
    assert ("error" in found) != ("value" in found)


@settings(max_examples=200)
@given(st.binary(max_size=200), st.integers(0, len(POSITION)), st.integers(0, 12))
def test_any_damaged_line(put: bytes, start: int, length: int) -> None:
    """A notation with something else in its middle."""
    text = json.dumps(POSITION).encode()
    line = text[:start] + put + text[start + length :]
    found = strict_json(LineSolver(BatchOptions()).answer(Part(1, [line], 0)).text.decode())
    assert ("error" in found) != ("value" in found)


# -- reading -------------------------------------------------------------------------------------


class Pieces:
    """A stream that gives what it has in pieces of any size."""

    def __init__(self, text: bytes, dice: random.Random) -> None:
        self._stream = BytesIO(text)
        self._dice = dice
        self.most = 0

    def read(self, size: int, /) -> bytes:
        """Some of it."""
        return self._stream.read(self._dice.randint(1, size))


@pytest.mark.parametrize("seed", range(20))
def test_lines_are_those_of_the_file(seed: int) -> None:
    """Wherever it is cut; numbers go on from part to part."""
    dice = random.Random(seed)
    lengths = [0, 1, 50, 3000, 70_000, 140_000]
    lines = [bytes([65 + i % 26]) * dice.choice(lengths) for i in range(40)]
    ends = dice.choice([b"", b"\n"])
    text = b"\n".join(lines) + ends
    parts = list(read_parts(Pieces(text, dice)))
    found = [line for part in parts for line in part.lines]
    assert found == (lines if ends or lines[-1] else lines[:-1])
    assert [part.first for part in parts] == [
        1 + sum(len(p.lines) for p in parts[:i]) for i in range(len(parts))
    ]
    assert parts[-1].end == len(text)


@pytest.mark.parametrize("size", [MAX_LINE, MAX_LINE + 1, 5 * MAX_LINE])
@pytest.mark.parametrize("end", [b"", b"\n", b"\nnext\n"])
def test_lines_that_are_too_long(size: int, end: bytes) -> None:
    """None in their place; the next one is whole."""
    text = b"first\n" + b"x" * size + end
    found = [line for part in read_parts(BytesIO(text)) for line in part.lines]
    long = b"x" * size if size == MAX_LINE else None
    assert found == [b"first", long, *([b"next"] if b"next" in end else [])]


def test_too_long_is_an_error(tmp_path: Path) -> None:
    """And no more."""
    path = written(tmp_path, [GOOD[0], f'"{"x" * (MAX_LINE + 10)}"', GOOD[1]])
    found = batch(path)
    assert found.code == BAD_LINES
    listed = answers(found.out)
    assert "1,000,000 bytes" in listed[1]["error"]["message"]
    assert listed[1]["crc"] is None
    assert [a.get("value") for a in listed] == [solve(ENDS[0]).value, None, solve(ENDS[1]).value]


# -- processes -----------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", ["2", "3", "5"])
def test_workers_change_nothing(tmp_path: Path, threads: str) -> None:
    """The same file, to the byte."""
    dice = random.Random(1)
    lines = [dice.choice(BAD if dice.random() < 0.1 else GOOD) for _ in range(3000)]
    path = written(tmp_path, lines)
    one = run("--batch", path)
    many = run("--batch", path, "--threads", threads)
    assert many.out == one.out
    assert many.code == one.code == BAD_LINES
    out = tmp_path / "out"
    assert run("--batch", path, "--threads", threads, "--output", out).code == BAD_LINES
    assert out.read_text() == one.out


@pytest.mark.parametrize("threads", ["1", "2"])
def test_stdin(threads: str) -> None:
    """`--batch -`"""
    given = "".join(f"{line}\n" for line in GOOD * 20).encode()
    found = run("--batch", "-", "--threads", threads, given=given)
    assert (found.code, found.err) == (0, "")
    assert [a["line"] for a in answers(found.out)] == list(range(1, 20 * len(GOOD) + 1))


@pytest.mark.parametrize("threads", ["1", "2"])
def test_answers_come_as_lines_do(threads: str) -> None:
    """Somebody who waits for an answer before asking on gets it."""
    process = subprocess.Popen(
        [*MODULE, "solve", "--batch", "-", "--threads", threads],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    for number, line in enumerate(GOOD[:5], 1):
        process.stdin.write(line.encode() + b"\n")
        process.stdin.flush()
        assert strict_json(process.stdout.readline().decode())["line"] == number
    process.stdin.close()
    assert process.wait(timeout=30) == 0
    process.stdout.close()


def test_one_worker_is_this_process(tmp_path: Path) -> None:
    """Nothing of multiprocessing is loaded."""
    script = (
        "import sys; from basra.cli import run; code = run(sys.argv[1:])"
        "; assert not any(name.startswith('multiprocessing') for name in sys.modules)"
        "; sys.exit(code)"
    )
    words = ["solve", "--batch", str(written(tmp_path, GOOD))]
    done = subprocess.run(
        [sys.executable, "-c", script, *words], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def workers_of(pid: int) -> list[int]:
    """Processes that solve for another."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            words = (entry / "cmdline").read_text()
        except OSError:
            continue
        if parent == pid and "spawn_main" in words:
            found.append(int(entry.name))
    return found


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


class Running:
    """A batch that goes on for long, its output growing."""

    def __init__(self, folder: Path, *words: str, count: int = 200_000) -> None:
        self.lines = [GOOD[i % len(GOOD)] for i in range(count)]
        self.source = written(folder, self.lines)
        self.out = folder / "out.jsonl"
        self.process = subprocess.Popen(
            [*MODULE, "solve", "--batch", self.source, "--output", self.out, *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(),
        )  # fmt: skip

    def wait_for(self, size: int) -> None:
        """Until so many bytes have come out."""
        deadline = time.monotonic() + 60
        while not self.out.exists() or self.out.stat().st_size < size:
            assert time.monotonic() < deadline
            assert self.process.poll() is None
            time.sleep(0.005)

    def end(self) -> tuple[str, str]:
        """What it says when it ends."""
        try:
            return self.process.communicate(timeout=30)
        finally:
            self.process.kill()


@pytest.mark.parametrize("threads", ["1", "2"])
def test_interrupted(tmp_path: Path, threads: str) -> None:
    """Exit code 130 at once; what was answered is there, in whole lines; no worker is left."""
    running = Running(tmp_path, "--threads", threads)
    running.wait_for(1)
    workers = workers_of(running.process.pid) if Path("/proc/self/stat").exists() else []
    began = time.monotonic()
    running.process.send_signal(signal.SIGINT)
    out, err = running.end()
    assert (running.process.returncode, out, err.strip()) == (130, "", "")
    # Measured by people; a busy machine must not fail a test.
    assert time.monotonic() - began < 2
    listed = answers(running.out.read_text())
    assert [a["line"] for a in listed] == list(range(1, len(listed) + 1))
    assert 0 < len(listed) < len(running.lines)
    assert not [pid for pid in workers if Path(f"/proc/{pid}/stat").exists()]


@pytest.mark.parametrize("threads", ["1", "2"])
def test_interrupted_while_starting(tmp_path: Path, threads: str) -> None:
    """Whenever it comes: no traceback, of this process or of a worker."""
    source = written(tmp_path, GOOD * 2000)
    for delay in (0.01, 0.03, 0.06, 0.1, 0.15, 0.25):
        process = subprocess.Popen(
            [sys.executable, "-c", READY, "solve", "--batch", source, "--threads", threads],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(),
            start_new_session=True,
        )  # fmt: skip
        assert process.stderr is not None
        assert process.stderr.readline() == "ready\n"
        time.sleep(delay)
        # As a terminal does it: to the whole group.
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert (process.returncode, err.strip()) == (130, "")
        answers(out)


READY = (
    "import sys; from basra.cli import run; import basra.cli.solve, basra.cli.batch"
    "; sys.stderr.write('ready\\n'); sys.stderr.flush(); sys.exit(run(sys.argv[1:]))"
)


@needs_proc
def test_a_worker_dies(tmp_path: Path) -> None:
    """A clear error, no hang; the answers so far are whole, and it can go on."""
    running = Running(tmp_path, "--threads", "2", count=20_000)
    running.wait_for(1)
    os.kill(workers_of(running.process.pid)[0], signal.SIGKILL)
    out, err = running.end()
    assert (running.process.returncode, out) == (1, "")
    assert "worker" in err
    assert "exit code -9" in err
    assert "--resume" in err
    assert "Traceback" not in err
    answers(running.out.read_text())
    found = run("--batch", running.source, "--output", running.out, "--resume")
    assert (found.code, found.err) == (0, "")
    assert len(answers(running.out.read_text())) == len(running.lines)


@needs_proc
def test_workers_do_not_outlive_a_kill(tmp_path: Path) -> None:
    """They end when nobody reads their answers."""
    running = Running(tmp_path, "--threads", "2")
    running.wait_for(1)
    workers = workers_of(running.process.pid)
    assert len(workers) == 2
    running.process.kill()
    running.end()
    deadline = time.monotonic() + 20
    while any(Path(f"/proc/{pid}").exists() for pid in workers):
        assert time.monotonic() < deadline
        time.sleep(0.02)


@needs_proc
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc")
@pytest.mark.parametrize("threads", ["1", "2"])
def test_memory_does_not_grow(tmp_path: Path, threads: str) -> None:
    """With the number of lines, nor with the length of one."""
    peaks = []
    for count, size in ((40_000, 0), (200_000, 40 * MAX_LINE)):
        source = tmp_path / f"{count}.jsonl"
        with source.open("w") as file:
            file.writelines(f"{line}\n" for line in itertools.islice(itertools.cycle(BAD), count))
            for _ in range(size // MAX_LINE):
                file.write("x" * MAX_LINE)
        done = subprocess.run(
            [sys.executable, "-c", PEAK, "solve", "--batch", source, "--threads", threads],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False, timeout=120,
        )  # fmt: skip
        peaks.append(int(done.stderr.split()[-1]))
    # In kB.  The second input is 40 MB longer, and so are its answers by tens of them.
    assert peaks[1] - peaks[0] < 8_000


PEAK = (
    "import re, sys; from basra.cli import run; run(sys.argv[1:])"
    "; most = re.search(r'VmHWM:\\s*(\\d+) kB', open('/proc/self/status').read())[1]"
    "; print(most, file=sys.stderr)"
)


@pytest.mark.parametrize("threads", ["1", "2"])
def test_closed_pipe(tmp_path: Path, threads: str) -> None:
    """`basra … | head -1`: no traceback, no complaint, and no error."""
    process = subprocess.Popen(
        [*MODULE, "solve", "--batch", written(tmp_path, GOOD * 500), "--threads", threads],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(),
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline().startswith('{"line":1,')
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(timeout=60) == 0


# -- outputs and restarts ------------------------------------------------------------------------


def refusal(*words: str | Path) -> dict[str, Any]:
    """The error of a call that is refused."""
    found = call("solve", *map(str, words), "--json")
    assert (found.code, found.out) == (2, "")
    return found.error


def test_output_is_never_overwritten(tmp_path: Path) -> None:
    """Without --resume an old one is refused; with it, a new one is begun."""
    path, out = written(tmp_path, GOOD), tmp_path / "out"
    out.write_text("precious")
    error = refusal("--batch", path, "--output", out)
    assert (error["field"], error["value"]) == ("output", str(out))
    assert "--resume" in error["fix"]
    assert out.read_text() == "precious"
    new = tmp_path / "new"
    assert batch(path, "--output", str(new), "--resume") == Answer(0, "", "")
    assert new.read_text() == batch(path).out
    assert batch(path, "--output", str(new), "--resume") == Answer(0, "", "")
    assert new.read_text() == batch(path).out


@pytest.mark.parametrize("threads", ["1", "2"])
def test_resume_anywhere(tmp_path: Path, threads: str) -> None:
    """Whatever is there of the output, the end is the same file; torn lines are dropped."""
    lines = [*GOOD, *BAD, *GOOD[::-1]]
    path, out = written(tmp_path, lines), tmp_path / "out"
    whole = batch(path)
    text = whole.out.encode()
    dice = random.Random(1)
    cuts = [0, 1, len(text) - 1, len(text), *(dice.randrange(len(text)) for _ in range(12))]
    for cut in cuts if threads == "1" else cuts[::6]:
        out.write_bytes(text[:cut])
        found = batch(path, "--output", str(out), "--resume", "--threads", threads)
        assert out.read_bytes() == text
        # Bad lines answered before count as well.
        assert found.code == whole.code == BAD_LINES
        assert f"{len(lines)} lines" in found.err
        assert f"{len(BAD)} bad" in found.err


@pytest.mark.parametrize("threads", ["1", "2"])
def test_killed_again_and_again(tmp_path: Path, threads: str) -> None:
    """kill -9 at any time, and on from there: the same file in the end."""
    dice = random.Random(int(threads))
    lines = [dice.choice(BAD if dice.random() < 0.05 else GOOD) for _ in range(12_000)]
    path, out = written(tmp_path, lines), tmp_path / "out"
    wanted = run("--batch", path).out
    kills = 0
    for share in sorted(dice.uniform(0, 0.9) for _ in range(6)):
        process = subprocess.Popen(
            [*MODULE, "solve", "--batch", path, "--output", out, "--resume", "--threads", threads],
            stderr=subprocess.DEVNULL, env=environment(),
        )  # fmt: skip
        try:
            grown(out, round(share * len(wanted)), process)
        finally:
            process.kill()
        kills += process.wait() != BAD_LINES
    run("--batch", path, "--output", out, "--resume", "--threads", threads)
    assert kills > 0
    assert out.read_text() == wanted


def grown(out: Path, size: int, process: subprocess.Popen[bytes]) -> None:
    """Waits until the output is that large, or nobody writes it any more."""
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        if out.exists() and out.stat().st_size > size:
            return
        time.sleep(0.001)


FOREIGN = {
    "another line": lambda text: text.replace('"crc":"', '"crc":"0', 1),
    "another number": lambda text: text.replace('"line":2,', '"line":3,', 1),
    "not JSON": lambda text: "x" + text,
    "not an object": lambda text: "[]\n" + text,
    "more than there is": lambda text: text + text,
    "empty lines": lambda text: "\n" + text,
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_resume_refuses_what_does_not_fit(tmp_path: Path, kind: str) -> None:
    """An output of something else stays as it is."""
    path, out = written(tmp_path, GOOD), tmp_path / "out"
    other = FOREIGN[kind](batch(path).out)
    out.write_text(other)
    error = refusal("--batch", path, "--output", out, "--resume")
    assert error["field"] == "output"
    assert "line" in error["message"]
    assert out.read_text() == other


def test_resume_with_another_input(tmp_path: Path) -> None:
    """The same number of lines, in another order."""
    out = tmp_path / "out"
    batch(written(tmp_path, GOOD), "--output", str(out))
    other = written(tmp_path, GOOD[::-1], "other.jsonl")
    assert (
        "does not go with this input: line 1"
        in refusal("--batch", other, "--output", out, "--resume")["message"]
    )


def test_resume_with_other_options(tmp_path: Path) -> None:
    """Half of a file with moves and half without is no use."""
    path, out = written(tmp_path, GOOD), tmp_path / "out"
    batch(path, "--output", str(out))
    error = refusal("--batch", path, "--output", out, "--resume", "--moves")
    assert "--moves" in error["message"]


REFUSED: dict[str, tuple[list[str], str]] = {
    "no such file": (["--batch", "nothing.jsonl"], "batch"),
    "a folder": (["--batch", "."], "batch"),
    "threads": (["--batch", "IN", "--threads", "0"], "threads"),
    "many threads": (["--batch", "IN", "--threads", "999"], "threads"),
    "hands": (["--batch", "IN", "--hands", "5S/KH"], "hands"),
    "empty floor": (["--batch", "IN", "--floor", ""], "floor"),
    "position": (["--batch", "IN", "--position", POSITION], "position"),
    "partners": (["--batch", "IN", "--partners"], "partners"),
    "resume what": (["--batch", "IN", "--resume"], "resume"),
    "no folder": (["--batch", "IN", "--output", "no/such/out"], "output"),
    "table": (["--batch", "IN", "--table", "0"], "table"),
    "time": (["--batch", "IN", "--time", "0"], "time"),
    "rules": (["--batch", "IN", "--rules", "clasic"], "rules"),
    "threads of one": (["--position", POSITION, "--threads", "2"], "threads"),
    "threads of one, 0": (["--position", POSITION, "--threads", "0"], "threads"),
    "output of one": (["--position", POSITION, "--output", "x"], "output"),
    "resume of one": (["--position", POSITION, "--resume"], "resume"),
    "moves of one": (["--position", POSITION, "--moves"], "moves"),
    "line of one": (["--position", POSITION, "--line"], "line"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is read or written."""
    monkeypatch.chdir(tmp_path)
    words, field = REFUSED[name]
    path = written(tmp_path, GOOD)
    error = refusal(*(str(path) if word == "IN" else word for word in words))
    assert error["field"] == field
    assert error["fix"]
    assert list(tmp_path.iterdir()) == [path]


def test_full_disk(tmp_path: Path) -> None:
    """An error, not an end."""
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*MODULE, "solve", "--batch", written(tmp_path, GOOD)],
            stdout=full, stderr=subprocess.PIPE, text=True, env=environment(), check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert "cannot write the answer" in done.stderr
    assert "Traceback" not in done.stderr


# -- progress ------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", ["1", "2"])
def test_progress(tmp_path: Path, threads: str) -> None:
    """After a second: the count, the rate and the time that is left; gone at the end."""
    pytest.importorskip("pty", reason="needs pseudo-terminals")
    slow = [json.dumps(Position.deal("palestine-52", 1, players=3).notation)]
    path = written(tmp_path, [*GOOD * 50, *slow * 4, *GOOD * 50])
    out = tmp_path / "out"
    words = ["--time", "0.4", "--output", str(out), "--threads", threads]
    seen = in_terminal("solve", "--batch", str(path), *words, both=False)
    assert seen.code == 0
    shown = seen.first("lines")
    assert shown is not None
    assert shown >= 1
    assert re.search(r"[\d,]+ lines, [\d,]+/s", seen.terminal)
    assert re.search(r"\d:\d\d:\d\d", seen.terminal)
    assert seen.terminal.count("\x1b[?25l") == seen.terminal.count("\x1b[?25h")
    assert "4,004 lines: 4,004 solved, 0 bad" in seen.terminal
    assert len(answers(out.read_text())) == 4_004


def test_no_progress_of_short_batches(tmp_path: Path) -> None:
    """Only the sum at the end."""
    pytest.importorskip("pty", reason="needs pseudo-terminals")
    seen = in_terminal("solve", "--batch", str(written(tmp_path, GOOD)), both=False)
    assert seen.terminal.count("\n") == 1
    assert seen.terminal.startswith("basra: 40 lines: 40 solved, 0 bad")


def test_errors_have_one_shape() -> None:
    """A bad line's error is the one that the same input has on the command line."""
    found = solve_line('{"hands": "5S/6X", "floor": ""}')["error"]
    assert found == refusal("--hands", "5S/6X", "--floor", "")
    assert issubclass(BasraError, Exception)
