"""Up/down routing in extended generalised fat-trees."""

from collections.abc import Sequence
from itertools import accumulate
from math import prod
from operator import mul

import numpy as np
from numpy.typing import NDArray

from .routes import Routes


def xgft_routes(children: Sequence[int], parents: Sequence[int], choices: NDArray[np.integer]) -> Routes:
    """Return the routes of `xgft(children, parents)`: up to a common ancestor of both nodes, and down the only path.

    Packets to a node with number c take uplink ⌊c / W_l⌋ mod w_{l+1} at level l, with W_l = w₁ ... w_l, so all of them
    that go up to the roots meet at root c mod W_h. None goes up after it has gone down, so the routes are free of
    deadlock. With D-mod-k, c is the node, and all uplinks of level l carry equal loads of all-to-all traffic if and
    only if W_{l+1} divides m₁ ... m_l, the nodes of a subtree.

    Switches of the same subtree have equal rows, and so do all those of level 1, where only the entries of their own
    nodes differ. Nodes of a level-1 switch with the same root share a column.

    Parameters
    ----------
    children, parents
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
    inside, above = list(accumulate(children, mul)), list(accumulate(parents, mul))
    node = np.arange(inside[-1])
    leaf, root = node // children[0], np.asarray(choices, dtype=np.int64) % above[-1]
    _, first, column = np.unique(leaf * above[-1] + root, return_index=True, return_inverse=True)
    node, root = node[first], root[first]
    rows, row = [], []
    for i, size in enumerate(inside):  # level i + 1
        up = root // above[i] % parents[i + 1] if i + 1 < len(parents) else np.zeros_like(root)
        if i == 0:
            rows.append(up[None])
            row.append(np.zeros(inside[-1] // size, dtype=np.int32))
            continue
        subtrees = np.arange(inside[-1] // size)
        down = node // inside[i - 1] % children[i]
        row.append(np.repeat(sum(map(len, rows)) + subtrees, above[i]).astype(np.int32))
        rows.append(np.where(node // size == subtrees[:, None], down, children[i] + up))
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
