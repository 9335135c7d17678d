"""Ways between nodes: which planes and which links of both nodes share a packet, by the policy of the network."""

from dataclasses import dataclass
from math import lcm
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .errors import InputError
from .policy import Policy, plane_weights
from .routing.route_steps import route_steps

if TYPE_CHECKING:
    from .network import Network
    from .plane import Plane

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Ways:
    """Ways that packets take: a plane, a link of the source in it, and a link of the destination.

    Parameters
    ----------
    pair : int64[ways]
        The pair of nodes that a way joins, by its index.
    plane : int64[ways]
        The plane.
    source_link, destination_link : int64[ways]
        The link of either node, by its index among all node links of the plane.
    weight, of : int64[ways]
        The share of a packet that takes the way, weight / of, in lowest terms.
    """

    pair: Ints
    plane: Ints
    source_link: Ints
    destination_link: Ints
    weight: Ints
    of: Ints

    @property
    def parts(self) -> int:
        """The least number of parts of a packet of which every way has a whole number."""
        return lcm(*np.unique(self.of).tolist())


def ways_between(network: "Network", source: Ints, destination: Ints, policy: Policy) -> Ways:
    """Return the ways of packets between pairs of nodes, ascending by plane and pair.

    The length of a way is that of the route from the switch of one link to the target of the other. Under ``nearest``
    the shortest ways of all planes share a packet evenly. Under ``spray`` and shares every plane with a way has its
    part, which its own shortest ways share evenly.

    Parameters
    ----------
    network
        The network.
    source, destination : int64[pairs]
        The nodes of each pair.
    policy
        Which plane a packet takes.

    Raises
    ------
    InputError
        If the policy is ``adaptive``, no plane joins a pair, or a route does not arrive.

    Examples
    --------
    >>> from .dual_cube import dual_cube
    >>> network, here, there = dual_cube(2, (1, 3)), np.array([0, 0]), np.array([4, 8])  # to switches 1 and 2
    >>> ways = ways_between(network, here, there, "nearest")
    >>> ways.pair.tolist(), ways.plane.tolist(), ways.of.tolist()
    ([0, 1, 0], [0, 0, 1], [2, 1, 2])
    """
    weights, pairs = plane_weights(policy, len(network.planes)), len(source)
    taken = [number for number in range(len(network.planes)) if weights is None or weights[number]]
    found = [_ways_in(network.planes[number], source, destination) for number in taken]
    plane = np.repeat(taken, [len(pair) for pair, _, _ in found])
    pair, first, last = (np.concatenate(columns) for columns in zip(*found, strict=True))
    left_out = np.flatnonzero(np.bincount(pair, minlength=pairs) == 0)
    if len(left_out):
        raise _unjoined(policy, int(source[left_out[0]]), int(destination[left_out[0]]))
    if len(pair) == pairs:
        return Ways(pair, plane, first, last, np.ones_like(pair), np.ones_like(pair))
    hops = np.concatenate([_hops(network.planes[number], *found[index][1:]) for index, number in enumerate(taken)])
    rivals = pair if weights is None else plane * pairs + pair  # of the ways with equal rivals the shortest are taken
    nearest = np.full(int(rivals.max()) + 1, np.iinfo(np.int64).max)
    np.minimum.at(nearest, rivals, hops)
    kept = np.flatnonzero(hops == nearest[rivals])
    pair, plane, rivals = pair[kept], plane[kept], rivals[kept]
    weight, of = np.ones_like(pair), np.bincount(rivals)[rivals]
    if weights is not None:
        one_each = np.unique(rivals, return_index=True)[1]
        weight = np.array(weights)[plane]
        of *= np.bincount(pair[one_each], weights=weight[one_each], minlength=pairs).astype(np.int64)[pair]
    common = np.gcd(weight, of)
    return Ways(pair, plane, first[kept], last[kept], weight // common, of // common)


def fixed_parts(network: "Network", policy: Policy) -> int | None:
    """Return lcm(1, ..., planes), the parts of a packet where nodes have one link in a plane; None where the ways tell.

    Then they are the least multiple of it that all shares divide.
    """
    several = any(np.diff(plane.starts).max() > 1 for plane in network.planes)
    return None if several or isinstance(policy, tuple) else base_parts(network)


def base_parts(network: "Network") -> int:
    """Return lcm(1, ..., planes): parts of a packet that any number of planes shares evenly."""
    return lcm(*range(1, len(network.planes) + 1))


def require_ways(network: "Network") -> None:
    """Raise an `InputError` if no plane joins some pair of nodes, or a node with itself.

    Raises
    ------
    InputError
        Naming two nodes; or that the policy is ``adaptive``.
    """
    weights = plane_weights(network.policy, len(network.planes))
    joined = np.stack([np.diff(plane.starts) > 0 for plane in network.planes], axis=1)
    if weights is not None:
        joined = joined & (np.array(weights) > 0)
    kinds, first = np.unique(joined, axis=0, return_index=True)
    apart = np.argwhere(~(kinds[:, None] & kinds[None]).any(axis=2))
    if len(apart):
        raise _unjoined(network.policy, *sorted(int(first[kind]) for kind in apart[0]))


def _unjoined(policy: Policy, source: int, destination: int) -> InputError:
    named = policy if isinstance(policy, str) else list(policy)
    return InputError(
        f"network.planes: none joins node {source} with node {destination} under network.policy={named}; expected "
        "links of both in a plane that carries packets"
    )


def _ways_in(plane: "Plane", source: Ints, destination: Ints) -> tuple[Ints, Ints, Ints]:
    """Return pair, link of the source and link of the destination of every way in a plane."""
    starts = plane.starts
    here, there = np.diff(starts)[source], np.diff(starts)[destination]
    pair = np.repeat(np.arange(len(source)), here * there)
    number = np.arange(len(pair)) - np.repeat(np.cumsum(here * there) - here * there, here * there)
    first, last = np.divmod(number, np.maximum(there, 1)[pair])
    return pair, starts[source][pair] + first, starts[destination][pair] + last


def _hops(plane: "Plane", source_link: Ints, destination_link: Ints) -> Ints:
    """Return the hops of the routes between links of nodes."""
    routes, start = plane.routes, plane.node_switch[source_link]
    target = routes.targets(plane.node_switch)[destination_link]
    hops = np.zeros(len(start), dtype=np.int64)
    for which, _, _ in route_steps(plane.topology, routes, start, target):
        hops[which] += 1
    return hops
