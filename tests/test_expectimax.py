"""The expectimax player against a slow one that is written here, over the oracle's rules."""

from __future__ import annotations

import itertools
import random
import struct
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import exp, sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

import pytest

import oracle
from basra import Limits, Position, Rules, _core
from basra.models import BOUNDARY, POLICY, Model, Part, model_bytes
from basra.players import Player
from helpers import RulePair, both, mask_of, positions_of, random_states, set_of
from oracle.play import play_card, take_leftovers
from policy_helpers import data_of, part_bytes, random_model
from test_baselines import with_other_cards

UNIT = 1024
WORLDS, EXPECTIMAX = 5, 6
HIDDEN = 32
NODES, STOPPED, NO_MODEL = 3, 12, 13
TEMPERATURE, FLOOR = 130, 60
"""Of the policies here: percent, and of 1024."""

EXACT = 0.005
"""Points by which an answer may be off: weights, chances and values are rounded."""

NORMAL = 0.01
"""The same where most cards are estimated: the core's normal distribution is a table."""


class Net(NamedTuple):
    """A boundary net of odd weights: the numbers of its file."""

    columns: list[list[int]]
    bias: list[int]
    out: list[list[int]]
    out_bias: list[int]
    tail: list[int]

    def bytes(self) -> bytes:
        weights = [*self.columns, self.bias, *self.out]
        numbers = [n for column in weights for n in column]
        head = struct.pack("<4H", 1, len(self.columns), HIDDEN, 2)
        return (
            head + struct.pack(f"<{len(numbers)}h", *numbers)
            + struct.pack("<6i", *self.out_bias, *self.tail)
        )  # fmt: skip

    def told(self, rules: Rules, floor: int, unseen: int) -> tuple[float, float]:
        """Points and cards to come for the side that leads next, less the other's."""
        active = _core.boundary_active(rules.data, floor, unseen)
        sums = [b + sum(self.columns[i][h] for i in active) for h, b in enumerate(self.bias)]
        cut = [min(max(x, 0), 2047) for x in sums]
        found = [
            bias + sum(x * w for x, w in zip(cut, out, strict=True)) / 16
            for bias, out in zip(self.out_bias, self.out, strict=True)
        ]
        return found[0] / UNIT, found[1] / UNIT


def odd_net(rules: Rules) -> Net:
    rng = random.Random(5)
    count = _core.boundary_features(rules.data)
    return Net(
        [[rng.randint(-200, 300) for _ in range(HIDDEN)] for _ in range(count)],
        [rng.randint(0, 500) for _ in range(HIDDEN)],
        [[rng.randint(-6, 6) for _ in range(HIDDEN)] for _ in range(2)],
        [700, -900],
        [300, 200, 6000, 150],
    )


class Game(NamedTuple):
    """Rules for both sides, and a policy for them; perhaps a net for the last boundary but one."""

    pair: RulePair
    model: Model
    net: Net | None = None


def game(preset: str, seed: int = 1, **inline: Any) -> Game:
    pair = both(preset, **inline)
    part = part_bytes(pair.ours, seed, temperature=TEMPERATURE, floor=FLOOR)
    return Game(pair, Model(pair.ours, model_bytes(pair.ours, [Part(POLICY, 0, 0, part)])))


def game_with_net(preset: str, **inline: Any) -> Game:
    pair = both(preset, **inline)
    net = odd_net(pair.ours)
    policy = part_bytes(pair.ours, 1, temperature=TEMPERATURE, floor=FLOOR)
    parts = [Part(BOUNDARY, 0, 2, net.bytes()), Part(POLICY, 0, 0, policy)]
    return Game(pair, Model(pair.ours, model_bytes(pair.ours, parts)), net)


def view_of(g: Game, state: oracle.State, deal: int) -> _core.ViewData:
    """What the seat to move sees; nothing of this deal's plays but what they did."""
    return _core.ViewData(
        g.pair.ours.data,
        {
            "hand": mask_of(state.hands[state.turn]),
            "floor": mask_of(state.floor),
            "seen": mask_of(frozenset().union(*state.piles)),
            "seen_given": True,
            "players": state.players,
            "partners": state.partners,
            "seat": state.turn,
            "last": -1 if state.last is None else state.last,
            "deal": deal,
            "carry": state.carry,
            "cards": list(oracle.by_side(state, state.counts)),
            "cards_given": True,
            "points": [0] * state.sides,
            "score": [0] * state.sides,
            "buried": [],
            "played": [],
        },
    )


# -- the slow expectimax -------------------------------------------------------------------------

World = tuple[float, oracle.State]


class Slow:
    """Values of the moves of one seat, by the definition and nothing else."""

    def __init__(self, g: Game, root: oracle.State, deal: int) -> None:
        self.game, self.root, self.deal = g, root, deal
        self.seat = root.turn
        self.types = oracle.card_types(g.pair.theirs)
        self.split_values: dict[Any, float] = {}

    def classes(self, state: oracle.State) -> list[oracle.Move]:
        """The first of each class of equal moves, in canonical order."""
        first: dict[Any, oracle.Move] = {}
        for move in oracle.moves(state):
            first.setdefault(self.kind(move), move)
        return [first[kind] for kind in sorted(first)]

    def kind(self, move: oracle.Move) -> tuple[int, tuple[int, ...]]:
        """What everybody sees of a play, equal cards being one."""
        return self.types[move.card], tuple(sorted(self.types[card] for card in move.taken))

    def worlds(self) -> list[World]:
        """Every deal of the cards that the seat cannot see, each as likely as the others."""
        hidden = set(self.root.stock)
        for seat, hand in enumerate(self.root.hands):
            hidden |= hand if seat != self.seat else set()
        sizes = [len(hand) if i != self.seat else 0 for i, hand in enumerate(self.root.hands)]
        found = []
        for hands in deals(frozenset(hidden), sizes):
            rest = hidden.difference(*hands)
            dealt = tuple(
                self.root.hands[i] if i == self.seat else hand for i, hand in enumerate(hands)
            )
            state = Rebuilt(self.root, dealt, tuple(sorted(rest))).state()
            found.append((1.0, state))
        return found

    def chances(self, state: oracle.State) -> list[float]:
        """Of the classes of moves of the seat to move, as the policy has them."""
        count = len(self.classes(state))
        view = view_of(self.game, state, self.deal)
        scores = _core.policy_scores(view, data_of(self.game.model), count)
        powers = [exp((s - max(scores)) / UNIT / (TEMPERATURE / 100)) for s in scores]
        even = FLOOR / 1024
        return [(1 - even) * power / sum(powers) + even / count for power in powers]

    def value(self, worlds: Sequence[World]) -> float:
        """Sum over worlds that look the same of weight times value."""
        first = worlds[0][1]
        if not any(first.hands):
            return sum(weight * self.end(state) for weight, state in worlds)
        if first.turn == self.seat:
            return max(self.own(worlds))
        seen: dict[Any, list[World]] = {}
        for weight, state in worlds:
            moves = self.classes(state)
            for move, chance in zip(moves, self.chances(state), strict=True):
                after = (weight * chance, play_card(state, move))
                seen.setdefault(self.kind(move), []).append(after)
        return sum(self.value(group) for group in seen.values())

    def own(self, worlds: Sequence[World]) -> list[float]:
        """The same of every move that the seat can choose."""
        moves = [(weight, state, self.classes(state)) for weight, state in worlds]
        return [
            self.value([(weight, play_card(state, m[i])) for weight, state, m in moves])
            for i in range(len(moves[0][2]))
        ]

    def interest(self, points: Sequence[float]) -> float:
        """Own points less the mean of the others'."""
        side = self.seat % self.root.sides
        others = [p for i, p in enumerate(points) if i != side]
        return points[side] - sum(others) / len(others)

    def end(self, state: oracle.State) -> float:
        """The end of the deal, all that was gained on the way included."""
        gained = [
            new - old
            for new, old in zip(
                oracle.banked_points(state), oracle.banked_points(self.root), strict=True
            )
        ]
        if not state.stock:
            over = take_leftovers(state)
            points, _ = oracle.round_points(over)
            before = oracle.banked_points(self.root)
            return self.interest([p - b for p, b in zip(points, before, strict=True)])
        if len(state.stock) <= 2 * self.game.pair.theirs.hand_size and state.players == 2:
            return self.interest(gained) + self.mean_of_splits(state)
        if self.game.net:
            return self.interest(gained) + self.net_value(state, self.game.net)
        return self.interest(gained) + self.expected_bonus(state)

    def net_value(self, state: oracle.State, net: Net) -> float:
        """As the net tells, most cards at the chance that its cards and deviation make."""
        points, cards = net.told(
            self.game.pair.ours, mask_of(state.floor), mask_of(state.stock)
        )  # fmt: skip
        first, second = oracle.by_side(state, state.counts)
        last_points, last_cards, spread, spread_card = (n / UNIT for n in net.tail)
        floor, left = len(state.floor), len(state.floor) + len(state.stock)
        last = 0 if state.last is None else floor * (1 - 2 * state.last)
        final = first - second + cards + last * last_cards
        chance = NormalDist().cdf(final / (spread + floor * spread_card))
        if abs(first - second) > left:
            chance = float(first > second)
        stake = self.game.pair.theirs.most_cards + state.carry
        value = points + last * last_points + stake * (2 * chance - 1)
        return value if self.seat == 0 else -value

    def expected_bonus(self, state: oracle.State) -> float:
        """The lead to come is normal, of variance 54/16 for each card not captured."""
        mine, theirs = from_seat(oracle.by_side(state, state.counts), self.seat)
        left = len(state.stock) + len(state.floor)
        chance = NormalDist().cdf((mine - theirs) / sqrt(left * 54 / 16))
        if abs(mine - theirs) > left:
            chance = float(mine > theirs)
        return (2 * chance - 1) * (self.game.pair.theirs.most_cards + state.carry)

    def mean_of_splits(self, state: oracle.State) -> float:
        """Of the last deal, solved for every way to deal it, for my side."""
        key = (state.floor, state.stock, state.counts, state.last)
        if key not in self.split_values:
            values: list[Fraction] = []
            stock = frozenset(state.stock)
            for hand in itertools.combinations(sorted(stock), len(stock) // 2):
                hands = (frozenset(hand), stock - set(hand))
                dealt = oracle.position(
                    state.rules, hands, state.floor, counts=state.counts, last=state.last,
                    carry=state.carry,
                )  # fmt: skip
                values.append(Fraction(oracle.solve(dealt)[0]))
            self.split_values[key] = float(sum(values) / len(values))
        return self.split_values[key] * (1 if self.seat == 0 else -1)

    def marks(self, worlds: Sequence[World]) -> list[float]:
        total = sum(weight for weight, _ in worlds)
        return [value / total for value in self.own(worlds)]


class Rebuilt(NamedTuple):
    """A state with other hidden cards."""

    root: oracle.State
    hands: tuple[frozenset[int], ...]
    stock: tuple[int, ...]

    def state(self) -> oracle.State:
        r = self.root
        return oracle.State(
            r.rules, r.partners, self.hands, r.floor, self.stock, r.piles, r.counts, r.basras,
            r.last, r.turn, r.carry,
        )  # fmt: skip


def from_seat(pair: Sequence[int], seat: int) -> tuple[int, int]:
    return (pair[0], pair[1]) if seat == 0 else (pair[1], pair[0])


def deals(hidden: frozenset[int], sizes: Sequence[int]) -> Iterator[tuple[frozenset[int], ...]]:
    """All ways to deal hands of these sizes."""
    if not sizes:
        yield ()
        return
    for hand in itertools.combinations(sorted(hidden), sizes[0]):
        for rest in deals(hidden - set(hand), sizes[1:]):
            yield (frozenset(hand), *rest)


# -- the same answers ----------------------------------------------------------------------------


def core_marks(
    g: Game, view: _core.ViewData, method: int = EXPECTIMAX, *, effort: int = 20000,
    trust: int = 0, nodes: int = 0, seed: int = 0,
) -> tuple[list[float], int, int]:  # fmt: skip
    """(points of every move, work, stop), from the core."""
    player = _core.PlayerData(data_of(g.model), method, effort, trust, 0, 0, 100)
    groups = view.moves()[1]
    engine = _core.EngineData()
    marks, work, stop, _ = _core.player_marks_of(engine, player, view, seed, nodes, groups)
    return [mark / UNIT for mark in marks], work, stop


def compare(g: Game, state: oracle.State, tolerance: float) -> bool:
    """Compares every move of a position; False if there was no choice."""
    left = len(state.stock) // state.players
    deals_left = -(-left // g.pair.theirs.hand_size)
    deal = len(oracle.deal_sizes(g.pair.theirs, state.players)) - deals_left
    view = view_of(g, state, deal)
    if view.moves()[1] < 2:
        return False
    slow = Slow(g, state, deal)
    found = core_marks(g, view)[0]
    assert found == pytest.approx(slow.marks(slow.worlds()), abs=tolerance)
    return True


SMALL: dict[str, Any] = {"hand_size": 2}
TWO = [
    pytest.param("classic", SMALL, id="classic"),
    pytest.param("egyptian-v2", SMALL, id="egyptian-v2"),
    pytest.param("palestine-52", SMALL | {"must_capture": "hand"}, id="palestine-52-hand"),
    pytest.param("classic", SMALL | {"must_capture": "none"}, id="classic-none"),
    pytest.param("classic", SMALL | {"basra_on_last": False}, id="classic-plain-end"),
]


@pytest.mark.parametrize(("preset", "inline"), TWO)
def test_one_world(preset: str, inline: dict[str, Any]) -> None:
    """The last deal of two: one world, and an opponent who does not play his best."""
    g = game(preset, **inline)
    states = [s for seed in range(8) for s in random_states(g.pair.theirs, 2, False, seed)]
    assert sum(compare(g, s, EXACT) for s in states if not s.stock and any(s.hands)) >= 6


def test_one_world_of_four_cards() -> None:
    """A whole last deal."""
    g = game("classic")
    for seed in range(3):
        [state] = list(random_states(g.pair.theirs, 2, False, seed))[-9:-8]
        assert len(state.hands[0]) == 4
        assert not state.stock
        assert compare(g, state, EXACT)


def test_an_opponent_who_errs() -> None:
    """Not the solver's answer: that one takes the other side to play its best."""
    g, differ = game("classic"), 0
    for seed in range(12):
        state = list(random_states(g.pair.theirs, 2, False, seed))[-5]
        best = core_marks(g, view_of(g, state, 6))[0]
        exact = core_marks(g, view_of(g, state, 6), WORLDS)[0]
        assert all(a > b - EXACT for a, b in zip(best, exact, strict=True))
        differ += best != exact
    assert differ > 6


@pytest.mark.parametrize(("preset", "inline"), TWO)
def test_the_deal_before_the_last(preset: str, inline: dict[str, Any]) -> None:
    """Every hand there may be, and the mean of every last deal that may follow."""
    g, compared = game(preset, **inline), 0
    for seed in range(2):
        states = list(random_states(g.pair.theirs, 2, False, seed))
        compared += sum(compare(g, state, EXACT) for state in states[-9:-5])
    assert compared >= 2


@pytest.mark.parametrize(("preset", "inline"), TWO[:3])
def test_an_earlier_deal(preset: str, inline: dict[str, Any]) -> None:
    """More cards are to come, and most of them at their expectation."""
    g, compared = game(preset, **inline), 0
    for seed in range(2):
        states = list(random_states(g.pair.theirs, 2, False, seed))
        compared += sum(compare(g, state, NORMAL) for state in states[-13:-9])
    assert compared >= 3


def test_what_a_net_tells_of_the_boundary() -> None:
    """In each world for itself: what stays unseen is not the same."""
    g, compared = game_with_net("classic", **SMALL), 0
    for seed in range(4):
        states = list(random_states(g.pair.theirs, 2, False, seed))
        for state in states[-13:-9]:
            compared += compare(g, state, NORMAL)
    assert compared >= 6


@pytest.mark.parametrize(("players", "partners"), [(3, False), (4, False), (4, True)])
def test_larger_tables(players: int, partners: bool) -> None:
    """The last deal of two cards each: others answer in turn, a partner among them."""
    g, compared = game("palestine-52", **SMALL), 0
    for seed in range(4):
        states = list(random_states(g.pair.theirs, players, partners, seed))
        late = [s for s in states[:-1] if not s.stock and sum(map(len, s.hands)) <= 7]
        compared += sum(compare(g, s, EXACT) for s in late[:3])
    assert compared >= 4


def state_of(g: Game, position: Position) -> oracle.State:
    """A position of two players as the oracle's; all cards gone lie on the first pile."""
    fields = position.data.fields()
    seen = set_of(_core.ViewData.of(position.data).fields()["seen"])
    state = oracle.position(
        g.pair.theirs,
        [set_of(hand) for hand in fields["hands"]],
        set_of(fields["floor"]),
        fields["stock"],
        counts=position.cards,
        last=None if fields["last"] < 0 else fields["last"],
        turn=fields["turn"],
    )
    return replace(state, piles=(seen, frozenset()))


def test_what_was_played_is_believed() -> None:
    """Worlds have the weights of belief."""
    g, compared = game("classic", **SMALL), 0
    for position in list(positions_of(g.pair.ours, 2, False, 3))[-13:-5]:
        view = _core.ViewData.of(position.data)
        fields = view.fields()
        if not fields["played"] or view.moves()[1] < 2:
            continue
        state = state_of(g, position)
        slow = Slow(g, state, fields["deal"])
        worlds, complete = view.believed_worlds(data_of(g.model), 100, 0, 20000, merge=True)
        assert complete
        weights = {hands[1 - state.turn]: weight for hands, weight, _ in worlds}
        likely = [(weights.get(mask_of(s.hands[1 - s.turn]), 0), s) for _, s in slow.worlds()]
        found = core_marks(g, view, trust=100)[0]
        assert found == pytest.approx(slow.marks([w for w in likely if w[0]]), abs=NORMAL)
        compared += found != core_marks(g, view)[0]
    assert compared >= 2


# -- what else is asked of a player --------------------------------------------------------------

CLASSIC = Rules.preset("classic")


def core_marks_or_none(g: Game, view: _core.ViewData, nodes: int) -> tuple[list[float], int, int]:
    """No marks where the search was stopped before it had any."""
    try:
        return core_marks(g, view, effort=6, trust=100, nodes=nodes)
    except _core.CoreError as error:
        if error.status != STOPPED:
            raise
        return [], 0, 0


def cut_short(g: Game, view: _core.ViewData, whole: int) -> list[float] | None:
    """Marks under the first limit that allows any, if that is less than the whole."""
    for nodes in range(200, whole, whole // 40):
        marks, work, stop = core_marks_or_none(g, view, nodes)
        if not marks:
            continue
        assert (work, stop) == (nodes, NODES)
        return marks
    return None


@pytest.mark.parametrize("players", [2, 3])
def test_a_search_cut_short(players: int) -> None:
    """Before the long search a short one: the worlds search itself, on the same worlds."""
    g, compared = Game(both("classic"), random_model("classic")), 0
    for position in list(positions_of(CLASSIC, players, False, 4))[: players + 1]:
        view = _core.ViewData.of(position.data)
        if view.moves()[1] < 2:
            continue
        worlds = core_marks(g, view, WORLDS, effort=6, trust=100)[0]
        whole, work, stop = core_marks(g, view, effort=6, trust=100)
        assert stop == 0
        # With room for both it is the long one that tells.
        assert core_marks(g, view, effort=6, trust=100, nodes=3 * work)[0] == whole
        short = cut_short(g, view, work)
        if short is None:
            continue
        # Marks of the worlds player are in the others' number of points.
        assert short == pytest.approx([mark / (players - 1) for mark in worlds], abs=0.002)
        compared += short != whole
    assert compared >= 2


def test_work_is_worlds_at_places() -> None:
    """One world, two cards against one: the root, an answer to either, and my last card twice."""
    g = game("classic")
    mine, theirs = oracle.parse_many("AC 6D"), oracle.parse_many("3H")
    state = oracle.position(
        g.pair.theirs, [theirs, mine], (), counts=(30, 19), last=0, turn=1
    )  # fmt: skip
    gone = frozenset(range(52)) - set(mine) - set(theirs)
    state = replace(state, piles=(gone, frozenset()))
    assert core_marks(g, view_of(g, state, 6))[1] == 1 + 2 + 2


def test_limits() -> None:
    player = Player.parse("expectimax:worlds=40")
    view = Position.deal(CLASSIC, 3).view()
    whole = player.choose(view)
    assert whole.stop == "complete"
    assert player.choose(view) == whole
    by_nodes = player.choose(view, limits=Limits(nodes=whole.work // 2))
    assert by_nodes.stop == "nodes"
    assert by_nodes.work <= whole.work // 2
    late = Player.parse("expectimax:worlds=4000").choose(view, limits=Limits(time=0.2))
    assert late.stop == "time"
    # Stopped before it could tell, it takes what brings most at once.
    hasty = player.choose(view, limits=Limits(nodes=1))
    assert (hasty.stop, hasty.move) == ("nodes", Player("greedy").choose(view).move)


@pytest.mark.parametrize("players", [2, 3])
def test_hidden_cards_do_not_matter(players: int) -> None:
    who, different = Player.parse("expectimax:worlds=6"), 0
    for one, other in with_other_cards(CLASSIC, players, 4, 20):
        different += one.hands != other.hands
        assert one.view() == other.view()
        assert who.choose(one.view()) == who.choose(other.view())
    assert different > 15


def test_seeds_matter() -> None:
    """Few worlds: other seeds, other choices somewhere; the same seed, never."""
    who = Player.parse("expectimax:worlds=3")
    views = [p.view() for p in list(positions_of(CLASSIC, 2, False, 5))[:12]]
    found = [[who.choose(view, seed=seed) for view in views] for seed in (1, 2, 1)]
    assert found[0] == found[2]
    assert [c.move for c in found[0]] != [c.move for c in found[1]]


def test_a_model_without_a_policy() -> None:
    data = data_of(Model(CLASSIC, model_bytes(CLASSIC, [])))
    player = _core.PlayerData(data, EXPECTIMAX, 5, 100, 0, 0, 100)
    view = _core.ViewData.of(Position.deal(CLASSIC, 1).data)
    with pytest.raises(_core.CoreError) as caught:
        _core.choose(_core.EngineData(), player, view, 0, 0, 0, [])
    assert caught.value.status == NO_MODEL


@pytest.mark.parametrize("hand", [5, 6])
def test_large_hands(hand: int) -> None:
    """Trees that would be too large end earlier; a limit ends them in any case."""
    g = game("classic", hand_size=hand)
    view = _core.ViewData.of(Position.deal(g.pair.ours, 1).data)
    _, work, stop = core_marks(g, view, effort=2, nodes=200_000)
    assert work <= 200_000
    assert stop in (0, NODES)
