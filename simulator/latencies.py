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
        Those that arrived in the measured part.
    network_ns, creation_ns
        Means from leaving the queue of the source, and from the creation of the message, to the last bit; None without
        packets.
    longest_ns
        The longest in the network, over the whole run.
    messages
        Those that arrived in the measured part.
    message_ns
        Mean from creation to the last bit of the last packet; None without messages.
    longest_message_ns
        The longest of them, over the whole run.
    """

    packets: int
    network_ns: float | None
    creation_ns: float | None
    longest_ns: float
    messages: int
    message_ns: float | None
    longest_message_ns: float


def latency_table(rows: NDArray[np.int64], tick_ns: Fraction) -> tuple[Latencies, ...]:
    """Return the latencies that rows of counters stand for, as `Simulation.by_distance` has them."""
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
