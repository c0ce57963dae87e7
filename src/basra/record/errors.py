"""The error of records that cannot be read or written."""

from __future__ import annotations

from typing import Self

from basra.errors import NotationError


class RecordError(NotationError):
    """A record cannot be read, or says what cannot be.

    In a text `field` is the word that the line starts with, and `line` and `column` say where, from
    1, in the message too.  In JSON and in values `field` is a path, such as
    rounds[0].deals[1].turns[3].move, and `line` and `column` are 0.
    """

    line = 0
    column = 0

    def at(self, line: int, column: int) -> Self:
        """This error, placed in a text."""
        self.line, self.column = line, column
        self.message = f"{self.message} (line {line}, column {column})"
        return self

    def moved_to(self, field: str) -> Self:
        """The same error, in the same place, about another field."""
        moved = super().moved_to(field)
        moved.line, moved.column = self.line, self.column
        return moved

    def __reduce__(self) -> tuple[object, ...]:
        state = {"line": self.line, "column": self.column, "source": self.source}
        return (*super().__reduce__(), state)


def shown(value: object) -> str:
    """A value for a message: short, whatever it is."""
    if isinstance(value, int) and abs(value) >= 10**30:
        return "so large a number"
    if isinstance(value, (list, tuple, dict)):
        return ""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(value)[:60])
