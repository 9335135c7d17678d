"""The levels of the switches of a tree, and its children, parents and parallel cables, read from cables and nodes."""

from collections.abc import Iterator

import numpy as np

from ..arrays import Ints
from ..planes.topology import Topology
from .xgft import Shape


def tree_levels(topology: Topology, nodes: Ints) -> Iterator[Ints]:
    """Yield the level of each switch, from 0, for each guess of the leaves: they are those of a tree for one of them.

    The level is the distance from the nearest leaf. Leaves are the switches with nodes, or those with more than half as
    many as the one with most, as service nodes may be at spines; and those without that are cabled to the same
    switches. Of a subtree without any nodes, which is beyond the roots, the levels are counted from the far end.

    Parameters
    ----------
    topology, nodes
        The cables of a connected plane, and the number of nodes at each switch.

    Examples
    --------
    >>> from .xgft import xgft
    >>> [level.tolist() for level in tree_levels(xgft((2, 3), (1, 2)), np.array([2, 1, 0, 0, 0]))]
    [[0, 0, 0, 1, 1]]
    """
    rows = [np.sort(row).tobytes() for row in topology.peer]
    guessed = set[bytes]()
    for least in (1, int(nodes.max()) // 2 + 1):
        near = {rows[switch] for switch in np.flatnonzero(nodes >= least)}
        leaves = np.flatnonzero([row in near for row in rows])
        far = topology.levels(leaves).astype(np.int64)
        top = int(far.max())
        for level in (far, np.minimum(far, top - far)) if top % 2 == 0 else (far,):
            if level.min() == 0 < level.max() and level.tobytes() not in guessed:
                guessed.add(level.tobytes())
                yield level


def tree_shape(topology: Topology, nodes: Ints, level: Ints) -> Shape:
    """Return the children, parents and parallel cables of most switches of each level.

    Leaves have as many children as the one with most nodes. In a tree of two levels all leaves are children of all
    spines.

    Parameters
    ----------
    topology, nodes, level
        As in `tree_levels`.

    Examples
    --------
    >>> from .xgft import xgft
    >>> tree = xgft((2, 3), (1, 2), (1, 4))
    >>> tree_shape(tree, np.array([2, 1, 0, 0, 0]), np.array([0, 0, 0, 1, 1]))
    ((2, 3), (1, 2), (1, 4))
    """
    lower, port = np.nonzero(topology.peer >= 0)
    upper = topology.peer[lower, port].astype(np.int64)
    children, parents, cables = [int(nodes[level == 0].max())], [1], [1]
    for height in range(int(level.max())):
        is_up = (level[lower] == height) & (level[upper] == height + 1)
        pairs, parallel = np.unique(np.stack([lower[is_up], upper[is_up]]), axis=1, return_counts=True)
        above, below = (np.unique(end, return_counts=True)[1] for end in pairs)
        parents.append(_most_frequent(above))
        children.append(_most_frequent(below))
        cables.append(_most_frequent(parallel))
    if len(children) == 2:
        children[1], parents[1] = (int(np.count_nonzero(level == height)) for height in range(2))
    return tuple(children), tuple(parents), tuple(cables)


def _most_frequent(numbers: Ints) -> int:
    """Return the number that occurs most often, the largest of several."""
    found, times = np.unique(numbers, return_counts=True)
    return int(found[times == times.max()][-1])
