"""One way for each pair of nodes, for formats that know one route between two nodes."""

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Network
from isoplane.models.arrays import Ints
from isoplane.models.paths.path_shares import paths_between
from isoplane.models.policy import with_empty_queues


def single_ways(network: Network, source: Ints, destination: Ints, turn: Ints) -> tuple[Ints, Ints, Ints]:
    """Return one way for each pair of nodes, as plane, source link and destination link.

    Where the plane policy has several ways, the destinations of a source take them in turn, in proportion to their
    shares: destination k of those that have a choice, from 0, takes the way in whose shares number ``turn + k`` falls,
    modulo the sum of shares in lowest terms. Ways are in the order of plane, source link and destination link.
    ``adaptive`` is like ``spray``, to which it comes down with empty queues.

    Parameters
    ----------
    network
        The network.
    source, destination : int64[pairs]
        The nodes of each pair; all pairs of a source follow one another.
    turn : int64[pairs]
        The turn with which the source of each pair begins.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> source, turn = np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64)
    >>> network = dual_cube(2, (1, 3), nodes_per_switch=1)  # cables to 1 and 2 in plane 0, to 1 and 3 in plane 1
    >>> single_ways(network, source, np.array([1, 2, 3]), turn)[0].tolist()
    [0, 0, 1]
    >>> single_ways(network, source, np.array([1, 2, 3]), turn + 1)[0].tolist()
    [1, 0, 1]
    """
    ways = paths_between(network, source, destination, with_empty_queues(network.policy))
    order = np.argsort(ways.pair, kind="stable")
    pair, counts = ways.pair[order], np.bincount(ways.pair, minlength=len(source))
    starts = np.cumsum(counts) - counts
    shares = np.lcm.reduceat(ways.denominator[order], starts)  # the sum of the shares of each pair
    upto = np.cumsum(ways.weight[order] * (shares[pair] // ways.denominator[order]))
    upto -= (np.cumsum(shares) - shares)[pair]
    number = (turn + _rank(source, counts > 1)) % shares
    # As many ways end at or below the number as precede the one in whose share it falls.
    chosen = order[starts + np.add.reduceat((upto <= number[pair]).astype(np.int64), starts)]
    return ways.plane[chosen], ways.source_link[chosen], ways.destination_link[chosen]


def _rank(source: Ints, counted: NDArray[np.bool_]) -> Ints:
    """Return how many counted pairs with the same source are before each pair."""
    before: Ints = np.cumsum(counted) - counted
    begins = np.concatenate([[True], source[1:] != source[:-1]])
    found: Ints = before - np.maximum.accumulate(np.where(begins, before, 0))
    return found
