"""The space of circuits: circuits of a hybrid network, and the placement of processes on nodes."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

from isoplane.models import (
    Circuits,
    CircuitsVariable,
    Design,
    InputError,
    MessageList,
    Network,
    OpticalFamily,
    Placement,
    PlacementVariable,
    Site,
    Variable,
)
from isoplane.models.checks import check_int
from isoplane.models.families.hybrid import Hybrid, tree_in, tree_of
from isoplane.models.family_kinds.optical import optical_of
from isoplane.models.network import NO_SITE
from isoplane.models.placement import by_switch
from isoplane.models.search_variables import PLACEMENTS
from isoplane.models.workloads import Workload
from isoplane.models.workloads.mapped_workload import require_all_nodes
from isoplane.objectives import Lexicographic
from isoplane.objectives.bounds import BoundSource
from isoplane.objectives.fluid import bottleneck_bound_ns
from isoplane.objectives.fluid.circuits.bounds import free_bound_ns

from ..core.space import Candidate, Space, variable_of
from ..programs import FORMULA
from .group_placement import by_communication


def candidate_of(circuits: Circuits, placement: Placement) -> Candidate:
    """Return the candidate of circuits and a placement: the node of every process, then both ends of every circuit.

    Examples
    --------
    >>> candidate_of(Circuits(((1, 2),)), Placement((0, 1, 3, 2)))
    (0, 1, 3, 2, 1, 2)
    """
    return (*placement.nodes, *(node for pair in circuits.pairs for node in pair))


@dataclass(frozen=True)
class CircuitSpace(Space):
    """All sets of circuits of a hybrid network up to a maximum size, with a given or a free placement.

    Parameters
    ----------
    optical, workload
        The family of the network, and the workload; one node per process.
    circuits
        Maximum number of circuits; by default limited by the ports only.
    placement
        ``by_switch``: process i on node i; ``by_communication``: by a balanced cut of the traffic; ``free``: chosen by
        the search.
    site
        The site, for a family that uses it.

    Raises
    ------
    InputError
        If the numbers of processes and nodes differ, there are more circuits than ports, or a placement is unknown.

    References
    ----------
    Takizawa, Endo and Matsuoka, section 2.

    Examples
    --------
    >>> from isoplane.models import Hybrid
    >>> from isoplane.models.workloads import stencil
    >>> space = CircuitSpace(Hybrid(2, 2), stencil((2, 2)), placement="by_switch")
    >>> space.design((0, 1, 2, 3, 1, 2)).circuits.pairs
    ((1, 2),)
    """

    over: ClassVar[frozenset[type[Variable]]] = frozenset({CircuitsVariable, PlacementVariable})
    varies: ClassVar[str] = "circuits of an optical switch"

    optical: OpticalFamily
    workload: Workload
    circuits: int | None = None
    placement: str = "free"
    site: Site = NO_SITE

    def __post_init__(self) -> None:
        require_all_nodes(self.workload, self.optical.nodes)
        check_int("network.circuits", self.max_circuits, 0, self.optical.max_circuits)
        if self.placement not in PLACEMENTS:
            raise InputError(f"network.placement={self.placement}: expected {', '.join(PLACEMENTS)}")

    @classmethod
    def of(cls, network: Network, variables: Mapping[str, Variable], workload: Workload | None) -> Self:
        """Return the space of circuits and placements for a workload.

        Raises
        ------
        InputError
            If there is no workload.
        """
        if workload is None:
            raise InputError("workload=null: expected the workload to assign circuits for")
        circuits = variable_of(variables, CircuitsVariable).max_circuits
        return cls(optical_of(network), workload, circuits, variable_of(variables, PlacementVariable).by, network.site)

    @property
    def default_objective(self) -> str:
        """Completion: the time of an iteration."""
        return "completion"

    @property
    def network(self) -> Network:
        """The network."""
        return Network(self.optical, self.site)

    @property
    def max_circuits(self) -> int:
        """Maximum number of circuits of a design."""
        limit = self.circuits
        return self.optical.max_circuits if limit is None else limit

    @property
    def has_tree(self) -> bool:
        """Whether the packet network is the two-level tree, for which there are formulas and programs."""
        return tree_in(self.optical) is not None

    @property
    def tree(self) -> Hybrid:
        """The two-level tree.

        Raises
        ------
        InputError
            If the packet network is another one.
        """
        return tree_of(self.optical)

    @cached_property
    def messages(self) -> MessageList:
        """All messages of the workload.

        Raises
        ------
        InputError
            If all are local.
        """
        messages = self.workload.message_list()
        if messages.local.all():
            raise InputError(f"workload: {messages.messages} local messages; expected one between different nodes")
        return messages

    @cached_property
    def placements(self) -> tuple[Placement, ...]:
        """The placements that rules use: that of the space, or all named placements if it is free."""
        named = {"by_switch": lambda: by_switch(self.optical.nodes), "by_communication": self._by_communication}
        wanted = PLACEMENTS[:2] if self.placement == "free" else (self.placement,)
        return tuple(dict.fromkeys(named[name]() for name in wanted))

    def _by_communication(self) -> Placement:
        return by_communication(self.optical, self.workload)

    @property
    def baseline(self) -> Design:
        """The packet network without circuits, with the placement of the space; `by_switch` if that is free."""
        return Design(self.network, Circuits(), self.placements[0])

    def design(self, candidate: Candidate) -> Design:
        """Return the design that a candidate encodes: see `candidate_of`."""
        nodes = self.optical.nodes
        ends = candidate[nodes:]
        pairs = tuple(zip(ends[::2], ends[1::2], strict=True))
        return Design(self.network, Circuits(pairs), Placement(tuple(candidate[:nodes])))

    def candidate(self, design: Design) -> Candidate:
        """Return the candidate of a design.

        Raises
        ------
        InputError
            If the design has another network, too many circuits, or a placement outside the space.
        """
        if design.network != self.network:
            raise InputError(f"warm_start: another network; expected the hybrid one of {self.optical.nodes} nodes")
        circuits, placement = design.assignment
        if len(circuits) > self.max_circuits:
            raise InputError(f"warm_start: {len(circuits)} circuits; expected at most {self.max_circuits}")
        if self.placement != "free" and placement != self.placements[0]:
            raise InputError(f"warm_start: another placement; expected network.placement={self.placement} or free")
        return candidate_of(circuits, placement)

    def canonical(self, candidate: Candidate) -> Candidate:
        """Return the candidate with circuits in the order of `Circuits`."""
        return self.candidate(self.design(candidate))

    @property
    def bounded_by(self) -> str:
        """The formulas."""
        return "busy times of nodes and cuts"

    def bound_source(self, objective: Lexicographic) -> BoundSource:
        """Return the formulas."""
        return self.proven_by(FORMULA)

    def proven_by(self, method: str) -> BoundSource:
        """Return the source of a bound for the circuits and placements of the space."""
        return BoundSource(method, self.max_circuits, "free" if self._has_free_bound else "given")

    @property
    def _has_free_bound(self) -> bool:
        """Whether bounds hold for all placements: if these are free, and beyond the tree, whose cuts are known."""
        return self.placement == "free" or not self.has_tree

    def fitted(self, objective: Lexicographic) -> Lexicographic:
        """Return the objective.

        Raises
        ------
        InputError
            If the objective does not evaluate hybrid networks, or has another workload.
        """
        if objective.scope != "circuits":
            raise InputError(
                f"objective={objective.name}: hybrid expects completion, completion_by_packets, throughput, bottleneck"
            )
        if objective.workload != self.workload:
            raise InputError(f"objective={objective.name}: for another workload; expected that of the space")
        return objective

    def bounds(self, objective: Lexicographic) -> tuple[int | None, ...]:
        """Return lower bounds of the components: that of the bottleneck time holds for all times except the total."""
        if self._has_free_bound:
            low = free_bound_ns(self.optical, self.messages, self.max_circuits, self.site)
        else:
            low = bottleneck_bound_ns(self.tree, self.messages, self.max_circuits, self.placements[0])
        return self.fitted(objective).bounds(lambda name: None if name == "total" else low)
