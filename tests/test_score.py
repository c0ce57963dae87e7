"""Scores of rounds step by step; what a game tells of hands to come and cards unseen."""

from __future__ import annotations

import pytest

from basra import Cards, Game, GameOverError, Match, Player, Position, Rules
from basra.completion import Opening
from basra.match import Match as SameMatch
from basra.record import Record, Turn
from basra.score import RoundScore

TABLES = [("classic", 2, False), ("palestine", 4, True), ("palestine-52", 3, False)]


def played(rules: str | Rules, seed: int, players: int = 2, partners: bool = False) -> Match:
    """A match of random players."""
    match = Match(rules, players=players, partners=partners, seed=seed)
    match.play_on([Player("random")] * players)
    return match


@pytest.mark.parametrize(("rules", "players", "partners"), TABLES)
def test_the_parts_are_the_whole(rules: str, players: int, partners: bool) -> None:
    """Of the points that the position has, in every round of a match."""
    match = played(rules, 3, players, partners)
    for game in match.games:
        score, end = RoundScore.of(game), game.public
        assert tuple(side.points for side in score.sides) == end.points
        assert tuple(side.after for side in score.sides) == end.scores
        assert tuple(side.majority for side in score.sides) == end.majority
        assert tuple(side.cards for side in score.sides) == end.cards
        listed = Rules.load(rules).to_dict()["card_points"]
        assert isinstance(listed, dict)
        assert sum(side.card_points for side in score.sides) <= 4 * sum(listed.values())
        assert score.number == end.round_number
    assert RoundScore.of(match.games[-1]).winner == match.winner
    assert all(RoundScore.of(game).winner is None for game in match.games[:-1])


def test_leftovers() -> None:
    """What nobody took: in the pile of the last to capture, and in its count."""
    for seed in range(8):
        game = played("classic", seed).games[0]
        score = RoundScore.of(game)
        taken = Cards()
        for turn in game.turns:
            if turn.move.captures:
                taken |= turn.move.captures | Cards([turn.move.card])
        assert score.leftovers == game.opening.rules.pack - taken
        assert score.last == game.public.last


def test_basras() -> None:
    """Each with its value, on the side that made it."""
    found = 0
    for seed in range(6):
        game = played("palestine", seed, 4, True).games[0]
        score = RoundScore.of(game)
        made = [
            (game.opening.seat(ply) % 2, turn.move)
            for ply, turn in enumerate(game.turns)
            if turn.move.basra
        ]
        for side in (0, 1):
            mine = [move for at, move in made if at == side]
            assert list(score.sides[side].basras) == mine
            assert score.sides[side].basra_points == sum(move.basra for move in mine)
        found += len(made)
    assert found


def test_a_tie_is_carried() -> None:
    """Points that wait, and points that had waited."""
    rules = Rules.load("classic")
    for seed in range(400):
        game = played(rules.with_changes(target=20), seed).games[0]
        score = RoundScore.of(game)
        if score.sides[0].cards == score.sides[1].cards:
            assert (score.carry_before, score.carry_after) == (0, 30)
            assert [side.majority for side in score.sides] == [0, 0]
            break
    else:
        pytest.fail("no tie in so many rounds")


def test_not_before_the_end() -> None:
    """A clear error."""
    match = Match("classic", seed=1)
    with pytest.raises(GameOverError):
        RoundScore.of(match.next_round())


# -- games ---------------------------------------------------------------------------------------


def test_what_a_seat_has_not_seen() -> None:
    """The other hand and the stock; what is known here only if no seat is named."""
    match = Match("classic", seed=4)
    game = match.next_round()
    while not game.is_over:
        at = game.position
        assert at is not None
        for seat in (0, 1):
            hidden = at.hands[1 - seat] | Cards(at.stock)
            assert game.unseen(seat) == hidden
        assert game.unseen() == Cards(at.stock)
        game.play(game.legal_moves()[0])


def test_hands_that_follow() -> None:
    """Only cards at the bottom of the stock are known before they are dealt."""
    rules = Rules.load("palestine-52").with_changes(bury="bottom")
    jacks = Cards("JC JD JH")
    opening = Opening(rules, 2, False, 0, Cards("3C 2H 5S KD"), tuple(jacks))
    game = Game(opening)
    free = list(rules.pack - opening.floor - jacks)
    for deal in range(5):
        assert game.next_hand(0) == game.next_hand(1) == Cards()
        game.deal([Cards(free[8 * deal : 8 * deal + 4]), Cards(free[8 * deal + 4 : 8 * deal + 8])])
        while game.expects == "move":
            assert game.next_hand(0) == Cards()
            game.play(game.legal_moves()[0])
    assert game.next_hand(1) == jacks
    assert game.next_hand(0) == Cards()


@pytest.mark.parametrize("seed", [5, None])
def test_what_undo_returns(seed: int | None) -> None:
    """A move, a hand, a first floor, a side: what was entered last."""
    match = SameMatch("classic", seed=seed)
    if seed is None:
        dealt = Position.deal("classic", 5)
        game = match.next_round(dealt.floor, dealt.buried)
        game.deal([dealt.hands[0], None])
    else:
        game = match.next_round()
    move = game.legal_moves()[0]
    match.play(move)
    match.resign(1)
    assert match.undo() == 1
    assert match.undo() == Turn(move)
    if seed is None:
        assert match.undo() == (dealt.hands[0], Cards())
        opening = match.undo()
        assert isinstance(opening, Opening)
        assert opening.floor == dealt.floor
    with pytest.raises(GameOverError):
        match.undo()


@pytest.mark.parametrize("plies", [10, 45, 60])
def test_a_dealt_match_that_was_read_is_taken_back_like_the_first(plies: int) -> None:
    """Hands come by themselves, in the last deal and in earlier rounds too."""
    match = Match("classic", seed=5)
    records: list[Record] = []
    for _ in range(plies):
        if match.game is None or match.game.is_over:
            match.next_round()
        records.append(match.record())
        assert match.game is not None
        match.play(match.game.legal_moves()[0])
    again = Match.from_record(match.record())
    while records:
        undone, known = again.undo(), match.undo()
        assert undone == known
        assert again.record() == match.record()
        wanted = records.pop()
        if len(wanted.rounds) == len(again.games):
            assert again.record() == wanted


def test_the_first_leader_of_a_record_without_rounds() -> None:
    """Is not in the record: it is told."""
    record = Match("classic", leader=1).record()
    assert Match.from_record(record).next_leader == 0
    assert Match.from_record(record, leader=1).next_leader == 1
