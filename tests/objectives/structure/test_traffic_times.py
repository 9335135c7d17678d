"""Times of traffic over the routes of a network, over the best routes and over any."""

from fractions import Fraction

import numpy as np
import pytest

from isoplane.models import InputError, Network
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.random_regular import RandomRegular
from isoplane.models.families.torus import Torus
from isoplane.models.workloads import all_to_all, dense, from_matrix, sparse
from isoplane.objectives.structure import concurrent_flow, flow_problem, traffic_times
from isoplane.objectives.structure.flows.capacity_graph import capacity_graph
from tests.cases import for_each

from .flow_problems import optimum

NS_PER_BYTE = Fraction(8, 100)  # at the default of 100 Gbit/s


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
