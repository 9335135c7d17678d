"""Forwarding in hybrid networks, against the shortest paths of igraph."""

from itertools import pairwise

import igraph
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError
from isoplane.models.circuits import Circuits
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.family_kinds.distance_vector import UNREACHED, distance_vector, segment_costs
from tests.strategies import circuit_pairs


@st.composite
def cases(draw):
    """Draw a small network, and circuits that it can set up."""
    hybrid = Hybrid(
        draw(st.integers(2, 4)),
        draw(st.integers(1, 5)),
        draw(st.integers(1, 3)),
        node_gbps=draw(st.sampled_from([10, 40])),
        circuit_gbps=draw(st.sampled_from([4, 10, 32])),
    )
    return hybrid, Circuits(draw(circuit_pairs(hybrid.group.tolist(), hybrid.ports_per_node, parallel=2)))


def distances(hybrid, circuits):
    """Return the minimum costs from igraph: vertices are nodes and edge switches, links cost half a segment."""
    inside_cost, circuit_cost, _ = segment_costs(hybrid)
    links = [(node, hybrid.nodes + hybrid.group_of(node)) for node in range(hybrid.nodes)]
    graph = igraph.Graph(hybrid.nodes + hybrid.groups, links + list(circuits.pairs))
    weights = [inside_cost / 2] * len(links) + [circuit_cost] * len(circuits.pairs)
    return np.array(graph.distances(range(hybrid.nodes), range(hybrid.nodes), weights=weights))


@given(cases())
def test_costs_between_groups_are_those_of_shortest_paths(case):
    hybrid, circuits = case
    tables, expected = distance_vector(hybrid, circuits), distances(hybrid, circuits)
    other = hybrid.group[:, None] != hybrid.group[None, :]
    reached = other & np.isfinite(expected)
    # Inside a group only the edge switch is used, even if two circuits would be faster.
    if hybrid.ports_per_node == 1:
        assert (tables.cost[reached] == expected[reached]).all()
    assert ((tables.cost == UNREACHED) == (other & ~np.isfinite(expected))).all()
    assert (tables.cost >= np.where(np.isfinite(expected), expected, 0)).all()


@given(cases())
def test_routes_have_the_cost_of_the_tables_and_change_groups_over_circuits_only(case):
    hybrid, circuits = case
    tables = distance_vector(hybrid, circuits)
    inside_cost, circuit_cost, _ = segment_costs(hybrid)
    for source in range(hybrid.nodes):
        for destination in range(hybrid.nodes):
            route = tables.route(source, destination)
            segments = list(pairwise(route))
            if hybrid.group_of(source) == hybrid.group_of(destination) or tables.cost[source, destination] == UNREACHED:
                assert route == ([source] if source == destination else [source, destination])
                continue
            crossings = [
                (min(segment), max(segment))
                for segment in segments
                if hybrid.group_of(segment[0]) != hybrid.group_of(segment[1])
            ]
            assert set(crossings) <= set(circuits.pairs)
            cost = len(crossings) * circuit_cost + (len(segments) - len(crossings)) * inside_cost
            assert cost == tables.cost[source, destination]


def test_a_group_shares_its_circuits_among_its_nodes():
    # Nodes 0 and 1 own circuits; 2 and 3 use one each, and 0 and 1 their own.
    tables = distance_vector(Hybrid(2, 4), Circuits(((0, 4), (1, 5))))
    assert [tables.route(node, 7) for node in range(4)] == [[0, 4, 7], [1, 5, 7], [2, 0, 4, 7], [3, 1, 5, 7]]


def test_groups_without_circuits_between_them_use_the_packet_network():
    tables = distance_vector(Hybrid(3, 2), Circuits(((0, 2),)))
    assert tables.route(1, 3) == [1, 0, 2, 3]
    assert tables.route(1, 5) == [1, 5]


def test_invalid_circuits_are_rejected():
    with pytest.raises(InputError, match="inside group"):
        distance_vector(Hybrid(2, 2), Circuits(((0, 1),)))


def test_rates_without_a_common_unit_are_rejected():
    hybrid = Hybrid(2, 2, node_gbps=10.0000000000001, circuit_gbps=32.000000000001)
    with pytest.raises(InputError, match=r"network.node_gbps=10.0000000000001, network.circuit_gbps=32.000000000001"):
        distance_vector(hybrid, Circuits())
