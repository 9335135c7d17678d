"""Repaired forwarding tables, against routes followed one by one and the distances of igraph."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models.routing import (
    ARRIVED,
    LoadedTable,
    channel_cycle,
    forwarding_table,
    heaviest_load,
    rerouted,
)
from isoplane.models.topologies import graph
from tests.cases import for_each
from tests.models.graphs import all_walks, distances
from tests.models.shortest_path_program import least_heaviest, loads, random_regular
from tests.strategies import connected_edges

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
