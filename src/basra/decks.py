"""The colours of the suits: two, as packs have, or four, so that no two suits look alike."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from basra.errors import ArgumentError

DECKS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "two": MappingProxyType({"C": "black", "D": "red", "H": "red", "S": "black"}),
        "four": MappingProxyType({"C": "green", "D": "blue", "H": "red", "S": "black"}),
    }
)
"""Decks by name: the colour of each suit.  Black is white on a dark screen."""

DEFAULT_DECK = "four"


def deck_colours(name: str) -> Mapping[str, str]:
    """The colours of a deck; ArgumentError for one that there is not.

    >>> deck_colours("four")["D"]
    'blue'
    """
    if name not in DECKS:
        raise ArgumentError(
            "is not a deck", field="deck", value=name, fix=f"use {' or '.join(DECKS)}"
        )
    return DECKS[name]
