from itertools import product

from isoplane.models.routing import links_of_route, mesh_order, torus_order
from isoplane.models.topologies import mesh, torus
from tests.cases import for_each


def test_routes_correct_the_first_coordinate_first_and_break_ties_upwards():
    links = links_of_route(torus((4, 4)), torus_order((4, 4)), 1, 11)  # from (1, 0) to (3, 2)
    assert links == [(1, 0, 0), (2, 0, 0), (3, 2, 0), (7, 2, 0)]


def test_a_packet_is_in_the_second_class_from_the_dateline_until_it_leaves_the_ring():
    routes = torus_order((5, 5), datelines=True)
    links = links_of_route(torus((5, 5)), routes, 4 + 5 * 3, 1 + 5 * 0)  # x: 4, 0, 1; y: 3, 4, 0
    assert links == [(19, 0, 1), (15, 0, 1), (16, 2, 0), (21, 2, 1)]


def test_routes_in_a_mesh_correct_the_first_coordinate_first():
    links = links_of_route(mesh((4, 4)), mesh_order((4, 4)), 3, 8)  # from (3, 0) to (0, 2)
    assert links == [(3, 1, 0), (2, 1, 0), (1, 1, 0), (0, 2, 0), (4, 2, 0)]


@for_each("shape", [(3,), (5, 4)])
def test_a_ring_of_three_and_more_needs_both_classes(shape):
    topology, routes = torus(shape), torus_order(shape, datelines=True)
    pairs = product(range(topology.switches), repeat=2)
    assert {link[2] for ends in pairs for link in links_of_route(topology, routes, *ends)} == {0, 1}
