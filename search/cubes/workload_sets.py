"""The space of connection sets under a workload."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from isoplane.models import BasisVariable, Design, InputError, Network, Variable
from isoplane.models.workloads import Workload
from isoplane.objectives import JudgedObjective, NetworkTimeObjective, Objective
from isoplane.objectives.bounds import cube_time_bounds

from ..anneal import Anneal
from ..enumerate import Enumerate, may_enumerate
from ..searchers import SearcherSetup
from ..space import Candidate, Space
from ..strategy import Round, Strategy, Task
from .all_bases import AllBases
from .connection_sets import ConnectionSets
from .judged_rounds import judged_rounds
from .workload_starts import start_rounds


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
    >>> space = WorkloadConnectionSets(ConnectionSets(3, nodes_per_switch=1), ring_all_reduce(8, 1_000_000))
    >>> space.bounds(NetworkTimeObjective("throughput", ("synchronised", "total"), space.workload))
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

    def fitted(self, objective: Objective) -> NetworkTimeObjective:
        """Return the objective.

        Raises
        ------
        InputError
            If it is not a time of a workload on networks of switches, or has another workload.
        """
        if not isinstance(objective, NetworkTimeObjective):
            raise InputError(f"objective={objective.name}: expected completion, throughput, bottleneck with a workload")
        if objective.workload != self.workload:
            raise InputError(f"objective={objective.name}: for another workload; expected that of the space")
        return objective

    def bounds(self, objective: Objective) -> tuple[int | None, ...]:
        """Return a lower bound of each component over all connection sets: see `cube_time_bounds`."""
        known = cube_time_bounds(self.sets.identical, self.workload, self.fitted(objective).components)
        return (None, *known) if isinstance(objective, JudgedObjective) else known

    def bound_source(self, objective: Objective) -> None:
        """Return None: records of cubes state no formula."""

    def candidates(self, objective: Objective) -> AllBases | None:
        """Return all bases; None if a simulation judges them, because that takes seconds each."""
        fitted = self.fitted(objective)
        return None if isinstance(fitted, JudgedObjective) else AllBases(self, fitted)

    def searchers(
        self, objective: Objective, settings: Sequence[object], starts: tuple[Candidate, ...] = ()
    ) -> SearcherSetup | None:
        """Return annealing walks.

        Raises
        ------
        InputError
            If a parameter does not apply to them.
        """
        from .level_searchers import level_walks  # avoids an import cycle

        return level_walks(self, self.fitted(objective), settings, starts)

    def mix(self, objective: Objective) -> tuple[str, ...]:
        """Return annealing, the only kind under a workload."""
        return ("anneal",)

    def default_strategy(self, objective: Objective) -> Strategy:
        """Return enumeration if it takes at most about 15 s, else annealing."""
        return Enumerate() if may_enumerate(self, objective) else Anneal()

    def starts(self, task: Task, *, replayed: bool = False) -> Generator[Round, None, None]:
        """Yield the identical planes, then also the design with the best product of ASPL and load."""
        yield from start_rounds(self.sets, task, replayed)

    def with_proof(
        self,
        rounds: Generator[Round, None, None],
        task: Task,
        setup: SearcherSetup,
        starts: tuple[Candidate, ...],
    ) -> Generator[Round, None, None]:
        """Yield the rounds of walks; if a simulation judges their designs, with one design to judge in each."""
        yield from judged_rounds(rounds, starts) if isinstance(task.objective, JudgedObjective) else rounds
