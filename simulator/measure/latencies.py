"""Latencies of packets and messages of one kind."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Latencies:
    """Latencies of packets and messages of one kind.

    Attributes
    ----------
    packets
        Number of packets that arrived in the measured part.
    network_ns, creation_ns
        Mean latency of packets to the last bit, from leaving the queue of the source and from the creation of the
        message; None without packets.
    longest_ns
        Longest latency of a packet in the network, over the whole run.
    messages
        Number of messages that arrived in the measured part.
    message_ns
        Mean latency of messages, from creation to the last bit of the last packet; None without messages.
    longest_message_ns
        Longest latency of a message, over the whole run.
    """

    packets: int
    network_ns: float | None
    creation_ns: float | None
    longest_ns: float
    messages: int
    message_ns: float | None
    longest_message_ns: float


def latency_table(rows: NDArray[np.int64], tick_ns: Fraction) -> tuple[Latencies, ...]:
    """Convert rows of counters, with the columns of `Simulation.by_distance`, to latencies."""
    return tuple(
        Latencies(
            packets,
            _mean_ns(network, packets, tick_ns),
            _mean_ns(creation, packets, tick_ns),
            float(longest * tick_ns),
            messages,
            _mean_ns(message, messages, tick_ns),
            float(longest_message * tick_ns),
        )
        for packets, network, creation, messages, message, longest, longest_message in rows.tolist()
    )


def _mean_ns(total: int, count: int, tick_ns: Fraction) -> float | None:
    return float(Fraction(total, count) * tick_ns) if count else None
