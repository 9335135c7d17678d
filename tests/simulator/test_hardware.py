"""Derived values of the hardware; values beyond the limits of the engine are rejected, and the cause is named."""

from fractions import Fraction

import numpy as np

from isoplane.models import Plane, SwitchModel, dual_cube
from isoplane.models.routing import mesh_order
from isoplane.models.topologies import mesh
from isoplane.simulator import Hardware, Simulation, Traffic
from isoplane.simulator.hardware import MAX_BUFFER_FLITS, MAX_DELAY_TICKS, MAX_OUTPUT_FLITS
from tests.assembled import assembled
from tests.cases import for_each, require_refusal

SLOW_SWITCH = SwitchModel(delay_ns=1e9)


@for_each(
    ("values", "message"),
    [
        # 8 · 8192 = 65536 flits
        ({"flit_bits": 1, "packet_bits": 8192, "virtual_channels": 8}, "hardware.output_flits=null: a packet of 8192"),
        ({"packet_bits": 1 << 20, "virtual_channels": 16}, "hardware.output_flits=null: a packet of 4096 flits for"),
        # 10^9 / 1.28, and ticks of 10^-5 ns
        ({"switch": SLOW_SWITCH, "buffer_flits": 100}, "switch.delay_ns=1000000000.0: 781250000 ticks of 1.28 ns"),
        ({"flit_bits": 2, "packet_bits": 20, "link_gbps": 100000}, "switch.delay_ns=90: 9000000 ticks of 1e-05 ns;"),
        # (10^7 + 90) ns in flits of 0.256 ns
        (
            {"longest_cable_m": 10**6, "link_gbps": 1000},
            "hardware.buffer_flits=null: 39062852 flits for the round trip",
        ),
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
        ({"buffer_flits": 7}, "hardware.buffer_flits=7: smaller than a packet of 8 flits; expected at least 8 with"),
        ({"output_flits": 0}, "hardware.output_flits=0: expected"),
        ({"flit_bits": 1, "packet_bits": 1 << 14}, "hardware.flit_bits=1: packets of 16384 flits; expected"),
    ],
)
def test_values_out_of_range_and_beyond_the_limits_of_the_engine_are_rejected(values, message):
    require_refusal(lambda: Hardware(**values), f"^{message}")


def test_a_cable_beyond_the_horizon_of_the_engine_is_rejected():
    hardware = Hardware(switch=SwitchModel(cable_delay_ns_per_m=1e9), buffer_flits=100)
    cube, traffic = dual_cube(3, (3, 5, 7)), Traffic(load=0.1)
    require_refusal(
        lambda: Simulation(cube, hardware, traffic, seed=1),
        "^switch.cable_delay_ns_per_m=1000000000.0: a cable of 2 m takes 1562500000",
    )


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


@for_each(
    ("values", "name", "derived"),
    [
        # 256 bits at 100 Gbit/s take 2.56 ns, and a tick is that time over the speed-up.
        ({}, "flit_ns", Fraction("2.56")),
        ({}, "tick_ns", Fraction("1.28")),
        ({"speedup": 1, "link_gbps": 400}, "tick_ns", Fraction("0.64")),
        *(({"packet_bits": bits}, "packet_flits", flits) for bits, flits in ((2048, 8), (2049, 9), (1, 1), (256, 1))),
        ({"packet_bits": 256, "header_bits": 64}, "payload_bits", 192),
        # Buffers cover the round trip of a credit, (2 · 100 m · 5 ns/m + 90 ns) / 2.56 ns = 425.8, or a packet.
        ({}, "buffer", 426),
        ({"longest_cable_m": 0, "switch": SwitchModel(delay_ns=0)}, "buffer", 8),
        ({"buffer_flits": 17}, "buffer", 17),
        ({"flow_control": "wormhole", "buffer_flits": 1}, "buffer", 1),
        # A packet of each channel waits at an output.
        ({"virtual_channels": 3}, "output", 3 * 8),
        ({"output_flits": 1}, "output", 1),
        # Store-and-forward counts the delay from the last flit; a flit is forwarded only after it is received.
        ({"flow_control": "store_and_forward"}, "switch_delay_ns", 90 + Fraction("2.56")),
        ({}, "switch_ticks", 70),  # 90 / 1.28 = 70.3
        ({"speedup": 4, "switch": SwitchModel(delay_ns=0)}, "switch_ticks", 4),
        # Routing takes at most the delay of the switch.
        ({"flow_control": "wormhole", "routing_ns": 64}, "routing_ticks", 50),
        ({"flow_control": "wormhole", "routing_ns": 1000}, "routing_ticks", 70 - 2),
    ],
)
def test_values_that_are_not_stated_are_derived(values, name, derived):
    assert getattr(Hardware(**values), name) == derived


@for_each("length_m", [0, 0.1, 1.5, 2, 3, 17.3, 100])
def test_a_switch_and_a_cable_are_rounded_together(length_m):
    hardware = Hardware()
    ticks = hardware.switch_ticks + hardware.cable_ticks(length_m)
    exact = (90 + 5 * Fraction(str(length_m))) / hardware.tick_ns
    assert abs(ticks - exact) <= Fraction(1, 2)
