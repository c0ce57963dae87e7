"""Messages: requests as they are read and checked, and answers as they are written.

Every request is one JSON object on one line.  What can be checked without looking at a card is
checked here: types, ranges, fields that are missing or not known.
"""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from json import JSONDecoder, JSONEncoder
from typing import Any

from basra.batch import MAX_LINE
from basra.engine import check_method
from basra.errors import ArgumentError, BasraError
from basra.limits import Limits, check_number
from basra.models import DEFAULT_TRUST, MAX_TRUST
from basra.players import Player

PROTOCOL = 1
"""The version of the protocol: other numbers are other protocols; new fields may come in one."""

MAX_TEXT = 10_000
"""Characters of a text in a request."""

MAX_ID = 200
"""Characters of an id."""

MAX_PRIORITY = 1_000
MAX_LIST = 64
MIN_EVERY, MAX_EVERY = 0.01, 3600.0
"""Seconds between partial answers."""

Id = str | int


class RequestError(BasraError, ValueError):
    """A line is no request: no JSON, no object, or without a good id or a known type."""

    code = "request"


@dataclass(slots=True)
class Request:
    """A request; `error` is what is wrong with it, and then its answer."""

    id: Id | None
    """None for a line that has no id that could be answered to"""
    type: str = ""
    """Empty if it is not known"""
    fields: dict[str, Any] = field(default_factory=dict)
    """Checked, those that are not known left out; `limits` is a `Limits`"""
    priority: int = 0
    warnings: list[dict[str, str]] | None = None
    error: BasraError | None = None
    line: int = 0
    """Its number, from 1"""
    size: int = 0
    """Bytes of its line"""
    stopped: bool = False
    """Has somebody asked it to end?"""


# -- checks of fields ----------------------------------------------------------------------------


def _wrong(name: str, value: object, message: str, fix: str) -> ArgumentError:
    return ArgumentError(message, field=name, value=shown(value), fix=fix)


def shown(value: object) -> str:
    """The beginning of a value, as JSON."""
    try:
        text = value if isinstance(value, str) else json.dumps(value)
    except (ValueError, RecursionError):
        text = "nested too deeply" if isinstance(value, (list, dict)) else type(value).__name__
    return text if len(text) <= 60 else f"{text[:58]}.."


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise _wrong(name, value, "is not text", "write it in quotes")
    if len(value) > MAX_TEXT:
        raise _wrong(
            name, value, f"has more than {MAX_TEXT:,} characters", "no notation is as long"
        )
    return value


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise _wrong(name, value, "is not true or false", "write true or false")
    return value


def _is_whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _whole(low: int, high: int) -> Callable[[str, object], int]:
    def check(name: str, value: object) -> int:
        if not _is_whole(value, low, high):
            fix = f"use {low:,} to {high:,}"
            raise _wrong(name, value, "is not a whole number in range", fix)
        assert isinstance(value, int)
        return value

    return check


def _counts(name: str, value: object) -> str | list[int]:
    """A list of numbers as text, 12:8, or as a list."""
    if isinstance(value, str):
        return _text(name, value)
    if not isinstance(value, list) or len(value) > MAX_LIST:
        raise _wrong(name, value, "is not a list of numbers", "write [12, 8], mine first")
    for number in value:
        if not _is_whole(number, -(10**9), 10**9):
            raise _wrong(name, number, "is not a whole number in range", "write [12, 8]")
    return value


def _last(name: str, value: object) -> str | int:
    return value if _is_whole(value, 0, 3) else _text(name, value)  # type: ignore[return-value]


def _every(name: str, value: object) -> float:
    check_number(name, value, MIN_EVERY, MAX_EVERY, (int, float), "seconds")
    if value is None:
        raise _wrong(name, value, "is not a number of seconds", "leave it out, or write 0.25")
    return float(value)  # type: ignore[arg-type]


def _method(name: str, value: object) -> str:
    text = _text(name, value)
    check_method(text)
    return text


def _player(name: str, value: object) -> Player:
    try:
        return Player.parse(_text(name, value))
    except ArgumentError as error:
        error.value = shown(error.value)
        raise error.moved_to(name) from None


def _target(name: str, value: object) -> Id:
    if _is_id(value):
        return value  # type: ignore[return-value]
    raise _wrong(name, value, "is no id", "name the id of a request, or leave it out for all")


Check = Callable[[str, object], Any]
_Known = Mapping[str, Check]


def _known(
    name: str, value: object, known: _Known, warnings: list[dict[str, str]]
) -> dict[str, Any]:
    """An object in a request: its known fields checked, and warnings of the others."""
    if not isinstance(value, dict):
        raise _wrong(name, value, "is not an object", f"write {{..}} with {', '.join(known)}")
    found = {}
    for key, given in value.items():
        check = known.get(key)
        if check is None:
            warnings.append(_warning(f"{name}.{key}", known))
        else:
            found[key] = check(f"{name}.{key}", given)
    return found


def _warning(name: str, known: _Known) -> dict[str, str]:
    near = difflib.get_close_matches(name.rpartition(".")[2][:40], known, n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    return {
        "code": "unknown_field",
        "field": shown(name),
        "message": "is not known, and was not looked at",
        "fix": f"{meant}use {', '.join(known)}",
    }


# -- the fields of each type ---------------------------------------------------------------------

_LIMITS: dict[str, Check] = {
    "time": lambda name, value: value,
    "worlds": lambda name, value: value,
    "nodes": lambda name, value: value,
}
_SOLVE_LIMITS = {name: _LIMITS[name] for name in ("time", "nodes")}

_SMALL = _whole(-(10**9), 10**9)
_SEED = _whole(0, (1 << 64) - 1)

_DESCRIBED: dict[str, Check] = {
    "rules": _text, "floor": _text, "cards": _counts, "last": _last, "carry": _SMALL,
    "partners": _flag,
}  # fmt: skip

POSITION_FIELDS: dict[str, Check] = {**_DESCRIBED, "hands": _text, "stock": _text}
"""Of an object that describes a position, as the options of `basra solve`."""

VIEW_FIELDS: dict[str, Check] = {
    **_DESCRIBED, "hand": _text, "seen": _text, "buried": _text, "points": _counts,
    "match": _counts, "deal": _SMALL, "seat": _SMALL, "played": _text, "players": _SMALL,
}  # fmt: skip
"""Of an object that describes a view, as the options of `basra hint`."""

_COMMON: dict[str, Check] = {
    "id": lambda name, value: value,
    "type": lambda name, value: value,
    "priority": _whole(-MAX_PRIORITY, MAX_PRIORITY),
}

# `position` and `limits` are checked apart: objects in them may have unknown fields as well.
TYPES: dict[str, dict[str, Check]] = {
    "hello": {"protocol": _SMALL},
    "analyze": {
        "position": _text, "limits": _text, "method": _method, "seed": _SEED,
        "trust": _whole(0, MAX_TRUST), "model": _text, "every": _every,
    },
    "solve": {"position": _text, "limits": _text, "moves": _flag, "line": _flag},
    "moves": {"position": _text},
    "captures": {"floor": _text, "card": _text, "rules": _text},
    "play": {"position": _text, "player": _player, "seed": _SEED, "limits": _text},
    "stop": {"target": _target},
    "ping": {},
    "quit": {},
}  # fmt: skip
"""Types of requests, and their fields besides id, type and priority."""

AT_ONCE = ("stop", "ping", "quit")
"""Types that do not wait for their turn."""

NEEDED = {
    "analyze": ("position",),
    "solve": ("position",),
    "moves": ("position",),
    "captures": ("floor", "card"),
    "play": ("position", "player"),
}
"""Fields that must be there."""

_ALL = {kind: {**_COMMON, **known} for kind, known in TYPES.items()}

DEFAULTS: dict[str, Any] = {"method": "worlds", "seed": 0, "trust": DEFAULT_TRUST}


def _position(kind: str, value: object, warnings: list[dict[str, str]]) -> str | dict[str, Any]:
    """A notation, or an object that describes a view, or a position by all its hands."""
    if isinstance(value, str):
        return _text("position", value)
    if not isinstance(value, dict):
        fix = 'write a notation, or an object such as {"hand": "7D 5C", "floor": "3C"}'
        raise _wrong("position", value, "is neither text nor an object", fix)
    by_hands = kind == "solve" or "hands" in value
    found = _known("position", value, POSITION_FIELDS if by_hands else VIEW_FIELDS, warnings)
    for name in ("hands" if by_hands else "hand", "floor"):
        if name not in found:
            fix = 'name the cards; "" if there are none'
            raise ArgumentError("is missing", field=f"position.{name}", fix=fix)
    return found


def _limits(kind: str, value: object, warnings: list[dict[str, str]]) -> Limits:
    known = _LIMITS if kind == "analyze" else _SOLVE_LIMITS
    found = _known("limits", value, known, warnings)
    for name, number in found.items():
        if number is None:
            raise _wrong(f"limits.{name}", number, "is not a number", "leave it out for no limit")
    try:
        return Limits(**found)
    except ArgumentError as error:
        error.value = shown(error.value)
        raise error.moved_to(f"limits.{error.field}") from None


# -- reading -------------------------------------------------------------------------------------


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is no JSON")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text[:20]} is too large")
    return number


_decode = JSONDecoder(parse_constant=_refuse, parse_float=_finite).decode

_SHAPE = 'write one object to a line, such as {"id": 1, "type": "ping"}'


def _is_id(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= MAX_ID
    return _is_whole(value, -(1 << 63), (1 << 64) - 1)


def _parsed(line: bytes | None) -> dict[str, Any]:
    if line is None:
        message = f"has more than {MAX_LINE:,} bytes; the rest was skipped"
        raise RequestError(message, field="line", fix=_SHAPE)
    try:
        asked = _decode(line.decode())
    except UnicodeDecodeError:
        raise RequestError("is not UTF-8", field="line", fix=_SHAPE) from None
    except (ValueError, RecursionError) as error:
        start = shown(line[:240].decode("utf-8", "replace").strip())
        message = f"is not JSON: {str(error)[:80]}" if start else "is empty"
        raise RequestError(message, field="line", value=start, fix=_SHAPE) from None
    if not isinstance(asked, dict):
        raise RequestError("is not an object", field="line", value=shown(asked), fix=_SHAPE)
    if not _is_id(asked.get("id")):
        value = shown(asked["id"]) if "id" in asked else ""
        message = "is not an id" if "id" in asked else "is missing"
        fix = f"give text of at most {MAX_ID} characters, or a whole number of 64 bits"
        raise RequestError(message, field="id", value=value, fix=fix)
    return asked


def read_request(line: bytes | None, number: int = 0) -> Request:
    """The request of a line, which is None if it was too long; never an exception.

    >>> request = read_request(b'{"id": 7, "type": "ping", "colour": "red"}')
    >>> request.id, request.type, request.warnings[0]["field"]
    (7, 'ping', 'colour')
    >>> read_request(b"[1, 2").error.message[:11]
    'is not JSON'
    """
    size = MAX_LINE if line is None else len(line)
    try:
        asked = _parsed(line)
    except RequestError as error:
        return Request(None, error=error, line=number, size=size)
    request = Request(asked["id"], line=number, size=size)
    try:
        _fill(request, asked)
    except BasraError as error:
        request.error = error
    return request


def _fill(request: Request, asked: dict[str, Any]) -> None:
    kind = asked.get("type")
    known = _ALL.get(kind) if isinstance(kind, str) else None
    if known is None:
        raise _no_type(asked)
    assert isinstance(kind, str)
    request.type = kind
    warnings: list[dict[str, str]] = []
    fields = request.fields
    for key, value in asked.items():
        check = known.get(key)
        if check is None:
            warnings.append(_warning(key, known))
        elif key == "position":
            fields[key] = _position(kind, value, warnings)
        elif key == "limits":
            fields[key] = _limits(kind, value, warnings)
        else:
            fields[key] = check(key, value)
    if warnings:
        request.warnings = warnings
    for key in NEEDED.get(kind, ()):
        if key not in fields:
            raise ArgumentError("is missing", field=key, fix=f"{kind} needs {key}")
    request.priority = fields.get("priority", 0)


def _no_type(asked: dict[str, Any]) -> RequestError:
    kind = asked.get("type")
    near = difflib.get_close_matches(shown(kind), TYPES, n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    return RequestError(
        "is not a type of request" if "type" in asked else "is missing",
        field="type",
        value=shown(kind) if "type" in asked else "",
        fix=f"{meant}use {', '.join(TYPES)}",
    )


# -- answering -----------------------------------------------------------------------------------

# What is written has no cycles, and to look for them takes time.
_encode = JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False).encode


def answer(
    request: Request, result: Mapping[str, Any], position: str = "", *, final: bool = True
) -> bytes:
    """The line of an answer with a result, about a position if there is one.

    Put together by hand, as there may be many: neither types nor notations have anything to escape.
    """
    id = request.id if isinstance(request.id, int) else _encode(request.id)
    about = f'"position":"{position}",' if position else ""
    more = f',"warnings":{_encode(request.warnings)}' if final and request.warnings else ""
    return (
        f'{{"id":{id},"type":"{request.type}","final":{"true" if final else "false"},{about}'
        f'"result":{_encode(result)}{more}}}\n'
    ).encode()


def failure(request: Request, error: BasraError) -> bytes:
    """The line of an answer that is an error; one without id names the line."""
    found: dict[str, Any] = {"id": request.id, "final": True}
    if request.type:
        found["type"] = request.type
    if request.id is None:
        found["line"] = request.line
    found["error"] = {**error.to_dict(), "value": error.value[:MAX_ID]}
    if request.warnings:
        found["warnings"] = request.warnings
    return _encode(found).encode() + b"\n"
