"""General evaluator against igraph, routes walked one by one, and the kernels of cubes."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError, Network, Plane, PriceList, Site, Timing, cube_planes, dual_cube, port_aggregate
from isoplane.models.families.mesh import Mesh
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.torus import Torus
from isoplane.models.routing import Routes, forwarding_table
from isoplane.models.topologies import graph
from isoplane.objectives.cubes.exact import exact_metrics, metrics
from isoplane.objectives.general import all_to_all_loads, general_exact, general_metrics
from isoplane.objectives.reference import measure_general
from tests.assembled import assembled
from tests.cases import for_each, require_refusal
from tests.strategies import random_basis

from .networks import random_network, random_rails, tree


def assert_matches_reference(network):
    exact, reference = general_exact(network), measure_general(network)
    assert (Fraction(exact.total_hops, exact.hop_parts), exact.diameter) == (reference.total_hops, reference.diameter)
    assert (exact.parts, exact.hop_parts) == (reference.parts, reference.hop_parts)
    assert Fraction(exact.peak_load, exact.parts) == reference.peak_load
    assert (exact.cable_length_mm, exact.cost_cents) == (reference.cable_length_mm, reference.cost_cents)
    delay = None if exact.delay is None else Fraction(exact.delay, exact.delay_parts * network.nodes**2)
    assert delay == reference.delay


@for_each("seed", range(40))
def test_random_networks_match_the_reference(seed):
    assert_matches_reference(random_network(seed))


@for_each("seed", range(40))
def test_any_links_policies_rates_and_delays_match_the_reference(seed):
    assert_matches_reference(random_rails(seed))


@given(st.integers(1, 3), st.integers(1, 3), st.sampled_from([Torus(shape=(4, 3)), Mesh(shape=(4, 3))]))
def test_identical_planes_and_equal_links_carry_what_separate_ones_do(planes, links, family):
    plane = replace(family, nodes_per_switch=6, node_cable_m=2)
    network = Network(MultiPlane(plane=plane, planes=planes, links_per_node=links, policy="nearest"), Site())
    copies = tuple(replace(plane) for plane in network.planes)  # equal, but not known to be identical
    assert planes == 1 or copies[0] is not copies[1]
    separate = assembled("separate", copies, (1,) * planes)  # planes with shares are not merged
    found, expected = all_to_all_loads(network), all_to_all_loads(separate)
    assert len(found.load) == planes
    for each, other in zip(found.load, expected.load, strict=True):
        assert np.array_equal(each * expected.parts, other * found.parts)
    assert_matches_reference(network)


@for_each("policy", ["nearest", "spray", (1,)])
@for_each("links", [1, 2, 3, 4, 6])
def test_links_of_a_node_to_one_switch_with_columns_of_their_own_match_the_reference(links, policy):
    plane = tree(leaves=3, hosts=6, spines=4).planes[0]
    rails = replace(plane, node_start=np.array([*range(0, 18, links), 18]))  # of 4, the last node has only 2
    assert_matches_reference(assembled("rails", (rails,), policy))


@given(st.integers(2, 6), st.booleans(), st.integers(1, 3), st.integers(0, 1 << 30))
def test_cubes_match_their_kernels(n, folded, nodes_per_switch, seed):
    network = dual_cube(n, random_basis(n, seed).generators, folded, nodes_per_switch=nodes_per_switch)
    exact, general = exact_metrics(network), general_exact(network)
    pairs = nodes_per_switch**2
    assert general.total_hops == exact.sum_of_distances * 2**n * pairs
    assert (general.parts, general.peak_load) == (2, exact.max_load * pairs)
    assert general.delay == exact.delay * pairs
    assert general.cost_cents == exact.cost_cents
    found, expected = general_metrics(network, general), metrics(network, exact)
    for name in ("aspl", "cable_length_m", "delay_ns", "cost_usd_per_node"):
        assert found[name] == expected[name]
    assert found["throughput_per_node"] == pytest.approx(expected["max_traffic"] / nodes_per_switch, rel=1e-15)


@given(st.integers(2, 5), st.booleans(), st.integers(0, 1 << 30))
def test_port_aggregate_with_two_links_per_node_matches_its_kernel_and_the_reference(n, folded, seed):
    network = port_aggregate(dual_cube(n, random_basis(n, seed).generators, folded))
    (plane,) = network.planes
    assert np.array_equal(np.diff(plane.starts), [2] * network.nodes)
    assert np.array_equal(plane.node_switch[::2], plane.node_switch[1::2])
    assert_matches_reference(network)
    exact, general = exact_metrics(network), general_exact(network)
    assert general.cost_cents == exact.cost_cents
    found, expected = general_metrics(network, general), metrics(network, exact)
    for name in ("aspl", "cable_length_m", "delay_ns", "cost_usd_per_node"):
        assert found[name] == expected[name]
    per_switch = network.family.nodes_per_switch
    assert found["throughput_per_node"] == pytest.approx(expected["max_traffic"] / per_switch, rel=1e-15)


@for_each(
    ("changed", "message"),
    [
        ({"policy": "adaptive"}, "network.policy=adaptive: its loads depend on queues; expected nearest, spray"),
        ({"policy": "spill"}, "network.policy=spill: its loads depend on queues; expected nearest, spray"),
        ({"policy": (0, 1)}, "network.planes: none connects node 0 to node 0 under network.policy=[0, 1]; expected"),
        ({"timing": Timing(node_rate_mbps=np.full(3, 10))}, "plane.rate_mbps: some links state a rate"),
    ],
)
def test_unsupported_input_is_rejected_in_one_line(changed, message):
    topology = graph([(0, 1), (1, 2)])
    one = Plane(
        topology, np.zeros(topology.peer.shape), np.arange(3, dtype=np.int32), 0, routes=forwarding_table(topology)
    )
    two = replace(one, node_start=np.array([0, 0, 2, 3]), timing=changed.get("timing", Timing()))
    network = assembled("planes", (one, two), changed.get("policy", "nearest"))
    require_refusal(lambda: general_exact(network), f"^{message}")


def test_an_interface_missing_from_the_catalogue_is_reported():
    family = cube_planes((dual_cube(2, (1, 2)).family.planes[0],) * 3, 1)
    network = Network(family, Site(prices=PriceList(nics_usd={2: 485})))
    require_refusal(lambda: general_exact(network), "prices.nics_usd: none with 3 ports")


def test_a_network_of_one_switch_has_no_load_and_no_throughput():
    planes = random_network(0).planes
    nodes = np.zeros(5, dtype=np.int32)
    plane = replace(planes[0], node_switch=nodes)
    found = general_metrics(network := assembled("one", (plane,)), general_exact(network))
    assert (found["aspl"], found["diameter"], found["peak_load"], found["throughput_per_node"]) == (0, 0, 0, None)


@for_each(("port", "message"), [(0, "loops at switch"), (7, "a port without a cable at switch 1")])
def test_a_route_that_does_not_arrive_is_reported(port, message):
    topology = graph([(0, 1), (1, 2), (2, 3)])
    table = np.array([[0, 0, 0, 0], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0]], dtype=np.uint16)
    table[1, 3] = port
    routes = Routes("table", np.arange(4, dtype=np.int32), next_port=table)
    plane = Plane(topology, np.zeros(topology.peer.shape), np.arange(4, dtype=np.int32), 0, routes=routes)
    with pytest.raises(InputError, match=f"route to switch 3 .*{message}"):
        all_to_all_loads(assembled("bad", (plane,)))
