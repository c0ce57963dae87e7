"""The protocol's messages: what each request is answered, and what is refused."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import basra
from basra import Cards, Match, Position, View
from basra.engine import METHODS
from basra.players import LEVELS, Player
from basra.serve.fields import TYPES
from cli_helpers import JSON, call, check_hint, check_solution, timeless
from serve_helpers import HAND, Talk, check_answer, last_deals

VIEW = View(**HAND)
OPEN = Position.deal("classic", 5)
LAST = last_deals(1)[0]
THREE = Position.setup("5S / KH / QC", "5H 2C", rules="palestine-52").notation


@pytest.fixture(scope="module")
def talk() -> Iterator[Talk]:
    """One server for all questions of this module."""
    with Talk() as talk:
        yield talk
        talk.end()


_numbers = iter(range(10**6))


def ask(talk: Talk, kind: str, **fields: Any) -> JSON:
    """The final answer to a request."""
    return talk.ask({"id": next(_numbers), "type": kind, **fields})


def result(talk: Talk, kind: str, **fields: Any) -> JSON:
    """The result of a request that goes well."""
    found = ask(talk, kind, **fields)
    assert "error" not in found
    assert isinstance(found["result"], dict)
    return found["result"]


def error(talk: Talk, kind: str, **fields: Any) -> JSON:
    """The error of a request, with all that an error says."""
    found = ask(talk, kind, **fields)
    assert isinstance(found["error"], dict)
    assert found["error"]["message"]
    return found["error"]


# -- what is answered ----------------------------------------------------------------------------


def test_hello(talk: Talk) -> None:
    """Who is there: name, version, and all that can be named in requests."""
    found = result(talk, "hello", protocol=1)
    assert (found["name"], found["version"], found["protocol"]) == ("basra", basra.__version__, 1)
    assert found["types"] == list(TYPES)
    assert found["rules"] == basra.preset_names()
    assert found["methods"] == list(METHODS)
    assert list(found["levels"]) == list(LEVELS)
    assert all(Player.parse(text) == LEVELS[name] for name, text in found["levels"].items())
    assert found["limits"]["line"] == 1_000_000


def test_hello_in_another_version(talk: Talk) -> None:
    """Refused by who does not speak it."""
    request = {"id": "v", "type": "hello", "protocol": 2}
    talk.write(json.dumps(request).encode() + b"\n")
    found = talk.final("v")
    assert (found["error"]["code"], found["error"]["field"]) == ("argument", "protocol")


@pytest.mark.parametrize("position", [HAND, VIEW.notation, {**HAND, "carry": 30, "seat": 1}])
def test_analyze(talk: Talk, position: Any) -> None:
    """The same object as of `basra hint`, and the position as it is written."""
    found = ask(talk, "analyze", position=position, limits={"worlds": 8}, seed=3)
    view = View(**position) if isinstance(position, dict) else View.from_notation(position)
    wanted = basra.hint(view, worlds=8, seed=3).to_dict()
    assert timeless(found["result"]) == timeless(json.loads(json.dumps(wanted)))
    assert found["position"] == view.notation
    assert check_hint(found["result"]) == view


@pytest.mark.parametrize("method", METHODS)
def test_methods(talk: Talk, method: str) -> None:
    """Each one, as `basra.hint` has it."""
    fields = {"method": method, "limits": {"worlds": 4}, "trust": 100, "model": "default"}
    found = result(talk, "analyze", position=HAND, **fields)
    wanted = basra.hint(VIEW, worlds=4, method=method, trust=100).to_dict()
    assert timeless(found) == timeless(json.loads(json.dumps(wanted)))


def test_models(talk: Talk, tmp_path: Path) -> None:
    """By default that of the rules; or none, or that of a file."""
    file = tmp_path / "made.basramodel"
    model = basra.default_model(VIEW.rules)
    assert model is not None
    file.write_bytes(model.bytes)
    how: JSON = {"position": HAND, "limits": {"worlds": 4}}
    usual = timeless(result(talk, "analyze", **how))
    assert timeless(result(talk, "analyze", model=str(file), **how)) == usual
    assert result(talk, "analyze", model="none", **how)["method"] == "worlds/1"
    assert error(talk, "analyze", model=str(tmp_path / "none"), **how)["field"] == "model"


def test_partial_answers(talk: Talk) -> None:
    """Each as if the search had been stopped there; then the final one, as without them."""
    asked = {"id": "partial", "type": "analyze", "position": HAND, "limits": {"worlds": 3000}}
    final = talk.ask({**asked, "every": 0.01})
    came = [check_answer(found) for found in talk.answers if found["id"] == "partial"]
    assert [found["final"] for found in came] == [False] * (len(came) - 1) + [True]
    assert len(came) > 1
    worlds = [found["result"]["worlds"] for found in came]
    assert worlds == sorted(worlds)
    for found in came[:-1]:
        assert check_hint(found["result"]) == VIEW
        assert found["result"]["stop"] == "requested"
    plain = talk.ask({**asked, "id": "plain"})
    assert timeless(final["result"]) == timeless(plain["result"])


def test_a_seat_knows_only_what_it_sees(talk: Talk) -> None:
    """Hidden cards exchanged, in the other hand and in the stock: the same answers but for time."""
    other = exchanged(OPEN)
    assert other.hands[OPEN.turn] == OPEN.hands[OPEN.turn]
    assert not set(other.hands[1 - OPEN.turn]) & set(OPEN.hands[1 - OPEN.turn])
    for kind, more in (
        ("analyze", {"limits": {"worlds": 16}}),
        ("play", {"player": "worlds:worlds=16"}),
    ):
        one, two = (
            ask(talk, kind, position=position.notation, **more) for position in (OPEN, other)
        )
        assert one["position"] == two["position"] == OPEN.view().notation
        assert timeless(one["result"]) == timeless(two["result"])


def exchanged(position: Position) -> Position:
    """The position with the other hand exchanged for the first cards of the stock that may be."""
    text, buried = position.notation, position.buried
    theirs = list(position.hands[1 - position.turn])
    drawn = [card for card in position.stock if card not in buried][: len(theirs)]
    for one, other in zip(map(str, theirs), map(str, drawn), strict=True):
        text = text.replace(one, "??").replace(other, one).replace("??", other)
    return Position.from_notation(text)


@pytest.mark.parametrize("text", [LAST, THREE])
def test_solve(talk: Talk, text: str) -> None:
    """With moves and line the same object as of `basra solve`; without them all the rest of it."""
    position = Position.from_notation(text)
    found = ask(talk, "solve", position=text, moves=True, line=True)
    wanted = basra.solve(position, moves=True, line=True).to_dict()
    assert timeless(found["result"]) == timeless(json.loads(json.dumps(wanted)))
    check_solution(found["result"], position)
    assert found["position"] == text
    short = result(talk, "solve", position=text)
    assert timeless(short, "nodes") == timeless(wanted, "nodes", "moves", "line")
    assert list(short) == [key for key in wanted if key not in ("moves", "line")]
    assert "line" not in result(talk, "solve", position=text, moves=True)
    assert "moves" not in result(talk, "solve", position=text, line=True)


def test_solve_by_cards(talk: Talk) -> None:
    """In the words of the options of `basra solve`."""
    asked = {"hands": "5S 9D / KH QC", "floor": "5H 2C", "carry": 30, "rules": "classic+target=121"}
    found = ask(talk, "solve", position=asked)
    again = ask(talk, "solve", position=found["position"])
    assert found["result"]["value"] == again["result"]["value"] == 62
    assert "rules=classic+target=121/" in found["position"]


def test_positions_are_told_as_they_are_written(talk: Talk) -> None:
    """However they were typed."""
    typed = "BASRA/1/knows=ALL/rules=classic/table=2/floor=5h,2c/hands=9d 5s:kh qc"
    found = ask(talk, "solve", position=typed)
    assert found["position"] == Position.from_notation(typed).notation != typed


def test_limits(talk: Talk) -> None:
    """Of work and of time, for each request on its own."""
    whole = Position.deal("classic", 1, players=3).notation
    found = result(talk, "solve", position=whole, limits={"nodes": 1000})
    assert (found["stop"], found["exact"], found["value"]) == ("nodes", False, None)
    assert found["nodes"] <= 1000
    assert result(talk, "solve", position=whole, limits={"time": 0.01})["stop"] == "time"
    many = {"worlds": 10**6, "nodes": 1000}
    assert result(talk, "analyze", position=HAND, limits=many)["stop"] == "nodes"


@pytest.mark.parametrize("position", [HAND, VIEW.notation, OPEN.notation, LAST, THREE])
def test_moves(talk: Talk, position: Any) -> None:
    """All that are legal, of a view as of a position."""
    found = ask(talk, "moves", position=position)
    known: Position | View
    if isinstance(position, dict):
        known = View(**position)
    elif "knows=all" in position:
        known = Position.from_notation(position)
    else:
        known = View.from_notation(position)
    assert found["position"] == known.notation
    assert [(move["move"], move["basra"]) for move in found["result"]["moves"]] == [
        (move.text, move.basra) for move in known.legal_moves()
    ]


def test_no_moves_when_it_is_over(talk: Talk) -> None:
    """And nothing to solve or to play."""
    over = Position.setup("5S/KH", "5H 2C").play("5Sx5H").play("KH").notation
    assert result(talk, "moves", position=over) == {"moves": []}
    for kind, more in (("solve", {}), ("analyze", {}), ("play", {"player": "greedy"})):
        found = error(talk, kind, position=over, **more)
        assert (found["code"], found["field"]) == ("over", "position")


def test_captures(talk: Talk) -> None:
    """The same object as of `basra captures`."""
    found = result(talk, "captures", floor="AS 7H KD 8C", card="8S", rules="palestine-52")
    assert found == basra.captures("AS 7H KD 8C", "8S", "palestine-52").to_dict()


@pytest.mark.parametrize("player", [*LEVELS, "worlds:worlds=5,trust=0", "random"])
def test_play(talk: Talk, player: str) -> None:
    """What `Player.choose` plays, by level or by a player's text."""
    found = result(talk, "play", position=HAND, player=player, seed=7)
    wanted = Player.parse(player)
    choice = wanted.choose(VIEW, seed=7)
    assert found["player"] == str(wanted)
    assert (found["move"], found["work"], found["stop"]) == (
        choice.move.text, choice.work, choice.stop,
    )  # fmt: skip


def test_play_within_limits(talk: Talk) -> None:
    """In place of the player's own."""
    player = "worlds:worlds=100000"
    found = result(talk, "play", position=HAND, player=player, limits={"nodes": 2000})
    assert found["stop"] == "nodes"


# -- records -------------------------------------------------------------------------------------


def recorded() -> Match:
    """A match of a round and a bit, of which all cards are known."""
    match = Match("classic", seed=7)
    dice = random.Random(3)
    for _ in range(2):
        game = match.next_round()
        while not game.is_over and (match.round_number, len(game.turns)) != (2, 13):
            match.play(dice.choice(game.legal_moves()))
    return match


MATCH = recorded()
RECORD = MATCH.record().to_dict()
UNDEALT = Match("classic")
UNDEALT.next_round(Cards("3C 2H 5S KD"))
UNDEALT_RECORD = UNDEALT.record().to_dict()
BAD_RECORD = json.loads(json.dumps(RECORD))
BAD_RECORD["rounds"][0]["deals"][0]["turns"][0]["move"] = "4DxQC"


@pytest.mark.parametrize(("number", "ply"), [(1, 0), (1, 5), (1, 8), (1, 47), (2, 12)])
def test_records(talk: Talk, number: int, ply: int) -> None:
    """The view of the seat to move in a round, after so many of its moves."""
    position = Position.deal("classic", seed=7)
    for before in MATCH.games[: number - 1]:
        for turn in before.turns:
            position.play(turn.move)
        position.next_round()
    for turn in MATCH.games[number - 1].turns[:ply]:
        position.play(turn.move)
    asked = {"record": RECORD, "round": number, "ply": ply}
    found = ask(talk, "moves", **asked)
    assert found["position"] == position.view().notation
    assert [move["move"] for move in found["result"]["moves"]] == [
        move.text for move in position.legal_moves()
    ]
    hint = ask(talk, "analyze", **asked, limits={"worlds": 4})
    wanted = basra.hint(position.view(), worlds=4).to_dict()
    assert timeless(hint["result"]) == timeless(json.loads(json.dumps(wanted)))
    played = ask(talk, "play", **asked, player="learner")
    assert played["position"] == found["position"]


def test_the_end_of_a_record(talk: Talk) -> None:
    """Without a round or a ply."""
    assert MATCH.game is not None
    wanted = MATCH.game.view.notation
    for more in ({}, {"round": 2}, {"ply": 13}):
        assert ask(talk, "moves", record=RECORD, **more)["position"] == wanted


def test_what_to_do_at_the_end_of_a_round(talk: Talk) -> None:
    """What is said helps: another ply, or the cards that are missing."""
    over = error(talk, "moves", record=RECORD, round=1)
    assert (over["value"], over["message"]) == ("round 1", "is over")
    assert over["fix"] == "use a ply of 0 to 47, or another round"
    assert ask(talk, "moves", record=RECORD, round=1, ply=47)["result"]["moves"]
    match = Match("classic")
    game = match.next_round(Cards("3C 2H 5S KD"))
    game.deal([Cards("7D 5C KH 2S"), Cards("9D 9H 4S 4C")])
    while game.expects == "move":
        game.play(game.legal_moves()[0])
    between = match.record().to_dict()
    undealt = error(talk, "moves", record=between)
    assert (undealt["value"], undealt["message"]) == ("round 1", "ends before deal 2")
    assert undealt["fix"] == "record its hands, or use a ply of 0 to 7"
    assert error(talk, "moves", record=between, ply=8)["fix"] == undealt["fix"]
    assert ask(talk, "moves", record=between, ply=7)["result"]["moves"]
    assert error(talk, "moves", record=UNDEALT_RECORD)["fix"] == "record its hands"


def test_models_that_are_no_files(talk: Talk, tmp_path: Path) -> None:
    """Nobody waits for a pipe that nobody writes to."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found = error(talk, "analyze", position=HAND, model=str(pipe))
    assert (found["field"], found["value"]) == ("model", str(pipe))
    assert found["message"] == "cannot be read: is not a plain file"


def test_records_of_what_one_has_seen(talk: Talk) -> None:
    """Hands that are not known are not needed, but for who is to move."""
    match = Match("classic")
    game = match.next_round(Cards("3C 2H 5S KD"))
    game.deal([Cards("7D 5C KH 2S"), None])
    record = match.record().to_dict()
    assert ask(talk, "moves", record=record)["position"] == game.view.notation
    game.play("5Cx2H3C5S")
    record = match.record().to_dict()
    assert ask(talk, "moves", record=record, ply=0)["position"].count("hand=2S5C7DKH/") == 1
    assert error(talk, "moves", record=record)["code"] == "knowledge"


# -- warnings and errors -------------------------------------------------------------------------


def test_unknown_fields_are_told(talk: Talk) -> None:
    """In requests and in objects in them; all else is answered."""
    position = {**HAND, "colour": "red"}
    limits = {"worlds": 2, "depth": 4}
    found = ask(talk, "analyze", position=position, limits=limits, treads=4)
    assert found["result"]["worlds"] == 2
    assert {(w["code"], w["field"]) for w in found["warnings"]} == {
        ("unknown_field", name) for name in ("position.colour", "limits.depth", "treads")
    }
    assert (
        "did you mean deal?"
        in ask(talk, "moves", position={**HAND, "deel": 1})["warnings"][0]["fix"]
    )
    assert "warnings" not in ask(talk, "ping")


def test_unknown_fields_of_what_fails(talk: Talk) -> None:
    """They may be the reason."""
    found = ask(talk, "solve", position={"hands": "5S / 5S", "floor": ""}, lines=True)
    assert found["error"]["code"] == "card"
    assert [warning["field"] for warning in found["warnings"]] == ["lines"]


WRONG: list[tuple[str, JSON, str, str]] = [
    ("analyze", {}, "argument", "position"),
    ("analyze", {"position": 5}, "argument", "position"),
    ("analyze", {"position": "7D"}, "notation", "position"),
    ("analyze", {"position": {"hand": "7D"}}, "argument", "position.floor"),
    ("analyze", {"position": {"hand": "7X", "floor": ""}}, "card", "hand"),
    ("analyze", {"position": {"hand": "7D 7D", "floor": ""}}, "card", "hand"),
    ("analyze", {"position": {**HAND, "deal": 9}}, "argument", "deal"),
    ("analyze", {"position": {**HAND, "players": 10**9}}, "rules", "players"),
    ("analyze", {"position": {**HAND, "players": 10**10}}, "argument", "position.players"),
    ("analyze", {"position": {**HAND, "cards": [1, "2"]}}, "argument", "position.cards"),
    ("analyze", {"position": {**HAND, "rules": "house.toml"}}, "notation", "rules"),
    ("analyze", {"position": HAND, "limits": 5}, "argument", "limits"),
    ("analyze", {"position": HAND, "limits": {"time": 0}}, "argument", "limits.time"),
    ("analyze", {"position": HAND, "limits": {"time": "1"}}, "argument", "limits.time"),
    ("analyze", {"position": HAND, "limits": {"worlds": None}}, "argument", "limits.worlds"),
    ("analyze", {"position": HAND, "limits": {"nodes": 10**40}}, "argument", "limits.nodes"),
    ("analyze", {"position": HAND, "method": "magic"}, "argument", "method"),
    ("analyze", {"position": HAND, "seed": -1}, "argument", "seed"),
    ("analyze", {"position": HAND, "seed": True}, "argument", "seed"),
    ("analyze", {"position": HAND, "trust": 401}, "argument", "trust"),
    ("analyze", {"position": HAND, "every": 0}, "argument", "every"),
    ("analyze", {"position": HAND, "priority": 1001}, "argument", "priority"),
    ("solve", {"position": VIEW.notation}, "notation", "position"),
    ("solve", {"position": HAND}, "argument", "position.hands"),
    ("solve", {"position": LAST, "line": 1}, "argument", "line"),
    ("solve", {"position": {"hands": "5S / KH", "floor": 2}}, "argument", "position.floor"),
    ("solve", {"position": "x" * 10_001}, "argument", "position"),
    ("moves", {"position": LAST.replace("hands=", "hands=AS")}, "card", "hands"),
    ("captures", {"floor": "5S"}, "argument", "card"),
    ("captures", {"floor": "5S", "card": "5S"}, "card", "card"),
    ("analyze", {"position": HAND, "record": {}}, "argument", "record"),
    ("analyze", {"position": HAND, "ply": 3}, "argument", "ply"),
    ("analyze", {"record": "basra record 1"}, "argument", "record"),
    ("analyze", {"record": {"schema": "basra.record/1"}}, "notation", "rules"),
    ("moves", {"record": RECORD, "round": 3}, "argument", "round"),
    ("moves", {"record": RECORD, "round": 1, "ply": 49}, "argument", "ply"),
    ("moves", {"record": RECORD, "round": 1}, "over", "record"),
    ("moves", {"record": RECORD, "round": 1, "ply": 48}, "over", "ply"),
    ("moves", {"record": UNDEALT_RECORD}, "position", "record"),
    ("analyze", {"record": UNDEALT_RECORD, "ply": 0}, "position", "ply"),
    ("moves", {"record": {**RECORD, "rounds": []}}, "argument", "record"),
    ("analyze", {"position": HAND, "model": "/dev/null"}, "argument", "model"),
    ("analyze", {"position": HAND, "model": "/dev"}, "argument", "model"),
    ("analyze", {"position": HAND, "model": "a\ud800b"}, "argument", "model"),
    ("play", {"position": HAND, "player": "worlds:model=/dev/null"}, "argument", "model"),
    ("moves", {"record": BAD_RECORD}, "move", "move"),
    ("play", {"position": HAND}, "argument", "player"),
    ("play", {"position": HAND, "player": "strongest"}, "argument", "player"),
    ("play", {"position": HAND, "player": "policy:model=none"}, "model", "player"),
    ("stop", {"target": 1.5}, "argument", "target"),
    ("pong", {}, "request", "type"),
]


@pytest.mark.parametrize("case", WRONG, ids=lambda case: f"{case[0]}: {case[2]} {case[3]}")
def test_refused(talk: Talk, case: tuple[str, JSON, str, str]) -> None:
    """With the request's id, and the field it is about."""
    kind, fields, code, field = case
    id = f"wrong {next(_numbers)}"
    talk.write(json.dumps({"id": id, "type": kind, **fields}).encode() + b"\n")
    found = talk.final(id)["error"]
    assert (found["code"], found["field"]) == (code, field)
    assert found["message"]
    assert found["fix"] or code in ("card", "rules", "model")


# -- options -------------------------------------------------------------------------------------


def test_rules_of_requests_that_name_none(tmp_path: Path) -> None:
    """A preset or a file; requests that name their rules have those."""
    file = tmp_path / "house.toml"
    file.write_text('base = "classic"\nname = "house"\ntarget = 131\n', encoding="utf-8")
    with Talk("--rules", str(file)) as talk:
        assert "classic+target=131" in ask(talk, "moves", position=HAND)["position"]
        named = {**HAND, "rules": "egyptian"}
        assert "rules=egyptian/" in ask(talk, "moves", position=named)["position"]
        cards = {"hands": "5S / KH", "floor": "5H 2C"}
        assert "classic+target=131" in ask(talk, "solve", position=cards)["position"]
        talk.end()


def test_threads(talk: Talk) -> None:
    """More of them change no answer."""
    asked = {"position": HAND, "limits": {"worlds": 100}}
    with Talk("--threads", "2") as two:
        assert timeless(result(two, "analyze", **asked)) == timeless(
            result(talk, "analyze", **asked)
        )
        two.end()


@pytest.mark.parametrize(
    ("words", "field"),
    [(["--threads", "0"], "threads"), (["--rules", "poker"], "rules"), (["--table", "0"], "table")],
)
def test_options_that_are_refused(words: list[str], field: str) -> None:
    """Before anything is read."""
    found = call("serve", *words)
    assert (found.code, found.out) == (2, "")
    assert f"--{field}" in found.err
