"""Traffic between nodes in integers."""

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, MessageList
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.placement import Placement
from isoplane.objectives.fluid.circuits.bounds import bits_between


@dataclass(frozen=True, eq=False)
class ScaledTraffic:
    """The traffic between nodes, in units of bits and time that make all numbers integers.

    Attributes
    ----------
    hybrid
        The network.
    sent : int64[nodes, nodes]
        Bits by source and destination, in units of the greatest common divisor of all entries.
    node, up, circuit
        Time of a unit of bits over the link of a node, an uplink and a circuit, in ticks.
    ticks_per_ns
        Number of ticks, the units of time, per nanosecond.
    """

    hybrid: Hybrid
    sent: NDArray[np.int64]
    node: int
    up: int
    circuit: int
    ticks_per_ns: Fraction

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Pairs (source, destination) of nodes of different groups with traffic."""
        group = self.hybrid.group
        in_different_groups = group[:, None] != group[None, :]
        return [(int(s), int(t)) for s, t in np.argwhere((self.sent > 0) & in_different_groups)]

    @property
    def inner(self) -> NDArray[np.int64]:
        """The traffic inside groups."""
        group = self.hybrid.group
        return np.where(group[:, None] == group[None, :], self.sent, 0)

    def ticks(self, time_ns: float) -> int:
        """Return a time rounded to whole ticks."""
        return round(time_ns * float(self.ticks_per_ns))

    def ns(self, ticks: int) -> int:
        """Return a time rounded to whole nanoseconds."""
        return round(Fraction(ticks) / self.ticks_per_ns)


def traffic_of(hybrid: Hybrid, messages: MessageList, placement: Placement | None = None) -> ScaledTraffic:
    """Return the traffic of messages between processes placed on nodes; by default process i on node i.

    Raises
    ------
    InputError
        If the numbers of processes and nodes differ.

    Examples
    --------
    >>> from isoplane.models.workloads import stencil
    >>> traffic = traffic_of(Hybrid(2, 2), stencil((2, 2)).message_list())
    >>> traffic.sent.max(), traffic.node, traffic.up, traffic.circuit
    (np.int64(1), 32, 5, 10)
    """
    count = messages.nodes if placement is None else len(placement.nodes)
    if not messages.nodes == count == hybrid.nodes:
        raise InputError(f"workload.processes={messages.nodes}: expected one for each of {hybrid.nodes} nodes")
    sent = bits_between(hybrid, messages, placement)
    unit = int(np.gcd.reduce(sent, axis=None))
    times = [1 / rate for rate in hybrid.rates_gbps]
    scale = lcm(*(time.denominator for time in times))
    ticks = [int(time * scale) for time in times]
    # The largest possible tick, as large coefficients make solvers slow.
    common = gcd(*ticks)
    node, up, circuit = (tick // common for tick in ticks)
    return ScaledTraffic(hybrid, sent // unit, node, up, circuit, Fraction(scale, unit * common))
