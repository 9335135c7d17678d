"""Constraints on the values of a program, separately and jointly."""

from collections.abc import Iterator
from fractions import Fraction
from math import isqrt

from isoplane.models import Cube
from isoplane.models.planes.routes import MAX_TABLE_SWITCHES
from isoplane.simulator.hardware import (
    MAX_BUFFER_FLITS,
    MAX_CHANNELS,
    MAX_FLIT_BITS,
    MAX_GBPS,
    MAX_PACKET_BITS,
    MAX_PACKET_FLITS,
)
from isoplane.simulator.traffic.traffic import MAX_MESSAGE_BYTES, MAX_RANGE

from .problems import StatementError, require_integer
from .program import Program, Routing
from .topology import Graph, Rdt, StatedTopology, Torus, switches_of
from .units import FREQUENCIES, MAX_SECONDS, Duration, format_quantity, is_exact

WITH_DATE_LINES = ((Torus, "DimensionOrder"), (Rdt, "VectorRouting"))
MAX_HZ = 10**12
MAX_MESSAGES = 1 << 31
MAX_DELAY_CLOCKS = 10**6  # leaves room for the clocks to receive a packet, within the horizon of the engine
MAX_SEED = (1 << 63) - 1
MAX_PERFORMANCE = 10**6


def routings(topology: StatedTopology) -> tuple[Routing, ...]:
    """Return the routing algorithms of a topology, the default one first."""
    if isinstance(topology, Graph):
        return ("UpDown", "ShortestPath")
    return ("VectorRouting" if isinstance(topology, Rdt) else "DimensionOrder", "ShortestPath", "UpDown")


def _is_mesh(topology: StatedTopology) -> bool:
    return isinstance(topology, Torus) and not topology.wraps


def default_routing(topology: StatedTopology) -> Routing:
    """Return the routing of a program that states none."""
    return routings(topology)[0]


def check(program: Program) -> None:
    """Raise a `StatementError` if a program breaks a rule."""
    _check_network(program)
    _check_sizes(program)
    _check_channels(program)
    _check_traffic(program)
    _check_messages(program)
    _check_creation(program)
    _check_files(program)
    require_integer("RandomSeed", program.random_seed, 0, MAX_SEED)


def notes(program: Program) -> tuple[str, ...]:
    """Return notes on a program: statements without effect, and rounded values."""
    return tuple(_notes(program))


def _notes(program: Program) -> Iterator[str]:
    delay = program.hardware_delay.in_clocks(program.frequency_hz)
    if delay.denominator != 1:
        yield f"NodeHardwareDelay {program.hardware_delay} is {float(delay):g} clocks; simulated as {-(-delay // 1)}"
    if program.pattern_file is not None:
        unused = [
            name
            for name, value in (
                ("MessageCreationMax", program.message_creation_max),
                ("MessageCreationInterval", program.message_interval),
                ("MessageCreationRate", program.message_rate),
                ("MessageLength", program.message_bytes),
            )
            if value is not None
        ]
        if unused:
            yield f"{', '.join(unused)}: has no effect, because the messages come from {program.pattern_file}"
        return
    if program.message_interval is not None and program.message_rate is not None:
        probability = 1 / program.message_interval.in_clocks(program.frequency_hz)
        if probability != program.message_rate:
            rate, percent = format_quantity(program.message_rate, "%"), f"{float(100 * probability):.6g}%"
            interval = f"MessageCreationInterval {program.message_interval}"
            yield f"MessageCreationRate {rate} is not the {percent} of {interval}; the interval takes precedence"
    if program.processor_performance != 1:
        yield "ProcessorPerformanceExpandRate: has no effect without a CommunicationPatternFile"


def _check_network(program: Program) -> None:
    if switches_of(program.topology) < 2:
        raise StatementError("NetworkTopology", "Graph 1", "a network of at least 2 switches", 1)
    allowed = routings(program.topology)
    if program.routing not in allowed:
        name = {Torus: "a torus", Cube: "a hypercube", Rdt: "an RDT", Graph: "a graph"}
        network = "a mesh" if _is_mesh(program.topology) else name[type(program.topology)]
        raise StatementError("RoutingAlgorithm", program.routing, f"{' or '.join(allowed)} in {network}")
    # The next port depends on more than the offset to the destination.
    needs_table = program.routing in ("UpDown", "ShortestPath") or _is_mesh(program.topology)
    if program.nodes > MAX_TABLE_SWITCHES and needs_table:
        limit = f"at most {MAX_TABLE_SWITCHES} switches for this routing, which needs a table"
        raise StatementError("RoutingAlgorithm", program.routing, limit)
    if not (1 <= program.frequency_hz <= MAX_HZ and is_exact(program.frequency_hz, FREQUENCIES[0])):
        value = _decimal(program.frequency_hz, *FREQUENCIES)
        raise StatementError("NetworkFrequency", value, f"1Hz to {MAX_HZ // 10**9}GHz")
    # A head leaves one clock after its delay; `Hardware` limits the sum.
    high = min(MAX_DELAY_CLOCKS, int(MAX_SECONDS * program.frequency_hz) - 1)
    _check_duration("NodeHardwareDelay", program.hardware_delay, program, Fraction(0), high)
    if program.cable_delay.clocks:
        raise StatementError("NetworkCableDelay", str(program.cable_delay), "a time, not clocks")
    _check_duration("NetworkCableDelay", program.cable_delay, program, Fraction(0), MAX_DELAY_CLOCKS)
    _check_cables(program)


def _check_cables(program: Program) -> None:
    """Check that no cable delay exceeds the horizon of the engine."""
    if not isinstance(program.topology, Graph):
        return
    # Cables without delay may have any length: the divisor is never 0.
    max_mm = 1000 * MAX_DELAY_CLOCKS / max(program.cable_delay.in_clocks(program.frequency_hz), Fraction(1, 10**12))
    for index, (a, b, mm) in enumerate(program.topology.links):
        if mm > max_mm:
            value = f"{a} {b} {format_quantity(Fraction(mm, 1000), 'm')}"
            high = format_quantity(Fraction(int(max_mm), 1000), "m")
            raise StatementError("NetworkLink", value, f"at most {high}, {MAX_DELAY_CLOCKS} clocks", 2, index)


def _check_sizes(program: Program) -> None:
    channel, packet = program.channel_bits, program.packet_bits
    _check_bits("NetworkChannelWidth", channel, MAX_FLIT_BITS)
    if channel * program.frequency_hz > MAX_GBPS * 10**9:
        high = format_quantity(Fraction(MAX_GBPS * 10**9 // channel), *FREQUENCIES)
        value = format_quantity(program.frequency_hz, *FREQUENCIES)
        raise StatementError("NetworkFrequency", value, f"at most {high} at NetworkChannelWidth {channel}bit")
    _check_bits("NetworkPacketSize", packet, MAX_PACKET_BITS)
    if packet % channel:
        raise StatementError("NetworkPacketSize", f"{packet}bit", f"a multiple of NetworkChannelWidth {channel}bit")
    if packet > MAX_PACKET_FLITS * channel:
        high = f"{MAX_PACKET_FLITS} times NetworkChannelWidth {channel}bit"
        raise StatementError("NetworkPacketSize", f"{packet}bit", f"at most {high}")
    if not 1 <= program.data_bits <= packet:
        allowed = f"1bit to {packet}bit, the NetworkPacketSize"
        raise StatementError("NetworkDataSize", f"{program.data_bits}bit", allowed)
    buffer = f"{program.buffer_bits}bit"
    _check_bits("NodeBufferSize", program.buffer_bits, MAX_BUFFER_FLITS * channel)
    if program.buffer_bits % channel:
        raise StatementError("NodeBufferSize", buffer, f"a multiple of NetworkChannelWidth {channel}bit")
    if program.flow_control != "Wormhole" and program.buffer_bits < packet:
        allowed = f"at least {packet}bit, a packet, under {program.flow_control}"
        raise StatementError("NodeBufferSize", buffer, allowed)


def _check_channels(program: Program) -> None:
    require_integer("VirtualChannels", program.virtual_channels, 1, MAX_CHANNELS)
    if program.hop_classes and program.routing != "ShortestPath":
        raise StatementError("HopClasses", "Yes", "No, except with RoutingAlgorithm ShortestPath")
    if not program.date_lines:
        return
    if _is_mesh(program.topology) or (type(program.topology), program.routing) not in WITH_DATE_LINES:
        raise StatementError("DateLines", "Yes", "No, except with DimensionOrder in a torus or VectorRouting in an RDT")
    if program.virtual_channels < 2:
        raise StatementError("DateLines", "Yes", "No, except with VirtualChannels 2 or more")


def _check_traffic(program: Program) -> None:
    pattern, nodes = program.traffic.pattern, program.nodes
    if pattern in ("BitReverse", "Shuffle") and nodes & (nodes - 1):
        raise StatementError("TrafficPattern", pattern, f"another pattern, as {nodes} is not a power of two")
    if pattern == "Transpose" and isqrt(nodes) ** 2 != nodes:
        raise StatementError("TrafficPattern", pattern, f"another pattern, as {nodes} is not a square")
    if pattern in ("Tornado", "Neighbour") and isinstance(program.topology, (Cube, Graph)):
        raise StatementError("TrafficPattern", pattern, "a pattern for a network without coordinates")
    if pattern == "HotSpot":
        require_integer("TrafficPattern", program.traffic.hot_node, 0, nodes - 1, 1)
        _check_share("TrafficPattern", program.traffic.hot_share, 1, 2)
    elif program.traffic.hot_node or program.traffic.hot_share:
        raise StatementError("TrafficPattern", pattern, "HotSpot with a hot node")


def _check_messages(program: Program) -> None:
    if program.message_bytes is not None:
        low, high = program.message_bytes
        for argument, length in ((0, low), (2, high)):
            if not 1 <= length <= MAX_MESSAGE_BYTES:
                allowed = f"1byte to {MAX_MESSAGE_BYTES}byte"
                raise StatementError("MessageLength", f"{length}byte", allowed, argument)
        if high < low:
            raise StatementError("MessageLength", f"{low}byte to {high}byte", "the shortest length first", 2)
        if high > low + MAX_RANGE:
            allowed = f"two lengths that differ by at most {MAX_RANGE}byte"
            raise StatementError("MessageLength", f"{low}byte to {high}byte", allowed, 2)
    for name, number in (
        ("MessageCreationMax", program.message_creation_max),
        ("MessageMaxCount", program.message_max_count),
    ):
        if number is not None:
            require_integer(name, number, 1, MAX_MESSAGES)
    if program.simulation_interval is not None:
        _check_duration("SimulationInterval", program.simulation_interval, program, Fraction(1))
    _check_share("ProcessorPerformanceExpandRate", program.processor_performance, MAX_PERFORMANCE)


def _check_creation(program: Program) -> None:
    if program.message_interval is not None:
        _check_duration("MessageCreationInterval", program.message_interval, program, Fraction(1))
    if program.message_rate is not None:
        _check_share("MessageCreationRate", program.message_rate, 1)
        if program.message_interval is None and program.message_rate * program.frequency_hz * MAX_SECONDS < 1:
            allowed = f"at least one message per node in {MAX_SECONDS}sec"
            raise StatementError("MessageCreationRate", format_quantity(program.message_rate, "%"), allowed)
    if program.pattern_file is not None:
        return
    if program.message_creation_max is None:
        raise StatementError("MessageCreationMax", "", "a number, or a CommunicationPatternFile")
    if program.message_bytes is None:
        raise StatementError("MessageLength", "", "a length, or a CommunicationPatternFile")
    if program.message_interval is None and program.message_rate is None:
        allowed = "a time, or a MessageCreationRate, or a CommunicationPatternFile"
        raise StatementError("MessageCreationInterval", "", allowed)


def _check_files(program: Program) -> None:
    for name, file in (
        ("CommunicationPatternFile", program.pattern_file),
        ("DataOutputFile", program.data_output_file),
        ("ScreenOutputFile", program.screen_output_file),
    ):
        if file is not None and not (file.strip() and file.isprintable() and '"' not in file):
            raise StatementError(name, ascii(file), "a file name in printable characters without quotation marks")


def _check_bits(statement: str, bits: int, high: int) -> None:
    if isinstance(bits, bool) or not isinstance(bits, int) or not 1 <= bits <= high:
        raise StatementError(statement, f"{bits}bit", f"1bit to {high}bit")


def _check_share(statement: str, share: Fraction, high: int, argument: int = 0) -> None:
    if not (0 < share <= high and is_exact(share, "%")):
        raise StatementError(statement, _decimal(share, "%"), f"above 0% and at most {100 * high}%", argument)


def _check_duration(
    statement: str, duration: Duration, program: Program, low: Fraction, high: int | None = None
) -> None:
    clocks = duration.in_clocks(program.frequency_hz)
    if high is None and clocks > MAX_SECONDS * program.frequency_hz:
        raise StatementError(statement, str(duration), f"at most {MAX_SECONDS}sec")
    if clocks < low or (high is not None and clocks > high):
        allowed = f"at least {low} clock{'' if low == 1 else 's'}" + (
            f" and at most {high}" if high is not None else ""
        )
        frequency = format_quantity(program.frequency_hz, *FREQUENCIES)
        raise StatementError(statement, str(duration), f"{allowed} at {frequency}")


def _decimal(value: Fraction, *units: str) -> str:
    """Format a value for a message, as a fraction if it needs too many decimals."""
    return format_quantity(value, *units) if is_exact(value, units[0]) else f"{value}"
