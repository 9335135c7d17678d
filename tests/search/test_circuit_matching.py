"""The rule `matching` attains the maximum weight: a comparison with brute force."""

from itertools import combinations, islice

import pytest
import rustworkx
from hypothesis import given, settings
from hypothesis import strategies as st
from ortools.graph.python.min_cost_flow import SimpleMinCostFlow

from isoplane.models import Hybrid
from isoplane.models.placement import by_switch
from isoplane.models.workloads import dense, sparse
from isoplane.objectives import CIRCUITS, Lexicographic
from isoplane.search import CircuitSpace
from isoplane.search.circuits import rules as circuit_rules
from isoplane.search.circuits.matching import heaviest_matching
from isoplane.search.circuits.rule_rounds import rule_rounds
from isoplane.search.circuits.rules import matching, node_matrix
from tests.cases import for_each

from .assigned import workloads
from .programs.brute_force import all_circuits


def all_b_matchings(edges, ports, max_edges):
    """All sets of at most `max_edges` edges, at most `ports` at each node."""
    for count in range(max_edges + 1):
        for chosen in combinations(edges, count):
            ends = [node for edge in chosen for node in edge]
            if all(ends.count(node) <= ports for node in ends):
                yield chosen


@st.composite
def graphs(draw):
    nodes = draw(st.integers(2, 6))
    pairs = list(combinations(range(nodes), 2))
    edges = draw(st.lists(st.sampled_from(pairs), max_size=9, unique=True))
    return {pair: draw(st.sampled_from([0, 1, 2, 7, 10**13])) for pair in edges}


@settings(deadline=None, max_examples=300)
@given(graphs(), st.integers(1, 3), st.integers(0, 5))
def test_the_matching_has_maximum_weight_in_any_graph(weights, ports, max_edges):
    edges = heaviest_matching(weights, ports, max_edges)
    assert tuple(edges) in all_b_matchings(sorted(weights), ports, max_edges)
    max_weight = max(sum(weights[edge] for edge in chosen) for chosen in all_b_matchings(weights, ports, max_edges))
    assert sum(weights[edge] for edge in edges) == max_weight


@for_each("max_circuits", [40, 48, 64])
def test_between_two_groups_the_matching_is_a_minimum_cost_flow(max_circuits):
    hybrid, workload = Hybrid(2, 32, 2), dense(64)
    weights = node_matrix(workload, by_switch(64))
    flow, source, sink = SimpleMinCostFlow(), 64, 65
    for node in range(32):
        flow.add_arc_with_capacity_and_unit_cost(source, node, 2, 0)
        flow.add_arc_with_capacity_and_unit_cost(32 + node, sink, 2, 0)
        for other in range(32, 64):
            flow.add_arc_with_capacity_and_unit_cost(node, other, 1, -int(weights[node, other]))
    flow.set_node_supply(source, max_circuits)  # all weights are positive, so none of the edges is left out
    flow.set_node_supply(sink, -max_circuits)
    assert flow.solve() == flow.OPTIMAL
    circuits = matching(hybrid, workload, by_switch(64), max_circuits)
    assert sum(int(weights[pair]) for pair in circuits.pairs) == -flow.optimal_cost()


def test_edges_of_dense_traffic_become_paths_only_if_they_are_repeated(monkeypatch):
    sizes = []

    def record_size(graph, **options):
        sizes.append(graph.num_nodes())
        return original(graph, **options)

    original = rustworkx.max_weight_matching
    monkeypatch.setattr(rustworkx, "max_weight_matching", record_size)
    matching(Hybrid(4, 16, 2), dense(64), by_switch(64), 40)
    # 4 x 16 nodes with two copies each; paths for all 6 x 16 x 16 edges would add 3072 vertices.
    assert max(sizes) < 128 + 2 * 128


def test_the_first_designs_of_a_search_do_not_wait_for_the_matching(monkeypatch):
    monkeypatch.setattr(circuit_rules, "matching", lambda *_: pytest.fail("computed too early"))
    workload = sparse(16, 3)
    space = CircuitSpace(Hybrid(4, 4, up_gbps=10), workload, 6, "by_switch")
    objective = Lexicographic("completion", (("completion",),), CIRCUITS, workload)
    rounds = rule_rounds(space, objective, None)
    first, second = islice((round_ for round_ in rounds if round_.designs), 2)
    assert set(first.designs) <= set(second.designs)


@settings(deadline=None, max_examples=60)
@given(workloads(6), st.sampled_from([(2, 3), (3, 2), (6, 1)]), st.integers(1, 2), st.integers(0, 4))
def test_the_rule_carries_as_many_bytes_directly_as_any_other_circuits(workload, shape, ports, circuits):
    hybrid = Hybrid(*shape, ports)
    circuits = min(circuits, hybrid.max_circuits)
    matrix = node_matrix(workload, by_switch(6))
    max_weight = max(sum(matrix[pair] for pair in set(pairs)) for pairs in all_circuits(hybrid, circuits))
    assert sum(matrix[pair] for pair in matching(hybrid, workload, by_switch(6), circuits).pairs) == max_weight
