"""From a program to the hardware and the messages that are simulated."""

from fractions import Fraction
from math import isqrt
from pathlib import Path

import numpy as np

from isoplane.models import InputError, SwitchModel
from isoplane.models.grid import coordinates, strides

from ..hardware import FlowControl as Flow
from ..hardware import Hardware
from ..listed import Listed
from ..permutations import PERMUTATIONS, Nodes
from ..traffic import Traffic
from .choices import DeadlockRecovery, FlowControl, Pattern
from .patterns import read_messages
from .program import Program
from .topology import Mesh, Rdt, Torus

FLOWS: dict[FlowControl, Flow] = {
    FlowControl.STORE_AND_FORWARD: "store_and_forward",
    FlowControl.VIRTUAL_CUT_THROUGH: "virtual_cut_through",
    FlowControl.WORMHOLE: "wormhole",
}
BITWISE = {Pattern.BIT_REVERSE: "reverse", Pattern.SHUFFLE: "shuffle"}
NANO = 10**9


def hardware_of_program(program: Program) -> Hardware:
    """Return the hardware of a program: a tick is a clock, for the crossbar is as fast as the links.

    A switch begins to pass a flit on, its hardware delay after it has received it; with store and forward, after it has
    received the packet.

    Examples
    --------
    >>> from importlib.resources import files
    >>> from .parse import read_program
    >>> program = read_program(files("isoplane.conf") / "programs" / "torus-64x64.ndl")
    >>> hardware = hardware_of_program(program)
    >>> hardware.packet_flits, hardware.tick_ns, hardware.switch_ticks, hardware.buffer
    (8, Fraction(20, 1), 4, 8)
    """
    clock_ns = NANO / program.frequency_hz
    received = 0 if program.flow_control is FlowControl.STORE_AND_FORWARD else 1
    cable_clocks = program.cable_delay.in_clocks(program.frequency_hz)
    return Hardware(
        name="program",
        flow_control=FLOWS[program.flow_control],
        virtual_channels=program.virtual_channels,
        link_gbps=Fraction(program.channel_bits) / clock_ns,
        flit_bits=program.channel_bits,
        packet_bits=program.packet_bits,
        header_bits=program.packet_bits - program.data_bits,
        speedup=1,
        buffer_flits=program.buffer_flits,
        deadlock="report" if program.deadlock_recovery is DeadlockRecovery.REPORT else "drop",
        switch=SwitchModel(
            name="program",
            delay_ns=(program.hardware_delay_clocks + received) * clock_ns,
            cable_delay_ns_per_m=cable_clocks * clock_ns,
            endpoint_delay_ns=0,
        ),
    )


def traffic_of_program(program: Program, folder: Path) -> Traffic | Listed:
    """Return the messages of a program.

    Parameters
    ----------
    program
        The program.
    folder
        Where it is: its communication pattern file is looked for there.

    Raises
    ------
    InputError
        If that file cannot be read or holds no messages for so many nodes.
    """
    if program.pattern_file is not None:
        path = folder / program.pattern_file
        try:
            messages = read_messages(path, program.nodes)
        except OSError as error:
            raise InputError(
                f"CommunicationPatternFile {path}: {error.strerror}; allowed is a readable file"
            ) from error
        return Listed(messages, program.processor_performance, program.message_max_count)
    assert program.creation_probability is not None
    clock_ns = NANO / program.frequency_hz
    traffic = program.traffic
    hot = traffic.pattern is Pattern.HOT_SPOT
    table = () if hot else tuple(_destinations(program).tolist())
    return Traffic(
        pattern="hot_spot" if hot else "table" if table else "uniform",
        interval_ns=clock_ns / program.creation_probability,
        message_bytes=program.message_bytes,
        hot_nodes=(traffic.hot_node,) if hot else (),
        hot_share=traffic.hot_share,
        most_created=program.message_creation_max,
        most_alive=program.message_max_count,
        table=table,
    )


def _destinations(program: Program) -> Nodes:
    """Return where each node sends to, nothing for uniform traffic."""
    pattern, nodes = program.traffic.pattern, program.nodes
    ids = np.arange(nodes, dtype=np.int64)
    if pattern is Pattern.UNIFORM:
        return ids[:0]
    if pattern is Pattern.COMPLEMENT:
        return nodes - 1 - ids
    if pattern in BITWISE:
        return PERMUTATIONS[BITWISE[pattern]](nodes)
    if pattern is Pattern.TRANSPOSE:
        side = isqrt(nodes)
        return ids // side + ids % side * side
    topology = program.topology
    assert isinstance(topology, (Torus, Mesh, Rdt))  # the only ones with coordinates
    sizes = np.array(topology.shape)
    moved = (sizes + 1) // 2 - 1 if pattern is Pattern.TORNADO else 1
    found: Nodes = (coordinates(ids, topology.shape) + moved) % sizes @ strides(topology.shape)
    return found
