"""What every link carries under all-to-all traffic, along the routes."""

from dataclasses import dataclass
from math import lcm

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, Network

from .. import _native
from .arrays import NetworkArrays, in_threads

STEPS = 1 << 21  # switches times ends of a native call: some tens of milliseconds


@dataclass(frozen=True, eq=False)
class LinkLoads:
    """Loads of the links between switches, in parts of a packet.

    Parameters
    ----------
    parts
        Parts of a packet, which any number of planes shares evenly: lcm(1, ..., planes).
    label : int64[switches], for each plane
        Switches that share a label look alike, and have the same loads.
    load : int64[labels, ports], for each plane
        What the link from each port carries when every node sends one packet to every node, itself included.
    """

    parts: int
    label: tuple[NDArray[np.int64], ...]
    load: tuple[NDArray[np.int64], ...]

    @property
    def peak(self) -> int:
        """The load of the busiest link."""
        return max(int(load.max(initial=0)) for load in self.load)

    def weighted(self, of_link: tuple[NDArray[np.int64], ...]) -> int:
        """Return the sum of load times a number of each link, given as int64[switches, ports] for each plane.

        It is exact, however large.
        """
        total = 0
        for label, load, values in zip(self.label, self.load, of_link, strict=True):
            sums = np.zeros(load.shape, dtype=np.int64)
            np.add.at(sums, label, values)
            total += sum(int(a) * int(b) for a, b in zip(load.ravel().tolist(), sums.ravel().tolist(), strict=True))
        return total


def all_to_all_loads(network: Network, arrays: NetworkArrays | None = None) -> LinkLoads:
    """Return the loads of all links when every node sends a packet to every node.

    A packet takes the plane with the shortest route to its destination; planes that are equally near share it evenly.
    What flows to a destination gathers along the tree of next ports that leads there.

    Raises
    ------
    InputError
        If a route does not lead to its destination.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> all_to_all_loads(dual_cube(3, (3, 5, 7), nodes_per_switch=1)).peak  # half packets
    3
    """
    arrays = arrays or NetworkArrays(network)
    groups, labels, parts = arrays.groups, arrays.labels, lcm(*range(1, len(network.planes) + 1))
    senders, receivers = groups.senders.astype(np.int64), groups.receivers[arrays.ends].astype(np.int64)
    shapes = [(int(label.max()) + 1, plane.topology.ports) for label, plane in zip(labels, network.planes, strict=True)]

    def some_loads(some: slice) -> list[NDArray[np.int64]]:
        loads = [np.zeros(shape, dtype=np.int64) for shape in shapes]
        _native.add_loads(arrays.planes, senders, receivers, some.start, some.stop - some.start, parts, loads)
        return loads

    total = [np.zeros(shape, dtype=np.int64) for shape in shapes]
    try:
        for loads in in_threads(some_loads, len(receivers), max(32, STEPS // sum(network.plane_switches))):
            for own, more in zip(total, loads, strict=True):
                own += more
    except _native.BadRoute as error:
        raise InputError(f"routes: {error}; allowed are routes that lead to their destination") from error
    return LinkLoads(parts, tuple(labels), tuple(total))
