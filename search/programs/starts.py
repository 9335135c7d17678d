"""Initial circuits for a local search."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from isoplane.models.circuits import Circuits
from isoplane.models.families.hybrid import Hybrid
from isoplane.objectives.fluid.circuit_group_bounds import up_bits

from .traffic import ScaledTraffic

Pairs = tuple[tuple[int, int], ...]

_MAX_PAIRS = 6  # maximum number of pairs of groups for which all subsets are tried


def busiest(traffic: ScaledTraffic, max_circuits: int) -> Circuits:
    """Return circuits between the pairs of nodes with the most mutual traffic, as far as ports are free.

    Examples
    --------
    >>> from isoplane.models.workloads import stencil
    >>> from .traffic import traffic_of
    >>> busiest(traffic_of(Hybrid(2, 2), stencil((2, 2)).message_list()), 2).pairs
    ((0, 2), (1, 3))
    """
    mutual = traffic.sent + traffic.sent.T
    pairs = {(min(pair), max(pair)) for pair in traffic.pairs}
    free = [traffic.hybrid.ports_per_node] * traffic.hybrid.nodes
    chosen: list[tuple[int, int]] = []
    for a, b in sorted(pairs, key=lambda pair: (-int(mutual[pair]), pair)):
        if len(chosen) < max_circuits and free[a] and free[b]:
            chosen.append((a, b))
            free[a], free[b] = free[a] - 1, free[b] - 1
    return Circuits(tuple(chosen))


def group_graphs(traffic: ScaledTraffic) -> list[tuple[int, Pairs]]:
    """Return graphs of joined groups, each with the maximum busy time of an uplink or downlink in ticks, ascending.

    These are all graphs or, for more than four groups, those of the busiest pairs: all pairs, half of them, and so on.
    """
    hybrid = traffic.hybrid
    bits = hybrid.between_groups(traffic.sent)
    pairs = sorted(combinations(range(hybrid.groups), 2), key=lambda pair: -int(bits[pair] + bits[pair[::-1]]))
    if len(pairs) <= _MAX_PAIRS:
        chosen = [joined for count in range(1, len(pairs) + 1) for joined in combinations(pairs, count)]
    else:
        chosen = [tuple(pairs[: len(pairs) >> halves]) for halves in range(len(pairs).bit_length())]
    return sorted((traffic.up * _max_uplink_bits(bits, joined), joined) for joined in chosen)


def _max_uplink_bits(bits: NDArray[np.int64], joined: Pairs) -> int:
    """Return the maximum bits of an uplink or downlink if circuits connect the joined groups."""
    part = list(range(len(bits)))
    for a, b in joined:
        part = [part[a] if number == part[b] else number for number in part]
    return int(up_bits(bits, part))


def spread(hybrid: Hybrid, joined: Pairs, max_circuits: int) -> Circuits:
    """Return circuits that join pairs of groups in turn, each between the lowest nodes with free ports.

    References
    ----------
    Takizawa, Endo and Matsuoka, section 2, step 3.

    Examples
    --------
    >>> spread(Hybrid(3, 2), ((0, 1), (1, 2)), 9).pairs
    ((0, 2), (3, 4))
    """
    size = hybrid.nodes_per_group
    ports = [
        [node for _ in range(hybrid.ports_per_node) for node in range(g * size, (g + 1) * size)]
        for g in range(hybrid.groups)
    ]
    chosen: set[tuple[int, int]] = set()
    open_pairs = list(joined)
    while open_pairs and len(chosen) < max_circuits:
        a, b = open_pairs.pop(0)
        if ports[a] and ports[b] and (ports[a][0], ports[b][0]) not in chosen:
            chosen.add((ports[a].pop(0), ports[b].pop(0)))
            open_pairs.append((a, b))
    return Circuits(tuple(chosen))
