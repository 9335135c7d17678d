"""Programs in the network description language, as values in exact units, and the words among which they choose."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Literal

from .topology import StatedTopology, switches_of
from .units import Duration

FlowControl = Literal["StoreAndForward", "Wormhole", "VirtualCutThrough"]
Routing = Literal["DimensionOrder", "VectorRouting", "ShortestPath", "UpDown"]
DeadlockRecovery = Literal["Drop", "Report"]
Pattern = Literal["Uniform", "Complement", "BitReverse", "Transpose", "Shuffle", "Tornado", "Neighbour", "HotSpot"]


@dataclass(frozen=True)
class Traffic:
    """Destinations of random messages among N nodes; on a grid, a node is at (x, y, ...).

    Parameters
    ----------
    pattern
        A node mapped to itself sends nothing. ``Uniform``: any other node, equally likely. ``Complement``: i to
        N - 1 - i. ``BitReverse`` and ``Shuffle``: the bits of i reversed, or rotated by one place to the left; N is a
        power of two. ``Transpose``: x + m·y to y + m·x; N = m². ``Tornado``: ⌈k/2⌉ - 1 is added to every coordinate,
        modulo its size k. ``Neighbour``: 1 is added to every coordinate, modulo its size. ``HotSpot``: all nodes send a
        share of their messages to one of them, the hot node, and the rest as in ``Uniform``.
    hot_node, hot_share
        For a hot spot: the node, and the share of messages that it gets in addition to its part of the uniform rest.
    """

    pattern: Pattern = "Uniform"
    hot_node: int = 0
    hot_share: Fraction = Fraction(0)


CABLE_DELAY = Duration(Fraction(5, 10**9))
UNIFORM = Traffic()


@dataclass(frozen=True, kw_only=True)
class Program:
    """A network of nodes with a switch in each, and their messages: one field per statement.

    A message of L bytes travels in ⌈8L / data_bits⌉ packets of packet_bits each. A link transfers a flit of
    channel_bits per clock. A switch forwards a flit, or with store-and-forward a packet, its hardware delay after
    receiving all of it.

    Parameters
    ----------
    topology
        ``NetworkTopology``, with its ``Generators``, ``RankTile`` or ``NetworkLink`` statements.
    routing
        ``RoutingAlgorithm``; `default_routing` if a program states none. All routes are fixed before a simulation
        begins. ``DimensionOrder`` corrects one coordinate after the other, x first, or the generators of a cube in
        ascending order. ``VectorRouting`` is the routing of an RDT. ``ShortestPath`` minimises the number of hops.
        ``UpDown`` climbs a spanning tree before it descends, and so is deadlock-free.
    flow_control
        ``FlowControlMethod``, when a packet is forwarded: ``StoreAndForward``: as a whole; ``Wormhole``: flit by flit;
        ``VirtualCutThrough``: flit by flit once the next buffer has room for it.
    channel_bits
        ``NetworkChannelWidth``: bits per clock and direction of a link.
    frequency_hz
        ``NetworkFrequency``: clocks per second.
    packet_bits, data_bits
        ``NetworkPacketSize``, and its payload: ``NetworkDataSize``.
    hardware_delay
        ``NodeHardwareDelay``: delay of a switch after receiving a flit or packet.
    buffer_bits
        ``NodeBufferSize``: input buffer per virtual channel.
    virtual_channels, date_lines, hop_classes
        ``VirtualChannels`` per link; ``DateLines``: whether a packet changes them as it crosses the end of a row of a
        torus, or at turns of a route of an RDT; ``HopClasses``: whether it changes them on every hop.
    deadlock_recovery
        ``DeadlockRecovery``, what happens on a deadlock: one of its messages is dropped and counted (``Drop``), or the
        simulation ends and reports it (``Report``).
    cable_delay
        ``NetworkCableDelay``: delay per metre of cable.
    traffic
        ``TrafficPattern``.
    message_creation_max
        ``MessageCreationMax``: total number of messages created.
    message_interval
        ``MessageCreationInterval``: mean time between the messages of a node. In each clock it creates one with the
        probability clock / interval.
    message_rate
        ``MessageCreationRate``: that probability itself. The interval takes precedence if both are given.
    message_bytes
        ``MessageLength``: minimum and maximum; lengths are uniformly distributed between them.
    message_max_count
        ``MessageMaxCount``: maximum number of messages in the network; further ones wait; None for no limit.
    simulation_interval
        ``SimulationInterval``: length of the intervals of time series; None for no time series.
    pattern_file
        ``CommunicationPatternFile``: file with the list of messages; None for random ones.
    processor_performance
        ``ProcessorPerformanceExpandRate``: processor speed relative to the one assumed in the
        communication pattern file, whose delays are divided by it: at 50 % they take twice as long.
    data_output_file, screen_output_file
        ``DataOutputFile`` for the data, ``ScreenOutputFile`` for the printed summary; None for no file.
    random_seed
        ``RandomSeed``.

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
    deadlock_recovery: DeadlockRecovery = "Drop"
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

    @property
    def nodes(self) -> int:
        """Number of nodes, one per switch."""
        return switches_of(self.topology)

    @property
    def packet_flits(self) -> int:
        """Number of flits of a packet, which is also its time on a link in clocks."""
        return self.packet_bits // self.channel_bits

    @property
    def buffer_flits(self) -> int:
        """Input buffer per virtual channel, in flits."""
        return self.buffer_bits // self.channel_bits

    @property
    def hardware_delay_clocks(self) -> int:
        """Hardware delay in clocks, rounded up."""
        return ceil(self.hardware_delay.in_clocks(self.frequency_hz))

    @property
    def creation_probability(self) -> Fraction | None:
        """Probability that a node creates a message in a clock; None if messages come from a file."""
        if self.pattern_file is not None:
            return None
        if self.message_interval is not None:
            return 1 / self.message_interval.in_clocks(self.frequency_hz)
        return self.message_rate

    def packets(self, length_bytes: int) -> int:
        """Return the number of packets of a message."""
        return -(-8 * length_bytes // self.data_bits)
