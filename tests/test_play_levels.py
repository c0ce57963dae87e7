"""Players in the seats of a match: at their level as in the arena, and found again by a hint."""

from __future__ import annotations

import pytest

import basra
from basra import GameOverError, Match, Player, Position, _core
from basra.models import default_model
from basra.players import core_player
from basra.view import View


def _in_arena(player: Player, position: Position, seed: int) -> str:
    """The move that the arena's loop plays at a position."""
    copy = position.copy()
    engine = _core.EngineData(0)
    _core.play_one(engine, copy.data, core_player(player, copy.rules), seed, 0, 0, [])
    return copy.history[-1].text


@pytest.mark.parametrize(
    "text", ["random", "beginner", "casual", "careful:noise=4,memory=40", "greedy"]
)
def test_as_in_the_arena(text: str) -> None:
    """Noise, ties, random play and gaps in memory are those of the arena, ply by ply."""
    player, other = Player.parse(text), Player.parse("random")
    match = Match("classic", seed=11)
    game = match.next_round()
    while not game.is_over:
        at = game.position
        assert at is not None
        assert match.choice(player).move.text == _in_arena(player, at, 11)
        game.play(match.choice(player if game.turn else other).move)


def test_noise_differs_from_ply_to_ply() -> None:
    """A player is not wrong in the same way all through a match."""
    match = Match("classic", seed=3)
    game = match.next_round()
    chosen = set()
    while not game.is_over:
        legal = game.legal_moves()
        move = match.choice(Player("random")).move
        if len(legal) > 3:
            chosen.add(legal.index(basra.Move(move.card, move.captures)) / len(legal) > 0.5)
        game.play(move)
    assert chosen == {True, False}


def test_memory_counts() -> None:
    """What a player has forgotten changes what it plays; `choose` on a full view does not."""
    sharp, dull = (Player.parse(f"endgame:memory={memory},model=none") for memory in (100, 0))
    differs = 0
    for seed in range(12):
        match = Match("classic", seed=seed)
        game = match.next_round()
        while not game.is_over:
            if game.deal_number == 6:
                assert dull.choose(game.view, seed=seed) == sharp.choose(game.view, seed=seed)
                differs += match.choice(dull).move != match.choice(sharp).move
            game.play(match.choice(Player("greedy")).move)
    assert differs > 3


@pytest.mark.parametrize("text", ["worlds", "best"])
def test_a_hint_finds_the_move_again(text: str) -> None:
    """With the seed of the match, and the player's own settings."""
    match = Match("classic", seed=5)
    game = match.next_round()
    model = default_model(match.rules)
    player = Player.parse(text)
    with basra.Engine() as engine:
        for _ in range(10):
            move = match.choice(player).move
            found = engine.hint(game.view, seed=5, model=model, trust=player.trust, method=text)
            best = found.best
            assert move in (best.move, *best.equal) or best.delta == found.moves[1].delta
            game.play(move)


def test_hidden_cards_do_not_matter() -> None:
    """Two deals that look alike from the seat to move are played alike."""
    dealt = Position.deal("classic", seed=2)
    fields = dealt.data.fields()
    fields["hands"][1], fields["stock"][:4] = (
        sum(1 << card for card in fields["stock"][:4]),
        [card.index for card in dealt.hands[1]],
    )
    other = Position.from_fields(dealt.rules, fields, True)
    assert View.of(other) == View.of(dealt)
    for text in ("club", "expert", "full"):
        assert Player.parse(text).choose_at(other) == Player.parse(text).choose_at(dealt)


def test_nobody_plays_when_it_is_over() -> None:
    """A clear error, no move."""
    position = Position.deal("classic", seed=2)
    while not position.is_over:
        position.play(position.legal_moves()[0])
    with pytest.raises(GameOverError):
        Player("greedy").choose_at(position)
