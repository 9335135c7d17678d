"""Names of directed links for messages."""

from collections.abc import Sequence

import numpy as np

from ..network import Network
from ..planes.links import CABLE, OUT, link_kinds


def link_titles(network: Network, links: Sequence[int]) -> list[str]:
    """Return the names of directed links, numbered as in `PlaneLinks`.

    Switches, nodes and ports are numbered from 0, and so are planes, which are named where there are several.

    Examples
    --------
    >>> from ..families.torus import Torus
    >>> link_titles(Network(Torus(shape=(3,), node_cable_m=2.0)), [0, 7, 10])
    ['switch 0 port 0 to switch 1', 'node 1 to switch 1', 'switch 1 to node 1']
    """
    kinds, many = link_kinds(network.plane_links), len(network.plane_links) > 1
    titles = {}
    for number, part in enumerate(network.plane_links):
        topology, nodes = part.plane.topology, np.arange(len(part.plane.node_switch))
        place = part.values(np.arange(topology.peer.size).reshape(topology.peer.shape), nodes, nodes)
        for link in links:
            if part.first <= link < part.first + part.links:
                here = int(place[link - part.first])
                if kinds[link] == CABLE:
                    switch, port = divmod(here, topology.peer.shape[1])
                    ends = f"switch {switch} port {port} to switch {topology.peer[switch, port]}"
                else:
                    node, switch = f"node {part.plane.node[here]}", f"switch {part.plane.node_switch[here]}"
                    ends = f"{node} to {switch}" if kinds[link] == OUT else f"{switch} to {node}"
                titles[link] = ends + (f" in plane {number}" if many else "")
    return [titles[link] for link in links]
