"""Small networks of one plane over given edges, with the given number of nodes at every switch."""

import numpy as np

from isoplane.models import Plane
from isoplane.models.routing import forwarding_table
from isoplane.models.topologies import graph
from tests.assembled import assembled


def plane_of(topology, nodes):
    """Return a plane with `nodes[s]` nodes at switch s, and shortest paths."""
    node_switch = np.repeat(np.arange(topology.switches, dtype=np.int32), nodes)
    return Plane(topology, np.zeros(topology.peer.shape), node_switch, 0, routes=forwarding_table(topology))


def network_of(edges, nodes, policy="nearest"):
    """Return a network of one plane over edges."""
    return assembled("edges", (plane_of(graph(edges, len(nodes)), nodes),), policy)


def edges_of(topology):
    """Return the cables as pairs of switches, parallel ones repeatedly."""
    switch, port = np.nonzero(topology.peer >= 0)
    peer, peer_port = topology.peer[switch, port], topology.peer_port[switch, port]
    once = (switch < peer) | ((switch == peer) & (port < peer_port))
    return list(zip(switch[once].tolist(), peer[once].tolist(), strict=True))
