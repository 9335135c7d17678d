"""The part of the traffic that each plane carries between two switches, if packets take the nearest plane."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..planes.topology import Topology
from .path_shares import base_parts

if TYPE_CHECKING:
    from ..network import Network

UNREACHABLE = 0xFFFF


def nearest_shares(
    network: "Network", topologies: Sequence[Topology], connected: Sequence[NDArray[np.bool_]]
) -> "tuple[NDArray[np.uint16], ...] | None":
    """Return the parts of a packet that each plane carries between two switches under the policy ``nearest``.

    Planes with a shortest path share a packet evenly, in parts of 1 / lcm(1, ..., planes).

    Parameters
    ----------
    network
        The network. Its nodes have one link per plane, to switches with the same number in all planes.
    topologies
        The cables of each plane: those of the network, or some of them.
    connected : bool[switches], one per plane
        Connected switches of each plane; others carry nothing.

    Returns
    -------
    uint16[switches, switches], one per plane
        None if all planes carry the same traffic, because there is one plane or the policy is another one, or if nodes
        are attached in another way.

    Examples
    --------
    >>> from ..families._dual_cube import dual_cube
    >>> cubes = dual_cube(2, (1, 3))
    >>> every = np.ones(4, dtype=np.bool_)
    >>> shares = nearest_shares(cubes, [plane.topology for plane in cubes.planes], [every, every])
    >>> shares[0][0].tolist()  # to switches 0 to 3: plane 1 has a cable to 3, plane 0 one to 2, both one to 1
    [1, 1, 2, 0]
    """
    first = network.planes[0]
    is_same = all(
        plane.node_start is None
        and plane.topology.switches == first.topology.switches
        and np.array_equal(plane.node_switch, first.node_switch)
        for plane in network.planes
    )
    if len(network.planes) == 1 or network.policy != "nearest" or not is_same:
        return None
    hops = np.stack([_hops(*plane) for plane in zip(topologies, connected, strict=True)])
    is_nearest = (hops == hops.min(axis=0)) & (hops < UNREACHABLE)
    parts = base_parts(network) // np.maximum(1, is_nearest.sum(axis=0))
    return tuple(np.where(is_used, parts, 0).astype(np.uint16) for is_used in is_nearest)


def switch_hops(topology: Topology) -> NDArray[np.uint16]:
    """Return the hops of a shortest path between all switches, `UNREACHABLE` without one: uint16[switches, switches].

    Examples
    --------
    >>> from ..topologies import torus
    >>> switch_hops(torus((5,)))[0].tolist()
    [0, 1, 2, 2, 1]
    """
    hops = np.full((topology.switches, topology.switches), UNREACHABLE, dtype=np.uint16)
    np.fill_diagonal(hops, 0)
    _native.shortest_hops(topology.peer, hops)
    return hops


def _hops(topology: Topology, connected: NDArray[np.bool_]) -> NDArray[np.uint16]:
    """Return the hops between all connected switches, `UNREACHABLE` for others."""
    hops = switch_hops(topology)
    hops[~connected] = UNREACHABLE
    hops[:, ~connected] = UNREACHABLE
    return hops
