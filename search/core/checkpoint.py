"""Checkpoints of a search."""

from dataclasses import dataclass
from typing import Any, Protocol


class Checkpoint(Protocol):
    """Named pages that outlive the process; each is replaced as a whole."""

    def load(self, name: str) -> Any:
        """Return the page with this name, or None.

        Raises
        ------
        InputError
            If the page is damaged.
        """

    def save(self, name: str, data: Any) -> None:
        """Save JSON data under a name that consists only of the characters A-Z a-z 0-9 . _ -."""

    def due(self) -> bool:
        """Whether it is time to save again; pages that must not be lost are saved without asking."""


@dataclass(frozen=True)
class NullCheckpoint:
    """A checkpoint that discards everything.

    Examples
    --------
    >>> NullCheckpoint().save("anneal", [1, 2]), NullCheckpoint().load("anneal")
    (None, None)
    """

    def load(self, name: str) -> Any:
        """Return None."""

    def save(self, name: str, data: Any) -> None:
        """Do nothing."""

    def due(self) -> bool:
        """Return False."""
        return False
