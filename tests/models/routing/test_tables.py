"""Tables of any graph: lowest ports, up-down routes, balanced ones against a linear program, and repairs."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models.failures.rerouted import heaviest_load, rerouted
from isoplane.models.routing import (
    ARRIVED,
    Routes,
    balanced_between_nodes,
    balanced_table,
    balanced_up_down,
    channel_cycle,
    destination_hashes,
    forwarding_table,
    hops,
    up_choices,
    up_down,
)
from isoplane.models.routing.table import LoadedTable
from isoplane.models.routing.up_down import depths
from isoplane.models.topologies import graph, mesh, rdt, torus
from tests.cases import for_each
from tests.models.graphs import all_walks, distances
from tests.models.shortest_path_program import least_heaviest, loads, random_regular
from tests.models.trees import split_mix_64
from tests.strategies import connected_edges

BLOCKS = torus((23, 24))  # 552 switches: columns are filled 512 at a time


@for_each("topology", [torus((5, 4)), mesh((4, 4)), rdt(8), graph([(0, 1), (1, 2), (0, 1), (2, 0)]), BLOCKS])
def test_the_next_port_is_the_lowest_one_that_leads_closer(topology):
    distance, table = distances(topology), forwarding_table(topology).next_port
    for source in range(topology.switches):
        for destination in range(topology.switches):
            closer = [
                port
                for port, peer in enumerate(topology.peer[source].tolist())
                if peer >= 0 and distance[peer, destination] < distance[source, destination]
            ]
            assert table[source, destination] == (closer[0] if source != destination else ARRIVED)


def test_hops_are_those_of_the_table_where_it_takes_the_long_way():
    next_port = np.array([[9, 0, 1, 1], [1, 9, 0, 0], [0, 1, 9, 0], [0, 0, 1, 9]], dtype=np.uint16)
    routes = Routes("table", np.arange(4, dtype=np.int32), next_port=next_port)
    assert hops(torus((4,)), routes).tolist() == [[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0]]


def test_a_table_of_4096_switches_takes_less_than_40_megabytes():
    routes = forwarding_table(torus((64, 64)))
    assert routes.next_port.nbytes + routes.row.nbytes < 40e6


@given(connected_edges(12), st.integers(0, 11))
def test_no_up_hop_follows_a_down_hop(edges, root):
    topology = graph(edges)
    root %= topology.switches
    level = distances(topology)[root]
    for source, destination, links in all_walks(topology, up_down(topology, root)):
        visited = [switch for switch, _, _ in links] + [destination]
        assert visited[0] == source
        heights = [(level[switch], switch) for switch in visited]
        top = heights.index(min(heights))
        assert heights == sorted(heights[: top + 1], reverse=True) + sorted(heights[top + 1 :])


@given(connected_edges(16), st.integers(0, 15))
def test_up_down_is_free_of_deadlock_on_any_graph(edges, root):
    topology = graph(edges)
    assert channel_cycle(topology, up_down(topology, root % topology.switches), virtual_channels=1) is None


def test_a_switch_forwards_up_if_that_is_shorter_and_no_route_comes_down_through_it():
    # A wheel with an open rim: from 1 to 5 either down through 2, 3 and 4, or up to the root and down.
    topology = graph([(0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 2), (2, 3), (3, 4), (4, 5)])
    assert hops(topology, up_down(topology))[1].tolist() == [1, 0, 1, 2, 2, 2]


# Two pods of two leaf switches (0 to 3) and two middle ones (4 to 7), below two others (8 and 9).
PODS = [(leaf, middle) for leaf in range(4) for middle in (4 + leaf // 2 * 2, 5 + leaf // 2 * 2)]
TREE = graph([*PODS, (4, 8), (5, 9), (6, 8), (7, 9)])


@for_each("seed", range(4))
def test_routes_are_free_from_deadlock_on_one_virtual_channel_and_arrive(seed):
    topology = random_regular(24, 4, seed)
    node_switch = np.sort(np.random.default_rng(seed).integers(0, 24, 30))
    routes = balanced_up_down(topology, node_switch)
    assert channel_cycle(topology, routes, virtual_channels=1) is None  # which raises if one does not arrive
    assert (hops(topology, routes)[routes.sources] >= 0).all()


def switches_of(topology, routes, source, link):
    """The switches of the route from a switch to a node link."""
    visited = [source]
    while visited[-1] != routes.target_switch[routes.column[link]]:
        port = routes.next_port[routes.row[visited[-1]], routes.column[link]]
        visited.append(int(topology.peer[visited[-1], port]))
    return visited


def test_the_roots_of_a_tree_are_all_switches_at_its_top():
    routes = balanced_up_down(TREE, np.repeat(np.arange(4), 2))
    height, tops = -TREE.levels(np.array([8, 9])), set()
    for source in range(4):
        for visited in (switches_of(TREE, routes, source, link) for link in range(8)):
            heights = height[visited].tolist()
            peak = heights.index(max(heights))
            assert heights == sorted(heights[:peak]) + sorted(heights[peak:], reverse=True)
            tops.add(visited[peak])
    assert {8, 9} <= tops


def test_a_switch_that_the_top_does_not_reach_leaves_a_single_root():
    # Switch 4, at the top with 3, reaches switch 2 only over switches below it.
    topology = graph([(0, 3), (1, 3), (2, 3), (0, 4), (1, 4)])
    routes = balanced_up_down(topology, np.array([0, 0, 1, 2]))
    assert channel_cycle(topology, routes, virtual_channels=1) is None


def test_depths_rank_switches_by_the_distance_from_the_nearest_root():
    assert depths(torus((6,)), np.array([2, 5])).tolist() == [2, 3, 0, 4, 5, 1]


LEAVES = [(leaf, top) for leaf in range(3) for top in (3, 4)]
RING = [(switch, (switch + 1) % 8) for switch in range(8)]


@for_each("seed", range(2))
def test_the_heaviest_link_is_near_the_bound_of_the_linear_program(seed):
    topology = random_regular(64, 6, seed)
    assert set((topology.peer >= 0).sum(axis=1).tolist()) == {6}
    heaviest = loads(topology, balanced_table(topology).next_port).max()
    bound = int(np.ceil(least_heaviest(topology) - 1e-6))
    assert bound <= heaviest <= bound + 1


@for_each("shape", [(5,), (5, 3), (3, 3, 3)])
def test_links_of_odd_tori_have_equal_loads(shape):
    load = loads(torus(shape), balanced_table(torus(shape)).next_port)
    assert len(set(load.ravel().tolist())) == len(set(shape))


@given(connected_edges(12))
@settings(deadline=None, max_examples=20)
def test_routes_are_shortest_paths(edges):
    topology = graph(edges)
    assert np.array_equal(hops(topology, balanced_table(topology)), hops(topology, forwarding_table(topology)))


def test_the_seed_decides_the_routes():
    topology = random_regular(32, 5, 0)
    one, same, other = (balanced_table(topology, seed=seed).next_port for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_switches_without_nodes_send_nothing():
    # A square with nodes at two opposite corners: each sends to the other one over either of two routes.
    square = torus((2, 2))
    table = balanced_table(square, [1, 0, 0, 1]).next_port
    middle = {int(square.peer[0, table[0, 3]]), int(square.peer[3, table[3, 0]])}
    assert middle <= {1, 2}


@for_each(("edges", "nodes", "classes"), [(LEAVES, [0, 1, 2], 1), (RING, range(8), 2)])
def test_routes_between_nodes_are_free_from_deadlock_in_few_classes(edges, nodes, classes):
    # Leaf switches below two others have no cycle, as no packet begins there; in a ring packets turn once at most.
    topology = graph(edges)
    routes = balanced_between_nodes(topology, np.repeat(list(nodes), 2))
    assert (1 if routes.channels is None else routes.channels.classes) == classes
    assert channel_cycle(topology, routes, classes) is None


@given(st.integers(0, 50), st.integers(0, (1 << 63) - 1))
def test_hashes_are_those_of_split_mix_64(count, seed):
    assert destination_hashes(count, seed).tolist() == split_mix_64(count, seed)


def test_the_first_output_of_split_mix_64_is_the_published_one():
    # The test vectors of the reference implementation (Vigna) begin with this number for the state 1234567.
    assert split_mix_64(1, 1234567) == [6457827717110365317 >> 1]


def test_choices_are_the_nodes_or_their_hashes():
    assert up_choices("d_mod_k", 5, 3).tolist() == [0, 1, 2, 3, 4]
    assert up_choices("random", 5, 3).tolist() == split_mix_64(5, 3)


NO_LIMIT = 1 << 60


def table_of(topology, next_port, weight=None, share=None):
    ones = np.ones(topology.switches, dtype=np.int64)
    weight = ones if weight is None else np.array(weight)
    return LoadedTable(topology, next_port, np.arange(topology.switches, dtype=np.int32), weight, weight, share)


def heaviest(topology, routes, weight, share):
    """Return the load of the heaviest link by following every route."""
    load = np.zeros(topology.peer.shape, dtype=int)
    for source, destination, links in all_walks(topology, routes):
        for switch, port, _ in links:
            load[switch, port] += weight[source] * weight[destination] * share[destination, source]
    return load.max()


def repaired_step_by_step(topology, given, target_switch, packets):
    """Repair a table by the definition: follow every entry, and choose ports by the loads of the columns before."""
    hops, peer, found = distances(topology), topology.peer, given.copy()
    load = np.zeros(peer.shape, dtype=int)

    def end(column, here):
        for _ in range(topology.switches):
            port = given[here, column]
            if here == target_switch[column] or port >= topology.ports or peer[here, port] < 0:
                break
            here = peer[here, port]
        return here

    for column, target in enumerate(target_switch):
        for here in set(range(topology.switches)) - {target}:
            nearer = [
                port for port, there in enumerate(peer[here]) if there >= 0 and hops[there][target] < hops[here][target]
            ]
            if end(column, here) != target and given[here, column] not in nearer:
                found[here, column] = min(nearer, key=lambda port: load[here, port])
        for here in range(topology.switches):
            units = packets[here, column]
            while here != target:
                load[here, found[here, column]] += units
                here = peer[here, found[here, column]]
        found[target, column] = ARRIVED
    return found


@given(connected_edges(10), st.integers(0, 1 << 30))
@settings(deadline=None)
def test_repaired_entries_are_those_of_the_definition(edges, seed):
    topology, rng = graph(edges), np.random.default_rng(seed)
    switches, columns = topology.switches, 2 * topology.switches
    target = (
        np.sort(rng.integers(switches, size=columns)).astype(np.int32) if seed % 2 else np.arange(columns) % switches
    )
    senders, receivers = rng.integers(4, size=switches), rng.integers(4, size=columns)
    share = rng.integers(3, size=(columns, switches), dtype=np.uint16)
    given = forwarding_table(topology).next_port[:, target].copy()
    wrong = rng.random(given.shape) < rng.choice([0.05, 0.5])
    given[wrong] = rng.integers(topology.ports + 2, size=wrong.sum())
    table = LoadedTable(topology, given, target.astype(np.int32), senders, receivers, share)
    found = rerouted(table, NO_LIMIT, np.arange(columns, dtype=np.int32)).next_port
    packets = senders[:, None] * receivers * share.T
    assert np.array_equal(found, repaired_step_by_step(topology, given, target.tolist(), packets.astype(int)))


@given(connected_edges(10), st.integers(0, 1 << 30))
@settings(deadline=None)
def test_all_routes_arrive_and_loads_are_those_of_every_route(edges, seed):
    topology, rng = graph(edges), np.random.default_rng(seed)
    table = forwarding_table(topology).next_port
    table = np.where(rng.random(table.shape) < 0.3, rng.integers(topology.ports + 1, size=table.shape), table)
    weight, share = rng.integers(3, size=topology.switches), rng.integers(3, size=table.shape).astype(np.uint16)
    loaded = table_of(topology, table.astype(np.uint16), weight, share)
    repaired, relieved = rerouted(loaded, NO_LIMIT), rerouted(loaded)
    for routes in (repaired, relieved):
        lengths = [len(links) for _, _, links in all_walks(topology, routes)]  # every walk ends at its destination
        assert routes.channels.classes == max(1, *lengths)
        assert channel_cycle(topology, routes, routes.channels.classes) is None
        again = table_of(topology, routes.next_port, weight, share)
        assert heaviest_load(again) == heaviest(topology, routes, weight, share)


@for_each("seed", range(3))
def test_the_heaviest_link_is_within_a_tenth_of_the_bound_of_the_linear_program(seed):
    topology = random_regular(40, 5, seed)
    nothing = np.full((40, 40), ARRIVED, dtype=np.uint16)
    found = loads(topology, rerouted(table_of(topology, nothing)).next_port).max()
    bound = int(np.ceil(least_heaviest(topology) - 1e-6))
    assert bound <= found <= 1.1 * bound
    assert loads(topology, forwarding_table(topology).next_port).max() > 1.5 * bound  # lowest ports
