"""What a call of `solve` costs on top of the search itself: PASS or FAIL against 3 microseconds.

    python benchmarks/overhead.py

Both ways the same parsed last deals are solved on one engine each: by `Engine.solve(..).value`, one
Python call for each, and by one call that goes through all of them in C.  The difference of the two
times, by the number of positions, is one run; printed is the median of the runs.  Clocks depend on
the machine and on what else it does: run this on a quiet one.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from statistics import median

from basra import Engine, Position, _core
from basra.bench import positions

LIMIT = 3e-6
AIM = 1.5e-6
MIN_RUNS = 20
COUNT = 500


def c_seconds(engine: _core.EngineData, starts: Sequence[Position]) -> float:
    """One call for all of them."""
    batch = _core.Batch(len(starts))
    for start in starts:
        batch.add(start.data)
    began = time.perf_counter()
    batch.solve(engine, 0, 0, [])
    return time.perf_counter() - began


def python_seconds(engine: Engine, starts: Sequence[Position]) -> float:
    """A call for each."""
    began = time.perf_counter()
    for start in starts:
        _ = engine.solve(start).value
    return time.perf_counter() - began


def main() -> int:
    """Prints the overhead; 1 if it is too large."""
    parser = argparse.ArgumentParser(description="Cost of Engine.solve over the C core.")
    parser.add_argument("--runs", type=int, default=41, help="at least 20")
    runs = max(MIN_RUNS, parser.parse_args().runs)
    starts = list(positions(1, COUNT))
    plain = _core.EngineData()
    over, inside = [], []
    with Engine() as engine:
        for _ in range(runs):
            inside.append(c_seconds(plain, starts) / COUNT)
            over.append(python_seconds(engine, starts) / COUNT - inside[-1])
    found = median(over)
    verdict = "PASS" if found <= LIMIT else "FAIL"
    print(f"{runs} runs of {COUNT} last deals, medians for each:")
    print(f"in C {median(inside) * 1e6:.2f} us, Python on top {found * 1e6:.2f} us")
    print(f"limit {LIMIT * 1e6:.1f} us, aim {AIM * 1e6:.1f} us: {verdict}")
    return int(verdict == "FAIL")


if __name__ == "__main__":
    sys.exit(main())
