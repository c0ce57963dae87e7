"""Texts that remember what they were made of, so that they can be said in another language.

An error is made where nobody knows who will read it: programs read its English text, and at a
prompt it is said again in the language that is spoken there, by `Language.say`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


class Said(str):
    """An English text with its template and what fills the gaps; else it is just that text."""

    __slots__ = ("gaps", "template")
    template: str
    gaps: Mapping[str, object]

    def __reduce__(self) -> tuple[object, ...]:
        return (_again, (self.template, dict(self.gaps)))


def said(template: str, **gaps: object) -> Said:
    """A text from a template with named gaps, both of which it remembers.

    The template must be a literal, as it gets into the catalogues from here.  A gap may itself be
    said; a number is a count or the number of a seat; whatever else is a card, a move or a name,
    which is the same in every language.

    >>> text = said("was dealt to seat {seat} in deal {deal}", seat=1, deal=2)
    >>> text == "was dealt to seat 1 in deal 2", text.template
    (True, 'was dealt to seat {seat} in deal {deal}')
    """
    return _again(template, gaps)


def _again(template: str, gaps: Mapping[str, object]) -> Said:
    text = Said(template.format(**gaps))
    text.template, text.gaps = template, MappingProxyType(gaps)
    return text
