"""Clients of the protocol: the one in Python, and the example in C."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import basra
from basra import ArgumentError, BasraError, CardError, InternalError, StoppedError, View
from basra.batch import MAX_LINE
from basra.serve import Client, Pending, RequestError
from cli_helpers import MODULE, timeless
from serve_helpers import HAND, LONG, PATIENCE, last_deals

ROOT = Path(__file__).resolve().parents[1]
ANALYSIS = {key: value for key, value in LONG.items() if key != "type"}


def begun(client: Client) -> Pending:
    """A long analysis, of which something is known already."""
    pending = client.send("analyze", **ANALYSIS, every=0.01)
    assert not next(iter(pending))["final"]
    return pending


def test_questions() -> None:
    """Answers are those of the package."""
    with Client() as client:
        found = client.ask("analyze", position=HAND, limits={"worlds": 8}, seed=None)
        assert timeless(found["result"]) == timeless(basra.hint(View(**HAND), worlds=8).to_dict())
        assert client.ask("hello")["result"]["version"] == basra.__version__


def test_options() -> None:
    """Those of the command."""
    with Client("--rules", "egyptian") as client:
        assert "rules=egyptian/" in client.ask("moves", position=HAND)["position"]


def test_errors_are_exceptions() -> None:
    """Of the class that has their code, with all that they say."""
    with Client() as client:
        with pytest.raises(CardError) as caught:
            client.ask("analyze", position={"hand": "7X", "floor": ""})
        assert (caught.value.field, caught.value.value) == ("hand", "7X")
        assert caught.value.fix
        with pytest.raises(RequestError):
            client.ask("pong")
        with pytest.raises(ArgumentError):
            client.ask("solve", position="x", line=1)


def test_a_request_that_is_too_long() -> None:
    """It has an answer too, whose line the server could not have told."""
    with Client() as client:
        around = len('{"id":1,"type":"ping","x":""}')
        assert client.send("ping", x="-" * (MAX_LINE - around)).result(PATIENCE)["result"]
        with pytest.raises(RequestError):
            client.send("ping", x="-" * (MAX_LINE - around + 1)).result(PATIENCE)
        assert client.ask("ping")["result"]


def test_partial_answers() -> None:
    """As they come; then the final one, which is kept."""
    with Client() as client:
        pending = client.send("analyze", **ANALYSIS, every=0.02)
        came = []
        for answer in pending:
            came.append(answer["final"])
            if len(came) == 2:
                pending.stop()
        assert came[:2] == [False, False]
        assert came[-1] is True
        assert pending.result() == answer
        assert answer["result"]["stop"] == "requested"
        assert list(pending) == []


def test_stop() -> None:
    """One, or all: what had not begun is an error."""
    with Client() as client:
        running = begun(client)
        other = client.send("analyze", **ANALYSIS)
        with pytest.raises(TimeoutError):
            other.result(timeout=0.05)
        assert client.stop() == [running.id, other.id]
        assert running.result()["result"]["stop"] == "requested"
        with pytest.raises(StoppedError):
            other.result()


def test_threads() -> None:
    """Each gets its own answers."""
    deals = last_deals(40)
    wanted = [basra.solve(basra.Position.from_notation(text)).value for text in deals]
    found: dict[int, list[int]] = {}
    with Client() as client:

        def work(number: int) -> None:
            asked = [client.send("solve", position=text) for text in deals[number::4]]
            found[number] = [pending.result()["result"]["value"] for pending in asked]

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
    assert found == {number: wanted[number::4] for number in range(4)}


def test_the_end_of_a_conversation() -> None:
    """What waits is stopped, and what runs soon is; what comes later has no answer."""
    client = Client()
    running, waiting = begun(client), client.send("analyze", **ANALYSIS)
    client.close()
    assert running.result()["result"]["stop"] == "requested"
    with pytest.raises(StoppedError):
        waiting.result()
    with pytest.raises(InternalError):
        client.ask("ping")
    client.close()


def guarded(client: Client, work: Callable[[], object]) -> bool:
    """Does it end?  If not, it does when the server is killed."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    ended = not thread.is_alive()
    if not ended:
        client._process.kill()
        thread.join(PATIENCE)
    return ended


def test_more_requests_than_a_server_takes_in() -> None:
    """Their answers are taken while they are sent, so that there is room again."""
    pending: list[Pending] = []

    def send() -> None:
        pending.extend(client.send("moves", position=HAND) for _ in range(12_000))

    with Client() as client:
        assert guarded(client, send)
        assert [asked.id for asked in pending] == list(range(1, 12_001))
        assert all(asked.result(PATIENCE)["result"]["moves"] for asked in pending)


def test_threads_that_ask_while_it_is_closed() -> None:
    """Every request has an answer, or the error that is for clients that are closed."""
    found: list[BaseException] = []
    begun = threading.Barrier(5)

    def work() -> None:
        client.ask("ping")
        begun.wait(PATIENCE)
        try:
            while True:
                with suppress(StoppedError):  # it had not begun
                    client.ask("captures", floor="3C 2H 5S", card="5C")
        except BaseException as error:
            found.append(error)

    with Client() as client:
        threads = [threading.Thread(target=work, daemon=True) for _ in range(4)]
        for thread in threads:
            thread.start()
        begun.wait(PATIENCE)
    for thread in threads:
        thread.join(PATIENCE)
    assert [type(error) for error in found] == [InternalError] * 4


def test_the_end_while_another_waits_for_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that hears nothing more is killed; nobody is left waiting."""
    monkeypatch.setattr("basra.serve.client._PATIENCE", 1.0)
    client, pending = Client(), list[Pending]()

    def send() -> None:
        while not pending or pending[-1]._answers.empty():
            pending.append(client.send("analyze", **ANALYSIS))

    sender = threading.Thread(target=send, daemon=True)
    try:
        sender.start()
        while len(pending) < 4200 and sender.is_alive():
            sender.join(0.01)
        assert guarded(client, client.close)
        sender.join(PATIENCE)
        assert not sender.is_alive()
        for asked in pending:
            with pytest.raises(InternalError):
                asked.result(PATIENCE)
    finally:
        client._process.kill()


def test_a_server_that_dies() -> None:
    """Nobody waits for it."""
    with Client() as client:
        pending = client.send("analyze", **ANALYSIS)
        client._process.kill()
        with pytest.raises(InternalError):
            pending.result()


@pytest.mark.parametrize("says", ["", "print('hello')", "print('[]')", "print('{}')"])
def test_a_command_that_is_no_server(says: str) -> None:
    """The same, whatever it says."""
    command = [sys.executable, "-c", says]
    with Client(command=command) as client, pytest.raises(BasraError):
        client.ask("hello")


# -- C -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, compiled without a warning."""
    compiler = os.environ.get("CC") or shutil.which("cc")
    assert compiler, "no C compiler"
    made = tmp_path_factory.mktemp("examples") / "serve_client"
    source = ROOT / "examples" / "serve_client.c"
    flags = ("-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
    subprocess.run([*shlex.split(compiler), *flags, "-o", str(made), str(source)], check=True)
    return made


def test_the_example_in_c(example: Path) -> None:
    """It prints what its page shows."""
    done = subprocess.run(
        [example, *MODULE, "serve"], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    page = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    assert f"```text\n{done.stdout}```" in page
    assert len(done.stdout.splitlines()) == 2


def test_the_example_in_c_without_a_server(example: Path) -> None:
    """It does not hang, and tells by its exit code."""
    done = subprocess.run([example, "false"], capture_output=True, timeout=PATIENCE, check=False)
    assert done.returncode == 1
