"""The ways of a packet network of any family between all pairs of nodes, for its fluid model with circuits."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from isoplane.models import InputError, MessageList, Network, OpticalFamily, Site
from isoplane.models.arrays import Ints
from isoplane.models.checks import fraction_of
from isoplane.models.mathematics.spans import starts_of

from .link_timing import LinkTiming, link_timing
from .units import WAITS_NS, FluidUnits, Scales, scales_of
from .ways import WayLinks, ways_of

# The fields of `PacketWays` in `packet_ways.hpp`, in order.
NativeWays = tuple[list[float], list[float], list[int], list[int], list[float], list[int], list[int]]

MAX_ENTRIES = (1 << 32) - 1


@dataclass(frozen=True, eq=False)
class AllWays:
    """The ways between all ordered pairs of different nodes, in ascending order, with rates and delays of links.

    Parameters
    ----------
    way_start : int64[nodes² + 1]
        The ways of the pair (a, b) are those from ``way_start[a * nodes + b]``; none if a = b.
    ways, timing
        The links of the ways and their shares; rates and delays of all links.
    """

    way_start: Ints
    ways: WayLinks
    timing: LinkTiming

    @property
    def delays(self) -> Ints:
        """Delay of each way, in the units of `timing`."""
        found: Ints = np.add.reduceat(self.timing.delay[self.ways.link], self.ways.link_start[:-1])
        return found

    @property
    def longest_busy(self) -> Fraction:
        """Largest sum of the busy times of a way's links, in ns per bit."""
        rates = self.timing.rates_gbps
        counts = np.zeros((len(self.ways.pair), len(rates)), dtype=np.int64)
        np.add.at(counts, (np.repeat(np.arange(len(counts)), self.ways.lengths), self.timing.rate[self.ways.link]), 1)
        return max(
            sum((count / rate for count, rate in zip(row, rates, strict=True)), Fraction(0))
            for row in np.unique(counts, axis=0).tolist()
        )

    def scaled(self, scales: Scales) -> NativeWays:
        """Return the ways as the native code expects them, in integer units."""
        share_sums = starts_of(self.ways.share)
        share_end = share_sums[1:] - np.repeat(share_sums[self.way_start[:-1]], np.diff(self.way_start))
        capacity = np.array([float(scales.rate(rate)) for rate in self.timing.rates_gbps])[self.timing.rate]
        gbps = np.array([float(rate) for rate in self.timing.rates_gbps])[self.timing.rate]
        found, index = np.unique(self.delays, return_inverse=True)
        ticks = np.array([float(scales.ticks(Fraction(delay, self.timing.per_ns))) for delay in found.tolist()])
        return (
            gbps.tolist(), capacity.tolist(), self.way_start.tolist(), share_end.tolist(), ticks[index].tolist(),
            self.ways.link_start.tolist(), self.ways.link.tolist(),
        )  # fmt: skip


@lru_cache(maxsize=4)
def all_ways(hybrid: OpticalFamily, site: Site) -> AllWays:
    """Return the ways between all nodes of a network with circuits, under its plane policy.

    Raises
    ------
    InputError
        As for `ways_of`, or if the routes inside two groups share a link. A message that visits both groups would take
        it twice.
    """
    network = Network(hybrid, site)
    pairs = np.flatnonzero(~np.eye(network.nodes, dtype=bool).ravel())
    ways = ways_of(network, pairs // network.nodes, pairs % network.nodes)
    if len(ways.link) > MAX_ENTRIES:
        raise InputError(f"network: {len(ways.link)} links on all routes; expected at most 2^32 - 1")
    counts = np.zeros(network.nodes**2, dtype=np.int64)
    counts[pairs] = np.bincount(ways.pair, minlength=len(pairs))
    found = AllWays(starts_of(counts), ways, link_timing(network))
    _require_separate_groups(hybrid, pairs[ways.pair], ways)
    return found


def _require_separate_groups(hybrid: OpticalFamily, pair: Ints, ways: WayLinks) -> None:
    groups = hybrid.group[pair // hybrid.nodes], hybrid.group[pair % hybrid.nodes]
    group = np.repeat(np.where(groups[0] == groups[1], groups[0], -1), ways.lengths)
    used = np.unique(np.stack([ways.link, group])[:, group >= 0], axis=1)
    link, count = np.unique(used[0], return_counts=True)
    if (count > 1).any():
        shared = used[1][used[0] == link[count > 1][0]].tolist()
        raise InputError(
            f"network.group_size={hybrid.nodes_per_group}: routes inside groups {shared[0]} and {shared[1]} share a "
            "link; expected groups such as the nodes of a switch, or group_size=1"
        )


def packet_scales(hybrid: OpticalFamily, site: Site, messages: MessageList) -> Scales:
    """Return the scales for a workload on a packet network with any circuits.

    The longest run is bounded as in `units_of`: with w the largest sum of 1 / rate over the links of a way, B bits are
    sent for at most B·g·(1 / c + w) over circuits and inside groups, and B·w over the packet network alone.

    Raises
    ------
    InputError
        If that bound is 2^52 ns or more, or a rate is less than 2^-20 of the fastest.
    """
    ways, circuit = all_ways(hybrid, site), fraction_of(hybrid.circuit_gbps)
    busy = 8 * messages.sent_bytes * (hybrid.groups * (1 / circuit + ways.longest_busy) + ways.longest_busy)
    delay = max(Fraction(int(ways.delays.max()), ways.timing.per_ns), fraction_of(hybrid.circuit_ns))
    rates = {
        "the slowest link_gbps": min(ways.timing.rates_gbps),
        "the fastest link_gbps": max(ways.timing.rates_gbps),
        "network.circuit_gbps": circuit,
    }
    return scales_of(rates, busy + messages.messages * hybrid.nodes * (delay + WAITS_NS), messages)


def packet_units(hybrid: OpticalFamily, scales: Scales) -> FluidUnits:
    """Return the units of circuits; those of the links of the two-level tree are zero."""
    rate, delay = (fraction_of(value) for value in (hybrid.circuit_gbps, hybrid.circuit_ns))
    return FluidUnits(0, 0, scales.rate(rate), 0, 0, scales.ticks(delay), scales.ticks_log2, scales.volume_log2)
