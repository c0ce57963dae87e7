"""Messages: requests as they are read, and answers as they are written; docs/protocol.md."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from json import JSONDecoder, JSONEncoder
from typing import Any

from basra.batch import MAX_LINE
from basra.errors import BasraError
from basra.results import SCHEMA_SOLVE, Solution
from basra.serve.fields import (
    FIELDS,
    MAX_ID,
    TYPES,
    Id,
    Warnings,
    check_needed,
    is_id,
    known_fields,
    shown,
)

PROTOCOL = 1
"""The version of the protocol: other numbers are other protocols; new fields may come in one."""


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
    warnings: Warnings = field(default_factory=list)
    error: BasraError | None = None
    line: int = 1
    """Its number, from 1"""
    size: int = 0
    """Bytes of its line"""
    stopped: bool = False
    """Has somebody asked it to end?"""


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
    if not is_id(asked.get("id")):
        value = shown(asked["id"]) if "id" in asked else ""
        message = "is not an id" if "id" in asked else "is missing"
        fix = f"give text of at most {MAX_ID} characters, or a whole number of 64 bits"
        raise RequestError(message, field="id", value=value, fix=fix)
    return asked


def read_request(line: bytes | None, number: int = 1) -> Request:
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
    known = FIELDS.get(kind) if isinstance(kind, str) else None
    if known is None:
        raise _no_type(asked)
    assert isinstance(kind, str)
    request.type = kind
    request.fields = known_fields(asked, known, request.warnings)
    check_needed(kind, request.fields)
    request.priority = request.fields.get("priority", 0)


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


def solution_text(found: Solution, moves: bool, line: bool) -> str:
    """The JSON of a solution, of which the shortest is put together by hand: there may be many."""
    if moves or line or not found.exact or found.points is not None:
        return _encode(found.to_dict(moves=moves, line=line))
    return (
        f'{{"schema":"{SCHEMA_SOLVE}","value":{found.value},"exact":true,'
        f'"nodes":{found.nodes},"seconds":{found.seconds!r}}}'
    )


def answer(
    request: Request, result: Mapping[str, Any] | str, position: str = "", *, final: bool = True
) -> bytes:
    """The line of an answer with a result, or its JSON, about a position if there is one.

    Put together by hand as well: neither types nor notations have anything to escape.
    """
    text = result if isinstance(result, str) else _encode(result)
    id = request.id if isinstance(request.id, int) else _encode(request.id)
    about = f'"position":"{position}",' if position else ""
    more = f',"warnings":{_encode(request.warnings)}' if final and request.warnings else ""
    return (
        f'{{"id":{id},"type":"{request.type}","final":{"true" if final else "false"},{about}'
        f'"result":{text}{more}}}\n'
    ).encode()


_MOST = 1000  # characters of a text in an error


def failure(request: Request, error: BasraError) -> bytes:
    """The line of an answer that is an error; one without id names the line."""
    found: dict[str, Any] = {"id": request.id, "final": True}
    if request.type:
        found["type"] = request.type
    if request.id is None:
        found["line"] = request.line
    found["error"] = {name: text[:_MOST] for name, text in error.to_dict().items()}
    if request.warnings:
        found["warnings"] = request.warnings
    return _encode(found).encode() + b"\n"
