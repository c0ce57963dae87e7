"""Training of the policy: what it learns from, that it learns, and that it repeats to the byte."""

from __future__ import annotations

import builtins
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from basra import Position, Rules, _core
from basra.models import POLICY, Model, Part, model_bytes
from basra.training import TrainingUnavailableError
from basra.training import policy as training
from helpers import positions_of

np = pytest.importorskip("numpy")

CLASSIC = Rules.preset("classic")
SMALL = training.PolicyTraining(hidden=8, effort=4, passes=2, batch=64)


def test_the_same_bytes_however_it_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this thread, again, and by three: also where chunks end before the rounds do."""
    monkeypatch.setattr(training, "CHUNK_ROUNDS", 3)
    told: list[tuple[str, int, int]] = []

    def note(stage: str, done: int, of: int) -> None:
        told.append((stage, done, of))

    made = training.train_policy(CLASSIC, seed=5, rounds=8, plan=SMALL, progress=note)
    assert [t for t in told if t[0] == "play"] == [("play", n, 8) for n in (3, 6, 8)]
    assert made == training.train_policy(CLASSIC, seed=5, rounds=8, plan=SMALL)
    with ThreadPoolExecutor(3) as pool:
        assert made == training.train_policy(CLASSIC, seed=5, rounds=8, plan=SMALL, executor=pool)
    assert made != training.train_policy(CLASSIC, seed=6, rounds=8, plan=SMALL)
    Model(CLASSIC, model_bytes(CLASSIC, [Part(POLICY, 0, 0, made)]))


def test_rounds_do_not_depend_on_their_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same decisions however the rounds are cut."""
    joined = []
    for size in (2, 5):
        monkeypatch.setattr(training, "CHUNK_ROUNDS", size)
        chunks = list(training._chunks(CLASSIC, None, SMALL, 3, 6, None))
        joined.append(training.join_chunks(chunks))
    for a, b in zip(*joined, strict=True):
        assert (a == b).all()


@pytest.mark.parametrize("preset", ["classic", "egyptian", "palestine", "egyptian-v2"])
def test_every_preset_can_be_learnt(preset: str) -> None:
    rules = Rules.preset(preset)
    part = training.train_policy(rules, seed=1, rounds=2, plan=SMALL)
    model = Model(rules, model_bytes(rules, [Part(POLICY, 0, 0, part)]))
    view = _core.ViewData.of(Position.deal(rules, 1).data)
    assert len(_core.policy_scores(view, model._data, view.moves()[1])) == view.moves()[1]


def test_a_table_without_two_players_is_learnt_from_another() -> None:
    rules = Rules.preset("palestine").with_changes(tables=["partners"])
    assert training._table(rules) == (4, True)
    assert training.train_policy(rules, seed=1, rounds=1, plan=SMALL)


def test_recorded_decisions_are_those_of_the_player() -> None:
    """Without wandering: the game is replayed by asking the player at every ply."""
    seed = 9 << 8
    player = _core.PlayerData(None, 5, 4, 0, 0, 0, 100)
    engine = _core.EngineData(0)
    recorded = _core.PolicyList()
    position = Position.deal(CLASSIC, 4)
    recorded.record(engine, player, 0, seed, position.copy().data)
    again = _core.PolicyList()
    ply = 0
    while not position.is_over:
        view = _core.ViewData.of(position.data)
        (card, taken, _, _), group, _, _ = _core.choose(engine, player, view, seed + ply, 0, 0, [])
        if view.moves()[1] > 1:
            again.add(view, group)
        position.data.play(card, taken)
        ply += 1
    assert recorded.columns() == again.columns()
    assert len(recorded.columns()[3]) > 20


def test_wandering_plays_what_was_not_chosen() -> None:
    player = _core.PlayerData(None, 1, 0, 0, 0, 0, 100)  # greedy
    ends = []
    for wander in (0, 1, 2, 8):
        position = Position.deal(CLASSIC, 4)
        _core.PolicyList().record(_core.EngineData(0), player, wander, 1, position.data)
        assert position.is_over
        ends.append(position.notation)
    assert len(set(ends)) == 4


def greedy_columns(rounds: int, first: int) -> training.Columns:
    player = _core.PlayerData(None, 1, 0, 0, 0, 0, 100)
    recorded = _core.PolicyList()
    for number in range(first, first + rounds):
        data = Position.deal(CLASSIC, number).data
        recorded.record(_core.EngineData(0), player, 4, number << 8, data)
    return training.join_chunks([recorded.columns()])


def hits(net: training.Net, columns: training.Columns) -> float:
    """Share of decisions in which the choice has the best score."""
    batches = training.Batches(columns, _core.policy_features(CLASSIC.data))
    dense, starts, chosen = batches.take(np.arange(len(batches)))
    scores = net.scores(dense)
    return float((np.maximum.reduceat(scores, starts) == scores[chosen]).mean())


def test_it_learns_to_play_as_others_do() -> None:
    """Greedy play, which draws among equals: two in three decisions of rounds not learnt from."""
    plan = training.PolicyTraining(hidden=16, passes=6, batch=128)
    features = _core.policy_features(CLASSIC.data)
    net = training.fit(greedy_columns(60, 0), features, plan, 1)
    fresh = training.Net(features, 16, 1)
    test = greedy_columns(15, 1000)
    assert hits(net, test) > 0.65
    assert hits(net, test) > hits(fresh, test) + 0.2


def test_rounded_scores_agree_with_the_net() -> None:
    """Of a trained net: the core's integers within a hundredth of a nat or so."""
    plan = training.PolicyTraining(hidden=16, passes=3, batch=64)
    features = _core.policy_features(CLASSIC.data)
    net = training.fit(greedy_columns(20, 0), features, plan, 1)
    part = training.net_bytes(net, plan)
    model = Model(CLASSIC, model_bytes(CLASSIC, [Part(POLICY, 0, 0, part)]))
    worst = 0.0
    for position in positions_of(CLASSIC, 2, False, 3):
        if position.is_over:
            break
        view = _core.ViewData.of(position.data)
        decision = _core.PolicyList()
        decision.add(view, 0)
        batches = training.Batches(training.join_chunks([decision.columns()]), features)
        dense, _, _ = batches.take(np.array([0]))
        ours = np.array(_core.policy_scores(view, model._data, view.moves()[1])) / 1024
        worst = max(worst, float(np.abs(ours - net.scores(dense)).max()))
    assert 0 < worst < 0.05


def test_slopes_are_those_of_the_loss() -> None:
    """Against differences, weight by weight, in a net of doubles."""
    columns = greedy_columns(1, 5)
    features = _core.policy_features(CLASSIC.data)
    batches = training.Batches(columns, features)
    dense, starts, chosen = batches.take(np.arange(len(batches)))
    net = training.Net(features, 8, 2)
    net.first, net.bias = net.first.astype(float), net.bias.astype(float)
    net.second = net.second.astype(float)
    found: list[Any] = []
    net._adam = lambda slopes, rate: found.extend(slopes)  # type: ignore[method-assign]

    def loss() -> float:
        return float(training.softmax_of(net.scores(dense), starts, chosen)[1])

    assert net.learn(dense, starts, chosen, 0.0) == pytest.approx(loss())
    rng = random.Random(1)
    present = np.flatnonzero(dense.any(axis=0))
    for _ in range(30):
        feature, unit = int(rng.choice(present)), rng.randrange(8)
        for weight, slope, at in (
            (net.first, found[0], (feature, unit)),
            (net.bias, found[1], unit),
            (net.second, found[2], unit),
        ):
            kept = weight[at]
            weight[at] = kept + 1e-5
            above = loss()
            weight[at] = kept - 1e-5
            below = loss()
            weight[at] = kept
            assert slope[at] == pytest.approx((above - below) / 2e-5, abs=1e-5)


def test_without_numpy_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *args: Any, **options: Any) -> Any:
        if name.partition(".")[0] == "numpy":
            raise ImportError(name)
        return real(name, *args, **options)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(TrainingUnavailableError) as caught:
        training.train_policy(CLASSIC, seed=1, rounds=1)
    assert "NumPy" in str(caught.value)
    assert "pip install 'basra[train]'" in caught.value.fix
