"""The topology of extended generalised fat-trees."""

from collections.abc import Sequence
from itertools import accumulate
from math import prod
from operator import add, mul

import numpy as np

from ..planes.topology import Topology

Shape = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]  # children, parents and parallel cables of `xgft`


def xgft(children: Sequence[int], parents: Sequence[int], cables: Sequence[int] = ()) -> Topology:
    """Return the switches of XGFT(h; m₁, ..., m_h; 1, w₂, ..., w_h), whose nodes have one link each.

    The switches above each subtree of m₁ ... m_l nodes at level l are numbered 0 to W_l - 1, with W_l = w₁ ... w_l.
    Switch y of a subtree has cables to the switches y + W_l·u, u = 0, ..., w_{l+1} - 1, of the subtree above it. Its
    first ports are those to its children, in the order of their subtrees, but none at level 1; then come those to its
    parents, in the order of u. Parallel cables have consecutive ports, in the same order at both ends. Ids increase by
    level, then by subtree, then by number.

    Parameters
    ----------
    children
        Children of each switch of levels 1 to h, m; those of level 1 are nodes.
    parents
        Parents of each node and of each switch of levels 1 to h - 1, w; the first one is 1.
    cables
        Parallel cables from each node and from each switch of levels 1 to h - 1 to each of its parents, p; the first
        one is 1. By default, all are.

    References
    ----------
    Öhring, Ibel, Das and Kumar, On Generalized Fat Trees, 1995, section 2. Zahavi, D-Mod-K Routing Providing
    Non-Blocking Traffic for Shift Permutations on Real Life Fat Trees, 2010: parallel cables.

    Examples
    --------
    >>> xgft((2, 2), (1, 2)).peer.tolist()
    [[2, 3], [2, 3], [0, 1], [0, 1]]
    >>> xgft((2, 2), (1, 1), (1, 2)).peer.tolist()
    [[2, 2, -1, -1], [2, 2, -1, -1], [0, 0, 1, 1]]
    """
    parallel = tuple(cables) or (1,) * len(children)
    sizes, above = level_sizes(children, parents), list(accumulate(parents, mul))
    first = [0, *accumulate(sizes)]
    down_ports = [0, *map(mul, children[1:], parallel[1:])]
    ports = max(map(add, down_ports, [*map(mul, parents[1:], parallel[1:]), 0]))
    peer = np.full((first[-1], ports), -1, dtype=np.int32)
    peer_port = peer.copy()
    for i in range(len(children) - 1):  # from level i + 1 to level i + 2
        counts = (sizes[i], parents[i + 1], parallel[i + 1])
        switch, uplink, cable = (index.ravel() for index in np.indices(counts))
        subtree, number = np.divmod(switch, above[i])
        parent = first[i + 1] + subtree // children[i + 1] * above[i + 1] + number + above[i] * uplink
        child, up_port = first[i] + switch, down_ports[i] + uplink * parallel[i + 1] + cable
        down_port = subtree % children[i + 1] * parallel[i + 1] + cable
        peer[child, up_port], peer_port[child, up_port] = parent, down_port
        peer[parent, down_port], peer_port[parent, down_port] = child, up_port
    return Topology(peer, peer_port)


def level_sizes(children: Sequence[int], parents: Sequence[int]) -> list[int]:
    """Return the number of switches of levels 1 to h: w₁ ... w_l m_{l+1} ... m_h at level l.

    Examples
    --------
    >>> level_sizes((4, 4, 8), (1, 4, 4))  # a fat-tree of 8-port switches
    [32, 32, 16]
    """
    return [prod(parents[: level + 1]) * prod(children[level + 1 :]) for level in range(len(children))]
