"""Distances after the loss of any one cable, switch, plane or rack: the network without it, searched by igraph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from isoplane.models import Network, Plane
from isoplane.models.arrays import Ints
from isoplane.models.family_kinds.cube import cubes_of

from .graph import plane_graph
from .transfers.sharing import FAR, carrying_planes

if TYPE_CHECKING:
    import igraph

    from isoplane.models.cabling.floor_plan import Floor


def fault_integers(network: Network) -> dict[str, int | None]:
    """Return the exact integers of metrics after losses; a few hundred switches take seconds.

    Distances are those between nodes over the planes that carry packets, and the number of all switches where a loss
    leaves no path. The loss of a switch leaves out nodes that have no other; that of a plane is None without another.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> ring = fault_integers(Network(Torus(shape=(5,))))  # 5 · (2·1 + 2·2) hops; as a path 2 · (4·1 + 3·2 + 2·3 + 1·4)
    >>> ring["cable_fault_diameter"], ring["switch_fault_diameter"], ring["cable_fault_hops"]
    (4, 3, 40)
    """
    nodes = _Nodes(network)
    intact = nodes.diameter_and_hops()
    cables, planes = list(nodes.without_each_cable()), list(nodes.without_each_plane())
    return {
        "cable_fault_diameter": max((diameter for diameter, _ in cables), default=intact[0]),
        "switch_fault_diameter": max(nodes.without_each_switch(), default=0),
        "cable_fault_hops": max((hops for _, hops in cables), default=intact[1]),
        "plane_fault_diameter": max(diameter for diameter, _ in planes) if len(planes) > 1 else None,
        "plane_fault_hops": max(hops for _, hops in planes) if len(planes) > 1 else None,
    }


def rack_integers(network: Network) -> dict[str, int | None]:
    """Return the exact integers of metrics after the loss of a rack; None without two or more racks.

    A rack is lost with its switches and nodes, and with nodes that have no other switch. The mean distance of the
    others is in 10^-9 hops, to the nearest.

    Examples
    --------
    >>> from isoplane.models import Layout, Site
    >>> from isoplane.models.families.torus import Torus
    >>> site = Site(layout=Layout(switches_per_rack=2, aspects=()))
    >>> rack_integers(Network(Torus(shape=(6,)), site))  # as a path of four switches 2 · (3·1 + 2·2 + 1·3) / 4^2 hops
    {'rack_fault_diameter': 3, 'rack_fault_aspl': 1250000000}
    """
    floor = network.floor
    if floor is None or len(floor.names) < 2:
        return {"rack_fault_diameter": None, "rack_fault_aspl": None}
    diameters, means = zip(*_Nodes(network).without_each_rack(floor), strict=True)
    billionths = 2 * 10**9 * max(means)
    return {"rack_fault_diameter": max(diameters), "rack_fault_aspl": (billionths + 1) // 2}


class _Nodes:
    """Nodes by their switches in every plane, and the distances between all switches of each plane."""

    def __init__(self, network: Network) -> None:
        self.carrying = carrying_planes(network)
        planes = [network.planes[number] for number in self.carrying]
        every = [*zip(*([_ends(plane, node) for node in range(network.nodes)] for plane in planes), strict=True)]
        counted = Counter(every)
        self.ends, self.nodes = list(counted), np.array(list(counted.values()))
        numbers = {ends: index for index, ends in enumerate(self.ends)}
        self.of_node = np.array([numbers[ends] for ends in every])
        self.graphs = [_graph_of(plane) for plane in planes]
        self.hops = [_distances(graph, list(range(graph.vcount()))) for graph in self.graphs]
        self.far = sum(network.plane_switches)

    def diameter_and_hops(self, left: Ints | None = None) -> tuple[int, int]:
        """Return the largest distance between nodes, and the sum over ordered pairs, of all or of those left."""
        chosen = np.arange(len(self.ends)) if left is None else left
        nearest = np.full((len(chosen), len(chosen)), FAR)
        for number, hops in enumerate(self.hops):
            ends = [self.ends[index][number] for index in chosen]
            most = max(map(len, ends), default=0)
            # An end that nodes lack is switch number -1: a row and a column without any distance.
            padded = np.array([[*each, *[-1] * (most - len(each))] for each in ends]).reshape(len(ends), most)
            beyond = np.pad(hops, (0, 1), constant_values=FAR)
            for one in padded.T:
                for other in padded.T:
                    nearest = np.minimum(nearest, beyond[np.ix_(one, other)])
        nearest = np.minimum(nearest, self.far)
        nodes = self.nodes[chosen]
        return int(nearest.max(initial=0)), int(nodes @ nearest @ nodes)

    def without_each_cable(self) -> Iterator[tuple[int, int]]:
        """Yield the largest distance and the sum of distances after the loss of each cable."""
        for number, graph in enumerate(self.graphs):
            for edge in graph.es:
                without = graph.copy()
                without.delete_edges(edge.index)
                yield self._after(number, without, edge.tuple)

    def without_each_switch(self) -> Iterator[int]:
        """Yield the largest distance between the remaining nodes after the loss of each switch."""
        for number, graph in enumerate(self.graphs):
            for switch in range(graph.vcount()):
                without, lost = graph.copy(), (number, switch)
                without.delete_edges(without.incident(switch))
                left = [index for index, ends in enumerate(self.ends) if _switches(ends) - {lost}]
                yield self._after(number, without, graph.neighbors(switch), switch, np.array(left, dtype=np.int64))[0]

    def without_each_plane(self) -> Iterator[tuple[int, int]]:
        """Yield the largest distance and the sum of distances after the loss of each plane."""
        for number, before in enumerate(self.hops):
            self.hops[number] = np.full_like(before, FAR)
            diameter, hops = self.diameter_and_hops()
            self.hops[number] = before
            # Nodes that have no link left are far from all others, but not from themselves.
            cut_off = [not any(ends[:number] + ends[number + 1 :]) for ends in self.ends]
            yield diameter if self.nodes.sum() > 1 else 0, hops - int(self.nodes[cut_off].sum()) * self.far

    def without_each_rack(self, floor: Floor) -> Iterator[tuple[int, Fraction]]:
        """Yield the largest and the mean distance between the nodes that are left after the loss of each rack."""
        before, nodes = self.hops, self.nodes
        for rack in range(len(floor.names)):
            lost = [np.flatnonzero(floor.of_switches[number] == rack).tolist() for number in self.carrying]
            self.hops = [_without(graph, switches) for graph, switches in zip(self.graphs, lost, strict=True)]
            self.nodes = np.bincount(self.of_node[floor.of_nodes != rack], minlength=len(nodes))
            gone = {(number, switch) for number, switches in enumerate(lost) for switch in switches}
            left = [index for index, ends in enumerate(self.ends) if self.nodes[index] and _switches(ends) - gone]
            diameter, hops = self.diameter_and_hops(np.array(left, dtype=np.int64))
            yield diameter, Fraction(hops, max(1, int(self.nodes[left].sum()) ** 2))
        self.hops, self.nodes = before, nodes

    def _after(
        self, number: int, without: igraph.Graph, ends: tuple[int, ...] | list[int], lost: int | None = None,
        left: Ints | None = None,
    ) -> tuple[int, int]:  # fmt: skip
        """Return diameter and sum with another graph of a plane, all of whose neighbourhoods but some are the same."""
        before = self.hops[number]
        # A row of distances remains right if each switch still has a neighbour that is one hop nearer.
        changes = np.zeros(len(before), dtype=bool)
        for end in {*ends} - {lost}:
            nearest = before[:, without.neighbors(end)].min(axis=1, initial=FAR)
            changes |= (before[:, end] > 0) & (before[:, end] < FAR) & (nearest != before[:, end] - 1)
        if lost is not None:
            changes[lost] = True
        sources = np.flatnonzero(changes).tolist()
        after = before.copy()
        if sources:
            rows = _distances(without, sources)
            after[sources], after[:, sources] = rows, rows.T
        if lost is not None:
            after[lost, lost] = FAR
        self.hops[number] = after
        try:
            return self.diameter_and_hops(left)
        finally:
            self.hops[number] = before


def _switches(ends: tuple[tuple[int, ...], ...]) -> set[tuple[int, int]]:
    return {(number, switch) for number, switches in enumerate(ends) for switch in switches}


def _ends(plane: Plane, node: int) -> tuple[int, ...]:
    return tuple(sorted(set(plane.node_switch[int(plane.starts[node]) : int(plane.starts[node + 1])].tolist())))


def _graph_of(plane: Plane) -> igraph.Graph:
    """Return the graph of a plane with an edge for each cable."""
    import igraph  # slow to import: only to build a graph

    peers = plane.topology.peer.tolist()
    edges = [(switch, peer) for switch, ports in enumerate(peers) for peer in ports if peer > switch]
    return igraph.Graph(n=len(peers), edges=edges)


def _without(graph: igraph.Graph, lost: list[int]) -> Ints:
    """Return the hops between all switches of a plane, none to or from those that are lost."""
    without = graph.copy()
    without.delete_edges({edge for switch in lost for edge in graph.incident(switch)})
    hops = _distances(without, list(range(graph.vcount())))
    hops[lost, lost] = FAR
    return hops


def _distances(graph: igraph.Graph, sources: list[int]) -> Ints:
    """Return the hops from some switches to all, `FAR` where there is no path."""
    hops = np.array(graph.distances(source=sources), dtype=np.float64)
    return np.where(np.isinf(hops), FAR, hops).astype(np.int64)


def cube_fault_integers(network: Network) -> dict[str, int | None]:
    """Return the same integers of planes of cubes, for one node at each switch.

    The translations by an offset are automorphisms of all planes at once. So all cables of a generator are alike, and
    what the loss of one does to the distances from all switches is what the losses of all of them do to those from
    switch 0, counted at both ends. The loss of a switch is the loss of switch 0 in a plane, or one that switch 0 sees.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> exact = cube_fault_integers(dual_cube(3, (3, 5, 7)))  # offset 7 has 3 hops without its cable, in either plane
    >>> exact["cable_fault_diameter"], exact["cable_fault_hops"], exact["plane_fault_hops"]
    (3, 68, 96)
    """
    graphs = [plane_graph(cube) for cube in cubes_of(network).planes]
    hops = [_distances(graph, [0])[0] for graph in graphs]
    nearest, longer = np.min(hops, axis=0), Counter[tuple[int, int]]()
    after_cable = after_switch = int(nearest.max())
    for number, graph in enumerate(graphs):
        others = [each for other, each in enumerate(hops) if other != number]
        if others:  # the nodes of switch 0, if this plane loses it
            after_switch = max(after_switch, int(np.min(others, axis=0).max()))
        for switch in range(1, graph.vcount()):
            nearer = [peer for peer in graph.neighbors(switch) if hops[number][peer] < hops[number][switch]]
            if len(nearer) > 1:
                continue
            edge, without = graph.get_eid(switch, nearer[0]), graph.copy()
            without.delete_edges(edge)
            after = np.min([_distances(without, [0])[0], *others], axis=0)
            after_cable = max(after_cable, int(after.max()))
            longer[number, graph.es[edge]["link"]] += 2 * int((after - nearest).sum())
            if nearer[0] != 0:
                raise RuntimeError("a switch of a cube has a single neighbour that is nearer to another one")
    return {
        "cable_fault_diameter": after_cable,
        "switch_fault_diameter": after_switch,
        "cable_fault_hops": len(nearest) * int(nearest.sum()) + max(longer.values()),
        "plane_fault_diameter": max(int(each.max()) for each in hops) if len(hops) > 1 else None,
        "plane_fault_hops": len(nearest) * max(int(each.sum()) for each in hops) if len(hops) > 1 else None,
    }
