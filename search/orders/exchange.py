"""The messages of an all-to-all exchange, and what each of them occupies in its phase."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isoplane.models import InputError, Network
from isoplane.models.arrays import Ints
from isoplane.models.checks import check_int
from isoplane.models.exchanges.all_to_all import IDLE, ExchangeOrder
from isoplane.objectives.exchanges import message_links

MAX_PROCESSES = 512
MAX_LINKS = 253  # of a route: the search holds 8-bit numbers of them, and of both processes


@dataclass(frozen=True, eq=False)
class Exchange:
    """One message between each ordered pair of processes, over the routes of a network.

    In a phase, each process sends at most one message and receives at most one, and each directed link carries at most
    one: these are resources, numbered from 0.

    Parameters
    ----------
    nodes : int32[processes]
        The node of each process.
    source, destination : int64[messages]
        The process at either end of each message.
    start : uint32[messages + 1], resource : uint32[...]
        Message i occupies ``resource[start[i]:start[i + 1]]``: its sender, links in route order, its receiver.
    resources
        Number of resources.
    """

    nodes: NDArray[np.int32]
    source: Ints
    destination: Ints
    start: NDArray[np.uint32]
    resource: NDArray[np.uint32]
    resources: int

    @classmethod
    def of(cls, network: Network, nodes: ArrayLike | None = None) -> Self:
        """Return the exchange of a job on some nodes of a network; on all of them by default.

        Raises
        ------
        InputError
            If there are fewer than 2 or more than 512 nodes, one is repeated or missing in the network, a route has
            more than 253 links, or as for `message_links`.

        Examples
        --------
        >>> from isoplane.models.families.torus import Torus
        >>> exchange = Exchange.of(Network(Torus(shape=(4,))))
        >>> exchange.messages, exchange.bound
        (12, 3)
        """
        chosen = np.arange(network.nodes) if nodes is None else np.asarray(nodes, dtype=np.int64)
        processes = check_int("order: processes", len(chosen), 2, MAX_PROCESSES)
        if len(np.unique(chosen)) != processes or chosen.min() < 0 or chosen.max() >= network.nodes:
            raise InputError(f"order: nodes of a job; expected different ones from 0 to {network.nodes - 1}")
        source, destination = np.nonzero(~np.eye(processes, dtype=bool))
        start, link = message_links(network, chosen[source], chosen[destination])
        check_int("order: links of the longest route", int(np.diff(start).max()), 1, MAX_LINKS)
        used, link = np.unique(link, return_inverse=True)
        places = start[:-1] + 2 * np.arange(len(source)), start[1:] + 2 * np.arange(len(source)) + 1
        resource = np.empty(len(link) + 2 * len(source), dtype=np.uint32)
        resource[places[0]], resource[places[1]] = source, processes + destination
        is_link = np.ones(len(resource), dtype=bool)
        is_link[np.concatenate(places)] = False
        resource[is_link] = 2 * processes + link
        starts = (start + 2 * np.arange(len(start))).astype(np.uint32)
        return cls(chosen.astype(np.int32), source, destination, starts, resource, 2 * processes + len(used))

    @property
    def processes(self) -> int:
        """Number of processes."""
        return len(self.nodes)

    @property
    def messages(self) -> int:
        """Number of messages."""
        return len(self.source)

    @property
    def bound(self) -> int:
        """Least number of phases: messages of the heaviest resource, at least processes - 1."""
        return int(np.bincount(self.resource).max())

    def order(self, phase: NDArray[np.integer]) -> ExchangeOrder:
        """Return the order in which each message has the given phase."""
        destination = np.full((int(phase.max()) + 1, self.processes), IDLE, dtype=np.int32)
        destination[phase, self.source] = self.destination
        return ExchangeOrder("searched", self.nodes, destination)

    def phases_of(self, order: ExchangeOrder) -> NDArray[np.int32]:
        """Return the phase of each message in an order of the same processes."""
        phase, source, destination = order.messages()
        phase_of_pair = np.empty((self.processes, self.processes), dtype=np.int32)
        phase_of_pair[source, destination] = phase
        return phase_of_pair[self.source, self.destination]
