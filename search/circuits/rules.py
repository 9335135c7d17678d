"""Rules that assign circuits without a search: round robin, matching, greedy; `rule_rounds` adds balanced loads."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from isoplane.models.arrays import Ints
from isoplane.models.circuits import Circuits
from isoplane.models.family_kinds.optical import OpticalFamily
from isoplane.models.placement import Placement
from isoplane.models.workloads import Workload

from .matching import heaviest_matching

Bytes = NDArray[np.int64]
Pair = tuple[int, int]


def node_matrix(workload: Workload, placement: Placement) -> Bytes:
    """Return the bytes between every two nodes per iteration, summed over both directions."""
    nodes = np.array(placement.processes)
    matrix = workload.matrix()[np.ix_(nodes, nodes)]
    mutual: Bytes = matrix + matrix.T
    return mutual


class _Ports:
    """The free ports of nodes during an assignment of circuits."""

    def __init__(self, optical: OpticalFamily) -> None:
        self._optical = optical
        self.free = np.full(optical.nodes, optical.ports_per_node)
        self.pairs: list[Pair] = []
        self._joined = np.zeros((optical.nodes, optical.nodes), dtype=bool)

    def free_pairs(self, a: int, b: int) -> tuple[Ints, Ints]:
        """Return the pairs of nodes with free ports of two groups that no circuit joins yet, in ascending order."""
        rows, columns = self._nodes(a), self._nodes(b)
        row, column = np.nonzero(~self._joined[np.ix_(rows, columns)])
        return rows[row], columns[column]

    def _nodes(self, group: int) -> Ints:
        first = group * self._optical.nodes_per_group
        return first + np.flatnonzero(self.free[first : first + self._optical.nodes_per_group])

    def join(self, a: int, b: int) -> None:
        """Join two nodes by a circuit."""
        self.free[[a, b]] -= 1
        self.pairs.append((a, b))
        self._joined[a, b] = True


def round_robin(
    optical: OpticalFamily, workload: Workload, placement: Placement, circuits: int, *, any_nodes: bool = False
) -> Circuits:
    """Return the circuits of the paper: one per pair of communicating groups in turn, each for the lowest free nodes.

    The paper sets circuits up "to satisfy the communication pattern", starting with the lowest processes. So among the
    free nodes of the two groups, the lowest that communicate are joined first, and others only if none communicate.
    With `any_nodes` the pattern is ignored, which is the other interpretation of the paper; but then, unlike in the
    paper, no number of circuits reaches the performance of full bisection bandwidth.

    Parameters
    ----------
    optical, workload, placement
        The network, and the communication between its groups and nodes.
    circuits
        Maximum number of circuits.
    any_nodes
        Whether the lowest free nodes are joined even if they do not communicate.

    References
    ----------
    Takizawa, Endo and Matsuoka, section 2, step 3.

    Examples
    --------
    >>> from isoplane.models import Hybrid
    >>> from isoplane.models.placement import by_switch
    >>> from isoplane.models.workloads import from_matrix
    >>> work = from_matrix(np.array([[0, 0, 0, 5], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]))
    >>> [round_robin(Hybrid(2, 2), work, by_switch(4), 1, any_nodes=any).pairs for any in (False, True)]
    [((0, 3),), ((0, 2),)]
    """
    matrix = node_matrix(workload, placement)
    between = optical.between_groups(matrix)
    ports = _Ports(optical)
    open_pairs = [pair for pair in combinations(range(optical.groups), 2) if between[pair]]
    while open_pairs and len(ports.pairs) < circuits:
        still_open = []
        for a, b in open_pairs:
            pairs = ports.free_pairs(a, b)
            if not len(pairs[0]) or len(ports.pairs) == circuits:
                continue
            # The first pair that communicates; the first of all if none does.
            chosen = 0 if any_nodes else int((matrix[pairs] > 0).argmax())
            ports.join(int(pairs[0][chosen]), int(pairs[1][chosen]))
            still_open.append((a, b))
        open_pairs = still_open
    return Circuits(tuple(ports.pairs))


def matching(optical: OpticalFamily, workload: Workload, placement: Placement, circuits: int) -> Circuits:
    """Return the circuits that carry the most bytes directly: a maximum-weight matching, by `heaviest_matching`.

    Maximise Σ bytes(a, b) over the joined pairs (a, b) of nodes of different groups, with at most `circuits` pairs, at
    most `ports_per_node` at a node, and each pair once: a second circuit between two nodes carries no more bytes. Pairs
    that do not communicate are not joined.

    Examples
    --------
    >>> from isoplane.models import Hybrid
    >>> from isoplane.models.placement import by_switch
    >>> from isoplane.models.workloads import stencil
    >>> matching(Hybrid(2, 4), stencil((2, 4)), by_switch(8), 8 // 2).pairs
    ((0, 4), (1, 5), (2, 6), (3, 7))
    """
    matrix = node_matrix(workload, placement)
    between_groups = np.triu(np.where(optical.group[:, None] == optical.group[None, :], 0, matrix))
    weights = {(int(a), int(b)): int(matrix[a, b]) for a, b in np.argwhere(between_groups)}
    return Circuits(tuple(heaviest_matching(weights, optical.ports_per_node, circuits)))


def greedy(optical: OpticalFamily, workload: Workload, placement: Placement, circuits: int) -> list[Circuits]:
    """Return growing sets of circuits, starting with the empty set.

    The next circuit goes to the pair of groups with the most bytes per circuit, bytes / (circuits + 1), and there to
    the free nodes with the most mutual traffic; ties go to the nodes that send and receive least.

    Examples
    --------
    >>> from isoplane.models import Hybrid
    >>> from isoplane.models.placement import by_switch
    >>> from isoplane.models.workloads import stencil
    >>> [len(found) for found in greedy(Hybrid(2, 4), stencil((2, 4)), by_switch(8), 2)]
    [0, 1, 2]
    """
    matrix = node_matrix(workload, placement)
    between = optical.between_groups(matrix)
    busy = matrix.sum(axis=0)
    ports, assigned = _Ports(optical), np.zeros_like(between)
    open_pairs = [pair for pair in combinations(range(optical.groups), 2) if between[pair]]
    growing = [Circuits()]
    while open_pairs and len(ports.pairs) < circuits:
        a, b = chosen = max(open_pairs, key=lambda pair: (between[pair] / (assigned[pair] + 1), -pair[0], -pair[1]))
        first, second = ports.free_pairs(a, b)
        if not len(first):
            open_pairs.remove(chosen)
            continue
        # By mutual traffic, then by the traffic of both ends; pairs ascend, and the sort is stable.
        heaviest = np.lexsort((busy[first] + busy[second], -matrix[first, second]))[0]
        ports.join(int(first[heaviest]), int(second[heaviest]))
        assigned[chosen] += 1
        growing.append(Circuits(tuple(ports.pairs)))
    return growing
