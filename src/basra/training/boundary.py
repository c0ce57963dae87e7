"""Boundary values: what the end of a deal is worth, fitted backwards from the round's last deal.

At the boundary before the last deal the cards to come are dealt in many random ways and each is
solved to the round's end; at the boundary before that, to its end with the value just fitted; and
so on.  Single players play on instead, and what they got is averaged by the fit.  Positions come
from self-play.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from basra import _core
from basra.models import BOUNDARY, TABLES, Part, model_bytes
from basra.position import Position, sides_of
from basra.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

HIDDEN = 32
VERSION = 1
_COLUMN_SCALE = 256  # of a weight of a feature
_OUT_SCALE = 64  # of a weight of an output
_CLIP = 2047 / _COLUMN_SCALE
_GREEDY, _WORLDS = 1, 5
_MORE_LAST = 4  # times as many deals at the last boundary: nothing can be more exact there
_CHUNK = 100  # rounds that are played in one go


@dataclass(frozen=True, slots=True)
class Plan:
    """How much work a fit is.

    rounds
        Played to find positions, each with one position for every boundary.
    deals
        Random deals solved for each position; at tables of single players one is played.
    epochs
        Times that the fit goes through all positions.
    """

    rounds: int = 12000
    deals: int = 12
    epochs: int = 40


def table_of(name: str) -> tuple[int, bool]:
    """(players, partners) of a table by its name in rule files."""
    return (4, True) if name == "partners" else (int(name), False)


def train_boundary(
    rules: Rules,
    table: str,
    *,
    seed: int,
    plan: Plan | None = None,
    progress: Callable[[str, float], None] | None = None,
    executor: Executor | None = None,
) -> list[Part]:
    """The boundary nets of one table, the last boundary first: the same for the same seed.

    `progress` is told what is done and which share of it, 0 to 1.  An executor runs the chunks of
    play; how many workers it has makes no difference.
    """
    plan = plan or Plan()
    players, partners = table_of(table)
    deals = len(rules.deal_sizes(players))
    firsts = range(0, plan.rounds, _CHUNK)
    about = (rules, players, partners, seed, plan)
    told = _told(progress, f"positions, {table}", len(firsts))
    games = list(map(told, _run(_play, [(*about, first) for first in firsts], executor)))
    parts: list[Part] = []
    for stage in range(1, deals):
        model = model_bytes(rules, parts)
        jobs = [(*about, model, stage, [game[stage - 1] for game in chunk]) for chunk in games]
        told = _told(progress, f"boundary {stage} of {deals - 1}, {table}", len(jobs))
        samples = [one for chunk in map(told, _run(_value, jobs, executor)) for one in chunk]
        net = fit(rules, samples, seed=seed + stage, epochs=plan.epochs)
        parts.append(Part(BOUNDARY, TABLES.index(table), stage, net))
    return parts


def _run(work: Callable[[Any], Any], jobs: Sequence[Any], executor: Executor | None) -> Any:
    return (map if executor is None else executor.map)(work, jobs)


def _told(
    progress: Callable[[str, float], None] | None, step: str, count: int
) -> Callable[[Any], Any]:
    """Passes results on, and tells of each."""
    done = 0

    def tell(result: Any) -> Any:
        nonlocal done
        done += 1
        if progress is not None:
            progress(step, done / count)
        return result

    return tell


# -- positions and their values ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Sample:
    """A boundary, for the side or seat that leads next.

    worth
        What it was worth, in points: two sides, those of the one less the other's; single players,
        each one's from there, less the expected ones for most cards.
    last
        1 if that side captured last, -1 if the other did.
    """

    active: tuple[int, ...]
    worth: tuple[float, ...]
    lead: int
    last: int
    floor: int
    left: int
    bonus: int


def _play(job: tuple[Rules, int, bool, int, Plan, int]) -> list[list[tuple[str, list[int]]]]:
    """Rounds from a number on: for each its boundaries, the last one first, and how it ended.

    A boundary is the notation of the position after it, with the points that every side got from
    there.
    """
    rules, players, partners, seed, plan, first = job
    engine = _core.EngineData(0)
    method, effort = (_GREEDY, 0) if players > 2 else (_WORLDS, 6)
    player = _core.PlayerData(None, method, effort, 0, 0, 3 * _core.UNIT, 100)
    deals = len(rules.deal_sizes(players))
    games = []
    for number in range(first, min(first + _CHUNK, plan.rounds)):
        own = Random(seed * 1_000_003 + number).getrandbits(60)
        position = Position.deal(rules, own, players=players, partners=partners)
        sides = [player] * sides_of(players, partners)
        _core.play_on(engine, position.data, sides, False, own, [])
        final = position.data.fields()["points"]
        found = []
        for deal in range(deals, 1, -1):
            _go_back(position, deal)
            banked = position.data.fields()["points"]
            got = [end - now for end, now in zip(final, banked, strict=True)]
            found.append((position.notation, got))
        games.append(found)
    return games


def _value(
    job: tuple[Rules, int, bool, int, Plan, bytes, int, list[tuple[str, list[int]]]],
) -> list[_Sample]:
    """What boundaries of one stage were worth."""
    rules, players, partners, seed, plan, data, stage, boundaries = job
    engine, model = _core.EngineData(0), _core.ModelData(rules.data, data)
    deals = plan.deals * (_MORE_LAST if stage == 1 else 1)
    found = []
    for number, (text, got) in enumerate(boundaries):
        position = Position.from_notation(text)
        fields, unseen = _boundary(position)
        if sides_of(players, partners) > 2:
            worth = _outcome(position, fields, unseen, got)
        else:
            values = _core.deal_values(engine, model, position.data, seed + number, deals, [])
            worth = [sum(values) / len(values) / _core.UNIT]
        found.append(_sample(position, fields, unseen, worth))
    return found


def _go_back(position: Position, deal: int) -> None:
    """To the start of a deal."""
    data = position.data
    for play in reversed(data.fields()["plays"]):
        if play[-1] < deal:
            break
        data.undo()


def _boundary(position: Position) -> tuple[dict[str, Any], int]:
    """Fields, and the cards unseen before the hands are dealt."""
    fields = position.data.fields()
    unseen = 0
    for hand in fields["hands"]:
        unseen |= hand
    for card in fields["stock"]:
        unseen |= 1 << card
    return fields, unseen


def _sample(position: Position, fields: dict[str, Any], unseen: int, worth: list[float]) -> _Sample:
    sides = len(fields["cards"])
    mine, last = fields["turn"] % sides, fields["last"]
    return _Sample(
        active=tuple(_core.boundary_active(position.rules.data, fields["floor"], unseen)),
        worth=tuple(worth),
        lead=fields["cards"][mine] - fields["cards"][1 - mine] if sides == 2 else 0,
        last=0 if last < 0 else 1 if last % sides == mine else -1,
        floor=fields["floor"].bit_count(),
        left=(fields["floor"] | unseen).bit_count(),
        bonus=position.rules.most_cards + fields["carry"],
    )


def _outcome(
    position: Position, fields: dict[str, Any], unseen: int, got: list[int]
) -> list[float]:
    """What every single player got from the boundary on, less the expected share of most cards."""
    players, left = len(got), (fields["floor"] | unseen).bit_count()
    bonus = position.rules.most_cards + fields["carry"]
    shares = _core.majority_shares(list(fields["cards"]), left, bonus)
    seats = [(fields["turn"] + n) % players for n in range(players)]
    return [got[seat] - shares[seat] / _core.UNIT for seat in seats]


# -- the fit -------------------------------------------------------------------------------------


def fit(rules: Rules, samples: Sequence[_Sample], *, seed: int, epochs: int) -> bytes:
    """The bytes of a net fitted to samples by stochastic gradient descent (Adam; Kingma and Ba,
    2015)."""
    import numpy as np

    features = _core.boundary_features(rules.data)
    x = np.zeros((len(samples), features), np.float32)
    for row, sample in enumerate(samples):
        x[row, list(sample.active)] = 1
    y = np.array([sample.worth for sample in samples], np.float32)
    about = np.array([(s.lead, s.last, s.floor, s.left, s.bonus) for s in samples], np.float32)
    net = _Net(features, y, seed)
    net.run(x, about, y, epochs)
    return net.data()


class _Net:
    """One hidden layer in floating point, and Adam's averages of its gradients."""

    def __init__(self, features: int, y: Floats, seed: int) -> None:
        import numpy as np

        self.dice = np.random.default_rng(seed)
        self.singles = y.shape[1] > 1
        outputs = y.shape[1] if self.singles else 2
        start = y.mean(axis=0) if self.singles else np.zeros(2)
        self.weights: list[Any] = [
            self.dice.normal(0, 0.15, (features, HIDDEN)).astype(np.float32),
            np.full(HIDDEN, 0.5, np.float32),
            self.dice.normal(0, 0.3, (HIDDEN, outputs)).astype(np.float32),
            start.astype(np.float32),
            # What having captured last adds to points and cards, and the deviation of the lead.
            np.array([0, 0, 0 if self.singles else 4, 0], np.float32),
        ]
        self.first = [np.zeros_like(w) for w in self.weights]
        self.second = [np.zeros_like(w) for w in self.weights]
        self.steps = 0

    def run(self, x: Floats, about: Floats, y: Floats, epochs: int) -> None:
        size = 256
        for epoch in range(epochs):
            rate = 0.004 * (1 - epoch / epochs) + 0.00005
            order = self.dice.permutation(len(x))
            for at in range(0, len(x), size):
                rows = order[at : at + size]
                self.step(x[rows], about[rows], y[rows], rate)

    def step(self, x: Floats, about: Floats, y: Floats, rate: float) -> None:
        """One step down the gradient of the mean square error."""
        import numpy as np

        columns, bias, out, out_bias, tail = self.weights
        sums = x @ columns + bias
        hidden = np.clip(sums, 0, _CLIP)
        told = hidden @ out + out_bias
        if self.singles:
            slope, tail_slope = (told - y) / len(x), np.zeros_like(tail)
        else:
            slope, tail_slope = _two_sides(told, about, y[:, 0], tail)
        back = (slope @ out.T) * ((sums > 0) & (sums < _CLIP))
        self.adjust(
            [
                x.T @ back + 1e-5 * columns,
                back.sum(axis=0),
                hidden.T @ slope + 1e-5 * out,
                slope.sum(axis=0),
                tail_slope,
            ],
            rate,
        )
        np.maximum(tail, 0, out=tail)
        if not self.singles:
            tail[2] = max(tail[2], 0.5)

    def adjust(self, slopes: list[Any], rate: float) -> None:
        import numpy as np

        self.steps += 1
        first = 1 - 0.9**self.steps
        second = 1 - 0.999**self.steps
        for w, m, v, g in zip(self.weights, self.first, self.second, slopes, strict=True):
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            w -= rate * (m / first) / (np.sqrt(v / second) + 1e-8)

    def data(self) -> bytes:
        """Rounded to integers, in the order that the core reads."""
        import numpy as np

        columns, bias, out, out_bias, tail = self.weights
        head = array("H", [VERSION, len(columns), HIDDEN, out.shape[1]])

        def whole(weights: Floats, scale: int) -> bytes:
            return np.clip(np.rint(weights * scale), -32767, 32767).astype("<i2").tobytes()

        rest = np.rint(np.concatenate([out_bias, tail]) * _core.UNIT).astype("<i4").tobytes()
        return (
            _little(head)
            + whole(columns, _COLUMN_SCALE)
            + whole(bias, _COLUMN_SCALE)
            + whole(out.T, _OUT_SCALE)
            + rest
        )


def _little(numbers: array[int]) -> bytes:
    return b"".join(number.to_bytes(2, "little") for number in numbers)


def _two_sides(told: Floats, about: Floats, y: Floats, tail: Floats) -> tuple[Floats, Floats]:
    """Slopes of half the mean square error, of what the net told and of its tail.

    The value is points + bonus (2 Phi(z) - 1), z the expected final lead by its deviation.
    """
    import numpy as np

    lead, last, floor, left, bonus = about.T
    deviation = tail[2] + tail[3] * floor
    final = lead + told[:, 1] + last * floor * tail[1]
    z = final / deviation
    undecided = np.abs(lead) <= left
    chance = np.where(undecided, _normal(z), lead > 0)
    density = np.exp(-0.5 * z * z) / np.sqrt(2 * np.pi) * undecided
    value = told[:, 0] + last * floor * tail[0] + bonus * (2 * chance - 1)
    error = (value - y) / len(y)
    by_lead = error * bonus * 2 * density / deviation
    slope = np.stack([error, by_lead], axis=1).astype(np.float32)
    tails = np.array(
        [
            (error * last * floor).sum(),
            (by_lead * last * floor).sum(),
            (-by_lead * z).sum(),
            (-by_lead * z * floor).sum(),
        ],
        np.float32,
    )
    return slope, tails


def _normal(z: Floats) -> Floats:
    """The normal distribution function, by Abramowitz and Stegun 26.2.17: errors below 1e-7."""
    import numpy as np

    t = 1 / (1 + 0.2316419 * np.abs(z))
    poly = t * (
        0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429)))
    )
    upper = np.exp(-0.5 * z * z) / np.sqrt(2 * np.pi) * poly
    return np.where(z > 0, 1 - upper, upper).astype(np.float32)
