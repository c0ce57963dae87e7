"""The arena: mirrored play, statistics against closed forms, the same result however it is run."""

from __future__ import annotations

import json
import math
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from statistics import NormalDist, mean, stdev
from typing import Any

import pytest

from basra import ArgumentError, BasraError, Cards, Position, Rules, preset_names, solve
from basra._core import UNIT, EngineData, play_on, round_luck
from basra.arena import play_chunk, run_arena, set_seed
from basra.arena_file import CHUNK
from basra.duel import ArenaResult
from basra.errors import ModelError
from basra.players import Player, core_player
from basra.statistics import (
    FIRST_LOOK,
    ConfidenceSequence,
    mean_estimate,
    share_estimate,
    student_quantile,
    student_within,
    sums_of,
    wilson_interval,
)
from cli_helpers import MODULE, call, environment
from helpers import TABLE_IDS, TABLES, Table

RULES = {name: Rules.preset(name) for name in preset_names()}

# -- statistics ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("degrees", "quantile"),
    # Printed tables of Student's t, two-sided 5 %.
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (5, 2.5706), (9, 2.2622), (10, 2.2281),
     (29, 2.0452), (30, 2.0423), (60, 2.0003), (120, 1.9799), (1000, 1.9623), (10**9, 1.95996)],
)  # fmt: skip
def test_student(degrees: int, quantile: float) -> None:
    assert student_quantile(0.975, degrees) == pytest.approx(quantile, abs=6e-5)


def test_student_is_its_integral() -> None:
    """Against the density, summed up by Simpson's rule."""
    for degrees, t in product((1, 2, 3, 6, 7, 40), (0.3, 1.0, 2.5)):
        log_scale = math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)
        scale = math.exp(log_scale) / math.sqrt(degrees * math.pi)
        steps = 2000
        heights = [
            scale * (1 + (t * i / steps) ** 2 / degrees) ** (-(degrees + 1) / 2)
            for i in range(steps + 1)
        ]
        area = (heights[0] + heights[-1] + 4 * sum(heights[1::2]) + 2 * sum(heights[2:-1:2])) / 3
        assert student_within(t, degrees) == pytest.approx(2 * area * t / steps, abs=1e-9)


def test_mean_estimate_is_the_textbook_one() -> None:
    values = [3, -7, 20, 0, 0, 41, -13]
    found = mean_estimate(values, 2)
    halves = [value / 2 for value in values]
    error = stdev(halves) / math.sqrt(7)
    assert found.mean == pytest.approx(mean(halves))
    assert found.stderr == pytest.approx(error)
    assert found.high == pytest.approx(mean(halves) + 2.4469 * error, abs=1e-4)
    assert found.low == pytest.approx(mean(halves) - 2.4469 * error, abs=1e-4)
    assert mean_estimate([4], 2).mean == 2
    assert mean_estimate([4], 2).stderr is None
    assert mean_estimate([], 2).mean is None


def test_wilson_solves_its_equation() -> None:
    """Its ends are the shares that lie 1.96 of their own deviations from what was seen."""
    z = NormalDist().inv_cdf(0.975)
    for share, size in ((0.5, 10.0), (0.9, 40.0), (0.02, 300.0), (1.0, 5.0), (0.0, 5.0)):
        for end in wilson_interval(share, size):
            if 0 < end < 1:
                assert abs(share - end) == pytest.approx(z * math.sqrt(end * (1 - end) / size))


def test_share_of_mirrored_games() -> None:
    """Independent games: the plain interval.  Pairs always even: no doubt.  All won: some."""
    dice = random.Random(5)
    wins = [dice.randrange(2) + dice.randrange(2) for _ in range(20000)]
    found = share_estimate(wins, 2)
    assert found.low is not None
    assert found.high is not None
    assert found.mean is not None
    plain = wilson_interval(found.mean, 40000)
    assert found.low == pytest.approx(plain[0], abs=2e-4)
    assert found.high == pytest.approx(plain[1], abs=2e-4)
    everything = share_estimate([2] * 50, 2)
    assert (everything.mean, everything.stderr) == (1, 0)
    assert everything.low == pytest.approx(wilson_interval(1, 50)[0])


def test_interval_covers_as_often_as_it_says() -> None:
    dice = random.Random(3)
    hits = 0
    for _ in range(2000):
        found = mean_estimate([round(dice.gauss(40, 150)) for _ in range(12)], 10)
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= 4 <= found.high
    assert abs(hits / 2000 - 0.95) < 0.015


def false_alarm(dice: random.Random, draw: Any, most: int, looks: int) -> bool:
    """Does a sequential comparison of equals ever come to a verdict?"""
    sequence = ConfidenceSequence(most)
    count = total = squares = 0
    for i in range(1, most + 1):
        value = draw(dice)
        count, total, squares = i, total + value, squares + value * value
        if i % looks == 0 and i >= FIRST_LOOK:
            found = sequence.estimate_of(count, total, squares, 2)
            assert found.low is not None
            assert found.high is not None
            if found.low > 0 or found.high < 0:
                return True
    return False


@pytest.mark.parametrize(
    "draw",
    [
        lambda dice: round(dice.gauss(0, 31)),
        # As mirrored pairs are: mostly small, sometimes a basra or the thirty apart.
        lambda dice: dice.choice((-1, 1)) * dice.choice((0, 1, 3, 10, 10, 20, 60)),
        lambda dice: dice.choice((-1, 1)) * (90 if dice.random() < 0.05 else 2),
    ],
    ids=["normal", "points", "rare"],
)
def test_sequential_false_alarms_stay_below_their_level(draw: Any) -> None:
    """Looking after every ten sets of a thousand: at most one run in twenty may be fooled."""
    dice = random.Random(11)
    runs = 400
    alarms = sum(false_alarm(dice, draw, 1000, CHUNK) for _ in range(runs))
    assert alarms / runs <= 0.05


def test_looking_often_at_a_plain_interval_would_be_fooled() -> None:
    """What the sequence is for: the same looks at Student's interval fail far more often."""
    dice = random.Random(11)
    alarms = 0
    for _ in range(200):
        values: list[int] = []
        for i in range(1, 1001):
            values.append(round(dice.gauss(0, 31)))
            if i % 50 == 0:
                found = mean_estimate(values, 2)
                assert found.low is not None
                assert found.high is not None
                if found.low > 0 or found.high < 0:
                    alarms += 1
                    break
    assert alarms / 200 > 0.1


def test_sequence_is_its_formula() -> None:
    sequence = ConfidenceSequence(500)
    r2, t, s = sequence.scale, 137, 12.0
    wide = math.sqrt(2 * (t * r2 + 1) / (t * t * r2) * math.log(math.sqrt(t * r2 + 1) / 0.05))
    assert sequence.reach(t, s) == pytest.approx(s * wide)
    # No other r makes it shorter at the planned number, but for the approximation of the best one.
    best = min(
        math.sqrt(2 * (500 * r + 1) / (500**2 * r) * math.log(math.sqrt(500 * r + 1) / 0.05))
        for r in (r2 * f / 100 for f in range(20, 500))
    )
    assert sequence.reach(500, 1.0) <= best * 1.01


# -- mirrored play -------------------------------------------------------------------------------


def by_hand(table: Table, seed: int, place: int, a: Player, b: Player) -> tuple[int, ...]:
    """Points of a round played move by move through views, A at `place`."""
    position = Position.deal(table.preset, seed, players=table.players, partners=table.partners)
    sides = len(position.points)
    while not position.is_over:
        player = a if position.turn % sides == place else b
        own = (seed + len(position.history)) % 2**64
        position.play(player.choose(position.view(), seed=own).move)
    return position.points


@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
def test_sets_are_what_players_choose_from_views(table: Table) -> None:
    """Every set, played again by hand with A in each place."""
    a, b = Player("greedy", noise=2), Player("random")
    result = run_arena(
        a, b, rules=table.preset, players=table.players, partners=table.partners, pairs=3, seed=4
    )
    games = result.duel.games
    assert games == (2 if table.partners else table.players)
    for number in range(3):
        score = 0.0
        for place in range(games):
            points = by_hand(table, set_seed(4, number), place, a, b)
            score += points[place] - (sum(points) - points[place]) / (games - 1)
        assert result.scores[number] / result.duel.unit == pytest.approx(score / games)
    assert result.games == result.rounds == 3 * games
    cards = Rules.preset(table.preset).deck - 4
    assert result.decisions[0] == 3 * cards
    assert sum(result.decisions) == 3 * cards * games


def test_a_player_against_itself_is_even() -> None:
    """Mirrored deals and chances: every set comes out at nothing, exactly."""
    for players in (2, 3):
        result = run_arena("greedy:noise=3", "greedy:noise=3", pairs=20, players=players)
        assert set(result.scores) == {0}
        assert result.better is None


def test_a_and_b_changed_over() -> None:
    one = run_arena("greedy", "random", pairs=30)
    other = run_arena("random", "greedy", pairs=30)
    assert one.scores == tuple(-score for score in other.scores)
    assert (one.better, other.better) == ("a", "b")


def test_matches() -> None:
    """Played to their winner; a set's wins are of its matches."""
    result = run_arena("greedy", "random", pairs=20, matches=True)
    assert result.share is not None
    assert result.share.mean == sum(result.wins) / 40
    assert set(result.wins) <= {0, 1, 2}
    assert result.rounds > result.games == 40
    assert result.better == "a"
    assert "of the matches" in result.sentence


def test_work_and_budgets_are_by_player() -> None:
    result = run_arena("worlds:nodes=300", "greedy", pairs=2)
    assert 0 < result.work[0] <= 300 * result.decisions[0]
    assert result.work[1] == 0
    assert not run_arena("greedy", "worlds:ms=0.2", pairs=1).to_dict()["reproducible"]


def test_forgetting_costs_points() -> None:
    assert run_arena("endgame", "endgame:memory=0", pairs=150, seed=1).better == "a"


# -- luck ----------------------------------------------------------------------------------------


def luck_by_hand(position: Position, redeals: int, dice: random.Random) -> float:
    """Luck of side 0 in the last deal of a round: by `solve`, with other hands drawn here."""
    count = position.rules.deal_sizes(position.players)[-1] * position.players
    for _ in range(count):
        position.undo()
    hands = [hand.mask for hand in position.hands]
    cards = [card for hand in position.hands for card in hand]
    sign = -1 if position.turn % 2 else 1
    total = 0
    for _ in range(redeals):
        dice.shuffle(cards)
        at, drawn = 0, []
        for hand in hands:
            drawn.append(Cards(cards[at : at + hand.bit_count()]))
            at += hand.bit_count()
        turn = position.turn
        seats = [drawn[(turn + i) % len(drawn)] for i in range(len(drawn))]
        sides = [position.cards[turn % 2], position.cards[1 - turn % 2]]
        last = None if position.last is None else (position.last - turn) % position.players
        other = Position.setup(
            seats, position.floor, rules=position.rules, cards=sides, last=last,
            carry=position.carry, partners=position.partners,
        )  # fmt: skip
        total += int(solve(other).value or 0)
    return sign * (int(solve(position).value or 0) - total / redeals)


@pytest.mark.parametrize(("preset", "players"), [("classic", 2), ("egyptian", 2), ("palestine", 4)])
def test_luck_of_the_last_deal(preset: str, players: int) -> None:
    """As `solve` has it, but for the hands drawn: within their sampling error."""
    redeals, near = (2000, 1.5) if players == 2 else (200, 3.0)
    dice, engine, core = (
        random.Random(4),
        EngineData(),
        core_player(Player("greedy"), RULES[preset]),
    )
    for seed in range(4):
        position = Position.deal(preset, seed, players=players, partners=players == 4)
        play_on(engine, position.data, [core, core], False, seed, [])
        luck = round_luck(engine, position.data, redeals, seed, [])
        assert luck[0] == 0
        assert len(luck) == len(position.rules.deal_sizes(players))
        assert luck[-1] / UNIT == pytest.approx(luck_by_hand(position, redeals, dice), abs=near)


def test_luck_comes_out_even() -> None:
    """Its mean is 0 whoever plays, in every deal but the first, which mirrored rounds share."""
    engine, rules = EngineData(), RULES["classic"]
    seated = [core_player(Player("greedy"), rules), core_player(Player("random"), rules)]
    found: list[list[int]] = []
    for seed in range(400):
        position = Position.deal("classic", seed)
        play_on(engine, position.data, seated, False, seed, [])
        found.append(round_luck(engine, position.data, 4, seed, []))
    for deal in range(1, 6):
        lucks = [luck[deal] / UNIT for luck in found]
        assert stdev(lucks) > 5
        assert abs(mean(lucks)) < 3 * stdev(lucks) / math.sqrt(len(lucks))


def test_without_luck_fewer_pairs_tell_as_much() -> None:
    """The same mean within the errors, with a clearly smaller one."""
    players = ("worlds:worlds=6,model=none", "worlds:worlds=3,noise=1,model=none")
    plain_run = run_arena(*players, pairs=150)
    found = run_arena(*players, pairs=150, luck=True)
    assert found.points.stderr is not None
    assert plain_run.points.stderr is not None
    assert found.points.stderr < 0.9 * plain_run.points.stderr
    assert found.points.mean is not None
    assert plain_run.points.mean is not None
    assert abs(found.points.mean - plain_run.points.mean) < 3 * plain_run.points.stderr
    assert found.work == plain_run.work
    assert set(run_arena("greedy", "greedy", pairs=10, luck=True).scores) == {0}
    for options in ({"matches": True}, {"players": 3}):
        with pytest.raises(ArgumentError, match="rounds of two sides"):
            run_arena("greedy", "random", luck=True, **options)


# -- however it is run ---------------------------------------------------------------------------

A, B, PAIRS = "greedy:noise=1", "greedy", 45


def plain(**options: Any) -> ArenaResult:
    """The run that others are compared with."""
    return run_arena(A, B, pairs=PAIRS, seed=9, **options)


def test_any_executor_gives_the_same() -> None:
    """Threads, processes, and one that is done with the last first."""

    class Backwards(Executor):
        """The later it was given something, the sooner it is done."""

        def __init__(self) -> None:
            self._pool = ThreadPoolExecutor(5)

        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
            def later() -> Any:
                time.sleep(0.03 * (4 - args[1]))
                return fn(*args)

            return self._pool.submit(later)

    expected = plain()
    with ThreadPoolExecutor(3) as pool:
        assert plain(executor=pool) == expected
    with ProcessPoolExecutor(2, get_context("spawn")) as processes:
        assert plain(executor=processes) == expected
    assert plain(executor=Backwards()) == expected
    assert expected.sets == PAIRS


def test_workers_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("basra.arena._ALONE", 0.0)
    assert plain(workers=2) == plain()


def test_cuts_do_not_matter() -> None:
    """A chunk is its sets, whoever else is played."""
    duel = plain().duel
    whole = play_chunk(duel, 0, 0, 20)
    parts = [play_chunk(duel, i, 5 * i, 5) for i in range(4)]
    assert whole.scores == tuple(score for part in parts for score in part.scores)
    assert plain().scores[:20] == whole.scores


def test_merging() -> None:
    one, two = plain(), run_arena(A, B, pairs=20, seed=10)
    both = one.merge(two)
    assert both.scores == one.scores + two.scores
    assert both.points == mean_estimate(one.scores + two.scores, 2)
    assert both.spans == ((9, 0, PAIRS), (10, 0, 20))
    with pytest.raises(ArgumentError, match="same sets"):
        both.merge(two)
    with pytest.raises(ArgumentError, match="another duel"):
        one.merge(run_arena(A, "random", pairs=1, seed=1))


def test_stopping_early() -> None:
    """At the end of a chunk, after enough sets, and the same for any workers."""
    result = run_arena("greedy", "random", pairs=1000, until=2.5)
    assert result.stop == "until"
    assert FIRST_LOOK <= result.sets < 1000
    assert result.sets % CHUNK == 0
    stderr = result.points.stderr
    assert stderr is not None
    assert 1.96 * stderr <= 2.5
    decided = run_arena("greedy", "random", pairs=1000, sequential=True)
    with ThreadPoolExecutor(3) as pool:
        again = run_arena("greedy", "random", pairs=1000, sequential=True, executor=pool)
    assert decided == again
    assert (decided.stop, decided.better) == ("decided", "a")
    assert decided.sets < 300
    sums = sums_of(decided.scores)
    assert decided.points == ConfidenceSequence(1000).estimate_of(*sums, 2)
    even = run_arena(A, A, pairs=60, sequential=True)
    assert (even.stop, even.better) == ("pairs", None)


def test_progress_tells_every_chunk() -> None:
    told: list[ArenaResult] = []
    result = plain(progress=told.append)
    assert [found.sets for found in told] == [10, 20, 30, 40, 45]
    assert [found.stop for found in told] == ["interrupted"] * 4 + ["pairs"]
    assert told[-1] == result


def test_bad_calls() -> None:
    for options, field in (
        ({"pairs": 0}, "pairs"),
        ({"workers": 0}, "workers"),
        ({"until": -1.0}, "until"),
        ({"seed": -1}, "seed"),
        ({"players": 5}, "players"),
    ):
        with pytest.raises(BasraError) as caught:
            run_arena("greedy", "random", **options)
        assert caught.value.field in (field, "table")
    with pytest.raises(ModelError) as model:
        run_arena("greedy", "policy:model=none", pairs=1)
    assert model.value.value == "policy:model=none"


# -- files to go on from -------------------------------------------------------------------------


def test_resuming_is_one_run(tmp_path: Path) -> None:
    """From any number of sets to any other; nothing that is there is played again."""
    file = tmp_path / "run.jsonl"
    assert run_arena(A, B, pairs=23, seed=9, resume=file).sets == 23
    assert len(file.read_text().splitlines()) == 4
    assert plain(resume=file) == plain()
    before = file.read_bytes()
    assert plain(resume=file) == plain()
    assert run_arena(A, B, pairs=23, seed=9, resume=file).scores == plain().scores[:23]
    assert file.read_bytes() == before


def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    plain(resume=file)
    whole = file.read_bytes()
    for size in (len(whole) - 1, len(whole) - 40, whole.index(b"\n") + 2):
        file.write_bytes(whole[:size])
        assert plain(resume=file) == plain()
        assert sorted(file.read_bytes().splitlines()) == sorted(whole.splitlines())


def test_lines_in_any_order(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    plain(resume=file)
    head, *rest = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(head + b"".join(reversed(rest[1:])))
    assert plain(resume=file) == plain()


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"seed": 10}, "seed was 9"),
        ({"matches": True}, "matches was false"),
        ({"rules": "palestine"}, "rules was {"),
        ({"players": 3}, "players was 2"),
        ({"a": "greedy"}, 'a was "greedy:noise=1"'),
        ({"b": "random"}, 'b was "greedy"'),
    ],
)
def test_other_settings_are_named(tmp_path: Path, changes: dict[str, Any], named: str) -> None:
    file = tmp_path / "run.jsonl"
    plain(resume=file)
    options: dict[str, Any] = {"a": A, "b": B, "pairs": PAIRS, "seed": 9, "resume": file} | changes
    if "rules" in changes:
        options["rules"] = Rules.preset("palestine")
    if changes.get("players") == 3:
        options["rules"] = Rules.preset("classic")
    with pytest.raises(ArgumentError) as caught:
        run_arena(**options)
    assert caught.value.field == "resume"
    assert named in caught.value.message


def test_damage_is_named(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    plain(resume=file)
    lines = file.read_text().splitlines(keepends=True)
    for changed in (
        lines[2].replace('"rounds":20', '"rounds":21'),
        "{}\n",
        "\n",
        "[1]\n",
        lines[2][:-4] + "\n",
    ):
        file.write_text("".join([*lines[:2], changed, *lines[3:]]))
        with pytest.raises(ArgumentError, match="is damaged in line 3"):
            plain(resume=file)
    for other in ("hello\n", '{"schema":"basra.arena.run/1"}\n', "\x00\n"):
        file.write_text(other)
        with pytest.raises(ArgumentError, match="not begun by the arena"):
            plain(resume=file)
        assert file.read_text() == other
    with pytest.raises(ArgumentError, match="cannot be written"):
        plain(resume=tmp_path / "none" / "run.jsonl")


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="needs POSIX signals")
@pytest.mark.parametrize("workers", [1, 2])
def test_interrupted(tmp_path: Path, workers: int) -> None:
    """Ctrl-C: exit 130, what is done printed, and nothing of it played again."""
    file = tmp_path / "run.jsonl"
    words = ["arena", "greedy", "random", "--pairs", "1000000", "--resume", str(file), "--json"]
    process = subprocess.Popen(
        [*MODULE, *words, "--workers", str(workers)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), text=True,
        start_new_session=True,
    )  # fmt: skip
    try:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            if file.exists() and file.read_bytes().count(b"\n") > 150:
                break
            time.sleep(0.01)
        asked = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=20)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    assert time.monotonic() - asked < 3
    assert (process.returncode, err.strip()) == (130, "")
    found = json.loads(out)
    assert found["stop"] == "interrupted"
    kept = len(file.read_bytes().splitlines()) - 1
    assert found["sets"] <= 10 * kept
    again = run_arena("greedy", "random", pairs=found["sets"], resume=file)
    assert again.points.mean == found["points"]["mean"]
    assert len(file.read_bytes().splitlines()) - 1 == kept


def test_killed(tmp_path: Path) -> None:
    """Who is killed outright leaves no workers behind."""
    file = tmp_path / "run.jsonl"
    words = ["arena", "greedy", "random", "--pairs", "1000000", "--resume", str(file)]
    process = subprocess.Popen(
        [*MODULE, *words, "--workers", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment(), start_new_session=True,
    )  # fmt: skip
    try:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            if file.exists() and file.read_bytes().count(b"\n") > 150:
                break
            time.sleep(0.01)
        process.kill()
        # The pipes end when the last process that holds them has.
        process.communicate(timeout=20)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


MOMENTS = """
import os, random, signal, time
from concurrent.futures import ThreadPoolExecutor
from basra.arena import run_arena

signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
until = time.monotonic() + 4
caught = 0
while time.monotonic() < until:
    with ThreadPoolExecutor(2) as pool:
        signal.setitimer(signal.ITIMER_REAL, random.uniform(0.001, 0.01))
        try:
            run_arena("greedy", "random", pairs=100_000, executor=pool)
        except KeyboardInterrupt:
            caught += 1
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
print(caught)
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs POSIX signals")
def test_interrupted_at_any_moment() -> None:
    """However often: no lock of the executor is left taken, no thread waits for ever."""
    done = subprocess.run(
        [sys.executable, "-c", MOMENTS],
        env=environment(), capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > 20


# -- the command ---------------------------------------------------------------------------------

KEYS = {
    "schema", "a", "b", "rules", "players", "partners", "matches", "luck", "seed", "sets", "games",
    "rounds", "stop", "sequential", "points", "share", "better", "work", "reproducible",
    "sentence", "seconds",
}  # fmt: skip


def test_command() -> None:
    words = ["arena", "greedy", "random", "--pairs", "30", "--seed", "3"]
    found = call(*words, "--json").json
    assert set(found) == KEYS
    expected = run_arena("greedy", "random", pairs=30, seed=3)
    assert {**found, "seconds": 0} == {**expected.to_dict(), "seconds": 0}
    text = call(*words)
    assert (text.code, text.err) == (0, "")
    assert expected.sentence in " ".join(text.out.split())
    assert "30 deals, 60 rounds" in text.out
    matches = call(*words, "--matches", "--json").json
    assert set(matches["share"]) == {"mean", "stderr", "low", "high"}
    partners = call(*words, "--partners", "--rules", "palestine", "--json").json
    assert (partners["players"], partners["partners"]) == (4, True)


def test_command_lists() -> None:
    found = call("arena", "--list", "--json").json
    assert set(found) == {"schema", "methods", "levels"}
    assert found["levels"]["learner"]["player"] == "greedy"
    text = call("arena", "--list")
    for name in (*found["methods"], *found["levels"]):
        assert f" {name} " in text.out


@pytest.mark.parametrize(
    ("words", "field", "value"),
    [
        (["greedy"], "player", ""),
        (["greedy", "wrlds"], "player", "wrlds"),
        (["greedy:noise=x", "random"], "player", "noise=x"),
        (["greedy", "random", "--pairs", "0"], "pairs", "0"),
        (["greedy", "random", "--pairs", "many"], "pairs", "many"),
        (["greedy", "random", "--workers", "0"], "workers", "0"),
        (["greedy", "random", "--until", "-1"], "until", "-1"),
        (["greedy", "random", "--rules", "nowhere"], "rules", "nowhere"),
        (["greedy", "random", "greedy"], "arguments", "greedy"),
    ],
)
def test_command_errors(words: list[str], field: str, value: str) -> None:
    plain_call, found = call("arena", *words), call("arena", *words, "--json")
    assert (plain_call.code, found.code) == (2, 2)
    assert plain_call.out == found.out == ""
    assert (found.error["field"], found.error["value"]) == (field, value)
    assert found.error["fix"]
    assert "Traceback" not in plain_call.err
    assert sys.executable not in plain_call.err
