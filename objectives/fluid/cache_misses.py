"""Look-ups of the messages of a workload in routing-table caches, in the order in which the messages begin."""

import numpy as np
from numpy.typing import NDArray

from isoplane.models import MessageList, Network
from isoplane.models.arrays import Ints
from isoplane.models.placement import Placement
from isoplane.objectives.caches import look_ups_of_routes

from .paths import PathTransfers


def begins_ns(
    messages: MessageList, arrivals_ns: NDArray[np.float64], delay_ns: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return when each message begins: its delay after the last arrival of those on which it depends.

    Parameters
    ----------
    messages
        The messages.
    arrivals_ns, delay_ns : float64[messages]
        When each message arrives, and its delay.

    Examples
    --------
    >>> chain = MessageList(3, *map(np.array, ([0, 1, 2], [1, 2, 0], [8] * 3, [0] * 3, [0, 0, 1, 3], [0, 0, 1])))
    >>> begins_ns(chain, np.array([10.0, 25.0, 99.0]), np.array([1.0, 0.0, 0.5])).tolist()
    [1.0, 10.0, 25.5]
    """
    begins = np.zeros(messages.messages)
    waits = np.diff(messages.dependency_start) > 0
    if waits.any():
        first = messages.dependency_start[:-1][waits]
        begins[waits] = np.maximum.reduceat(arrivals_ns[messages.dependency], first)
    return begins + delay_ns


def look_ups_of_transfers(
    network: Network,
    messages: MessageList,
    placement: Placement,
    transfers: PathTransfers,
    begins: NDArray[np.float64],
) -> tuple[Ints, Ints, Ints]:
    """Look up the transfers of messages in the caches of a network, in the order in which the messages begin.

    A transfer looks up the node of its destination once at each switch that forwards it (`ports_on_routes`), so that a
    message looks up once for each path that carries at least a byte of it: its first packet misses, and the others wait
    for the entry. All look-ups of a message come before those of messages that begin later. Messages that begin
    together are taken in the order of the list, the paths of a message in that of planes and links. At the start all
    nodes take part.

    Parameters
    ----------
    network, messages, placement, transfers
        The network, and the workload on it.
    begins : float64[messages]
        When each message begins.

    Returns
    -------
    int64[transfers]
        The switches at which each transfer misses.
    int64[ports], int64[ports]
        The look-ups of each input port, numbered as in `input_ports`, and those that hit.
    """
    cache = network.site.switch.cache
    assert cache is not None
    order = np.argsort(begins[transfers.message], kind="stable")
    node = np.array(placement.nodes, dtype=np.int64)
    destination = node[messages.destination[transfers.message[order]]]
    links = transfers.paths.link_start, transfers.paths.link
    misses, look_ups, hits = look_ups_of_routes(network, cache, links, transfers.path[order], destination)
    of_transfers = np.empty_like(misses)
    of_transfers[order] = misses
    return of_transfers, look_ups, hits
