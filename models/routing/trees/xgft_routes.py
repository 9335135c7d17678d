"""Up/down routing in extended generalised fat-trees."""

from collections.abc import Sequence
from itertools import accumulate
from math import lcm, prod
from operator import mul

import numpy as np
from numpy.typing import NDArray

from isoplane.models.planes.routes import Routes


def xgft_routes(
    children: Sequence[int], parents: Sequence[int], choices: NDArray[np.integer], cables: Sequence[int] = ()
) -> Routes:
    """Return the routes of `xgft(children, parents, cables)`: up to a common ancestor of both nodes, and down.

    Packets to a node with number c take uplink ⌊c / W_l⌋ mod w_{l+1} at level l, with W_l = w₁ ... w_l, so all of them
    that go up to the roots meet at root c mod W_h. Of the p_{l+1} parallel cables between a switch of level l and its
    parent they take number ⌊c / W_{l+1}⌋ mod p_{l+1}, up and down: c modulo W_{l+1} p_{l+1} selects one of the links
    between a subtree of level l and the level above. None goes up after it has gone down, so the routes are free of
    deadlock. With D-mod-k, c is the node, and all uplinks of level l carry equal loads of all-to-all traffic if and
    only if W_{l+1} p_{l+1} divides m₁ ... m_l, the nodes of a subtree.

    Switches of the same subtree have equal rows, and so do all those of level 1, where only the entries of their own
    nodes differ. Nodes of a level-1 switch with the same root and the same parallel cables share a column.

    Parameters
    ----------
    children, parents, cables
        As in `xgft`.
    choices : int64[nodes]
        The number c of each node, at least 0 (`up_choices`).

    References
    ----------
    Zahavi, D-Mod-K Routing Providing Non-Blocking Traffic for Shift Permutations on Real Life Fat Trees, 2010.

    Examples
    --------
    >>> routes = xgft_routes((2, 2), (1, 2), np.arange(4))
    >>> routes.row.tolist(), routes.next_port.tolist()
    ([0, 0, 1, 1], [[0, 1, 0, 1], [0, 0, 1, 1]])
    """
    parallel = tuple(cables) or (1,) * len(children)
    inside, above = list(accumulate(children, mul)), list(accumulate(parents, mul))
    node, choice = np.arange(inside[-1]), np.asarray(choices, dtype=np.int64)
    period = lcm(*map(mul, above, parallel))  # choices that agree modulo it take the same links
    leaf = node // children[0]
    # A period of 2^63 or more exceeds every choice, and would not fit int64.
    _, links = np.unique(choice % period if period < 1 << 63 else choice, return_inverse=True)
    _, first, column = np.unique(leaf * (1 + links.max()) + links, return_index=True, return_inverse=True)
    node, choice = node[first], choice[first]
    rows, row, down = [], [], np.zeros_like(node)  # the port from level i + 1 to the subtree of each node
    for i, size in enumerate(inside):
        subtrees, up, cable = np.arange(inside[-1] // size), np.zeros_like(node), np.zeros_like(node)
        if i + 1 < len(parents):
            cable = choice // above[i + 1] % parallel[i + 1]
            up = choice // above[i] % parents[i + 1] * parallel[i + 1] + cable
        if i == 0:
            rows.append(up[None])
            row.append(np.zeros(len(subtrees), dtype=np.int32))
        else:
            row.append(np.repeat(sum(map(len, rows)) + subtrees, above[i]).astype(np.int32))
            rows.append(np.where(node // size == subtrees[:, None], down, children[i] * parallel[i] + up))
        if i + 1 < len(children):
            down = node // size % children[i + 1] * parallel[i + 1] + cable
    return Routes(
        "table",
        np.concatenate(row),
        next_port=np.concatenate(rows).astype(np.uint16),
        column=column.ravel().astype(np.int32),
        target_switch=leaf[first].astype(np.int32),
    )


def table_entries(children: Sequence[int]) -> int:
    """Return the maximum number of entries of `xgft_routes`: a row for level 1 and for each subtree, a column per node.

    Examples
    --------
    >>> table_entries((32, 32, 64))  # of 65,536 nodes
    4325376
    """
    subtrees = (prod(children[level + 1 :]) for level in range(1, len(children)))
    return (1 + sum(subtrees)) * prod(children)


def xgft_heaviest_load(children: Sequence[int], parents: Sequence[int], cables: Sequence[int] = ()) -> int:
    """Return the load of the busiest link if every node sends a packet to each other one over D-mod-k routes.

    A subtree of level l has M = m₁ ... m_l of all N nodes, and W = w₁ ... w_{l+1} p_{l+1} links up and down. Packets to
    a node all come down the same links, so some link down leads to at least ⌈M / W⌉ nodes, each with packets from the
    N - M others: no choices of uplinks by destination have a lower load than the maximum of (N - M) ⌈M / W⌉. With
    D-mod-k, each link leads to at most ⌈M / W⌉ of the M consecutive nodes of any subtree. So links up carry packets
    from M nodes to at most ⌈M / W⌉ nodes in each of the N / M - 1 other subtrees, which is no more.

    Parameters
    ----------
    children, parents, cables
        As in `xgft`.

    Examples
    --------
    >>> xgft_heaviest_load((4, 4, 2), (1, 2, 4))  # 2 of 4 nodes by each link down, from 28 others
    56
    """
    nodes, parallel = prod(children), tuple(cables) or (1,) * len(children)
    loads = []
    for level in range(1, len(children)):
        inside, links = prod(children[:level]), prod(parents[: level + 1]) * parallel[level]
        loads.append((nodes - inside) * -(-inside // links))
    return max(loads)
