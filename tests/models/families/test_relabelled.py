"""Relabelled planes: their cables, routes and metrics, by those of plane 0."""

import random
from itertools import pairwise, product

import igraph
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import ConnectionSet, Cube, Design, InputError, Network, Site, dual_cube
from isoplane.models.families._dual_cube import cube_planes
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.relabelled import Relabelled
from isoplane.models.families.slim_fly import SlimFly
from isoplane.models.families.torus import Torus
from isoplane.models.routing import channel_cycle, hops
from isoplane.models.site.layout import Layout
from isoplane.objectives import metrics_of
from isoplane.objectives.general.link_loads import all_to_all_loads
from tests.cases import for_each

from .members import MEMBERS

TORUS = Torus(shape=(4, 3), node_cable_m=2.0)


@settings(max_examples=30)
@given(MEMBERS["relabelled"])
def test_a_plane_joins_what_its_topology_joins_at_the_places(family):
    first, *others = Network(family, Site(layout=None)).planes
    for plane, topology, places in zip((first, *others), family.topologies, family.permutations, strict=True):
        (base,) = topology.build(Site(layout=None))
        joined = {(x, y) for x, ends in enumerate(plane.topology.peer.tolist()) for y in ends if y >= 0}
        at_places = {(x, y) for x, ends in enumerate(base.topology.peer.tolist()) for y in ends if y >= 0}
        assert {(int(places[x]), int(places[y])) for x, y in joined} == at_places
        assert np.array_equal(plane.node_switch, first.node_switch)


def hops_on_route(network, number, source, target):
    """The switch and the port of each hop between the switches of two nodes."""
    _, links = network.route_links(np.array([source]), np.array([target]), number)
    cables = np.argwhere(network.planes[number].topology.peer >= 0)
    return [tuple(cables[link]) for link in links - network.plane_links[number].first if link < len(cables)]


def node_at_place(plane, places, node):
    """The node at the place of the switch of a node, as many nodes after the first one."""
    switch = plane.node_switch[node]
    turn = np.flatnonzero(plane.node_switch == switch).tolist().index(node)
    return int(np.flatnonzero(plane.node_switch == places[switch])[turn])


@settings(max_examples=30)
@given(MEMBERS["relabelled"].filter(lambda family: family.routing is None), st.data())
def test_a_route_takes_the_ports_of_the_route_between_the_places(family, data):
    network, identical = (Network(each, Site(layout=None)) for each in (family, family.baseline))
    first = network.planes[0]
    nodes = [data.draw(st.integers(0, family.nodes - 1)) for _ in range(2)]
    for number, places in enumerate(family.permutations):
        at_places = [node_at_place(first, places, node) for node in nodes]
        hops = hops_on_route(network, number, *nodes)
        assert [(places[switch], port) for switch, port in hops] == hops_on_route(identical, 0, *at_places)


def switch_hops_by_igraph(topology):
    cables = [(x, y) for x, ends in enumerate(topology.peer.tolist()) for y in ends if y >= 0]
    return np.array(igraph.Graph(topology.switches, cables).distances())


@settings(max_examples=30)
@given(MEMBERS["relabelled"].filter(lambda family: family.routing == "planned"))
def test_a_planned_pair_has_one_plane_in_which_its_route_is_shortest_and_at_most_a_hop_longer_than_in_the_nearest(
    family,
):
    network = Network(family, Site(layout=None))
    sources, targets = np.unique(network.planes[0].node_switch), network.planes[0].routes.target_switch
    by_cables = [switch_hops_by_igraph(plane.topology)[:, targets] for plane in network.planes]
    taken = [plane.routes.carried for plane in network.planes]
    others = sources[:, None] != targets
    assert (sum(carried[sources].astype(int) for carried in taken)[others] == 1).all()
    for plane, distances, carried in zip(network.planes, by_cables, taken, strict=True):
        # Every route is a shortest one in its plane, also of the pairs that take another.
        assert np.array_equal(hops(plane.topology, plane.routes)[sources], distances[sources])
        assert (distances <= np.minimum.reduce(by_cables) + 1)[
            carried & (np.arange(len(carried))[:, None] != targets)
        ].all()
        channels = plane.routes.channels
        assert channel_cycle(plane.topology, plane.routes, 1 if channels is None else channels.classes) is None


def test_dimensions_of_planned_routes_in_cubes_ascend_in_each_of_two_classes_of_virtual_channels():
    places = (tuple(random.Random(1).sample(range(32), 32)),)
    cube = cube_planes((Cube(ConnectionSet.unit(5)),))
    planes = Network(Relabelled(plane=cube, places=places, routing="planned")).planes
    changes = set()
    for plane in planes:
        assert plane.routes.channels.classes == 2
        for source, column in product(range(32), range(plane.routes.columns)):
            target = plane.routes.target_switch[column]
            ports = []
            while source != target:
                ports.append(int(plane.routes.next_port[source, column]))
                source = plane.topology.peer[source, ports[-1]]
            changes.add(sum(after < before for before, after in pairwise(ports)))
    assert changes == {0, 1}


@for_each("policy", ["nearest", "spray", (2, 1)])
def test_planes_of_unequal_rates_have_the_same_paths_and_the_load_of_each_link_by_its_rate(policy):
    places = (tuple(random.Random(1).sample(range(12), 12)),)
    equal, unequal = (
        Design(Network(Relabelled(plane=TORUS, places=places, policy=policy, rates_gbps=rates)))
        for rates in [None, (400, 200)]
    )
    loads = all_to_all_loads(equal.network)
    fast, slow = (int(load.max()) for load in loads.load)
    known, found = metrics_of(equal), metrics_of(unequal)
    for name in known.keys() - {"peak_load", "throughput_per_node"}:
        assert found[name] == known[name], name
    assert found["throughput_per_node"] == loads.parts * 12 / max(fast, 2 * slow)  # in units of 400 Gbit/s


def throughput(plane, places, routing):
    return metrics_of(Design(Network(Relabelled(plane=plane, places=(places,), routing=routing), Site(layout=None))))[
        "throughput_per_node"
    ]


def test_planned_planes_of_a_slim_fly_turn_the_loss_of_throughput_by_nearest_planes_into_a_gain():
    plane, shuffled = SlimFly(q=5), random.Random(1).sample(range(50), 50)
    identical, nearest, planned = (
        throughput(plane, places, routing)
        for places, routing in [(tuple(range(50)), None), (tuple(shuffled), None), (tuple(shuffled), "planned")]
    )
    assert nearest < identical < planned


def test_a_linear_permutation_gives_the_hypercube_with_its_generators():
    generators, layout = (7, 11, 13, 14), Layout()
    linear = dual_cube(4, generators, layout=layout)
    used = [[generator for i, generator in enumerate(generators) if x >> i & 1] for x in range(16)]
    switch_at = [int(np.bitwise_xor.reduce([0, *own])) for own in used]  # plane 0 joins x and y, plane 1 these
    cube = cube_planes(linear.family.planes[:1])
    same = Network(Relabelled(plane=cube, places=(tuple(np.argsort(switch_at).tolist()),)), linear.site)
    expected, found = metrics_of(Design(linear)), metrics_of(Design(same))
    for name in ("aspl", "delay_ns", "cable_length_m", "cost_usd_per_node"):
        assert found[name] == expected[name], name


@for_each(
    ("values", "message"),
    [
        ({"planes": 1}, r"network\.planes=1: expected 2 or more"),
        ({"places": ((0, 1),)}, r"network\.places=\[0, 1\]: expected a permutation of 0 to 11"),
        (
            {"places": (tuple(range(12)),) * 3},
            r"network\.places: 3 permutations; expected 1 for the further planes, or 2",
        ),
        ({"links_per_node": 2}, r"network\.links_per_node=2: expected 1"),
        ({"routing": "balanced"}, r"network\.routing=balanced: expected null or planned"),
        ({"routing": "planned", "policy": (2, 1)}, r"network\.policy=\[2, 1\]: expected nearest, spill with network"),
        ({"plane": MultiPlane()}, r"network\.plane\.family=multi_plane: expected a family of one plane"),
        ({"rates_gbps": (400,)}, r"network\.rates_gbps=\(400,\): expected null, or a rate for each of 2 planes"),
        ({"rates_gbps": (400, 0)}, r"network\.rates_gbps=0: expected a number above 0"),
        ({"rates_gbps": (400, 0.0001)}, r"network\.rates_gbps=0\.0001: expected a rate in Gbit/s with at most three"),
        ({"rates_gbps": (400, 200), "routing": "planned"}, r"network\.rates_gbps=\[400, 200\] differ; expected null"),
    ],
)
def test_what_is_no_relabelling_is_refused(values, message):
    with pytest.raises(InputError, match=message):
        Network(Relabelled(**{"plane": TORUS, **values})).planes  # noqa: B018  # builds them


def test_a_switch_without_nodes_has_no_other_place():
    tree = LeafSpine(leaf_switches=3, spine_switches=2, nodes_per_leaf=2)
    with pytest.raises(InputError, match=r"switch 4, which has no nodes, has the place of switch 0; expected its own"):
        Network(Relabelled(plane=tree, places=((4, 1, 2, 3, 0),))).planes  # noqa: B018  # builds them
    with pytest.raises(InputError, match=r"switch 3, which has no nodes, has the place of switch 4; expected its own"):
        Network(Relabelled(plane=tree, places=((0, 1, 2, 4, 3),))).planes  # noqa: B018  # builds them
    for values in ([[0, "a"]], "all", [0, 1]):
        with pytest.raises(InputError, match=r"network\.places=.*: expected a list of permutations"):
            Relabelled.read({"plane": {"family": "torus"}, "places": values})


@for_each(
    ("plane", "folded", "message"),
    [
        (TORUS, (1,), r"network\.folded=\[1\]: expected null, or planes of hypercubes"),
        (None, (2, 1), r"network\.folded=\[2, 1\]: expected ascending planes from 1 to 2"),
        (None, (), r"network\.folded=\[\]: expected ascending planes from 1 to 2"),
        (None, (0,), r"network\.folded=\[0\]: expected ascending planes from 1 to 2"),
    ],
)
def test_planes_that_cannot_be_folded_are_refused(plane, folded, message):
    cube = cube_planes(dual_cube(3, (1, 2, 4)).family.planes[:1])
    with pytest.raises(InputError, match=message):
        Relabelled(plane=plane or cube, planes=3, folded=folded)
