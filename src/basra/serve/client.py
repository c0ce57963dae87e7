"""A client in Python: starts `basra serve`, sends requests, and hands their answers out."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any

from basra.batch import MAX_LINE
from basra.closing import Closing
from basra.errors import STATUS_ERRORS, BasraError, InternalError, NotationError
from basra.interrupts import held_interrupts
from basra.serve.fields import Id
from basra.serve.protocol import RequestError

Answer = dict[str, Any]
"""The object of one line."""

_KINDS: list[type[BasraError]] = [*STATUS_ERRORS.values(), NotationError, RequestError]
_ERRORS = {kind.code: kind for kind in _KINDS}

_PATIENCE = 10.0  # seconds that a server may take to end


class Pending:
    """A request that has been sent, and the answers that come to it.

    Only one thread may take its answers; any may stop it.
    """

    def __init__(self, client: Client, id: Id) -> None:
        """Not for users: see `Client.send`."""
        self._client = client
        self.id = id
        self._answers: SimpleQueue[Answer] = SimpleQueue()
        self._final: Answer | None = None

    def __iter__(self) -> Iterator[Answer]:
        """Its answers as they come, the last one with `final` true; errors are answers here."""
        while self._final is None:
            yield self._next(None)

    def result(self, timeout: float | None = None) -> Answer:
        """The final answer; partial ones are passed over.

        Raises the error that it is, of the class that has its code; TimeoutError if it is not there
        after `timeout` seconds without an answer: it may still come.
        """
        while self._final is None:
            self._next(timeout)
        return _checked(self._final)

    def stop(self) -> None:
        """Asks the server to end it soon; its final answer still comes."""
        self._client.stop(self.id)

    def _next(self, timeout: float | None) -> Answer:
        try:
            answer = self._answers.get(timeout=timeout)
        except Empty:
            raise TimeoutError(f"no answer to {self.id} in {timeout} s") from None
        if answer["final"]:
            self._final = answer
        return answer


class Client(Closing):
    """A server of its own, and a conversation with it; any thread may ask.

    >>> with Client() as client:
    ...     hint = client.ask("analyze", position={"hand": "7D 5C KH 2S", "floor": "3C 2H 5S"})
    ...     solution = client.ask("solve", position={"hands": "5S / KH", "floor": "5H 2C"})
    >>> hint["result"]["moves"][0]["move"], solution["result"]["value"]
    ('5Cx2H3C5S*', 32)
    """

    def __init__(self, *options: str, command: Sequence[str] | None = None) -> None:
        """Starts `basra serve` with options such as "--threads", "2", or another command.

        It never hears of a Ctrl-C, which is the caller's.
        """
        words = [sys.executable, "-m", "basra", "serve"] if command is None else list(command)
        with held_interrupts():
            self._process = subprocess.Popen(
                [*words, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        self._numbers = count(1)
        self._pending: dict[Id, Pending] = {}
        self._lock = threading.Lock()
        """Of what is pending; never held while something is read or written"""
        self._writing = threading.Lock()
        """Taken before the other one; whoever holds it may wait for the server to read"""
        self._leaving = self._ended = False
        self._reader = threading.Thread(target=self._read, daemon=True, name="basra client")
        self._reader.start()

    def ask(self, kind: str, **fields: Any) -> Answer:
        """The final answer to a request; see `Pending.result`."""
        return self.send(kind, **fields).result()

    def send(self, kind: str, **fields: Any) -> Pending:
        """Sends a request, and does not wait for its answers; fields that are None are left out.

        After `close`, and when the server has ended, the answer is an InternalError.
        """
        with self._writing:
            return self._send(kind, fields)

    def _send(self, kind: str, fields: dict[str, Any]) -> Pending:
        """By who writes."""
        given = {name: value for name, value in fields.items() if value is not None}
        id = next(self._numbers)
        request = {"id": id, "type": kind, **given}
        line = json.dumps(request, allow_nan=False, separators=(",", ":"))
        pending = Pending(self, id)
        if len(line) > MAX_LINE:  # the answer to such a line does not tell its id
            pending._answers.put(_too_long(id))
            return pending
        with self._lock:
            if self._leaving or self._ended:
                pending._answers.put(_ended(id))
                return pending
            self._pending[id] = pending
        assert self._process.stdin is not None
        with suppress(OSError):  # then `_read` finds the end
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        return pending

    def stop(self, target: Id | None = None) -> list[Id]:
        """Stops one request, or all: the ids of those that are stopped by it."""
        stopped: list[Id] = self.ask("stop", target=target)["result"]["stopped"]
        return stopped

    def close(self) -> None:
        """Ends the server: what runs may take a second more, what waits is stopped.

        One that has not ended after ten seconds, as it is too far behind to hear of it, is killed.
        """
        # In a thread, as it may have to wait for room, or for others who do.
        leaver = threading.Thread(target=self._leave, daemon=True, name="basra client leaves")
        leaver.start()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        leaver.join()
        self._reader.join()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _leave(self) -> None:
        """Says that nothing more comes, after all that others are sending."""
        with self._writing:
            self._send("quit", {})
            self._leaving = True
            assert self._process.stdin is not None
            with suppress(OSError):
                self._process.stdin.close()

    def _read(self) -> None:
        """Hands answers to those who wait for them, until there are no more."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            try:
                answer = json.loads(line)
                id, final = answer["id"], answer["final"]
            except (ValueError, TypeError, KeyError):
                break  # that is no server
            with self._lock:
                pending = self._pending.pop(id, None) if final else self._pending.get(id)
            if pending is not None:
                pending._answers.put(answer)
        with self._lock:
            self._ended = True
            left, self._pending = self._pending, {}
        for pending in left.values():
            pending._answers.put(_ended(pending.id))


def _ended(id: Id) -> Answer:
    error = InternalError("the server has ended", field="server", fix="start another one")
    return {"id": id, "final": True, "error": error.to_dict()}


def _too_long(id: Id) -> Answer:
    message, fix = f"has more than {MAX_LINE:,} bytes", "ask with less: a record can be cut"
    return {
        "id": id,
        "final": True,
        "error": RequestError(message, field="line", fix=fix).to_dict(),
    }


def _checked(answer: Answer) -> Answer:
    """An answer that is no error."""
    if "error" not in answer:
        return answer
    error = dict(answer["error"])
    kind = _ERRORS.get(error.pop("code"), BasraError)
    raise kind(error.pop("message"), **error)
