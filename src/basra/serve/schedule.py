"""What waits to be answered, and what is being answered."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from threading import Condition, RLock

from basra.engine import Engine
from basra.serve.fields import Id, shown
from basra.serve.protocol import Request, RequestError

MAX_WAITING = 4096
"""Requests that wait; then no more are read until half of them have been answered."""

MAX_WAITING_BYTES = 8_000_000
"""The same for the bytes of their lines."""


class Schedule:
    """Requests in the order of their answers: by priority, then as they came.

    One thread adds to it, one takes from it, and any may stop what is in it.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._changed = Condition(self._lock)
        self._lanes: dict[int, deque[Request]] = {}
        self._active: dict[Id, Request] = {}
        self._running: Request | None = None
        self._waiting = 0
        self._bytes = 0
        self._full = False
        self._ended = False

    # -- coming in -------------------------------------------------------------------------------

    def add(self, requests: Iterable[Request]) -> bool:
        """Takes requests in; waits while there is no room.  After the end none are: then False."""
        with self._lock:
            for request in requests:
                if self._waiting >= MAX_WAITING or self._bytes >= MAX_WAITING_BYTES:
                    self._full = True
                    self._changed.notify_all()
                    self._changed.wait_for(lambda: not self._full or self._ended)
                if self._ended:
                    break
                self._add(request)
            self._changed.notify_all()
            return not self._ended

    def _add(self, request: Request) -> None:
        if request.id is not None and request.error is None:
            request.error = self.refusal(request.id)
            if request.error is None:
                self._active[request.id] = request
        self._lanes.setdefault(request.priority, deque()).append(request)
        self._waiting += 1
        self._bytes += request.size

    def refusal(self, id: Id) -> RequestError | None:
        """Why a new request cannot have this id, if it cannot."""
        if id not in self._active:
            return None
        return RequestError(
            "is the id of a request that has not ended", field="id", value=shown(id),
            fix="give every request an id of its own",
        )  # fmt: skip

    def end(self, *, stop: bool = False) -> None:
        """No more come; what waits is still answered, or else stopped, each in its turn."""
        with self._lock:
            self._ended = True
            if stop:
                self._stop_waiting()
            self._changed.notify_all()

    # -- going out -------------------------------------------------------------------------------

    def next(self, *, wait: bool = False) -> Request | None:
        """What comes next; what ran before has then ended, and its id is free.

        None if nothing waits; with `wait`, if nothing will any more.
        """
        with self._lock:
            if self._running is not None:
                self._free(self._running)
                self._running = None
            if wait:
                self._changed.wait_for(lambda: self._waiting or self._ended)
            if self._waiting:
                self._running = self._taken()
            return self._running

    def _taken(self) -> Request:
        lanes = self._lanes
        priority = max(lanes) if len(lanes) > 1 else next(iter(lanes))
        lane = lanes[priority]
        request = lane.popleft()
        if not lane:
            del lanes[priority]
        self._leave(request)
        return request

    def _leave(self, request: Request) -> None:
        self._waiting -= 1
        self._bytes -= request.size
        if self._full and self._waiting <= MAX_WAITING // 2:
            self._full = self._bytes > MAX_WAITING_BYTES // 2
            if not self._full:
                self._changed.notify_all()

    def _free(self, request: Request) -> None:
        if request.error is None and request.id is not None:
            del self._active[request.id]

    # -- stopping --------------------------------------------------------------------------------

    def stop(self, target: Id) -> tuple[list[Id], Request | None]:
        """Stops a request: the ids of those that are, and itself if it waited.

        Then it has left the schedule, and is to be answered by the caller.
        """
        with self._lock:
            request = self._active.get(target)
            if request is None:
                return [], None
            request.stopped = True
            if request is self._running:
                return [target], None
            lane = self._lanes[request.priority]
            lane.remove(request)
            if not lane:
                del self._lanes[request.priority]
            self._leave(request)
            self._free(request)
            return [target], request

    def stop_all(self) -> list[Id]:
        """Stops what runs, and all that waits, each in its turn; their ids."""
        with self._lock:
            self.stop_running()
            self._stop_waiting()
            return list(self._active)

    def stop_running(self) -> None:
        """Stops what runs."""
        with self._lock:
            if self._running is not None:
                self._running.stopped = True

    def _stop_waiting(self) -> None:
        for lane in self._lanes.values():
            for request in lane:
                request.stopped = True

    def press(self, engine: Engine) -> bool:
        """Has the engine stop if what runs is to; is it?

        A stop that comes just before a search is dropped by the engine: this is asked until no.
        """
        with self._lock:
            if self._running is None or not self._running.stopped:
                return False
            engine.stop()
            return True

    @property
    def waiting(self) -> int:
        """How many wait."""
        return self._waiting

    @property
    def running(self) -> Id | None:
        """What is being answered."""
        request = self._running
        return None if request is None else request.id
