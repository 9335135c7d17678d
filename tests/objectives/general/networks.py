"""Networks of every kind for the general evaluator: random graphs, planes that differ, families and trees."""

import numpy as np

from isoplane.models import Plane
from isoplane.models.routing import forwarding_table, shared_tables, up_down
from isoplane.models.topologies import graph
from tests.assembled import assembled
from tests.models.trees import two_levels


def random_plane(random, node_switch, switches):
    """A connected random graph, some cables of it double, with lengths of the catalogue and either routing."""
    edges = [(i, int(random.integers(i))) for i in range(1, switches)]
    edges += [tuple(random.choice(switches, 2, replace=False).tolist()) for _ in range(random.integers(2 * switches))]
    topology = graph(edges)
    routes = (forwarding_table if random.integers(2) else up_down)(topology)
    lengths = np.zeros(topology.peer.shape, dtype=np.int64)
    for here, port in np.argwhere(topology.peer >= 0):
        there, back = topology.peer[here, port], topology.peer_port[here, port]
        lengths[here, port] = lengths[there, back] = random.choice([1000, 2500, 4000])
    return Plane(topology, routes, lengths, node_switch, 1000)


def random_network(seed):
    """One or two planes of different switches over nodes at random switches, some switches without any."""
    random = np.random.default_rng(seed)
    nodes = int(random.integers(1, 40))
    planes = []
    for _ in range(random.integers(1, 3)):
        switches = int(random.integers(2, 30))
        planes.append(random_plane(random, random.integers(switches, size=nodes, dtype=np.int32), switches))
    return assembled(f"random {seed}", tuple(planes))


def tree(levels=two_levels, **sizes):
    """A fat-tree with a table by destination node."""
    topology, table, node_switch = levels(**sizes)
    lengths = np.where(topology.peer >= 0, 2000, 0)
    return assembled("tree", (Plane(topology, shared_tables(table, node_switch), lengths, node_switch, 2000),))
