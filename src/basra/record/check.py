"""What every record must be, however it came about: form, cards and counts.

Errors name the path of what they are about, such as rounds[0].deals[1].turns[3].move; the reader of
texts knows the place of each.  Whether moves are legal is not asked here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from basra.cards import Card, Cards
from basra.errors import BasraError
from basra.position import checked_points, checked_seed, sides_of
from basra.record.errors import RecordError, shown
from basra.record.model import DealRecord, Estimate, Record, RoundRecord

HEADER_WORDS = ("rules", "table", "seat", "scores", "carry", "seed", "first")
ROUND_WORDS = ("leader", "floor", "buried", "deal", "hand", "stock", "points")
WORDS = ("basra", *HEADER_WORDS, "round", *ROUND_WORDS, "resigned")
"""What lines of a text start with, unless with a tag or a move"""

TAG = re.compile(r"[a-z][a-z0-9_-]{0,39}")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""What no name and no comment has: control characters, other ends of lines, half characters"""

MOST_POINTS = 1_000_000
MOST_ROUNDS = (1 << 31) - 1


def check_record(record: Record) -> None:
    """RecordError, with the path of the field, unless the record can be written and read."""
    check_header(record)
    before: RoundRecord | None = None
    for number, now in enumerate(record.rounds):
        check_round(record, number, now, before)
        before = now


def fail(path: str, value: object, message: str, fix: str) -> RecordError:
    """The error about the field at a path."""
    return RecordError(message, field=path, value=shown(value), fix=fix)


def in_place(error: BasraError, path: str) -> RecordError:
    """The same error about the field at a path."""
    return RecordError(error.message, field=path, value=shown(error.value), fix=error.fix)


# -- the match -----------------------------------------------------------------------------------


def check_header(record: Record) -> None:
    """All but the rounds."""
    try:
        record.rules.check_table(record.players, record.partners)
    except BasraError as error:
        raise in_place(error, "table") from None
    if not record.rules.name.replace("-", "").replace("_", "").isalnum():
        fix = "use letters, digits, - and _"
        raise fail("rules", record.rules.name, "is not a name of rules", fix)
    sides = sides_of(record.players, record.partners)
    if len(record.seats) != record.players:
        fix = f"name {record.players}"
        raise fail("seats", len(record.seats), "is not the number of seats at this table", fix)
    for number, seat in enumerate(record.seats):
        _check_text(seat.name, f"seats[{number}].name")
        _check_text(seat.player, f"seats[{number}].player")
    _check_points(record.scores, sides, "scores", "match")
    try:
        checked_points(record.carry, "carry")
        if record.seed is not None:
            checked_seed(record.seed)
    except BasraError as error:
        raise in_place(error, error.field) from None
    _check_within(record.first_round, 1, MOST_ROUNDS - len(record.rounds), "first_round", "a round")
    if record.resigned is not None:
        _check_within(record.resigned + 1, 1, sides, "resigned", "a side of this table")
    _check_tags(record.tags)
    _check_text(record.comment.replace("\n", ""), "comment")


def _check_tags(tags: Iterable[tuple[str, str]]) -> None:
    seen = set()
    for key, value in tags:
        path = f"tags.{key}"
        if not TAG.fullmatch(key) or key in WORDS:
            fix = "use small letters, digits, - and _, and no word of the format"
            raise fail("tags", key, "cannot be the name of a tag", fix)
        if key in seen:
            raise fail(path, key, "stands twice", "say it once")
        seen.add(key)
        _check_text(value, path)


def _check_text(text: str, path: str) -> None:
    found = CONTROL.search(text)
    if found:
        value = f"U+{ord(found[0]):04X}"
        raise fail(path, value, "cannot be in a text of a record", "leave the character out")


def _check_within(value: int, low: int, high: int, path: str, noun: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise fail(path, value, f"is not {noun}", f"use {low} to {high}")


def _check_points(points: tuple[int, ...], sides: int, path: str, kind: str) -> None:
    if len(points) != sides:
        text = ":".join(map(shown, points))
        raise fail(path, text, "is not one number for each side", f"give {sides}")
    try:
        for number in points:
            checked_points(number, kind)
    except BasraError as error:
        raise in_place(error, path) from None


# -- a round -------------------------------------------------------------------------------------


def check_round(record: Record, number: int, now: RoundRecord, before: RoundRecord | None) -> None:
    """A round, after the one before it; the record is there for its rules and its table."""
    path = f"rounds[{number}]"
    sizes = record.rules.deal_sizes(record.players)
    if before is not None:
        _check_finished(record, before, number, path)
    _check_within(now.leader + 1, 1, record.players, f"{path}.leader", "a seat of this table")
    if len(now.deals) > len(sizes):
        fix = f"give at most {len(sizes)}"
        raise fail(f"{path}.deals[{len(sizes)}]", len(sizes) + 1, "is a deal too many", fix)
    places = _Places(record, now.deals)
    _check_first_floor(record, now, path, places)
    for index, deal in enumerate(now.deals):
        here = f"{path}.deals[{index}]"
        full = record.players * sizes[index]
        places.deal(deal, index, sizes[index], here)
        if len(deal.turns) > full:
            message = f"is a move more than the {full} of a deal"
            move = deal.turns[full].move
            raise fail(f"{here}.turns[{full}]", move, message, "write it in the next deal")
        if len(deal.turns) < full and index + 1 < len(now.deals):
            message = f"begins after {len(deal.turns)} of the {full} moves of the deal before"
            fix = "record all of them: only the last deal may be unfinished"
            raise fail(f"{path}.deals[{index + 1}]", index + 2, message, fix)
    _check_moves(record, now, path)
    if now.stock is not None:
        left = record.rules.deck - record.rules.floor_size
        left -= record.players * sum(sizes[: len(now.deals)])
        places.stock(now.stock, left, f"{path}.stock")
    if now.points is not None:
        _check_points(now.points, sides_of(record.players, record.partners), f"{path}.points", "")
    _check_text(now.comment.replace("\n", ""), f"{path}.comment")


def _check_finished(record: Record, before: RoundRecord, number: int, path: str) -> None:
    whole = record.players * sum(record.rules.deal_sizes(record.players))
    played = sum(len(deal.turns) for deal in before.deals)
    if played < whole:
        message = f"begins after {played} of the {whole} moves of the round before"
        fix = "record all of them: only the last round may be unfinished"
        raise fail(path, record.first_round + number, message, fix)


def _check_first_floor(record: Record, now: RoundRecord, path: str, places: _Places) -> None:
    size = record.rules.floor_size
    places.put(now.floor, "on the first floor", f"{path}.floor")
    if len(now.floor) != size:
        message = f"are not the {size} cards of a first floor"
        raise fail(f"{path}.floor", now.floor.joined, message, f"give {size}")
    for card in now.floor & record.rules.not_on_first_floor:
        fix = "write it after buried, and on the floor what came for it"
        raise fail(f"{path}.floor", card, "may not lie on a first floor", fix)
    places.buried(now.buried, f"{path}.buried")


class _Places:
    """Where cards of a round are known to be when they are dealt: each in one place."""

    def __init__(self, record: Record, deals: tuple[DealRecord, ...]) -> None:
        self.rules = record.rules
        self.players = record.players
        self.first_hands = deals[0].hands if deals else ()
        self.known: list[tuple[int, str]] = []
        self.taken = 0

    def put(self, cards: Cards, place: str, path: str) -> None:
        """Cards of the pack, that are nowhere yet."""
        _check_pack(cards, self.rules.data.pack, path)
        for card in Cards.from_mask(cards.mask & self.taken):
            other = next(name for mask, name in self.known if mask >> card.index & 1)
            raise fail(path, card, f"is {other} too", "name each card in one place only")
        self.taken |= cards.mask
        self.known.append((cards.mask, place))

    def buried(self, cards: tuple[Card, ...], path: str) -> None:
        """Cards shown and put back: back in the stock, so in no hand of the first deal."""
        found = _as_set(cards, path)
        _check_pack(found, self.rules.data.pack, path)
        for card in found - self.rules.not_on_first_floor:
            fix = "leave it out: only what may not lie there is put back"
            raise fail(path, card, "may lie on a first floor", fix)
        for seat, hand in enumerate(self.first_hands):
            for card in found & hand:
                message = f"is in the hand of seat {seat + 1} in deal 1 too"
                raise fail(path, card, message, "name each card in one place only")

    def deal(self, deal: DealRecord, index: int, size: int, path: str) -> None:
        """The hands of a deal, as far as they are known."""
        if len(deal.hands) != self.players:
            fix = f"give {self.players}, empty where nothing is known"
            message = "is not the number of hands of this table"
            raise fail(f"{path}.hands", len(deal.hands), message, fix)
        for seat, hand in enumerate(deal.hands):
            here = f"{path}.hands[{seat}]"
            if len(hand) > size:
                message = f"are more than the {size} cards of a hand"
                raise fail(here, hand.joined, message, f"give at most {size}")
            self.put(hand, f"in the hand of seat {seat + 1} in deal {index + 1}", here)

    def stock(self, cards: tuple[Card, ...], left: int, path: str) -> None:
        """The cards that are left when the recorded deals are dealt."""
        if len(cards) != left:
            fix = "list all in dealing order, or leave the stock out"
            raise fail(path, len(cards), f"is not the number of undealt cards, {left}", fix)
        self.put(_as_set(cards, path), "in the stock", path)


def _as_set(cards: tuple[Card, ...], path: str) -> Cards:
    try:
        return Cards(cards)
    except BasraError as error:
        raise in_place(error, path) from None


def _check_pack(cards: Cards, pack: int, path: str) -> None:
    for card in Cards.from_mask(cards.mask & ~pack):
        fix = "leave it out, or use rules with 52 cards"
        raise fail(path, card, "is not in the pack of these rules", fix)


def _check_moves(record: Record, now: RoundRecord, path: str) -> None:
    pack, played = record.rules.data.pack, 0
    for index, deal in enumerate(now.deals):
        for ply, turn in enumerate(deal.turns):
            here = f"{path}.deals[{index}].turns[{ply}]"
            card, taken = turn.move.card, turn.move.captures
            mask = 1 << card.index
            if (mask | taken.mask) & ~pack:
                _check_pack(Cards.from_mask(mask | taken.mask), pack, f"{here}.move")
            if mask & played:
                fix = "look at this move and at the one before"
                raise fail(f"{here}.move", card, "was played before in this round", fix)
            if mask & taken.mask:
                raise fail(f"{here}.move", card, "cannot take itself", "name what it takes")
            played |= mask
            if turn.estimate is not None:
                _check_estimate(turn.estimate, f"{here}.estimate")
            if turn.comment:
                _check_text(turn.comment.replace("\n", ""), f"{here}.comment")


def _check_estimate(estimate: Estimate, path: str) -> None:
    if not math.isfinite(estimate.value) or abs(estimate.value) > MOST_POINTS:
        fix = f"use -{MOST_POINTS:,} to {MOST_POINTS:,}"
        raise fail(f"{path}.value", estimate.value, "is not a number of points", fix)
    error = estimate.stderr
    if error is not None and not 0 <= error <= MOST_POINTS:
        fix = f"use 0 to {MOST_POINTS:,}; 0 is for an exact value"
        raise fail(f"{path}.stderr", error, "is not a standard error in points", fix)
    _check_text(estimate.method, f"{path}.method")
