"""Step by step against the oracle: matches of random moves, everything compared after every ply.

Run as a program for as many plies as there is time for:

    python tests/differential.py --plies 10000000 --seed 7
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import oracle
from basra import Card, Position
from helpers import TABLES, RulePair, Table, both, mask_of, numbers, oracle_start, pack_of, shuffled

CHANGES: list[dict[str, Any]] = [
    {},
    {"must_capture": "none"},
    {"must_capture": "hand", "basra_on_last": False},
    {"choice": "any", "most_cards_tie": "carry", "jack_basra": 15},
    {"choice": "maximal", "basra_points": {"A": 3, "7": 21, "9": 4}, "hand_size": 3},
    {"seven_diamonds": "wild", "seven_basra": "as_any_card", "must_capture": "none"},
    {"bury": "bottom", "floor_size": 4, "hand_size": 6, "card_points": {"5": 2, "5S": -1}},
]
"""What is laid over each preset in turn; the first is the preset itself."""

mask = lru_cache(maxsize=1 << 16)(mask_of)


class Mismatch(AssertionError):
    """The engine and the oracle disagree."""


def expect(what: str, ours: object, theirs: object, position: Position) -> None:
    """Both say the same of one thing."""
    if ours != theirs:
        raise Mismatch(f"{what}: {ours!r}, the oracle has {theirs!r}\n{position.notation}")


def to_table(items: Any, leader: int) -> list[Any]:
    """A list in order of play as a list by seat or side at the table."""
    return [items[(i - leader) % len(items)] for i in range(len(items))]


@dataclass
class Game:
    """One round in both, and the bookkeeping around it."""

    rules: oracle.Rules
    state: oracle.State
    position: Position
    deal: int = 1
    captures: dict[Any, list[oracle.Move]] = field(default_factory=dict)

    def legal(self) -> list[oracle.Move]:
        """The oracle's moves; those of a card and a floor are kept, being slow to find."""
        state = self.state
        key = (state.hands[state.turn], state.floor)
        if key not in self.captures:
            self.captures[key] = oracle.moves(state)
        return self.captures[key]

    def compare(self, fields: dict[str, Any]) -> list[oracle.Move]:
        """Everything there is to see before a ply; the legal moves."""
        state, p, first = self.state, self.position, self.position.leader
        for what, ours, theirs in (
            ("hands", fields["hands"], to_table([mask(h) for h in state.hands], first)),
            ("floor", fields["floor"], mask(state.floor)),
            ("stock", fields["stock"], list(state.stock)),
            ("piles", fields["piles"], to_table([mask(pile) for pile in state.piles], first)),
            ("cards", fields["cards"], to_table(oracle.by_side(state, state.counts), first)),
            ("last", fields["last"], self.last_seat(none=-1)),
            ("over", fields["over"], state.is_over),
        ):
            expect(what, ours, theirs, p)
        if state.is_over:
            return []
        banked = to_table(oracle.banked_points(state), first)
        expect("points", fields["points"], banked, p)
        expect("turn", fields["turn"], (state.turn + first) % p.players, p)
        expect("deal", fields["deal"], self.deal, p)
        legal = self.legal()
        expect("moves", p.data.moves(), [self.worth(move) for move in legal], p)
        return legal

    def last_seat(self, none: int | None) -> int | None:
        """The last capturer's seat at the table."""
        if self.state.last is None:
            return none
        return (self.state.last + self.position.leader) % self.position.players

    def worth(self, move: oracle.Move) -> tuple[int, int, int, int]:
        """A move as the core lists it, with what it is worth at once."""
        state = self.state
        last = sum(map(len, state.hands)) == 1 and not state.stock
        basra = oracle.basra_points(self.rules, state.floor, move.card, move.taken, last)
        cards = [*move.taken, move.card] if move.taken else []
        return move.card, mask(move.taken), basra, oracle.card_points(self.rules, cards)

    def compare_public(self) -> None:
        """The same through the properties that users have."""
        state, p, first = self.state, self.position, self.position.leader
        for what, ours, theirs in (
            ("hands", [numbers(h) for h in p.hands], to_table(state.hands, first)),
            ("floor", numbers(p.floor), state.floor),
            ("stock", tuple(card.index for card in p.stock), state.stock),
            ("piles", [numbers(pile) for pile in p.piles], to_table(state.piles, first)),
            ("cards", list(p.cards), to_table(oracle.by_side(state, state.counts), first)),
            ("points", list(p.points), to_table(oracle.banked_points(state), first)),
            ("last", p.last, self.last_seat(none=None)),
            ("turn", p.turn, (state.turn + first) % p.players),
            (
                "moves",
                [(m.card.index, numbers(m.captures)) for m in p.legal_moves()],
                [(m.card, m.taken) for m in self.legal()],
            ),
        ):
            expect(what, ours, theirs, p)

    def ply(self, move: oracle.Move, before: dict[str, Any]) -> None:
        """Plays a move in both; the package also takes it back once, and must be where it was."""
        core, taken = self.position.data, mask(move.taken)
        core.play(move.card, taken)
        after = core.fields()
        core.undo()
        expect("undo", core.fields(), before, self.position)
        core.play(move.card, taken)
        expect("play again", core.fields(), after, self.position)
        stock = len(self.state.stock)
        self.state = oracle.apply(self.state, move)
        self.deal += len(self.state.stock) < stock

    def finish(self) -> None:
        """The round's score: leftovers, most cards, carry."""
        state, p, first = self.state, self.position, self.position.leader
        points, carry = oracle.round_points(state)
        bonus, _ = oracle.majority_points(
            self.rules, oracle.by_side(state, state.counts), state.carry
        )
        expect("points", list(p.points), to_table(points, first), p)
        expect("majority", list(p.majority), to_table(bonus, first), p)
        expect("carry after", p.carry_after, carry, p)
        expect("legal moves", p.legal_moves(), (), p)

    def undo_all(self, opening: dict[str, Any]) -> None:
        """Every play of the round taken back gives the deal again."""
        copy = self.position.copy()
        for _ in copy.history:
            copy.undo()
        expect("undo to the start", copy.data.fields(), opening, self.position)


@dataclass
class Report:
    """What has really been compared."""

    plies: int = 0
    rounds: int = 0
    matches: int = 0
    tables: Counter[str] = field(default_factory=Counter)
    leaders: Counter[int] = field(default_factory=Counter)
    carried: int = 0


def play_round(
    pair: RulePair,
    state: oracle.State,
    position: Position,
    rng: random.Random,
    report: Report,
) -> oracle.State:
    """One round to its end; the oracle's finished state."""
    game = Game(pair.theirs, state, position)
    expect("buried", [c.index for c in position.buried], list(state.buried), position)
    opening = position.data.fields()
    fields = opening
    while True:
        legal = game.compare(fields)
        if not legal:
            break
        if report.plies % 16 == 0:
            game.compare_public()
        game.ply(rng.choice(legal), fields)
        fields = position.data.fields()
        report.plies += 1
    game.finish()
    game.undo_all(opening)
    report.rounds += 1
    report.leaders[position.leader] += 1
    report.carried += position.carry > 0
    return game.state


def play_match(
    pair: RulePair,
    table: Table,
    seed: int,
    report: Report,
    most_rounds: int,
) -> None:
    """A match, up to a number of rounds: scores, leader, carry and winner from round to round."""
    rng = random.Random(seed)
    rules, players = pair.theirs, table.players
    first = rng.randrange(players)
    pack = shuffled(rules, seed)
    position = Position.deal_pack(
        pair.ours,
        list(map(Card, pack)),
        players=players,
        partners=table.partners,
        leader=first,
        seed=seed,
    )
    sides = 2 if table.partners else players
    match = oracle.Match(rules, players, table.partners, (0,) * sides, (first - 1) % players)
    for _ in range(most_rounds):
        state = oracle_start(position, rules, pack)
        expect("carry", position.carry, match.carry, position)
        expect("leader", position.leader, oracle.leader(match.dealer, players), position)
        expect("scores before", position.scores_before, match.scores, position)
        expect("winner", position.winner, None, position)
        match = oracle.after_round(match, play_round(pair, state, position, rng, report))
        expect("scores", position.scores, match.scores, position)
        expect("winner", position.winner, match.winner, position)
        if match.winner is not None:
            report.matches += 1
            break
        position.next_round()
        pack = pack_of(position)
    report.tables[table.id] += 1


def variants() -> Iterator[tuple[Table, RulePair]]:
    """Every table with every change that its preset takes, for ever; presets as they are first."""
    pairs = [(table, both(table.preset, **change)) for change in CHANGES for table in TABLES]
    while True:
        yield from pairs


def run(
    plies: int, seed: int, most_rounds: int = 4, tell: Callable[[Report], None] | None = None
) -> Report:
    """Plays until at least so many plies have been compared; Mismatch at the first difference."""
    report, rng = Report(), random.Random(seed)
    for table, pair in variants():
        if report.plies >= plies:
            return report
        play_match(pair, table, rng.getrandbits(60), report, most_rounds)
        if tell is not None:
            tell(report)
    raise AssertionError("variants never end")


def main(plies: int, seed: int) -> Report:
    """Runs with progress on standard error."""
    started = shown = time.monotonic()

    def tell(report: Report) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - shown >= 2:
            shown = now
            speed = report.plies / (now - started)
            print(
                f"\r{report.plies:,} of {plies:,} plies, {report.rounds:,} rounds, "
                f"{speed:,.0f} plies/s ",
                end="",
                file=sys.stderr,
                flush=True,
            )

    report = run(plies, seed, tell=tell)
    print(file=sys.stderr)
    return report


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compare engine and oracle, ply by ply.")
    parser.add_argument("--plies", type=int, default=1_000_000, help="plies to compare")
    parser.add_argument("--seed", type=int, default=1, help="of packs and moves")
    arguments = parser.parse_args()
    done = main(arguments.plies, arguments.seed)
    print(
        f"{done.plies:,} plies of {done.rounds:,} rounds and {done.matches:,} finished matches "
        "compared: no difference"
    )
