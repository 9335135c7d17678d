"""Conversion of a program to its hardware."""

from fractions import Fraction

from isoplane.models import SwitchModel
from isoplane.simulator.hardware import FlowControl as HardwareFlowControl
from isoplane.simulator.hardware import Hardware

from .choices import DeadlockRecovery, FlowControl
from .program import Program

FLOWS: dict[FlowControl, HardwareFlowControl] = {
    FlowControl.STORE_AND_FORWARD: "store_and_forward",
    FlowControl.WORMHOLE: "wormhole",
    FlowControl.VIRTUAL_CUT_THROUGH: "virtual_cut_through",
}


def clock_ns(program: Program) -> Fraction:
    """Return the clock period in ns."""
    return 10**9 / program.frequency_hz


def hardware_of(program: Program) -> Hardware:
    """Return the hardware of a program; its tick is a clock of the network.

    A head received in clock t leaves in clock t + 1 + h, where h is the hardware delay; with store-and-forward, so does
    a packet whose last flit is received in clock t. Receiving a flit takes a clock. In a worm only the head is delayed:
    the body flits follow through the switch that it has set, one per clock. So H hops of a packet of P flits take
    H·(P + h) clocks with store-and-forward, and H·(1 + h) + P - 1 otherwise. Deadlock is checked for once per packet
    time.

    Examples
    --------
    >>> from importlib.resources import files
    >>> from .text.parse import read_program
    >>> hardware = hardware_of(read_program(files("isoplane.conf") / "programs" / "torus-64x64.ndl"))
    >>> hardware.tick_ns, hardware.switch_ticks, hardware.packet_flits, hardware.buffer
    (Fraction(20, 1), 4, 8, 8)
    """
    clock, delay = clock_ns(program), program.hardware_delay_clocks
    store_and_forward = program.flow_control is FlowControl.STORE_AND_FORWARD  # `Hardware` itself adds the last flit
    return Hardware(
        name="program",
        flow_control=FLOWS[program.flow_control],
        virtual_channels=program.virtual_channels,
        link_gbps=program.channel_bits / clock,
        flit_bits=program.channel_bits,
        packet_bits=program.packet_bits,
        header_bits=program.packet_bits - program.data_bits,
        speedup=1,
        buffer_flits=program.buffer_flits,
        output_flits=1,
        deadlock="drop" if program.deadlock_recovery is DeadlockRecovery.DROP else "report",
        deadlock_check_flits=program.packet_flits,
        switch=SwitchModel(
            name="program",
            delay_ns=(delay if store_and_forward else delay + 1) * clock,
            cable_delay_ns_per_m=program.cable_delay.in_seconds(program.frequency_hz) * 10**9,
            endpoint_delay_ns=0,
        ),
        routing_ns=delay * clock if program.flow_control is FlowControl.WORMHOLE else 0,
    )
