"""Permutation traffic: the characteristic properties of each permutation."""

import numpy as np

from isoplane.models import Network, dual_cube
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.mesh import Mesh
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.rdt import RecursiveDiagonalTorus
from isoplane.models.families.torus import Torus
from isoplane.simulator import Hardware, Simulation, Traffic
from isoplane.simulator.traffic.permutations import OF_COORDINATES, OF_NODES, permutation
from tests.cases import for_each, require_refusal

BITWISE = ("complement", "reverse", "transpose", "shuffle")


def ring(nodes):
    return Network(Torus(shape=(nodes,)))


@for_each(
    ("name", "destinations"),
    [
        # i = 4·row + column, or in bits b3 b2 b1 b0
        ("complement", [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]),
        ("reverse", [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15]),
        ("transpose", [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15]),
        ("shuffle", [0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15]),
        ("tornado", [7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6]),
        ("neighbour", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0]),
    ],
)
def test_the_permutations_of_sixteen_nodes(name, destinations):
    assert permutation(name, ring(16)).tolist() == destinations


@for_each(
    ("family", "shape", "at_switch"),
    [
        (Torus(shape=(8, 8)), (8, 8), 1),
        (Torus(shape=(5, 4, 3), nodes_per_switch=2, node_cable_m=1), (5, 4, 3), 2),
        (Mesh(shape=(6, 7)), (6, 7), 1),
        (HyperX(shape=(5, 6), nodes_per_switch=3), (5, 6), 3),
        (RecursiveDiagonalTorus(side=8), (8, 8), 1),
        (MultiPlane(plane=HyperX(shape=(5, 6), nodes_per_switch=4), links_per_node=2), (5, 6), 2),
    ],
)
@for_each("name", OF_COORDINATES)
def test_the_coordinates_of_the_switch_are_moved_one_by_one(name, family, shape, at_switch):
    destination = permutation(name, Network(family)).tolist()
    for node, end in enumerate(destination):
        switch, end_switch = node // at_switch, end // at_switch
        assert node % at_switch == end % at_switch
        for size in shape:
            step = 1 if name == "neighbour" else -(-size // 2) - 1
            assert end_switch % size == (switch + step) % size
            switch, end_switch = switch // size, end_switch // size


SPREAD = MultiPlane(plane=HyperX(shape=(2, 2), nodes_per_switch=3), links_per_node=2)


@for_each("name", OF_COORDINATES)
@for_each(
    ("network", "title"),
    [
        (Network(Dragonfly()), "dragonfly 9x4"),
        (dual_cube(3, (3, 5, 7)), "hypercube n=3"),
        (Network(SPREAD), "2 planes with 2 links per node of hyperx 2x2"),
    ],
)
def test_networks_without_coordinates_are_refused(name, network, title):
    require_refusal(lambda: permutation(name, network), f"^traffic.pattern={name}: {title}")


def test_a_tornado_on_a_torus_loads_links_in_one_direction_only():
    network = Network(Torus(shape=(8, 8)))
    simulation = Simulation(network, Hardware(), Traffic(pattern="tornado", load=0.2), seed=1)
    simulation.run(20_000)
    source, _, port = simulation.links()[:, :3].T
    between = (source < 64) & (port < 4)
    busy = np.bincount(port[between], weights=simulation.link_busy()[between], minlength=4)
    assert busy[0] > 0
    assert busy[2] > 0
    assert busy[1] == busy[3] == 0


def test_bit_permutations_need_a_power_of_two_and_a_transposition_of_four():
    for name in BITWISE:
        require_refusal(
            lambda name=name: OF_NODES[name](12), f"traffic.pattern={name}: 12 nodes; expected a power of two"
        )
    require_refusal(lambda: OF_NODES["transpose"](8), "transpose: 8 nodes; expected a power of four")
