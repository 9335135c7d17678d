"""Upper bound on the throughput of all-to-all traffic from the distances between switches."""

from fractions import Fraction

import numpy as np

from isoplane.models import InputError, Network
from isoplane.models.paths.nearest_plane import switch_hops


def distance_bound(network: Network) -> Fraction:
    """Return an upper bound on the all-to-all throughput per node, in link capacities, whatever the routes.

    If every node sends a packet to every node, the links carry at least one packet for each hop of each shortest path:
    with N nodes, C links in either direction and H hops in total, the busiest link carries at least H / C packets, so
    that the throughput is at most N C / H. It does not need the routes.

    Parameters
    ----------
    network
        A network of one plane, in which all links of a node are at one switch.

    Raises
    ------
    InputError
        If it has several planes, or a node whose links are at several switches.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> distance_bound(Network(Torus(shape=(5,))))  # 5 nodes, 10 links, and 2 (1 + 2) hops from each node
    Fraction(5, 3)
    """
    if len(network.cabling) != 1:
        raise InputError(f"network.planes: {len(network.cabling)} planes; expected one")
    (plane,) = network.cabling
    first = plane.node_switch[plane.starts[:-1]]
    if (np.diff(plane.starts) == 0).any() or (plane.node_switch != first[plane.node]).any():
        raise InputError("network.planes: a node with links at several switches, or none; expected all at one switch")
    nodes = np.bincount(first, minlength=plane.topology.switches)
    hops = int(nodes @ (switch_hops(plane.topology) @ nodes))
    links = int((plane.topology.peer >= 0).sum())
    if not hops:
        raise InputError("network.nodes: all at one switch; expected nodes at two switches at least")
    return Fraction(network.nodes * links, hops)
