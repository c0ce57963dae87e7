"""The plain reference solver of csrc/tools on the package's positions, and positions to solve."""

from __future__ import annotations

from functools import cache
from typing import Any

from basra import Position, Rules
from whitebox.modules import reference

TABLE_BYTES = 16 << 20
MOVES_ROOM = 4096


@cache
def _solver() -> Any:
    m = reference()
    solver = m.lib.reference_new(TABLE_BYTES)
    assert solver
    return m.ffi.gc(solver, m.lib.reference_free)


def _rules(rules: Rules) -> Any:
    """The core's struct: the fields have the same names."""
    return reference().ffi.new("basra_rules *", rules.data.fields())


def _position(position: Position) -> Any:
    """What the solver reads of a position."""
    fields = position.data.fields()
    kept = ("players", "partners", "leader", "turn", "floor", "cards", "carry", "last", "stock")
    values = {name: fields[name] for name in kept}
    values |= {"hand": fields["hands"], "stock_size": len(fields["stock"])}
    return reference().ffi.new("basra_position *", values)


def reference_value(position: Position) -> int:
    """Exact value for the side to move; tables of two sides only."""
    m = reference()
    value, visits = m.ffi.new("int32_t *"), m.ffi.new("uint64_t *")
    rules, filled = _rules(position.rules), _position(position)
    assert m.lib.reference_value(_solver(), rules, filled, value, visits) == 0
    return int(value[0])


def reference_moves(position: Position) -> dict[str, int]:
    """Exact value of every legal move, by its text without the mark of a basra."""
    m = reference()
    values, count = m.ffi.new("int32_t[]", MOVES_ROOM), m.ffi.new("size_t *")
    rules, filled = _rules(position.rules), _position(position)
    status = m.lib.reference_moves(_solver(), rules, filled, values, MOVES_ROOM, count)
    assert status == 0
    texts = [move.text.rstrip("*") for move in position.legal_moves()]
    assert len(texts) == count[0]
    return dict(zip(texts, list(values[0 : count[0]]), strict=True))


def _package_position(rules: Rules, p: Any) -> Position:
    """The struct as a position of the package, set up as it stands."""
    sides = 2 if p.partners else p.players
    fields = {
        "players": p.players,
        "partners": bool(p.partners),
        "turn": p.turn,
        "hands": list(p.hand[0 : p.players]),
        "floor": p.floor,
        "stock": list(p.stock[p.stock_next : p.stock_size]),
        "cards": list(p.cards[0:sides]),
        "last": p.last,
        "carry": p.carry,
    }
    return Position.from_fields(rules, fields, True)


def sample(
    rules: Rules, players: int, partners: bool, dice: int, left: int, *, made_up: bool
) -> Position:
    """A position with so many cards still to be played: after random play, or of any cards."""
    m = reference()
    table = m.ffi.new("sample_table *", {"players": players, "partners": partners})
    table.rules = _rules(rules)[0]
    deals = 1
    while m.lib.sample_cards_left(table, deals) < left:
        deals += 1
    plies = m.lib.sample_cards_left(table, deals) - left
    state, p = m.ffi.new("uint64_t *", dice), m.ffi.new("basra_position *")
    draw = m.lib.sample_made_up if made_up else m.lib.sample_deals
    draw(table, state, deals, plies, p)
    return _package_position(rules, p)


def deal_starts(rules: Rules, players: int, partners: bool) -> list[int]:
    """Cards still to be played at the start of every deal, the last deal first."""
    sizes = rules.deal_sizes(players)
    return [sum(sizes[-deals:]) * players for deals in range(1, len(sizes) + 1)]
