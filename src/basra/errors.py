"""Errors: one exception class for each status of the core, all with field, value and remedy."""

from __future__ import annotations

from typing import ClassVar, Self

from basra import _core


class BasraError(Exception):
    """Base of all errors of the package.

    `field` is the option or parameter the error is about, `value` what was given, `message` what is
    wrong with it, `fix` what to type instead.  `source` names the rule file it was found in, if
    any.
    """

    source = ""

    status: ClassVar[int] = -1
    code: ClassVar[str] = "error"

    def __init__(self, message: str, *, field: str = "", value: object = "", fix: str = "") -> None:
        self.message = message
        self.field = field
        self.value = str(value)
        self.fix = fix
        super().__init__(message)

    def __str__(self) -> str:
        place = f"{self.field}: " if self.field else ""
        value = f"{self.value} " if self.value else ""
        fix = f"; {self.fix}" if self.fix else ""
        return f"{place}{value}{self.message}{fix}"

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.message, self.field, self.value, self.fix))

    def moved_to(self, field: str) -> Self:
        """The same error about another field."""
        return type(self)(self.message, field=field, value=self.value, fix=self.fix)

    def to_dict(self) -> dict[str, str]:
        """The fields of a JSON error: code, field, value, message, fix."""
        return {
            "code": self.code,
            "field": self.field,
            "value": self.value,
            "message": self.message,
            "fix": self.fix,
        }


def _rebuild(kind: type[BasraError], message: str, field: str, value: str, fix: str) -> BasraError:
    return kind(message, field=field, value=value, fix=fix)


class BasraMemoryError(BasraError, MemoryError):
    """An allocation failed."""

    status = 1
    code = "memory"


class ArgumentError(BasraError, ValueError):
    """An argument is outside its range."""

    status = 2
    code = "argument"


class CardError(BasraError, ValueError):
    """A card is unknown, outside the pack, or stands in two places."""

    status = 3
    code = "card"


class RulesError(BasraError, ValueError):
    """A rule set contradicts itself, or does not allow the table."""

    status = 4
    code = "rules"


class PositionError(BasraError, ValueError):
    """A position is impossible under the rules."""

    status = 5
    code = "position"


class IllegalMoveError(BasraError, ValueError):
    """A move is not legal in the position."""

    status = 6
    code = "move"


class GameOverError(BasraError, RuntimeError):
    """The round is over, or not over yet, or has nothing to take back."""

    status = 7
    code = "over"


class KnowledgeError(BasraError, ValueError):
    """No deal of the cards fits what the seat knows."""

    status = 8
    code = "knowledge"


class TooLargeError(BasraError, RuntimeError):
    """One card has more captures than the engine lists."""

    status = 9
    code = "too_large"


class EngineBusyError(BasraError, RuntimeError):
    """The engine is in a call already, in another thread."""

    status = 10
    code = "busy"


class BoundsError(BasraError, RuntimeError):
    """An output array was too small; the wrapper retries, so this never surfaces."""

    status = 11
    code = "bounds"


class StoppedError(BasraError, RuntimeError):
    """The call was stopped before any result was reached."""

    status = 12
    code = "stopped"


class ModelError(BasraError, ValueError):
    """A model cannot be read, was fitted for other rules, or lacks what is asked of it."""

    status = 13
    code = "model"


class InternalError(BasraError, RuntimeError):
    """A defensive check fired: a defect of the library, please report it."""

    status = 14
    code = "internal"


class NotationError(BasraError, ValueError):
    """A position or move text cannot be read."""

    code = "notation"


STATUS_ERRORS: dict[int, type[BasraError]] = {
    kind.status: kind
    for kind in (
        BasraMemoryError,
        ArgumentError,
        CardError,
        RulesError,
        PositionError,
        IllegalMoveError,
        GameOverError,
        KnowledgeError,
        TooLargeError,
        EngineBusyError,
        BoundsError,
        StoppedError,
        ModelError,
        InternalError,
    )
}

_FAULTS = _core.fault_texts()


def core_error(error: _core.CoreError, field: str = "", value: object = "") -> BasraError:
    """The exception for a core error; a fault brings field, message and remedy of its own."""
    kind = STATUS_ERRORS.get(error.status, InternalError)
    if error.fault:
        fault_field, message, fix = _FAULTS[error.fault]
        return kind(message, field=field or fault_field, value=value, fix=fix)
    if kind is TooLargeError:
        return kind(
            f"has more than {_core.MAX_CAPTURES:,} captures on this floor",
            field=field or "card",
            value=value,
            fix="leave out some floor cards",
        )
    return kind(str(error), field=field, value=value)


def fault_field(error: _core.CoreError) -> str:
    """The field that a core error is about."""
    return _FAULTS[error.fault][0]
