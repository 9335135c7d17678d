"""Simultaneous traversal of routes, against routes followed one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Cube, InputError
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.rdt import RecursiveDiagonalTorus
from isoplane.models.network import Network
from isoplane.models.planes.route_steps import route_steps
from isoplane.models.routing import (
    Paths,
    Routes,
    dimension_order,
    forwarding_table,
    links_of_route,
    torus_order,
    up_down,
)
from isoplane.models.topologies import cube_topology, graph, torus
from tests.cases import for_each
from tests.strategies import bases_up_to, connected_edges


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


@given(bases_up_to(4), st.booleans())
def test_routes_of_cubes_match_those_followed_one_by_one(connections, folded):
    cube = Cube(connections, folded)
    check_against_single_routes(cube_topology(cube), dimension_order(cube), np.arange(1 << connections.n))


def test_routes_of_tori_trees_and_source_routes_match_those_followed_one_by_one():
    check_against_single_routes(torus((3, 4)), torus_order((3, 4)), np.arange(12))
    for family in (FatTree(switch_ports=4), RecursiveDiagonalTorus(side=8)):
        (plane,) = Network(family).planes
        check_against_single_routes(
            plane.topology, plane.routes, np.unique(plane.routes.targets(plane.node_switch))[:20]
        )


@for_each(
    ("wrong", "message"),
    [
        (
            {(0, 2): 0, (1, 2): 1},
            "from 0 to 2 returns to switch",
        ),  # 0 forwards packets for 2 to 1, which returns them
        ({(1, 2): 7}, "from 1 to 2 takes port 7 of switch 1"),
    ],
)
def test_a_route_that_does_not_arrive_is_reported(wrong, message):
    ring = torus((4,))
    routes = forwarding_table(ring)
    for (switch, destination), port in wrong.items():
        routes.next_port[switch, destination] = port
    with pytest.raises(InputError, match=message):
        list(route_steps(ring, routes, np.array([3, *next(iter(wrong))[:1]]), np.array([0, 2])))


def test_a_path_that_ends_at_another_switch_is_reported():
    edge = graph([(0, 1)])
    paths = Paths(np.array([0, 0, 1, 1, 1], dtype=np.uint32), np.array([0], dtype=np.uint16))
    routes = Routes("table", np.arange(2, dtype=np.int32), paths=paths)
    assert [step[0].tolist() for step in route_steps(edge, routes, np.array([0]), np.array([1]))] == [[0]]
    with pytest.raises(InputError, match="from 1 to 0 ends at switch 1"):
        list(route_steps(edge, routes, np.array([0, 1]), np.array([1, 0])))
