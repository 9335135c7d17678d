"""All statements of the language, with the `Program` field and the codec of each."""

from dataclasses import dataclass
from typing import Any

from .choices import DeadlockRecovery, FlowControl, Routing
from .forms import COMPANIONS, TOPOLOGY, TRAFFIC
from .values import ANSWER, BITS, DURATION, FILE, FREQUENCY, INTEGER, LENGTHS, SHARE, TIME, Codec, choice


@dataclass(frozen=True)
class Kind:
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
KINDS: dict[str, Kind] = {
    "RoutingAlgorithm": Kind("routing", choice(Routing)),
    "FlowControlMethod": Kind("flow_control", choice(FlowControl), required=True),
    "VirtualChannels": Kind("virtual_channels", INTEGER),
    "DateLines": Kind("date_lines", ANSWER),
    "HopClasses": Kind("hop_classes", ANSWER),
    "DeadlockRecovery": Kind("deadlock_recovery", choice(DeadlockRecovery)),
    "NetworkChannelWidth": Kind("channel_bits", BITS, required=True),
    "NetworkFrequency": Kind("frequency_hz", FREQUENCY, required=True),
    "NetworkPacketSize": Kind("packet_bits", BITS, required=True),
    "NetworkDataSize": Kind("data_bits", BITS, required=True),
    "NetworkCableDelay": Kind("cable_delay", TIME),
    "NodeHardwareDelay": Kind("hardware_delay", DURATION, required=True),
    "NodeBufferSize": Kind("buffer_bits", BITS, required=True),
    "TrafficPattern": Kind("traffic", TRAFFIC),
    "MessageCreationMax": Kind("message_creation_max", INTEGER),
    "MessageCreationInterval": Kind("message_interval", DURATION),
    "MessageCreationRate": Kind("message_rate", SHARE),
    "MessageLength": Kind("message_bytes", LENGTHS),
    "MessageMaxCount": Kind("message_max_count", INTEGER),
    "SimulationInterval": Kind("simulation_interval", DURATION),
    "RandomSeed": Kind("random_seed", INTEGER),
    "CommunicationPatternFile": Kind("pattern_file", FILE),
    "ProcessorPerformanceExpandRate": Kind("processor_performance", SHARE),
    "DataOutputFile": Kind("data_output_file", FILE),
    "ScreenOutputFile": Kind("screen_output_file", FILE),
}
NAMES = (TOPOLOGY, *COMPANIONS, *KINDS)
REQUIRED = (TOPOLOGY, *(name for name, kind in KINDS.items() if kind.required))
