"""How long a coach lets one wait: from an entry to the next prompt, its hint included.

    python benchmarks/coach.py

Each row is a whole round beside a real table, of random moves, with the hints that come by
themselves.  An entry is timed from the line that is typed to the prompt that follows, through
pipes: reading it, checking it, the file on disk, a hint where it is one's own turn, and printing.
The limit is 0.3 s, for the worst entry.  Clocks depend on the machine and on what else it does.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median

from basra import Position

LIMIT = 0.3
PROMPT = b"> "
TABLES = {
    "two players": ("classic", 2, False),
    "two players, palestine-52": ("palestine-52", 2, False),
    "three players": ("classic", 3, False),
    "partners": ("classic", 4, True),
    "four players": ("palestine-52", 4, False),
}
_PLAYED = re.compile(r"^(?:You|Seat \d): ([2-9ATJQK][CDHS](?:x\w+)?)", re.MULTILINE)


def one_round(rules: str, players: int, partners: bool, seed: int, record: Path) -> list[float]:
    """Seconds of every entry of a round."""
    words = ["--rules", rules, "--players", str(players), "--record", str(record)]
    process = subprocess.Popen(
        [sys.executable, "-m", "basra", "coach", *words, *(["--partners"] if partners else [])],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    position = Position.deal(rules, seed, players=players, partners=partners)
    seconds: list[float] = []
    dice = Random(seed)
    try:
        shown = _shown(process)
        while not position.is_over:
            began = time.perf_counter()
            _type(process, _entry(position, shown, dice))
            shown = _shown(process)
            seconds.append(time.perf_counter() - began)
            for found in _PLAYED.finditer(shown):
                position.play(found[1])
    finally:
        process.kill()
        process.wait()
    return seconds


def _entry(position: Position, shown: str, dice: Random) -> str:
    prompt = shown.rsplit("\n", 1)[-1]
    if prompt.startswith("Floor"):
        return f"{position.floor} / {' '.join(map(str, position.buried))}"
    if prompt.startswith("Deal"):
        return str(position.hands[0])
    return dice.choice(position.legal_moves()).text


def _type(process: subprocess.Popen[bytes], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{line}\n".encode())
    process.stdin.flush()


def _shown(process: subprocess.Popen[bytes]) -> str:
    """What is printed up to the next prompt."""
    assert process.stdout is not None
    found = b""
    while not found.endswith(PROMPT):
        piece = os.read(process.stdout.fileno(), 1 << 16)
        if not piece:
            raise SystemExit(f"the coach has ended after: {found.decode()}")
        found += piece
    return found.decode()


def main() -> int:
    """Prints a row for each table; 1 if an entry took longer than the limit."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=2, help="of each table")
    wanted = parser.parse_args().rounds
    print(f"{'':28}{'entries':>8}{'median':>11}{'worst':>11}{'limit':>9}")
    passed = True
    with tempfile.TemporaryDirectory() as folder:
        for name, (rules, players, partners) in TABLES.items():
            seconds = [
                each
                for seed in range(wanted)
                for each in one_round(
                    rules, players, partners, seed, Path(folder) / f"{name}-{seed}.txt"
                )
            ]
            good = max(seconds) <= LIMIT
            passed = passed and good
            print(
                f"{name:28}{len(seconds):8}{1000 * median(seconds):8.0f} ms"
                f"{1000 * max(seconds):8.0f} ms{LIMIT:7} s  {'PASS' if good else 'FAIL'}"
            )
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
