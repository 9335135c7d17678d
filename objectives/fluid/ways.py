"""The links of the ways between nodes, and whole numbers for their shares."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, Network
from isoplane.models.ways import Ways, ways_between

from .spans import spans, starts_of

Ints = NDArray[np.int64]

MAX_PARTS = 1 << 32  # of a message of up to 2^30 bytes


@dataclass(frozen=True, eq=False)
class WayLinks:
    """WayLinks of pairs of nodes, ascending by pair.

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

    def only(self, which: NDArray[np.bool_] | Ints) -> "WayLinks":
        """Return some of them, in the order in which they are asked for."""
        lengths = self.lengths[which]
        links = self.link[spans(self.link_start[:-1][which], lengths)]
        return WayLinks(self.pair[which], self.share[which], starts_of(lengths), links)


def ways_of(network: Network, source: NDArray[np.integer], destination: NDArray[np.integer]) -> WayLinks:
    """Return the ways of pairs of nodes under the policy of a network (`isoplane.models.ways`), with their links.

    Parameters
    ----------
    network
        The network.
    source, destination : int[pairs]
        Nodes; those of a pair differ.

    Raises
    ------
    InputError
        If the policy depends on queues, a pair has no way, a route does not arrive or takes a link twice, or the shares
        of a pair have no common part.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> ways = ways_of(dual_cube(2, (1, 3)), np.array([0, 0]), np.array([4, 8]))
    >>> ways.pair.tolist(), ways.lengths.tolist()  # 4 is near in both planes, 8 in the first alone
    ([0, 0, 1], [3, 3, 3])
    """
    here, there = np.asarray(source, dtype=np.int64), np.asarray(destination, dtype=np.int64)
    chosen = ways_between(network, here, there, network.policy)
    share = _whole_shares(chosen, len(here))
    planes = []
    for number, plane in enumerate(network.planes):
        of_plane = np.flatnonzero(chosen.plane == number)
        links = network.links(chosen.source_link[of_plane], chosen.destination_link[of_plane], number)
        planes.append(WayLinks(chosen.pair[of_plane], share[of_plane], *links))
        if plane.routes.paths is not None:
            _require_each_link_once(planes[-1], number)
    return _joined(planes)


def _whole_shares(chosen: Ways, pairs: int) -> Ints:
    """Return the shares of ways as integers in proportion, for each pair by its own common denominator.

    Raises
    ------
    InputError
        If such a denominator is 2^32 or more: then parts of messages do not fit 64 bits.
    """
    common = np.ones(pairs, dtype=np.int64)
    for of in np.unique(chosen.of).tolist():
        pair = np.unique(chosen.pair[chosen.of == of])
        common[pair] = np.lcm(common[pair], of)
        if int(common.max()) >= MAX_PARTS:
            raise InputError(
                f"network: shares in parts of {of} and other numbers have no common part; expected fewer than 2^32 "
                "parts of a message"
            )
    found: Ints = chosen.weight * (common[chosen.pair] // chosen.of)
    return found


def _require_each_link_once(ways: WayLinks, plane: int) -> None:
    """Raise if a way takes a link twice, as whole paths can: its part would be one transfer and count there as two."""
    every = np.repeat(np.arange(len(ways.pair)), ways.lengths) * (int(ways.link.max(initial=0)) + 1) + ways.link
    if len(np.unique(every)) < len(every):
        raise InputError(f"routes: a path of plane {plane} takes a link twice; expected each link once")


def _joined(parts: list[WayLinks]) -> WayLinks:
    """Return the ways of all planes, ascending by pair, and by plane where pairs are equal."""
    pair, share = (np.concatenate([getattr(part, name) for part in parts]) for name in ("pair", "share"))
    lengths = np.concatenate([part.lengths for part in parts])
    together = WayLinks(pair, share, starts_of(lengths), np.concatenate([part.link for part in parts]))
    return together if len(parts) == 1 else together.only(np.argsort(pair, kind="stable"))
