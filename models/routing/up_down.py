"""Up*/down* routing: free of deadlock on any graph, with one virtual channel."""

import numpy as np
from numpy.typing import NDArray

from ..checks import check_int
from ..topology import Topology
from .routes import ARRIVED, Routes
from .table import check_table_size

FAR = 0x7FFF  # hops where there is no way


def up_down(topology: Topology, root: int = 0) -> Routes:
    """Return up*/down* routing as a table: no packet goes up after it has gone down, so none waits in a circle.

    Up is towards the switch that is nearer to the root, or has the lower id of two that are equally near. The next port
    depends on nothing but the switch and the destination; so where packets for a destination come down, all must go on
    down. From the root to the switches below it, a switch sends packets for a destination down, on the shortest way
    that only goes down, if that is no longer than over the best switch above it, or if a switch above it sends them
    down this way; else up. Of several ports it is the lowest one. Some routes are longer than the shortest one that
    goes up and then down.

    Parameters
    ----------
    topology
        A connected graph.
    root
        The switch that is above all others.

    Raises
    ------
    InputError
        If two switches are not connected, there are too many for a table of all pairs, or the root is none of them.

    References
    ----------
    Schroeder et al., Autonet: A High-Speed, Self-Configuring Local Area Network Using Point-to-Point Links, 1991.

    Examples
    --------
    >>> from ..topologies import torus
    >>> up_down(torus((4,))).next_port[1].tolist()  # 1 goes to 3 over the root 0: 2 is below both
    [1, 65535, 0, 1]
    """
    check_table_size(topology.switches)
    check_int("root", root, 0, topology.switches - 1)
    topology.require_connected()
    order = np.lexsort((np.arange(topology.switches), topology.levels(root)))
    height = np.empty(topology.switches, dtype=np.int64)  # 0 at the root, more below it
    height[order] = np.arange(topology.switches)
    left, table = _ways_down(topology, order, height)
    descends = np.zeros(left.shape, dtype=np.bool_)
    for switch in order:
        ports = np.flatnonzero((topology.peer[switch] >= 0) & (height[topology.peer[switch]] < height[switch]))
        descends[switch] |= not len(ports)  # from the root all ways go down
        if len(ports):
            above = left[topology.peer[switch, ports]]
            rises = ~descends[switch] & (above.min(axis=0) + 1 < left[switch])
            _take(left[switch], table[switch], above, ports, rises)
            descends[switch] = ~rises
        descends[switch, switch] = False
        down = np.flatnonzero(descends[switch])
        descends[topology.peer[switch, table[switch, down]], down] = True
    return Routes("table", np.arange(topology.switches, dtype=np.int32), next_port=table)


def _ways_down(
    topology: Topology, order: NDArray[np.int64], height: NDArray[np.int64]
) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Return hops and next ports of the shortest ways that only go down, `FAR` where there is none."""
    left = np.full((topology.switches, topology.switches), FAR, dtype=np.int16)
    table = np.full(left.shape, ARRIVED, dtype=np.uint16)
    for switch in reversed(order):
        ports = np.flatnonzero((topology.peer[switch] >= 0) & (height[topology.peer[switch]] > height[switch]))
        if len(ports):
            further = left[topology.peer[switch, ports]]
            _take(left[switch], table[switch], further, ports, (further < FAR).any(axis=0))
        left[switch, switch] = 0
    return left, table


def _take(
    left: NDArray[np.int16],
    table: NDArray[np.uint16],
    further: NDArray[np.int16],
    ports: NDArray[np.int64],
    where: NDArray[np.bool_],
) -> None:
    """Write the best of some ports into a row of hops and of next ports, for some destinations."""
    best = further.argmin(axis=0)[where]
    left[where] = further.min(axis=0)[where] + 1
    table[where] = ports[best]
