"""Boundary values: what the end of a deal is worth, fitted backwards from the round's last deal.

Rounds are played by players that search.  At the boundary before the last deal of two sides the
cards to come are dealt in many random ways, and each is solved to the round's end.  At earlier ones
the value is what the sides got in the next deal as it was played, and what the boundary after it is
worth: solving that deal with open hands instead would tell little of how it is played, as errors
add up from deal to deal.  At tables of single players the last deal is played too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from basra import _core
from basra.models import BOUNDARY, TABLES, Part
from basra.pools import mapped
from basra.position import Position, sides_of
from basra.rules import Rules
from basra.training import need_numpy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

HIDDEN = 32
VERSION = 1
_COLUMN_SCALE = 256  # of a weight of a feature
_OUT_SCALE = 64  # of a weight of an output
_CLIP = 2047 / _COLUMN_SCALE
_GREEDY, _CAREFUL, _WORLDS = 1, 3, 5
_DECAY = 1  # of weights, against fitting to noise
_CHUNK = 100  # rounds that are played in one go


@dataclass(frozen=True, slots=True)
class Plan:
    """How much work a fit is.

    rounds
        Played to find boundaries, one of each stage in every round.
    deals
        Random deals that are solved for a boundary before the last one.
    epochs
        Times that the fit goes through all of them.
    stages
        Boundaries that are fitted, from the last one on.  Earlier ones can be fitted, but make a
        search of open hands play worse: it pretends to decide what nobody can foresee.
    """

    rounds: int = 40_000
    deals: int = 32
    epochs: int = 20
    stages: int = 1


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
    need_numpy()
    plan = plan or Plan()
    players, partners = table_of(table)
    firsts = range(0, plan.rounds, _CHUNK)
    jobs = [((rules, players, partners, seed, plan, first),) for first in firsts]
    rounds: list[list[_Boundary]] = []
    for number, found in enumerate(mapped(executor, _play, jobs), 1):
        rounds += found
        if progress is not None:
            progress(f"boundaries, {table}", number / len(jobs))
    parts: list[Part] = []
    after: _Net | None = None
    for stage in range(1, min(plan.stages + 1, len(rules.deal_sizes(players)))):
        sound = [boundaries for boundaries in rounds if boundaries[stage - 1].sound]
        here = [boundaries[stage - 1] for boundaries in sound]
        later = [boundaries[stage - 2] for boundaries in sound] if after is not None else None
        after = fit(rules, here, later, after, seed=seed + stage, epochs=plan.epochs)
        parts.append(Part(BOUNDARY, TABLES.index(table), stage, after.data()))
        if progress is not None:
            progress(f"boundary {stage}, {table}", 1.0)
    return parts


# -- rounds --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Boundary:
    """A boundary as it came up, for the side or seat that leads next.

    got
        Points from there to the next boundary, or the round's end: of two sides the one's less the
        other's and less its luck, or of every single player from there.
    share
        Of single players, the expected points for most cards, as far as cards are captured.
    last
        1 if that side captured last, -1 if the other did.
    sound
        Was the next deal played without plays at random?  Else nothing can be learnt from it.
    """

    active: tuple[int, ...]
    got: tuple[float, ...]
    share: tuple[float, ...]
    lead: int
    last: int
    floor: int
    left: int
    bonus: int
    sound: bool


def _play(job: tuple[Rules, int, bool, int, Plan, int]) -> list[list[_Boundary]]:
    """Rounds from a number on: the boundaries of each, the last one first."""
    rules, players, partners, seed, plan, first = job
    engine = _core.EngineData(0)
    sides = sides_of(players, partners)
    method, effort = (_WORLDS, 8) if players == 2 else (_WORLDS, 1) if sides == 2 else (_CAREFUL, 0)
    player = _core.PlayerData(None, method, effort, 0, 0, _core.UNIT, 100)
    games = []
    for number in range(first, min(first + _CHUNK, plan.rounds)):
        dice = Random(seed * 1_000_003 + number)
        position = Position.deal(rules, dice.getrandbits(60), players=players, partners=partners)
        found: list[_Boundary] = []
        starts, wild = _deals(position, engine, player, dice)
        end = position
        pairs = list(zip(starts[1:], wild[1:], strict=True))[-plan.stages :]
        for start, wandered in reversed(pairs):
            worth: list[float] = []
            if sides == 2:
                values = _core.deal_values(
                    engine, None, start.data, dice.getrandbits(60), plan.deals, []
                )
                worth = [value / _core.UNIT for value in values]
            found.append(_boundary(start, end, worth, final=not found, sound=not wandered))
            end = start
        games.append(found)
    return games


def _deals(
    position: Position, engine: _core.EngineData, player: _core.PlayerData, dice: Random
) -> tuple[list[Position], list[int]]:
    """Plays a round; the positions at the start of each of its deals, and the plays at random.

    A third of the deals end in a few of those: at the ends of a search there are floors that good
    players would not leave.
    """
    data = position.data
    starts: list[Position] = []
    wild: list[int] = []
    seed = dice.getrandbits(60)
    while not data.over:
        fields = data.fields()
        if fields["deal"] != len(starts):
            starts.append(position.copy())
            wild.append(dice.choice((0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4)))
        if sum(hand.bit_count() for hand in fields["hands"]) <= wild[-1]:
            position.play(dice.choice(position.legal_moves()))
        else:
            _core.play_one(engine, data, player, seed, 0, 0, [])
    return starts, wild


def _boundary(
    start: Position, end: Position, worth: list[float], *, final: bool, sound: bool
) -> _Boundary:
    """The boundary before the deal that `start` begins; `end` is the next one, or the round's.

    `worth` are values of that deal with open hands, as dealt and as it could have been dealt.  In
    the last deal their mean is the value itself; else what the cards dealt were worth besides the
    mean is luck, and taken off what was got: the same on average, with far less noise.
    """
    before, after = start.data.fields(), end.data.fields()
    unseen = 0
    for hand in before["hands"]:
        unseen |= hand
    for card in before["stock"]:
        unseen |= 1 << card
    sides, last = len(before["cards"]), before["last"]
    mine = before["turn"] % sides
    gains = [now - then for now, then in zip(after["points"], before["points"], strict=True)]
    if sides > 2:
        got = [gains[(mine + n) % sides] for n in range(sides)]
    elif final:
        got = [sum(worth) / len(worth)]
    else:
        luck = worth[0] - sum(worth[1:]) / (len(worth) - 1)
        got = [gains[mine] - gains[1 - mine] - luck]
    left = (before["floor"] | unseen).bit_count()
    bonus = start.rules.most_cards + before["carry"]
    share: list[float] = []
    if sides > 2:
        shares = _core.majority_shares(list(before["cards"]), left, bonus)
        share = [shares[(mine + n) % sides] / _core.UNIT for n in range(sides)]
    return _Boundary(
        active=tuple(_core.boundary_active(start.rules.data, before["floor"], unseen)),
        got=tuple(got),
        share=tuple(share),
        lead=before["cards"][mine] - before["cards"][1 - mine] if sides == 2 else 0,
        last=0 if last < 0 else 1 if last % sides == mine else -1,
        floor=before["floor"].bit_count(),
        left=left,
        bonus=bonus,
        sound=sound or (final and sides == 2),
    )


# -- the fit -------------------------------------------------------------------------------------


def fit(
    rules: Rules,
    boundaries: Sequence[_Boundary],
    later: Sequence[_Boundary] | None,
    after: _Net | None,
    *,
    seed: int,
    epochs: int,
) -> _Net:
    """A net fitted by stochastic gradient descent (Adam; Kingma and Ba, 2015) to what the sides
    got and what `after` says of the boundaries that came next."""
    import numpy as np

    features = _core.boundary_features(rules.data)
    x, about = _tables(boundaries, features)
    y = np.array([one.got for one in boundaries], np.float32)
    if y.shape[1] > 1:
        y -= np.array([one.share for one in boundaries], np.float32)
    if later is not None and after is not None:
        y += after.worth(*_tables(later, features))
        if y.shape[1] > 1:
            y += np.array([one.share for one in later], np.float32)
    net = _Net(features, y, seed)
    net.run(x, about, y, epochs)
    return net


def _tables(boundaries: Sequence[_Boundary], features: int) -> tuple[Floats, Floats]:
    """Features, 0 or 1; and lead, last capturer, floor cards, cards left, bonus."""
    import numpy as np

    x = np.zeros((len(boundaries), features), np.float32)
    for row, one in enumerate(boundaries):
        x[row, list(one.active)] = 1
    about = [(one.lead, one.last, one.floor, one.left, one.bonus) for one in boundaries]
    return x, np.array(about, np.float32)


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

    def worth(self, x: Floats, about: Floats) -> Floats:
        """Values in points, as in training."""
        import numpy as np

        columns, bias, out, out_bias, tail = self.weights
        told: Floats = np.clip(x @ columns + bias, 0, _CLIP) @ out + out_bias
        if self.singles:
            return told
        return _value_of(told, about, tail)[0][:, None].astype(np.float32)

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
        self.weights[0] *= 1 - rate * _DECAY
        self.weights[2] *= 1 - rate * _DECAY
        for w, m, v, g in zip(self.weights, self.first, self.second, slopes, strict=True):
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            w -= rate * (m / first) / (np.sqrt(v / second) + 1e-8)

    def data(self) -> bytes:
        """Rounded to integers, in the order that the core reads."""
        import numpy as np

        columns, bias, out, out_bias, tail = self.weights
        head = np.array([VERSION, len(columns), HIDDEN, out.shape[1]], "<u2").tobytes()

        def whole(weights: Floats, scale: int) -> bytes:
            rounded: bytes = (
                np.clip(np.rint(weights * scale), -32767, 32767).astype("<i2").tobytes()
            )
            return rounded

        rest: bytes = np.rint(np.concatenate([out_bias, tail]) * _core.UNIT).astype("<i4").tobytes()
        made: bytes = (
            head
            + whole(columns, _COLUMN_SCALE)
            + whole(bias, _COLUMN_SCALE)
            + whole(out.T, _OUT_SCALE)
            + rest
        )
        return made


def _value_of(told: Floats, about: Floats, tail: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """points + bonus (2 Phi(z) - 1), z the expected final lead by its deviation.

    Returns it with z, the density there, and the deviation.
    """
    import numpy as np

    lead, last, floor, left, bonus = about.T
    deviation = tail[2] + tail[3] * floor
    z = (lead + told[:, 1] + last * floor * tail[1]) / deviation
    undecided = np.abs(lead) <= left
    chance = np.where(undecided, _normal(z), lead > 0)
    density = np.exp(-0.5 * z * z) / np.sqrt(2 * np.pi) * undecided
    value = told[:, 0] + last * floor * tail[0] + bonus * (2 * chance - 1)
    return value, z, density, deviation


def _two_sides(told: Floats, about: Floats, y: Floats, tail: Floats) -> tuple[Floats, Floats]:
    """Slopes of half the mean square error, of what the net told and of its tail."""
    import numpy as np

    value, z, density, deviation = _value_of(told, about, tail)
    _, last, floor, _, bonus = about.T
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
    found: Floats = np.where(z > 0, 1 - upper, upper).astype(np.float32)
    return found
