import numpy as np
import pytest

from isoplane.models.topologies import mesh, torus
from tests.models.graphs import distances


@pytest.mark.parametrize("shape", [(2,), (5,), (4, 3), (2, 3, 4)])
def test_distances_are_the_differences_of_the_coordinates(shape):
    apart = distances(mesh(shape))
    for source in range(len(apart)):
        for destination in range(len(apart)):
            ends = zip(np.unravel_index([source, destination], shape, order="F"), strict=False)
            assert apart[source, destination] == sum(abs(int(place[0][0]) - int(place[0][1])) for place in ends)


def test_a_mesh_is_a_torus_without_wraparound_cables():
    open_ends, closed = mesh((4, 3)), torus((4, 3))
    there = open_ends.peer >= 0
    assert np.array_equal(open_ends.peer[there], closed.peer[there])
    assert np.array_equal(open_ends.peer_port[there], closed.peer_port[there])
    assert there.sum() == closed.peer.size - 2 * (4 + 3)
