"""Files of the arena to go on from: a line of settings, then one for each finished chunk."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from zlib import crc32

from basra import _core
from basra.closing import Closing
from basra.duel import Chunk, Duel
from basra.errors import ArgumentError
from basra.interrupts import held_interrupts
from basra.players import model_of

SCHEMA_RUN = "basra.arena.run/1"
CHUNK = 10
"""Sets of a chunk"""


def _settings(duel: Duel) -> dict[str, Any]:
    """All that must be the same for chunks to be of the same run."""
    models = [model_of(player, duel.rules) for player in (duel.a, duel.b)]
    return {
        "version": _core.VERSION,
        "a": str(duel.a),
        "b": str(duel.b),
        "rules": duel.rules.to_dict(),
        "players": duel.players,
        "partners": duel.partners,
        "matches": duel.matches,
        "luck": duel.luck,
        "seed": duel.seed,
        "chunk": CHUNK,
        "models": [None if model is None else crc32(model.bytes) for model in models],
    }


def _line(content: dict[str, Any]) -> bytes:
    """A line with a check of what stands in it."""
    text = json.dumps(content, separators=(",", ":"))
    return f'{text[:-1]},"crc":{crc32(text.encode())}}}\n'.encode()


def _content(line: bytes) -> dict[str, Any] | None:
    """What a line says; None if it is not as it was written."""
    try:
        content = json.loads(line)
        del content["crc"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return content if isinstance(content, dict) and _line(content) == line else None


class RunFile(Closing):
    """Chunks of a run that are finished, a line of JSON each after one of settings."""

    def __init__(self, path: Path, duel: Duel) -> None:
        self.path = path
        self.chunks: dict[tuple[int, int], Chunk] = {}
        """By number and number of sets"""
        try:
            self._file = open(path, "r+b" if path.exists() else "x+b", buffering=0)  # noqa: SIM115
        except OSError as error:
            raise self._error(
                f"cannot be written: {error.strerror}", "name a file in a folder of yours"
            ) from None
        try:
            self._read(_settings(duel))
        except BaseException:
            self._file.close()
            raise

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def append(self, chunk: Chunk) -> None:
        """Writes a chunk at the end."""
        key = chunk.number, len(chunk.scores)
        if key in self.chunks:
            return
        self.chunks[key] = chunk
        content = {
            "chunk": chunk.number, "scores": chunk.scores, "wins": chunk.wins,
            "work": chunk.work, "decisions": chunk.decisions, "rounds": chunk.rounds,
        }  # fmt: skip
        with held_interrupts():
            self._file.write(_line(content))

    def _read(self, settings: dict[str, Any]) -> None:
        lines = self._file.read().splitlines(keepends=True)
        if not lines:
            self._file.write(_line({"schema": SCHEMA_RUN, "settings": settings}))
            return
        head = _content(lines[0])
        if head is None or head.get("schema") != SCHEMA_RUN:
            raise self._error("was not begun by the arena", "name another file, or a new one")
        self._compare(head["settings"], settings)
        for number, line in enumerate(lines[1:], 2):
            if number == len(lines) and not line.endswith(b"\n"):
                # Cut off while it was written.
                self._file.truncate(sum(map(len, lines[:-1])))
                break
            self._take(line, number)
        self._file.seek(0, os.SEEK_END)

    def _compare(self, theirs: dict[str, Any], mine: dict[str, Any]) -> None:
        for name, value in mine.items():
            if theirs.get(name) != value:
                before = json.dumps(theirs.get(name))
                raise self._error(
                    f"was begun with other settings: {name} was {before[:80]}",
                    f"go on with the same {name}, or name a new file",
                )

    def _take(self, line: bytes, number: int) -> None:
        content = _content(line)
        if content is None:
            raise self._error(
                f"is damaged in line {number}", "delete that line: its sets are played again"
            )
        chunk = Chunk(
            content["chunk"], tuple(content["scores"]), tuple(content["wins"]),
            tuple(content["work"]), tuple(content["decisions"]), content["rounds"],
        )  # fmt: skip
        self.chunks[chunk.number, len(chunk.scores)] = chunk

    def _error(self, message: str, fix: str) -> ArgumentError:
        return ArgumentError(message, field="resume", value=str(self.path), fix=fix)
