"""The server: a thread that reads, one that answers, one that writes, and one that watches.

The thread of the caller watches: signals come to it alone, and it is never in the middle of
anything that they could break.
"""

from __future__ import annotations

import math
import select
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from time import monotonic
from types import FrameType

from basra.batch import Part, Readable, read_parts
from basra.errors import BasraError, BasraMemoryError, InternalError, StoppedError
from basra.rules import Rules
from basra.serve.fields import AT_ONCE, Id
from basra.serve.outbox import Outbox
from basra.serve.protocol import Request, answer, failure, read_request
from basra.serve.schedule import MAX_WAITING, MAX_WAITING_BYTES, Schedule
from basra.serve.work import Parts, Worker

QUIT_GRACE = 1.0
"""Seconds that what runs may go on after `quit`."""

LEAVE_GRACE = 2.0
"""Seconds for all to end, and for answers to be taken, after a signal or when nobody reads."""

_LOOK, _PRESS = 0.05, 0.002  # seconds between two looks, and between two stops


class Server:
    """Answers the requests of a stream, until it ends or somebody ends it."""

    def __init__(
        self,
        source: Readable,
        target: int,
        *,
        rules: Rules | None = None,
        threads: int = 1,
        table_bytes: int = 0,
    ) -> None:
        """From an unbuffered file to a file's number; `rules` of requests that name none."""
        limits = {"waiting": MAX_WAITING, "waiting_bytes": MAX_WAITING_BYTES}
        self._source = source
        self._worker = Worker(rules, threads, table_bytes, limits)
        self._schedule = Schedule()
        self._outbox = Outbox(target)
        self._reader_gone = _gone_test(target)
        self._poke = threading.Event()
        self._signal = 0
        self._quit: Request | None = None
        self._stop_at = self._leave_at = math.inf

    def run(self) -> int:
        """0 at the end of the input, after `quit`, or when nobody reads; 128 and a signal's number.

        What was asked has been answered then, unless nobody takes the answers.
        """
        work = {"reader": self._read, "worker": self._work, "writer": self._outbox.run}
        threads = [Thread(target=run, daemon=True, name=name) for name, run in work.items()]
        with self._signals():
            for thread in threads:
                thread.start()
            # The reader may wait for input for ever.
            while any(thread.is_alive() for thread in threads[1:]) and self._watch():
                pass
        return 128 + self._signal if self._signal else 0

    # -- watching --------------------------------------------------------------------------------

    def _watch(self) -> bool:
        """Looks once whether something has to end; False if there is no use in going on."""
        pressed = self._schedule.press(self._worker.engine)
        self._poke.wait(_PRESS if pressed else _LOOK)
        self._poke.clear()
        now = monotonic()
        if now >= self._stop_at:
            self._schedule.stop_running()
        if self._leave_at == math.inf and (
            self._signal or self._outbox.gone or self._reader_gone()
        ):
            if not self._signal:
                self._outbox.abandon()
            self._schedule.end(stop=True)
            self._schedule.stop_running()
            self._leave_at = now + LEAVE_GRACE
        return now < self._leave_at

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """Ctrl-C and SIGTERM are noted, and looked for by who watches."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def note(number: int, frame: FrameType | None) -> None:
            self._signal = self._signal or number

        before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    # -- reading ---------------------------------------------------------------------------------

    def _read(self) -> None:
        """Until the input ends, or `quit`."""
        try:
            for part in read_parts(self._source):
                if not self._take_in(part):
                    break
        except OSError:
            pass  # an input that cannot be read has ended
        finally:
            self._schedule.end()

    def _take_in(self, part: Part) -> bool:
        """Passes requests on, many at a time, and answers at once what does not wait; go on?"""
        requests: list[Request] = []
        for number, line in enumerate(part.lines, part.first):
            request = read_request(line, number)
            if request.error is not None or request.type not in AT_ONCE:
                requests.append(request)
                continue
            self._schedule.add(requests)
            requests = []
            if not self._at_once(request):
                return False
        return self._schedule.add(requests)

    def _at_once(self, request: Request) -> bool:
        assert request.id is not None
        error = self._schedule.refusal(request.id)
        if error is not None:
            self._say(failure(request, error))
        elif request.type == "ping":
            result = {"waiting": self._schedule.waiting, "running": self._schedule.running}
            self._say(answer(request, result))
        elif request.type == "stop":
            self._say(answer(request, {"stopped": self._stop(request)}))
        else:
            self._quit, self._stop_at = request, monotonic() + QUIT_GRACE
            self._schedule.end(stop=True)
            return False
        return True

    def _stop(self, request: Request) -> list[Id]:
        """Stops one or all; those that have left the schedule by it are answered here."""
        if "target" in request.fields:
            stopped, waited = self._schedule.stop(request.fields["target"])
            if waited is not None:
                self._say(failure(waited, _not_begun()))
        else:
            stopped = self._schedule.stop_all()
        self._schedule.press(self._worker.engine)
        self._poke.set()
        return stopped

    def _say(self, line: bytes) -> None:
        self._outbox.put(line, urgent=True)

    # -- answering -------------------------------------------------------------------------------

    def _work(self) -> None:
        """Until nothing waits and nothing will."""
        schedule, put = self._schedule, self._outbox.put
        try:
            request = schedule.next(wait=True)
            while request is not None:
                line = self._answered(request)
                following = schedule.next()
                # An answer goes out at once when there is nothing more to do.
                put(line, urgent=following is None)
                request = following or schedule.next(wait=True)
            if self._quit is not None:
                self._say(answer(self._quit, {}))
        finally:
            self._outbox.close()
            self._poke.set()

    def _answered(self, request: Request) -> bytes:
        """The final answer to a request, whatever happens."""
        try:
            if request.error is not None:
                raise request.error
            if request.stopped:
                raise _not_begun()
            return answer(request, *self._worker.answer(request, self._tell))
        except BasraError as error:
            return failure(request, error)
        except MemoryError:
            return failure(request, BasraMemoryError("out of memory", fix="ask for less"))
        except Exception as error:
            message = f"{type(error).__name__}: {error}"
            return failure(request, InternalError(message, field=request.type, fix=_REPORT))

    def _tell(self, request: Request, parts: Parts) -> None:
        self._say(answer(request, *parts, final=False))


_REPORT = "this is a defect of the program; please report it"


def _not_begun() -> StoppedError:
    return StoppedError("was stopped before it had begun", field="id", fix="ask again")


def _gone_test(target: int) -> Callable[[], bool]:
    """What tells whether a file's reader has gone, even while nothing is written."""
    if not hasattr(select, "poll"):
        return lambda: False
    poll = select.poll()
    poll.register(target, 0)
    return lambda: any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))
