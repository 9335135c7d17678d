"""Which places of a network have nodes if fewer are bought: evenly many at all switches."""

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from ..arrays import Ints
from ..mathematics.occurrences import occurrences
from .plane import Cabling

GOLDEN = 0x9E3779B97F4A7C15  # 2^64 divided by the golden ratio


def spread_places(cabling: Sequence[Cabling], nodes: int) -> Ints:
    """Return the places that have nodes if fewer are bought, ascending: the first ones in `spread_order`.

    Parameters
    ----------
    cabling
        The planes, with a node at each place.
    nodes
        Number of nodes; as many as places, or more, are all places.

    Examples
    --------
    >>> from ..families.torus import Torus
    >>> from ..network import Network
    >>> planes = Network(Torus(shape=(5,), nodes_per_switch=2, node_cable_m=2.0)).cabling
    >>> [spread_places(planes, nodes).tolist() for nodes in (2, 5, 7)]
    [[0, 5], [0, 3, 5, 6, 8], [0, 1, 3, 4, 5, 6, 8]]
    """
    places = cabling[0].nodes
    return np.arange(places) if nodes >= places else np.sort(spread_order(cabling)[:nodes])


def spread_order(cabling: Sequence[Cabling]) -> Ints:
    """Return all places in the order in which they get nodes: evenly many at all switches, however many there are.

    A network that grows moves no node, as the order does not depend on their number. The r-th node, from 0, of a switch
    with p places has the key (r + u) / p, with a number 0 ≤ u < 1 of the switch, and keys ascend. So numbers of nodes
    are proportional to those of places, and differ by at most one between switches of equally many. The u are multiples
    of the golden ratio modulo 1: the switches with one node more are evenly spaced among all those with places, and so
    over rows and racks. They would not be with bit-reversed numbers, which begin with all even ones: half of a cube.

    That node is at place r + t modulo p of its switch, if t of the numbers u of others are lower. Trees send packets up
    by the place of the destination at its switch (D-mod-k). Were r that place, the first places would have more nodes
    than the last ones, and the uplinks of their packets a higher load than others: a fat-tree of 54 places and 40 nodes
    would have a throughput of 0.78 and not 1.03.

    If the nodes of a switch have links to several others, the next place is that of which the highest key of its links
    is the lowest: numbers then differ by at most one in few networks, mostly by two.

    Parameters
    ----------
    cabling
        The planes, with a node at each place.

    References
    ----------
    Knuth, The Art of Computer Programming 3, section 6.4, theorem S: multiples of an irrational number.

    """
    planes = list({id(plane): plane for plane in cabling}.values())
    homes = [_homes(plane) for plane in planes]
    home = homes[0]
    if home is not None and all(other is not None and _is_renumbered(home, other) for other in homes[1:]):
        places = np.bincount(home)
        fraction = _fractions(np.arange(len(places)))
        turn = occurrences(home) - np.argsort(np.argsort(fraction))[home]
        return np.argsort((turn % places[home] + fraction[home]) / places[home], kind="stable")
    return _greedy_order(planes)


def _homes(plane: Cabling) -> Ints | None:
    """Return the number of the switch of each node, from 0 among those with nodes; None if some have not just one."""
    starts = plane.starts
    if (np.diff(starts) == 0).any() or not np.array_equal(plane.node_switch[starts[plane.node]], plane.node_switch):
        return None
    return np.unique(plane.node_switch[starts[:-1]], return_inverse=True)[1]


def _is_renumbered(home: Ints, other: Ints) -> bool:
    """Whether two nodes are at one switch in both planes or in none."""
    pairs = np.unique(home * len(other) + other)
    return bool(len(pairs) == home.max() + 1 == other.max() + 1)


def _fractions(number: Ints) -> NDArray[np.float64]:
    """Return numbers times the golden ratio, modulo 1."""
    return (number.astype(np.uint64) * np.uint64(GOLDEN) >> np.uint64(11)) / float(1 << 53)


def _greedy_order(planes: Sequence[Cabling]) -> Ints:
    """Return the places so that the next one has the lowest highest key of its links, and then the lowest sum."""
    first = np.cumsum([0, *(plane.topology.switches for plane in planes)])
    switch = np.concatenate([plane.node_switch + start for plane, start in zip(planes, first[:-1], strict=True)])
    links = np.split(switch[np.argsort(np.concatenate([plane.node for plane in planes]), kind="stable")],
                     np.cumsum(np.sum([np.diff(plane.starts) for plane in planes], axis=0))[:-1])  # fmt: skip
    ends, places = [each.tolist() for each in links], np.bincount(switch, minlength=first[-1]).tolist()
    keys = _fractions(np.arange(first[-1])).tolist()  # r + u of the next place of each switch

    def entry(place: int) -> tuple[float, float, int]:
        found = [keys[end] / places[end] for end in ends[place]]
        return max(found, default=0.0), sum(found), place

    queue, order = [entry(place) for place in range(len(ends))], list[int]()
    heapify(queue)
    while queue:  # keys only grow: an entry that is still true is the least
        old = heappop(queue)
        now = entry(old[2])
        if now > old:
            heappush(queue, now)
            continue
        order.append(now[2])
        for end in ends[now[2]]:
            keys[end] += 1
    return np.array(order)
