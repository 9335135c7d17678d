"""The default strategy."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import ClassVar

from isoplane.objectives import Lexicographic

from ..core.methods import methods_of
from ..core.space import Space
from ..core.strategy import Round, Strategy, Task


@dataclass(frozen=True)
class Auto(Strategy):
    """The default strategy of a space: see `Methods.default_strategy`.

    Examples
    --------
    >>> Auto().name
    'auto'
    """

    name: ClassVar[str] = "auto"

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Search with the strategy that fits the task."""
        yield from self.choose(task.space, task.objective).rounds(task)

    def choose(self, space: Space, objective: Lexicographic) -> Strategy:
        """Return the strategy that fits a space and an objective.

        Raises
        ------
        InputError
            If the objective does not evaluate the designs of the space.
        """
        return methods_of(space).default_strategy(objective)
