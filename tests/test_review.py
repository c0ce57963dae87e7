"""Reviews of games: what every decision cost for what its seat knew, marks, luck, key moments."""

from __future__ import annotations

import json
import math
import pickle
import random
from dataclasses import FrozenInstanceError, replace
from itertools import pairwise
from statistics import mean, stdev
from threading import Timer
from time import perf_counter

import pytest

from basra import (
    ArgumentError,
    Cards,
    Engine,
    Game,
    Limits,
    Match,
    OpenReview,
    Position,
    Record,
    Review,
    ReviewSettings,
    Rules,
    default_model,
    hint,
    preset_names,
    review,
)
from basra.results import HintMove
from basra.reviews.comparing import compared, place_of
from basra.reviews.luck import luck_of
from basra.reviews.marks import MARKS, SCALES, SURE, VERDICTS
from basra.reviews.moments import LEAST_SWING
from basra.reviews.results import Decision, ReviewedRound
from cli_helpers import strict_json
from review_helpers import at_random, match_of, people, seen_by

DONE_WELL = {"best", "forced"}


@pytest.fixture(scope="module")
def casual() -> Record:
    """A round between players who leave much lying."""
    return match_of("casual", "learner", seed=5).record()


@pytest.fixture(scope="module")
def reviewed(casual: Record) -> Review:
    """Its review."""
    return review(casual)


@pytest.fixture(scope="module")
def whole_match() -> Match:
    """Some rounds of a match."""
    return match_of("casual", "learner", seed=11, rounds=None)


# -- the engine's own games ----------------------------------------------------------------------


def is_clean(found: Review) -> bool:
    """No mark, and nothing close either."""
    return found.decisions != () and {d.verdict for d in found.decisions} <= DONE_WELL


@pytest.mark.parametrize("preset", preset_names())
@pytest.mark.parametrize("seed", [1, 2])
def test_full_strength_has_no_marks(preset: str, seed: int) -> None:
    """A round that `full` played with itself by `Match.play_on`; the default settings."""
    match = match_of("full", "full", rules=preset, seed=seed)
    found = review(match)
    assert is_clean(found)
    assert found.moments == tuple(m for m in found.moments if m.kind == "swing")
    assert found.seed == seed


@pytest.mark.parametrize("seed", [4, 8])
def test_full_strength_in_a_match(seed: int) -> None:
    """Also where the score changes what a move is worth.

    With seed 4 it takes the one of two moves with the same points that wins less often.
    """
    match = match_of("full", "full", seed=seed, rounds=None)
    found = review(match.record())
    assert len(found.rounds) > 1
    assert found.marked == ()
    assert all(d.win is not None for d in found.decisions if d.verdict == "best")
    others = [d for d in found.decisions if d.verdict not in DONE_WELL]
    assert len(others) == (seed == 4)
    for decision in others:
        assert decision.verdict == "close"
        assert decision.loss == 0
        assert decision.win_loss is not None
        assert decision.win_loss > 0.005


def test_full_strength_at_larger_tables() -> None:
    """Three players, and partners over two rounds."""
    assert is_clean(review(match_of("full", "full", "full", rules="palestine-52", seed=8)))
    four = match_of(*["full"] * 4, seed=8, rounds=2, partners=True)
    assert is_clean(review(four))


def test_other_players_have_marks(reviewed: Review) -> None:
    """So that no marks mean something."""
    assert len(reviewed.marked) > 5
    assert {d.mark for d in reviewed.marked} <= set(MARKS)


def test_the_seed_of_the_record_is_used() -> None:
    """Other hands drawn would sometimes choose otherwise."""
    match = match_of("full", "full", seed=21)
    assert review(match).seed == 21
    assert review(match, seed=0).seed == 0
    assert review(replace(match.record(), seed=None)).seed == 0
    assert not is_clean(review(match, seed=3))


# -- values and marks ----------------------------------------------------------------------------


def test_values_are_those_of_hints(reviewed: Review) -> None:
    """A decision is the hint for its view, with the trust of players."""
    judged = [d for d in reviewed.decisions if d.method]
    assert {d.method for d in judged} == {"expectimax/1", "solve/1"}
    for decision in judged[::3]:
        assert decision.view is not None
        answer = hint(decision.view, method="best", trust=100, seed=5)
        mine = answer.moves[place_of(answer.moves, decision.played)]
        assert decision.moves == answer.moves
        assert (decision.value, decision.best_value) == (mine.value, answer.best.value)
        assert decision.loss == mine.delta
        if decision.method == "expectimax/1":
            assert decision.stderr == mine.delta_stderr
        assert (decision.best == decision.played) == (decision.verdict == "best")


def test_marks_by_the_scale(reviewed: Review) -> None:
    """The published thresholds, and twice the error, reckoned once more."""
    least = {"inaccuracy": 1, "mistake": 4, "blunder": 10}
    assert dict(zip(MARKS, SCALES["points"].least, strict=True)) == least
    for decision in reviewed.decisions:
        if decision.loss is None:
            assert decision.verdict == "forced"
            continue
        marks = [mark for mark, points in least.items() if decision.loss >= points]
        if decision.loss == 0:
            wanted = "best"
        elif decision.stderr is not None and decision.loss <= 2 * decision.stderr:
            wanted = "close"
        else:
            wanted = marks[-1] if marks else "small"
        assert decision.verdict == wanted


def test_inside_the_error_nothing_is_marked(casual: Record) -> None:
    """Few worlds have large errors: what is behind by less than twice that is close."""
    found = review(casual, method="worlds", limits=Limits(worlds=8))
    close = [d for d in found.decisions if d.verdict == "close"]
    assert close
    for decision in found.decisions:
        if decision.mark is not None:
            assert decision.loss is not None
            assert decision.stderr is not None
            assert decision.loss > SURE * decision.stderr
    assert any((d.loss or 0) >= 1 for d in close)


def test_one_world_tells_nothing(casual: Record) -> None:
    """An error that nobody knows may be any."""
    found = review(casual, method="worlds", limits=Limits(worlds=1))
    assert all(d.mark is None for d in found.decisions if d.stderr is None)
    assert any(d.verdict == "close" for d in found.decisions)


def test_equal_cards_are_one_choice() -> None:
    """Of equal cards the last is played, where a hint names the first."""
    match = Match("classic", seed=9)
    game = match.next_round()
    others = 0
    while not game.is_over:
        best = hint(game.view, method="best", trust=100, seed=9).best
        played = (best.move, *best.equal)[-1]
        others += played != best.move
        game.play(played)
    assert others > 1
    found = review(match)
    assert is_clean(found)
    assert all(d.best == d.played for d in found.decisions if d.verdict == "best")


def test_scale() -> None:
    """Both scales at their edges."""
    for scale in SCALES.values():
        light, middle, heavy = scale.least
        assert light < middle < heavy
        assert scale.verdict(0, 0) == "best"
        assert scale.verdict(-light, 0) == "best"
        assert scale.verdict(light / 2, 0) == "small"
        assert scale.verdict(light, 0) == "inaccuracy"
        assert scale.verdict(middle, middle / 2.01) == "mistake"
        assert scale.verdict(middle, middle / 2) == "close"
        assert scale.verdict(heavy, 0) == "blunder"
        assert scale.verdict(heavy, None) == "close"


# -- in a match ----------------------------------------------------------------------------------


def test_chances_in_a_match(whole_match: Match) -> None:
    """Every decision has the chance to win; marks go by it."""
    found = review(whole_match)
    assert found.in_match
    assert found.winner == whole_match.winner
    judged = [d for d in found.decisions if d.method]
    least = {"inaccuracy": 0.005, "mistake": 0.02, "blunder": 0.05}
    assert dict(zip(MARKS, SCALES["win"].least, strict=True)) == least
    marks = set()
    for decision in judged:
        assert decision.win is not None
        assert decision.best_win is not None
        assert decision.win_loss is not None
        assert 0 <= decision.win <= 1
        if decision.mark is not None:
            marks.add(decision.mark)
            reached = [mark for mark, part in least.items() if decision.win_loss >= part]
            assert decision.mark == reached[-1]
            assert decision.cost == decision.win_loss
    assert marks
    lost = sum(d.win_loss or 0 for d in found.marked if d.seat == 0)
    assert found.seats[0].win_lost == pytest.approx(lost)


def test_chances_are_those_of_hints(whole_match: Match) -> None:
    """By the worlds search, which has them world by world once there is a score."""
    found = review(whole_match, method="worlds", limits=Limits(worlds=20))
    later = [d for d in found.rounds[-1].decisions if d.method]
    for decision in later[::7]:
        assert decision.view is not None
        answer = hint(decision.view, worlds=20, trust=100, seed=11)
        mine = answer.moves[place_of(answer.moves, decision.played)].match
        assert mine is not None
        assert answer.best.match is not None
        assert (decision.win, decision.best_win) == (mine.win, answer.best.match.win)
        assert (decision.win_loss, decision.win_stderr) == (mine.delta, mine.delta_stderr)


def test_a_round_alone_is_no_match(reviewed: Review, casual: Record) -> None:
    """Nobody knows whether it is played for more; with scores before it, it is."""
    assert not reviewed.in_match
    assert all(d.win is None for d in reviewed.decisions)
    assert all(seat.win_lost is None for seat in reviewed.seats)
    later = replace(casual, scores=(61, 84), first_round=3)
    assert review(later).in_match
    assert any(d.win is not None for d in review(later).decisions)


def test_a_point_means_more_near_the_end(casual: Record) -> None:
    """The same decision in a match that is nearly decided, and in one that is not."""

    def lost(scores: tuple[int, int]) -> float:
        found = review(replace(casual, scores=scores, first_round=4), seats=[0])
        return sum(d.win_loss or 0 for d in found.decisions)

    assert lost((60, 60)) > 3 * lost((0, 95))


# -- nothing is dropped --------------------------------------------------------------------------


def test_every_decision_is_counted(reviewed: Review) -> None:
    """Forced ones too."""
    assert [d.ply for d in reviewed.decisions] == list(range(1, 49))
    for seat in reviewed.seats:
        assert [verdict for verdict, _ in seat.counts] == list(VERDICTS)
        assert seat.decisions == 24
        for verdict, count in seat.counts:
            mine = [d for d in reviewed.decisions if d.seat == seat.seat and d.verdict == verdict]
            assert count == len(mine)
    for decision in reviewed.decisions:
        assert decision.view is not None
        alone = len(hint(decision.view, worlds=1).moves) == 1
        assert (decision.verdict == "forced") == alone


def test_hands_that_are_not_known(casual: Record) -> None:
    """A deal that was played out tells its hands; the last one, half played, does not."""
    seen = seen_by(casual, 0, 21)
    found = review(seen, seed=5)
    assert len(found.decisions) == 21
    unknown = [d.ply for d in found.decisions if d.verdict == "unknown"]
    assert unknown == [18, 20]
    assert dict(found.seats[1].counts)["unknown"] == 2
    assert [deal.luck is None for deal in found.rounds[0].deals] == [False, False, True]
    assert found.rounds[0].luck() is None
    assert found.rounds[0].points is None
    assert found.rounds[0].open is None
    known = review(casual).decisions[:21]
    for mine, all_known in zip(found.decisions, known, strict=True):
        if mine.verdict != "unknown":
            assert replace(mine, view=None) == replace(all_known, view=None)
            assert mine.view == all_known.view


def test_limits_that_are_too_narrow(casual: Record) -> None:
    """What was not found out is said to be so."""
    found = review(casual, limits=Limits(nodes=1), seats=[1])
    counts = dict(found.seats[0].counts)
    assert counts["unreached"] > 0
    assert sum(counts.values()) == 24


def test_seats(casual: Record) -> None:
    """People's by default, everybody's if all are engine players; or those asked for."""
    assert review(casual).reviewed == (0, 1)
    assert review(people(casual)).reviewed == (0, 1)
    mixed = replace(casual, seats=(people(casual).seats[0], casual.seats[1]))
    assert review(mixed).reviewed == (0,)
    alone = review(casual, seats=[1, 1])
    assert alone.reviewed == (1,)
    assert {d.seat for d in alone.decisions} == {1}
    for wrong in ([2], [0, -1], []):
        with pytest.raises(ArgumentError) as caught:
            review(casual, seats=wrong)
        assert caught.value.field == "seat"


# -- what the seat knew --------------------------------------------------------------------------


def with_other_future(start: Position, moves: int, dice: random.Random) -> Game:
    """The same round up to some ply, of which the seat to move then sees nothing else: all cards
    that it does not know lie elsewhere, and are played otherwise."""
    game = Game.of(start.copy())
    while len(game.turns) < moves:
        game.play(dice.choice(game.legal_moves()))
    here = game.position
    assert here is not None
    me, other = here.turn, 1 - here.turn
    hidden = [*here.hands[other], *here.stock]
    moved = dict(zip(hidden, dice.sample(hidden, len(hidden)), strict=True))
    again = start.copy()
    fields = again.data.fields()
    fields["hands"] = [Cards([moved.get(card, card) for card in hand]).mask for hand in start.hands]
    fields["stock"] = [moved.get(card, card).index for card in start.stock]
    changed = Game.of(Position.from_fields(start.rules, fields, True))
    for turn in game.turns:
        changed.play(turn.move)
    now = changed.position
    assert now is not None
    assert now.hands[me] == here.hands[me]
    assert now.hands[other] != here.hands[other]
    return at_random(changed, dice)


@pytest.mark.parametrize("moves", [3, 12, 21, 30])
def test_no_peeking(moves: int) -> None:
    """What the seat could not know changes nothing, to the last bit: not in its own decisions up to
    there, nor in anybody's of the deals before."""
    start = Position.deal("classic", 4)
    plain = at_random(with_same_start(start, moves), random.Random(5))
    changed = with_other_future(start, moves, random.Random(moves))
    first, second = review(plain), review(changed)
    seat = (moves) % 2
    before = 8 * (moves // 8)
    assert plain.turns[:moves] == changed.turns[:moves]
    compared = 0
    for mine, same in zip(first.decisions[:moves], second.decisions[:moves], strict=True):
        if mine.seat == seat or mine.ply <= before:
            assert mine == same
            assert mine.to_dict() == same.to_dict()
            compared += 1
    assert compared >= moves // 2
    assert first.decisions[moves:] != second.decisions[moves:]


def with_same_start(start: Position, moves: int) -> Game:
    """The round as it was dealt, with the plies that `with_other_future` begins with."""
    game, dice = Game.of(start.copy()), random.Random(moves)
    while len(game.turns) < moves:
        game.play(dice.choice(game.legal_moves()))
    return game


# -- other moves than those played ---------------------------------------------------------------


@pytest.mark.parametrize("method", ["best", "worlds", "greedy"])
def test_other_moves_are_judged_as_if_played(whole_match: Match, method: str) -> None:
    """On the same scale, by the same rules: what a quiz says is what a review would say."""
    from basra.reviews.judge import Judge

    settings = ReviewSettings(method, Limits(worlds=10) if method == "worlds" else Limits())
    record = replace(whole_match.record(), rounds=whole_match.record().rounds[:2])
    with Engine() as engine:
        found = engine.review(record, settings=settings)
        judge = Judge(engine, found.rules, settings, found.seed, found.in_match)
        judged = [d for d in found.decisions if d.method and d.view]
        assert judged
        for decision in judged:
            assert decision.judged(decision.played) == (decision.verdict, decision.loss)
        for decision in judged[::9]:
            assert decision.view is not None
            for entry in decision.moves:
                mine = judge.judge(decision.view, entry.move).played
                assert decision.judged(entry.move) == (mine.verdict, mine.loss)
                for equal in entry.equal:
                    assert decision.judged(equal) == (mine.verdict, mine.loss)


def other(move: HintMove, delta: float, stderr: float | None) -> HintMove:
    """A move that is so much behind one of 10 points."""
    return replace(move, value=10 - delta, delta=delta, delta_stderr=stderr, match=None, equal=())


def test_errors_that_nobody_knows_mark_nothing(reviewed: Review) -> None:
    """Not as played, nor asked for later; where nothing is drawn the error is none."""
    decision = next(d for d in reviewed.decisions if d.method and len(d.moves) > 1)
    best, second = (other(m, d, None) for m, d in zip(decision.moves, (0.0, 6.0), strict=False))
    for method, verdict in {"worlds/1": "close", "greedy/1": "mistake"}.items():
        asked = replace(decision, method=method, moves=(best, second), chances=None)
        assert asked.judged(second.move) == (verdict, 6.0)
        assert compared(method, asked.moves, None, second.move).verdict == verdict


def test_alternatives_in_a_match_are_judged_by_its_chances(reviewed: Review) -> None:
    """Where the method tells points: many of them can matter little, and few of them much."""
    decision = next(d for d in reviewed.decisions if d.method and len(d.moves) > 1)
    best, second = (other(m, d, 0.0) for m, d in zip(decision.moves, (0.0, 6.0), strict=False))
    asked = replace(decision, method="expectimax/1", moves=(best, second))
    for win, verdict in {0.499: "small", 0.49: "inaccuracy", 0.3: "blunder"}.items():
        assert replace(asked, chances=(0.5, win)).judged(second.move) == (verdict, 6.0)
    # No other move is better in points: a chance alone does not mark it.
    even = replace(asked, moves=(best, other(second, 0.0, 0.0)), chances=(0.5, 0.3))
    assert even.judged(second.move) == ("close", 0.0)


# -- luck ----------------------------------------------------------------------------------------


def test_luck_of_a_round(reviewed: Review) -> None:
    """By deal and side; what one side gains the other loses."""
    [found] = reviewed.rounds
    assert [deal.deal for deal in found.deals] == [1, 2, 3, 4, 5, 6]
    for deal in found.deals:
        assert deal.before is not None
        assert deal.after is not None
        assert deal.luck is not None
        assert deal.stderr is not None
        assert deal.stderr > 0
        assert deal.luck[0] == pytest.approx(-deal.luck[1])
        assert deal.luck[0] == pytest.approx(deal.after[0] - deal.before[0])
    total = found.luck()
    assert total is not None
    assert total[0] == pytest.approx(sum(deal.luck[0] for deal in found.deals if deal.luck))
    assert found.luck_stderr == pytest.approx(math.hypot(*(d.stderr or 0 for d in found.deals)))


def test_luck_is_even_on_the_whole() -> None:
    """Before the cards are dealt nothing is to be expected of them."""
    lucks = []
    with Engine() as engine, engine.held() as data:
        for seed in range(40):
            position = Position.deal("classic", seed)
            found = luck_of(data, default_model(position.rules), position, seed, [])
            assert found.luck is not None
            lucks.append(found.luck[0])
    error = stdev(lucks) / math.sqrt(len(lucks))
    assert abs(mean(lucks)) < 3 * error
    assert stdev(lucks) > 4


def test_good_cards_are_luck() -> None:
    """A hand of jacks and the seven of diamonds, against what could have been dealt."""
    dealt = [*Cards("JC JD JH 7D"), *Cards("4C 9H KD QC"), *Cards("2H 3C 5S 8D")]
    rest = [card for card in Rules.preset("classic").pack if card not in dealt]
    position = Position.deal_pack("classic", [*dealt, *rest])
    with Engine() as engine, engine.held() as data:
        found = luck_of(data, default_model(position.rules), position, 1, [])
    assert found.luck is not None
    assert found.luck[0] > 5


def test_buried_cards_are_in_nobodys_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the first deal hands are drawn from the cards that can be in them."""
    from basra.reviews import luck

    seen: list[Position] = []
    plain = luck._dealt_again

    def spying(*about: object) -> Position:
        found = plain(*about)  # type: ignore[arg-type]
        seen.append(found)
        return found

    monkeypatch.setattr(luck, "_dealt_again", spying)
    position = next(found for seed in range(99) if (found := Position.deal("classic", seed)).buried)
    with Engine() as engine, engine.held() as data:
        luck_of(data, None, position, 1, [])
    assert len({found.notation for found in seen}) > 100
    places = set()
    for found in seen:
        assert not any(hand & Cards(position.buried) for hand in found.hands)
        assert found.floor == position.floor
        places.add(found.stock.index(position.buried[0]))
    assert len(places) > 10


def test_luck_of_single_players() -> None:
    """Leads are over the mean of the others, and add up to nothing."""
    found = review(match_of("greedy", "greedy", "greedy", rules="palestine-52", seed=2), seats=[0])
    for deal in found.rounds[0].deals:
        assert deal.luck is not None
        assert len(deal.luck) == 3
        assert sum(deal.luck) == pytest.approx(0, abs=1e-9)


# -- key moments ---------------------------------------------------------------------------------


def test_key_moments(reviewed: Review) -> None:
    """The costliest decisions, and where a round turned, in the order played."""
    costly = sorted(reviewed.marked, key=lambda d: -(d.loss or 0))[:5]
    cost = [m for m in reviewed.moments if m.kind == "cost"]
    assert {m.ply for m in cost} == {d.ply for d in costly}
    for moment in cost:
        assert moment.value == reviewed.decision(moment).loss
    swings = [m for m in reviewed.moments if m.kind == "swing"]
    assert swings
    assert [m.ply for m in reviewed.moments] == sorted(m.ply for m in reviewed.moments)
    judged = [d for d in reviewed.decisions if d.before]
    moves = {
        now.ply: now.before[0] - last.after[0]
        for last, now in pairwise(judged)
        if now.before and last.after
    }
    largest = sorted(
        (ply for ply in moves if ply not in {m.ply for m in cost}), key=lambda p: -abs(moves[p])
    )[:3]
    assert {m.ply for m in swings} == {p for p in largest if abs(moves[p]) >= LEAST_SWING}
    for moment in swings:
        assert moment.value == pytest.approx(moves[moment.ply])
        before = max(d.ply for d in judged if d.ply < moment.ply)
        assert moment.dealt == ((before - 1) // 8 != (moment.ply - 1) // 8)


def test_leads(reviewed: Review) -> None:
    """What is expected at the end: banked points, and the value of the move."""
    for decision in reviewed.decisions:
        if decision.value is None:
            continue
        assert decision.view is not None
        assert decision.after is not None
        mine, theirs = decision.view.points
        assert decision.after[decision.seat] == pytest.approx(mine - theirs + decision.value)
    [last] = [d for d in reviewed.decisions if d.ply == 45]
    points = reviewed.rounds[0].points
    assert points is not None
    if last.verdict == "best" and all(d.verdict in DONE_WELL for d in reviewed.decisions[45:]):
        assert last.after is not None
        assert last.after[0] == points[0] - points[1]


# -- the second opinion --------------------------------------------------------------------------


def test_open_hands(reviewed: Review, casual: Record) -> None:
    """With all cards known to everybody, as the open review has it; apart from the marks."""
    [found] = reviewed.rounds
    position = Match.from_record(casual).games[0].position
    assert position is not None
    whole = review(position)
    assert found.open is not None
    assert [p.loss for p in found.open.plies] == [p.loss for p in whole.plies]
    for decision in found.decisions:
        ply = found.open_ply(decision)
        assert ply is not None
        assert ply.played == decision.played
    twice = [d for d in reviewed.decisions if d.mark is not None and not opinion(found, d)]
    assert twice, "a mark that open hands do not see"


def opinion(found: ReviewedRound, decision: Decision) -> float:
    """Points lost with open hands."""
    ply = found.open_ply(decision)
    assert ply is not None
    assert ply.loss is not None
    return ply.loss


def test_open_hands_can_be_left_out(casual: Record) -> None:
    """Or limited: then plies at the start have none."""
    with Engine() as engine:
        found = engine.review(casual, settings=ReviewSettings(open_nodes=0), seats=[0])
        assert found.rounds[0].open is None
        found = engine.review(casual, settings=ReviewSettings(open_nodes=300), seats=[0])
    opinions = [found.rounds[0].open_ply(d) for d in found.decisions]
    assert opinions[0] is None
    assert opinions[-1] is not None


# -- as values, and how they are asked for -------------------------------------------------------


def test_records_matches_and_games(casual: Record, reviewed: Review) -> None:
    """All the same to it."""
    match = Match.from_record(casual)
    assert same(review(match), reviewed)
    found = review(match.games[0], seed=5)
    assert found.rounds[0].decisions == reviewed.rounds[0].decisions
    with Engine() as engine:
        assert same(engine.review(casual), reviewed)
        assert isinstance(engine.last_result, Review)
        position = match.games[0].position
        assert position is not None
        assert isinstance(engine.review(position), OpenReview)
    assert isinstance(review(position), OpenReview)


def same(a: Review, b: Review) -> bool:
    """But for how long it took."""
    return a.to_dict() | {"seconds": 0} == b.to_dict() | {"seconds": 0}


def test_a_value(reviewed: Review) -> None:
    """Frozen, pickled, and JSON."""
    again = pickle.loads(pickle.dumps(reviewed))
    assert again == reviewed
    assert again.to_dict() == reviewed.to_dict()
    with pytest.raises(FrozenInstanceError):
        reviewed.stop = "other"  # type: ignore[misc]
    found = strict_json(json.dumps(reviewed.to_dict()))
    assert found["schema"] == "basra.game-review/1"
    assert found["scale"]["points"] == {"inaccuracy": 1, "mistake": 4, "blunder": 10}
    assert [len(r["decisions"]) for r in found["rounds"]] == [48]
    decision = found["rounds"][0]["decisions"][0]
    assert decision["seat"] == 1
    assert decision["open_hands"]["loss"] >= 0
    assert "knows=1" in decision["position"]


def test_a_value_with_a_model(casual: Record) -> None:
    """What it was judged by is a value too."""
    model = default_model(casual.rules)
    found = review(casual, model=model, seats=[0])
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert again.settings.model == model
    assert hash(again.settings.model) == hash(model)
    assert again != review(casual, model=None, seats=[0])


def test_deterministic(casual: Record, reviewed: Review) -> None:
    """The same bits again, with any number of threads."""
    assert same(review(casual), reviewed)
    some = review(casual, method="worlds", limits=Limits(worlds=24))
    assert same(review(casual, method="worlds", limits=Limits(worlds=24), threads=2), some)


def test_progress(casual: Record) -> None:
    """Told from the start, decision by decision."""
    told: list[tuple[int, int]] = []
    found = review(casual, seats=[0], progress=lambda done, total: told.append((done, total)))
    judged = sum(d.method is not None for d in found.decisions)
    assert told == [(done, judged) for done in range(judged + 1)]


def test_interrupted(casual: Record) -> None:
    """What was found so far is kept, the rest counted as not reached."""

    def stop(done: int, _: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    with Engine() as engine:
        with pytest.raises(KeyboardInterrupt):
            engine.review(casual, progress=stop)
        found = engine.last_result
        assert isinstance(found, Review)
        assert found.stop == "interrupted"
        assert sum(d.method is not None for d in found.decisions) == 4
        assert sum(dict(seat.counts)["unreached"] for seat in found.seats) > 20
        assert engine.review(casual, seats=[0]).stop == "complete"


def test_stopped(casual: Record) -> None:
    """From another thread, or here from the progress."""
    with Engine() as engine:

        def stop(done: int, _: int) -> None:
            if done == 4:
                engine.stop()

        found = engine.review(casual, progress=stop)
        assert found.stop == "requested"
        assert sum(d.method is not None for d in found.decisions) <= 5


def at_the_call(
    monkeypatch: pytest.MonkeyPatch, engine: Engine, where: str, number: int
) -> list[int]:
    """Stops the engine just before a call of a function that a review works with."""
    from basra.reviews import luck, run

    module, name = {
        "luck": (luck, "_leads"), "deal": (run, "luck_of"), "open": (Engine, "_open_review"),
    }[where]  # fmt: skip
    plain, calls = getattr(module, name), [0]

    def stopping(*about: object) -> object:
        calls[0] += 1
        if calls[0] == number:
            engine.stop()
        return plain(*about)

    monkeypatch.setattr(module, name, stopping)
    return calls


@pytest.mark.parametrize(
    ("where", "number", "judged"),
    [("luck", 1, 0), ("luck", 2, 0), ("luck", 300, 0), ("deal", 3, 0), ("open", 1, 1)],
)
def test_stopped_outside_of_decisions(
    casual: Record, monkeypatch: pytest.MonkeyPatch, where: str, number: int, judged: int
) -> None:
    """In luck and in the second opinion, the last of all included: nothing more is begun."""
    with Engine() as engine:
        calls = at_the_call(monkeypatch, engine, where, number)
        found = engine.review(casual, settings=ReviewSettings("greedy"))
        assert engine.last_result is found
        assert calls[0] == number
    assert found.stop == "requested"
    assert bool([d for d in found.decisions if d.method]) == bool(judged)
    [now] = found.rounds
    if where != "open":
        # What was not gone through is not told, nor a sum without it.
        assert [deal.deal for deal in now.deals] == [1, 2, 3, 4, 5, 6]
        known = [deal.deal for deal in now.deals if deal.luck is not None]
        assert known == {("luck", 300): [1], ("deal", 3): [1, 2]}.get((where, number), [])
        assert now.luck() is None
        assert now.open is None
    assert found.html()
    json.dumps(found.to_dict())


def test_luck_of_a_search_that_was_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The core then has fewer values than were asked for: here none."""
    from basra import _core

    monkeypatch.setattr(_core, "deal_values", lambda *_: [])
    for players in (2, 3):
        position = Position.deal("classic", 1, players=players)
        with Engine() as engine, engine.held() as data:
            found = luck_of(data, None, position, 1, [])
        assert (found.deal, found.before, found.after, found.luck) == (1, None, None, None)


def test_stopped_without_decisions(casual: Record) -> None:
    """Also where no hand of the seat is known, and nothing is judged."""
    blind = seen_by(casual, 0, 6)
    with Engine() as engine:

        def stop(done: int, total: int) -> None:
            assert (done, total) == (0, 0)
            engine.stop()

        found = engine.review(blind, seats=[1], progress=stop, settings=ReviewSettings("greedy"))
    assert found.stop == "requested"


def test_stopped_at_any_moment() -> None:
    """From another thread: always an answer that says how it ended."""
    record = match_of("casual", "learner", "learner", seed=3).record()
    dice = random.Random(1)
    settings = ReviewSettings("greedy", open_nodes=20_000)
    with Engine() as engine:
        began = perf_counter()
        assert engine.review(record, settings=settings).stop == "complete"
        whole = perf_counter() - began
        for _ in range(12):
            engine.last_result = None
            timer = Timer(dice.random() * min(whole, 0.5), engine.stop)
            timer.start()
            try:
                found = engine.review(record, settings=settings)
            finally:
                timer.cancel()
                timer.join()
            assert engine.last_result is found
            whole_review = all(d.verdict != "unreached" for d in found.decisions) and all(
                now.luck() is not None and now.open is not None for now in found.rounds
            )
            assert found.stop == "requested" or (found.stop == "complete" and whole_review)


def test_bad_arguments(casual: Record) -> None:
    """Each with its field."""
    cases: dict[str, dict[str, object]] = {
        "method": {"method": "policy"},
        "trust": {"trust": 1000},
        "seed": {"seed": -1},
        "threads": {"threads": 0},
    }
    for field, changes in cases.items():
        with pytest.raises(ArgumentError) as caught:
            review(casual, **changes)  # type: ignore[call-overload]
        assert caught.value.field == field
    with pytest.raises(ArgumentError, match="points"):
        ReviewSettings(method="random")


def test_nothing_played() -> None:
    """A record without a move has nothing to say, and says so."""
    found = review(Match("classic", seed=1).record())
    assert found.rounds == ()
    assert [seat.decisions for seat in found.seats] == [0, 0]


def test_methods_without_a_model(casual: Record) -> None:
    """Rules that no model was made for are judged by the worlds search, as `best` plays there."""
    found = review(casual, model=None, seats=[0])
    assert {d.method for d in found.decisions if d.method} == {"worlds/1", "solve/1"}
    # Seat 2 is the learner, who always takes what brings most at once.
    greedy = review(casual, method="greedy")
    assert {d.verdict for d in greedy.decisions if d.seat == 1} <= DONE_WELL
    assert any(d.mark is not None for d in greedy.decisions if d.seat == 0)
