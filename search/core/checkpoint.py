"""Checkpoints of a search."""

from typing import Any


class Checkpoint:
    """Named pages that outlive the process, each replaced as a whole; this one discards everything.

    Examples
    --------
    >>> Checkpoint().save("anneal", [1, 2]), Checkpoint().load("anneal")
    (None, None)
    """

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
        return False
