"""The fields of requests: which there are, and what they must be.

What can be told without looking at a card is told here: types, ranges, what is missing or unknown.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Mapping
from typing import Any

from basra.engine import check_method
from basra.errors import ArgumentError
from basra.limits import Limits, check_number
from basra.models import MAX_TRUST
from basra.players import Player

MAX_TEXT = 10_000
"""Characters of a text in a request."""

MAX_ID = 200
"""Characters of an id."""

MAX_PRIORITY = 1_000
MIN_EVERY, MAX_EVERY = 0.01, 3600.0
"""Seconds between partial answers."""

MAX_WARNINGS = 16
"""Of one request; more unknown fields than that are not told."""

_LEAST_ID, _MOST_ID = -(1 << 63), (1 << 64) - 1
_MAX_LIST = 64
_SHOWN = 60

Id = str | int
Warnings = list[dict[str, str]]
Check = Callable[[str, object, Warnings], Any]
"""Gives the value of a field, from its name and what was written; raises ArgumentError."""


def shown(value: object) -> str:
    """The beginning of a value, as JSON."""
    try:
        text = value if isinstance(value, str) else json.dumps(value)
    except (ValueError, RecursionError):  # digits beyond counting, or brackets
        text = type(value).__name__
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 2]}.."


def is_id(value: object) -> bool:
    """Text, or a whole number of 64 bits?"""
    if isinstance(value, str):
        return len(value) <= MAX_ID
    return _is_whole(value, _LEAST_ID, _MOST_ID)


def known_fields(
    value: Mapping[str, object], known: Mapping[str, Check], warnings: Warnings, prefix: str = ""
) -> dict[str, Any]:
    """The known fields of an object, checked; of the others there are warnings."""
    found = {}
    for key, given in value.items():
        check = known.get(key)
        if check is _elsewhere:
            found[key] = given
        elif check is not None:
            found[key] = check(prefix + key, given, warnings)
        elif len(warnings) < MAX_WARNINGS:
            warnings.append(_unknown(prefix, key, known))
    return found


def _unknown(prefix: str, key: str, known: Mapping[str, Check]) -> dict[str, str]:
    near = difflib.get_close_matches(key[:_SHOWN], known, n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    return {
        "code": "unknown_field",
        "field": shown(prefix + key),
        "message": "is not known, and was not looked at",
        "fix": f"{meant}use {', '.join(known)}",
    }


# -- checks --------------------------------------------------------------------------------------


def _wrong(name: str, value: object, message: str, fix: str) -> ArgumentError:
    return ArgumentError(message, field=name, value=shown(value), fix=fix)


def _elsewhere(name: str, value: object, warnings: Warnings) -> object:
    """Checked by who looks at it."""
    return value


def _text(name: str, value: object, warnings: Warnings) -> str:
    if not isinstance(value, str):
        raise _wrong(name, value, "is not text", "write it in quotes")
    if len(value) > MAX_TEXT:
        fix = "no notation is as long"
        raise _wrong(name, value, f"has more than {MAX_TEXT:,} characters", fix)
    return value


def _flag(name: str, value: object, warnings: Warnings) -> bool:
    if not isinstance(value, bool):
        raise _wrong(name, value, "is not true or false", "write true or false")
    return value


def _is_whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _whole(low: int, high: int) -> Check:
    def check(name: str, value: object, warnings: Warnings) -> object:
        if not _is_whole(value, low, high):
            fix = f"use {low:,} to {high:,}"
            raise _wrong(name, value, "is not a whole number in range", fix)
        return value

    return check


_small = _whole(-(10**9), 10**9)
_seed = _whole(0, (1 << 64) - 1)


def _counts(name: str, value: object, warnings: Warnings) -> object:
    """A list of numbers as text, 12:8, or as a list."""
    if isinstance(value, str):
        return _text(name, value, warnings)
    if not isinstance(value, list) or len(value) > _MAX_LIST:
        raise _wrong(name, value, "is not a list of numbers", "write [12, 8], mine first")
    return [_small(name, number, warnings) for number in value]


def _last(name: str, value: object, warnings: Warnings) -> object:
    return value if _is_whole(value, 0, 3) else _text(name, value, warnings)


def _every(name: str, value: object, warnings: Warnings) -> object:
    if value is None:
        raise _wrong(name, value, "is not a number of seconds", "leave it out, or write 0.25")
    check_number(name, value, MIN_EVERY, MAX_EVERY, (int, float), "seconds")
    return value


def _method(name: str, value: object, warnings: Warnings) -> str:
    text = _text(name, value, warnings)
    check_method(text)
    return text


def _player(name: str, value: object, warnings: Warnings) -> Player:
    try:
        return Player.parse(_text(name, value, warnings))
    except ArgumentError as error:
        raise error.moved_to(name) from None


def _target(name: str, value: object, warnings: Warnings) -> object:
    if not is_id(value):
        raise _wrong(name, value, "is no id", "name the id of a request, or leave it out for all")
    return value


def _object(name: str, value: object, example: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(name, value, "is not an object", f"write {example}")
    return value


def _limits(*names: str) -> Check:
    known = dict.fromkeys(names, _elsewhere)

    def check(name: str, value: object, warnings: Warnings) -> Limits:
        given = _object(name, value, '{"time": 0.5}')
        found = known_fields(given, known, warnings, f"{name}.")
        for key, number in found.items():
            if number is None:
                fix = "leave it out for no limit"
                raise _wrong(f"{name}.{key}", number, "is not a number", fix)
        try:
            return Limits(**found)
        except ArgumentError as error:
            error.value = shown(found[error.field])
            raise error.moved_to(f"{name}.{error.field}") from None

    return check


# -- positions and views -------------------------------------------------------------------------

_DESCRIBED: dict[str, Check] = {
    "rules": _text, "floor": _text, "cards": _counts, "last": _last, "carry": _small,
    "partners": _flag,
}  # fmt: skip

POSITION_FIELDS: dict[str, Check] = {"hands": _text, "stock": _text, **_DESCRIBED}
"""Of an object that describes a position, as the options of `basra solve`."""

VIEW_FIELDS: dict[str, Check] = {
    "hand": _text, **_DESCRIBED, "seen": _text, "buried": _text, "points": _counts,
    "match": _counts, "deal": _small, "seat": _small, "played": _text, "players": _small,
}  # fmt: skip
"""Of an object that describes a view, as the options of `basra hint`."""


def _described(
    name: str, value: object, known: Mapping[str, Check], warnings: Warnings
) -> str | dict[str, Any]:
    """A notation, or an object with the first of those fields and the floor."""
    if isinstance(value, str):
        return _text(name, value, warnings)
    cards = next(iter(known))
    if not isinstance(value, dict):
        fix = f'write a notation, or an object such as {{"{cards}": .., "floor": ..}}'
        raise _wrong(name, value, "is neither text nor an object", fix)
    found = known_fields(value, known, warnings, f"{name}.")
    for key in (cards, "floor"):
        if key not in found:
            fix = 'name the cards; "" if there are none'
            raise ArgumentError("is missing", field=f"{name}.{key}", fix=fix)
    return found


def _position(name: str, value: object, warnings: Warnings) -> str | dict[str, Any]:
    """All cards known."""
    return _described(name, value, POSITION_FIELDS, warnings)


def _view(name: str, value: object, warnings: Warnings) -> str | dict[str, Any]:
    """What one seat knows, or a position."""
    open_hands = isinstance(value, dict) and "hands" in value
    return _described(name, value, POSITION_FIELDS if open_hands else VIEW_FIELDS, warnings)


def _record(name: str, value: object, warnings: Warnings) -> dict[str, Any]:
    """A record's JSON, which is looked at when its turn comes."""
    return _object(name, value, "a record as docs/record.md has it")


_KNOWN_TO_A_SEAT: dict[str, Check] = {
    "position": _view, "record": _record, "round": _whole(1, 10**9), "ply": _whole(0, 1000),
}  # fmt: skip
"""A place in a game, looked at with the eyes of the seat to move."""


# -- the fields of each type ---------------------------------------------------------------------

TYPES: dict[str, dict[str, Check]] = {
    "hello": {"protocol": _small},
    "analyze": {
        **_KNOWN_TO_A_SEAT, "limits": _limits("time", "worlds", "nodes"), "method": _method,
        "seed": _seed, "trust": _whole(0, MAX_TRUST), "model": _text, "every": _every,
    },
    "solve": {
        "position": _position, "limits": _limits("time", "nodes"), "moves": _flag, "line": _flag,
    },
    "moves": {**_KNOWN_TO_A_SEAT},
    "captures": {"floor": _text, "card": _text, "rules": _text},
    "play": {
        **_KNOWN_TO_A_SEAT, "player": _player, "seed": _seed, "limits": _limits("time", "nodes"),
    },
    "stop": {"target": _target},
    "ping": {},
    "quit": {},
}  # fmt: skip
"""Types of requests, and their fields besides id, type and priority."""

_COMMON: dict[str, Check] = {
    "id": _elsewhere, "type": _elsewhere, "priority": _whole(-MAX_PRIORITY, MAX_PRIORITY),
}  # fmt: skip

FIELDS = {kind: {**_COMMON, **fields} for kind, fields in TYPES.items()}
"""All of them."""

NEEDED: dict[str, tuple[tuple[str, ...], ...]] = {
    "analyze": (("position", "record"),),
    "solve": (("position",),),
    "moves": (("position", "record"),),
    "captures": (("floor",), ("card",)),
    "play": (("position", "record"), ("player",)),
}
"""Those that must be there, each as itself or another in its place."""


def check_needed(kind: str, fields: Mapping[str, object]) -> None:
    """ArgumentError unless all is there that must be, and nothing twice."""
    for names in NEEDED.get(kind, ()):
        if not any(map(fields.__contains__, names)):
            fix = f"{kind} needs {' or '.join(names)}"
            raise ArgumentError("is missing", field=names[0], fix=fix)
    if "position" in fields:
        for name in ("record", "round", "ply"):
            if name in fields:
                raise ArgumentError("cannot go with position", field=name, fix="leave one out")


AT_ONCE = ("stop", "ping", "quit")
"""Types that do not wait for their turn."""
