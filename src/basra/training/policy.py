"""The policy: how players play, learnt from what worlds players choose.

A worlds player plays rounds with itself; each of its decisions becomes the features that the core
sees of every move (csrc/model/policy_features.h) and the number of the move it chose. A net with
one hidden layer is fitted to those by maximum likelihood: cross-entropy of a softmax over the
legal moves (multinomial logistic regression with hidden units), by Adam (Kingma and Ba, Adam: a
method for stochastic optimization, 2015). Its numbers are then rounded to the integers of
csrc/model/policy.h.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

from basra import _core
from basra.models import Model
from basra.pools import mapped
from basra.rules import Rules
from basra.training import need_numpy

VERSION = 1
"""Of the part's bytes."""

UNIT, SECOND_UNIT, CLIP = 512, 256, 4.0
"""First weights, biases and hidden sums are in 1/UNIT, second weights in 1/SECOND_UNIT; hidden
sums are cut off at CLIP."""

CHUNK_ROUNDS = 50
"""Rounds of a chunk: what one task of an executor makes."""

_HEAD = struct.Struct("<IIHHHH")
_WORLDS = 5

Progress = Callable[[str, int, int], None]
"""Told the name of a stage, how much of it is done, and of how much."""

Columns = tuple[Any, Any, Any, Any]
"""Decisions as `_core.PolicyList.columns` gives them."""


@dataclass(frozen=True, slots=True)
class PolicyTraining:
    """How a policy is trained.

    hidden: units, a multiple of 8 up to 64. effort, trust: worlds of the players that are learnt
    from, and how far they believe earlier plays, in percent. wander: about one play in so many is
    drawn evenly, so that hands and floors vary. passes, batch, rate: passes over the decisions,
    decisions of a step, first step size, which falls to 0. temperature (percent) and floor
    (1/1024) are those of the chances that belief takes from the scores.
    """

    hidden: int = 32
    effort: int = 40
    trust: int = 0
    wander: int = 8
    passes: int = 10
    batch: int = 256
    rate: float = 0.006
    temperature: int = 150
    floor: int = 20


def _table(rules: Rules) -> tuple[int, bool]:
    """Players and partners: two where the rules allow it."""
    for players, partners in ((2, False), (4, True), (3, False), (4, False)):
        try:
            rules.data.check_table(players, partners)
        except _core.CoreError:
            continue
        return players, partners
    raise AssertionError("checked rules allow a table")


def record_chunk(
    rules: Rules, model: bytes | None, plan: PolicyTraining, seed: int, chunk: int, rounds: int
) -> tuple[array[int], array[int], array[int], array[int]]:
    """The decisions of some rounds, which depend on the arguments alone."""
    players, partners = _table(rules)
    data = None if model is None else Model(rules, model)._data
    player = _core.PlayerData(data, _WORLDS, plan.effort, plan.trust, 0, 0, 100)
    engine = _core.EngineData(0)
    decisions = _core.PolicyList()
    for number in range(chunk * CHUNK_ROUNDS, chunk * CHUNK_ROUNDS + rounds):
        # Plays of a round draw from the numbers behind its own.
        own = (seed << 32) + (number << 8) & (1 << 64) - 1
        position = _core.PositionData.deal(rules.data, players, partners, number % players, own)
        decisions.record(engine, player, plan.wander, own, position)
    return decisions.columns()


def _chunks(
    rules: Rules,
    model: bytes | None,
    plan: PolicyTraining,
    seed: int,
    rounds: int,
    executor: Executor | None,
) -> Iterator[tuple[array[int], array[int], array[int], array[int]]]:
    """The chunks of a training, in order, whoever makes them."""
    sizes = [
        (chunk, min(CHUNK_ROUNDS, rounds - chunk * CHUNK_ROUNDS))
        for chunk in range(-(-rounds // CHUNK_ROUNDS))
    ]
    tasks = ((rules, model, plan, seed, chunk, size) for chunk, size in sizes)
    return mapped(executor, record_chunk, tasks)


def join_chunks(chunks: Sequence[tuple[array[int], ...]]) -> Columns:
    """NumPy columns of several chunks, one behind the other."""
    np = need_numpy()
    parts: list[list[Any]] = [[], [], [], []]
    numbers = groups = 0
    for features, ends, decisions, chosen in chunks:
        parts[0].append(np.array(features, dtype=np.uint16))
        parts[1].append(np.array(ends, dtype=np.int64) + numbers)
        parts[2].append(np.array(decisions, dtype=np.int64) + groups)
        parts[3].append(np.array(chosen, dtype=np.int64))
        numbers += len(features)
        groups += len(ends)
    features, ends, decisions, chosen = (np.concatenate(part) for part in parts)
    return features, ends, decisions, chosen


class Net:
    """A net in float32, and how it learns."""

    def __init__(self, features: int, hidden: int, seed: int) -> None:
        np = need_numpy()
        draw = np.random.Generator(np.random.PCG64(seed))
        # About twenty features are there at once.
        self.first = draw.normal(0.0, 0.25, (features, hidden)).astype(np.float32)
        self.bias = np.full(hidden, 0.5, dtype=np.float32)
        self.second = draw.normal(0.0, 0.3, hidden).astype(np.float32)
        self._moments = [[np.zeros_like(w), np.zeros_like(w)] for w in self.weights()]
        self._steps = 0

    def weights(self) -> list[Any]:
        return [self.first, self.bias, self.second]

    def scores(self, dense: Any) -> Any:
        """Scores in nat of groups given by their features, 0 or 1."""
        np = need_numpy()
        return np.clip(dense @ self.first + self.bias, 0.0, CLIP) @ self.second

    def learn(self, dense: Any, starts: Any, chosen: Any, rate: float) -> float:
        """One step; `starts` and `chosen` index groups. The mean loss before it, in nat."""
        np = need_numpy()
        sums = dense @ self.first + self.bias
        hidden = np.clip(sums, 0.0, CLIP)
        chances, loss = softmax_of(hidden @ self.second, starts, chosen)
        count = np.float32(len(starts))
        slope = chances / count
        slope[chosen] -= 1 / count
        inner = np.outer(slope, self.second) * ((sums > 0) & (sums < CLIP))
        self._adam([dense.T @ inner, inner.sum(axis=0), hidden.T @ slope], rate)
        return float(loss)

    def _adam(self, slopes: list[Any], rate: float) -> None:
        np = need_numpy()
        self._steps += 1
        first, second = 1 - 0.9**self._steps, 1 - 0.999**self._steps
        for weight, slope, moments in zip(self.weights(), slopes, self._moments, strict=True):
            moments[0] *= np.float32(0.9)
            moments[0] += np.float32(0.1) * slope
            moments[1] *= np.float32(0.999)
            moments[1] += np.float32(0.001) * slope * slope
            step = (moments[0] / first) / (np.sqrt(moments[1] / second) + 1e-8)
            weight -= (np.float32(rate) * step).astype(np.float32)


def softmax_of(scores: Any, starts: Any, chosen: Any) -> tuple[Any, Any]:
    """Chances of groups among those of their decision, and the mean loss."""
    np = need_numpy()
    sizes = np.diff(np.append(starts, len(scores)))
    scores = scores - np.repeat(np.maximum.reduceat(scores, starts), sizes)
    powers = np.exp(scores)
    chances = powers / np.repeat(np.add.reduceat(powers, starts), sizes)
    return chances, -np.log(np.maximum(chances[chosen], 1e-9)).mean()


class Batches:
    """Decisions cut into dense pieces."""

    def __init__(self, columns: Columns, features: int) -> None:
        np = need_numpy()
        self.numbers, ends, decisions, self.chosen = columns
        self.starts = np.concatenate([[0], ends[:-1]])
        self.counts = ends - self.starts
        self.first = np.concatenate([[0], decisions[:-1]])
        self.sizes = decisions - self.first
        self.features = features

    def __len__(self) -> int:
        return len(self.sizes)

    def take(self, decisions: Any) -> tuple[Any, Any, Any]:
        """(dense features, first group of each decision, chosen group of each)"""
        np = need_numpy()
        groups = _ranges(self.first[decisions], self.sizes[decisions])
        counts = self.counts[groups]
        at = _ranges(self.starts[groups], counts)
        dense = np.zeros((len(groups), self.features), dtype=np.float32)
        dense[np.repeat(np.arange(len(groups)), counts), self.numbers[at]] = 1.0
        ends = np.cumsum(self.sizes[decisions])
        starts = ends - self.sizes[decisions]
        return dense, starts, starts + self.chosen[decisions]


def _ranges(starts: Any, counts: Any) -> Any:
    """Every number of several ranges, one range after the other."""
    np = need_numpy()
    ends = np.cumsum(counts)
    return np.arange(int(ends[-1])) + np.repeat(starts - ends + counts, counts)


def fit(
    columns: Columns,
    features: int,
    plan: PolicyTraining,
    seed: int,
    progress: Progress | None = None,
) -> Net:
    """The net that these decisions make."""
    np = need_numpy()
    net = Net(features, plan.hidden, seed)
    batches = Batches(columns, features)
    order = np.random.Generator(np.random.PCG64([seed, 1]))
    steps = plan.passes * -(-len(batches) // plan.batch)
    step = 0
    for _ in range(plan.passes):
        mixed = order.permutation(len(batches))
        for at in range(0, len(mixed), plan.batch):
            net.learn(*batches.take(mixed[at : at + plan.batch]), plan.rate * (1 - step / steps))
            step += 1
            if progress is not None and step % 64 == 0:
                progress("fit", step, steps)
    return net


def net_bytes(net: Net, plan: PolicyTraining) -> bytes:
    """The net as the bytes of a part, rounded."""
    np = need_numpy()

    def rounded(numbers: Any, unit: int) -> bytes:
        whole = np.clip(np.rint(numbers.astype(np.float64) * unit), -32767, 32767)
        made: bytes = whole.astype("<i2").tobytes()
        return made

    features, hidden = net.first.shape
    head = _HEAD.pack(VERSION, features, hidden, plan.temperature, plan.floor, 0)
    return (
        head + rounded(net.first, UNIT) + rounded(net.bias, UNIT) + rounded(net.second, SECOND_UNIT)
    )


def train_policy(
    rules: Rules,
    *,
    seed: int,
    rounds: int,
    progress: Progress | None = None,
    executor: Executor | None = None,
    model: Model | None = None,
    plan: PolicyTraining | None = None,
) -> bytes:
    """The bytes of a policy part for these rules.

    rounds: how many are played to learn from, about 30 decisions each. model: what the players
    that are learnt from know themselves, if anything. The same arguments give the same bytes on
    the same machine, whatever the executor and however many workers it has.

    Raises TrainingUnavailableError without NumPy.
    """
    need_numpy()
    chosen = plan or PolicyTraining()
    known = None if model is None else model.bytes
    chunks = []
    for chunk in _chunks(rules, known, chosen, seed, rounds, executor):
        chunks.append(chunk)
        if progress is not None:
            progress("play", min(len(chunks) * CHUNK_ROUNDS, rounds), rounds)
    features = _core.policy_features(rules.data)
    net = fit(join_chunks(chunks), features, chosen, seed, progress)
    return net_bytes(net, chosen)
