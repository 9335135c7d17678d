"""Checks of orders against walks link by link, and the links of messages under plane policies."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError, Network
from isoplane.models.exchanges.all_to_all import ExchangeOrder
from isoplane.models.exchanges.exchange_orders import order_named
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.random_regular import RandomRegular
from isoplane.models.families.torus import Torus
from isoplane.models.planes.links import CABLE, INTO, OUT, link_kinds, link_titles
from isoplane.models.routing import links_of_route
from isoplane.objectives.exchanges import check_order, message_links
from tests.cases import for_each

NETWORKS = [
    Network(Torus(shape=(3, 4))),
    Network(Torus(shape=(5,), nodes_per_switch=2, node_cable_m=2.0)),
    Network(RandomRegular(switches=8, degree=3, nodes_per_switch=2)),
    Network(HyperX(shape=(3, 3), nodes_per_switch=1, node_cable_m=2.0)),
]


def walk(network, source, destination):
    """Return the links of a message in a network of one plane, as ends, from a walk switch by switch."""
    (plane,) = network.planes
    ends = int(plane.node_switch[source]), int(plane.node_switch[destination])
    between = [(switch, port) for switch, port, _ in links_of_route(plane.topology, plane.routes, *ends)]
    return between if network.node_cable_mm is None else [("out", source), *between, ("into", destination)]


@st.composite
def orders(draw, network):
    """Return an order of a random job: each pair in the first of its random phases in which it fits."""
    processes = draw(st.integers(2, network.nodes))
    rng = np.random.default_rng(draw(st.integers(0, 1 << 20)))
    phases = 2 * processes
    destination = np.full((phases, processes), -1)
    for source, target in rng.permutation([(s, d) for s in range(processes) for d in range(processes) if s != d]):
        fits = (destination[:, source] < 0) & ~(destination == target).any(axis=1)
        destination[rng.choice(np.flatnonzero(fits)), source] = target
    return ExchangeOrder("random", rng.permutation(network.nodes)[:processes], destination)


@for_each("network", NETWORKS)
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_the_counts_are_those_of_walks(network, data):
    order = data.draw(orders(network))
    checked, load, expected = check_order(network, order), Counter(), Counter()
    for number, phase in enumerate(order.destination.tolist()):
        sent = [(order.nodes[source], order.nodes[target]) for source, target in enumerate(phase) if target >= 0]
        counts = Counter(link for pair in sent for link in walk(network, *map(int, pair)))
        load.update(counts)
        assert checked.busiest[number] == max(counts.values(), default=0)
        expected.update((number, messages) for messages in counts.values() if messages > 1)
    phases, _, messages_of = checked.collisions
    assert Counter(zip(phases.tolist(), messages_of.tolist(), strict=True)) == expected
    assert checked.contention_free == (not expected)
    assert checked.heaviest_load == max(load.values())
    assert checked.bound == max(order.processes - 1, max(load.values()))


def test_every_link_has_a_name_of_its_own():
    network = Network(MultiPlane(plane=Torus(shape=(3,), node_cable_m=2.0), planes=2))
    kinds = link_kinds(network.plane_links)
    titles = link_titles(network.plane_links, range(len(kinds)))
    assert len(set(titles)) == len(titles)
    starts = {CABLE: "switch", OUT: "node", INTO: "switch"}
    assert all(title.startswith(starts[kind]) for title, kind in zip(titles, kinds.tolist(), strict=True))
    assert titles[0] == "switch 0 port 0 to switch 1 in plane 0"
    assert titles[-1] == "switch 2 to node 2 in plane 1"


def test_a_message_may_take_all_ways_that_are_equally_near():
    plane = Torus(shape=(4,), node_cable_m=2.0)
    network = Network(MultiPlane(plane=plane, planes=2))
    start, link = message_links(network, np.array([0, 3]), np.array([1, 1]))
    one_start, one_link = message_links(Network(plane), np.array([0, 3]), np.array([1, 1]))
    for pair in range(2):
        once = set(one_link[one_start[pair] : one_start[pair + 1]].tolist())
        assert set(link[start[pair] : start[pair + 1]].tolist()) == once | {each + 16 for each in once}


def test_several_links_of_a_node_to_one_switch_share_the_cables_of_a_message():
    network = Network(MultiPlane(plane=Torus(shape=(3,), nodes_per_switch=2, node_cable_m=2.0), links_per_node=2))
    start, link = message_links(network, np.array([0]), np.array([1]))
    assert len(set(link.tolist())) == len(link) == start[1] == 2 * (2 + 1 + 2)  # per plane: two links of each node


def test_an_order_on_missing_nodes_or_over_circuits_is_refused():
    with pytest.raises(InputError, match="node 9; expected nodes from 0 to 3"):
        check_order(Network(Torus(shape=(4,))), ExchangeOrder("far", [0, 9], [[1, 0]]))
    with pytest.raises(InputError, match="has circuits"):
        check_order(Network(Hybrid(2, 4)), order_named("shift", range(8)))
