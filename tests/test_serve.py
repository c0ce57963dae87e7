"""The protocol's messages: what each request is answered, and what is refused."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import basra
from basra import BasraError, Cards, Match, Position, View
from basra.engine import METHODS
from basra.players import LEVELS, Player
from basra.serve.fields import FIELDS, MAX_WARNINGS, NEEDED, POSITION_FIELDS, TYPES, VIEW_FIELDS
from basra.serve.protocol import Request, RequestError, answer, failure, read_request
from cli_helpers import JSON, call, check_hint, check_solution, timeless
from serve_helpers import HAND, SCHEMA, Talk, check_answer, is_request, last_deals

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


# -- the schema ----------------------------------------------------------------------------------


def test_the_schema_is_one() -> None:
    """By the schema of schemas."""
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("kind", TYPES)
def test_the_schema_has_all_fields(kind: str) -> None:
    """Of each type, and which of them must be there."""
    defined = SCHEMA["$defs"][kind]
    assert set(defined["properties"]) == set(FIELDS[kind])
    needed = {names[0] for names in NEEDED.get(kind, ()) if len(names) == 1}
    assert set(defined["required"]) == {"id", "type", *needed}
    assert ("oneOf" in defined) == any(len(names) > 1 for names in NEEDED.get(kind, ()))


def test_the_schema_has_all_options() -> None:
    """Of objects that describe positions and views."""
    defs = SCHEMA["$defs"]
    assert set(defs["positionOptions"]["properties"]) == set(POSITION_FIELDS)
    assert set(defs["viewOptions"]["properties"]) == set(VIEW_FIELDS)


VALUES = st.sampled_from(
    [
        *(None, True, False, 0, 1, -1, 1.5, 10**30, "", "5S", "2", "full", "worlds"),
        *("x" * 201, "x" * 10_001, [], [1, 2], ["5S"], [1] * 65, {}, HAND),
        *({"hands": "5S / KH", "floor": ""}, {"hands": "5S / KH"}),
        *({"hands": 1, "floor": ""}, {"hand": "5S"}, {"time": 1}, {"time": 0}, {"worlds": 1.5}),
        *({"nodes": None}, {"nodes": 10**30}, {**HAND, "cards": [10**10]}, {**HAND, "deal": True}),
        LAST, VIEW.notation,
    ]
)  # fmt: skip


@given(st.sampled_from(sorted(TYPES)), st.data())
def test_what_is_taken_is_as_the_schema_says(kind: str, data: st.DataObject) -> None:
    """And what the schema refuses is refused."""
    names = st.sampled_from([*sorted(FIELDS[kind]), "colour"])
    asked = {"id": 1, "type": kind, **data.draw(st.dictionaries(names, VALUES, max_size=4))}
    if asked["type"] != kind:
        asked["type"] = kind
    request = read_request(json.dumps(asked).encode())
    if request.error is None:
        assert is_request(asked)
    else:
        check_answer(json.loads(failure(request, request.error)))


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


def test_many_unknown_fields() -> None:
    """Some of them are told, in no time."""
    asked = {"id": 1, "type": "ping", **{f"field {i}": i for i in range(20_000)}}
    request = read_request(json.dumps(asked).encode())
    assert request.error is None
    assert len(request.warnings) == MAX_WARNINGS


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
    ("moves", {"record": RECORD, "round": 1}, "over", "game"),
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


BAD_LINES: list[bytes] = [
    b"",
    b"   ",
    b"hello",
    b"[1, 2]",
    b"7",
    b"null",
    b'"solve"',
    b"{",
    b'{"id": 1, "type": "ping"} {}',
    b'{"type": "ping"}',
    b'{"id": null, "type": "ping"}',
    b'{"id": true, "type": "ping"}',
    b'{"id": 1.5, "type": "ping"}',
    b'{"id": [1], "type": "ping"}',
    b'{"id": 18446744073709551616, "type": "ping"}',
    b'{"id": "' + b"x" * 201 + b'", "type": "ping"}',
    b'{"id": 1, "type": "ping", "x": NaN}',
    b'{"id": 1, "type": "ping", "x": Infinity}',
    b'{"id": 1, "type": "ping", "x": -Infinity}',
    b'{"id": 1, "type": "ping", "x": 1e999}',
    b'{"id": 1, "type": "ping", "x": ' + b"9" * 10_000 + b"}",
    b'{"id": 1, "type": "ping", "x": ' + b"[" * 100_000 + b"}",
    b'{"id": 1, "type": "ping", "x": ' + b'{"a":' * 100_000 + b"}",
    b'{"id": 1, "type": "p\xffng"}',
    b"\xed\xa0\x80",
    b"\x00",
    b"\xef\xbb\xbf{}",
]


@pytest.mark.parametrize("line", BAD_LINES, ids=lambda line: repr(line[:40]))
def test_lines_that_are_no_requests(line: bytes) -> None:
    """One error without an id, which names the line."""
    request = read_request(line, 12)
    assert request.error is not None
    found = check_answer(json.loads(failure(request, request.error)))
    assert (found["id"], found["line"], found["final"]) == (None, 12, True)
    assert found["error"]["code"] == "request"
    assert found["error"]["message"]
    assert found["error"]["fix"]


@given(st.binary(max_size=60) | st.text(max_size=40).map(str.encode))
def test_any_bytes_are_read(line: bytes) -> None:
    """As a request or as none, and never an exception."""
    request = read_request(line)
    if request.error is not None:
        check_answer(json.loads(failure(request, request.error)))


JSONS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.sampled_from(sorted(TYPES)), st.data())
def test_any_values_are_read(kind: str, data: st.DataObject) -> None:
    """Of any field."""
    names = st.sampled_from(sorted(FIELDS[kind]))
    asked = {"id": 1, "type": kind, **data.draw(st.dictionaries(names, JSONS, max_size=5))}
    request = read_request(json.dumps(asked).encode())
    if request.error is not None:
        check_answer(json.loads(failure(request, request.error)))


def test_ids_are_told_as_they_are() -> None:
    """Text with anything in it, and whole numbers of 64 bits."""
    for id in ("", 'a"b\\c\n', "\ud800", "٣♦😀", 0, -(1 << 63), (1 << 64) - 1):
        request = Request(id, "ping")
        assert json.loads(answer(request, {}))["id"] == id
        assert read_request(json.dumps({"id": id, "type": "ping"}).encode()).id == id


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


# -- the page ------------------------------------------------------------------------------------

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "protocol.md").read_text(encoding="utf-8")


def conversations() -> list[list[JSON]]:
    """What docs/protocol.md shows: a request and its answers in each block."""
    found = []
    for text in re.findall(r"^```json\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE):
        decoder, at, objects = json.JSONDecoder(), 0, []
        while at < len(text.rstrip()):
            value, end = decoder.raw_decode(text[at:].lstrip())
            at += len(text[at:]) - len(text[at:].lstrip()) + end
            objects.append(value)
        found.append(objects)
    return found


@pytest.mark.parametrize("shown", conversations(), ids=lambda shown: shown[0]["type"])
def test_examples_of_the_page(shown: list[JSON]) -> None:
    """They are answered as shown, but for seconds."""
    request, *answers = shown
    with Talk() as talk:
        talk.send(request)
        talk.final(request["id"])
        assert [without_seconds(a) for a in talk.end()] == [
            without_seconds(a) for a in answers if a["type"] != "ping"
        ]


def without_seconds(answer: JSON) -> JSON:
    """What is the same every time."""
    return {**answer, "result": timeless(answer.get("result", {}))}


def test_examples_of_all_types() -> None:
    """No type of request is left out."""
    assert {shown[0]["type"] for shown in conversations()} == set(TYPES)


def test_codes_of_the_page() -> None:
    """A row for each code that an error can have."""
    kinds: list[type[BasraError]] = [
        *basra.errors.STATUS_ERRORS.values(),
        basra.NotationError,
        RequestError,
    ]
    kinds.remove(basra.EngineBusyError)
    kinds.remove(basra.BoundsError)
    rows = re.findall(r"^\| `(\w+)` \| ", PAGE.partition("## Errors")[2], re.MULTILINE)
    assert sorted(rows) == sorted(["code", *(kind.code for kind in kinds)])
