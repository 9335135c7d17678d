"""Lists of messages as traffic of the native engine."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, MessageList, Network
from isoplane.models.checks import check_int, exact_number, fraction_of

from .._native import Pattern, TrafficPlan
from ..hardware import Hardware

MAX_TICKS = 1 << 60


@dataclass(frozen=True, eq=False)
class MessageTrace:
    """Messages with dependencies, sent by processors of a given speed.

    Parameters
    ----------
    messages
        Sources, destinations, lengths, delays and dependencies.
    performance
        Processor speed relative to that for which the delays of the messages are stated: delays are divided by it.
    max_in_flight
        Maximum number of messages in the network at a time; further ones wait. None for no limit.
    """

    messages: MessageList
    performance: float | Fraction = 1
    max_in_flight: int | None = None

    def __post_init__(self) -> None:
        exact_number("traffic.performance", self.performance, above=True)
        if self.max_in_flight is not None:
            check_int("traffic.max_in_flight", self.max_in_flight, 1)

    def plan(self, network: Network, hardware: Hardware) -> TrafficPlan:
        """Return the traffic plan of the native engine; delays are rounded up to whole ticks.

        Raises
        ------
        InputError
            If the messages are for another number of nodes, or a delay exceeds 2^60 ticks.
        """
        messages = self.messages
        if messages.nodes != network.nodes:
            raise InputError(
                f"messages: written for {messages.nodes} nodes; expected {network.nodes}, the nodes of the network"
            )
        starts, successors = inverse(messages.dependency_start, messages.dependency)
        plan = TrafficPlan()
        plan.pattern = Pattern.LIST
        plan.max_in_flight = self.max_in_flight or 0
        plan.set_list(
            source=messages.source.astype(np.uint32),
            destination=messages.destination.astype(np.uint32),
            bits=8 * messages.length_bytes.astype(np.uint64),
            delay=self._delay_ticks(hardware),
            predecessors=np.diff(messages.dependency_start).astype(np.uint32),
            successor_starts=starts.astype(np.uint32),
            successors=successors.astype(np.uint32),
        )
        return plan

    def _delay_ticks(self, hardware: Hardware) -> NDArray[np.int64]:
        tick_ps = 1000 * hardware.tick_ns * fraction_of(self.performance)
        # Delays repeat, and each distinct one takes a division of fractions; sorted, the last is the longest.
        delays_ps, index = np.unique(self.messages.delay_ps, return_inverse=True)
        ticks = [ceil(delay_ps / tick_ps) for delay_ps in delays_ps.tolist()]
        if ticks[-1] > MAX_TICKS:
            raise InputError(
                f"traffic.performance={self.performance}: a delay of {ticks[-1]} ticks; expected at most 2^60"
            )
        found: NDArray[np.int64] = np.array(ticks, dtype=np.int64)[index]
        return found


def inverse(
    dependency_start: NDArray[np.int64], dependency: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the successors of each message, as CSR arrays: start offsets and concatenated successors.

    Parameters
    ----------
    dependency_start, dependency
        As in a `MessageList`.

    Examples
    --------
    >>> [array.tolist() for array in inverse(np.array([0, 0, 1, 3]), np.array([0, 0, 1]))]
    [[0, 2, 3, 3], [1, 2, 2]]
    """
    messages = len(dependency_start) - 1
    owner = np.repeat(np.arange(messages), np.diff(dependency_start))
    counts = np.bincount(dependency, minlength=messages)
    return np.concatenate(([0], np.cumsum(counts))), owner[np.argsort(dependency, kind="stable")]
