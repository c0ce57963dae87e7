"""What a card may take, and what that is worth: the definitions, spelled out."""

from collections.abc import Iterable
from dataclasses import dataclass

from .cards import SEVEN_OF_DIAMONDS, is_jack, is_numeral, rank, rank_letter, value
from .rules import Rules, points_of_card, sweeps

HIGHEST_GROUP = 10
PICTURE_BASRA = 10


@dataclass(frozen=True)
class Move:
    """A card played and the floor cards it takes; nothing taken means it is trailed."""

    card: int
    taken: frozenset[int]


def move_order(move: Move) -> tuple[int, list[int]]:
    """Canonical order: by card, then by what it takes; a trail is an empty list, so first."""
    return move.card, sorted(move.taken)


def sum_groups(numerals: list[int], total: int) -> list[frozenset[int]]:
    """All sets of the given numerals that add up to `total`: each card is left out or taken."""
    if total == 0:
        return [frozenset()]
    if not numerals:
        return []
    first, rest = numerals[0], numerals[1:]
    without = sum_groups(rest, total)
    if value(first) > total:
        return without
    return without + [group | {first} for group in sum_groups(rest, total - value(first))]


def groups(rules: Rules, floor: frozenset[int], card: int) -> set[frozenset[int]]:
    """All groups of a card that does not sweep: equal ranks, sums, and a wild 7D."""
    found = {frozenset({other}) for other in floor if rank(other) == rank(card)}
    if is_numeral(card):
        numerals = sorted(other for other in floor if is_numeral(other))
        found.update(sum_groups(numerals, value(card)))
    if rules.seven_diamonds == "wild" and SEVEN_OF_DIAMONDS in floor:
        found.add(frozenset({SEVEN_OF_DIAMONDS}))
    return found


def disjoint_unions(parts: set[frozenset[int]]) -> set[frozenset[int]]:
    """All non-empty unions of pairwise disjoint parts, grown by one part at a time."""
    unions = set(parts)
    fresh = set(parts)
    while fresh:
        grown = {union | part for union in fresh for part in parts if not union & part}
        fresh = grown - unions
        unions |= fresh
    return unions


def maximal_only(unions: set[frozenset[int]]) -> set[frozenset[int]]:
    """Those that no other union contains."""
    return {union for union in unions if not any(union < other for other in unions)}


def captures(rules: Rules, floor: frozenset[int], card: int) -> list[frozenset[int]]:
    """Every capture of one card, each once, in canonical order."""
    if card in floor:
        raise ValueError("the card played lies on the floor")
    if sweeps(rules, card):
        return [floor] if floor else []
    unions = disjoint_unions(groups(rules, floor, card))
    if rules.choice == "maximal":
        unions = maximal_only(unions)
    return sorted(unions, key=sorted)


def splits_into_groups(cards: frozenset[int], total: int) -> bool:
    """Whether numerals split exactly into groups of `total`.

    The lowest card has to be in some group, so every group that holds it is tried.
    """
    if not cards:
        return True
    first = min(cards)
    rest = cards - {first}
    if value(first) > total:
        return False
    others = sum_groups(sorted(rest), total - value(first))
    return any(splits_into_groups(rest - other, total) for other in others)


def all_numerals(cards: frozenset[int]) -> bool:
    """Whether no picture card is among them."""
    return all(is_numeral(card) for card in cards)


def is_total_ten(floor: frozenset[int]) -> bool:
    """Only numerals, at most ten together."""
    return all_numerals(floor) and sum(value(card) for card in floor) <= HIGHEST_GROUP


def is_equal_groups(floor: frozenset[int]) -> bool:
    """Only numerals, that split into groups of one equal value of at most ten."""
    return all_numerals(floor) and any(
        splits_into_groups(floor, total) for total in range(1, HIGHEST_GROUP + 1)
    )


def is_lone_jack(floor: frozenset[int]) -> bool:
    """One jack and nothing else."""
    return len(floor) == 1 and all(is_jack(card) for card in floor)


def seven_makes_basra(rules: Rules, floor: frozenset[int]) -> bool:
    """Whether a sweep by 7D is a basra of the ordinary value; a lone jack is not decided here."""
    if rules.seven_basra == "total_ten":
        return is_total_ten(floor)
    if rules.seven_basra == "equal_groups":
        return is_equal_groups(floor)
    if rules.seven_basra == "as_any_card":
        ranks = {rank_letter(card) for card in floor}
        return is_equal_groups(floor) or ranks == {"Q"} or ranks == {"K"}
    return False


def basra_value(rules: Rules, card: int) -> int:
    """What an ordinary basra made by this card is worth."""
    if rules.basra_points == "double":
        return 2 * (value(card) if is_numeral(card) else PICTURE_BASRA)
    if isinstance(rules.basra_points, int):
        return rules.basra_points
    return rules.basra_points.get(rank_letter(card), 0)


def basra_points(
    rules: Rules,
    floor: frozenset[int],
    card: int,
    taken: frozenset[int],
    last_of_round: bool = False,
) -> int:
    """Basra points of one play on the floor as it was before it."""
    if not taken or taken != floor:
        return 0
    if last_of_round and not rules.basra_on_last:
        return 0
    if is_jack(card):
        return rules.jack_basra if is_lone_jack(floor) else 0
    if sweeps(rules, card):
        if is_lone_jack(floor) and rules.seven_basra in ("equal_groups", "as_any_card"):
            return rules.jack_basra
        return basra_value(rules, card) if seven_makes_basra(rules, floor) else 0
    return basra_value(rules, card)


def card_points(rules: Rules, cards: Iterable[int]) -> int:
    """Card points of a pile."""
    return sum(points_of_card(rules, card) for card in cards)


def may_trail(rules: Rules, floor: frozenset[int], card: int) -> bool:
    """Whether this card, once it is played, may be left on the floor.

    Which cards of a hand may be played at all is the business of `legal_moves`.
    """
    return rules.must_capture == "none" or not captures(rules, floor, card)


def moves_of_card(rules: Rules, floor: frozenset[int], card: int) -> list[Move]:
    """All plays of one card."""
    moves = [Move(card, taken) for taken in captures(rules, floor, card)]
    if may_trail(rules, floor, card):
        moves.append(Move(card, frozenset()))
    return moves


def legal_moves(rules: Rules, hand: Iterable[int], floor: frozenset[int]) -> list[Move]:
    """All plays of a hand in canonical order."""
    moves = [move for card in hand for move in moves_of_card(rules, floor, card)]
    if rules.must_capture == "hand" and any(move.taken for move in moves):
        moves = [move for move in moves if move.taken]
    return sorted(moves, key=move_order)
