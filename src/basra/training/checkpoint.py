"""Finished parts of a training run, kept in a file so that a run that was stopped can go on.

JSON Lines: first the settings, then one line for every finished piece of work, with its bytes in
base64 and their CRC-32.  A line is on disk before the next piece begins; one that was cut off while
it was written is as if it had never been begun.
"""

from __future__ import annotations

import json
import os
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

from basra.closing import Closing
from basra.errors import ArgumentError
from basra.interrupts import held_interrupts
from basra.models import Part

SCHEMA = "basra.training/1"
_FRESH = "begin anew with --fresh (resume=False)"


class Checkpoint(Closing):
    """The file of one run; used in a `with`, which closes it.

    Raises ArgumentError if the file was begun with other settings, is damaged, or cannot be
    written.
    """

    def __init__(self, path: Path, settings: Mapping[str, Any], *, resume: bool = True) -> None:
        self.path = path
        self.finished: list[tuple[str, list[Part]]] = []
        try:
            # Opened for reading as well, and made if it is not there.
            self._file = open(path, "a+b")  # noqa: SIM115
        except OSError as error:
            raise ArgumentError(
                f"cannot be written: {error.strerror}", field="output", value=str(path),
                fix="name a file in a folder that is there, and may be written to",
            ) from None  # fmt: skip
        try:
            if not resume:
                self._file.truncate(0)
            self._read(json.loads(json.dumps(settings)))
        except BaseException:
            self._file.close()
            raise

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def keep(self, work: str, parts: Sequence[Part]) -> None:
        """Writes a finished piece of work to disk."""
        listed = [
            {
                "kind": part.kind, "table": part.table, "stage": part.stage,
                "data": b64encode(part.data).decode(), "crc": crc32(part.data),
            }
            for part in parts
        ]  # fmt: skip
        self._write({"work": work, "parts": listed})
        self.finished.append((work, list(parts)))

    def remove(self) -> None:
        """Deletes the file: what it kept is elsewhere now."""
        self._file.close()
        self.path.unlink(missing_ok=True)

    def _write(self, content: Mapping[str, Any]) -> None:
        with held_interrupts():
            self._file.write(json.dumps(content, separators=(",", ":")).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())

    def _read(self, settings: dict[str, Any]) -> None:
        self._file.seek(0)
        text = self._file.read()
        whole = text[: text.rfind(b"\n") + 1]
        self._file.truncate(len(whole))
        lines = whole.splitlines()
        if not lines:
            self._write({"schema": SCHEMA, "settings": settings})
            return
        head = _content(lines[0])
        if head is None or head.get("schema") != SCHEMA:
            raise self._error("was not begun by training", f"{_FRESH}, or name another output")
        self._compare(head.get("settings"), settings)
        for number, line in enumerate(lines[1:], 2):
            self.finished.append(self._taken(line, number))

    def _compare(self, theirs: Any, mine: dict[str, Any]) -> None:
        theirs = theirs if isinstance(theirs, dict) else {}
        for name, value in mine.items():
            if theirs.get(name) != value:
                before, now = json.dumps(theirs.get(name)), json.dumps(value)
                raise self._error(
                    f"was begun with other settings: {name} was {before[:80]} and is {now[:80]}",
                    f"go on with the same {name}, or {_FRESH}",
                )

    def _taken(self, line: bytes, number: int) -> tuple[str, list[Part]]:
        content = _content(line) or {}
        try:
            work, parts = content["work"], []
            for one in content["parts"]:
                data = b64decode(one["data"], validate=True)
                if crc32(data) != one["crc"]:
                    raise ValueError(work)
                parts.append(Part(int(one["kind"]), int(one["table"]), int(one["stage"]), data))
        except (KeyError, TypeError, ValueError):
            raise self._error(
                f"is damaged in line {number}", f"delete that line and those after it, or {_FRESH}"
            ) from None
        return str(work), parts

    def _error(self, message: str, fix: str) -> ArgumentError:
        return ArgumentError(message, field="output", value=str(self.path), fix=fix)


def _content(line: bytes) -> dict[str, Any] | None:
    try:
        content = json.loads(line)
    except ValueError:
        return None
    return content if isinstance(content, dict) else None
