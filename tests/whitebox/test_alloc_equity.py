"""Every allocation fails once: reading a model with match equity, and playing for the match."""

from __future__ import annotations

from typing import Any

from basra import Rules
from basra.models import EQUITY, Part, model_bytes
from basra.training.equity import equity_part
from whitebox.test_alloc import (
    CLASSIC,
    FFI,
    LIB,
    OK,
    complete,
    fail_each_request,
    fail_each_request_of_engine,
    view_of,
)

RULES = Rules.preset("classic")
OUTCOMES = {(20, 6, 1): 2, (6, 20, -1): 2, (8, 5, -1): 1, (5, 8, 1): 1}
FILE = model_bytes(RULES, [Part(EQUITY, 0, 0, equity_part(RULES, "2", OUTCOMES, []))])
WORLDS_METHOD, MATCH = 5, 1


def read(model: Any) -> int:
    return int(LIB.basra_model_read(CLASSIC, FILE, len(FILE), model, FFI.new("basra_fault *")))


def test_reading_a_table() -> None:
    made: list[Any] = []

    def call() -> tuple[int, Any]:
        out = FFI.new("basra_model **")
        status = read(out)
        assert (out[0] == FFI.NULL) == (status != OK)
        made.append(out[0])
        return status, None

    def settle() -> None:
        while made:
            LIB.basra_model_free(made.pop())

    assert fail_each_request(call, settle) == 2


def test_playing_for_the_match() -> None:
    model, view = FFI.new("basra_model **"), view_of(CLASSIC, 2)
    LIB.fail_request(0, False)
    assert read(model) == OK
    assert complete(CLASSIC, view) == OK
    choice = FFI.new("basra_choice *")

    def run_with(objective: int) -> int:
        player = FFI.new(
            "basra_player *",
            {
                "model": model[0],
                "method": WORLDS_METHOD,
                "effort": 3,
                "memory": 100,
                "objective": objective,
            },
        )

        def run(engine: Any) -> tuple[int, Any]:
            status = LIB.basra_choose(engine, CLASSIC, player, view, 1, FFI.NULL, choice)
            return status, (choice.move.card, choice.move.taken) if status == OK else None

        return fail_each_request_of_engine(run)

    assert run_with(MATCH) == run_with(0) + 2
    LIB.basra_model_free(model[0])
