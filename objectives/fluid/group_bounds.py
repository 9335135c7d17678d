"""Bounds of the bottleneck time for networks with one port for each node, from what its few circuits can join."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from isoplane.models.families.hybrid import Hybrid, Number

Bits = NDArray[np.float64]

MAX_GROUPS = 7  # of which all partitions are tried: 877


def of_partners(hybrid: Hybrid, sent: Bits) -> float:
    """Return a bound of the bits over the link of a node, from the two ends of its circuit.

    What node t receives over its circuit enters the far end p over the link of p, but for what p itself sends; and the
    other way round. So the links into t and p carry R_t + R_p - M_pt - M_tp together, with R what a node receives and M
    what it is sent by the other one; the link into a node without a circuit carries R_t.

    Parameters
    ----------
    hybrid
        A network with one port for each node.
    sent
        Bits from nodes (rows) to nodes.
    """
    apart = hybrid.group[:, None] != hybrid.group[None, :]
    bound = 0.0
    for received in (sent.sum(axis=0), sent.sum(axis=1)):
        both = np.where(apart, received[:, None] + received[None, :] - sent - sent.T, np.inf)
        bound = max(bound, float(np.minimum(received, both.min(axis=1) / 2).max()))
    return bound


def of_partitions(hybrid: Hybrid, sent: Bits, circuits: int, unit: float) -> float:
    """Return a bound in nanoseconds: the least over all ways in which circuits may lead from group to group.

    Circuits part the groups into sets between which they do not lead. What is sent between sets takes the links up.
    What is sent between groups of a set, X bits in all, takes circuits, and so enters an owner of one over its link:
    once at least, but for what an owner sends into the one group into which its circuit leads. If m nodes own circuits,
    the links into them carry X - Σ (largest X_sB - F_s) at least, the sum over the m owners s for which it is largest;
    X_sB is what s sends to group B of its set, F_s what it receives from its group and from other sets. All other nodes
    use their links for all they send. The same holds with all messages turned round, for the links out.

    Parameters
    ----------
    hybrid
        A network with one port for each node and at most `MAX_GROUPS` groups.
    sent
        Bits from nodes (rows) to nodes.
    circuits
        At most so many, at least one.
    unit
        All sums of bits over links of nodes are multiples of this.
    """
    between = hybrid.between_groups(sent)
    least = np.inf
    for part in _partitions(hybrid.groups):
        apart = np.not_equal.outer(part, part)
        up = float(up_bits(between, part)) / float(hybrid.up_gbps)
        if up < least and len(set(part)) < hybrid.groups:
            relays = max(_relays(hybrid, bits, apart, circuits) for bits in (sent, sent.T))
            up = max(up, np.ceil(relays / unit * (1 - 1e-12)) * unit / float(hybrid.node_gbps))
        least = min(least, up)
    return least


def apart_bits(hybrid: Hybrid, sent: NDArray[Number]) -> Number:
    """Return the bits over the busiest link up, the least where circuits do not connect all groups.

    Parameters
    ----------
    hybrid
        A network with at most `MAX_GROUPS` groups.
    sent
        Bits from nodes (rows) to nodes.
    """
    between = hybrid.between_groups(sent)
    parts = (part for part in _partitions(hybrid.groups) if len(set(part)) > 1)
    least: Number = min(up_bits(between, part) for part in parts)
    return least


def up_bits(between: NDArray[Number], part: Sequence[int]) -> Number:
    """Return what the busiest link up or down carries where circuits connect the groups of the same part."""
    bits = between * np.not_equal.outer(part, part)
    most: Number = max(bits.sum(axis=0).max(), bits.sum(axis=1).max())
    return most


def _relays(hybrid: Hybrid, sent: Bits, apart: NDArray[np.bool_], circuits: int) -> float:
    """Return the least bits over the busiest link of a node, for any number of owners."""
    nodes, groups, size = hybrid.nodes, hybrid.groups, hybrid.nodes_per_group
    over = ~apart[hybrid.group]  # by node and group: whether circuits lead there
    over[np.arange(nodes), hybrid.group] = False
    to, back = (bits.reshape(nodes, groups, size).sum(axis=2) for bits in (sent, sent.T))
    fixed = np.where(over, 0, back).sum(axis=1)
    spared = np.cumsum(np.sort(np.where(over, to, 0).max(axis=1) - fixed)[::-1])
    owners = np.arange(2, min(2 * circuits, nodes) + 1)
    relays = (np.where(over, to, 0).sum() - spared[owners - 1]) / owners
    others = [np.append(np.sort(bits.sum(axis=1))[::-1], 0)[owners] for bits in (sent, sent.T)]
    return float(np.maximum(relays, np.maximum(*others)).min())


def _partitions(count: int) -> Iterator[tuple[int, ...]]:
    """Yield all partitions of things, as the number of the set of each thing."""
    if count == 0:
        yield ()
        return
    for before in _partitions(count - 1):
        for own in range(max(before, default=-1) + 2):
            yield (*before, own)
