"""Links of the ways between nodes, and integer shares of these ways."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, MessageList, Network
from isoplane.models.arrays import Ints
from isoplane.models.mathematics.spans import spans, starts_of
from isoplane.models.paths.path_shares import PathShares, paths_between
from isoplane.models.placement import Placement

MAX_PARTS = 1 << 32  # parts of a message; products with up to 2^30 bytes fit in 64 bits


@dataclass(frozen=True, eq=False)
class WayLinks:
    """Links of the ways of pairs of nodes, in ascending order of pairs.

    Parameters
    ----------
    pair : int64[ways]
        The pair of each way.
    share : int64[ways]
        Weight of each way relative to the other ways of its pair; at least 1.
    link_start : int64[ways + 1], link : int64[...]
        The links of each way (`isoplane.models.planes.links`).
    """

    pair: Ints
    share: Ints
    link_start: Ints
    link: Ints

    @property
    def lengths(self) -> Ints:
        """Number of links of each way."""
        return np.diff(self.link_start)

    def select(self, which: NDArray[np.bool_] | Ints) -> "WayLinks":
        """Return the selected ways, in the given order."""
        lengths = self.lengths[which]
        links = self.link[spans(self.link_start[:-1][which], lengths)]
        return WayLinks(self.pair[which], self.share[which], starts_of(lengths), links)

    def with_empty(self) -> "WayLinks":
        """Return these ways and, as the last, one without links, of a separate pair."""
        pair, share = np.append(self.pair, self.pair.max(initial=-1) + 1), np.append(self.share, 1)
        return WayLinks(pair, share, np.append(self.link_start, self.link_start[-1]), self.link)


def ways_of(network: Network, source: NDArray[np.integer], destination: NDArray[np.integer]) -> WayLinks:
    """Return the ways of pairs of nodes by the policy of a network (`isoplane.models.paths.path_shares`), with links.

    Parameters
    ----------
    network
        The network.
    source, destination : int[pairs]
        The nodes of each pair, which must differ.

    Raises
    ------
    InputError
        If the policy depends on queues, a pair has no way, a route does not arrive or takes a link twice, or the shares
        of a pair have no common denominator below 2^32.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> ways = ways_of(dual_cube(2, (1, 3)), np.array([0, 0]), np.array([4, 8]))
    >>> ways.pair.tolist(), ways.lengths.tolist()  # 4 is equally near in both planes, 8 is nearer in the first
    ([0, 0, 1], [3, 3, 3])
    """
    sources, destinations = np.asarray(source, dtype=np.int64), np.asarray(destination, dtype=np.int64)
    chosen = paths_between(network, sources, destinations, network.policy)
    share = _whole_shares(chosen, len(sources))
    planes = []
    for number, plane in enumerate(network.planes):
        of_plane = np.flatnonzero(chosen.plane == number)
        links = network.links(chosen.source_link[of_plane], chosen.destination_link[of_plane], number)
        planes.append(WayLinks(chosen.pair[of_plane], share[of_plane], *links))
        if plane.routes.paths is not None:
            _require_each_link_once(planes[-1], number)
    return _join(planes)


def _whole_shares(chosen: PathShares, pairs: int) -> Ints:
    """Return the shares of ways as proportional integers, with a common denominator per pair.

    Raises
    ------
    InputError
        If such a denominator is 2^32 or more, because parts of messages would not fit in 64 bits.
    """
    common = np.ones(pairs, dtype=np.int64)
    for denominator in np.unique(chosen.denominator).tolist():
        pair = np.unique(chosen.pair[chosen.denominator == denominator])
        common[pair] = np.lcm(common[pair], denominator)
        if int(common.max()) >= MAX_PARTS:
            raise InputError(
                f"network: denominators of shares, such as {denominator}, have no small common multiple; expected "
                "fewer than 2^32 parts of a message"
            )
    found: Ints = chosen.weight * (common[chosen.pair] // chosen.denominator)
    return found


def _require_each_link_once(ways: WayLinks, plane: int) -> None:
    """Raise if a way takes a link twice, as explicit paths can: its transfer would count as two users of the link."""
    used_links = np.repeat(np.arange(len(ways.pair)), ways.lengths) * (int(ways.link.max(initial=0)) + 1) + ways.link
    if len(np.unique(used_links)) < len(used_links):
        raise InputError(f"routes: a path of plane {plane} takes a link twice; expected each link once")


def _join(parts: list[WayLinks]) -> WayLinks:
    """Return the ways of all planes, sorted by pair and then by plane."""
    pair, share = (np.concatenate([getattr(part, name) for part in parts]) for name in ("pair", "share"))
    lengths = np.concatenate([part.lengths for part in parts])
    joined = WayLinks(pair, share, starts_of(lengths), np.concatenate([part.link for part in parts]))
    return joined if len(parts) == 1 else joined.select(np.argsort(pair, kind="stable"))


@dataclass(frozen=True, eq=False)
class WayTransfers:
    """Messages as transfers, one per way that carries a part of the message, in ascending order of messages.

    Parameters
    ----------
    ways
        The ways of all communicating pairs of nodes, and one without links for local messages, the last.
    message, way, length_bytes : int64[transfers]
        Message, way and number of bytes of each transfer: at least 1, or 0 over the way without links.
    """

    ways: WayLinks
    message: Ints
    way: Ints
    length_bytes: Ints

    def bytes_of_links(self, links: int) -> Ints:
        """Return the bytes over each of the first `links` links."""
        way_bytes = np.zeros(len(self.ways.pair), dtype=np.int64)
        np.add.at(way_bytes, self.way, self.length_bytes)
        found = np.zeros(links, dtype=np.int64)
        np.add.at(found, self.ways.link, np.repeat(way_bytes, self.ways.lengths))
        return found


def way_transfers(network: Network, messages: MessageList, placement: Placement) -> WayTransfers:
    """Return the transfers of messages between processes.

    With shares s_1, s_2, ... of its ways, of sum S, a message of B bytes sends ⌊B·(s_1 + ... + s_k) / S⌋ bytes over the
    first k ways. All parts are whole bytes and sum to B; some ways may carry no part of a very short message. A local
    message is one transfer without links.

    Raises
    ------
    InputError
        As for `ways_of`.
    """
    nodes = np.array(placement.nodes, dtype=np.int64)
    remote = np.flatnonzero(~messages.local)
    ends = nodes[messages.source[remote]] * network.nodes + nodes[messages.destination[remote]]
    pairs, pair = np.unique(ends, return_inverse=True)
    ways = ways_of(network, pairs // network.nodes, pairs % network.nodes)
    counts = np.bincount(ways.pair, minlength=len(pairs))
    first, sums = starts_of(counts), starts_of(ways.share)
    total_share, share_before = (sums[first[1:]] - sums[first[:-1]])[ways.pair], sums[:-1] - sums[first[:-1]][ways.pair]
    way = spans(first[:-1][pair], counts[pair])
    message = np.repeat(remote, counts[pair])
    length_bytes = messages.length_bytes[message]
    part = (
        length_bytes * (share_before + ways.share)[way] // total_share[way]
        - length_bytes * share_before[way] // total_share[way]
    )
    sent = part > 0
    local = np.flatnonzero(messages.local)
    message = np.concatenate([message[sent], local])
    way = np.concatenate([way[sent], np.full(len(local), len(ways.pair))])
    order = np.argsort(message, kind="stable")
    part = np.concatenate([part[sent], np.zeros_like(local)])
    return WayTransfers(ways.with_empty(), message[order], way[order], part[order])
