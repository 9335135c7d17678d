from isoplane.models.topologies import torus
from tests.models.graphs import distances


def test_distances_are_those_of_the_shorter_directions_round_the_rings():
    distance = distances(torus((5, 4)))
    for source in range(20):
        for destination in range(20):
            dx, dy = (destination - source) % 5, (destination // 5 - source // 5) % 4
            assert distance[source, destination] == min(dx, 5 - dx) + min(dy, 4 - dy)


def test_even_ports_lead_forwards_and_odd_ports_backwards():
    topology = torus((4, 3))
    assert topology.peer[5].tolist() == [6, 4, 9, 1]  # x = 1, y = 1
    assert topology.peer_port[5].tolist() == [1, 0, 3, 2]


def test_in_a_dimension_of_size_two_one_cable_connects_the_even_ports():
    topology = torus((2, 3))
    assert topology.peer[:, 0].tolist() == [1, 0, 3, 2, 5, 4]
    assert set(topology.peer_port[:, 0].tolist()) == {0}
    assert set(topology.peer[:, 1].tolist()) == {-1}
