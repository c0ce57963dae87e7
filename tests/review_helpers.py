"""Games to review: played by engine players or by chance, and records with gaps."""

from __future__ import annotations

import random
from dataclasses import replace

from basra import Cards, Game, Match, Player, Record, Seat


def match_of(
    *texts: str,
    rules: str = "classic",
    seed: int = 1,
    rounds: int | None = 1,
    partners: bool = False,
) -> Match:
    """A match between players, one text for each seat."""
    seats = [Seat(f"P{number}", text) for number, text in enumerate(texts, 1)]
    match = Match(rules, seed=seed, players=len(texts), partners=partners, seats=seats)
    match.play_on([Player.parse(text) for text in texts], rounds=rounds)
    return match


def people(record: Record) -> Record:
    """The same with nobody's seat an engine's."""
    return replace(record, seats=tuple(Seat(seat.name) for seat in record.seats))


def at_random(game: Game, dice: random.Random, plies: int = 100) -> Game:
    """Plays on by chance."""
    for _ in range(plies):
        if game.is_over:
            break
        game.play(dice.choice(game.legal_moves()))
    return game


def seen_by(record: Record, seat: int, plies: int) -> Record:
    """The first round of a record as a seat saw it: own hands, and the first so many plies."""
    played = record.rounds[0]
    deals = []
    for deal in played.deals:
        if plies <= 0:
            break
        hands = tuple(hand if number == seat else Cards() for number, hand in enumerate(deal.hands))
        deals.append(replace(deal, hands=hands, turns=deal.turns[:plies]))
        plies -= len(deal.turns)
    cut = replace(played, deals=tuple(deals), stock=None, points=None)
    return replace(record, rounds=(cut,), seed=None)
