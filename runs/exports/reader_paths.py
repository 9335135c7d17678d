"""Paths that the readers of exported files compute by themselves, beside the routes of the design."""

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from isoplane.models import Plane, Topology
from isoplane.models.arrays import Ints
from isoplane.models.checks import Json
from isoplane.models.paths.nearest_plane import switch_hops
from isoplane.models.planes.route_walk import hops, hops_index

from .link_times import link_times

if TYPE_CHECKING:
    from .exporter import Exported

MAX_COMPARED_SWITCHES = 2048  # of a plane: time and memory grow with the square of their number


def most_hops_of_least_latency(topology: Topology, latency: Ints) -> Ints:
    """Return the most hops of any path of least latency, as ``int64[switches, switches]``.

    All paths of least latency count, because a reader may take any of them.

    Parameters
    ----------
    topology
        A connected topology.
    latency : int64[switches, ports]
        The latency of each cable, at least 1.

    Examples
    --------
    >>> from isoplane.models.topologies import torus
    >>> most_hops_of_least_latency(torus((4,)), np.array([[1, 1], [1, 1], [3, 1], [1, 3]]))[2].tolist()
    [2, 1, 0, 3]
    """
    unit = 2 * topology.switches  # more than the hops of any path
    # Each hop takes 1 off, less than a unit of latency in all: of equal latencies, the path of the most hops costs
    # least.
    return -_least(topology, unit * latency - 1) % unit


def _least(topology: Topology, cost: Ints) -> Ints:
    """Return the least cost of a path between all switches: improved hop by hop, until nothing changes."""
    # Half of the range, so that a cost added to it does not overflow.
    far = np.iinfo(np.int64).max // 2
    least = np.full((topology.switches, topology.switches), far)
    np.fill_diagonal(least, 0)
    while True:
        improved = least.copy()
        for port in range(topology.ports):
            here = np.flatnonzero(topology.peer[:, port] >= 0)
            through = least[topology.peer[here, port]] + cost[here, port, None]
            improved[here] = np.minimum(improved[here], through)  # each switch once
        if np.array_equal(improved, least):
            return least
        least = improved


@lru_cache(maxsize=8)  # the files and the manifest of the same planes
def path_latencies(exported: "Exported", number: int) -> tuple[Ints, Json]:
    """Return latencies for a plane on which every path of least latency is one of the fewest hops.

    They are the delays of cables and switches (`link_times`), if these have that property; otherwise, and for
    planes of more than `MAX_COMPARED_SWITCHES` switches, the mean of these delays for all cables.

    Returns
    -------
    int64[switches, ports]
        The latencies by which a reader finds its paths, in whole ns.
    dict
        What they are in words, and the hops of `described_hops`, as in a manifest.
    """
    plane, rule = exported.wired.planes[number], "equal, the mean of the delays of cables and switches"
    topology, delays = plane.topology, _delays(exported, number)
    cabled = delays[topology.peer >= 0]
    equal = np.full_like(delays, max(1, round(float(cabled.mean()))) if len(cabled) else 1)
    if topology.switches <= MAX_COMPARED_SWITCHES and np.array_equal(
        most_hops_of_least_latency(topology, delays), switch_hops(topology)
    ):
        equal, rule = delays, "delays of cables and switches"
    return equal, {"latencies": rule, **described_hops(plane)}


def described_hops(plane: Plane) -> Json:
    """Return the mean hops between nodes on paths of the fewest hops, and on the routes; null in large planes.

    Means are over all pairs of nodes, also those at one switch. Routes may depend on the destination node, so that
    there is a number of hops from each switch with nodes to each target (`Routes.targets`).

    Examples
    --------
    >>> from isoplane.models import Network
    >>> from isoplane.models.families.torus import Torus
    >>> described_hops(Network(Torus(shape=(4,))).planes[0])
    {'mean_hops': 1.0, 'mean_hops_of_routes': 1.0}
    """
    if plane.topology.switches > MAX_COMPARED_SWITCHES:
        return {"mean_hops": None, "mean_hops_of_routes": None}
    routes = plane.routes
    source, at_source = np.unique(plane.node_switch.astype(np.int64), return_counts=True)
    target, at_target = np.unique(routes.targets(plane.node_switch), return_counts=True)
    destination, pairs = routes.switch_of(target), at_source[:, None] * at_target
    routed = hops(plane.topology, routes)[hops_index(routes, source[:, None], target)].astype(np.int64)
    routed[source[:, None] == destination] = 0
    fewest = switch_hops(plane.topology)[np.ix_(source, destination)].astype(np.int64)
    fewest_mean, routed_mean = (float((length * pairs).sum() / pairs.sum()) for length in (fewest, routed))
    return {"mean_hops": fewest_mean, "mean_hops_of_routes": routed_mean}


def _delays(exported: "Exported", number: int) -> Ints:
    """Return the delays of cables with half of the switches at their ends, in ns, rounded up."""
    cables = exported.cables
    chosen = np.flatnonzero((cables.plane == number) & ~cables.to_node)
    # Rounded first: the noise of floating point would lift whole numbers to the next one.
    ns = np.maximum(1, np.ceil(np.round(link_times(exported)[2][chosen], 6))).astype(np.int64)
    delays = np.ones(exported.wired.planes[number].topology.peer.shape, dtype=np.int64)
    delays[cables.switch[chosen], cables.switch_port[chosen] - 1] = ns
    delays[cables.other[chosen], cables.other_port[chosen] - 1] = ns
    return delays


def fewest_hops(exported: "Exported") -> Json:
    """Describe the paths of a reader that takes those of the fewest hops in each plane, beside the routes."""
    return {"reader": "fewest hops", "planes": [described_hops(plane) for plane in exported.wired.planes]}
