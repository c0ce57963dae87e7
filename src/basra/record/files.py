"""Records in files, as text or as JSON."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

from basra.errors import ArgumentError
from basra.record.errors import RecordError
from basra.record.model import Record
from basra.record.parse import LIMIT, parse_record
from basra.record.text import record_text
from basra.record.twin import record_json


def read_record(path: str | Path) -> Record:
    """The record in a file, text or JSON: which of them, its content says.

    Raises RecordError for what cannot be read as a record, ArgumentError with field "file" for a
    file that cannot be read at all.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(LIMIT + 1)
    except (OSError, ValueError) as error:
        raise _failed(path, error, "be read", "name a file with a record") from None
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
    try:
        # Through links, so that they stay.
        _replace(Path(os.path.realpath(path)), data)
    except (OSError, ValueError) as error:
        fix = "name a file in a folder that is there, and may be written to"
        raise _failed(path, error, "be written", fix) from None


def _replace(path: Path, data: bytes) -> None:
    mode = None
    if path.exists():
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise ValueError("is not a plain file")
    new = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.new")
    try:
        with new.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            new.chmod(stat.S_IMODE(mode))
        os.replace(new, path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Where that can be done: the new name is on disk too."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


def _not_text(data: bytes, at: int) -> RecordError:
    before = data[:at]
    line = before.count(b"\n") + 1
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8").removeprefix("\ufeff")) + 1
    fix = "write the file as UTF-8"
    value = f"byte 0x{data[at]:02X}"
    return RecordError("is not UTF-8 text", field="file", value=value, fix=fix).at(line, column)


def _failed(path: str | Path, error: OSError | ValueError, what: str, fix: str) -> ArgumentError:
    reason = getattr(error, "strerror", None) or str(error)
    return ArgumentError(f"cannot {what}: {reason}", field="file", value=str(path)[:200], fix=fix)
