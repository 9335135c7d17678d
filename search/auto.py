"""The default strategy."""

from collections.abc import Generator
from dataclasses import dataclass, field

from isoplane.objectives import CubeObjective, Objective

from .circuits.assignment_count import may_enumerate
from .circuits.assignments import Assignments
from .circuits.enumeration import EnumerateCircuits
from .circuits.strategies import AnnealCircuits
from .cubes.connection_sets import ConnectionSets
from .cubes.exact import Exact
from .cubes.pareto import Pareto
from .cubes.portfolio import Portfolio
from .space import Space
from .strategy import Round, Strategy, Task

# Up to these n an exact search ends within 15 s of one core, half of the time that a search has by default; beyond them
# it takes from half a minute to hours: see docs/algorithms.md. Where cables lead, sums and loads cut little.
EXACT_UP_TO = 8
EXACT_UP_TO_WITH_CABLES = 7


@dataclass(frozen=True)
class Auto:
    """Exact search where it takes seconds; else the Pareto chains for a front, and the portfolio for a score.

    Hybrid networks with so few assignments that all of them are judged in about 15 s are enumerated; others get all
    rules for circuits, then annealing from the best of them.

    Exact search takes seconds for n <= 7, and for n = 8 where what leads, the first component of the score or the two
    metrics of a front, needs no cables.

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

    def choose(self, space: Space, objective: Objective) -> Strategy:
        """Return the strategy that fits a space and an objective.

        Raises
        ------
        InputError
            If the objective does not judge the designs of the space.
        """
        if isinstance(space, ConnectionSets):
            return self._for_cubes(space.n, space.fitted(objective))
        space.fitted(objective)
        return EnumerateCircuits() if isinstance(space, Assignments) and may_enumerate(space) else self.assignment

    def _for_cubes(self, n: int, objective: CubeObjective) -> Strategy:
        if n <= (EXACT_UP_TO_WITH_CABLES if objective.needs_layout else EXACT_UP_TO):
            return self.exact
        return self.portfolio if objective.front is None else self.pareto
