"""Routes in tori, meshes and recursive diagonal tori: their order, ties, loads and lengths."""

from fractions import Fraction
from itertools import product
from math import ceil, floor, prod

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models.routing import hops, links_of_route, mesh_order, torus_order, torus_parity_order, vector_routing
from isoplane.models.routing.grids.base_walks import base_walks, class_at
from isoplane.models.topologies import mesh, rdt, torus
from isoplane.models.topologies.rdt import ALPHA, ranks_of_tile
from tests.cases import for_each
from tests.models.graphs import all_walks, graph_of


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


small = st.lists(st.integers(2, 10), min_size=1, max_size=4).filter(lambda shape: prod(shape) <= 64)


def mean_load(shape, i):
    """Packets over a link of dimension i, if each switch sends one to each: the mean by symmetry.

    The N² packets make N² · Σ min(o, k - o) / k hops in it, over 2 N links, or N if k = 2.
    """
    switches, k = prod(shape), shape[i]
    total = switches**2 * Fraction(sum(min(o, k - o) for o in range(k)), k)
    return total / (switches * (1 if k == 2 else 2))


def expected_loads(shape, i):
    """The loads that the links of dimension i may have."""
    others_even = any(size % 2 == 0 for j, size in enumerate(shape) if j != i)
    mean = mean_load(shape, i)
    exact = shape[i] == 2 or shape[i] % 4 != 2 or others_even
    return {mean} if exact else {floor(mean), ceil(mean)}


@given(small)
def test_every_link_of_a_dimension_has_the_mean_load_or_half_a_packet_more_or_less(shape):
    topology, routes = torus(shape), torus_parity_order(shape)
    load = np.zeros(topology.peer.shape, dtype=int)
    for _, _, links in all_walks(topology, routes):
        for switch, port, _ in links:
            load[switch, port] += 1
    for i in range(len(shape)):
        ports = [2 * i] if shape[i] == 2 else [2 * i, 2 * i + 1]
        assert set(load[:, ports].ravel().tolist()) == expected_loads(shape, i)


@given(small)
def test_only_ties_differ_from_those_in_the_positive_direction(shape):
    topology, positive, parity = torus(shape), torus_order(shape), torus_parity_order(shape)
    for (source, end, links), (_, _, others) in zip(
        all_walks(topology, positive), all_walks(topology, parity), strict=True
    ):
        offset = np.subtract(np.unravel_index(end, shape, order="F"), np.unravel_index(source, shape, order="F"))
        ties = {i for i, (o, k) in enumerate(zip(offset, shape, strict=True)) if 2 * (o % k) == k}
        assert [port // 2 for _, port, _ in links] == [port // 2 for _, port, _ in others]
        no_tie = [[port for _, port, _ in route if port // 2 not in ties] for route in (links, others)]
        assert no_tie[0] == no_tie[1]


def test_tables_have_two_rows_at_most_and_source_routes_only_where_sizes_need_them():
    assert torus_parity_order((16, 16, 16)).next_port.shape == (2, 4096)
    assert torus_parity_order((5, 7, 2)).next_port.shape == (1, 70)
    routes = torus_parity_order((6, 4))
    assert len(routes.paths.starts) == 2 * 24 + 1
    assert hops(torus((6, 4)), routes).shape == (2, 24)


SHORTER = "1423 4132 2314 3241"


@for_each("side", [4, 8, 12, 16, 20, 32])
@for_each("tile", [ALPHA, SHORTER, "1212 2121 1212 2121", "1111 1111 1111 1111"])
def test_every_route_arrives(side, tile):
    length = hops(rdt(side, tile), vector_routing(side, tile))
    assert length.shape == (8, side * side)


@for_each(
    ("side", "tile", "longest", "mean"),
    [(64, ALPHA, 9, 5.7608), (64, SHORTER, 9, 5.7388), (128, ALPHA, 10, 6.7516)],
)
def test_routes_are_hardly_longer_than_the_shortest_paths(side, tile, longest, mean):
    routes, topology = vector_routing(side, tile), rdt(side, tile)
    length = hops(topology, routes)
    assert (length.max(), round(length.mean(), 4)) == (longest, mean)
    sources = np.unique(routes.row, return_index=True)[1]
    shortest = np.array(graph_of(topology).distances(sources.tolist()))
    target = (np.arange(side * side) % side + (sources % side)[:, None]) % side
    target += side * ((np.arange(side * side) // side + (sources // side)[:, None]) % side)
    shortest = np.take_along_axis(shortest, target, axis=1)
    assert (length >= shortest).all()
    assert length.mean() < 1.04 * shortest.mean()


def test_a_walk_visits_the_required_ranks_at_the_marked_nodes_and_ends_at_its_offset():
    (port, rank_at), ranks = base_walks(ALPHA), ranks_of_tile(ALPHA)
    steps = np.array([(1, 0), (-1, 0), (0, 1), (0, -1)])
    for x, y in ((x, y) for x in range(4) for y in range(4)):
        for required in range(16):
            for end in ((0, 0), (3, -3), (-2, 1)):
                index = (int(class_at(np.array(x), np.array(y))), required, end[0] + 3, end[1] + 3)
                ports = port[index][port[index] >= 0]
                nodes = np.array((x, y)) + np.vstack([(0, 0), np.cumsum(steps[ports], axis=0).reshape(-1, 2)])
                assert (nodes[-1] - nodes[0]).tolist() == list(end)
                marked = [(int(rank), node % 4) for rank, node in zip(rank_at[index], nodes, strict=False) if rank]
                assert sorted(rank for rank, _ in marked) == [rank for rank in range(1, 5) if required >> rank - 1 & 1]
                assert all(ranks[tuple(node)] == rank for rank, node in marked)


def test_walks_without_required_ranks_have_minimum_length():
    lengths = (base_walks(ALPHA)[0] >= 0).sum(axis=-1)
    distance = np.abs(np.arange(-3, 4))
    assert (lengths[:, 0] == distance[:, None] + distance).all()
