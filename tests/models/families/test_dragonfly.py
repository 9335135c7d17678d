"""Dragonflies: their cables against igraph, their routes, and the loads of adversarial traffic."""

from collections import Counter
from itertools import combinations

import igraph
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Design, InputError, Network, Site
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.hyperx import HyperX
from isoplane.models.routing import channel_cycle, hops, links_of_route
from isoplane.objectives import metrics_of
from isoplane.objectives.reference import reference_metrics

ARRANGEMENTS = ("absolute", "relative", "circulant")


@st.composite
def dragonflies(draw):
    """A small dragonfly, balanced or not."""
    a, h = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    groups = draw(st.integers(2, a * h + 1))
    arrangement = draw(st.sampled_from(ARRANGEMENTS))
    return Dragonfly(switches_per_group=a, global_ports=h, groups=groups, arrangement=arrangement)


def cable_list(family):
    """Each cable as a pair of switches, with repetitions for parallel ones."""
    peer = family.topology().peer
    return sorted((a, int(b)) for a, row in enumerate(peer) for b in row if a < b)


@given(dragonflies())
def test_groups_are_complete_graphs_with_equally_many_cables_between_them(family):
    a, cables = family.switches_per_group, cable_list(family)
    inside = [(one, other) for one, other in cables if one // a == other // a]
    groups = range(family.groups)
    assert inside == [(j * a + x, j * a + y) for j in groups for x, y in combinations(range(a), 2)]
    between = Counter((one // a, other // a) for one, other in cables if one // a != other // a)
    assert between == dict.fromkeys(combinations(groups, 2), a * family.global_ports // (family.groups - 1))
    assert len(cables) == family.cables
    (plane,) = Network(family).planes
    assert plane.ports_used.max() <= family.ports


@given(dragonflies())
def test_a_minimal_route_has_at_most_one_global_hop_and_no_deadlock(family):
    (plane,) = Network(family).planes
    a, count = family.switches_per_group, hops(plane.topology, plane.routes)
    group = np.arange(family.switches) // a
    same = group[:, None] == group
    assert count[same].max() <= 1
    assert count.max() <= 3
    assert channel_cycle(plane.topology, plane.routes, 2) is None
    for source, destination in ((0, family.switches - 1), (family.switches - 1, 0)):
        links = links_of_route(plane.topology, plane.routes, source, destination)
        crossed = sum(group[switch] != group[plane.topology.peer[switch, port]] for switch, port, _ in links)
        assert crossed == (group[source] != group[destination])


@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
@pytest.mark.parametrize(("a", "h"), [(2, 1), (4, 2), (6, 3)])
def test_a_balanced_dragonfly_of_full_size_has_diameter_three(arrangement, a, h):
    family = Dragonfly(switches_per_group=a, global_ports=h, groups=a * h + 1, arrangement=arrangement)
    graph = igraph.Graph(n=family.switches, edges=cable_list(family))
    assert graph.is_simple()
    assert set(graph.degree()) == {a - 1 + h}
    assert graph.diameter() == 3


def test_arrangements_are_those_of_their_paper():
    # Groups at the other end of the cables 0, 1, 2, 3 of group 2 of five.
    def others(arrangement):
        family = Dragonfly(switches_per_group=4, global_ports=1, groups=5, arrangement=arrangement)
        return [int(family.topology().peer[2 * 4 + switch, 3]) // 4 for switch in range(4)]

    assert others("absolute") == [0, 1, 3, 4]
    assert others("relative") == [3, 4, 0, 1]
    assert others("circulant") == [3, 1, 4, 0]


def test_metrics_agree_with_the_reference():
    network = Network(Dragonfly(), Site(layout=None))
    assert metrics_of(Design(network)) == reference_metrics(network)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"groups": 10}, "network.groups=10: expected an integer from 2 to 9"),
        ({"arrangement": "palm"}, "network.arrangement='palm': expected absolute, relative, circulant"),
        ({"arrangement": {"palm": 1}}, "network.arrangement={'palm': 1}: expected absolute, relative, circulant"),
        ({"routing": "ugal"}, "network.routing='ugal': expected minimal, up_down, shortest, hop_classes"),
        ({"global_ports": 0}, "network.global_ports=0: expected an integer from 1 to 128"),
    ],
)
def test_a_wrong_parameter_is_named(values, says):
    with pytest.raises(InputError, match=says):
        Dragonfly(**values)


@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
@pytest.mark.parametrize(("a", "groups"), [(2, 2), (3, 5), (5, 3), (4, 4)])
def test_a_dragonfly_of_a_cable_from_each_switch_to_each_other_group_is_a_hyperx(arrangement, a, groups):
    fly = Dragonfly(switches_per_group=a, global_ports=groups - 1, groups=groups, arrangement=arrangement)
    grid = HyperX(shape=(a, groups), nodes_per_switch=fly.nodes_per_switch, node_cable_m=2.0)
    assert cable_list(fly) == cable_list(grid)
    assert fly.throughput_bound == grid.throughput_bound
