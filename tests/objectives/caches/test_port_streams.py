"""Streams of input ports: against loads of links, closed forms of tori, and each other."""

import importlib
from dataclasses import replace
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Hybrid, Network, Plane, dual_cube
from isoplane.models.families.torus import Torus
from isoplane.models.planes.links import CABLE, OUT, link_kinds
from isoplane.models.routing import Routes
from isoplane.models.topologies import graph
from isoplane.objectives.caches import input_ports, port_streams, starting_streams
from isoplane.objectives.general import all_to_all_loads
from isoplane.objectives.general.port_destinations import port_destinations
from tests.assembled import assembled
from tests.cases import for_each, require_refusal
from tests.objectives.general.networks import random_network, random_rails, tree

STREAMS = importlib.import_module("isoplane.objectives.caches.port_streams")


def all_pairs(network):
    return np.divmod(np.arange(network.nodes**2), network.nodes)


def by_port(start, values):
    return [values[first:last].tolist() for first, last in pairwise(start.tolist())]


@for_each("network", [*map(random_network, range(8)), *map(random_rails, range(16)), tree()])
def test_the_packets_of_an_all_to_all_are_the_loads_of_links(network):
    loads = all_to_all_loads(network)
    # A message of as many bytes as a packet has load units: each path carries a whole number of them.
    start, _, packets = port_streams(network, *all_pairs(network), loads.parts, payload_bytes=1)
    at_port = np.diff(np.concatenate([[0], np.cumsum(packets)])[start])
    plane, _, link = input_ports(network)
    for number, links in enumerate(network.plane_links):
        load = loads.load[number][loads.label[number]][links.plane.topology.peer >= 0]
        here = at_port[plane == number]
        assert here[: len(load)].tolist() == load.tolist()
    sent = at_port[link_kinds(network.plane_links)[link] == OUT].sum()
    assert sent == network.nodes * (network.nodes - 1) * loads.parts


def test_ports_are_where_their_links_end():
    network = random_rails(3)
    plane, switch, link = input_ports(network)
    kinds = link_kinds(network.plane_links)
    assert sorted(link) == np.flatnonzero((kinds == CABLE) | (kinds == OUT)).tolist()
    for number, links in enumerate(network.plane_links):
        ends = links.values(links.plane.topology.peer, links.plane.node_switch, links.plane.node_switch)
        assert switch[plane == number].tolist() == ends[link[plane == number] - links.first].tolist()


@given(st.integers(0, 30), st.integers(0, 2**32 - 1))
def test_each_port_has_its_messages_in_the_order_given(seed, order):
    network, random = random_rails(seed), np.random.default_rng(order)
    source, destination = (random.integers(network.nodes, size=200) for _ in range(2))
    start, message, packets = port_streams(network, source, destination)
    assert packets.tolist() == [1] * len(message)
    streams = by_port(start, message)
    assert all(stream == sorted(stream) for stream in streams)
    # What passes a port depends on the message alone.
    chosen = random.permutation(200)
    permuted = by_port(*port_streams(network, source[chosen], destination[chosen])[:2])
    assert [sorted(chosen[stream]) for stream in permuted] == streams


def test_streams_do_not_depend_on_how_many_messages_are_walked_at_a_time(monkeypatch):
    network = random_rails(5)
    ends = all_pairs(network)
    whole, warm = port_streams(network, *ends, np.arange(len(ends[0])), 100), starting_streams(network, "warm")
    monkeypatch.setattr(STREAMS, "MESSAGES", 30)
    monkeypatch.setattr(STREAMS, "DESTINATIONS", 3)
    parts = port_streams(network, *ends, np.arange(len(ends[0])), 100), starting_streams(network, "warm")
    for column, same in zip((*whole, *warm), (*parts[0], *parts[1]), strict=True):
        assert column.tolist() == same.tolist()


def test_a_path_has_the_packets_of_its_share_and_a_message_to_its_own_node_none():
    # From switch 0 to switch 1 both planes are as near: each carries 150 of 300 bytes, in 2 packets of 100 at most.
    _, message, packets = port_streams(dual_cube(2, (1, 3)), [0, 0], [4, 0], [300, 300], 100)
    assert message.tolist() == [0] * 4  # in either plane at the port of the node and at that of a cable
    assert packets.tolist() == [2] * 4


@for_each(("first", "other"), [("nearest", "spray"), ("spray", "adaptive"), ("nearest", "spill")])
def test_messages_use_the_planes_that_they_use_with_empty_queues(first, other):
    network = dual_cube(3, (3, 5, 7))
    streams = [
        by_port(*port_streams(Network(replace(network.family, policy=policy)), *all_pairs(network))[:2])
        for policy in (first, other)
    ]
    assert (streams[0] == streams[1]) == (other != "spray")


@for_each("network", [*map(random_network, range(8)), *map(random_rails, range(12)), tree(), dual_cube(3, (3, 5, 7))])
def test_two_programs_count_the_same_destinations_of_each_port(network):
    start, _ = starting_streams(network, "warm")
    counted = [
        count
        for plane, between, of_nodes in zip(network.planes, *port_destinations(network)[:2], strict=True)
        for count in [*between[plane.topology.peer >= 0].tolist(), *of_nodes.tolist()]
    ]
    assert np.diff(start).tolist() == counted


@for_each("shape", [(5, 5), (3, 3, 3), (7,)])
def test_the_destinations_of_odd_tori_are_those_of_equation_2(shape):
    side, dimensions = shape[0], len(shape)
    network = Network(Torus(shape=shape, node_cable_m=2.0))
    start, _ = starting_streams(network, "warm")
    # Ports of a switch are those of dimension 1 up and down, of dimension 2, and so on; routes take them in this order.
    of_cables = [side ** (dimensions - i) * (side // 2) for i in range(1, dimensions + 1) for _ in range(2)]
    switches = side**dimensions
    assert np.diff(start).tolist() == of_cables * switches + [switches - 1] * switches


@for_each("shape", [(5,), (4, 3)])
def test_nodes_that_are_part_of_their_switches_pass_the_same_ports_but_the_last(shape):
    direct, cabled = Network(Torus(shape=shape)), Network(Torus(shape=shape, node_cable_m=2.0))
    (_, switch, link), (_, same_switch, _) = input_ports(direct), input_ports(cabled)
    assert switch.tolist() == same_switch.tolist()
    assert (link < 0).sum() == direct.nodes
    destination = all_pairs(direct)[1]
    streams = [by_port(*port_streams(network, *all_pairs(network))[:2]) for network in (direct, cabled)]
    # Node i is in switch i, which forwards nothing that is sent to it.
    forwarded = [
        [message for message in stream if destination[message] != at]
        for stream, at in zip(streams[1], switch.tolist(), strict=True)
    ]
    assert streams[0] == forwarded != streams[1]


@for_each(
    "network",
    [
        *map(random_network, range(3, 6)),
        *map(random_rails, range(6, 12)),
        tree(),
        dual_cube(3, (3, 5, 7)),
        Network(replace(dual_cube(2, (1, 3)).family, policy="adaptive")),
        Network(Torus(shape=(4, 3))),
        Network(Torus(shape=(3, 3), nodes_per_switch=2, node_cable_m=2.0)),
    ],
)
def test_before_a_job_a_port_has_seen_what_its_nodes_can_send_over_it(network):
    nodes = np.arange(0, network.nodes, 2)
    source, destination = np.repeat(nodes, len(nodes)), np.tile(nodes, len(nodes))
    start, message, _ = port_streams(network, source, destination)
    passing = [sorted(set(stream)) for stream in by_port(start, destination[message])]
    assert by_port(*starting_streams(network, "warm", nodes)) == passing
    exchange = by_port(*starting_streams(network, "exchange", nodes))
    assert [sorted(set(stream)) for stream in exchange] == passing
    last = by_port(*starting_streams(network, "exchange", nodes, "lru"))
    assert [list(dict.fromkeys(stream[::-1])) for stream in last] == [
        list(dict.fromkeys(stream[::-1])) for stream in exchange
    ]
    assert not any(by_port(*starting_streams(network, "cold")))


def test_an_exchange_sends_in_the_shift_order():
    # One switch: the port of node s sees the others in ascending distance from s.
    network = Network(Torus(shape=(3,), node_cable_m=2.0))
    start, destination = starting_streams(network, "exchange", [2, 0, 1, 0])
    assert by_port(start, destination)[-3:] == [[1, 2], [2, 0], [0, 1]]


@for_each(
    ("arguments", "says"),
    [
        (([0, 16], [1, 1]), "source=16: expected nodes from 0 to 15 in a one-dimensional array"),
        (([0], [-1]), "destination=-1: expected nodes from 0 to 15"),
        (([[0]], [[1]]), "source=an array of shape (1, 1): expected nodes"),
        (([0], [1], 8, 0), "payload_bytes=0: expected an integer from 1"),
        (([0, 0], [0, 1], [0, 0], 8), "length_bytes=0: expected 1 to 1073741824 between different nodes"),
    ],
)
def test_odd_messages_are_refused(arguments, says):
    require_refusal(lambda: port_streams(dual_cube(2, (1, 3)), *arguments), says)


def test_networks_with_circuits_and_too_many_look_ups_are_refused(monkeypatch):
    require_refusal(lambda: port_streams(Network(Hybrid()), [0], [1]), "network=hybrid: has circuits")
    monkeypatch.setattr(STREAMS, "MAX_LOOK_UPS", 100)
    ring = Network(Torus(shape=(11,)))
    require_refusal(lambda: starting_streams(ring, "warm"), "look-ups: more than 100; expected at most that many")
    require_refusal(lambda: starting_streams(ring, "exchange"), "switch.cache.start=exchange: more than 100 look-ups")
    # Of 7 nodes 42 look-ups at the ports of nodes, and 42 at cables: to each from 3 switches in both directions.
    network = Network(Torus(shape=(7,), node_cable_m=2.0))
    assert len(starting_streams(network, "exchange", None, "lru")[1]) == 84
    monkeypatch.setattr(STREAMS, "MAX_LOOK_UPS", 83)
    require_refusal(lambda: starting_streams(network, "exchange", None, "lru"), "of 7 nodes; expected fewer nodes")


@for_each(("port", "says"), [(0, "from 0 to 3 returns to switch 0"), (7, "from 1 to 3 takes port 7 of switch 1")])
def test_routes_that_do_not_arrive_are_refused_where_only_last_look_ups_follow_them(port, says):
    topology = graph([(0, 1), (1, 2), (2, 3)])
    table = np.array([[0, 0, 0, 0], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0]], dtype=np.uint16)
    table[1, 3] = port
    routes = Routes("table", np.arange(4, dtype=np.int32), next_port=table)
    plane = Plane(topology, np.zeros(topology.peer.shape), np.arange(4, dtype=np.int32), 0, routes=routes)
    require_refusal(lambda: starting_streams(assembled("bad", (plane,)), "exchange", None, "lru"), says)
