"""Stretches of work that a Ctrl-C must not come into."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def held_interrupts() -> Iterator[None]:
    """A Ctrl-C waits for the end of this; processes started in it never hear of one."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def late_interrupts() -> Iterator[Callable[[], None]]:
    """A Ctrl-C is raised where it is looked for, and nowhere else; gives what looks for it.

    `concurrent.futures` keeps locks in Python code: a Ctrl-C that is raised there leaves them taken
    and hangs the threads that wait for them.  The core ends what it is at instead.  Where another
    handler than Python's own is set, it is called at the same places.  In other threads than the
    main one, where none is raised, nothing is looked for.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield lambda: None
        return
    seen: list[tuple[int, FrameType | None]] = []

    def look() -> None:
        if seen:
            noted = seen[0]
            seen.clear()
            before(*noted)

    signal.signal(signal.SIGINT, lambda number, frame: seen.append((number, frame)))
    try:
        yield look
    finally:
        signal.signal(signal.SIGINT, before)
        look()
