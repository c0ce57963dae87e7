"""`basra train`: the same bytes however it is run, interrupted and resumed; what is refused."""

from __future__ import annotations

import builtins
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from basra import ArgumentError, Rules
from basra.cli import train as command
from basra.errors import InternalError, ModelError
from basra.models import BOUNDARY, EQUITY, POLICY, Model, parts_of
from basra.training import TrainingUnavailableError, boundary, need_numpy
from basra.training import train as training
from basra.training.policy import PolicyTraining
from basra.training.train import TrainingPlan, TrainingStep, Work, planned, seed_of, train
from cli_helpers import answer, call, environment, in_terminal
from test_cli_errors import refusal

pytest.importorskip("numpy")

CLASSIC = Rules.preset("classic")
EGYPTIAN = Rules.preset("egyptian")  # has one table
SMALL_POLICY = PolicyTraining(hidden=8, effort=1, passes=1)
TINY = TrainingPlan(2, SMALL_POLICY, boundary.Plan(rounds=12, deals=2, epochs=1, stages=9), 4)
# Several chunks of every kind, so that workers can get in each other's way.
CHUNKS = TrainingPlan(60, SMALL_POLICY, boundary.Plan(rounds=110, deals=2, epochs=1, stages=2), 20)
EVERYTHING = ["policy", "boundary, table 2", "equity, table 2"]


class Stop(Exception):
    """Ends a run from its progress."""


def after(count: int) -> Callable[[TrainingStep], None]:
    """Ends a run once so many pieces of work are on disk."""
    finished = 0

    def hear(step: TrainingStep) -> None:
        nonlocal finished
        finished += step.done == 1.0
        # Told when a piece begins: the one before it is finished.
        if step.done == 0.0 and finished >= count:
            raise Stop

    return hear


def tiny(output: Path, rules: Rules = EGYPTIAN, **options: Any) -> bytes:
    """The bytes of a tiny model, as they are in its file."""
    model = train(rules, output=output, **{"effort": TINY, **options})
    assert output.read_bytes() == model.bytes
    return model.bytes


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What one run makes."""
    return tiny(tmp_path_factory.mktemp("whole") / "model")


# -- the same bytes ------------------------------------------------------------------------------


def test_the_same_bytes_from_the_same_seed(whole: bytes, tmp_path: Path) -> None:
    steps: list[TrainingStep] = []
    assert tiny(tmp_path / "a", progress=steps.append) == whole
    assert tiny(tmp_path / "a", seed=2) != whole, "written over"
    assert os.listdir(tmp_path) == ["a"]
    assert list(dict.fromkeys(step.work.title for step in steps)) == EVERYTHING
    for title in EVERYTHING:
        shares = [step.done for step in steps if step.work.title == title]
        assert (shares[0], shares[-1]) == (0.0, 1.0)
        assert shares == sorted(shares)
    kinds = [(part.kind, part.table, part.stage) for part in parts_of(whole)]
    assert kinds == [(POLICY, 0, 0), *((BOUNDARY, 0, n) for n in range(1, 6)), (EQUITY, 0, 0)]
    assert Model.read(tmp_path / "a", EGYPTIAN).rules == EGYPTIAN


def test_the_same_bytes_whoever_plays(tmp_path: Path) -> None:
    """In this process, by threads, and by processes."""
    made = tiny(tmp_path / "none", effort=CHUNKS)
    pools: list[Executor] = [ThreadPoolExecutor(3), ProcessPoolExecutor(2, get_context("spawn"))]
    for number, pool in enumerate(pools):
        with pool:
            assert tiny(tmp_path / f"{number}", effort=CHUNKS, executor=pool) == made


def test_the_same_bytes_from_the_command(tmp_path: Path, whole: bytes) -> None:
    with mock.patch.dict(training.SIZES, quick=TINY):
        for workers in ("1", "2"):
            words = ["--size", "quick", "--workers", workers, "--output", str(tmp_path / "a")]
            found = answer("train", "egyptian", *words)
            assert (tmp_path / "a").read_bytes() == whole
    assert found.pop("seconds") > 0
    parts = found.pop("parts")
    assert found == {
        "schema": "basra.train/1", "output": str(tmp_path / "a"), "bytes": len(whole),
        "rules": {"name": "egyptian", "hash": EGYPTIAN.hash}, "seed": 1, "size": "quick",
    }  # fmt: skip
    assert [(p["part"], p["table"], p["stage"]) for p in parts] == [
        ("policy", "", 0), *(("boundary", "2", n) for n in range(1, 6)), ("equity", "2", 0),
    ]  # fmt: skip
    assert [p["bytes"] for p in parts] == [len(part.data) for part in parts_of(whole)]


def test_parts_alone_are_those_of_the_whole(whole: bytes, tmp_path: Path) -> None:
    """Every piece has a seed of its own; match equity knows of what was made before it."""
    policy, *boundaries, equity = parts_of(whole)
    assert parts_of(tiny(tmp_path / "a", parts=["policy"])) == [policy]
    assert parts_of(tiny(tmp_path / "a", parts=["boundary"])) == boundaries
    assert parts_of(tiny(tmp_path / "a", parts=["equity"])) != [equity]


def test_seeds() -> None:
    """By the rule that is stated; no two pieces share one."""
    works = [*planned(CLASSIC), Work("boundary", "4")]
    seeds = {seed_of(seed, work) for work in works for seed in (0, 1, 2, 1 << 32)}
    assert len(seeds) == 4 * len(works)
    # printf 'basra train/1:1:boundary:partners' | sha256sum
    assert seed_of(1, Work("boundary", "partners")) == int.from_bytes(
        bytes.fromhex("f622bb4e"), "little"
    )


def test_one_thread_for_products() -> None:
    """NumPy gets one where it is imported for training, whatever the environment says."""
    code = (
        "import os; from basra.training import need_numpy; need_numpy()"
        "; print(os.environ['OPENBLAS_NUM_THREADS'], os.environ['OMP_NUM_THREADS'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(OPENBLAS_NUM_THREADS="2"),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "1 1\n"


# -- what is trained -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "works"),
    [
        ("classic", "policy boundary:2 boundary:3 boundary:partners equity:2 equity:partners"),
        ("palestine", "policy boundary:2 boundary:4 boundary:partners equity:2 equity:partners"),
        ("egyptian-v2", "policy boundary:2 equity:2"),
    ],
)
def test_what_is_trained(preset: str, works: str) -> None:
    found = planned(Rules.preset(preset))
    assert [":".join(filter(None, work)) for work in found] == works.split()


def test_what_is_left_out() -> None:
    far = EGYPTIAN.with_changes(target=251)
    assert [work.title for work in planned(far)] == EVERYTHING[:2]
    assert planned(CLASSIC, ["partners", "2"], ["boundary"]) == [
        Work("boundary", "2"), Work("boundary", "partners"),
    ]  # fmt: skip
    one_deal = CLASSIC.with_changes(hand_size=24, not_on_first_floor=[], tables=["2"])
    assert [work.part for work in planned(one_deal)] == ["policy", "equity"]


@pytest.mark.parametrize(
    ("words", "field", "value"),
    [
        (["--tables", "2,5"], "tables", "5"),
        (["--tables", "3"], "tables", "3"),  # not a table of these rules
        (["--parts", "policy,values"], "parts", "values"),
        (["--tables", ""], "parts", "boundary"),
        (["--size", "huge"], "size", "huge"),
        (["--seed", "-1"], "seed", "-1"),
        (["--seed", str(1 << 64)], "seed", str(1 << 64)),
        (["--seed", "x"], "seed", "x"),
        (["--workers", "0"], "workers", "0"),
        (["--output", "no/such/folder/file"], "output", "no/such/folder/file.part"),
        (["--output", "."], "output", "."),
    ],
)
def test_refused(
    words: list[str], field: str, value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with mock.patch.dict(training.SIZES, full=TINY, quick=TINY):
        error = refusal(["train", "egyptian", "--parts", "boundary", *words])
    assert (error["field"], error["value"]) == (field, value)


def test_no_rules() -> None:
    assert "basra train classic" in refusal(["train"])["fix"]
    assert refusal(["train", "clasic"])["field"] == "rules"


# -- stopped, and gone on with -------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_stopped_run_goes_on(count: int, whole: bytes, tmp_path: Path) -> None:
    """It does not do again what is finished, and ends with the bytes of a single run."""
    output = tmp_path / "model"
    with pytest.raises(Stop):
        tiny(output, progress=after(count))
    assert os.listdir(tmp_path) == ["model.part"]
    lines = (tmp_path / "model.part").read_bytes().splitlines()
    assert len(lines) == 1 + count
    steps: list[TrainingStep] = []
    assert tiny(output, progress=steps.append) == whole
    assert {step.work.title for step in steps if step.kept} == set(EVERYTHING[:count])
    assert {step.work.title for step in steps if not step.kept} == set(EVERYTHING[count:])
    assert os.listdir(tmp_path) == ["model"]


@pytest.fixture
def stopped(tmp_path: Path) -> Path:
    """The output of a run that finished policy and boundaries, and then stopped."""
    with pytest.raises(Stop):
        tiny(tmp_path / "model", progress=after(2))
    return tmp_path / "model"


def kept(output: Path) -> Path:
    return training.checkpoint_path(output)


def test_every_line_that_was_cut_off(stopped: Path, whole: bytes) -> None:
    """Wherever writing ended: what is whole counts, and the rest is made again."""
    text = kept(stopped).read_bytes()
    lines = text.splitlines(keepends=True)
    for size in (0, 9, len(lines[0]) - 1, len(lines[0] + lines[1]) - 1, len(text) - 1):
        kept(stopped).write_bytes(text[:size])
        steps: list[TrainingStep] = []
        assert tiny(stopped, progress=steps.append) == whole
        assert sum(step.kept for step in steps) == max(text[:size].count(b"\n") - 1, 0)
        assert not kept(stopped).exists()


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"seed": 2}, "seed"),
        ({"parts": ["policy", "boundary"]}, "works"),
        ({"effort": CHUNKS}, "plan"),
        ({"rules": EGYPTIAN.with_changes(target=151)}, "target"),
        ({"rules": EGYPTIAN.with_changes(jack_basra=20)}, "rules"),
    ],
)
def test_other_settings_are_refused(
    options: dict[str, Any], name: str, stopped: Path, whole: bytes
) -> None:
    before = kept(stopped).read_bytes()
    with pytest.raises(ArgumentError, match=rf"{name} was .* and is .*") as caught:
        tiny(stopped, **options)
    assert caught.value.field == "output"
    assert "--fresh" in caught.value.fix
    assert kept(stopped).read_bytes() == before
    assert tiny(stopped, **options, resume=False) != whole
    assert not kept(stopped).exists()


def damage(text: bytes, how: str) -> bytes:
    """A file of finished parts that something has happened to."""
    lines = text.splitlines(keepends=True)
    policy = json.loads(lines[1])
    if how == "no JSON":
        lines[1] = lines[1][:80] + b"\n"
    elif how == "a letter":
        data = policy["parts"][0]["data"]
        policy["parts"][0]["data"] = ("B" if data[40] == "A" else "A").join((data[:40], data[41:]))
    elif how == "no data":
        del policy["parts"][0]["data"]
    elif how == "a list":
        policy["parts"] = 7
    elif how == "other order":
        lines[1], lines[2] = lines[2], lines[1]
        return b"".join(lines)
    elif how == "too many":
        return text + 3 * lines[2]
    if how != "no JSON":
        lines[1] = json.dumps(policy).encode() + b"\n"
    return b"".join(lines)


@pytest.mark.parametrize(
    ("how", "line"),
    [("no JSON", 2), ("a letter", 2), ("no data", 2), ("a list", 2), ("other order", 2),
     ("too many", 4)],
)  # fmt: skip
def test_damage_is_named(how: str, line: int, stopped: Path, whole: bytes) -> None:
    """With the line; without it and those after it the run goes on."""
    broken = damage(kept(stopped).read_bytes(), how)
    kept(stopped).write_bytes(broken)
    with pytest.raises(ArgumentError, match=f"damaged in line {line}") as caught:
        tiny(stopped)
    assert "delete that line" in caught.value.fix
    assert kept(stopped).read_bytes() == broken
    kept(stopped).write_bytes(b"".join(broken.splitlines(keepends=True)[: line - 1]))
    assert tiny(stopped) == whole


@pytest.mark.parametrize("text", [b"a letter\n", b"{}\n", b'{"schema": "basra.run/1"}\n', b"7\n"])
def test_another_file_is_left_alone(text: bytes, tmp_path: Path) -> None:
    kept(tmp_path / "model").write_bytes(text)
    with pytest.raises(ArgumentError, match="not begun by training"):
        tiny(tmp_path / "model")
    assert kept(tmp_path / "model").read_bytes() == text


def test_the_old_file_stays_until_the_new_one_is_whole(stopped: Path, whole: bytes) -> None:
    stopped.write_bytes(b"old")
    full = mock.patch("os.replace", side_effect=OSError(28, "No space left on device"))
    with full, pytest.raises(ArgumentError, match="No space left"):
        tiny(stopped)
    assert stopped.read_bytes() == b"old"
    assert sorted(os.listdir(stopped.parent)) == ["model", "model.part"]
    assert tiny(stopped) == whole


# -- Ctrl-C --------------------------------------------------------------------------------------

_ENDLESS = """
import sys
from dataclasses import replace
from basra.cli import run
from basra.training import train
tiny = train.TrainingPlan(2, replace(train.SIZES["quick"].policy, effort=1))
train.SIZES["quick"] = tiny
if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
"""


def test_interrupt(tmp_path: Path) -> None:
    """Exit code 130 at once, no worker left, what is finished kept, and how to go on."""
    (tmp_path / "endless.py").write_text(_ENDLESS)
    words = ["train", "egyptian", "--size", "quick", "--output", "model", "--workers", "2"]
    process = subprocess.Popen(
        [sys.executable, "endless.py", *words], cwd=tmp_path, env=environment(),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        wait_for(lambda: finished(tmp_path / "model") == 1)
        time.sleep(0.3)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        # The pipes end when the last worker has.
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()
    assert (process.returncode, out) == (130, "")
    assert time.monotonic() - began < 5
    assert err.strip().splitlines() == [
        "basra: stopped; what is finished is in model.part: the same command goes on from it"
    ]
    assert os.listdir(tmp_path) == ["endless.py", "model.part"] or sorted(os.listdir(tmp_path)) == [
        "endless.py",
        "model.part",
    ]
    assert finished(tmp_path / "model") == 1


def finished(output: Path) -> int:
    """Pieces of work on disk."""
    path = kept(output)
    return path.read_bytes().count(b"\n") - 1 if path.exists() else 0


def wait_for(ready: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not ready():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_interrupt_without_workers(whole: bytes, tmp_path: Path) -> None:
    """It waits for the rounds that are played: the core would drop it there."""
    before = signal.getsignal(signal.SIGINT)

    def hear(step: TrainingStep) -> None:
        if step.work.part == "boundary" and step.done == 0.0:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        tiny(tmp_path / "model", progress=hear)
    assert signal.getsignal(signal.SIGINT) is before
    assert finished(tmp_path / "model") == 1
    assert tiny(tmp_path / "model") == whole


def test_a_worker_that_is_killed() -> None:
    """Said with what to do; no other worker is left."""
    with pytest.raises(InternalError) as caught, command._pool(2) as pool:
        pool.submit(os._exit, 3).result()
    assert "run the same command again" in caught.value.fix
    assert not active_children()


def test_progress_on_a_terminal(tmp_path: Path) -> None:
    """A line for every piece of work on stderr; stdout has the answer alone."""
    (tmp_path / "tiny.toml").write_text('base = "egyptian"\nname = "tiny"\n')
    with mock.patch("cli_helpers.MODULE", [sys.executable, "-c", _TINY_RUN]):
        shown = in_terminal(
            "train", str(tmp_path / "tiny.toml"), "--output", str(tmp_path / "m"), "--json",
            both=False,
        )  # fmt: skip
    assert shown.code == 0
    for title in EVERYTHING:
        assert title in shown.terminal
    assert "100%" in shown.terminal
    assert json.loads(shown.out)["rules"]["name"] == "tiny"


_TINY_RUN = """
import sys
from basra.cli import run
from basra.training import boundary, train
from basra.training.policy import PolicyTraining
train.SIZES["full"] = train.TrainingPlan(
    2, PolicyTraining(8, 1, passes=1), boundary.Plan(12, 2, 1), 4
)
if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
"""


# -- house rules ---------------------------------------------------------------------------------


def test_house_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule file gets a model, hints use it, and other rules refuse it."""
    monkeypatch.chdir(tmp_path)
    Path("house.toml").write_text('base = "classic"\nhand_size = 6\ntables = ["2"]\n')
    with mock.patch.dict(training.SIZES, quick=TINY):
        told = call("train", "house.toml", "--size", "quick", "--workers", "1")
    assert (told.code, told.err) == (0, "")
    assert "basra hint --rules house.toml --model house.basramodel" in told.out
    assert "1 policy, 3 boundary, 1 equity" in told.out
    hand = ["hint", "--hand", "7D 5C KH 2S", "--floor", "3C 2H 5S", "--worlds", "20"]
    words = [*hand, "--rules", "house.toml"]
    found = answer(*words, "--model", "house.basramodel")
    assert found["method"] == "worlds/2"
    assert answer(*words)["method"] == "worlds/1", "no model is shipped for these rules"
    assert found["moves"] != answer(*words)["moves"]
    error = refusal([*hand, "--model", "house.basramodel"])
    assert (error["code"], error["field"]) == ("model", "model")
    Path("other.toml").write_text('base = "classic"\nhand_size = 6\nmost_cards = 20\n')
    refusal([*hand, "--rules", "other.toml", "--model", "house.basramodel"])
    # The target alone may differ: values and policy do not depend on it.
    Path("far.toml").write_text('base = "classic"\nhand_size = 6\ntarget = 121\n')
    assert answer(*hand, "--rules", "far.toml", "--model", "house.basramodel")["worlds"] == 20


def test_a_model_that_is_damaged_is_refused(whole: bytes, tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(whole[:-1])
    with pytest.raises(ModelError):
        Model.read(tmp_path / "model", EGYPTIAN)


def test_many_card_types(tmp_path: Path) -> None:
    """Rules in which each card has points of its own."""
    points = {
        f"{r}{s}": n % 7 for n, (r, s) in enumerate((r, s) for r in "A23456789TJQK" for s in "CDHS")
    }
    rules = EGYPTIAN.with_changes(card_points=points)
    with pytest.raises(Stop):
        tiny(tmp_path / "model", rules, progress=after(2))
    assert finished(tmp_path / "model") == 2


# -- NumPy ---------------------------------------------------------------------------------------


def test_without_numpy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Said before anything is made."""
    real = builtins.__import__

    def missing(name: str, *args: Any, **options: Any) -> Any:
        if name.partition(".")[0] == "numpy":
            raise ImportError(name)
        return real(name, *args, **options)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(TrainingUnavailableError):
        need_numpy()
    with pytest.raises(TrainingUnavailableError):
        train(EGYPTIAN, output="model", effort=TINY)
    error = refusal(["train", "egyptian"])
    assert error["code"] == "training"
    assert "pip install 'basra[train]'" in error["fix"]
    assert not os.listdir(tmp_path)
