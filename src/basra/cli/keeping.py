"""The file of a sitting: written after every entry, never over what somebody else wrote."""

from __future__ import annotations

from pathlib import Path

from basra.errors import ArgumentError, BasraError
from basra.interrupts import held_interrupts
from basra.record.files import write_record
from basra.record.model import Record
from basra.said import said

_Stamp = tuple[int, int, int]


class Keeper:
    """Where a record is kept, and what is there."""

    def __init__(self, path: Path, record: Record | None) -> None:
        """A file with this record; or a new one, which nothing has been written to."""
        self.path = path
        self.trouble: BasraError | None = None
        """Why the record is not there as it should be"""
        self._record = record
        self._stamp = _stamp(path)

    @property
    def begun(self) -> bool:
        """Has anything been written, or read?"""
        return self._record is not None

    def keep(self, record: Record) -> None:
        """The file has this record; BasraError, and `trouble`, if that cannot be."""
        if record == self._record:
            return
        try:
            self._check_untouched()
            self._write(record, self.path)
        except BasraError as error:
            self.trouble = error
            raise

    def copy(self, record: Record, path: Path) -> None:
        """Writes it elsewhere too; where there is trouble it is kept there from now on."""
        if path.exists() or path.is_symlink():
            raise ArgumentError(
                said("is there already"), field="save", value=path, fix=said("name another file")
            )
        if self.trouble is None:
            write_record(record, path)
        else:
            self._write(record, path)

    def _write(self, record: Record, path: Path) -> None:
        # An interrupt between the two would leave a file that seems to be somebody else's.
        with held_interrupts():
            write_record(record, path)
            self.path, self._record, self._stamp, self.trouble = path, record, _stamp(path), None

    def _check_untouched(self) -> None:
        there = _stamp(self.path)
        if there is not None and there != self._stamp:
            raise ArgumentError(
                said("was changed by another program"), field="file", value=self.path,
                fix=said("save FILE keeps this match elsewhere"),
            )  # fmt: skip


def _stamp(path: Path) -> _Stamp | None:
    """Tells whether a file is the one that was written; None if it is not there."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
