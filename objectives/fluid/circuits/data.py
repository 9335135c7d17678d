"""Networks with circuits as plain data for the native code: links, and the paths of the packet network."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, MessageList, Network, OpticalFamily, Site
from isoplane.models.arrays import Ints
from isoplane.models.checks import fraction_of
from isoplane.models.families.hybrid import Hybrid, tree_in
from isoplane.models.family_kinds.distance_vector import segment_costs
from isoplane.models.mathematics.spans import starts_of

from ..link_timing import LinkTiming, link_timing
from ..paths import PathLinks, paths_of
from ..units import WAITS_NS, Scales, scales_of

# The fields of `PacketWays` in `packet_ways.hpp`, in order.
NativePaths = tuple[list[float], list[float], list[int], list[int], list[float], list[int], list[int]]

MAX_ENTRIES = (1 << 32) - 1


@dataclass(frozen=True, eq=False)
class _AllPaths:
    """The paths between all ordered pairs of different nodes, in ascending order, with rates and delays of links.

    Parameters
    ----------
    path_start : int64[nodes² + 1]
        The paths of the pair (a, b) are those from ``path_start[a * nodes + b]``; none if a = b.
    paths, timing
        The links of the paths and their shares; rates and delays of all links.
    """

    path_start: Ints
    paths: PathLinks
    timing: LinkTiming

    @property
    def delays(self) -> Ints:
        """Delay of each path, in the units of `timing`."""
        sums: Ints = np.add.reduceat(self.timing.delay[self.paths.link], self.paths.link_start[:-1])
        return sums

    @property
    def longest_busy(self) -> Fraction:
        """Largest sum of the busy times of a path's links, in ns per bit."""
        rates = self.timing.rates_gbps
        counts = np.zeros((len(self.paths.pair), len(rates)), dtype=np.int64)
        np.add.at(counts, (np.repeat(np.arange(len(counts)), self.paths.lengths), self.timing.rate[self.paths.link]), 1)
        # Few combinations of rates occur on all paths, so fractions are added up once for each.
        return max(
            sum((count / rate for count, rate in zip(row, rates, strict=True)), Fraction(0))
            for row in np.unique(counts, axis=0).tolist()
        )

    def scaled(self, scales: Scales) -> NativePaths:
        """Return the paths as the native code expects them, in integer units."""
        share_sums = starts_of(self.paths.share)
        share_end = share_sums[1:] - np.repeat(share_sums[self.path_start[:-1]], np.diff(self.path_start))
        capacity = np.array([float(scales.rate(rate)) for rate in self.timing.rates_gbps])[self.timing.rate]
        gbps = np.array([float(rate) for rate in self.timing.rates_gbps])[self.timing.rate]
        distinct, index = np.unique(self.delays, return_inverse=True)
        ticks = np.array([float(scales.ticks(Fraction(delay, self.timing.per_ns))) for delay in distinct.tolist()])
        return (
            gbps.tolist(), capacity.tolist(), self.path_start.tolist(), share_end.tolist(), ticks[index].tolist(),
            self.paths.link_start.tolist(), self.paths.link.tolist(),
        )  # fmt: skip


@lru_cache(maxsize=4)
def all_paths(hybrid: OpticalFamily, site: Site) -> _AllPaths:
    """Return the paths between all nodes of a network with circuits, under its plane policy.

    Raises
    ------
    InputError
        As for `paths_of`, if packets may miss a cache, or if the routes inside two groups share a link. A message that
        visits both groups would take it twice.
    """
    network = Network(hybrid, site)
    site.switch.require_no_misses(network.nodes, "times with circuits take")
    pairs = np.flatnonzero(~np.eye(network.nodes, dtype=bool).ravel())
    paths = paths_of(network, pairs // network.nodes, pairs % network.nodes)
    if len(paths.link) > MAX_ENTRIES:
        raise InputError(f"network: {len(paths.link)} links on all routes; expected at most 2^32 - 1")
    counts = np.zeros(network.nodes**2, dtype=np.int64)
    counts[pairs] = np.bincount(paths.pair, minlength=len(pairs))
    with_timing = _AllPaths(starts_of(counts), paths, link_timing(network))
    _require_separate_groups(hybrid, pairs[paths.pair], paths)
    return with_timing


def _require_separate_groups(hybrid: OpticalFamily, pair: Ints, paths: PathLinks) -> None:
    groups = hybrid.group[pair // hybrid.nodes], hybrid.group[pair % hybrid.nodes]
    group = np.repeat(np.where(groups[0] == groups[1], groups[0], -1), paths.lengths)
    used = np.unique(np.stack([paths.link, group])[:, group >= 0], axis=1)
    link, count = np.unique(used[0], return_counts=True)
    if (count > 1).any():
        shared = used[1][used[0] == link[count > 1][0]].tolist()
        raise InputError(
            f"network.group_size={hybrid.nodes_per_group}: routes inside groups {shared[0]} and {shared[1]} share a "
            "link; expected groups such as the nodes of a switch, or group_size=1"
        )


def tree_units(hybrid: Hybrid, messages: MessageList) -> tuple[list[int], Scales]:
    """Return the rates, delays and scales of a workload on a network as the native code expects them, and the scales.

    A tick is 2^-10 ns, or longer if the longest run with any circuits would not end before 2^52 ticks. While messages
    are being sent, some link is saturated, so a run is no longer than the sum of the busy times of all links: for B
    bits at most B·g·(1 / c + 2 / e) over circuits and 2·B·(1 / e + 1 / u) over the packet network, with g groups and
    the rates e of nodes, u of uplinks and c of circuits. The delays of all messages are added to it.

    Returns
    -------
    list of int, Scales
        In units of volume per tick, rounded down, the rates of a node's link, of an uplink and of a circuit; in ticks,
        to the nearest one, the delays of a segment inside a group, of one over the packet network, and of a circuit;
        log2 of the ticks per ns, and of the units of volume per bit.

    Raises
    ------
    InputError
        If that sum is 2^52 ns or more, or a rate is less than 2^-20 of the fastest.

    Examples
    --------
    >>> from isoplane.models.workloads import stencil
    >>> (node, _, _, _, _, circuit_delay, *logarithms), scales = tree_units(Hybrid(), stencil().message_list())
    >>> node == 10 << 45, circuit_delay, logarithms, scales.ticks_log2
    (True, 81920, [10, 55], 10)
    """
    names = ("network.node_gbps", "network.up_gbps", "network.circuit_gbps")
    rates = dict(zip(names, hybrid.rates_gbps, strict=True))
    scales = scales_of(rates, _longest_ns(hybrid, messages), messages)
    delays = map(scales.ticks, hybrid.segment_delays_ns)
    return [*map(scales.rate, rates.values()), *delays, scales.ticks_log2, scales.volume_log2], scales


def _longest_ns(hybrid: Hybrid, messages: MessageList) -> Fraction:
    node, up, circuit = hybrid.rates_gbps
    busy = 8 * messages.sent_bytes * (hybrid.groups * (2 / node + 1 / circuit) + 2 / up)
    return busy + messages.messages * hybrid.nodes * (max(hybrid.segment_delays_ns) + WAITS_NS)


def packet_scales(hybrid: OpticalFamily, site: Site, messages: MessageList) -> Scales:
    """Return the scales for a workload on a packet network with any circuits.

    The longest run is bounded as in `tree_units`: with w the largest sum of 1 / rate over the links of a path, B bits
    are sent for at most B·g·(1 / c + w) over circuits and inside groups, and B·w over the packet network alone.

    Raises
    ------
    InputError
        If that bound is 2^52 ns or more, or a rate is less than 2^-20 of the fastest.
    """
    paths, circuit = all_paths(hybrid, site), fraction_of(hybrid.circuit_gbps)
    busy = 8 * messages.sent_bytes * (hybrid.groups * (1 / circuit + paths.longest_busy) + paths.longest_busy)
    delay = max(Fraction(int(paths.delays.max()), paths.timing.per_ns), fraction_of(hybrid.circuit_ns))
    rates = {
        "the slowest link_gbps": min(paths.timing.rates_gbps),
        "the fastest link_gbps": max(paths.timing.rates_gbps),
        "network.circuit_gbps": circuit,
    }
    return scales_of(rates, busy + messages.messages * hybrid.nodes * (delay + WAITS_NS), messages)


def packet_units(hybrid: OpticalFamily, scales: Scales) -> list[int]:
    """Return the units of circuits, as `tree_units` does; those of the links of the two-level tree are zero."""
    rate, delay = (fraction_of(value) for value in (hybrid.circuit_gbps, hybrid.circuit_ns))
    return [0, 0, scales.rate(rate), 0, 0, scales.ticks(delay), scales.ticks_log2, scales.volume_log2]


def circuit_data(
    hybrid: OpticalFamily, site: Site, messages: MessageList
) -> tuple[tuple[float, float, float], tuple[int, int], list[int], NativePaths | None, NDArray[np.float64]]:
    """Return a network with circuits on a site, under a workload, as plain data.

    Returns
    -------
    tuple[float, float, float]
        Rates of node links, uplinks and circuits in bits per ns; the first two are 0 unless the network is a tree.
    tuple[int, int]
        Routing costs of a segment inside a group and of a circuit.
    list[int]
        Units, as from `tree_units`.
    NativePaths or None
        The paths of the packet network; None for the tree, whose paths the native code derives itself.
    float64[messages]
        Delay of each message, in ticks.

    Raises
    ------
    InputError
        As for `tree_units` and `packet_scales`.

    Examples
    --------
    >>> from isoplane.models import Hybrid
    >>> from isoplane.models.workloads import stencil
    >>> circuit_data(Hybrid(2, 2), Site(), stencil((2, 2)).message_list())[0]
    (10.0, 64.0, 32.0)
    """
    costs = segment_costs(hybrid, site)[:2]
    tree = tree_in(hybrid)
    if tree is not None:
        node, up, circuit = map(float, tree.rates_gbps)  # 1 Gbit/s is 1 bit per ns
        units, scales = tree_units(tree, messages)
        return (node, up, circuit), costs, units, None, scales.begin_ticks(messages)
    scales = packet_scales(hybrid, site, messages)
    rates = 0.0, 0.0, float(fraction_of(hybrid.circuit_gbps))
    paths = all_paths(hybrid, site).scaled(scales)
    return rates, costs, packet_units(hybrid, scales), paths, scales.begin_ticks(messages)
