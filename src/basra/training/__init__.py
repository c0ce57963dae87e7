"""Training: fits what a model file holds to games that the engine plays with itself.

Needs NumPy, which is imported where it is used: `pip install 'basra[train]'`.
"""

from __future__ import annotations

import os
import sys
from typing import Any, ClassVar

from basra.errors import BasraError

_THREADS = (
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OMP_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
"""What the libraries behind NumPy's matrix products read when they are loaded."""


class TrainingUnavailableError(BasraError):
    """What training needs is not installed."""

    code: ClassVar[str] = "training"


def need_numpy() -> Any:
    """The NumPy module; a TrainingUnavailableError that says how to get it if it is missing.

    Where it was not imported before, its matrix products get one thread: a sum cut into other
    pieces may be rounded otherwise, and the same seed shall give the same bytes.  A program that
    imports NumPy itself sets OPENBLAS_NUM_THREADS=1 (or what its library reads) before that.
    """
    if "numpy" not in sys.modules:
        os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        import numpy
    except ImportError:
        raise TrainingUnavailableError(
            "training needs NumPy", fix="pip install 'basra[train]'"
        ) from None
    return numpy
