"""The ends of a conversation, and what a server must outlive."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

import pytest

from basra.serve.outbox import Outbox
from basra.serve.protocol import Request
from basra.serve.schedule import MAX_WAITING, Schedule
from basra.serve.server import QUIT_GRACE
from basra.serve.work import Worker
from cli_helpers import JSON, MODULE, environment
from serve_helpers import (
    CAPTURES,
    HAND,
    LONG,
    PATIENCE,
    InProcess,
    Talk,
    check_answer,
    ids,
    last_deals,
    line,
    validator,
)

posix = pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs POSIX signals")
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")

MB = 1 << 20


# -- ends ----------------------------------------------------------------------------------------


def test_the_end_of_the_input() -> None:
    """What waits is answered, also a last line without an end."""
    with Talk() as talk:
        talk.send(*({"id": id, "type": "analyze", "position": HAND} for id in range(5)))
        talk.write(line({"id": 5, **CAPTURES})[:-1])
        answers = talk.end()
        assert ids(answers) == list(range(6))
        assert not any("error" in answer for answer in answers)


def test_nothing_to_answer() -> None:
    """An empty input."""
    with Talk() as talk:
        assert talk.end() == []


def test_quit() -> None:
    """What waits is stopped, what runs may take a second; the answer to it is the last."""
    with Talk() as talk:
        talk.send({"id": 1, **LONG})
        talk.begun(1)
        began = time.monotonic()
        talk.send({"id": 2, **CAPTURES}, {"id": 3, "type": "quit"}, {"id": 4, **CAPTURES})
        answers = talk.ended(0)
        assert time.monotonic() - began > QUIT_GRACE / 2
        assert ids(answers) == [1, 2, 3]
        assert answers[0]["result"]["stop"] == "requested"
        assert answers[1]["error"]["code"] == "stopped"
        assert answers[2]["result"] == {}


def test_quit_lets_short_work_end() -> None:
    """It is not cut short."""
    with Talk() as talk:
        talk.send({"id": 1, **LONG, "limits": {"worlds": 1_000_000, "time": QUIT_GRACE / 2}})
        talk.begun(1)
        talk.send({"id": 2, "type": "quit"})
        assert talk.ended(0)[0]["result"]["stop"] == "time"


@posix
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals(number: signal.Signals, code: int) -> None:
    """All ends soon, with final answers to everything."""
    with Talk() as talk:
        talk.send({"id": 1, **LONG})
        talk.begun(1)
        talk.send({"id": 2, **LONG}, {"id": 3, **CAPTURES})
        talk.ask({"id": 4, "type": "ping"})
        talk.process.send_signal(number)
        answers = talk.ended(code)
        assert ids(answers) == [1, 2, 3]
        assert answers[0]["result"]["stop"] == "requested"
        assert [answer["error"]["code"] for answer in answers[1:]] == ["stopped", "stopped"]


@posix
def test_a_signal_when_nobody_takes_answers() -> None:
    """The answers are lost then, but it ends."""
    with unread() as process:
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130


@pytest.mark.parametrize("busy", [False, True])
def test_a_reader_that_goes_away(busy: bool) -> None:
    """Even while there is nothing to write, or a long search: a quiet end."""
    process = started()
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(line({"id": 1, "type": "ping"}))
        process.stdin.flush()
        process.stdout.readline()
        if busy:
            process.stdin.write(line({"id": 2, **LONG}))
            process.stdin.flush()
        process.stdout.close()
        assert process.wait(PATIENCE) == 0
        assert process.stderr.read() == b""
    finally:
        stop_process(process)


def started() -> subprocess.Popen[bytes]:
    """A server that nobody reads yet."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [*MODULE, "serve"], stdin=pipe, stdout=pipe, stderr=pipe, env=environment()
    )


def stop_process(process: subprocess.Popen[bytes]) -> None:
    """Leaves nothing of it."""
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        assert stream is not None
        with suppress(OSError):
            stream.close()


class unread:
    """A server that has been asked more than it can tell as long as nobody reads."""

    def __enter__(self) -> subprocess.Popen[bytes]:
        self.process = started()
        assert self.process.stdin is not None
        file, text = self.process.stdin.fileno(), line({"id": 1, **CAPTURES}) * 1000
        os.set_blocking(file, False)
        self.sent, quiet = 0, 0
        # Until it has not taken anything for a while.
        while quiet < 10 and self.sent < 100 * MB:
            try:
                self.sent += os.write(file, text)
                quiet = 0
            except BlockingIOError:
                quiet += 1
                time.sleep(0.05)
        return self.process

    def __exit__(self, *_: object) -> None:
        stop_process(self.process)


# -- what it must outlive ------------------------------------------------------------------------


@linux
def test_answers_that_nobody_takes() -> None:
    """It reads no more then, and its memory is bounded."""
    reader = unread()
    with reader as process:
        assert reader.sent < 30 * MB
        assert memory(process.pid) < 150 * MB


def memory(process: int) -> int:
    """Bytes that a process holds."""
    with open(f"/proc/{process}/statm", encoding="ascii") as numbers:
        return int(numbers.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@linux
def test_many_solves() -> None:
    """5,000 at a time: in order, none lost, all good, and memory does not grow."""
    deals, used = last_deals(50), []
    with Talk() as talk:
        for round in range(3):
            numbers = range(5000 * round, 5000 * (round + 1))
            asked = ({"id": n, "type": "solve", "position": deals[n % 50]} for n in numbers)
            talk.write(b"".join(map(line, asked)))
            talk.until(lambda answers: len(answers) == 5000)
            assert ids(talk.answers) == list(numbers)
            values = [answer["result"]["value"] for answer in talk.answers]
            assert values == values[:50] * 100
            for answer in talk.answers[::50]:
                validator("solveAnswer").validate(answer)
            talk.answers.clear()
            used.append(memory(talk.process.pid))
        assert used[2] < used[0] + 8 * MB
        talk.end()


def test_the_queue_is_bounded() -> None:
    """What is added beyond waits for half of it to be taken; then all come, in order."""
    schedule, count = Schedule(), 3 * MAX_WAITING
    most: list[int] = []
    adder = threading.Thread(
        target=lambda: schedule.add(Request(number, "ping") for number in range(count))
    )
    adder.start()
    for number in range(count):
        request = schedule.next(wait=True)
        assert request is not None
        assert request.id == number
        most.append(schedule.waiting)
    adder.join(PATIENCE)
    assert max(most) <= MAX_WAITING
    assert schedule.next() is None


def test_the_end_frees_who_waits_for_room() -> None:
    """What there was no room for is not taken in any more."""
    schedule = Schedule()
    requests = (Request(number, "ping") for number in range(MAX_WAITING + 10))
    taken: list[bool] = []
    adder = threading.Thread(target=lambda: taken.append(schedule.add(requests)))
    adder.start()
    end = time.monotonic() + PATIENCE
    while schedule.waiting < MAX_WAITING and time.monotonic() < end:
        time.sleep(0.001)
    schedule.end(stop=True)
    adder.join(PATIENCE)
    assert taken == [False]
    stopped = [schedule.next(wait=True) for _ in range(MAX_WAITING)]
    assert all(request is not None and request.stopped for request in stopped)
    assert schedule.next(wait=True) is None


def test_answers_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for them any more."""
    read, write = os.pipe()
    outbox = Outbox(write)
    os.close(read)
    outbox.put(b"1\n", urgent=True)
    outbox.run()
    assert outbox.gone
    for _ in range(40):
        outbox.put(b"x" * MB, urgent=False)
    os.close(write)


def test_long_lines() -> None:
    """1,000,000 bytes are taken; what is longer is refused, and its rest is skipped."""
    whole = line({"id": 1, **CAPTURES})[:-1]
    with Talk() as talk:
        talk.write(whole + b" " * (1_000_000 - len(whole)) + b"\n")
        talk.write(whole + b" " * (1_000_001 - len(whole)) + b"\n")
        for _ in range(20):
            talk.write(b"x" * MB)
        talk.write(b"\n" + line({"id": 2, **CAPTURES}))
        answers = talk.end()
        assert ids(answers) == [1, None, None, 2]
        for answer in answers[1:3]:
            assert "1,000,000" in answer["error"]["message"]


def test_what_cannot_happen_is_an_answer_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A defect, or no memory, costs one request its result and no other."""
    with InProcess() as inside:
        for error, code in ((KeyError("odd"), "internal"), (MemoryError(), "memory")):

            def fail(*_: object, error: Exception = error) -> None:
                raise error

            with monkeypatch.context() as patch:
                patch.setattr(Worker, "answer", fail)
                inside.send({"id": code, **CAPTURES})
                found = inside.answer()
                assert (found["id"], found["error"]["code"]) == (code, code)
            inside.send({"id": 1, **CAPTURES})
            assert "error" not in inside.answer()


# -- anything at all -----------------------------------------------------------------------------

SPICE = [
    b"{",
    b"}",
    b"[",
    b"]",
    b'"',
    b",",
    b":",
    b"\\",
    b"\x00",
    b"\xff",
    b"NaN",
    b"1e999",
    b"null",
]
SPICE += [
    b"true",
    b"-1",
    b"9" * 50,
    b'"id"',
    b"\xf0\x9f\x83\x81",
    b" ",
    b"\t",
    b"\\ud800",
    b"5S",
    b"x",
]


def fuzzed(dice: random.Random, sources: list[bytes]) -> bytes:
    """A line: a request with some of its bytes exchanged, dropped or doubled, or anything."""
    if dice.random() < 0.1:
        return dice.randbytes(dice.randrange(40)).replace(b"\n", b"")
    text = dice.choice(sources)
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(len(text) + 1)
        kind = dice.randrange(4)
        if kind == 0:
            text = text[:at] + dice.choice(SPICE) + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + dice.randint(1, 9) :]
        elif kind == 2:
            text = text[:at] + dice.choice(SPICE) + text[at + 1 :]
        else:
            other = dice.choice(sources)
            text = text[:at] + other[dice.randrange(len(other)) :]
    return text


def test_fuzzed_lines() -> None:
    """10,000 of them, good ones between: an answer to each, and no defect among them."""
    dice = random.Random(2026)
    quick: list[JSON] = [
        CAPTURES,
        {"type": "moves", "position": HAND},
        {"type": "moves", "position": last_deals(1)[0]},
        {"type": "solve", "position": last_deals(1)[0], "limits": {"nodes": 5}, "moves": True},
        {"type": "solve", "position": {"hands": "5S / KH", "floor": "", "cards": [2, 2]}},
        {"type": "analyze", "position": HAND, "limits": {"worlds": 1}, "every": 1, "seed": 3},
        {"type": "play", "position": HAND, "player": "casual", "limits": {"nodes": 5}},
        {"type": "ping"},
        {"type": "stop", "target": 5},
        {"type": "hello", "protocol": 1},
    ]
    sources = [line({"id": 1, **request})[:-1] for request in quick]
    with Talk() as talk:
        for block in range(100):
            lines = [fuzzed(dice, sources) for _ in range(100)]
            lines = [text for text in lines if b"quit" not in text]
            talk.write(b"\n".join(lines) + b"\n" + line({"id": f"good {block}", **CAPTURES}))
            assert "error" not in talk.final(f"good {block}")
            finals = [answer for answer in talk.answers if answer["final"]]
            # What is answered at once may come before its turn, but nothing comes after.
            assert len(finals) == len(lines) + 1
            for answer in finals:
                check_answer(answer)
                assert answer.get("error", {}).get("code") not in ("internal", "memory")
            talk.answers.clear()
        talk.end()
