"""Numbers of paths between nodes: edge-disjoint ones, and shortest ones."""

from itertools import chain

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, Network
from isoplane.models.arrays import Ints
from isoplane.models.checks import check_int

from .. import _native
from ..general.arrays import in_threads
from .flows.capacity_graph import CapacityGraph, capacity_graph

Switches = NDArray[np.int32]
Pairs = tuple[tuple[int, int], ...]
Counts = tuple[int, ...]

PAIRS = 200
MAX_PAIRS = 1 << 16
PAIRS_PER_CALL = 32  # of native functions
DRAWS_PER_PAIR = 50


def path_diversity(network: Network, pairs: int = PAIRS, seed: int = 0) -> tuple[Pairs, Counts, Counts]:
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
    tuple of int, int
        The pairs, source and destination; none if all nodes are at one switch.
    tuple of int
        For each pair, the number of paths of which no two take the same cable, over all planes together.
    tuple of int
        For each pair, the number of shortest paths; paths over different cables between the same switches differ.

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
    >>> _, disjoint, shortest = path_diversity(Network(Torus(shape=(4, 4))))
    >>> min(disjoint), max(shortest)  # 4 cables at each switch; to the opposite corner: C(4, 2) · 2²
    (4, 24)
    """
    check_int("pairs", pairs, 1, MAX_PAIRS)
    graph = capacity_graph(network)
    cables = _cables(network, graph)
    drawn = _sample(graph, network.nodes, pairs, seed)
    if not drawn:
        return (), (), ()
    links, ends = _Links(graph, cables), graph.group_of_node[np.array(drawn)]

    def count(part: slice) -> tuple[list[int], list[int]]:
        # Copied, as the native code wants rows that are contiguous.
        source, target = ends[part].T.copy()
        return links.disjoint(source, target), links.shortest(source, target)

    counts = list(in_threads(count, len(ends), PAIRS_PER_CALL, "disjoint paths"))
    disjoint, shortest = (tuple(chain.from_iterable(each)) for each in zip(*counts, strict=True))
    for (a, b), number in zip(drawn, disjoint, strict=True):
        # The graph joins all planes, but a path stays in one: without a path, no plane joins the pair.
        if not number:
            raise InputError(f"network.planes: none connects node {a} to node {b}; expected links of both in one plane")
    return tuple(drawn), disjoint, shortest


def _cables(network: Network, graph: CapacityGraph) -> Ints:
    """Return the number of parallel cables of each link of the graph."""
    cables = np.zeros(len(graph.tail), dtype=np.int64)
    for link in graph.port_link:
        np.add.at(cables, link[link >= 0], 1)
    return cables


def _sample(graph: CapacityGraph, nodes: int, pairs: int, seed: int) -> list[tuple[int, int]]:
    """Return pairs of nodes without a common switch; none if a long series of draws finds none."""
    random, sample = np.random.default_rng(seed), []
    for _ in range(DRAWS_PER_PAIR * pairs):
        a, b = random.integers(nodes, size=2).tolist()
        of_a, of_b = (graph.group_switches(int(graph.group_of_node[node])) for node in (a, b))
        if not np.intersect1d(of_a, of_b).size:
            sample.append((a, b))
            if len(sample) == pairs:
                break
    return sample


class _Links:
    """The links and groups of nodes of a graph as arrays for native functions, with the opposite of every link."""

    def __init__(self, graph: CapacityGraph, cables: Ints) -> None:
        number = graph.tail * graph.switches + graph.head
        # Links are ascending by tail and head, so the opposite of each is found by bisection.
        opposite = np.searchsorted(number, graph.head * graph.switches + graph.tail)
        groups = graph.group_links
        self._start, self._opposite, self._group_start = graph.start, opposite.astype(np.int64), groups.start
        self._head, self._cables, self._at = (each.astype(np.int32) for each in (graph.head, cables, groups.at))

    def disjoint(self, source: Ints, target: Ints) -> list[int]:
        """Return the numbers of edge-disjoint paths between groups: largest flows of one unit over each cable.

        Groups only send or only receive, so that no path leads through the nodes of others.
        """
        found = np.zeros(len(source), dtype=np.int64)
        _native.disjoint_paths(*self._arrays, source, target, found)
        return [int(number) for number in found]

    def shortest(self, source: Ints, target: Ints) -> list[int]:
        """Return the numbers of shortest paths between groups, in as many words of 64 bits as they need."""
        words = 1
        while True:
            found = np.zeros((len(source), words), dtype=np.uint64)
            if _native.shortest_paths(*self._arrays, source, target, found):
                return [sum(word << 64 * i for i, word in enumerate(row)) for row in found.tolist()]
            # Counts multiply at every hop and can exceed any fixed number of words.
            words *= 2

    @property
    def _arrays(self) -> tuple[Ints, Switches, Switches, Ints, Ints, Switches]:
        return self._start, self._head, self._cables, self._opposite, self._group_start, self._at
