import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError
from isoplane.models.routing import channel_cycle, hops, up_down
from isoplane.models.topologies import graph, torus
from tests.models.graphs import all_walks, distances
from tests.strategies import connected_edges


@given(connected_edges(12), st.integers(0, 11))
def test_no_up_hop_follows_a_down_hop(edges, root):
    topology = graph(edges)
    root %= topology.switches
    level = distances(topology)[root]
    for source, destination, links in all_walks(topology, up_down(topology, root)):
        visited = [switch for switch, _, _ in links] + [destination]
        assert visited[0] == source
        heights = [(level[switch], switch) for switch in visited]
        top = heights.index(min(heights))
        assert heights == sorted(heights[: top + 1], reverse=True) + sorted(heights[top + 1 :])


@given(connected_edges(16), st.integers(0, 15))
def test_up_down_is_free_of_deadlock_on_any_graph(edges, root):
    topology = graph(edges)
    assert channel_cycle(topology, up_down(topology, root % topology.switches), virtual_channels=1) is None


def test_a_switch_forwards_up_if_that_is_shorter_and_no_route_comes_down_through_it():
    # A wheel with an open rim: from 1 to 5 either down through 2, 3 and 4, or up to the root and down.
    topology = graph([(0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 2), (2, 3), (3, 4), (4, 5)])
    assert hops(topology, up_down(topology))[1].tolist() == [1, 0, 1, 2, 2, 2]


def test_disconnected_switches_are_reported():
    with pytest.raises(InputError, match=re.escape("topology: no cables lead from switch 0 to switch 2; expected")):
        up_down(graph([(0, 1), (2, 3)]))


def test_the_root_is_a_switch():
    with pytest.raises(InputError, match=re.escape("root=4: expected an integer from 0 to 3")):
        up_down(torus((4,)), root=4)
