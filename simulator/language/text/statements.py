"""All statements of the language, with the `Program` field and the codec of each, and the writer of programs."""

from collections.abc import Iterator
from typing import Any, get_args

from ..program import DeadlockRecovery, FlowControl, Program, Routing
from ..rules import check
from .forms import TOPOLOGY, TOPOLOGY_STATEMENTS, TRAFFIC, topology_lines
from .values import BITS, DURATION, FILE, FREQUENCY, INTEGER, LENGTHS, PERCENT, TIME, YES_NO, Codec, choice

# The field of `Program` that each statement with one value states, and the codec of its value; in the order of output.
STATEMENTS: dict[str, tuple[str, Codec[Any]]] = {
    "RoutingAlgorithm": ("routing", choice(get_args(Routing))),
    "FlowControlMethod": ("flow_control", choice(get_args(FlowControl))),
    "VirtualChannels": ("virtual_channels", INTEGER),
    "DateLines": ("date_lines", YES_NO),
    "HopClasses": ("hop_classes", YES_NO),
    "DeadlockRecovery": ("deadlock_recovery", choice(get_args(DeadlockRecovery))),
    "NetworkChannelWidth": ("channel_bits", BITS),
    "NetworkFrequency": ("frequency_hz", FREQUENCY),
    "NetworkPacketSize": ("packet_bits", BITS),
    "NetworkDataSize": ("data_bits", BITS),
    "NetworkCableDelay": ("cable_delay", TIME),
    "NodeHardwareDelay": ("hardware_delay", DURATION),
    "NodeBufferSize": ("buffer_bits", BITS),
    "TrafficPattern": ("traffic", TRAFFIC),
    "MessageCreationMax": ("message_creation_max", INTEGER),
    "MessageCreationInterval": ("message_interval", DURATION),
    "MessageCreationRate": ("message_rate", PERCENT),
    "MessageLength": ("message_bytes", LENGTHS),
    "MessageMaxCount": ("message_max_count", INTEGER),
    "SimulationInterval": ("simulation_interval", DURATION),
    "RandomSeed": ("random_seed", INTEGER),
    "CommunicationPatternFile": ("pattern_file", FILE),
    "ProcessorPerformanceExpandRate": ("processor_performance", PERCENT),
    "DataOutputFile": ("data_output_file", FILE),
    "ScreenOutputFile": ("screen_output_file", FILE),
}
STATEMENT_NAMES = (TOPOLOGY, *TOPOLOGY_STATEMENTS, *STATEMENTS)
# Those that every program must have.
REQUIRED = (
    TOPOLOGY,
    "FlowControlMethod",
    "NetworkChannelWidth",
    "NetworkFrequency",
    "NetworkPacketSize",
    "NetworkDataSize",
    "NodeHardwareDelay",
    "NodeBufferSize",
)


def write_program(program: Program) -> str:
    """Return the text of a program, from which `parse_program` reads the same program.

    Defaults are included; optional statements without a value are not.

    Raises
    ------
    InputError
        If a value is out of range or two values are inconsistent, with the name of the statement.
    """
    check(program)
    return "".join(f"{line}\n" for line in _lines(program))


def _lines(program: Program) -> Iterator[str]:
    yield from topology_lines(program.topology)
    for name, (field, (_, write)) in STATEMENTS.items():
        value = getattr(program, field)
        if value is not None:
            yield f"({name} {write(value)})"
