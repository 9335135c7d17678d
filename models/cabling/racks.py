"""Racks: which rack holds each switch, with its nodes."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .._native import RackSearch
from ..checks import millimetres
from ..errors import InputError
from ..planes.topology import Topology
from ..site.layout import Layout
from .rack_partition import partition

if TYPE_CHECKING:
    from ..planes.plane import Cabling

ROUNDS, MOVES_PER_SWITCH, MAX_MOVES = 64, 2_000, 1_000_000
FIRST_THRESHOLD = 3  # in mean lengths of a cable: the best of 1/4 to 4 on tori and Slim Flies
UNLIMITED = 1 << 62


@dataclass(frozen=True, eq=False)
class RackAssignment:
    """The rack of every switch of a plane, and the racks on the floor.

    Attributes
    ----------
    rack : int32[switches]
        The rack of each switch; its nodes are in the same rack.
    positions_mm : int64[racks, 2]
        The position of each rack, across and deep; a rack may be empty.
    """

    rack: NDArray[np.int32]
    positions_mm: NDArray[np.int64]
    _rack_cable_mm: int = field(repr=False)
    _slack_mm: int = field(repr=False)

    def needed_mm(self, switch: NDArray[np.integer], other: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the required lengths of cables between two arrays of switches, before rounding to the catalogue.

        The length within a rack is that of the rack cable, and between racks their Manhattan distance plus slack.
        """
        needed = np.full(np.shape(switch), self._slack_mm, dtype=np.int64)
        for place in self.positions_mm[self.rack].T:
            needed += np.abs(place[switch] - place[other])
        needed[self.rack[switch] == self.rack[other]] = self._rack_cable_mm
        return needed


def assign_racks(topology: Topology, nodes_at_switch: NDArray[np.integer] | None, layout: Layout) -> RackAssignment:
    """Assign the switches of a plane to racks, by the rule of the layout.

    ``in_order``: racks are filled one after the other with switches of consecutive ids, while both capacities allow.
    ``metis``: METIS divides the graph into equally many racks by recursive bisection, and the floor is bisected alike.
    ``search``: threshold accepting minimises the total cable length, starting from the better of the two.

    Parameters
    ----------
    topology
        The cables.
    nodes_at_switch : int[switches]
        Nodes in the rack of each switch; None for one each. A switch without nodes takes only the room of a switch.
    layout
        The racks and the rule.

    Raises
    ------
    InputError
        If the layout does not fit the switches, or a switch has more nodes than a rack holds.

    References
    ----------
    Karypis, Kumar 1998, "A fast and high quality multilevel scheme for partitioning irregular graphs". Dueck, Scheuer
    1990, "Threshold accepting". Agarwal et al. 2015, "An algorithmic approach to datacenter cabling", on such
    assignments.

    Examples
    --------
    >>> ring = Topology((np.arange(8)[:, None] + [1, -1]) % 8, np.tile([1, 0], (8, 1)))
    >>> layout = Layout(switches_per_rack=4, nodes_per_rack=6, aspects=())
    >>> assign_racks(ring, np.array([2, 2, 2, 0, 0, 3, 3, 0]), layout).rack.tolist()
    [0, 0, 0, 0, 1, 1, 1, 1]
    """
    given = np.ones(topology.switches) if nodes_at_switch is None else nodes_at_switch
    nodes = np.ascontiguousarray(given, dtype=np.int64)
    in_order = filled_racks(nodes, np.arange(topology.switches), layout)
    if layout.assignment == "in_order":
        return _assignment(in_order, layout)
    racks = int(in_order.max()) + 1
    parts, fits = partition(topology, nodes, racks, layout)
    if not fits:
        parts = filled_racks(nodes, np.argsort(parts, kind="stable"), layout)
    by_parts = _assignment(parts, layout, racks)
    if layout.assignment == "metis":
        return by_parts
    starts = [_assignment(in_order, layout, len(by_parts.positions_mm)), by_parts]
    return _searched(topology, nodes, min(starts, key=lambda start: total_cable_mm(topology, start)), layout)


def plane_racks(plane: "Cabling", layout: Layout) -> RackAssignment:
    """Assign the switches of a plane to racks; a node with several links is in the rack of the first one's switch."""
    starts = plane.starts[:-1][np.diff(plane.starts) > 0]
    nodes = np.bincount(plane.node_switch[starts], minlength=plane.topology.switches)
    return assign_racks(plane.topology, nodes, layout)


def total_cable_mm(topology: Topology, assignment: RackAssignment) -> int:
    """Return the sum of the required lengths of all cables, each counted once, before rounding to the catalogue."""
    switch, port = np.nonzero(topology.peer >= 0)
    return int(assignment.needed_mm(switch, topology.peer[switch, port]).sum()) // 2


def _assignment(rack: NDArray[np.int32], layout: Layout, racks: int = 0) -> RackAssignment:
    """Place racks on the floor in the order of their numbers: as many as are used, or more."""
    positions = layout.rack_positions_mm(max(racks, int(rack.max()) + 1))
    return RackAssignment(rack, positions, millimetres("", layout.rack_cable_m), millimetres("", layout.slack_m))


def filled_racks(nodes: NDArray[np.int64], order: NDArray[np.integer], layout: Layout) -> NDArray[np.int32]:
    """Return the rack of each switch if racks are filled one after the other with switches in an order, from rack 0.

    Parameters
    ----------
    nodes : int[switches]
        Nodes in the rack of each switch.
    order
        The switches in the order in which they fill racks.
    layout
        The capacities of racks.

    Raises
    ------
    InputError
        If a switch has more nodes than a rack holds.
    """
    limit = UNLIMITED if layout.nodes_per_rack is None else layout.nodes_per_rack
    largest = int(nodes.argmax())
    if nodes[largest] > limit:
        raise InputError(
            f"layout.nodes_per_rack={limit}: switch {largest} has {nodes[largest]} nodes; expected at least as many"
        )
    rack_of_switch = np.empty(len(nodes), dtype=np.int32)
    # Equal switches fill all racks alike, without a loop over them.
    if (nodes == nodes[largest]).all():
        held = min(layout.switches_per_rack, limit // int(nodes[largest]) if nodes[largest] else len(nodes))
        rack_of_switch[order] = np.arange(len(nodes)) // held
        return rack_of_switch
    rack = switches = load = 0
    for switch, added in zip(order.tolist(), nodes[order].tolist(), strict=True):
        if switches == layout.switches_per_rack or load + added > limit:
            rack, switches, load = rack + 1, 0, 0
        rack_of_switch[switch], switches, load = rack, switches + 1, load + added
    return rack_of_switch


def _searched(topology: Topology, nodes: NDArray[np.int64], start: RackAssignment, layout: Layout) -> RackAssignment:
    """Return the best assignment of a local search, whose threshold falls linearly to 0 in `ROUNDS` native calls."""
    lengths = millimetres("", layout.rack_cable_m), millimetres("", layout.slack_m)
    capacity = layout.switches_per_rack, UNLIMITED if layout.nodes_per_rack is None else layout.nodes_per_rack
    search = RackSearch(topology.peer, nodes, start.rack, start.positions_mm, lengths, capacity, layout.seed)
    least = total_cable_mm(topology, start)
    best, rack = start.rack, np.empty_like(start.rack)
    first = FIRST_THRESHOLD * 2 * least // max(1, int((topology.peer >= 0).sum()))
    moves = min(MAX_MOVES, MOVES_PER_SWITCH * topology.switches) // ROUNDS
    for left in range(ROUNDS - 1, -1, -1):
        length = search.run(moves, first * left // ROUNDS)
        # The best of all rounds, not the last one: above threshold 0 the search also takes longer ones.
        if length < least:
            search.write(rack)
            least, best = length, rack.copy()
    return RackAssignment(best, start.positions_mm, *lengths)
