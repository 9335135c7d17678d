"""Lower bounds on the bottleneck time, and so on the completion time, over all sets of circuits, and all placements."""

from itertools import combinations
from math import ceil

import numpy as np
from numpy.typing import NDArray

from isoplane.models import MessageList
from isoplane.models.checks import check_int
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.family_kinds.optical import OpticalFamily
from isoplane.models.network import NO_SITE
from isoplane.models.placement import Placement
from isoplane.models.site.site import Site

from .group_bounds import MAX_GROUPS, partition_bound_ns, partner_bound_bits

Bits = NDArray[np.float64]

ROUNDING = 1e-12  # relative margin for the rounding errors of floating-point sums
MAX_CUT_GROUPS = 12  # up to this number all cuts are evaluated; above it, only those around one or two groups


def bottleneck_bound_ns(
    hybrid: Hybrid, messages: MessageList, circuits: int, placement: Placement | None = None
) -> int:
    """Return a lower bound on the bottleneck time with at most `circuits` circuits, in whole nanoseconds.

    The maximum of these bounds, where a node sends I bits inside its group and X to other groups, over a link of rate e
    and p circuits of rate c:

    - Nodes: each needs I / e and (I + X) / (e + p·c), sending and receiving; (I + X) / e without a circuit, which holds
      for all but at most 2·`circuits` nodes.
    - Cuts: the traffic that leaves a set of groups uses its uplinks and the circuits that leave it.
    - Relays: with p = 1, traffic that a node receives over its circuit has entered the far end over a link
      (`partner_bound_bits`), and relayed traffic loads the links of circuit owners (`partition_bound_ns`).
    - Links: with p = 1 a message between groups uses the link of a node unless a circuit connects its endpoints. So the
      links of all nodes together carry all bits except those of the busiest pairs, one pair per circuit.

    Parameters
    ----------
    hybrid, messages
        The network, and the messages between its processes.
    circuits
        Maximum number of circuits.
    placement
        By default process i on node i.

    Raises
    ------
    InputError
        If the ports do not allow that many circuits.

    Examples
    --------
    >>> from isoplane.models.workloads import stencil
    >>> work = stencil(iterations=1).message_list()
    >>> [bottleneck_bound_ns(Hybrid(), work, circuits) for circuits in (0, 16, 64)]
    [160000000, 128000000, 96000000]
    """
    check_int("network.circuits", circuits, 0, hybrid.max_circuits)
    sent = bits_between(hybrid, messages, placement).astype(np.float64)
    bounds = [
        _node_bound(hybrid, sent, circuits),
        _node_bound(hybrid, sent.T, circuits),
        _cut_bound(hybrid, sent, circuits),
    ]
    if hybrid.ports_per_node == 1:
        link_rate, unit = float(hybrid.node_gbps), float(np.gcd.reduce(sent.astype(np.int64), axis=None))
        partners = ceil(partner_bound_bits(hybrid, sent) / unit * (1 - ROUNDING)) * unit
        bounds += [_link_bound(hybrid, sent, circuits), partners / link_rate]
        if circuits and hybrid.groups <= MAX_GROUPS:
            bounds.append(partition_bound_ns(hybrid, sent, circuits, unit))
    return round(max(bounds) * (1 - ROUNDING))  # to the nearest ns, as scores are


def free_bound_ns(hybrid: OpticalFamily, messages: MessageList, circuits: int, site: Site = NO_SITE) -> int:
    """Return a lower bound in ns on the bottleneck time over all placements and sets of at most `circuits` circuits.

    A process that sends or receives T bits needs at least T / (e + p·c) on any node, with links of rate e in total
    (`OpticalFamily.max_node_gbps`) and p circuits of rate c. At most 2·`circuits` nodes own a circuit, so at least one
    of the 2·`circuits` + 1 busiest processes is on a node without one and needs T / e.

    Parameters
    ----------
    hybrid, messages
        The network, and the messages between its processes.
    circuits
        Maximum number of circuits.
    site
        The site, for a family that uses it.

    Raises
    ------
    InputError
        If the ports do not allow that many circuits.

    Examples
    --------
    >>> from isoplane.models.workloads import stencil
    >>> work = stencil(iterations=1).message_list()
    >>> [free_bound_ns(Hybrid(), work, circuits) for circuits in (0, 64)]
    [128000000, 30476190]
    """
    check_int("network.circuits", circuits, 0, hybrid.max_circuits)
    link_rate = float(hybrid.max_node_gbps(site))
    circuit_rate = hybrid.ports_per_node * float(hybrid.circuit_gbps)
    bound = 0.0
    bits = np.where(messages.local, 0.0, 8.0 * messages.length_bytes)
    for ends in (messages.source, messages.destination):
        bound = max(bound, _owners_bound(np.bincount(ends, bits, hybrid.nodes), circuits, link_rate, circuit_rate))
    return round(bound * (1 - ROUNDING))  # to the nearest ns, as scores are


def bits_between(hybrid: OpticalFamily, messages: MessageList, placement: Placement | None = None) -> NDArray[np.int64]:
    """Return the matrix of bits from nodes (rows) to nodes (columns); by default process i is on node i."""
    nodes = np.arange(hybrid.nodes) if placement is None else np.array(placement.nodes)
    sent = np.zeros((hybrid.nodes, hybrid.nodes), dtype=np.int64)
    np.add.at(sent, (nodes[messages.source], nodes[messages.destination]), 8 * messages.length_bytes)
    np.fill_diagonal(sent, 0)  # local messages take no link
    return sent


def _node_bound(hybrid: Hybrid, sent: Bits, circuits: int) -> float:
    link_rate, circuit_rate = float(hybrid.node_gbps), hybrid.ports_per_node * float(hybrid.circuit_gbps)
    same_group = hybrid.group[:, None] == hybrid.group[None, :]
    inside_bits = np.where(same_group, sent, 0).sum(axis=1)
    bound = _owners_bound(sent.sum(axis=1), circuits, link_rate, circuit_rate)
    return max(bound, float(inside_bits.max()) / link_rate)


def _owners_bound(total: NDArray[np.number], circuits: int, link_rate: float, circuit_rate: float) -> float:
    """Return the bound of the bits of each node if the busiest 2·`circuits` nodes own the circuits."""
    descending, owners = np.sort(total)[::-1], 2 * circuits
    bound = float(descending[0]) / (link_rate + circuit_rate if circuits else link_rate)
    return max(bound, float(descending[owners]) / link_rate) if owners < len(total) else bound


def _cut_bound(hybrid: Hybrid, sent: Bits, circuits: int) -> float:
    size, groups = hybrid.nodes_per_group, hybrid.groups
    between = hybrid.between_groups(sent)
    up, circuit_rate = float(hybrid.up_gbps), float(hybrid.circuit_gbps)
    # The smaller side of a cut has fewer uplinks and ports, so the larger one gives no better bound.
    largest = groups // 2 if groups <= MAX_CUT_GROUPS else 2
    bound = 0.0
    for count in range(1, largest + 1):
        capacity = count * up + circuit_rate * min(circuits, hybrid.ports_per_node * size * count)
        for chosen in combinations(range(groups), count):
            inner = np.isin(np.arange(groups), chosen)
            crossing = max(between[inner][:, ~inner].sum(), between[~inner][:, inner].sum())
            bound = max(bound, float(crossing) / capacity)
    return bound


def _link_bound(hybrid: Hybrid, sent: Bits, circuits: int) -> float:
    same_group = hybrid.group[:, None] == hybrid.group[None, :]
    # A circuit spares both directions of its pair, so a pair counts once, with both.
    pairs = np.triu(np.where(same_group, 0, sent + sent.T))
    bypassing = np.sort(pairs, axis=None)[::-1][:circuits].sum()
    return float(sent.sum() - bypassing) / (hybrid.nodes * float(hybrid.node_gbps))
