"""Collisions of an all-to-all exchange: links that several messages of a phase take."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, Network
from isoplane.models.arrays import Ints
from isoplane.models.exchanges.all_to_all import ExchangeOrder
from isoplane.models.paths.link_titles import link_titles

from .message_links import message_links

MAX_MESSAGES, MAX_COUNTS = 1 << 18, 1 << 24  # at a time: of routes, and of links in phases


class PhasedMessages(Protocol):
    """Messages between processes in phases, such as an `ExchangeOrder` or a `GatherOrder`."""

    @property
    def nodes(self) -> NDArray[np.int32]:
        """The node of each process."""

    @property
    def processes(self) -> int:
        """Number of processes."""

    @property
    def phases(self) -> int:
        """Number of phases."""

    def messages(self) -> tuple[Ints, Ints, Ints]:
        """Return phase, source and destination of every message, as processes, by phase."""


@dataclass(frozen=True, eq=False)
class Collisions:
    """Links that several messages of a phase may take, ascending by phase and link.

    Parameters
    ----------
    phase, link : int64[collisions]
        The phase, and the link, numbered as in `PlaneLinks`.
    messages : int64[collisions]
        Number of messages of the phase over the link, at least 2.
    """

    phase: Ints
    link: Ints
    messages: Ints


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
        return not len(self.collisions.phase)

    @property
    def bound(self) -> int:
        """Least number of phases of any order without contention over the same routes.

        A process sends to all others, one in each phase; a link carries one message in each phase.
        """
        return max(self.order.processes - 1, self.heaviest_load)

    def where(self, most: int = 5) -> list[str]:
        """Return descriptions of the collisions, at most the given number."""
        found = self.collisions
        rows = zip(found.phase[:most].tolist(), found.messages[:most].tolist(), self.titles(most), strict=True)
        return [f"phase {phase}: {messages} messages over {title}" for phase, messages, title in rows]

    def titles(self, most: int | None = None) -> list[str]:
        """Return the names of the links of all collisions, or of the first ones."""
        return link_titles(self.network, self.collisions.link[:most].tolist())


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
    busiest, found = [], []
    for first, counts in _counts(network, order, links):
        load += counts.sum(axis=0)
        busiest.append(counts.max(axis=1))
        phase, link = np.nonzero(counts > 1)
        found.append(np.stack([first + phase, link, counts[phase, link]]))
    return np.concatenate(busiest), Collisions(*np.concatenate(found, axis=1)), int(load.max())


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
