"""Balanced shortest-path tables: their loads against a linear program, and known optima."""

import numpy as np
import pytest
from hypothesis import given, settings

from isoplane.models import InputError
from isoplane.models.routing import balanced_between_nodes, balanced_table, channel_cycle, forwarding_table, hops
from isoplane.models.topologies import graph, torus
from tests.cases import for_each
from tests.models.shortest_path_program import least_heaviest, loads, random_regular
from tests.strategies import connected_edges

LEAVES = [(leaf, top) for leaf in range(3) for top in (3, 4)]
RING = [(switch, (switch + 1) % 8) for switch in range(8)]


@for_each("seed", range(3))
def test_the_heaviest_link_is_near_the_bound_of_the_linear_program(seed):
    topology = random_regular(64, 6, seed)
    assert set((topology.peer >= 0).sum(axis=1).tolist()) == {6}
    heaviest = loads(topology, balanced_table(topology).next_port).max()
    bound = int(np.ceil(least_heaviest(topology) - 1e-6))
    assert bound <= heaviest <= bound + 1


@for_each("shape", [(5,), (5, 3), (3, 3, 3)])
def test_links_of_odd_tori_have_equal_loads(shape):
    load = loads(torus(shape), balanced_table(torus(shape)).next_port)
    assert len(set(load.ravel().tolist())) == len(set(shape))


@given(connected_edges(12))
@settings(deadline=None)
def test_routes_are_shortest_paths(edges):
    topology = graph(edges)
    assert np.array_equal(hops(topology, balanced_table(topology)), hops(topology, forwarding_table(topology)))


def test_the_seed_decides_the_routes():
    topology = random_regular(32, 5, 0)
    one, same, other = (balanced_table(topology, seed=seed).next_port for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_switches_without_nodes_send_nothing():
    # A square with nodes at two opposite corners: each sends to the other one over either of two routes.
    square = torus((2, 2))
    table = balanced_table(square, [1, 0, 0, 1]).next_port
    middle = {int(square.peer[0, table[0, 3]]), int(square.peer[3, table[3, 0]])}
    assert middle <= {1, 2}


@for_each("weight", [[1, 1], [1, -1, 1, 1], [1, 1, 1, 5000]])
def test_a_wrong_weight_is_named(weight):
    with pytest.raises(InputError, match="weight: expected 4 integers from 0 to 1024"):
        balanced_table(torus((4,)), weight)


@for_each(("edges", "nodes", "classes"), [(LEAVES, [0, 1, 2], 1), (RING, range(8), 2)])
def test_routes_between_nodes_are_free_from_deadlock_in_few_classes(edges, nodes, classes):
    # Leaf switches below two others have no cycle, as no packet begins there; in a ring packets turn once at most.
    topology = graph(edges)
    routes = balanced_between_nodes(topology, np.repeat(list(nodes), 2))
    assert (1 if routes.channels is None else routes.channels.classes) == classes
    assert channel_cycle(topology, routes, classes) is None
