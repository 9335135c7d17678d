"""Results of a program."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from isoplane.simulator.flits.simulation import Simulation
from isoplane.simulator.flits.sliced_run import CounterSnapshot
from isoplane.simulator.measure.latencies import Latencies, latency_table
from isoplane.simulator.measure.report import Moment, moments

from .program import Program

Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ProgramReport:
    """Results of a program that was simulated to its end.

    Attributes
    ----------
    nodes, time_ns
        Number of nodes, and end of the simulation.
    messages_created, messages_arrived, messages_dropped, messages_remaining, messages_never_created
        Number of messages created; arrived; dropped to resolve deadlocks; waiting in the deadlock that ended the
        simulation; and never created, because it ended earlier or a message that they depend on was dropped.
    packets_arrived, packets_dropped
        Number of packets arrived and dropped.
    network_latency_ns, longest_network_latency_ns
        Mean and longest latency of the arrived packets, from leaving the queue of the source to the last bit.
    message_latency_ns, longest_message_latency_ns
        Mean and longest latency of the arrived messages, from creation to the last bit of the last packet.
    collisions_per_packet, collided
        A packet collides at a node if its first request for a link is not granted at once; mean number of collisions
        per packet, and the fraction of packets that collide at all.
    deadlocks
        Number of deadlocks.
    deadlock
        The cycle of channels that ended the simulation, as (node, port, virtual channel); empty if there was none.
    by_distance
        Latencies by number of hops, from 0.
    series
        Time series; empty if the program states no interval.
    sent, received, collisions
        Number of messages sent, messages received, and collisions of packets, by node.
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
    by_distance: tuple[Latencies, ...]
    series: tuple[Moment, ...]
    sent: Counts
    received: Counts
    collisions: Counts


def report_of(program: Program, simulation: Simulation, series: list[CounterSnapshot]) -> ProgramReport:
    """Return the report on a simulation that has ended; `series` are snapshots at the ends of its intervals."""
    totals, clock = simulation.totals(), simulation.hardware.tick_ns
    packets, arrived = totals["packets_arrived"], totals["messages_arrived"]
    return ProgramReport(
        nodes=program.nodes,
        time_ns=float(simulation.now * clock),
        messages_created=totals["messages_created"],
        messages_arrived=arrived,
        messages_dropped=totals["messages_dropped"],
        messages_remaining=totals["messages_alive"],
        messages_never_created=simulation.max_messages - totals["messages_created"],
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
        by_distance=latency_table(simulation.by_distance().astype(np.int64), clock),
        series=moments(series, clock),
        sent=simulation.sent().astype(np.int64),
        received=simulation.received().astype(np.int64),
        collisions=simulation.collisions_at().astype(np.int64),
    )


def _mean(total: int, count: int, unit: Fraction = Fraction(1)) -> float | None:
    return float(total * unit / count) if count else None
