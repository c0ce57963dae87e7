"""Every allocation fails once: reading a model with nets for boundaries, and searching with it."""

from __future__ import annotations

from typing import Any

from basra import Rules
from basra.models import BOUNDARY, Part, model_bytes
from boundary_reference import net_bytes
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
FILE = model_bytes(RULES, [Part(BOUNDARY, 0, stage, net_bytes(RULES, stage)) for stage in (1, 2)])
WORLDS_METHOD = 5


def read(model: Any) -> int:
    return int(LIB.basra_model_read(CLASSIC, FILE, len(FILE), model, FFI.new("basra_fault *")))


def test_reading_nets() -> None:
    """The model, and each of its nets: none is left when a later one fails."""
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

    assert fail_each_request(call, settle) == 3


def test_searching_with_nets_needs_no_more_memory() -> None:
    model, view = FFI.new("basra_model **"), view_of(CLASSIC, 2)
    LIB.fail_request(0, False)
    assert read(model) == OK
    assert complete(CLASSIC, view) == OK
    choice = FFI.new("basra_choice *")

    def run_with(known: Any) -> int:
        player = FFI.new(
            "basra_player *",
            {"model": known, "method": WORLDS_METHOD, "effort": 3, "memory": 100},
        )

        def run(engine: Any) -> tuple[int, Any]:
            status = LIB.basra_choose(engine, CLASSIC, player, view, 1, FFI.NULL, choice)
            return status, (choice.move.card, choice.move.taken) if status == OK else None

        return fail_each_request_of_engine(run)

    assert run_with(model[0]) == run_with(FFI.NULL)
    LIB.basra_model_free(model[0])
