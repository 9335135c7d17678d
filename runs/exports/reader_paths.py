"""Paths that the readers of exported files compute by themselves, beside the routes of the design."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from isoplane.models import Plane, Topology
from isoplane.models.arrays import Ints
from isoplane.models.checks import Json
from isoplane.models.paths.nearest_plane import switch_hops
from isoplane.models.planes.route_walk import hops, hops_index

from .exporter import Exported
from .link_times import link_times

MAX_COMPARED_SWITCHES = 2048  # of a plane: time and memory grow with the square of their number


@dataclass(frozen=True, eq=False)
class PairHops:
    """The hops between the switches of a plane that have nodes, on its routes.

    Routes may depend on the destination node: there is an entry for each target (`Routes.targets`).

    Parameters
    ----------
    source, destination : int64[sources], int64[targets]
        The switches.
    weight : int64[sources, targets]
        The number of pairs of nodes.
    hops : int64[sources, targets]
        The hops of the routes.
    """

    source: Ints
    destination: Ints
    weight: Ints
    hops: Ints

    def mean(self, hops_of_pairs: Ints) -> float:
        """Return the mean of some numbers of hops over all pairs of nodes, also those at one switch."""
        return float((hops_of_pairs * self.weight).sum() / self.weight.sum())


def pair_hops(plane: Plane) -> PairHops:
    """Return the hops of the routes between the nodes of a plane.

    Examples
    --------
    >>> from isoplane.models import Network
    >>> from isoplane.models.families.torus import Torus
    >>> of_ring = pair_hops(Network(Torus(shape=(4,))).planes[0])
    >>> of_ring.hops[0].tolist(), of_ring.mean(of_ring.hops)
    ([0, 1, 2, 1], 1.0)
    """
    routes = plane.routes
    source, at_source = np.unique(plane.node_switch.astype(np.int64), return_counts=True)
    target, at_target = np.unique(routes.targets(plane.node_switch), return_counts=True)
    destination = routes.switch_of(target)
    length = hops(plane.topology, routes)[hops_index(routes, source[:, None], target)].astype(np.int64)
    length[source[:, None] == destination] = 0
    return PairHops(source, destination, at_source[:, None] * at_target, length)


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
    return -_least(topology, unit * latency - 1) % unit


def _least(topology: Topology, cost: Ints) -> Ints:
    """Return the least cost of a path between all switches: improved hop by hop, until nothing changes."""
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


@dataclass(frozen=True, eq=False)
class PathLatencies:
    """The latencies of the cables of a plane by which a reader finds its paths, in whole ns.

    Parameters
    ----------
    latency : int64[switches, ports]
        The latencies.
    rule
        What they are, in words.
    hops
        The hops of the paths of least latency and of the routes, as in `described_hops`.
    """

    latency: Ints
    rule: str
    hops: Json

    def described(self) -> Json:
        """Return the rule and the hops for a manifest."""
        return {"latencies": self.rule, **self.hops}


@lru_cache(maxsize=8)  # the files and the manifest of the same planes
def path_latencies(exported: Exported, number: int) -> PathLatencies:
    """Return latencies for a plane on which every path of least latency is one of the fewest hops.

    They are the delays of cables and switches (`LinkTimes.hop_ns`), if these have that property; otherwise, and for
    planes of more than `MAX_COMPARED_SWITCHES` switches, the mean of these delays for all cables.
    """
    plane = exported.network.planes[number]
    topology, delays = plane.topology, _delays(exported, number)
    cabled = delays[topology.peer >= 0]
    equal = np.full_like(delays, max(1, round(float(cabled.mean()))) if len(cabled) else 1)
    if topology.switches > MAX_COMPARED_SWITCHES:
        return PathLatencies(equal, "equal, the mean of the delays of cables and switches", described_hops(plane))
    if np.array_equal(most_hops_of_least_latency(topology, delays), switch_hops(topology)):
        return PathLatencies(delays, "delays of cables and switches", described_hops(plane))
    return PathLatencies(equal, "equal, the mean of the delays of cables and switches", described_hops(plane))


def described_hops(plane: Plane) -> Json:
    """Return the mean hops between nodes on paths of the fewest hops, and on the routes; null in large planes."""
    if plane.topology.switches > MAX_COMPARED_SWITCHES:
        return {"mean_hops": None, "mean_hops_of_routes": None}
    routed = pair_hops(plane)
    mean = routed.mean(switch_hops(plane.topology)[np.ix_(routed.source, routed.destination)].astype(np.int64))
    return {"mean_hops": mean, "mean_hops_of_routes": routed.mean(routed.hops)}


def _delays(exported: Exported, number: int) -> Ints:
    """Return the delays of cables with half of the switches at their ends, in ns, rounded up."""
    cables = exported.cables
    chosen = np.flatnonzero((cables.plane == number) & ~cables.to_node)
    ns = np.maximum(1, np.ceil(np.round(link_times(exported).hop_ns[chosen], 6))).astype(np.int64)
    delays = np.ones(exported.network.planes[number].topology.peer.shape, dtype=np.int64)
    delays[cables.switch[chosen], cables.switch_port[chosen] - 1] = ns
    delays[cables.other[chosen], cables.other_port[chosen] - 1] = ns
    return delays


def fewest_hops(exported: Exported) -> Json:
    """Describe the paths of a reader that takes those of the fewest hops in each plane, beside the routes."""
    return {"reader": "fewest hops", "planes": [described_hops(plane) for plane in exported.network.planes]}
