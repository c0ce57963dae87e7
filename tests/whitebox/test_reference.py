"""The plain reference solver of the tools: against the oracle, and the package against it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from basra import Engine, Position
from basra.notation import rules_text
from helpers import TABLES, RuleChange, Table, as_position, both, move_text, rule_changes, state_at
from test_golden_values import by_move
from whitebox.modules import reference
from whitebox.reference import deal_starts, reference_moves, reference_value, sample

SINGLE_DEAL = 14
"""Cards left that both solve in a moment under any rules."""


@st.composite
def two_sided(draw: st.DrawFn) -> tuple[RuleChange, Position]:
    """Changed rules and one of their last positions."""
    change = draw(rule_changes())
    rules = change.pair.ours
    partners = draw(st.booleans()) and "partners" in rules.tables
    players = 4 if partners else 2
    most = min(SINGLE_DEAL, deal_starts(rules, players, partners)[-1])
    left = draw(st.integers(1, most))
    dice = draw(st.integers(0, 2**64 - 1))
    return change, sample(rules, players, partners, dice, left, made_up=draw(st.booleans()))


@given(rule_changes())
def test_tools_read_rules_as_notations_have_them(change: RuleChange) -> None:
    """So what the tools print of a difference can be pasted, and what notations say be proven."""
    m, rules = reference(), change.pair.ours
    read = m.ffi.new("basra_rules *")
    assert m.lib.rules_text_read(rules_text(rules).encode(), read)
    for name, value in rules.data.fields().items():
        found = getattr(read, name)
        assert (list(found) if isinstance(value, list) else found) == value, name


NO_RULES = """
nonsense classic+ classic+choice classic+choice=some classic+target=0 classic+x=1
classic+card_points=A classic+card_points=1.A classic+card_points=X.1
"""


@pytest.mark.parametrize("text", ["", *NO_RULES.split()])
def test_tools_refuse_other_rules(text: str) -> None:
    """And say so."""
    m = reference()
    assert not m.lib.rules_text_read(text.encode(), m.ffi.new("basra_rules *"))


@given(two_sided())
def test_reference_agrees(drawn: tuple[RuleChange, Position]) -> None:
    """Any rules, any floor: every move's value."""
    _, position = drawn
    with Engine() as engine:
        solution = engine.solve(position)
    wanted = reference_moves(position)
    assert by_move(solution) == wanted, position.notation
    assert solution.value == max(wanted.values()) == reference_value(position)


@pytest.mark.parametrize("table", [t for t in TABLES if not t.singles], ids=lambda t: t.id)
def test_reference_agrees_with_the_oracle(table: Table) -> None:
    """The yardstick itself, against exhaustive search."""
    pair = both(table.preset)
    for seed in range(30):
        state = state_at(pair.theirs, table.players, table.partners, seed, 1 + seed % 8)
        position = as_position(state, pair.ours)
        wanted = {move_text(move): value for move, value, _ in oracle.solve_moves(state)}
        assert reference_moves(position) == wanted, position.notation
