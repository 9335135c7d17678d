import numpy as np

from isoplane.models.topologies import mesh, torus
from tests.cases import for_each
from tests.models.graphs import distances


@for_each("shape", [(2,), (5,), (4, 3), (2, 3, 4)])
def test_distances_are_the_differences_of_the_coordinates(shape):
    distance = distances(mesh(shape))
    for source in range(len(distance)):
        for destination in range(len(distance)):
            coordinates = np.unravel_index([source, destination], shape, order="F")
            assert distance[source, destination] == sum(abs(int(a) - int(b)) for a, b in coordinates)


def test_a_mesh_is_a_torus_without_wraparound_cables():
    unwrapped, wrapped = mesh((4, 3)), torus((4, 3))
    cabled = unwrapped.peer >= 0
    assert np.array_equal(unwrapped.peer[cabled], wrapped.peer[cabled])
    assert np.array_equal(unwrapped.peer_port[cabled], wrapped.peer_port[cabled])
    assert cabled.sum() == wrapped.peer.size - 2 * (4 + 3)
