"""Position notation: one line of text for a position or a view; see docs/notation.md."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from basra import _core
from basra.cards import Cards, parse_cards
from basra.errors import BasraError, NotationError
from basra.moves import Move, check_pack, parse_move
from basra.position import Position, checked_counts, checked_points, checked_seed
from basra.rules import Rules, preset_names
from basra.view import View

HEAD = "basra/1"
_WHOLE = re.compile(r"-?\d{1,20}")
_TABLE = re.compile(r"([234])(p?)")
_FIX = "see docs/notation.md; Position.notation and View.notation print examples"


def _joined(cards: Cards) -> str:
    return cards.joined


def _numbers(values: tuple[int, ...]) -> str:
    return ":".join(map(str, values))


def _moves(moves: tuple[Move, ...]) -> str:
    # A basra's `*` would be expanded by a shell; it follows from the rest.
    return ",".join(move.text.rstrip("*") for move in moves) or "-"


# -- rules ---------------------------------------------------------------------------------------


@lru_cache(64)
def rules_text(rules: Rules) -> str:
    """A preset's name, or the nearest preset and what differs: classic+target=121.

    >>> rules_text(Rules.preset("classic").with_changes(target=121, card_points={"A": 1}))
    'classic+card_points=A.1+target=121'
    """
    base, changes = rules.changes()
    parts = [base]
    for key, value in sorted(changes.items()):
        if isinstance(value, dict):
            shown = ",".join(f"{k}.{v}" for k, v in value.items()) or "none"
        elif isinstance(value, list):
            shown = ",".join(value) or "none"
        else:
            shown = str(value).lower()
        parts.append(f"{key}={shown}")
    return "+".join(parts)


@lru_cache(64)
def parse_rules(text: str) -> Rules:
    """Rules from their text."""
    base, *changes = text.split("+")
    if base not in preset_names():
        raise NotationError(
            "is not a preset", field="rules", value=base, fix=", ".join(preset_names())
        )
    values: dict[str, object] = {}
    for change in changes:
        key, found, value = change.partition("=")
        if not found:
            raise NotationError("is not parameter=value", field="rules", value=change, fix=_FIX)
        values[key] = _rule_value(key, value)
    return Rules.preset(base).with_changes(**values) if values else Rules.preset(base)


def _rule_value(key: str, text: str) -> object:
    if key in ("tables", "not_on_first_floor"):
        return [] if text == "none" else text.split(",")
    if key in ("card_points", "basra_points") and text == "none":
        return {}
    if key in ("card_points", "basra_points") and "." in text:
        pairs = [word.partition(".") for word in text.split(",")]
        return {card: _whole(number, key) for card, _, number in pairs}
    if text in ("true", "false"):
        return text == "true"
    return _whole(text, key) if re.fullmatch(r"-?\d+", text) else text


# -- writing -------------------------------------------------------------------------------------


def table_text(players: int, partners: bool) -> str:
    """A table in one word: 2, 3, 4, or 4p for partnerships."""
    return f"{players}{'p' if partners else ''}"


def _line(fields: list[tuple[str, str]]) -> str:
    return "/".join([HEAD, *(f"{key}={value}" for key, value in fields)])


def position_text(position: Position) -> str:
    """The canonical notation: the position as this deal began, and the moves played since."""
    return f"{HEAD}/rules={rules_text(position.rules)}{position.data.text()}"


def view_text(view: View) -> str:
    """The canonical notation of what a seat knows; hidden cards are counts."""
    return _line(
        [
            ("rules", rules_text(view.rules)),
            ("table", table_text(view.players, view.partners)),
            ("knows", str(view.seat)),
            ("deal", str(view.deal)),
            ("hand", _joined(view.hand)),
            ("hidden", _numbers(view.hidden)),
            ("stock", str(view.stock)),
            ("floor", _joined(view.floor)),
            ("seen", _joined(view.seen)),
            ("untracked", str(view.untracked)),
            ("buried", "".join(map(str, view.buried)) or "-"),
            ("cards", _numbers(view.cards) if view.data.fields()["cards_given"] else "level"),
            ("points", _numbers(view.points)),
            ("last", view.last or "none"),
            ("carry", str(view.carry)),
            ("match", _numbers(view.match)),
            ("played", _moves(view.played)),
        ]
    )


# -- reading -------------------------------------------------------------------------------------


def _split(text: str, known: set[str], position: bool) -> dict[str, str]:
    """The fields of a notation; first of all it must be of the kind that is wanted."""
    if not isinstance(text, str) or len(text) > 10_000:
        raise NotationError("is not a notation", field="position", value=str(text)[:40], fix=_FIX)
    parts = text.strip().split("/")
    if "/".join(parts[:2]).lower() != HEAD:
        raise NotationError(
            f"does not start with {HEAD}", field="position", value=text.strip()[:40], fix=_FIX
        )
    _check_kind(parts[2:], position)
    fields: dict[str, str] = {}
    for part in parts[2:]:
        key, found, value = part.partition("=")
        key = key.strip().lower()
        if not found or key not in known:
            raise NotationError("is not a known field", field="position", value=part[:40], fix=_FIX)
        if key in fields:
            raise NotationError("stands twice", field="position", value=key, fix=_FIX)
        fields[key] = value.strip()
    for key in ("rules", "table", "knows"):
        if key not in fields:
            raise NotationError("is missing", field="position", value=f"{key}=", fix=_FIX)
    return fields


def _check_kind(parts: list[str], position: bool) -> None:
    for part in parts:
        if part == "knows=all" and position:
            return
        key, _, value = part.partition("=")
        if key.strip().lower() != "knows" or (value.strip().lower() == "all") == position:
            continue
        if position:
            message, fix = (
                "is one seat's view, not a position",
                "hint takes it, and View.from_notation",
            )
        else:
            message = "is a position with all cards known, not a view"
            fix = "solve takes it, and Position.from_notation"
        raise NotationError(message, field="position", value=part, fix=fix)


def _whole(text: str, field: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise NotationError("is not a whole number", field=field, value=text[:40], fix=_FIX)
    return int(text)


def _list(text: str, field: str) -> list[int]:
    return [_whole(word, field) for word in text.split(":")]


def _table(text: str) -> tuple[int, bool]:
    match = _TABLE.fullmatch(text.lower())
    if match is None:
        raise NotationError("is not a table", field="table", value=text, fix="use 2, 3, 4 or 4p")
    return int(match[1]), match[2] == "p"


def _cards(fields: dict[str, str], key: str) -> str:
    text = fields.get(key, "-")
    return "" if text == "-" else text


def _played(fields: dict[str, str]) -> tuple[Move, ...]:
    text = _cards(fields, "played")
    return tuple(parse_move(word, "played") for word in text.split(",")) if text else ()


_VIEW_FIELDS = {
    "rules",
    "table",
    "knows",
    "deal",
    "hand",
    "hidden",
    "stock",
    "floor",
    "seen",
    "untracked",
    "buried",
    "cards",
    "points",
    "last",
    "carry",
    "match",
    "played",
}
_POSITION_FIELDS = {
    "rules",
    "table",
    "knows",
    "turn",
    "hands",
    "floor",
    "stock",
    "piles",
    "cards",
    "points",
    "last",
    "carry",
    "match",
    "round",
    "seed",
    "buried",
    "played",
}


def parse_view(text: str) -> View:
    """A view; fields in any order, those left out take the defaults of `View`."""
    fields = _split(text, _VIEW_FIELDS, position=False)
    players, partners = _table(fields["table"])

    def optional(key: str, read: Callable[[str, str], Any]) -> Any:
        return read(fields[key], key) if key in fields else None

    level = fields.get("cards", "level").lower() == "level"
    view = View(
        _cards(fields, "hand"),
        _cards(fields, "floor"),
        rules=parse_rules(fields["rules"]),
        seen=_cards(fields, "seen") if "seen" in fields else None,
        buried=_cards(fields, "buried") if "buried" in fields else None,
        cards=None if level else _list(fields["cards"], "cards"),
        points=optional("points", _list),
        last=fields["last"].lower() if "last" in fields else None,
        carry=optional("carry", _whole),
        match=optional("match", _list),
        deal=optional("deal", _whole),
        seat=_whole(fields["knows"], "knows"),
        played=_played(fields) if "played" in fields else None,
        players=players,
        partners=partners,
    )
    _confirm(view, fields)
    return view


def _confirm(view: View, fields: dict[str, str]) -> None:
    """Counts that follow from the rest must agree with it."""
    counted = {
        "hidden": _numbers(view.hidden),
        "stock": str(view.stock),
        "untracked": str(view.untracked),
    }
    for key, value in counted.items():
        if fields.get(key, value) != value:
            raise NotationError(
                "does not follow from the other fields",
                field=key,
                value=fields[key],
                fix=f"write {key}={value}, or leave it out",
            )


def parse_position(text: str) -> Position:
    """A position with all cards known; fields in any order."""
    return _as_written(text) or _parse_position(text)


def _as_written(text: str) -> Position | None:
    """The same, at once, if it is in the form that `position_text` gives; else None."""
    start = f"{HEAD}/rules="
    if not isinstance(text, str) or not text.startswith(start):
        return None
    end = text.find("/", len(start))
    try:
        rules = parse_rules(text[len(start) : end])
    except BasraError:
        return None
    data = _core.PositionData.read(rules.data, text[end:])
    return None if data is None else Position(rules, data)


def _parse_position(text: str) -> Position:
    fields = _split(text, _POSITION_FIELDS, position=True)
    players, partners = _table(fields["table"])
    rules = parse_rules(fields["rules"])
    rules.check_table(players, partners)
    position = Position.from_fields(rules, _parts(rules, fields, players, partners), False)
    for move in _played(fields):
        try:
            position.play(move)
        except BasraError as error:
            raise error.moved_to("played") from None
    return position


def _parts(rules: Rules, fields: dict[str, str], players: int, partners: bool) -> dict[str, Any]:
    """What the core needs for the start of the deal."""
    hands = _sets(fields, "hands", players)
    piles = _sets(fields, "piles", players)
    stock = parse_cards(_cards(fields, "stock"), "stock")
    buried = parse_cards(_cards(fields, "buried"), "buried")
    floor = Cards(_cards(fields, "floor"), "floor")
    places = {"floor": floor, "stock": Cards(stock, "stock")}
    places |= {f"hands, number {i + 1}": hand for i, hand in enumerate(hands)}
    places |= {f"piles, number {i + 1}": pile for i, pile in enumerate(piles)}
    check_pack(rules, places)
    sides = 2 if partners else players
    turn = _whole(fields.get("turn", "1"), "turn") - 1
    last = fields.get("last", "-")
    seat = 0 if last == "-" else _whole(last, "last") - 1
    for field, value in (("turn", turn), ("last", seat)):
        if not 0 <= value < players:
            raise NotationError(
                "is not a seat", field=field, value=fields[field], fix=f"use 1 to {players}"
            )
    return {
        "players": players,
        "partners": partners,
        "turn": turn,
        "hands": [hand.mask for hand in hands],
        "piles": [pile.mask for pile in piles],
        "floor": floor.mask,
        "stock": [card.index for card in stock],
        "cards": checked_counts(_by_side(fields, "cards", sides), "cards"),
        "points": [checked_points(p, "points") for p in _by_side(fields, "points", sides)],
        "score": [checked_points(s, "match") for s in _by_side(fields, "match", sides)],
        "last": _core.NO_SEAT if last == "-" else seat,
        "carry": checked_points(_whole(fields.get("carry", "0"), "carry"), "carry"),
        "round": _round(fields),
        "seed": checked_seed(_whole(fields.get("seed", "0"), "seed")),
        "buried": [card.index for card in buried],
    }


def _round(fields: dict[str, str]) -> int:
    number = _whole(fields.get("round", "1"), "round")
    if not 1 <= number < 1 << 31:
        raise NotationError(
            "is not a round", field="round", value=number, fix="use 1 for the first"
        )
    return number - 1


def _sets(fields: dict[str, str], key: str, players: int) -> list[Cards]:
    if key not in fields:
        return [Cards()] * players
    words = fields[key].split(":")
    if len(words) != players:
        raise NotationError(
            "is not one entry for each seat", field=key, value=fields[key], fix=f"give {players}"
        )
    return [Cards("" if word == "-" else word, key) for word in words]


def _by_side(fields: dict[str, str], key: str, sides: int) -> list[int]:
    values = _list(fields[key], key) if key in fields else [0] * sides
    if len(values) != sides:
        raise NotationError(
            "is not one number for each side", field=key, value=fields[key], fix=f"give {sides}"
        )
    return values
