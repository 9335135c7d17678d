"""A task of connection sets."""

from dataclasses import dataclass

from isoplane.models import InputError
from isoplane.objectives import CubeObjective

from ..strategy import Task
from .connection_sets import ConnectionSets


@dataclass(frozen=True)
class CubeTask(Task):
    """A task whose space is one of connection sets."""

    space: ConnectionSets
    objective: CubeObjective


def cube_task(task: Task, name: str) -> CubeTask:
    """Return a task as one of connection sets.

    Raises
    ------
    InputError
        If its space is another one, naming the strategy that was asked for it.
    """
    if not isinstance(task.space, ConnectionSets) or not isinstance(task.objective, CubeObjective):
        family = task.space.baseline.network.name
        raise InputError(f"strategy={name}: searches connection sets of cubes; allowed for {family} are others")
    return CubeTask(**vars(task))


def usual_heat(task: CubeTask) -> float:
    """Return the temperature at which annealing begins at the hottest, relative to the score of identical planes.

    0.02 where the first component depends on cables, else 0.22 · 2^(-n/2): the steps of a sum of distances are finer in
    larger cubes.
    """
    return 0.02 if task.objective.needs_layout else 0.22 * 2 ** (-task.space.n / 2)
