"""All statements of the language, with the `Program` field and the codec of each."""

from dataclasses import dataclass
from typing import Any

from ..choices import DeadlockRecovery, FlowControl, Routing
from .forms import TOPOLOGY, TOPOLOGY_STATEMENTS, TRAFFIC
from .values import BITS, DURATION, FILE, FREQUENCY, INTEGER, LENGTHS, PERCENT, TIME, YES_NO, Codec, choice


@dataclass(frozen=True)
class StatementKind:
    """A kind of statement with one value.

    Parameters
    ----------
    field
        Field of `Program`.
    codec
        Reads and writes its value.
    required
        Whether every program must have it.
    """

    field: str
    codec: Codec[Any]
    required: bool = False


# In the order of output.
STATEMENTS: dict[str, StatementKind] = {
    "RoutingAlgorithm": StatementKind("routing", choice(Routing)),
    "FlowControlMethod": StatementKind("flow_control", choice(FlowControl), required=True),
    "VirtualChannels": StatementKind("virtual_channels", INTEGER),
    "DateLines": StatementKind("date_lines", YES_NO),
    "HopClasses": StatementKind("hop_classes", YES_NO),
    "DeadlockRecovery": StatementKind("deadlock_recovery", choice(DeadlockRecovery)),
    "NetworkChannelWidth": StatementKind("channel_bits", BITS, required=True),
    "NetworkFrequency": StatementKind("frequency_hz", FREQUENCY, required=True),
    "NetworkPacketSize": StatementKind("packet_bits", BITS, required=True),
    "NetworkDataSize": StatementKind("data_bits", BITS, required=True),
    "NetworkCableDelay": StatementKind("cable_delay", TIME),
    "NodeHardwareDelay": StatementKind("hardware_delay", DURATION, required=True),
    "NodeBufferSize": StatementKind("buffer_bits", BITS, required=True),
    "TrafficPattern": StatementKind("traffic", TRAFFIC),
    "MessageCreationMax": StatementKind("message_creation_max", INTEGER),
    "MessageCreationInterval": StatementKind("message_interval", DURATION),
    "MessageCreationRate": StatementKind("message_rate", PERCENT),
    "MessageLength": StatementKind("message_bytes", LENGTHS),
    "MessageMaxCount": StatementKind("message_max_count", INTEGER),
    "SimulationInterval": StatementKind("simulation_interval", DURATION),
    "RandomSeed": StatementKind("random_seed", INTEGER),
    "CommunicationPatternFile": StatementKind("pattern_file", FILE),
    "ProcessorPerformanceExpandRate": StatementKind("processor_performance", PERCENT),
    "DataOutputFile": StatementKind("data_output_file", FILE),
    "ScreenOutputFile": StatementKind("screen_output_file", FILE),
}
STATEMENT_NAMES = (TOPOLOGY, *TOPOLOGY_STATEMENTS, *STATEMENTS)
REQUIRED = (TOPOLOGY, *(name for name, kind in STATEMENTS.items() if kind.required))
