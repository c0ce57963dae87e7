"""Training: fits what a model file holds to games that the engine plays with itself.

Needs NumPy, which is imported where it is used: `pip install 'basra[train]'`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from basra.errors import BasraError


class TrainingUnavailableError(BasraError):
    """What training needs is not installed."""

    code: ClassVar[str] = "training"


def need_numpy() -> Any:
    """The NumPy module; a TrainingUnavailableError that says how to get it if it is missing."""
    try:
        import numpy
    except ImportError:
        raise TrainingUnavailableError(
            "training needs NumPy", fix="pip install 'basra[train]'"
        ) from None
    return numpy
