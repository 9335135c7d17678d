"""Pareto fronts of two metrics."""

from dataclasses import dataclass
from typing import ClassVar

from isoplane.models import InputError

from ..core.strategy import Task
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

    name: ClassVar[str] = "pareto"

    def check(self, task: Task) -> None:
        """Raise an `InputError` if the objective is not a front."""
        if task.objective.front is None:
            score = f"objective={task.objective.name} is one score of {', '.join(task.objective.score_names)}"
            raise InputError(f"strategy=pareto: {score}; expected objective=front with two metrics of the network")
