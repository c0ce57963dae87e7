"""Errors: one class for each status, a field and a remedy for each fault."""

from __future__ import annotations

import copy
import pickle

import pytest

import basra
from basra import BasraError, InternalError, NotationError, _core, errors

STATUSES = _core.status_texts()
FAULTS = _core.fault_texts()
OK, NO_FAULT = 0, 0

CLASSES = sorted(
    (kind for kind in vars(errors).values() if isinstance(kind, type) and kind is not BasraError),
    key=lambda kind: kind.__name__,
)
ERRORS: list[type[BasraError]] = [kind for kind in CLASSES if issubclass(kind, BasraError)]


def test_statuses_are_contiguous() -> None:
    """0 is OK; each number after it has exactly one class, and each class but one a number."""
    numbered = [kind for kind in ERRORS if kind is not NotationError]
    assert sorted(kind.status for kind in numbered) == list(range(1, len(STATUSES)))
    assert {kind.status: kind for kind in numbered} == errors.STATUS_ERRORS
    assert NotationError.status not in errors.STATUS_ERRORS


@pytest.mark.parametrize("status", range(len(STATUSES)))
def test_texts(status: int) -> None:
    """Each status has a text of its own."""
    assert STATUSES[status]
    assert STATUSES.count(STATUSES[status]) == 1
    assert str(_core.CoreError(status)) == STATUSES[status]


@pytest.mark.parametrize("status", range(1, len(STATUSES)))
def test_each_status_becomes_its_class(status: int) -> None:
    """With the core's text where no fault says more."""
    found = errors.core_error(_core.CoreError(status), "field", "value")
    assert type(found) is errors.STATUS_ERRORS[status]
    assert found.status == status
    assert found.field == "field"
    assert found.value == "value"
    assert found.message


@pytest.mark.parametrize("status", [-1, len(STATUSES), 1000])
def test_unknown_statuses(status: int) -> None:
    """They can only be a defect."""
    assert str(_core.CoreError(status)) == "unknown status"
    assert type(errors.core_error(_core.CoreError(status))) is InternalError


@pytest.mark.parametrize("fault", range(1, len(FAULTS)))
def test_faults(fault: int) -> None:
    """Each has a field, a text and a remedy, which its exception brings."""
    field, text, fix = FAULTS[fault]
    assert field
    assert text
    assert fix
    found = errors.core_error(_core.CoreError(8, fault), value="x")
    assert (found.field, found.message, found.fix, found.value) == (field, text, fix, "x")
    assert errors.core_error(_core.CoreError(8, fault), "mine").field == "mine"
    assert errors.fault_field(_core.CoreError(8, fault)) == field
    assert FAULTS.count(FAULTS[fault]) == 1


def test_no_fault() -> None:
    """The first entry is for nothing wrong."""
    assert FAULTS[NO_FAULT][0] == ""
    assert len(FAULTS) > 40


@pytest.mark.parametrize("kind", ERRORS)
def test_codes(kind: type[BasraError]) -> None:
    """Codes of JSON errors are distinct, classes documented, exported and of one family."""
    assert [other.code for other in ERRORS].count(kind.code) == 1
    assert kind.code != BasraError.code
    assert kind.__doc__
    assert getattr(basra, kind.__name__) is kind
    assert kind.__name__ in basra.__all__


@pytest.mark.parametrize("kind", ERRORS)
def test_errors_are_values(kind: type[BasraError]) -> None:
    """Pickled and copied with all they say; read as one line."""
    error = kind("is wrong", field="floor", value="5S", fix="name it once")
    assert str(error) == "floor: 5S is wrong; name it once"
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(other) is kind
        assert other.to_dict() == error.to_dict()
        assert str(other) == str(error)
    assert error.to_dict() == {
        "code": kind.code,
        "field": "floor",
        "value": "5S",
        "message": "is wrong",
        "fix": "name it once",
    }
    assert error.moved_to("hand").to_dict() == error.to_dict() | {"field": "hand"}
    assert str(kind("is wrong")) == "is wrong"


def test_families() -> None:
    """Each is the built-in that a caller would expect as well."""
    assert issubclass(basra.CardError, ValueError)
    assert issubclass(basra.ArgumentError, ValueError)
    assert issubclass(basra.IllegalMoveError, ValueError)
    assert issubclass(basra.BasraMemoryError, MemoryError)
    assert issubclass(basra.GameOverError, RuntimeError)
    assert issubclass(basra.EngineBusyError, RuntimeError)
