"""Facts of every family: formulas match the planes, routes arrive without deadlock, records are read back."""

import json
import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from isoplane.models import Cube, Design, Network, Site, cube_planes, family_named, family_names
from isoplane.models.cabling.cable_list import node_ports
from isoplane.models.families.direct_hypercube import DirectHypercube
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.graph import Graph
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.mesh import Mesh
from isoplane.models.families.multi_plane import MultiPlane, throughput_bound
from isoplane.models.families.oft import OrthogonalFatTree
from isoplane.models.families.rdt import RecursiveDiagonalTorus
from isoplane.models.families.torus import Torus
from isoplane.models.families.xgft import ExtendedFatTree
from isoplane.models.family import plane_count
from isoplane.models.routing import ROUTINGS, channel_cycle, hops
from isoplane.objectives import metrics_of
from isoplane.objectives.general import GeneralExact
from isoplane.objectives.reference import reference_metrics
from tests.cases import for_each
from tests.models.families.members import MEMBERS, hyperx
from tests.models.graphs import distances, graph_of
from tests.strategies import random_basis

WITH_CIRCUITS = {"hybrid", "optical_overlay"}  # their metrics need circuits
DETOURING = {"dragonfly", "megafly", "fabric", "graph", "rdt"}  # not all routes are shortest paths


def read_back(family):
    """Return the family that is read from the text of its record."""
    written = json.loads(json.dumps(family.write()))
    keys = {**written["network"], "nodes_per_switch": written["nodes_per_switch"]}
    return family_named(keys.pop("family")).read(keys)


def test_every_family_has_its_own_name():
    assert [family_named(name).name for name in family_names()] == list(family_names())


@for_each("name", MEMBERS)
@given(st.data())
@settings(max_examples=6)
def test_formulas_match_the_planes(name, data):
    family = data.draw(MEMBERS[name])
    planes = Network(family, Site()).planes
    assert plane_count(getattr(family, "packet", family)) == len(planes)
    assert family.nodes == planes[0].nodes
    assert family.switches == sum(plane.topology.switches for plane in planes)
    assert family.cables == sum(graph_of(plane.topology).ecount() for plane in planes)
    used = []
    for plane in planes:
        nodes = np.bincount(plane.node_switch, minlength=plane.topology.switches)
        used.append(np.array(graph_of(plane.topology).degree()) + (0 if plane.node_cable_mm is None else nodes))
    most = max(ports.max() for ports in used)
    # Global ports may be left over, and any ports of switches that are given.
    assert family.ports == most or (name in ("dragonfly", "host_graph") and family.ports > most)


@for_each("name", MEMBERS)
@given(st.data())
@settings(max_examples=4)
def test_a_written_family_is_read_back_and_networks_are_compared_hashed_and_pickled(name, data):
    family = data.draw(MEMBERS[name])
    assert read_back(family) == family
    network = Network(family, Site(layout=None))
    assert len(network.planes) >= 1
    other = pickle.loads(pickle.dumps(network))
    assert other == network
    assert hash(other) == hash(network)
    assert "planes" not in vars(other)
    assert Network(family, Site()) != network or not family.uses_site


@for_each("name", MEMBERS)
@given(st.data())
@settings(max_examples=6)
def test_routes_are_shortest_and_have_no_deadlock(name, data):
    network = Network(data.draw(MEMBERS[name]))
    source, destination = (each.ravel() for each in np.indices((network.nodes, network.nodes)))
    for number, plane in enumerate(network.planes):
        classes = plane.routes.channels.classes if plane.routes.channels else 1
        assert channel_cycle(plane.topology, plane.routes, classes) is None
        if plane.nodes == len(plane.node_switch):
            ends = plane.node_switch
            shortest = distances(plane.topology)[np.ix_(ends, ends)] + 2 * (plane.node_cable_mm is not None)
            lengths = np.diff(network.route_links(source, destination, number)[0]).reshape(shortest.shape)
            assert (lengths >= shortest).all()
            assert name in DETOURING or np.array_equal(lengths, shortest)


# Not of a fabric, which states its ports, nor of grids, whose ports are directions: some have no cable.
@for_each("name", sorted(MEMBERS.keys() - WITH_CIRCUITS - {"fabric", "mesh", "torus"}))
@given(st.data())
@settings(max_examples=8)
def test_the_ports_of_nodes_are_ports_that_switches_have(name, data):
    network = Network(data.draw(MEMBERS[name]))
    for plane in network.cabling:
        if plane.node_cable_mm is not None:
            assert max(node_ports(plane)) <= network.family.ports


@for_each("name", sorted(MEMBERS.keys() - WITH_CIRCUITS))
@given(st.data())
@settings(max_examples=5)
def test_metrics_agree_with_the_reference(name, data):
    network = Network(data.draw(MEMBERS[name]), Site(layout=None))
    assert metrics_of(Design(network)) == reference_metrics(network)


SMALL = {
    "torus": Torus(shape=(3, 4), datelines=False),
    "mesh": Mesh(shape=(3, 4)),
    "rdt": RecursiveDiagonalTorus(side=4, tile="1212 2121 1212 2121"),
    "direct_hypercube": DirectHypercube(n=4, folded=True, generators=(3, 5, 7, 8)),
    "hyperx": HyperX(shape=(3, 4), cables_per_pair=(2, 3), nodes_per_switch=3),
    "graph": Graph(edges=((0, 1), (1, 2, 2.5), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5))),  # a prism
}


@for_each("routing", ROUTINGS)
@for_each("name", SMALL)
def test_every_routing_arrives_and_the_reference_agrees(name, routing):
    family = replace(SMALL[name], routing=routing)
    network = Network(family)
    (plane,) = network.planes
    lengths, shortest = hops(plane.topology, plane.routes), distances(plane.topology)
    assert (lengths >= shortest).all()
    assert routing == "up_down" or np.array_equal(lengths, shortest)
    channels = 1 if routing == "up_down" else int(shortest.max())
    assert routing == "shortest" or channel_cycle(plane.topology, plane.routes, channels) is None
    assert metrics_of(Design(network)) == reference_metrics(network)
    assert read_back(family) == family


OF_TREES = {"routing": "random", "seed": 3, "cables_per_pair": 2}


@for_each(
    ("family", "changes"),
    [
        (replace(SMALL["rdt"], routing="vector"), {"routing": "turn_classes"}),
        (SMALL["torus"], {"routing": "up_down"}),
        (SMALL["mesh"], {"routing": "up_down"}),
        (HyperX(shape=(3, 4), cables_per_pair=(1, 1)), {"cables_per_pair": (1, 2)}),
        (FatTree(8), OF_TREES),
        (LeafSpine(), OF_TREES),
        (replace(ExtendedFatTree(), routing="random", seed=3), {"cables_per_pair": 2}),
    ],
)
def test_a_record_states_only_what_differs_from_old_ones(family, changes):
    changed = replace(family, **changes)
    assert not changes.keys() & family.write()["network"].keys()
    assert changes.keys() <= changed.write()["network"].keys()
    assert [read_back(each) for each in (family, changed)] == [family, changed]
    assert (changed.title != family.title) == ("cables_per_pair" in changes)


def test_equal_numbers_of_parallel_cables_are_one_number():
    for family in (HyperX(shape=(3, 4)), FatTree(8), ExtendedFatTree()):
        assert replace(family, cables_per_pair=[2, 2]) == replace(family, cables_per_pair=2)
    assert HyperX(shape=(3, 4), cables_per_pair=(1, 2)).size_label == "3x4, 1x2 cables per pair"


@for_each("folded", [False, True])
@for_each("n", [2, 3, 6])
def test_a_direct_hypercube_is_the_plane_of_its_cube_without_node_cables(n, folded):
    basis = random_basis(n, n)
    (own,) = Network(DirectHypercube(n=n, folded=folded, generators=basis.generators[::-1], assumed_cable_m=2.5)).planes
    (plane,) = Network(cube_planes((Cube(basis, folded),), nodes_per_switch=1)).planes
    assert np.array_equal(own.topology.peer, plane.topology.peer)
    assert np.array_equal(hops(own.topology, own.routes), hops(plane.topology, plane.routes))
    assert np.array_equal(own.routes.next_port, plane.routes.next_port)
    assert (own.cable_mm == 2500).all()
    assert own.node_cable_mm is None


@given(hyperx())
def test_each_pair_of_a_line_has_as_many_cables_as_stated(family):
    (plane,) = Network(family).planes
    peer, peer_port = plane.topology.peer, plane.topology.peer_port
    cables = np.broadcast_to(family.cables_per_pair, len(family.shape))
    place = np.array(np.unravel_index(np.arange(family.switches), family.shape, order="F")).T
    count = np.zeros((family.switches, family.switches), dtype=int)
    np.add.at(count, (np.arange(family.switches)[:, None], peer), 1)
    differs = place[:, None] != place
    assert np.array_equal(
        count,
        np.where(differs.sum(axis=2) == 1, differs @ cables, 0),
    )
    assert (peer_port[peer, peer_port] == np.arange(peer.shape[1])).all()


BOUNDED = sorted(
    MEMBERS.keys()
    - {
        "fabric",
        "folded_hypercube",
        "host_graph",
        "hybrid",
        "hypercube",
        "multi_plane",
        "optical_overlay",
        "relabelled",
    }
)
ALWAYS_EXACT = {"dragonfly", "fat_tree", "hyperx", "leaf_spine", "megafly", "mesh", "torus", "xgft"}


def routed(family):
    """The routed throughput per node, in link capacities; infinite if no link carries load."""
    exact = GeneralExact(Network(family, Site(layout=None)))
    return Fraction(exact.parts * family.nodes, exact.peak_load) if exact.peak_load else float("inf")


@for_each("name", BOUNDED)
@given(st.data())
@settings(max_examples=5)
def test_no_network_is_faster_than_its_formula_and_some_reach_it(name, data):
    family = data.draw(MEMBERS[name])
    throughput = routed(family)
    assert throughput <= family.throughput_bound
    assert throughput == family.throughput_bound or not family.reaches_bound
    if name in ALWAYS_EXACT:
        assert family.reaches_bound == (getattr(family, "routing", "") != "random")
    if name in ("dragonfly", "mesh", "hyperx"):
        other = replace(family, routing="balanced")
        assert not other.reaches_bound
        assert routed(other) <= other.throughput_bound


@for_each("name", [name for name in BOUNDED if name not in ("direct_hypercube", "graph", "rdt")])
@given(st.data(), st.integers(1, 2), st.integers(1, 3))
@settings(max_examples=6)
def test_planes_of_a_family_that_reaches_its_formula_do_so_if_nodes_have_their_links_at_one_switch(
    name, data, planes, links
):
    plane = data.draw(MEMBERS[name])
    assume(plane.nodes % links == 0 and getattr(plane, "node_cable_m", 0) is not None)
    bound, is_exact = throughput_bound(MultiPlane(plane=plane, planes=planes, links_per_node=links))
    throughput = routed(MultiPlane(plane=plane, planes=planes, links_per_node=links))
    assert bound is None or throughput <= bound
    assert not is_exact or throughput == bound
    assert is_exact == (plane.reaches_bound and plane.nodes_at_switch % links == 0)


@for_each("q", [2, 3, 4])
@for_each("sides", [1, 2])
def test_orthogonal_fat_trees_reach_their_formula_if_the_mirror_leaf_has_a_node_for_each_spine(q, sides):
    for per_leaf in range(1, 2 * q + 4):
        tree = OrthogonalFatTree(q=q, sides=sides, nodes_per_leaf=per_leaf)
        assert tree.reaches_bound == (sides == 1 or per_leaf % (q + 1) == 0)
        assert (routed(tree) == tree.throughput_bound) == tree.reaches_bound
