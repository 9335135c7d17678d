import re

import numpy as np
import pytest

from isoplane.models import InputError
from isoplane.models.topologies import rdt, torus
from isoplane.models.topologies.rdt import ALPHA, rank_vectors, ranks_of_tile
from tests.cases import for_each
from tests.models.graphs import graph_of

SHORTER = "1423 4132 2314 3241"


def corners(side):
    """Return one node per position of the tile; every node is equivalent to one of them."""
    return [x + side * y for x in range(4) for y in range(4)]


@for_each(
    ("side", "tile", "diameter"),
    [(64, ALPHA, 8), (128, ALPHA, 10), (256, ALPHA, 12), (64, SHORTER, 8), (128, SHORTER, 9), (256, SHORTER, 11)],
)
def test_rdt_has_the_published_diameters(side, tile, diameter):
    assert max(graph_of(rdt(side, tile)).eccentricity(corners(side))) == diameter


@for_each(("side", "degree_of_rank_4"), [(64, 4), (128, 6), (256, 8)])
def test_links_of_rank_4_vanish_or_coincide_on_small_tori(side, degree_of_rank_4):
    ranks, degrees = ranks_of_tile(ALPHA), np.array(graph_of(rdt(side)).degree())
    for node in corners(side):
        rank = ranks[node % side, node // side]
        assert degrees[node] == (degree_of_rank_4 if rank == 4 else 8)


@for_each("side", [4, 8, 12, 16, 20, 32, 64])
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


@for_each(
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
