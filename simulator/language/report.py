"""What became of the messages of a program."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from isoplane.simulator.listed import Listed
from isoplane.simulator.simulation import Simulation

from .program import Program

Totals = dict[str, int]
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Distance:
    """Latencies of the packets over one number of hops; None without packets.

    Attributes
    ----------
    hops, packets
        The distance, and the packets that arrived over it.
    network_ns, message_ns
        Means from leaving the queue of the source, and from the creation of the message, to the last bit.
    longest_ns
        The longest in the network.
    """

    hops: int
    packets: int
    network_ns: float | None
    message_ns: float | None
    longest_ns: float


@dataclass(frozen=True)
class Interval:
    """A row of the time series: what came in an interval, and what remains at its end.

    Attributes
    ----------
    end_ns
        When it ends.
    injected_messages, injected_bytes, arrived_messages, arrived_bytes, dropped_messages
        In the interval; injected are those that nodes created.
    remaining_messages, remaining_bytes
        At its end, in the queues of the nodes and in the network.
    """

    end_ns: float
    injected_messages: int
    injected_bytes: int
    arrived_messages: int
    arrived_bytes: int
    dropped_messages: int
    remaining_messages: int
    remaining_bytes: int


@dataclass(frozen=True, eq=False)
class ProgramReport:
    """The report on a program that was simulated to its end.

    Attributes
    ----------
    nodes, time_ns
        Of the network, and when the simulation ended.
    messages_created, messages_arrived, messages_dropped, messages_remaining, messages_never_created
        All messages: those that came out, were dropped to resolve deadlocks, stand in a deadlock that ended the
        simulation, or waited for messages of the two former kinds.
    packets_arrived, packets_dropped
        The packets of them.
    network_latency_ns, longest_network_latency_ns
        Mean and longest over the packets that arrived, from leaving the queue of the source to the last bit.
    message_latency_ns, longest_message_latency_ns
        Mean and longest over the messages that arrived, from creation to the last bit of the last packet.
    collisions_per_packet, collided
        A packet collides at each node where it does not get the link that it asks for at once; and the share of the
        packets that do so at all.
    deadlocks
        How many were found.
    deadlock
        The circle of channels that ended the simulation, as (node, port, virtual channel); empty if none did.
    by_distance
        By hops, for all distances over which packets arrived.
    series
        The intervals of a program that states their length.
    sent, received, collisions
        Messages, and collisions of packets, of each node.
    """

    nodes: int
    time_ns: float
    messages_created: int
    messages_arrived: int
    messages_dropped: int
    messages_remaining: int
    messages_never_created: int
    packets_arrived: int
    packets_dropped: int
    network_latency_ns: float | None
    longest_network_latency_ns: float
    message_latency_ns: float | None
    longest_message_latency_ns: float
    collisions_per_packet: float | None
    collided: float | None
    deadlocks: int
    deadlock: tuple[tuple[int, int, int], ...]
    by_distance: tuple[Distance, ...]
    series: tuple[Interval, ...]
    sent: Counts
    received: Counts
    collisions: Counts


def report_of(program: Program, simulation: Simulation, series: list[tuple[int, Totals]]) -> ProgramReport:
    """Return the report on a simulation that has ended, with the totals at the ends of the intervals of its series."""
    totals, clock = simulation.totals(), simulation.hardware.tick_ns
    packets, arrived = totals["packets_arrived"], totals["messages_arrived"]
    traffic = simulation.traffic
    listed = traffic.messages.messages if isinstance(traffic, Listed) else totals["messages_created"]
    return ProgramReport(
        nodes=program.nodes,
        time_ns=float(simulation.now * clock),
        messages_created=totals["messages_created"],
        messages_arrived=arrived,
        messages_dropped=totals["messages_dropped"],
        messages_remaining=totals["messages_alive"],
        messages_never_created=listed - totals["messages_created"],
        packets_arrived=packets,
        packets_dropped=totals["packets_dropped"],
        network_latency_ns=_mean(totals["network_latency"], packets, clock),
        longest_network_latency_ns=float(totals["longest_latency"] * clock),
        message_latency_ns=_mean(totals["message_latency"], arrived, clock),
        longest_message_latency_ns=float(totals["longest_message_latency"] * clock),
        collisions_per_packet=_mean(totals["collisions"], packets),
        collided=_mean(totals["collided_packets"], packets),
        deadlocks=totals["deadlocks"],
        deadlock=tuple((node, port, channel) for _, node, port, channel in simulation.deadlock),
        by_distance=_distances(simulation, clock),
        series=_intervals(series, clock),
        sent=simulation.sent().astype(np.int64),
        received=simulation.received().astype(np.int64),
        collisions=simulation.collisions_at().astype(np.int64),
    )


def _mean(total: int, count: int, unit: Fraction = Fraction(1)) -> float | None:
    return float(total * unit / count) if count else None


def _distances(simulation: Simulation, clock: Fraction) -> tuple[Distance, ...]:
    rows = enumerate(simulation.by_distance().tolist())
    return tuple(
        Distance(hops, packets, _mean(network, packets, clock), _mean(message, packets, clock), float(longest * clock))
        for hops, (packets, network, message, longest) in rows
        if packets
    )


def _intervals(series: list[tuple[int, Totals]], clock: Fraction) -> tuple[Interval, ...]:
    return tuple(
        Interval(
            float(tick * clock),
            new["messages_created"] - old["messages_created"],
            (new["bits_created"] - old["bits_created"]) // 8,
            new["messages_arrived"] - old["messages_arrived"],
            (new["bits_arrived"] - old["bits_arrived"]) // 8,
            new["messages_dropped"] - old["messages_dropped"],
            new["messages_alive"],
            new["bits_alive"] // 8,
        )
        for (_, old), (tick, new) in pairwise(series)
    )
