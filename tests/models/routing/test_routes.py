"""Routes followed at once, by full, shared and open tables, against routes followed one by one."""

from itertools import pairwise

import igraph
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import ConnectionSet, Cube, InputError, Plane, Topology
from isoplane.models.deadlock.channel_dependencies import dependencies
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.rdt import RecursiveDiagonalTorus
from isoplane.models.network import Network
from isoplane.models.planes.route_steps import route_steps
from isoplane.models.routing import (
    ARRIVED,
    NO_ROUTE,
    Paths,
    Routes,
    channel_cycle,
    dimension_order,
    forwarding_table,
    hop_classes,
    hops,
    links_of_route,
    shared_tables,
    torus_order,
    up_down,
)
from isoplane.models.topologies import cube_topology, graph, torus
from tests.cases import for_each, require_refusal
from tests.models.graphs import all_walks, offset, walk
from tests.models.open_tables import OpenTable
from tests.models.trees import two_levels
from tests.strategies import connected_edges

tables = st.builds(OpenTable, connected_edges(9), st.lists(st.integers(0, 8), min_size=1, max_size=8))
seeds = st.integers(0, 2**32 - 1)


def variants(case, seed):
    """Return equivalent routes with the column of each node: with open entries, with any ports there, and shared."""
    nodes = np.arange(len(case.node_switch))
    shared = shared_tables(case.table, case.node_switch)
    return [(case.routes(), nodes), (case.routes(case.filled(seed)), nodes), (shared, shared.column)]


@given(tables, seeds)
def test_entries_that_no_packet_meets_do_not_count(case, seed):
    pairs = np.array(list(case.walks))
    expected = {(link, after) for links in case.walks.values() for link, after in pairwise(links)}
    is_free = igraph.Graph.TupleList([tuple(map(str, pair)) for pair in expected], directed=True).is_dag()
    for routes, column in variants(case, seed):
        assert routes.sources.tolist() == sorted(set(case.node_switch.tolist()))
        length = hops(case.topology, routes)
        for (source, node), links in case.walks.items():
            assert [link[:2] for link in links_of_route(case.topology, routes, source, int(column[node]))] == links
            assert length[source, column[node]] == len(links)
        steps = route_steps(case.topology, routes, pairs[:, 0], column[pairs[:, 1]])
        walked = [[] for _ in pairs]
        for route, switch, port in steps:
            for each in zip(route.tolist(), switch.tolist(), port.tolist(), strict=True):
                walked[each[0]].append(each[1:])
        assert walked == list(case.walks.values())
        found = [
            tuple(divmod(channel, case.topology.ports) for channel in pair)
            for pair in dependencies(case.topology, routes).tolist()
        ]
        assert (len(found), set(found)) == (len(expected), expected)
        assert (channel_cycle(case.topology, routes, 1) is None) == is_free
        by_hop = hop_classes(case.topology, routes)
        longest = max(map(len, case.walks.values()))
        assert by_hop.channels.classes == max(1, longest)
        assert channel_cycle(case.topology, by_hop, max(1, longest)) is None


@given(tables, st.data())
def test_a_route_that_meets_an_open_entry_is_reported_with_switch_and_destination(case, data):
    used = np.argwhere(case.table != NO_ROUTE)
    if not len(used):
        return  # all nodes are at one switch
    switch, node = data.draw(st.sampled_from(used.tolist()))
    table, destination = case.table.copy(), case.node_switch[node]
    table[switch, node] = NO_ROUTE
    routes = case.routes(table)
    source = next(start for (start, end), links in case.walks.items() if end == node and switch in dict(links))
    message = f"no next port at switch {switch}; expected one at each switch on the way$"
    for follow in (
        lambda: hops(case.topology, routes),
        lambda: links_of_route(case.topology, routes, source, node),
        lambda: list(route_steps(case.topology, routes, np.array([source]), np.array([node]))),
        lambda: channel_cycle(case.topology, routes, 1),
    ):
        with pytest.raises(InputError, match=rf"^routes: the route from \d+ to {destination} via .* {message}"):
            follow()
    with pytest.raises(InputError, match=f"^routes: no next port at switch {switch} to switch {destination}; expected"):
        dependencies(case.topology, routes)


@given(tables, seeds)
def test_a_plane_needs_a_route_from_each_switch_with_nodes_to_each_node(case, seed):
    lengths = np.zeros(case.topology.peer.shape, dtype=np.int64)
    for routes, _ in variants(case, seed):
        Plane(case.topology, lengths, case.node_switch, 0, routes=routes)
    for (source, node), links in case.walks.items():
        if links:
            table = case.table.copy()
            table[source, node] = NO_ROUTE
            message = f"routes: no route from switch {source} to switch {case.node_switch[node]}; expected one"
            with pytest.raises(InputError, match=message):
                Plane(case.topology, lengths, case.node_switch, 0, routes=case.routes(table))


@for_each("order", [(0, 1, 2, 3), (3, 2, 1, 0)])
def test_an_entry_stays_open_if_another_switch_of_the_row_has_its_own_node_there(order):
    # Switches 0 to 2 have a node each, and switch 3, which forwards like switch 0, has no route to the node of 0.
    table = np.array([[9, 3, 5], [4, 9, 6], [7, 8, 9], [NO_ROUTE, 3, 5]])[list(order)]
    shared = shared_tables(table, [order.index(switch) for switch in (0, 1, 2)])
    first, other = (shared.row[order.index(switch)] for switch in (0, 3))
    assert first == other
    assert shared.next_port[first].tolist() == [NO_ROUTE, 3, 5]


def full_table(table, target_switch):
    """Return routes with one row per switch and one column per node."""
    rows, columns = (np.arange(size, dtype=np.int32) for size in table.shape)
    return Routes(
        "table", rows, next_port=table.astype(np.uint16), column=columns, target_switch=target_switch.astype(np.int32)
    )


def check_same_routes(topology, table, target_switch):
    full, shared = full_table(table, target_switch), shared_tables(table, target_switch)
    shared.require_fit(topology, target_switch)
    assert np.array_equal(hops(topology, full), hops(topology, shared)[:, shared.column])
    for switch in range(topology.switches):
        for node, column in enumerate(shared.column.tolist()):
            assert links_of_route(topology, full, switch, node) == links_of_route(topology, shared, switch, column)
    assert set(map(tuple, dependencies(topology, full))) == set(map(tuple, dependencies(topology, shared)))
    return shared


def test_a_tree_of_two_levels_needs_two_rows_and_two_columns_per_leaf():
    topology, table, target_switch = two_levels(leaves=4, hosts=4, spines=2)
    shared = check_same_routes(topology, table, target_switch)
    # All leaves forward alike except to their own nodes, and so do both spines; nodes of a leaf differ modulo 2.
    assert shared.row.tolist() == [0, 0, 0, 0, 1, 1]
    assert shared.column.tolist() == [0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7, 6, 7]
    assert shared.next_port.tolist() == [[0, 1] * 4, [0, 0, 1, 1, 2, 2, 3, 3]]
    assert channel_cycle(topology, shared, virtual_channels=1) is None


@given(connected_edges(7), st.lists(st.integers(0, 6), min_size=1, max_size=12))
def test_shared_tables_of_any_graph_have_the_routes_of_full_tables(edges, places):
    topology = graph(edges)
    target_switch = np.array(places) % topology.switches
    shared = check_same_routes(topology, forwarding_table(topology).next_port[:, target_switch], target_switch)
    assert shared.columns == len(np.unique(target_switch))  # shortest paths depend only on the switch of a node


def test_entries_of_a_switch_for_its_own_nodes_are_ignored():
    topology, table, target_switch = two_levels()
    changed = table.copy()
    changed[target_switch, np.arange(16)] = 9
    full, shared = ([build(each, target_switch) for each in (changed, table)] for build in (full_table, shared_tables))
    assert np.array_equal(*(hops(topology, routes) for routes in full))
    assert np.array_equal(*(routes.next_port for routes in shared))


def test_open_entries_of_a_switch_are_filled_in_from_another():
    assert shared_tables([[3, 0], [0, 3]], [0, 1]).next_port.tolist() == [[0, 0]]
    assert shared_tables([[3, 3], [1, 2]], [0, 0]).next_port.tolist() == [[1, 2]]
    assert shared_tables([[3, 3]], [0, 0]).next_port.tolist() == [[ARRIVED]]


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
