"""What is closed when the `with` that it was opened for ends."""

from __future__ import annotations

from types import TracebackType
from typing import Self


class Closing:
    """A base for what has a `close`."""

    __slots__ = ()

    def close(self) -> None:
        """Gives back what is held."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
