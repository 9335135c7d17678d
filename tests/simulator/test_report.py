"""Reports and time series of runs with known numbers."""

from fractions import Fraction

import numpy as np
import pytest

from isoplane.models import MessageList, dual_cube
from isoplane.simulator import Hardware, Simulation, Traffic, measure, zero_load_latency_ns
from isoplane.simulator.flits import sliced_run
from isoplane.simulator.flits.sliced_run import SlicedRun
from isoplane.simulator.language import run_program
from isoplane.simulator.measure.latencies import latency_table
from tests.cases import require_refusal

from .language.programs import program_of
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
    result = report(network, (0, 15, 256, 0), tracked_pairs=[(0, 15), (15, 0)])
    latency_ns = float(zero_load_latency_ns(network, HARDWARE, 0, 15))
    assert result.completed_ns == result.network_latency_ns.mean == result.message_latency_ns.mean == latency_ns
    assert (result.warm_up_ns, result.packets, result.deadlocks, result.dropped_messages) == (0, 1, 0, 0)
    assert [row.packets for row in result.by_pair] == [1, 0]
    assert [row.network_ns for row in result.by_pair] == [latency_ns, None]
    assert sum(row.packets for row in result.by_distance) == 1
    assert (result.collisions_per_packet, result.collided, result.collisions_at.sum()) == (0, 0, 0)
    assert np.flatnonzero(result.sent).tolist() == [0]
    assert np.flatnonzero(result.received).tolist() == [15]


def test_only_the_links_of_the_route_carry_the_packet():
    result = report(cube(), (0, 15, 256, 0))
    busy = np.flatnonzero(result.link_load)
    assert result.link_load[busy] == pytest.approx(PACKET_NS / result.measured_ns)
    (hops,) = [hops for hops, row in enumerate(result.by_distance) if row.packets]
    assert len(busy) == hops + 2  # and the two node links
    ends = [tuple(link[:2]) for link in result.links[busy].tolist()]
    first_node = 2 * 8  # nodes follow the switches of both planes
    reached = first_node
    while ends:
        (step,) = [link for link in ends if link[0] == reached]
        ends.remove(step)
        reached = step[1]
    assert reached == first_node + 15


def test_percentiles_are_exact_to_a_class_of_latencies():
    network = cube()
    # Of 100 uncontended packets 5 have the longer route.
    delays_ps = 10**7 * np.arange(100)
    result = report(network, *[(0, 15 if i < 5 else 1, 256, t) for i, t in enumerate(delays_ps.tolist())])
    near, far = (float(zero_load_latency_ns(network, HARDWARE, 0, node)) for node in (1, 15))
    p50, p95, p99 = result.percentiles_ns
    assert near <= p50 <= near * 33 / 32
    assert p95 == p50
    assert far <= p99 <= far * 33 / 32


def test_a_message_that_never_arrives_leaves_a_list_incomplete():
    hardware = Hardware(virtual_channels=1, buffer_flits=8, output_flits=8, deadlock="drop")
    result = report(ring(6), *[(node, (node + 2) % 6, 4096, 0) for node in range(6)], hardware=hardware)
    assert result.dropped_messages > 0
    assert result.completed_ns is None
    assert result.received.sum() + result.dropped_messages == 6


def test_a_table_divides_sums_by_counts_and_keeps_the_longest():
    rows = np.array([[2, 10, 14, 1, 9, 7, 9], [0, 0, 0, 0, 0, 0, 0]])
    row, empty = latency_table(rows, Fraction(2))
    assert (row.packets, row.network_ns, row.creation_ns, row.longest_ns) == (2, 10, 14, 14)
    assert (row.messages, row.message_ns, row.longest_message_ns) == (1, 18, 18)
    assert (empty.network_ns, empty.creation_ns, empty.message_ns) == (None, None, None)


def new_series(interval_ns):
    """A simulation in ticks of 1.28 ns, and its series."""
    simulation = Simulation(dual_cube(3, (3, 5, 7)), Hardware(), Traffic(load=0.2), seed=1)
    return simulation, SlicedRun(simulation, lambda: None, interval_ns)


def test_intervals_end_at_the_nearest_tick_and_the_last_one_with_the_run():
    _, series = new_series(10)  # 7.8125 ticks
    for tick in (5, 16, 17):
        series.run_to(tick)
    assert [snapshot.tick for snapshot in series.snapshots()] == [0, 8, 16, 17]


def test_an_interval_that_ends_with_the_run_has_one_snapshot():
    _, series = new_series(1.28)
    series.run_to(3)
    assert [snapshot.tick for snapshot in series.snapshots()] == [0, 1, 2, 3]


def test_an_interval_has_at_least_a_tick():
    require_refusal(lambda: new_series(1.27), "^interval_ns=1.27: expected at least a tick of 1.28 ns$")


def test_too_many_intervals_are_rejected(monkeypatch):
    monkeypatch.setattr(sliced_run, "MAX_MOMENTS", 3)
    _, series = new_series(2.56)
    require_refusal(series.run_to, "^interval_ns=2.56: expected at most 3 intervals per run$")
    program = program_of(statements="(SimulationInterval 1usec)")
    require_refusal(lambda: run_program(program), "^SimulationInterval 1usec: expected at most ")
