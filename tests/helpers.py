"""What the tests share: conversions between package and oracle, tables, random play, strategies."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from hypothesis import strategies as st

import oracle
from basra import Cards, Move, Position, Rules
from basra.players import METHODS


class Table(NamedTuple):
    """A preset and one of its tables."""

    preset: str
    players: int
    partners: bool

    @property
    def id(self) -> str:
        """Name for test reports."""
        return f"{self.preset}-{self.players}{'p' if self.partners else ''}"

    @property
    def singles(self) -> bool:
        """Are there more than two sides?"""
        return self.players > 2 and not self.partners


def _tables() -> list[Table]:
    # From the oracle's presets, so that a table lost in the engine is missed.
    found = []
    for name, rules in oracle.PRESETS.items():
        for word in ("2", "3", "4", "partners"):
            if word in rules.tables:
                players = 4 if word == "partners" else int(word)
                found.append(Table(name, players, word == "partners"))
    return found


TABLES = _tables()
TABLE_IDS = [table.id for table in TABLES]
PRESETS = list(oracle.PRESETS)


_ISOLATED = re.compile("\u2066[^\u2066\u2069]*\u2069")


def latin(text: str) -> list[str]:
    """Words of Latin letters outside isolates that are no names of methods."""
    words = re.findall("[A-Za-z]+", _ISOLATED.sub("", text))
    return [word for word in words if word not in METHODS]


class RulePair(NamedTuple):
    """One rule set twice: for the oracle and for the package."""

    theirs: oracle.Rules
    ours: Rules


def both(preset: str, **inline: Any) -> RulePair:
    """A preset with parameters laid over it, for both sides."""
    if inline.get("seven_diamonds") == "plain":
        inline.setdefault("seven_basra", "none")
    if preset.startswith("palestine") and inline.get("seven_diamonds") in ("sweep", "wild"):
        inline.setdefault("seven_basra", "total_ten")
    theirs = oracle.with_changes(oracle.PRESETS[preset], **dict(inline))
    ours = Rules.preset(preset)
    return RulePair(theirs, ours.with_changes(**inline) if inline else ours)


# -- cards ---------------------------------------------------------------------------------------


def mask_of(cards: Iterable[int]) -> int:
    """A set of card numbers as one bit a card."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def set_of(mask: int) -> frozenset[int]:
    """The card numbers of a mask."""
    return frozenset(card for card in range(52) if mask >> card & 1)


def numbers(cards: Iterable[Any]) -> frozenset[int]:
    """The card numbers of the package's cards."""
    return frozenset(card.index for card in cards)


def named(text: str) -> frozenset[int]:
    """Card numbers from their names."""
    return frozenset(oracle.parse_many(text))


def words(cards: Iterable[int]) -> str:
    """Names of cards, canonical."""
    return oracle.text_many(sorted(cards))


def cards(numbers_: Iterable[int]) -> Cards:
    """The package's set of cards."""
    return Cards.from_mask(mask_of(numbers_))


def move_text(move: oracle.Move) -> str:
    """An oracle's move as the package writes it, without the mark of a basra."""
    taken = "".join(oracle.text(card) for card in sorted(move.taken))
    return oracle.text(move.card) + (f"x{taken}" if taken else "")


def plain(move: Move) -> oracle.Move:
    """A package's move as the oracle has it."""
    return oracle.Move(move.card.index, numbers(move.captures))


# -- dealing and playing -------------------------------------------------------------------------


def shuffled(rules: oracle.Rules, seed: int) -> list[int]:
    """A pack in an order of its own."""
    order = oracle.pack(rules)
    random.Random(seed).shuffle(order)
    return order


def oracle_start(position: Position, rules: oracle.Rules, pack: Sequence[int]) -> oracle.State:
    """The oracle's deal of the same pack; buried cards lie where the package's draw put them."""
    stock = [card.index for card in position.stock]
    places = [stock.index(card.index) for card in position.buried]
    if rules.bury == "bottom":
        return oracle.start(rules, pack, position.players, position.partners, position.carry)
    return oracle.start(
        rules, pack, position.players, position.partners, position.carry, bury_positions=places
    )


def pack_of(position: Position) -> list[int]:
    """An order of the pack that explains a position in which nothing has been played."""
    seats = [(position.leader + i) % position.players for i in range(position.players)]
    hands = [card.index for seat in seats for card in position.hands[seat]]
    drawn = [card.index for card in position.buried] + [card.index for card in position.floor]
    buried = set(position.buried)
    return hands + drawn + [card.index for card in position.stock if card not in buried]


def deal_both(
    pair: RulePair, players: int, partners: bool, seed: int, leader: int = 0
) -> tuple[oracle.State, Position]:
    """The same pack dealt by the oracle and by the package."""
    order = shuffled(pair.theirs, seed)
    pack = [Cards.from_mask(1 << card) for card in order]
    position = Position.deal_pack(
        pair.ours,
        [next(iter(card)) for card in pack],
        players=players,
        partners=partners,
        leader=leader,
        seed=seed,
    )
    return oracle_start(position, pair.theirs, order), position


def random_states(
    rules: oracle.Rules, players: int, partners: bool, seed: int, carry: int = 0
) -> Iterator[oracle.State]:
    """Every position of a round that the oracle plays at random, buried cards at the bottom."""
    rng = random.Random(seed)
    state = oracle.start(rules, shuffled(rules, seed), players, partners, carry)
    yield state
    while not state.is_over:
        state = oracle.apply(state, rng.choice(oracle.moves(state)))
        yield state


def state_at(
    rules: oracle.Rules, players: int, partners: bool, seed: int, plies: int, carry: int = 0
) -> oracle.State:
    """The position `plies` before the end of such a round."""
    return list(random_states(rules, players, partners, seed, carry))[-1 - plies]


def from_mover(items: Sequence[Any], turn: int) -> list[Any]:
    """A list by seat or side, as a list that starts with the one to move."""
    return [items[(turn + i) % len(items)] for i in range(len(items))]


def as_position(state: oracle.State, rules: Rules, *, whole: bool = True) -> Position:
    """An oracle's position set up in the package; seat 0 is then the seat to move."""
    counts = oracle.by_side(state, state.counts)
    turn = state.turn
    last: int | str = "none"
    if state.last is not None:
        last = (state.last - turn) % state.players
    return Position.setup(
        [cards(hand) for hand in from_mover(state.hands, turn)],
        cards(state.floor),
        rules=rules,
        stock=oracle.text_many(state.stock),
        cards=from_mover(counts, turn) if whole else None,
        last=last,
        carry=state.carry,
        partners=state.partners,
    )


def positions_of(
    rules: Rules, players: int, partners: bool, seed: int, leader: int = 0
) -> Iterator[Position]:
    """Copies of every position of a round that the package plays at random."""
    rng = random.Random(seed)
    position = Position.deal(rules, seed, players=players, partners=partners, leader=leader)
    while not position.is_over:
        yield position.copy()
        position.play(rng.choice(position.legal_moves()))
    yield position


# -- strategies ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class RuleChange:
    """A preset and what is laid over it; printed in full when a test fails."""

    preset: str
    inline: tuple[tuple[str, Any], ...] = ()

    @property
    def pair(self) -> RulePair:
        """The rule set for both sides."""
        return both(self.preset, **{key: _thawed(value) for key, value in self.inline})


def _thawed(value: Any) -> Any:
    return dict(value) if isinstance(value, tuple) else value


RANK_LETTERS = "A23456789TQK"
SHORT_LETTERS = "A23456789T"


@st.composite
def rule_changes(draw: st.DrawFn, presets: Sequence[str] = tuple(PRESETS)) -> RuleChange:
    """Presets with parameters of capture, basra and points exchanged."""
    preset = draw(st.sampled_from(list(presets)))
    letters = SHORT_LETTERS if preset == "palestine" else RANK_LETTERS
    ranks = st.sampled_from(letters)
    some_cards = st.sampled_from([f"{r}{s}" for r in letters + "J" for s in "CDHS"])
    tables = st.dictionaries(ranks, st.integers(0, 40), min_size=1, max_size=5)
    points = st.dictionaries(
        st.one_of(ranks, st.just("J"), some_cards), st.integers(-5, 9), max_size=8
    )
    options: dict[str, st.SearchStrategy[Any]] = {
        "choice": st.sampled_from(["any", "maximal"]),
        "must_capture": st.sampled_from(["none", "card", "hand"]),
        "jack_basra": st.integers(0, 30),
        "basra_points": st.one_of(
            st.integers(0, 50),
            st.just("double"),
            tables.map(lambda table: tuple(sorted(table.items()))),
        ),
        "basra_on_last": st.booleans(),
        "card_points": points.map(lambda table: tuple(sorted(table.items()))),
        "most_cards": st.integers(0, 40),
        "most_cards_tie": st.sampled_from(["nobody", "carry"]),
    }
    chosen = draw(st.sets(st.sampled_from([*options, "seven"]), max_size=5))
    inline: dict[str, Any] = {key: draw(options[key]) for key in sorted(chosen - {"seven"})}
    if "seven" in chosen:
        inline["seven_diamonds"] = draw(st.sampled_from(["plain", "sweep", "wild"]))
        inline["seven_basra"] = "none"
        if inline["seven_diamonds"] != "plain":
            inline["seven_basra"] = draw(
                st.sampled_from(["total_ten", "equal_groups", "as_any_card"])
            )
    return RuleChange(preset, tuple(sorted(inline.items())))
