"""Cards as plain numbers, so that canonical order is simply ascending order."""

from collections.abc import Iterable

RANKS = "A23456789TJQK"
SUITS = "CDHS"
SUIT_SIGNS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}

TEN = RANKS.index("T")
JACK = RANKS.index("J")


def parse(name: str) -> int:
    """Read one card; `10D`, lower case and suit signs are accepted as the rules say."""
    word = name.strip().upper()
    for sign, letter in SUIT_SIGNS.items():
        word = word.replace(sign, letter)
    if word.startswith("10"):
        word = "T" + word[2:]
    if len(word) != 2 or word[0] not in RANKS or word[1] not in SUITS:
        raise ValueError(f"not a card: {name!r}")
    return RANKS.index(word[0]) * 4 + SUITS.index(word[1])


def text(card: int) -> str:
    """Write one card, rank then suit."""
    return RANKS[card // 4] + SUITS[card % 4]


def parse_many(names: str) -> list[int]:
    """Read several cards, keeping their order because a stock or a pile of draws has one."""
    return [parse(word) for word in names.replace(",", " ").split()]


def text_many(cards: Iterable[int]) -> str:
    """Write several cards in the order given; sort first where canonical order is wanted."""
    return " ".join(text(card) for card in cards)


def rank(card: int) -> int:
    """Rank number, ace 0 to king 12."""
    return card // 4


def rank_letter(card: int) -> str:
    """Rank as rule tables name it."""
    return RANKS[card // 4]


def is_numeral(card: int) -> bool:
    """Ace to ten: the only cards that have a value and count in sums."""
    return rank(card) <= TEN


def is_jack(card: int) -> bool:
    """A jack, of any suit."""
    return rank(card) == JACK


def value(card: int) -> int:
    """Value in sums; asking it of a picture card is a mistake in the caller."""
    if not is_numeral(card):
        raise ValueError(f"{text(card)} has no value")
    return rank(card) + 1


SEVEN_OF_DIAMONDS = parse("7D")
