"""Small networks and single messages for the tests of the simulator."""

import numpy as np

from isoplane.models import ConnectionSet, Cube, Layout, Network, Plane, cube_planes, dual_cube, uniform_attachment
from isoplane.models.routing import shared_tables, torus_order
from isoplane.models.topologies import torus
from isoplane.simulator import Hardware
from isoplane.simulator._native import Engine, Pattern, TrafficPlan
from isoplane.simulator.flits.plan import plan_of
from tests.assembled import assembled
from tests.models.trees import two_levels


def cube(n=3, generators=(3, 5, 7), folded=False, layout=True):
    """A dual-plane cube of 2^n switches with two nodes each."""
    site = {"layout": Layout() if layout else None}
    return dual_cube(n, generators, folded, nodes_per_switch=2, **site)


def plain_cube(n, nodes_per_switch):
    """A single plane without a layout: all cables have minimum length."""
    return Network(cube_planes((Cube(ConnectionSet.unit(n)),), nodes_per_switch=nodes_per_switch))


def identical_planes(n=3):
    """A dual-plane cube with identical planes."""
    return dual_cube(n, tuple(1 << i for i in range(n)), nodes_per_switch=2).baseline


def direct_torus(shape=(4, 3), cable_mm=1500, datelines=True):
    """A direct torus, with a switch in each node."""
    topology = torus(shape)
    lengths = np.where(topology.peer >= 0, cable_mm, 0)
    routes = torus_order(shape, datelines=datelines)
    return assembled("torus", (Plane(topology, lengths, uniform_attachment(topology.switches, 1), routes=routes),))


def steps_ahead(nodes, steps=1):
    """A traffic table in which each node of a ring sends to the one some steps ahead."""
    return tuple((node + steps) % nodes for node in range(nodes))


def tree_plane(cable_mm=1500):
    """Four leaves with four nodes each, below two spines; packets go up by their destination node modulo 2."""
    topology, table, node_switch = two_levels(leaves=4, hosts=4, spines=2)
    return Plane(
        topology, np.where(topology.peer >= 0, cable_mm, 0), node_switch, 1000, routes=shared_tables(table, node_switch)
    )


def tree():
    """A fat-tree of 16 nodes and 6 switches."""
    return assembled("tree", (tree_plane(),))


def tree_and_ring():
    """Planes of 6 and of 4 switches; in the second one, nodes of a leaf are at different switches."""
    topology, routes = torus((4,)), torus_order((4,), datelines=True)
    plane = Plane(topology, np.full(topology.peer.shape, 700), 3 - np.arange(16) % 4, 1000, routes=routes)
    return assembled("tree and ring", (tree_plane(), plane))


def ring(switches=4, datelines=False):
    """A ring that can deadlock, unless it has datelines."""
    return direct_torus((switches,), 0, datelines)


def send_one_by_one(network: Network, hardware: Hardware, pairs, spacing_ticks=1 << 16) -> Engine:
    """Send one packet per pair from source to destination, each long after the arrival of the previous one."""
    traffic = TrafficPlan()
    traffic.pattern = Pattern.LIST
    count = len(pairs)
    source, destination = np.array(pairs, dtype=np.uint32).T.copy()
    traffic.set_list(
        source=source,
        destination=destination,
        bits=np.full(count, hardware.payload_bits, dtype=np.uint64),
        delay=spacing_ticks * np.arange(count, dtype=np.int64),
        predecessors=np.zeros(count, dtype=np.uint32),
        successor_starts=np.zeros(count + 1, dtype=np.uint32),
        successors=np.zeros(0, dtype=np.uint32),
    )
    engine = Engine(plan_of(network, hardware), traffic, 1, sorted(set(pairs)))
    engine.run(spacing_ticks * (count + 1))
    assert engine.ended
    return engine
