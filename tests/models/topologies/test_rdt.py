import re

import numpy as np
import pytest

from isoplane.models import InputError
from isoplane.models.topologies import rdt, torus
from isoplane.models.topologies.rdt import ALPHA, rank_vectors, ranks_of_tile
from tests.models.graphs import graph_of

SHORTER = "1423 4132 2314 3241"


def corners(side):
    """Return one node per position of the tile; every node is equivalent to one of them."""
    return [x + side * y for x in range(4) for y in range(4)]


@pytest.mark.parametrize(
    ("side", "tile", "diameter"),
    [(64, ALPHA, 8), (128, ALPHA, 10), (256, ALPHA, 12), (64, SHORTER, 8), (128, SHORTER, 9), (256, SHORTER, 11)],
)
def test_rdt_has_the_published_diameters(side, tile, diameter):
    assert max(graph_of(rdt(side, tile)).eccentricity(corners(side))) == diameter


def test_vectors_of_a_rank_are_twice_the_sum_and_the_difference_of_those_below():
    assert [rank_vectors(rank) for rank in (0, 1, 2)] == [((1, 0), (0, 1)), ((2, 2), (2, -2)), ((8, 0), (0, 8))]
    assert [rank_vectors(rank) for rank in (3, 4)] == [((16, 16), (16, -16)), ((64, 0), (0, 64))]


@pytest.mark.parametrize(("side", "degree_of_rank_4"), [(64, 4), (128, 6), (256, 8)])
def test_links_of_rank_4_vanish_or_coincide_on_small_tori(side, degree_of_rank_4):
    ranks, degrees = ranks_of_tile(ALPHA), np.array(graph_of(rdt(side)).degree())
    for node in corners(side):
        rank = ranks[node % side, node // side]
        assert degrees[node] == (degree_of_rank_4 if rank == 4 else 8)


@pytest.mark.parametrize("side", [4, 8, 12, 16, 20, 32, 64])
def test_no_two_cables_join_the_same_switches(side):
    graph = graph_of(rdt(side))
    assert graph.is_simple()
    assert graph.is_connected()


def test_the_base_torus_is_at_ports_0_to_3():
    assert np.array_equal(rdt(16).peer[:, :4], torus((16, 16)).peer)


def test_upper_links_follow_the_vectors_of_the_rank_of_their_node():
    topology, ranks = rdt(256), ranks_of_tile(ALPHA)
    for node in corners(256):
        (a, b), (c, d) = rank_vectors(int(ranks[node % 256, node // 256]))
        for port, (x, y) in enumerate(((a, b), (-a, -b), (c, d), (-c, -d)), start=4):
            assert topology.peer[node, port] == (node % 256 + x) % 256 + 256 * ((node // 256 + y) % 256)


def test_every_node_is_at_most_one_hop_of_rank_0_from_a_node_of_every_rank():
    ranks = ranks_of_tile(ALPHA)
    neighbourhood = np.stack([ranks, *(np.roll(ranks, step, axis) for step in (1, -1) for axis in (0, 1))])
    assert all((neighbourhood == rank).any(axis=0).all() for rank in (1, 2, 3, 4))


def test_a_tile_may_have_fewer_ranks():
    assert set(graph_of(rdt(64, "1212 2121 1212 2121")).degree()) == {8}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((62,), "side=62: expected a multiple of 4 up to 1024"),
        ((2,), "side=2: expected an integer from 4 to 1024"),
        ((64, "1443 2312 4314"), f"tile='1443 2312 4314': expected four rows of four ranks, as in '{ALPHA}'"),
        ((64, 1443), f"tile=1443: expected four rows of four ranks, as in '{ALPHA}'"),
        ((64, "1443 2312 4314 122a"), "expected four rows of four ranks"),
        ((64, "1414 4141 1414 4141"), "tile='1414 4141 1414 4141': expected all ranks from 1 to the highest"),
        ((64, "1443 2312 4314 1232"), "expected equal ranks at (x, y) and (x + 2, y + 2)"),
    ],
)
def test_a_bad_side_or_tile_is_reported_with_the_allowed_values(arguments, message):
    with pytest.raises(InputError, match=re.escape(message)):
        rdt(*arguments)
