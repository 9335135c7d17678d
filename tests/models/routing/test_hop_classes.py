import pytest
from hypothesis import given

from isoplane.models import InputError
from isoplane.models.routing import channel_cycle, forwarding_table, hop_classes, links_of_route, vector_routing
from isoplane.models.topologies import graph, rdt, torus
from tests.models.graphs import distances
from tests.models.routing.test_deadlock import check_against_all_pairs
from tests.strategies import connected_edges


@given(connected_edges(8))
def test_shortest_paths_with_a_class_per_hop_are_free_of_deadlock(edges):
    topology = graph(edges)
    routes = hop_classes(topology, forwarding_table(topology))
    distance = distances(topology)
    assert routes.channels.classes == distance.max()
    assert check_against_all_pairs(topology, routes, int(distance.max())) is None
    for source in range(topology.switches):
        for destination in range(topology.switches):
            classes = [link[2] for link in links_of_route(topology, routes, source, destination)]
            assert classes == list(range(distance[source, destination]))


def test_whole_paths_have_classes_by_hop_as_well():
    topology, routes = rdt(8), vector_routing(8)
    assert channel_cycle(topology, routes, 16) is not None
    assert check_against_all_pairs(topology, hop_classes(topology, routes), 16) is None


def test_a_ring_of_eight_needs_four_channels():
    topology = torus((8,))
    with pytest.raises(InputError, match=r"^virtual_channels=3: expected an integer of at least 4"):
        channel_cycle(topology, hop_classes(topology, forwarding_table(topology)), 3)
