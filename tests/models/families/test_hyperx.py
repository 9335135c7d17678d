"""HyperX networks: the Hamming graph, its routes and its extreme cases."""

from itertools import combinations
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Design, InputError, Network, Site, family_named
from isoplane.models.families.hyperx import HyperX
from isoplane.models.routing import ROUTINGS, channel_cycle, hops, links_of_route
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


@st.composite
def parallel(draw):
    """A HyperX network with parallel cables in some dimension, and the number for each dimension."""
    shape = tuple(draw(shapes.filter(lambda shape: prod(shape) <= 40)))
    cables = draw(st.lists(st.integers(1, 4), min_size=len(shape), max_size=len(shape)).filter(lambda k: max(k) > 1))
    return HyperX(shape=shape, cables_per_pair=tuple(cables), nodes_per_switch=draw(st.integers(1, 5))), cables


@given(parallel())
def test_each_pair_of_a_line_has_as_many_cables_as_stated(found):
    family, cables = found
    (plane,) = Network(family).planes
    peer, peer_port = plane.topology.peer, plane.topology.peer_port
    place = np.array(np.unravel_index(np.arange(family.switches), family.shape, order="F")).T
    count = np.zeros((family.switches, family.switches), dtype=int)
    np.add.at(count, (np.arange(family.switches)[:, None], peer), 1)
    differs = place[:, None] != place
    assert np.array_equal(count, np.where(differs.sum(axis=2) == 1, differs @ np.array(cables), 0))
    assert (peer_port[peer, peer_port] == np.arange(peer.shape[1])).all()
    assert count.sum() == 2 * family.cables
    assert plane.ports_used.tolist() == [family.ports] * family.switches


@given(parallel())
def test_links_across_the_middle_of_an_even_dimension_have_the_stated_share_of_the_rate_of_half_of_the_nodes(found):
    family, cables = found
    place = np.array(np.unravel_index(np.arange(family.switches), family.shape, order="F")).T
    peer = family.topology().peer
    for i, (size, each) in enumerate(zip(family.shape, cables, strict=True)):
        if size % 2 == 0:
            lower = place[:, i] < size // 2
            crossing = np.count_nonzero(lower[:, None] & ~lower[peer])
            assert 2 * family.nodes_per_switch * crossing == each * size * (family.nodes // 2)


@given(parallel())
def test_parallel_cables_share_the_traffic_to_the_nodes_beyond_them(found):
    # Dimension order: the nodes of the switches that differ from one end in lower dimensions only send over a link to
    # the P E nodes of the switches that differ from its other end in higher ones; K cables take P E / K of these.
    family, cables = found
    (plane,) = Network(family).planes
    load = np.zeros(plane.topology.peer.shape, dtype=int)
    for source in plane.node_switch:
        for column in plane.routes.targets(plane.node_switch):
            for switch, port, _ in links_of_route(plane.topology, plane.routes, int(source), int(column)):
                load[switch, port] += 1
    first = 0
    for i, (size, each) in enumerate(zip(family.shape, cables, strict=True)):
        sources = family.nodes_per_switch * prod(family.shape[:i])
        beyond = family.nodes_per_switch * prod(family.shape[i + 1 :])
        shares = load[:, first : first + (size - 1) * each].reshape(-1, each)
        expected = sorted(sources * (beyond // each + (cable < beyond % each)) for cable in range(each))
        assert (np.sort(shares, axis=1) == expected).all()
        first += (size - 1) * each


@given(parallel())
def test_routes_over_parallel_cables_are_shortest_without_deadlock(found):
    family, _ = found
    (plane,) = Network(family).planes
    place = np.array(np.unravel_index(np.arange(family.switches), family.shape, order="F")).T
    distance = (place[:, None] != place).sum(axis=2)
    assert np.array_equal(
        hops(plane.topology, plane.routes), distance[:, plane.routes.switch_of(np.arange(plane.routes.columns))]
    )
    assert channel_cycle(plane.topology, plane.routes, 1) is None


@pytest.mark.parametrize("routing", ["dimension_order", *ROUTINGS])
def test_metrics_with_parallel_cables_agree_with_the_reference(routing):
    network = Network(
        HyperX(shape=(3, 4), cables_per_pair=(2, 3), nodes_per_switch=3, routing=routing), Site(layout=None)
    )
    assert metrics_of(Design(network)) == reference_metrics(network)


def test_equal_numbers_of_cables_are_one_number_and_one_cable_is_not_recorded():
    assert HyperX(shape=(3, 4), cables_per_pair=[2, 2]) == HyperX(shape=(3, 4), cables_per_pair=2)
    assert "cables_per_pair" not in HyperX(cables_per_pair=(1, 1)).write()["network"]
    family = HyperX(shape=(3, 4), cables_per_pair=(1, 2), nodes_per_switch=2)
    assert HyperX.read({**family.write()["network"], "nodes_per_switch": 2}) == family
    assert (family.degree, family.cables, family.size_label) == (2 + 6, 12 * 8 // 2, "3x4, 1x2 cables per pair")
    assert family_named("hyperx").read({"shape": [3, 4], "cables_per_pair": [1, 2], "nodes_per_switch": 2}) == family


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"shape": (4, 1)}, "network.shape=1: expected an integer from 2 to"),
        ({"cables_per_pair": 0}, "network.cables_per_pair=0: expected an integer from 1 to 256"),
        ({"cables_per_pair": (1, 2, 3)}, r"network.cables_per_pair=\[1, 2, 3\]: expected one number, or 2, one per"),
    ],
)
def test_a_wrong_parameter_is_named(values, says):
    with pytest.raises(InputError, match=says):
        HyperX(**values)


def test_more_ports_than_tables_can_hold_are_rejected():
    with pytest.raises(InputError, match=r"shape=\[70000\]: 69999 ports per switch; expected at most 65534"):
        HyperX(shape=(70000,)).topology()


def test_a_table_that_takes_too_much_memory_is_rejected():
    # 128² switches, and two columns for each: twice as many routes as there may be.
    with pytest.raises(InputError, match=rf"{2**14} x {2**15} routes to nodes over parallel cables; expected at most"):
        HyperX(shape=(128, 128), cables_per_pair=2, nodes_per_switch=4).routes()
