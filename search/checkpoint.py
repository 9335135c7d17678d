"""What a search writes down, so that it can go on after it was killed."""

from dataclasses import dataclass
from typing import Any, Protocol


class Checkpoint(Protocol):
    """Named pages that survive the process; each is replaced as a whole."""

    def load(self, name: str) -> Any:
        """Return what was saved under a name, or None.

        Raises
        ------
        InputError
            If it is damaged.
        """

    def save(self, name: str, data: Any) -> None:
        """Save data that JSON holds under a name of the characters A-Z a-z 0-9 . _ - only."""

    def due(self) -> bool:
        """Whether the last page is old enough for another; what must not be lost is saved at once, without asking."""


@dataclass(frozen=True)
class NullCheckpoint:
    """No checkpoint: what is saved is gone.

    Examples
    --------
    >>> NullCheckpoint().save("anneal", [1, 2]), NullCheckpoint().load("anneal")
    (None, None)
    """

    def load(self, name: str) -> Any:
        """Return None."""

    def save(self, name: str, data: Any) -> None:
        """Forget it."""

    def due(self) -> bool:
        """Return False."""
        return False
