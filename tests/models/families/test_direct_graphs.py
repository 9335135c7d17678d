"""Direct networks and Megaflies against papers and constructions by other means."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import sqrt

import igraph
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Network
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.megafly import Megafly
from isoplane.models.families.polar_fly import PolarFly
from isoplane.models.families.random_regular import RandomRegular
from isoplane.models.families.slim_fly import SlimFly
from isoplane.models.families.xpander import Xpander
from isoplane.models.mathematics.finite_field import finite_field, prime_power
from isoplane.models.mathematics.random_graphs import random_lift_edges, random_regular_edges
from isoplane.models.routing import hops, links_of_route
from isoplane.models.site.part_costs import PartCosts
from tests.cases import for_each
from tests.models.families.members import dragonflies, megaflies
from tests.models.graphs import distances, graph_of

POWERS = [q for q in range(2, 26) if prime_power(q)]


def checked_graph(family):
    """The graph of the switches, which must have as many cables as the formula says."""
    graph = igraph.Graph(n=family.switches, edges=family.edges().tolist())
    assert graph.ecount() == family.cables
    assert graph.is_simple()
    return graph


@for_each("q", [q for q in POWERS if q > 2])
def test_a_slim_fly_is_regular_of_diameter_2(q):
    family = SlimFly(q=q)
    graph = checked_graph(family)
    delta = {0: 0, 1: 1, 3: -1}[q % 4]
    assert family.switches == 2 * q**2
    assert set(graph.degree()) == {(3 * q - delta) // 2} == {family.degree}
    assert graph.diameter() == 2


def test_the_slim_fly_of_order_5_is_the_graph_of_hoffman_and_singleton():
    # Robertson's construction: five pentagons and five pentagrams; vertex j of pentagon h is joined to vertex
    # h i + j of pentagram i. The only graph of degree 7, diameter 2 and 50 vertices, the Moore bound.
    edges = [(5 * h + j, 5 * h + (j + 1) % 5) for h in range(5) for j in range(5)]
    edges += [(25 + 5 * i + j, 25 + 5 * i + (j + 2) % 5) for i in range(5) for j in range(5)]
    edges += [(5 * h + j, 25 + 5 * i + (h * i + j) % 5) for h in range(5) for i in range(5) for j in range(5)]
    assert checked_graph(SlimFly(q=5)).isomorphic(igraph.Graph(edges))


@for_each("q", [q for q in POWERS if q < 14])
def test_a_polar_fly_is_the_graph_of_orthogonal_points(q):
    add, multiply, _ = finite_field(q)
    points = [(0, 0, 1), *((0, 1, z) for z in range(q)), *((1, y, z) for y in range(q) for z in range(q))]

    def dot(one, other):
        total = 0
        for a, b in zip(one, other, strict=True):
            total = add[total, multiply[a, b]]
        return total

    pairs = [(i, j) for j in range(len(points)) for i in range(j) if dot(points[i], points[j]) == 0]
    assert checked_graph(PolarFly(q=q)).isomorphic(igraph.Graph(n=len(points), edges=pairs))


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
    edges = " ".join(f"{a}{b}" for a, b in random_regular_edges(8, 3, seed=1).tolist())
    assert edges == "35 02 67 14 45 12 57 03 26 34 16 07"
    ends = " ".join(map(str, random_lift_edges(3, 3, seed=1)[:, 1].tolist()))
    assert ends == "5 3 4 7 8 6 10 11 9 6 8 7 11 9 10 10 11 9"


def test_all_cubic_graphs_on_six_vertices_occur():
    # Labelled ones: 10 complete bipartite graphs (6! / (2 · 3!²)) and 60 prisms (6! / 12).
    drawn = (np.sort(random_regular_edges(6, 3, seed), axis=1).tolist() for seed in range(900))
    found = {tuple(sorted(map(tuple, edges))) for edges in drawn}
    assert Counter(igraph.Graph(edges=edges).is_bipartite() for edges in found) == {True: 10, False: 60}


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


# Hastings et al. 2015, section 2: the groups to which the ports 0, 1, 2, ... of group i of g lead.
ORDERS = {
    "absolute": lambda i, g: [j for j in range(g) if j != i],
    "relative": lambda i, g: [(i + ahead) % g for ahead in range(1, g)],
    "circulant": lambda i, g: list(dict.fromkeys((i + sign * step) % g for step in range(1, g) for sign in (1, -1)))[
        : g - 1
    ],
}


def paper_dragonfly(a, h, groups, arrangement):
    """Return the graph of switches: cables are laid pair by pair of groups, in rounds while all groups have free ports.

    Switch s of a group has the global ports s h to s h + h - 1 of the group. In a round each group uses its next
    groups - 1 ports, in the order of the arrangement.
    """
    edges = [(j * a + x, j * a + y) for j in range(groups) for x, y in combinations(range(a), 2)]
    orders = [ORDERS[arrangement](i, groups) for i in range(groups)]
    used = 0
    while used + groups - 1 <= a * h:
        for i, j in combinations(range(groups), 2):
            ports = used + orders[i].index(j), used + orders[j].index(i)
            edges.append((i * a + ports[0] // h, j * a + ports[1] // h))
        used += groups - 1
    return igraph.Graph(n=groups * a, edges=edges)


def edge_counts(graph):
    """Number of parallel cables of each pair of switches."""
    return Counter((min(edge), max(edge)) for edge in graph.get_edgelist())


@given(dragonflies())
def test_a_dragonfly_has_the_cables_of_its_paper(family):
    sizes = family.switches_per_group, family.global_ports, family.groups, family.arrangement
    expected = paper_dragonfly(*sizes)
    assert edge_counts(graph_of(family.topology())) == edge_counts(expected)
    # Over a local, a global and a local cable every switch reaches every other one.
    assert expected.diameter() <= 3


@given(dragonflies())
def test_a_minimal_route_has_at_most_one_global_hop(family):
    (plane,) = Network(family).planes
    a, count = family.switches_per_group, hops(plane.topology, plane.routes)
    group = np.arange(family.switches) // a
    assert count[group[:, None] == group].max() <= 1
    assert count.max() <= 3
    for source, destination in ((0, family.switches - 1), (family.switches - 1, 0)):
        links = links_of_route(plane.topology, plane.routes, source, destination)
        crossed = sum(group[switch] != group[plane.topology.peer[switch, port]] for switch, port, _ in links)
        assert crossed == (group[source] != group[destination])


@for_each("arrangement", ORDERS)
@for_each(("a", "h"), [(2, 1), (4, 2), (3, 2)])
def test_minimal_routes_between_groups_with_one_cable_are_those_of_the_graph_without_other_groups(arrangement, a, h):
    # One cable between every two groups: the minimal route is the only shortest path inside both groups.
    groups = a * h + 1
    graph = paper_dragonfly(a, h, groups, arrangement)
    family = Dragonfly(switches_per_group=a, global_ports=h, groups=groups, arrangement=arrangement)
    (plane,) = Network(family).planes
    ours = hops(plane.topology, plane.routes)
    for i, j in combinations(range(groups), 2):
        ids = [*range(i * a, i * a + a), *range(j * a, j * a + a)]
        assert ours[np.ix_(ids, ids)].tolist() == graph.induced_subgraph(ids).distances()


def group_of(family, switch):
    """The group of a switch, and whether it is a spine."""
    if switch < family.leaves:
        return switch // family.leaves_per_group, False
    return (switch - family.leaves) // family.spines_per_group, True


@given(megaflies())
def test_cables_are_those_of_complete_bipartite_graphs_and_of_a_dragonfly_with_the_spines_as_switches(family):
    leaf, uplink = np.indices((family.leaves, family.uplinks))
    spine = family.topology().peer[leaf, uplink] - family.leaves
    assert np.array_equal(spine, family.spines_of_leaves())
    assert np.array_equal(spine, leaf // family.leaves_per_group * family.spines_per_group + uplink)
    values = {"global_ports": family.global_ports, "groups": family.groups, "arrangement": family.arrangement}
    other = Dragonfly(switches_per_group=family.spines_per_group, **values).topology()
    ours = family.topology().peer[family.leaves :, family.leaves_per_group :][:, : family.global_ports]
    theirs = other.peer[:, family.spines_per_group - 1 :]
    assert np.array_equal(np.where(ours >= 0, ours - family.leaves, -1), theirs)


@given(megaflies())
def test_packets_go_up_over_at_most_one_global_cable_and_down(family):
    (plane,) = Network(family).planes
    columns = plane.routes.targets(plane.node_switch)
    for source in range(family.leaves):
        for node, column in zip(plane.node_switch.tolist(), columns.tolist(), strict=True):
            links = links_of_route(plane.topology, plane.routes, source, column)
            visited = [group_of(family, switch) for switch, _, _ in links] + [group_of(family, node)]
            own, other = group_of(family, source)[0], group_of(family, node)[0]
            if source == node:
                assert links == []
            elif own == other:
                assert visited == [(own, False), (own, True), (own, False)]
            else:
                assert visited == [(own, False), (own, True), (other, True), (other, False)]


@for_each(
    ("nodes", "ports", "throughput", "links", "even"),
    [
        # leaves, spines, global ports, groups, nodes per leaf: every spine has as many cables to each other group
        (287, 25, Fraction(3, 5), 1, (12, 12, 4, 2, 12)),
        (687, 34, Fraction(3, 5), 1, (23, 15, 8, 2, 15)),
        (3000, 40, Fraction(9, 10), 2, (19, 20, 21, 8, 20)),
    ],
)
def test_no_candidate_is_left_out_whose_cables_are_spread_evenly(nodes, ports, throughput, links, even):
    names = ("leaves_per_group", "spines_per_group", "global_ports", "groups", "nodes_per_leaf")
    known, costs = Megafly(**dict(zip(names, even, strict=True))), PartCosts(switch=ports)
    assert (known.nodes >= nodes, known.ports <= ports, known.throughput_bound >= throughput) == (True, True, True)
    candidates = Megafly.candidates(nodes, ports, throughput, links, costs)
    chosen = next(member for member in candidates if member.throughput_bound >= throughput)
    assert costs.of(chosen.switches, chosen.cables) <= costs.of(known.switches, known.cables)
