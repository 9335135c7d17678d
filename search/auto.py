"""The default strategy."""

from collections.abc import Generator
from dataclasses import dataclass, field

from isoplane.objectives import Criterion, Objective

from .circuit_strategies import AnnealCircuits
from .connection_sets import ConnectionSets
from .exact import Exact
from .pareto import Pareto
from .portfolio import Portfolio
from .space import Space
from .strategy import Round, Strategy, Task

# Beyond these n an exact search lasts longer than a person waits without asking for it. Delays over the real routes
# alone, and fronts with cables, take about a minute for n = 7; everything else takes seconds.
EXACT_UP_TO = 7
EXACT_UP_TO_OF_SLOW = 6


@dataclass(frozen=True)
class Auto:
    """Exact search for small n; above it the Pareto chains for a front, and the portfolio for a score.

    Hybrid networks get all rules for circuits, then annealing from the best of them.

    Small is n <= 7, and n <= 6 for delays over the real routes alone and for fronts with cables.

    Examples
    --------
    >>> Auto().name
    'auto'
    """

    exact: Exact = field(default_factory=Exact)
    pareto: Pareto = field(default_factory=Pareto)
    portfolio: Portfolio = field(default_factory=Portfolio)
    assignment: AnnealCircuits = field(default_factory=AnnealCircuits)

    @property
    def name(self) -> str:
        """What records call this strategy."""
        return "auto"

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Search with the strategy that fits the task."""
        yield from self.choose(task.space, task.objective).rounds(task)

    def choose(self, space: Space, objective: Criterion) -> Strategy:
        """Return the strategy that fits a space and an objective.

        Raises
        ------
        InputError
            If the objective does not judge the designs of the space.
        """
        if isinstance(space, ConnectionSets):
            return self._for_cubes(space.n, space.fitted(objective))
        space.fitted(objective)
        return self.assignment

    def _for_cubes(self, n: int, objective: Objective) -> Strategy:
        slow = objective.components[0] == ("delay",) or (objective.front is not None and objective.needs_layout)
        if n <= (EXACT_UP_TO_OF_SLOW if slow else EXACT_UP_TO):
            return self.exact
        return self.portfolio if objective.front is None else self.pareto
