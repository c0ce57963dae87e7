"""One hint in progress: worlds in fixed chunks, and the statistics of their values.

Sums are integers until the last division, so that results are the same bits whatever the order in
which worlds were searched.
"""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import mul
from typing import NamedTuple

from basra import _core
from basra.belief import Belief
from basra.limits import MAX_WORLDS, Limits, time_left_ns, with_defaults
from basra.models import Model
from basra.moves import Move, hand_error, move_of
from basra.position import sides_of
from basra.reasons import reasons_for
from basra.results import STOPS, Chance, Hint, HintMove, Reason
from basra.statistics import student_within
from basra.view import View

# Worlds searched in one go: few at first, so that limits are met closely where a world is much
# work, then more, so that many small worlds cost little besides.
_FIRST_CHUNK = 16
_FIRST_CHUNK_OF_MORE = 1  # with more than two players
_CHUNK_GROWTH = 8  # chunks of one size before it doubles
_LAST_CHUNK = 256
_VALUES_LIMIT = 1 << 24  # numbers kept for the statistics, of 4 bytes, with a few copies
_LISTED_WORLDS = 1 << 14  # more than these are sampled, not listed
_BELIEVED_WORLDS = 1 << 14  # no more are drawn where earlier plays tell of hands
_FIRST_LOOK = 32  # worlds before it is first asked whether the order of moves is settled
_MISTAKEN = 0.02  # how often it may be taken as settled when it is not
_LARGE = 200  # sample size above which a larger one would make no difference to a test


@dataclass(slots=True)
class Group:
    """Legal moves that differ only in equal cards, canonical order."""

    index: int
    moves: list[Move] = field(default_factory=list)


def groups_of(view: View) -> list[Group]:
    """The legal moves of a view, equal cards together."""
    try:
        listed, count = view.data.moves()
    except _core.CoreError as error:
        raise hand_error(error, view.rules, view.hand, view.floor, "hand") from None
    groups = [Group(i) for i in range(count)]
    for found, group in listed:
        groups[group].moves.append(move_of(found))
    return [group for group in groups if group.moves]


def _chunks(count: int, size: int) -> list[tuple[int, int]]:
    """Worlds by number, as (first, how many), of growing size."""
    chunks: list[tuple[int, int]] = []
    first = 0
    while first < count:
        here = min(size << min(len(chunks) // _CHUNK_GROWTH, 10), _LAST_CHUNK, count - first)
        chunks.append((first, here))
        first += here
    return chunks


class HintTask:
    """One hint in progress: its worlds in fixed chunks, values gathered in order."""

    def __init__(
        self, view: View, limits: Limits, seed: int, model: Model | None = None, trust: int = 0
    ) -> None:
        self.view = view
        self.seed = seed
        self.model = model
        self.trust = trust if model is not None else 0
        self.started = time.monotonic_ns()
        self.groups = groups_of(view)
        sides = sides_of(view.players, view.partners)
        self.limits = with_defaults(limits)
        self.width = 1 if sides == 2 else view.players
        self.scale = 1 if sides == 2 else view.players - 1
        self.per_world = len(self.groups) * self.width
        wanted = self.limits.worlds or MAX_WORLDS
        self.target = min(wanted, max(1, _VALUES_LIMIT // self.per_world))
        self.all, self.listed = self._worlds()
        self.count = self.target if self.all is None else len(self.all)
        self.settles = limits.worlds is None
        first = _FIRST_CHUNK if view.players == 2 else _FIRST_CHUNK_OF_MORE
        self.chunks = _chunks(self.count, first)
        self._found: dict[int, tuple[array[int], list[int], int]] = {}
        self.values = array("i")
        self._reasons: dict[int, tuple[Reason, ...]] = {}
        self._belief: tuple[Belief | None] | None = None
        self.for_match = self._can_play_for_match()
        self._chances: dict[int, array[int]] = {}
        self.chances = array("i")
        self.worlds = 0
        self.nodes = 0
        self.stop = ""
        self._next = 0
        self._visited = 0
        self._seen = 0
        self._settled_at: int | None = None

    def _worlds(self) -> tuple[_core.Worlds | None, bool]:
        """The worlds to be searched, in order, and whether there are no others.

        None: they are drawn chunk by chunk.
        """
        model = None if self.model is None else self.model._data
        if self.trust and self.view.played and model is not None:
            most = min(self.target, _BELIEVED_WORLDS)
            return self.view.data.believed_worlds(model, self.trust, self.seed, most)
        found = self.view.data.all_worlds(min(self.target, _LISTED_WORLDS))
        if found is not None:
            found.shuffle(self.seed)
        return found, found is not None

    def _can_play_for_match(self) -> bool:
        """Were match scores given, and does the model tell what they are worth?"""
        if self.model is None or not any(self.view.match) or self.width > 1:
            return False
        try:
            _core.match_chances(self.model._data, self.view.data, array("i", [0]))
        except _core.CoreError:
            return False
        return True

    def worlds_of(self, chunk: int) -> _core.Worlds:
        """The worlds of a chunk; they depend on nothing but seed and number."""
        first, count = self.chunks[chunk]
        if self.all is not None:
            return self.all.slice(first, count)
        return self.view.data.sample_worlds(self.seed, first, count)

    def run(self, engine: _core.EngineData, chunk: int, interrupts: list[BaseException]) -> None:
        """Searches a chunk and keeps what it found, also when it was cut short."""
        view, model = self.view, None if self.model is None else self.model._data
        left = time_left_ns(self.limits, self.started)
        worlds, groups = self.worlds_of(chunk), len(self.groups)
        # With chances, a chunk counts as found once it has them.
        found = {} if self.for_match else self._found
        try:
            engine.world_values(view.data, model, worlds, groups, 0, left, interrupts, found, chunk)
            if self.for_match and not interrupts and model is not None:
                self._find_chances(engine, model, worlds, found[chunk], chunk, interrupts)
        except _core.CoreError as error:
            raise hand_error(error, view.rules, view.hand, view.floor, "hand") from None

    def _find_chances(
        self,
        engine: _core.EngineData,
        model: _core.ModelData,
        worlds: _core.Worlds,
        found: tuple[array[int], list[int], int],
        chunk: int,
        interrupts: list[BaseException],
    ) -> None:
        """What the values of a chunk are worth in the match; worlds without that are dropped."""
        values, visits, stop = found
        chances = array("i")
        if visits:
            left = time_left_ns(self.limits, self.started)
            chances, stopped = _core.match_values(
                engine, model, self.view.data, worlds, len(self.groups), values, 0, left, interrupts
            )
            stop = stop or stopped
        done = len(chances) // len(self.groups)
        self._chances[chunk] = chances
        self._found[chunk] = (values[: done * self.per_world], visits[:done], stop)

    def advance(self) -> bool:
        """Looks at the chunks that came in since; True when nothing more is needed."""
        while self._next in self._found:
            _, visits, stop = self._found[self._next]
            self._next += 1
            self._visited += sum(visits)
            if stop or self._is_spent(self._visited) or self._settled(len(visits)):
                return True
        return self._next == len(self.chunks)

    def _within(self, visits: list[int], worlds: int, nodes: int) -> int:
        """How many more worlds the node limit allows; the very first is always kept."""
        limit = self.limits.nodes
        if limit is None or nodes + sum(visits) <= limit:
            return len(visits)
        kept = 0
        for visited in visits:
            if worlds + kept and nodes + visited > limit:
                break
            kept, nodes = kept + 1, nodes + visited
        return kept

    def _settled(self, more: int) -> bool:
        """Is the best move told from all others?  Asked when twice as many worlds are in."""
        before, self._seen = self._seen, self._seen + more
        if not self.settles or self._seen < _FIRST_LOOK:
            return False
        look = (self._seen // _FIRST_LOOK).bit_length()
        if before >= _FIRST_LOOK << (look - 1) or self._seen == self.count:
            return False
        self.gather(self._next)
        weights = self.weights()
        columns = [self.aim(group) for group in self.groups]
        totals = [WorldSums.of(column, weights).wv for column in columns]
        best = totals.index(max(totals))
        gaps = [
            WorldSums.of(_core.differences(columns[best], column), weights).gap(self.scale)
            for number, column in enumerate(columns)
            if number != best
        ]
        if told_apart(gaps, look):
            self._settled_at = self._next
        return self._settled_at is not None

    def _is_spent(self, nodes: int) -> bool:
        return self.limits.nodes is not None and nodes > self.limits.nodes

    def gather(self, before: int | None = None) -> None:
        """Puts the worlds found so far together, in order, and tells why they end there.

        Worked out anew from the chunks that are there, so that no Ctrl-C catches it half done.
        `before` leaves out that chunk and the later ones: which of them other threads have found
        already is a matter of luck.
        """
        values, chances, worlds, nodes, stop = array("i"), array("i"), 0, 0, ""
        for chunk in range(len(self.chunks) if before is None else before):
            if chunk == self._settled_at:
                stop = "settled"
            if stop or chunk not in self._found:
                break
            found, visits, code = self._found[chunk]
            stop = STOPS[code] if code else ""
            kept = self._within(visits, worlds, nodes)
            values += found[: kept * self.per_world]
            if self.for_match and kept:
                chances += self._chances[chunk][: kept * self.per_world]
            worlds, nodes = worlds + kept, nodes + sum(visits[:kept])
            if kept < len(visits) or self._is_spent(nodes):
                stop = "nodes"
        if not stop and worlds == self.count:
            short = self.limits.worlds is None or self.count < self.limits.worlds
            stop = "complete" if self.listed else "memory" if short else "worlds"
        self.values, self.worlds, self.nodes, self.stop = values, worlds, nodes, stop
        self.chances = chances

    def weights(self) -> list[int] | None:
        """Weight of each finished world; None if they are drawn, and all the same."""
        return None if self.all is None else self.all.weights(self.worlds)

    def column(self, group: Group, seat: int | None = None) -> array[int]:
        """Each world's value of a group, times `scale`: for my side, or one seat's points."""
        at = self.groups.index(group) * self.width + (seat or 0)
        return _core.column(self.values, at, self.per_world, 1 if seat is not None else self.width)

    def chance_column(self, group: Group) -> array[int]:
        """Each world's chance to win the match with a group, in 1/SURE."""
        return _core.column(self.chances, self.groups.index(group), self.per_world, 1)

    def aim(self, group: Group) -> array[int]:
        """What is to be made large: chances in a match, else points."""
        return self.chance_column(group) if self.for_match else self.column(group)

    def seat_points(self, group: Group, weights: Sequence[int] | None) -> tuple[float, ...] | None:
        """Expected points of every seat, from mine; None for two sides."""
        if self.width == 1:
            return None
        return tuple(
            WorldSums.of(self.column(group, seat), weights).mean(1) for seat in range(self.width)
        )

    def reasons(self, group: Group) -> tuple[Reason, ...]:
        """Why a group is good or bad; worked out once."""
        if group.index not in self._reasons:
            if self._belief is None:
                self._belief = (Belief.of(self.view, self.model, self.trust, self.seed),)
            self._reasons[group.index] = reasons_for(self.view, group.moves[0], *self._belief)
        return self._reasons[group.index]

    def result(self, stop: str | None = None) -> Hint:
        self.gather()
        complete = self.listed and self.worlds == self.count
        exact = complete and self.count == 1 and self.view.is_last_deal
        return Hint(
            position=self.view.notation,
            rules_name=self.view.rules.name,
            rules_hash=self.view.rules.hash,
            assumed=tuple(self.view.assumed.items()),
            method="solve/1" if exact else "worlds/1" if self.model is None else "worlds/2",
            exact=exact,
            worlds_complete=complete,
            stop=stop or self.stop or "requested",
            worlds=self.worlds,
            nodes=self.nodes,
            seconds=(time.monotonic_ns() - self.started) / 1e9,
            seed=self.seed,
            trust=self.trust,
            objective="match" if self.for_match else "points",
            moves=_ranked(self, complete),
        )


# -- statistics ----------------------------------------------------------------------------------


class Gap(NamedTuple):
    """How far a move is behind the best one, world by world: the mean, and how sure it is."""

    mean: float
    error: float | None
    """Its standard error, None for a single world."""
    size: int
    """Worlds of equal weight that would tell as much (Kish's effective sample size)."""


def told_apart(gaps: Sequence[Gap], look: int) -> bool:
    """Is the best move told from all others, when that is asked for the `look`-th time?

    Each gap must pass Student's test, two-sided, as the best move is chosen by the same worlds.  A
    look may be wrong half as often as the one before, and the moves share that (Bonferroni): so
    however often it is asked, the chance that one of moves that are equally good is told from the
    others stays below _MISTAKEN, as far as means of so many worlds are normally distributed.

    >>> told_apart([Gap(3.0, 1.0, 32)], 1), told_apart([Gap(2.5, 1.0, 32)], 1)
    (True, False)
    """
    for mean, error, size in gaps:
        if mean <= 0 or error is None or size < 2:
            return False
        ratio = mean / error if error else math.inf
        outside = 1 - student_within(ratio, min(size, _LARGE) - 1)
        if outside * len(gaps) >= _MISTAKEN / 2**look:
            return False
    return True


@dataclass(frozen=True, slots=True)
class WorldSums:
    """Exact sums over `n` worlds of weight `w` and value `v`, from which mean and error follow.

    The mean is the weighted one; its error that of a ratio of two sums over independent worlds,
    which for equal weights is the usual standard error.
    """

    n: int
    w: int
    wv: int
    ww: int
    wwv: int
    wwvv: int

    @classmethod
    def of(cls, values: array[int], weights: Sequence[int] | None) -> WorldSums:
        """Sums of one column; None stands for weights of 1."""
        n = len(values)
        if weights is None:
            # There can be a million worlds, and Ctrl-C should not have to wait for them.
            total, squares = _core.sums(values)
            return cls(n, n, total, n, total, squares)
        weighted = list(map(mul, values, weights))
        return cls(
            n,
            sum(weights),
            sum(weighted),
            sum(map(mul, weights, weights)),
            sum(map(mul, weighted, weights)),
            sum(map(mul, weighted, weighted)),
        )

    def mean(self, scale: int) -> float:
        """In points."""
        return self.wv / (self.w * scale * _core.UNIT)

    def error(self, scale: int) -> float | None:
        """In points; None for a single world."""
        if self.n < 2:
            return None
        w, wv = self.w, self.wv
        spread = w * w * self.wwvv - 2 * w * wv * self.wwv + wv * wv * self.ww
        return math.sqrt(self.n * spread / ((self.n - 1) * w**4)) / (scale * _core.UNIT)

    def gap(self, scale: int) -> Gap:
        """Of a column of differences."""
        return Gap(self.mean(scale), self.error(scale), self.w * self.w // self.ww)


def _ranked(task: HintTask, complete: bool) -> tuple[HintMove, ...]:
    """Groups by mean value, best first; without a finished world by what they bring at once."""
    weights = task.weights()
    columns = {group.index: task.column(group) for group in task.groups}
    sums = {index: WorldSums.of(values, weights) for index, values in columns.items()}
    aims = {group.index: task.aim(group) for group in task.groups}
    aimed = {index: WorldSums.of(values, weights) for index, values in aims.items()}

    def promise(group: Group) -> tuple[int, ...]:
        move = group.moves[0]
        if task.worlds:
            return (-aimed[group.index].wv, -sums[group.index].wv, group.index)
        return (-move.basra - move.points, -len(move.captures), group.index)

    ranked = sorted(task.groups, key=promise)
    best = columns[ranked[0].index]
    surest = aims[ranked[0].index]
    return tuple(
        _hint_move(
            task,
            group,
            sums[group.index],
            WorldSums.of(_core.differences(best, columns[group.index]), weights),
            weights,
            complete,
            _chances(aims[group.index], surest, weights, complete) if task.for_match else None,
        )
        for group in ranked
    )


def _chances(
    chances: array[int], best: array[int], weights: Sequence[int] | None, complete: bool
) -> Chance | None:
    """Chance to win the match, as a part of 1, and how far it is behind the best."""
    if not chances:
        return None
    scale = _core.SURE / _core.UNIT
    own = WorldSums.of(chances, weights)
    gap = WorldSums.of(_core.differences(best, chances), weights)

    def error(sums: WorldSums) -> float | None:
        found = 0.0 if complete else sums.error(1)
        return None if found is None else found / scale

    return Chance(own.mean(1) / scale, error(own), gap.mean(1) / scale, error(gap))


def _hint_move(
    task: HintTask,
    group: Group,
    own: WorldSums,
    gap: WorldSums,
    weights: Sequence[int] | None,
    complete: bool,
    chance: Chance | None,
) -> HintMove:
    value = stderr = delta = delta_stderr = points = None
    if task.worlds:
        value, delta = own.mean(task.scale), gap.mean(task.scale)
        stderr = 0.0 if complete else own.error(task.scale)
        delta_stderr = 0.0 if complete else gap.error(task.scale)
        points = task.seat_points(group, weights)
    return HintMove(
        move=group.moves[0],
        value=value,
        stderr=stderr,
        delta=delta,
        delta_stderr=delta_stderr,
        equal=tuple(group.moves[1:]),
        reasons=task.reasons(group),
        points=points,
        match=chance,
    )
