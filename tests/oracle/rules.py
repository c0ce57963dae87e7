"""Rule parameters and the presets, copied out by hand a second time on purpose.

A slip in the engine's own table of presets must not be able to hide here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from .cards import RANKS, SEVEN_OF_DIAMONDS, parse, rank_letter, text

BasraPoints = int | Literal["double"] | Mapping[str, int]


@dataclass(frozen=True)
class Rules:
    """One field per parameter of the rules, under the same name."""

    deck: int
    tables: frozenset[str]
    hand_size: int
    floor_size: int
    not_on_first_floor: frozenset[int]
    bury: Literal["random", "bottom"]
    choice: Literal["any", "maximal"]
    must_capture: Literal["card", "hand", "none"]
    seven_diamonds: Literal["plain", "sweep", "wild"]
    seven_basra: Literal["none", "total_ten", "equal_groups", "as_any_card"]
    jack_basra: int
    basra_points: BasraPoints
    basra_on_last: bool
    card_points: Mapping[str, int]
    most_cards: int
    most_cards_tie: Literal["nobody", "carry"]
    target: int

    def __post_init__(self) -> None:
        """Refuse the one combination that would be scored in two ways: see `jack_basra`."""
        if isinstance(self.basra_points, Mapping) and "J" in self.basra_points:
            raise ValueError("basra_points: a jack has jack_basra instead")


def card_set(words: str | Iterable[str | int]) -> frozenset[int]:
    """Turn "J 7D" or ["J", "7D"] into cards: a lone rank letter stands for its four cards."""
    cards: set[int] = set()
    for word in words.split() if isinstance(words, str) else words:
        if isinstance(word, int):
            cards.add(word)
        elif len(word) == 1:
            first = RANKS.index(word.upper()) * 4
            cards.update(range(first, first + 4))
        else:
            cards.add(parse(word))
    return frozenset(cards)


def pack(rules: Rules) -> list[int]:
    """All cards in use, in canonical order; the short pack has no queens and no kings."""
    cards = list(range(52))
    if rules.deck == 44:
        cards = [card for card in cards if rank_letter(card) not in "QK"]
    return cards


def sweeps(rules: Rules, card: int) -> bool:
    """Whether a card takes the whole floor by its power: a jack, or a 7D that is not plain."""
    if rank_letter(card) == "J":
        return True
    return card == SEVEN_OF_DIAMONDS and rules.seven_diamonds in ("sweep", "wild")


def points_of_card(rules: Rules, card: int) -> int:
    """Points of one card in a pile; an entry for the card itself overrides its rank."""
    if text(card) in rules.card_points:
        return rules.card_points[text(card)]
    return rules.card_points.get(rank_letter(card), 0)


def with_changes(rules: Rules, **inline: Any) -> Rules:
    """Lay parameters over a rule set, taking the plain lists that JSON can hold."""
    if "tables" in inline:
        tables = inline["tables"]
        inline["tables"] = frozenset(tables.split() if isinstance(tables, str) else tables)
    if "not_on_first_floor" in inline:
        inline["not_on_first_floor"] = card_set(inline["not_on_first_floor"])
    return replace(rules, **inline)


FAMILY_POINTS: Mapping[str, int] = {"A": 1, "J": 1, "2C": 2, "TD": 3}
NO_POINTS: Mapping[str, int] = {}

PRESETS: Mapping[str, Rules] = {
    "classic": Rules(
        deck=52,
        tables=frozenset({"2", "3", "partners"}),
        hand_size=4,
        floor_size=4,
        not_on_first_floor=card_set("J 7D"),
        bury="random",
        choice="maximal",
        must_capture="card",
        seven_diamonds="sweep",
        seven_basra="total_ten",
        jack_basra=0,
        basra_points=10,
        basra_on_last=True,
        card_points=FAMILY_POINTS,
        most_cards=30,
        most_cards_tie="carry",
        target=101,
    ),
    "egyptian": Rules(
        deck=52,
        tables=frozenset({"2"}),
        hand_size=4,
        floor_size=4,
        not_on_first_floor=card_set("J 7D"),
        bury="random",
        choice="maximal",
        must_capture="card",
        seven_diamonds="sweep",
        seven_basra="equal_groups",
        jack_basra=10,
        basra_points=10,
        basra_on_last=True,
        card_points=NO_POINTS,
        most_cards=30,
        most_cards_tie="nobody",
        target=101,
    ),
    "palestine": Rules(
        deck=44,
        tables=frozenset({"2", "4", "partners"}),
        hand_size=4,
        floor_size=4,
        not_on_first_floor=card_set("J"),
        bury="random",
        choice="any",
        must_capture="card",
        seven_diamonds="plain",
        seven_basra="none",
        jack_basra=0,
        basra_points="double",
        basra_on_last=True,
        card_points=FAMILY_POINTS,
        most_cards=3,
        most_cards_tie="nobody",
        target=101,
    ),
    "palestine-52": Rules(
        deck=52,
        tables=frozenset({"2", "3", "4", "partners"}),
        hand_size=4,
        floor_size=4,
        not_on_first_floor=card_set("J"),
        bury="random",
        choice="any",
        must_capture="card",
        seven_diamonds="plain",
        seven_basra="none",
        jack_basra=0,
        basra_points="double",
        basra_on_last=True,
        card_points=FAMILY_POINTS,
        most_cards=3,
        most_cards_tie="nobody",
        target=101,
    ),
    "egyptian-v2": Rules(
        deck=52,
        tables=frozenset({"2"}),
        hand_size=4,
        floor_size=4,
        not_on_first_floor=card_set("J 7D"),
        bury="random",
        choice="maximal",
        must_capture="card",
        seven_diamonds="wild",
        seven_basra="as_any_card",
        jack_basra=20,
        basra_points=10,
        basra_on_last=True,
        card_points=NO_POINTS,
        most_cards=30,
        most_cards_tie="nobody",
        target=101,
    ),
}
