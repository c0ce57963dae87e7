"""When to stop a search."""

from __future__ import annotations

import time
from dataclasses import dataclass

from basra.errors import ArgumentError

DEFAULT_WORLDS = 160
DEFAULT_SECONDS = 10.0
MAX_WORLDS = 1_000_000
MAX_SECONDS = 10_000_000.0
SINGLES_NODES = 2_000_000
"""Default node limit of a hint at tables of single players, where one world is far more work."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop; None leaves a limit out.  With no limit at all: 160 worlds, at most 10 s.

    seconds
        Time from the call, set-up included; results then depend on the machine.
    worlds
        Worlds of a hint, at most 1,000,000; ignored by solve.
    nodes
        Positions entered.  A hint finishes the world in which it is reached, if it is the first.
    """

    seconds: float | None = None
    worlds: int | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        check_number("time", self.seconds, 1e-9, MAX_SECONDS, (int, float), "seconds")
        check_number("worlds", self.worlds, 1, MAX_WORLDS, (int,), "worlds")
        check_number("nodes", self.nodes, 1, 10**18, (int,), "nodes")


def check_number(
    name: str, value: object, low: float, high: float, kinds: tuple[type, ...], noun: str
) -> None:
    if value is None:
        return
    good = isinstance(value, kinds) and not isinstance(value, bool)
    if not good or not low <= value <= high:  # type: ignore[operator]
        least = "more than 0" if low < 1 else f"{low:,.0f}"
        raise ArgumentError(
            f"is not a number of {noun}",
            field=name,
            value=value,
            fix=f"use {least}, up to {high:,.0f}",
        )


def time_left_ns(limits: Limits, started: int) -> int:
    """What is left of the time limit for one core call, at least 1; 0 for none."""
    if limits.seconds is None:
        return 0
    return max(1, started + int(limits.seconds * 1e9) - time.monotonic_ns())


def with_defaults(limits: Limits, singles: bool) -> Limits:
    """The limits of a hint with the defaults for those left out."""
    given = (limits.seconds, limits.worlds, limits.nodes) != (None, None, None)
    nodes = SINGLES_NODES if singles and not given else limits.nodes
    worlds = limits.worlds
    if worlds is None and limits.nodes is None and limits.seconds is None:
        worlds = DEFAULT_WORLDS
    seconds = limits.seconds
    if seconds is None and limits.nodes is None and limits.worlds is None:
        seconds = DEFAULT_SECONDS
    return Limits(seconds, worlds, nodes)
