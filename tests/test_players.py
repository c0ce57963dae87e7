"""Players: their texts, what they choose, and the levels."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from basra import ArgumentError, BasraError, Engine, Limits, Position, Rules, View, hint
from basra.errors import ModelError
from basra.models import model_bytes
from basra.players import LEVEL_WORDS, LEVELS, METHODS, Choice, Player, core_player, model_of
from helpers import TABLE_IDS, TABLES, Table

VIEW = View(hand="7D 5C KH 2S", floor="3C 2H 5S")
SEARCH = ("worlds", "endgame", "expectimax", "ismcts", "mo-ismcts")


# -- texts ---------------------------------------------------------------------------------------


@st.composite
def players(draw: st.DrawFn) -> Player:
    """Any player of a method that has the most options."""
    points = st.floats(0, 1000, allow_nan=False).map(lambda x: round(x, 6))
    return Player(
        method=draw(st.sampled_from(("ismcts", "mo-ismcts"))),
        effort=draw(st.integers(0, 1 << 24)),
        trust=draw(st.integers(0, 400)),
        explore=draw(points),
        noise=draw(points),
        memory=draw(st.integers(0, 100)),
        model=draw(st.sampled_from(("default", "none", "some/where.basramodel"))),
        nodes=draw(st.integers(0, 10**18)),
        ms=draw(points),
    )


@given(players())
def test_texts_read_back(player: Player) -> None:
    """One text for each player, and the player from it, to the last digit."""
    assert Player.parse(str(player)) == player
    assert str(Player.parse(str(player))) == str(player)
    assert pickle.loads(pickle.dumps(player)) == player
    assert hash(player) == hash(Player.parse(str(player)))


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("greedy", "greedy"),
        (" Greedy ", "greedy"),
        ("greedy:", "greedy"),
        ("worlds:worlds=160,trust=100", "worlds:worlds=160"),
        ("WORLDS : trust = 0% , Worlds=40, model=none", "worlds:worlds=40,trust=0,model=none"),
        ("mo_ismcts:simulations=2000,explore=20.50", "mo-ismcts:simulations=2000,explore=20.5"),
        ("ismcts:noise=0.25,ms=5", "ismcts:noise=0.25,ms=5"),
        ("full", "best"),
        ("learner:noise=2", "greedy:noise=2"),
        ("worlds:model=Some/Path=x", "worlds:model=Some/Path=x"),
    ],
)
def test_what_is_typed_is_read(typed: str, text: str) -> None:
    assert str(Player.parse(typed)) == text


@pytest.mark.parametrize(
    ("typed", "value", "fix"),
    [
        ("wrlds", "wrlds", "did you mean worlds?"),
        ("begginer", "begginer", "did you mean beginner?"),
        ("", "", "use beginner, casual"),
        ("worlds:wrlds=4", "wrlds", "did you mean worlds?"),
        ("worlds:simulations=4", "simulations", "worlds has worlds, trust"),
        ("ismcts:worlds=4", "worlds", "ismcts has simulations, trust, explore"),
        ("greedy:trust=0", "trust", "greedy has noise"),
        ("random:noise=1", "noise", "random has no options"),
        ("worlds:worlds", "worlds", "worlds=.."),
        ("worlds:worlds=", "worlds", "worlds=.."),
        ("worlds:worlds=2.5", "worlds=2.5", "use 0 to 16,777,216"),
        ("worlds:worlds=-1", "worlds=-1", "use 0 to 16,777,216"),
        ("worlds:memory=101", "memory=101", "use 0 to 100 percent"),
        ("worlds:noise=nan", "noise=nan", "use 0 to 1,000 points"),
        ("worlds:noise=1,noise=2", "noise", "leave one out"),
    ],
)
def test_what_cannot_be_read_is_named(typed: str, value: str, fix: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Player.parse(typed)
    assert caught.value.field == "player"
    assert caught.value.value == value
    assert fix in caught.value.fix


@pytest.mark.parametrize(
    ("field", "value"),
    [("effort", 1.0), ("effort", True), ("trust", 401), ("noise", float("nan")), ("noise", "1"),
     ("memory", -1), ("model", "a,b"), ("model", " a"), ("model", "")],
)  # fmt: skip
def test_values_are_checked(field: str, value: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        Player("worlds", **{field: value})
    assert caught.value.field == field


def test_no_option_that_does_nothing() -> None:
    with pytest.raises(ArgumentError, match="nothing that greedy has"):
        Player("greedy", effort=3)
    with pytest.raises(ArgumentError) as caught:
        Player("bold")
    assert caught.value.field == "player"


# -- choosing ------------------------------------------------------------------------------------


def chosen(text: str, view: View = VIEW, seed: int = 0, limits: Limits | None = None) -> Choice:
    """What a player of that text chooses."""
    return Player.parse(text).choose(view, seed=seed, limits=limits)


@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
@pytest.mark.parametrize("method", ["random", "greedy", "endgame", "careful", "worlds"])
def test_choices_are_legal_and_the_same_twice(method: str, table: Table) -> None:
    player = Player(method, effort=3) if method in SEARCH else Player(method)
    position = Position.deal(table.preset, 5, players=table.players, partners=table.partners)
    for ply in range(12):
        choice = player.choose(position.view(), seed=ply)
        assert choice == player.choose(position.view(), seed=ply)
        assert choice.move in position.legal_moves()
        assert choice.stop == "complete"
        position.play(choice.move)


def test_worlds_is_what_a_hint_says() -> None:
    """With as many worlds and the same seed, the move that `hint` has first."""
    for seed in range(6):
        view = Position.deal("classic", seed).view()
        best = hint(view, worlds=40, seed=seed, model=None).moves
        assert best[1].delta
        move = chosen("worlds:worlds=40,model=none", view, seed).move
        assert move.text in (best[0].move.text, *(equal.text for equal in best[0].equal))


def test_all_chance_comes_from_the_seed() -> None:
    view = Position.deal("palestine-52", 3).view()
    assert len({chosen("random", view, seed).move for seed in range(60)}) > 2
    assert len({chosen("greedy", view, seed).move for seed in range(60)}) == 1
    assert len({chosen("greedy:noise=50", view, seed).move for seed in range(60)}) > 2


def test_budgets() -> None:
    """Nodes bound all the work of a choice; with none left, what brings most at once."""
    view = Position.deal("classic", 3).view()
    for nodes in (1000, 5000):
        by_player = chosen(f"worlds:nodes={nodes}", view)
        assert by_player.stop == "nodes"
        assert nodes * 0.8 < by_player.work <= nodes
        assert chosen("worlds:worlds=1000", view, limits=Limits(nodes=nodes)) == by_player
    hasty = chosen("worlds:nodes=1", view)
    assert (hasty.stop, hasty.move) == ("nodes", chosen("greedy", view).move)
    assert chosen("worlds:worlds=1000000,ms=2", view).stop == "time"


def test_an_engine_that_is_stopped() -> None:
    """The player takes what brings most at once, and says that it was asked to stop."""
    view = View(hand="7D 5C KH 2S", floor="3C 2H 5S 9D", partners=True, deal=1)
    with Engine() as engine:
        found: list[Choice] = []
        player = Player.parse("worlds:worlds=1000000")
        thread = Thread(target=lambda: found.append(player.choose(view, engine=engine)))
        thread.start()
        while thread.is_alive():
            engine.stop()
            thread.join(0.01)
        assert engine.stopped
        assert (found[0].stop, found[0].move) == ("requested", chosen("greedy", view).move)
        # And can be used again.
        again = Player.parse("worlds:worlds=5").choose(view, engine=engine)
        assert not engine.stopped
        assert again == chosen("worlds:worlds=5", view)


def test_misjudging_has_the_deviation_asked_for() -> None:
    """The worse of two moves 10 points apart, noise 10: with probability P(z > 1 / sqrt 2)."""
    view = View(hand="5C KH", floor="5S", rules=Rules.preset("classic").with_changes(most_cards=0))
    seeds = 4000
    wrong = sum(chosen("greedy:noise=10", view, seed).move.text == "KH" for seed in range(seeds))
    assert abs(wrong / seeds - 0.24) < 0.02


@pytest.mark.parametrize("method", ["policy", "expectimax"])
def test_a_method_without_its_model(method: str) -> None:
    with pytest.raises(ModelError) as caught:
        chosen(f"{method}:model=none")
    assert caught.value.field == "player"
    assert "model=FILE" in caught.value.fix


def test_models(tmp_path: Path) -> None:
    """A path is read for the rules at hand, and refused with the reader's own words."""
    rules = Rules.preset("classic")
    path = tmp_path / "some.basramodel"
    path.write_bytes(model_bytes(rules, []))
    player = Player.parse(f"worlds:worlds=3,model={path}")
    assert model_of(player, rules) is model_of(player, rules)
    assert player.choose(VIEW).move in VIEW.legal_moves()
    with pytest.raises(ModelError):
        core_player(player, Rules.preset("palestine"))
    with pytest.raises(BasraError, match="cannot be read"):
        core_player(Player.parse("worlds:model=nowhere"), rules)
    assert model_of(Player("worlds", model="none"), rules) is None
    assert model_of(Player("worlds"), rules.with_changes(most_cards=5)) is None


def test_files_that_are_no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What has no end, or nobody writes to, is not read, and of what is too long nothing is."""
    pipe, long = tmp_path / "pipe", tmp_path / "long"
    os.mkfifo(pipe)
    long.write_bytes(b"BASRAMDL" * 2)
    monkeypatch.setattr("basra.models.MAX_BYTES", 15)
    for path, wrong in (
        (pipe, "not a plain file"), ("/dev/null", "not a plain file"), (tmp_path, "directory"),
        (long, "more than 15 bytes"), ("a\ud800b", "surrogate"),
    ):  # fmt: skip
        with pytest.raises(ArgumentError, match=wrong) as caught:
            model_of(Player("worlds", model=str(path)), Rules.preset("classic"))
        assert (caught.value.field, caught.value.value) == ("model", str(path))


# -- levels --------------------------------------------------------------------------------------


def test_levels() -> None:
    """From beginner to full; only the last may need what was fitted."""
    assert next(iter(LEVELS)) == "beginner"
    assert list(LEVELS)[-1] == "full"
    assert list(LEVELS) == list(LEVEL_WORDS)
    assert not set(LEVELS) & set(METHODS)
    assert len(set(LEVELS.values())) == len(LEVELS) >= 7
    for name, player in LEVELS.items():
        assert Player.parse(name) == Player.parse(str(player)) == player
        if name != "full":
            assert player.model == "none" or player.method == "greedy"
    assert LEVELS["full"] == Player("best", trust=100)
