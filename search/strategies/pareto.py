"""Pareto fronts of two metrics."""

from collections.abc import Generator
from dataclasses import dataclass

from isoplane.models import InputError

from ..core.run_searchers import run_searchers
from ..core.strategy import Round, Task
from .anneal import Anneal


@dataclass(frozen=True)
class Pareto(Anneal):
    """Annealing chains that keep every non-dominated design that they visit.

    The energy of a cooling cycle is max(a e^t, b e^-t) + 0.05 (a e^t + b e^-t), where a and b are the two metrics
    relative to the identical planes and t is drawn for each cycle: cycles search the front in different directions.

    References
    ----------
    Czyzżak and Jaszkiewicz, Pareto simulated annealing, 1998 (the idea; the scalarisation is Chebyshev's).

    Examples
    --------
    >>> Pareto().name
    'pareto'
    """

    @property
    def name(self) -> str:
        """Name of the strategy in records."""
        return "pareto"

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Advance all chains by the same number of evaluations per round.

        Raises
        ------
        InputError
            If the objective is not a front.
        """
        if task.objective.front is None:
            raise InputError(f"strategy=pareto: objective={task.objective.name} is one score; expected objective=front")
        yield from run_searchers(task, (self,) * self.chains, self.name)
