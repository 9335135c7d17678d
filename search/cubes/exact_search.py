"""Exact search: connection sets with a proof of optimality."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import ClassVar

from isoplane.models import InputError
from isoplane.models.checks import check_bool, check_int

from ..core.run_searchers import setup_of
from ..core.strategy import Round, Strategy, Task, other_space, require_space
from ..strategies.pareto import Pareto
from ..strategies.portfolio import Portfolio
from .exact_enumeration import MAX_N
from .proving import Proving
from .space import ConnectionSets

# Better incumbents prune more, so a longer head start pays off for larger n.
HEAD_START = {7: 1 << 20, 8: 1 << 22, 9: 1 << 24, 10: 1 << 26}


@dataclass(frozen=True)
class Exact(Strategy):
    """Branch and bound over bases, one of each class under permutations of generators and of coordinates.

    The chains of `Portfolio`, or for a front of `Pareto`, run first and provide the incumbents. Sets of generators then
    grow by one generator at a time, one set per class, and are pruned when every completion has a sum of distances that
    is too large: see `docs/algorithms.md`. If the score depends on cables, a basis that could win by its loads and its
    shortest possible cables is tried in all orders of its coordinates. The chains continue between parts of the units.

    Parameters
    ----------
    head_start
        Number of evaluations of the chains before the proof begins; by default 2^17, and more for n >= 7.
    everything
        Disable pruning: the proof then counts all classes, with their histogram by sum of distances.

    References
    ----------
    McKay, Isomorph-free exhaustive generation, 1998.

    Examples
    --------
    >>> Exact().name
    'exact'
    """

    name: ClassVar[str] = "exact"

    head_start: int | None = None
    everything: bool = False

    def __post_init__(self) -> None:
        if self.head_start is not None:
            check_int("strategy.head_start", self.head_start, 1)
        check_bool("strategy.everything", self.everything)

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Run chains, then the units of the proof on the fleet, reported in order.

        Raises
        ------
        InputError
            If n is too large, or there is a workload.
        """
        space = require_space(task, ConnectionSets, self.name)
        if space.workload is not None:
            raise other_space(task, ConnectionSets, self.name)
        objective = space.fitted(task.objective)
        if space.n > MAX_N:
            raise InputError(f"network.n={space.n}: strategy=exact expects an integer from 2 to {MAX_N}")
        head_start = self.head_start or HEAD_START.get(space.n, 1 << 17)
        chains = setup_of(task, chain_settings(task), self.name)
        yield from Proving(task, space, objective, chains, head_start, self.everything).rounds()


def chain_settings(task: Task) -> tuple[object, ...]:
    """Return the settings of the chains that run alongside a proof: those of the default strategy for larger n."""
    if task.objective.front is None:
        return Portfolio().settings(task)
    return (Pareto(),) * Pareto().chains
