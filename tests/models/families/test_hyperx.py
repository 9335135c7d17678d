"""HyperX networks: the Hamming graph and the loads of its routes."""

from math import prod

import numpy as np
from hypothesis import given

from isoplane.models import Design, Network, Site
from isoplane.models.families.hyperx import HyperX
from isoplane.models.routing import ROUTINGS, links_of_route
from isoplane.objectives import metrics_of
from isoplane.objectives.reference import reference_metrics
from tests.cases import for_each
from tests.models.families.members import hyperx


@given(hyperx())
def test_each_pair_of_a_line_has_as_many_cables_as_stated(family):
    (plane,) = Network(family).planes
    peer, peer_port = plane.topology.peer, plane.topology.peer_port
    cables = np.broadcast_to(family.cables_per_pair, len(family.shape))
    place = np.array(np.unravel_index(np.arange(family.switches), family.shape, order="F")).T
    count = np.zeros((family.switches, family.switches), dtype=int)
    np.add.at(count, (np.arange(family.switches)[:, None], peer), 1)
    differs = place[:, None] != place
    assert np.array_equal(
        count,
        np.where(differs.sum(axis=2) == 1, differs @ cables, 0),
    )
    assert (peer_port[peer, peer_port] == np.arange(peer.shape[1])).all()


@given(hyperx())
def test_parallel_cables_share_the_traffic_to_the_nodes_beyond_them(family):
    # Dimension order: the nodes of the switches that differ from one end in lower dimensions only send over a link to
    # the P E nodes of the switches that differ from its other end in higher ones; K cables take P E / K of these.
    (plane,) = Network(family).planes
    load = np.zeros(plane.topology.peer.shape, dtype=int)
    for source in plane.node_switch:
        for column in plane.routes.targets(plane.node_switch):
            for switch, port, _ in links_of_route(plane.topology, plane.routes, int(source), int(column)):
                load[switch, port] += 1
    first, cables = 0, np.broadcast_to(family.cables_per_pair, len(family.shape)).tolist()
    for i, (size, each) in enumerate(zip(family.shape, cables, strict=True)):
        sources = family.nodes_per_switch * prod(family.shape[:i])
        beyond = family.nodes_per_switch * prod(family.shape[i + 1 :])
        shares = load[:, first : first + (size - 1) * each].reshape(-1, each)
        expected = sorted(sources * (beyond // each + (cable < beyond % each)) for cable in range(each))
        assert (np.sort(shares, axis=1) == expected).all()
        first += (size - 1) * each


@for_each("routing", ROUTINGS)
def test_metrics_with_parallel_cables_agree_with_the_reference(routing):
    network = Network(
        HyperX(shape=(3, 4), cables_per_pair=(2, 3), nodes_per_switch=3, routing=routing), Site(layout=None)
    )
    assert metrics_of(Design(network)) == reference_metrics(network)


def test_equal_numbers_of_cables_are_one_number_and_one_cable_is_not_recorded():
    assert HyperX(shape=(3, 4), cables_per_pair=[2, 2]) == HyperX(shape=(3, 4), cables_per_pair=2)
    assert "cables_per_pair" not in HyperX(cables_per_pair=(1, 1)).write()["network"]
    assert HyperX(shape=(3, 4), cables_per_pair=(1, 2)).size_label == "3x4, 1x2 cables per pair"
