"""Files that are whole, whatever happens while they are written, and plain when they are read."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path


def read_plain(path: str | Path, most: int) -> bytes:
    """The bytes of a plain file, however it is named: nothing that blocks or has no end is read.

    Raises OSError, and ValueError for what is no plain file or has more than `most` bytes.
    """
    with open(path, "rb", opener=_opened_at_once) as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise ValueError("is not a plain file")
        if found.st_size <= most:
            # As much as was there: it may be growing.
            return file.read(found.st_size)
    raise ValueError(f"has more than {most:,} bytes")


def _opened_at_once(path: str, flags: int) -> int:
    """A pipe that nobody writes to would have to be waited for; plain files know no difference."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))


def replace_file(path: Path, data: bytes) -> None:
    """The file holds all of the data, or what it held before; its mode and links to it stay.

    Raises OSError, and ValueError for what is no plain file.
    """
    path.parent.stat()  # resolved below, `missing/..` would seem to be there
    path = Path(os.path.realpath(path))
    mode = None
    if path.exists():
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise ValueError("is not a plain file")
    new = path.with_name(f".{secrets.token_hex(8)}.new")
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
