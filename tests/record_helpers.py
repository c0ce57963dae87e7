"""Records to test with: played at random, then forgotten in part, with anything said about them."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from pathlib import Path

from hypothesis import strategies as st

from basra import Card, Cards, Move, Position, Rules, parse_cards
from basra.record import DealRecord, Estimate, Record, RoundRecord, Seat, Turn
from helpers import TABLES, RuleChange, rule_changes

GOLDEN = Path(__file__).parent / "golden" / "records"

SMALL = """\
basra record 1
; Played at home.
rules classic
table 2
seat 1 "Layla"
seat 2 "Engine \\"E\\"" full
date "2026-05-01"
scores 61:84
carry 30
seed 7

round 5
; A long one.
leader 2
floor 2H 3C 5S QD
buried JC 7D
deal 1
hand 1 2S 5C 7H KH
2 KS ; a comment up to the end of the line
1 5Cx2H3C5S {+24.23 ±0.34 worlds/2} ; good
  ; and bold
2 QHxQD {-3}
1 KHxKS* {+0.5 ±0 "by eye"}

resigned 2
"""
"""A record that says all that a text can say"""

LINES = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]),
        st.sampled_from('"\\;{}#±=: *x1'),
    ),
    max_size=12,
)
"""Names and tags: anything on one line"""

COMMENTS = st.lists(LINES, max_size=3).map("\n".join)

NUMBERS = st.one_of(
    st.floats(-1_000_000, 1_000_000),
    st.integers(-60, 60).map(float),
    st.floats(-60, 60).map(lambda value: round(value, 2)),
)

ESTIMATES = st.builds(
    Estimate,
    NUMBERS,
    st.one_of(st.none(), st.just(0.0), NUMBERS.map(abs)),
    st.one_of(st.sampled_from(["", "worlds/2", "solve", "worlds:worlds=40,trust=0"]), LINES),
)

TAGS = st.dictionaries(
    st.one_of(st.sampled_from(["date", "place", "event-2"]), st.from_regex(r"\A[a-z]{5,9}x\Z")),
    LINES,
    max_size=3,
)


def small() -> Record:
    """What that text says."""
    turns = (
        Turn(Move(Card("KS")), "a comment up to the end of the line"),
        Turn(
            Move(Card("5C"), Cards("2H 3C 5S")),
            "good\nand bold",
            Estimate(24.23, 0.34, "worlds/2"),
        ),
        Turn(Move(Card("QH"), Cards("QD")), "", Estimate(-3)),
        Turn(Move(Card("KH"), Cards("KS")), "", Estimate(0.5, 0.0, "by eye")),
    )
    deal = DealRecord((Cards("2S 5C 7H KH"), Cards()), turns)
    buried = tuple(parse_cards("JC 7D"))
    now = RoundRecord(1, Cards("2H 3C 5S QD"), buried, (deal,), comment="A long one.")
    return Record(
        Rules.preset("classic"),
        seats=(Seat("Layla"), Seat('Engine "E"', "full")),
        first_round=5,
        scores=(61, 84),
        carry=30,
        seed=7,
        rounds=(now,),
        resigned=1,
        tags=(("date", "2026-05-01"),),
        comment="Played at home.",
    )


@dataclass
class Forgetting:
    """What a record leaves out, and what stands in it that never was."""

    hands: str = "all"
    """all, none, some or one: of seat 0 alone"""
    stock: bool = True
    empty: bool = False
    """An empty stock is said to be empty"""
    points: bool = True
    wrong: bool = False
    """Moves take other cards than they can"""


def played_round(
    position: Position, rng: random.Random, plies: int = 999, forget: Forgetting | None = None
) -> RoundRecord:
    """A round played at random for so many plies; changes the position."""
    forget = forget or Forgetting()
    floor, buried, leader = position.floor, position.buried, position.leader
    deals: list[tuple[tuple[Cards, ...], list[Turn]]] = []
    while plies and not position.is_over:
        if len(deals) < position.deal_number:
            hands = tuple(
                _known(hand, seat, forget, rng) for seat, hand in enumerate(position.hands)
            )
            deals.append((hands, []))
            stock = position.stock
        move = rng.choice(position.legal_moves())
        position.play(move)
        if forget.wrong and rng.random() < 0.3:
            move = _wrong(move, position.rules, rng)
        deals[-1][1].append(Turn(move))
        plies -= 1
    return RoundRecord(
        leader,
        floor,
        buried,
        tuple(DealRecord(hands, tuple(turns)) for hands, turns in deals),
        stock if deals and forget.stock and (stock or forget.empty) else None,
        position.points if position.is_over and forget.points else None,
    )


def _known(hand: Cards, seat: int, forget: Forgetting, rng: random.Random) -> Cards:
    if forget.hands == "some":
        return Cards([card for card in hand if rng.random() < 0.5])
    return hand if forget.hands == "all" or (forget.hands == "one" and seat == 0) else Cards()


def _wrong(move: Move, rules: Rules, rng: random.Random) -> Move:
    others: list[Card] = [card for card in rules.pack if card != move.card]
    return Move(move.card, Cards(rng.sample(others, rng.randrange(4))))


@st.composite
def records(draw: st.DrawFn, most_rounds: int = 2) -> Record:
    """Records of all presets and tables, of rule files, whole and in part, legal or not."""
    table = draw(st.sampled_from(TABLES))
    rules = Rules.preset(table.preset)
    if draw(st.booleans()):
        change = draw(rule_changes([table.preset]))
        inline = dict(change.inline) | {"bury": draw(st.sampled_from(["random", "bottom"]))}
        inline["hand_size"] = draw(st.sampled_from([1, 2, 4, 5]))
        rules = RuleChange(table.preset, tuple(sorted(inline.items()))).pair.ours
        rules = replace(rules, name=draw(st.sampled_from(["house", "قواعد_البيت", "a-1"])))
    rng = random.Random(draw(st.integers(0, 1 << 30)))
    forget = Forgetting(
        draw(st.sampled_from(["all", "none", "some", "one"])),
        *(draw(st.booleans()) for _ in range(4)),
    )
    rounds = []
    count = draw(st.integers(0, most_rounds))
    for number in range(count):
        position = Position.deal(
            rules, rng.getrandbits(64), players=table.players, partners=table.partners,
            leader=rng.randrange(table.players),
        )  # fmt: skip
        plies = draw(st.integers(0, 60)) if number + 1 == count else 999
        now = played_round(position, rng, plies, forget)
        rounds.append(_talked_about(draw, now, rng))
    sides = 2 if table.partners else table.players
    numbers = st.lists(st.integers(-300, 300), min_size=sides, max_size=sides)
    return Record(
        rules,
        table.players,
        table.partners,
        draw(st.one_of(st.just(()), st.tuples(*[st.builds(Seat, LINES, LINES)] * table.players))),
        draw(st.sampled_from([1, 2, 17])),
        draw(st.one_of(st.just(()), numbers.map(tuple))),
        draw(st.sampled_from([0, 30, -3])),
        draw(st.one_of(st.none(), st.integers(0, (1 << 64) - 1))),
        tuple(rounds),
        draw(st.one_of(st.none(), st.integers(0, sides - 1))),
        tuple(draw(TAGS).items()),
        draw(COMMENTS),
    )


def _talked_about(draw: st.DrawFn, now: RoundRecord, rng: random.Random) -> RoundRecord:
    """The round with a few comments and values."""
    said = draw(st.lists(st.tuples(COMMENTS, st.one_of(st.none(), ESTIMATES)), max_size=3))
    deals = list(now.deals)
    for comment, estimate in said if deals else []:
        place = rng.randrange(len(deals))
        turns = list(deals[place].turns)
        ply = rng.randrange(len(turns))
        turns[ply] = replace(turns[ply], comment=comment, estimate=estimate)
        deals[place] = replace(deals[place], turns=tuple(turns))
    return replace(now, deals=tuple(deals), comment=draw(COMMENTS))
