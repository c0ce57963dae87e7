"""Records in files, and what is loaded for them."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import basra
from basra import ArgumentError, Record, Rules
from basra.record import (
    RecordError,
    read_record,
    record_json,
    write_record,
)
from record_helpers import SMALL, small


def test_files(tmp_path: Path) -> None:
    """Text and JSON, told apart by what stands in them; written whole."""
    for name in ("game.basra", "game.JSON", "قصة.json", "game"):
        path = tmp_path / name
        write_record(small(), path)
        write_record(small(), str(path))
        as_json = path.suffix.lower() == ".json"
        wanted = record_json(small()) if as_json else SMALL
        assert path.read_text("utf-8") == wanted
        assert read_record(path) == read_record(str(path)) == small()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["game", "game.JSON", "game.basra", "قصة.json"]
    )
    other = tmp_path / "json-in-disguise.basra"
    other.write_text("\ufeff" + record_json(small()), "utf-8")
    assert read_record(other) == small()


def test_files_keep_their_modes_and_links(tmp_path: Path) -> None:
    """A file is replaced where it is."""
    path, link = tmp_path / "game", tmp_path / "link"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_record(small(), link)
    assert link.is_symlink()
    assert path.read_text("utf-8") == SMALL
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_failed_write_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing else: neither half a file nor another one."""
    path = tmp_path / "game"
    path.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for name in ("fsync", "replace"):
        with monkeypatch.context() as patched:
            patched.setattr(os, name, full)
            with pytest.raises(ArgumentError, match="cannot be written: No space") as caught:
                write_record(small(), path)
        assert caught.value.field == "file"
        assert [found.name for found in tmp_path.iterdir()] == ["game"]
        assert path.read_text() == "old"


def test_files_that_cannot_be(tmp_path: Path) -> None:
    """Each with the field `file`, or the place in it."""
    for call in (read_record, lambda path: write_record(small(), path)):
        for path in (tmp_path, tmp_path / "no" / "file", "a\0b"):
            with pytest.raises(ArgumentError) as caught:
                call(path)
            assert caught.value.field == "file"
            assert caught.value.fix
    with pytest.raises(ArgumentError, match="is not a plain file"):
        write_record(small(), os.devnull)
    assert not Path(os.devnull).is_file()
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(ArgumentError, match="has more than 4,000,000 bytes"):
        read_record(large)
    wrong = tmp_path / "wrong"
    wrong.write_bytes("basra record 1\n; ليلى".encode() + b"\xff\n")
    with pytest.raises(RecordError, match="byte 0xFF is not UTF-8 text") as found:
        read_record(wrong)
    assert (found.value.line, found.value.column) == (2, 7)
    wrong.write_text("basra record 1\nrules clasic\n")
    with pytest.raises(RecordError) as found:
        read_record(wrong)
    assert found.value.source == str(wrong)
    assert (found.value.line, found.value.column) == (2, 7)


def test_a_hint_does_without_records() -> None:
    """Readers and writers are loaded only when they are asked for."""
    code = (
        "import sys, basra; rooms = [m for m in sys.modules if m.startswith('basra.record.')]; "
        "print(sorted(rooms)); basra.read_record; print('basra.record.parse' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['basra.record.errors', 'basra.record.model']\nTrue\n"
    for module in (basra, basra.record):
        for name in module.__all__:
            assert getattr(module, name) is not None
        with pytest.raises(AttributeError, match="nothing_such"):
            module.nothing_such  # noqa: B018


def test_rules_that_crashed_readers() -> None:
    """Values that Python cannot print, and a parameter called self."""
    for key in ("target", "most_cards", "deck"):
        with pytest.raises(basra.RulesError, match="so large a value"):
            Rules.from_toml(f'base = "classic"\n{key} = 0x{"f" * 9000}')
    with pytest.raises(basra.RulesError, match="self: 1 is not a rule parameter"):
        Rules.preset("classic").with_changes(**{"self": 1})


def test_a_folder_named_through_one_that_is_not_there(tmp_path: Path) -> None:
    """What could not be read by that name is not written by it."""
    record = Record(Rules.preset("classic"))
    with pytest.raises(ArgumentError) as caught:
        write_record(record, tmp_path / "missing" / ".." / "mine.txt")
    assert caught.value.field == "file"
    assert os.listdir(tmp_path) == []
