"""Rounds between strong players, as material for match equity."""

from __future__ import annotations

from array import array
from typing import NamedTuple

from basra import _core
from basra.rules import Rules

WORLDS_METHOD = 5
"""basra_method of the worlds player."""

ROUND_FIELDS = 3
"""Numbers kept of a round: points of the leader's side and of the other without most cards, and
who won those: 1 the leader's side, -1 the other, 0 nobody."""

DECISION_FIELDS = 7
"""Numbers kept of a decision: cards to be played, the lead in cards of the side to move, cards not
captured, the value of its move in the true world in 1/UNIT points, the difference that came, who
got most cards (1 the side to move, -1 the other, 0 nobody), and the points of both sides that came
besides card points and most cards."""


class Chunk(NamedTuple):
    """Some rounds of a training run: what another process needs to play them."""

    rules: Rules
    players: int
    partners: bool
    model: bytes | None
    worlds: int  # that the players search at each move
    seed: int  # of the first round; the next ones count on
    rounds: int
    every: int  # of so many decisions one is looked at


def play_chunk(chunk: Chunk) -> tuple[array[int], array[int]]:
    """Plays the rounds: ROUND_FIELDS numbers for each, DECISION_FIELDS for each decision kept."""
    engine = _core.EngineData(0)
    rules = chunk.rules.data
    model = None if chunk.model is None else _core.ModelData(rules, chunk.model)
    trust = 0 if model is None else 100
    player = _core.PlayerData(model, WORLDS_METHOD, chunk.worlds, trust, 0, 0, 100)
    rounds, decisions = array("i"), array("i")
    for number in range(chunk.rounds):
        seed = (chunk.seed + number) % (1 << 64)
        position = _core.PositionData.deal(rules, chunk.players, chunk.partners, 0, seed)
        _core.play_on(engine, position, [player, player], False, seed, [])
        end = position.fields()
        points, majority = end["points"], end["majority"]
        won = (majority[0] > 0) - (majority[1] > 0)
        rounds.extend((points[0] - majority[0], points[1] - majority[1], won))
        decisions.extend(_decisions(engine, chunk, model, position, number))
    return rounds, decisions


def _decisions(
    engine: _core.EngineData,
    chunk: Chunk,
    model: _core.ModelData | None,
    position: _core.PositionData,
    number: int,
) -> array[int]:
    """Goes back through a round and compares what was expected with what came."""
    end = position.fields()
    final = end["points"]
    majority = end["majority"]
    kept = array("i")
    for ply in range(len(end["plays"]) - 1, -1, -1):
        position.undo()
        if (ply + number) % chunk.every:
            continue
        now = position.fields()
        side = now["turn"] % 2
        card, taken = end["plays"][ply][:2]
        value = _value_of(engine, model, position, card, taken)
        banked, cards = now["points"], now["cards"]
        open_cards = chunk.rules.data.pack
        for pile in now["piles"]:
            open_cards &= ~pile
        extra = sum(final) - sum(banked) - chunk.rules.most_cards
        extra -= card_points(chunk.rules, open_cards)
        came = final[side] - banked[side] - final[1 - side] + banked[1 - side]
        lead = cards[side] - cards[1 - side]
        left = len(end["plays"]) - ply
        won = (majority[side] > 0) - (majority[1 - side] > 0)
        kept.extend((left, lead, chunk.rules.deck - sum(cards), value, came, won, extra))
    return kept


def card_points(rules: Rules, cards: int) -> int:
    """Card points of a set of cards."""
    table: list[int] = rules.data.fields()["card_points"]
    return sum(points for card, points in enumerate(table) if cards >> card & 1)


def _value_of(
    engine: _core.EngineData,
    model: _core.ModelData | None,
    position: _core.PositionData,
    card: int,
    taken: int,
) -> int:
    """What the search of the true hands says of a move, in 1/UNIT points."""
    view = _core.ViewData.of(position)
    listed, groups = view.moves()
    group = next(group for move, group in listed if move[:2] == (card, taken))
    found: dict[int, tuple[array[int], list[int], int]] = {}
    worlds = _core.Worlds.of(position)
    engine.world_values(view, model, worlds, groups, 0, 0, [], found, 0)
    return found[0][0][group]
