"""Streams of input ports: which messages look up their destinations at which ports of switches, and in which order."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isoplane.models import InputError, Network
from isoplane.models.arrays import Ints
from isoplane.models.checks import check_int
from isoplane.models.family_kinds.optical import refuse_circuits
from isoplane.models.mathematics.spans import spans, starts_of
from isoplane.models.paths.path_shares import paths_between
from isoplane.models.policy import with_empty_queues
from isoplane.models.site.routing_cache import CacheStart
from isoplane.models.workloads.message_list import MAX_BYTES
from isoplane.objectives.general.port_destinations import links_to_nodes

from .exchange_start import last_look_ups
from .input_ports import first_ports, input_ports, ports_on_routes

MESSAGES = 1 << 18  # whose routes are walked at a time
DESTINATIONS = 1 << 6  # of a warm start, whose links are counted at a time
MAX_LOOK_UPS = 1 << 28

Streams = tuple[Ints, NDArray[np.uint32]]  # destinations, and where those of each port start, and the last ends


class _Passages(NamedTuple):
    """Pair i passes ``port[start[i]:start[i + 1]]``, each with weight / denominator of its traffic."""

    start: Ints
    port: Ints
    weight: Ints
    denominator: Ints


def port_streams(
    network: Network,
    source: ArrayLike,
    destination: ArrayLike,
    length_bytes: ArrayLike = 1,
    payload_bytes: int | None = None,
) -> tuple[Ints, NDArray[np.int32], NDArray[np.int32]]:
    """Return the messages that look up their destination at each input port, in the order given.

    Each path that carries a share of a message looks up once at each switch that forwards it (`ports_on_routes`), or
    with a payload once for each of its packets, ⌈length · share / payload⌉. A message from a node to itself passes no
    port. Under the policy ``adaptive`` messages use all planes, as with empty queues.

    Parameters
    ----------
    network
        A network without circuits.
    source, destination : int[messages]
        Nodes.
    length_bytes : int[messages]
        Lengths; they matter only with a payload.
    payload_bytes
        Largest payload of a packet; None to look up once for each message.

    Returns
    -------
    int64[ports + 1]
        Port p, numbered as in `input_ports`, has the entries ``start[p]`` to ``start[p + 1] - 1``.
    int32[entries]
        The message of each entry.
    int32[entries]
        How many packets look up one after the other.

    Raises
    ------
    InputError
        If the network has circuits, a node does not exist, a length has no packets, or there are over 2^28 entries.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> start, message, _ = port_streams(Network(Torus(shape=(5,), node_cable_m=2.0)), [4, 0, 0], [1, 1, 0])
    >>> np.flatnonzero(np.diff(start)).tolist(), message.tolist()  # ports of two cables and of nodes 0 and 4
    ([0, 8, 10, 14], [0, 1, 0, 1, 0])
    """
    refuse_circuits(network.family, f"network={network.name}: has circuits; expected a network of routes only")
    sources, destinations = (_nodes(network, *named) for named in (("source", source), ("destination", destination)))
    lengths = np.broadcast_to(np.asarray(length_bytes, dtype=np.int64), sources.shape)
    sent = np.flatnonzero(sources != destinations)
    if payload_bytes is not None:
        check_int("payload_bytes", payload_bytes, 1, MAX_BYTES)
        wrong = lengths[sent][(lengths[sent] < 1) | (lengths[sent] > MAX_BYTES)]
        if len(wrong):
            raise InputError(f"length_bytes={wrong[0]}: expected 1 to {MAX_BYTES} between different nodes")

    def entries(message: Ints) -> tuple[Ints, ...]:
        pairs, pair = np.unique(sources[message] * network.nodes + destinations[message], return_inverse=True)
        passages = _passages(network, *np.divmod(pairs, network.nodes))
        counts, position, place = sorted_by_port(passages.start, passages.port, pair, ports)
        if payload_bytes is None:
            return counts, message[position]
        payloads = passages.denominator[place] * payload_bytes
        return counts, message[position], -(-lengths[message[position]] * passages.weight[place] // payloads)

    ports = int(first_ports(network)[-1])
    parts = (entries(sent[first : first + MESSAGES]) for first in range(0, max(len(sent), 1), MESSAGES))
    start, message, *packets = joined_by_port(parts)
    return start, message, packets[0] if packets else np.broadcast_to(np.int32(1), message.shape)


def sorted_by_port(start: Ints, port: Ints, route: Ints, ports: int) -> tuple[Ints, Ints, Ints]:
    """Return the packets that pass each port, in their order.

    Parameters
    ----------
    start : int64[routes + 1], port : int64[...]
        The ports on each route, as in `ports_on_routes`.
    route : int64[packets]
        The route of each packet.
    ports
        Number of all ports.

    Returns
    -------
    int64[ports]
        Number of packets at each port.
    int64[...], int64[...]
        Position of each packet in `route`, and of its port in `port`, sorted by port.
    """
    length = np.diff(start)[route]
    place = spans(start[route], length)
    # As 16-bit numbers, if they are few enough, they are sorted by their digits, several times faster.
    order = np.argsort(port[place].astype(np.uint16 if ports < 1 << 16 else np.uint32), kind="stable")
    place = place[order]
    return np.bincount(port[place], minlength=ports), np.repeat(np.arange(len(route)), length)[order], place


def starting_streams(
    network: Network, start: CacheStart, nodes: ArrayLike | None = None, replacement: str | None = None
) -> Streams:
    """Return what each input port looks up before a job begins.

    Parameters
    ----------
    network
        A network without circuits.
    start
        ``warm``: all destinations whose packets can pass the port, in ascending order. ``cold``: nothing. ``exchange``:
        those of an all-to-all in the shift order, in whose phase i = 1, 2, ... node number s of P sends to number
        (s + i) mod P.
    nodes : int[...]
        The nodes of the job, which send to each other; None for all nodes.
    replacement
        That of the caches. What ``lru`` holds after an exchange follows from the last look-up of each destination, and
        earlier ones are left out; they are not followed along the routes, unless these are given as paths.

    Returns
    -------
    int64[ports + 1]
        Port p, numbered as in `input_ports`, has the look-ups ``start[p]`` to ``start[p + 1] - 1``.
    uint32[look-ups]
        Their destinations.

    Raises
    ------
    InputError
        As for `port_streams`; an exchange has 2^28 look-ups at most, those left out not counted.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> start, destination = starting_streams(Network(Torus(shape=(5,), node_cable_m=2.0)), "exchange")
    >>> destination[start[0] : start[1]].tolist(), destination[start[10] : start[11]].tolist()  # a cable, and a node
    ([1, 2, 1], [1, 2, 3, 4])
    """
    every = np.arange(network.nodes) if nodes is None else np.unique(_nodes(network, "nodes", nodes))
    if start == "cold":
        return np.zeros(int(first_ports(network)[-1]) + 1, dtype=np.int64), np.zeros(0, dtype=np.uint32)
    if start == "exchange":
        return _exchange_streams(network, every, replacement)
    starts, passing = joined_by_port(_possible_destinations(network, every))
    return starts, passing.astype(np.uint32)


def _exchange_streams(network: Network, nodes: Ints, replacement: str | None) -> Streams:
    """Return what each input port looks up in an exchange of nodes, or the last look-up of each destination."""
    count = len(nodes)
    last = last_look_ups(network, nodes) if replacement == "lru" and count > 1 else None
    if count**2 > MAX_LOOK_UPS:
        raise _too_long_exchange(count)
    if last is None:
        shift, number = np.divmod(np.arange(count * (count - 1)), count)
        source, destination = nodes[number], nodes[(number + shift + 1) % count]
        start, message, _ = port_streams(network, source, destination)
        return start, destination.astype(np.uint32)[message]
    refuse_circuits(network.family, f"network={network.name}: has circuits; expected a network of routes only")
    parts, total = [], 0
    for part in last:
        total += len(part)
        if total > MAX_LOOK_UPS:
            raise _too_long_exchange(count)
        parts.append(part)
    look_ups = np.concatenate(parts)
    parts.clear()  # the list takes as much memory as the array
    look_ups.sort()
    start = np.searchsorted(look_ups, np.arange(int(first_ports(network)[-1]) + 1) * count**2)
    look_ups %= count**2
    number = look_ups % count
    look_ups //= count
    look_ups += number
    look_ups %= count
    return start, nodes.astype(np.uint32)[look_ups]


def _possible_destinations(network: Network, nodes: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Yield for some destinations at a time the number of those that can pass each port, and these themselves."""
    cabled = [plane.topology.peer >= 0 for plane in network.planes]
    _, switch, _ = input_ports(network)
    links_to = links_to_nodes(network, nodes)
    for first in range(0, len(nodes), DESTINATIONS):
        some = nodes[first : first + DESTINATIONS]
        passes = np.empty((len(some), len(switch)), dtype=np.bool_)
        for number, (links, of_nodes) in enumerate(islice(links_to, len(some))):
            parts = zip(links, cabled, of_nodes, strict=True)
            passes[number] = np.concatenate([part for a, b, nodes_of in parts for part in (a[b], nodes_of)])
        if network.node_cable_mm is None:  # node i is in switch i, which does not forward what is sent to it
            passes &= switch != some[:, None]
        by_port = np.ascontiguousarray(passes.T)
        yield by_port.sum(axis=1), some[np.nonzero(by_port)[1]]


def _passages(network: Network, source: Ints, destination: Ints) -> _Passages:
    """Return the ports that the traffic of pairs of different nodes passes."""
    paths = paths_between(network, source, destination, with_empty_queues(network.policy))
    path, port = [], []
    for plane in range(len(network.planes)):
        here = np.flatnonzero(paths.plane == plane)
        routes = network.route_links(paths.source_link[here], paths.destination_link[here], plane)
        start, of_routes = ports_on_routes(network, *routes)
        path.append(np.repeat(here, np.diff(start)))
        port.append(of_routes)
    of_path = np.concatenate(path)
    order = np.argsort(paths.pair[of_path], kind="stable")
    of_path = of_path[order]
    pairs = np.searchsorted(paths.pair[of_path], np.arange(len(source) + 1))
    return _Passages(pairs, np.concatenate(port)[order], paths.weight[of_path], paths.denominator[of_path])


def joined_by_port(parts: Iterable[tuple[Ints, ...]]) -> tuple[NDArray[Any], ...]:
    """Return where the entries of each port start, and the columns of all parts by port, in 32 bits.

    A part is its number of entries at every port, and its columns, ordered by port.
    """
    counts, chunks, total = [], [], 0
    for count, *columns in parts:
        total += len(columns[0])
        if total > MAX_LOOK_UPS:
            raise _too_many_look_ups()
        counts.append(count)
        chunks.append([column.astype(np.int32) for column in columns])
    start = starts_of(np.sum(counts, axis=0))
    joined = [np.empty(total, dtype=np.int32) for _ in chunks[0]]
    free = start[:-1].copy()
    for count, chunk in zip(counts, chunks, strict=True):
        place = spans(free, count)
        free += count
        for column, values in zip(joined, chunk, strict=True):
            column[place] = values
    return start, *joined


def _nodes(network: Network, name: str, values: ArrayLike) -> Ints:
    nodes = np.asarray(values, dtype=np.int64)
    wrong = np.flatnonzero((nodes < 0) | (nodes >= network.nodes))
    if nodes.ndim != 1 or len(wrong):
        shown = f"an array of shape {nodes.shape}" if nodes.ndim != 1 else str(nodes[wrong[0]])
        raise InputError(f"{name}={shown}: expected nodes from 0 to {network.nodes - 1} in a one-dimensional array")
    return nodes


def _too_long_exchange(nodes: int) -> InputError:
    return InputError(
        f"switch.cache.start=exchange: more than {MAX_LOOK_UPS} look-ups of {nodes} nodes; expected fewer nodes, or "
        "another start"
    )


def _too_many_look_ups() -> InputError:
    return InputError(f"look-ups: more than {MAX_LOOK_UPS}; expected at most that many, for example of fewer messages")
