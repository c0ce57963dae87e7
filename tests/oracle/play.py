"""Dealing, playing and scoring a round, and the little that holds rounds together."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from .captures import Move, basra_points, card_points, legal_moves
from .rules import Rules, pack

Item = TypeVar("Item")


@dataclass(frozen=True)
class State:
    """A round in play. Seats are numbered in order of play and seat 0 leads every deal.

    `counts` is kept beside `piles` so that a position can be set up of which only the
    numbers of cards captured are known. `basras` holds the points of each basra by seat.
    """

    rules: Rules
    partners: bool
    hands: tuple[frozenset[int], ...]
    floor: frozenset[int]
    stock: tuple[int, ...]
    piles: tuple[frozenset[int], ...]
    counts: tuple[int, ...]
    basras: tuple[tuple[int, ...], ...]
    last: int | None
    turn: int
    carry: int
    buried: tuple[int, ...] = ()

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.hands)

    @property
    def sides(self) -> int:
        """Number of piles that are counted apart."""
        return 2 if self.partners else self.players

    @property
    def is_over(self) -> bool:
        """Whether the whole pack has been played."""
        return not self.stock and not any(self.hands)


def side_of(state: State, seat: int) -> int:
    """Side a seat scores for; partners sit opposite, so they share the parity of the seat."""
    return seat % state.sides


def by_side(state: State, per_seat: Sequence[int]) -> tuple[int, ...]:
    """Add up numbers by seat to numbers by side."""
    totals = [0] * state.sides
    for seat, number in enumerate(per_seat):
        totals[side_of(state, seat)] += number
    return tuple(totals)


def position(
    rules: Rules,
    hands: Sequence[Iterable[int]],
    floor: Iterable[int],
    stock: Iterable[int] = (),
    *,
    partners: bool = False,
    counts: Sequence[int] | None = None,
    last: int | None = None,
    turn: int = 0,
    carry: int = 0,
) -> State:
    """A position in the middle of a round, with nothing banked but perhaps cards counted."""
    players = len(hands)
    return State(
        rules=rules,
        partners=partners,
        hands=tuple(frozenset(hand) for hand in hands),
        floor=frozenset(floor),
        stock=tuple(stock),
        piles=(frozenset(),) * players,
        counts=tuple(counts) if counts is not None else (0,) * players,
        basras=((),) * players,
        last=last,
        turn=turn,
        carry=carry,
    )


def deal_sizes(rules: Rules, players: int) -> list[int]:
    """Cards per player in each deal of a round."""
    left = rules.deck - rules.floor_size
    if left % players:
        raise ValueError(f"{left} cards cannot be shared by {players} players")
    sizes = []
    while left:
        sizes.append(min(rules.hand_size, left // players))
        left -= sizes[-1] * players
    return sizes


def table_error(rules: Rules, players: int, partners: bool) -> str | None:
    """Why these rules refuse this table, or None if they accept it."""
    if partners and players != 4:
        return "partnerships need four players"
    table = "partners" if partners else str(players)
    if table not in rules.tables:
        return f"tables: {table} is not one of {', '.join(sorted(rules.tables))}"
    undealt = rules.deck - rules.floor_size
    if undealt % players:
        return f"{rules.deck} cards less {rules.floor_size} cannot be shared by {players}"
    stock = undealt - min(rules.hand_size, undealt // players) * players
    forbidden = len(rules.not_on_first_floor & set(pack(rules)))
    if rules.floor_size and stock < forbidden:
        return f"a stock of {stock} cannot replace {forbidden} cards on the first floor"
    return None


def draw_first_floor(rules: Rules, stock: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
    """First floor, replaced cards in the order found, and the stock that is left."""
    floor: list[int] = []
    replaced: list[int] = []
    rest = list(stock)
    while len(floor) < rules.floor_size:
        card = rest.pop(0)
        (replaced if card in rules.not_on_first_floor else floor).append(card)
    return floor, replaced, rest


def bury(
    stock: Sequence[int], buried: Sequence[int], positions: Sequence[int] | None
) -> tuple[int, ...]:
    """Put replaced cards back, all at once.

    `positions` are their final places in the finished stock, top first; without them
    they go to the bottom, the last found lowest.
    """
    if positions is None:
        return (*stock, *buried)
    size = len(stock) + len(buried)
    if len(set(positions)) != len(buried) or not set(positions) <= set(range(size)):
        raise ValueError("bury_positions must be one free place in the stock for each card")
    placed = dict(zip(positions, buried, strict=True))
    others = iter(stock)
    return tuple(placed[place] if place in placed else next(others) for place in range(size))


def deal_hands(
    stock: Sequence[int], players: int, size: int
) -> tuple[tuple[frozenset[int], ...], tuple[int, ...]]:
    """Whole hands from the top, the leader first; and the stock that is left."""
    hands = tuple(frozenset(stock[seat * size : (seat + 1) * size]) for seat in range(players))
    return hands, tuple(stock[players * size :])


def start(
    rules: Rules,
    deck_order: Sequence[int],
    players: int,
    partners: bool,
    carry: int = 0,
    bury_positions: Sequence[int] | None = None,
) -> State:
    """Deal a round from a pack in the order given, top card first."""
    error = table_error(rules, players, partners)
    if error is not None:
        raise ValueError(error)
    if sorted(deck_order) != pack(rules):
        raise ValueError("deck_order must hold every card of the pack once")
    hands, undealt = deal_hands(deck_order, players, deal_sizes(rules, players)[0])
    floor, buried, rest = draw_first_floor(rules, undealt)
    stock = bury(rest, buried, bury_positions)
    fresh = position(rules, hands, floor, stock, partners=partners, carry=carry)
    return replace(fresh, buried=tuple(buried))


def put(items: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    """A copy of a tuple with one item exchanged."""
    return (*items[:index], item, *items[index + 1 :])


def play_card(state: State, move: Move) -> State:
    """The play alone: the card leaves the hand and captures or is trailed; turn passes on."""
    seat = state.turn
    after = replace(
        state,
        hands=put(state.hands, seat, state.hands[seat] - {move.card}),
        turn=(seat + 1) % state.players,
    )
    if not move.taken:
        return replace(after, floor=state.floor | {move.card})
    last_of_round = after.is_over
    basra = basra_points(state.rules, state.floor, move.card, move.taken, last_of_round)
    won = state.basras[seat] + ((basra,) if basra else ())
    return replace(
        collect(after, seat, move.taken | {move.card}),
        floor=state.floor - move.taken,
        basras=put(state.basras, seat, won),
        last=seat,
    )


def collect(state: State, seat: int, cards: frozenset[int]) -> State:
    """Put cards on the pile of a seat and count them."""
    return replace(
        state,
        piles=put(state.piles, seat, state.piles[seat] | cards),
        counts=put(state.counts, seat, state.counts[seat] + len(cards)),
    )


def deal_again(state: State) -> State:
    """The next deal, when all hands are empty and the stock is not."""
    size = min(state.rules.hand_size, len(state.stock) // state.players)
    if size == 0:
        raise ValueError("the stock cannot be shared by the players")
    hands, stock = deal_hands(state.stock, state.players, size)
    return replace(state, hands=hands, stock=stock, turn=0)


def take_leftovers(state: State) -> State:
    """The floor goes to the last capturer when the round ends, or stays if there is none."""
    if state.last is None:
        return state
    return replace(collect(state, state.last, state.floor), floor=frozenset())


def apply(state: State, move: Move) -> State:
    """Play a move known to be legal, then deal or end the round if it is time to."""
    after = play_card(state, move)
    if any(after.hands):
        return after
    return deal_again(after) if after.stock else take_leftovers(after)


def moves(state: State) -> list[Move]:
    """Legal moves of the seat to play, in canonical order; none when the round is over."""
    return legal_moves(state.rules, state.hands[state.turn], state.floor)


def step(state: State, move: Move) -> State:
    """Play a move, refusing one that is not legal whoever asks for it."""
    if move not in moves(state):
        raise ValueError(f"not a legal move: {move}")
    return apply(state, move)


def majority_points(
    rules: Rules, counts_by_side: Sequence[int], carry: int
) -> tuple[tuple[int, ...], int]:
    """Points for most cards by side, and what waits for the next round."""
    most = max(counts_by_side)
    stake = rules.most_cards + carry
    if list(counts_by_side).count(most) == 1:
        return tuple(stake if count == most else 0 for count in counts_by_side), 0
    return (0,) * len(counts_by_side), stake if rules.most_cards_tie == "carry" else 0


def banked_points(state: State) -> tuple[int, ...]:
    """Card points and basras by side, for all that is in the piles; most cards left out."""
    per_seat = [
        card_points(state.rules, pile) + sum(basras)
        for pile, basras in zip(state.piles, state.basras, strict=True)
    ]
    return by_side(state, per_seat)


def round_points(state: State) -> tuple[tuple[int, ...], int]:
    """Points of a finished round by side, and what waits for the next round."""
    if not state.is_over:
        raise ValueError("the round is not over")
    majority, carry = majority_points(state.rules, by_side(state, state.counts), state.carry)
    points = zip(banked_points(state), majority, strict=True)
    return tuple(banked + bonus for banked, bonus in points), carry


def match_over(scores: Sequence[int], target: int) -> int | None:
    """The winner after a whole round, or None if another round has to be played."""
    best = max(scores)
    if best < target or list(scores).count(best) > 1:
        return None
    return list(scores).index(best)


def leader(dealer: int, players: int) -> int:
    """Seat at the table that leads every deal of a round: the one after the dealer."""
    return (dealer + 1) % players


def next_dealer(dealer: int, players: int) -> int:
    """The leader of this round deals the next."""
    return leader(dealer, players)


@dataclass(frozen=True)
class Match:
    """A match between rounds. Seats and sides are those of the table, which do not move."""

    rules: Rules
    players: int
    partners: bool
    scores: tuple[int, ...]
    dealer: int
    carry: int = 0

    @property
    def winner(self) -> int | None:
        """Side that has won, if the match is over."""
        return match_over(self.scores, self.rules.target)


def to_table(points: Sequence[int], first: int) -> tuple[int, ...]:
    """Turn points by side in order of play into points by side at the table."""
    sides = len(points)
    return tuple(points[(side - first) % sides] for side in range(sides))


def after_round(match: Match, finished: State) -> Match:
    """Score a finished round of a match and pass the deal on."""
    points, carry = round_points(finished)
    gained = to_table(points, leader(match.dealer, match.players))
    return replace(
        match,
        scores=tuple(old + new for old, new in zip(match.scores, gained, strict=True)),
        dealer=next_dealer(match.dealer, match.players),
        carry=carry,
    )
