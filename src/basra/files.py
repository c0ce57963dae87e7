"""Files that are whole, whatever happens while they are written."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path


def replace_file(path: Path, data: bytes) -> None:
    """The file holds all of the data, or what it held before; the mode stays.

    Raises OSError, and ValueError for what is no plain file.
    """
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
