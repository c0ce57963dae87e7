"""Files of positions, one to a line, and a line of JSON for each: basra.batch/1, see docs/bulk.md.

Whatever stands in a line, it gets one answer: a solution or an error.  Lines are read and answered
in parts, so that memory does not depend on the size of a file or of a line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from json import JSONEncoder
from typing import Any, NamedTuple, Protocol
from zlib import crc32

from basra.engine import Engine
from basra.errors import ArgumentError, BasraError, NotationError
from basra.limits import Limits
from basra.notation import parse_position, parse_rules
from basra.position import Position
from basra.results import Solution
from basra.rules import Rules
from basra.view import numbers

MAX_LINE = 1_000_000
"""Bytes of a line; a longer one is an error, and its rest is skipped."""

_BLOCK = 1 << 16  # bytes read at a time: what is whole of them is a part
_FIX = 'write a notation in quotes, or an object with "position" or "hands" and "floor"'
_TEXTS = ("position", "hands", "floor", "stock", "last", "rules")
_DESCRIBING = ("hands", "floor", "stock", "cards", "last", "carry", "partners", "rules")

_encode = JSONEncoder(separators=(",", ":"), allow_nan=False).encode


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """How every line is solved; limits are for each on its own."""

    limits: Limits = field(default_factory=Limits)
    table_bytes: int = 0
    moves: bool = False
    line: bool = False
    rules: Rules = field(default_factory=lambda: Rules.preset("classic"))
    """Of lines that describe a position and name none"""


class Part(NamedTuple):
    """Some lines as they stand in a file, without their ends; None for those that are too long."""

    first: int
    """Number of the first one, from 1"""
    lines: list[bytes | None]
    end: int
    """Bytes of the file up to the end of what was read"""


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers to a part."""

    text: bytes
    """Whole lines"""
    count: int
    bad: int
    end: int


class Readable(Protocol):
    """A stream that gives what it has: an unbuffered file."""

    def read(self, size: int, /) -> bytes | None: ...


def read_parts(stream: Readable) -> Iterator[Part]:
    """The lines of a stream, as many at a time as come together."""
    number, end, rest, too_long = 1, 0, b"", False
    while block := stream.read(_BLOCK):
        end += len(block)
        *whole, rest = (rest + block).split(b"\n")
        lines = [line if len(line) <= MAX_LINE else None for line in whole]
        if lines and too_long:
            lines[0], too_long = None, False
        if len(rest) > MAX_LINE:
            rest, too_long = b"", True
        if lines:
            yield Part(number, lines, end)
            number += len(lines)
    if rest or too_long:
        yield Part(number, [None if too_long else rest], end)


def mark(line: bytes | None) -> str | None:
    """Eight digits that an answer has of its line, to tell whether they belong together."""
    return None if line is None else f"{crc32(line):08x}"


class LineSolver:
    """Answers lines, one at a time, with an engine of its own."""

    def __init__(self, options: BatchOptions) -> None:
        self._options = options
        self._engine = Engine(table_bytes=options.table_bytes)

    def answer(self, part: Part) -> Answers:
        """The answers to a part, all or nothing."""
        *_, answers = self.stream(part)
        return answers

    def stream(self, part: Part) -> Iterator[Answers]:
        """The same; what a Ctrl-C ends is given as far as it got before the exception."""
        texts: list[str] = []
        bad = 0
        try:
            for number, line in enumerate(part.lines, part.first):
                found, good = self._line(number, line)
                texts.append(_encode(found) + "\n")
                bad += not good
        except KeyboardInterrupt:
            yield Answers("".join(texts).encode(), len(texts), bad, part.end)
            raise
        yield Answers("".join(texts).encode(), len(texts), bad, part.end)

    def _line(self, number: int, line: bytes | None) -> tuple[dict[str, Any], bool]:
        found: dict[str, Any] = {"line": number}
        good = False
        try:
            asked = _parse(line)
            if isinstance(asked, dict) and "id" in asked:
                found["id"] = _checked_id(asked["id"])
            found |= self._solve(_position(asked, self._options.rules))
            good = True
        except BasraError as error:
            found["error"] = error.to_dict()
        found["crc"] = mark(line)
        return found, good

    def _solve(self, position: Position) -> dict[str, Any]:
        options = self._options
        solution = self._engine.solve(
            position, options.limits, moves=options.moves, line=options.line
        )
        return _fields(solution, options)


def _fields(solution: Solution, options: BatchOptions) -> dict[str, Any]:
    found: dict[str, Any] = {
        "value": solution.value,
        "exact": solution.exact,
        "nodes": solution.nodes,
        "stop": solution.stop,
    }
    if solution.points is not None:
        found["points"] = list(solution.points)
    if options.moves:
        found["moves"] = [move.to_dict() for move in solution.moves]
    if options.line:
        found["best_play"] = [move.text for move in solution.line]
    return found


# -- a line --------------------------------------------------------------------------------------


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is no JSON")


def _parse(line: bytes | None) -> object:
    if line is None:
        raise NotationError(
            f"has more than {MAX_LINE:,} bytes", field="line", fix="write one position to a line"
        )
    try:
        return json.loads(line.decode("utf-8-sig"), parse_constant=_refuse)
    except UnicodeDecodeError:
        raise NotationError("is not UTF-8", field="line", fix=_FIX) from None
    except (ValueError, RecursionError) as error:
        shown = line[:40].decode("utf-8", "replace").strip()
        message = f"is not JSON: {str(error)[:80]}" if shown else "is empty"
        raise NotationError(message, field="line", value=shown, fix=_FIX) from None


def _checked_id(value: object) -> object:
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        return value
    raise _wrong(
        "id", value, "is neither text nor a whole number", "name the line, or leave it out"
    )


def _position(asked: object, rules: Rules) -> Position:
    if isinstance(asked, str):
        return parse_position(asked)
    if not isinstance(asked, dict):
        raise _wrong("line", asked, "is neither text nor an object", _FIX)
    for key, value in asked.items():
        _check_type(key, value)
    if "position" not in asked:
        return described_position(asked, rules)
    for key in _DESCRIBING:
        if key in asked:
            raise _wrong(key, asked[key], "cannot go with position", "leave one of them out")
    return parse_position(asked["position"])


def _check_type(key: str, value: object) -> None:
    if key != "id" and key != "position" and key not in _DESCRIBING:
        raise _wrong(key, value, "is not known", f"use id, position, {', '.join(_DESCRIBING)}")
    if key in _TEXTS and not isinstance(value, str):
        raise _wrong(key, value, "is not text", "write it in quotes")
    if key == "partners" and not isinstance(value, bool):
        raise _wrong(key, value, "is not true or false", "write true or false")
    if key == "cards" and not isinstance(value, (str, list)):
        raise _wrong(key, value, "is not a list", "write [12, 8], mine first")


def described_position(asked: dict[str, Any], rules: Rules) -> Position:
    """From the same fields as the options of `basra solve`, which are of the right types."""
    for key in ("hands", "floor"):
        if key not in asked:
            raise ArgumentError("is missing", field=key, fix=_FIX)
    return Position.setup(
        asked["hands"],
        asked["floor"],
        rules=parse_rules(asked["rules"]) if "rules" in asked else rules,
        stock=asked.get("stock", ""),
        cards=numbers(asked.get("cards"), "cards"),
        last=asked.get("last"),
        carry=asked.get("carry", 0),
        partners=asked.get("partners", False),
    )


def _wrong(key: str, value: object, message: str, fix: str) -> ArgumentError:
    return ArgumentError(message, field=key[:40], value=json.dumps(value)[:60], fix=fix)
