"""Dependencies of channels against all routes followed one by one, and classes that leave no cycle."""

from dataclasses import replace
from itertools import pairwise

import igraph
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Cube
from isoplane.models.deadlock.channel_dependencies import dependencies
from isoplane.models.routing import (
    Paths,
    channel_cycle,
    describe_cycle,
    dimension_order,
    forwarding_table,
    hop_classes,
    links_of_route,
    table_turn_classes,
    torus_order,
    turn_classes,
    vector_routing,
)
from isoplane.models.topologies import cube_topology, graph, rdt, torus
from tests.cases import for_each
from tests.models.graphs import all_walks, distances, walk
from tests.strategies import bases_up_to, connected_edges


def pairs_one_by_one(topology, routes):
    """Return all pairs of consecutive links of some route."""
    return {(here, after) for _, _, links in all_walks(topology, routes) for here, after in pairwise(links)}


def check_against_all_pairs(topology, routes, virtual_channels=2):
    """Check the dependencies against all routes, and that a dependency cycle is found if and only if there is one."""
    classes = routes.channels.classes if routes.channels else 1
    found = [
        tuple(
            (number // classes // topology.ports, number // classes % topology.ports, number % classes)
            for number in pair
        )
        for pair in dependencies(topology, routes).tolist()
    ]
    expected = pairs_one_by_one(topology, routes)
    assert len(found) == len(set(found))
    assert set(found) == expected
    cycle = channel_cycle(topology, routes, virtual_channels)
    if cycle is None:
        assert igraph.Graph.TupleList([tuple(map(str, pair)) for pair in expected], directed=True).is_dag()
    else:
        assert len(cycle) == len(set(cycle))
        assert set(zip(cycle, cycle[1:] + cycle[:1], strict=True)) <= expected
    return cycle


@given(bases_up_to(5), st.booleans())
def test_cubes_are_free_of_deadlock(connections, folded):
    cube = Cube(connections, folded)
    assert check_against_all_pairs(cube_topology(cube), dimension_order(cube)) is None


@for_each("shape", [(4,), (5,), (8,), (4, 4), (2, 5), (3, 4, 2)])
def test_rings_of_four_and_more_can_deadlock_only_without_datelines(shape):
    topology = torus(shape)
    assert len(check_against_all_pairs(topology, torus_order(shape))) == next(size for size in shape if size > 3)
    assert check_against_all_pairs(topology, torus_order(shape, datelines=True)) is None


@for_each("side", [4, 8])
def test_vector_routing_can_deadlock(side):
    assert check_against_all_pairs(rdt(side), vector_routing(side)) is not None


@given(connected_edges(8))
def test_cycles_of_shortest_path_tables_are_those_of_their_routes(edges):
    topology = graph(edges)
    check_against_all_pairs(topology, forwarding_table(topology))


@for_each("datelines", [False, True])
def test_paths_have_the_same_dependencies_as_the_next_ports_that_they_follow(datelines):
    topology, routes = torus((5, 4)), torus_order((5, 4), datelines)
    ports = [[port for _, port, _ in walk(topology, routes, 0, offset)] for offset in range(20)]
    paths = Paths(np.cumsum([0, *map(len, ports)], dtype=np.uint32), np.concatenate(ports).astype(np.uint16))
    source_routes = replace(routes, next_port=None, paths=paths)
    check_against_all_pairs(topology, source_routes)
    assert np.array_equal(dependencies(topology, source_routes), dependencies(topology, routes))


def test_a_long_cycle_is_described_by_its_first_channels_and_its_last():
    description = describe_cycle([(switch, 1, 0) for switch in range(64)])
    assert description == (
        "64 channels form a dependency cycle: P0-S0:2 class 0, P0-S1:2 class 0, P0-S2:2 class 0, P0-S3:2 class 0, "
        "P0-S4:2 class 0, ..., P0-S63:2 class 0"
    )


@given(connected_edges(8))
def test_shortest_paths_with_a_class_per_hop_are_free_of_deadlock(edges):
    topology = graph(edges)
    routes = hop_classes(topology, forwarding_table(topology))
    distance = distances(topology)
    assert routes.channels.classes == distance.max()
    assert check_against_all_pairs(topology, routes, int(distance.max())) is None
    for source in range(topology.switches):
        for destination in range(topology.switches):
            classes = [link[2] for link in links_of_route(topology, routes, source, destination)]
            assert classes == list(range(distance[source, destination]))


def test_whole_paths_have_classes_by_hop_as_well():
    topology, routes = rdt(8), vector_routing(8)
    assert channel_cycle(topology, routes, 16) is not None
    assert check_against_all_pairs(topology, hop_classes(topology, routes), 16) is None


OTHER_TILE = "1423 4132 2314 3241"


def turns(switches):
    """Count by hand the places where a route rises after it has fallen."""
    rises = [after > before for before, after in pairwise(switches)]
    return sum(now and not before for before, now in pairwise(rises))


@for_each("side", [4, 8, 20, 32])
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
