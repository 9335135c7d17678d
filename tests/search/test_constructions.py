"""Where searches of regular graphs begin: constructions, by the distances of igraph."""

import math
import random

import igraph
import numpy as np
import pytest

from isoplane.models.families.free_graph import FreeGraph
from isoplane.search import Anneal, Limits, _native, solve
from isoplane.search.graphs.constructions import _inductive_quad, best_construction, constructions
from isoplane.search.graphs.groups import cyclic
from isoplane.search.graphs.space import RegularGraphs

from .test_graphs import ASPL, DIAMETER, found


def degrees_near(rng):
    """Numbers of switches and degrees at random, and some at the sizes of constructions, or near them."""
    yield from [(50, 7), (49, 6), (52, 7), (64, 8), (31, 6), (33, 6), (98, 11), (14, 3), (13, 12), (5, 4), (21, 4)]
    for _ in range(30):
        switches = rng.randint(4, 150)
        degree = rng.randint(3, min(switches - 1, 14))
        yield switches, degree - (switches * degree % 2) * (1 if degree > 3 else -1)


def test_constructions_are_simple_regular_graphs_of_the_size_asked_for():
    count = 0
    for switches, degree in degrees_near(random.Random(1)):
        for candidate in constructions(switches, degree, seed=1):
            graph = igraph.Graph(switches, list(zip(candidate[::2], candidate[1::2], strict=True)))
            assert graph.is_simple()
            assert set(graph.degree()) == {degree}
            count += 1
    assert count > 100


def start_of(switches, degree, objective=ASPL, **fields):
    space = RegularGraphs(FreeGraph(switches=switches, degree=degree, **fields))
    return space, best_construction(space, objective, seed=1)


# The Petersen graph is a Moore graph as well; that of Hoffman and Singleton and those of McKay, Miller and Siran are
# Slim Flies; polarity graphs are those of PolarFly, whose quadrics get a cable; and points and lines of planes.
@pytest.mark.parametrize(
    ("switches", "degree", "diameter"), [(10, 3, 2), (50, 7, 2), (98, 11, 2), (57, 8, 2), (14, 3, 3), (62, 6, 3)]
)
def test_a_search_calls_constructions_at_the_moore_bound_optimal_at_once(switches, degree, diameter):
    last = found(switches, degree, DIAMETER, evaluations=2)
    graph = igraph.Graph(switches, last.design.network.family.edges)
    assert (last.status, graph.diameter()) == ("optimal", diameter)
    assert last.evaluation.score == (diameter, sum(map(sum, graph.distances())))


def test_a_construction_cut_or_grown_is_the_start_where_it_is_much_better_than_a_random_graph():
    for switches, degree in [(64, 8), (126, 11), (183, 14)]:
        space, start = start_of(switches, degree, nodes_per_switch=2)
        assert ASPL.point(space.design(start)) < ASPL.point(space.baseline)
        first = next(iter(solve(space, ASPL, Anneal(chains=2), Limits(evaluations=2), seed=1)))
        assert space.canonical(space.candidate(first.design)) == space.canonical(start)
        assert start == best_construction(space, ASPL, seed=1)
    for switches, degree in [(36, 3), (256, 8)]:
        assert start_of(switches, degree)[1] is None


def test_star_products_of_polarity_graphs_have_a_diameter_of_three():
    for switches, degree in [(104, 7), (310, 10), (456, 11)]:  # 13 and 31 vertices by 8 and 10, 57 by 8
        space, start = start_of(switches, degree, DIAMETER)
        diameters = [
            igraph.Graph(switches, list(zip(graph[::2], graph[1::2], strict=True))).diameter()
            for graph in (start, space.candidate(space.baseline))
        ]
        assert diameters == [3, 4]


def test_inductive_quad_graphs_cover_all_pairs_with_their_images():
    for degree in range(1, 10):
        size, edges = 2 * degree + 2, _inductive_quad(degree)
        pairs = {frozenset(edge) for ends in (edges, edges ^ 1) for edge in ends.tolist()}
        assert len(pairs) == 2 * len(edges) == math.comb(size, 2) - size // 2  # all but the pairs of partners
        assert not any(frozenset((number, number ^ 1)) in pairs for number in range(size))
        assert {*np.bincount(edges.ravel(), minlength=size)} == (
            {degree} if degree % 4 in (0, 3) else {degree - 1, degree, degree + 1}
        )


def test_a_line_less_of_a_projective_plane_is_the_best_known_graph_of_its_size():
    """Without the quadrics of PolarFly q = 32, all switches but one have a cable less: 1,024/32 of Graph Golf."""
    _, start = start_of(1024, 32)
    graph = igraph.Graph(1024, list(zip(start[::2], start[1::2], strict=True)))
    assert graph.diameter() == 3
    assert graph.average_path_length() < 1.9985


def test_a_group_keeps_its_start_if_hot_moves_only_lead_to_worse_graphs():
    _, start = start_of(50, 7)
    walk = _native.GraphWalk(_native.GraphTask(50, 7, [cyclic(1)], False), 1, 0, start, 5.0, 5.0, 200, 1.5)
    walk.run(200)
    state, ends = walk.state(), 50 * 7
    lists = [state[at + 1 : at + 1 + ends] for at, word in enumerate(state) if word == ends]
    assert len(lists) == 3  # the best graph of all, that of the group, and the current one
    assert lists[0] == lists[1] != lists[2]
