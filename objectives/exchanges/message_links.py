"""The directed links that messages between pairs of nodes may take."""

import numpy as np

from isoplane.models import InputError, Network
from isoplane.models.arrays import Ints
from isoplane.models.paths.path_shares import paths_between


def message_links(network: Network, source: Ints, destination: Ints) -> tuple[Ints, Ints]:
    """Return the directed links that messages between pairs of nodes may take, those of nodes included.

    A message of several packets may take all ways that the plane policy allows, each once.

    Parameters
    ----------
    network
        A network without circuits.
    source, destination : int64[pairs]
        The nodes of each pair, which differ.

    Returns
    -------
    int64[pairs + 1], int64[...]
        Pair i may take the links ``link[start[i]:start[i + 1]]``, numbered as in `PlaneLinks`: in route order, way by
        way, each link once.

    Raises
    ------
    InputError
        If the network has circuits, the policy is ``adaptive``, or a pair is not connected.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> start, link = message_links(Network(Torus(shape=(5,))), np.array([4, 0]), np.array([1, 1]))
    >>> start.tolist(), link.tolist()
    ([0, 2, 3], [8, 0, 0])
    """
    if network.optical is not None:
        raise InputError(f"network={network.name}: has circuits; expected a network of routes only")
    ways = paths_between(network, source, destination, network.policy)
    pair, link = [], []
    for plane in range(len(network.planes)):
        here = ways.plane == plane
        start, found = network.links(ways.source_link[here], ways.destination_link[here], plane)
        pair.append(np.repeat(ways.pair[here], np.diff(start)))
        link.append(found)
    pairs, links = np.concatenate(pair), np.concatenate(link)
    if len(ways.pair) > len(source):  # several ways of a pair may share links
        _, first = np.unique(pairs * (links.max() + 1) + links, return_index=True)
        first.sort()
        pairs, links = pairs[first], links[first]
        order = np.argsort(pairs, kind="stable")
        pairs, links = pairs[order], links[order]
    return np.searchsorted(pairs, np.arange(len(source) + 1)), links
