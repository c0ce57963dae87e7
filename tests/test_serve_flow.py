"""The course of a conversation: the order of answers, and stops."""

from __future__ import annotations

import os
import random
import threading
import time
from typing import Any

import pytest

from basra import Game, Match, Player, Position, Record, View
from basra.serve.protocol import Request
from basra.serve.work import Worker
from cli_helpers import JSON
from serve_helpers import (
    CAPTURES,
    FIRST,
    HAND,
    LONG,
    PATIENCE,
    InProcess,
    Talk,
    ids,
    last_deals,
    line,
)

WHOLE = Position.deal("classic", 1, players=3).notation
LEGAL = {move.text for move in View(**FIRST).legal_moves()}


# -- order ---------------------------------------------------------------------------------------


def test_answers_come_in_the_order_of_the_requests() -> None:
    """Of whatever type, good and bad."""
    deals, dice = last_deals(4), random.Random(3)
    kinds: list[JSON] = [
        CAPTURES,
        {"type": "hello"},
        {"type": "moves", "position": HAND},
        {"type": "analyze", "position": HAND, "limits": {"worlds": 1}, "every": 0.01},
        {"type": "play", "position": HAND, "player": "greedy"},
        {"type": "solve", "position": "nonsense"},
        {"type": "solve", "position": deals[0]},
        {"type": "solve", "position": deals[1], "moves": True, "line": True},
    ]
    asked = [{"id": number, **dice.choice(kinds)} for number in range(400)]
    with Talk() as talk:
        talk.send(*asked)
        answers = talk.end()
        assert ids(answers) == list(range(400))
        for request, answer in zip(asked, answers, strict=True):
            assert answer["type"] == request["type"]
            assert ("error" in answer) == (request.get("position") == "nonsense")


def test_bad_lines_are_answered_in_their_turn() -> None:
    """With their number, and the next good one after them."""
    with Talk() as talk:
        talk.write(line({"id": 1, **CAPTURES}) + b"{\n" + line({"id": 2, "type": "pong"}))
        talk.write(b"\n" + line({"id": 3, **CAPTURES}))
        assert [(a["id"], a.get("line")) for a in talk.end()] == [
            (1, None), (None, 2), (2, None), (None, 4), (3, None),
        ]  # fmt: skip


def test_priority_goes_before_what_waits() -> None:
    """Not before what has begun; among equals the first comes first."""
    with Talk() as talk:
        talk.send({"id": "long", **LONG})
        talk.begun("long")
        priorities = {"a": 0, "b": 5, "c": -3, "d": 5, "e": 1000, "f": 0}
        talk.send(*({"id": id, "priority": p, **CAPTURES} for id, p in priorities.items()))
        talk.send({"id": "stop", "type": "stop", "target": "long"})
        assert ids(talk.end()) == ["stop", "long", "e", "b", "d", "a", "f", "c"]


def test_pings_do_not_wait() -> None:
    """They tell what runs, and how many wait."""
    with Talk() as talk:
        idle = talk.ask({"id": 1, "type": "ping"})
        assert idle["result"] == {"waiting": 0, "running": None}
        talk.send({"id": 2, **LONG})
        talk.begun(2)
        talk.send({"id": 3, **CAPTURES}, {"id": 4, **CAPTURES})
        assert talk.ask({"id": 5, "type": "ping"})["result"] == {"waiting": 2, "running": 2}
        talk.send({"id": 6, "type": "stop"})
        talk.end()


def test_ids_of_what_has_not_ended_are_refused() -> None:
    """Of what runs and of what waits; the request that has it goes on.  Then it is free again."""
    with Talk() as talk:
        talk.send({"id": 1, **LONG})
        talk.begun(1)
        talk.send({"id": "1", **CAPTURES}, {"id": "1", **CAPTURES}, {"id": 1, **CAPTURES})
        assert talk.ask({"id": 1, "type": "ping"})["error"]["field"] == "id"
        talk.send({"id": 2, "type": "stop", "target": 1})
        talk.until(lambda answers: len(answers) > 5 and answers[-1]["id"] == 1)
        talk.send({"id": 1, **CAPTURES}, {"id": "1", **CAPTURES})
        answers = [answer for answer in talk.end() if answer["id"] in (1, "1")]
        told = [(a["id"], a["type"], a.get("error", {}).get("code")) for a in answers]
        assert told == [
            (1, "analyze", None),
            ("1", "captures", None),
            ("1", "captures", "request"),
            (1, "captures", "request"),
            (1, "captures", None),
            ("1", "captures", None),
        ]


# -- stop ----------------------------------------------------------------------------------------

RUNNING: dict[str, JSON] = {
    "worlds": LONG,
    "partial": {**LONG, "every": 0.05},
    "ismcts": {**LONG, "method": "ismcts"},
    "expectimax": {**LONG, "method": "expectimax"},
    "solve": {"type": "solve", "position": WHOLE},
    "solve moves": {"type": "solve", "position": WHOLE, "moves": True, "line": True},
    "play": {"type": "play", "position": FIRST, "player": "worlds:worlds=1000000"},
}


@pytest.mark.parametrize("name", RUNNING)
@pytest.mark.parametrize("threads", ["1", "2"])
def test_stop(name: str, threads: str) -> None:
    """What runs ends with the best so far, or there was nothing yet; the next is whole."""
    with Talk("--threads", threads) as talk:
        talk.send({"id": 1, **RUNNING[name]})
        talk.begun(1)
        time.sleep(0.1)
        stop = talk.ask({"id": 2, "type": "stop", "target": 1})
        assert stop["result"] == {"stopped": [1]}
        found = talk.final(1)
        if "error" in found:
            assert name == "expectimax"
            assert found["error"]["code"] == "stopped"
        else:
            assert found["result"]["stop"] == "requested"
            if "solve" not in name:
                moves = found["result"].get("moves", [found["result"]])
                assert {move["move"] for move in moves} <= LEGAL
        after = {"id": 3, "type": "analyze", "position": HAND, "limits": {"worlds": 5}}
        assert talk.ask(after)["result"]["stop"] == "worlds"
        talk.end()


def test_stop_what_waits() -> None:
    """It is answered at once, while another runs; the others that wait are not touched."""
    with Talk() as talk:
        talk.send({"id": 1, **LONG})
        talk.begun(1)
        talk.send(*({"id": id, "priority": id, **CAPTURES} for id in (2, 3, 4)))
        assert talk.ask({"id": 5, "type": "stop", "target": 3})["result"] == {"stopped": [3]}
        assert talk.final(3)["error"]["code"] == "stopped"
        assert talk.ask({"id": 6, "type": "stop", "target": 3})["result"] == {"stopped": []}
        assert talk.ask({"id": 7, "type": "ping"})["result"] == {"waiting": 2, "running": 1}
        talk.send({"id": 8, "type": "stop", "target": 1})
        answers = {answer["id"]: answer for answer in talk.end()}
        assert "error" not in answers[2]
        assert "error" not in answers[4]


def test_stop_all() -> None:
    """What runs and what waits, each answered in its turn; what comes later is not stopped."""
    with Talk() as talk:
        talk.send({"id": 1, **LONG})
        talk.begun(1)
        talk.send({"id": 2, **CAPTURES}, {"id": 3, **LONG})
        assert talk.ask({"id": 4, "type": "stop"})["result"] == {"stopped": [1, 2, 3]}
        talk.send({"id": 5, **CAPTURES})
        answers = talk.end()
        assert ids(answers) == [4, 1, 2, 3, 5]
        assert [answer.get("error", {}).get("code") for answer in answers[2:]] == [
            "stopped", "stopped", None,
        ]  # fmt: skip


def test_stop_right_after_the_request() -> None:
    """Whether it has begun by then is a matter of luck; it ends, and once."""
    with Talk() as talk:
        for number in range(60):
            talk.send({"id": number, **LONG}, {"id": f"stop {number}", "type": "stop"})
            time.sleep(0.0005 * (number % 7))
        talk.write(b"".join(line({"id": n, **LONG}) for n in range(60, 70)))
        talk.send({"id": "last", "type": "stop"})
        assert sorted(id for id in ids(talk.end()) if isinstance(id, int)) == list(range(70))


@pytest.mark.parametrize("kind", ["analyze", "solve", "play"])
def test_a_stop_that_comes_just_before_the_search(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine drops it, as it runs no call yet; the search ends all the same."""
    with InProcess() as inside:
        begun, stopped = threading.Event(), threading.Event()
        answer = Worker.answer

        def late(worker: Worker, request: Request, tell: Any) -> Any:
            begun.set()
            assert stopped.wait(PATIENCE)
            return answer(worker, request, tell)

        monkeypatch.setattr(Worker, "answer", late)
        requests = {"analyze": LONG, "solve": RUNNING["solve"], "play": RUNNING["play"]}
        inside.send({"id": 1, **requests[kind]})
        assert begun.wait(PATIENCE)
        inside.send({"id": 2, "type": "stop", "target": 1})
        assert inside.answer()["result"] == {"stopped": [1]}
        stopped.set()
        assert inside.answer()["result"]["stop"] == "requested"


@pytest.mark.parametrize("rounds", [0, 1])
def test_a_stop_while_a_record_is_read(rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends before the next round is looked at, however many there are."""
    match = Match("classic", seed=7)
    match.play_on([Player.parse("random")] * 2, rounds=2)
    record = match.record().to_dict()
    begun, stopped = threading.Event(), threading.Event()
    read: list[int] = []
    of_record, of_round = Record.from_dict, Game.from_record

    def pause() -> None:
        if len(read) == rounds:
            begun.set()
            assert stopped.wait(PATIENCE)

    def parsed(twin: JSON) -> Record:
        pause()
        return of_record(twin)

    def replayed(*args: Any, **options: Any) -> Game:
        read.append(1)
        pause()
        return of_round(*args, **options)

    monkeypatch.setattr(Record, "from_dict", parsed)
    monkeypatch.setattr(Game, "from_record", replayed)
    with InProcess() as inside:
        inside.send({"id": 1, "type": "moves", "record": record, "ply": 0})
        assert begun.wait(PATIENCE)
        inside.send({"id": 2, "type": "stop", "target": 1})
        assert inside.answer()["result"] == {"stopped": [1]}
        stopped.set()
        assert inside.answer()["error"]["code"] == "stopped"
    assert len(read) == rounds


def test_a_stop_reaches_only_its_request() -> None:
    """However late: what runs next is not what was to be stopped."""
    with InProcess() as inside:
        for number in range(100):
            short = {"type": "analyze", "position": HAND, "limits": {"worlds": 16}}
            inside.send(
                {"id": number, **CAPTURES},
                {"id": f"next {number}", **short},
                {"id": f"stop {number}", "type": "stop", "target": number},
            )
            answers = {answer["id"]: answer for answer in (inside.answer() for _ in range(3))}
            assert answers[f"next {number}"]["result"]["stop"] == "worlds"


def test_an_id_is_free_before_its_answer_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has the answer can use it again at once."""
    with InProcess() as inside:
        refusals: list[object] = []
        write = os.write

        def looked(file: int, text: bytes) -> int:
            if file == inside.output[1]:
                refusals.append(inside.server._schedule.refusal(1))
            return write(file, text)

        monkeypatch.setattr(os, "write", looked)
        inside.send({"id": 1, **CAPTURES})
        assert inside.answer()["id"] == 1
        assert refusals == [None]
