"""Links of the paths between nodes, and integer shares of these paths."""

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
class PathLinks:
    """Links of the paths of pairs of nodes, in ascending order of pairs.

    Parameters
    ----------
    pair : int64[paths]
        The pair of each path.
    share : int64[paths]
        Weight of each path relative to the other paths of its pair; at least 1.
    link_start : int64[paths + 1], link : int64[...]
        The links of each path (`isoplane.models.planes.links`).
    """

    pair: Ints
    share: Ints
    link_start: Ints
    link: Ints

    @property
    def lengths(self) -> Ints:
        """Number of links of each path."""
        return np.diff(self.link_start)

    def select(self, which: NDArray[np.bool_] | Ints) -> "PathLinks":
        """Return the selected paths, in the given order."""
        lengths = self.lengths[which]
        links = self.link[spans(self.link_start[:-1][which], lengths)]
        return PathLinks(self.pair[which], self.share[which], starts_of(lengths), links)

    def with_empty(self) -> "PathLinks":
        """Return these paths and, as the last, one without links, of a separate pair."""
        pair, share = np.append(self.pair, self.pair.max(initial=-1) + 1), np.append(self.share, 1)
        return PathLinks(pair, share, np.append(self.link_start, self.link_start[-1]), self.link)


def paths_of(network: Network, source: NDArray[np.integer], destination: NDArray[np.integer]) -> PathLinks:
    """Return the paths of pairs of nodes by the policy of a network (`isoplane.models.paths.path_shares`), with links.

    Parameters
    ----------
    network
        The network.
    source, destination : int[pairs]
        The nodes of each pair, which must differ.

    Raises
    ------
    InputError
        If the policy depends on queues, a pair has no path, a route does not arrive or takes a link twice, or the
        shares of a pair have no common denominator below 2^32.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> paths = paths_of(dual_cube(2, (1, 3)), np.array([0, 0]), np.array([4, 8]))
    >>> paths.pair.tolist(), paths.lengths.tolist()  # 4 is equally near in both planes, 8 is nearer in the first
    ([0, 0, 1], [3, 3, 3])
    """
    sources, destinations = np.asarray(source, dtype=np.int64), np.asarray(destination, dtype=np.int64)
    chosen = paths_between(network, sources, destinations, network.policy)
    share = _whole_shares(chosen, len(sources))
    planes = []
    for number, plane in enumerate(network.planes):
        of_plane = np.flatnonzero(chosen.plane == number)
        links = network.route_links(chosen.source_link[of_plane], chosen.destination_link[of_plane], number)
        planes.append(PathLinks(chosen.pair[of_plane], share[of_plane], *links))
        if plane.routes.paths is not None:
            _require_each_link_once(planes[-1], number)
    return _join(planes)


def _whole_shares(chosen: PathShares, pairs: int) -> Ints:
    """Return the shares of paths as proportional integers, with a common denominator per pair.

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
    shares: Ints = chosen.weight * (common[chosen.pair] // chosen.denominator)
    return shares


def _require_each_link_once(paths: PathLinks, plane: int) -> None:
    """Raise if a path takes a link twice, as explicit paths can: its transfer would count as two users of the link."""
    path, links = np.repeat(np.arange(len(paths.pair)), paths.lengths), int(paths.link.max(initial=0)) + 1
    used_links = path * links + paths.link
    if len(np.unique(used_links)) < len(used_links):
        raise InputError(f"routes: a path of plane {plane} takes a link twice; expected each link once")


def _join(parts: list[PathLinks]) -> PathLinks:
    """Return the paths of all planes, sorted by pair and then by plane."""
    pair, share = (np.concatenate([getattr(part, name) for part in parts]) for name in ("pair", "share"))
    lengths = np.concatenate([part.lengths for part in parts])
    joined = PathLinks(pair, share, starts_of(lengths), np.concatenate([part.link for part in parts]))
    # Stable, as the planes of a pair must keep the order in which whole bytes are handed out.
    return joined if len(parts) == 1 else joined.select(np.argsort(pair, kind="stable"))


@dataclass(frozen=True, eq=False)
class PathTransfers:
    """Messages as transfers, one per path that carries a part of the message, in ascending order of messages.

    Parameters
    ----------
    paths
        The paths of all communicating pairs of nodes, and one without links for local messages, the last.
    message, path, length_bytes : int64[transfers]
        Message, path and number of bytes of each transfer: at least 1, or 0 over the path without links.
    """

    paths: PathLinks
    message: Ints
    path: Ints
    length_bytes: Ints

    def bytes_of_links(self, links: int) -> Ints:
        """Return the bytes over each of the first `links` links."""
        path_bytes = np.zeros(len(self.paths.pair), dtype=np.int64)
        np.add.at(path_bytes, self.path, self.length_bytes)
        link_bytes = np.zeros(links, dtype=np.int64)
        np.add.at(link_bytes, self.paths.link, np.repeat(path_bytes, self.paths.lengths))
        return link_bytes


def path_transfers(network: Network, messages: MessageList, placement: Placement) -> PathTransfers:
    """Return the transfers of messages between processes.

    With shares s_1, s_2, ... of its paths, of sum S, a message of B bytes sends ⌊B·(s_1 + ... + s_k) / S⌋ bytes over
    the first k paths. All parts are whole bytes and sum to B; some paths may carry no part of a very short message. A
    local message is one transfer without links.

    Raises
    ------
    InputError
        As for `paths_of`.
    """
    nodes = np.array(placement.nodes, dtype=np.int64)
    remote = np.flatnonzero(~messages.local)
    ends = nodes[messages.source[remote]] * network.nodes + nodes[messages.destination[remote]]
    # Routes are walked once for each pair of nodes, however many messages it exchanges.
    pairs, pair = np.unique(ends, return_inverse=True)
    paths = paths_of(network, pairs // network.nodes, pairs % network.nodes)
    counts = np.bincount(paths.pair, minlength=len(pairs))
    first, sums = starts_of(counts), starts_of(paths.share)
    total_share = (sums[first[1:]] - sums[first[:-1]])[paths.pair]
    share_before = sums[:-1] - sums[first[:-1]][paths.pair]
    path = spans(first[:-1][pair], counts[pair])
    message = np.repeat(remote, counts[pair])
    length_bytes = messages.length_bytes[message]
    part = (
        length_bytes * (share_before + paths.share)[path] // total_share[path]
        - length_bytes * share_before[path] // total_share[path]
    )
    sent = part > 0
    local = np.flatnonzero(messages.local)
    message = np.concatenate([message[sent], local])
    path = np.concatenate([path[sent], np.full(len(local), len(paths.pair))])
    order = np.argsort(message, kind="stable")
    part = np.concatenate([part[sent], np.zeros_like(local)])
    return PathTransfers(paths.with_empty(), message[order], path[order], part[order])
