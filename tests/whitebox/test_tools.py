"""The C programs: counts that agree with the package, a stable signature, a clean fuzz corpus."""

from __future__ import annotations

import json
import os
import re
import subprocess

import pytest

from basra import Position
from helpers import TABLES
from whitebox.build import ROOT, make, run

CORPUS = ROOT / "tests" / "fuzz" / "corpus"
REFERENCE_ROUND, REFERENCE_DEAL = 166621, 189
"""Median visits of the first 50 positions of `measure`."""
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


def test_proof_in_short() -> None:
    """All presets, both tables of two sides, odd rules: no difference from the plain solver."""
    printed = run([make("tools") / "tools" / "prove", "--quick"])
    *tables, last = printed.splitlines()
    assert last == "no difference"
    assert len(tables) >= 40
    assert all(line.endswith("no difference") for line in tables)
    rounds = [line for line in tables if re.search(r" [1-9]\d* rounds", line)]
    assert len(rounds) == sum(table.players == 2 for table in TABLES)


def techniques() -> list[str]:
    """What a build can leave out."""
    header = (ROOT / "csrc" / "search" / "ablation.h").read_text(encoding="utf-8")
    return [name.lower() for name in re.findall(r"TECHNIQUE_(\w+) = 1 <<", header)]


@pytest.mark.parametrize("start", [0, 1])
def test_values_without_techniques(start: int) -> None:
    """Builds without half of them each: other searches, no difference."""
    without = [name for name in techniques() if name != "table"][start::2]
    assert len(without) == 5
    tools = make("tools", f"WITHOUT={','.join(without)}") / "tools"
    counts = ["--positions", "12", "--odd-positions", "6", "--rounds", "0", "--partner-rounds", "0"]
    assert run([tools / "prove", *counts]).splitlines()[-1] == "no difference"
    words = ["deals", "--count", "100", "--no-moves", "--json"]
    other, full = (
        json.loads(run([t / "measure", *words])) for t in (tools, make("tools") / "tools")
    )
    assert other["total_visits"] != full["total_visits"]


def test_values_without_a_table() -> None:
    """No entry is ever found: last deals still come out right."""
    tools = make("tools", "WITHOUT=table") / "tools"
    assert json.loads(run([tools / "measure", "deals", "--count", "100", "--json"]))["count"] == 100


@pytest.mark.parametrize("work", [["rounds", "--count", "4"], ["deals", "--count", "60"]])
def test_measure(work: list[str]) -> None:
    """Both solvers agree; visits are the same on every run."""
    measure = make("tools") / "tools" / "measure"
    first, second = (json.loads(run([measure, *work, "--json"])) for _ in range(2))
    assert first["count"] == int(work[-1])
    for name in ("visits", "reference_visits", "total_visits", "moves"):
        assert first[name] == second[name]
    assert first["moves"]["sums"] >= 1
    alone = json.loads(run([measure, *work, "--json", "--no-reference", "--no-moves"]))
    assert alone["visits"] == first["visits"]
    assert "reference_visits" not in alone


def test_measure_tree() -> None:
    """As many simulations as choices ask for, each to the end of the deal, on every run."""
    measure = make("tools") / "tools" / "measure"
    words = ["tree", "--count", "24", "--sims", "200", "--json"]
    first, second = (json.loads(run([measure, *words])) for _ in range(2))
    assert first["count"] == 25
    assert 20 * 200 <= first["simulations"] == second["simulations"] <= 25 * 200
    assert first["plies"] == second["plies"] == 8 * first["simulations"]
    assert first["per_second"] > 0


def test_reference_is_a_fair_yardstick() -> None:
    """What it needs for the fixed rounds and last deals is known, and must not creep."""
    measure = make("tools") / "tools" / "measure"
    rounds = json.loads(run([measure, "rounds", "--count", "50", "--no-moves", "--json"]))
    assert rounds["reference_visits"]["median"] == REFERENCE_ROUND
    deals = json.loads(run([measure, "deals", "--count", "50", "--no-moves", "--json"]))
    assert deals["reference_visits"]["median"] == REFERENCE_DEAL


@pytest.mark.parametrize(
    ("tool", "words"),
    [
        ("measure", []),
        ("measure", ["nonsense"]),
        ("measure", ["rounds", "--count"]),
        ("measure", ["rounds", "--rules", "nonsense"]),
        ("measure", ["rounds", "--rules", "egyptian", "--partners"]),
        ("measure", ["deals", "--deals", "7"]),
        ("measure", ["tree", "--deals", "7"]),
        ("measure", ["tree", "--sims", "99999999"]),
        ("measure", ["rounds", "--sims", "100"]),
        ("prove", ["--nonsense"]),
        ("prove", ["--rules", "classic+choice=some"]),
    ],
)
def test_tools_refuse_what_they_do_not_know(tool: str, words: list[str]) -> None:
    program = make("tools") / "tools" / tool
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr
    assert not done.stdout


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
