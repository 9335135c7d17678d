"""Maximum concurrent flows and times of traffic: against HiGHS, formulas and laws; bounds are recomputed."""

from fractions import Fraction

import numpy as np
import pytest

from isoplane.models import InputError, Network
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.random_regular import RandomRegular
from isoplane.models.families.torus import Torus
from isoplane.models.workloads import all_to_all, dense, from_matrix, sparse
from isoplane.objectives import _native
from isoplane.objectives.reference.concurrent_flow import verified_bound, verified_flow
from isoplane.objectives.structure import concurrent_flow, traffic_times
from isoplane.objectives.structure.flows.capacity_graph import capacity_graph
from isoplane.objectives.structure.flows.flow_problem import FlowProblem, flow_problem
from isoplane.objectives.structure.flows.max_flow import improving_flows, max_concurrent_flow
from tests.cases import for_each
from tests.models.shortest_path_program import random_regular
from tests.objectives.general.networks import random_rails

from .flow_problems import optimum, random_problem, verified
from .networks import edges_of, network_of

NS_PER_BYTE = Fraction(8, 100)  # at the default of 100 Gbit/s


def regular(switches, degree, seed, traffic=None):
    network = network_of(edges_of(random_regular(switches, degree, seed)), [1] * switches)
    return flow_problem(capacity_graph(network), traffic)


def permutation(nodes, seed):
    traffic = np.zeros((nodes, nodes), dtype=np.int64)
    order = np.random.default_rng(seed).permutation(nodes)
    traffic[order, np.roll(order, 1)] = 1
    return traffic


def check_against_highs(problem):
    found, best = max_concurrent_flow(problem, gap=1e-7), optimum(problem)
    if best is None:  # unbounded: all demands take unlimited links
        assert found is None
        return
    assert (found.lower, found.upper) == verified(problem, found)
    assert float(found.lower) == pytest.approx(best, rel=1e-6)
    assert float(found.upper) == pytest.approx(best, rel=1e-6)


@for_each("seed", range(30))
def test_both_bounds_are_the_optimum_of_highs(seed):
    check_against_highs(random_problem(seed, has_unlimited_links=seed % 3 == 2))


@for_each("seed", [0, 1, 2, 9])
def test_nodes_at_several_planes_are_vertices_of_their_own(seed):
    check_against_highs(flow_problem(capacity_graph(random_rails(seed))))


def test_a_larger_graph_has_a_gap_below_the_goal_at_each_kind_of_traffic():
    for traffic in (None, permutation(64, 2), np.random.default_rng(3).integers(0, 10, (64, 64))):
        problem = regular(64, 6, 1, traffic)
        found = max_concurrent_flow(problem, gap=1e-3)
        assert 0 <= found.gap <= 1e-3
        assert (found.lower, found.upper) == verified(problem, found)


@pytest.mark.parametrize("isa", _native.available_isas())
def test_every_instruction_set_gives_the_same_bytes(isa, monkeypatch):
    problem = regular(20, 3, 4, permutation(20, 4))
    length, expected = np.zeros(len(problem.tail)), np.zeros(len(problem.tail))
    _run(problem, expected)
    monkeypatch.setenv("ISOPLANE_ISA", isa)
    _run(problem, length)
    assert length.tobytes() == expected.tobytes()


def _run(problem, length):
    iterations = _native.FlowIterations(problem.arrays)
    iterations.run(3)
    iterations.lengths(length)


def test_the_bounds_of_more_iterations_are_at_least_as_good():
    found = [flow for flow, _ in zip(improving_flows(regular(30, 3, 6)), range(5), strict=False)]
    lower, upper = [each.lower for each in found], [each.upper for each in found]
    assert (lower, upper) == (sorted(lower), sorted(upper, reverse=True))
    assert [each.iterations for each in found] == sorted({each.iterations for each in found})


def test_a_search_ends_after_its_iterations_or_its_time():
    problem = regular(30, 3, 6, permutation(30, 6))
    by_iterations, by_time = max_concurrent_flow(problem, 0, iterations=1), max_concurrent_flow(problem, 0, seconds=0)
    assert by_iterations.iterations == by_time.iterations > 0
    assert by_iterations.lower == by_time.lower


def test_large_demands_stay_exact():
    demand = np.array([[0, 1 << 58, 1 << 58]])
    problem = FlowProblem(np.array([0, 1, 0]), np.array([1, 2, 2]), np.array([1, 1, 1]), np.array([0]), demand)
    found = max_concurrent_flow(problem, gap=1e-9)
    assert (found.lower, found.upper) == verified(problem, found)
    assert float(found.upper * (1 << 58)) == pytest.approx(1, rel=1e-6)  # each demand has a link of its own


def test_no_demand_has_no_bound():
    traffic = np.eye(8, dtype=np.int64)  # every node to itself
    assert max_concurrent_flow(flow_problem(capacity_graph(Network(Torus(shape=(8,)))), traffic)) is None


@for_each(
    ("traffic", "message"),
    [
        (np.ones((2, 3), dtype=int), r"traffic: a matrix of shape \(2, 3\); expected \(4, 4\), nodes and nodes"),
        (np.full((4, 4), -1), "traffic: -1; expected at least 0"),
        (np.full((4, 4), 1 << 58), "traffic: 3458764513820540928 units in total; expected at most 1152921504606846976"),
    ],
)
def test_wrong_traffic_is_named(traffic, message):
    with pytest.raises(InputError, match=f"^{message}$"):
        flow_problem(capacity_graph(Network(Torus(shape=(4,)))), traffic)


def test_the_reference_rejects_wrong_certificates():
    links, demand = [(0, 1, 3), (1, 0, 0)], np.array([[0, 2]])
    with pytest.raises(ValueError, match="source 0: -1 units missing at 0; expected 0"):
        verified_flow(links, [0], demand, np.array([[1, 0]]), 1)
    with pytest.raises(ValueError, match="over link 1: -1; expected at least 0"):
        verified_flow(links, [0], demand, np.array([[1, -1]]), 1)
    with pytest.raises(ValueError, match="length 1 of a link of capacity 0; expected"):
        verified_bound(links, [0], demand, [1, 1])
    with pytest.raises(ValueError, match="expected at most"):
        verified_bound(links, [0], demand, [1 << 53, 0])


@for_each("seed", range(4))
def test_the_bound_and_the_flow_enclose_the_optimum_of_highs(seed):
    network = Network(RandomRegular(switches=10, degree=3, nodes_per_switch=1, seed=seed))
    work = sparse(10, 3, 1000, seed=seed)
    best_ns = float(NS_PER_BYTE) / optimum(flow_problem(capacity_graph(network), work.matrix()))
    times = traffic_times(network, work.message_list())
    assert times.bound <= times.flow <= times.routed
    assert float(times.bound) <= best_ns * (1 + 1e-9)
    assert float(times.flow) >= best_ns * (1 - 1e-9)
    assert times.flow <= times.bound * Fraction(10_001, 10_000)


def test_equal_messages_of_all_pairs_take_the_time_that_follows_from_the_throughput():
    # All-to-all at rate θ sends θ / N of a link to each node: one message to each takes N / θ of its time.
    network, length = Network(Torus(shape=(4, 4))), 1000
    expected = network.nodes / concurrent_flow(network).value * length * NS_PER_BYTE
    assert traffic_times(network, all_to_all(16, length).message_list()).bound == expected


def test_links_of_nodes_carry_what_their_node_sends_and_receives():
    network, work = Network(FullMesh()), dense(32, 1000)
    matrix = work.matrix()
    busiest = max(matrix.sum(axis=0).max(), matrix.sum(axis=1).max())
    assert traffic_times(network, work.message_list()).node_links == int(busiest) * NS_PER_BYTE


def test_traffic_between_nodes_of_one_switch_takes_no_time_between_switches():
    network = Network(Torus(shape=(2,), nodes_per_switch=2, node_cable_m=1.0))
    matrix = np.zeros((4, 4), dtype=np.int64)
    matrix[0, 1] = 5
    times = traffic_times(network, from_matrix(matrix).message_list())
    assert (times.routed, times.flow, times.bound, times.node_links) == (0, 0, 0, 5 * NS_PER_BYTE)


def test_a_network_with_too_many_flows_is_rejected():
    network = Network(Torus(shape=(30, 30)))
    with pytest.raises(InputError, match="network: 3240000 flows, of 900 groups .* expected at most 2097152"):
        traffic_times(network, sparse(900, 1).message_list())
