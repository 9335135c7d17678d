import re
from dataclasses import replace
from itertools import pairwise

import igraph
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import ConnectionSet, Cube, InputError
from isoplane.models.deadlock.channel_dependencies import dependencies
from isoplane.models.routing import (
    Paths,
    channel_cycle,
    describe_cycle,
    dimension_order,
    forwarding_table,
    torus_order,
    vector_routing,
)
from isoplane.models.topologies import cube_topology, graph, rdt, torus
from tests.cases import for_each
from tests.models.graphs import all_walks, walk
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


@for_each(
    ("topology", "routes", "deadlock_free"),
    [
        (cube_topology(Cube(ConnectionSet.unit(12))), dimension_order(Cube(ConnectionSet.unit(12))), True),
        (torus((64, 64)), torus_order((64, 64)), False),
        (rdt(64), vector_routing(64), False),
    ],
)
def test_networks_of_4096_switches_are_analysed_quickly(topology, routes, deadlock_free):
    assert (channel_cycle(topology, routes, virtual_channels=1) is None) == deadlock_free


def test_virtual_channels_are_at_least_as_many_as_classes():
    with pytest.raises(InputError, match="virtual_channels=1: expected an integer of at least 2"):
        channel_cycle(torus((5,)), torus_order((5,), datelines=True), virtual_channels=1)


@for_each("as_paths", [False, True])
def test_a_route_that_crosses_more_datelines_than_there_are_classes_is_rejected(as_paths):
    topology, routes = torus((5,)), torus_order((5,), datelines=True)
    rule = replace(routes.channels, dateline=np.ones((5, 2), dtype=bool))
    paths = Paths(np.array([0, 0, 1, 3, 5, 6], dtype=np.uint32), np.array([0, 0, 0, 1, 1, 1], dtype=np.uint16))
    routes = replace(routes, channels=rule, **({"next_port": None, "paths": paths} if as_paths else {}))
    message = "routes.channels.classes=2: a route needs 3; expected at least 3"
    with pytest.raises(InputError, match=re.escape(message)):
        channel_cycle(topology, routes, virtual_channels=2)


def test_a_long_cycle_is_described_by_its_first_channels_and_its_last():
    description = describe_cycle([(switch, 1, 0) for switch in range(64)])
    assert description == (
        "64 channels form a dependency cycle: switch 0 port 1 class 0, switch 1 port 1 class 0, "
        "switch 2 port 1 class 0, switch 3 port 1 class 0, switch 4 port 1 class 0, ..., switch 63 port 1 class 0"
    )
