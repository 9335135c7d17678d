"""Ways between nodes: which planes and links of theirs messages take, and how large a share each way has."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, Network

from .spans import spans, starts_of

Ints = NDArray[np.int64]

MAX_PARTS = 1 << 32  # of a message of up to 2^30 bytes


@dataclass(frozen=True, eq=False)
class Ways:
    """Ways of pairs of nodes, ascending by pair.

    Parameters
    ----------
    pair : int64[ways]
        The pair of each way.
    share : int64[ways]
        What it carries, in relation to the other ways of the pair; at least 1.
    link_start : int64[ways + 1], link : int64[...]
        The links of each way (`isoplane.models.network_links`).
    """

    pair: Ints
    share: Ints
    link_start: Ints
    link: Ints

    @property
    def lengths(self) -> Ints:
        """Links of each way."""
        return np.diff(self.link_start)

    def only(self, which: NDArray[np.bool_] | Ints) -> "Ways":
        """Return some of them, in the order in which they are asked for."""
        lengths = self.lengths[which]
        links = self.link[spans(self.link_start[:-1][which], lengths)]
        return Ways(self.pair[which], self.share[which], starts_of(lengths), links)


def ways_of(network: Network, source: NDArray[np.integer], destination: NDArray[np.integer]) -> Ways:
    """Return the ways of pairs of nodes under the policy of a network.

    A way is a plane, a link of the source and a link of the destination in it. ``nearest``: the ways with the fewest
    links, of all planes together, share a message evenly. ``spray``: all planes that reach the destination have equal
    shares; with weights, shares in proportion to them. Within a plane its ways with the fewest links share evenly.

    Parameters
    ----------
    network
        The network.
    source, destination : int[pairs]
        Nodes; those of a pair differ.

    Raises
    ------
    InputError
        If the policy depends on what a simulation alone has, a pair has no way, or a route does not arrive.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> ways = ways_of(dual_cube(2, (1, 3)), np.array([0, 0]), np.array([4, 8]))
    >>> ways.pair.tolist(), ways.lengths.tolist()  # 4 is near in both planes, 8 in the first alone
    ([0, 0, 1], [3, 3, 3])
    """
    policy = network.policy
    if policy == "adaptive":
        raise InputError(
            "network.policy=adaptive: depends on queues, which the fluid model does not have; allowed are nearest, "
            "spray, or shares of the planes"
        )
    found = [_all_ways(network, plane, source, destination) for plane in range(len(network.planes))]
    if policy != "nearest":
        weights = (1,) * len(found) if policy == "spray" else policy
        found = _shared_by_plane([_shortest(ways, len(source)) for ways in found], weights, len(source))
    joined = _joined(found)
    ways = _shortest(joined, len(source)) if policy == "nearest" else joined
    without = np.flatnonzero(np.bincount(ways.pair, minlength=len(source)) == 0)
    if len(without):
        ends = int(source[without[0]]), int(destination[without[0]])
        raise InputError(f"network: no way from node {ends[0]} to node {ends[1]}; allowed is a plane that joins them")
    return ways


def _shared_by_plane(found: list[Ways], weights: tuple[int, ...], pairs: int) -> list[Ways]:
    """Return the ways of all planes of positive weight; each plane has its weight, and its ways equal parts of it."""
    taken = [(ways, weight) for ways, weight in zip(found, weights, strict=True) if weight]
    counts = [np.bincount(ways.pair, minlength=pairs) for ways, _ in taken]
    common = _common(counts, sum(weights))
    return [
        Ways(ways.pair, weight * (common // np.maximum(count, 1))[ways.pair], ways.link_start, ways.link)
        for (ways, weight), count in zip(taken, counts, strict=True)
    ]


def _common(counts: list[Ints], weights: int) -> Ints:
    """Return for each pair a number that its ways in any plane divide.

    Raises
    ------
    InputError
        If it, times the sum of all weights, is 2^32 or more: then parts of messages do not fit 64 bits.
    """
    common = np.ones_like(counts[0])
    for count in counts:
        common = np.lcm(common, np.maximum(count, 1))
        if int(common.max()) * weights >= MAX_PARTS:
            raise InputError(
                f"network: ways of {int(count.max())} and other numbers of links of two nodes have no common part; "
                "allowed are fewer than 2^32 parts of a message"
            )
    return common


def _all_ways(network: Network, number: int, source: NDArray[np.integer], destination: NDArray[np.integer]) -> Ways:
    """Return all ways of a plane: each link of the source with each of the destination."""
    starts = network.planes[number].starts
    outs, ins = np.diff(starts)[source], np.diff(starts)[destination]
    pair = np.repeat(np.arange(len(source)), outs * ins)
    turn = spans(np.zeros_like(outs), outs * ins)
    out = starts[:-1][source][pair] + turn // np.maximum(ins, 1)[pair]
    into = starts[:-1][destination][pair] + turn % np.maximum(ins, 1)[pair]
    ways = Ways(pair, np.ones_like(pair), *network.links(out, into, number))
    if network.planes[number].routes.paths is not None:
        _require_each_link_once(ways, number)
    return ways


def _require_each_link_once(ways: Ways, plane: int) -> None:
    """Raise if a way takes a link twice, as whole paths can: its part would be one transfer and count there as two."""
    every = np.repeat(np.arange(len(ways.pair)), ways.lengths) * (int(ways.link.max(initial=0)) + 1) + ways.link
    if len(np.unique(every)) < len(every):
        raise InputError(f"routes: a path of plane {plane} takes a link twice; allowed is each link once")


def _shortest(ways: Ways, pairs: int) -> Ways:
    """Return for each pair its ways with the fewest links."""
    least = np.full(pairs, np.iinfo(np.int64).max)
    np.minimum.at(least, ways.pair, ways.lengths)
    return ways.only(ways.lengths == least[ways.pair])


def _joined(parts: list[Ways]) -> Ways:
    """Return the ways of all planes, ascending by pair, and by plane where pairs are equal."""
    pair, share = (np.concatenate([getattr(part, name) for part in parts]) for name in ("pair", "share"))
    lengths = np.concatenate([part.lengths for part in parts])
    together = Ways(pair, share, starts_of(lengths), np.concatenate([part.link for part in parts]))
    return together if len(parts) == 1 else together.only(np.argsort(pair, kind="stable"))
