"""Reviews: every ply of a line as `solve` sees it, and what the moves played were behind."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import pytest

from basra import (
    ArgumentError,
    BasraError,
    Engine,
    Limits,
    OpenReview,
    Position,
    Solution,
    review,
    solve,
)
from cli_helpers import JSON, call, in_process, strict_json
from helpers import TABLE_IDS, TABLES, Table, both, positions_of

START = "basra/1/rules=classic/table=2/knows=all/hands=9D5S:KHQC/floor=5H2C"
LINE = f"{START}/played=9D,KH,5Sx5H"


def played(table: Table, seed: int, before_end: int, plies: int, **inline: Any) -> Position:
    """A position set up some plies before a round's end, and played on at random from there."""
    rules = both(table.preset, **inline).ours
    starts = list(positions_of(rules, table.players, table.partners, seed))
    position = set_up(starts[-1 - before_end])
    dice = random.Random(seed)
    for _ in range(min(plies, before_end)):
        position.play(dice.choice(position.legal_moves()))
    return position


def set_up(position: Position) -> Position:
    """The same position with nothing behind it."""
    hands = [
        position.hands[(position.turn + i) % position.players] for i in range(position.players)
    ]
    sides = len(position.cards)
    cards = [position.cards[(position.turn + i) % sides] for i in range(sides)]
    last = None if position.last is None else (position.last - position.turn) % position.players
    return Position.setup(
        hands,
        position.floor,
        rules=position.rules,
        stock=position.stock,
        cards=cards,
        last="none" if last is None else last,
        partners=position.partners,
    )


def check(found: OpenReview, end: Position) -> None:
    """Every ply against `solve`, from the end back to the start."""
    position = end.copy()
    sides = len(position.points)
    assert len(found.plies) == len(end.history)
    lost: list[float] = [0] * sides
    for ply, move in zip(reversed(found.plies), reversed(end.history), strict=True):
        position.undo()
        solution = solve(position)
        assert ply.seat == position.turn
        assert ply.position == position
        assert ply.played == move
        assert (ply.played.basra, ply.played.points) == (move.basra, move.points)
        assert ply.moves == solution.moves
        assert ply.best_value == solution.value
        values = {m: e.value for e in solution.moves for m in (e.move, *e.equal)}
        assert ply.value == values[move]
        assert ply.best is not None
        assert values[ply.best] == solution.value
        assert ply.loss is not None
        assert ply.value is not None
        assert ply.best_value is not None
        assert ply.loss == pytest.approx(ply.best_value - ply.value, abs=1e-12)
        assert ply.loss >= 0
        assert (ply.best == move) == (ply.loss == 0)
        lost[ply.seat % sides] += ply.loss
    assert found.losses == pytest.approx(lost, abs=1e-9)
    assert found.exact
    assert found.stop == "complete"
    assert [ply.ply for ply in found.plies] == list(range(1, len(found.plies) + 1))


@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
@pytest.mark.parametrize("seed", range(4))
def test_ends_of_rounds(table: Table, seed: int) -> None:
    """To the end of the round, and to some ply before it."""
    plies = 8 if table.players == 2 else 6
    for length in (plies, plies - 2, 1):
        end = played(table, seed, plies, length)
        check(review(end), end)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("preset", ["classic", "palestine-52", "egyptian-v2"])
def test_several_deals(preset: str, seed: int) -> None:
    """The line goes on over the ends of deals."""
    end = played(Table(preset, 2, False), seed, 20, 20)
    found = review(end)
    check(found, end)
    assert len({ply.position.deal_number for ply in found.plies}) > 1


def test_small_hands_and_partners() -> None:
    """Many deals of few plies."""
    end = played(Table("classic", 4, True), 2, 9, 9, hand_size=2)
    check(review(end), end)


def test_a_whole_round() -> None:
    """As it was dealt; what both lost is what separates best play from what was played."""
    position = Position.deal("classic", 3)
    value = solve(position).value
    dice = random.Random(3)
    while not position.is_over:
        position.play(dice.choice(position.legal_moves()))
    found = review(position)
    assert len(found.plies) == 48
    assert found.exact
    assert found.plies[0].best_value == value
    gained = position.points[0] - position.points[1]
    assert value is not None
    assert gained == value - found.losses[0] + found.losses[1]
    assert solve(position.undo()).moves == found.plies[-1].moves


def test_position_is_not_changed() -> None:
    """And may be changed afterwards."""
    end = played(TABLES[0], 1, 8, 5)
    notation = end.notation
    found = review(end)
    assert end.notation == notation
    before = [(ply.moves, ply.position.notation) for ply in found.plies]
    end.undo().undo()
    assert [(ply.moves, ply.position.notation) for ply in found.plies] == before
    # What it gives can be changed too.
    found.plies[2].position.undo()
    assert [(ply.moves, ply.position.notation) for ply in found.plies] == before


def test_a_value() -> None:
    """Compared, pickled, copied."""
    with Engine() as engine:
        found = engine.review(Position.from_notation(LINE))
        assert engine.last_result is found
    for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert again == found
        assert again.to_dict() == found.to_dict()
    with pytest.raises(AttributeError):
        found.stop = "other"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        found.plies[0].loss = 0  # type: ignore[misc]


# -- limits and errors ---------------------------------------------------------------------------


def test_limits() -> None:
    """From the end of the line; the plies before are not reached, and nothing is half known."""
    end = Position.deal("classic", 3)
    dice = random.Random(3)
    while not end.is_over:
        end.play(dice.choice(end.legal_moves()))
    whole = review(end)
    reached = set()
    for share in range(10):
        found = review(end, limits=Limits(nodes=max(1, whole.nodes * share // 10)))
        known = [ply.loss is not None for ply in found.plies]
        assert known == sorted(known)
        assert (found.stop, found.exact) == ("nodes", False)
        assert found.nodes <= max(1, whole.nodes * share // 10)
        for ply, same in zip(found.plies, whole.plies, strict=True):
            assert ply.played == same.played
            if ply.loss is None:
                assert (ply.value, ply.best, ply.best_value) == (None, None, None)
                for move in ply.moves:
                    assert move.value in (
                        None,
                        {m.move: m.value for m in same.moves}[move.move],
                    )
            else:
                assert (ply.value, ply.best, ply.loss) == (same.value, same.best, same.loss)
                assert ply.moves == same.moves
        assert found.losses == tuple(
            sum(ply.loss or 0 for ply in found.plies if ply.seat == side) for side in range(2)
        )
        reached.add(sum(known))
    assert len(reached) > 3
    assert review(end, limits=Limits(nodes=whole.nodes)).exact


def test_time_limit() -> None:
    """Three players, a whole round."""
    end = Position.deal("palestine-52", 1, players=3)
    for _ in range(6):
        end.play(end.legal_moves()[0])
    found = review(end, limits=Limits(time=0.1))
    assert (found.stop, found.exact) == ("time", False)
    assert found.seconds < 2
    assert found.to_dict()["stop"] == "time"


def test_nothing_played() -> None:
    """There is nothing to say."""
    with pytest.raises(ArgumentError) as caught:
        review(Position.deal("classic", 1))
    assert caught.value.field == "position"


def test_engine() -> None:
    """Closed or busy, as for other calls; stopped from another thread."""
    engine = Engine()
    assert engine.review(Position.from_notation(LINE)).exact
    assert engine.solve(Position.from_notation(LINE)).exact
    engine.close()
    with pytest.raises(BasraError):
        engine.review(Position.from_notation(LINE))


# -- JSON and the command ------------------------------------------------------------------------


def command(*words: str) -> JSON:
    """The JSON of `basra review`."""
    return call("review", *words, "--json").json


def test_json() -> None:
    """Seats from 1, as in notations; a ply's position solves to the same moves."""
    end = played(Table("palestine-52", 3, False), 1, 6, 4)
    found = review(end).to_dict()
    assert list(found) == ["schema", "exact", "plies", "losses", "nodes", "seconds"]
    assert found["schema"] == "basra.review/1"
    plies = found["plies"]
    assert isinstance(plies, list)
    for number, ply in enumerate(plies, 1):
        assert list(ply) == [
            "ply", "seat", "position", "played", "value", "best", "best_value", "loss", "moves"
        ]  # fmt: skip
        assert ply["ply"] == number
        position = Position.from_notation(ply["position"])
        assert position.turn == ply["seat"] - 1
        assert ply["moves"] == solve(position).to_dict()["moves"]
    assert strict_json(call("review", "--position", end.notation, "--json").out)["plies"]


def test_command() -> None:
    """The numbers of the package, as JSON and as a table."""
    end = played(TABLES[0], 4, 16, 14)
    whole = review(Position.from_notation(end.notation))
    found = command("--position", end.notation)
    assert [ply["loss"] for ply in found["plies"]] == [ply.loss for ply in whole.plies]
    assert found["losses"] == list(whole.losses)
    text = call("review", "--position", end.notation).out
    for ply in whole.plies:
        [row] = [r for r in text.splitlines() if r.split()[:1] == [str(ply.ply)]]
        words = row.split()
        assert words[1:3] == [str(ply.seat + 1), ply.played.text]
        assert words[-1] == str(ply.loss)
        assert (ply.best is not None and ply.best.text in words[3:]) == bool(ply.loss)
    assert f"all cards known: seat 1 lost {whole.losses[0]}" in text


def test_the_line_may_go_on_over_deals() -> None:
    """A notation that was begun with the first deal, and all that was played since."""
    position = Position.deal("classic", 3)
    start = position.notation
    dice = random.Random(1)
    while position.deal_number < 3:
        position.play(dice.choice(position.legal_moves()))
    moves = ",".join(move.text.rstrip("*") for move in position.history)
    found = command("--position", start.replace("played=-", f"played={moves}"))
    assert len(found["plies"]) == 16
    assert (
        len(command("--position", position.play(position.legal_moves()[0]).notation)["plies"]) == 1
    )


def test_command_stopped() -> None:
    """Exit code 0; what was not reached is said to be."""
    position = Position.deal("classic", 3)
    start = position.notation
    for _ in range(7):
        position.play(position.legal_moves()[0])
    moves = ",".join(move.text.rstrip("*") for move in position.history)
    words = ["review", "--position", start.replace("played=-", f"played={moves}"), "--nodes", "50"]
    found = call(*words)
    assert found.code == 0
    assert "not reached" in found.out
    assert "stopped by: nodes" in found.out
    assert strict_json(call(*words, "--json").out)["stop"] == "nodes"


def test_help_says_what_is_known() -> None:
    """These losses are not what a player could have seen."""
    assert "all cards known" in call("review", "--help").out


def test_partners_are_sides() -> None:
    """Two of them lose together."""
    end = played(Table("classic", 4, True), 3, 6, 6)
    text = in_process("review", "--position", end.notation).out
    assert "side 1 lost" in text
    assert "side 2 lost" in text
    assert "side 3" not in text
    solution: Solution = solve(end.undo())
    assert solution.exact
