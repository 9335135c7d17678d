"""Routes followed at once, against routes followed one by one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import ConnectionSet, Cube, Topology
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.rdt import RecursiveDiagonalTorus
from isoplane.models.network import Network
from isoplane.models.planes.route_steps import route_steps
from isoplane.models.routing import (
    ARRIVED,
    Paths,
    Routes,
    dimension_order,
    forwarding_table,
    hops,
    links_of_route,
    torus_order,
    up_down,
)
from isoplane.models.topologies import cube_topology, graph, torus
from tests.cases import for_each, require_refusal
from tests.models.graphs import all_walks, offset, walk
from tests.strategies import connected_edges

ROW_0 = np.zeros(16, dtype=np.int32)
CUBE = Cube(ConnectionSet(3, (3, 5, 7)), folded=True)
NETWORKS = {
    "cube": (cube_topology(CUBE), dimension_order(CUBE)),
    "torus": (torus((4, 3)), torus_order((4, 3))),
    "datelines": (torus((5, 3)), torus_order((5, 3), datelines=True)),
}


def as_table(topology, routes):
    """Return the same next ports as a table of all pairs of switches."""
    ids = range(topology.switches)
    table = [[routes.next_port[routes.row[s], offset(routes, s, d)] for d in ids] for s in ids]
    return Routes("table", np.arange(topology.switches), next_port=np.array(table, dtype=np.uint16))


def as_paths(topology, routes):
    """Return the same routes as source routes of all pairs."""
    ids = range(topology.switches)
    paths = [[port for _, port, _ in walk(topology, routes, s, d)] for s in ids for d in ids]
    starts = np.cumsum([0, *map(len, paths)], dtype=np.uint32)
    source_routes = Paths(starts, np.concatenate(paths).astype(np.uint16))
    return Routes("table", np.arange(topology.switches), paths=source_routes)


@for_each("name", NETWORKS)
@for_each("convert", [lambda topology, routes: routes, as_table, as_paths])
def test_hops_and_links_match_routes_followed_one_by_one(name, convert):
    topology, routes = NETWORKS[name][0], convert(*NETWORKS[name])
    length = hops(topology, routes)
    for source, destination, links in all_walks(topology, routes):
        assert length[routes.row[source], offset(routes, source, destination)] == len(links)
        assert links_of_route(topology, routes, source, destination) == links


def ring_with_chords(chords):
    """Return a ring with additional cables between ports 2 of some pairs of switches."""
    switches = 2 * len(chords)
    ring = torus((switches,))
    peer, peer_port = (np.pad(array, ((0, 0), (0, 1))) for array in (ring.peer, ring.peer_port))
    for a, b in chords:
        peer[[a, b], 2], peer_port[[a, b], 2] = (b, a), 2
    return Topology(peer, peer_port)


def test_switches_of_the_same_row_may_have_different_routes_of_equal_length():
    routes = Routes("torus", ROW_0[:4], np.array([[ARRIVED, 0, 2, 1]], dtype=np.uint16), shape=(4,))
    topology = ring_with_chords([(0, 1), (2, 3)])  # half way round: by chord to either neighbour, then onwards
    assert hops(topology, routes).tolist() == [[0, 1, 2, 1]]
    assert [port for _, port, _ in links_of_route(topology, routes, 0, 2)] == [2, 0]
    assert [port for _, port, _ in links_of_route(topology, routes, 1, 3)] == [2, 1]


def test_routes_of_the_same_row_and_offset_have_the_same_length():
    routes = Routes("torus", ROW_0[:6], np.array([[ARRIVED, 0, 0, 2, 1, 1]], dtype=np.uint16), shape=(6,))
    topology = ring_with_chords([(0, 3), (1, 2), (4, 5)])  # half way round: 0 goes straight, 1 via 2 and 3
    message = "from 0 to 3 has 1 hops, but another with the same row and offset has 3; expected equal lengths"
    require_refusal(lambda: hops(topology, routes), message)


def all_steps(topology, routes, source, target):
    """Return the links of each route as (switch, port)."""
    found = [[] for _ in source]
    for routes_left, switch, port in route_steps(topology, routes, source, target):
        for route, *link in zip(routes_left.tolist(), switch.tolist(), port.tolist(), strict=True):
            found[route].append(tuple(link))
    return found


def check_against_single_routes(topology, routes, targets):
    source, target = (each.ravel() for each in np.meshgrid(np.arange(topology.switches), targets))
    expected = [
        [link[:2] for link in links_of_route(topology, routes, *ends)]
        for ends in zip(source.tolist(), target.tolist(), strict=True)
    ]
    assert all_steps(topology, routes, source, target) == expected


@given(connected_edges(12), st.sampled_from([forwarding_table, up_down]))
def test_routes_of_any_graph_match_those_followed_one_by_one(edges, routing):
    topology = graph(edges)
    check_against_single_routes(topology, routing(topology), np.arange(topology.switches))


def test_routes_of_tori_trees_and_source_routes_match_those_followed_one_by_one():
    check_against_single_routes(torus((3, 4)), torus_order((3, 4)), np.arange(12))
    check_against_single_routes(*NETWORKS["cube"], np.arange(8))
    for family in (FatTree(switch_ports=4), RecursiveDiagonalTorus(side=8)):
        (plane,) = Network(family).planes
        check_against_single_routes(
            plane.topology, plane.routes, np.unique(plane.routes.targets(plane.node_switch))[:20]
        )
