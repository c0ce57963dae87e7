"""The regret suite: exact losses in last deals, and no loss for who counts and searches."""

from __future__ import annotations

from typing import Any

import pytest

from basra import ArgumentError, Position, preset_names, solve
from basra.arena import set_seed
from basra.players import Player
from basra.regret import GAMES, Regret, run_regret
from cli_helpers import call
from helpers import TABLES
from whitebox.build import make, run

TWO_SIDES = [table for table in TABLES if not table.singles]


@pytest.mark.parametrize("name", preset_names())
@pytest.mark.parametrize("player", ["full", "worlds:worlds=1,model=none", "endgame"])
def test_players_that_count_lose_nothing(name: str, player: str) -> None:
    found = run_regret(player, rules=name, count=300, seed=5)
    assert (found.positions, found.best, found.lost, found.worst) == (300, 300, 0, None)


def by_hand(player: Player, preset: str, partners: bool, count: int) -> tuple[int, int, int]:
    """Positions, best moves and points lost, by `solve` and `Player.choose` alone."""
    positions = best = lost = game = 0
    while positions < count:
        seed = set_seed(7, game)
        game += 1
        position = Position.deal(preset, seed, players=4 if partners else 2, partners=partners)
        sizes = position.rules.deal_sizes(position.players)
        while not position.is_over:
            own = (seed + len(position.history)) % 2**64
            position.play(GAMES.choose(position.view(), seed=own).move)
        for _ in range(sizes[-1] * position.players):
            position.undo()
            moves = solve(position, moves=True).moves
            if len(moves) == 1 or positions == count:
                continue
            own = (seed + len(position.history)) % 2**64
            chosen = player.choose(position.view(), seed=own).move
            value = next(m.value for m in moves if chosen in (m.move, *m.equal))
            assert value is not None
            assert moves[0].value is not None
            positions += 1
            best += value == moves[0].value
            lost += int(moves[0].value - value)
    return positions, best, lost


@pytest.mark.parametrize("table", TWO_SIDES, ids=lambda table: table.id)
def test_losses_are_those_of_solve(table: Any) -> None:
    player = Player("greedy", noise=2)
    found = run_regret(
        player, rules=table.preset, players=table.players, partners=table.partners, count=60,
        seed=7,
    )  # fmt: skip
    wanted = by_hand(player, table.preset, table.partners, 60)
    assert (found.positions, found.best, found.lost) == wanted
    assert found.mean == found.lost / 60


def test_the_worst_is_what_it_says() -> None:
    found = run_regret("random", count=200, seed=2)
    assert found.worst is not None
    moves = solve(Position.from_notation(found.worst.position), moves=True).moves
    values = {text.text: m.value for m in moves for text in (m.move, *m.equal)}
    assert max(v for v in values.values() if v is not None) == values[found.worst.best]
    best, played = values[found.worst.best], values[found.worst.played]
    assert best is not None
    assert played is not None
    assert best - played == found.worst.lost
    assert found.worst.lost >= found.mean > 1


def test_forgetting_is_graded_too() -> None:
    """As in play: who forgets cards does not know the other hand."""
    found = [
        run_regret(f"endgame:worlds=20,memory={m},model=none", count=200) for m in (100, 60, 0)
    ]
    assert found[0].lost == 0 < found[1].lost < found[2].lost


def test_the_same_twice_and_told_on_the_way() -> None:
    told: list[Regret] = []
    found = run_regret("greedy", count=1200, progress=told.append)
    assert found == run_regret("greedy", count=1200)
    assert len(told) == 2
    assert sum(ply.positions for ply in found.plies) == 1200
    assert [ply.left for ply in found.plies] == sorted({p.left for p in found.plies}, reverse=True)
    assert run_regret("greedy", count=1200, seed=1) != found


def test_bad_calls() -> None:
    with pytest.raises(ArgumentError) as caught:
        run_regret("greedy", players=3)
    assert caught.value.field == "players"
    with pytest.raises(ArgumentError) as caught:
        run_regret("greedy", count=0)
    assert caught.value.field == "count"


def test_command() -> None:
    words = ["regret", "greedy", "--count", "80", "--seed", "4"]
    found = call(*words, "--json").json
    expected = run_regret("greedy", count=80, seed=4)
    assert {**found, "seconds": 0} == {**expected.to_dict(), "seconds": 0}
    assert set(found) == {
        "schema", "player", "rules", "players", "partners", "seed", "games", "positions", "lost",
        "mean", "best", "worst", "plies", "seconds",
    }  # fmt: skip
    text = call(*words)
    assert (text.code, text.err) == (0, "")
    assert f"{expected.mean:.3f} points lost by a decision" in text.out
    assert expected.worst is not None
    assert expected.worst.position in text.out
    partners = call("regret", "worlds:worlds=2", "--partners", "--count", "9", "--json").json
    assert partners["players"] == 4


@pytest.mark.parametrize(
    ("words", "field", "value"),
    [
        ([], "player", ""),
        (["gredy"], "player", "gredy"),
        (["greedy", "--count", "0"], "count", "0"),
        (["greedy", "--count", "x"], "count", "x"),
        (["greedy", "--rules", "egyptian", "--partners"], "table", "4 in partnerships"),
    ],
)
def test_command_errors(words: list[str], field: str, value: str) -> None:
    plain, found = call("regret", *words), call("regret", *words, "--json")
    assert (plain.code, found.code) == (2, 2)
    assert plain.out == found.out == ""
    assert found.error["value"] == value
    assert found.error["fix"]
    assert field in found.error["field"] or field == "table"


def test_by_the_reference_solver() -> None:
    """The worlds player against the plain solver, on positions of the tools' own."""
    tool = make("tools") / "tools" / "regret"
    printed = run([tool, "--count", "400"]).splitlines()
    assert len(printed) == len(preset_names())
    assert all(" 400 positions, not the best move in 0, 0 points lost" in line for line in printed)
