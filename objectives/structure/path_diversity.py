"""Numbers of paths between nodes: edge-disjoint ones, and shortest ones."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, Network
from isoplane.models.checks import check_int

from .capacity_graph import CapacityGraph, capacity_graph

Ints = NDArray[np.int64]

PAIRS = 200
MAX_PAIRS = 1 << 16
LARGEST_EXACT = float(1 << 53)  # up to here, sums of integers in floating point are exact
DRAWS_PER_PAIR = 50


@dataclass(frozen=True)
class PathDiversity:
    """Numbers of paths between sampled pairs of nodes, over the switches and cables of all planes together.

    Parameters
    ----------
    pairs
        The pairs, source and destination.
    disjoint
        For each pair, the number of paths of which no two take the same cable.
    shortest
        For each pair, the number of shortest paths; paths over different cables between the same switches differ.
    """

    pairs: tuple[tuple[int, int], ...]
    disjoint: tuple[int, ...]
    shortest: tuple[int, ...]

    @property
    def min_disjoint(self) -> int:
        """Smallest number of edge-disjoint paths."""
        return min(self.disjoint)

    @property
    def mean_disjoint(self) -> float:
        """Mean number of edge-disjoint paths."""
        return sum(self.disjoint) / len(self.disjoint)

    @property
    def min_shortest(self) -> int:
        """Smallest number of shortest paths."""
        return min(self.shortest)

    @property
    def mean_shortest(self) -> float:
        """Mean number of shortest paths."""
        return sum(self.shortest) / len(self.shortest)


def path_diversity(network: Network, pairs: int = PAIRS, seed: int = 0) -> PathDiversity | None:
    """Count the paths between sampled pairs of nodes that have no switch in common.

    Links of nodes limit nothing here: a path begins at any switch of the first node and ends at any switch of the
    second one. Rates do not count. The numbers are exact.

    Parameters
    ----------
    network
        The network.
    pairs
        Number of pairs, from 1 to 65,536; drawn evenly, with repetition.
    seed
        Seed of the draws.

    Returns
    -------
    PathDiversity or None
        None if all nodes are at one switch.

    Raises
    ------
    InputError
        If `pairs` is out of range, or no plane connects a pair of nodes.

    References
    ----------
    Besta et al., FatPaths: routing in supercomputers and data centers when shortest paths fall short, 2020, section 4.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> found = path_diversity(Network(Torus(shape=(4, 4))))  # 4 cables at each switch; opposite corners: C(4, 2) · 2²
    >>> found.min_disjoint, max(found.shortest)
    (4, 24)
    """
    check_int("pairs", pairs, 1, MAX_PAIRS)
    graph = capacity_graph(network)
    cables = _cables(network, graph)
    drawn = _sample(graph, network.nodes, pairs, seed)
    if not drawn:
        return None
    groups = [(int(graph.group_of_node[a]), int(graph.group_of_node[b])) for a, b in drawn]
    flows = _Flows(graph, cables, sorted({group for pair in groups for group in pair}))
    counts: dict[tuple[int, int], tuple[int, int]] = {}
    shortest = _ShortestPaths(graph, cables)
    for a, b in sorted(set(groups)):
        counts[a, b] = flows.between(a, b), shortest.between(a, b)
    for (a, b), (disjoint, _) in zip(drawn, (counts[pair] for pair in groups), strict=True):
        if not disjoint:
            raise InputError(f"network.planes: none connects node {a} to node {b}; expected links of both in one plane")
    return PathDiversity(
        tuple(drawn), tuple(counts[pair][0] for pair in groups), tuple(counts[pair][1] for pair in groups)
    )


def _cables(network: Network, graph: CapacityGraph) -> Ints:
    """Return the number of parallel cables of each link of the graph."""
    found = np.zeros(len(graph.tail), dtype=np.int64)
    for link in graph.port_link:
        np.add.at(found, link[link >= 0], 1)
    return found


def _sample(graph: CapacityGraph, nodes: int, pairs: int, seed: int) -> list[tuple[int, int]]:
    """Return pairs of nodes without a common switch; none if a long series of draws finds none."""
    random, found = np.random.default_rng(seed), []
    for _ in range(DRAWS_PER_PAIR * pairs):
        a, b = random.integers(nodes, size=2).tolist()
        of_a, of_b = (graph.group_switches(int(graph.group_of_node[node])) for node in (a, b))
        if not np.intersect1d(of_a, of_b).size:
            found.append((a, b))
            if len(found) == pairs:
                break
    return found


class _Flows:
    """Largest flows between groups of nodes, of one unit over each cable in each direction."""

    def __init__(self, graph: CapacityGraph, cables: Ints, groups: list[int]) -> None:
        import igraph

        # Groups only send or only receive, so that no path leads through the nodes of others.
        self._source = {group: graph.switches + i for i, group in enumerate(groups)}
        self._target = {group: graph.switches + len(groups) + i for i, group in enumerate(groups)}
        edges, capacity = list(zip(graph.tail.tolist(), graph.head.tolist(), strict=True)), cables.tolist()
        for group in groups:
            for switch in graph.group_switches(group).tolist():
                edges += [(self._source[group], switch), (switch, self._target[group])]
                capacity += [int(cables.sum())] * 2
        self._graph = igraph.Graph(graph.switches + 2 * len(groups), edges, directed=True)
        self._capacity = capacity

    def between(self, source: int, target: int) -> int:
        value: float = self._graph.maxflow_value(self._source[source], self._target[target], self._capacity)
        return round(value)


class _ShortestPaths:
    """Numbers of shortest paths from one group of nodes at a time."""

    def __init__(self, graph: CapacityGraph, cables: Ints) -> None:
        self._graph, self._cables, self._start = graph, cables, graph.start
        self._group, self._level, self._count = -1, np.zeros(0, dtype=np.int64), np.zeros(0)

    def between(self, source: int, target: int) -> int:
        if source != self._group:
            self._search(source)
        ends = self._graph.group_switches(target)
        level = self._level[ends]
        reached = level >= 0
        if not reached.any():
            return 0
        nearest = ends[reached & (level == level[reached].min())]
        return sum(int(self._count[end]) for end in nearest.tolist())

    def _search(self, source: int) -> None:
        """Count the paths to all switches, in floating point as long as that is exact, else in Python's integers."""
        self._group = source
        self._level = np.full(self._graph.switches, -1, dtype=np.int64)
        self._level[self._graph.group_switches(source)] = 0
        steps = list(self._tree_links())
        for kind in (np.float64, object):
            self._count = np.zeros(self._graph.switches, dtype=kind)
            self._count[self._graph.group_switches(source)] = 1
            for links in steps:
                values = self._count[self._graph.tail[links]] * self._cables[links].astype(kind)
                np.add.at(self._count, self._graph.head[links], values)
            if kind is object or self._count.max() < LARGEST_EXACT:
                return

    def _tree_links(self) -> Iterator[Ints]:
        """Yield the links from one level to the next, and number the levels."""
        frontier, hops = np.flatnonzero(self._level == 0), 0
        while len(frontier):
            hops += 1
            count = self._start[frontier + 1] - self._start[frontier]
            links = np.repeat(self._start[frontier] - np.cumsum(count) + count, count) + np.arange(count.sum())
            head = self._graph.head[links]
            used = self._level[head] < 0
            frontier = np.unique(head[used])
            self._level[frontier] = hops
            yield links[used]
