"""Three-level fat-trees: the graph of their paper, their tables, load balance, and memory of their routes."""

from itertools import product

import igraph
import numpy as np
from hypothesis import given

from isoplane.models import Network, Site
from isoplane.models.families.fat_tree import FatTree
from isoplane.objectives.general import all_distances, all_to_all_loads
from tests.cases import for_each
from tests.models.families.members import fat_trees
from tests.models.graphs import graph_of
from tests.models.trees import three_levels


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


@for_each("k", [2, 4, 6])
def test_a_fat_tree_has_the_graph_of_its_paper(k):
    family, graph = FatTree(switch_ports=k), paper_fat_tree(k)
    (plane,) = Network(family).planes
    ours = graph_of(plane.topology)
    ours.add_vertices(family.nodes)
    ours.add_edges([(family.switches + node, switch) for node, switch in enumerate(plane.node_switch.tolist())])
    is_host, paper_is_host = ([int(degree == 1) for degree in each.degree()] for each in (ours, graph))
    assert ours.isomorphic_bliss(graph, color1=is_host, color2=paper_is_host)


@given(fat_trees())
def test_a_fat_tree_matches_an_independent_construction(family):
    family = FatTree(family.switch_ports, cables_per_pair=family.cables_per_pair)
    topology, table, node_switch = three_levels(family.switch_ports, *np.broadcast_to(family.cables_per_pair, 2))
    (plane,) = Network(family).planes
    assert np.array_equal(plane.node_switch, node_switch)
    assert np.array_equal(plane.topology.peer, topology.peer)
    assert np.array_equal(plane.topology.peer_port, topology.peer_port)
    routes = plane.routes
    others = np.arange(topology.switches)[:, None] != node_switch  # entries for a switch's own nodes do not count
    assert np.array_equal(routes.next_port[routes.row][:, routes.column][others], table[others])


@for_each(("k", "lower", "upper"), [(4, 1, 1), (16, 1, 1), (12, 2, 3)])
def test_all_links_of_a_level_have_equal_load(k, lower, upper):
    # The uplinks of an edge switch share the traffic that leaves it: k/2 · (N - k/2) over k/2 links. Those of the
    # aggregation switches of a pod of M nodes share the traffic that leaves the pod: M · (N - M) over M links.
    network = Network(FatTree(switch_ports=k, cables_per_pair=(lower, upper)), Site(layout=None))
    half, nodes = k // 2, network.nodes
    (load,) = all_to_all_loads(network).load
    edges, pod = nodes // half, half**2 // lower
    assert set(load[:edges, :half].ravel().tolist()) == {nodes - half}
    assert set(load[edges : 2 * edges, half:].ravel().tolist()) == {nodes - pod}
    # Distances: 0 to k/2 nodes, 2 to the rest of the pod, 4 to all others.
    pairs = [nodes * half, 0, nodes * (pod - half), 0, nodes * (nodes - pod)]
    assert list(all_distances(network).pairs) == pairs


def test_routes_of_93312_nodes_take_less_than_16_megabytes():
    (plane,) = Network(FatTree(switch_ports=72, cable_m=5)).planes
    routes = plane.routes
    assert len(plane.node_switch) == 93312
    assert routes.next_port.nbytes + routes.row.nbytes + routes.column.nbytes + routes.target_switch.nbytes < 16e6
