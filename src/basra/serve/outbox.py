"""Answers on their way out: many in one write where there are many."""

from __future__ import annotations

import os
from threading import Condition, RLock

_TOGETHER = 0.005
"""Seconds that an answer may wait for others to go with it, while there is more to answer."""

_BLOCK = 1 << 16
_MOST = 1 << 20
"""Bytes of answers that nobody has taken yet; whoever has more to say waits."""


class Outbox:
    """Lines to a file, in the order in which they are put; one thread writes, any may put."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._lock = RLock()
        self._changed = Condition(self._lock)
        self._lines: list[bytes] = []
        self._size = 0
        self._urgent = False
        self._closed = False
        self.gone = False
        """Does nobody read any more?  Then nothing is written, and nobody waits."""

    def put(self, line: bytes, *, urgent: bool) -> None:
        """Has a line written, soon, or with those that follow; waits while too many are there."""
        with self._lock:
            while self._size >= _MOST and not self.gone:
                self._changed.wait()
            if self.gone:
                return
            self._lines.append(line)
            self._size += len(line)
            self._urgent |= urgent
            if urgent or self._size >= _BLOCK or len(self._lines) == 1:
                self._changed.notify_all()

    def close(self) -> None:
        """No more lines come; what is there is written, and `run` ends."""
        with self._lock:
            self._closed = True
            self._changed.notify_all()

    def abandon(self) -> None:
        """Nobody reads any more."""
        with self._lock:
            self.gone = True
            self._lines.clear()
            self._size = 0
            self._changed.notify_all()

    def run(self) -> None:
        """Writes lines until the end."""
        while (text := self._taken()) is not None:
            try:
                while text:
                    text = text[os.write(self._file, text) :]
            except OSError:
                self.abandon()

    def _taken(self) -> bytes | None:
        """What is to be written next; None at the end."""
        with self._lock:
            self._changed.wait_for(lambda: self._lines or self._closed or self.gone)
            if self.gone or not self._lines:
                return None
            self._changed.wait_for(self._is_time, _TOGETHER)
            text = b"".join(self._lines)
            self._lines.clear()
            self._size = 0
            self._urgent = False
            self._changed.notify_all()
            return text

    def _is_time(self) -> bool:
        return self._urgent or self._closed or self.gone or self._size >= _BLOCK
