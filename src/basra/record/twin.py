"""The JSON twin of records; see docs/record.md.

Errors name the path of the field, such as rounds[0].deals[1].turns[3].move.
"""

from __future__ import annotations

import difflib
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, TypeVar

from basra.cards import Card, Cards, parse_cards
from basra.errors import BasraError
from basra.moves import Move, parse_move
from basra.record.check import MOST_POINTS, check_record, fail, in_place
from basra.record.errors import RecordError, shown
from basra.record.model import DealRecord, Estimate, Record, RoundRecord, Seat, Turn
from basra.record.text import move_texts, preset_of
from basra.rules import Rules, preset_names

SCHEMA = "basra.record/1"

_T = TypeVar("_T")
_SCHEMA = re.compile(r"basra\.record/([0-9]{1,9})(?:\.[0-9]{1,9})?")
_SCHEMA_FIX = f'write "schema": "{SCHEMA}"'


# -- writing -------------------------------------------------------------------------------------


def record_dict(record: Record) -> dict[str, Any]:
    """The JSON of a record; RecordError, with the path of the field, if it cannot be written."""
    check_record(record)
    return {
        "schema": SCHEMA,
        "rules": _rules_dict(record.rules),
        "players": record.players,
        "partners": record.partners,
        "seats": [{"name": seat.name, "player": seat.player} for seat in record.seats],
        "tags": dict(record.tags),
        "scores": list(record.scores),
        "carry": record.carry,
        "seed": record.seed,
        "first_round": record.first_round,
        "rounds": [
            _round_dict(record, number, now)
            for number, now in enumerate(record.rounds, record.first_round)
        ],
        "resigned": None if record.resigned is None else record.resigned + 1,
        "comment": record.comment,
    }


def record_json(record: Record) -> str:
    """The text of that, with line breaks, as `write_record` writes it."""
    return json.dumps(record_dict(record), ensure_ascii=False, indent=1) + "\n"


def _rules_dict(rules: Rules) -> dict[str, Any]:
    preset = preset_of(rules)
    if preset is not None:
        return {"name": preset, "hash": rules.hash}
    return {"name": rules.name, "hash": rules.hash, "parameters": rules.to_dict()}


def _round_dict(record: Record, number: int, now: RoundRecord) -> dict[str, Any]:
    texts = move_texts(record, now)
    return {
        "round": number,
        "leader": now.leader + 1,
        "floor": now.floor.texts,
        "buried": [str(card) for card in now.buried],
        "deals": [
            {
                "hands": [hand.texts for hand in deal.hands],
                "turns": [
                    {
                        "seat": (now.leader + ply) % record.players + 1,
                        "move": text,
                        "comment": turn.comment,
                        "estimate": _estimate_dict(turn.estimate),
                    }
                    for ply, (turn, text) in enumerate(zip(deal.turns, moves, strict=True))
                ],
            }
            for deal, moves in zip(now.deals, texts, strict=True)
        ],
        "stock": None if now.stock is None else [str(card) for card in now.stock],
        "points": None if now.points is None else list(now.points),
        "comment": now.comment,
    }


def _estimate_dict(estimate: Estimate | None) -> dict[str, Any] | None:
    if estimate is None:
        return None
    return {"value": estimate.value, "stderr": estimate.stderr, "method": estimate.method}


# -- reading -------------------------------------------------------------------------------------


def parse_json(text: str) -> Record:
    """A record from the text of its JSON; RecordError with line and column, or with the path."""
    try:
        found = json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        fix = "write it as JSON, or as the text that starts with: basra record 1"
        failed = RecordError(f"is not valid JSON: {error.msg}", field="record", fix=fix)
        raise failed.at(error.lineno, error.colno) from None
    except RecordError:
        raise
    except (ValueError, RecursionError):
        # A number with more digits than Python reads, or lists in lists without end.
        message = "has too large a number, or too many lists one in the other"
        raise RecordError(message, field="record", fix="see docs/record.md") from None
    return record_of(found)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = counts.most_common(1)[0][0]
        raise fail("record", twice, "stands twice in one object", "say it once")
    return found


def record_of(twin: Mapping[str, Any]) -> Record:
    """A record from its JSON; what has a default may be left out.

    Raises RecordError with the path of the field, for unknown keys too.
    """
    top = _Node(twin, "")
    values = top.object(_KEYS)
    _check_schema(values.pop("schema", None))
    rules = _rules_of(values["rules"]) if "rules" in values else _missing("rules")
    players = top.read("players", _Node.whole, 2)
    partners = top.read("partners", _Node.truth, False)
    if players not in (2, 3, 4):
        raise fail("players", players, "is not a number of players", "use 2, 3 or 4")
    first = top.read("first_round", _Node.whole, 1)
    resigned = top.read("resigned", _Node.whole, None)
    record = Record(
        rules,
        players,
        partners,
        tuple(top.read("seats", _seats_of, ())),
        first,
        top.read("scores", _Node.wholes, ()),
        top.read("carry", _Node.whole, 0),
        top.read("seed", _Node.whole, None),
        _rounds_of(top.read("rounds", _Node.list, ()), players, first),
        None if resigned is None else resigned - 1,
        tuple(top.read("tags", _tags_of, ())),
        top.read("comment", _Node.text, ""),
    )
    check_record(record)
    return record


_KEYS = (
    "schema", "rules", "players", "partners", "seats", "tags", "scores", "carry", "seed",
    "first_round", "rounds", "resigned", "comment",
)  # fmt: skip
_RULES_KEYS = ("name", "hash", "parameters")
_ROUND_KEYS = ("round", "leader", "floor", "buried", "deals", "stock", "points", "comment")
_DEAL_KEYS = ("hands", "turns")
_TURN_KEYS = ("seat", "move", "comment", "estimate")
_ESTIMATE_KEYS = ("value", "stderr", "method")


class _Node:
    """A value of the JSON and its path."""

    __slots__ = ("path", "value")

    def __init__(self, value: Any, path: str) -> None:
        self.value = value
        self.path = path

    def wrong(self, message: str, fix: str) -> NoReturn:
        """RecordError about this value."""
        raise fail(self.path or "record", self.value, message, fix)

    def object(self, keys: tuple[str, ...]) -> dict[str, _Node]:
        """Its fields; all must be known."""
        if not isinstance(self.value, Mapping):
            self.wrong("is not an object", f"write {{ }} with {', '.join(keys)}")
        found = {}
        for key, value in self.value.items():
            path = f"{self.path}.{shown(key)[:40]}".lstrip(".")
            if key not in keys:
                near = difflib.get_close_matches(str(key)[:40], keys, n=1)
                meant = f"did you mean {near[0]}? " if near else ""
                raise fail(path, "", "is not a field", f"{meant}fields are {', '.join(keys)}")
            found[key] = _Node(value, path)
        return found

    def read(self, key: str, how: Callable[[_Node], _T], default: Any) -> Any:
        """A field, read by `how`; the default if it is not there, or null where that is one."""
        value = self.value.get(key, default)
        if value is default or (value is None and default is None):
            return default
        return how(_Node(value, f"{self.path}.{key}".lstrip(".")))

    def text(self) -> str:
        if not isinstance(self.value, str):
            self.wrong("is not a text", "write it in quotes")
        return str(self.value)

    def whole(self) -> int:
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            self.wrong("is not a whole number", "write 30, say")
        if abs(self.value) >= 1 << 64:
            self.wrong("is too large", "no number of a record has more than 20 digits")
        return int(self.value)

    def truth(self) -> bool:
        if not isinstance(self.value, bool):
            self.wrong("is not true or false", "write true or false")
        return bool(self.value)

    def points(self) -> float:
        """A number that may have a fraction."""
        if not isinstance(self.value, (int, float)) or isinstance(self.value, bool):
            self.wrong("is not a number", "write 24.23, say")
        if abs(self.value) > MOST_POINTS:
            self.wrong("is not a number of points", f"use at most {MOST_POINTS:,}")
        return float(self.value)

    def list(self) -> tuple[_Node, ...]:
        if not isinstance(self.value, (list, tuple)):
            self.wrong("is not a list", "write [ ]")
        return tuple(_Node(value, f"{self.path}[{i}]") for i, value in enumerate(self.value))

    def wholes(self) -> tuple[int, ...]:
        return tuple(node.whole() for node in self.list())

    def cards(self) -> tuple[Card, ...]:
        """Cards in order."""
        found: list[Card] = []
        for node in self.list():
            try:
                listed = parse_cards(node.text(), node.path)
            except BasraError as error:
                raise in_place(error, node.path) from None
            if len(listed) != 1:
                node.wrong("is not one card", "write each card as a text of its own")
            found += listed
        return tuple(found)

    def card_set(self) -> Cards:
        cards = self.cards()
        try:
            return Cards(cards)
        except BasraError as error:
            raise in_place(error, self.path) from None

    def move(self) -> Move:
        try:
            return parse_move(self.text(), self.path)
        except BasraError as error:
            raise in_place(error, self.path) from None


def _missing(path: str) -> NoReturn:
    raise fail(path, "", "is missing", "see docs/record.md for what must be there")


def _check_schema(node: _Node | None) -> None:
    if node is None:
        raise fail("schema", "", "is missing", _SCHEMA_FIX)
    found = _SCHEMA.fullmatch(node.text())
    if found is None or int(found[1]) == 0:
        node.wrong("is not that of a record", _SCHEMA_FIX)
    if int(found[1]) > 1:
        node.wrong(
            "is a newer version of the format than 1, the one that is read here",
            "use a newer basra, or have the record written as version 1",
        )


def _rules_of(node: _Node) -> Rules:
    if isinstance(node.value, str):
        return _preset(node)
    values = node.object(_RULES_KEYS)
    if "name" not in values:
        _missing(f"{node.path}.name")
    if "parameters" in values and values["parameters"].value is not None:
        rules = _house_rules(values["name"], values["parameters"])
    else:
        rules = _preset(values["name"])
    told = values["hash"].value if "hash" in values else None
    if told is not None and values["hash"].text() != rules.hash:
        values["hash"].wrong(
            "is not the hash of these rules", f"write {rules.hash}, or leave it out"
        )
    return rules


def _preset(node: _Node) -> Rules:
    name = node.text()
    if name not in preset_names():
        node.wrong("is not a preset", f"use {', '.join(preset_names())}, or give all parameters")
    return Rules.preset(name)


def _house_rules(name: _Node, parameters: _Node) -> Rules:
    if not isinstance(parameters.value, Mapping):
        parameters.wrong("is not an object", "give all parameters of the rules, or a base")
    try:
        return Rules.from_dict({**parameters.value, "name": name.text()})
    except BasraError as error:
        path = name.path if error.field == "name" else f"{parameters.path}.{error.field[:40]}"
        raise in_place(error, path) from None


def _seats_of(node: _Node) -> list[Seat]:
    seats = []
    for seat in node.list():
        seat.object(("name", "player"))
        seats.append(Seat(seat.read("name", _Node.text, ""), seat.read("player", _Node.text, "")))
    return seats


def _tags_of(node: _Node) -> list[tuple[str, str]]:
    if not isinstance(node.value, Mapping):
        node.wrong("is not an object", 'write { "date": "2026-05-01" }')
    return [
        (str(key), _Node(value, f"{node.path}.{shown(key)[:40]}").text())
        for key, value in node.value.items()
    ]


def _rounds_of(nodes: Sequence[_Node], players: int, first: int) -> tuple[RoundRecord, ...]:
    """The lead goes round where nothing is said."""
    found: list[RoundRecord] = []
    for number, node in enumerate(nodes, first):
        usual = (found[-1].leader + 1) % players if found else 0
        found.append(_round_of(node, players, number, usual))
    return tuple(found)


def _round_of(node: _Node, players: int, number: int, usual: int) -> RoundRecord:
    values = node.object(_ROUND_KEYS)
    if "floor" not in values:
        _missing(f"{node.path}.floor")
    if node.read("round", _Node.whole, number) != number:
        values["round"].wrong("is not the next round", f"write {number}, or leave it out")
    leader = node.read("leader", _Node.whole, usual + 1) - 1
    if not 0 <= leader < players:
        values["leader"].wrong("is not a seat of this table", f"use 1 to {players}")
    return RoundRecord(
        leader,
        values["floor"].card_set(),
        node.read("buried", _Node.cards, ()),
        tuple(_deal_of(deal, players, leader) for deal in node.read("deals", _Node.list, ())),
        node.read("stock", _Node.cards, None),
        node.read("points", _Node.wholes, None),
        node.read("comment", _Node.text, ""),
    )


def _deal_of(node: _Node, players: int, leader: int) -> DealRecord:
    node.object(_DEAL_KEYS)
    hands = tuple(hand.card_set() for hand in node.read("hands", _Node.list, ()))
    turns = tuple(
        _turn_of(turn, (leader + ply) % players + 1)
        for ply, turn in enumerate(node.read("turns", _Node.list, ()))
    )
    return DealRecord(hands or (Cards(),) * players, turns)


def _turn_of(node: _Node, seat: int) -> Turn:
    values = node.object(_TURN_KEYS)
    if "move" not in values:
        _missing(f"{node.path}.move")
    if node.read("seat", _Node.whole, seat) != seat:
        values["seat"].wrong("is not the seat to move", f"write {seat}, or leave it out")
    return Turn(
        values["move"].move(),
        node.read("comment", _Node.text, ""),
        node.read("estimate", _estimate_of, None),
    )


def _estimate_of(node: _Node) -> Estimate:
    values = node.object(_ESTIMATE_KEYS)
    if "value" not in values:
        _missing(f"{node.path}.value")
    return Estimate(
        values["value"].points(),
        node.read("stderr", _Node.points, None),
        node.read("method", _Node.text, ""),
    )
