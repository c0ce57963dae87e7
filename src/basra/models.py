"""Models: what was fitted for a rule set by playing, read from its file and shared by engines.

A file holds parts: values of the deal's end, the policy of players, match equity.  It is bound to
the rules that it was fitted for; csrc/model/model.h tells the format.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from basra import _core
from basra.errors import ArgumentError, core_error
from basra.files import read_plain
from basra.rules import Rules, preset_names

VERSION = 1
"""Of the file format."""

TABLES = ("2", "3", "4", "partners")
"""Tables by their number in a file."""

BOUNDARY, POLICY, EQUITY = 1, 2, 3

DEFAULT_TRUST = 100
"""How far a hint believes what plays tell of hidden hands, in percent.

Chosen by play, against others that the policy does not model as well: docs/strength.md has the
figures.
"""

MAX_TRUST = 400

MAX_BYTES = 100_000_000
"""Of a model file: the largest match equities of all tables are less, and all else is far less."""

_HEAD = struct.Struct("<8sIIQII")
_PART = struct.Struct("<HBBII")
_MAGIC = b"BASRAMDL"
_SUM_AT = 28


class Part(NamedTuple):
    """One part of a model file: its kind, the table and stage it is for, and its bytes."""

    kind: int
    table: int
    stage: int
    data: bytes


def model_bytes(rules: Rules, parts: Iterable[Part]) -> bytes:
    """A model file for these rules, from its parts."""
    listed = list(parts)
    offset = _HEAD.size + _PART.size * len(listed)
    index, body = b"", b""
    for part in listed:
        index += _PART.pack(part.kind, part.table, part.stage, offset + len(body), len(part.data))
        body += part.data
    size = offset + len(body)
    number = _core.rules_number(rules.data)

    def head(total: int) -> bytes:
        return _HEAD.pack(_MAGIC, VERSION, len(listed), number, size, total)

    return head(zlib.crc32(head(0) + index + body)) + index + body


def parts_of(data: bytes) -> list[Part]:
    """The parts of a model file that a `Model` has checked."""
    count = _HEAD.unpack_from(data)[2]
    found = []
    for i in range(count):
        kind, table, stage, offset, size = _PART.unpack_from(data, _HEAD.size + i * _PART.size)
        found.append(Part(kind, table, stage, data[offset : offset + size]))
    return found


class Model:
    """A model for some rules; immutable, for any number of threads.

    Raises ModelError for bytes that are no model, damaged, or fitted for other rules.
    """

    __slots__ = ("_data", "bytes", "rules")

    def __init__(self, rules: Rules, data: bytes, field: str = "model") -> None:
        try:
            self._data = _core.ModelData(rules.data, data)
        except _core.CoreError as error:
            raise core_error(error, field, f"{len(data):,} bytes") from None
        self.rules = rules
        self.bytes = data

    @classmethod
    def read(cls, path: str | Path, rules: Rules) -> Model:
        """The model in a file.

        Raises ModelError as for bytes, ArgumentError with field "model" for what cannot be read, is
        no plain file, or has more than `MAX_BYTES`.
        """
        try:
            data = read_plain(path, MAX_BYTES)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise ArgumentError(
                f"cannot be read: {reason}", field="model", value=str(path),
                fix="name a file that basra train made",
            ) from None  # fmt: skip
        return cls(rules, data)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        return self is other or (self.rules == other.rules and self.bytes == other.bytes)

    def __hash__(self) -> int:
        return hash((self.rules, self.bytes))

    def __reduce__(self) -> tuple[object, ...]:
        return (Model, (self.rules, self.bytes))

    def __repr__(self) -> str:
        return f"<Model for {self.rules.name}, {len(self.bytes):,} bytes>"


def default_model(rules: Rules) -> Model | None:
    """The shipped model of a preset, or of rules that differ from it in the target alone.

    None for other rules: they are played with analytic values and without belief, until a model is
    made for them with `basra train`.
    """
    return _shipped(rules) if _core.rules_number(rules.data) in _numbers() else None


@cache
def _numbers() -> dict[int, str]:
    return {_core.rules_number(Rules.preset(name).data): name for name in preset_names()}


@cache
def _shipped(rules: Rules) -> Model | None:
    name = _numbers()[_core.rules_number(rules.data)]
    file = files("basra") / "data" / f"{name}.basramodel"
    return Model(rules, file.read_bytes(), f"model {file}") if file.is_file() else None
