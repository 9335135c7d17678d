"""Sweeps over loads, and the saturation throughput."""

from fractions import Fraction

import numpy as np
import pytest

from isoplane.models import SwitchModel
from isoplane.search import Threads
from isoplane.simulator import Hardware, Precision, Scenario, Simulation, Traffic, saturation, sweep, throughput_bound
from isoplane.simulator.measure.sweep import seed_at
from tests.cases import for_each, require_refusal

from .networks import cube, direct_torus, identical_planes, plain_cube, ring, steps_ahead

ROUGH = Precision(latency=0.05, accepted=0.02, max_packets=1 << 16)
SMALL_BUFFERS = Hardware(longest_cable_m=10)
# A flit is forwarded as soon as it is received.
NO_SWITCH_DELAY = Hardware(longest_cable_m=10, switch=SwitchModel(delay_ns=0))


def scenario(network, pattern="uniform", seed=1, hardware=None, **traffic):
    hardware = hardware or (NO_SWITCH_DELAY if network.node_cable_mm is None else SMALL_BUFFERS)
    return Scenario(network, hardware, Traffic(load=1, pattern=pattern, **traffic), ROUGH, seed=seed)


def report_values(report):
    """All values of a report, as plain data."""
    return {name: np.asarray(value).tolist() if name[0] != "_" else None for name, value in vars(report).items()}


def test_a_sweep_does_not_depend_on_the_number_of_workers_or_the_order_of_loads():
    loads = [0.3, 1.4]
    one = sweep(scenario(cube()), loads)
    two = sweep(scenario(cube()), loads, Threads(2).map)
    from_reversed_loads = sweep(scenario(cube()), loads[::-1])[::-1]
    for a, b, c in zip(one, two, from_reversed_loads, strict=True):
        assert repr(report_values(a)) == repr(report_values(b)) == repr(report_values(c))


def test_the_seed_of_a_run_depends_on_seed_and_exact_load_only():
    assert seed_at(3, 0.1) == seed_at(3, Fraction(1, 10)) != seed_at(3, 0.2)


@for_each(
    "network",
    [cube(folded=True), direct_torus()],
)
def test_a_network_saturates_below_the_bound_of_its_routes(network):
    result = saturation(scenario(network), tolerance=0.1)
    bound = throughput_bound(network)
    assert 0.6 * bound < result.throughput <= 1.03 * bound  # the created load differs from the offered load
    assert result.stable_load < result.saturated_load <= 1.2 * bound
    assert result.saturated_load - result.stable_load <= 0.1 * result.saturated_load
    assert result.throughput <= result.largest_accepted
    loads = [report.offered_load for report in result.reports]
    assert loads == sorted(loads)


@for_each(("speedup", "low", "high"), [(1, 0.75, 0.80), (2, 0.86, 0.90)])
def test_a_crossbar_carries_as_much_as_others_that_reserve_an_output_for_a_whole_packet(speedup, low, high):
    # 4-cube with 2 nodes per switch, packets of 8 flits, 4 channels of 32: BookSim2 accepts 0.765 and 0.88 of the link
    # rate. If inputs wasted requests on links in the middle of a packet, it would be 0.66 without speed-up.
    no_delays = SwitchModel(delay_ns=0, cable_delay_ns_per_m=0)
    hardware = Hardware(speedup=speedup, buffer_flits=32, switch=no_delays)
    run = Simulation(plain_cube(4, 2), hardware, Traffic(load=1), 1)
    run.run(4_000 * speedup)
    flits_before = run.totals()["flits_arrived"]
    run.run(24_000 * speedup)
    accepted = (run.totals()["flits_arrived"] - flits_before) / 20_000 / 32
    assert low <= accepted <= high


def test_saturation_does_not_depend_on_the_number_of_workers():
    one, two = (
        saturation(scenario(identical_planes()), tolerance=0.3, **mapped) for mapped in ({}, {"mapped": Threads(2).map})
    )
    for name in ("throughput", "stable_load", "saturated_load", "largest_accepted"):
        assert getattr(one, name) == getattr(two, name)


def test_known_loads_are_not_simulated_again():
    case = scenario(identical_planes())
    loads = [0.4, 0.8, 1.2]
    known = list(zip(loads, sweep(case, loads), strict=True))
    simulated = []

    def mapped(function, items):
        simulated.extend(items)
        for index, item in enumerate(items):
            yield index, function(item)

    result = saturation(case, tolerance=0.2, known=known, mapped=mapped)
    assert not set(simulated) & {Fraction(str(load)) for load in loads}
    assert len(result.reports) == len(simulated) + 3


def test_without_shared_links_throughput_is_the_full_link_rate():
    result = saturation(scenario(ring(5, datelines=True), "table", table=steps_ahead(5)), tolerance=0.05)
    assert result.saturated_load == pytest.approx(1, abs=0.06)
    assert result.throughput == pytest.approx(1, abs=0.06)


def test_nodes_with_a_low_creation_rate_do_not_saturate_the_network():
    # One message of one flit per tick is a load of 1, and the bound of the routes is 4/3: no load is saturated.
    case = scenario(cube(), hardware=Hardware(packet_bits=256, speedup=1, longest_cable_m=10))
    assert case.max_offered == 1 < throughput_bound(case.network)
    result = saturation(case, tolerance=0.1)
    assert (result.stable_load, result.saturated_load) == (1, None)
    assert result.throughput == pytest.approx(1, abs=0.02)


def test_a_limit_on_messages_in_the_network_saturates_early():
    # 16 nodes may have 16 packets of 8 flits in flight, for about 55 flit times each: a load of 8 / 55 = 0.145 at most.
    result = saturation(scenario(cube(), max_in_flight=16), tolerance=0.5)
    assert 0 < result.stable_load < result.saturated_load < 0.15
    assert result.throughput < 0.145


def test_a_limited_number_of_messages_has_no_saturation_throughput():
    limited = scenario(cube(), max_created=5)
    require_refusal(lambda: saturation(limited), "^traffic.max_created=5: saturation needs a steady state")


@for_each("load", [1e-21, 9e-7, 17])
def test_a_load_out_of_range_is_rejected(load):
    require_refusal(lambda: sweep(scenario(cube()), [load]), f"^loads={load}: expected at least 1e-06 and at most 16")


@for_each("tolerance", [0, -1, 2, "x"])
def test_a_tolerance_out_of_range_is_rejected(tolerance):
    require_refusal(lambda: saturation(scenario(identical_planes()), tolerance=tolerance), "tolerance=")
