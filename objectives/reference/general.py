"""Any network: distances of igraph, every route walked link by link, every cable counted."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import igraph
import numpy as np
from numpy.typing import NDArray

from isoplane.models import Network, Plane

from .graph import ReferenceMismatch, distances

Ints = NDArray[np.int64]
Place = tuple[int, ...]  # of a node: its switch in every plane

NO_PORT = 0xFFFF
SOURCES = 256  # whose distances are asked for at once


@dataclass(frozen=True)
class GeneralReference:
    """The exact numbers behind the metrics of any network; the last three are None without a layout.

    Attributes
    ----------
    total_hops
        Σ over ordered pairs of nodes of the hops in the nearest plane; a node with itself is a pair.
    diameter
        The largest distance of two nodes, in hops.
    peak_load
        Packets over the busiest link between switches when every node sends one to every node.
    cable_length_mm
        Σ of the lengths of all cables between switches.
    delay
        Mean delay over ordered pairs, in delay units (`SwitchModel.units`).
    cost_cents
        Price of the whole network.
    """

    total_hops: int
    diameter: int
    peak_load: Fraction
    cable_length_mm: int | None = None
    delay: Fraction | None = None
    cost_cents: int | None = None


def measure_general(network: Network) -> GeneralReference:
    """Return the exact numbers of any network, in seconds for a thousand switches.

    Raises
    ------
    InputError
        If the catalogue lacks a cable or the interface.
    ReferenceMismatch
        If a route misses its destination.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> measure_general(dual_cube(3, (3, 5, 7), nodes_per_switch=1, layout=None)).peak_load
    Fraction(3, 2)
    """
    nodes_at = Counter(zip(*(plane.node_switch.tolist() for plane in network.planes), strict=True))
    total, diameter = _distances(network, nodes_at)
    walks = _Walks(network, nodes_at)
    walks.walk_all()
    peak = max(int(load.max(initial=0)) for load in walks.loads)
    if network.site.layout is None:
        return GeneralReference(total, diameter, Fraction(peak, walks.parts))
    units = network.site.switch.units()
    per_pair = Fraction(units.hop * walks.hops + units.cable_mm * walks.millimetres, walks.parts * network.nodes**2)
    length_mm, cost_cents = _cables(network)
    return GeneralReference(
        total, diameter, Fraction(peak, walks.parts), length_mm, per_pair + units.endpoint, cost_cents
    )


def _distances(network: Network, nodes_at: Counter[Place]) -> tuple[int, int]:
    """Return the sum over ordered pairs of nodes of the distance in the nearest plane, and the largest."""
    graphs = [_graph(plane) for plane in network.planes]
    places, counts = np.array(list(nodes_at)), np.array(list(nodes_at.values()))
    total = diameter = 0
    for start in range(0, len(places), SOURCES):
        some = places[start : start + SOURCES]
        hops = np.minimum.reduce(
            [distances(graph, some[:, plane].tolist())[:, places[:, plane]] for plane, graph in enumerate(graphs)]
        )
        total += int(counts[start : start + SOURCES] @ hops @ counts)
        diameter = max(diameter, int(hops.max()))
    return total, diameter


def _graph(plane: Plane) -> igraph.Graph:
    peers = plane.topology.peer.tolist()
    edges = [(here, there) for here, ports in enumerate(peers) for there in ports if there >= 0]
    return igraph.Graph(n=len(peers), edges=edges)


class _Walks:
    """All routes of a network, walked side by side from all places to one destination after the other."""

    def __init__(self, network: Network, nodes_at: Counter[Place]) -> None:
        self.network = network
        self.places = np.array(list(nodes_at))
        self.senders = np.array(list(nodes_at.values()))
        self.parts = lcm(*range(1, len(network.planes) + 1))
        self.loads = [np.zeros(plane.topology.peer.shape, dtype=np.int64) for plane in network.planes]
        self.hops = self.millimetres = 0

    def walk_all(self) -> None:
        """Walk from everywhere to every node; nodes that all planes treat alike are one destination."""
        asked = [
            plane.node_switch if plane.routes.column is None else plane.routes.column for plane in self.network.planes
        ]
        places = [plane.node_switch.tolist() for plane in self.network.planes]
        alike = Counter(zip(*places, *(targets.tolist() for targets in asked), strict=True))
        for key, receivers in alike.items():
            planes = len(self.network.planes)
            self._walk_to(key[:planes], key[planes:], receivers)

    def _walk_to(self, goals: Place, targets: Place, receivers: int) -> None:
        walks = [
            self._routes(plane, self.places[:, number], goals[number], targets[number])
            for number, plane in enumerate(self.network.planes)
        ]
        lengths = np.array([length for _, length in walks])
        is_nearest = lengths == lengths.min(axis=0)
        for number, (links, _) in enumerate(walks):
            sent = self.senders * receivers * self.parts // is_nearest.sum(axis=0) * is_nearest[number]
            for who, here, port in links:
                np.add.at(self.loads[number], (here, port), sent[who])
                self.hops += int(sent[who].sum())
                self.millimetres += int((sent[who] * self.network.planes[number].cable_mm[here, port]).sum())

    @staticmethod
    def _routes(plane: Plane, start: Ints, goal: int, target: int) -> tuple[list[tuple[Ints, Ints, Ints]], Ints]:
        """Return for each step who is still on the way, where, and by which port; and the length of each route."""
        links: list[tuple[Ints, Ints, Ints]] = []
        here, who, length = start.copy(), np.arange(len(start)), np.zeros(len(start), dtype=np.int64)
        while True:
            port = _next_port(plane, start[who], here, target, goal, len(links))
            who, here, port = who[port != NO_PORT], here[port != NO_PORT], port[port != NO_PORT]
            if not len(who):
                return links, length
            there = plane.topology.peer[here, port].astype(np.int64)
            links.append((who, here, port))
            length[who] += 1
            if (there < 0).any() or len(links) > plane.topology.switches:
                raise ReferenceMismatch(f"the route from switch {start[who[0]]} to switch {goal} does not arrive")
            here = there


def _next_port(plane: Plane, start: Ints, here: Ints, target: int, goal: int, step: int) -> Ints:
    """Return the next port of packets after some steps, `NO_PORT` where their routes end."""
    routes = plane.routes
    if routes.paths is None:
        assert routes.next_port is not None
        port = routes.next_port[routes.row[here], _columns(plane, here, target)].astype(np.int64)
        return np.where(here == goal, NO_PORT, port)
    entry = routes.row[start] * routes.columns + _columns(plane, start, target)
    first, end = routes.paths.starts[entry].astype(np.int64), routes.paths.starts[entry + 1]
    on = first + step < end
    if (here[~on] != goal).any():
        raise ReferenceMismatch(f"a route to switch {goal} ends elsewhere")
    return np.where(on, routes.paths.ports[np.where(on, first + step, 0)], NO_PORT)


def _columns(plane: Plane, here: Ints, target: int) -> Ints:
    """Return the column of a route: its target, or the offset from where it is looked up."""
    if plane.routes.group == "table":
        return np.full(len(here), target)
    if plane.routes.group == "xor":
        return here ^ target
    # Coordinates with the first one fastest are those of an array in Fortran's order.
    shape = plane.routes.shape
    at, to = np.unravel_index(here, shape, order="F"), np.unravel_index(target, shape, order="F")
    away = tuple((there - own) % size for own, there, size in zip(at, to, shape, strict=True))
    return np.ravel_multi_index(away, shape, order="F").astype(np.int64)


def _cables(network: Network) -> tuple[int, int]:
    """Return the length of all cables between switches and the price of the network, cable by cable."""
    prices, planes = network.site.prices, len(network.planes)
    length_mm, cents = 0, 0
    port_cents = int(Fraction(str(prices.switch_port_usd)) * 100)
    for plane in network.planes:
        for (switch, port), peer in np.ndenumerate(plane.topology.peer):
            if peer < 0:
                continue
            cents += port_cents
            if (switch, port) < (peer, plane.topology.peer_port[switch, port]):
                cable_mm = int(plane.cable_mm[switch, port])
                length_mm += cable_mm
                cents += prices.cable_for_mm(cable_mm)[1]
    if network.node_cable_mm is not None:  # nodes of a direct network need no interface
        _, node_cable_cents = prices.cable_for_mm(network.node_cable_mm)
        cents += network.nodes * (prices.nic_cents(planes) + planes * (port_cents + node_cable_cents))
    return length_mm, cents


def general_metrics(network: Network) -> dict[str, int | float | None]:
    """Return the metrics of any network under the names of a record, in its order, each rounded once.

    Raises
    ------
    InputError
        If the catalogue lacks a cable or the interface.
    ReferenceMismatch
        If a route misses its destination.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> general_metrics(dual_cube(3, (3, 5, 7), nodes_per_switch=1))["aspl"]
    1.0
    """
    exact, nodes = measure_general(network), network.nodes
    parts = lcm(*range(1, len(network.planes) + 1))
    cables = sum(int((plane.topology.peer >= 0).sum()) for plane in network.planes) // 2
    mean_mm = None if exact.cable_length_mm is None or not cables else Fraction(exact.cable_length_mm, cables)
    delay = None if exact.delay is None else exact.delay / network.site.switch.units().per_ns
    return {
        "aspl": float(Fraction(exact.total_hops, nodes**2)),
        "total_hops": exact.total_hops,
        "diameter": exact.diameter,
        "peak_load": int(exact.peak_load * parts),
        "throughput_per_node": float(nodes / exact.peak_load) if exact.peak_load else None,
        "cable_length_m": None if mean_mm is None else float(mean_mm / 1000),
        "delay_ns": None if delay is None else float(delay),
        "cost_usd_per_node": None if exact.cost_cents is None else float(Fraction(exact.cost_cents, 100 * nodes)),
    }
