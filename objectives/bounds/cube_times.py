"""Lower bounds on the times of a workload over all connection sets of plane 1 of two cubes."""

from dataclasses import dataclass
from fractions import Fraction
from math import floor

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Cubes, MessageList, Network
from isoplane.models.arrays import Ints
from isoplane.models.checks import exact_number
from isoplane.models.family_kinds.cube import cubes_of
from isoplane.models.workloads import Workload, parts_of

from ..fluid.message_levels import longest_chain, message_levels

ROUNDING = Fraction(1, 1 << 20)  # margin of completions: their parts are rounded to ticks, and chains to doubles

TICK_NS = 0.001  # by which a delay may be rounded down


@dataclass(frozen=True)
class _Loads:
    """Bytes of a set of messages: of each offset between switches, and the most that a node sends or receives."""

    offset: Ints
    node: int

    @classmethod
    def of(cls, cubes: Cubes, source: Ints, destination: Ints, length_bytes: Ints) -> "_Loads":
        per_switch = cubes.nodes_per_switch
        offset = np.zeros(cubes.plane_switches, dtype=np.int64)
        # Not `+=`, which would add only one of several messages with the same offset.
        np.add.at(offset, source // per_switch ^ destination // per_switch, length_bytes)
        ends = np.zeros((2, cubes.nodes), dtype=np.int64)
        for row, nodes in zip(ends, (source, destination), strict=True):
            np.add.at(row, nodes, length_bytes)
        return cls(offset, int(ends.max()))


def cube_time_bounds(network: Network, workload: Workload, components: tuple[str, ...]) -> tuple[int, ...]:
    """Return a lower bound of each component of a score, in whole ns, for every basis in plane 1.

    Parameters
    ----------
    network
        Any network of the space; only its plane 0 and its site matter.
    workload
        The messages, between as many processes as nodes.
    components
        Names among ``completion``, ``synchronised``, ``bottleneck`` and ``total``.

    Notes
    -----
    With d(x) the distance of offset x in plane 0 and b(x) its bytes, packets of x take min(d(x), d'(x)) hops, where d'
    is the distance in plane 1. Both planes have the same number M_j of offsets within j hops, so the bytes over all
    cables together are at least

        Σ_x b(x)·d(x) - Σ_j (the sum of the M_j largest b(x) with d(x) > j).

    The busiest cable carries at least the mean of that, and the busiest link of a node half of what the node sends or
    receives. Both hold for each level too. No completion is shorter than the busy time of a link, nor than a chain of
    messages that depend on each other, half of each over every plane. Bounds of a mix are the weighted sums of theirs.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from isoplane.models.workloads import ring_all_reduce
    >>> network = dual_cube(3, (1, 2, 4), nodes_per_switch=1)
    >>> cube_time_bounds(network, ring_all_reduce(8, 1_000_000), ("synchronised", "total"))
    (70000, 3360000)
    """
    bounds_of_parts = [
        [weight * low for low in _CubeBounds(network, part.message_list()).of(components)]
        for weight, part in parts_of(workload)
    ]
    return tuple(map(sum, zip(*bounds_of_parts, strict=True)))


class _CubeBounds:
    """Bounds for one network and one list of messages."""

    def __init__(self, network: Network, messages: MessageList) -> None:
        self._cubes, self._site, self._messages = cubes_of(network), network.site, messages
        self._level = message_levels(messages)
        self._rate = exact_number("switch.link_gbps", network.site.switch.link_gbps)
        plane = self._cubes.planes[0]
        self._hops = np.array([len(plane.route(offset)) for offset in range(self._cubes.plane_switches)])
        self._within = np.cumsum(np.bincount(self._hops)[1:])  # offsets within 1, 2, ... hops

    def of(self, components: tuple[str, ...]) -> tuple[int, ...]:
        """Return the bounds of components."""
        remote = self._messages.source != self._messages.destination
        everything = self._loads(np.flatnonzero(remote))
        bottleneck = self._ns(self._busiest(everything))
        found = {
            "bottleneck": lambda: _nearest(bottleneck),
            "total": lambda: _nearest(self._ns(2 * int(everything.offset.sum()) + self._cable_bytes(everything))),
            "synchronised": lambda: _nearest(self._ns(self._level_bytes(remote))),
            "completion": lambda: floor(max(bottleneck, Fraction(self._chain_ns(remote))) * (1 - ROUNDING)),
        }
        return tuple(found[name]() for name in components)

    def _loads(self, which: Ints) -> _Loads:
        messages = self._messages
        ends = messages.source[which].astype(np.int64), messages.destination[which].astype(np.int64)
        return _Loads.of(self._cubes, *ends, messages.length_bytes[which])

    def _cable_bytes(self, loads: _Loads) -> int:
        """Return a lower bound on the bytes over all cables together."""
        saved = 0
        for hops, offsets in enumerate(self._within.tolist(), start=1):
            # Whichever offsets plane 1 brings within so many hops, they save no more than the heaviest would.
            farther = np.sort(loads.offset[self._hops > hops])[::-1]
            saved += int(farther[:offsets].sum())
        return int((loads.offset * self._hops).sum()) - saved

    def _busiest(self, loads: _Loads) -> int:
        """Return a lower bound on the bytes over the busiest link."""
        links = 2 * self._cubes.plane_switches * (self._cubes.n + self._cubes.folded)
        return max(-(-loads.node // 2), -(-self._cable_bytes(loads) // links))

    def _level_bytes(self, remote: NDArray[np.bool_]) -> int:
        order = np.argsort(self._level, kind="stable")
        levels = np.split(order, np.cumsum(np.bincount(self._level))[:-1])
        return sum(self._busiest(self._loads(level[remote[level]])) for level in levels)

    def _chain_ns(self, remote: NDArray[np.bool_]) -> float:
        """Return the time of the longest chain of messages, each after its delay over both planes and few links."""
        messages, units = self._messages, self._site.delay_units
        hop_ns, mm_ns = units.hop / units.per_ns, units.cable_mm / units.per_ns
        per_switch = self._cubes.nodes_per_switch
        # No route passes fewer switches than those of its ends, which may be the same one.
        switches = 1 + (messages.source // per_switch != messages.destination // per_switch)
        # Of the two halves of an odd length, the longer one arrives last.
        transfer_ns = (messages.length_bytes + 1) // 2 * float(8 / self._rate)
        sent_ns = transfer_ns + switches * hop_ns + 2 * self._site.node_cable_mm * mm_ns
        return longest_chain(
            messages, self._level, remote * sent_ns + np.maximum(messages.delay_ps / 1000 - TICK_NS, 0)
        )

    def _ns(self, length_bytes: int) -> Fraction:
        return 8 * length_bytes / self._rate


def _nearest(time_ns: Fraction) -> int:
    """Return the nearest whole ns, as scores are rounded."""
    return floor(time_ns + Fraction(1, 2))
