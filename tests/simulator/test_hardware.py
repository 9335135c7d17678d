"""Derived values of the hardware; values beyond the limits of the engine are rejected, and the cause is named."""

import re
from fractions import Fraction

import numpy as np
import pytest

from isoplane.models import InputError, Plane, SwitchModel, dual_cube
from isoplane.models.routing import mesh_order
from isoplane.models.topologies import mesh
from isoplane.simulator import Hardware, Simulation, Traffic
from isoplane.simulator.hardware import MAX_BUFFER_FLITS, MAX_DELAY_TICKS, MAX_OUTPUT_FLITS
from tests.assembled import assembled
from tests.cases import for_each


@for_each(
    ("values", "message"),
    [
        (
            {"flit_bits": 1, "packet_bits": 8192, "virtual_channels": 8},  # 8 · 8192 = 65536
            "hardware.output_flits=null: a packet of 8192 flits for each of hardware.virtual_channels=8 comes to "
            "65536; expected at most 65535",
        ),
        (
            {"packet_bits": 1 << 20, "virtual_channels": 16},
            "hardware.output_flits=null: a packet of 4096 flits for each of hardware.virtual_channels=16 comes to "
            "65536; expected at most 65535",
        ),
        (
            {"switch": SwitchModel(delay_ns=1e9)},  # 10^9 / 1.28
            "switch.delay_ns=1000000000.0: 781250000 ticks of 1.28 ns; expected at most 1048576",
        ),
        (
            {"switch": SwitchModel(delay_ns=1e9), "buffer_flits": 100},
            "switch.delay_ns=1000000000.0: 781250000 ticks of 1.28 ns; expected at most 1048576",
        ),
        (
            {"flit_bits": 2, "packet_bits": 20, "link_gbps": 100000},  # a tick of 10^-5 ns
            "switch.delay_ns=90: 9000000 ticks of 1e-05 ns; expected at most 1048576",
        ),
        (
            {"longest_cable_m": 10**6, "link_gbps": 1000},  # (10^7 + 90) ns in flits of 0.256 ns
            "hardware.buffer_flits=null: 39062852 flits for the round trip over hardware.longest_cable_m=1000000; "
            "expected at most 16777215",
        ),
    ],
)
def test_derived_values_beyond_the_limits_of_the_engine_are_rejected(values, message):
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        Hardware(**values)


def test_a_cable_beyond_the_horizon_of_the_engine_is_rejected():
    hardware = Hardware(switch=SwitchModel(cable_delay_ns_per_m=1e9), buffer_flits=100)
    with pytest.raises(InputError, match=r"^switch.cable_delay_ns_per_m=1000000000.0: a cable of 2 m takes 1562500000"):
        Simulation(dual_cube(3, (3, 5, 7)), hardware, Traffic(load=0.1), seed=1)


@for_each(
    "hardware",
    [
        Hardware(buffer_flits=MAX_BUFFER_FLITS, output_flits=MAX_OUTPUT_FLITS),
        Hardware(flit_bits=1, packet_bits=(1 << 14) - 1, output_flits=1),
        Hardware(speedup=1, flit_bits=100, switch=SwitchModel(delay_ns=MAX_DELAY_TICKS)),
    ],
)
def test_the_engine_supports_the_largest_valid_hardware(hardware):
    topology = mesh((2,))
    network = assembled(
        "mesh 2", (Plane(topology, np.zeros_like(topology.peer), np.arange(2), routes=mesh_order((2,))),)
    )
    simulation = Simulation(network, hardware, Traffic(load=0.1), seed=1)
    simulation.run(1000)
    assert simulation.audit() is None


def test_a_tick_is_the_time_of_a_flit_over_the_speedup():
    # 256 bits at 100 Gbit/s take 2.56 ns.
    assert (Hardware().flit_ns, Hardware().tick_ns) == (Fraction("2.56"), Fraction("1.28"))
    assert Hardware(speedup=1, link_gbps=400).tick_ns == Fraction("0.64")


@for_each(("bits", "flits"), [(2048, 8), (2049, 9), (1, 1), (256, 1)])
def test_a_packet_has_whole_flits(bits, flits):
    assert Hardware(packet_bits=bits).packet_flits == flits


def test_the_header_carries_no_data():
    assert Hardware(packet_bits=256, header_bits=64).payload_bits == 192


def test_buffers_cover_the_credit_round_trip_and_at_least_a_packet():
    # (2 · 100 m · 5 ns/m + 90 ns) / 2.56 ns = 425.8
    assert Hardware().buffer == 426
    assert Hardware(longest_cable_m=0, switch=SwitchModel(delay_ns=0)).buffer == 8
    assert Hardware(buffer_flits=17).buffer == 17


def test_an_output_holds_a_packet_of_each_channel():
    assert Hardware(virtual_channels=3).output == 3 * 8
    assert Hardware(output_flits=1).output == 1


def test_store_and_forward_counts_the_switch_delay_from_the_last_flit():
    assert Hardware(flow_control="store_and_forward").switch_delay_ns == 90 + Fraction("2.56")
    assert Hardware().switch_ticks == 70  # 90 / 1.28 = 70.3


def test_a_flit_is_forwarded_only_after_it_is_received():
    assert Hardware(speedup=4, switch=SwitchModel(delay_ns=0)).switch_ticks == 4


def test_routing_takes_at_most_the_switch_delay():
    assert Hardware(flow_control="wormhole", routing_ns=64).routing_ticks == 50
    assert Hardware(flow_control="wormhole", routing_ns=1000).routing_ticks == 70 - 2


@for_each("length_m", [0, 0.1, 1.5, 2, 3, 17.3, 100])
def test_a_switch_and_a_cable_are_rounded_together(length_m):
    hardware = Hardware()
    ticks = hardware.switch_ticks + hardware.cable_ticks(length_m)
    exact = (90 + 5 * Fraction(str(length_m))) / hardware.tick_ns
    assert abs(ticks - exact) <= Fraction(1, 2)


@for_each(
    ("values", "message"),
    [
        ({"flow_control": "none"}, "hardware.flow_control=none: expected store_and_forward, virtual_cut_through"),
        ({"tie": "random"}, "hardware.tie=random: expected alternate, shorter_queue"),
        ({"deadlock": "ignore"}, "hardware.deadlock=ignore: expected report, drop"),
        ({"virtual_channels": 17}, "hardware.virtual_channels=17: expected"),
        ({"link_gbps": 0}, "hardware.link_gbps=0: expected"),
        ({"flit_bits": 0}, "hardware.flit_bits=0: expected"),
        ({"header_bits": 2048}, "hardware.header_bits=2048: expected"),
        ({"padded": 1}, "hardware.padded=1: expected"),
        ({"speedup": 0}, "hardware.speedup=0: expected"),
        ({"routing_ns": 10}, "hardware.routing_ns=10: expected 0 except with wormhole"),
        (
            {"buffer_flits": 7},
            "hardware.buffer_flits=7: smaller than a packet of 8 flits; expected at least 8 with virtual_cut",
        ),
        ({"output_flits": 0}, "hardware.output_flits=0: expected"),
        ({"flit_bits": 1, "packet_bits": 1 << 14}, "hardware.flit_bits=1: packets of 16384 flits; expected"),
    ],
)
def test_values_out_of_range_are_rejected(values, message):
    with pytest.raises(InputError) as raised:
        Hardware(**values)
    assert str(raised.value).startswith(message)


def test_wormhole_buffers_may_be_smaller_than_a_packet():
    assert Hardware(flow_control="wormhole", buffer_flits=1).buffer == 1
