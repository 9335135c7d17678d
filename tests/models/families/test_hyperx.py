"""HyperX networks: the Hamming graph, its routes and its extreme cases."""

from itertools import combinations
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Design, InputError, Network, Site
from isoplane.models.families.hyperx import HyperX
from isoplane.models.routing import channel_cycle, hops
from isoplane.models.topologies import torus
from isoplane.objectives import metrics_of
from isoplane.objectives.reference import reference_metrics

shapes = st.lists(st.integers(2, 5), min_size=1, max_size=4).filter(lambda shape: prod(shape) <= 120)


@given(shapes, st.integers(1, 3))
def test_switches_that_differ_in_one_coordinate_are_connected(shape, nodes_per_switch):
    family = HyperX(shape=tuple(shape), nodes_per_switch=nodes_per_switch)
    (plane,) = Network(family).planes
    place = [np.unravel_index(i, shape, order="F") for i in range(family.switches)]
    expected = [
        (a, b)
        for a, b in combinations(range(family.switches), 2)
        if sum(one != other for one, other in zip(place[a], place[b], strict=True)) == 1
    ]
    found = [(a, int(b)) for a, peers in enumerate(plane.topology.peer) for b in peers if a < b]
    assert sorted(found) == expected
    assert len(found) == family.cables
    assert plane.ports_used.tolist() == [family.ports] * family.switches


@given(shapes)
def test_a_route_corrects_each_coordinate_in_one_hop_without_deadlock(shape):
    (plane,) = Network(HyperX(shape=tuple(shape))).planes
    offset = np.array(np.unravel_index(np.arange(prod(shape)), shape, order="F"))
    assert hops(plane.topology, plane.routes).tolist() == [(offset != 0).sum(axis=0).tolist()]
    assert channel_cycle(plane.topology, plane.routes, 1) is None


@given(st.integers(1, 7))
def test_sides_of_two_are_a_hypercube(n):
    assert np.array_equal(HyperX(shape=(2,) * n).topology().peer, torus((2,) * n).peer[:, ::2])


@pytest.mark.parametrize("shape", [(4,), (3, 4), (3, 3, 3)])
def test_all_links_have_the_load_of_uniform_traffic(shape):
    # With P nodes at each of N switches, one in S of the packets of a line of S switches makes a given correction of
    # another: in each dimension a link carries P² N / S packets.
    network = Network(HyperX(shape=shape, nodes_per_switch=2), Site(layout=None))
    metrics = metrics_of(Design(network))
    assert metrics["peak_load"] == max(4 * prod(shape) // size for size in shape)
    assert metrics == reference_metrics(network)


def test_a_wrong_shape_is_named():
    with pytest.raises(InputError, match="network.shape=1: expected an integer from 2 to"):
        HyperX(shape=(4, 1))
