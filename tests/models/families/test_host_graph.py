"""Graphs for nodes and ports: what their switches and cables have to be, and what their routes reach."""

from fractions import Fraction

import numpy as np
import pytest

from isoplane.models import InputError, Layout, Network, Site
from isoplane.models.families.host_graph import HostGraph
from isoplane.models.family_kinds.host_sizes import MAX_SWITCHES, evenly, least_switches
from isoplane.models.mathematics.components import components
from isoplane.models.mathematics.random_graphs import random_edges_within
from isoplane.models.network import NO_SITE
from isoplane.models.planes.route_walk import hops
from isoplane.objectives.general import GeneralExact

PATH = ((0, 1), (1, 2))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"ports": 2}, "network.ports=2: expected an integer from 3 to 1024"),
        # 4096 switches in a tree have 2 · 4095 ends of cables: 3 · 4096 - 8190 ports are left for nodes.
        ({"nodes": 4099, "ports": 3}, "network.ports=3: 4096 switches carry 4098 nodes; expected at least 4 ports"),
        ({"hosts": (6,)}, "network.hosts: 1 switch; expected 2 to 4096, with 4 ports for 6 nodes"),
        ({"hosts": (4, 1, 1)}, "network.hosts: expected numbers from 0 to 3 whose sum is nodes=6"),
        ({"hosts": (2, 2, 3)}, "network.hosts: expected numbers from 0 to 3 whose sum is nodes=6"),
        ({"hosts": None}, "network.hosts=null: expected the nodes at each switch, as network.edges are given"),
        ({"edges": (PATH, PATH)}, "network.edges: of 2 planes; expected 1"),
        ({"edges": (((0, 1), (1, 3)),)}, r"network.edges[0]: expected pairs of switches from 0 to 2"),
        ({"edges": (((0, 1), (1, 0), (1, 2)),)}, "network.edges[0]: [0, 1]; expected different pairs of two switches"),
        ({"hosts": (1, 3, 2)}, "network.edges[0]: switch 1 uses 5 ports; expected at most 4"),
        ({"edges": (((0, 1),),)}, "topology: 2 components, of which the smallest is switch 2"),
    ],
)
def test_other_graphs_are_refused(values, message):
    with pytest.raises(InputError) as caught:
        HostGraph(**{"nodes": 6, "ports": 4, "hosts": (2, 2, 2), "edges": (PATH,), **values})
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"hosts": "abc"}, "network.hosts='abc': expected the nodes at each switch"),
        ({"hosts": [2, 2, 2], "edges": [[[0, 1], [1, "a"]]]}, "network.edges: expected a list of pairs"),
        ({"hosts": [2, 2, 2], "edges": [0, 1]}, "network.edges=[0, 1]: expected a list of pairs"),
        ({"hosts": [2, 2, 2], "switches": 4}, "network.switches=4: expected 3, the number of hosts"),
        ({"switches": 1}, "network.switches=1: expected an integer from 2 to 4096"),
    ],
)
def test_keys_of_a_file_are_checked(keys, message):
    with pytest.raises(InputError) as caught:
        HostGraph.read({"nodes": 6, "ports": 4, **keys})
    assert str(caught.value).startswith(message)


def test_the_fewest_switches_have_room_for_a_tree_of_cables():
    for ports in (3, 4, 7):
        for nodes in range(3, 60):
            fewest = least_switches(nodes, ports)
            assert fewest * ports >= nodes + 2 * (fewest - 1)
            assert fewest == 2 or (fewest - 1) * ports < nodes + 2 * (fewest - 2)
            family = HostGraph.read({"nodes": nodes, "ports": ports, "switches": fewest, "planes": 2})
            assert family.switches == 2 * fewest
    assert least_switches(MAX_SWITCHES * 2 + 2, 4) == MAX_SWITCHES


def test_random_edges_use_the_free_ports_and_join_all_vertices():
    for seed in range(20):
        free = [1, 1, 1, 2, 3, 4, 4, 8]
        edges = random_edges_within(free, seed)
        assert (np.bincount(edges.ravel(), minlength=8) <= free).all()
        assert len(np.unique(edges, axis=0)) == len(edges)
        assert components(8, *edges.T).max() == 0
    complete = random_edges_within([4] * 5, seed=1)
    assert len(complete) == 10


def test_pairs_in_any_order_are_the_same_graph_and_isomorphic_ones_share_a_class():
    family = HostGraph(nodes=7, ports=5, hosts=(3, 2, 2), edges=(PATH,))
    assert family == HostGraph.read({"nodes": 7, "ports": 5, "hosts": [3, 2, 2], "edges": [[[2, 1], [1, 0]]]})
    turned = HostGraph(nodes=7, ports=5, hosts=(2, 2, 3), edges=(((0, 1), (1, 2)),))
    moved = HostGraph(nodes=7, ports=5, hosts=(2, 3, 2), edges=(PATH,))
    assert family.class_key() == turned.class_key() != moved.class_key()


def test_nodes_without_hosts_are_spread_evenly():
    assert evenly(11, 4) == (2, 3, 3, 3)
    family = HostGraph.read({"nodes": 11, "ports": 6, "switches": 4})
    assert family.hosts == (2, 3, 3, 3)
    assert family.baseline == family


@pytest.mark.parametrize("planes", [1, 2, 3])
def test_routes_are_shortest_and_as_even_as_distances_allow(planes):
    family = HostGraph.read({"nodes": 240, "ports": 14, "switches": 30, "planes": planes})
    network = Network(family, NO_SITE)
    for plane in network.planes:
        lengths = hops(plane.topology, plane.routes)
        levels = np.stack([plane.topology.levels(switch) for switch in range(30)])
        assert (lengths == levels[:, plane.node_switch]).all()
    assert reached(family) <= mean_link(family)


def reached(family):
    """The throughput of a node."""
    exact = GeneralExact(Network(family, NO_SITE))
    return Fraction(exact.parts * family.nodes, exact.peak_load)


def mean_link(family):
    """The same if all links had the mean load: packets to all nodes, over as many links as they have hops."""
    return Fraction(family.nodes * 2 * family.cables, GeneralExact(Network(family, NO_SITE)).total_hops)


def test_planes_whose_cables_differ_carry_more_where_many_pairs_are_joined():
    """In planes of 8 switches of 4 cables, each a circulant, all 28 pairs are joined in one plane, 4 of them in both.

    A packet to a node at another switch has 1 hop, but for 2 planes of the same cables 10/7 in the mean.
    """
    steps = ((1, 2), (3, 4, 1)), ((1, 2), (1, 2))
    both = [
        HostGraph(nodes=64, ports=16, planes=2, hosts=(8,) * 8, edges=tuple(map(circulant, planes))) for planes in steps
    ]
    different, same = map(reached, both)
    assert different > same
    assert same <= mean_link(both[1])


def circulant(steps):
    pairs = {(min(i, (i + step) % 8), max(i, (i + step) % 8)) for i in range(8) for step in steps}
    return tuple(sorted(pairs))


def test_several_planes_share_racks_that_are_filled_in_order():
    family = HostGraph.read({"nodes": 40, "ports": 12, "switches": 8, "planes": 2, "assumed_cable_m": None})
    layout = Layout(switches_per_rack=2, aspects=())
    network = Network(family, Site(layout=layout))
    floor = network.floor
    assert floor.of_switches[0].tolist() == floor.of_switches[1].tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    searched = Site(layout=Layout(switches_per_rack=2, aspects=(), assignment="search"))
    with pytest.raises(InputError, match="layout.assignment=search: several planes of host_graph expect in_order"):
        _ = Network(family, searched).cabling
