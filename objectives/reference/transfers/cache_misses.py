"""Reference look-ups of transfers in routing-table caches, port by port."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

from isoplane.models import Network
from isoplane.models.checks import fraction_of

from ..routing_cache import look_ups, set_of
from .hybrid_transfers import Link, Transfer
from .plane_transfers import share_paths


def may_miss(network: Network) -> bool:
    """Whether a packet may miss a cache: one that begins empty, or has not the room for all nodes of a set."""
    cache = network.site.switch.cache
    if cache is None:
        return False
    fullest = max(Counter(set_of(cache, node) for node in range(network.nodes)).values())
    return cache.start == "cold" or fullest > cache.ways


def with_misses(
    network: Network, transfers: Sequence[Transfer], node_of_message: Sequence[int], begin_tick: Sequence[int]
) -> list[Transfer]:
    """Return transfers that take the time of a look-up in the table more at each switch at which they miss.

    Parameters
    ----------
    network
        The network, whose switches have caches.
    transfers
        The transfers of messages, in the order of these.
    node_of_message
        The node to which each message is sent.
    begin_tick
        When each transfer begins.
    """
    switch = network.site.switch
    assert switch.cache is not None
    streams: dict[Link, list[int]] = {}
    for number in sorted(range(len(transfers)), key=lambda number: begin_tick[number]):  # a stable order
        for port in transfers[number].ports:
            streams.setdefault(port, []).append(number)
    before, number_of = _before(network), _port_numbers(network)
    misses = Counter[int]()
    for port, stream in streams.items():
        looked_up = [node_of_message[transfers[number].message or 0] for number in stream]
        kinds = look_ups(switch.cache, looked_up, before.get(port, ()), number_of[port])
        misses.update(number for number, kind in zip(stream, kinds, strict=True) if "hit" not in kind)
    lookup_ns = fraction_of(switch.routing_ns)
    return [
        replace(transfer, delays=[sum(transfer.delays) + misses[number] * lookup_ns]) if misses[number] else transfer
        for number, transfer in enumerate(transfers)
    ]


def _before(network: Network) -> Mapping[Link, list[int]]:
    """Return the destinations that each port has looked up at the start."""
    cache, nodes = network.site.switch.cache, network.nodes
    assert cache is not None
    before: dict[Link, list[int]] = {}
    if cache.start == "exchange":
        for shift in range(1, nodes):
            for source in range(nodes):
                for port in _ports_between(network, source, (source + shift) % nodes):
                    before.setdefault(port, []).append((source + shift) % nodes)
    if cache.start == "warm":
        passing: dict[Link, set[int]] = {}
        for source, destination in permutations(range(nodes), 2):
            for port in _ports_between(network, source, destination):
                passing.setdefault(port, set()).add(destination)
        before = {port: sorted(destinations) for port, destinations in passing.items()}
    return before


def _ports_between(network: Network, source: int, destination: int) -> Iterator[Link]:
    for path, _ in share_paths(network, source, destination):
        yield from path.ports


def _port_numbers(network: Network) -> Mapping[Link, int]:
    """Return the number of each input port, which decides on its random replacements: by plane, cables before nodes."""
    ports: list[Link] = []
    for number, plane in enumerate(network.planes):
        ports += [("cable", number, switch, port) for switch, port in np.argwhere(plane.topology.peer >= 0).tolist()]
        ports += [("out", number, link) for link in range(len(plane.node_switch))]
    return {port: number for number, port in enumerate(ports)}
