"""Collisions of an all-to-all exchange, where several messages of a phase take a link, and least numbers of phases."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

import numpy as np

from isoplane.models import InputError, Network
from isoplane.models.arrays import Ints
from isoplane.models.exchanges.all_gather import GatherOrder
from isoplane.models.exchanges.all_to_all import ExchangeOrder
from isoplane.models.family_kinds.optical import refuse_circuits
from isoplane.models.paths.path_shares import paths_between
from isoplane.models.planes.links import link_titles

from ..structure.throughput_bound import concurrent_flow

MAX_MESSAGES, MAX_COUNTS = 1 << 18, 1 << 24  # at a time: of routes, and of links in phases
SHOWN_COLLISIONS = 3


# Messages between processes in phases.
PhasedMessages = ExchangeOrder | GatherOrder
# Links that several messages of a phase may take, ascending by phase and link, each array int64[collisions]: the phase,
# the link, numbered as in `PlaneLinks`, and the number of messages of the phase over it, at least 2.
Collisions = tuple[Ints, Ints, Ints]


def message_links(network: Network, source: Ints, destination: Ints) -> tuple[Ints, Ints]:
    """Return the directed links that messages between pairs of nodes may take, those of nodes included.

    A message of several packets may take all paths that the plane policy allows, each once.

    Parameters
    ----------
    network
        A network without circuits.
    source, destination : int64[pairs]
        The nodes of each pair, which differ.

    Returns
    -------
    int64[pairs + 1], int64[...]
        Pair i may take the links ``link[start[i]:start[i + 1]]``, numbered as in `PlaneLinks`: in route order, path by
        path, each link once.

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
    refuse_circuits(network.family, f"network={network.name}: has circuits; expected a network of routes only")
    paths = paths_between(network, source, destination, network.policy)
    pair, link = [], []
    for plane in range(len(network.planes)):
        here = paths.plane == plane
        start, links_here = network.route_links(paths.source_link[here], paths.destination_link[here], plane)
        pair.append(np.repeat(paths.pair[here], np.diff(start)))
        link.append(links_here)
    pairs, links = np.concatenate(pair), np.concatenate(link)
    if len(paths.pair) > len(source):  # several paths of a pair may share links
        _, first = np.unique(pairs * (links.max() + 1) + links, return_index=True)
        # `unique` has ordered them by link, but the links of a pair are in route order.
        first.sort()
        pairs, links = pairs[first], links[first]
        order = np.argsort(pairs, kind="stable")
        pairs, links = pairs[order], links[order]
    return np.searchsorted(pairs, np.arange(len(source) + 1)), links


@dataclass(frozen=True, eq=False)
class OrderCheck:
    """An order on a network, checked link by link.

    Parameters
    ----------
    network, order
        The network and the order.
    busiest : int64[phases]
        Highest number of messages of each phase over one directed link.
    collisions
        The links that several of them may take.
    heaviest_load
        Highest number of messages of all phases over one directed link.
    """

    network: Network
    order: ExchangeOrder
    busiest: Ints
    collisions: Collisions
    heaviest_load: int

    @property
    def contention_free(self) -> bool:
        """Whether no two messages of a phase share a directed link."""
        return not len(self.collisions[0])

    @property
    def bound(self) -> int:
        """Least number of phases of any order without contention over the same routes.

        A process sends to all others, one in each phase; a link carries one message in each phase.
        """
        return max(self.order.processes - 1, self.heaviest_load)

    @property
    def text(self) -> str:
        """What the check found, in a line, and some of the collisions below it."""
        order = self.order
        head = f"exchange in {order.phases} phases, order {order.name}, at least {self.bound} over these routes"
        if self.contention_free:
            return f"{head}: free of contention"
        phases = int((self.busiest > 1).sum())
        lines = [f"{head}: up to {self.busiest.max()} messages over a link, in {phases} phases, such as"]
        return "\n".join([*lines, *(f"  {collision}" for collision in self.where(SHOWN_COLLISIONS))])

    def where(self, most: int = 5) -> list[str]:
        """Return descriptions of the collisions, at most the given number."""
        phase, _, messages = self.collisions
        rows = zip(phase[:most].tolist(), messages[:most].tolist(), self.titles(most), strict=True)
        return [f"phase {phase}: {messages} messages over {title}" for phase, messages, title in rows]

    def titles(self, most: int | None = None) -> list[str]:
        """Return the names of the links of all collisions, or of the first ones."""
        return link_titles(self.network.plane_links, self.collisions[1][:most].tolist())


def check_order(network: Network, order: ExchangeOrder) -> OrderCheck:
    """Count the messages of each phase over each directed link, those of nodes included.

    No packet of a phase without collisions loses an arbitration, if a barrier and a drained network separate phases,
    and buffers cover the round trip of a credit.

    Parameters
    ----------
    network
        A network without circuits.
    order
        The exchange, on nodes of the network.

    Raises
    ------
    InputError
        If the order has nodes that the network lacks, or as for `message_links`.

    Examples
    --------
    The shift order collides on a ring, where messages two hops long take each link twice.

    >>> from isoplane.models.exchanges.exchange_orders import order_named
    >>> from isoplane.models.families.torus import Torus
    >>> checked = check_order(Network(Torus(shape=(4,))), order_named("shift", range(4)))
    >>> checked.busiest.tolist(), checked.bound, checked.where(1)
    ([1, 2, 1], 3, ['phase 1: 2 messages over switch 0 port 0 to switch 1'])
    """
    busiest, collisions, heaviest_load = find_collisions(network, order)
    return OrderCheck(network, order, busiest, collisions, heaviest_load)


def find_collisions(network: Network, order: PhasedMessages) -> tuple[Ints, Collisions, int]:
    """Return the highest number of messages of each phase over a link, the collisions, and that of all phases.

    Raises
    ------
    InputError
        As for `check_order`.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.models.exchanges.gather_orders import gather_order_named
    >>> order = gather_order_named("recursive_doubling", 4)
    >>> busiest, _, heaviest_load = find_collisions(Network(Torus(shape=(4,))), order)
    >>> busiest.tolist(), heaviest_load
    ([1, 2], 3)
    """
    if order.nodes.max() >= network.nodes:
        raise InputError(f"order: node {order.nodes.max()}; expected nodes from 0 to {network.nodes - 1}")
    links = sum(part.links for part in network.plane_links)
    load = np.zeros(links, dtype=np.int64)
    busiest, shared = [], []
    for first, counts in _counts(network, order, links):
        load += counts.sum(axis=0)
        busiest.append(counts.max(axis=1))
        phase, link = np.nonzero(counts > 1)
        shared.append(np.stack([first + phase, link, counts[phase, link]]))
    phase, link, messages = np.concatenate(shared, axis=1)
    return np.concatenate(busiest), (phase, link, messages), int(load.max())


def free_routing_bound(network: Network, seed: int = 0) -> int:
    """Return a lower bound on the phases of an exchange among all nodes without contention, whatever the routes.

    With the rate θ at which all N nodes can at most send to all of them evenly (`concurrent_flow`), each link carries
    at least N / θ messages on average in some weighting, and one in each phase. So there are at least ⌈N / θ⌉ phases,
    and N - 1.

    Parameters
    ----------
    network
        A network without circuits, whose links state no rates.
    seed
        Seed of `concurrent_flow`.

    Raises
    ------
    InputError
        If links state rates, or as for `concurrent_flow`.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> free_routing_bound(Network(Torus(shape=(8,)))), free_routing_bound(Network(Torus(shape=(4, 4))))
    (8, 15)
    """
    if any(plane.timing.rate_mbps is not None for plane in network.planes):
        raise InputError(f"network={network.name}: links with rates; expected links that carry one message in a phase")
    value = concurrent_flow(network, seed).value
    return network.nodes - 1 if value is None else max(network.nodes - 1, ceil(network.nodes / value))


def _counts(network: Network, order: PhasedMessages, links: int) -> Iterator[tuple[int, Ints]]:
    """Yield the first of some phases, and the number of messages of each of them over each link."""
    at_once = max(1, min(MAX_MESSAGES // order.processes, MAX_COUNTS // links))
    phase, source, destination = order.messages()
    for first in range(0, order.phases, at_once):
        phases = min(at_once, order.phases - first)
        low, high = np.searchsorted(phase, [first, first + phases])
        nodes = (order.nodes[each[low:high]].astype(np.int64) for each in (source, destination))
        start, link = message_links(network, *nodes)
        number = np.repeat(phase[low:high] - first, np.diff(start)) * links + link
        yield first, np.bincount(number, minlength=phases * links).reshape(phases, links)
