"""Game records: values, a readable text form, and its JSON twin; see docs/record.md."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from basra.record.errors import RecordError
from basra.record.model import DealRecord, Estimate, Record, RoundRecord, Seat, Turn

if TYPE_CHECKING:
    from basra.record.files import read_record, write_record
    from basra.record.parse import parse_record
    from basra.record.text import record_text
    from basra.record.twin import parse_json, record_dict, record_json, record_of

__all__ = [
    "DealRecord",
    "Estimate",
    "Record",
    "RecordError",
    "RoundRecord",
    "Seat",
    "Turn",
    "parse_json",
    "parse_record",
    "read_record",
    "record_dict",
    "record_json",
    "record_of",
    "record_text",
    "write_record",
]

_ROOMS = {
    "read_record": "files",
    "write_record": "files",
    "parse_record": "parse",
    "record_text": "text",
    "parse_json": "twin",
    "record_dict": "twin",
    "record_json": "twin",
    "record_of": "twin",
}


def __getattr__(name: str) -> object:
    """Readers and writers are loaded when they are asked for: a hint starts sooner without."""
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
