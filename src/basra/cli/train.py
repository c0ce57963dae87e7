"""basra train: a model file for some rules, from a seed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from pathlib import Path
from shlex import quote
from time import perf_counter
from typing import TYPE_CHECKING

import click

from basra.cli import output
from basra.cli.options import json_option
from basra.errors import ArgumentError, InternalError
from basra.interrupts import held_interrupts
from basra.models import BOUNDARY, EQUITY, POLICY, TABLES, Model, parts_of
from basra.pools import begin_worker
from basra.rules import Rules
from basra.workers import start_tracker

if TYPE_CHECKING:
    from basra.training.train import Progress, TrainingStep, Work

SCHEMA = "basra.train/1"
_KINDS = {POLICY: "policy", BOUNDARY: "boundary", EQUITY: "equity"}
_MAX_WORKERS = 256


@click.command(short_help="Make a model file for some rules.")
@click.argument("rules", required=False, metavar="RULES")
@click.option("--output", "path", metavar="FILE", help="[default: NAME.basramodel]")
@click.option("--seed", type=int, default=1, metavar="N", show_default=True, help="Of all games.")
@click.option(
    "--size", default="full", metavar="quick|full", show_default=True, help="How much work."
)
@click.option(
    "--tables", metavar="T,T", help="Of 2, 3, 4, partners.  [default: those of the rules]"
)
@click.option("--parts", metavar="P,P", help="Of policy, boundary, equity.  [default: all]")
@click.option("--workers", type=int, metavar="N", help="Processes.  [default: one a core]")
@click.option("--fresh", is_flag=True, help="Forget what a run that was stopped had finished.")
@json_option
def train(
    rules: str | None,
    path: str | None,
    seed: int,
    size: str,
    tables: str | None,
    parts: str | None,
    workers: int | None,
    fresh: bool,
    as_json: bool,
) -> None:
    """Fit a model to games that the engine plays with itself, for a preset or a rule file.

    \b
      basra train mine.toml --size quick --output mine.basramodel

    \b
    Needs NumPy: pip install 'basra[train]'.  `quick` takes seconds and shows how
    it goes; `full` takes minutes for each table, and makes models to play with.
    The same seed gives the same file on the same machine, with any number of
    workers.  After Ctrl-C the parts that are finished are in FILE.part, and the
    same command goes on from there.
    """  # fmt: skip
    if rules is None:
        raise ArgumentError(
            "needs the rules to train for", field="command", value="train",
            fix="name a preset or a rule file: basra train classic",
        )  # fmt: skip
    loaded = Rules.load(rules)
    from basra.training import need_numpy
    from basra.training.train import PARTS, SIZES, checkpoint_path, planned
    from basra.training.train import train as run

    if size not in SIZES:
        raise ArgumentError("is no size", field="size", value=size, fix="use quick or full")
    at = _listed(tables) if tables is not None else None
    wanted = _listed(parts) if parts is not None else PARTS
    works = planned(loaded, at, wanted)
    need_numpy()
    name = path or f"{loaded.name}.basramodel"
    began = perf_counter()
    try:
        with _bars(works) as show, _pool(_workers(workers)) as pool:
            model = run(
                loaded, seed=seed, tables=at, effort=size, parts=wanted, output=name,
                executor=pool, progress=show, resume=not fresh,
            )  # fmt: skip
    except KeyboardInterrupt:
        kept = checkpoint_path(name)
        if kept.exists():
            click.echo(
                f"basra: stopped; what is finished is in {kept}: the same command goes on from it",
                err=True,
            )
        raise
    _show(model, name, rules, seed, size, perf_counter() - began, as_json)


def _listed(text: str) -> list[str]:
    return [word for word in text.replace(",", " ").split() if word]


def _workers(count: int | None) -> int:
    if count is None:
        return os.cpu_count() or 1
    if not 1 <= count <= _MAX_WORKERS:
        raise ArgumentError(
            "is not a number of processes", field="workers", value=count,
            fix=f"use 1 to {_MAX_WORKERS}",
        )  # fmt: skip
    return count


# -- workers -------------------------------------------------------------------------------------


@contextmanager
def _pool(count: int) -> Iterator[Executor]:
    """Processes that play; ended at once where something goes wrong."""
    start_tracker()
    before = set(active_children())
    with held_interrupts():
        pool = ProcessPoolExecutor(count, get_context("spawn"), begin_worker)
        for _ in range(count):
            pool.submit(os.getpid)
    try:
        yield pool
        pool.shutdown()
    except BrokenProcessPool:
        raise InternalError(
            "has ended before its work was done", field="worker",
            fix="what was finished is kept: run the same command again",
        ) from None  # fmt: skip
    finally:
        with held_interrupts():
            for child in set(active_children()) - before:
                child.terminate()
            pool.shutdown(cancel_futures=True)


# -- what is shown -------------------------------------------------------------------------------


@contextmanager
def _bars(works: Sequence[Work]) -> Iterator[Progress]:
    """A line for every piece of work, on a terminal."""
    import sys

    if not sys.stderr.isatty():
        yield lambda step: None
        return
    from rich import progress as bars

    width = max(len(work.title) for work in works)
    shown = bars.Progress(
        bars.TextColumn(f"{{task.description:<{width}}}"),
        bars.BarColumn(),
        bars.TaskProgressColumn(),
        bars.TimeRemainingColumn(),
        bars.TextColumn("{task.fields[note]}", style="dim"),
        console=output.console(stderr=True),
    )
    tasks = {work: shown.add_task(work.title, total=1.0, start=False, note="") for work in works}

    def show(step: TrainingStep) -> None:
        task = tasks[step.work]
        shown.start_task(task)
        shown.update(task, completed=step.done, note="finished before" if step.kept else "")

    with shown:
        yield show


def _show(
    model: Model, name: str, rules: str, seed: int, size: str, seconds: float, as_json: bool
) -> None:
    parts = parts_of(model.bytes)
    if as_json:
        output.print_json(
            {
                "schema": SCHEMA,
                "output": name,
                "bytes": len(model.bytes),
                "rules": {"name": model.rules.name, "hash": model.rules.hash},
                "seed": seed,
                "size": size,
                "parts": [
                    {
                        "part": _KINDS[part.kind],
                        "table": "" if part.kind == POLICY else TABLES[part.table],
                        "stage": part.stage,
                        "bytes": len(part.data),
                    }
                    for part in parts
                ],
                "seconds": seconds,
            }
        )
        return
    count = Counter(_KINDS[part.kind] for part in parts)
    held = ", ".join(f"{number} {kind}" for kind, number in count.items())
    given = "" if rules == "classic" else f" --rules {quote(rules)}"
    out = output.console()
    out.print(f"{name}: {len(model.bytes):,} bytes for {model.rules.name} ({held})", style="bold")
    out.print(f"seed {seed}, size {size}, in {seconds:.2f} s", style="dim")
    out.print(
        f"basra hint{given} --model {quote(str(Path(name)))} --hand .. --floor .. plays with it",
        soft_wrap=True,
    )
