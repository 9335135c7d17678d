import numpy as np

from isoplane.models.routing import hops, vector_routing
from isoplane.models.routing.grids.base_walks import base_walks, class_at
from isoplane.models.topologies import rdt
from isoplane.models.topologies.rdt import ALPHA, ranks_of_tile
from tests.cases import for_each
from tests.models.graphs import graph_of

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


def test_switches_of_the_same_class_have_the_same_ranks_around_them():
    ranks = ranks_of_tile(ALPHA)
    x, y = np.divmod(np.arange(16), 4)
    classes = class_at(x, y)
    assert sorted(np.bincount(classes)) == [2] * 8
    around = [
        [int(ranks[(a + i) % 4, (b + j) % 4]) for i in range(4) for j in range(4)] for a, b in zip(x, y, strict=True)
    ]
    for class_number in range(8):
        assert len({tuple(around[i]) for i in np.flatnonzero(classes == class_number)}) == 1


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
