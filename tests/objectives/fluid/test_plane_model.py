"""Fluid model of any network and its levels of messages, against the reference, rational arithmetic and hybrids."""

from fractions import Fraction
from math import floor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Circuits, Hybrid, InputError, MessageList, Network, Plane, Timing, dual_cube
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.torus import Torus
from isoplane.models.placement import Placement, by_switch
from isoplane.models.routing import Paths, Routes, forwarding_table, torus_order
from isoplane.models.topologies import graph, torus
from isoplane.models.workloads import all_to_all, from_matrix, recursive_doubling, ring_all_reduce, sparse, stencil
from isoplane.objectives.fluid import RELAYS, FluidModel, NetworkFluidModel, plane_score_ns
from isoplane.objectives.fluid.message_levels import longest_chain, message_levels
from isoplane.objectives.fluid.paths import paths_of
from isoplane.objectives.reference.fluid_times import level_sum_ns, plane_times
from isoplane.objectives.reference.rationals import last_over_ns
from isoplane.objectives.reference.transfers.plane_transfers import plane_transfers
from tests.cases import for_each, require_refusal

from .sample_networks import message_lists, random_network, with_policy


@st.composite
def messages_and_placement(draw, nodes):
    """Draw messages and a placement."""
    return draw(message_lists(nodes)), Placement(tuple(draw(st.permutations(list(range(nodes))))))


@st.composite
def cases(draw):
    network = random_network(draw(st.integers(0, 2**32 - 1)))
    return network, *draw(messages_and_placement(network.nodes))


def assert_same_times(network, messages, placement):
    """Assert that the model and the reference agree to the last bit."""
    model = NetworkFluidModel(network, messages, placement)
    found, reference = model.times(), plane_times(network, messages, placement)
    for name in ("completion_ns", "completion_min_ns", "completion_max_ns", "bottleneck_ns", "total_ns"):
        assert getattr(found, name) == reference[name], name
    assert model.loads_bytes().max() == reference["heaviest_load_bytes"]
    assert found.bottleneck_ns <= found.completion_min_ns + 1  # rounded


@settings(deadline=None)
@given(cases())
def test_every_run_of_any_network_matches_the_reference(case):
    assert_same_times(*case)


@settings(deadline=None)
@given(cases())
def test_the_completion_matches_rational_arithmetic(case):
    network, messages, placement = case
    exact = last_over_ns(*plane_transfers(network, messages, placement))
    found = NetworkFluidModel(network, messages, placement).times()
    # A part ends up to a tick of 2^-10 ns late, begins up to half a tick off its delay and, in all runs but the first,
    # up to 15 ticks late.
    assert abs(found.completion_ns - exact) <= 0.5 + 16.5 * 2**-10 * messages.messages


FAMILIES = {
    "direct torus": (Network(Torus(shape=(4, 3))), stencil((4, 3), 10_000, iterations=2)),
    "torus": (Network(Torus(shape=(2, 3), nodes_per_switch=2, node_cable_m=2.0)), ring_all_reduce(12, 4096)),
    "fat-tree": (Network(FatTree(switch_ports=4)), recursive_doubling(16, 4096)),
    "cubes": (dual_cube(3, (3, 5, 7), nodes_per_switch=2), sparse(16, 3, 999)),
    "folded cubes": (dual_cube(2, (1, 3), folded=True, nodes_per_switch=2, layout=None), all_to_all(8, 100_001)),
    "hybrid": (Network(Hybrid(3, 4)), all_to_all(12, 100_000)),
}


@for_each("name", FAMILIES)
def test_the_reference_agrees_on_all_families(name):
    network, workload = FAMILIES[name]
    assert_same_times(network, workload.message_list(), by_switch(network.nodes))


@for_each("relay", RELAYS)
@for_each("workload", [all_to_all(32), stencil((8, 4), iterations=2), sparse(32, 4)])
def test_a_hybrid_without_circuits_takes_as_long_as_its_packet_network(relay, workload):
    # Circuits are not faster than uplinks, so both use the same units; with one segment both relay modes are the same.
    hybrid, messages = Hybrid(4, 8, up_gbps=40, circuit_gbps=32), workload.message_list()
    model = FluidModel(hybrid, messages, relay)
    assert NetworkFluidModel(Network(hybrid), messages).times() == model.times(Circuits())
    loads, (links,) = model.loads(Circuits()), Network(hybrid).plane_links
    between = np.zeros((5, 4), dtype=np.int64)
    between[:4, 0], between[4] = loads.up, loads.down
    expected = links.values(between, np.array(loads.out), np.array(loads.into))
    assert NetworkFluidModel(Network(hybrid), messages).loads_bytes().tolist() == expected.tolist()


def ring(rates_mbps, switch_delay_ps=0, cable_mm=(1000,) * 4):
    """Return a direct ring of four switches with the given rates and lengths of the links from i to i + 1."""
    topology = torus((4,))
    rate, cables = (np.array([[link[i], link[i - 1]] for i in range(4)]) for link in (rates_mbps, cable_mm))
    timing = Timing(rate_mbps=rate, switch_delay_ps=np.full(4, switch_delay_ps))
    return Plane(topology, cables, np.arange(4), timing=timing, routes=torus_order((4,)))


def single(bytes_, source=0, destination=2, nodes=4):
    matrix = np.zeros((nodes, nodes), dtype=np.int64)
    matrix[source, destination] = bytes_
    return from_matrix(matrix).message_list()


@for_each(
    ("call", "message"),
    [
        (lambda: NetworkFluidModel(with_policy([ring([1] * 4)]), all_to_all(3).message_list()), "workload.processes=3"),
        (lambda: NetworkFluidModel(with_policy([ring([1] * 4)], "adaptive"), single(1)), "network.policy=adaptive"),
        (lambda: plane_times(with_policy([ring([1] * 4)], "adaptive"), single(1), by_switch(4)), "policy=adaptive"),
        (lambda: plane_times(with_policy([ring([1] * 4)], "spill"), single(1), by_switch(4)), "policy=spill"),
        (
            lambda: NetworkFluidModel(with_policy([ring([1] * 4)]), single(1), Placement((0, 1))),
            "placement: 2 processes",
        ),
        (
            lambda: NetworkFluidModel(
                with_policy([ring([1] * 4)]),
                MessageList(4, *map(np.array, ([0] * 5, [1] * 5, [8] * 5, [10**18] * 5, [0] * 6, []))),
            ),
            "320 bits and delays of 5e+15 ns could take longer than 52 days",
        ),
        (lambda: NetworkFluidModel(with_policy([ring([1, 1, 1, 2**20 + 1])]), single(1)), "slowest link_gbps=0.001:"),
        (lambda: NetworkFluidModel(with_policy([ring([1] * 4, 2**62)]), single(1)), "a delay of"),
        (lambda: NetworkFluidModel(with_policy([ring([1] * 4)]), single(1), sharing="fair"), "sharing=fair: expected"),
        (
            lambda: NetworkFluidModel(with_policy([ring([1] * 4, cable_mm=[0] * 4)]), single(1), sharing="cm02"),
            "sharing=cm02: a path without latency",
        ),
        (
            lambda: NetworkFluidModel(
                with_policy([ring([1] * 4, cable_mm=[1, 2000, 1, 1])]),
                ring_all_reduce(4, 4).message_list(),
                sharing="cm02",
            ),
            "sharing=cm02: up to 6 transfers over a link and latencies that differ by a factor of",
        ),
        (
            lambda: NetworkFluidModel(with_policy([ring([1] * 4)]), stencil((2, 2), 1 << 30, 99).message_list()),
            "52 days",
        ),
    ],
)
def test_invalid_input_is_rejected(call, message):
    require_refusal(call, message)


def test_a_workload_whose_transfers_have_too_many_links_is_refused(monkeypatch):
    monkeypatch.setattr("isoplane.objectives.fluid.plane_model.MAX_ENTRIES", 11)
    ring = Network(Torus(shape=(4,), node_cable_m=2.0))  # from each node to the next one over three links
    messages = ring_all_reduce(4, 8).message_list()
    require_refusal(
        lambda: NetworkFluidModel(ring, messages), "workload: 72 entries in the lists of its transfers; expected"
    )


def test_a_pair_without_a_way_is_reported():
    partial = Plane(
        torus((4,)), np.zeros((4, 2)), np.array([0, 1]), 0, np.array([0, 1, 2, 2]), routes=torus_order((4,))
    )
    with pytest.raises(InputError, match="none connects node 0 to node 2"):
        NetworkFluidModel(with_policy([partial]), single(5, 0, 2, nodes=3))
    with pytest.raises(InputError, match="no path from node 0 to node 2"):
        plane_times(with_policy([partial]), single(5, 0, 2, nodes=3), by_switch(3))


def test_a_path_that_takes_a_link_twice_is_rejected():
    # From 0 to 1, back and again to 1: a transfer must not count as two users of one link.
    paths = Paths(np.array([0, 0, 3, 4, 4], dtype=np.uint32), np.array([0, 0, 0, 0], dtype=np.uint16))
    routes = Routes("table", np.arange(2, dtype=np.int32), paths=paths)
    there_and_back = Plane(graph([(0, 1)]), np.zeros((2, 1)), np.arange(2), routes=routes)
    with pytest.raises(InputError, match="a path of plane 0 takes a link twice"):
        NetworkFluidModel(with_policy([there_and_back]), single(8, 0, 1, nodes=2))
    assert NetworkFluidModel(with_policy([there_and_back]), single(8, 1, 0, nodes=2)).times().hops == 1


def test_ways_without_a_small_common_denominator_are_rejected():
    # 31, 29, 23, 19, 17, 13 and 11 links of node 0: their product is above 2^32.
    edge = graph([(0, 1)])
    planes = [
        Plane(edge, np.zeros((2, 1)), [0] * links + [1], 0, [0, links, links + 1], routes=forwarding_table(edge))
        for links in (31, 29, 23, 19, 17, 13, 11)
    ]
    assert len(paths_of(with_policy(planes[:3], "spray"), np.array([0]), np.array([1])).pair) == 31 + 29 + 23
    with pytest.raises(InputError, match=r"expected fewer than 2\^32 parts"):
        paths_of(with_policy(planes, "spray"), np.array([0]), np.array([1]))


def test_two_transfers_share_a_link_by_their_latencies():
    ends = np.zeros((6, 6), dtype=np.int64)
    ends[0, 2], ends[1, 2] = 12_500, 25_000  # over two hops of 95 ns, and over the last of them
    messages = from_matrix(ends).message_list()
    near = 190 + (200_000 - 9_500) / (100 * 2 / 3)  # 95 ns alone, then with twice the weight of the other
    far = near + (100_000 - (near - 190) * 100 / 3) / 100  # its rest alone
    ring = Network(Torus(shape=(6,)))
    arrivals = NetworkFluidModel(ring, messages, sharing="cm02").arrivals_ns()
    assert arrivals == pytest.approx([far, near], abs=0.01)
    alone = single(12_500, 0, 2, nodes=6)
    assert NetworkFluidModel(ring, alone, sharing="cm02").times() == NetworkFluidModel(ring, alone).times()


def test_weights_are_small_where_many_transfers_use_a_link():
    messages = ring_all_reduce(4, 4, iterations=6000).message_list()  # 36,000 transfers over each link
    network = Network(Torus(shape=(4,)))
    assert NetworkFluidModel(network, messages, sharing="cm02").times() == NetworkFluidModel(network, messages).times()


def random_messages(nodes, seed, messages=30):
    """Return messages that depend on random others, in an order that is not that of their dependencies."""
    rng = np.random.default_rng(seed)
    source = rng.integers(0, nodes, messages)
    destination = (source + rng.integers(1, nodes, messages)) % nodes
    number = rng.permutation(messages)
    depends = [[] for _ in range(messages)]
    for rank in range(1, messages):
        count = int(rng.integers(0, 3))
        depends[number[rank]] = sorted({int(number[i]) for i in rng.integers(0, rank, count)})
    start = np.cumsum([0, *map(len, depends)])
    dependency = np.array([each for all_ in depends for each in all_], dtype=np.int32)
    return MessageList(
        nodes, source, destination, rng.integers(1, 10**6, messages), np.zeros(messages, int), start, dependency
    )


def dependencies(messages, message):
    return messages.dependency[messages.dependency_start[message] : messages.dependency_start[message + 1]].tolist()


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_a_level_is_one_more_than_the_highest_among_the_dependencies(seed):
    messages = random_messages(7, seed)
    level = message_levels(messages)
    for message in range(messages.messages):
        assert level[message] == max((level[each] + 1 for each in dependencies(messages, message)), default=0)


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_longest_chain_is_the_latest_end_without_contention(seed):
    messages = random_messages(7, seed)
    level, time = message_levels(messages), np.random.default_rng(seed).integers(1, 100, messages.messages)
    end = {}
    for message in np.argsort(level, kind="stable").tolist():
        end[message] = time[message] + max((end[each] for each in dependencies(messages, message)), default=0)
    assert longest_chain(messages, level, time.astype(float)) == max(end.values())


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1))
def test_times_level_by_level_match_the_reference_on_any_network(network_seed, seed):
    network = random_network(network_seed)
    messages = random_messages(network.nodes, seed)
    found = NetworkFluidModel(network, messages).synchronised_ns()
    expected = level_sum_ns(*plane_transfers(network, messages, by_switch(network.nodes)), messages)
    assert found == floor(expected + Fraction(1, 2))


def test_scores_without_completions_equal_those_with_all_times():
    network, work = dual_cube(3, (3, 5, 7), nodes_per_switch=1), all_to_all(8, 999)
    names = ("synchronised", "bottleneck", "total")
    assert plane_score_ns(network, work, names) == plane_score_ns(network, work, ("completion", *names))[1:]
