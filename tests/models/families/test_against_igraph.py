"""Dragonflies and fat-trees against graphs built from the words of their papers, with igraph's distances and paths."""

from collections import Counter
from itertools import combinations, product

import igraph
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Network
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.fat_tree import FatTree
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


@st.composite
def dragonflies(draw):
    a, h = draw(st.integers(1, 6)), draw(st.integers(1, 3))
    return a, h, draw(st.integers(2, a * h + 1))


@pytest.mark.parametrize("arrangement", ORDERS)
@given(dragonflies())
def test_a_dragonfly_has_the_cables_of_its_paper(arrangement, parameters):
    a, h, groups = parameters
    family = Dragonfly(switches_per_group=a, global_ports=h, groups=groups, arrangement=arrangement)
    ours, expected = graph_of(family.topology()), paper_dragonfly(a, h, groups, arrangement)
    assert edge_counts(ours) == edge_counts(expected)
    # Over a local, a global and a local cable every switch reaches every other one.
    assert expected.diameter() <= 3


@pytest.mark.parametrize("arrangement", ORDERS)
@pytest.mark.parametrize(("a", "h"), [(2, 1), (4, 2), (6, 3), (3, 2)])
def test_minimal_routes_between_groups_with_one_cable_are_those_of_the_graph_without_other_groups(arrangement, a, h):
    # One cable between every two groups: the minimal route is the only shortest path inside both groups.
    groups = a * h + 1
    graph = paper_dragonfly(a, h, groups, arrangement)
    family = Dragonfly(
        switches_per_group=a,
        global_ports=h,
        groups=groups,
        arrangement=arrangement,
        nodes_per_switch=1,
        node_cable_m=None,
    )
    source, destination = (each.ravel() for each in np.indices((family.switches, family.switches)))
    start, _ = Network(family).links(source, destination, 0)
    ours = np.diff(start).reshape(family.switches, family.switches)
    for i, j in combinations(range(groups), 2):
        ids = [*range(i * a, i * a + a), *range(j * a, j * a + a)]
        assert ours[np.ix_(ids, ids)].tolist() == graph.induced_subgraph(ids).distances()


def paper_fat_tree(k):
    """Return the graph with the addresses of Al-Fares et al. 2008, section 3.2, as names of vertices.

    Pod switches are (pod, switch), edge switches first; core switches are (k, j, i), with j and i from 1 to k/2; hosts
    are (pod, switch, id), with ids from 2.
    """
    half = k // 2
    edges = []
    for pod, low, other in product(range(k), range(half), range(half)):
        edges.append((f"{pod}.{low}.{2 + other}", f"{pod}.{low}"))
        edges.append((f"{pod}.{low}", f"{pod}.{half + other}"))
    # Aggregation switches of a pod have consecutive ports to cores in strides of k/2.
    for core, pod in product(range(half**2), range(k)):
        edges.append((f"{pod}.{half + core // half}", f"core.{core // half + 1}.{core % half + 1}"))
    return igraph.Graph.TupleList(edges)


@pytest.mark.parametrize("k", [2, 4, 6, 8])
def test_a_fat_tree_has_the_graph_of_its_paper(k):
    family, graph = FatTree(switch_ports=k), paper_fat_tree(k)
    hosts = [f"{pod}.{edge}.{2 + host}" for pod, edge, host in product(range(k), range(k // 2), range(k // 2))]
    assert (graph.vcount(), len(hosts)) == (family.nodes + family.switches, family.nodes)
    (plane,) = Network(family).planes
    ours = graph_of(plane.topology)
    ours.add_vertices(family.nodes)
    ours.add_edges([(family.switches + node, switch) for node, switch in enumerate(plane.node_switch.tolist())])
    assert ours.is_simple()
    is_host, paper_is_host = ([int(degree == 1) for degree in each.degree()] for each in (ours, graph))
    assert ours.isomorphic_bliss(graph, color1=is_host, color2=paper_is_host)
    # Both numberings go through pods, edge switches and hosts in order, so nodes may be compared by number.
    source, destination = (each.ravel() for each in np.indices((family.nodes, family.nodes)))
    start, _ = Network(family).links(source, destination, 0)
    lengths = np.diff(start).reshape(family.nodes, family.nodes)
    np.fill_diagonal(lengths, 0)  # a packet to its own node takes the node's two links
    assert lengths.tolist() == graph.distances(hosts, hosts)


@pytest.mark.parametrize("k", [4, 6])
def test_hosts_of_different_pods_have_a_shortest_path_over_each_core(k):
    # Al-Fares et al. 2008, section 2.2: (k/2)^2 shortest paths between any two hosts of different pods.
    (plane,) = Network(FatTree(switch_ports=k)).planes
    graph = graph_of(plane.topology)
    first, last = int(plane.node_switch[0]), int(plane.node_switch[-1])
    paths = graph.get_all_shortest_paths(first, last)
    assert len(paths) == len({path[2] for path in paths}) == (k // 2) ** 2
