"""Work by executors of `concurrent.futures`, so that a Ctrl-C finds none of their locks taken.

Worker processes of our own begin with `begin_worker`.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from multiprocessing import parent_process
from threading import Thread
from typing import Any, TypeVar

from basra.interrupts import held_interrupts, late_interrupts

_Result = TypeVar("_Result")

_LOOK = 0.1  # seconds between two looks for a Ctrl-C


def begin_worker() -> None:
    """A worker's start: it hears of no Ctrl-C, as who asked tells it when to end, and ends with it.

    The others of a pool hold its pipes open, so those tell nobody that the asking process is gone.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def submitted(
    executor: Executor, function: Callable[..., _Result], *arguments: Any
) -> Future[_Result]:
    """Work for an executor; processes that start with it never hear of a Ctrl-C."""
    with late_interrupts(), held_interrupts():
        return executor.submit(function, *arguments)


def finished(futures: set[Future[_Result]]) -> tuple[list[_Result], set[Future[_Result]]]:
    """Waits for one of them, or shortly: the results of those that are done, and the rest."""
    with late_interrupts() as look:
        done, rest = wait(futures, timeout=_LOOK, return_when=FIRST_COMPLETED)
        look()
        return [future.result() for future in done], rest


def dropped(futures: Iterable[Future[_Result]]) -> list[_Result]:
    """Has them not begin; the results of those that have ended well."""
    with late_interrupts():
        return [
            future.result()
            for future in futures
            if not future.cancel() and future.done() and future.exception() is None
        ]


def mapped(
    executor: Executor | None, function: Callable[..., _Result], tasks: Iterable[tuple[Any, ...]]
) -> Iterator[_Result]:
    """What the function makes of each task's arguments, in order; here where there is no executor.

    What has not begun when the iteration ends early does not begin.
    """
    if executor is None:
        for task in tasks:
            yield function(*task)
        return
    futures = [submitted(executor, function, *task) for task in tasks]
    try:
        for future in futures:
            results: list[_Result] = []
            while not results:
                results, _ = finished({future})
            yield from results
    finally:
        dropped(futures)
