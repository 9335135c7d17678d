import numpy as np
import pytest

from isoplane.models.routing import hops, links_of_route, mesh_order, torus_order
from isoplane.models.topologies import mesh, torus
from tests.models.graphs import distances

SHAPES = [(2,), (3,), (4,), (5, 4), (2, 2, 2), (3, 2, 4), (2, 3, 2, 3)]


@pytest.mark.parametrize("shape", SHAPES)
def test_every_route_is_a_shortest_path(shape):
    topology = torus(shape)
    assert np.array_equal(hops(topology, torus_order(shape))[0], distances(topology)[0])


def test_routes_correct_the_first_coordinate_first_and_break_ties_upwards():
    links = links_of_route(torus((4, 4)), torus_order((4, 4)), 1, 11)  # from (1, 0) to (3, 2)
    assert links == [(1, 0, 0), (2, 0, 0), (3, 2, 0), (7, 2, 0)]


def test_a_packet_is_in_the_second_class_from_the_dateline_until_it_leaves_the_ring():
    routes = torus_order((5, 5), datelines=True)
    links = links_of_route(torus((5, 5)), routes, 4 + 5 * 3, 1 + 5 * 0)  # x: 4, 0, 1; y: 3, 4, 0
    assert links == [(19, 0, 1), (15, 0, 1), (16, 2, 0), (21, 2, 1)]


@pytest.mark.parametrize("shape", [(3,), (8,), (5, 4), (3, 2, 4)])
def test_no_route_needs_more_than_two_classes(shape):
    topology, routes = torus(shape), torus_order(shape, datelines=True)
    classes = {
        channel
        for source in range(topology.switches)
        for destination in range(topology.switches)
        for _, _, channel in links_of_route(topology, routes, source, destination)
    }
    assert classes == {0, 1}


def test_datelines_do_not_change_the_routes():
    assert np.array_equal(torus_order((4, 5), datelines=True).next_port, torus_order((4, 5)).next_port)


def test_the_longest_and_the_mean_route_of_the_tori_of_4096_switches():
    for shape, longest, mean in (((64, 64), 64, 32.0), ((16, 16, 16), 24, 12.0)):
        length = hops(torus(shape), torus_order(shape))
        assert (length.max(), length.mean()) == (longest, mean)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_route_in_a_mesh_is_a_shortest_path(shape):
    topology = mesh(shape)
    assert np.array_equal(hops(topology, mesh_order(shape)), distances(topology))


def test_routes_in_a_mesh_correct_the_first_coordinate_first():
    links = links_of_route(mesh((4, 4)), mesh_order((4, 4)), 3, 8)  # from (3, 0) to (0, 2)
    assert links == [(3, 1, 0), (2, 1, 0), (1, 1, 0), (0, 2, 0), (4, 2, 0)]
