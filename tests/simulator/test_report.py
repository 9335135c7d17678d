"""Reports on runs with known numbers."""

from fractions import Fraction

import numpy as np
import pytest

from isoplane.models import MessageList
from isoplane.simulator import Hardware, Simulation, Traffic, measure, zero_load_latency_ns
from isoplane.simulator.latencies import latency_table

from .networks import cube, ring

HARDWARE = Hardware()
PACKET_NS = float(HARDWARE.packet_flits * HARDWARE.flit_ns)


def message_list(nodes, *messages):
    """Return messages (source, destination, bytes, delay in ps), without dependencies."""
    columns = np.array(messages).T
    return MessageList(nodes, *columns, np.zeros(len(messages) + 1), np.zeros(0))


def report(network, *messages, tracked_pairs=(), hardware=HARDWARE):
    return measure(Simulation(network, hardware, message_list(network.nodes, *messages), 1, tracked_pairs))


def test_one_packet_appears_in_all_parts_of_the_report():
    network = cube()
    found = report(network, (0, 15, 256, 0), tracked_pairs=[(0, 15), (15, 0)])
    alone = float(zero_load_latency_ns(network, HARDWARE, 0, 15))
    assert found.completed_ns == found.network_latency_ns.mean == found.message_latency_ns.mean == alone
    assert (found.warm_up_ns, found.packets, found.deadlocks, found.dropped_messages) == (0, 1, 0, 0)
    assert [row.packets for row in found.by_pair] == [1, 0]
    assert [row.network_ns for row in found.by_pair] == [alone, None]
    assert sum(row.packets for row in found.by_distance) == 1
    assert (found.collisions_per_packet, found.collided, found.collisions_at.sum()) == (0, 0, 0)
    assert np.flatnonzero(found.sent).tolist() == [0]
    assert np.flatnonzero(found.received).tolist() == [15]


def test_only_the_links_of_the_route_carry_the_packet():
    found = report(cube(), (0, 15, 256, 0))
    busy = np.flatnonzero(found.link_load)
    assert found.link_load[busy] == pytest.approx(PACKET_NS / found.measured_ns)
    (hops,) = [hops for hops, row in enumerate(found.by_distance) if row.packets]
    assert len(busy) == hops + 2  # and the two node links
    ends = [tuple(link[:2]) for link in found.links[busy].tolist()]
    start = 2 * 8  # nodes follow the switches of both planes
    at = start
    while ends:
        (step,) = [end for end in ends if end[0] == at]
        ends.remove(step)
        at = step[1]
    assert at == start + 15


def test_percentiles_are_classes_of_latencies():
    network = cube()
    # Of 100 uncontended packets 5 have the longer route.
    late = 10**7 * np.arange(100)
    found = report(network, *[(0, 15 if i < 5 else 1, 256, t) for i, t in enumerate(late.tolist())])
    near, far = (float(zero_load_latency_ns(network, HARDWARE, 0, node)) for node in (1, 15))
    p50, p95, p99 = found.percentiles_ns
    assert near <= p50 <= near * 33 / 32
    assert p95 == p50
    assert far <= p99 <= far * 33 / 32


def test_a_message_that_never_arrives_leaves_a_list_incomplete():
    tight = Hardware(virtual_channels=1, buffer_flits=8, output_flits=8, deadlock="drop")
    found = report(ring(6), *[(node, (node + 2) % 6, 4096, 0) for node in range(6)], hardware=tight)
    assert found.dropped_messages > 0
    assert found.completed_ns is None
    assert found.received.sum() + found.dropped_messages == 6


def test_random_traffic_is_never_complete():
    run = Simulation(cube(), HARDWARE, Traffic(load=0.5, max_created=100), 1)
    assert measure(run).completed_ns is None


def test_a_table_divides_sums_by_counts_and_keeps_the_longest():
    rows = np.array([[2, 10, 14, 1, 9, 7, 9], [0, 0, 0, 0, 0, 0, 0]])
    some, none = latency_table(rows, Fraction(2))
    assert (some.packets, some.network_ns, some.creation_ns, some.longest_ns) == (2, 10, 14, 14)
    assert (some.messages, some.message_ns, some.longest_message_ns) == (1, 18, 18)
    assert (none.network_ns, none.creation_ns, none.message_ns) == (None, None, None)
