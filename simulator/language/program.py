"""What a program in the network description language states, in exact units."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from . import rules
from .choices import DeadlockRecovery, FlowControl, Routing, Traffic
from .topology import StatedTopology, switches_of
from .units import Duration

CABLE_DELAY = Duration(Fraction(5, 10**9))
UNIFORM = Traffic()


@dataclass(frozen=True, kw_only=True)
class Program:
    """A network of nodes with a switch in each, and the messages that they send: one field for each statement.

    A message of L bytes travels in ⌈8L / data_bits⌉ packets, all of packet_bits. A link takes channel_bits, a flit, in
    each clock. A switch passes on what it has received whole, a flit or with store-and-forward a packet, after its
    hardware delay.

    Parameters
    ----------
    topology
        ``NetworkTopology``, with its ``Generators``, ``RankTile`` or ``NetworkLink`` statements.
    routing
        ``RoutingAlgorithm``; `default_routing` is what a program gets that does not say.
    flow_control
        ``FlowControlMethod``.
    channel_bits
        ``NetworkChannelWidth``: what a link moves in a clock, in each direction.
    frequency_hz
        ``NetworkFrequency``: clocks in a second.
    packet_bits, data_bits
        ``NetworkPacketSize``, and the part of it that carries data: ``NetworkDataSize``.
    hardware_delay
        ``NodeHardwareDelay``: of a switch, counted from when it has received a flit or packet.
    buffer_bits
        ``NodeBufferSize``: of each virtual channel of an input.
    virtual_channels, date_lines, hop_classes
        ``VirtualChannels`` of each link, and whether a packet changes them where it crosses the end of a row of a
        torus: ``DateLines``, or with every hop: ``HopClasses``.
    deadlock_recovery
        ``DeadlockRecovery``.
    cable_delay
        ``NetworkCableDelay``: time that a metre of cable takes.
    traffic
        ``TrafficPattern``.
    message_creation_max
        ``MessageCreationMax``: messages that are created in all.
    message_interval
        ``MessageCreationInterval``: mean time between the messages of a node. In each clock it creates one with the
        probability clock / interval.
    message_rate
        ``MessageCreationRate``: that probability itself. The interval decides where both are given.
    message_bytes
        ``MessageLength``: the shortest and the longest one, with every length between them alike.
    message_max_count
        ``MessageMaxCount``: messages in the network at any time, further ones wait; None without a limit.
    simulation_interval
        ``SimulationInterval``: length of the intervals of time series; None without them.
    pattern_file
        ``CommunicationPatternFile``: where the messages are listed; None for random ones.
    processor_performance
        ``ProcessorPerformanceExpandRate``: how fast processors are, compared to those of the communication pattern
        file. Its delays are divided by it: at 50 % they take twice as long.
    data_output_file, screen_output_file
        ``DataOutputFile`` for results, ``ScreenOutputFile`` for what is printed; None for none.
    random_seed
        ``RandomSeed``.

    Raises
    ------
    InputError
        If a value is out of range or two of them do not fit together, with the name of the statement.

    References
    ----------
    Shibamura, Kuga and Sueyoshi, Performance Evaluation of Interconnection Networks for Massively Parallel Computers
    Utilizing An Interconnection Network Simulator INSIGHT, Fig. 1.
    """

    topology: StatedTopology
    routing: Routing
    flow_control: FlowControl
    channel_bits: int
    frequency_hz: Fraction
    packet_bits: int
    data_bits: int
    hardware_delay: Duration
    buffer_bits: int
    virtual_channels: int = 1
    date_lines: bool = False
    hop_classes: bool = False
    deadlock_recovery: DeadlockRecovery = DeadlockRecovery.DROP
    cable_delay: Duration = CABLE_DELAY
    traffic: Traffic = UNIFORM
    message_creation_max: int | None = None
    message_interval: Duration | None = None
    message_rate: Fraction | None = None
    message_bytes: tuple[int, int] | None = None
    message_max_count: int | None = None
    simulation_interval: Duration | None = None
    pattern_file: str | None = None
    processor_performance: Fraction = Fraction(1)
    data_output_file: str | None = None
    screen_output_file: str | None = None
    random_seed: int = 1

    def __post_init__(self) -> None:
        rules.check(self)

    @property
    def nodes(self) -> int:
        """Number of nodes, one at each switch."""
        return switches_of(self.topology)

    @property
    def packet_flits(self) -> int:
        """Flits of a packet, which are the clocks that a link is busy with it."""
        return self.packet_bits // self.channel_bits

    @property
    def buffer_flits(self) -> int:
        """Flits that the buffer of a virtual channel holds."""
        return self.buffer_bits // self.channel_bits

    @property
    def hardware_delay_clocks(self) -> int:
        """Hardware delay in clocks, rounded up."""
        return ceil(self.hardware_delay.in_clocks(self.frequency_hz))

    @property
    def creation_probability(self) -> Fraction | None:
        """Probability that a node creates a message in a clock; None where messages come from a file."""
        if self.pattern_file is not None:
            return None
        if self.message_interval is not None:
            return 1 / self.message_interval.in_clocks(self.frequency_hz)
        return self.message_rate

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the program should know: statements without effect, and values that are rounded."""
        return tuple(rules.notes(self))

    def packets(self, length_bytes: int) -> int:
        """Return how many packets a message takes."""
        return -(-8 * length_bytes // self.data_bits)
