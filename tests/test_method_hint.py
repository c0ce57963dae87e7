"""Hints by other methods than the worlds search."""

from __future__ import annotations

from statistics import fmean, stdev

import pytest

from basra import ArgumentError, Engine, Limits, ModelError, Position, Rules, View, hint
from basra.engine import METHODS
from basra.method_hint import IN_POINTS
from basra.players import METHODS as WORDS
from basra.players import Player
from cli_helpers import call

VIEW = View(hand="7D 5C KH 2S", floor="3C 2H 9H", played="9H", seat=2)


def few(method: str) -> Limits:
    return Limits(worlds=300 if method.endswith("ismcts") else 6)


def test_every_method_of_players_is_one_of_hints() -> None:
    assert sorted(METHODS) == sorted(WORDS)


@pytest.mark.parametrize("method", METHODS[1:])
def test_all_moves_best_first(method: str) -> None:
    found = hint(VIEW, method=method, limits=few(method))
    assert found.method == f"{method}/1"
    listed = [m.text for move in found.moves for m in (move.move, *move.equal)]
    assert sorted(listed) == sorted(move.text for move in VIEW.legal_moves())
    assert all((move.value is not None) == (method in IN_POINTS) for move in found.moves)
    if method in IN_POINTS:
        values = [move.value or 0 for move in found.moves]
        assert values == sorted(values, reverse=True)
        assert [move.delta for move in found.moves] == [values[0] - value for value in values]
    assert hint(VIEW, method=method, limits=few(method)).moves == found.moves


@pytest.mark.parametrize("method", ["greedy", "careful", "expectimax", "policy", "best"])
def test_the_best_move_is_the_players_choice(method: str) -> None:
    found = hint(VIEW, method=method)
    chosen = Player(method).choose(VIEW, seed=0).move
    assert chosen.text in {move.text for move in (found.best.move, *found.best.equal)}


@pytest.mark.parametrize("method", ["expectimax", "best"])
def test_errors_of_expectimax(method: str) -> None:
    """None where all hands are looked at; else about the spread that other samples have."""
    every = hint(VIEW, method=method, limits=Limits(worlds=20_000))
    assert all(move.stderr == move.delta_stderr == 0 for move in every.moves)
    assert all(move.stderr is None for move in hint(VIEW, method="careful").moves)
    samples = [hint(VIEW, method=method, limits=Limits(worlds=30), seed=n) for n in range(30)]
    for text in (move.move.text for move in every.moves):
        found = [move for one in samples for move in one.moves if move.move.text == text]
        for values, errors in (
            ([move.value for move in found], [move.stderr for move in found]),
            ([move.delta for move in found], [move.delta_stderr for move in found]),
        ):
            assert all(error is not None for error in errors)
            spread, told = stdev(v or 0 for v in values), fmean(e or 0 for e in errors)
            assert told == spread == 0 or 0.3 < told / spread < 3
    assert all(one.best.delta_stderr == 0 for one in samples)
    assert hint(VIEW, method=method, limits=Limits(worlds=1)).best.stderr is None


def test_errors_where_the_search_was_cut_short() -> None:
    """They belong to the values that are told: those of the short search."""
    cut = hint(VIEW, method="expectimax", limits=Limits(worlds=6, nodes=2000))
    assert cut.stop == "nodes"
    assert all(move.stderr for move in cut.moves)


@pytest.mark.parametrize("method", ["best", "endgame"])
def test_the_last_deal_is_exact(method: str) -> None:
    position = Position.deal(Rules.preset("classic"), 3)
    while not View.of(position).is_last_deal:
        position.play(position.legal_moves()[0])
    found = hint(View.of(position), method=method)
    assert found.exact
    assert found.moves == hint(View.of(position)).moves


def test_best_plays_for_the_match() -> None:
    view = View(hand="7D 5C KH 2S", floor="3C 2H 9H", played="9H", seat=2, match="61:84")
    found = hint(view, method="best", limits=few("best"))
    assert found.objective == "match"
    assert found.moves == hint(view, limits=few("best")).moves
    assert hint(view, method="careful").objective == "points"


def test_a_method_that_needs_a_model() -> None:
    for method in ("policy", "expectimax"):
        with pytest.raises(ModelError, match="method"):
            hint(VIEW, method=method, model=None)
    assert hint(VIEW, method="best", model=None, limits=few("best")).method == "best/1"


def test_limits_and_engines() -> None:
    with Engine() as engine:
        stopped = engine.hint(VIEW, Limits(nodes=2000), method="ismcts")
        assert stopped.stop == "nodes"
        assert engine.last_result == stopped
    with pytest.raises(ArgumentError, match="is not a method"):
        hint(VIEW, method="magic")
    with Engine() as engine, pytest.raises(ArgumentError, match="trust"):
        engine.hint(VIEW, method="greedy", trust=-1)


@pytest.mark.parametrize("method", ["expectimax", "ismcts", "greedy"])
def test_on_the_command_line(method: str) -> None:
    words = ["hint", "--hand", "7D 5C KH 2S", "--floor", "3C 2H 5S", "--method", method]
    limit = ["--worlds", str(few(method).worlds)]
    shown = call(*words, *limit)
    assert shown.code == 0
    assert f"{method}: {WORDS[method]}" in " ".join(shown.out.split())
    assert f"{method}/1" in shown.out
    found = call(*words, *limit, "--json").json
    assert found["method"] == f"{method}/1"
    wrong = call(*words[:-1], "magic", "--json")
    assert (wrong.code, wrong.error["field"]) == (2, "method")
