"""The rule `matching`: the greatest weight of all matchings, by trying them all."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import HybridNetwork
from isoplane.models.placement import by_switch
from isoplane.models.workloads import sparse
from isoplane.search.circuit_matching import heaviest_matching
from isoplane.search.circuit_rules import matching, node_matrix

from .assigned import workloads
from .programs.brute_force import all_circuits


def every_choice(edges, ports, most):
    """All sets of at most so many edges of which no node has more than so many, one after the other."""
    for count in range(most + 1):
        for chosen in combinations(edges, count):
            ends = [node for edge in chosen for node in edge]
            if all(ends.count(node) <= ports for node in ends):
                yield chosen


@st.composite
def graphs(draw):
    nodes = draw(st.integers(2, 6))
    pairs = list(combinations(range(nodes), 2))
    drawn = draw(st.lists(st.sampled_from(pairs), max_size=9, unique=True))
    return {pair: draw(st.sampled_from([0, 1, 2, 7, 10**13])) for pair in drawn}


@settings(deadline=None, max_examples=300)
@given(graphs(), st.integers(1, 3), st.integers(0, 5))
def test_no_edges_within_the_limits_weigh_more_in_any_graph(weights, ports, most):
    found = heaviest_matching(weights, ports, most)
    assert tuple(found) in every_choice(sorted(weights), ports, most)
    heaviest = max(sum(weights[edge] for edge in chosen) for chosen in every_choice(weights, ports, most))
    assert sum(weights[edge] for edge in found) == heaviest


@settings(deadline=None, max_examples=60)
@given(workloads(6), st.sampled_from([(2, 3), (3, 2), (6, 1)]), st.integers(1, 2), st.integers(0, 4))
def test_the_rule_carries_as_many_bytes_directly_as_any_circuits(workload, shape, ports, circuits):
    hybrid = HybridNetwork(*shape, ports)
    circuits = min(circuits, hybrid.most_circuits)
    matrix = node_matrix(workload, by_switch(6))
    most = max(sum(matrix[pair] for pair in set(pairs)) for pairs in all_circuits(hybrid, circuits))
    assert sum(matrix[pair] for pair in matching(hybrid, workload, by_switch(6), circuits).pairs) == most


@pytest.mark.parametrize("ports", [1, 2])
def test_equal_weights_give_the_same_circuits_again(ports):
    hybrid, work = HybridNetwork(4, 4, ports), sparse(16, 3)
    first, again = (matching(hybrid, work, by_switch(16), 6) for _ in range(2))
    assert first == again
    assert len(first) == 6
