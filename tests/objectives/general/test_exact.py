"""The general evaluator against igraph and routes walked one by one, and against the kernels of cubes."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError, Network, Plane, PriceList, Site, cube_planes, dual_cube
from isoplane.models.families.mesh import Mesh
from isoplane.models.families.rdt import RecursiveDiagonalTorus
from isoplane.models.families.torus import Torus
from isoplane.models.routing import Routes
from isoplane.models.topologies import graph
from isoplane.objectives.exact import exact_metrics, metrics
from isoplane.objectives.general import all_to_all_loads, general_exact, general_metrics
from isoplane.objectives.reference import measure_general
from tests.assembled import assembled
from tests.models.trees import three_levels
from tests.strategies import random_basis

from .networks import random_network, tree


def assert_as_reference(network):
    exact, seen = general_exact(network), measure_general(network)
    assert (exact.total_hops, exact.diameter) == (seen.total_hops, seen.diameter)
    assert Fraction(exact.peak_load, exact.parts) == seen.peak_load
    assert (exact.cable_length_mm, exact.cost_cents) == (seen.cable_length_mm, seen.cost_cents)
    delay = None if exact.delay is None else Fraction(exact.delay, exact.parts * network.nodes**2)
    assert delay == seen.delay


@pytest.mark.parametrize("seed", range(200))
def test_random_networks_are_as_the_reference_says(seed):
    assert_as_reference(random_network(seed))


FAMILIES = [
    Torus(shape=(5,)),
    Torus(shape=(4, 3, 2)),
    Torus(shape=(4, 4), nodes_per_switch=3, node_cable_m=2),
    Mesh(shape=(4, 3)),
    RecursiveDiagonalTorus(side=8),
    RecursiveDiagonalTorus(side=12, nodes_per_switch=2, node_cable_m=1),
]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.title)
def test_every_family_is_as_the_reference_says(family):
    assert_as_reference(Network(family, Site()))


@pytest.mark.parametrize(
    "network",
    [tree(), tree(leaves=3, hosts=5, spines=4), tree(three_levels), tree(three_levels, ports=6)],
    ids=lambda network: str(network.nodes),
)
def test_trees_with_tables_by_destination_node_are_as_the_reference_says(network):
    assert_as_reference(network)


def test_a_tree_without_contention_carries_as_much_as_its_nodes_send():
    # 4 leaves of 4 nodes: each of two links up carries half of 4 nodes' packets to 12 others, 4 · 12 / 2.
    assert all_to_all_loads(tree()).peak == 24


@given(st.integers(2, 6), st.booleans(), st.integers(1, 3), st.integers(0, 1 << 30))
def test_cubes_are_as_their_kernels_say(n, folded, nodes_per_switch, seed):
    network = dual_cube(n, random_basis(n, seed).generators, folded, nodes_per_switch=nodes_per_switch)
    exact, general = exact_metrics(network), general_exact(network)
    pairs = nodes_per_switch**2
    assert general.total_hops == exact.sum_of_distances * 2**n * pairs
    assert (general.parts, general.peak_load) == (2, exact.max_load * pairs)
    assert general.delay == exact.delay * pairs
    assert general.cost_cents == exact.cost_cents
    named, known = general_metrics(network, general), metrics(network, exact)
    for same in ("aspl", "cable_length_m", "delay_ns", "cost_usd_per_node"):
        assert named[same] == known[same]
    assert named["throughput_per_node"] == pytest.approx(known["max_traffic"] / nodes_per_switch, rel=1e-15)


@given(st.integers(2, 4), st.integers(3, 5), st.integers(0, 1 << 30))
def test_more_planes_of_cubes_are_as_the_reference_says(n, planes, seed):
    sets = [dual_cube(n, random_basis(n, seed + i).generators).cubes.planes for i in range(1, planes)]
    family = cube_planes((sets[0][0], *(pair[1] for pair in sets)), 2)
    prices = PriceList(nics_usd={planes: 500.0})
    assert_as_reference(Network(family, Site(prices=prices)))
    assert_as_reference(Network(family, Site(layout=None)))


def test_an_interface_that_the_catalogue_lacks_is_named():
    family = cube_planes((dual_cube(2, (1, 2)).cubes.planes[0],) * 3, 1)
    with pytest.raises(InputError, match="3"):
        general_exact(Network(family, Site()))


def test_a_network_of_one_switch_has_no_load_and_no_throughput():
    planes = random_network(0).planes
    nodes = np.zeros(5, dtype=np.int32)
    plane = replace(planes[0], node_switch=nodes)
    named = general_metrics(network := assembled("one", (plane,)), general_exact(network))
    assert (named["aspl"], named["diameter"], named["peak_load"], named["throughput_per_node"]) == (0, 0, 0, None)


@pytest.mark.parametrize(("wrong", "says"), [(1, "comes back at switch"), (7, "a port without a cable at switch 1")])
def test_a_route_that_does_not_arrive_is_named(wrong, says):
    topology = graph([(0, 1), (1, 2), (2, 3)])
    table = np.array([[0, 0, 0, 0], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0]], dtype=np.uint16)
    table[1, 3] = 0 if wrong == 1 else wrong
    routes = Routes("table", np.arange(4, dtype=np.int32), next_port=table)
    plane = Plane(topology, routes, np.zeros(topology.peer.shape), np.arange(4, dtype=np.int32), 0)
    with pytest.raises(InputError, match=f"route to switch 3 .*{says}"):
        all_to_all_loads(assembled("bad", (plane,)))
