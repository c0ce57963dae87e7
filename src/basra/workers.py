"""Work for several processes: parts go out as workers become free, answers come back in order.

Each worker has a pipe of its own and at most one part, so that neither end ever waits for the other
to read.  A worker ends when its pipe does, whatever has become of this process.
"""

from __future__ import annotations

import os
import select
import signal
import stat
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Self

from basra.batch import Answers, BatchOptions, LineSolver, Part
from basra.errors import InternalError
from basra.interrupts import held_interrupts

_AHEAD = 8  # parts for each worker that are out, or back before their turn
_PATIENCE = 5.0  # seconds for a worker to end


class Source:
    """Parts of a file, and whether the next one is there already."""

    def __init__(self, file: int, parts: Iterator[Part]) -> None:
        self._file = file
        self._parts = parts
        self._waits = os.name == "posix" and not stat.S_ISREG(os.fstat(file).st_mode)
        self.ended = False

    def fileno(self) -> int:
        """To wait for."""
        return self._file

    def ready(self) -> bool:
        """Has the file anything to read, if only its end?"""
        return not self._waits or bool(select.select([self._file], [], [], 0)[0])

    def next(self) -> Part | None:
        """The next part; None at the end."""
        part = next(self._parts, None)
        self.ended = part is None
        return part


class Crew:
    """Processes that answer parts; used in a `with`, which ends them."""

    def __init__(self, count: int, options: BatchOptions) -> None:
        context = get_context("spawn")
        self._workers: dict[Connection, BaseProcess] = {}
        start_tracker()
        with held_interrupts():
            for _ in range(count):
                mine, theirs = context.Pipe()
                process = context.Process(target=_serve, args=(theirs, options), daemon=True)
                process.start()
                theirs.close()
                self._workers[mine] = process

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for pipe, process in self._workers.items():
            if kind is not None:
                process.terminate()
            pipe.close()
        for process in self._workers.values():
            process.join(_PATIENCE)
            process.kill()

    def answers(self, source: Source) -> Iterator[Answers]:
        """The answers to all parts, in order."""
        idle = list(self._workers)
        out: dict[Connection, int] = {}
        back: dict[int, Answers] = {}
        sent = given = 0
        while out or not source.ended:
            while idle and self._may_ask(source, sent - given, bool(out or back)):
                part = source.next()
                if part is not None:
                    out[self._send(idle.pop(), part)] = sent
                    sent += 1
            while given in back:
                yield back.pop(given)
                given += 1
            # Input that has to be waited for may come before an answer does.
            more = idle and not source.ended and sent - given < _AHEAD * len(self._workers)
            for ready in wait([*out, *([source.fileno()] if more else [])]) if out else ():
                if isinstance(ready, Connection):
                    back[out.pop(ready)] = self._receive(ready)
                    idle.append(ready)
        while given in back:
            yield back.pop(given)
            given += 1

    def _may_ask(self, source: Source, ahead: int, busy: bool) -> bool:
        if source.ended or ahead >= _AHEAD * len(self._workers):
            return False
        # While there is something to give, nothing is waited for.
        return not busy or source.ready()

    def _send(self, worker: Connection, part: Part) -> Connection:
        try:
            worker.send(part)
        except OSError:
            raise self._lost(worker) from None
        return worker

    def _receive(self, worker: Connection) -> Answers:
        try:
            answers: Answers = worker.recv()
        except (EOFError, OSError):
            raise self._lost(worker) from None
        return answers

    def _lost(self, worker: Connection) -> InternalError:
        process = self._workers[worker]
        process.join(_PATIENCE)
        return InternalError(
            "has ended before its work was done",
            field="worker",
            value=f"process {process.pid}, exit code {process.exitcode},",
            fix="what was answered before is kept; go on from there with --resume",
        )


def start_tracker() -> None:
    """It would be started with the first process, and let interrupts through again."""
    if os.name == "posix":
        from multiprocessing import resource_tracker

        resource_tracker.ensure_running()


def _serve(pipe: Connection, options: BatchOptions) -> None:
    """A worker's life."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    solver = LineSolver(options)
    with suppress(EOFError, OSError):
        while True:
            pipe.send(solver.answer(pipe.recv()))
