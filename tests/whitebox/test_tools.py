"""The C programs: counts that agree with the package, a stable signature, a clean fuzz corpus."""

from __future__ import annotations

import os
import re
import subprocess

import pytest

from basra import Position
from whitebox.build import ROOT, make, run

CORPUS = ROOT / "tests" / "fuzz" / "corpus"
TARGETS = ["fuzz_captures", "fuzz_position", "fuzz_view"]


@pytest.mark.parametrize(
    ("preset", "table", "seed", "depth"),
    [
        ("classic", "2", 1, 6),
        ("classic", "4p", 7, 5),
        ("egyptian", "2", 2, 6),
        ("palestine", "4", 3, 5),
        ("palestine-52", "3", 4, 5),
        ("egyptian-v2", "2", 5, 6),
    ],
)
def test_perft_agrees_with_the_package(preset: str, table: str, seed: int, depth: int) -> None:
    printed = run([make("tools") / "tools" / "perft", preset, table, str(seed), str(depth)])
    counts = [int(line.split()[1]) for line in printed.splitlines()]
    position = Position.deal(preset, seed, players=int(table[0]), partners=table.endswith("p"))
    assert counts == [position.perft(ply) for ply in range(depth + 1)]


@pytest.mark.parametrize(
    "arguments",
    [[], ["nonsense", "2", "1", "3"], ["classic", "5", "1", "3"], ["classic", "2", "x", "3"]],
)
def test_perft_explains_its_use(arguments: list[str]) -> None:
    done = subprocess.run(
        [make("tools") / "tools" / "perft", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "usage" in done.stderr
    assert not done.stdout


def test_bench_signature_is_the_same_twice() -> None:
    bench = make("tools") / "tools" / "bench"
    first, second = run([bench]), run([bench])
    pattern = re.compile(r"^(\w[\w ]*?) +(\d+) positions +(\d+) nodes", re.MULTILINE)
    kinds = pattern.findall(first)
    assert len(kinds) >= 5
    assert pattern.findall(second) == kinds
    signature = re.search(r"^signature (\d+)$", first, re.MULTILINE)
    assert signature is not None
    assert int(signature[1]) == sum(int(nodes) for _, _, nodes in kinds)
    assert second.endswith(f"signature {signature[1]}\n")


@pytest.mark.parametrize("target", TARGETS)
def test_corpus_replays_clean(target: str) -> None:
    """Under the sanitizers: a crash, a wrong answer, a leak or undefined behaviour fails."""
    folder = CORPUS / target.removeprefix("fuzz_")
    inputs = len(list(folder.iterdir()))
    assert inputs >= 20
    program = make("tools", "SANITIZE=1") / "tools" / target
    printed = run([program, folder], env={**os.environ, "ASAN_OPTIONS": "detect_leaks=1"})
    assert printed == f"{inputs} inputs\n"


def test_missing_corpus_is_no_success() -> None:
    done = subprocess.run(
        [make("tools") / "tools" / TARGETS[0], CORPUS / "nowhere"],
        capture_output=True,
        check=False,
    )
    assert done.returncode
