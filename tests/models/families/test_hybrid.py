"""The packet network of hybrid networks as a plane."""

from fractions import Fraction

import numpy as np

from isoplane.models import Hybrid, Network
from isoplane.models.routing import channel_cycle, links_of_route
from isoplane.objectives.general import all_distances, all_to_all_loads, general_exact
from isoplane.objectives.reference.general import measure_general
from tests.cases import for_each


def test_messages_between_groups_go_through_the_root_switch():
    (plane,) = Network(Hybrid(3, 2)).planes
    targets = plane.routes.targets(plane.node_switch)
    routes = [links_of_route(plane.topology, plane.routes, 0, int(targets[node])) for node in (1, 2, 5)]
    assert [[(switch, port) for switch, port, _ in links] for links in routes] == [
        [],
        [(0, 0), (3, 1)],
        [(0, 0), (3, 2)],
    ]
    assert channel_cycle(plane.topology, plane.routes, 1) is None


def test_rates_and_delays_are_those_of_the_family():
    (plane,) = Network(Hybrid(2, 3, node_gbps=9.5, up_gbps=Fraction(32), link_ns="20.001", switch_ns=7)).planes
    timing, cabled = plane.timing, plane.topology.peer >= 0
    assert timing.rate_mbps.tolist() == np.where(cabled, 32_000, 0).tolist()
    assert timing.delay_ps.tolist() == np.where(cabled, 20_001, 0).tolist()
    assert set(timing.node_rate_mbps.tolist()) == {9500}
    assert set(timing.node_delay_ps.tolist()) == {20_001}
    assert timing.switch_delay_ps.tolist() == [7000] * 3


@for_each(("groups", "size"), [(2, 1), (3, 4), (5, 2)])
def test_the_general_evaluator_and_the_reference_agree(groups, size):
    network = Network(Hybrid(groups, size))
    exact, reference = general_exact(network), measure_general(network)
    assert (exact.total_hops, exact.diameter) == (reference.total_hops, reference.diameter)
    assert Fraction(exact.peak_load, exact.parts) == reference.peak_load
    # Two hops to each node of other groups; an uplink carries what a group sends them, at 64/10 of the rate of a node.
    others = (groups - 1) * size
    assert exact.total_hops == network.nodes * 2 * others == all_distances(network).total_hops
    assert Fraction(exact.peak_load, exact.parts) == Fraction(size * others * 10, 64)
    assert all_to_all_loads(network).load[0].max() == size * others
