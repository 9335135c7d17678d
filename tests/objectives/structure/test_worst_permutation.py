"""Worst permutations: against all permutations with the loads of the reference, and known worst cases."""

import sys
from collections import defaultdict
from fractions import Fraction
from itertools import permutations, product
from math import lcm

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError, MessageList, Network, Placement, Site, dual_cube
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.torus import Torus
from isoplane.models.topologies import graph
from isoplane.objectives.reference.transfers.plane_transfers import plane_transfers
from isoplane.objectives.structure import worst_permutation
from isoplane.objectives.structure.permutations.group_matching import match_groups, matching_limit
from tests.assembled import assembled
from tests.cases import for_each
from tests.objectives.general.networks import random_rails
from tests.strategies import connected_edges, random_basis

from .networks import network_of, plane_of

BYTES = lcm(*range(1, 16)) * lcm(*range(1, 10))  # shares of planes add up to 15 at most, and 9 ways share a plane


def pair_times(network):
    """For every pair of nodes, the time of a packet on each link that it takes, on a link of the reference rate."""
    nodes = range(network.nodes)
    pairs = [pair for pair in product(nodes, nodes) if pair[0] != pair[1]]
    source, destination = np.array(pairs).T
    each = np.ones(len(pairs), dtype=int)
    messages = MessageList(network.nodes, source, destination, each * BYTES, 0 * each, np.zeros(len(pairs) + 1), [])
    transfers, rates = plane_transfers(network, messages, Placement(tuple(nodes)))
    kind = "cable" if network.node_cable_mm is None else "out"
    reference = max(rate for link, rate in rates.items() if link[0] == kind)
    found = defaultdict(lambda: defaultdict(Fraction))
    for transfer in transfers:
        for link in transfer.links:
            share = Fraction(transfer.bits, 8 * BYTES)
            found[pairs[transfer.message]][link] += share * reference / rates[link]
    return found


def load_of(times, destination):
    """The load of the busiest link under a permutation."""
    load = defaultdict(Fraction)
    for pair in enumerate(destination):
        for link, time in times[pair].items():
            load[link] += time
    return max(load.values(), default=Fraction(0))


def assert_is_worst(network):
    found, times = worst_permutation(network), pair_times(network)
    assert found.is_exact
    assert sorted(found.destination.tolist()) == list(range(network.nodes))
    worst = max(load_of(times, each) for each in permutations(range(network.nodes)))
    assert found.load == worst == load_of(times, found.destination.tolist())


@given(connected_edges(6), st.integers(1, 2), st.data())
@settings(deadline=None, max_examples=15)
def test_no_permutation_of_a_small_network_loads_a_link_more(edges, nodes_per_switch, data):
    switches = max(max(edge) for edge in edges) + 1
    nodes = data.draw(st.lists(st.integers(0, nodes_per_switch), min_size=switches, max_size=switches))
    nodes[0] += 1
    nodes = [min(count, max(0, 5 - sum(nodes[:i]))) for i, count in enumerate(nodes)]
    nodes[-1] += sum(nodes) == 1
    assert_is_worst(network_of(edges, nodes))


SMALL_RAILS = [seed for seed in range(150) if 2 <= np.random.default_rng(seed).integers(1, 20) <= 5][:16]


@for_each("seed", SMALL_RAILS)
def test_planes_with_policies_rates_and_several_links_per_node_match_all_permutations(seed):
    assert_is_worst(random_rails(seed))


@given(st.integers(2, 7), st.booleans(), st.integers(0, 1 << 30))
@settings(deadline=None, max_examples=10)
def test_equivalent_links_of_cubes_represent_all(n, folded, seed):
    # The same network without its symmetry: every route in a table of its own.
    network = dual_cube(min(n, 5), random_basis(min(n, 5), seed).generators, folded, nodes_per_switch=1, layout=None)
    planes = []
    for plane in network.planes:
        switches = plane.topology.switches
        target, here = np.meshgrid(np.arange(switches), np.arange(switches))
        port = plane.routes.next_port[0][here ^ target] if plane.routes.next_port is not None else None
        if port is None:
            return
        routes = type(plane.routes)("table", np.arange(switches, dtype=np.int32), port)
        planes.append(plane.routed(routes))
    plain = assembled("plain", tuple(planes))
    assert worst_permutation(plain).load == worst_permutation(network).load


@for_each("n", range(2, 9))
def test_dimension_order_on_a_cube_loads_a_link_with_half_of_its_dimensions(n):
    # Bit-reversal and transpose: sources that differ in the lower bits and destinations in the upper bits share a link
    # in the middle, 2^((n - 1) // 2) of them; both planes are identical, so that each carries half.
    unit = tuple(1 << i for i in range(n))
    found = worst_permutation(dual_cube(n, unit, nodes_per_switch=1, layout=None))
    assert found.load == max(Fraction(2 ** ((n - 1) // 2), 2), Fraction(1, 2))


def test_the_found_permutation_has_the_stated_load_if_not_all_links_are_examined(monkeypatch):
    for network in (
        Network(FatTree(switch_ports=4), Site(layout=None)),
        random_rails(3),
        Network(Torus(shape=(5, 4), nodes_per_switch=2, node_cable_m=1), Site(layout=None)),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(sys.modules[worst_permutation.__module__], "MAX_STEPS", -1)
            found = worst_permutation(network)
        assert not found.is_exact
        assert found.load == load_of(pair_times(network), found.destination.tolist())
        assert found.load <= worst_permutation(network).load


@given(st.integers(1, 4), st.integers(1, 4), st.integers(0, 1 << 30))
@settings(deadline=None, max_examples=30)
def test_matchings_are_the_best_of_all_permutations_and_within_their_limit(senders, ends, seed):
    random = np.random.default_rng(seed)
    units = random.integers(0, 4, (senders, ends)) * random.integers(0, 2, (senders, ends))
    sender, end = np.nonzero(units)
    supply = np.bincount(random.integers(senders, size=6), minlength=senders)
    demand = np.bincount(random.integers(ends, size=6), minlength=ends)
    problem = sender, end, units[sender, end], supply, demand
    sources, goals = (np.repeat(np.arange(len(each)), each) for each in (supply, demand))
    best = max(sum(units[a, b] for a, b in zip(sources, order, strict=True)) for order in permutations(goals))
    found, matched = match_groups(*problem)
    assert found == best == sum(units[a, b] * count for a, b, count in matched)
    assert found <= matching_limit(*problem)


def test_a_single_node_loads_nothing():
    found = worst_permutation(network_of([(0, 1)], [1, 0]))
    assert (found.load, found.throughput, found.destination.tolist()) == (0, None, [0])


def test_an_adaptive_policy_is_rejected():
    plane = plane_of(graph([(0, 1)]), [1, 1])
    with pytest.raises(InputError, match="^network.policy=adaptive: its loads depend on queues; expected"):
        worst_permutation(assembled("two", (plane, plane), "adaptive"))


def test_samples_of_links_include_those_of_switches_without_routes_to_some_destinations(monkeypatch):
    # Downlinks of a spine are the busiest links here, and it has no routes to leaves that it has no cable to.
    mesh = Network(FullMesh(layers=3, uplinks=3, nodes_per_leaf=4), Site(layout=None))
    exact = worst_permutation(mesh)
    monkeypatch.setattr(sys.modules[worst_permutation.__module__], "MAX_STEPS", -1)
    sampled = worst_permutation(mesh)
    assert exact.is_exact
    assert not sampled.is_exact
    assert 0 < sampled.load <= exact.load
