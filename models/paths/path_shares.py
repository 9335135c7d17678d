"""Paths between nodes: combinations of plane, source link and destination link, and their shares of the traffic."""

from dataclasses import dataclass
from math import lcm
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import Ints
from ..errors import InputError
from ..planes.route_steps import route_steps
from ..policy import Policy, plane_weights

if TYPE_CHECKING:
    from ..network import Network
    from ..planes.plane import Plane


@dataclass(frozen=True, eq=False)
class PathShares:
    """The paths of packets, and their shares; a path is a plane, a source link in it, and a destination link.

    Parameters
    ----------
    pair : int64[paths]
        Index of the pair of nodes that a path connects.
    plane : int64[paths]
        Index of the plane.
    source_link, destination_link : int64[paths]
        Index of the link of either node among all node links of the plane.
    weight, denominator : int64[paths]
        The share of the traffic of the pair that takes the path, weight / denominator, in lowest terms.
    """

    pair: Ints
    plane: Ints
    source_link: Ints
    destination_link: Ints
    weight: Ints
    denominator: Ints

    @property
    def parts(self) -> int:
        """Load units per packet: the least common denominator of all shares."""
        return lcm(*np.unique(self.denominator).tolist())


def paths_between(network: "Network", source: Ints, destination: Ints, policy: Policy) -> PathShares:
    """Return the paths of packets between pairs of nodes, ascending by plane and pair.

    The length of a path is that of the route from the switch of the source link to the target of the destination link.
    Under ``nearest``, traffic is split evenly over the shortest paths of all planes. Under ``spray`` and shares, it is
    split over the planes with a path by their weights, and within a plane evenly over its shortest paths.

    Parameters
    ----------
    network
        The network.
    source, destination : int64[pairs]
        The nodes of each pair.
    policy
        Plane policy.

    Raises
    ------
    InputError
        If the policy is ``adaptive``, no plane connects a pair, or a route does not arrive.

    Examples
    --------
    >>> from ..families._dual_cube import dual_cube
    >>> source, destination = np.array([0, 0]), np.array([4, 8])  # from switch 0 to switches 1 and 2
    >>> paths = paths_between(dual_cube(2, (1, 3)), source, destination, "nearest")
    >>> paths.pair.tolist(), paths.plane.tolist(), paths.denominator.tolist()
    ([0, 1, 0], [0, 0, 1], [2, 1, 2])
    """
    weights, pairs = plane_weights(policy, len(network.planes)), len(source)
    used_planes = [number for number in range(len(network.planes)) if weights is None or weights[number]]
    by_plane = [_plane_paths(network.planes[number], source, destination) for number in used_planes]
    plane = np.repeat(used_planes, [len(pair) for pair, _, _ in by_plane])
    pair, first, last = (np.concatenate(columns) for columns in zip(*by_plane, strict=True))
    missing = np.flatnonzero(np.bincount(pair, minlength=pairs) == 0)
    if len(missing):
        raise _unconnected_error(policy, int(source[missing[0]]), int(destination[missing[0]]))
    if len(pair) == pairs:  # one path each: walking the routes for their lengths would take most of the time
        return PathShares(pair, plane, first, last, np.ones_like(pair), np.ones_like(pair))
    hops = np.concatenate(
        [_route_hops(network.planes[number], *by_plane[index][1:]) for index, number in enumerate(used_planes)]
    )
    group = pair if weights is None else plane * pairs + pair  # the shortest paths of each group are used
    nearest = np.full(int(group.max()) + 1, np.iinfo(np.int64).max)
    np.minimum.at(nearest, group, hops)
    kept = np.flatnonzero(hops == nearest[group])
    pair, plane, group = pair[kept], plane[kept], group[kept]
    weight, of = np.ones_like(pair), np.bincount(group)[group]
    if weights is not None:
        first_of_group = np.unique(group, return_index=True)[1]
        weight = np.array(weights)[plane]
        # Of the weights, only those of planes that connect the pair count.
        of *= np.bincount(pair[first_of_group], weights=weight[first_of_group], minlength=pairs).astype(np.int64)[pair]
    divisor = np.gcd(weight, of)  # lowest terms: the common multiple of denominators is the unit of all loads
    return PathShares(pair, plane, first[kept], last[kept], weight // divisor, of // divisor)


def fixed_parts(network: "Network", policy: Policy) -> int | None:
    """Return the load units per packet, lcm(1, ..., planes), if they do not depend on the paths; else None.

    They do depend on them if nodes have several links in a plane or planes have shares: in that case they are the least
    multiple of this number that is divisible by all denominators.
    """
    has_several_links = any(np.diff(plane.starts).max() > 1 for plane in network.planes)
    return None if has_several_links or isinstance(policy, tuple) else base_parts(network)


def base_parts(network: "Network") -> int:
    """Return lcm(1, ..., planes): load units per packet that any number of planes can share evenly."""
    return lcm(*range(1, len(network.planes) + 1))


def require_paths(network: "Network") -> None:
    """Raise an `InputError` unless every node has a path to every node, itself included.

    Raises
    ------
    InputError
        If a pair has none (the message names its nodes), or the policy is ``adaptive``.
    """
    weights = plane_weights(network.policy, len(network.planes))
    attached = np.stack([np.diff(plane.starts) > 0 for plane in network.planes], axis=1)
    if weights is not None:
        attached = attached & (np.array(weights) > 0)
    patterns, first = np.unique(attached, axis=0, return_index=True)
    disjoint = np.argwhere(~(patterns[:, None] & patterns[None]).any(axis=2))
    if len(disjoint):
        raise _unconnected_error(network.policy, *sorted(int(first[pattern]) for pattern in disjoint[0]))


def _unconnected_error(policy: Policy, source: int, destination: int) -> InputError:
    shown = policy if isinstance(policy, str) else list(policy)
    return InputError(
        f"network.planes: none connects node {source} to node {destination} under network.policy={shown}; expected "
        "links of both in a plane that carries packets"
    )


def _plane_paths(plane: "Plane", source: Ints, destination: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the pair, source link and destination link of every path in a plane whose routes carry it."""
    starts = plane.starts
    source_links, destination_links = np.diff(starts)[source], np.diff(starts)[destination]
    paths = source_links * destination_links
    pair = np.repeat(np.arange(len(source)), paths)
    number = np.arange(len(pair)) - np.repeat(np.cumsum(paths) - paths, paths)
    # Destinations without a link have no paths to number; their divisor must only not be 0.
    first, last = np.divmod(number, np.maximum(destination_links, 1)[pair])
    first, last = starts[source][pair] + first, starts[destination][pair] + last
    carried = plane.routes.carried
    if carried is None:
        return pair, first, last
    kept = carried[plane.node_switch[first], plane.routes.targets(plane.node_switch)[last]]
    return pair[kept], first[kept], last[kept]


def _route_hops(plane: "Plane", source_link: Ints, destination_link: Ints) -> Ints:
    """Return the number of hops of each route between node links."""
    routes, start = plane.routes, plane.node_switch[source_link]
    target = routes.targets(plane.node_switch)[destination_link]
    hops = np.zeros(len(start), dtype=np.int64)
    for route, _, _ in route_steps(plane.topology, routes, start, target):
        hops[route] += 1
    return hops
