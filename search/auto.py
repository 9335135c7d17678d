"""The default strategy."""

from collections.abc import Generator
from dataclasses import dataclass, field

from isoplane.objectives import Objective

from .exact import Exact
from .pareto import Pareto
from .portfolio import Portfolio
from .strategy import Round, Strategy, Task

# Beyond this an exact search lasts longer than a person waits without asking for it.
EXACT_UP_TO = 6


@dataclass(frozen=True)
class Auto:
    """Exact search for n <= 6; above it the Pareto chains for a front, and the portfolio for a score.

    Examples
    --------
    >>> Auto().name
    'auto'
    """

    exact: Exact = field(default_factory=Exact)
    pareto: Pareto = field(default_factory=Pareto)
    portfolio: Portfolio = field(default_factory=Portfolio)

    @property
    def name(self) -> str:
        """What records call this strategy."""
        return "auto"

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Search with the strategy that fits the task."""
        yield from self.choose(task.space.n, task.objective).rounds(task)

    def choose(self, n: int, objective: Objective) -> Strategy:
        """Return the strategy that fits a dimension and an objective."""
        if n <= EXACT_UP_TO:
            return self.exact
        return self.portfolio if objective.front is None else self.pareto
