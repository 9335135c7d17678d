"""Numbers of paths: against cuts over all sets of switches, powers of adjacency matrices, and formulas."""

from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError, Network, Site, dual_cube
from isoplane.models.families.torus import Torus
from isoplane.models.topologies import graph
from isoplane.objectives.structure import path_diversity
from tests.assembled import assembled
from tests.cases import for_each
from tests.strategies import connected_edges

from .networks import network_of, plane_of


def matrix_of(topology):
    """The number of cables between every two switches."""
    found = np.zeros((topology.switches,) * 2, dtype=object)
    for switch, port in np.argwhere(topology.peer >= 0).tolist():
        found[switch, topology.peer[switch, port]] += 1
    return found


def smallest_cut(cables, source, target):
    """The fewest cables between a set of switches with the source and the rest with the target, over all sets."""
    switches = len(cables)
    best = np.inf
    for chosen in range(1 << switches):
        inside = np.array([bool(chosen >> switch & 1) for switch in range(switches)])
        if inside[source] and not inside[target]:
            best = min(best, cables[inside][:, ~inside].sum())
    return best


def shortest_walks(cables, source, target):
    """The length of the shortest walks from a switch to another one, and their number: no walk is shorter."""
    power, length = np.eye(len(cables), dtype=object), 0
    while not power[source, target]:
        power, length = power @ cables, length + 1
    return length, power[source, target]


@given(connected_edges(7))
@settings(deadline=None, max_examples=20)
def test_paths_of_one_plane_match_cuts_and_walks(edges):
    topology = graph(edges)
    network = assembled("one", (plane_of(topology, [1] * topology.switches),))
    cables = matrix_of(topology)
    for (a, b), disjoint, shortest in zip(*path_diversity(network, 6), strict=True):
        assert disjoint == smallest_cut(cables, a, b)
        assert shortest == shortest_walks(cables, a, b)[1]


@given(connected_edges(6), connected_edges(6), st.integers(0, 5))
@settings(deadline=None, max_examples=20)
def test_disjoint_paths_of_planes_add_up_and_shortest_ones_are_those_of_the_nearest_planes(one, two, seed):
    planes = [graph(edges, 6) for edges in (one, two) if max(map(max, edges)) == 5]
    if not planes:
        return
    network = assembled("planes", tuple(plane_of(topology, [1] * 6) for topology in planes))
    for (a, b), disjoint, shortest in zip(*path_diversity(network, 5, seed), strict=True):
        walks = [shortest_walks(matrix_of(topology), a, b) for topology in planes]
        assert disjoint == sum(smallest_cut(matrix_of(topology), a, b) for topology in planes)
        assert shortest == sum(number for length, number in walks if length == min(walks)[0])


@given(st.integers(2, 6))
@settings(deadline=None)
def test_a_pair_of_cubes_has_a_path_for_every_generator_and_d_factorial_shortest_ones(n):
    unit = tuple(1 << i for i in range(n))
    pairs, disjoint, shortest = path_diversity(dual_cube(n, unit, nodes_per_switch=1, layout=None), 40)
    assert set(disjoint) == {2 * n}
    assert shortest == tuple(2 * factorial((a ^ b).bit_count()) for a, b in pairs)


def test_numbers_beyond_53_bits_are_exact():
    # 39 times one of three cables in parallel.
    chain = [(i, i + 1) for i in range(39)] * 3
    _, disjoint, shortest = path_diversity(network_of(chain, [1] + [0] * 38 + [1]), 3)
    assert set(shortest) == {3**39}
    assert set(disjoint) == {3}


def test_the_seed_decides_the_pairs_and_none_is_at_one_switch():
    network = Network(Torus(shape=(3, 3), nodes_per_switch=4, node_cable_m=1), Site(layout=None))
    one, same, other = (path_diversity(network, seed=seed) for seed in (1, 1, 2))
    assert one == same != other
    assert len(one[0]) == 200
    assert all(a // 4 != b // 4 for a, b in one[0])


def test_nodes_of_one_switch_have_no_paths():
    assert path_diversity(network_of([(0, 1)], [3, 0])) == ((), (), ())


@for_each("pairs", [0, 65537, True])
def test_a_wrong_number_of_pairs_is_named(pairs):
    with pytest.raises(InputError, match="^pairs=.*expected"):
        path_diversity(network_of([(0, 1)], [1, 1]), pairs)
