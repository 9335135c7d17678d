"""What caches look up last in an all-to-all exchange, which decides what they hold after it."""

from collections.abc import Iterator

import numpy as np

from isoplane.models import Network
from isoplane.models.arrays import Ints
from isoplane.models.paths.path_shares import paths_between
from isoplane.models.planes.links import PlaneLinks
from isoplane.models.planes.routes import ARRIVED
from isoplane.models.planes.routing_columns import next_ports_to
from isoplane.models.policy import with_empty_queues

from .input_ports import first_ports

DESTINATIONS = 1 << 6  # whose routes are followed at a time
NONE = -1


def last_look_ups(network: Network, nodes: Ints) -> Iterator[Ints] | None:
    """Yield the look-ups of an exchange in the shift order at all input ports, those that come last among them.

    In phase i = 1, 2, ... node number s of P sends to number (s + i) mod P. A cache that replaces the destination used
    least recently holds afterwards what follows from the last look-up of each destination. Packets to a node from one
    switch pass the same ports, so that only the last of them is followed beyond it: of P² packets each takes about one
    step instead of one for each hop.

    Parameters
    ----------
    network
        A network of switches.
    nodes : int64[P]
        The nodes, ascending.

    Yields
    ------
    int64[...]
        For some destinations, the number of each look-up: (port · P + i) · P + s, ports numbered as in `input_ports`.

    Returns
    -------
    Iterator or None
        None if the routes of a plane are given as paths, which packets to a node do not share.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> parts = last_look_ups(Network(Torus(shape=(5,), node_cable_m=2.0)), np.arange(5))
    >>> look_ups = np.sort(np.concatenate(list(parts)))
    >>> port, shift, source = look_ups // 25, look_ups // 5 % 5, look_ups % 5
    >>> shift[port == 0].tolist(), source[port == 0].tolist()  # from switch 0: first 0 to 1, then 0 to 2 and 4 to 1
    ([2, 2], [0, 4])
    """
    if any(plane.routes.next_port is None for plane in network.planes):
        return None
    parts = (nodes[first : first + DESTINATIONS] for first in range(0, len(nodes), DESTINATIONS))
    return (look_ups for some in parts for look_ups in _look_ups_of(network, nodes, some))


def _look_ups_of(network: Network, nodes: Ints, some: Ints) -> Iterator[Ints]:
    """Yield the look-ups of some destinations, plane by plane."""
    source, destination = (ends.ravel() for ends in np.meshgrid(nodes, some))
    sent = source != destination
    source, destination = source[sent], destination[sent]
    number = np.searchsorted(nodes, source)
    shift = (np.searchsorted(nodes, destination) - number) % len(nodes)
    paths = paths_between(network, source, destination, with_empty_queues(network.policy))
    key = (shift * len(nodes) + number)[paths.pair]
    for plane, (links, first) in enumerate(zip(network.plane_links, first_ports(network).tolist(), strict=False)):
        here = np.flatnonzero(paths.plane == plane)
        port, last = _last_in_plane(links, paths.source_link[here], paths.destination_link[here], key[here])
        yield (first + port) * len(nodes) ** 2 + last


def _last_in_plane(links: PlaneLinks, source_link: Ints, destination_link: Ints, key: Ints) -> tuple[Ints, Ints]:
    """Return the ports of a plane, from its first one on, that look up a destination, and the last key of each."""
    plane, peer = links.plane, links.plane.topology.peer
    cables = np.cumsum(peer >= 0).reshape(peer.shape)
    node_port = int((peer >= 0).sum()) + source_link
    ends, end = np.unique(destination_link, return_inverse=True)
    next_port = next_ports_to(plane.routes, plane.routes.targets(plane.node_switch)[ends])
    arrived, has_cable = next_port == ARRIVED, next_port < plane.topology.ports
    switch, port = np.arange(len(peer))[:, None], np.where(has_cable, next_port, 0)
    following = np.where(has_cable, peer[switch, port], NONE)
    last = np.full(following.shape, NONE)
    np.maximum.at(last, (plane.node_switch[source_link], end), key)
    if not _pass_on(last, following) or ((last != NONE) & (following == NONE) & ~arrived).any():
        links.of_routes(source_link, destination_link)  # raises the error of the first route that does not arrive
    passed = (last != NONE) & ~arrived
    if links.is_direct:  # the switch of the destination looks up nothing
        passed &= following != plane.node_switch[ends]
    return np.concatenate([node_port, cables[switch, port][passed] - 1]), np.concatenate([key, last[passed]])


def _pass_on(last: Ints, following: Ints) -> bool:
    """Give each switch the largest key of all switches before it, target by target; return whether all keys arrive."""
    columns = following.shape[1]
    keys = last.ravel()
    to = np.where(following == NONE, NONE, following * columns + np.arange(columns)).ravel()
    awaited = np.bincount(to[to != NONE], minlength=len(to))
    ready, place = np.flatnonzero(awaited == 0), np.empty_like(to)
    while len(ready):
        ready = ready[to[ready] != NONE]
        reached = to[ready]
        np.maximum.at(keys, reached, keys[ready])
        np.subtract.at(awaited, reached, 1)
        ready = reached[awaited[reached] == 0]
        place[ready] = np.arange(len(ready))
        ready = ready[place[ready] == np.arange(len(ready))]  # each once
    return not (keys[awaited > 0] != NONE).any()
