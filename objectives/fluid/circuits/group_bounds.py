"""Lower bounds on the bottleneck time of networks with one circuit port per node."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from isoplane.models.families.hybrid import Hybrid
from isoplane.models.family_kinds.optical import Number

Bits = NDArray[np.float64]

MAX_GROUPS = 7  # all partitions of the groups are enumerated: 877 for 7


def partner_bound_bits(hybrid: Hybrid, sent: Bits) -> float:
    """Return a lower bound on the bits over the busiest link of a node, from pairs of nodes that share a circuit.

    Traffic that node t receives over its circuit has entered the far end p over the link of p, except for messages that
    p itself sends, and vice versa. So the links into t and p together carry at least R_t + R_p - M_pt - M_tp, where R
    is the traffic that a node receives and M the messages between the two, and one of the links carries at least half
    of it; the link into a node without a circuit carries R_t. The best partner of t determines the bound for t, and the
    result is the largest bound over all t.

    Parameters
    ----------
    hybrid
        A network with one circuit port per node.
    sent
        Bits from nodes (rows) to nodes.
    """
    different_groups = hybrid.group[:, None] != hybrid.group[None, :]
    bound = 0.0
    # The second pass bounds what nodes send: reversing all messages swaps R, and leaves M_pt + M_tp unchanged.
    for received in (sent.sum(axis=0), sent.sum(axis=1)):
        pair_bits = np.where(different_groups, received[:, None] + received[None, :] - sent - sent.T, np.inf)
        bound = max(bound, float(np.minimum(received, pair_bits.min(axis=1) / 2).max()))
    return bound


def partition_bound_ns(hybrid: Hybrid, sent: Bits, circuits: int, unit: float) -> float:
    """Return a lower bound in nanoseconds: the minimum over all partitions of the groups into connected sets.

    Circuits connect the groups into sets; no circuit leads from one set to another, so traffic between sets uses the
    uplinks. Traffic between groups of a set, X bits in total, uses circuits, so it enters the link of a circuit owner
    at least once, except for the messages that an owner sends to the one group where its circuit ends. If m nodes own
    circuits, the links into them carry at least X - Σ (max_B X_sB - F_s), the sum over the m owners s with the largest
    terms, where X_sB is the traffic of s to group B of its set and F_s the traffic that s receives from its own group
    and from other sets. Nodes without circuits use their links for all their traffic. Reversing all messages gives the
    same bound for the outgoing links. The partition and m are unknown, so the bound is the minimum over both.

    Parameters
    ----------
    hybrid
        A network with one circuit port per node and at most `MAX_GROUPS` groups.
    sent
        Bits from nodes (rows) to nodes.
    circuits
        Maximum number of circuits, at least 1.
    unit
        Common divisor of all sums of bits over links of nodes.
    """
    between = hybrid.between_groups(sent)
    bound = np.inf
    for part in _partitions(hybrid.groups):
        different_sets = np.not_equal.outer(part, part)
        up_ns = float(up_bits(between, part)) / float(hybrid.up_gbps)
        # A partition whose uplinks alone take longer than the best so far cannot lower the minimum.
        if up_ns < bound and len(set(part)) < hybrid.groups:
            relay_bits = max(_relay_bits(hybrid, bits, different_sets, circuits) for bits in (sent, sent.T))
            # Loads are multiples of the unit, so they are rounded up to one, less the rounding errors of float sums.
            up_ns = max(up_ns, np.ceil(relay_bits / unit * (1 - 1e-12)) * unit / float(hybrid.node_gbps))
        bound = min(bound, up_ns)
    return bound


def apart_bits(hybrid: Hybrid, sent: NDArray[Number]) -> Number:
    """Return the minimum number of bits over the busiest uplink if circuits do not connect all groups.

    Parameters
    ----------
    hybrid
        A network with at most `MAX_GROUPS` groups.
    sent
        Bits from nodes (rows) to nodes.
    """
    between = hybrid.between_groups(sent)
    parts = (part for part in _partitions(hybrid.groups) if len(set(part)) > 1)
    lightest: Number = min(up_bits(between, part) for part in parts)
    return lightest


def up_bits(between: NDArray[Number], part: Sequence[int]) -> Number:
    """Return the bits over the busiest uplink or downlink if circuits connect the groups of the same part."""
    bits = between * np.not_equal.outer(part, part)
    busiest: Number = max(bits.sum(axis=0).max(), bits.sum(axis=1).max())
    return busiest


def _relay_bits(hybrid: Hybrid, sent: Bits, different_sets: NDArray[np.bool_], circuits: int) -> float:
    """Return a lower bound on the bits over the busiest link of a node, minimised over the number of owners."""
    nodes, groups, size = hybrid.nodes, hybrid.groups, hybrid.nodes_per_group
    joined = ~different_sets[hybrid.group]  # by node and group: whether circuits connect them
    joined[np.arange(nodes), hybrid.group] = False
    to_groups, from_groups = (bits.reshape(nodes, groups, size).sum(axis=2) for bits in (sent, sent.T))
    fixed = np.where(joined, 0, from_groups).sum(axis=1)
    spared = np.cumsum(np.sort(np.where(joined, to_groups, 0).max(axis=1) - fixed)[::-1])
    # Groups are joined by at least one circuit, which has two owners.
    owners = np.arange(2, min(2 * circuits, nodes) + 1)
    relay_bits = (np.where(joined, to_groups, 0).sum() - spared[owners - 1]) / owners
    others = [np.append(np.sort(bits.sum(axis=1))[::-1], 0)[owners] for bits in (sent, sent.T)]
    return float(np.maximum(relay_bits, np.maximum(*others)).min())


def _partitions(count: int) -> Iterator[tuple[int, ...]]:
    """Yield all set partitions of `count` elements, each as the tuple of the elements' set indices."""
    if count == 0:
        yield ()
        return
    for indices in _partitions(count - 1):
        # An element joins an earlier set or begins the next one: so each partition arises once.
        for index in range(max(indices, default=-1) + 2):
            yield (*indices, index)
