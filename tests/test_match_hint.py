"""Hints for the match, and reasons that weigh what was played in this deal."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from basra import Engine, Limits, Model, Position, Rules, View, hint
from basra.belief import Belief, passed_over
from basra.models import EQUITY, default_model, parts_of
from cli_helpers import in_process

CLASSIC = Rules.preset("classic")
LIMITS = Limits(worlds=48)


def model() -> Model:
    found = default_model(CLASSIC)
    assert found is not None
    assert any(part.kind == EQUITY for part in parts_of(found.bytes))
    return found


def view(match: str | None) -> View:
    return View(hand="7D 5C KH 2S", floor="3C 2H 5S", match=match)


def test_chances_are_shown_and_rank_the_moves() -> None:
    found = hint(view("61:84"), limits=LIMITS)
    assert found.objective == "match"
    chances = [move.match for move in found.moves]
    assert all(chance is not None and 0 <= chance.win <= 1 for chance in chances)
    wins = [chance.win for chance in chances if chance is not None]
    assert wins == sorted(wins, reverse=True)
    assert [chance.delta for chance in chances if chance is not None] == pytest.approx(
        [wins[0] - win for win in wins]
    )
    # Values in points are the same as without a match.
    plain = {move.move.text: move.value for move in hint(view(None), limits=LIMITS).moves}
    assert {move.move.text: move.value for move in found.moves} == plain


def test_more_of_a_lead_is_a_better_chance() -> None:
    wins = []
    for match in ("20:90", "60:84", "84:60", "90:20"):
        best = hint(view(match), limits=LIMITS).best.match
        assert best is not None
        wins.append(best.win)
    assert wins == sorted(wins)
    assert wins[-1] - wins[0] > 0.3


@pytest.mark.parametrize("match", [None, "0:0"])
def test_points_where_no_score_is_given(match: str | None) -> None:
    found = hint(view(match), limits=LIMITS)
    assert found.objective == "points"
    assert all(move.match is None for move in found.moves)
    assert "match" not in str(found.to_dict()["moves"])


def test_points_without_a_model_and_for_other_targets() -> None:
    assert hint(view("61:84"), limits=LIMITS, model=None).objective == "points"
    other = View(
        hand="7D 5C KH 2S", floor="3C 2H 5S", match="61:84",
        rules=Rules.from_toml('base = "classic"\ntarget = 151'),
    )  # fmt: skip
    assert hint(other, limits=LIMITS).objective == "points"


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_do_not_matter(threads: int) -> None:
    def moves(threads: int) -> object:
        with Engine(threads) as engine:
            return engine.hint(view("61:84"), LIMITS, model=model(), trust=100).moves

    assert moves(threads) == moves(1)


def test_the_last_deal_is_played_for_the_match() -> None:
    """What wins the match may bring fewer points: the exact chance of each move decides."""
    position = Position.deal(CLASSIC, 5)
    while View.of(position).deal < 6:
        position.play(position.legal_moves()[0])
    fields = View.of(position)
    known = View(
        hand=fields.hand, floor=fields.floor, seen=fields.seen, cards=fields.cards,
        points=fields.points, last=fields.last, match="90:95", deal=6, seat=1,
    )  # fmt: skip
    found = hint(known)
    assert found.exact
    assert found.objective == "match"
    best = found.best.match
    assert best is not None
    assert best.stderr == 0


def played() -> View:
    """The other seat laid down a king where a six lay on the floor."""
    return View(hand="KC 9H 2S 4D", floor="6C KH", seen="", played="KH", seat=2, deal=1)


def test_belief_gives_a_reason_where_it_changes_a_chance() -> None:
    found = hint(played(), limits=LIMITS, trust=100)
    reasons = [reason for move in found.moves for reason in move.reasons]
    beliefs = [reason for reason in reasons if reason.code == "belief"]
    assert beliefs
    belief = Belief.of(played(), model(), 100, 0)
    assert belief is not None
    for move in found.moves:
        replies = [r for r in move.reasons if r.code in ("reply_basra", "reply_sweep", "belief")]
        for before, after in pairwise(replies):
            if after.code == "belief":
                assert after.cards == before.cards
                assert abs(after.value - before.value) >= 0.03
                mask = sum(1 << _index(text) for text in after.cards)
                assert after.value == pytest.approx(belief.chance(0, mask))
    assert not any(
        reason.code == "belief"
        for move in hint(played(), limits=LIMITS, trust=0).moves
        for reason in move.reasons
    )


def _index(text: str) -> int:
    return "A23456789TJQK".index(text[0]) * 4 + "CDHS".index(text[1])


def test_what_was_passed_over() -> None:
    sixes, kings, sevens = (15 << 4 * rank for rank in (5, 12, 6))
    left = passed_over(played(), 0, sixes)
    assert left is not None
    assert left.text == "KH"
    # No king lay there when the king was laid down, and no seven ever did.
    assert passed_over(played(), 0, kings) is None
    assert passed_over(played(), 0, sevens) is None
    assert passed_over(played(), 1, sixes) is None


def test_chances_of_belief_add_up() -> None:
    belief = Belief.of(played(), model(), 100, 0)
    assert belief is not None
    assert belief.chance(0, (1 << 52) - 1) == 1
    assert belief.chance(0, 0) == 0
    assert belief.chance(0, 15 << 20) < 0.5
    assert Belief.of(view(None), model(), 100, 0) is None
    assert Belief.of(played(), None, 100, 0) is None
    assert Belief.of(played(), model(), 0, 0) is None


@pytest.mark.parametrize(
    "more", [["--match", "101:84"], ["--match", "61:84", "--method", "careful"],
             ["--match", "61:84", "--model", "none"]],
)  # fmt: skip
def test_it_is_said_when_points_alone_count(more: list[str]) -> None:
    words = ["hint", "--hand", "7D 5C KH 2S", "--floor", "3C 2H 5S", "--worlds", "8"]
    note = "The match score is not looked at"
    assert note in in_process(*words, *more).out
    assert note not in in_process(*words, "--match", "61:84").out
    assert note not in in_process(*words).out


def test_the_table_shows_both_numbers() -> None:
    words = ["hint", "--hand", "7D 5C KH 2S", "--floor", "3C 2H 5S", "--worlds", "48"]
    plain = in_process(*words)
    assert "ranked by the chance" not in " ".join(plain.out.split())
    shown = in_process(*words, "--match", "61:84")
    assert "ranked by the chance to win the match" in " ".join(shown.out.split())
    assert re.search(r"5Cx2H3C5S\* +\d+\.\d ± \d\.\d % +\+\d+\.\d\d", shown.out)
    narrow = in_process(*words, "--match", "61:84", COLUMNS="40")
    assert re.search(r"\d+\.\d ± \d\.\d % +\+\d+\.\d\d", narrow.out)
