"""The bound from permutations: against paths and permutations one by one, all halves of the nodes, and trees."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import ceil

import igraph
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Network, Site
from isoplane.models.families.fat_tree import FatTree
from isoplane.objectives.structure import bisection
from isoplane.objectives.structure.cuts.partition_graph import partition_graph
from isoplane.objectives.structure.cuts.permutation_bound import permutation_bound
from isoplane.objectives.structure.flows.capacity_graph import capacity_graph
from tests.assembled import assembled
from tests.cases import for_each
from tests.strategies import connected_edges

from .networks import network_of
from .test_bisection import smallest_bisection


def bound_of(network, least=0):
    capacities = capacity_graph(network)
    return permutation_bound(capacities, partition_graph(network, capacities), least)


def shares_of(edges, switches):
    """The share of the traffic of every pair of switches on every link, if all shortest paths share it evenly."""
    graph = igraph.Graph(switches, edges).simplify()
    for a in range(switches):
        for b in range(switches):
            paths = graph.get_all_shortest_paths(a, b)
            links = Counter(link for path in paths for link in pairwise(path))
            yield (a, b), {link: Fraction(count, len(paths)) for link, count in links.items()}


def capacity_of(edges):
    return Counter([*edges, *((b, a) for a, b in edges)])


def bounded_load(edges, nodes):
    """The largest l / c: the nodes times their largest shares, over sources or over destinations, the smaller one."""
    at = [switch for switch, count in enumerate(nodes) for _ in range(count)]
    share = dict(shares_of(edges, len(nodes)))
    loads = []
    for link, capacity in capacity_of(edges).items():
        rows = [[share[a, b].get(link, Fraction()) for b in at] for a in at]
        loads.append(min(sum(map(max, rows)), sum(map(max, zip(*rows, strict=True)))) / capacity)
    return max(loads)


@given(connected_edges(6), st.lists(st.integers(0, 3), min_size=6, max_size=6))
@settings(deadline=None, max_examples=25)
def test_the_bound_is_that_of_the_busiest_link_over_single_paths(edges, nodes):
    nodes = [nodes[0] + 1, *nodes[1 : max(map(max, edges)) + 1]]
    load, half = bounded_load(edges, nodes), sum(nodes) // 2
    moved = range(min(half, max(nodes) // 2) + 1)
    expected = min(ceil((half - each) / load) + each for each in moved) if load else 0
    assert bound_of(network_of(edges, nodes)) == expected


@given(connected_edges(5), st.lists(st.integers(0, 3), min_size=5, max_size=5))
@settings(deadline=None, max_examples=25)
def test_the_bound_is_at_most_the_smallest_cut_of_all_halves(edges, nodes):
    nodes = [nodes[0] + 1, *nodes[1 : max(map(max, edges)) + 1]]
    nodes = [min(count, max(0, 9 - sum(nodes[:i]))) for i, count in enumerate(nodes)]
    assert bound_of(network_of(edges, nodes)) <= smallest_bisection(edges, nodes)


@for_each("tree", [*map(FatTree, (4, 6, 8, 10, 16, 24)), FatTree(16, cables_per_pair=(2, 4))])
def test_the_bisection_of_a_full_fat_tree_is_exact(tree):
    network = Network(tree, Site(layout=None))
    found = bisection(network)
    assert found.lower == found.cut == network.nodes // 2


def test_the_search_ends_once_a_known_bound_cannot_be_exceeded():
    network = Network(FatTree(switch_ports=4), Site(layout=None))
    assert [bound_of(network, least) for least in (0, 7, 8, 9)] == [8, 8, 0, 0]


def test_nothing_is_bounded_if_planes_attach_the_nodes_of_a_switch_differently():
    first, second = (network_of([(0, 1)], nodes).planes[0] for nodes in ([2, 2], [1, 3]))
    assert bound_of(assembled("apart", (first, second))) == 0
