"""Hardware that no engine can hold is refused, with the values that lead to it."""

import re

import numpy as np
import pytest

from isoplane.models import Fabric, FabricPlane, InputError, SwitchModel, dual_cube, fabric_of
from isoplane.models.routing import mesh_order
from isoplane.models.topologies import mesh
from isoplane.simulator import Hardware, Simulation, Traffic
from isoplane.simulator.hardware import MOST_BUFFER_FLITS, MOST_DELAY_TICKS, MOST_OUTPUT_FLITS


@pytest.mark.parametrize(
    ("values", "refusal"),
    [
        (
            {"flit_bits": 1, "packet_bits": 8192, "virtual_channels": 8},  # 8 · 8192 = 65536
            "hardware.output_flits=null: a packet of 8192 flits for each of hardware.virtual_channels=8 is 65536; "
            "allowed are at most 65535",
        ),
        (
            {"packet_bits": 1 << 20, "virtual_channels": 16},
            "hardware.output_flits=null: a packet of 4096 flits for each of hardware.virtual_channels=16 is 65536; "
            "allowed are at most 65535",
        ),
        (
            {"switch": SwitchModel(delay_ns=1e9)},  # 10^9 / 1.28
            "switch.delay_ns=1000000000.0: 781250000 ticks of 1.28 ns; allowed are at most 1048576",
        ),
        (
            {"switch": SwitchModel(delay_ns=1e9), "buffer_flits": 100},
            "switch.delay_ns=1000000000.0: 781250000 ticks of 1.28 ns; allowed are at most 1048576",
        ),
        (
            {"flit_bits": 2, "packet_bits": 20, "link_gbps": 100000},  # a tick of 10^-5 ns
            "switch.delay_ns=90: 9000000 ticks of 1e-05 ns; allowed are at most 1048576",
        ),
        (
            {"longest_cable_m": 10**6, "link_gbps": 1000},  # (10^7 + 90) ns in flits of 0.256 ns
            "hardware.buffer_flits=null: 39062852 flits for hardware.longest_cable_m=1000000, there and back; allowed "
            "are at most 16777215",
        ),
    ],
)
def test_what_follows_from_the_values_is_within_what_the_engine_can_hold(values, refusal):
    with pytest.raises(InputError, match=f"^{re.escape(refusal)}$"):
        Hardware(**values)


def test_a_cable_that_is_longer_than_the_engine_looks_ahead_is_refused():
    hardware = Hardware(switch=SwitchModel(cable_delay_ns_per_m=1e9), buffer_flits=100)
    with pytest.raises(InputError, match=r"^switch.cable_delay_ns_per_m=1000000000.0: a cable of 2 m takes 1562500000"):
        Simulation(fabric_of(dual_cube(3, (3, 5, 7))), hardware, Traffic(load=0.1), seed=1)


@pytest.mark.parametrize(
    "hardware",
    [
        Hardware(buffer_flits=MOST_BUFFER_FLITS, output_flits=MOST_OUTPUT_FLITS),
        Hardware(flit_bits=1, packet_bits=(1 << 14) - 1, output_flits=1),
        Hardware(speedup=1, flit_bits=100, switch=SwitchModel(delay_ns=MOST_DELAY_TICKS)),
    ],
)
def test_the_engine_holds_the_largest_hardware_that_is_allowed(hardware):
    wiring = mesh((2,))
    fabric = Fabric("mesh 2", (FabricPlane(wiring, mesh_order((2,)), np.zeros_like(wiring.peer)),))
    simulation = Simulation(fabric, hardware, Traffic(load=0.1), seed=1)
    simulation.run(1000)
    assert simulation.audit() is None
