from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Network
from isoplane.models.families.rdt import RecursiveDiagonalTorus
from isoplane.models.routing import (
    channel_cycle,
    forwarding_table,
    hop_classes,
    table_turn_classes,
    turn_classes,
    vector_routing,
)
from isoplane.models.topologies import graph, rdt
from isoplane.simulator import Hardware, Simulation, Traffic
from tests.cases import for_each
from tests.models.graphs import all_walks
from tests.models.routing.test_deadlock import check_against_all_pairs
from tests.strategies import connected_edges

OTHER_TILE = "1423 4132 2314 3241"


def turns(switches):
    """Count by hand the places where a route rises after it has fallen."""
    rises = [after > before for before, after in pairwise(switches)]
    return sum(now and not before for before, now in pairwise(rises))


@for_each("side", range(4, 33, 4))
def test_no_channels_depend_on_each_other_in_a_cycle(side):
    topology, routes = rdt(side), vector_routing(side)
    assert channel_cycle(topology, routes, 16) is not None
    classes = turn_classes(topology, routes)
    assert classes.channels.classes <= 4  # the virtual channels of the default hardware
    assert channel_cycle(topology, classes, classes.channels.classes) is None


@for_each(("side", "tile"), [(4, None), (8, None), (8, OTHER_TILE), (12, "1212 2121 1212 2121")])
def test_the_classes_are_those_that_the_routes_need(side, tile):
    words = () if tile is None else (tile,)
    topology = rdt(side, *words)
    routes = turn_classes(topology, vector_routing(side, *words))
    most = 0
    for source, _, links in all_walks(topology, routes):
        visited = [source, *(int(topology.peer[switch, port]) for switch, port, _ in links)]
        needed = [turns(visited[: hop + 2]) for hop in range(len(links))]
        assert [channel_class for *_, channel_class in links] == needed
        most = max(most, *needed, 0)
    assert routes.channels.classes == 1 + most
    assert check_against_all_pairs(topology, routes, 1 + most) is None
    assert 1 + most < hop_classes(topology, routes).channels.classes


@for_each("side", [16, 20, 64])
def test_the_starts_that_decide_need_as_many_classes_as_random_ones(side):
    topology, routes = rdt(side), turn_classes(rdt(side), vector_routing(side))
    rng, paths = np.random.default_rng(1), routes.paths
    lengths = np.diff(paths.starts.astype(np.int64))
    most = 0
    for path in rng.choice(np.flatnonzero(lengths >= lengths.max() - 1), 300):
        row = path // topology.switches
        switch = np.flatnonzero(routes.row == row)  # every start of the path at once
        visited = [switch]
        for port in paths.ports[paths.starts[path] : paths.starts[path + 1]].tolist():
            visited.append(topology.peer[visited[-1], port])
        rises = np.diff(np.array(visited), axis=0) > 0
        most = max(most, int((rises[1:] & ~rises[:-1]).sum(axis=0).max()))
    assert 1 + most <= routes.channels.classes


@for_each("flow_control", ["virtual_cut_through", "wormhole", "store_and_forward"])
def test_packets_beyond_saturation_deadlock_only_without_classes(flow_control):
    small = {"buffer_flits": 2, "output_flits": 1} if flow_control == "wormhole" else {"buffer_flits": 8}

    def deadlocks(routing, channels):
        hardware = Hardware(flow_control=flow_control, virtual_channels=channels, deadlock="drop", **small)
        network = Network(RecursiveDiagonalTorus(side=8, routing=routing))
        simulation = Simulation(network, hardware, Traffic(load=4), seed=1)
        simulation.run(20_000)
        return simulation.totals()["deadlocks"]

    assert deadlocks("turn_classes", 3) == 0  # a channel for each class
    assert deadlocks("vector", 1) > 0


@given(connected_edges(12), st.randoms(use_true_random=False))
def test_any_order_of_switches_makes_shortest_paths_free_from_deadlock(edges, rng):
    topology = graph(edges)
    rank = list(range(topology.switches))
    rng.shuffle(rank)
    routes = table_turn_classes(topology, forwarding_table(topology), np.array(rank))
    most = max(
        turns([rank[switch] for switch in (*(switch for switch, _, _ in links), destination)])
        for _, destination, links in all_walks(topology, routes)
    )
    assert routes.channels.classes == most + 1
    assert channel_cycle(topology, routes, routes.channels.classes) is None
