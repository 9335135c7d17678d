"""Dragonflies and Megaflies against graphs from the words of their papers, and loads by formula."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import igraph
import numpy as np
from hypothesis import given

from isoplane.models import Network
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.megafly import Megafly
from isoplane.models.routing import hops, links_of_route
from isoplane.models.site.part_costs import PartCosts
from tests.cases import for_each
from tests.models.families.members import dragonflies, megaflies
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


@given(megaflies())
def test_the_cables_of_two_groups_share_their_traffic(family):
    # Cable r mod c leads to node r of l p in a group: the first l p mod c of the c cables lead to one more than others.
    (plane,) = Network(family).planes
    load = Counter()
    columns = plane.routes.targets(plane.node_switch).tolist()
    for source in range(family.leaves):
        for column in columns:
            for switch, port, _ in links_of_route(plane.topology, plane.routes, source, column):
                peer = int(plane.topology.peer[switch, port])
                if group_of(family, switch)[0] != group_of(family, peer)[0]:
                    load[switch, port] += family.nodes_per_leaf
    nodes = family.leaves_per_group * family.nodes_per_leaf
    cables = family.spines_per_group * family.global_ports // (family.groups - 1)
    shares = [nodes * (nodes // cables + (cable < nodes % cables)) for cable in range(cables)]
    expected = Counter(share for share in shares if share)
    pairs = family.groups * (family.groups - 1)
    assert Counter(load.values()) == {share: pairs * count for share, count in expected.items()}


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
