"""Permutations under the best routing: against a linear program, an assignment and known values, on all families."""

import sys
from collections import defaultdict, deque
from fractions import Fraction

import numpy as np
import pytest
from ortools.graph.python import linear_sum_assignment
from ortools.linear_solver import pywraplp

from isoplane.models import InputError, Network, dual_cube, family_named
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.torus import Torus
from isoplane.models.families.xgft import ExtendedFatTree
from isoplane.objectives.structure import longest_permutation, permutation_flow, worst_permutation
from tests.cases import for_each

PARAMETERS = {
    "direct_hypercube": {"n": 3, "generators": (1, 2, 4)},
    "dragonfly": {"switches_per_group": 2, "global_ports": 1, "groups": 3, "nodes_per_switch": 2},
    "fat_tree": {"switch_ports": 4},
    "full_mesh": {"uplinks": 2, "layers": 2, "nodes_per_leaf": 2},
    "graph": {"edges": ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2)), "nodes_per_switch": 2, "node_cable_m": 2.0},
    "hyperx": {"shape": (3, 2), "nodes_per_switch": 2, "cables_per_pair": (1, 2)},
    "leaf_spine": {"nodes_per_leaf": 3, "leaf_switches": 4, "spine_switches": 2},
    "megafly": {"leaves_per_group": 2, "spines_per_group": 2, "global_ports": 1, "groups": 3, "nodes_per_leaf": 2},
    "mesh": {"shape": (3, 3)},
    "multi_plane": {"plane": HyperX(shape=(3, 2), nodes_per_switch=4), "links_per_node": 2},
    "oft": {"q": 2, "nodes_per_leaf": 2},
    "polar_fly": {"q": 2, "nodes_per_switch": 2},
    "random_regular": {"switches": 8, "degree": 3, "nodes_per_switch": 2},
    "rdt": {"side": 4},
    "slim_fly": {"q": 3, "nodes_per_switch": 1},
    "torus": {"shape": (3, 4)},
    "xgft": {"children": (2, 2, 3), "parents": (1, 2, 1)},
    "xpander": {"degree": 3, "lift": 2, "nodes_per_switch": 2},
}
TWO_SWITCHES = {"switches": 2, "cables": [(0, 3, 1, 3)], "nodes": [(0, 0, 1), (1, 0, 2), (2, 1, 1), (3, 1, 2)]}
NETWORKS = {
    **{name: Network(family_named(name)(**parameters)) for name, parameters in PARAMETERS.items()},
    "hypercube": dual_cube(3, (3, 5, 7), nodes_per_switch=2),
    "folded_hypercube": dual_cube(3, (3, 5, 7), True, nodes_per_switch=2),
    "fabric": Network(family_named("fabric").read({"planes": [TWO_SWITCHES]})),
}


def links_of(network):
    """The capacity of every link between switches of all planes, and the switches of each node."""
    capacity, at = defaultdict(int), defaultdict(list)
    for number, plane in enumerate(network.planes):
        for switch, port in np.argwhere(plane.topology.peer >= 0).tolist():
            capacity[(number, switch), (number, int(plane.topology.peer[switch, port]))] += 1
        for node, switch in zip(plane.node.tolist(), plane.node_switch.tolist(), strict=True):
            at[node].append((number, switch))
    return capacity, at


def best_rate(network, destination):
    """The rate of a permutation by a linear program over the flows of every node on every link."""
    capacity, at = links_of(network)
    solver = pywraplp.Solver.CreateSolver("GLOP")
    rate, used = solver.NumVar(0, 100, ""), defaultdict(list)
    ends = 1 if network.node_cable_mm is not None else 100
    for source, end in enumerate(destination):
        if source == end:
            continue
        balance = defaultdict(list)
        for kind, node, sign in (("out", source, 1), ("in", end, -1)):
            flows = [solver.NumVar(0, ends, "") for _ in at[node]]
            solver.Add(sum(flows) == rate)
            for link, (switch, flow) in enumerate(zip(at[node], flows, strict=True)):
                balance[switch].append(sign * flow)
                used[kind, node, link].append(flow)
        for link in capacity:
            flow = solver.NumVar(0, 100, "")
            balance[link[0]].append(-flow)
            balance[link[1]].append(flow)
            used[link].append(flow)
        for terms in balance.values():
            solver.Add(sum(terms) == 0)
    for link, flows in used.items():
        solver.Add(sum(flows) <= capacity.get(link, ends))
    solver.Maximize(rate)
    assert solver.Solve() == pywraplp.Solver.OPTIMAL
    return rate.solution_value()


def node_hops(network):
    """The hops between all nodes, by a search from each switch."""
    capacity, at = links_of(network)
    peers = defaultdict(list)
    for tail, head in capacity:
        peers[tail].append(head)
    hops = np.full((network.nodes, network.nodes), 1000)
    for node, starts in at.items():
        reached, queue = dict.fromkeys(starts, 0), deque(starts)
        while queue:
            switch = queue.popleft()
            for peer in peers[switch]:
                if peer not in reached:
                    reached[peer] = reached[switch] + 1
                    queue.append(peer)
        for other, ends in at.items():
            hops[node, other] = min(reached[end] for end in ends if end in reached)
    return hops


@for_each("name", sorted(NETWORKS))
def test_the_best_routing_is_between_the_flow_and_the_bound_of_the_largest_distances(name):
    network = NETWORKS[name]
    longest, worst = longest_permutation(network), worst_permutation(network)
    for permutation in (longest, worst):
        found, rate = permutation_flow(network, permutation.destination), best_rate(network, permutation.destination)
        assert float(found.flow) * (1 - 1e-6) <= rate <= float(found.bound) * (1 + 1e-6)
        assert found.flow >= found.bound * (1 - Fraction(1, 100))
        if permutation is longest:
            assert rate <= float(longest.bound) * (1 + 1e-6)
            assert found.bound <= longest.bound
        elif network.node_cable_mm is not None:
            assert found.bound >= worst.throughput  # of the routes


@for_each("name", sorted(NETWORKS))
def test_no_permutation_has_a_larger_sum_of_distances(name):
    network = NETWORKS[name]
    longest, hops = longest_permutation(network), node_hops(network)
    nodes = np.arange(network.nodes)
    assert sorted(longest.destination.tolist()) == nodes.tolist()
    assert longest.hops == hops[nodes, longest.destination].sum()
    assignment = linear_sum_assignment.SimpleLinearSumAssignment()
    assignment.add_arcs_with_cost(np.repeat(nodes, len(nodes)), np.tile(nodes, len(nodes)), -hops.ravel())
    assert assignment.solve() == assignment.OPTIMAL
    assert longest.is_exact
    assert longest.hops == -assignment.optimal_cost()
    assert longest.bound == Fraction(sum(links_of(network)[0].values()), longest.hops)


@for_each(
    "family",
    [
        FatTree(switch_ports=4),
        FatTree(switch_ports=8),
        LeafSpine(nodes_per_leaf=4, leaf_switches=8, spine_switches=4),
        ExtendedFatTree(children=(4, 4, 4), parents=(1, 4, 4)),
    ],
)
def test_trees_of_full_bisection_carry_every_permutation_at_the_rate_of_the_nodes(family):
    network = Network(family)
    destinations = [worst_permutation(network).destination, longest_permutation(network).destination]
    destinations.append(np.random.default_rng(1).permutation(network.nodes))
    for destination in destinations:
        found = permutation_flow(network, destination)
        assert found.flow == found.bound == 1
    assert worst_permutation(network).throughput < 1  # along the routes


def test_large_networks_have_a_flow_over_shortest_paths_or_bounds_alone(monkeypatch):
    network = Network(HyperX(shape=(4, 4), nodes_per_switch=4))
    destination = longest_permutation(network).destination
    best = permutation_flow(network, destination)
    module = sys.modules[permutation_flow.__module__]
    monkeypatch.setattr(module, "MAX_FLOWS", 0)
    even = permutation_flow(network, destination)
    assert even.flow <= best.flow <= best.bound <= even.bound
    monkeypatch.setattr(module, "MAX_STEPS", 0)
    assert permutation_flow(network, destination).flow is None
    assert permutation_flow(network, destination).bound == even.bound


def test_nodes_of_one_switch_use_only_their_own_links():
    network = Network(Torus(shape=(3,), nodes_per_switch=2, node_cable_m=2.0))
    assert permutation_flow(network, np.array([1, 0, 3, 2, 5, 4])).bound == 1
    silent = permutation_flow(network, np.arange(6))
    assert (silent.flow, silent.bound) == (None, None)


def test_destinations_are_a_permutation():
    with pytest.raises(InputError, match="^destination: expected a permutation of the 3 nodes$"):
        permutation_flow(Network(Torus(shape=(3,))), np.array([1, 1, 0]))


def test_a_matching_of_the_farthest_groups_alone_keeps_its_bound(monkeypatch):
    network = NETWORKS["random_regular"]
    exact = longest_permutation(network)
    module = sys.modules[longest_permutation.__module__]
    monkeypatch.setattr(module, "MAX_GROUPS", 0)
    monkeypatch.setattr(module, "FARTHEST", 1)
    found = longest_permutation(network)
    assert not found.is_exact
    assert found.hops == node_hops(network)[np.arange(network.nodes), found.destination].sum() < exact.hops
    assert found.bound == exact.bound * Fraction(exact.hops, found.hops)


def test_nodes_that_send_nothing_limit_no_others():
    plane = {"switches": 2, "cables": [(0, 3, 1, 3)], "nodes": [(0, 0, 1), (1, 0, 2), (2, 1, 1)],
             "rates_gbps": [100], "node_rates_gbps": [100, 1, 100]}  # fmt: skip
    network = Network(family_named("fabric").read({"planes": [plane]}))
    flow = permutation_flow(network, np.array([2, 1, 0]))
    assert (flow.flow, flow.bound) == (1, 1)
    assert permutation_flow(network, np.array([1, 2, 0])).bound == Fraction(1, 100)
