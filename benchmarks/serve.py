"""How fast `basra serve` answers, and how soon it stops: PASS or FAIL against 0.3 and 100 ms.

    python benchmarks/serve.py

Solves: 100,000 requests to solve last deals are written to a server as fast as it takes them, and
its answers a second are set beside those of a bare loop of `json.loads` and `json.dumps` in Python,
which gets the same lines and answers with lines of the same size, by turns with it.  Counted from
the first answer, as starting is not meant.  Every answer is looked at: all there, in order, solved.

Stops: an analysis that would take minutes is stopped half a second after it has begun; the time is
from writing the request to stop to having read the final answer.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from basra.bench import positions

LEAST_SHARE = 0.3
MOST_SECONDS = 0.1
RUNS = 3
STOPS = 21
COUNT = 100_000
DEALS = 500
SERVER = [sys.executable, "-m", "basra", "serve"]
ECHO = """
import json, sys
answer = json.loads(sys.argv[1])
for line in sys.stdin:
    answer["id"] = json.loads(line)["id"]
    sys.stdout.write(json.dumps(answer) + "\\n")
"""
LONG = {
    "type": "analyze",
    "position": {"hand": "7D 5C KH 2S", "floor": "3C 2H 5S 9D", "partners": True, "deal": 1},
    "limits": {"worlds": 1_000_000},
}


class Run(NamedTuple):
    """One conversation: answers a second, the mean of their bytes, and megabytes at most."""

    rate: float
    size: float
    memory: float
    answers: list[bytes]


def conversation(command: Sequence[str], lines: Sequence[bytes]) -> Run:
    """Writes all lines, reads an answer to each."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        writer = threading.Thread(target=process.stdin.write, args=(b"".join(lines),))
        writer.start()
        answers = process.stdout.fileno()
        blocks = [os.read(answers, 1 << 16)]
        began, count = time.perf_counter(), blocks[0].count(b"\n")
        while count < len(lines):
            blocks.append(os.read(answers, 1 << 16))
            if not blocks[-1]:
                raise SystemExit("the answers end too soon")
            count += blocks[-1].count(b"\n")
        seconds = time.perf_counter() - began
        writer.join()
        most = peak(process.pid)
        process.stdin.close()
    text = b"".join(blocks)
    later = len(lines) - blocks[0].count(b"\n")
    return Run(later / seconds, len(text) / len(lines), most, text.splitlines())


def peak(process: int) -> float:
    """Megabytes that a process has held at most, 0 where nobody tells."""
    try:
        with open(f"/proc/{process}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) / 1024 for line in status if "VmHWM" in line)
    except OSError:
        return 0.0


def solves(count: int) -> bool:
    """Prints rates and their ratio; is it good enough?"""
    notations = [position.notation for position in positions(1, DEALS)]
    lines = [
        json.dumps({"id": i, "type": "solve", "position": notations[i % DEALS]}).encode() + b"\n"
        for i in range(count)
    ]
    served, echoed, memory = [], [], []
    short = conversation(SERVER, lines[: count // 10])
    for _ in range(RUNS):
        run = conversation(SERVER, lines)
        for number, answer in enumerate(map(json.loads, run.answers)):
            if answer["id"] != number or not answer["result"]["exact"]:
                raise SystemExit(f"answer {number} is {answer}")
        served.append(run.rate)
        memory.append(run.memory)
        example = run.answers[-1].decode()
        echoed.append(conversation([sys.executable, "-c", ECHO, example], lines).rate)
    share = median(served) / median(echoed)
    verdict = "PASS" if share >= LEAST_SHARE else "FAIL"
    size = sum(map(len, lines)) / count
    print(f"{count:,} solves of last deals, {size:.0f} bytes each, answers {run.size:.0f} bytes:")
    print(f"{median(served):,.0f} answers a second; a JSON echo loop {median(echoed):,.0f}")
    print(f"ratio {share:.2f}, limit {LEAST_SHARE}: {verdict}")
    print(
        f"memory at most {max(memory):.1f} MB; {short.memory:.1f} MB with {count // 10:,} requests"
    )
    return verdict == "PASS"


def stops() -> bool:
    """Prints how long stops take; is it short enough?"""
    found = []
    with subprocess.Popen(SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"id": "hello", "type": "hello"}\n')
        process.stdin.flush()
        process.stdout.readline()
        for number in range(STOPS):
            process.stdin.write(json.dumps({"id": number, **LONG}).encode() + b"\n")
            process.stdin.flush()
            time.sleep(0.5)
            began = time.perf_counter()
            process.stdin.write(json.dumps({"id": "stop", "type": "stop"}).encode() + b"\n")
            process.stdin.flush()
            answers = [json.loads(process.stdout.readline()) for _ in range(2)]
            found.append(time.perf_counter() - began)
            [answer] = [answer for answer in answers if answer["id"] == number]
            if answer.get("result", {}).get("stop") != "requested":
                raise SystemExit(f"not stopped: {answer}")
        process.stdin.close()
    verdict = "PASS" if median(found) <= MOST_SECONDS else "FAIL"
    print(f"{STOPS} stops of a long analysis: final answer after {median(found) * 1e3:.1f} ms,")
    print(f"at most {max(found) * 1e3:.1f} ms; limit {MOST_SECONDS * 1e3:.0f} ms: {verdict}")
    return verdict == "PASS"


def main() -> int:
    """Prints both; 1 if one is not good enough."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--count", type=int, default=COUNT, help="requests to solve")
    good = [solves(parser.parse_args().count), stops()]
    return int(not all(good))


if __name__ == "__main__":
    sys.exit(main())
