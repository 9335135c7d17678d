"""Random regular graphs and Xpanders: properties of their graphs, expected counts, and what the seed determines."""

from collections import Counter
from itertools import combinations
from math import sqrt

import igraph
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models.families.random_regular import RandomRegular
from isoplane.models.families.xpander import Xpander
from isoplane.models.mathematics.random_graphs import random_lift_edges, random_regular_edges
from tests.cases import for_each
from tests.models.graphs import distances, graph_of

regular = st.tuples(st.integers(4, 40), st.integers(3, 39), st.integers(0, 1000)).filter(
    lambda values: values[1] < values[0] and values[0] * values[1] % 2 == 0
)
lifts = st.tuples(st.integers(3, 9), st.integers(1, 9), st.integers(0, 1000))


@given(regular)
def test_a_random_regular_graph_is_simple_connected_and_regular(values):
    switches, degree, seed = values
    family = RandomRegular(switches=switches, degree=degree, seed=seed)
    graph = graph_of(family.topology())
    assert graph.is_simple()
    assert graph.is_connected()
    assert graph.degree() == [degree] * switches
    assert graph.ecount() == family.cables


@given(lifts)
def test_an_xpander_has_a_perfect_matching_between_every_two_groups(values):
    degree, lift, seed = values
    family = Xpander(degree=degree, lift=lift, seed=seed)
    graph = graph_of(family.topology())
    assert graph.is_connected()
    assert graph.ecount() == family.cables
    for one, other in combinations(range(degree + 1), 2):
        ends = [e for e in graph.get_edgelist() if (e[0] // lift, e[1] // lift) == (one, other)]
        assert sorted(end for edge in ends for end in edge) == [
            *range(one * lift, one * lift + lift),
            *range(other * lift, other * lift + lift),
        ]


def test_drawing_a_graph_does_not_disturb_other_random_numbers():
    np.random.seed(3)  # the global generator is what must stay undisturbed
    expected = np.random.random(4)
    np.random.seed(3)
    random_regular_edges(20, 3, seed=1)
    random_lift_edges(3, 5, seed=1)
    assert np.array_equal(np.random.random(4), expected)


def test_graphs_of_a_seed_are_those_of_earlier_versions():
    # Records state only the seed, so these edges may never change.
    assert random_regular_edges(8, 3, seed=1).tolist() == [
        *([3, 5], [0, 2], [6, 7], [1, 4], [4, 5], [1, 2], [5, 7], [0, 3], [2, 6], [3, 4], [1, 6], [0, 7])
    ]
    assert random_lift_edges(3, 3, seed=1)[:, 1].tolist() == [
        5,
        3,
        4,
        7,
        8,
        6,
        10,
        11,
        9,
        6,
        8,
        7,
        11,
        9,
        10,
        10,
        11,
        9,
    ]


def test_all_cubic_graphs_on_six_vertices_occur():
    # Labelled ones: 10 complete bipartite graphs (6! / (2 · 3!²)) and 60 prisms (6! / 12).
    drawn = (np.sort(random_regular_edges(6, 3, seed), axis=1).tolist() for seed in range(900))
    found = {tuple(sorted(map(tuple, edges))) for edges in drawn}
    assert Counter(igraph.Graph(edges=edges).is_bipartite() for edges in found) == {True: 10, False: 60}


@for_each("degree", [3, 5, 8])
def test_short_cycles_are_as_frequent_as_in_uniform_random_regular_graphs(degree):
    # The number of cycles of length c tends to a Poisson distribution with mean (r - 1)^c / 2c (Bollobás 1980).
    seeds = 60
    graphs = (igraph.Graph(random_regular_edges(200, degree, seed).tolist()) for seed in range(seeds))
    triangles = [len(graph.cliques(3, 3)) for graph in graphs]
    mean = (degree - 1) ** 3 / 6
    assert abs(np.mean(triangles) - mean) <= 3 * sqrt(mean / seeds)


@for_each("seed", range(3))
@for_each(("switches", "degree"), [(100, 4), (256, 6), (500, 16)])
def test_the_mean_distance_is_close_to_the_least_possible(switches, degree, seed):
    # Cerf et al. 1974: as many switches as possible at each distance.
    left, distance, total = switches - 1, 1, 0
    while left:
        near = min(left, degree * (degree - 1) ** (distance - 1))
        left, total, distance = left - near, total + near * distance, distance + 1
    found = distances(RandomRegular(switches=switches, degree=degree, seed=seed).topology())
    mean = found.sum() / (switches * (switches - 1))
    assert total / (switches - 1) <= mean <= 1.1 * total / (switches - 1)


def eigenvalues(topology):
    adjacency = np.zeros((topology.switches, topology.switches))
    np.add.at(adjacency, (np.arange(topology.switches)[:, None], topology.peer), 1)
    return np.sort(np.linalg.eigvalsh(adjacency))


@for_each("seed", range(3))
@for_each(("degree", "lift"), [(3, 40), (6, 25), (11, 15)])
def test_an_xpander_has_the_eigenvalues_of_the_complete_graph_and_expands_nearly_as_well_as_possible(
    degree, lift, seed
):
    found = eigenvalues(Xpander(degree=degree, lift=lift, seed=seed).topology())
    assert found[-1] == pytest.approx(degree)
    assert np.isclose(found, -1).sum() >= degree
    # Friedman and Kohler 2014: the others are at most 2 sqrt(d - 1) + o(1).
    assert max(-found[0], found[-2]) <= 2.1 * sqrt(degree - 1)


def test_a_lift_of_one_switch_a_group_is_the_complete_graph():
    assert (distances(Xpander(degree=5, lift=1).topology()) + np.eye(6) == 1).all()
