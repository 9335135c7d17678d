"""Dragonflies against graphs built from the words of their paper, with igraph's distances."""

from collections import Counter
from itertools import combinations

import igraph
import numpy as np
from hypothesis import given

from isoplane.models import Network
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.routing import hops, links_of_route
from tests.cases import for_each
from tests.models.families.members import dragonflies
from tests.models.graphs import graph_of

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
