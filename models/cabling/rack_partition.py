"""Partitions of switches into racks by METIS, within the capacities of racks."""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Ints
from ..mathematics.partition import metis
from ..planes.topology import Topology
from ..site.layout import Layout


def partition(
    topology: Topology, nodes: NDArray[np.integer], racks: int, layout: Layout
) -> tuple[NDArray[np.int32], bool]:
    """Divide switches into racks by METIS, so that few cables join different racks, and move the surplus of full racks.

    METIS bisects the graph recursively, and numbers the parts in this order. The floor is bisected in the same way, so
    that parts with many cables between them are near each other.

    Parameters
    ----------
    topology
        The cables.
    nodes : int[switches]
        Nodes at each switch.
    racks
        Number of racks.
    layout
        The capacities, and the positions of racks.

    Returns
    -------
    int32[switches], bool
        The rack of each switch, and whether capacities hold: they may not if numbers of nodes differ and the racks are
        nearly full.

    Examples
    --------
    >>> ring = Topology((np.arange(8)[:, None] + [1, -1]) % 8, np.tile([1, 0], (8, 1)))
    >>> rack, fits = partition(ring, np.ones(8, dtype=int), 2, Layout(switches_per_rack=4))
    >>> np.bincount(rack).tolist(), fits
    ([4, 4], True)
    """
    weights = _cables_between(topology)
    if racks == 1 or not len(weights[1]):
        part: Ints = np.arange(len(nodes)) * racks // len(nodes)
    else:
        part = metis(racks, *weights, _shares(nodes, layout), seed=layout.seed, recursive=True)
    fits = _repair(weights, part, nodes, racks, layout)
    places = np.array(bisected(layout.rack_positions_mm(racks)), dtype=np.int32)
    return places[part], fits


def bisected(positions: Ints) -> list[int]:
    """Return places in the order of a recursive bisection of the floor, always across its longer side.

    The first part has the smaller half of an odd number of places, as in METIS.

    Examples
    --------
    >>> bisected(np.array([[0, 0], [1, 0], [2, 0], [3, 0], [0, 1], [1, 1], [2, 1], [3, 1]]))
    [0, 4, 1, 5, 2, 6, 3, 7]
    """
    return _bisected(positions, np.arange(len(positions)))


def _bisected(positions: Ints, places: Ints) -> list[int]:
    if len(places) < 2:
        return [int(place) for place in places]
    of_these = positions[places]
    side = int(np.argmax(np.ptp(of_these, axis=0)))
    ordered = places[np.lexsort((of_these[:, 1 - side], of_these[:, side]))]
    half = len(places) // 2
    return [*_bisected(positions, ordered[:half]), *_bisected(positions, ordered[half:])]


def _cables_between(topology: Topology) -> tuple[Ints, Ints, Ints]:
    """Return the graph of switches in compressed rows: starts, neighbours, and numbers of cables to them."""
    switch, port = np.nonzero(topology.peer >= 0)
    other = topology.peer[switch, port].astype(np.int64)
    pairs, cables = np.unique((switch * topology.switches + other)[switch != other], return_counts=True)
    starts = np.searchsorted(pairs, np.arange(topology.switches + 1) * topology.switches)
    return starts.astype(np.int64), pairs % topology.switches, cables.astype(np.int64)


def _shares(nodes: NDArray[np.integer], layout: Layout) -> Ints:
    """Return the share of a rack that each switch takes, of its switches or its nodes, whichever is larger."""
    per_switch = np.full(len(nodes), 1 / layout.switches_per_rack)
    if layout.nodes_per_rack is not None:
        per_switch = np.maximum(per_switch, nodes / layout.nodes_per_rack)
    # Vertex weights of METIS are integers: sixteenths of the least share.
    shares: Ints = np.maximum(1, np.round(per_switch / per_switch.min() * 16)).astype(np.int64)
    return shares


def _repair(graph: tuple[Ints, Ints, Ints], part: Ints, nodes: NDArray[np.integer], racks: int, layout: Layout) -> bool:
    """Empty racks beyond their capacity, in place, by the moves and exchanges that keep most cables within racks.

    Each step takes switches, or else nodes, from a rack that has too many and leaves no other rack with too many, so
    that their excess falls. Returns False if there is no such step.
    """
    limit = int(nodes.sum()) if layout.nodes_per_rack is None else layout.nodes_per_rack
    starts, neighbours, cables = graph
    switches, load = np.bincount(part, minlength=racks), np.bincount(part, nodes, racks).astype(np.int64)
    while True:
        full = np.flatnonzero((switches > layout.switches_per_rack) | (load > limit))
        if not len(full):
            return True
        from_rack = int(full[0])
        best: tuple[int, int, int, int] | None = None  # negative gain, switch, rack, exchanged switch or -1
        for switch in np.flatnonzero(part == from_rack).tolist():
            row = slice(starts[switch], starts[switch + 1])
            held = np.bincount(part[neighbours[row]], cables[row], racks).astype(np.int64)
            gain = held - held[from_rack]
            room = (switches < layout.switches_per_rack) & (load + nodes[switch] <= limit)
            # A rack with too many nodes is not helped by the loss of a switch without any.
            if room.any() and (switches[from_rack] > layout.switches_per_rack or nodes[switch] > 0):
                rack = int(np.where(room, gain, -(1 << 60)).argmax())
                # Tuples compare gain first, then the lower switch and rack, so that ties have one result.
                best = min(filter(None, (best, (-int(gain[rack]), switch, rack, -1))))
            elif load[from_rack] > limit:
                best = _exchange(best, switch, part, nodes, load, limit, gain)
        if best is None:
            return False
        _, switch, rack, other = best
        for moved, origin, target in ((switch, from_rack, rack), *(((other, rack, from_rack),) if other >= 0 else ())):
            part[moved] = target
            switches[origin], switches[target] = switches[origin] - 1, switches[target] + 1
            load[origin], load[target] = load[origin] - nodes[moved], load[target] + nodes[moved]


def _exchange(
    best: tuple[int, int, int, int] | None,
    switch: int,
    part: Ints,
    nodes: NDArray[np.integer],
    load: Ints,
    limit: int,
    gain: Ints,
) -> tuple[int, int, int, int] | None:
    """Return the better of a step and an exchange of a switch with one of fewer nodes in a rack with room."""
    others = (nodes < nodes[switch]) & (part != part[switch]) & (load[part] - nodes + nodes[switch] <= limit)
    if not others.any():
        return best
    other = int(np.where(others, gain[part], -(1 << 60)).argmax())
    return min(filter(None, (best, (-int(gain[part[other]]), switch, int(part[other]), other))))
