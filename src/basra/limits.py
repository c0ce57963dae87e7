"""When to stop a search."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic_ns

from basra.errors import ArgumentError

DEFAULT_WORLDS = 160
DEFAULT_SECONDS = 10.0
MAX_WORLDS = 1_000_000
MAX_SECONDS = 10_000_000.0
DEFAULT_NODES = 3_800_000
"""Only tables of four single players come near; there a world is far more work."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop; None leaves a limit out.

    With no limit at all a hint stops after 160 worlds, 3,800,000 nodes or 10 s; solve never.
    Unless `worlds` is given a hint also stops once the best move is told from all others.

    time
        Seconds from the call, set-up included; results then depend on the machine.
    worlds
        Worlds of a hint, at most 1,000,000; ignored by solve.
    nodes
        Positions entered.  A hint finishes the world in which it is reached, if it is the first.
    """

    time: float | None = None
    worlds: int | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        check_number("time", self.time, 1e-9, MAX_SECONDS, (int, float), "seconds")
        check_number("worlds", self.worlds, 1, MAX_WORLDS, (int,), "worlds")
        check_number("nodes", self.nodes, 1, 10**18, (int,), "nodes")


def check_number(
    name: str, value: object, low: float, high: float, kinds: tuple[type, ...], noun: str
) -> None:
    if value is None:
        return
    good = isinstance(value, kinds) and not isinstance(value, bool)
    if not good or not low <= value <= high:  # type: ignore[operator]
        least = "more than 0 and at most" if 0 < low < 1 else f"{low:,.0f} to"
        raise ArgumentError(
            f"is not a number of {noun}",
            field=name,
            value=f"{value:g}" if isinstance(value, float) else value,
            fix=f"use {least} {high:,.0f}",
        )


DEFAULTS = Limits(time=DEFAULT_SECONDS, worlds=DEFAULT_WORLDS, nodes=DEFAULT_NODES)
"""Of a hint, when no limit is given."""


def time_left_ns(limits: Limits, started: int) -> int:
    """What is left of the time limit for one core call, at least 1; 0 for none."""
    if limits.time is None:
        return 0
    return max(1, started + int(limits.time * 1e9) - monotonic_ns())


def limits_ns(limits: Limits | None) -> int:
    """The time limit for a core call that is about to begin, at least 1; 0 for none."""
    if limits is None or limits.time is None:
        return 0
    return max(1, int(limits.time * 1e9))


def with_defaults(limits: Limits) -> Limits:
    """The limits of a hint; with none given, the defaults."""
    return DEFAULTS if limits == Limits() else limits
