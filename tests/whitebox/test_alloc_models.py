"""Every allocation fails once: reading nets and match equity, and playing by them."""

from __future__ import annotations

from typing import Any

import pytest

from basra import Rules
from basra.models import BOUNDARY, EQUITY, Part, model_bytes
from basra.training.equity import equity_part
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
OUTCOMES = {(20, 6, 1): 2, (6, 20, -1): 2, (8, 5, -1): 1, (5, 8, 1): 1}
NETS = model_bytes(RULES, [Part(BOUNDARY, 0, stage, net_bytes(RULES, stage)) for stage in (1, 2)])
TABLE = model_bytes(RULES, [Part(EQUITY, 0, 0, equity_part(RULES, "2", OUTCOMES, []))])
WORLDS_METHOD, MATCH = 5, 1


def read(data: bytes, model: Any) -> int:
    return int(LIB.basra_model_read(CLASSIC, data, len(data), model, FFI.new("basra_fault *")))


@pytest.mark.parametrize(("data", "requests"), [(NETS, 3), (TABLE, 2)], ids=["nets", "equity"])
def test_reading(data: bytes, requests: int) -> None:
    """The model, and each of its parts: none is left when a later one fails."""
    made: list[Any] = []

    def call() -> tuple[int, Any]:
        out = FFI.new("basra_model **")
        status = read(data, out)
        assert (out[0] == FFI.NULL) == (status != OK)
        made.append(out[0])
        return status, None

    def settle() -> None:
        while made:
            LIB.basra_model_free(made.pop())

    assert fail_each_request(call, settle) == requests


def requests_of_choices(data: bytes, *players: dict[str, Any]) -> list[int]:
    """How many requests each worlds player makes, "model" told to have one or not."""
    model, view = FFI.new("basra_model **"), view_of(CLASSIC, 2)
    LIB.fail_request(0, False)
    assert read(data, model) == OK
    assert complete(CLASSIC, view) == OK
    choice = FFI.new("basra_choice *")
    found = []
    for fields in players:
        known = model[0] if fields.pop("model") else FFI.NULL
        player = FFI.new(
            "basra_player *",
            {"model": known, "method": WORLDS_METHOD, "effort": 3, "memory": 100, **fields},
        )

        def run(engine: Any, player: Any = player) -> tuple[int, Any]:
            status = LIB.basra_choose(engine, CLASSIC, player, view, 1, FFI.NULL, choice)
            return status, (choice.move.card, choice.move.taken) if status == OK else None

        found.append(fail_each_request_of_engine(run))
    LIB.fail_request(0, False)
    LIB.basra_model_free(model[0])
    return found


def test_searching_with_nets_needs_no_more_memory() -> None:
    with_nets, without = requests_of_choices(NETS, {"model": True}, {"model": False})
    assert with_nets == without


def test_playing_for_the_match() -> None:
    match, points = requests_of_choices(
        TABLE, {"model": True, "objective": MATCH}, {"model": True, "objective": 0}
    )
    assert match == points + 2
