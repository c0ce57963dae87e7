"""A whole model from a seed: the policy, what deals' ends are worth, and match equity.

In this order, as match equity is learnt from players that know the rest.  Every piece of work gets
a seed of its own, and is kept in a file as soon as it is finished: `basra.training.checkpoint`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from basra import _core
from basra.errors import ArgumentError
from basra.files import replace_file
from basra.interrupts import late_interrupts
from basra.models import EQUITY, POLICY, TABLES, Model, Part, model_bytes
from basra.rules import Rules
from basra.training import boundary, need_numpy
from basra.training.checkpoint import Checkpoint
from basra.training.equity import train_equity
from basra.training.policy import PolicyTraining, train_policy

PARTS = ("policy", "boundary", "equity")
"""What a model is made of, in the order that it is made."""

TWO_SIDED = ("2", "partners")
EQUITY_TARGET_MOST = 250
"""Match equity is for tables of two sides, and for targets up to this."""

_MAX_SEED = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How much work a model is.

    policy_rounds, policy
        Rounds that the policy learns from, and how.
    boundary
        Rounds, redeals and passes for each table's values of deals' ends.
    equity_rounds
        Rounds from which each table's match equity is counted.
    """

    policy_rounds: int = 12_000
    policy: PolicyTraining = field(default_factory=PolicyTraining)
    boundary: boundary.Plan = field(default_factory=boundary.Plan)
    equity_rounds: int = 6_000


SIZES = {
    "quick": TrainingPlan(
        policy_rounds=100,
        policy=PolicyTraining(hidden=16, effort=8, passes=4),
        boundary=boundary.Plan(rounds=200, deals=4, epochs=8),
        equity_rounds=64,
    ),
    "full": TrainingPlan(),
}
"""Plans by name: to try out how training goes, and for models to play with."""


class Work(NamedTuple):
    """A piece of work that is finished as a whole: a part, and the table it is for, "" for all."""

    part: str
    table: str

    @property
    def title(self) -> str:
        """As a person reads it.

        >>> Work("boundary", "2").title
        'boundary, table 2'
        """
        return f"{self.part}, table {self.table}" if self.table else self.part


@dataclass(frozen=True, slots=True)
class TrainingStep:
    """How far a training run is.

    work
        What is being done, or was.
    done
        Its share that is done, 0 to 1.
    kept
        Was it finished by an earlier run?
    """

    work: Work
    done: float
    kept: bool = False


Progress = Callable[[TrainingStep], None]


def planned(
    rules: Rules, tables: Sequence[str] | None = None, parts: Sequence[str] = PARTS
) -> list[Work]:
    """What will be trained, in order.

    `tables` are those of the rules if None.  Match equity is left out where there is none: at
    tables of single players, who play for points, and for targets beyond 250.

    >>> [work.title for work in planned(Rules.preset("egyptian"))]
    ['policy', 'boundary, table 2', 'equity, table 2']

    Raises ArgumentError for a part or table that there is not, and if nothing remains.
    """
    wanted = _chosen("parts", parts, PARTS)
    at = _chosen("tables", rules.tables if tables is None else tables, rules.tables)
    found = [Work("policy", "")] if "policy" in wanted else []
    if "boundary" in wanted:
        found += [Work("boundary", table) for table in at if _has_boundaries(rules, table)]
    if "equity" in wanted and rules.target <= EQUITY_TARGET_MOST:
        found += [Work("equity", table) for table in at if table in TWO_SIDED]
    if not found:
        raise ArgumentError(
            "leave nothing to train for these tables and this target",
            field="parts", value=",".join(parts), fix="name other parts: policy, boundary, equity",
        )  # fmt: skip
    return found


def _chosen(field: str, given: Sequence[str], known: Sequence[str]) -> list[str]:
    """What was given, each once, in the order that it is known in."""
    for one in given:
        if one not in known:
            of = "these rules have" if field == "tables" else "there are"
            raise ArgumentError(
                f"is none of the {field}", field=field, value=one,
                fix=f"{of} {', '.join(known)}",
            )  # fmt: skip
    return [one for one in known if one in given]


def _has_boundaries(rules: Rules, table: str) -> bool:
    return len(rules.deal_sizes(boundary.table_of(table)[0])) > 1


def seed_of(seed: int, work: Work) -> int:
    """The seed of a piece of work: the first four bytes, little-endian, of the SHA-256 of
    "basra train/1:SEED:PART:TABLE".

    So a table's values are the same whatever else is trained beside it.

    >>> seed_of(1, Work("boundary", "2")) != seed_of(1, Work("boundary", "3"))
    True
    """
    text = f"basra train/1:{seed}:{work.part}:{work.table}"
    return int.from_bytes(sha256(text.encode()).digest()[:4], "little")


def checkpoint_path(output: str | Path) -> Path:
    """Where finished parts are kept until the model is whole."""
    return Path(f"{output}.part")


def train(
    rules: Rules | str | Path,
    *,
    seed: int = 1,
    tables: Sequence[str] | None = None,
    effort: TrainingPlan | str = "full",
    parts: Sequence[str] = PARTS,
    output: str | Path,
    executor: Executor | None = None,
    progress: Progress | None = None,
    resume: bool = True,
) -> Model:
    """Trains a model for these rules and writes it to a file.

    seed
        0 to 2**64 - 1.  The same seed, rules and plan give the same bytes on the same machine,
        whatever the executor and however many workers it has.
    tables, parts
        What to train: all that the rules allow, and all of PARTS, unless told otherwise.
    effort
        A plan, or the name of one in SIZES.
    output
        The model file, written in one go at the end.  Until then finished parts are kept beside it
        in OUTPUT.part, where a run with the same settings goes on; `resume=False` begins anew.
    executor
        Plays the rounds; the fits are done here.  Without one a Ctrl-C waits for the rounds that
        are being played.
    progress
        Told every step; an exception that it raises ends the run, as Ctrl-C does, and what is
        finished is kept.

    Raises TrainingUnavailableError without NumPy, ArgumentError for what cannot be trained, for a
    file that cannot be written, and for an OUTPUT.part of other settings or damaged.
    """
    need_numpy()
    rules = Rules.load(rules)
    plan = _plan(effort)
    if not 0 <= seed <= _MAX_SEED:
        raise ArgumentError(
            "is out of range", field="seed", value=seed, fix=f"use 0 to {_MAX_SEED:,}"
        )
    works = planned(rules, tables, parts)
    if Path(output).is_dir():
        raise ArgumentError(
            "is a folder", field="output", value=str(output), fix="name a file in it"
        )
    settings = {
        "version": _core.VERSION,
        "rules": f"{_core.rules_number(rules.data):016x}",
        "target": rules.target,
        "seed": seed,
        "plan": asdict(plan),
        "works": [list(work) for work in works],
    }
    with Checkpoint(checkpoint_path(output), settings, resume=resume) as kept:
        run = _Run(rules, seed, plan, kept, executor, progress)
        _check_kept(kept, works)
        # A Ctrl-C within the core would cut rounds short: it waits for the end of a chunk.
        with late_interrupts() if executor is None else nullcontext(lambda: None) as look:
            run.look = look
            for number, work in enumerate(works):
                run.do(work, number)
        data = model_bytes(rules, run.parts)
        model = Model(rules, data, "output")
        _write(Path(output), data)
        kept.remove()
    return model


def _plan(effort: TrainingPlan | str) -> TrainingPlan:
    if isinstance(effort, TrainingPlan):
        return effort
    if effort not in SIZES:
        raise ArgumentError("is no size", field="size", value=effort, fix="use quick or full")
    return SIZES[effort]


def _check_kept(kept: Checkpoint, works: Sequence[Work]) -> None:
    """What is kept are the first pieces of the work."""
    titles = [work.title for work in works]
    for number, (title, _) in enumerate(kept.finished):
        if titles[number : number + 1] != [title]:
            raise ArgumentError(
                f"is damaged in line {number + 2}", field="output", value=str(kept.path),
                fix="delete that line and those after it, or begin anew with --fresh",
            )  # fmt: skip


@dataclass(slots=True)
class _Run:
    """A run, and what it has made so far."""

    rules: Rules
    seed: int
    plan: TrainingPlan
    kept: Checkpoint
    executor: Executor | None
    progress: Progress | None
    look: Callable[[], None] = lambda: None
    parts: list[Part] = field(default_factory=list)

    def do(self, work: Work, number: int) -> None:
        """One piece of work, or what an earlier run made of it."""
        known = number < len(self.kept.finished)
        if known:
            made = self.kept.finished[number][1]
        else:
            self.tell(work, 0.0)
            made = getattr(self, f"_{work.part}")(work)
            self.kept.keep(work.title, made)
        self.parts += made
        self.tell(work, 1.0, kept=known)

    def tell(self, work: Work, done: float, *, kept: bool = False) -> None:
        self.look()
        if self.progress is not None:
            self.progress(TrainingStep(work, done, kept))

    def _policy(self, work: Work) -> list[Part]:
        def heard(stage: str, done: int, of: int) -> None:
            share = done / max(of, 1)
            self.tell(work, 0.8 * share if stage == "play" else 0.8 + 0.2 * share)

        data = train_policy(
            self.rules, seed=seed_of(self.seed, work), rounds=self.plan.policy_rounds,
            plan=self.plan.policy, progress=heard, executor=self.executor,
        )  # fmt: skip
        return [Part(POLICY, 0, 0, data)]

    def _boundary(self, work: Work) -> list[Part]:
        stages: list[str] = []
        ends = len(self.rules.deal_sizes(boundary.table_of(work.table)[0])) - 1
        fits = min(ends, self.plan.boundary.stages)

        def heard(stage: str, share: float) -> None:
            # First rounds are played, then a net is fitted for every boundary.
            if stage not in stages:
                stages.append(stage)
            fitted = (len(stages) - 2 + share) / fits
            self.tell(work, 0.8 * share if len(stages) == 1 else min(0.8 + 0.2 * fitted, 1.0))

        return boundary.train_boundary(
            self.rules, work.table, seed=seed_of(self.seed, work), plan=self.plan.boundary,
            progress=heard, executor=self.executor,
        )  # fmt: skip

    def _equity(self, work: Work) -> list[Part]:
        data = train_equity(
            self.rules, work.table, seed=seed_of(self.seed, work),
            rounds=self.plan.equity_rounds, executor=self.executor,
            model=model_bytes(self.rules, self.parts) if self.parts else None,
            progress=lambda done, of: self.tell(work, done / of),
        )  # fmt: skip
        return [Part(EQUITY, TABLES.index(work.table), 0, data)]


def _write(path: Path, data: bytes) -> None:
    """The whole file, or what was there before."""
    try:
        replace_file(path, data)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ArgumentError(
            f"cannot be written: {reason}", field="output", value=str(path),
            fix="make room, or let it be written to; the parts are kept: run it again",
        ) from None  # fmt: skip
