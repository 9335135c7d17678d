"""The default strategy."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import ClassVar

from isoplane.models import InputError
from isoplane.objectives import Lexicographic

from ..core.chain_strategy import ChainStrategy
from ..core.methods import methods_of
from ..core.space import Space
from ..core.strategy import Round, Strategy, Task


@dataclass(frozen=True)
class Auto(Strategy):
    """The default strategy of a space: see `Methods.default_strategy`.

    Parameters
    ----------
    chains
        Number of chains, if the strategy has any; None for its default.

    Examples
    --------
    >>> Auto().name
    'auto'
    """

    name: ClassVar[str] = "auto"

    chains: int | None = None

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Search with the strategy that fits the task."""
        yield from self.choose(task.space, task.objective).rounds(task)

    def choose(self, space: Space, objective: Lexicographic) -> Strategy:
        """Return the strategy that fits a space and an objective.

        Raises
        ------
        InputError
            If the objective does not evaluate the designs of the space, or the strategy has no chains to be counted.
        """
        strategy = methods_of(space).default_strategy(objective)
        if self.chains is None:
            return strategy
        if not isinstance(strategy, ChainStrategy):
            raise InputError(f"strategy.chains={self.chains}: expected null where strategy={strategy.name} is default")
        return replace(strategy, chains=self.chains)
