"""How much of a traffic each link carries, from the routes alone."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Network, Plane
from isoplane.models.node_groups import NodeGroups, alike, node_groups
from isoplane.models.routing import ARRIVED, hops
from isoplane.models.routing.offsets import offset_between
from isoplane.models.routing.walk import place_of

from .permutations import Nodes

Ints = NDArray[np.int64]

PAIRS = 1 << 20  # pairs of places that are walked at once


def busiest_of_all_pairs(network: Network) -> Fraction:
    """Return the load of the busiest link when every node offers 1 to all others evenly."""
    lengths, places = _lengths(network), node_groups(network)
    found = alike(network)
    if found is None:
        labels = [np.arange(switches) for switches in network.plane_switches]
        first, last = np.arange(len(places.senders)), np.arange(len(places.receivers))
    else:  # the places are the switches
        labels, first, last = [found[0]] * len(network.planes), found[1], found[1]
    uses = [
        np.zeros((int(label.max()) + 1, plane.topology.ports), dtype=np.int64)
        for plane, label in zip(network.planes, labels, strict=True)
    ]
    sent = received = 0
    for some in _blocks(first, len(places.receivers)):
        pairs = _pairs(places, some)
        for number, share in enumerate(_shares(network, lengths, places.source[:, some, None], places.target[:, None])):
            here = np.repeat(places.source[number, some], pairs.shape[1])
            there = np.tile(places.target[number], len(some))
            _walk(network.planes[number], here, there, (share * pairs).ravel(), labels[number], uses[number])
            sent = max(sent, int((share @ places.receivers).max()))
    for some in _blocks(last, len(places.senders)):
        for share in _shares(network, lengths, places.source[:, :, None], places.target[:, None, some]):
            received = max(received, int((places.senders @ share).max()))
    most = max(int(use.max(initial=0)) for use in uses)
    if network.node_cable_mm is not None:
        itself = _whole(network) // len(network.planes)  # equally near in all planes
        most = max(most, sent - itself, received - itself)
    return Fraction(most, _whole(network) * (network.nodes - 1))


def busiest_of_permutation(network: Network, table: Nodes) -> Fraction:
    """Return the load of the busiest link when every node offers 1 to its destination in a table."""
    source = np.flatnonzero(table != np.arange(network.nodes))
    here = np.stack([plane.node_switch[source].astype(np.int64) for plane in network.planes])
    there = np.stack([plane.routes.targets(plane.node_switch)[table[source]] for plane in network.planes])
    most = 0
    for number, share in enumerate(_shares(network, _lengths(network), here, there)):
        plane = network.planes[number]
        use = np.zeros(plane.topology.peer.shape, dtype=np.int64)
        _walk(plane, here[number], there[number], share, np.arange(plane.topology.switches), use)
        most = max(most, int(use.max(initial=0)))
        if network.node_cable_mm is not None:
            received = np.bincount(table[source], weights=share, minlength=1)
            most = max(most, int(share.max(initial=0)), int(received.max()))
    return Fraction(most, _whole(network))


def _whole(network: Network) -> int:
    """Return a number that any number of planes divides: the parts of which a message is made."""
    return lcm(*range(1, len(network.planes) + 1))


def _pairs(groups: NodeGroups, sources: Ints) -> Ints:
    """Return how many nodes of some sources send to how many others of each end, as int64[sources, ends]."""
    themselves = np.where(groups.source_of == sources[:, None], groups.receivers, 0)
    found: Ints = groups.senders[sources, None] * groups.receivers - themselves
    return found


def _blocks(places: Ints, others: int) -> Iterator[Ints]:
    """Yield some places at a time, as many as can be paired with the others at once."""
    step = max(1, PAIRS // others)
    for start in range(0, len(places), step):
        yield places[start : start + step]


def _lengths(network: Network) -> list[NDArray[np.int32]]:
    """Return the length of each route of each plane."""
    return [hops(plane.topology, plane.routes) for plane in network.planes]


def _shares(network: Network, tables: Sequence[NDArray[np.int32]], here: Ints, there: Ints) -> Iterator[Ints]:
    """Yield for each plane how many parts of a message it takes; switches and targets have a first axis of planes."""
    lengths = [
        table[place_of(plane.routes, *ends)]
        for plane, table, *ends in zip(network.planes, tables, here, there, strict=True)
    ]
    nearest = np.minimum.reduce(lengths)
    ties = sum((length == nearest).astype(np.int64) for length in lengths)
    for length in lengths:
        yield np.where(length == nearest, _whole(network) // ties, 0)


def _walk(plane: Plane, here: Ints, there: Ints, share: Ints, labels: Ints, use: Ints) -> None:
    """Follow routes to their ends, and add their shares to the use of every link, by label of the switch and port."""
    going = np.flatnonzero((share > 0) & (here != plane.routes.switch_of(there)))
    here, there, share = here[going].astype(np.int64), there[going], share[going]
    start, step = here, 0
    while len(here):
        port = _ports(plane, start, here, there, step)
        on = port != ARRIVED
        here, there, share, start, port = here[on], there[on], share[on], start[on], port[on]
        flat = labels[here] * use.shape[1] + port
        use += np.bincount(flat, weights=share, minlength=use.size).astype(np.int64).reshape(use.shape)
        here = plane.topology.peer[here, port].astype(np.int64)
        step += 1


def _ports(plane: Plane, start: Ints, here: Ints, there: Ints, step: int) -> Ints:
    """Return the next ports of packets after so many hops."""
    routes = plane.routes
    if routes.next_port is not None:
        found = routes.next_port[routes.row[here], offset_between(routes, here, there)].astype(np.int64)
        return np.where(here == routes.switch_of(there), ARRIVED, found)
    assert routes.paths is not None
    entry = routes.row[start] * routes.columns + offset_between(routes, start, there)
    at, end = routes.paths.starts[entry].astype(np.int64) + step, routes.paths.starts[entry + 1]
    inside = at < end
    return np.where(inside, routes.paths.ports[np.where(inside, at, 0)], ARRIVED)
