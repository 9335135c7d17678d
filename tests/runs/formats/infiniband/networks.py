"""Small networks of several kinds whose routes are free from deadlock on one lane."""

import numpy as np

from isoplane.models import Network, Plane, Site, family_named
from isoplane.models.families._dual_cube import dual_cube
from isoplane.models.family_kinds.planes import PlanesFamily
from isoplane.models.planes.topology import Topology
from isoplane.models.routing import up_down
from isoplane.models.topologies import graph


def of(name, **parameters):
    return Network(family_named(name)(**parameters), Site(layout=None))


def partly_attached():
    """Two planes over 4 nodes: node 1 has two links in plane 0 and none in plane 1; some switches have no nodes."""
    planes = []
    for edges, node_switch, starts in (
        ([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)], [0, 0, 2, 2, 3], [0, 1, 3, 4, 5]),
        ([(0, 1), (1, 2)], [2, 2, 0], [0, 1, 1, 2, 3]),
    ):
        topology = graph(edges)
        lengths = np.where(topology.peer >= 0, 1000, 0)
        planes.append(Plane(topology, lengths, np.array(node_switch), 2000, np.array(starts), routes=up_down(topology)))
    return Network(PlanesFamily("partly attached", tuple(planes)), Site(layout=None))


def stated_ports():
    """A path of 3 switches whose node ports are stated, one of them before those to other switches."""
    topology = Topology(
        np.array([[-1, 1, -1], [0, -1, 2], [-1, 1, -1]]), np.array([[-1, 0, -1], [1, -1, 1], [-1, 2, -1]])
    )
    lengths = np.where(topology.peer >= 0, 1000, 0)
    ends, ports = np.array([0, 0, 1, 2]), np.array([0, 2, 1, 2])
    plane = Plane(topology, lengths, ends, 2000, node_port=ports, routes=up_down(topology))
    return Network(PlanesFamily("stated ports", (plane,)), Site(layout=None))


def two_links():
    """A HyperX with two links from each node."""
    plane = family_named("hyperx")(shape=(3, 3), nodes_per_switch=2, node_cable_m=2.0)
    return of("multi_plane", plane=plane, planes=1, links_per_node=2)


NETWORKS = {
    "cubes": lambda: dual_cube(4, (3, 5, 9, 14), nodes_per_switch=2),
    "folded_cubes": lambda: dual_cube(3, (3, 5, 7), folded=True, nodes_per_switch=2),
    "full_mesh": lambda: of("full_mesh", layers=2, uplinks=3, nodes_per_leaf=2, assumed_cable_m=5.0),
    "oft": lambda: of("oft", q=2, sides=2, nodes_per_leaf=3, assumed_cable_m=5.0),
    "fat_tree": lambda: of("fat_tree", switch_ports=4, assumed_cable_m=5.0),
    "trunks": lambda: of("fat_tree", switch_ports=8, cables_per_pair=(2, 4), assumed_cable_m=5.0),
    "direct_mesh": lambda: of("mesh", shape=(3, 4), assumed_cable_m=1.0),
    "two_links": two_links,
    "partly_attached": partly_attached,
}
MORE_NETWORKS = {
    "stated_ports": stated_ports,
    "hyperx": lambda: of("hyperx", shape=(3, 4), nodes_per_switch=2, node_cable_m=2.0),
    "parallel_cables": lambda: of("hyperx", shape=(3, 3), cables_per_pair=2, nodes_per_switch=4, node_cable_m=2.0),
    "megafly": lambda: of(
        "megafly", leaves_per_group=2, spines_per_group=2, global_ports=2, groups=4, nodes_per_leaf=2
    ),
    "up_down": lambda: of("dragonfly", groups=3, nodes_per_switch=2, routing="up_down"),
}
