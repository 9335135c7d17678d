"""Sizes of dragonflies of any ratio that have a number of nodes and a throughput, in ascending order of costs."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from ..arrays import Ints
from ..checks import MAX_NODES_PER_SWITCH
from ..mathematics.spans import spans
from ..planes.routes import MAX_TABLE_SWITCHES
from ..routing import dragonfly_heaviest_loads
from ..site.part_costs import BY_CABLES, PartCosts
from ..topologies.dragonfly import MAX_GLOBAL_PORTS, MAX_SWITCHES_PER_GROUP

SIZES_PER_COUNT = 512  # sizes whose loads are counted at once
Size = dict[str, Any]  # the parameters of `Dragonfly`: switches per group a, global ports h, groups g, nodes p

PARAMETERS = ("switches_per_group", "global_ports", "groups", "nodes_per_switch")
ROUNDING = 1e-9  # more than the relative error of limits in floating point, which only leave sizes out


def sufficient_dragonflies(
    nodes: int, ports: int, throughput: Fraction, links: int, costs: PartCosts = BY_CABLES
) -> Iterator[Size]:
    """Yield all sizes with a throughput by minimal routes, in ascending order of costs.

    These are all switches per group, all cables between two groups with the fewest global ports, and all groups up to
    twice the number that has `links` nodes at a switch, each with the fewest nodes per switch. If every switch has a
    cable to every other group, a dragonfly is a HyperX of two dimensions.

    Parameters
    ----------
    nodes, ports, throughput, links, costs
        As in `Sized.candidates`.

    Examples
    --------
    >>> sizes = sufficient_dragonflies(nodes=1000, ports=24, throughput=Fraction(9, 10), links=1)
    >>> next(sizes)
    {'switches_per_group': 8, 'global_ports': 4, 'groups': 32, 'nodes_per_switch': 4}
    """
    rows = [_with_port_limits(nodes, ports, links, a) for a in range(1, max(2, min(ports, MAX_SWITCHES_PER_GROUP)) + 1)]
    ranges = _with_load_limits(np.concatenate(rows, axis=1), 1 / float(throughput))
    if not ranges.size:
        return
    a, groups, _, least, most = ranges
    before, limit, last = -1, int(_costs(a, least, groups, costs).min()), int(_costs(a, most, groups, costs).max())
    # In windows of costs, each an eighth wider: callers mostly take the first few of very many sizes.
    while before < last:
        sizes, cost = _up_to(ranges, limit, costs)
        new = np.flatnonzero(cost > before)
        yield from _with_throughput(sizes[:, new[np.argsort(cost[new], kind="stable")]], throughput)
        # One more, because an eighth of a small limit is 0.
        before, limit = limit, limit * 9 // 8 + 1


def _with_port_limits(nodes: int, ports: int, links: int, a: int) -> Ints:
    """Return a, g, p, and the least and most h that connect the groups within the ports, as int64[5, sizes]."""
    most_groups = min(2 * max(2, -(-nodes // (a * links))), a * MAX_GLOBAL_PORTS + 1, MAX_TABLE_SWITCHES // a)
    groups = np.arange(2, most_groups + 1)
    per_switch = -(-nodes // (a * links * groups)) * links
    least, most = -(-(groups - 1) // a), np.minimum(ports + 1 - a - per_switch, MAX_GLOBAL_PORTS)
    fits = (least <= most) & (per_switch <= MAX_NODES_PER_SWITCH)
    return np.stack([np.full(len(groups), a), groups, per_switch, least, most])[:, fits]


def _with_load_limits(ranges: Ints, per_node: float) -> Ints:
    """Return the ranges with the least h whose global links, and local ones on average, may have the throughput.

    With c cables between two groups, ⌈a / c⌉ switches of a group share one. In its group, a packet to another one takes
    a local hop unless its source is at the one switch of the cable for its destination; and in the other group, unless
    its destination is, which holds for at most min(a, c) switches.
    """
    a, groups, per_switch, least, most = ranges
    load = a * groups / per_switch * per_node * (1 + ROUNDING)
    shared = np.minimum(load / a, a).astype(np.int64)
    at_end = np.where(a > 1, a - (load - groups) * (a - 1) / (groups - 1), 0)
    per_pair = np.maximum(-(-a // np.maximum(shared, 1)), np.ceil(at_end * (1 - ROUNDING) - ROUNDING))
    least = np.maximum(least, np.ceil(per_pair * (groups - 1) / a * (1 - ROUNDING)).astype(np.int64))
    is_open = (shared > 0) & (at_end <= a * (1 + ROUNDING)) & (least <= most)
    return np.stack([a, groups, per_switch, least, most])[:, is_open]


def _up_to(ranges: Ints, limit: int, costs: PartCosts) -> tuple[Ints, Ints]:
    """Return the sizes of at most some costs, as int64[4, sizes], and their costs."""
    a, groups, _, least, most = ranges
    cables = (limit - costs.switch * a * groups) // costs.cable
    per_pair = (cables - groups * (a * (a - 1) // 2)) // (groups * (groups - 1) // 2)
    counts = np.maximum(0, np.minimum(most, ((per_pair + 1) * (groups - 1) - 1) // a) + 1 - least)
    h = spans(least, counts)
    a, groups, per_switch, _, _ = np.repeat(ranges, counts, axis=1)
    fewest = h == -(-(a * h // (groups - 1)) * (groups - 1) // a)  # more leave ports unused
    sizes = np.stack([a, h, groups, per_switch])[:, fewest]
    return sizes, _costs(sizes[0], sizes[1], sizes[2], costs)


def _with_throughput(sizes: Ints, throughput: Fraction) -> Iterator[Size]:
    """Yield those of some sizes that have a throughput."""
    for start in range(0, sizes.shape[1], SIZES_PER_COUNT):
        a, h, groups, per_switch = batch = sizes[:, start : start + SIZES_PER_COUNT]
        loads = dragonfly_heaviest_loads(a, h, groups)
        most = a * groups / per_switch * (1 / float(throughput)) * (1 + ROUNDING)
        for index in np.flatnonzero(loads <= most).tolist():
            size = dict(zip(PARAMETERS, batch[:, index].tolist(), strict=True))
            switches = size["switches_per_group"] * size["groups"]
            # The limit in floating point has only left sizes out: the fraction decides.
            if Fraction(switches, size["nodes_per_switch"] * int(loads[index])) >= throughput:
                yield size


def _costs(a: Ints, h: Ints, groups: Ints, costs: PartCosts) -> Ints:
    """Return the costs of switches and of the cables between them."""
    within, between = groups * (a * (a - 1) // 2), groups * (groups - 1) // 2 * (a * h // (groups - 1))
    total: Ints = costs.switch * a * groups + costs.cable * (within + between)
    return total
