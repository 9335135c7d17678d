import re
from dataclasses import replace

import numpy as np
import pytest

from isoplane.models import ConnectionSet, Cube, InputError, Topology
from isoplane.models.routing import ARRIVED, Paths, Routes, dimension_order, hops, links_of_route, torus_order
from isoplane.models.topologies import cube_topology, torus
from tests.cases import for_each
from tests.models.graphs import all_walks, offset, walk
from tests.models.trees import two_levels

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


def without_cable(topology, switch, port):
    """Return a topology without one cable."""
    peer, peer_port = topology.peer.copy(), topology.peer_port.copy()
    for end in ((switch, port), (peer[switch, port], peer_port[switch, port])):
        peer[end] = peer_port[end] = -1
    return Topology(peer, peer_port)


@for_each("name", NETWORKS)
@for_each("convert", [lambda topology, routes: routes, as_table, as_paths])
def test_hops_and_links_match_routes_followed_one_by_one(name, convert):
    topology, routes = NETWORKS[name][0], convert(*NETWORKS[name])
    length = hops(topology, routes)
    for source, destination, links in all_walks(topology, routes):
        assert length[routes.row[source], offset(routes, source, destination)] == len(links)
        assert links_of_route(topology, routes, source, destination) == links


def test_a_route_over_a_missing_cable_is_reported_with_its_ends():
    topology = without_cable(torus((4, 3)), 5, 0)
    message = "routes: the route from 5 to 6 takes port 0 of switch 5; expected ports with a cable"
    with pytest.raises(InputError, match=re.escape(message)):
        links_of_route(topology, torus_order((4, 3)), 5, 6)
    for convert in (lambda _, routes: routes, as_table, as_paths):
        with pytest.raises(InputError, match=r"the route from \d+ to \d+ takes port [01] of switch [56]; expected"):
            hops(topology, convert(*NETWORKS["torus"]))


def test_a_route_with_a_loop_is_reported_with_its_ends():
    table = np.array([[ARRIVED, 0, 0], [1, ARRIVED, 0], [0, 1, ARRIVED]], dtype=np.uint16)
    assert hops(torus((3,)), Routes("table", np.arange(3), next_port=table)).max() == 2  # from 0 via 1 to 2
    table[1, 2] = 1  # 0 forwards to 1, and 1 sends back
    message = "routes: the route from 0 to 2 returns to switch 1; expected routes without loops"
    with pytest.raises(InputError, match=re.escape(message)):
        hops(torus((3,)), Routes("table", np.arange(3), next_port=table))


def test_an_error_on_a_route_by_column_is_reported_with_the_column():
    topology, table, target_switch = two_levels()
    columns = {"column": np.arange(16, dtype=np.int32), "target_switch": target_switch.astype(np.int32)}
    table[4, 6] = 2  # from the first spine to leaf 2 instead of leaf 1, and back
    routes = Routes("table", np.arange(6), next_port=table.astype(np.uint16), **columns)
    message = "routes: the route from 0 to 1 via column 6 returns to switch 2; expected routes without loops"
    with pytest.raises(InputError, match=re.escape(message)):
        hops(topology, routes)


def test_a_route_that_ends_elsewhere_is_reported_with_its_ends():
    early = np.array([[ARRIVED, 0, ARRIVED, 1]], dtype=np.uint16)
    message = "routes: the route from 0 to 2 ends at switch 0; expected its destination"
    with pytest.raises(InputError, match=re.escape(message)):
        hops(torus((4,)), Routes("torus", ROW_0[:4], next_port=early, shape=(4,)))
    short = Paths(np.array([0, 0, 1, 2, 3], dtype=np.uint32), np.array([0, 0, 1], dtype=np.uint16))
    message = "routes: the route from 0 to 2 ends at switch 1; expected its destination"
    with pytest.raises(InputError, match=re.escape(message)):
        hops(torus((4,)), Routes("torus", ROW_0[:4], paths=short, shape=(4,)))


def test_a_port_that_no_switch_has_is_rejected():
    routes = Routes("torus", ROW_0[:3], np.array([[ARRIVED, 0, 7]], dtype=np.uint16), shape=(3,))
    with pytest.raises(InputError, match="the route from 0 to 2 takes port 7 of switch 0"):
        hops(torus((3,)), routes)


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
    message = "the route from 0 to 3 has 1 hops, but another with the same row and offset has 3; expected equal lengths"
    with pytest.raises(InputError, match=re.escape(message)):
        hops(topology, routes)


def test_more_classes_than_the_rule_has_are_rejected():
    routes = torus_order((5,), datelines=True)
    routes = replace(routes, channels=replace(routes.channels, classes=1))
    message = "routes: the route from 4 to 1 needs class 1 at switch 4; expected classes below 1"
    with pytest.raises(InputError, match=re.escape(message)):
        links_of_route(torus((5,)), routes, 4, 1)


@for_each(
    ("routes", "message"),
    [
        (torus_order((4, 4)), "routes: 16 switches; expected 12, as in the topology"),
        (replace(torus_order((4, 3)), row=np.arange(12)), "with 12 rows; expected the rows 0 to 0"),
        (
            replace(torus_order((4, 3)), channels=torus_order((12,), datelines=True).channels),
            "routes.channels: 2 ports; expected 4, as in the topology",
        ),
    ],
)
def test_routes_that_do_not_match_the_topology_are_rejected(routes, message):
    with pytest.raises(InputError, match=re.escape(message)):
        hops(torus((4, 3)), routes)
