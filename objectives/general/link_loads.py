"""Link loads of all-to-all traffic along the routes."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from math import lcm
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, Network
from isoplane.models.arrays import Ints
from isoplane.models.paths.node_classes import GroupLinks
from isoplane.models.paths.path_shares import base_parts, fixed_parts
from isoplane.models.paths.transmission_times import TransmissionTimes, transmission_times_of

from .. import _native
from .arrays import NetworkArrays, in_threads

Result = TypeVar("Result")

STEPS = 1 << 21  # switches times ends per native call: a few tens of milliseconds
LARGEST = (1 << 63) - 1


@dataclass(frozen=True, eq=False)
class LinkLoads:
    """Loads of the links between switches, in parts of a packet.

    Parameters
    ----------
    parts
        Load units per packet, such that every path takes a whole number of units: lcm(1, ..., planes), or a multiple of
        it if nodes have several links in a plane or the policy states shares.
    label : int64[switches], per plane
        Switches that share a label are equivalent and have the same loads.
    load : int64[labels, ports], per plane
        Load of the link at each port if every node sends one packet to every node, itself included.
    rates
        Packet time of each link.
    """

    parts: int
    label: tuple[Ints, ...]
    load: tuple[Ints, ...]
    rates: TransmissionTimes

    @property
    def peak(self) -> int:
        """Load of the busiest link, in 1 / `peak_parts` of the packet time on the reference link."""
        return max(self._peak_in(plane) for plane in range(len(self.load)))

    @property
    def peak_parts(self) -> int:
        """Units of `peak` per packet: `parts`, or a multiple of it if links have different rates."""
        return self.parts * self.rates.whole

    def packets(self, plane: int) -> NDArray[np.float64]:
        """Return the load of the link at each port in packets over the reference link, as float64[switches, ports]."""
        return self.load[plane][self.label[plane]] / self.parts * (self.rates.link[plane] / self.rates.whole)

    def weighted_sum(self, link_weights: tuple[Ints, ...]) -> int:
        """Return Σ load · weight over all links, with weights as int64[switches, ports] per plane.

        The sum is exact, however large it is.
        """
        total = 0
        for label, load, weights in zip(self.label, self.load, link_weights, strict=True):
            sums = np.zeros(load.shape, dtype=np.int64)
            np.add.at(sums, label, weights)
            total += sum(int(a) * int(b) for a, b in zip(load.ravel().tolist(), sums.ravel().tolist(), strict=True))
        return total

    def _peak_in(self, plane: int) -> int:
        times, loads = self.rates.link[plane], self.load[plane]
        if self.rates.whole == 1 and times.max(initial=0) <= 1:  # all links as fast as the reference
            return int(loads.max(initial=0))
        loads = loads[self.label[plane]]
        return _slowed(times, loads)


def all_to_all_loads(network: Network, arrays: NetworkArrays | None = None) -> LinkLoads:
    """Return the loads of all links if every node sends a packet to every node.

    The policy of the network divides a packet among paths by the lengths of their routes. Traffic to a destination
    accumulates along the tree of next ports towards it.

    Raises
    ------
    InputError
        If a route does not lead to its destination, no plane connects a pair of nodes, the policy is ``adaptive``, only
        some links state a rate, or loads exceed 64 bits.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> all_to_all_loads(dual_cube(3, (3, 5, 7), nodes_per_switch=1)).peak  # in half packets
    3
    """
    arrays = arrays or NetworkArrays(network)
    rates, parts = transmission_times_of(network), packet_parts(arrays)
    (loads,) = _sums(arrays, parts, node_links=False)
    return LinkLoads(parts, tuple(arrays.labels), tuple(loads), rates)


def node_link_loads(network: Network, parts: int) -> tuple[tuple[Ints, ...], tuple[Ints, ...]]:
    """Return the loads of all node links if every node sends a packet of `parts` units to every node.

    Returns
    -------
    int64[node links], per plane, twice
        The load from the node, and the load to it.

    Raises
    ------
    InputError
        As for `all_to_all_loads`.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> node_link_loads(dual_cube(2, (1, 3), nodes_per_switch=1), 2)[0][0].tolist()  # 2 of 4 packets, in halves
    [4, 4, 4, 4]
    """
    arrays = NetworkArrays(network, use_representatives=False)
    _, sent, received = _sums(arrays, parts, node_links=True)
    groups = arrays.groups
    return (
        tuple(
            _loads_of_node_links(arrays, i, groups.of_node, sent[i], groups.source[i], groups.senders)
            for i in range(len(sent))
        ),
        tuple(
            _loads_of_node_links(arrays, i, groups.end_of_node, received[i], groups.target[i], groups.receivers)
            for i in range(len(received))
        ),
    )


def peak_of_all_links(network: Network, loads: LinkLoads) -> int:
    """Return the load of the busiest link of all, those of nodes included, in either direction.

    Parameters
    ----------
    network
        A network whose nodes have cables.
    loads
        Its loads, as from `all_to_all_loads`.

    Returns
    -------
    int
        In units of `LinkLoads.peak`.

    Raises
    ------
    InputError
        As for `all_to_all_loads`.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> cubes = dual_cube(3, (3, 5, 7), nodes_per_switch=1)
    >>> loads = all_to_all_loads(cubes)
    >>> loads.peak, peak_of_all_links(cubes, loads)  # in halves: four of the eight packets of a node take each plane
    (3, 8)
    """
    planes, times = network.planes, loads.rates.node_link
    links = np.bincount(np.concatenate([plane.node for plane in planes]), minlength=network.nodes)
    only = [time[links[plane.node] == 1].max(initial=0) for plane, time in zip(planes, times, strict=True)]
    slowest = max(int(time.max(initial=0)) for time in times)
    # No link of a node carries more than all packets of the node, and the only link of a node carries them all.
    most = loads.parts * network.nodes * slowest
    if loads.peak >= most or max(only) == slowest:
        return max(loads.peak, most)
    sent_and_received = node_link_loads(network, loads.parts)
    return max(loads.peak, *(max(map(_slowed, times, of_planes)) for of_planes in sent_and_received))


def _slowed(times: Ints, loads: Ints) -> int:
    """Return the largest product of time and load, exactly, however large it is."""
    return max(int(time) * int(loads[times == time].max(initial=0)) for time in np.unique(times))


def _loads_of_node_links(
    arrays: NetworkArrays, number: int, group: Ints, load: Ints, links: GroupLinks, nodes: Ints
) -> Ints:
    """Return the load of every node link from the sums over groups of nodes, whose nodes all have the same load."""
    per_node = load // np.repeat(nodes, np.diff(links.start))
    return arrays.groups.of_node_links(number, arrays.network.planes[number].node, links.start[group], per_node)


def packet_parts(arrays: NetworkArrays) -> int:
    """Return the number of load units per packet, such that every path takes a whole number of them."""
    fixed, base = fixed_parts(arrays.network, arrays.network.policy), base_parts(arrays.network)
    planes, weights, ends, merged = arrays.merged_planes, arrays.merged_weights, arrays.receivers, arrays.merged_paths
    if fixed is not None:
        return fixed
    if (shared := arrays.shared_paths) is not None:
        return lcm(base, merged * shared)

    def parts_of(chunk: slice) -> int:
        return _native.packet_parts(planes, arrays.senders, ends, chunk.start, chunk.stop - chunk.start, weights, 1)

    return lcm(base, *(merged * parts for parts in map_ends(arrays, parts_of)))


def _sums(arrays: NetworkArrays, parts: int, *, node_links: bool) -> tuple[list[Ints], ...]:
    """Return the loads of links between switches and, if `node_links`, those sent by groups and received by ends."""
    # One link may carry the packets of all pairs, so no load is larger than that.
    if parts * arrays.network.nodes**2 > LARGEST:
        raise InputError(
            f"network.nodes={arrays.network.nodes}: loads in 1/{parts} of a packet exceed 64 bits; expected fewer "
            "nodes, or fewer paths that share a packet"
        )
    topologies = [plane.topology for plane in arrays.network.planes]
    shapes: list[list[tuple[int, ...]]] = [
        [(int(label.max()) + 1, topology.ports) for label, topology in zip(arrays.labels, topologies, strict=True)]
    ]
    if node_links:
        shapes += [[links.at.shape for links in planes] for planes in (arrays.groups.source, arrays.groups.target)]

    def zeros() -> tuple[list[Ints], ...]:
        return tuple([np.zeros(shape, dtype=np.int64) for shape in plane_shapes] for plane_shapes in shapes)

    identical = 1 if node_links else arrays.identical_planes
    planes, weights = (arrays.planes, arrays.weights) if node_links else (arrays.merged_planes, arrays.merged_weights)
    shapes = [plane_shapes[: len(planes)] for plane_shapes in shapes]
    receivers = arrays.receivers

    def sums_of(chunk: slice) -> tuple[list[Ints], ...]:
        sums = zeros()
        loads, sent, received = sums if node_links else (*sums, [], [])
        count = chunk.stop - chunk.start
        _native.add_loads(
            planes, arrays.senders, receivers, chunk.start, count, weights, parts // identical, loads, sent, received
        )
        return sums

    total = zeros()
    for sums in map_ends(arrays, sums_of):
        for total_load, load in zip(chain(*total), chain(*sums), strict=True):
            total_load += load
    return tuple(of_planes * identical for of_planes in total)


def map_ends(arrays: NetworkArrays, work: Callable[[slice], Result]) -> list[Result]:
    """Return the results of `work` on slices of all ends.

    Raises
    ------
    InputError
        If a route does not lead to its destination, or a packet has too many parts.
    """
    step = max(32, STEPS // sum(arrays.network.plane_switches))
    try:
        return list(in_threads(work, len(arrays.receivers), step, "loads"))
    except _native.BadRoute as error:
        raise InputError(f"routes: {error}; expected routes that lead to their destination") from error
    except _native.TooManyParts as error:
        raise InputError(f"network.policy: {error}; expected shares and link counts with a smaller multiple") from error
