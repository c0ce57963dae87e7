"""What the command-line tests share: calls in this process, in another, and in a terminal; shapes.

A call in this process has streams like those of a pipe: UTF-8, no terminal, width 100.
"""

from __future__ import annotations

import io
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any
from unittest import mock

from basra import Position, View
from basra.cli import run

JSON = dict[str, Any]

README = ["hint", "--hand", "7D 5C KH 2S", "--floor", "3C 2H 5S"]
COMMANDS = (
    "hint", "solve", "review", "arena", "regret", "train", "serve", "captures", "rules", "perft",
    "bench", "play", "coach",
)  # fmt: skip
MODULE = [sys.executable, "-m", "basra"]
STOPS = ("complete", "settled", "worlds", "nodes", "time", "requested", "interrupted", "memory")


# -- calls ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Answer:
    """What a call left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> JSON:
        """The JSON on stdout, after a call that went well."""
        assert self.code == 0, self.err
        assert self.err == ""
        return strict_json(self.out)

    @property
    def error(self) -> JSON:
        """The JSON error on stderr."""
        found = strict_json(self.err)
        assert set(found) == {"error"}
        assert isinstance(found["error"], dict)
        return found["error"]


def call(*arguments: str) -> Answer:
    """`basra ARGUMENTS` in this process; anything but an exit code is the test's failure."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n")
    err = io.TextIOWrapper(
        io.BytesIO(), encoding="utf-8", errors="backslashreplace", newline="\n", write_through=True
    )
    words = list(arguments)
    with (
        mock.patch.dict(os.environ, settled(os.environ), clear=True),
        mock.patch.object(sys, "argv", ["basra", *words]),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        code = run(words)
    return Answer(code, _written(out), _written(err))


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")


def answer(*arguments: str) -> JSON:
    """The JSON of a call that goes well."""
    return call(*arguments, "--json").json


LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE")


def settled(given: Mapping[str, str]) -> dict[str, str]:
    """An environment without what asks for a language or a deck."""
    kept = {key: value for key, value in given.items() if key not in (*LOCALE, "BASRA_DECK")}
    return {**kept, "LANG": "C.UTF-8"}


def environment(**changes: str) -> dict[str, str]:
    """This environment without what changes the looks of output."""
    plain = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "PYTHONIOENCODING", "TTY_COMPATIBLE")
    kept = {key: value for key, value in settled(os.environ).items() if key not in plain}
    return {**kept, "PYTHONUTF8": "1", "TERM": "xterm-256color", **changes}


def in_process(*arguments: str, **changes: str) -> Answer:
    """`python -m basra ARGUMENTS` in a process of its own, through pipes."""
    done = subprocess.run(
        [*MODULE, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(**changes),
        timeout=60,
        check=False,
    )
    # Whatever the encoding asked for, its ASCII part is all that tests of it look at.
    return Answer(
        done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8")
    )


@dataclass(frozen=True)
class Screen:
    """What appeared on a terminal, and after how many seconds each piece did."""

    code: int
    out: str
    pieces: tuple[tuple[float, str], ...]

    @property
    def terminal(self) -> str:
        """All that appeared on it."""
        return "".join(text for _, text in self.pieces)

    def first(self, text: str) -> float | None:
        """When a text was complete on the terminal; None if it never was."""
        seen = ""
        for when, piece in self.pieces:
            seen += piece
            if text in seen:
                return when
        return None


def in_terminal(*arguments: str, both: bool = True, **changes: str) -> Screen:
    """`python -m basra ARGUMENTS` with stderr on a terminal, and stdout on it or through a pipe."""
    import pty

    outer, inner = pty.openpty()
    out_read, out_write = os.pipe()
    began = time.monotonic()
    process = subprocess.Popen(
        [*MODULE, *arguments],
        stdin=inner,
        stdout=inner if both else out_write,
        stderr=inner,
        env=environment(**{"COLUMNS": "100", **changes}),
    )
    os.close(inner)
    os.close(out_write)
    pieces = []
    while piece := _read(outer):
        pieces.append((time.monotonic() - began, piece.decode("utf-8", "replace")))
    os.close(outer)
    with open(out_read, "rb") as stream:
        out = stream.read().decode("utf-8", "replace")
    return Screen(process.wait(timeout=60), out, tuple(pieces))


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # the other end is closed
        return b""


# -- JSON ----------------------------------------------------------------------------------------


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} in JSON")


def strict_json(text: str) -> JSON:
    """One JSON object, without NaN, infinities, or a key that stands twice."""

    def unique(pairs: list[tuple[str, Any]]) -> JSON:
        assert len({key for key, _ in pairs}) == len(pairs)
        return dict(pairs)

    found = json.loads(text, parse_constant=_refuse, object_pairs_hook=unique)
    assert isinstance(found, dict)
    return found


def timeless(found: Mapping[str, Any], *others: str) -> JSON:
    """The part of an answer that must be the same every time."""
    return {key: value for key, value in found.items() if key not in ("seconds", *others)}


def is_number(value: object) -> bool:
    """A finite JSON number?"""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def is_whole(value: object, low: int = 0) -> bool:
    """A whole JSON number that is large enough?"""
    return isinstance(value, int) and not isinstance(value, bool) and value >= low


def _is_card_list(value: object) -> bool:
    canonical = [r + s for r in "A23456789TJQK" for s in "CDHS"]
    assert isinstance(value, list)
    return value == [card for card in canonical if card in value]


MOVE_KEYS = {
    "move",
    "card",
    "captures",
    "basra",
    "value",
    "stderr",
    "delta",
    "delta_stderr",
    "equal",
    "reasons",
}
HINT_KEYS = {
    "schema",
    "position",
    "rules",
    "assumed",
    "method",
    "exact",
    "trust",
    "objective",
    "worlds_complete",
    "stop",
    "worlds",
    "nodes",
    "seconds",
    "seed",
    "moves",
}


def check_hint(found: JSON) -> View:
    """The contract of a hint's JSON; the view it is about."""
    assert set(found) == HINT_KEYS
    assert found["schema"] == "basra.hint/1"
    assert set(found["rules"]) == {"name", "hash"}
    assert len(found["rules"]["hash"]) == 12
    assert int(found["rules"]["hash"], 16) >= 0
    assert all(isinstance(value, str) and value for value in found["assumed"].values())
    assert found["method"].partition("/")[2].isdecimal()
    assert isinstance(found["exact"], bool)
    assert isinstance(found["worlds_complete"], bool)
    assert found["stop"] in STOPS
    assert is_whole(found["worlds"])
    assert found["worlds"] or found["stop"] in ("time", "interrupted")
    assert is_whole(found["nodes"])
    assert is_number(found["seconds"])
    assert found["seconds"] > 0
    assert is_whole(found["seed"])
    assert is_whole(found["trust"])
    assert found["objective"] in ("points", "match")
    # Without a model there is no policy that could be believed.
    assert found["method"] != "worlds/1" or found["trust"] == 0
    view = View.from_notation(found["position"])
    assert view.notation == found["position"]
    singles = view.players if view.players > 2 and not view.partners else 0
    for move in found["moves"]:
        check_hint_move(move, found, singles)
    check_order(found["moves"], view)
    if found["exact"]:
        assert found["worlds_complete"]
        assert found["worlds"] == 1
    return view


def check_hint_move(move: JSON, found: JSON, singles: int) -> None:
    """The contract of one move of a hint."""
    searched = found["worlds"] > 0
    more = {"points"} if singles and searched else set()
    more |= {"match"} if found["objective"] == "match" and searched else set()
    assert set(move) == MOVE_KEYS | more
    taken = "x" + "".join(move["captures"]) if move["captures"] else ""
    assert is_whole(move["basra"])
    assert move["move"] == f"{move['card']}{taken}{'*' if move['basra'] else ''}"
    assert _is_card_list(move["captures"])
    for key in ("value", "delta"):
        assert (type(move[key]) is float) == searched
        assert is_number(move[key]) or not searched
    assert not searched or move["delta"] >= 0
    for key in ("stderr", "delta_stderr"):
        if found["worlds_complete"]:
            assert move[key] == 0
        elif found["worlds"] <= 1:
            assert move[key] is None
        else:
            assert is_number(move[key])
            assert move[key] >= 0
    assert all(isinstance(text, str) for text in move["equal"])
    if "points" in move:
        points = move["points"]
        assert len(points) == singles
        mean = sum(points[1:]) / (singles - 1)
        assert math.isclose(move["value"], points[0] - mean, abs_tol=1e-6)
    for reason in move["reasons"]:
        assert set(reason) == {"code", "cards", "value", "text"}
        assert reason["code"].replace("_", "").isalpha()
        assert _is_card_list(reason["cards"])
        assert is_number(reason["value"])
        assert reason["text"]


def check_order(moves: Sequence[JSON], view: View) -> None:
    """Best first, and together with their equals exactly the legal moves, each once."""
    values = [move["value"] for move in moves if move["value"] is not None]
    assert values == sorted(values, reverse=True)
    assert len(values) in (0, len(moves))
    if values:
        assert moves[0]["delta"] == 0
        for move in moves:
            assert math.isclose(move["delta"], values[0] - move["value"], abs_tol=1e-6)
    texts = [text for move in moves for text in (move["move"], *move["equal"])]
    assert len(texts) == len(set(texts))
    assert sorted(texts) == sorted(move.text for move in view.legal_moves())


def check_solution(found: JSON, position: Position) -> None:
    """The contract of a solution's JSON."""
    singles = position.players if position.players > 2 and not position.partners else 0
    keys = {"schema", "value", "exact", "moves", "line", "nodes", "seconds"}
    stopped = not found["exact"]
    assert set(found) - {"points"} == keys | ({"stop"} if stopped else set())
    assert ("points" in found) == bool(singles and found["value"] is not None)
    assert found["schema"] == "basra.solve/1"
    assert isinstance(found["exact"], bool)
    assert is_whole(found["nodes"])
    assert is_number(found["seconds"])
    if stopped:
        assert found["stop"] in STOPS
        assert found["stop"] != "complete"
    for move in found["moves"]:
        known = move["value"] is not None
        assert known or stopped
        wanted = {"move", "value", "equal", *(["points"] if singles and known else [])}
        assert set(move) == wanted
        if known and singles:
            points = move["points"]
            assert len(points) == singles
            assert all(isinstance(p, int) for p in points)
            mean = sum(points[1:]) / (singles - 1)
            assert math.isclose(move["value"], points[0] - mean, abs_tol=1e-9)
        elif known:
            assert type(move["value"]) is int
    texts = [text for move in found["moves"] for text in (move["move"], *move["equal"])]
    assert sorted(texts) == sorted(move.text for move in position.legal_moves())
    values = [move["value"] for move in found["moves"] if move["value"] is not None]
    assert values == sorted(values, reverse=True)
    assert found["value"] == (values[0] if values else None)
    if found["exact"]:
        check_line(found, position)


def check_line(found: JSON, position: Position) -> None:
    """Legal to the last ply, and worth what was promised at tables of two sides."""
    play, side = position.copy(), position.turn % (2 if position.partners else position.players)
    before = play.points
    assert found["line"][0] == found["moves"][0]["move"]
    for text in found["line"]:
        assert text in [move.text for move in play.legal_moves()]
        play.play(text)
    assert play.is_over
    gained = [after - past for after, past in zip(play.points, before, strict=True)]
    if len(gained) == 2:
        assert gained[side] - gained[1 - side] == found["value"]
    else:
        assert gained[side:] + gained[:side] == found["points"]


# -- a view as options ---------------------------------------------------------------------------


def options_of(view: View, *, leave_out: Sequence[str] = ()) -> list[str]:
    """`basra hint` options that describe a view of a preset in full, but for some."""
    given = {
        "hand": str(view.hand),
        "floor": str(view.floor),
        "rules": view.rules.name,
        "seen": str(view.seen),
        "buried": " ".join(map(str, view.buried)),
        "cards": ":".join(map(str, view.cards)),
        "points": ":".join(map(str, view.points)),
        "last": view.last or "none",
        "carry": str(view.carry),
        "match": ":".join(map(str, view.match)),
        "deal": str(view.deal),
        "seat": str(view.seat),
        "played": " ".join(move.text for move in view.played),
        "players": str(view.players),
    }
    words = ["hint", *(["--partners"] if view.partners else [])]
    for name, value in given.items():
        if name not in leave_out:
            words += [f"--{name}", value]
    return words
