"""A task of circuit assignments."""

from dataclasses import dataclass

from isoplane.models import InputError
from isoplane.objectives.fluid import WorkloadObjective

from ..strategy import Task
from .assignments import Assignments


@dataclass(frozen=True)
class CircuitTask(Task):
    """A task whose space is one of circuit assignments."""

    space: Assignments
    objective: WorkloadObjective


def circuit_task(task: Task, name: str) -> CircuitTask:
    """Return a task as one of circuit assignments.

    Raises
    ------
    InputError
        If its space is another one, naming the strategy that was asked for it.
    """
    if not isinstance(task.space, Assignments) or not isinstance(task.objective, WorkloadObjective):
        family = task.space.baseline.network.name
        raise InputError(f"strategy={name}: assigns circuits of hybrid networks; allowed for {family} are others")
    return CircuitTask(**vars(task))
