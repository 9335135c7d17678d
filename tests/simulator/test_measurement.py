"""Reports on runs with known results."""

import numpy as np
import pytest

from isoplane.models import MessageList, SwitchModel, dual_cube
from isoplane.simulator import Hardware, Precision, Simulation, Traffic, measure, throughput_bound, zero_load_latency_ns
from isoplane.simulator.measure import measurement
from isoplane.simulator.theory.theory import typical_latency_ticks
from tests.cases import for_each, require_refusal

from .networks import cube, identical_planes, plain_cube, ring, steps_ahead

ROUGH = Precision(latency=0.05, accepted=0.02)
SMALL_BUFFERS = Hardware(longest_cable_m=10)  # buffers that fill quickly
NO_DELAYS = SwitchModel(delay_ns=0, cable_delay_ns_per_m=0)


def report(
    network, load, seed=1, precision=ROUGH, hardware=SMALL_BUFFERS, interval_ns=None, tracked_pairs=(), **traffic
):
    run = Simulation(network, hardware, Traffic(load=load, **traffic), seed, tracked_pairs)
    return measure(run, precision, interval_ns)


def test_the_offered_load_is_accepted_below_saturation():
    result = report(cube(), 0.5)
    assert (result.saturated, result.steady, result.stable) == (False, True, True)
    assert result.offered_load == 0.5
    assert result.accepted_load.half_width <= 0.02 * result.accepted_load.mean
    assert abs(result.accepted_load.mean - 0.5) < 0.03
    assert result.network_latency_ns.half_width <= 0.05 * result.network_latency_ns.mean
    assert result.message_latency_ns.mean > result.network_latency_ns.mean


def test_a_saturated_run_is_steady_only_when_its_buffers_are_full():
    # While they fill, packets with short routes arrive first, and the accepted load exceeds its limit.
    network = dual_cube(3, (3, 5, 7))
    hardware = Hardware(longest_cable_m=50)
    result = report(network, 1.6, precision=Precision(), hardware=hardware)
    assert (result.saturated, result.steady, result.stable) == (True, True, False)
    assert result.network_latency_ns.half_width is None
    run = Simulation(network, hardware, Traffic(load=1.6), 2)
    run.run(50_000)
    flits_before = run.totals()["flits_arrived"]
    run.run(150_000)
    long_run_load = (run.totals()["flits_arrived"] - flits_before) / (100_000 / 2 * network.nodes)
    assert abs(result.accepted_load.mean - long_run_load) <= result.accepted_load.half_width + 0.005 * long_run_load
    assert result.accepted_load.mean < throughput_bound(network)


def test_two_flows_over_one_link_get_half_of_it_each():
    # Both nodes of a switch send to those of one other switch, over one link per plane: two links for two nodes.
    result = report(identical_planes(), 2, pattern="complement")
    assert result.accepted_load.mean == pytest.approx(1, abs=0.01)
    assert result.received == pytest.approx(result.received.mean(), rel=0.05)


def test_silent_nodes_do_not_count():
    # Bit reversal maps 8 of 32 nodes (palindromes of 5 bits) to themselves: they send nothing.
    network = cube(4, (7, 11, 13, 14))
    result = report(network, 0.2, pattern="reverse")
    assert abs(result.accepted_load.mean - 0.2) < 0.01
    assert np.count_nonzero(result.sent) == 24


# A network that saturates at 0.88.
NEAR_SATURATION = {"network": plain_cube(4, 2), "load": 0.8, "hardware": Hardware(buffer_flits=32, switch=NO_DELAYS)}


def test_a_run_that_ends_at_its_limit_is_marked_limited():
    short = Precision(latency=0.01, accepted=0.005, max_latencies=16, max_packets=1 << 14)
    result = report(**NEAR_SATURATION, precision=short)
    assert (result.limited, result.steady, result.saturated) == (True, False, False)
    assert result.network_latency_ns.half_width > 0.01 * result.network_latency_ns.mean
    assert not report(**{**NEAR_SATURATION, "load": 0.1}).limited


def test_a_run_lasts_at_least_twice_as_long_as_it_takes_to_the_first_narrow_interval(monkeypatch):
    # The same run, except that it ends later.
    longer = report(cube(), 0.5)
    monkeypatch.setattr(measurement, "CONFIRMATION", 1)
    shorter = report(cube(), 0.5)
    assert longer.warm_up_ns + longer.measured_ns >= 2 * (shorter.warm_up_ns + shorter.measured_ns)
    assert longer.network_latency_ns.half_width < shorter.network_latency_ns.half_width


def test_at_low_loads_the_latency_is_the_zero_load_latency_of_the_routes():
    network, pairs = cube(), [(0, 15), (3, 4)]
    result = report(network, 0.002, tracked_pairs=pairs, precision=Precision(latency=0.01, accepted=0.1))
    for pair, row in zip(result.pairs, result.by_pair, strict=True):
        assert row.packets > 0
        assert row.network_ns == pytest.approx(float(zero_load_latency_ns(network, SMALL_BUFFERS, *pair)), rel=0.03)


def test_tables_and_totals_of_a_report_agree():
    result = report(cube(), 0.8, tracked_pairs=[(0, 9)])
    assert sum(row.packets for row in result.by_distance) == result.packets
    assert result.received.sum() == result.packets  # one packet per message
    assert result.collisions_at.sum() == pytest.approx(result.collisions_per_packet * result.packets)
    assert 0 < result.collided <= result.collisions_per_packet
    mean = sum(row.network_ns * row.packets for row in result.by_distance if row.packets) / result.packets
    assert mean == pytest.approx(result.network_latency_ns.mean, rel=0.01)
    p50, p95, p99 = result.percentiles_ns
    assert p50 <= p95 <= p99 <= 33 / 32 * max(row.longest_ns for row in result.by_distance)


def test_latencies_of_messages_by_distance_add_up_to_the_total_and_are_kept_by_pair():
    pairs = [(0, 9), (9, 0)]
    simulation = Simulation(cube(), SMALL_BUFFERS, Traffic(load=0.4, message_bytes=(100, 1500)), 1, pairs)
    simulation.run(50000)
    totals, by_distance, by_pair = simulation.totals(), simulation.by_distance(), simulation.by_pair()
    assert by_distance[:, 3].sum() == totals["messages_arrived"] < by_distance[:, 0].sum()
    assert by_distance[:, 4].sum() == totals["message_latency"]
    assert by_distance[:, 6].max() == totals["longest_message_latency"]
    assert (by_pair[:, 3] > 0).all()
    assert (by_pair[:, 6] * by_pair[:, 3] >= by_pair[:, 4]).all()


def test_a_message_arrives_with_its_last_packet():
    columns = [[0], [9], [2 * 256], [0], [0, 0], []]  # of 512 bytes
    run = Simulation(cube(), SMALL_BUFFERS, MessageList(16, *map(np.array, columns)), 1, [(0, 9)])
    result = measure(run)
    (row,) = result.by_pair
    assert (row.packets, row.messages) == (2, 1)
    # The second packet leaves a packet time after the first one, and completes the message.
    packet_ns = float(SMALL_BUFFERS.packet_flits * SMALL_BUFFERS.flit_ns)
    assert row.message_ns == row.longest_message_ns == pytest.approx(row.network_ns + packet_ns)
    assert [(r.messages, r.message_ns) for r in result.by_distance if r.packets] == [(1, row.message_ns)]


def test_no_link_is_busy_longer_than_the_elapsed_time():
    simulation = Simulation(cube(), Hardware(), Traffic(load=3), 1)  # nodes create more than their links can carry
    previous = simulation.link_busy()
    for tick in (100, 517, 1003, 2001):
        start = simulation.now
        simulation.run(tick)
        busy = simulation.link_busy()
        increase = (busy - previous).astype(np.int64)
        assert increase.min() >= 0
        assert increase.max() <= tick - start
        previous = busy
    assert increase.max() == tick - start  # the node links are never idle
    assert report(cube(), 3).link_load.max() <= 1


def test_a_series_has_one_row_per_interval_from_the_start():
    result = report(cube(), 0.5, interval_ns=1000)
    times = [row.time_ns for row in result.series]
    assert times[:3] == pytest.approx([1000, 2000, 3000], abs=1.28)
    assert times[-1] == pytest.approx(result.warm_up_ns + result.measured_ns)
    assert np.diff(times)[:-1] == pytest.approx(1000, abs=1.28)
    created = np.cumsum([row.injected_messages for row in result.series])
    arrived = np.cumsum([row.arrived_messages for row in result.series])
    assert list(created - arrived) == [row.remaining_messages for row in result.series]
    assert all(row.injected_bytes == 256 * row.injected_messages for row in result.series)


def test_the_interval_of_the_series_does_not_affect_other_results():
    one, other = report(cube(), 0.5), report(cube(), 0.5, interval_ns=333.3)
    assert (one.network_latency_ns, one.accepted_load) == (other.network_latency_ns, other.accepted_load)


def test_a_run_of_a_limited_number_of_messages_is_measured_as_a_whole():
    result = report(cube(), 0.5, max_created=1000)
    assert (result.packets, result.warm_up_ns, result.steady, result.saturated) == (1000, 0, False, False)
    assert result.complete
    assert result.completed_ns is None  # random traffic, not a list
    assert result.series[-1].remaining_messages == 0


def test_a_run_whose_nodes_wait_to_create_messages_is_saturated():
    network = cube()
    result = report(network, 0.2, max_in_flight=1)
    # One packet at a time: 8 flits per latency, shared by all 16 nodes.
    flit_times = typical_latency_ticks(network, SMALL_BUFFERS) / SMALL_BUFFERS.speedup
    assert result.accepted_load.mean == pytest.approx(8 / flit_times / 16, rel=0.1)
    assert (result.saturated, result.steady, result.offered_load) == (True, True, 0.2)
    assert result.network_latency_ns.half_width is None
    assert report(network, 0.2, max_in_flight=1000).stable  # the network never holds that many messages


def test_the_limit_of_a_run_counts_packets_not_messages():
    limits = Precision(latency=1e-6, accepted=1e-6, max_latencies=4, max_packets=2000)
    for size in (256, 8, 1):
        result = report(cube(), 0.5, message_bytes=(size, size), precision=limits)
        assert 2000 <= sum(row.injected_messages for row in result.series) < 2600


def test_a_deadlock_ends_the_run_and_is_reported_in_one_line():
    def run(**options):
        hardware = Hardware(virtual_channels=1, buffer_flits=8, output_flits=8, **options)
        precision = Precision(latency=0.05, accepted=0.2)
        return report(ring(6), 2, 1, precision, hardware, pattern="table", table=steps_ahead(6, 2))

    result = run()
    assert not result.stable
    assert result.deadlock.startswith("6 channels wait for each other: P0-S0:1 channel 0 > ")
    assert "\n" not in result.deadlock
    result = run(deadlock="drop")
    assert result.deadlock is None
    assert result.deadlocks > 0
    assert result.dropped_packets > 0


def test_the_progress_callback_may_end_a_run():
    def stop(tick):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure(Simulation(cube(), SMALL_BUFFERS, Traffic(load=0.5), 1), on_progress=stop)


@for_each("values", [{"latency": 0}, {"accepted": 1.5}, {"max_latencies": 1}, {"max_packets": -1}])
def test_a_precision_out_of_range_is_rejected(values):
    ((name, value),) = values.items()
    require_refusal(lambda: Precision(**values), f"measurement.{name}={value}: expected")
