"""Fluid model of hybrid networks: completion time of a workload for given circuits and placement."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, MessageList, Network, OpticalFamily, Site
from isoplane.models.circuits import Circuits
from isoplane.models.families.hybrid import tree_in
from isoplane.models.network import NO_SITE
from isoplane.models.placement import Placement
from isoplane.models.planes.links import CABLE, INTO, OUT, link_kinds
from isoplane.objectives import _native

from ..times import Times, run_times
from .data import circuit_data

RelayBy = Literal["messages", "packets"]
RELAYS: tuple[RelayBy, ...] = ("messages", "packets")
Values = TypeVar("Values")


@dataclass(frozen=True)
class PerLink(Generic[Values]):
    """Values of every link of a design, per direction.

    Attributes
    ----------
    out, into
        Of the links of nodes, by node, or by node link in all planes: to a switch and from it.
    up, down
        In the two-level tree, of the links between edge switches and the switch above them, by group.
    ahead, back
        Of circuits, by pair: from its first node to the second, and back.
    cables
        In other packet networks, of the links between switches, in the order of `PlaneLinks`.
    """

    out: Values
    into: Values
    up: Values
    down: Values
    ahead: Values
    back: Values
    cables: Values

    def all(self) -> tuple[Values, ...]:
        """Return the seven values."""
        return self.out, self.into, self.up, self.down, self.ahead, self.back, self.cables


LinkBytes = PerLink[tuple[int, ...]]


class FluidModel:
    """Fluid model of a workload on a hybrid network, for any circuits and any placement.

    A message takes the segments given by the forwarding tables (`distance_vector`). In the two-level tree a segment
    inside a group uses the outgoing link of its source and the incoming link of its destination; a segment between
    groups over the packet network also uses the uplink of the source's group and the downlink of the destination's. In
    other packet networks a segment is divided among the paths of its nodes, as in `NetworkFluidModel`. A segment over a
    circuit uses one direction of the circuit. At every moment the rates of all transfers are max-min fair, and they
    change only when a transfer begins or ends. With relay by messages each segment is a transfer, or one per path, and
    begins when the previous one has ended; with relay by packets a message is one transfer over all its segments, or
    one for every range of its bytes that takes the same paths.

    All computations are in integers (`tree_units`), so every program that follows the definition in
    `docs/objectives.md` gets the same result bit for bit. Completion times are those of 9 runs: in the first each
    message begins as soon as possible, in the others up to 15 ticks later. Their spread indicates the uncertainty.

    Parameters
    ----------
    hybrid
        The network.
    messages
        The messages and their dependencies, between as many processes as there are nodes.
    relay
        ``messages`` or ``packets``.
    site
        The site, for a family that uses it.

    Raises
    ------
    InputError
        If the numbers of processes and nodes differ, or `relay` is unknown.

    References
    ----------
    Bertsekas and Gallager, Data Networks, section 6.5.2: max-min fairness and progressive filling. Takizawa, Endo and
    Matsuoka, section 2: forwarding of whole messages.

    Examples
    --------
    >>> from isoplane.models import Hybrid
    >>> from isoplane.models.workloads import stencil
    >>> hybrid, work = Hybrid(2, 2), stencil((2, 2), 1_250_000, iterations=1)
    >>> times = FluidModel(hybrid, work.message_list()).times(Circuits(((0, 2), (1, 3))))
    >>> times.completion_ns, times.bottleneck_ns, times.total_ns, times.hops
    (1000460, 1000000, 9250000, 8)
    """

    def __init__(
        self, hybrid: OpticalFamily, messages: MessageList, relay: RelayBy = "messages", site: Site = NO_SITE
    ) -> None:
        if messages.nodes != hybrid.nodes:
            raise InputError(f"workload.processes={messages.nodes}: expected one for each of {hybrid.nodes} nodes")
        if relay not in RELAYS:
            raise InputError(f"network.relay={relay}: expected {', '.join(RELAYS)}")
        self.hybrid, self._site = hybrid, site
        self._default_placement = tuple(range(hybrid.nodes))
        self._has_packet_paths = tree_in(hybrid) is None  # else the links of the two-level tree
        self._native = _native.HybridModel(_plan(hybrid, messages, relay, site))

    def times(self, circuits: Circuits, placement: Placement | None = None) -> Times:
        """Return all times of a design.

        Parameters
        ----------
        circuits
            The circuits that are set up.
        placement
            By default process i on node i.

        Raises
        ------
        InputError
            If the circuits do not fit the network, or the placement has a different number of nodes.
        """
        loads = self._native.loads(*self._native_design(circuits, placement))
        runs = sorted(run_times(self._native.run_ns))
        return Times(
            runs[len(runs) // 2],
            runs[0],
            runs[-1],
            round(loads.bottleneck_ns),
            round(loads.total_ns),
            loads.hops,
        )

    def busy_times_ns(self, circuits: Circuits, placement: Placement | None = None) -> tuple[int, int]:
        """Return the bottleneck and total times as in `times`, without running the fluid model."""
        loads = self._native.loads(*self._native_design(circuits, placement))
        return round(loads.bottleneck_ns), round(loads.total_ns)

    def synchronised_ns(self, circuits: Circuits, placement: Placement | None = None) -> int:
        """Return the sum over levels of dependencies of the busy time of the busiest link or circuit of the level.

        Parameters and errors are as for `times`.
        """
        self._native.loads(*self._native_design(circuits, placement))
        # The native model holds one design at a time, which computing its loads has set.
        return round(self._native.synchronised_ns())

    def loads(self, circuits: Circuits, placement: Placement | None = None) -> LinkBytes:
        """Return the bytes over every link; parameters and errors as for `times`."""
        self._native.loads(*self._native_design(circuits, placement))
        loads = tuple(round(bits / 8) for bits in self._native.resource_bits())
        if self._has_packet_paths:
            return self._by_kind(loads)
        nodes, groups = self.hybrid.nodes, self.hybrid.groups
        ends = [0, nodes, 2 * nodes, 2 * nodes + groups, 2 * (nodes + groups)]
        out, into, up, down = (loads[start:end] for start, end in pairwise(ends))
        # The two directions of a circuit alternate, from the first node of its pair and back to it.
        return LinkBytes(out, into, up, down, loads[ends[-1] :: 2], loads[ends[-1] + 1 :: 2], ())

    def _by_kind(self, loads: tuple[int, ...]) -> LinkBytes:
        """Return the bytes over the links of any packet network and over circuits."""
        kind = link_kinds(Network(self.hybrid, self._site).plane_links)
        links = np.array(loads[: len(kind)], dtype=np.int64)
        cables, out, into = (tuple(links[kind == each].tolist()) for each in (CABLE, OUT, INTO))
        return LinkBytes(out, into, (), (), loads[len(kind) :: 2], loads[len(kind) + 1 :: 2], cables)

    def arrivals_ns(self, circuits: Circuits, placement: Placement | None = None) -> NDArray[np.float64]:
        """Return the arrival time of each message, in the first run whose time in ns equals the median.

        Parameters and errors are as for `times`.
        """
        self._native.loads(*self._native_design(circuits, placement))
        return np.array(self._native.arrivals_ns())

    def routes(self, circuits: Circuits, placement: Placement | None = None) -> list[list[int]]:
        """Return the nodes on each message's route, ends included; parameters and errors as for `times`."""
        self._native.loads(*self._native_design(circuits, placement))
        starts, nodes = self._native.route_starts(), self._native.route_nodes()
        return [nodes[start:end] for start, end in pairwise(starts)]

    def _native_design(
        self, circuits: Circuits, placement: Placement | None
    ) -> tuple[list[tuple[int, int]], list[int]]:
        circuits.require_fit(self.hybrid.optical)
        nodes = self._default_placement if placement is None else placement.nodes
        if len(nodes) != self.hybrid.nodes:
            raise InputError(f"placement: {len(nodes)} processes; expected {self.hybrid.nodes}")
        return list(circuits.pairs), list(nodes)


def _plan(hybrid: OpticalFamily, messages: MessageList, relay: RelayBy, site: Site) -> _native.HybridPlan:
    rates, costs, units, packet_paths, begin_ticks = circuit_data(hybrid, site, messages)
    plan = _native.HybridPlan()
    plan.groups, plan.nodes_per_group = hybrid.groups, hybrid.nodes_per_group
    plan.node_rate, plan.up_rate, plan.circuit_rate = rates
    plan.inside_cost, plan.circuit_cost = costs
    plan.set_units(units)
    plan.relay = _native.Relay.MESSAGES if relay == "messages" else _native.Relay.PACKETS
    plan.source, plan.destination = messages.source.tolist(), messages.destination.tolist()
    plan.bits = (8.0 * messages.length_bytes).tolist()
    plan.wait_start, plan.wait = messages.dependency_start.tolist(), messages.dependency.tolist()
    plan.begin_delay = begin_ticks.tolist()
    if packet_paths is not None:
        plan.set_packet_ways(packet_paths)
    return plan
