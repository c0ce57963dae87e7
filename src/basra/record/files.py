"""Records in files, as text or as JSON."""

from __future__ import annotations

from pathlib import Path

from basra.errors import ArgumentError
from basra.files import replace_file
from basra.record.errors import RecordError
from basra.record.model import Record
from basra.record.parse import LIMIT, parse_record
from basra.record.text import record_text
from basra.record.twin import record_json
from basra.said import said


def read_record(path: str | Path) -> Record:
    """The record in a file, text or JSON: which of them, its content says.

    Raises RecordError for what cannot be read as a record, ArgumentError with field "file" for a
    file that cannot be read at all.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(LIMIT + 1)
    except (OSError, ValueError) as error:
        raise ArgumentError(
            f"cannot be read: {_reason(error)}", field="file", value=str(path)[:200],
            fix="name a file with a record",
        ) from None  # fmt: skip
    if len(data) > LIMIT:
        raise ArgumentError(
            f"has more than {LIMIT:,} bytes", field="file", value=path, fix="name a smaller file"
        )
    try:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise _not_text(data, error.start) from None
        return parse_record(text)
    except RecordError as error:
        error.source = str(path)
        raise


def write_record(record: Record, path: str | Path) -> None:
    """Writes the record to a file, JSON if its name ends in .json, else text.

    The file holds the whole record, or what it held before.  Raises RecordError for a record that
    cannot be written, ArgumentError with field "file" for a file that cannot.
    """
    as_json = str(path).lower().endswith(".json")
    data = (record_json(record) if as_json else record_text(record)).encode()
    if len(data) > LIMIT:
        raise ArgumentError(
            said("would have more than {most} bytes", most=f"{LIMIT:,}"), field="file", value=path,
            fix=said("leave some of the comments out, or some of the rounds"),
        )  # fmt: skip
    try:
        replace_file(Path(path), data)
    except (OSError, ValueError) as error:
        raise ArgumentError(
            said("cannot be written: {reason}", reason=_reason(error)),
            field="file", value=str(path)[:200],
            fix=said("name a file in a folder that is there, and may be written to"),
        ) from None  # fmt: skip


def _not_text(data: bytes, at: int) -> RecordError:
    before = data[:at]
    line = before.count(b"\n") + 1
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8").removeprefix("\ufeff")) + 1
    fix = "write the file as UTF-8"
    value = f"byte 0x{data[at]:02X}"
    return RecordError("is not UTF-8 text", field="file", value=value, fix=fix).at(line, column)


def _reason(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)
