"""Hits and misses of routing-table caches at the input ports of a network."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isoplane.models import InputError, MessageList, Network, RoutingCache, _native
from isoplane.models.arrays import Bools, Ints

from .input_ports import first_ports, ports_on_routes
from .port_streams import MESSAGES, Streams, joined_by_port, port_streams, sorted_by_port, starting_streams

REPLACEMENTS = ("lru", "fifo", "random")  # by their number in the native code
LOOK_UPS = 1 << 22  # in a native call, unless one port has more


@dataclass(frozen=True, eq=False)
class PortLookUps:
    """Look-ups of each input port, numbered as in `input_ports`.

    The causes of misses are those of Hill and Smith: look-ups = hits + cold + conflict + capacity.

    Parameters
    ----------
    look_ups, hits : int64[ports]
        Look-ups, and those whose destination is in the cache.
    cold : int64[ports]
        Misses of destinations that the port has never looked up before.
    conflict : int64[ports]
        Other misses that a fully associative cache of the same entries and replacement hits.
    capacity : int64[ports]
        All other misses.
    extra_hits : int64[ports]
        Hits that the fully associative cache misses.

    References
    ----------
    Hill and Smith, Evaluating associativity in CPU caches, 1989.
    """

    look_ups: Ints
    hits: Ints
    cold: Ints
    conflict: Ints
    capacity: Ints
    extra_hits: Ints

    @property
    def misses(self) -> Ints:
        """Look-ups whose destination is not in the cache."""
        return self.look_ups - self.hits


def count_look_ups(
    cache: RoutingCache,
    set_of: NDArray[np.uint32],
    streams: Streams,
    before: Streams | None = None,
    hit: Bools | None = None,
) -> PortLookUps:
    """Return the look-ups of streams by kind; each port has a cache of its own.

    Parameters
    ----------
    cache
        The cache; its `start` is ignored.
    set_of : uint32[ids]
        The set of each id that may occur, such as ``cache.sets_of(np.arange(nodes))``.
    streams : int64[ports + 1], uint32[look-ups]
        Port p looks up the ids ``destination[start[p]:start[p + 1]]``.
    before
        The same of look-ups that are not counted and come first; None for none.
    hit : bool[look-ups]
        Set to whether each look-up hits, if given.

    Examples
    --------
    >>> cache = RoutingCache(entries=2, ways=1, hash=None)
    >>> stream = np.array([0, 2, 0, 1, 2, 0, 1], dtype=np.uint32)
    >>> counts = count_look_ups(cache, cache.sets_of(range(3)), (np.array([0, 7]), stream))
    >>> [int(count[0]) for count in (counts.hits, counts.cold, counts.conflict, counts.capacity)]
    [1, 3, 1, 2]
    """
    start = np.asarray(streams[0], dtype=np.int64)
    counts = np.zeros((len(start) - 1, 5), dtype=np.int64)
    _count(cache, set_of, streams, before, counts, hit)
    shared_hits, extra_hits, cold, conflict, capacity = counts.T
    return PortLookUps(np.diff(start), shared_hits + extra_hits, cold, conflict, capacity, extra_hits)


def count_hits(
    cache: RoutingCache,
    set_of: NDArray[np.uint32],
    streams: Streams,
    before: Streams | None = None,
    hit: Bools | None = None,
) -> Ints:
    """Return the hits of each port, several times faster than with the causes of misses; see `count_look_ups`.

    Examples
    --------
    >>> cache = RoutingCache(entries=2, ways=1, hash=None)
    >>> count_hits(cache, cache.sets_of(range(3)), (np.array([0, 4]), np.array([0, 0, 2, 0], dtype=np.uint32))).tolist()
    [1]
    """
    hits = np.zeros((len(streams[0]) - 1, 1), dtype=np.int64)
    _count(cache, set_of, streams, before, hits, hit)
    return hits[:, 0]


def look_ups_of_routes(
    network: Network, cache: RoutingCache, links: tuple[Ints, Ints], route: Ints, destination: Ints
) -> tuple[Ints, Ints, Ints]:
    """Look up packets one after the other, each at all ports on its route before the next one.

    Parameters
    ----------
    network
        A network without circuits, whose nodes are those of the job.
    cache
        The cache of each input port.
    links : int64[routes + 1], int64[...]
        The links of each route, as for `ports_on_routes`.
    route, destination : int64[packets]
        The route of each packet, and the node to which it is sent.

    Returns
    -------
    int64[packets]
        The switches at which each packet misses.
    int64[ports], int64[ports]
        The look-ups of each port, numbered as in `input_ports`, and those that hit.

    Raises
    ------
    InputError
        As for `port_streams`.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> ring = Network(Torus(shape=(5,), node_cable_m=2.0))
    >>> links = ring.route_links(np.array([4, 0]), np.array([1, 1]), 0)  # 4 to 0 to 1, and 0 to 1
    >>> cold, route, destination = RoutingCache(start="cold"), np.array([1, 0, 0]), np.array([1, 1, 1])
    >>> look_ups_of_routes(ring, cold, links, route, destination)[0].tolist()
    [2, 2, 0]
    """
    start, port = ports_on_routes(network, *links)
    ports = int(first_ports(network)[-1])

    def entries(first: int) -> tuple[Ints, ...]:
        counts, position, _ = sorted_by_port(start, port, route[first : first + MESSAGES], ports)
        return counts, position + first

    starts, packet = joined_by_port(entries(first) for first in range(0, max(len(route), 1), MESSAGES))
    streams = starts, destination.astype(np.uint32)[packet]
    before = starting_streams(network, cache.start, None, cache.replacement)
    hit = np.zeros(len(packet), dtype=np.bool_)
    hits = count_hits(cache, cache.sets_of(np.arange(network.nodes)), streams, before, hit)
    return np.bincount(packet[~hit], minlength=len(route)), np.diff(starts), hits


def look_ups_of_pairs(
    network: Network,
    cache: RoutingCache,
    source: ArrayLike,
    destination: ArrayLike,
    nodes: ArrayLike | None = None,
    length_bytes: ArrayLike = 1,
    payload_bytes: int | None = None,
) -> PortLookUps:
    """Return the look-ups of messages, in the order given, at all input ports along the routes of a network.

    Parameters
    ----------
    network
        A network without circuits.
    cache
        The cache of each input port.
    source, destination, length_bytes, payload_bytes
        The messages, and whether each of their packets looks up: see `port_streams`.
    nodes : int[...]
        The nodes of the job for the start of the cache, as in `starting_streams`; None for all.

    Raises
    ------
    InputError
        As for `port_streams`.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> ring = Network(Torus(shape=(5,), node_cable_m=2.0))
    >>> counts = look_ups_of_pairs(ring, RoutingCache(start="cold"), [4, 0, 4], [1, 1, 1])
    >>> counts.look_ups[[0, 8, 10, 14]].tolist(), counts.cold[[0, 8, 10, 14]].tolist()  # see `port_streams`
    ([3, 2, 1, 2], [1, 1, 1, 1])
    """
    start, message, packets = port_streams(network, source, destination, length_bytes, payload_bytes)
    ids = np.asarray(destination, dtype=np.uint32)[message]
    before = starting_streams(network, cache.start, nodes, cache.replacement)
    counts = count_look_ups(cache, cache.sets_of(np.arange(network.nodes)), (start, ids), before)
    if payload_bytes is None:
        return counts
    # A packet that follows another one of its message finds the destination in both caches.
    after = np.concatenate([[0], np.cumsum(packets, dtype=np.int64)])[start]
    more = np.diff(after) - counts.look_ups
    return replace(counts, look_ups=counts.look_ups + more, hits=counts.hits + more)


def look_ups_of_messages(
    network: Network,
    cache: RoutingCache,
    messages: MessageList,
    placement: Sequence[int],
    payload_bytes: int | None = None,
) -> PortLookUps:
    """Return the look-ups of a message list, in its order, at all input ports along the routes of a network.

    Parameters
    ----------
    network
        A network without circuits.
    cache
        The cache of each input port; its start is that of the nodes of the placement.
    messages
        Messages between processes.
    placement
        The node of every process; messages between processes on one node pass no port.
    payload_bytes
        Largest payload of a packet; None to look up once for each message.

    Raises
    ------
    InputError
        If a process has no node, or as for `port_streams`.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.models.workloads import all_to_all
    >>> grid = Network(Torus(shape=(4, 4), node_cable_m=2.0))
    >>> counts = look_ups_of_messages(grid, RoutingCache(), all_to_all(16, 8).message_list(), range(16))
    >>> int(counts.look_ups.sum()), int(counts.misses.sum())  # 240 messages over 2 + 2/15 cables on average
    (752, 0)
    """
    if len(placement) < messages.nodes:
        raise InputError(f"placement: {len(placement)} nodes; expected one for each of {messages.nodes} processes")
    node = np.asarray(placement, dtype=np.int64)
    ends = node[messages.source], node[messages.destination]
    return look_ups_of_pairs(network, cache, *ends, node, messages.length_bytes, payload_bytes)


def _count(
    cache: RoutingCache,
    set_of: NDArray[np.uint32],
    streams: Streams,
    before: Streams | None,
    counts: Ints,
    hit: Bools | None,
) -> None:
    """Fill counts of native look-ups, some ports at a time: Python must be back several times each second."""
    start, ports = np.asarray(streams[0], dtype=np.int64), len(counts)
    earlier = (np.zeros(ports + 1, dtype=np.int64), np.zeros(0, dtype=np.uint32)) if before is None else before
    done = start + earlier[0]
    first = 0
    while first < ports:
        last = max(first + 1, int(np.searchsorted(done, done[first] + LOOK_UPS, side="right")) - 1)
        _native.count_look_ups(
            (cache.sets, cache.ways),
            REPLACEMENTS.index(cache.replacement),
            cache.seed,
            set_of,
            first,
            (earlier[0][first : last + 1], earlier[1]),
            (start[first : last + 1], streams[1]),
            counts[first:last],
            hit,
        )
        first = last
