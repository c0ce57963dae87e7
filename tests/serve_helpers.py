"""What the tests of the protocol share: a conversation with a server, checked by the schema."""

from __future__ import annotations

import json
import os
import random
import select
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.resources import files
from io import FileIO
from types import TracebackType
from typing import Any, Self

from jsonschema import Draft202012Validator

from basra import Position
from basra.serve.server import Server
from cli_helpers import JSON, MODULE, environment, strict_json

SCHEMA: JSON = json.loads((files("basra.serve") / "protocol.schema.json").read_text("utf-8"))
PATIENCE = 60.0
"""Seconds before a wait is a hang."""

HAND: JSON = {"hand": "7D 5C KH 2S", "floor": "3C 2H 5S"}
FIRST: JSON = {"hand": "7D 5C KH 2S", "floor": "3C 2H 5S 9D", "partners": True, "deal": 1}
LONG: JSON = {"type": "analyze", "position": FIRST, "limits": {"worlds": 1_000_000}}
"""An analysis that would take minutes."""

CAPTURES: JSON = {"type": "captures", "floor": "3C 2H 5S", "card": "5C"}
"""What is answered in no time."""


def ids(answers: list[JSON]) -> list[Any]:
    """Of the final ones."""
    return [answer["id"] for answer in answers if answer["final"]]


def line(request: JSON) -> bytes:
    """As it is sent."""
    return json.dumps(request).encode() + b"\n"


@cache
def validator(name: str) -> Draft202012Validator:
    """Of one definition of the schema."""
    return Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": f"#/$defs/{name}"}]})


def is_request(value: object) -> bool:
    """Does the schema take it for one?"""
    kind = value.get("type") if isinstance(value, dict) else None
    known = kind if isinstance(kind, str) and kind in SCHEMA["$defs"] else "request"
    return bool(validator(known).is_valid(value))


def check_answer(answer: JSON) -> JSON:
    """It is as the schema says."""
    if answer["id"] is None:
        name = "badLineAnswer"
    elif "error" in answer:
        name = "failedAnswer"
    elif not answer["final"]:
        name = "partialAnswer"
    else:
        name = f"{answer['type']}Answer"
    validator(name).validate(answer)
    return answer


class Talk:
    """A server in a process of its own; all that it says is kept and checked."""

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen(
            [*MODULE, "serve", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        self.answers: list[JSON] = []
        self.times: list[float] = []
        self._came = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            with suppress(BrokenPipeError):
                stream.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for text in self.process.stdout:
            with self._came:
                self.answers.append(strict_json(text.decode("ascii")))
                self.times.append(time.monotonic())
                self._came.notify_all()

    def write(self, text: bytes) -> None:
        """Bytes as they are."""
        assert self.process.stdin is not None
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def send(self, *requests: JSON) -> None:
        """Requests, in one write."""
        assert all(map(is_request, requests))
        self.write(b"".join(map(line, requests)))

    def until(self, found: Callable[[list[JSON]], Any]) -> Any:
        """Waits until something can be found in the answers so far."""
        with self._came:
            done = self._came.wait_for(lambda: found(self.answers), PATIENCE)
            assert done, self.answers[-3:]
            return found(self.answers)

    def final(self, id: object) -> JSON:
        """The final answer to a request."""

        def there(answers: list[JSON]) -> JSON | None:
            of_it = (answer for answer in answers if answer["id"] == id and answer["final"])
            return next(of_it, None)

        found: JSON = self.until(there)
        return check_answer(found)

    def ask(self, request: JSON) -> JSON:
        """One request and its final answer."""
        self.send(request)
        return self.final(request["id"])

    def begun(self, id: object) -> None:
        """Waits until a request is being answered."""
        number, end = 0, time.monotonic() + PATIENCE
        while time.monotonic() < end:
            number += 1
            if self.ask({"id": f"begun {id} {number}", "type": "ping"})["result"]["running"] == id:
                return
            time.sleep(0.01)
        raise AssertionError(f"{id} does not begin")

    def end(self, code: int = 0) -> list[JSON]:
        """Closes the input, waits for the end, and gives all answers that were no pings."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.ended(code)

    def ended(self, code: int) -> list[JSON]:
        """The same where the server ends by itself."""
        assert self.process.stderr is not None
        assert self.process.wait(PATIENCE) == code
        self._reader.join()
        assert self.process.stderr.read() == b""
        return [check_answer(answer) for answer in self.answers if answer.get("type") != "ping"]


def last_deals(count: int) -> list[str]:
    """Notations of last deals, all different."""
    dice, found = random.Random(1), []
    for seed in range(count):
        position = Position.deal("classic", seed=seed)
        while position.deal_number < 6:
            position.play(dice.choice(position.legal_moves()))
        found.append(position.notation)
    return found


class InProcess:
    """A server in threads of this process, on pipes."""

    def __init__(self) -> None:
        self.input, self.output = os.pipe(), os.pipe()
        self.source = FileIO(self.input[0])
        self.server = Server(self.source, self.output[1])
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.came = b""
        self.thread.start()

    def send(self, *requests: JSON) -> None:
        """In one write."""
        os.write(self.input[1], b"".join(map(line, requests)))

    def answer(self) -> JSON:
        """The next one."""
        end = time.monotonic() + PATIENCE
        while b"\n" not in self.came and time.monotonic() < end:
            if select.select([self.output[0]], [], [], 0.5)[0]:
                self.came += os.read(self.output[0], 1 << 16)
        first, self.came = self.came.split(b"\n", 1)
        return check_answer(json.loads(first))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.send({"id": "stop", "type": "stop"})
        os.close(self.input[1])
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()
        self.source.close()
        for file in self.output:
            os.close(file)
