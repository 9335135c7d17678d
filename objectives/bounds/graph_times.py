"""Lower bounds on the times of a workload over all regular graphs."""

from collections.abc import Iterator
from fractions import Fraction
from math import floor

import numpy as np

from isoplane.models import MessageList, Network
from isoplane.models.arrays import Ints
from isoplane.models.checks import exact_number
from isoplane.models.families.free_graph import FreeGraph, free_graph_of
from isoplane.models.workloads import Workload, parts_of

from ..fluid.message_levels import message_levels

ROUNDING = Fraction(1, 1 << 20)  # margin of completions, whose parts are rounded to ticks


def graph_time_bounds(network: Network, workload: Workload, components: tuple[str, ...]) -> tuple[int, ...]:
    """Return a lower bound of each component of a score, in whole ns, for every regular graph of a size.

    Parameters
    ----------
    network
        Any network of the space; its edges do not matter.
    workload
        The messages, between as many processes as nodes.
    components
        Names among ``completion``, ``synchronised``, ``bottleneck`` and ``total``.

    Notes
    -----
    At most d (d - 1)^(h - 1) switches are h hops from a switch of degree d (the Moore bound). So the bytes over all
    cables together are at least the sum over all switches of the bytes to each other switch times its hops, if those
    with the most bytes are the nearest; the same holds for the bytes from the others. The busiest cable carries at
    least the mean of that, and a d-th of what a switch sends to others or receives from them; the busiest link of a
    node what the node sends or receives. Both hold for each level too. No completion is shorter than the busy time of
    a link. Bounds of a mix are the weighted sums of theirs.

    Examples
    --------
    >>> from isoplane.models.workloads import ring_all_reduce
    >>> network = Network(FreeGraph(switches=8, degree=3))
    >>> graph_time_bounds(network, ring_all_reduce(8, 1_000_000), ("bottleneck", "total"))
    (140000, 3360000)
    """
    family = free_graph_of(network)
    rate = exact_number("switch.link_gbps", network.site.switch.link_gbps)
    bounds_of_parts = [
        [weight * low for low in _bounds(family, part.message_list(), rate, components)]
        for weight, part in parts_of(workload)
    ]
    return tuple(map(sum, zip(*bounds_of_parts, strict=True)))


def _bounds(family: FreeGraph, messages: MessageList, rate: Fraction, components: tuple[str, ...]) -> Iterator[int]:
    remote = messages.source != messages.destination
    level = message_levels(messages)
    busiest, cables = _bytes(family, messages, np.flatnonzero(remote))
    of_nodes = 0 if family.node_cable_m is None else 2 * int(messages.length_bytes[remote].sum())
    for name in components:
        if name == "total":
            yield _nearest(8 * (cables + of_nodes) / rate)
        elif name == "bottleneck":
            yield _nearest(8 * busiest / rate)
        elif name == "completion":
            yield floor(8 * busiest / rate * (1 - ROUNDING))
        else:
            levels = (np.flatnonzero(remote & (level == each)) for each in range(int(level.max(initial=-1)) + 1))
            yield _nearest(8 * sum((_bytes(family, messages, which)[0] for which in levels), Fraction()) / rate)


def _bytes(family: FreeGraph, messages: MessageList, which: Ints) -> tuple[Fraction, int]:
    """Return lower bounds on the bytes over the busiest link, and over all cables together, of some messages."""
    per_switch, switches, degree = family.nodes_per_switch, family.switches, family.degree
    ends = [each[which].astype(np.int64) for each in (messages.source, messages.destination)]
    length = messages.length_bytes[which].astype(np.int64)
    of_nodes = [0 if family.node_cable_m is None else _most(node, length) for node in ends]
    source, destination = (node // per_switch for node in ends)
    apart = source != destination
    source, destination, length = source[apart], destination[apart], length[apart]
    cables = max(
        _cable_bytes(source * switches + destination, length, family),
        _cable_bytes(destination * switches + source, length, family),
    )
    of_switches = [_most(switch, length) for switch in (source, destination)]
    return max(
        *map(Fraction, of_nodes), *(Fraction(each, degree) for each in (*of_switches, -(-cables // switches)))
    ), cables


def _most(end: Ints, length: Ints) -> int:
    """Return the most bytes at one end."""
    return int(_sums(end, length)[1].max(initial=0))


def _sums(key: Ints, length: Ints) -> tuple[Ints, Ints]:
    """Return different keys in ascending order, and the bytes of each."""
    keys, index = np.unique(key, return_inverse=True)
    sums = np.zeros(len(keys), dtype=np.int64)
    np.add.at(sums, index, length)  # exact, unlike the doubles of `bincount`
    return keys, sums


def _cable_bytes(pair: Ints, length: Ints, family: FreeGraph) -> int:
    """Return the bytes over all cables if the switches that a switch exchanges the most bytes with are the nearest."""
    pairs, sums = _sums(pair, length)
    order = np.lexsort((-sums, pairs // family.switches))
    switch = pairs[order] // family.switches
    place = np.arange(len(switch)) - np.searchsorted(switch, switch)  # among those of its switch, most bytes first
    within, reached = list[int](), family.degree
    while sum(within) < family.switches - 1:
        within.append(reached)
        reached *= family.degree - 1
    hops = 1 + np.searchsorted(np.cumsum(within), place, side="right")
    return int((sums[order] * hops).sum())


def _nearest(time_ns: Fraction) -> int:
    """Return the nearest whole ns, as scores are rounded."""
    return floor(time_ns + Fraction(1, 2))
