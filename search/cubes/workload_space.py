"""The space of connection sets under a workload."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from isoplane.models import BasisVariable, Design, InputError, Network, Variable
from isoplane.models.workloads import Workload
from isoplane.objectives import Lexicographic
from isoplane.objectives.bounds import cube_time_bounds
from isoplane.objectives.evaluators import SIMULATED

from ..core.space import Candidate, Space
from .space import ConnectionSets


@dataclass(frozen=True)
class WorkloadConnectionSets(Space):
    """All bases of plane 1 of a dual-plane cube on which a workload runs.

    Parameters
    ----------
    sets
        The connection sets.
    workload
        The messages, between as many processes as nodes; process i is on node i.

    Raises
    ------
    InputError
        If the numbers of processes and nodes differ.

    Examples
    --------
    >>> from isoplane.models.workloads import ring_all_reduce
    >>> from isoplane.objectives import TIMES
    >>> space = WorkloadConnectionSets(ConnectionSets(3, nodes_per_switch=1), ring_all_reduce(8, 1_000_000))
    >>> space.bounds(Lexicographic("throughput", (("synchronised",), ("total",)), TIMES, space.workload))
    (70000, 3360000)
    """

    over: ClassVar[frozenset[type[Variable]]] = frozenset({BasisVariable})
    under_workload: ClassVar[bool] = True
    varies: ClassVar[str] = "connection sets of cubes under a workload"
    default_objective: ClassVar[str] = "completion"

    sets: ConnectionSets
    workload: Workload

    def __post_init__(self) -> None:
        nodes = self.sets.identical.nodes
        if self.workload.processes != nodes:
            raise InputError(f"workload.processes={self.workload.processes}: expected one for each of {nodes} nodes")

    @classmethod
    def of(cls, network: Network, variables: Mapping[str, Variable], workload: Workload | None) -> Self:
        """Return the space of the generators of plane 1 under a workload.

        Raises
        ------
        InputError
            If there is no workload, or as for `ConnectionSets.of`.
        """
        if workload is None:
            raise InputError("workload=null: expected the workload to search connection sets for")
        return cls(ConnectionSets.of(network, variables, None), workload)

    @property
    def baseline(self) -> Design:
        """Two identical planes, as a design."""
        return self.sets.baseline

    def design(self, candidate: Candidate) -> Design:
        """Return the design with these generators in plane 1."""
        return self.sets.design(candidate)

    def candidate(self, design: Design) -> Candidate:
        """Return the generators of plane 1; errors as for `ConnectionSets.generators`."""
        return self.sets.candidate(design)

    def canonical(self, candidate: Candidate) -> Candidate:
        """Return the generators in ascending order."""
        return self.sets.canonical(candidate)

    def fitted(self, objective: Lexicographic) -> Lexicographic:
        """Return the objective.

        Raises
        ------
        InputError
            If it is not a time of a workload on networks of switches, or has another workload.
        """
        if objective.scope != "times":
            raise InputError(f"objective={objective.name}: expected completion, throughput, bottleneck with a workload")
        if objective.workload != self.workload:
            raise InputError(f"objective={objective.name}: for another workload; expected that of the space")
        return objective

    def bounds(self, objective: Lexicographic) -> tuple[int | None, ...]:
        """Return a lower bound of each component over all connection sets: see `cube_time_bounds`."""
        names = self.fitted(objective).score_names
        times = tuple(name for name in names if name != SIMULATED)
        known = dict(zip(times, cube_time_bounds(self.sets.identical, self.workload, times), strict=True))
        return tuple(known.get(name) for name in names)

    def bound_source(self, objective: Lexicographic) -> None:
        """Return None: records of cubes state no formula."""
